"""Gaming days, shifts and hours: edges, both clock changes, a leap day, a moved cut-over."""

import datetime as dt
import itertools
import zoneinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.floor.services.gaming_days import ensure_shift_at, make_shift_at
from tables.gaming_day import (
    DayStarts,
    ShiftStart,
    gaming_day_of,
    gaming_day_span,
    hour_of,
    shift_spans,
)
from tables.models import GamingDay, GamingDayStart, Shift
from tests.builders import Floor, build_floor

LA = zoneinfo.ZoneInfo("America/Los_Angeles")
SIX = DayStarts(dt.time(6))
SHIFTS = (
    ShiftStart("Grave", dt.time(22)),
    ShiftStart("Day", dt.time(6)),
    ShiftStart("Swing", dt.time(14)),
)


def _utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).astimezone(dt.UTC)


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-11-30T09:30:00Z", "2026-11-29"),  # 01:30 local
        ("2026-11-30T00:30:00Z", "2026-11-29"),  # 16:30 local
        ("2026-11-30T05:59:59.999999-08:00", "2026-11-29"),
        ("2026-11-30T06:00:00-08:00", "2026-11-30"),
        ("2028-02-29T05:59:59-08:00", "2028-02-28"),
        ("2028-02-29T06:00:00-08:00", "2028-02-29"),
        ("2028-03-01T05:59:59-08:00", "2028-02-29"),
    ],
)
def test_case_e09_a_round_after_midnight_is_of_the_day_before(at: str, day: str) -> None:
    assert gaming_day_of(_utc(at), zone=LA, starts=SIX) == dt.date.fromisoformat(day)


@pytest.mark.parametrize(
    ("day", "hours"), [("2026-03-07", 23), ("2026-10-31", 25), ("2026-06-01", 24)]
)
def test_a_gaming_day_across_a_clock_change_has_23_or_25_hours(day: str, hours: int) -> None:
    span = gaming_day_span(dt.date.fromisoformat(day), zone=LA, starts=SIX)
    assert span.ends_at - span.starts_at == dt.timedelta(hours=hours)


def test_both_hours_of_the_autumn_change_are_hours_of_their_own() -> None:
    # 01:30 comes twice on 1 November 2026 in Los Angeles.
    first, second = _utc("2026-11-01T08:30:00Z"), _utc("2026-11-01T09:30:00Z")
    assert hour_of(first, zone=LA) == _utc("2026-11-01T08:00:00Z")
    assert hour_of(second, zone=LA) == _utc("2026-11-01T09:00:00Z")


def test_an_hour_is_an_hour_of_the_local_clock() -> None:
    kolkata = zoneinfo.ZoneInfo("Asia/Kolkata")
    assert hour_of(_utc("2026-01-01T10:15:00Z"), zone=kolkata) == _utc("2026-01-01T09:30:00Z")


def test_a_naive_time_has_no_gaming_day() -> None:
    with pytest.raises(ValueError, match="aware"):
        gaming_day_of(dt.datetime(2026, 1, 1), zone=LA, starts=SIX)  # noqa: DTZ001


def test_shifts_follow_each_other_without_gap() -> None:
    day = dt.date(2026, 11, 29)
    span = gaming_day_span(day, zone=LA, starts=SIX)
    spans = shift_spans(day, span=span, zone=LA, shifts=SHIFTS)

    assert [(item.name, item.starts_at) for item in spans] == [
        ("Day", _utc("2026-11-29T06:00:00-08:00")),
        ("Swing", _utc("2026-11-29T14:00:00-08:00")),
        ("Grave", _utc("2026-11-29T22:00:00-08:00")),
    ]
    assert [item.ends_at for item in spans] == [*(s.starts_at for s in spans[1:]), span.ends_at]


def test_the_first_shift_begins_with_the_day() -> None:
    day = dt.date(2026, 11, 29)
    span = gaming_day_span(day, zone=LA, starts=DayStarts(dt.time(5)))
    spans = shift_spans(day, span=span, zone=LA, shifts=SHIFTS)
    assert (spans[0].name, spans[0].starts_at) == ("Day", span.starts_at)


def test_without_shifts_the_day_is_one() -> None:
    day = dt.date(2026, 11, 29)
    span = gaming_day_span(day, zone=LA, starts=SIX)
    (whole,) = shift_spans(day, span=span, zone=LA, shifts=())
    assert (whole.starts_at, whole.ends_at) == (span.starts_at, span.ends_at)


ZONES = st.sampled_from(
    [
        "UTC",
        "America/Los_Angeles",
        "Asia/Kolkata",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "America/St_Johns",
        "Africa/Casablanca",
        "Asia/Kathmandu",
    ]
).map(zoneinfo.ZoneInfo)
INSTANTS = st.datetimes(
    min_value=dt.datetime(2000, 1, 1),  # noqa: DTZ001
    max_value=dt.datetime(2040, 1, 1),  # noqa: DTZ001
    timezones=st.just(dt.UTC),
)


