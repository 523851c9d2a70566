"""Rolling up: bringing the figures of every registered roll-up in step with the records.

What is dirty is always computed whole, from the records, so a roll-up may run again, or twice at
once, or die half-way. Which figures there are, and how they are computed, `roll_ups` knows.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db import connection, transaction
from django.db.models import QuerySet

from reporting.figures.models import RollupCursor
from reporting.figures.roll_ups import list_roll_ups
from reporting.figures.scopes import TableHour, everything, of_gaming_days, of_table_hours
from tables.models import DirtyBucket

# Above the time that any one roll-up transaction takes; a rebuild in progress makes a roll-up
# give up and be tried again.
LOCK_SECONDS_MAX: Final = 10
# The OR over the hours of a batch must stay below SQLite's limit of 1,000 nested expressions.
BATCH_MARKS: Final = 500


@dataclass(frozen=True, slots=True)
class RollUpResult:
    """How many marks of dirty buckets were worked off, in how many transactions."""

    marks: int = 0
    transactions: int = 0


def roll_up(*, at: dt.datetime, batch: int = BATCH_MARKS) -> RollUpResult:
    """Bring the figures up to date with every record that was committed before the call.

    Works off the marks (`DirtyBucket`) that exist now, the hours of `batch` of them a transaction;
    what comes in meanwhile has a wake-up of its own, so the call ends even when entry does not
    pause. Raises OperationalError when the lock of the roll-ups could not be had in time.
    """
    last_mark = DirtyBucket.objects.order_by("-pk").values_list("pk", flat=True).first()
    if last_mark is None:
        return RollUpResult()
    waiting = DirtyBucket.objects.filter(pk__lte=last_mark)
    marks = transactions = 0
    while waiting.exists():
        first_marks = waiting.order_by("pk")[:batch]
        # Before the lock and in small transactions: a long preparation must not make entry wait.
        prepared = _prepare(_hours_of(first_marks))
        marks += _roll_up_batch(first_marks, prepared, at=at)
        transactions += 1
    return RollUpResult(marks=marks, transactions=transactions)


def roll_up_backlog(*, at: dt.datetime) -> RollUpResult:
    """Roll up again what lacked something that is to be had now, such as a ruleset's values."""
    buckets = {bucket for each in list_roll_ups() for bucket in each.find_backlog()}
    if not buckets:
        return RollUpResult()
    DirtyBucket.objects.bulk_create(DirtyBucket(**bucket._asdict()) for bucket in buckets)
    return roll_up(at=at)


@transaction.atomic(durable=True)
def _roll_up_batch(
    first_marks: QuerySet[DirtyBucket], prepared: Mapping[str, frozenset[int]], *, at: dt.datetime
) -> int:
    """Recompute the hours of the first marks; how many marks that worked off.

    `prepared` are the rounds, for each roll-up, that were prepared already.

    Why no round is lost at READ COMMITTED: a round and its mark are committed together. If the
    mark is among those read here, the round was committed before, and every `recompute`, whose
    statements come later, sees it. If the round is committed after the marks were read, its mark
    is not deleted here, whether or not some figures caught the round, and its hour is computed
    again. Marks go in the same transaction, when all roll-ups have computed: if one fails, none
    has moved. Only the lock of the cursors makes this true of two calls at once: without it the
    slower of two could write older figures over newer ones whose marks are gone.
    """
    cursors = _lock_cursors()
    hours = _hours_of(first_marks)
    if not hours:
        return 0
    # The other marks of these hours are worked off with them: in a backlog an hour has many.
    of_hours = DirtyBucket.objects.filter(of_table_hours(hours)(""))
    marks = list(of_hours.values_list("pk", flat=True))
    for each in list_roll_ups():
        scope = each.scope_of(hours)
        # The rounds that came since: their marks are worked off here too.
        each.prepare(scope, prepared.get(each.name, frozenset()))
        each.recompute(scope)
        _advance(cursors[each.name], at)
    DirtyBucket.objects.filter(pk__in=marks).delete()
    return len(marks)


def rebuild(
    *, at: dt.datetime, first_day: dt.date | None = None, last_day: dt.date | None = None
) -> None:
    """Throw the figures of a range of gaming days away and compute them from the records.

    Without days, all of them. What they need is made again first, some rounds at a time. The
    figures are one transaction: readers see the old or the new ones. Marks stay where they
    are; working them off afterwards changes nothing.
    """
    is_whole = first_day is None and last_day is None
    scope = (
        everything()
        if is_whole
        else of_gaming_days(first_day or dt.date.min, last_day or dt.date.max)
    )
    for each in list_roll_ups():
        each.prepare_anew(scope)
    with transaction.atomic(durable=True):
        cursors = _lock_cursors()
        for each in list_roll_ups():
            cursor = cursors[each.name]
            each.recompute(scope)
            _advance(cursor, at if is_whole else cursor.rolled_up_at)


def _hours_of(marks: QuerySet[DirtyBucket]) -> list[TableHour]:
    return [TableHour(*mark) for mark in marks.values_list("table_id", "shift_id", "hour")]


def _prepare(hours: list[TableHour]) -> Mapping[str, frozenset[int]]:
    if not hours:
        return {}
    return {each.name: each.prepare(each.scope_of(hours), frozenset()) for each in list_roll_ups()}


def _lock_cursors() -> Mapping[str, RollupCursor]:
    """The lock of all roll-ups, until the end of the transaction: their cursors by name.

    Raises OperationalError.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as sql:
            sql.execute(
                "SELECT set_config('lock_timeout', %s, true)", [f"{LOCK_SECONDS_MAX * 1000}ms"]
            )
    # SQLite has one writer at a time: the transaction itself is the lock, and its wait is bounded
    # by the connection's timeout.
    names = [each.name for each in list_roll_ups()]
    rows = RollupCursor.objects.filter(name__in=names).order_by("name")
    locked = rows.select_for_update(of=("self",))
    cursors = {cursor.name: cursor for cursor in locked}
    if len(cursors) < len(names):
        # Two first roll-ups at once meet at the primary key: the later one waits for the earlier.
        for name in names:
            RollupCursor.objects.get_or_create(name=name)
        cursors = {cursor.name: cursor for cursor in locked.all()}
    return cursors


def _advance(cursor: RollupCursor, rolled_up_at: dt.datetime | None) -> None:
    cursor.revision += 1
    cursor.rolled_up_at = rolled_up_at
    cursor.save(update_fields=["revision", "rolled_up_at"])
