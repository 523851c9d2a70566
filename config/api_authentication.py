"""Who is asking: a token for programs, the session for pages."""

import re
from typing import Any, Final

from django.db import connection
from django.db.models import Model
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed

from tables.models import Property, User

_KEY: Final = re.compile(r"[0-9a-f]{40}", re.ASCII)


def _in_model_order(model: type[Model], names: set[str]) -> tuple[str, ...]:
    """The names in the order of the model's fields, as `from_db` takes them."""
    return tuple(field.attname for field in model._meta.concrete_fields if field.attname in names)


# What a request needs of its user and property. Anything else of them is loaded when it is asked
# for: each round comes with this question, and the ORM's joins took a fifth of its time.
_USER: Final = _in_model_order(User, {"id", "username", "is_active", "role", "property_id"})
_PROPERTY: Final = _in_model_order(
    Property, {"id", "code", "zone", "currency", "ruleset_id", "card_entry"}
)
_SQL: Final = f"""
SELECT {", ".join(f"tables_user.{column}" for column in _USER)},
       {", ".join(f"tables_property.{column}" for column in _PROPERTY)}
FROM authtoken_token
JOIN tables_user ON tables_user.id = authtoken_token.user_id
LEFT JOIN tables_property ON tables_property.id = tables_user.property_id
WHERE authtoken_token.key = %s
"""  # noqa: S608  (own names)


class PropertyTokenAuthentication(TokenAuthentication):
    """`Authorization: Token <key>`; brings the user's property in the same query."""

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        """The user of a token, and the token. Raises AuthenticationFailed."""
        row = self._find(key) if _KEY.fullmatch(key) else None
        if row is None:
            raise AuthenticationFailed("expected a valid token")
        user = User.from_db(connection.alias, _USER, row[: len(_USER)])
        if not user.is_active:
            raise AuthenticationFailed("expected an active user")
        if user.property_id is not None:
            user.property = Property.from_db(connection.alias, _PROPERTY, row[len(_USER) :])
        return user, key

    def _find(self, key: str) -> tuple[Any, ...] | None:
        with connection.cursor() as cursor:
            cursor.execute(_SQL, [key])
            row: tuple[Any, ...] | None = cursor.fetchone()
        return row
