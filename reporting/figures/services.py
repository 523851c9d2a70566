"""Rolling rounds and voids up into the figures of their buckets.

A bucket is always computed whole, from the records, by the one statement in `sums`:
there is nothing to add up twice or to forget, so a roll-up may run again, or twice at once, or
die half-way, and incremental, rebuilt and straight sums agree by construction.

The bets of a bucket are appraised first, as far as the values of their rulesets are ready
(`reporting.worth`). Figures do not wait for those; `appraise_backlog` makes up for it.
"""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.db import connection, transaction
from django.db.models import F, QuerySet

from reporting.figures.models import BucketLine, RollupCursor, Subject
from reporting.figures.scopes import Scope, TableHour, everything, of_gaming_days, of_table_hours
from reporting.figures.sums import insert_lines
from reporting.worth.services import appraise, prepare, reappraise
from tables.models import DirtyBucket, Property, Round, RoundVoid

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
        # Before the lock and in small transactions: appraising a backlog must not make entry wait.
        hours = _hours_of(first_marks)
        appraised = _rounds_of(of_table_hours(hours)) if hours else frozenset()
        appraise(appraised)
        marks += _roll_up_batch(first_marks, appraised, at=at)
        transactions += 1
    return RollUpResult(marks=marks, transactions=transactions)


def appraise_backlog(*, at: dt.datetime) -> RollUpResult:
    """Make the values of the rulesets in play ready, and roll up again what lacked them.

    Takes seconds for a ruleset that nobody ever asked for, and three small queries otherwise.
    """
    unappraised = BucketLine.objects.filter(appraised_count__lt=F("count")).exclude(
        subject=Subject.ROUND
    )
    played = Property.objects.values_list("ruleset_id", flat=True)
    # A worker process that waited for another's values would be missing for the figures.
    new = prepare(
        {*played, *unappraised.values_list("ruleset_id", flat=True).distinct()}, may_wait=False
    )
    if not new:
        return RollUpResult()
    buckets = unappraised.filter(ruleset_id__in=new).values_list(
        "table_id", "dealer_id", "shift_id", "hour"
    )
    DirtyBucket.objects.bulk_create(
        DirtyBucket(table_id=table_id, dealer_id=dealer_id, shift_id=shift_id, hour=hour)
        for table_id, dealer_id, shift_id, hour in buckets.distinct()
    )
    return roll_up(at=at)


@transaction.atomic(durable=True)
def _roll_up_batch(
    first_marks: QuerySet[DirtyBucket], appraised: frozenset[int], *, at: dt.datetime
) -> int:
    """Recompute the hours of the first marks; how many marks that worked off.

    `appraised` are rounds that need not be looked at again.

    Why no round is lost at READ COMMITTED: a round and its mark are committed together. If the
    mark is among those read here, the round was committed before, and the sums, which a later
    statement computes, see it. If the round is committed after the marks were read, its mark is
    not deleted here, whether or not the sums caught the round, and its hour is computed again.
    Only the lock of the cursor makes this true of two roll-ups at once: without it the slower of
    two could write older sums over newer ones whose marks are gone.
    """
    cursor = _lock_cursor()
    hours = _hours_of(first_marks)
    if not hours:
        return 0
    scope = of_table_hours(hours)
    # The other marks of these hours are worked off with them: in a backlog an hour has many.
    marks = list(DirtyBucket.objects.filter(scope("")).values_list("pk", flat=True))
    # The rounds that came since: their marks are worked off here too.
    appraise(_rounds_of(scope) - appraised)
    _replace_lines(scope)
    DirtyBucket.objects.filter(pk__in=marks).delete()
    _advance(cursor, at)
    return len(marks)


def rebuild(
    *, at: dt.datetime, first_day: dt.date | None = None, last_day: dt.date | None = None
) -> None:
    """Throw the figures of a range of gaming days away and compute them from the records.

    Without days, all of them. What the bets were worth is made again first, some rounds at a time.
    The figures are one transaction: readers see the old or the new ones. Marks stay where they
    are; working them off afterwards changes nothing.
    """
    is_whole = first_day is None and last_day is None
    scope = (
        everything()
        if is_whole
        else of_gaming_days(first_day or dt.date.min, last_day or dt.date.max)
    )
    round_ids = _rounds_of(scope)
    played = Round.objects.filter(scope("")).order_by()
    prepare(played.values_list("ruleset_id", flat=True).distinct())
    reappraise(round_ids)
    with transaction.atomic(durable=True):
        cursor = _lock_cursor()
        _replace_lines(scope)
        _advance(cursor, at if is_whole else cursor.rolled_up_at)


def _hours_of(marks: QuerySet[DirtyBucket]) -> list[TableHour]:
    return [TableHour(*mark) for mark in marks.values_list("table_id", "shift_id", "hour")]


def _rounds_of(scope: Scope) -> frozenset[int]:
    """The keys of the rounds that a scope counts: those played in it, and those voided in it."""
    played = Round.objects.filter(scope("")).values_list("pk", flat=True)
    voided = RoundVoid.objects.filter(scope("")).values_list("round_id", flat=True)
    return frozenset((*played, *voided))


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
