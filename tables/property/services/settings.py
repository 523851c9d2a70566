"""Setting up a property: its name and rules, its shifts, and when its gaming days begin (ADR 15).

What history rests on stays: once a table was opened there, the currency and the zone of a property
are as they are, and a gaming day begins at another time only from a future date on.
"""

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Any, Final

from tables.changes import Kind, changing, old_and_new, save
from tables.errors import FieldError, SettingInUseError
from tables.gaming_day import gaming_day_of
from tables.locks import lock_property, lock_tables
from tables.permissions import Command
from tables.property.currencies import minor_digits_of
from tables.property.models import GamingDayStart, Property, ShiftDefinition
from tables.property.selectors import day_starts_of
from tables.property.shapes import (
    DayStartRequest,
    PropertySettings,
    PropertySettingsOut,
    ShiftSetting,
)
from tables.recording import Act, Done, recorded_as

_RESTED_ON: Final = ("currency", "zone")


def _refuse_rested_on(_act: Act[Any], casino: Property, values: Mapping[str, Any]) -> None:
    """What amounts and times mean stays while there are any. Raises SettingInUseError."""
    if "shifts" in values:
        _refuse_doubled(values["shifts"])
    wanted = [name for name in _RESTED_ON if name in values]
    if not wanted:
        return
    # An opening waits for this, or this for it.
    lock_tables(casino=casino)
    if casino.gaming_days.exists() or casino.tables.filter(sessions__isnull=False).exists():
        raise SettingInUseError(
            f"expected the {wanted[0]} to stay: {casino.code} has recorded under it",
            place=f"changes.{wanted[0]}",
        )


def _refuse_doubled(shifts: Collection[ShiftSetting]) -> None:
    names, starts = {shift.name for shift in shifts}, {shift.starts_at for shift in shifts}
    if len(shifts) != len(names) or len(shifts) != len(starts):
        raise FieldError("expected each name and each start of a shift once", place="shifts")


def _set_currency(casino: Property, currency: str) -> None:
    casino.currency, casino.minor_digits = currency, minor_digits_of(currency)
    save(casino)


def _set_shifts(casino: Property, shifts: Collection[ShiftSetting]) -> None:
    """Shifts of gaming days that were made stay as they are."""
    casino.shift_definitions.all().delete()
    ShiftDefinition.objects.bulk_create(
        ShiftDefinition(property=casino, name=shift.name, starts_at=shift.starts_at)
        for shift in shifts
    )


PROPERTY: Final[Kind[Property]] = Kind(
    word="property",
    key="code",
    settings=PropertySettings,
    answer=PropertySettingsOut,
    lock=lambda act: lock_property(user=act.actor),
    refuse=_refuse_rested_on,
    apart={"currency": _set_currency, "shifts": _set_shifts},
)

change_property = changing(
    Command.PROPERTY_CHANGE, PROPERTY, "Change the property's name, rules, shifts or clock."
)


@recorded_as(
    Command.DAY_START_CHANGE,
    DayStartRequest,
    keep=lambda answer: answer.model_dump(mode="json"),
    find=PropertySettingsOut.model_validate,
)
def change_day_start(act: Act[DayStartRequest]) -> Done[PropertySettingsOut]:
    """Let gaming days begin at another local time from a future date on.

    Raises SettingConflictError, SettingInUseError for a date that is not in the future,
    SettingUnchangedError.
    """
    asked, casino = act.request, lock_property(user=act.actor)
    starts = day_starts_of(casino)
    today = gaming_day_of(act.at, zone=casino.tzinfo, starts=starts)
    if asked.from_date <= today or casino.gaming_days.filter(date__gte=asked.from_date).exists():
        raise SettingInUseError(
            f"expected a date after the gaming day {today.isoformat()}, "
            f"got {asked.from_date.isoformat()}",
            place="from_date",
        )
    old, new = old_and_new(
        {"starts_at": _told(asked.expected)},
        {"starts_at": _told(starts.on(asked.from_date))},
        {"starts_at": _told(asked.starts_at)},
    )
    GamingDayStart.objects.create(
        property=casino,
        from_date=asked.from_date,
        starts_at=asked.starts_at,
        recorded_at=act.at,
    )
    detail = {"from_date": asked.from_date.isoformat(), "old": old, "new": new}
    return Done(PropertySettingsOut.of(casino), f"day start {casino.code}", detail)


def _told(time: dt.time) -> str:
    return f"{time:%H:%M}"
