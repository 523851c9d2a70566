"""Requests and answers as typed structures, each declared once (ADR 12).

They decode, encode, and describe themselves to the OpenAPI document. Decoding tells every fault
with its place. A field's `description` says what is expected, in the error and in the document.
Services take these structures and the engine's, never what a client sent.
"""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Generic, Self, TypeAlias, TypeVar, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    PlainSerializer,
    RootModel,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.fields import FieldInfo
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
NOTE_LENGTH_MAX: Final = 2000
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


class BuiltApart:
    """Marks a field of an answer that no attribute of its record holds."""


@dataclass(frozen=True, slots=True)
class From:
    """Marks a field of an answer by where a record holds it: `From("round.table.code")`.

    `From("")` is the record itself. What leads through nothing is nothing: the badge of no dealer
    is None.
    """

    path: str


class Answer(Shape):
    """What a client gets."""

    @classmethod
    def of(cls, record: Any) -> Self:
        """The answer of a record: each field from the attribute of its name, or as `From` says."""
        return cls(**cls.parts_of(record))

    @classmethod
    def parts_of(cls, record: Any) -> dict[str, Any]:
        """The fields that a record holds; those marked otherwise are for who builds the answer."""
        return {name: read(record) for name, read in _readers_of(cls)}


_Reader: TypeAlias = Callable[[Any], Any]


@cache
def _readers_of(answer: type[Answer]) -> tuple[tuple[str, _Reader], ...]:
    return tuple(
        (name, _reader(name, field))
        for name, field in answer.model_fields.items()
        if not any(isinstance(mark, BuiltApart) for mark in field.metadata)
    )


def _reader(name: str, field: FieldInfo) -> _Reader:
    paths = [mark.path for mark in field.metadata if isinstance(mark, From)]
    path = paths[0] if paths else name
    names = path.split(".") if path else []
    is_as_it_is = any(isinstance(mark, AsItIs) for mark in field.metadata)
    answer = None if is_as_it_is else _answers_in(field.annotation)

    def read(record: Any) -> Any:
        for each in names:
            record = None if record is None else getattr(record, each, None)
        return record if record is None or answer is None else answer(record)

    return read


def _answers_in(annotation: Any) -> _Reader | None:
    """How a value becomes a field that holds an answer, or several."""
    if isinstance(annotation, type) and issubclass(annotation, Answer):
        return annotation.of
    readers = [reader for of in get_args(annotation) if (reader := _answers_in(of))]
    if not readers:
        return None
    one = readers[0]
    if get_origin(annotation) is not list:
        return one
    return lambda values: [one(value) for value in values]


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


@dataclass(frozen=True, slots=True, eq=False)
class ReadAs:
    """Marks a field by how it is read; a ValueError is told as "expected <words>, got <value>".

    `schema` describes what is sent. Whatever is read is of the field's own type.
    """

    words: str
    read: Callable[[Any], Any]
    schema: Mapping[str, Any]

    def __get_pydantic_core_schema__(
        self, _source: Any, _handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """The reader alone decides."""
        return core_schema.no_info_plain_validator_function(
            self._validate,
            metadata={
                "pydantic_js_functions": [lambda *_: {"description": self.words, **self.schema}]
            },
        )

    def _validate(self, value: Any) -> Any:
        try:
            return self.read(value)
        except (ValueError, OverflowError) as error:
            raise _custom(FieldError.code, f"expected {self.words}, got {shown(value)}") from error


def _custom(code: str, message: str) -> PydanticCustomError:
    return PydanticCustomError(code, "{message}", {"message": message})


def parse_instant(value: object) -> dt.datetime:
    """An ISO 8601 time with its offset, as UTC. Raises ValueError."""
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise ValueError("not a time with its offset")
    return dt.datetime.fromisoformat(value).astimezone(dt.UTC)


def _parse_day(value: object) -> dt.date:
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        raise ValueError("not a day")
    return dt.date.fromisoformat(value)


def _not_in_future(value: dt.datetime, info: ValidationInfo) -> dt.datetime:
    now = (info.context or {}).get(_NOW)
    if now is not None and value > now + CLOCK_AHEAD_MAX:
        message = f"expected a time no later than now ({now.isoformat()}), got {value.isoformat()}"
        raise _custom(OccurredInFutureError.code, message)
    return value


def text(length_max: int) -> ReadAs:
    """A text a person wrote: not empty, bounded, printable; read without the blanks around it."""

    def read(value: object) -> str:
        if not isinstance(value, str) or len(value) > length_max or not value.strip():
            raise ValueError("not such a text")
        if any(_is_unprintable(character) for character in value):
            raise ValueError("not printable")
        return value.strip()

    words = f"a printable text of 1 to {length_max} characters"
    return ReadAs(words, read, {"type": "string", "maxLength": length_max})


def _is_unprintable(character: str) -> bool:
    return (character < " " and character not in "\n\t") or "\ud800" <= character <= "\udfff"


def whole_number(least: int, most: int) -> ReadAs:
    """A whole number in bounds; never a bool, float or text."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError("no such number")
        return value

    words = f"a whole number from {least} to {most}"
    return ReadAs(words, read, {"type": "integer", "minimum": least, "maximum": most})


def _read_client_id(value: object) -> str:
    if not isinstance(value, str) or not CLIENT_ID.fullmatch(value):
        raise ValueError("no such id")
    return value


_ISO: Final = PlainSerializer(lambda at: at.isoformat(), return_type=str)
_DATE_TIME: Final = {"type": "string", "format": "date-time"}

ClientId = Annotated[
    str,
    ReadAs(
        "1 to 64 letters, digits, dots, colons, hyphens or underscores",
        _read_client_id,
        {"type": "string", "pattern": f"^{CLIENT_ID.pattern}$"},
    ),
]
Instant = Annotated[
    dt.datetime,
    ReadAs(
        "a time that exists, with its offset, such as '2026-11-29T21:14:00-08:00'",
        parse_instant,
        _DATE_TIME,
    ),
    _ISO,
]
PastInstant = Annotated[Instant, AfterValidator(_not_in_future)]
Day = Annotated[
    dt.date,
    ReadAs("a day such as '2026-11-29'", _parse_day, {"type": "string", "format": "date"}),
    PlainSerializer(lambda day: day.isoformat(), return_type=str),
]
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
