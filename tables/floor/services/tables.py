"""Opening and closing tables, and who deals at them."""

import datetime as dt
from typing import Any

from django.db.models import Q

from tables.errors import (
    AssignmentConflictError,
    TableClosedError,
    TableInactiveError,
    TableOpenError,
)
from tables.floor.models import Dealer, DealerAssignment, Table, TableSession
from tables.floor.selectors.tables import get_table_for
from tables.floor.shapes import AssignmentOut, AssignmentRequest, TableOut, TableRequest
from tables.locks import lock_assignments, lock_dealer, lock_table
from tables.permissions import Command, scope
from tables.property.models import User
from tables.recording import Act, Done, recorded_as


def _keep_table(table: TableOut) -> Any:
    """A table as it was answered: it goes on changing."""
    return table.model_dump(mode="json")


@recorded_as(Command.TABLE_OPEN, TableRequest, keep=_keep_table, find=TableOut.model_validate)
def open_table(act: Act[TableRequest]) -> Done[TableOut]:
    """Open a table from now on.

    Raises NotFoundError, TableInactiveError, TableOpenError.
    """
    table = lock_table(user=act.actor, code=act.request.table)
    if not table.is_active:
        message = f"expected a table in use, {table.code} was taken out of use"
        raise TableInactiveError(message, table=table.code)
    if _open_session(table) is not None:
        raise TableOpenError(f"expected a closed table, {table.code} is open", table=table.code)
    TableSession.objects.create(table=table, opened_at=act.at, opened_by=act.actor)
    return _done(act, table)


@recorded_as(Command.TABLE_CLOSE, TableRequest, keep=_keep_table, find=TableOut.model_validate)
def close_table(act: Act[TableRequest]) -> Done[TableOut]:
    """Close a table from now on; its dealer's assignment ends with it.

    Raises NotFoundError, TableClosedError when it is not open.
    """
    table = lock_table(user=act.actor, code=act.request.table)
    session = _open_session(table)
    if session is None:
        raise TableClosedError(f"expected an open table, {table.code} is closed", table=table.code)
    session.closed_at = act.at
    session.closed_by = act.actor
    session.save(update_fields=["closed_at", "closed_by"])
    _end(lock_assignments(table=table, dealer=None), act.at)
    return _done(act, table)


def _done(act: Act[TableRequest], table: Table) -> Done[TableOut]:
    answer = TableOut.of(get_table_for(user=act.actor, code=table.code))
    return Done(answer, f"table {table}")


def _keep_assignment(assignment: AssignmentOut | None) -> Any:
    return None if assignment is None else assignment.model_dump(mode="json")


def _find_assignment(kept: Any) -> AssignmentOut | None:
    return None if kept is None else AssignmentOut.model_validate(kept)


@recorded_as(Command.DEALER_ASSIGN, AssignmentRequest, keep=_keep_assignment, find=_find_assignment)
def assign_dealer(act: Act[AssignmentRequest]) -> Done[AssignmentOut | None]:
    """Put a dealer on a table; without a dealer, take the present one off it.

    Ends whatever the table and the dealer had before. `starts_at` may lie in the past (the tap was
    entered late), but not before what it ends began. Raises NotFoundError, AssignmentConflictError.
    """
    asked = act.request
    starts_at = min(asked.starts_at or act.at, act.at)
    table = lock_table(user=act.actor, code=asked.table)
    dealer = None if asked.dealer is None else lock_dealer(user=act.actor, badge=asked.dealer)
    assignments = lock_assignments(table=table, dealer=dealer)
    _refuse_from_elsewhere(act.actor, assignments)
    _end(assignments, starts_at)
    _refuse_overlap(table, dealer, starts_at)
    answer = None
    if dealer is not None:
        assignment = DealerAssignment.objects.create(
            table=table, dealer=dealer, starts_at=starts_at, assigned_by=act.actor
        )
        answer = AssignmentOut.of(assignment)
    detail = {"dealer": asked.dealer, "starts_at": starts_at.isoformat()}
    return Done(answer, f"table {table}", detail)


def _open_session(table: Table) -> TableSession | None:
    return TableSession.objects.filter(table=table, closed_at=None).first()


def _refuse_from_elsewhere(actor: User, assignments: list[DealerAssignment]) -> None:
    """Whoever sees some pits only takes no dealer away from another, and is not told from where."""
    tables = {assignment.table_id for assignment in assignments}
    if Table.objects.filter(scope(actor), pk__in=tables).count() < len(tables):
        raise AssignmentConflictError(
            "expected a dealer who is free, this one deals in another pit", place="dealer"
        )


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
