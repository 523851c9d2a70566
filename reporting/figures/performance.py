"""The roll-up of the performance report: rounds and bets by bucket, with what the bets were worth.

A bucket is always computed whole, from the records, by the one statement in `sums`: there is
nothing to add up twice or to forget, and incremental, rebuilt and straight sums agree by
construction.

The bets of a bucket are appraised first, as far as the values of their rulesets are ready
(`reporting.worth`). Figures do not wait for those; the backlog makes up for it.
"""

from collections.abc import Collection
from typing import Final

from django.db.models import F

from reporting.figures.models import BucketLine, RollupCursor, Subject
from reporting.figures.roll_ups import Bucket, RollUp
from reporting.figures.scopes import Scope
from reporting.figures.sums import find_differences, insert_lines
from reporting.worth.services import appraise, prepare, reappraise
from tables.models import Property, Round, RoundVoid


def _replace_lines(scope: Scope) -> None:
    BucketLine.objects.filter(scope("")).delete()
    insert_lines(scope)


def _appraise(scope: Scope, done: frozenset[int]) -> frozenset[int]:
    round_ids = _rounds_of(scope)
    appraise(round_ids - done)
    return round_ids


def _appraise_anew(scope: Scope) -> None:
    round_ids = _rounds_of(scope)
    played = Round.objects.filter(scope("")).order_by()
    prepare(played.values_list("ruleset_id", flat=True).distinct())
    reappraise(round_ids)


def _rounds_of(scope: Scope) -> frozenset[int]:
    """The keys of the rounds that a scope counts: those played in it, and those voided in it."""
    played = Round.objects.filter(scope("")).values_list("pk", flat=True)
    voided = RoundVoid.objects.filter(scope("")).values_list("round_id", flat=True)
    return frozenset((*played, *voided))


def _find_unappraised() -> Collection[Bucket]:
    """Make the values of the rulesets in play ready; the buckets that were rolled up without.

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
    buckets = unappraised.filter(ruleset_id__in=new).values_list(*Bucket._fields)
    return [Bucket(*bucket) for bucket in buckets.distinct()]


PERFORMANCE: Final = RollUp(
    name=RollupCursor.PERFORMANCE,
    recompute=_replace_lines,
    find_differences=find_differences,
    prepare=_appraise,
    prepare_anew=_appraise_anew,
    find_backlog=_find_unappraised,
)
