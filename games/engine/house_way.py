"""The house way: how the dealer must set seven cards, and why. BP-5.

A step is data: a class for the low hand and one for the high hand. It applies when some legal
setting has these classes; the setting is then the strongest low hand of the class and, with it, the
strongest high hand. That is what the rule text says:

- BP-5.1, 5.2: the highest possible pair low; the strongest high hand of the remaining cards is of
  the class of the step, since a stronger class beside a pair would have been an earlier step.
- BP-5.3, 5.4, 5.6: the two highest possible cards low are the strongest low hand without a pair
  that leaves the high class possible.
- BP-5.5: two pairs or more, and no trips or straight in any setting (such a setting is always
  legal, so an earlier step would have taken it). The highest pair cannot be low: nothing left could
  match it. The second-highest pair low is legal beside the highest only. So the strongest *legal*
  low pair is the second-highest.
- BP-5.7: seven different ranks, no straight. The highest card cannot be low: it would outrank what
  is left. So the strongest legal low is the second- and third-highest card, and the strongest high
  with it the highest, fourth and fifth.

``reference`` is written from the rule text instead; both are compared on every rank pattern.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from games.engine.cards import Card
from games.engine.hand_setting import is_lucky_break
from games.engine.hands import HighHand, LowHand
from games.engine.lookup import PatternWay, house_way_table
from games.engine.patterns import pattern_of_seven
from games.engine.rulesets import Ruleset


class HouseWay(NamedTuple):
    """The required setting of seven cards; cards in canonical order."""

    step: int
    rule: str
    reason: str
    low: LowHand
    high: HighHand
    low_cards: tuple[Card, ...]
    high_cards: tuple[Card, ...]
    discards: tuple[Card, ...]

    @property
    def is_lucky_break(self) -> bool:
        """Whether the required setting is a Lucky Break. BP-4.4."""
        return is_lucky_break(self.low, self.high)

    @property
    def words(self) -> str:
        """The step, its rule, and the setting in one line for people."""
        hands = f"Low {self.low.label}, high {self.high.label}."
        return f"Step {self.step} ({self.rule}), {self.reason}. {hands}"


_deck_order = attrgetter("order")


def house_way(cards: Sequence[Card], ruleset: Ruleset) -> HouseWay:
    """Return the house way of seven different cards of one deck, in any order. BP-5.

    Cards of one rank are taken in canonical order, and a natural ace before the joker where both
    do the same, so the result does not depend on the order of the cards. The cards are trusted to
    be seven of one deck; ValueError if they are not seven, InvariantViolation if no step applies.

    >>> from games.engine.notation import format_cards, parse_cards
    >>> from games.engine.rulesets import get_ruleset
    >>> way = house_way(parse_cards("As Kd Th 9c 7d 5s 2h"),
    ...     get_ruleset("break-poker/rules-as-written@1"))
    >>> way.rule, format_cards(way.low_cards), format_cards(way.high_cards)
    ('BP-5.7', 'Kd Th', 'As 9c 7d')
    """
    return place_cards(cards, house_way_table(ruleset.house_way)(pattern_of_seven(cards)))


def place_cards(cards: Sequence[Card], way: PatternWay) -> HouseWay:
    """Return the house way of a pattern with the physical cards of a hand of that pattern."""
    step, low, high, low_pattern, high_pattern = way
    low_cards, high_cards, discards = [], [], []
    for card in sorted(cards, key=_deck_order):
        single = card.pattern
        # Seven is the three bits of a rank: how many of it the hand still wants.
        if low_pattern & 7 * single:
            low_pattern -= single
            low_cards.append(card)
        elif high_pattern & 7 * single:
            high_pattern -= single
            high_cards.append(card)
        else:
            discards.append(card)
    return HouseWay(
        step.number,
        step.rule,
        step.words,
        low,
        high,
        tuple(low_cards),
        tuple(high_cards),
        tuple(discards),
    )
