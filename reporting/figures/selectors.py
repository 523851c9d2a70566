"""Reading the figures: one report, which the page, the API and the CSV all show."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from django.db.models import Q, Sum

from games.analysis.split import split_result
from reporting.figures.metrics import ROUND, Figures, GroupBy, Postings, Tally
from reporting.figures.models import BucketLine, Posting, RollupCursor
from reporting.worth.models import WagerValue
from reporting.worth.split import Worth
from tables.floor.selectors.shifts import find_shift_at
from tables.gaming_day import gaming_day_of
from tables.models import Dealer, DirtyBucket, Property, Shift, Table, User
from tables.permissions import property_of, scope
from tables.property.selectors import day_starts_of

NO_DEALER_LABEL: Final = "No dealer assigned"


@dataclass(frozen=True, slots=True)
class Group:
    """What a row stands for. `key` names it to a program; None is "no dealer assigned".

    A table by its code, a dealer by the badge, a gaming day by its date, a shift and an hour by
    the instant (UTC) at which it begins.
    """

    key: str | None
    label: str


@dataclass(frozen=True, slots=True)
class PerformanceRow:
    """The figures of one group."""

    group: Group
    figures: Postings


@dataclass(frozen=True, slots=True)
class PerformanceReport:
    """The figures of a property for gaming days from `first_day` to `last_day`, both included.

    `rolled_up_at` is up to when entries are surely in the figures, None before the first roll-up.
    `is_current` says that nothing entered at this property was waiting to be rolled up.
    """

    property: Property
    first_day: dt.date
    last_day: dt.date
    group_by: GroupBy
    rows: tuple[PerformanceRow, ...]
    totals: Postings
    rolled_up_at: dt.datetime | None
    is_current: bool


def summarise_performance(
    *,
    user: User,
    first_day: dt.date,
    last_day: dt.date,
    group_by: GroupBy,
) -> PerformanceReport:
    """The report of a range of gaming days at the tables a user may see, in one order.

    A row for each group that has figures. At most five queries, whatever the number of rounds. How
    fresh the figures are is read before them, so they may be newer than the report says and never
    older; all of them come from one statement, hence from one moment.
    """
    casino, seen = property_of(user), scope(user, "table")
    is_current = not DirtyBucket.objects.filter(seen).exists()
    cursor = RollupCursor.objects.filter(name=RollupCursor.PERFORMANCE).first()
    grouping = _GROUPINGS[group_by]
    figures = _read_figures(seen, first_day, last_day, grouping.column)
    return PerformanceReport(
        property=casino,
        first_day=first_day,
        last_day=last_day,
        group_by=group_by,
        rows=tuple(
            PerformanceRow(group, figures[value])
            for value, group in grouping.list_groups(casino, figures)
        ),
        totals=sum(figures.values(), start=Postings()),
        rolled_up_at=cursor.rolled_up_at if cursor else None,
        is_current=is_current,
    )


def get_gaming_day_at(*, property: Property, at: dt.datetime) -> dt.date:  # noqa: A002
    """The gaming day that holds an instant: as it was made, or as it will be."""
    shift = find_shift_at(property_id=property.pk, at=at)
    if shift is not None:
        return shift.gaming_day.date
    return gaming_day_of(at, zone=property.tzinfo, starts=day_starts_of(property))


class _Sums(NamedTuple):
    """What is added up of the lines, their `count` as the `number`; see `BucketLine`."""

    number: int
    late_count: int
    handle_minor: int
    house_win_minor: int
    appraised_count: int
    player_error_minor: int
    player_error_rest: int
    returned_minor: int
    returned_rest: int
    dealer_error_minor: int

    @property
    def tally(self) -> Tally:
        """The part that is known of every line."""
        return Tally(*self[:4])

    def plus(self, other: "_Sums") -> "_Sums":
        """Add column by column."""
        return _Sums(*(mine + its for mine, its in zip(self, other, strict=True)))

    def worth(self, denominator: int, expected_value: Fraction | None) -> Worth:
        """What the bets of one wager under one ruleset were worth."""
        if expected_value is None:
            return Worth(bets_missing=self.number)
        player_error = self.player_error_minor + Fraction(self.player_error_rest, denominator)
        returned = self.returned_minor + Fraction(self.returned_rest, denominator)
        setting_net = returned - self.handle_minor
        return Worth(
            self.number - self.appraised_count,
            split_result(
                theo=-self.handle_minor * expected_value,
                best_net=setting_net + player_error,
                setting_net=setting_net,
                house_way_minor=self.house_win_minor - self.dealer_error_minor,
                dealer_error_minor=self.dealer_error_minor,
            ),
        )


_NO_SUMS: Final = _Sums(*(0 for _ in _Sums._fields))
_SUMMED: Final = ("count", *_Sums._fields[1:])


def _read_figures(
    seen: Q, first_day: dt.date, last_day: dt.date, column: str
) -> Mapping[Any, Postings]:
    """The figures of each value of a column of the lines."""
    tallies: dict[Any, dict[tuple[str, str], Tally]] = defaultdict(dict)
    sums: dict[Any, dict[tuple[str, str, int], _Sums]] = defaultdict(dict)
    values = []
    rows = (
        BucketLine.objects.filter(seen, gaming_day__gte=first_day, gaming_day__lte=last_day)
        .values_list(column, "posting", "subject", "line", "ruleset_id", "denominator")
        .annotate(*(Sum(name) for name in _SUMMED))
        .order_by()
    )
    for value, posting, subject, line, ruleset_id, denominator, *columns in rows.iterator():
        found, group, key = _Sums(*columns), (value, posting), (subject, ruleset_id, denominator)
        values.append(value)
        tallies[group][subject, line] = tallies[group].get((subject, line), Tally()) + found.tally
        if subject != ROUND:
            sums[group][key] = sums[group].get(key, _NO_SUMS).plus(found)
    expected_values = _read_expected_values()

    def figures_of(group: tuple[Any, str]) -> Figures:
        worths: dict[str, Worth] = {}
        for (wager, ruleset_id, denominator), of in sums[group].items():
            worth = of.worth(denominator, expected_values.get((ruleset_id, wager)))
            worths[wager] = worths.get(wager, Worth()) + worth
        return Figures(tallies[group], worths)

    return {
        value: Postings(
            play=figures_of((value, Posting.PLAY)), voids=figures_of((value, Posting.VOID))
        )
        for value in dict.fromkeys(values)
    }


def _read_expected_values() -> Mapping[tuple[str, str], Fraction]:
    """What a stake of one nets the best player on the average, by ruleset and wager."""
    return {
        (row.ruleset_id, row.wager): Fraction(row.expected_value)
        for row in WagerValue.objects.all()
    }


_Groups = Iterator[tuple[Any, Group]]


@dataclass(frozen=True, slots=True)
class _Grouping:
    """The column a report is grouped by, and the groups of its values, in the report's order."""

    column: str
    list_groups: Callable[[Property, Collection[Any]], _Groups]


