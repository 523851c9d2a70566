"""What clients send: structures that decode, with every fault at its place."""

import datetime as dt
from collections.abc import Mapping
from typing import Final, Self

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from games.engine.errors import shown
from tables.errors import FaultsError, FieldError, OccurredInFutureError
from tables.shapes.fields import NOW

PLACE_LENGTH_MAX: Final = 64
_ERROR_OF_TYPE: Final[Mapping[str, type[FieldError]]] = {
    OccurredInFutureError.code: OccurredInFutureError
}


class Shape(BaseModel):
    """A typed structure; its values never change."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)


class Request(Shape):
    """What a client sends: known keys only, and each of its own type."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @classmethod
    def decode(cls, data: object, *, now: dt.datetime | None = None) -> Self:
        """The structure that decoded JSON holds. Raises FaultsError with every fault."""
        try:
            return cls.model_validate(data, context={NOW: now})
        except ValidationError as error:
            faults = [fault_of(cls, found) for found in error.errors(include_url=False)]
            raise FaultsError(tuple(faults)) from error


def fault_of(shape: type[BaseModel], error: ErrorDetails) -> FieldError:
    """One of the library's errors in our words, at its place."""
    place = place_of(error["loc"])[:PLACE_LENGTH_MAX]
    kind = _ERROR_OF_TYPE.get(error["type"], FieldError)
    return kind(_message(shape, error), place=place)


def place_of(loc: tuple[int | str, ...]) -> str:
    """A path such as `seats[0].cards`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)
    return "".join(parts).removeprefix(".")


def _message(shape: type[BaseModel], error: ErrorDetails) -> str:
    loc, context = error["loc"], error.get("ctx", {})
    match error["type"]:
        case "missing":
            return f"expected {str(loc[-1])!r}, which is missing"
        case "extra_forbidden":
            known = ", ".join(sorted(_shape_at(shape, loc[:-1]).model_fields)) or "nothing"
            return f"expected only {known}, got {shown(loc[-1])}"
        case "model_type" | "dict_type":
            return f"expected a JSON object, got {shown(error['input'])}"
    # Ours come with their words; an enumeration tells its members; else the library's own.
    expected = context.get("expected") or error["msg"]
    return str(context.get("message") or f"expected {expected}, got {shown(error['input'])}")


def _shape_at(shape: type[BaseModel], loc: tuple[int | str, ...]) -> type[BaseModel]:
    """The structure that a path leads to, through fields that are structures themselves."""
    for part in loc:
        below = shape.model_fields[str(part)].annotation
        if isinstance(below, type) and issubclass(below, BaseModel):
            shape = below
    return shape
