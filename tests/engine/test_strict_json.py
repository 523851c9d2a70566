"""JSON at the door: what is read, and what is refused before it can hurt."""

import contextlib
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.errors import ErrorKind, JSONDecodeFault
from games.engine.strict_json import JSON_BYTES_MAX, JSON_DEPTH_MAX, decode_json


def refused(raw: bytes | str) -> str:
    with pytest.raises(JSONDecodeFault) as caught:
        decode_json(raw)
    assert (caught.value.code, caught.value.kind) == ("json_malformed", ErrorKind.MALFORMED)
    return caught.value.message


@pytest.mark.parametrize("raw", ['{"a": [1, "é"]}', '{"a": [1, "é"]}'.encode()])
def test_text_and_bytes_are_read(raw: bytes | str) -> None:
    assert decode_json(raw) == {"a": [1, "é"]}


@pytest.mark.parametrize(
    "raw", ["", " ", "{", "[1,]", "{'a': 1}", "nothing", "1 2", "\ufeff{}", '"\x00"', '{"a" 1}']
)
def test_what_is_not_json_is_refused_with_line_and_column(raw: str) -> None:
    assert "column" in refused(raw)


def test_duplicate_key_is_refused_and_named() -> None:
    assert "'main' twice" in refused('{"bets": {"main": 1, "tip": 2, "main": 3}}')


def test_case_x21_20000_brackets_are_refused() -> None:
    for raw in ("[" * 20_000, "[" * 20_000 + "]" * 20_000, '{"a":' * 20_000, b"[" * 20_000):
        assert f"at most {JSON_DEPTH_MAX} deep" in refused(raw)


def test_case_x21_depth_is_counted_and_brackets_in_strings_are_not() -> None:
    deepest = "[" * JSON_DEPTH_MAX + "]" * JSON_DEPTH_MAX
    assert decode_json(deepest)
    refused(f"[{deepest}]")
    wide = "[" + "[]," * 500 + "[]]"
    assert decode_json(wide) == [[]] * 501
    in_text = json.dumps(["[{" * 500, 'a"[[' * 50, "\\"])
    assert decode_json(in_text) == json.loads(in_text)
    refused('"' + "[" * 100)


def test_case_d18_numbers_that_are_not_finite_are_left_to_the_field() -> None:
    found = decode_json("[NaN, Infinity, -Infinity, 1e400]")
    assert isinstance(found, list)
    assert math.isnan(found[0])
    assert found[1:] == [math.inf, -math.inf, math.inf]


def test_case_x14_number_of_thousands_of_digits_is_refused() -> None:
    assert "thousands of digits" in refused("1" * 5000)
    assert decode_json("1" * 30) == int("1" * 30)


def test_case_x22_text_of_more_than_a_mebibyte_is_refused() -> None:
    assert str(JSON_BYTES_MAX) in refused(b" " * (JSON_BYTES_MAX + 1))
    assert decode_json(b" " * (JSON_BYTES_MAX - 1) + b"1") == 1


def test_bytes_that_are_not_utf_8_are_refused() -> None:
    assert "0xff at offset 2" in refused(b'"a\xff"')


@pytest.mark.parametrize("raw", ['"\\ud800"', '{"\\uDFFF": 1}', '["a\\ud800b"]'])
def test_half_of_a_surrogate_pair_is_refused(raw: str) -> None:
    assert "surrogate" in refused(raw)


def test_whole_surrogate_pair_and_escaped_backslash_are_read() -> None:
    assert decode_json('"\\ud83d\\ude00"') == "\U0001f600"
    assert decode_json('"\\\\ud800"') == "\\ud800"
    assert decode_json('"\\u0000"') == "\x00"


@given(st.binary(max_size=80) | st.text(max_size=80))
def test_anything_is_read_or_refused(raw: bytes | str) -> None:
    with contextlib.suppress(JSONDecodeFault):
        decode_json(raw)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    )
)
def test_good_json_reads_back(value: object) -> None:
    assert decode_json(json.dumps(value)) == value
    assert decode_json(json.dumps(value, ensure_ascii=False).encode("utf-8")) == value
