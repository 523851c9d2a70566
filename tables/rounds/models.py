"""Rounds as they were dealt, set, bet and settled; append-only tables all (`tables/sql/`)."""

from django.db import models
from django.db.models import Q

from games.engine.outcomes import Event, Outcome
from games.engine.settlement import Compliance
from games.engine.wagers import Wager
from tables.append_only import AppendOnlyModel
from tables.floor.models import Dealer, Shift, Table
from tables.property.models import User


class FloorEvent(AppendOnlyModel):
    """What every event at a table carries: two times, and the bucket it counts in.

    `occurred_at` is claimed by the caller, `recorded_at` set by the server. Shift, gaming day and
    hour are computed once from `occurred_at` and stored (`tables.gaming_day`).
    """

    # Single-column indexes that a wider one below already serves are left out: an entry writes
    # every index.
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+", db_index=False)
    dealer = models.ForeignKey(Dealer, on_delete=models.PROTECT, related_name="+", null=True)
    shift = models.ForeignKey(Shift, on_delete=models.PROTECT, related_name="+", db_index=False)
    gaming_day = models.DateField()
    hour = models.DateTimeField()
    occurred_at = models.DateTimeField()
    recorded_at = models.DateTimeField()

    class Meta:
        abstract = True


class Round(FloorEvent):
    """One round: the dealer's hand as entered, as required, and the settlement as first answered.

    `round_id` is made by the client; `CommandKey` keeps it unique at the property.
    `sequence` numbers the rounds of a table without gaps. `settlement` is the answer given when
    the round was recorded; the figures that reports add up stand beside it as columns.
    """

    round_id = models.CharField(max_length=64)
    sequence = models.BigIntegerField()
    entered_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    ruleset_id = models.CharField(max_length=64)
    card_entry = models.CharField(max_length=8)
    dealer_cards = models.CharField(max_length=32)
    dealer_low = models.CharField(max_length=8, blank=True)
    dealer_high = models.CharField(max_length=16, blank=True)
    house_way_step = models.PositiveSmallIntegerField()
    house_way_rule = models.CharField(max_length=16)
    required_low = models.CharField(max_length=8)
    required_high = models.CharField(max_length=16)
    compliance = models.CharField(
        max_length=16, choices=[(item.value, item.value) for item in Compliance]
    )
    house_net_minor = models.BigIntegerField()
    settlement = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "sequence"], name="round_sequence_unique"),
            models.CheckConstraint(condition=Q(sequence__gte=1), name="round_sequence_from_1"),
            models.CheckConstraint(
                condition=Q(compliance__in=[item.value for item in Compliance]),
                name="round_compliance_known",
            ),
            models.CheckConstraint(
                condition=Q(dealer_low="", dealer_high="", compliance=Compliance.NOT_RECORDED.value)
                | (
                    ~Q(dealer_low="")
                    & ~Q(dealer_high="")
                    & ~Q(compliance=Compliance.NOT_RECORDED.value)
                ),
                name="round_compliance_needs_setting",
            ),
        ]
        indexes = [
            models.Index(fields=["table", "shift", "hour", "dealer"], name="round_bucket"),
            models.Index(fields=["gaming_day"], name="round_gaming_day"),
        ]

    def __str__(self) -> str:
        return f"{self.table}/{self.sequence}"


