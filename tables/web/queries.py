"""Query strings: one strict reader for all of them, of the API and of pages."""

from collections.abc import Collection
from typing import TypeVar

from django.http import QueryDict
from pydantic import ConfigDict

from tables.errors import FaultsError, FieldError
from tables.shapes import Request, shown


class Query(Request):
    """The parameters of an address: known ones, each once."""

    # What arrives is text.
    model_config = ConfigDict(strict=False)


Asked = TypeVar("Asked", bound=Query)


def decode_query(shape: type[Asked], parameters: QueryDict) -> Asked:
    """The structure that the parameters hold. Raises FaultsError with every fault."""
    repeated = _repeated(parameters)
    try:
        query = shape.decode(parameters.dict())
    except FaultsError as error:
        raise FaultsError((*repeated, *error.faults)) from error
    if repeated:
        raise FaultsError(repeated)
    return query


def refuse_unknown(parameters: QueryDict, known: Collection[str] = ()) -> None:
    """Refuse parameters that a page does not know, or has twice. Raises FaultsError.

    Every page knows the note that it is asked to show.
    """
    faults = tuple(
        FieldError(f"expected only {', '.join([*known, 'note'])}, got {shown(name)}", place="")
        for name in sorted(parameters)
        if name not in known and name != "note"
    )
    if faults := (*faults, *_repeated(parameters)):
        raise FaultsError(faults)


def _repeated(parameters: QueryDict) -> tuple[FieldError, ...]:
    return tuple(
        FieldError(f"expected {name} once, got it {len(values)} times", place=name[:64])
        for name, values in parameters.lists()
        if len(values) != 1
    )
