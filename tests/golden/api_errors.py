"""Every error class, and what the one handler of the API answers to it."""

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


def error_answers() -> dict[str, Any]:
    """Status and body by the name of the class; a second error of a class has a mark behind it."""
    answers: dict[str, Any] = {}
    for error in (*_engine_errors(), *_domain_errors(), *_framework_errors()):
        answer = handle_api_error(error, {})
        assert answer is not None, error
        name = type(error).__name__
        while name in answers:
            name += "'"
        answers[name] = {"status": answer.status_code, **json.loads(json.dumps(answer.data))}
    return answers
