"""One shape for every error of the API: `{"code", "message", "detail"}`.

The exception handler serves what happens inside a view, the `handler*` views what happens before
one is found or when one breaks.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from games.engine.errors import EngineError
from tables.errors import DomainError

# The framework's own codes, under the names that this API has for them.
_CODES = {
    exceptions.ParseError: "json_malformed",
    exceptions.AuthenticationFailed: "authentication_failed",
    exceptions.NotAuthenticated: "not_authenticated",
    exceptions.PermissionDenied: "permission_denied",
    exceptions.NotFound: "not_found",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.Throttled: "throttled",
}


def handle_api_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turn an exception of a view into the answer; None leaves it to `handler500`."""
    if isinstance(error, EngineError):
        return Response(error.as_dict(), status=400)
    if isinstance(error, DomainError):
        return Response(error.as_dict(), status=error.status)
    answer = exception_handler(error, context)
    if answer is None:
        return None
    answer.data = _body(error)
    return answer


def _body(error: Exception) -> dict[str, Any]:
    if isinstance(error, exceptions.ValidationError):
        faults = _faults(error.detail)
        return {
            "code": "field_invalid",
            "message": faults[0]["message"],
            "detail": {"place": faults[0]["place"], "faults": faults},
        }
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    if isinstance(error, exceptions.APIException):
        code = next((code for kind, code in _CODES.items() if isinstance(error, kind)), "refused")
        return {"code": code, "message": str(error.detail), "detail": {}}
    return {"code": "permission_denied", "message": str(error) or "not allowed", "detail": {}}


def _faults(detail: Any, place: str = "") -> list[dict[str, str]]:
    """The framework's nested messages as a flat list of places and messages."""
    if isinstance(detail, dict):
        return [
            fault
            for key, below in detail.items()
            for fault in _faults(
                below, place if key == "non_field_errors" else f"{place}.{key}".lstrip(".")
            )
        ]
    if isinstance(detail, list):
        return [fault for below in detail for fault in _faults(below, place)]
    return [{"place": place, "message": str(detail)}]


def _answer(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse({"code": code, "message": message, "detail": {}}, status=status)
    return render(request, "error.html", {"status": status, "message": message}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """What Django itself refuses: a foreign host, a form beyond all size."""
    return _answer(request, 400, "bad_request", "the request could not be read")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """A page that the user's role does not include."""
    return _answer(request, 403, "permission_denied", "your role does not include this")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """A form that was left open across a sign-in."""
    return _answer(
        request, 403, "csrf_failed", "this form is out of date: go back, reload and send it again"
    )


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """No such address."""
    return _answer(request, 404, "not_found", "there is nothing at this address")


def server_error(request: HttpRequest) -> HttpResponse:
    """A fault of ours; the log has it."""
    return _answer(request, 500, "internal_error", "something broke; nothing was stored")
