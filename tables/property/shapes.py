"""The account and the property as they are sent and answered."""

import datetime as dt
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field

from games.engine.dealing import DealingCustom
from games.engine.notation import CardEntry
from tables.changes import SettingRequest, Settings
from tables.property.models import Role, User
from tables.shapes import (
    Answer,
    ClockTime,
    Day,
    From,
    ReadAs,
    Request,
    SkipJsonSchema,
    choice,
    code,
    text,
)


def as_typed(length_max: int) -> ReadAs:
    """A text of at most so many characters, blanks and all."""

    def read(value: object) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= length_max or "\0" in value:
            raise ValueError("no such text")
        return value

    words = f"a text of 1 to {length_max} characters"
    return ReadAs(words, read, {"type": "string", "maxLength": length_max})


class TokenRequest(Request):
    """A sign-in of a program."""

    username: Annotated[str, as_typed(150)]
    password: Annotated[str, as_typed(128)]


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
    def told(cls, user: User, *, day_start: dt.time) -> Self:
        """The account of a user; `day_start` is when the gaming day of now began."""
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
                gaming_day_start=day_start.isoformat(),
                currency=casino.currency,
                minor_digits=casino.minor_digits,
                ruleset=casino.ruleset_id,
                card_entry=casino.card_entry,
            ),
        )


def _by_start(shifts: list[Any]) -> list[Any]:
    return sorted(shifts, key=lambda shift: shift.starts_at)


class ShiftSetting(Settings):
    """A shift of every gaming day; it lasts until the next one begins."""

    name: Annotated[str, text(32)]
    starts_at: ClockTime


class PropertySettings(Settings):
    """What a property is set up with. Currency and zone only until something rests on them."""

    name: Annotated[str, text(100)]
    zone: Annotated[str, text(64)]
    currency: Annotated[str, text(3)]
    ruleset: Annotated[str, text(64), From("ruleset_id")]
    card_entry: Annotated[str, choice(*CardEntry)]
    dealing_custom: Annotated[str, choice(*DealingCustom)]
    shifts: Annotated[list[ShiftSetting], AfterValidator(_by_start)]


class DayStartOut(Settings):
    """From a date on, gaming days begin at another time."""

    from_date: Day
    starts_at: ClockTime


class PropertySettingsOut(PropertySettings):
    """A property as it is set up. `day_starts` are the changes of the gaming day's first start."""

    code: str
    minor_digits: int
    day_start: Annotated[ClockTime, From("gaming_day_start")]
    day_starts: Annotated[list[DayStartOut], From("dated_starts")]


class MemberSettings(Settings):
    """In which role someone works at a property, and at which pits; without pits at all."""

    role: Annotated[str, choice(*Role.values)]
    pits: Annotated[list[Annotated[str, code(16)]], AfterValidator(sorted), From("pit_codes")] = (
        Field(default_factory=list)
    )
    is_active: bool = True


class MemberOut(MemberSettings):
    """Someone who works or worked at a property."""

    username: Annotated[str, From("user.username")]
    may_sign_in: Annotated[bool, From("user.is_active")]


class UserSettings(Settings):
    """Whether someone may sign in at all."""

    may_sign_in: Annotated[bool, From("is_active")]


class UserOut(UserSettings):
    """Someone who may sign in, or might once."""

    username: str


class PasswordRequest(SettingRequest):
    """A command with a new password, which is kept nowhere but as the account has it."""

    password: Annotated[str, as_typed(128)]

    def canonical(self) -> dict[str, Any]:
        """The content without the password."""
        return self.model_dump(mode="json", exclude={"id", "password"})


class NewPasswordRequest(PasswordRequest):
    """A new password of someone who works at the property."""

    word: ClassVar[str] = "user"
    key: ClassVar[str] = "username"
    username: SkipJsonSchema[str]


class DayStartRequest(SettingRequest):
    """From which date on gaming days begin at another time; `expected` is the time seen before."""

    word: ClassVar[str] = "day start"
    key: ClassVar[str] = "from_date"
    from_date: Day
    starts_at: ClockTime
    expected: ClockTime
