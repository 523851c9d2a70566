"""Who is asking: a token for programs, the session for pages."""

import re
from typing import Any, Final

from rest_framework.authentication import TokenAuthentication
from rest_framework.authtoken.models import Token
from rest_framework.exceptions import AuthenticationFailed

_KEY: Final = re.compile(r"[0-9a-f]{40}", re.ASCII)


class PropertyTokenAuthentication(TokenAuthentication):
    """`Authorization: Token <key>`; brings the user's property in the same query."""

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        """The user of a token. Raises AuthenticationFailed."""
        if not _KEY.fullmatch(key):
            raise AuthenticationFailed("expected a valid token")
        try:
            token = Token.objects.select_related("user__property").get(key=key)
        except Token.DoesNotExist as error:
            raise AuthenticationFailed("expected a valid token") from error
        if not token.user.is_active:
            raise AuthenticationFailed("expected an active user")
        return token.user, token
