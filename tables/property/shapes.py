"""The account and the property as they are sent and answered."""

from typing import Annotated, Self

from pydantic import Field

from tables.property.models import Role, User
from tables.shapes import Answer, ReadAs, Request


def _as_typed(length_max: int) -> ReadAs:
    """A text of at most so many characters, blanks and all."""

    def read(value: object) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= length_max or "\0" in value:
            raise ValueError("no such text")
        return value

    words = f"a text of 1 to {length_max} characters"
    return ReadAs(words, read, {"type": "string", "maxLength": length_max})


class TokenRequest(Request):
    """A sign-in of a program."""

    username: Annotated[str, _as_typed(150)]
    password: Annotated[str, _as_typed(128)]


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
