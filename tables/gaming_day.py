"""Gaming days, shifts and hours: the one place that cuts time. Pure; nothing here reads a clock.

A casino's clocks hang in its own zone, and its business day begins at its cut-over, not at
midnight. Every edge belongs to what begins there: a round at 06:00:00 is of the new day. Instants
are aware and compared in UTC, so a day has 23 or 25 hours when the clocks change.
"""

import datetime as dt
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass

ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Span:
    """A named stretch of time: from `starts_at` up to but not including `ends_at`, both UTC."""

    name: str
    starts_at: dt.datetime
    ends_at: dt.datetime


@dataclass(frozen=True, slots=True)
class ShiftStart:
    """A shift of every gaming day and the local time at which it begins."""

    name: str
    starts_at: dt.time


@dataclass(frozen=True, slots=True)
class DayStarts:
    """The local time at which gaming days begin: at first, and from certain dates on, in order."""

    first: dt.time
    later: tuple[tuple[dt.date, dt.time], ...] = ()

    def on(self, day: dt.date) -> dt.time:
        """The start of a day: the one in force from its date or an earlier one.

        >>> starts = DayStarts(dt.time(6), ((dt.date(2027, 1, 1), dt.time(5)),))
        >>> starts.on(dt.date(2026, 12, 31)).hour, starts.on(dt.date(2027, 1, 1)).hour
        (6, 5)
        """
        in_force = [starts_at for from_date, starts_at in self.later if from_date <= day]
        return in_force[-1] if in_force else self.first


def gaming_day_of(at: dt.datetime, *, zone: zoneinfo.ZoneInfo, starts: DayStarts) -> dt.date:
    """The gaming day that holds an instant. Raises ValueError for a naive datetime."""
    if at.tzinfo is None:
        raise ValueError(f"expected an aware datetime, got {at!r}")
    day = at.astimezone(zone).date()
    return day if at >= _edge(day, zone, starts.on(day)) else day - ONE_DAY


def gaming_day_span(day: dt.date, *, zone: zoneinfo.ZoneInfo, starts: DayStarts) -> Span:
    """From the cut-over of one date to the cut-over of the next."""
    return Span(
        name=day.isoformat(),
        starts_at=_edge(day, zone, starts.on(day)),
        ends_at=_edge(day + ONE_DAY, zone, starts.on(day + ONE_DAY)),
    )


def shift_spans(
    day: dt.date, *, span: Span, zone: zoneinfo.ZoneInfo, shifts: Sequence[ShiftStart]
) -> tuple[Span, ...]:
    """The shifts of a gaming day, in order, without a gap from its first instant to its last.

    The first shift begins with the day, whatever its own start says: no shift spans two days.
    A day cut short by a moved cut-over has only the shifts that begin within it. A casino that
    names no shifts has one, the whole day.
    """
    starts = sorted(
        (edge, shift.name)
        for shift in shifts
        if (edge := _edge_within(day, zone, shift.starts_at, span)) < span.ends_at
    )
    if not starts:
        return (Span("day", span.starts_at, span.ends_at),)
    edges = [span.starts_at, *(edge for edge, _ in starts[1:]), span.ends_at]
    return tuple(
        Span(name, edges[index], edges[index + 1]) for index, (_, name) in enumerate(starts)
    )


def hour_of(at: dt.datetime, *, zone: zoneinfo.ZoneInfo) -> dt.datetime:
    """The instant, in UTC, at which the local clock hour that holds an instant began."""
    local = at.astimezone(zone)
    into_the_hour = dt.timedelta(
        minutes=local.minute, seconds=local.second, microseconds=local.microsecond
    )
    return at.astimezone(dt.UTC) - into_the_hour


def _edge(day: dt.date, zone: zoneinfo.ZoneInfo, at: dt.time) -> dt.datetime:
    """A local wall-clock time as an instant; the first of two when the clocks go back."""
    return dt.datetime.combine(day, at, tzinfo=zone).astimezone(dt.UTC)


def _edge_within(day: dt.date, zone: zoneinfo.ZoneInfo, at: dt.time, span: Span) -> dt.datetime:
    """A shift's start on this gaming day: on its date, or after midnight on the next."""
    edge = _edge(day, zone, at)
    return edge if edge >= span.starts_at else _edge(day + ONE_DAY, zone, at)
