"""Reading a file of rounds, one JSON object a line, into batches of bounded size."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from games.analysis.batch.rounds import RoundBatch, batch_of
from games.engine.errors import JSON, EngineError, InvariantViolation
from games.engine.notation import CardEntry
from games.engine.rulesets import RULES_AS_WRITTEN
from games.engine.settlement import RoundEntry, parse_round
from games.engine.strict_json import decode_json
from games.json_lines import ID_CHARACTERS_MAX, ByteStream, Line, answer_line, line_batches

CHUNK_LINES: Final = 8_192
"""So many lines are held at once: some 30 MiB of rounds of six seats."""


class BadLine(NamedTuple):
    """A line that is no round: its number from 1, the id if it could be read, and the error.

    ``error`` has the keys ``code``, ``message`` and ``detail``, as ``manage.py settle`` answers.
    """

    number: int
    round_id: str | None
    error: dict[str, JSON]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FileChunk:
    """The rounds of some lines that follow each other, and the lines that were no rounds."""

    round_ids: tuple[str, ...]
    batch: RoundBatch
    bad_lines: tuple[BadLine, ...]
    byte_count: int


class _NamedRound(NamedTuple):
    round_id: str
    entry: RoundEntry


def read_chunks(stream: ByteStream, *, card_entry: CardEntry) -> Iterator[FileChunk]:
    """Yield the rounds of a stream in chunks of about ``CHUNK_LINES`` lines; blank lines count not.

    A line is good exactly if ``manage.py settle`` settles it; a bad one does not stop the others.
    """
    rounds: list[_NamedRound] = []
    bad_lines: list[BadLine] = []
    byte_count = 0
    for lines in line_batches(stream):
        byte_count += lines.byte_count
        for line in lines.lines:
            found = _read_line(line, card_entry)
            if isinstance(found, BadLine):
                bad_lines.append(found)
            elif found is not None:
                rounds.append(found)
        if len(rounds) + len(bad_lines) >= CHUNK_LINES:
            yield _chunk(rounds, bad_lines, byte_count)
            rounds, bad_lines, byte_count = [], [], 0
    if byte_count:
        yield _chunk(rounds, bad_lines, byte_count)


def _chunk(rounds: list[_NamedRound], bad_lines: list[BadLine], byte_count: int) -> FileChunk:
    return FileChunk(
        round_ids=tuple(found.round_id for found in rounds),
        batch=batch_of(found.entry for found in rounds),
        bad_lines=tuple(bad_lines),
        byte_count=byte_count,
    )


def _read_line(line: Line, card_entry: CardEntry) -> _NamedRound | BadLine | None:
    """Read one line; None if it is blank.

    This way is for good lines. Whatever it stumbles over, ``answer_line`` names, so a bad line is
    told in the words of ``manage.py settle``.
    """
    if line.raw is not None:
        if not line.raw.strip():
            return None
        try:
            data = decode_json(line.raw)
            if isinstance(data, dict):
                round_id = data.pop("id", None)
                if isinstance(round_id, str) and 0 < len(round_id) <= ID_CHARACTERS_MAX:
                    return _NamedRound(round_id, parse_round(data, card_entry=card_entry))
        except EngineError:
            pass
    # What is wrong with a line does not depend on the rules: they come after reading.
    answer = answer_line(line, RULES_AS_WRITTEN, card_entry)
    if answer is None or not answer.is_bad:
        message = f"line {line.number} was refused but has no fault"
        raise InvariantViolation(message)
    round_id, error = answer.body["id"], answer.body["error"]
    return BadLine(
        line.number,
        round_id if isinstance(round_id, str) else None,
        dict(error) if isinstance(error, dict) else {},
    )
