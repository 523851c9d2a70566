"""What can go wrong on the floor: each error has a stable code, an HTTP status and typed fields."""

import datetime as dt
from typing import Any, ClassVar

from games.engine.errors import EngineError


class DomainError(Exception):
    """A request that the records refuse. `detail` holds what a client needs to go on."""

    code: ClassVar[str] = "refused"
    status: ClassVar[int] = 400

    def __init__(self, message: str, **detail: Any) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail

    def as_dict(self) -> dict[str, Any]:
        """The body of an error answer: code, message, detail."""
        return {"code": self.code, "message": self.message, "detail": self.detail}


class FieldError(DomainError):
    """A field that is missing, unknown or of another form; `place` names it."""

    code = "field_invalid"

    def __init__(self, message: str, *, place: str, **detail: Any) -> None:
        super().__init__(message, place=place, **detail)
        self.place = place


class OccurredInFutureError(FieldError):
    """A time later than the server's clock allows for a fast tablet."""

    code = "occurred_in_future"


class AuthorityError(FieldError):
    """The person named as authority may not authorise this."""

    code = "authority_invalid"


class FaultsError(DomainError):
    """Everything that is wrong with a request, at once: its fields, and the rules it breaks.

    Code, message and place are those of the first fault; `detail["faults"]` holds every one.
    """

    def __init__(self, faults: tuple[FieldError | EngineError, ...]) -> None:
        bodies = [fault.as_dict() for fault in faults]
        # The first fault may bring faults of its own (those of a setting); it keeps them below.
        first: Any = bodies[0]["detail"]
        super().__init__(faults[0].message, **{**first, "faults": bodies})
        self.faults = faults
        self._code = faults[0].code

    def as_dict(self) -> dict[str, Any]:
        """The body of an error answer, under the first fault's code."""
        return {**super().as_dict(), "code": self._code}


class SignInError(DomainError):
    """No active user has this name with this password."""

    code = "authentication_failed"
    status = 401


class NotPermittedError(DomainError):
    """The role of the user does not include the command."""

    code = "permission_denied"
    status = 403


class OwnAccountError(NotPermittedError):
    """Nobody changes what they themselves may do."""

    code = "own_account"


class PropertyChoiceError(NotPermittedError):
    """The user works at several properties and has not said at which this is to be.

    `properties` are the codes to choose from.
    """

    code = "property_choice"


class NotFoundError(DomainError):
    """There is no such record, or it is not this user's to see."""

    code = "not_found"
    status = 404


class ConflictError(DomainError):
    """The request does not fit what is already recorded."""

    code = "conflict"
    status = 409


class IdempotencyConflictError(ConflictError):
    """The same client-made id came with other content; `place` is the first field that differs.

    `earlier` is what the id was used for, for pages that lead there.
    """

    code = "id_conflict"

    def __init__(self, message: str, *, earlier: object = None, **detail: Any) -> None:
        super().__init__(message, **detail)
        self.earlier = earlier


class SettingConflictError(ConflictError):
    """Someone else changed the value meanwhile: `expected` was seen, `current` is what there is."""

    code = "setting_conflict"


class SettingUnchangedError(ConflictError):
    """The value is already so; there is nothing to record."""

    code = "setting_unchanged"


class SettingTakenError(ConflictError):
    """Something else has this name."""

    code = "setting_taken"


class SettingInUseError(ConflictError):
    """Something rests on the value as it is: history, or what goes on now."""

    code = "setting_in_use"


class TableInactiveError(ConflictError):
    """The table was taken out of use."""

    code = "table_inactive"


class TableClosedError(ConflictError):
    """The table was not open at the time of the event."""

    code = "table_closed"

    @classmethod
    def at(cls, table_code: str, occurred_at: dt.datetime) -> "TableClosedError":
        """An event was dated to a time at which the table was closed."""
        return cls(
            f"expected a time at which table {table_code} was open, got {occurred_at.isoformat()}",
            table=table_code,
            place="occurred_at",
        )


class TableOpenError(ConflictError):
    """The table is open already."""

    code = "table_open"


class AssignmentConflictError(ConflictError):
    """An assignment that would run backwards in time or end what has not begun."""

    code = "assignment_conflict"


class RoundVoidedError(ConflictError):
    """The round was voided already; `void` says by whom and when."""

    code = "round_voided"
