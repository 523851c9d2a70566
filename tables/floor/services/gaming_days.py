"""Making gaming days and their shifts when they are first needed."""

import datetime as dt

from tables.floor.models import GamingDay, Shift
from tables.floor.selectors.shifts import find_shift_at
from tables.gaming_day import ONE_DAY, ShiftStart, Span, gaming_day_of, gaming_day_span, shift_spans
from tables.property.models import Property, ShiftDefinition
from tables.property.selectors import day_starts_of


def ensure_shift_at(*, property: Property, at: dt.datetime) -> Shift:  # noqa: A002  (the trade's word)
    """The shift that holds an instant, making its gaming day if this is the first event of it.

    Runs inside the caller's transaction. Two callers that make the same day at once meet at its
    unique date: the later one waits, then reads what the first one made.
    """
    shift = find_shift_at(property_id=property.pk, at=at)
    return shift if shift is not None else make_shift_at(property, at)


def make_shift_at(casino: Property, at: dt.datetime) -> Shift:
    """Make the gaming day that holds an instant, with its shifts; the shift of the instant."""
    span = _free_span(casino, at)
    day = dt.date.fromisoformat(span.name)
    gaming_day, was_made = GamingDay.objects.get_or_create(
        property=casino,
        date=day,
        defaults={"starts_at": span.starts_at, "ends_at": span.ends_at},
    )
    if was_made:
        definitions = ShiftDefinition.objects.filter(property=casino).order_by("pk")
        starts = [ShiftStart(item.name, item.starts_at) for item in definitions]
        Shift.objects.bulk_create(
            Shift(
                gaming_day=gaming_day,
                name=shift.name,
                starts_at=shift.starts_at,
                ends_at=shift.ends_at,
            )
            for shift in shift_spans(day, span=span, zone=casino.tzinfo, shifts=starts)
        )
    return Shift.objects.select_related("gaming_day").get(
        gaming_day=gaming_day, starts_at__lte=at, ends_at__gt=at
    )


def _free_span(casino: Property, at: dt.datetime) -> Span:
    """The span of the day of an instant, meeting its neighbours even after the cut-over was moved.

    Days already made keep their edges, so a new one reaches from where the day before ended to
    where the day after begins.
    """
    zone, starts = casino.tzinfo, day_starts_of(casino)
    day = gaming_day_of(at, zone=zone, starts=starts)
    known = {
        item.date: item
        for item in GamingDay.objects.filter(
            property=casino, date__range=(day - 2 * ONE_DAY, day + 2 * ONE_DAY)
        )
    }
    for made in known.values():
        if made.starts_at <= at < made.ends_at:
            # Made by another table's entry since this one looked for it.
            return Span(made.date.isoformat(), made.starts_at, made.ends_at)
    if day in known:
        day += ONE_DAY if at >= known[day].ends_at else -ONE_DAY
    span = gaming_day_span(day, zone=zone, starts=starts)
    before, after = known.get(day - ONE_DAY), known.get(day + ONE_DAY)
    return Span(
        name=span.name,
        starts_at=before.ends_at if before else span.starts_at,
        ends_at=after.starts_at if after else span.ends_at,
    )
