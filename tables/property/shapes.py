"""The account and the property as they are sent and answered."""

from typing import Self

from pydantic import Field

from tables.property.models import Role, User
from tables.shapes import Answer, Request, read_as


def _bounded(length_max: int) -> object:
    def read(value: object) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= length_max or "\0" in value:
            raise ValueError("no such text")
        return value

    words = f"a text of 1 to {length_max} characters"
    return read_as(str, words, read, type="string", maxLength=length_max)


class TokenRequest(Request):
    """A sign-in of a program."""

    username: _bounded(150)  # type: ignore[valid-type]
    password: _bounded(128)  # type: ignore[valid-type]


class TokenOut(Answer):
    """Send it as `Authorization: Token <token>`."""

    token: str


class PropertyOut(Answer):
    """A casino, whose clocks, currency and rules apply."""

    code: str
    name: str
    zone: str
    gaming_day_start: str = Field(json_schema_extra={"format": "time"})
    currency: str
    minor_digits: int
    ruleset: str
    card_entry: str


class AccountOut(Answer):
    """The signed-in user, and the property whose clocks and currency all figures follow."""

    username: str
    role: Role
    property: PropertyOut | None

    @classmethod
    def of(cls, user: User) -> Self:
        """The account of a user."""
        casino = user.property
        return cls(
            username=user.get_username(),
            role=Role(user.role),
            property=None
            if casino is None
            else PropertyOut(
                code=casino.code,
                name=casino.name,
                zone=casino.zone,
                gaming_day_start=casino.gaming_day_start.isoformat(),
                currency=casino.currency,
                minor_digits=casino.minor_digits,
                ruleset=casino.ruleset_id,
                card_entry=casino.card_entry,
            ),
        )
