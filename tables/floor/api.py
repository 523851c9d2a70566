"""Tables, dealers, shifts and assignments over REST."""

from typing import Any

from django.db.models import QuerySet

from tables.floor.models import Dealer, DealerAssignment, Shift, Table
from tables.floor.selectors.shifts import list_assignments, list_shifts
from tables.floor.selectors.tables import get_table_for, list_dealers, list_tables
from tables.floor.services.tables import assign_dealer
from tables.floor.shapes import AssignmentOut, DealerStaffOut, ShiftOut, TableCode, TableOut
from tables.permissions import Command
from tables.property.models import User
from tables.shapes import Day, Instant
from tables.web.api import CommandApi, ListApi, ReadApi
from tables.web.paging import PagedQuery
from tables.web.queries import Query


class ShiftQuery(PagedQuery):
    """What a list of shifts may be narrowed to."""

    gaming_day: Day | None = None


class AssignmentQuery(PagedQuery):
    """Who dealt: at a table, at a time."""

    table: TableCode | None = None
    at: Instant | None = None


class TablesApi(ListApi):
    """The tables of your property by code."""

    commands = {"GET": Command.FLOOR_READ}
    operation_ids = {"GET": "tables_list"}
    query = Query
    row = TableOut

    def rows(self, user: User, query: Query) -> QuerySet[Table]:  # noqa: ARG002
        """The tables a user may see."""
        return list_tables(user=user)


class TableApi(ReadApi):
    """A table as it stands now."""

    commands = {"GET": Command.FLOOR_READ}
    answer = TableOut

    def find(self, user: User, **address: Any) -> TableOut:
        """The table of an address."""
        return TableOut.of(get_table_for(user=user, code=address["table"]))


class DealersApi(ListApi):
    """The dealers of your property by badge."""

    commands = {"GET": Command.FLOOR_READ}
    operation_ids = {"GET": "dealers_list"}
    query = Query
    row = DealerStaffOut

    def rows(self, user: User, query: Query) -> QuerySet[Dealer]:  # noqa: ARG002
        """The dealers a user may see."""
        return list_dealers(user=user)


class ShiftsApi(ListApi):
    """The shifts in which something happened, the latest first."""

    commands = {"GET": Command.FLOOR_READ}
    operation_ids = {"GET": "shifts_list"}
    query = ShiftQuery
    row = ShiftOut

    def rows(self, user: User, query: ShiftQuery) -> QuerySet[Shift]:
        """The shifts a user may see."""
        return list_shifts(user=user, gaming_day=query.gaming_day)


class AssignmentsApi(ListApi, CommandApi):
    """Who dealt where, the latest first; `?table=&at=` answers who dealt at 21:14."""

    commands = {"GET": Command.FLOOR_READ, "POST": Command.DEALER_ASSIGN}
    operation_ids = {"GET": "assignments_list", "POST": "assignments_create"}
    query = AssignmentQuery
    row = made = AssignmentOut
    service = assign_dealer

    def rows(self, user: User, query: AssignmentQuery) -> QuerySet[DealerAssignment]:
        """The assignments a user may see."""
        return list_assignments(user=user, table_code=query.table, at=query.at)
