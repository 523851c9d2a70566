"""What the fields of a structure are: how each is read, and how it is told and described."""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import (
    AfterValidator,
    GetCoreSchemaHandler,
    PlainSerializer,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError, core_schema

from games.engine.errors import shown
from tables.errors import FieldError, OccurredInFutureError

CLIENT_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}", re.ASCII)
_TIME: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})", re.ASCII
)
# ASCII digits only: the standard library also reads other scripts' digits and week dates.
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_CLOCK_TIME: Final = re.compile(r"[0-9]{2}:[0-9]{2}", re.ASCII)
# A tablet's clock may be this much ahead of the server's.
CLOCK_AHEAD_MAX: Final = dt.timedelta(minutes=5)
REASON_LENGTH_MAX: Final = 500
NOTE_LENGTH_MAX: Final = 2000

NOW: Final = "now"


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
    now = (info.context or {}).get(NOW)
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


def code(length_max: int) -> ReadAs:
    """A code that people read aloud: capital letters, digits and hyphens."""
    words = f"1 to {length_max} capital letters, digits or hyphens"
    pattern = re.compile(rf"[A-Z0-9][A-Z0-9-]{{0,{length_max - 1}}}", re.ASCII)

    def read(value: object) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError("no such code")
        return value

    return ReadAs(words, read, {"type": "string", "pattern": f"^{pattern.pattern}$"})


def choice(*codes: str) -> ReadAs:
    """One of some codes."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in codes:
            raise ValueError("no such code")
        return value

    return ReadAs(f"one of {', '.join(codes)}", read, {"type": "string", "enum": list(codes)})


def whole_number(least: int, most: int) -> ReadAs:
    """A whole number in bounds; never a bool, float or text."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError("no such number")
        return value

    words = f"a whole number from {least} to {most}"
    return ReadAs(words, read, {"type": "integer", "minimum": least, "maximum": most})


def _read_clock_time(value: object) -> dt.time:
    if isinstance(value, dt.time):
        return value
    if not isinstance(value, str) or not _CLOCK_TIME.fullmatch(value):
        raise ValueError("no time of day")
    return dt.time.fromisoformat(value)


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
# A time of day at the property, to the minute.
ClockTime = Annotated[
    dt.time,
    ReadAs(
        "a time of the clock on the wall such as '06:00'",
        _read_clock_time,
        {"type": "string", "format": "time"},
    ),
    PlainSerializer(lambda time: f"{time:%H:%M}", return_type=str),
]
# What an answer holds was read from the records: it is only written.
Moment = Annotated[dt.datetime, _ISO, WithJsonSchema(_DATE_TIME)]
