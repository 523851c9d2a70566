"""Lines of bounded length out of chunks of any size."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.notation import CardEntry
from games.json_lines import (
    ID_CHARACTERS_MAX,
    LINE_BYTES_MAX,
    Answer,
    ByteStream,
    Line,
    LineBatch,
    answer_line,
    encode_answer,
    line_batches,
)
from tests.engine.builders import AS_WRITTEN, golden_lines


class Drip:
    """A stream that gives its pieces one by one."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = [piece for piece in pieces if piece]

    def read1(self, size: int, /) -> bytes:
        assert all(len(piece) <= max(size, LINE_BYTES_MAX) for piece in self._pieces)
        return self._pieces.pop(0) if self._pieces else b""


def lines_of(stream: ByteStream) -> list[Line]:
    return [line for batch in line_batches(stream) for line in batch.lines]


@given(st.lists(st.binary(max_size=6)), st.integers(1, 5))
def test_lines_are_the_same_however_they_arrive(lines: list[bytes], size: int) -> None:
    whole = b"\n".join(line.replace(b"\n", b"") for line in lines)
    pieces = [whole[start : start + size] for start in range(0, len(whole), size)]
    expected = whole.split(b"\n")
    if expected[-1] == b"":
        expected.pop()
    assert lines_of(Drip(pieces)) == [Line(n, raw) for n, raw in enumerate(expected, start=1)]
    assert lines_of(io.BytesIO(whole)) == lines_of(Drip(pieces))


@pytest.mark.parametrize("end", [b"", b"\n", b"\nabc"])
def test_line_that_is_too_long_is_dropped_as_it_comes(end: bytes) -> None:
    half = b"x" * (LINE_BYTES_MAX // 2 + 1)
    found = lines_of(Drip([b"a\n", half, half, half, end]))
    assert found[:2] == [Line(1, b"a"), Line(2, None)]
    assert found[2:] == ([Line(3, b"abc")] if end == b"\nabc" else [])


def test_long_line_that_ends_in_the_chunk_that_makes_it_long_is_too_long() -> None:
    found = lines_of(Drip([b"x" * LINE_BYTES_MAX, b"x\nb"]))
    assert found == [Line(1, None), Line(2, b"b")]


def test_batches_tell_how_much_was_read() -> None:
    batches = list(line_batches(Drip([b"ab\nc", b"d\n"])))
    assert batches == [LineBatch((Line(1, b"ab"),), 4), LineBatch((Line(2, b"cd"),), 2)]


def answer(raw: bytes | None) -> Answer | None:
    return answer_line(Line(7, raw), AS_WRITTEN, CardEntry.SUITED)


def test_answer_of_a_line_is_one_line_of_ascii() -> None:
    entry = {
        key: value for key, value in golden_lines("rounds.jsonl")[0].items() if key != "expect"
    }
    entry["id"] = "é" * ID_CHARACTERS_MAX
    found = answer(json.dumps(entry).encode())
    assert found is not None
    assert not found.is_bad
    text = encode_answer(found.body)
    assert text.isascii()
    assert "\n" not in text
    assert json.loads(text)["id"] == entry["id"]
    assert answer(b" \r") is None
    bad = answer(None)
    assert bad is not None
    assert (bad.is_bad, bad.body["line"]) == (True, 7)
