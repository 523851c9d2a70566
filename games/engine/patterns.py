"""Rank patterns: what is left of some cards when suits and order are forgotten.

A pattern is an integer that sums ``1 << 3 * (rank - 2)`` over the cards, and ``1 << 39`` for the
joker. A deck holds four of a rank, so each count fits in its three bits: no two multisets of cards
share a pattern, and patterns of disjoint cards add. Seven cards have 67,600 of them: 49,205 without
the joker and 18,395 with it, standing for C(53,7) = 154,143,080 hands.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Final

from games.engine.cards import JOKER, RANK_CARDS, Card

JOKER_PATTERN: Final = JOKER.pattern
_RANK_COPIES: Final = 4
_SINGLE_CARDS: Final = (JOKER, *RANK_CARDS)


def pattern_of(cards: Iterable[Card]) -> int:
    """Return the rank pattern of some cards.

    >>> oct(pattern_of(RANK_CARDS))
    '0o1111111111111'
    """
    return sum([card.pattern for card in cards])


def pattern_of_seven(cards: Sequence[Card]) -> int:
    """Return the rank pattern of exactly seven cards; quicker, since it is asked of every hand.

    Raises ValueError for another number of cards.
    """
    a, b, c, d, e, f, g = cards
    return a.pattern + b.pattern + c.pattern + d.pattern + e.pattern + f.pattern + g.pattern


def cards_of(pattern: int) -> tuple[Card, ...]:
    """Return rank-only cards (and the joker) that make up a pattern, joker and aces first."""
    return tuple(card for card in _SINGLE_CARDS for _ in range(count_in(pattern, card.pattern)))


def count_in(pattern: int, single: int) -> int:
    """Return how many cards of the rank with the one-card pattern ``single`` are in a pattern."""
    return pattern // single & 7


def all_patterns(size: int = 7) -> Iterator[int]:
    """Yield every pattern of ``size`` cards of the deck once.

    >>> sum(1 for _ in all_patterns(2)), sum(1 for _ in all_patterns(3))
    (104, 546)
    """
    singles = [card.pattern for card in RANK_CARDS]
    for jokers in (0, 1):
        for ranks in combinations_with_replacement(singles, size - jokers):
            pattern = sum(ranks)
            # Five of one rank, sorted, would stand side by side.
            if all(ranks[i] != ranks[i + _RANK_COPIES] for i in range(len(ranks) - _RANK_COPIES)):
                yield pattern + jokers * JOKER_PATTERN
