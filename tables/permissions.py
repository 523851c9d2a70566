"""Who may do what: one table of roles and commands, read by the API and the pages alike."""

from enum import StrEnum
from typing import Final

from django.db.models import Q

from games.engine.errors import shown
from tables.errors import NotFoundError, NotPermittedError, PropertyChoiceError
from tables.property.models import Membership, Property, Role, User

PROPERTY_HEADER: Final = "Houseway-Property"
"""The header by which a program says at which of its properties it acts."""


class Command(StrEnum):
    """Everything that a user can ask for."""

    ACCOUNT_READ = "account_read"
    FLOOR_READ = "floor_read"
    TABLE_OPEN = "table_open"
    TABLE_CLOSE = "table_close"
    DEALER_ASSIGN = "dealer_assign"
    ROUND_PREVIEW = "round_preview"
    ROUND_RECORD = "round_record"
    ROUND_READ = "round_read"
    ROUND_VOID = "round_void"
    ROUND_NOTE = "round_note"
    MISDEAL_RECORD = "misdeal_record"
    MISDEAL_READ = "misdeal_read"
    REPORT_READ = "report_read"
    WHAT_IF = "what_if"
    TRAIL_READ = "trail_read"
    SETTINGS_READ = "settings_read"
    PROPERTY_CHANGE = "property_change"
    DAY_START_CHANGE = "day_start_change"
    PIT_ADD = "pit_add"
    TABLE_ADD = "table_add"
    TABLE_CHANGE = "table_change"
    DEALER_ADD = "dealer_add"
    DEALER_CHANGE = "dealer_change"
    USER_ADD = "user_add"
    USER_CHANGE = "user_change"
    PASSWORD_SET = "password_set"  # noqa: S105  (the name of a command)
    MEMBERSHIP_ADD = "membership_add"
    MEMBERSHIP_CHANGE = "membership_change"


SETTINGS_COMMANDS: Final = frozenset(
    {
        Command.PROPERTY_CHANGE,
        Command.DAY_START_CHANGE,
        Command.PIT_ADD,
        Command.TABLE_ADD,
        Command.TABLE_CHANGE,
        Command.DEALER_ADD,
        Command.DEALER_CHANGE,
        Command.USER_ADD,
        Command.USER_CHANGE,
        Command.PASSWORD_SET,
        Command.MEMBERSHIP_ADD,
        Command.MEMBERSHIP_CHANGE,
    }
)
"""The commands whose lines of the trail hold old and new values."""


_EVERYONE: Final = frozenset(
    {Command.ACCOUNT_READ, Command.FLOOR_READ, Command.ROUND_READ, Command.ROUND_NOTE}
)
_ENTRY: Final = _EVERYONE | {
    Command.ROUND_PREVIEW,
    Command.ROUND_RECORD,
    Command.DEALER_ASSIGN,
    Command.MISDEAL_RECORD,
    Command.MISDEAL_READ,
}
_FLOOR: Final = _ENTRY | {Command.TABLE_OPEN, Command.TABLE_CLOSE, Command.ROUND_VOID}

COMMANDS_OF_ROLE: Final[dict[str, frozenset[Command]]] = {
    Role.CLERK: _ENTRY,
    Role.FLOOR_SUPERVISOR: _FLOOR,
    Role.SURVEILLANCE: _EVERYONE | {Command.MISDEAL_READ, Command.TRAIL_READ},
    Role.MANAGER: _EVERYONE
    | {
        Command.TABLE_OPEN,
        Command.TABLE_CLOSE,
        Command.ROUND_VOID,
        Command.MISDEAL_READ,
        Command.REPORT_READ,
        Command.WHAT_IF,
        Command.TRAIL_READ,
        Command.SETTINGS_READ,
    },
    # Apart from those who play, count and decide: who sets things up does nothing else.
    Role.ADMINISTRATOR: SETTINGS_COMMANDS
    | {Command.ACCOUNT_READ, Command.FLOOR_READ, Command.TRAIL_READ, Command.SETTINGS_READ},
}

# What cannot be had for some pits only.
PROPERTY_WIDE: Final = SETTINGS_COMMANDS | {
    Command.WHAT_IF,
    Command.TRAIL_READ,
    Command.SETTINGS_READ,
}

# Those whose name can stand as the authority of a void or a misdeal (BP-8.4).
AUTHORITY_ROLES: Final = frozenset({Role.FLOOR_SUPERVISOR, Role.MANAGER})


def membership_of(user: User) -> Membership:
    """The membership a user acts under. Raises NotPermittedError, PropertyChoiceError."""
    refuse_unchosen(user)
    if user.membership is None:
        raise NotPermittedError("expected a user who belongs to a property")
    return user.membership


def refuse_unchosen(user: User) -> None:
    """Refuse someone who works somewhere and has not said where. Raises PropertyChoiceError."""
    if user.membership is None and user.active_memberships:
        codes = [member.property.code for member in user.active_memberships]
        raise PropertyChoiceError(
            f"expected one of the properties {', '.join(codes)} in {PROPERTY_HEADER}",
            place=PROPERTY_HEADER,
            properties=codes,
        )


def act_at(user: User, code: str) -> None:
    """Let a user act at one of their properties. Raises NotFoundError for any other."""
    found = [member for member in user.active_memberships if member.property.code == code]
    if not found:
        message = f"expected a property that you work at, got {shown(code)}"
        raise NotFoundError(message, place=PROPERTY_HEADER)
    user.membership = found[0]


def property_id_of(user: User) -> int:
    """The key of the property a user works for. Raises as `membership_of` does."""
    return membership_of(user).property_id


def property_of(user: User) -> Property:
    """The property a user works for. Raises as `membership_of` does."""
    return membership_of(user).property


def scope(user: User, path: str = "") -> Q:
    """What a user may see: what belongs to a table of their property, and of their pits.

    `path` leads from the record to its table: `scope(user, "round__table")`. Every selector and
    every lock of the floor narrows by this, so that there is one place to get it right (C15).
    Raises as `membership_of` does.
    """
    member = membership_of(user)
    table = f"{path}__" if path else ""
    seen = Q(**{f"{table}property_id": member.property_id})
    return seen & Q(**{f"{table}pit_id__in": member.pit_ids}) if member.pit_ids else seen


def may(user: User, command: Command) -> bool:
    """Whether a user may ask for a command: active, and a member in a role that has it.

    A member of some pits may not ask for what concerns the whole property.
    """
    member = user.membership
    return (
        user.is_active
        and member is not None
        and command in COMMANDS_OF_ROLE.get(member.role, frozenset())
        and not (command in PROPERTY_WIDE and member.pit_ids)
    )
