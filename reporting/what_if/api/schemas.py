"""The shapes of what-ifs, for the OpenAPI document; tests hold the answers against them."""

from typing import Any, Final

from rest_framework import serializers

from games.analysis.variants import BREAK_BONUS_LINES, DEALER_BREAK_BONUS_LINES, STEPS
from games.engine.wagers import Wager
from reporting.what_if.models import WhatIf
from reporting.what_if.services import LAST_ROUNDS_DEFAULT, LAST_ROUNDS_MAX
from tables.api.schemas import Shape

# The kinds of player of the exact mathematics, which the web server does not load.
PLAYERS: Final = ("best", "house_way")
_ODDS: Final = "odds such as `6 to 1` or `7 for 1`"


class _Keyed(Shape):
    """An object with the same shape at each of its keys."""

    keys: tuple[str, ...] = ()

    def shape_of(self) -> Any:
        """The shape at each key."""
        raise NotImplementedError

    def get_fields(self) -> dict[str, Any]:
        """A field for each key."""
        return {key: self.shape_of() for key in self.keys}


class _LinesIn(_Keyed):
    def shape_of(self) -> Any:
        return serializers.CharField(
            required=False, allow_null=True, help_text=f"{_ODDS}; null: pays nothing"
        )


class DealerBreakBonusChangesIn(_LinesIn):
    """The lines of the Dealer Break Bonus that change (BP-7.1)."""

    keys = tuple(line.value for line in DEALER_BREAK_BONUS_LINES)


class BreakBonusChangesIn(_LinesIn):
    """The lines of the Break Bonus that change (BP-7.2)."""

    keys = tuple(line.value for line in BREAK_BONUS_LINES)


class ChangesIn(Shape):
    """What is to differ from the property's ruleset; what is left out stays."""

    qualifier = serializers.CharField(
        required=False,
        help_text="`none`, a top card such as `A-high`, or a high hand such as `K-3-2` (BP-6.1)",
    )
    house_way = serializers.ListField(
        child=serializers.IntegerField(min_value=min(STEPS), max_value=max(STEPS)),
        min_length=len(STEPS),
        max_length=len(STEPS),
        required=False,
        help_text="the seven steps in their new order (BP-5)",
    )
    main = serializers.CharField(required=False, help_text=f"{_ODDS}, of a main bet that wins")
    dealer_break_bonus = DealerBreakBonusChangesIn(required=False)
    break_bonus = BreakBonusChangesIn(required=False)


class WhatIfIn(Shape):
    """A what-if. The id is made by the client: sending it again repeats the answer."""

    id = serializers.CharField(max_length=64)
    changes = ChangesIn()
    last_rounds = serializers.IntegerField(
        min_value=0,
        max_value=LAST_ROUNDS_MAX,
        default=LAST_ROUNDS_DEFAULT,
        help_text="how many of the property's latest rounds to settle anew",
    )


class NumberOut(Shape):
    """An exact value, and the same rounded."""

    exact = serializers.CharField(help_text="numerator/denominator")
    decimal = serializers.CharField()


class LineOddsOut(Shape):
    """One line of a wager: the event of the main bet, or the pay-table line of a side bet."""

    line = serializers.CharField()
    deals = serializers.IntegerField(help_text="of `total_deals`")
    rate = NumberOut()
    net = serializers.CharField(help_text="what a stake of one nets, numerator/denominator")


class RatesOut(Shape):
    """The odds of a wager for a stake of one; in a difference, what the second has more."""

    house_edge = NumberOut()
    standard_deviation = serializers.FloatField()
    win_rate = NumberOut()
    push_rate = NumberOut()
    lose_rate = NumberOut()


class WagerOddsOut(RatesOut):
    """The odds of a wager under one ruleset."""

    expected_value = NumberOut()
    lines = LineOddsOut(many=True)


class _ByWager(_Keyed):
    keys = tuple(wager.value for wager in Wager)


class OddsByWagerOut(_ByWager):
    """The odds of each wager."""

    def shape_of(self) -> Any:
        """The odds of one wager."""
        return WagerOddsOut()


class RatesByWagerOut(_ByWager):
    """The differences of each wager."""

    def shape_of(self) -> Any:
        """The differences of one wager."""
        return RatesOut()


class OddsByPlayerOut(_Keyed):
    """A player who sets for the highest expected value, and one who sets by the house way."""

    keys = PLAYERS

    def shape_of(self) -> Any:
        """The odds against one kind of player."""
        return OddsByWagerOut()


class DifferencesOut(_Keyed):
    """What if, less today."""

    keys = PLAYERS

    def shape_of(self) -> Any:
        """The differences against one kind of player."""
        return RatesByWagerOut()


class SideOut(Shape):
    """One of the two rulesets, and its exact odds from full enumeration."""

    ruleset = serializers.CharField()
    qualifier = serializers.CharField(help_text="`none`, or the least high hand")
    house_way = serializers.ListField(child=serializers.IntegerField())
    main = serializers.CharField()
    dealer_break_bonus = serializers.DictField(child=serializers.CharField())
    break_bonus = serializers.DictField(child=serializers.CharField())
    total_deals = serializers.IntegerField()
    players = OddsByPlayerOut()


class ResettledOut(Shape):
    """Bets of the property's own rounds, in minor units, seen from the house."""

    bets = serializers.IntegerField()
    handle_minor = serializers.IntegerField()
    house_win_minor = serializers.IntegerField(help_text="as recorded")
    what_if_house_win_minor = serializers.IntegerField()
    difference_minor = serializers.IntegerField()


class ResettledByWagerOut(_ByWager):
    """The bets of each wager."""

    def shape_of(self) -> Any:
        """The bets of one wager."""
        return ResettledOut()


class OwnRoundsOut(Shape):
    """The property's latest rounds, without those voided, settled anew."""

    asked = serializers.IntegerField()
    rounds = serializers.IntegerField(help_text="so many there were")
    changed = serializers.IntegerField(help_text="rounds in which some bet comes out otherwise")
    of_another_ruleset = serializers.IntegerField(
        help_text="rounds that were recorded under another ruleset than `ruleset`"
    )
    currency = serializers.CharField(help_text="ISO 4217 code of every amount")
    minor_digits = serializers.IntegerField()
    wagers = ResettledByWagerOut()
    total = ResettledOut()


class ResultOut(Shape):
    """The answer to a what-if."""

    today = SideOut()
    what_if = SideOut()
    differences = DifferencesOut()
    rounds = OwnRoundsOut()


class WhatIfOut(Shape):
    """A what-if: the question, how far the answer has come, and the answer."""

    id = serializers.CharField()
    asked_by = serializers.CharField()
    asked_at = serializers.DateTimeField()
    ruleset = serializers.CharField(help_text="the property's when it was asked")
    changes = ChangesIn()
    last_rounds = serializers.IntegerField()
    state = serializers.ChoiceField(choices=WhatIf.State.values)
    progress = serializers.IntegerField(min_value=0, max_value=100)
    finished_at = serializers.DateTimeField(allow_null=True)
    error = serializers.CharField(allow_null=True, help_text="why it failed")
    result = ResultOut(allow_null=True)
    url = serializers.CharField(help_text="ask here until `state` is `done` or `failed`")
    page = serializers.CharField(help_text="the same for people")


class WhatIfAskedOut(WhatIfOut):
    """The answer to asking."""

    replayed = serializers.BooleanField(help_text="true when this repeats the first answer")