@given(zone=ZONES, at=INSTANTS, starts_at=st.times().map(DayStarts))
def test_every_instant_is_in_its_gaming_day(
    zone: zoneinfo.ZoneInfo, at: dt.datetime, starts_at: DayStarts
) -> None:
    day = gaming_day_of(at, zone=zone, starts=starts_at)
    span = gaming_day_span(day, zone=zone, starts=starts_at)
    assert span.starts_at <= at < span.ends_at


@given(
    zone=ZONES,
    at=INSTANTS,
    starts_at=st.times().map(DayStarts),
    shifts=st.lists(st.times(), max_size=4, unique=True),
)
def test_every_instant_of_a_day_is_in_one_shift(
    zone: zoneinfo.ZoneInfo, at: dt.datetime, starts_at: DayStarts, shifts: list[dt.time]
) -> None:
    day = gaming_day_of(at, zone=zone, starts=starts_at)
    span = gaming_day_span(day, zone=zone, starts=starts_at)
    spans = shift_spans(
        day,
        span=span,
        zone=zone,
        shifts=[ShiftStart(str(number), start) for number, start in enumerate(shifts)],
    )
    assert sum(item.starts_at <= at < item.ends_at for item in spans) == 1
    assert (spans[0].starts_at, spans[-1].ends_at) == (span.starts_at, span.ends_at)


@given(zone=ZONES, at=INSTANTS)
def test_every_instant_is_in_its_hour(zone: zoneinfo.ZoneInfo, at: dt.datetime) -> None:
    hour = hour_of(at, zone=zone)
    assert dt.timedelta(0) <= at - hour < dt.timedelta(hours=1)
    assert hour_of(hour, zone=zone) == hour


def test_case_e07_an_edge_belongs_to_what_begins_there(floor: Floor) -> None:
    def shift_at(text: str) -> str:
        return str(ensure_shift_at(property=floor.casino, at=_utc(text)))

    assert shift_at("2026-11-29T05:59:59.999999-08:00") == "2026-11-28 Grave"
    assert shift_at("2026-11-29T06:00:00-08:00") == "2026-11-29 Day"
    assert shift_at("2026-11-29T13:59:59.999999-08:00") == "2026-11-29 Day"
    assert shift_at("2026-11-29T14:00:00-08:00") == "2026-11-29 Swing"
    assert GamingDay.objects.count() == 2
    assert Shift.objects.count() == 6


@pytest.mark.parametrize("moved_to", [dt.time(4), dt.time(8)])
def test_case_e09_moving_the_cut_over_moves_no_past_day_and_leaves_no_gap(
    floor: Floor, moved_to: dt.time
) -> None:
    noon = _utc("2026-11-29T12:00:00-08:00")
    ensure_shift_at(property=floor.casino, at=noon)
    GamingDayStart.objects.create(
        property=floor.casino, from_date=dt.date(2026, 11, 30), starts_at=moved_to, recorded_at=noon
    )

    for hour in range(-30, 60):
        at = noon + dt.timedelta(hours=hour)
        shift = ensure_shift_at(property=floor.casino, at=at)
        assert shift.starts_at <= at < shift.ends_at

    days = list(GamingDay.objects.order_by("date"))
    assert all(one.ends_at == two.starts_at for one, two in itertools.pairwise(days))
    of_the_29th = GamingDay.objects.get(date="2026-11-29")
    assert of_the_29th.starts_at == _utc("2026-11-29T06:00:00-08:00")
    assert of_the_29th.ends_at == _utc("2026-11-30T06:00:00-08:00")
    assert days[-1].starts_at.astimezone(LA).time() == moved_to


def test_properties_keep_their_own_days(floor: Floor) -> None:
    tokyo = build_floor(code="TYO", zone="Asia/Tokyo")
    at = _utc("2026-11-29T20:00:00Z")
    assert str(ensure_shift_at(property=floor.casino, at=at)) == "2026-11-29 Day"
    assert str(ensure_shift_at(property=tokyo.casino, at=at)) == "2026-11-29 Grave"


def test_case_x19_day_that_another_entry_has_just_made_is_taken(floor: Floor) -> None:
    """Given an entry that found no gaming day, and another that made it before this one could."""
    at = _utc("2026-11-29T12:00:00-08:00")
    made = ensure_shift_at(property=floor.casino, at=at)
    assert make_shift_at(floor.casino, at) == made
    assert [str(day.date) for day in GamingDay.objects.all()] == ["2026-11-29"]