def _tables(_casino: Property, keys: Collection[Any]) -> _Groups:
    for table in Table.objects.filter(pk__in=keys).order_by("code", "pk"):
        yield table.pk, Group(table.code, table.code)


def _dealers(_casino: Property, keys: Collection[Any]) -> _Groups:
    known = [key for key in keys if key is not None]
    for dealer in Dealer.objects.filter(pk__in=known).order_by("badge", "pk"):
        yield dealer.pk, Group(dealer.badge, f"{dealer.badge} {dealer.name}")
    if None in keys:
        yield None, Group(None, NO_DEALER_LABEL)


def _shifts(_casino: Property, keys: Collection[Any]) -> _Groups:
    shifts = Shift.objects.filter(pk__in=keys).select_related("gaming_day")
    for shift in shifts.order_by("starts_at", "pk"):
        yield shift.pk, Group(_instant(shift.starts_at), f"{shift.gaming_day} {shift.name}")


def _gaming_days(_casino: Property, keys: Collection[dt.date]) -> _Groups:
    for day in sorted(keys):
        yield day, Group(day.isoformat(), day.isoformat())


def _hours(casino: Property, keys: Collection[dt.datetime]) -> _Groups:
    """Local hours with their offset: when the clocks go back there are two of the same name."""
    for hour in sorted(keys):
        local = hour.astimezone(casino.tzinfo).isoformat(sep=" ", timespec="minutes")
        yield hour, Group(_instant(hour), f"{local[:16]} UTC{local[16:]}")


def _instant(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).isoformat()


_GROUPINGS: Final[Mapping[GroupBy, _Grouping]] = MappingProxyType(
    {
        GroupBy.TABLE: _Grouping("table_id", _tables),
        GroupBy.DEALER: _Grouping("dealer_id", _dealers),
        GroupBy.SHIFT: _Grouping("shift_id", _shifts),
        GroupBy.GAMING_DAY: _Grouping("gaming_day", _gaming_days),
        GroupBy.HOUR: _Grouping("hour", _hours),
    }
)
