"""Tables, dealers, shifts and assignments as they are sent and answered."""

import datetime as dt
from typing import Annotated, Any, Self, cast

from pydantic import Field

from games.engine.wagers import STAKE_MINOR_MAX
from tables.changes import Settings
from tables.floor.models import Table
from tables.recording import UnnamedRequest
from tables.shapes import Answer, From, Moment, PastInstant, SkipJsonSchema, text, whole_number

TableCode = Annotated[str, text(16)]
Badge = Annotated[str, text(16)]


class TableRequest(UnnamedRequest):
    """A table to open or to close. With an id of its own it can be sent again."""

    table: SkipJsonSchema[str]


class AssignmentRequest(UnnamedRequest):
    """Who deals at a table from now, or from `starts_at`; without a dealer, nobody."""

    table: TableCode = Field(description="table code")
    dealer: Badge | None = Field(default=None, description="badge")
    starts_at: PastInstant | None = None


_Minor = Annotated[int, whole_number(1, STAKE_MINOR_MAX)]


class TableSettings(Settings):
    """What a table is set up with; limits in minor units."""

    pit: Annotated[str, text(16), From("pit.code")]
    seat_count: Annotated[int, whole_number(1, 6)] = 6
    main_minor_min: _Minor
    main_minor_max: _Minor
    side_bet_minor_min: _Minor
    side_bet_minor_max: _Minor
    is_active: bool = True


class TableSettingsOut(TableSettings):
    """A table as it is set up."""

    code: str


class DealerSettings(Settings):
    """What is kept of a dealer."""

    name: Annotated[str, text(100)]
    is_active: bool = True


class DealerSettingsOut(DealerSettings):
    """A dealer as they are set up."""

    badge: str


class PitSettingsOut(Settings):
    """A pit."""

    code: str


class LimitsOut(Answer):
    """Limits of a wager in minor units."""

    minor_min: int
    minor_max: int


class TableLimitsOut(Answer):
    """Limits of a table."""

    main: LimitsOut
    side_bet: LimitsOut


class TableOut(Answer):
    """A table as it stands now."""

    code: str
    pit: str
    seat_count: int
    limits: TableLimitsOut
    is_open: bool
    opened_at: Moment | None
    dealer_badge: str | None
    last_sequence: int

    @classmethod
    def of(cls, table: Table) -> Self:
        """A table as `tables.floor.selectors.tables.list_tables` reads it."""
        read = cast("Any", table)
        session = next(iter(read.open_sessions), None)
        assignment = next(iter(read.open_assignments), None)
        return cls(
            code=table.code,
            pit=table.pit.code,
            seat_count=table.seat_count,
            limits=TableLimitsOut(
                main=LimitsOut(minor_min=table.main_minor_min, minor_max=table.main_minor_max),
                side_bet=LimitsOut(
                    minor_min=table.side_bet_minor_min, minor_max=table.side_bet_minor_max
                ),
            ),
            is_open=session is not None,
            opened_at=session.opened_at if session else None,
            dealer_badge=assignment.dealer.badge if assignment else None,
            last_sequence=table.last_sequence,
        )


class DealerStaffOut(Answer):
    """A dealer of the staff."""

    badge: str
    name: str
    is_active: bool


class ShiftOut(Answer):
    """A shift of a gaming day, with its edges."""

    gaming_day: Annotated[dt.date, From("gaming_day.date")]
    name: str
    starts_at: Moment
    ends_at: Moment


class AssignmentOut(Answer):
    """Who dealt where, from when until when."""

    table: Annotated[str, From("table.code")]
    dealer_badge: Annotated[str, From("dealer.badge")]
    dealer_name: Annotated[str, From("dealer.name")]
    starts_at: Moment
    ends_at: Moment | None
