"""Setting seven cards: two low, three high, two discarded. BP-4."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Final, NamedTuple

from games.engine.cards import JOKER, Card
from games.engine.errors import (
    DuplicateCardError,
    HandSizeError,
    shown,
)
from games.engine.hands import (
    ALL_HIGH,
    ALL_LOW,
    HighClass,
    HighHand,
    LowClass,
    LowHand,
    parse_high,
    parse_low,
)
from games.engine.notation import CardEntry, parse_cards

HAND_CARDS: Final = 7
LOW_CARDS: Final = 2
HIGH_CARDS: Final = 3
RANK_COPIES: Final = 4
_LOWEST_PAIR: Final = parse_low("2-2").strength
_LOWEST_STRAIGHT: Final = parse_high("A-2-3").strength


class SettingFault(StrEnum):
    """What makes a setting impossible. A foul is possible, and no fault. BP-4.1, BP-4.3."""

    LOW_NOT_TWO_CARDS = "low_not_two_cards"
    HIGH_NOT_THREE_CARDS = "high_not_three_cards"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    CARD_USED_TWICE = "card_used_twice"


class Setting(NamedTuple):
    """Physical cards of one setting; all three in the order of the hand. BP-4.1."""

    low_cards: tuple[Card, ...]
    high_cards: tuple[Card, ...]
    discards: tuple[Card, ...]


def parse_hand(
    text: object, *, card_entry: CardEntry = CardEntry.SUITED, place: str = "cards"
) -> tuple[Card, ...]:
    """Return the seven different cards of a text, in the order written. BP-1.4, BP-10.

    Raises CardParseError, HandSizeError or DuplicateCardError (a fifth card of a rank, for
    rank-only cards).

    >>> len(parse_hand("As Kd Th 9c 7d 5s 2h"))
    7
    """
    cards = parse_cards(text, card_entry=card_entry, place=place)
    if len(cards) != HAND_CARDS:
        message = f"expected {HAND_CARDS} cards, got {len(cards)}: {shown(text)}"
        raise HandSizeError(message, place=place, detail={"count": len(cards)})
    for card, copies in Counter(cards).items():
        if copies > copies_in_deck(card):
            message = f"expected each card once, but {card.code} is there {copies} times"
            detail = {"card": card.code, "places": [place, place]}
            raise DuplicateCardError(message, place=place, detail=detail)
    return cards


def copies_in_deck(card: Card) -> int:
    """Return how often a card can be in one round: a rank alone stands for four cards. BP-10."""
    return RANK_COPIES if card.suit is None and card is not JOKER else 1


def is_foul(low: LowHand, high: HighHand) -> bool:
    """Say whether the low hand outranks the high hand, which makes the setting foul. BP-4.2.

    The class comes first (trips and straights beat any low hand); inside a class the cards that
    both have are compared, and still equal is legal.

    >>> from games.engine.hands import parse_high, parse_low
    >>> is_foul(parse_low("Q-9"), parse_high("Q-8-2"))
    True
    >>> is_foul(parse_low("J-4"), parse_high("J-4-3"))
    False
    """
    return high.strength < LOWEST_LEGAL_HIGH[low.strength]


def _outranks(low: LowHand, high: HighHand) -> bool:
    """Compare a low with a high hand as BP-4.2 says; ``is_foul`` looks the answer up."""
    if high.hand_class >= HighClass.STRAIGHT:
        return False
    low_is_pair = low.hand_class is LowClass.PAIR
    high_is_pair = high.hand_class is HighClass.PAIR
    if low_is_pair != high_is_pair:
        return low_is_pair
    return low.ranks > high.ranks[:LOW_CARDS]


def is_lucky_break(low: LowHand, high: HighHand) -> bool:
    """Say whether this is a pair low with trips or a straight high. BP-4.4."""
    return low.strength >= _LOWEST_PAIR and high.strength >= _LOWEST_STRAIGHT


def all_settings(cards: Sequence[Card]) -> Iterator[Setting]:
    """Yield the 210 settings of seven cards, legal or not. BP-4.1.

    >>> from games.engine.notation import parse_cards
    >>> sum(1 for _ in all_settings(parse_cards("As Kd Th 9c 7d 5s 2h")))
    210
    """
    places = range(len(cards))
    for low in combinations(places, LOW_CARDS):
        rest = [place for place in places if place not in low]
        for high in combinations(rest, HIGH_CARDS):
            yield Setting(
                tuple(cards[place] for place in low),
                tuple(cards[place] for place in high),
                tuple(cards[place] for place in rest if place not in high),
            )


def discards_of(
    cards: Sequence[Card], low: Sequence[Card], high: Sequence[Card]
) -> tuple[Card, ...]:
    """Return the cards that a possible setting leaves, in the order of the hand. BP-4.1."""
    rest = list(cards)
    for card in (*low, *high):
        rest.remove(card)
    return tuple(rest)


def _lowest_legal_strengths() -> tuple[int, ...]:
    return tuple(
        min(high.strength for high in ALL_HIGH if not _outranks(low, high)) for low in ALL_LOW
    )


LOWEST_LEGAL_HIGH: Final = _lowest_legal_strengths()
"""By the strength of a low hand, the strength of the weakest high hand that is legal with it.

One number a low hand is enough, because the legal high hands of a low hand are all those from some
strength upwards: BP-4.2 compares in the same order as BP-2, only with fewer cards.
"""
