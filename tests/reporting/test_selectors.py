import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reporting.figures.metrics import Figures, GroupBy, Tally
from reporting.figures.selectors import (
    NO_DEALER_LABEL,
    PerformanceReport,
    get_gaming_day_at,
    summarise_performance,
)
from reporting.figures.services import roll_up
from reporting.models import BucketLine
from tables.floor.services.tables import assign_dealer
from tables.models import Bet, Round
from tables.permissions import property_of
from tests.builders import NOON, Floor, build_floor
from tests.reporting.play import play, void

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)
AT = NOON + 2 * DAY
TODAY = dt.date(2026, 11, 29)


def report(
    floor: Floor,
    group_by: GroupBy = GroupBy.TABLE,
    first_day: dt.date = TODAY,
    last_day: dt.date | None = None,
) -> PerformanceReport:
    return summarise_performance(
        user=floor.manager,
        first_day=first_day,
        last_day=last_day or first_day,
        group_by=group_by,
    )


def rounds_by_label(found: PerformanceReport) -> dict[str, int]:
    return {row.group.label: row.figures.net.rounds for row in found.rows}


def test_every_grouping_adds_up_to_the_same_total(floor: Floor) -> None:
    assign_dealer.send(
        actor=floor.supervisor, data={"table": "BP-02", "dealer": None}, at=NOON - 2 * DAY
    )
    for number in range(12):
        table = "BP-01" if number % 3 else "BP-02"
        play(floor, number, at=NOON + (number - 8) * 5 * HOUR, table=table)
    void(floor, Round.objects.order_by("pk")[3], at=NOON + HOUR)
    roll_up(at=AT)
    days = (TODAY - 3 * DAY, TODAY + DAY)
    house_win = -sum(
        Bet.objects.exclude(seat_hand__round__void__isnull=False).values_list(
            "net_minor", flat=True
        )
    )
    for group_by in GroupBy:
        found = report(floor, group_by, *days)
        assert found.totals.net.rounds == 11
        assert found.totals.net.bets.house_win_minor == house_win
        added = sum((row.figures.net for row in found.rows), start=Figures())
        assert added.bets == found.totals.net.bets
        assert added.rounds == 11
    assert rounds_by_label(report(floor, GroupBy.TABLE, *days)) == {"BP-01": 8, "BP-02": 3}
    assert rounds_by_label(report(floor, GroupBy.DEALER, *days)) == {
        "D101 Dealer D101": 8,
        NO_DEALER_LABEL: 3,
    }
    by_dealer = report(floor, GroupBy.DEALER, *days)
    assert [row.group.key for row in by_dealer.rows] == ["D101", None]


def test_case_c10_void_on_a_later_day_leaves_the_day_of_the_round_alone(floor: Floor) -> None:
    played = play(floor)
    roll_up(at=AT)
    handed_over = report(floor)
    void(floor, played, at=NOON + DAY)
    roll_up(at=AT + HOUR)
    again = report(floor)
    assert (again.rows, again.totals) == (handed_over.rows, handed_over.totals)
    [row] = report(floor, first_day=TODAY + DAY).rows
    assert row.figures.play == Figures()
    assert row.figures.voids == handed_over.rows[0].figures.play
    both = report(floor, last_day=TODAY + DAY).totals
    assert both.net.bets == Tally()
    assert both.net.rounds == 0


def test_case_x28_void_lowers_handle_and_win_in_each_report(floor: Floor) -> None:
    kept, voided = play(floor, 0), play(floor, 1)
    void(floor, voided, at=NOON + dt.timedelta(minutes=30))
    roll_up(at=AT)
    bets = Bet.objects.filter(seat_hand__round=kept)
    handle_minor = sum(bets.values_list("amount_minor", flat=True))
    for group_by in GroupBy:
        [row] = report(floor, group_by).rows
        assert (row.figures.play.rounds, row.figures.voids.rounds) == (2, 1)
        assert row.figures.net.bets.handle_minor == handle_minor
        assert row.figures.net.bets.house_win_minor == kept.house_net_minor


def test_case_d17_two_hours_of_one_name_stay_two(floor: Floor) -> None:
    first = dt.datetime(2026, 11, 1, 8, 30, tzinfo=dt.UTC)
    play(floor, 0, at=first)
    play(floor, 1, at=first + HOUR)
    roll_up(at=AT)
    day = dt.date(2026, 10, 31)
    hours = report(floor, GroupBy.HOUR, day)
    assert [(row.group.key, row.group.label) for row in hours.rows] == [
        ("2026-11-01T08:00:00+00:00", "2026-11-01 01:00 UTC-07:00"),
        ("2026-11-01T09:00:00+00:00", "2026-11-01 01:00 UTC-08:00"),
    ]
    [shift] = report(floor, GroupBy.SHIFT, day).rows
    assert (shift.group.key, shift.group.label) == ("2026-11-01T05:00:00+00:00", "2026-10-31 Grave")
    [whole_day] = report(floor, GroupBy.GAMING_DAY, day).rows
    assert hours.totals == shift.figures == whole_day.figures