class SeatHand(AppendOnlyModel):
    """A player's seven cards at one seat, the setting as it was made, and the event."""

    round = models.ForeignKey(
        Round, on_delete=models.PROTECT, related_name="seat_hands", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    cards = models.CharField(max_length=32)
    low = models.CharField(max_length=8)
    high = models.CharField(max_length=16)
    event = models.CharField(max_length=32, choices=[(item.value, item.value) for item in Event])
    is_foul = models.BooleanField()
    net_minor = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "seat"], name="seathand_seat_unique"),
            models.CheckConstraint(
                condition=Q(seat__gte=1, seat__lte=6), name="seathand_seat_1_to_6"
            ),
            models.CheckConstraint(
                condition=Q(event__in=[item.value for item in Event]), name="seathand_event_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round} seat {self.seat}"


class Bet(AppendOnlyModel):
    """One wager of one seat and what it came to. Amounts are minor units, the player's view.

    `line` is what the wager was paid on: the event for the main bet, the pay-table line for a
    side bet.
    """

    seat_hand = models.ForeignKey(
        SeatHand, on_delete=models.PROTECT, related_name="bets", db_index=False
    )
    wager = models.CharField(max_length=32, choices=[(item.value, item.value) for item in Wager])
    amount_minor = models.BigIntegerField()
    outcome = models.CharField(max_length=8, choices=[(item.value, item.value) for item in Outcome])
    line = models.CharField(max_length=32)
    net_minor = models.BigIntegerField()
    limit_breach = models.CharField(max_length=16, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat_hand", "wager"], name="bet_wager_unique"),
            models.CheckConstraint(condition=Q(amount_minor__gt=0), name="bet_amount_positive"),
            models.CheckConstraint(
                condition=Q(wager__in=[item.value for item in Wager]), name="bet_wager_known"
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=[item.value for item in Outcome]),
                name="bet_outcome_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seat_hand} {self.wager}"


class RoundVoid(FloorEvent):
    """The reversal of a round: a record of its own, in the bucket of its own time (BP-8.4)."""

    class Reason(models.TextChoices):
        """Why a round was voided."""

        ENTRY_ERROR = "entry_error", "Entered wrongly"
        MISDEAL = "misdeal", "Misdeal found after entry"
        DEALER_ERROR = "dealer_error", "Dealer error"
        DISPUTE = "dispute", "Dispute ruled"
        OTHER = "other", "Other"

    void_id = models.CharField(max_length=64)
    round = models.OneToOneField(Round, on_delete=models.PROTECT, related_name="void")
    reason_code = models.CharField(max_length=16, choices=Reason.choices)
    reason = models.CharField(max_length=500)
    authority = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    voided_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="roundvoid_reason_given"),
        ]
        indexes = [
            models.Index(fields=["table", "shift", "hour", "dealer"], name="roundvoid_bucket"),
        ]

    def __str__(self) -> str:
        return f"void of {self.round}"


class RoundNote(AppendOnlyModel):
    """What someone noted on a round after it was recorded, and why; the round stays as it is."""

    note_id = models.CharField(max_length=64)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="notes")
    text = models.CharField(max_length=2000)
    reason = models.CharField(max_length=500)
    noted_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"note on {self.round}"


class Misdeal(FloorEvent):
    """A deal that could not be played: all bets returned and the deck set aside (BP-8.1)."""

    class Kind(models.TextChoices):
        """What was wrong with the deal."""

        WRONG_CARD_COUNT = "wrong_card_count", "A hand without seven cards"
        CARD_SEEN_TWICE = "card_seen_twice", "A card or the joker seen twice"

    misdeal_id = models.CharField(max_length=64)
    kind = models.CharField(max_length=32, choices=Kind.choices)
    seats_in_play = models.PositiveSmallIntegerField()
    stub_expected = models.PositiveSmallIntegerField()
    stub_counted = models.PositiveSmallIntegerField(null=True)
    reason = models.CharField(max_length=500)
    authority = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    recorded_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(seats_in_play__gte=1, seats_in_play__lte=6),
                name="misdeal_seats_1_to_6",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="misdeal_reason_given"),
        ]

    def __str__(self) -> str:
        return f"misdeal at {self.table}"


class DirtyBucket(models.Model):
    """A bucket (table, dealer, shift, hour) whose figures must be computed again.

    Rows are only added here and only removed by the roll-up; the same bucket may stand in many
    rows, so that an entry never waits for a roll-up in progress.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+", db_index=False)
    dealer = models.ForeignKey(
        Dealer, on_delete=models.PROTECT, related_name="+", null=True, db_index=False
    )
    shift = models.ForeignKey(Shift, on_delete=models.PROTECT, related_name="+", db_index=False)
    hour = models.DateTimeField()

    def __str__(self) -> str:
        return f"table {self.table_id}, shift {self.shift_id}, hour {self.hour.isoformat()}"
