"""At which property a signed-in user acts: the one chosen in the session, or named in the header.

The session keeps a property from the first request on, also where there is no choice: a form that
was opened at one casino is never carried out at another, whatever happens to memberships meanwhile.
"""

from collections.abc import Callable
from typing import Final, cast

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.utils.functional import SimpleLazyObject

from tables.errors import NotFoundError
from tables.permissions import PROPERTY_HEADER, act_at
from tables.property.models import User

_KEY: Final = "property"


def acting_user(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the user of the session acts where it says; nothing is read until asked for."""

    def middleware(request: HttpRequest) -> HttpResponse:
        signed_in = request.user
        request.user = SimpleLazyObject(lambda: _acting(request, signed_in))  # type: ignore[assignment]
        return get_response(request)

    return middleware


def choose_property(request: HttpRequest, code: str) -> None:
    """Let the user act at another of their properties from now on. Raises NotFoundError.

    Forms that were opened before are refused from then on, as after a sign-in.
    """
    act_at(cast("User", request.user), code)
    request.session[_KEY] = code
    rotate_token(request)


def _acting(request: HttpRequest, user: User | AnonymousUser) -> User | AnonymousUser:
    if not user.is_authenticated:
        return user
    if named := request.headers.get(PROPERTY_HEADER):
        act_at(user, named)
        return user
    chosen = request.session.get(_KEY)
    if chosen is not None:
        try:
            act_at(user, chosen)
        except NotFoundError:
            # It was taken away: whoever works elsewhere too chooses anew.
            user.membership = None
    elif user.membership is not None:
        request.session[_KEY] = user.membership.property.code
    return user
