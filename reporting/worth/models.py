"""What bets were worth, as it is stored."""

from django.db import models
from django.db.models import F, Q

from games.engine.wagers import Wager
from tables.models import Bet


class BetWorth(models.Model):
    """What a bet was worth; derived from its round, which never changes, and so never updated.

    `best_value` and `setting_value` are what a stake of one nets the player on the average, in
    parts of `denominator`: with the best setting of the seven cards, and as the hand was set.
    `wins` and `losses` count the dealer hands, of C(46,7), with which the setting wins and loses.
    The best setting is named for the main bet only. `dealer_error_minor` is what the dealer's
    setting changed in the house's result.
    """

    # Bets are never deleted, so the database need not lock each of them to see that it is there.
    bet = models.OneToOneField(
        Bet, on_delete=models.PROTECT, related_name="worth", primary_key=True, db_constraint=False
    )
    denominator = models.BigIntegerField()
    best_value = models.BigIntegerField()
    setting_value = models.BigIntegerField()
    wins = models.IntegerField()
    losses = models.IntegerField()
    best_low = models.CharField(max_length=8, blank=True)
    best_high = models.CharField(max_length=16, blank=True)
    dealer_error_minor = models.BigIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(denominator__gt=0), name="betworth_denominator_positive"
            ),
            models.CheckConstraint(
                condition=Q(setting_value__gte=-F("denominator"))
                & Q(setting_value__lte=F("best_value")),
                name="betworth_setting_not_above_best",
            ),
        ]

    def __str__(self) -> str:
        return (
            f"bet {self.bet_id}: best {self.best_value}/{self.denominator} "
            f"({self.best_low} | {self.best_high}), as set {self.setting_value}, "
            f"wins {self.wins}, losses {self.losses}, dealer error {self.dealer_error_minor}"
        )


class WagerValue(models.Model):
    """What a stake of one on a wager nets the best player on the average over all deals.

    An exact fraction, `numerator/denominator`. Kept here so that a report needs no enumeration.
    """

    ruleset_id = models.CharField(max_length=64)
    wager = models.CharField(max_length=32, choices=[(item.value, item.value) for item in Wager])
    expected_value = models.CharField(max_length=100)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ruleset_id", "wager"], name="wagervalue_unique"),
            models.CheckConstraint(
                condition=Q(wager__in=[item.value for item in Wager]), name="wagervalue_wager_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset_id} {self.wager}: {self.expected_value}"
