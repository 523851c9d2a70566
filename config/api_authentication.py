"""Who is asking: a token for programs, the session for pages."""

import re
from typing import Any, Final

from django.db import connection
from django.db.models import Model
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from tables.models import Membership, Property, User
from tables.permissions import PROPERTY_HEADER, act_at

_KEY: Final = re.compile(r"[0-9a-f]{40}", re.ASCII)


def _in_model_order(model: type[Model], names: set[str]) -> tuple[str, ...]:
    """The names in the order of the model's fields, as `from_db` takes them."""
    return tuple(field.attname for field in model._meta.concrete_fields if field.attname in names)


# What a request needs of its user, membership and property. Anything else of them is loaded when it
# is asked for: each round comes with this question, and the ORM's joins took a fifth of its time.
_COLUMNS: Final = {
    User: _in_model_order(User, {"id", "username", "is_active"}),
    Membership: _in_model_order(Membership, {"id", "user_id", "property_id", "role", "is_active"}),
    Property: _in_model_order(
        Property, {"id", "code", "zone", "currency", "ruleset_id", "card_entry"}
    ),
}
# Where the columns of the second and of the third begin; the first of each is its key.
_MEMBER_AT: Final = len(_COLUMNS[User])
_PROPERTY_AT: Final = _MEMBER_AT + len(_COLUMNS[Membership])
_SQL: Final = f"""
SELECT {
    ", ".join(f"{of._meta.db_table}.{column}" for of, names in _COLUMNS.items() for column in names)
}, tables_membershippit.pit_id
FROM authtoken_token
JOIN tables_user ON tables_user.id = authtoken_token.user_id
LEFT JOIN (tables_membership JOIN tables_property
           ON tables_property.id = tables_membership.property_id)
    ON tables_membership.user_id = tables_user.id AND tables_membership.is_active
LEFT JOIN tables_membershippit ON tables_membershippit.membership_id = tables_membership.id
WHERE authtoken_token.key = %s
"""  # noqa: S608  (own names)


class PropertyTokenAuthentication(TokenAuthentication):
    """`Authorization: Token <key>`; brings the user's memberships in the same query.

    A user who works at several properties names one in the header `Houseway-Property`.
    """

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """The user of a token, acting where the header says, and the token.

        Raises AuthenticationFailed, and NotFoundError for a property that is not the user's.
        """
        found = super().authenticate(request)
        code = request.headers.get(PROPERTY_HEADER)
        if found is not None and code is not None:
            act_at(found[0], code)
        return found

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        """The user of a token, and the token. Raises AuthenticationFailed."""
        rows = self._find(key) if _KEY.fullmatch(key) else []
        if not rows:
            raise AuthenticationFailed("expected a valid token")
        user = User.from_db(connection.alias, _COLUMNS[User], rows[0][:_MEMBER_AT])
        if not user.is_active:
            raise AuthenticationFailed("expected an active user")
        user.active_memberships = _memberships_in(rows)
        return user, key

    def _find(self, key: str) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(_SQL, [key])
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _memberships_in(rows: list[tuple[Any, ...]]) -> tuple[Membership, ...]:
    """A user's memberships by code of the property, from a row for each of their pits."""
    found: dict[int, Membership] = {}
    for row in rows:
        key, pit = row[_MEMBER_AT], row[-1]
        if key is None:
            continue
        if key not in found:
            found[key] = Membership.from_db(
                connection.alias, _COLUMNS[Membership], row[_MEMBER_AT:_PROPERTY_AT]
            )
            found[key].property = Property.from_db(
                connection.alias, _COLUMNS[Property], row[_PROPERTY_AT:-1]
            )
            found[key].pit_ids = frozenset()
        if pit is not None:
            found[key].pit_ids |= {pit}
    return tuple(sorted(found.values(), key=lambda member: member.property.code))
