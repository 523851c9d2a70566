"""JSON as it is accepted at the door: no duplicate keys, no deep nesting, no endless text.

Pure: one text in, one value out. ``NaN``, ``Infinity`` and ``1e400`` become floats, so that the
check of the field that holds them can name the field.
"""

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from games.engine.errors import JSONDecodeFault, shown

JSON_BYTES_MAX: Final = 1024 * 1024
JSON_DEPTH_MAX: Final = 32

_STRING: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_BRACKET: Final = re.compile(r"[\[{\]}]")


def decode_json(raw: bytes | str) -> object:
    """Return the value of a JSON text in UTF-8.

    Raises JSONDecodeFault for anything else: bytes that are not UTF-8, more than
    ``JSON_BYTES_MAX``, brackets deeper than ``JSON_DEPTH_MAX``, a key twice in one object, half a
    surrogate pair, an integer of thousands of digits.

    >>> decode_json('{"main": 100}')
    {'main': 100}
    """
    text = _as_text(raw)
    _check_depth(text)
    try:
        value: object = _DECODER.decode(text)
    except JSONDecodeFault:
        raise
    except json.JSONDecodeError as error:
        message = f"expected JSON, got {error.msg} at line {error.lineno} column {error.colno}"
        detail = {"line": error.lineno, "column": error.colno}
        raise JSONDecodeFault(message, detail=detail) from error
    except ValueError as error:
        message = "expected numbers of a sensible length, got an integer of thousands of digits"
        raise JSONDecodeFault(message) from error
    if "\\ud" in text or "\\uD" in text:
        _check_surrogates(value)
    return value


def _as_text(raw: bytes | str) -> str:
    if len(raw) > JSON_BYTES_MAX:
        message = f"expected at most {JSON_BYTES_MAX} bytes of JSON, got {len(raw)}"
        raise JSONDecodeFault(message)
    if isinstance(raw, str):
        return raw
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"expected UTF-8, got byte 0x{raw[error.start]:02x} at offset {error.start}"
        raise JSONDecodeFault(message, detail={"offset": error.start}) from error


def _check_depth(text: str) -> None:
    """Refuse deep nesting before the decoder, which recurses, meets it."""
    if text.count("[") + text.count("{") <= JSON_DEPTH_MAX:
        return
    depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > JSON_DEPTH_MAX:
            message = f"expected brackets at most {JSON_DEPTH_MAX} deep"
            raise JSONDecodeFault(message, detail={"depth_max": JSON_DEPTH_MAX})


def _check_surrogates(value: object) -> None:
    """Refuse text that cannot be stored or sent: half of a surrogate pair."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        message = "expected text, got half of a surrogate pair"
        raise JSONDecodeFault(message) from error


def _object_without_duplicates(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        message = f"expected each key once in an object, got {shown(key)} twice"
        raise JSONDecodeFault(message, detail={"key": shown(key)})
    return found


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object_without_duplicates)
