"""Tables as pages show them."""

import datetime as dt
from dataclasses import dataclass
from typing import Any, cast

from tables.floor.models import Table
from tables.property.models import Property
from tables.templatetags.money import money


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as it stands now; `dealer` is empty when nobody is assigned."""

    code: str
    pit: str
    seat_count: int
    opened_at: dt.datetime | None
    dealer: str
    main_limits: str
    side_bet_limits: str
    last_sequence: int

    @property
    def is_open(self) -> bool:
        """Whether it deals now."""
        return self.opened_at is not None


def table_view_of(table: Table) -> TableView:
    """A table as `tables.floor.selectors.tables` reads it, with its open session and assignment."""
    read = cast("Any", table)
    session = next(iter(read.open_sessions), None)
    assignment = next(iter(read.open_assignments), None)
    return TableView(
        code=table.code,
        pit=table.pit.code,
        seat_count=table.seat_count,
        opened_at=session.opened_at if session else None,
        dealer=str(assignment.dealer) if assignment else "",
        main_limits=_limits(table.main_minor_min, table.main_minor_max, table.property),
        side_bet_limits=_limits(table.side_bet_minor_min, table.side_bet_minor_max, table.property),
        last_sequence=table.last_sequence,
    )


def _limits(least_minor: int, most_minor: int, casino: Property) -> str:
    return f"{money(least_minor, casino)} to {money(most_minor, casino)}"