def test_case_d07_day_of_the_autumn_change_has_25_hours(floor: Floor) -> None:
    begin = dt.datetime(2026, 10, 31, 13, tzinfo=dt.UTC)
    for hour in range(-1, 26):
        play(floor, at=begin + hour * HOUR)
    roll_up(at=AT)
    found = report(floor, GroupBy.HOUR, dt.date(2026, 10, 31))
    assert len({row.group.label for row in found.rows}) == len(found.rows) == 25
    assert found.totals.net.rounds == 25
    assert [row.group.key for row in found.rows] == sorted(str(row.group.key) for row in found.rows)


def test_case_x27_says_how_fresh_the_figures_are(floor: Floor) -> None:
    assert (report(floor).rolled_up_at, report(floor).is_current) == (None, True)
    play(floor)
    assert (report(floor).rolled_up_at, report(floor).is_current) == (None, False)
    assert report(floor).rows == ()
    roll_up(at=AT)
    assert (report(floor).rolled_up_at, report(floor).is_current) == (AT, True)
    other = build_floor(code="NV")
    play(other)
    assert not report(other).is_current
    assert report(floor).is_current


def test_figures_of_another_property_are_not_shown(floor: Floor) -> None:
    other = build_floor(code="NV")
    play(other)
    play(floor)
    play(floor)
    roll_up(at=AT)
    for group_by in GroupBy:
        assert report(floor, group_by).totals.net.rounds == 2
        assert report(other, group_by).totals.net.rounds == 1


def test_case_x25_queries_do_not_grow_with_the_rounds(floor: Floor) -> None:
    def queries_of(group_by: GroupBy) -> int:
        with CaptureQueriesContext(connection) as queries:
            report(floor, group_by, TODAY - DAY, TODAY)
        return len(queries)

    assert property_of(floor.manager)  # who asks is known by then
    for number in range(10):
        play(floor, number, at=NOON + number * HOUR / 10)
    roll_up(at=AT)
    few = {group_by: queries_of(group_by) for group_by in GroupBy}
    for number in range(190):
        play(floor, number, at=NOON - number * HOUR / 5, table="BP-02")
    roll_up(at=AT)
    assert {group_by: queries_of(group_by) for group_by in GroupBy} == few
    assert max(few.values()) == 5


def test_late_rounds_restate_a_day_that_was_over(floor: Floor) -> None:
    play(floor, 0)
    play(floor, 1, recorded_at=NOON + DAY)
    roll_up(at=AT)
    assert report(floor).totals.play.late_rounds == 1


def test_case_c18_rows_come_in_one_order_whatever_the_order_of_the_lines(floor: Floor) -> None:
    for number, table in enumerate(("BP-02", "BP-01", "BP-02", "BP-01")):
        play(floor, number, at=NOON - number * 9 * HOUR, table=table)
    roll_up(at=AT)
    shift_starts = ("28T14", "28T22", "29T06", "29T14")
    hours = ("28T17", "29T02", "29T11", "29T20")
    expected = {
        GroupBy.TABLE: ["BP-01", "BP-02"],
        GroupBy.DEALER: ["D101", "D102"],
        GroupBy.GAMING_DAY: ["2026-11-28", "2026-11-29"],
        GroupBy.SHIFT: [f"2026-11-{start}:00:00+00:00" for start in shift_starts],
        GroupBy.HOUR: [f"2026-11-{hour}:00:00+00:00" for hour in hours],
    }

    def keys() -> dict[GroupBy, list[str | None]]:
        days = (TODAY - 2 * DAY, TODAY)
        return {
            group_by: [row.group.key for row in report(floor, group_by, *days).rows]
            for group_by in GroupBy
        }

    assert keys() == expected
    lines = list(BucketLine.objects.order_by("-pk"))
    BucketLine.objects.all().delete()
    for line in lines:
        line.pk = None
    BucketLine.objects.bulk_create(lines)
    assert keys() == expected


@pytest.mark.parametrize("has_day", [True, False])
def test_current_gaming_day_is_that_of_the_property(floor: Floor, has_day: bool) -> None:
    if has_day:
        play(floor)
    night = dt.datetime(2026, 11, 30, 9, 30, tzinfo=dt.UTC)
    assert get_gaming_day_at(property=floor.casino, at=night) == TODAY
    # A day that was made keeps its edges when the cut-over is moved.
    floor.casino.gaming_day_start = dt.time(1)
    expected = TODAY if has_day else TODAY + DAY
    assert get_gaming_day_at(property=floor.casino, at=night) == expected
