"""Query strings: one strict reader for all of them, of the API and of pages."""

from typing import TypeVar

from django.http import QueryDict
from pydantic import ConfigDict

from tables.errors import FaultsError, FieldError
from tables.shapes import Request


class Query(Request):
    """The parameters of an address: known ones, each once."""

    # What arrives is text.
    model_config = ConfigDict(strict=False)


Asked = TypeVar("Asked", bound=Query)


def decode_query(shape: type[Asked], parameters: QueryDict) -> Asked:
    """The structure that the parameters hold. Raises FaultsError with every fault."""
    repeated = tuple(
        FieldError(f"expected {name} once, got it {len(values)} times", place=name[:64])
        for name, values in parameters.lists()
        if len(values) != 1
    )
    try:
        query = shape.decode(parameters.dict())
    except FaultsError as error:
        raise FaultsError((*repeated, *error.faults)) from error
    if repeated:
        raise FaultsError(repeated)
    return query
