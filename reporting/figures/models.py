"""What is rolled up: figures of the finest buckets, and how far it has come.

The finest bucket is a table, a dealer (or none), a shift and an hour. Figures per table, dealer,
hour, shift or gaming day are sums over these rows when a report is read: a table adds about 24
buckets a day, whatever number of rounds it deals, so no coarser copy has to be kept in step.
"""

from typing import Final

from django.db import models
from django.db.models import F, Q

from games.engine.wagers import Wager
from tables.models import Dealer, Shift, Table


class Posting(models.TextChoices):
    """Whether a line adds what was played or takes back what was voided."""

    PLAY = "play", "Play"
    VOID = "void", "Void"


class Subject(models.TextChoices):
    """What a line counts: rounds, or the bets of one wager."""

    ROUND = "round", "Rounds"
    MAIN = Wager.MAIN.value, "Main bets"
    DEALER_BREAK_BONUS = Wager.DEALER_BREAK_BONUS.value, "Dealer Break Bonus bets"
    BREAK_BONUS = Wager.BREAK_BONUS.value, "Break Bonus bets"


class BucketLine(models.Model):
    """One line of a bucket's figures; derived from the rounds, never entered.

    `line` is the dealer's compliance for rounds, the event for main bets, and the pay-table line
    for side bets. A void stands in the bucket of its own time, with the amounts of the round it
    reverses and the posting `void`; the net is play less voids, and what was reported for a day
    that is over stays as it was (BP-8.4).

    `count` is the number of rounds or bets, `late_count` how many of them were recorded after
    their gaming day had ended. Money is minor units, seen from the house. Bets that were returned
    (outcome `void`) were never at risk and stand in no line.

    `appraised_count` is how many of the bets have a `BetWorth`, and what follows is theirs:
    `dealer_error_minor`, and two sums that are exact to a part of a minor unit, each as whole minor
    units and what is left over, in parts of `denominator`. `player_error` is what the settings gave
    away; `returned` what the bets as they were set bring back on the average, stakes and all. Both
    are never negative, so every database divides them alike.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+", db_index=False)
    dealer = models.ForeignKey(
        Dealer, on_delete=models.PROTECT, related_name="+", db_index=False, null=True
    )
    shift = models.ForeignKey(Shift, on_delete=models.PROTECT, related_name="+", db_index=False)
    gaming_day = models.DateField()
    hour = models.DateTimeField()
    posting = models.CharField(max_length=8, choices=Posting.choices)
    subject = models.CharField(max_length=32, choices=Subject.choices)
    line = models.CharField(max_length=32)
    ruleset_id = models.CharField(max_length=64)
    count = models.BigIntegerField()
    late_count = models.BigIntegerField()
    handle_minor = models.BigIntegerField()
    house_win_minor = models.BigIntegerField()
    appraised_count = models.BigIntegerField()
    denominator = models.BigIntegerField()
    player_error_minor = models.BigIntegerField()
    player_error_rest = models.BigIntegerField()
    returned_minor = models.BigIntegerField()
    returned_rest = models.BigIntegerField()
    dealer_error_minor = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=[
                    *("table", "shift", "hour", "dealer"),
                    *("posting", "subject", "line", "ruleset_id"),
                ],
                condition=Q(dealer__isnull=False),
                name="bucketline_unique",
            ),
            models.UniqueConstraint(
                fields=["table", "shift", "hour", "posting", "subject", "line", "ruleset_id"],
                condition=Q(dealer__isnull=True),
                name="bucketline_unique_without_dealer",
            ),
            models.CheckConstraint(
                condition=Q(posting__in=Posting.values), name="bucketline_posting_known"
            ),
            models.CheckConstraint(
                condition=Q(subject__in=Subject.values), name="bucketline_subject_known"
            ),
            models.CheckConstraint(condition=Q(count__gt=0), name="bucketline_count_positive"),
            models.CheckConstraint(
                condition=Q(handle_minor__gte=0), name="bucketline_handle_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(appraised_count__gte=0, appraised_count__lte=F("count")),
                name="bucketline_appraised_are_counted",
            ),
            models.CheckConstraint(
                condition=Q(denominator__gt=0), name="bucketline_denominator_positive"
            ),
        ]
        indexes = [
            models.Index(fields=["gaming_day", "table"], name="bucketline_gaming_day"),
            # Few at any time, and asked for at each roll-up.
            models.Index(
                fields=["ruleset_id"],
                condition=Q(appraised_count__lt=F("count")) & ~Q(subject=Subject.ROUND),
                name="bucketline_unappraised",
            ),
        ]

    def __str__(self) -> str:
        return (
            f"table {self.table_id}, dealer {self.dealer_id}, shift {self.shift_id}, "
            f"hour {self.hour.isoformat()}, {self.posting} {self.subject} {self.line}: "
            f"count {self.count} ({self.late_count} late), handle {self.handle_minor}, "
            f"house win {self.house_win_minor}, ruleset {self.ruleset_id}, "
            f"appraised {self.appraised_count}: player error {self.player_error_minor} + "
            f"{self.player_error_rest}/{self.denominator}, returned {self.returned_minor} + "
            f"{self.returned_rest}/{self.denominator}, dealer error {self.dealer_error_minor}"
        )


class RollupCursor(models.Model):
    """How far a roll-up has come; the row is the lock that lets one run at a time.

    `rolled_up_at` was read from the clock before the work was read from the database.
    `revision` counts the transactions that changed the figures.
    """

    PERFORMANCE: Final = "performance"

    name = models.CharField(max_length=32, primary_key=True)
    revision = models.BigIntegerField(default=0)
    rolled_up_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} at revision {self.revision}"
