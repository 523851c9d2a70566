"""What clients send, checked once at the edge: objects, ids, times and texts of a request body."""

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any, Final

from games.engine.errors import shown as shown  # noqa: PLC0414  (others take it from here)
from tables.errors import FieldError, OccurredInFutureError

CLIENT_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}", re.ASCII)
_TIME: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})", re.ASCII
)
# A tablet's clock may be this much ahead of the server's.
CLOCK_AHEAD_MAX: Final = dt.timedelta(minutes=5)
REASON_LENGTH_MAX: Final = 500


def require_object(
    body: object, *, required: frozenset[str], optional: frozenset[str] = frozenset()
) -> Mapping[str, Any]:
    """The body as an object with all required keys and no unknown one. Raises FieldError."""
    if not isinstance(body, Mapping):
        raise FieldError(f"expected a JSON object, got {shown(body)}", place="")
    for key in body:
        if key not in required and key not in optional:
            expected = ", ".join(sorted(required | optional))
            raise FieldError(f"expected only {expected}, got {shown(key)}", place=str(key)[:64])
    for key in sorted(required):
        if key not in body:
            raise FieldError(f"expected {key!r}, which is missing", place=key)
    return body


def read_client_id(value: object, *, place: str = "id") -> str:
    """A client-made id: the idempotency key of its operator. Raises FieldError."""
    if not isinstance(value, str) or not CLIENT_ID.fullmatch(value):
        raise FieldError(
            "expected 1 to 64 letters, digits, dots, colons, hyphens or underscores, "
            f"got {shown(value)}",
            place=place,
        )
    return value


def read_text(value: object, *, place: str, length_max: int) -> str:
    """A text a person wrote: not empty, bounded, without control characters. Raises FieldError."""
    if not isinstance(value, str) or not value.strip() or len(value) > length_max:
        raise FieldError(
            f"expected a text of 1 to {length_max} characters, got {shown(value)}", place=place
        )
    if any(character < " " and character not in "\n\t" for character in value) or any(
        "\ud800" <= character <= "\udfff" for character in value
    ):
        raise FieldError(f"expected printable text, got {shown(value)}", place=place)
    return value.strip()


def read_choice(value: object, *, place: str, choices: tuple[str, ...]) -> str:
    """One of a fixed set of words. Raises FieldError."""
    if not isinstance(value, str) or value not in choices:
        raise FieldError(f"expected one of {', '.join(choices)}, got {shown(value)}", place=place)
    return value


def read_whole_number(value: object, *, place: str, least: int, most: int) -> int:
    """A whole number in bounds; never a bool, float or text. Raises FieldError."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise FieldError(
            f"expected a whole number from {least} to {most}, got {shown(value)}", place=place
        )
    return value


def parse_instant(value: object) -> dt.datetime:
    """An ISO 8601 time with its offset, as UTC. Raises ValueError saying what was expected."""
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise ValueError(
            "expected a time with its offset such as '2026-11-29T21:14:00-08:00', "
            f"got {shown(value)}"
        )
    try:
        return dt.datetime.fromisoformat(value).astimezone(dt.UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"expected a time that exists, got {shown(value)}") from error


def read_time(value: object, *, place: str, now: dt.datetime) -> dt.datetime:
    """An ISO 8601 time with its offset, not later than the clock allows, as UTC.

    Raises FieldError when unreadable or without offset, OccurredInFutureError when too late.
    """
    try:
        instant = parse_instant(value)
    except ValueError as error:
        raise FieldError(str(error), place=place) from error
    if instant > now + CLOCK_AHEAD_MAX:
        raise OccurredInFutureError(
            f"expected a time no later than now ({now.isoformat()}), got {shown(value)}",
            place=place,
        )
    return instant
