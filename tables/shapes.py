"""Requests and answers as typed structures, each declared once (ADR 12).

They decode, encode, and describe themselves to the OpenAPI document. Decoding tells every fault
with its place. A field's `description` says what is expected, in the error and in the document.
Services take these structures and the engine's, never what a client sent.
"""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Generic, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    PlainSerializer,
    RootModel,
    Strict,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import ErrorDetails, PydanticCustomError, core_schema

from games.engine.errors import shown
from tables.errors import FaultsError, FieldError, OccurredInFutureError

__all__ = ["SkipJsonSchema", "shown"]

CLIENT_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}", re.ASCII)
_TIME: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})", re.ASCII
)
# ASCII digits only: the standard library also reads other scripts' digits and week dates.
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
# A tablet's clock may be this much ahead of the server's.
CLOCK_AHEAD_MAX: Final = dt.timedelta(minutes=5)
REASON_LENGTH_MAX: Final = 500
PLACE_LENGTH_MAX: Final = 64

_NOW: Final = "now"
_ERROR_OF_TYPE: Final[Mapping[str, type[FieldError]]] = {
    OccurredInFutureError.code: OccurredInFutureError
}
Item = TypeVar("Item")


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
            return cls.model_validate(data, context={_NOW: now})
        except ValidationError as error:
            faults = [fault_of(cls, found) for found in error.errors(include_url=False)]
            raise FaultsError(tuple(faults)) from error


class Answer(Shape):
    """What a client gets."""


class Listing(RootModel[list[Item]], Generic[Item]):
    """A list that is short enough to be answered whole."""


class Page(Answer, Generic[Item]):
    """A part of a list, with the addresses of its neighbours."""

    next: str | None
    previous: str | None
    results: list[Item]


class AsItIs:
    """Marks a field whose value is neither checked nor converted here, only described.

    For what the engine reads, with faults of its own, and for what is answered as it was stored.
    """

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Any value; the structure only describes it."""
        described = handler(source)
        return core_schema.any_schema(
            metadata={"pydantic_js_functions": [lambda _, describe: describe(described)]},
            # Named here so that what it refers to is described with it.
            serialization=core_schema.wrap_serializer_function_ser_schema(
                lambda value, _: value, schema=described, return_schema=core_schema.any_schema()
            ),
        )


def read_as(kind: Any, words: str, read: Callable[[Any], Any], **schema: Any) -> Any:
    """A value read from text; a ValueError is told as "expected <words>, got <value>"."""

    def validate(value: Any) -> Any:
        try:
            return read(value)
        except (ValueError, OverflowError) as error:
            raise _custom(FieldError.code, f"expected {words}, got {shown(value)}") from error

    return Annotated[kind, BeforeValidator(validate), *([WithJsonSchema(schema)] if schema else [])]


def _custom(code: str, message: str) -> PydanticCustomError:
    return PydanticCustomError(code, "{message}", {"message": message})  # type: ignore[arg-type]


def parse_instant(value: object) -> dt.datetime:
    """An ISO 8601 time with its offset, as UTC. Raises ValueError."""
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise ValueError("not a time with its offset")
    return dt.datetime.fromisoformat(value).astimezone(dt.UTC)


def _parse_day(value: object) -> dt.date:
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        raise ValueError("not a day")
    return dt.date.fromisoformat(value)


def _printable(value: str) -> str:
    """A text without control characters, and without the blanks around it."""
    text = value.strip()
    if not text or any(character < " " and character not in "\n\t" for character in value):
        raise _custom(FieldError.code, f"expected printable text, got {shown(value)}")
    return text


def _not_in_future(value: dt.datetime, info: ValidationInfo) -> dt.datetime:
    now = (info.context or {}).get(_NOW)
    if now is not None and value > now + CLOCK_AHEAD_MAX:
        message = f"expected a time no later than now ({now.isoformat()}), got {value.isoformat()}"
        raise _custom(OccurredInFutureError.code, message)
    return value


def text(length_max: int) -> Any:
    """A text a person wrote: not empty, bounded, printable."""
    words = f"a text of 1 to {length_max} characters"
    return Annotated[
        str,
        Field(min_length=1, max_length=length_max, description=words),
        AfterValidator(_printable),
    ]


def whole_number(least: int, most: int) -> Any:
    """A whole number in bounds; never a bool, float or text."""
    words = f"a whole number from {least} to {most}"
    return Annotated[int, Strict(), Field(ge=least, le=most, description=words)]


ClientId = Annotated[
    str,
    Field(
        pattern=rf"^{CLIENT_ID.pattern}\z",
        description="1 to 64 letters, digits, dots, colons, hyphens or underscores",
    ),
]
_ISO: Final = PlainSerializer(lambda at: at.isoformat(), return_type=str)
_DATE_TIME: Final = {"type": "string", "format": "date-time"}

Instant = Annotated[
    read_as(
        dt.datetime,
        "a time that exists, with its offset, such as '2026-11-29T21:14:00-08:00'",
        parse_instant,
        **_DATE_TIME,
    ),
    _ISO,
]
PastInstant = Annotated[Instant, AfterValidator(_not_in_future)]
Day = read_as(dt.date, "a day such as '2026-11-29'", _parse_day, type="string", format="date")
# What an answer holds was read from the records: it is only written.
Moment = Annotated[dt.datetime, _ISO, WithJsonSchema(_DATE_TIME)]


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
    loc, given = error["loc"], shown(error["input"])
    context = error.get("ctx", {})
    if "message" in context:
        return str(context["message"])
    match error["type"]:
        case "missing":
            return f"expected {str(loc[-1])!r}, which is missing"
        case "extra_forbidden":
            owner = _shape_at(shape, loc[:-1]) or shape
            known = ", ".join(sorted(owner.model_fields)) or "nothing"
            return f"expected only {known}, got {shown(loc[-1])}"
        case "enum" | "literal_error":
            return f"expected {context['expected']}, got {given}"
    owner = _shape_at(shape, loc[:-1]) if loc else None
    field = owner.model_fields.get(str(loc[-1])) if owner else None
    words = field.description if field and field.description else "a JSON object"
    return f"expected {words}, got {given}"


def _shape_at(shape: type[BaseModel], loc: tuple[int | str, ...]) -> type[BaseModel] | None:
    """The structure that a path leads to, through fields that are structures themselves."""
    for part in loc:
        field = shape.model_fields.get(str(part))
        if field is None or not isinstance(field.annotation, type):
            return None
        if not issubclass(field.annotation, BaseModel):
            return None
        shape = field.annotation
    return shape
