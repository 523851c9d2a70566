"""Every error class, run through the one handler, against a golden file (H21)."""

import json
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions

from config.api_errors import handle_api_error
from config.api_parsers import PayloadTooLargeError
from games.engine import errors as engine_errors
from games.engine.errors import CardParseError, EngineError, HandSizeError
from tables import errors as domain_errors
from tables.errors import DomainError, FaultsError, FieldError
from tests.builders import DATA

GOLDEN = DATA / "api_errors.json"


def _engine_errors() -> Iterator[Exception]:
    for kind in vars(engine_errors).values():
        if isinstance(kind, type) and issubclass(kind, EngineError) and kind is not EngineError:
            yield kind("expected this, got 'that'", place="dealer.cards")


def _domain_errors() -> Iterator[Exception]:
    for kind in vars(domain_errors).values():
        if not (isinstance(kind, type) and issubclass(kind, DomainError)) or kind is DomainError:
            continue
        if issubclass(kind, FaultsError):
            yield kind((CardParseError("unreadable", place="a"), HandSizeError("size", place="b")))
        elif issubclass(kind, FieldError):
            yield kind("expected this, got 'that'", place="occurred_at")
        else:
            yield kind("expected this, got 'that'", place="table")


def _framework_errors() -> Iterator[Exception]:
    yield exceptions.ValidationError({"table": ["too long"], "at": {"x": ["bad"]}})
    yield exceptions.ValidationError({"non_field_errors": ["odd"]})
    yield exceptions.ParseError("unreadable")
    yield exceptions.AuthenticationFailed("who?")
    yield exceptions.NotAuthenticated()
    yield exceptions.PermissionDenied("not you")
    yield exceptions.NotFound()
    yield exceptions.MethodNotAllowed("PATCH")
    yield exceptions.NotAcceptable()
    yield exceptions.UnsupportedMediaType("text/plain")
    yield exceptions.Throttled(wait=5)
    yield Http404("gone")
    yield PermissionDenied()
    yield PayloadTooLargeError("too large", size_max=10)


def test_every_error_has_its_code_status_and_shape() -> None:
    answers: dict[str, Any] = {}
    for error in (*_engine_errors(), *_domain_errors(), *_framework_errors()):
        answer = handle_api_error(error, {})
        assert answer is not None, error
        assert set(answer.data) == {"code", "message", "detail"}
        name = type(error).__name__
        while name in answers:
            name += "'"
        answers[name] = {"status": answer.status_code, **json.loads(json.dumps(answer.data))}

    assert answers == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_codes_are_not_shared_by_unlike_errors() -> None:
    codes = {
        (kind.code, kind)
        for module in (engine_errors, domain_errors)
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, EngineError | DomainError)
        and "code" in vars(kind)
    }
    assert len({code for code, _ in codes}) == len(codes)


def test_a_fault_of_ours_is_left_to_the_server_error_view() -> None:
    assert handle_api_error(RuntimeError("broken"), {}) is None
