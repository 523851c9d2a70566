"""Who may do what: one table of roles and commands, read by the API and the pages alike."""

from enum import StrEnum
from typing import Final

from tables.errors import NotPermittedError
from tables.property.models import Property, Role, User


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
    Role.SURVEILLANCE: _EVERYONE | {Command.MISDEAL_READ},
    Role.MANAGER: _EVERYONE
    | {
        Command.TABLE_OPEN,
        Command.TABLE_CLOSE,
        Command.ROUND_VOID,
        Command.MISDEAL_READ,
        Command.REPORT_READ,
        Command.WHAT_IF,
    },
}

# Those whose name can stand as the authority of a void or a misdeal (BP-8.4).
AUTHORITY_ROLES: Final = frozenset({Role.FLOOR_SUPERVISOR, Role.MANAGER})


def property_id_of(user: User) -> int:
    """The key of the property a user works for. Raises NotPermittedError when there is none."""
    if user.property_id is None:
        raise NotPermittedError("expected a user who belongs to a property")
    return user.property_id


def property_of(user: User) -> Property:
    """The property a user works for. Raises NotPermittedError when there is none."""
    if user.property is None:
        raise NotPermittedError("expected a user who belongs to a property")
    return user.property


def may(user: User, command: Command) -> bool:
    """Whether a user may ask for a command: active, of a property, and of a role that has it."""
    return (
        user.is_active
        and user.property_id is not None
        and command in COMMANDS_OF_ROLE.get(user.role, frozenset())
    )
