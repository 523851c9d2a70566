"""All rank patterns of a deck as arrays: the domain of every exact figure. BP-1.

A *kind* is a card without its suit: 0 to 12 are two to ace, 13 is the joker. A pattern of seven
cards is a row of 14 counts. The full deck has 67,600 of them for C(53,7) = 154,143,080 hands.

Smaller decks exist for tests only: with few cards every deal can be dealt out in plain Python.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels import kernel
from games.engine.cards import JOKER, RANK_CARDS
from games.engine.hand_setting import HAND_CARDS, RANK_COPIES

KINDS: Final = 14
JOKER_KIND: Final = 13
_SINGLES: Final = np.array(
    [*(card.pattern for card in reversed(RANK_CARDS)), JOKER.pattern], dtype=np.int64
)
"""The one-card rank pattern of each kind, as the module ``games.engine.patterns`` has it."""

_BINOMIALS: Final = np.array([[comb(n, k) for k in range(5)] for n in range(5)], dtype=np.int64)

# The two halves of a hand. Any split is right; this one leaves the fewest groups of dealer hands.
UPPER_KINDS: Final = tuple(range(6, 13))
LOWER_KINDS: Final = (*range(6), JOKER_KIND)


@dataclass(frozen=True, slots=True, eq=False)
class Half:
    """The parts of patterns that lie in some of the kinds.

    ``counts`` has a row for each different part; ``part_of`` gives the part of each pattern;
    ``ways[mine, other]`` is in how many ways the deck deals ``other`` when ``mine`` is gone.
    """

    counts: NDArray[np.int8]
    part_of: NDArray[np.int32]
    ways: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Deck:
    """A deck with ``copies[kind]`` cards of each kind, and all patterns of seven of its cards."""

    copies: tuple[int, ...]

    @cached_property
    def counts(self) -> NDArray[np.int8]:
        """How many cards of each kind each pattern holds; a row a pattern."""
        return patterns_of(self.copies, HAND_CARDS)

    @cached_property
    def patterns(self) -> NDArray[np.int64]:
        """The engine's number of each pattern, ascending."""
        return self.counts @ _SINGLES

    @cached_property
    def weights(self) -> NDArray[np.int64]:
        """How many hands of physical cards each pattern stands for."""
        return _ways_of(np.array(self.copies), self.counts)

    @cached_property
    def upper(self) -> Half:
        """The halves of the patterns in the upper ranks."""
        return self._half(UPPER_KINDS)

    @cached_property
    def lower(self) -> Half:
        """The halves of the patterns in the lower ranks and the joker."""
        return self._half(LOWER_KINDS)

    @property
    def hands(self) -> int:
        """How many hands can be dealt: C(53,7) for the full deck."""
        return comb(sum(self.copies), HAND_CARDS)

    @property
    def hands_after_one(self) -> int:
        """How many hands can be dealt when one has been dealt: C(46,7) for the full deck."""
        return comb(sum(self.copies) - HAND_CARDS, HAND_CARDS)

    @property
    def deals(self) -> int:
        """How many deals of a player's and a dealer's hand there are."""
        return self.hands * self.hands_after_one

    def index_of(self, patterns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of the engine's pattern numbers, which must be of this deck."""
        return np.searchsorted(self.patterns, patterns)

    def _half(self, kinds: Sequence[int]) -> Half:
        masked = np.zeros_like(self.counts)
        masked[:, kinds] = self.counts[:, kinds]
        _, rows, part_of = np.unique(masked @ _SINGLES, return_index=True, return_inverse=True)
        parts = masked[rows]
        ways = _all_ways(np.array(self.copies), parts, np.array(kinds), _BINOMIALS)
        return Half(parts, part_of.astype(np.int32), ways)


def patterns_of(copies: Sequence[int], size: int) -> NDArray[np.int8]:
    """Return all patterns of some number of cards, as counts by kind, in the engine's order."""
    rows = np.zeros((1, KINDS), dtype=np.int8)
    for kind, of_kind in enumerate(copies):
        grown = np.repeat(rows, of_kind + 1, axis=0)
        grown[:, kind] = np.tile(np.arange(of_kind + 1), len(rows))
        rows = grown[grown.sum(axis=1) <= size]
    rows = rows[rows.sum(axis=1) == size]
    by_number: NDArray[np.int8] = rows[np.argsort(rows @ _SINGLES)]
    return by_number


def _ways_of(copies: NDArray[np.int64], counts: NDArray[np.int8]) -> NDArray[np.int64]:
    ways: NDArray[np.int64] = _BINOMIALS[copies[np.newaxis, :], counts].prod(axis=1)
    return ways


@kernel
def _all_ways(
    copies: NDArray[np.int64],
    parts: NDArray[np.int8],
    kinds: NDArray[np.int64],
    binomials: NDArray[np.int64],
) -> NDArray[np.int32]:
    """Count the ways of each part beside each part: at most those of seven cards, 4**7."""
    ways = np.empty((len(parts), len(parts)), dtype=np.int32)
    for mine in range(len(parts)):
        for other in range(len(parts)):
            product = 1
            for kind in kinds:
                product *= binomials[copies[kind] - parts[mine, kind], parts[other, kind]]
            ways[mine, other] = product
    return ways


FULL_DECK: Final = Deck((*(RANK_COPIES,) * (KINDS - 1), 1))
"""The 53 cards. BP-1.1."""
