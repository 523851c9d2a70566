"""Signing in as a program, and who one is."""

from typing import Any, cast

from django.contrib.auth import authenticate
from django.utils import timezone
from rest_framework.authtoken.models import Token
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from tables.errors import SignInError
from tables.permissions import Command, property_of
from tables.property.models import User
from tables.property.selectors import get_day_start_at
from tables.property.shapes import AccountOut, TokenOut, TokenRequest
from tables.web.api import Api, ReadApi


class TokenApi(Api):
    """Sign in as a program."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    request_shape = TokenRequest
    answers = {200: TokenOut}

    def post(self, request: Request) -> Response:
        """A token for a user name and a password; a wrong name and a wrong password look alike."""
        given = TokenRequest.decode(request.data)
        user = authenticate(request, username=given.username, password=given.password)
        if user is None:
            raise SignInError("expected a user name with its password")
        token, _ = Token.objects.get_or_create(user=cast("Any", user))
        return Response(TokenOut(token=token.key))


class AccountApi(ReadApi):
    """The signed-in user and the property whose clocks, currency and rules apply."""

    commands = {"GET": Command.ACCOUNT_READ}
    answer = AccountOut

    def find(self, user: User, **_: Any) -> AccountOut:
        """The account of the user."""
        day_start = get_day_start_at(casino=property_of(user), at=timezone.now())
        return AccountOut.told(user, day_start=day_start)
