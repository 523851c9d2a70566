"""The shape of the reports, for the OpenAPI document.

The answers themselves are built by `reporting.api.output`; a test holds them against these.
"""

from typing import Any

from rest_framework import serializers

from games.engine.wagers import Wager
from reporting.metrics import HOLD_ON_HANDLE_DECIMALS, GroupBy

Shape = serializers.Serializer[Any]


class MoneyOut(Shape):
    """What was bet and what the house won of it, in minor units."""

    handle_minor = serializers.IntegerField()
    house_win_minor = serializers.IntegerField()
    hold_on_handle = serializers.DecimalField(
        max_digits=24,
        decimal_places=HOLD_ON_HANDLE_DECIMALS,
        allow_null=True,
        help_text="House win by handle, as a decimal text; null when nothing was bet.",
    )


def _minor(help_text: str) -> serializers.IntegerField:
    return serializers.IntegerField(allow_null=True, help_text=help_text)


def _exact(help_text: str) -> serializers.CharField:
    return serializers.CharField(allow_null=True, help_text=f"{help_text}, as `num/den`.")


class SplitOut(Shape):
    """Why the house won what it won; null while it is not known.

    In whole minor units theoretical win, player error, dealer error and luck add up to the house
    win; luck is what the rounding of the others leaves. The exact amounts add up exactly, with the
    dealer error, which is whole.
    """

    theo_minor = _minor("Theoretical win: the bets' worth before the deal, with best play.")
    player_error_minor = _minor("What the players' settings gave away against the best ones.")
    dealer_error_minor = _minor("What the dealers' settings changed against the house way.")
    luck_minor = _minor("What the cards did: the sum of the next two.")
    player_luck_minor = _minor("What the players' cards did; negative when they were good.")
    dealer_luck_minor = _minor("What the dealer's cards did, with rounding of odds and caps.")
    setting_theo_minor = _minor("Theoretical win of the hands as they were set.")
    theo = _exact("Theoretical win")
    player_error = _exact("Player error")
    player_luck = _exact("Luck of the players' cards")
    dealer_luck = _exact("Luck of the dealer's cards")
    setting_theo = _exact("Theoretical win of the hands as they were set")


class WorthOut(SplitOut):
    """The split of the house win, and how many bets have not been appraised yet."""

    bets_missing = serializers.IntegerField(
        help_text="Bets whose worth is not known yet; the split is null while there are any."
    )


class LineOut(Shape):
    """The bets of a wager that were settled on one line."""

    line = serializers.CharField()
    hits = serializers.IntegerField()
    handle_minor = serializers.IntegerField()
    house_win_minor = serializers.IntegerField()


class WagerOut(MoneyOut):
    """The bets of one wager."""

    wager = serializers.ChoiceField(choices=[item.value for item in Wager])
    bets = serializers.IntegerField()
    worth = WorthOut()
    lines = LineOut(many=True)


class ComplianceOut(Shape):
    """Rounds by how the dealer's setting compared with the house way."""

    match = serializers.IntegerField()
    deviation = serializers.IntegerField()
    not_recorded = serializers.IntegerField()


class FiguresOut(MoneyOut):
    """All that is counted of some rounds."""

    rounds = serializers.IntegerField()
    late_rounds = serializers.IntegerField(
        help_text="Those recorded after their gaming day had ended."
    )
    decisions = serializers.IntegerField(help_text="Main bets settled.")
    worth = WorthOut()
    compliance = ComplianceOut()
    wagers = WagerOut(many=True)


class PostingsOut(Shape):
    """What was played, what was voided, and the one less the other.

    A void counts at its own time: a day that is over keeps its figures.
    """

    net = FiguresOut()
    play = FiguresOut()
    voids = FiguresOut()


class PerformanceRowOut(PostingsOut):
    """One table, dealer, shift, gaming day or hour."""

    key = serializers.CharField(
        allow_null=True,
        help_text=(
            "Table code, badge, date, or the instant at which the shift or hour begins; "
            "null for rounds without an assigned dealer."
        ),
    )
    # A field's own attribute of that name is a text; the declared field replaces it.
    label = serializers.CharField()  # type: ignore[assignment]


class PerformanceReportOut(Shape):
    """The figures of a range of gaming days."""

    to = serializers.DateField()
    group_by = serializers.ChoiceField(choices=[item.value for item in GroupBy])
    currency = serializers.CharField(help_text="ISO 4217 code of every amount.")
    minor_digits = serializers.IntegerField(
        help_text="How many digits of every amount are behind the point."
    )
    rolled_up_at = serializers.DateTimeField(allow_null=True)
    is_current = serializers.BooleanField(
        help_text="False while something that was entered is not yet in the figures."
    )
    rows = PerformanceRowOut(many=True)
    totals = PostingsOut()

    def get_fields(self) -> dict[str, Any]:
        """Add `from`, which is a reserved word of the language."""
        return {"from": serializers.DateField(), **super().get_fields()}


class AppraisedBetOut(Shape):
    """One bet: what a stake of one nets the player on the average, and the split of its result.

    All but the bet itself is null while it has not been appraised. Values are exact: `num/den`.
    """

    wager = serializers.ChoiceField(choices=[item.value for item in Wager])
    amount_minor = serializers.IntegerField()
    house_win_minor = serializers.IntegerField()
    expected_value = _exact("Before the deal, with best play")
    best_value = _exact("With the seven cards set best")
    setting_value = _exact("As the hand was set, against a dealer who sets the house way")
    wins = _minor("Dealer hands, of `dealer_hands`, with which the bet wins.")
    pushes = _minor("Dealer hands with which it pushes.")
    losses = _minor("Dealer hands with which it loses.")
    best_low = serializers.CharField(
        allow_null=True, allow_blank=True, help_text="The best setting; main bet only."
    )
    best_high = serializers.CharField(allow_null=True, allow_blank=True)
    split = SplitOut()


class AppraisedSeatOut(Shape):
    """One seat: the hand as it was set, and its bets."""

    seat = serializers.IntegerField()
    cards = serializers.CharField()
    low = serializers.CharField()
    high = serializers.CharField()
    foul = serializers.BooleanField()
    event = serializers.CharField()
    bets = AppraisedBetOut(many=True)


class MissetSeatOut(Shape):
    """What a misset would have cost at one seat."""

    seat = serializers.IntegerField()
    cost_minor = serializers.IntegerField()


class MissetOut(Shape):
    """A dealer's setting that was not the house way, and what it would have cost."""

    set_low = serializers.CharField()
    set_high = serializers.CharField()
    required_low = serializers.CharField()
    required_high = serializers.CharField()
    foul = serializers.BooleanField(help_text="A foul cannot stand, so it costs nothing.")
    cost_minor = serializers.IntegerField(
        help_text=(
            "What the house would have lost, had the setting stood, whatever the ruleset made of "
            "the round; negative if it would have won."
        )
    )
    seats = MissetSeatOut(many=True)


class RoundWorthOut(Shape):
    """What a recorded round was worth, and why it came out as it did."""

    table = serializers.CharField()
    sequence = serializers.IntegerField()
    ruleset = serializers.CharField()
    was_voided = serializers.BooleanField(help_text="It no longer counts; this is what it was.")
    house_win_minor = serializers.IntegerField()
    dealer_hands = serializers.IntegerField(
        help_text="The hands that the dealer can hold beside a player's seven cards: C(46,7)."
    )
    worth = WorthOut()
    misset = MissetOut(allow_null=True)
    seats = AppraisedSeatOut(many=True)
