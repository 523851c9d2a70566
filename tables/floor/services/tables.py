"""Opening and closing tables, and who deals at them."""

import datetime as dt
from typing import Any, Final

from django.db import transaction
from django.db.models import Q

from tables.errors import AssignmentConflictError, TableClosedError, TableOpenError
from tables.floor.models import Dealer, DealerAssignment, Table, TableSession
from tables.locks import lock_assignments, lock_dealer, lock_table
from tables.permissions import Command
from tables.property.models import User
from tables.submissions import read_text, read_time, require_object
from tables.trail.services import log_command

_ASSIGN_KEYS: Final = frozenset({"table"})
_ASSIGN_OPTIONAL: Final = frozenset({"dealer", "starts_at"})


@transaction.atomic(durable=True)
def open_table(*, actor: User, table_code: str, at: dt.datetime) -> TableSession:
    """Open a table from now on. Raises NotFoundError, TableOpenError."""
    table = lock_table(user=actor, code=table_code)
    if _open_session(table) is not None:
        raise TableOpenError(f"expected a closed table, {table.code} is open", table=table.code)
    session = TableSession(table=table, opened_at=at, opened_by=actor)
    session.save(force_insert=True)
    log_command(actor=actor, command=Command.TABLE_OPEN, subject=f"table {table}", at=at, detail={})
    return session


@transaction.atomic(durable=True)
def close_table(*, actor: User, table_code: str, at: dt.datetime) -> TableSession:
    """Close a table from now on and end its dealer's assignment.

    Raises NotFoundError, TableClosedError when it is not open.
    """
    table = lock_table(user=actor, code=table_code)
    session = _open_session(table)
    if session is None:
        raise TableClosedError(f"expected an open table, {table.code} is closed", table=table.code)
    session.closed_at = at
    session.closed_by = actor
    session.save(update_fields=["closed_at", "closed_by"])
    _end(lock_assignments(table=table, dealer=None), at)
    log_command(
        actor=actor, command=Command.TABLE_CLOSE, subject=f"table {table}", at=at, detail={}
    )
    return session


@transaction.atomic(durable=True)
def assign_dealer(*, actor: User, body: object, at: dt.datetime) -> DealerAssignment | None:
    """Put a dealer on a table: ends whatever the table and the dealer had before.

    Without a dealer the table's assignment ends and None is returned. `starts_at` may lie in the
    past (the tap was entered late), but not before what it ends began. Raises FieldError,
    NotFoundError, AssignmentConflictError.
    """
    fields = require_object(body, required=_ASSIGN_KEYS, optional=_ASSIGN_OPTIONAL)
    code = read_text(fields["table"], place="table", length_max=16)
    starts_at = _starts_at(fields.get("starts_at"), at)
    badge = fields.get("dealer")
    if badge is not None:
        badge = read_text(badge, place="dealer", length_max=16)
    table = lock_table(user=actor, code=code)
    dealer = None if badge is None else lock_dealer(user=actor, badge=badge)
    _end(lock_assignments(table=table, dealer=dealer), starts_at)
    _refuse_overlap(table, dealer, starts_at)
    log_command(
        actor=actor,
        command=Command.DEALER_ASSIGN,
        subject=f"table {table}",
        at=at,
        detail={"dealer": dealer.badge if dealer else None, "starts_at": starts_at.isoformat()},
    )
    if dealer is None:
        return None
    assignment = DealerAssignment(
        table=table, dealer=dealer, starts_at=starts_at, assigned_by=actor
    )
    assignment.save(force_insert=True)
    return assignment


def _starts_at(value: Any, at: dt.datetime) -> dt.datetime:
    return at if value is None else min(read_time(value, place="starts_at", now=at), at)


def _open_session(table: Table) -> TableSession | None:
    return TableSession.objects.filter(table=table, closed_at=None).first()


def _refuse_overlap(table: Table, dealer: Dealer | None, starts_at: dt.datetime) -> None:
    """A late tap may not reach back into an assignment that has ended since."""
    concerned = Q(table=table) if dealer is None else Q(table=table) | Q(dealer=dealer)
    later = (
        DealerAssignment.objects.select_related("table", "dealer")
        .filter(concerned, ends_at__gt=starts_at)
        .order_by("-ends_at")
        .first()
    )
    if later is not None:
        raise AssignmentConflictError(
            f"expected a time from {later.ends_at} on, when {later} ended, "
            f"got {starts_at.isoformat()}",
            table=later.table.code,
            place="starts_at",
        )


def _end(assignments: list[DealerAssignment], at: dt.datetime) -> None:
    for assignment in assignments:
        if assignment.starts_at >= at:
            raise AssignmentConflictError(
                f"expected a time after {assignment.starts_at.isoformat()}, when {assignment} "
                f"began, got {at.isoformat()}",
                table=assignment.table.code,
                place="starts_at",
            )
        assignment.ends_at = at
        assignment.save(update_fields=["ends_at"])
