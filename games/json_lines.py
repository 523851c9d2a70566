"""Settling rounds from JSON lines: lines of bounded length in, one JSON object a line out."""

import json
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

from games.engine.errors import (
    JSON,
    EngineError,
    LineTooLongError,
    RoundShapeError,
    shown,
)
from games.engine.notation import CardEntry
from games.engine.rulesets import Ruleset
from games.engine.settlement import parse_round, settle, settlement_as_dict
from games.engine.strict_json import JSON_BYTES_MAX, decode_json

LINE_BYTES_MAX: Final = JSON_BYTES_MAX
ID_CHARACTERS_MAX: Final = 64
_CHUNK_BYTES: Final = 64 * 1024


class ByteStream(Protocol):
    """A binary stream that gives what it has, up to ``size``; nothing at its end."""

    def read1(self, size: int, /) -> bytes:
        """Return some bytes."""
        ...  # pragma: no cover


class Line(NamedTuple):
    """One line without its end; ``raw`` is None when it was longer than ``LINE_BYTES_MAX``."""

    number: int
    raw: bytes | None


class LineBatch(NamedTuple):
    """The lines that ended in one chunk of ``byte_count`` bytes."""

    lines: tuple[Line, ...]
    byte_count: int


class Answer(NamedTuple):
    """The JSON object that answers a line, and whether the line was bad."""

    body: dict[str, JSON]
    is_bad: bool


def line_batches(stream: ByteStream) -> Iterator[LineBatch]:
    """Yield the lines of a stream as they arrive, numbered from 1.

    Memory stays bounded: of a line that is too long, what came is dropped and the rest skipped.
    """
    number = 0
    pending = b""
    is_skipping = False
    while chunk := stream.read1(_CHUNK_BYTES):
        *complete, pending = (pending + chunk).split(b"\n")
        lines = []
        for raw in complete:
            number += 1
            lines.append(Line(number, None if is_skipping or len(raw) > LINE_BYTES_MAX else raw))
            is_skipping = False
        if len(pending) > LINE_BYTES_MAX:
            is_skipping = True
        if is_skipping:
            pending = b""
        yield LineBatch(tuple(lines), len(chunk))
    if pending or is_skipping:
        yield LineBatch((Line(number + 1, None if is_skipping else pending),), 0)


def answer_line(line: Line, ruleset: Ruleset, card_entry: CardEntry) -> Answer | None:
    """Settle the round of one line; None if the line is blank.

    The answer is ``{"id", ...settlement}``, or ``{"id", "line", "error"}`` with the id None when
    it could not be read.
    """
    round_id: JSON = None
    try:
        if line.raw is None:
            message = f"expected a line of at most {LINE_BYTES_MAX} bytes"
            raise LineTooLongError(message)
        if not line.raw.strip():
            return None
        data = decode_json(line.raw)
        if not isinstance(data, dict):
            message = f"expected an object, got {shown(data)}"
            raise RoundShapeError(message)
        round_id = _take_id(data)
        settlement = settle(parse_round(data, card_entry=card_entry), ruleset)
    except EngineError as error:
        return Answer({"id": round_id, "line": line.number, "error": error.as_dict()}, is_bad=True)
    return Answer({"id": round_id, **settlement_as_dict(settlement)}, is_bad=False)


def _take_id(data: dict[str, object]) -> str:
    """Remove and return the id of a round; raises RoundShapeError if it cannot be one."""
    if "id" not in data:
        message = "expected the key 'id', which is missing"
        raise RoundShapeError(message, place="id")
    round_id = data.pop("id")
    if not isinstance(round_id, str) or not 0 < len(round_id) <= ID_CHARACTERS_MAX:
        message = f"expected an id of 1 to {ID_CHARACTERS_MAX} characters, got {shown(round_id)}"
        raise RoundShapeError(message, place="id", detail={"value": shown(round_id)})
    return round_id


encode_answer: Final = json.JSONEncoder(separators=(",", ":")).encode
"""One answer as one line of ASCII JSON."""
