"""The shapes of a round's worth, for the OpenAPI document; tests hold the answers to them."""

from rest_framework import serializers

from games.engine.wagers import Wager
from reporting.worth.shapes import SplitOut, WorthOut, exact_field, minor_field
from tables.api.schemas import Shape


class AppraisedBetOut(Shape):
    """One bet: what a stake of one nets the player on the average, and the split of its result.

    All but the bet itself is null while it has not been appraised. Values are exact: `num/den`.
    """

    wager = serializers.ChoiceField(choices=[item.value for item in Wager])
    amount_minor = serializers.IntegerField()
    house_win_minor = serializers.IntegerField()
    expected_value = exact_field("Before the deal, with best play")
    best_value = exact_field("With the seven cards set best")
    setting_value = exact_field("As the hand was set, against a dealer who sets the house way")
    wins = minor_field("Dealer hands, of `dealer_hands`, with which the bet wins.")
    pushes = minor_field("Dealer hands with which it pushes.")
    losses = minor_field("Dealer hands with which it loses.")
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
