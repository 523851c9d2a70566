"""Who may see a page: every view names its command, and answers refusals as a page."""

import functools
from collections.abc import Callable, Collection
from typing import Concatenate, Final, ParamSpec, cast

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from tables.errors import DomainError, PropertyChoiceError
from tables.permissions import Command, may, refuse_unchosen
from tables.property.models import User
from tables.trail.services import note_not_permitted
from tables.web.queries import refuse_unknown

P = ParamSpec("P")
_SAFE: Final = frozenset({"GET", "HEAD"})
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def user_of(request: HttpRequest) -> User:
    """The signed-in user of a view that `command_required` has let through."""
    return cast("User", request.user)


def command_required(
    command: Command, *, parameters: Collection[str] | None = None
) -> Callable[[View[P]], View[P]]:
    """Let a view be reached by users whose role includes a command.

    `parameters` are all that its address may have, left out when the view reads them itself.
    Signed out leads to sign-in and back, no property chosen to the choice; another role is
    PermissionDenied. A DomainError that the view lets through (a table of another property) is
    answered as a page with its status.
    """

    def decorate(view: View[P]) -> View[P]:
        @functools.wraps(view)
        def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                # Only what can be asked for again is worth coming back to.
                back = request.get_full_path() if request.method in _SAFE else reverse("home")
                return redirect_to_login(back, str(settings.LOGIN_URL))
            try:
                refuse_unchosen(user_of(request))
            except PropertyChoiceError:
                return redirect("property_choice")
            if not may(user_of(request), command):
                if request.method not in _SAFE:
                    note_not_permitted(
                        user=user_of(request), command=command, at=timezone.now(), address=kwargs
                    )
                raise PermissionDenied
            try:
                if parameters is not None and request.method in _SAFE:
                    refuse_unknown(request.GET, parameters)
                return view(request, *args, **kwargs)
            except DomainError as error:
                return error_page(request, error)

        guarded.command = command  # type: ignore[attr-defined]  # read by the permission tests
        return guarded

    return decorate


def error_page(request: HttpRequest, error: DomainError) -> HttpResponse:
    """A refusal that belongs to no field of a form."""
    return render(
        request,
        "error.html",
        {"status": error.status, "message": error.message},
        status=error.status,
    )
