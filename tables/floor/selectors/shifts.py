"""Reading time on the floor: shifts, table sessions and dealer assignments."""

import datetime as dt

from django.db.models import Q, QuerySet

from tables.floor.models import DealerAssignment, Shift, Table, TableSession
from tables.permissions import property_id_of, scope
from tables.property.models import User


def find_shift_at(*, property_id: int, at: dt.datetime) -> Shift | None:
    """The shift of a property that holds an instant, if it was made already."""
    return (
        Shift.objects.select_related("gaming_day")
        .filter(gaming_day__property_id=property_id, starts_at__lte=at, ends_at__gt=at)
        .first()
    )


def find_session_at(*, table: Table, at: dt.datetime) -> TableSession | None:
    """The opening of a table that holds an instant: from it, up to but not including the close."""
    return (
        TableSession.objects.filter(table=table, opened_at__lte=at)
        .filter(Q(closed_at=None) | Q(closed_at__gt=at))
        .first()
    )


def find_assignment_at(*, table: Table, at: dt.datetime) -> DealerAssignment | None:
    """Who dealt at a table at an instant."""
    return (
        DealerAssignment.objects.select_related("dealer")
        .filter(table=table, starts_at__lte=at)
        .filter(Q(ends_at=None) | Q(ends_at__gt=at))
        .first()
    )


def list_shifts(*, user: User, gaming_day: dt.date | None) -> QuerySet[Shift]:
    """The shifts of the user's property that have been made, the latest first."""
    shifts = Shift.objects.select_related("gaming_day").filter(
        gaming_day__property_id=property_id_of(user)
    )
    if gaming_day is not None:
        shifts = shifts.filter(gaming_day__date=gaming_day)
    return shifts.order_by("-pk")


def list_assignments(
    *, user: User, table_code: str | None, at: dt.datetime | None
) -> QuerySet[DealerAssignment]:
    """Assignments at the tables a user may see, the latest first; `at` asks who dealt then."""
    assignments = DealerAssignment.objects.select_related("table", "dealer").filter(
        scope(user, "table")
    )
    if table_code is not None:
        assignments = assignments.filter(table__code=table_code)
    if at is not None:
        assignments = assignments.filter(starts_at__lte=at).filter(
            Q(ends_at=None) | Q(ends_at__gt=at)
        )
    return assignments.order_by("-pk")
