"""All settings of seven cards, ranked by what they are worth against a house-way dealer."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.analysis.setting_table import code_of
from games.analysis.setting_values import SettingValues
from games.engine.cards import Card
from games.engine.hand_setting import Setting, all_settings, is_lucky_break
from games.engine.hands import HighHand, LowHand, high_hand, low_hand
from games.engine.house_way import house_way
from games.engine.patterns import pattern_of_seven
from games.engine.rulesets import Ruleset


@dataclass(frozen=True, slots=True)
class RankedSetting:
    """A legal setting: its hands, physical cards that make it, and what it does on the main bet.

    ``wins`` and ``losses`` count the dealer hands that it beats and loses to, of ``dealer_hands``;
    the rest push. ``expected_value`` is the player's, for a stake of one.
    """

    low: LowHand
    high: HighHand
    cards: Setting
    wins: int
    losses: int
    dealer_hands: int
    expected_value: Fraction

    @property
    def pushes(self) -> int:
        """How many dealer hands push."""
        return self.dealer_hands - self.wins - self.losses

    @property
    def is_lucky_break(self) -> bool:
        """Whether the setting is a Lucky Break. BP-4.4."""
        return is_lucky_break(self.low, self.high)


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The distinct legal settings of seven cards, best first, and the house way among them."""

    cards: tuple[Card, ...]
    ruleset: Ruleset
    settings: tuple[RankedSetting, ...]
    house_way: RankedSetting

    @property
    def best(self) -> RankedSetting:
        """The setting of highest expected value; of equal ones the strongest low, then high."""
        return self.settings[0]

    @property
    def house_way_costs(self) -> Fraction:
        """What the player gives away with the house way instead of the best setting; 0 if none."""
        return self.best.expected_value - self.house_way.expected_value


def best_play(cards: Sequence[Card], ruleset: Ruleset, values: SettingValues) -> BestPlay:
    """Rank all distinct legal settings of seven cards of one deck by exact expected value.

    Settings are the same when both hands are of the same value; cards are then taken in canonical
    order, and a natural ace before the joker. ``values`` are those of the ruleset. The cards are
    trusted to be seven of one deck.
    """
    ordered = sorted(cards, key=lambda card: (card.rank is None, card.order))
    by_code: dict[int, Setting] = {}
    for setting in all_settings(ordered):
        low, high = low_hand(setting.low_cards), high_hand(setting.high_cards)
        by_code.setdefault(code_of(low.strength, high.strength), setting)
    ranked = [
        _ranked(by_code[code], wins, losses, ruleset, values.table.deck.hands_after_one)
        for code, wins, losses in values.of_pattern(pattern_of_seven(ordered))
    ]
    # Codes ascend, and sorting keeps the order of equals.
    ranked.reverse()
    ranked.sort(key=lambda setting: -setting.expected_value)
    way = house_way(ordered, ruleset)
    house = next(it for it in ranked if it.low is way.low and it.high is way.high)
    return BestPlay(tuple(cards), ruleset, tuple(ranked), house)


def _ranked(
    setting: Setting, wins: int, losses: int, ruleset: Ruleset, dealer_hands: int
) -> RankedSetting:
    return RankedSetting(
        low=low_hand(setting.low_cards),
        high=high_hand(setting.high_cards),
        cards=setting,
        wins=wins,
        losses=losses,
        dealer_hands=dealer_hands,
        expected_value=(ruleset.main.net * wins - losses) / dealer_hands,
    )
