"""Rolling rounds and voids up into the figures of their buckets, and checking the result.

A bucket is always computed whole, from the records, by the one statement in `reporting.sums`:
there is nothing to add up twice or to forget, so a roll-up may run again, or twice at once, or
die half-way, and incremental, rebuilt and straight sums agree by construction.
"""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.db import connection, transaction
from django.db.models import QuerySet

from reporting.models import BucketLine, RollupCursor
from reporting.sums import (
    Scope,
    TableHour,
    everything,
    insert_lines,
    of_gaming_days,
    of_table_hours,
)
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
        marks += _roll_up_batch(waiting.order_by("pk")[:batch], at=at)
        transactions += 1
    return RollUpResult(marks=marks, transactions=transactions)


@transaction.atomic(durable=True)
def _roll_up_batch(first_marks: QuerySet[DirtyBucket], *, at: dt.datetime) -> int:
    """Recompute the hours of the first marks; how many marks that worked off.

    Why no round is lost at READ COMMITTED: a round and its mark are committed together. If the
    mark is among those read here, the round was committed before, and the sums, which a later
    statement computes, see it. If the round is committed after the marks were read, its mark is
    not deleted here, whether or not the sums caught the round, and its hour is computed again.
    Only the lock of the cursor makes this true of two roll-ups at once: without it the slower of
    two could write older sums over newer ones whose marks are gone.
    """
    cursor = _lock_cursor()
    hours = [TableHour(*mark) for mark in first_marks.values_list("table_id", "shift_id", "hour")]
    if not hours:
        return 0
    scope = of_table_hours(hours)
    # The other marks of these hours are worked off with them: in a backlog an hour has many.
    marks = list(DirtyBucket.objects.filter(scope("")).values_list("pk", flat=True))
    _replace_lines(scope)
    DirtyBucket.objects.filter(pk__in=marks).delete()
    _advance(cursor, at)
    return len(marks)


def rebuild(
    *, at: dt.datetime, first_day: dt.date | None = None, last_day: dt.date | None = None
) -> None:
    """Throw the figures of a range of gaming days away and compute them from the records.

    Without days, all of them. One transaction: readers see the old figures or the new ones. Marks
    stay where they are; working them off afterwards changes nothing.
    """
    with transaction.atomic(durable=True):
        cursor = _lock_cursor()
        _replace_lines(
            everything()
            if first_day is None and last_day is None
            else of_gaming_days(first_day or dt.date.min, last_day or dt.date.max)
        )
        _advance(cursor, at if first_day is None and last_day is None else cursor.rolled_up_at)


def _lock_cursor() -> RollupCursor:
    """The lock of all roll-ups, until the end of the transaction. Raises OperationalError."""
    if connection.vendor == "postgresql":
        with connection.cursor() as sql:
            sql.execute(
                "SELECT set_config('lock_timeout', %s, true)", [f"{LOCK_SECONDS_MAX * 1000}ms"]
            )
    # SQLite has one writer at a time: the transaction itself is the lock, and its wait is bounded
    # by the connection's timeout.
    locked = RollupCursor.objects.select_for_update(of=("self",)).filter(
        name=RollupCursor.PERFORMANCE
    )
    cursor = locked.first()
    if cursor is None:
        # Two first roll-ups at once meet at the primary key: the later one waits for the earlier.
        RollupCursor.objects.get_or_create(name=RollupCursor.PERFORMANCE)
        cursor = locked.get()
    return cursor


def _replace_lines(scope: Scope) -> None:
    BucketLine.objects.filter(scope("")).delete()
    insert_lines(scope)


def _advance(cursor: RollupCursor, rolled_up_at: dt.datetime | None) -> None:
    cursor.revision += 1
    cursor.rolled_up_at = rolled_up_at
    cursor.save(update_fields=["revision", "rolled_up_at"])
