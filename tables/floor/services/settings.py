"""Setting up the floor: pits, tables with their limits, dealers (ADR 15).

A table stays at its property, and nothing is deleted: what is not used any more is inactive.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from tables.changes import Kind, Settings, adding, changing
from tables.errors import NotFoundError, SettingInUseError
from tables.floor.models import Dealer, Pit, Table
from tables.floor.shapes import (
    DealerSettings,
    DealerSettingsOut,
    PitSettingsOut,
    TableSettings,
    TableSettingsOut,
)
from tables.locks import lock_record, lock_table
from tables.permissions import Command, property_id_of, property_of
from tables.recording import Act
from tables.shapes import SkipJsonSchema, code, shown

Code = Annotated[str, code(16)]


def _find_pit(act: Act[Any], pit_code: str) -> Pit:
    pit = Pit.objects.filter(property_id=property_id_of(act.actor), code=pit_code).first()
    if pit is None:
        message = f"expected a pit of your property, got {shown(pit_code)}"
        raise NotFoundError(message, place="pit")
    return pit


def _refuse_in_play(_act: Act[Any], table: Table, values: Mapping[str, Any]) -> None:
    if table.pk and not values.get("is_active", True) and _is_open(table):
        message = f"expected a closed table, {table.code} is open"
        raise SettingInUseError(message, place="is_active")


def _is_open(table: Table) -> bool:
    return table.sessions.filter(closed_at=None).exists()


def _refuse_dealing(_act: Act[Any], dealer: Dealer, values: Mapping[str, Any]) -> None:
    if dealer.pk and not values.get("is_active", True) and _deals(dealer):
        message = f"expected a dealer who deals nowhere, {dealer.badge} deals now"
        raise SettingInUseError(message, place="is_active")


def _deals(dealer: Dealer) -> bool:
    return dealer.assignments.filter(ends_at=None).exists()


def _lock_dealer(act: Act[Any]) -> Dealer:
    badge = act.request.badge
    return lock_record(
        Dealer.objects.filter(property_id=property_id_of(act.actor), badge=badge),
        words=f"the badge of a dealer, got {shown(badge)}",
        place="badge",
    )


PIT: Final[Kind[Pit]] = Kind(word="pit", key="code", settings=Settings, answer=PitSettingsOut)
TABLE: Final[Kind[Table]] = Kind(
    word="table",
    key="code",
    settings=TableSettings,
    answer=TableSettingsOut,
    lock=lambda act: lock_table(user=act.actor, code=act.request.code),
    refuse=_refuse_in_play,
    named={"pit": _find_pit},
)
DEALER: Final[Kind[Dealer]] = Kind(
    word="dealer",
    key="badge",
    settings=DealerSettings,
    answer=DealerSettingsOut,
    lock=_lock_dealer,
    refuse=_refuse_dealing,
)

add_pit = adding(
    Command.PIT_ADD,
    PIT,
    "Add a pit.",
    new=lambda act: Pit(property=property_of(act.actor), code=act.request.code),
    code=Code,
)
add_table = adding(
    Command.TABLE_ADD,
    TABLE,
    "Add a table to a pit.",
    new=lambda act: Table(property=property_of(act.actor), code=act.request.code),
    code=Code,
)
change_table = changing(
    Command.TABLE_CHANGE,
    TABLE,
    "Change a table's limits, seats or pit, or take it out.",
    code=SkipJsonSchema[str],
)
add_dealer = adding(
    Command.DEALER_ADD,
    DEALER,
    "Add a dealer.",
    new=lambda act: Dealer(property=property_of(act.actor), badge=act.request.badge),
    badge=Code,
)
change_dealer = changing(
    Command.DEALER_CHANGE,
    DEALER,
    "Rename a dealer, or say that they left or came back.",
    badge=SkipJsonSchema[str],
)
