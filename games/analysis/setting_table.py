"""Every distinct legal setting of every rank pattern. BP-4.

Settings of one pattern are the same when both hands are of the same value: 3,812,660 in all. They
do not depend on a house's rules. A setting is told by a *code*, which orders settings by the low
hand and then by the high hand, weakest first.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.analysis.decks import FULL_DECK, JOKER_KIND, KINDS, Deck
from games.analysis.kernels import kernel
from games.engine.cards import JOKER, RANK_CARDS, Card
from games.engine.hand_setting import HAND_CARDS, LOWEST_LEGAL_HIGH
from games.engine.hands import ALL_HIGH, ALL_LOW, HIGH_BY_PATTERN, LOW_BY_PATTERN

CODE_BITS: Final = 9
"""A code is ``low.strength << CODE_BITS | high.strength``: 455 high hands need nine bits."""
HIGH_MASK: Final = (1 << CODE_BITS) - 1
_PLACES: Final = np.array(
    [
        (*low, *high)
        for low in combinations(range(HAND_CARDS), 2)
        for high in combinations(sorted(set(range(HAND_CARDS)) - set(low)), 3)
    ]
)
"""The places of the two low and three high cards in each of the 210 settings. BP-4.1."""
_KIND_CARDS: Final[tuple[Card, ...]] = (*reversed(RANK_CARDS), JOKER)


class SettingLabels(NamedTuple):
    """The names of the low and the high hand of a setting."""

    low: str
    high: str


@dataclass(frozen=True, slots=True, eq=False)
class SettingTable:
    """The codes of the settings of a deck's patterns, ascending within each pattern.

    Those of pattern ``p`` are ``codes[starts[p]:starts[p + 1]]``.
    """

    deck: Deck
    starts: NDArray[np.int64]
    codes: NDArray[np.int32]

    @property
    def lows(self) -> NDArray[np.int32]:
        """The strength of the low hand of each setting."""
        return self.codes >> CODE_BITS

    @property
    def highs(self) -> NDArray[np.int32]:
        """The strength of the high hand of each setting."""
        return self.codes & HIGH_MASK

    @property
    def pattern_of(self) -> NDArray[np.int64]:
        """The row of the pattern of each setting."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


@cache
def setting_table(deck: Deck = FULL_DECK) -> SettingTable:
    """Return all distinct legal settings of all patterns of a deck. BP-4.1, BP-4.2."""
    lows, highs = value_tables()
    legal = np.array(LOWEST_LEGAL_HIGH, dtype=np.int32)
    codes, sizes = _all_codes(deck.counts, _PLACES, lows, highs, legal)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return SettingTable(deck, starts, codes.copy())


@cache
def value_tables() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the strengths of low hands by two kinds, and of high hands by three. BP-2, BP-3.

    A combination that no deck deals (five of a rank, two jokers) is -1.
    """
    lows = np.full((KINDS,) * 2, -1, dtype=np.int32)
    highs = np.full((KINDS,) * 3, -1, dtype=np.int32)
    for table, values in ((lows, LOW_BY_PATTERN), (highs, HIGH_BY_PATTERN)):
        for kinds in np.ndindex(table.shape):
            hand = values.get(sum(_KIND_CARDS[kind].pattern for kind in kinds))
            # Three bits a rank: two jokers carry into nothing, so they are not found.
            if hand is not None and kinds.count(JOKER_KIND) < 2:
                table[kinds] = hand.strength
    return lows, highs


def code_of(low_strength: int, high_strength: int) -> int:
    """Return the code of a setting by the strengths of its two hands.

    >>> code_of(90, 454) == 90 << CODE_BITS | 454
    True
    """
    return low_strength << CODE_BITS | high_strength


def labels_of(code: int) -> SettingLabels:
    """Return the names of the two hands of a setting's code.

    >>> labels_of(code_of(90, 454))
    SettingLabels(low='A-A', high='A-A-A')
    """
    return SettingLabels(ALL_LOW[code >> CODE_BITS].label, ALL_HIGH[code & HIGH_MASK].label)


@kernel
def _all_codes(
    counts: NDArray[np.int8],
    places: NDArray[np.int64],
    lows: NDArray[np.int32],
    highs: NDArray[np.int32],
    lowest_legal_high: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Lay out each pattern's cards, look at all 210 settings, keep each legal code once."""
    cards = np.empty(HAND_CARDS, dtype=np.int64)
    codes = np.empty(len(counts) * len(places), dtype=np.int32)
    sizes = np.zeros(len(counts), dtype=np.int64)
    end = 0
    for row in range(len(counts)):
        size = 0
        for kind in range(KINDS):
            for _ in range(counts[row, kind]):
                cards[size] = kind
                size += 1
        first = end
        for way in range(len(places)):
            low = lows[cards[places[way, 0]], cards[places[way, 1]]]
            high = highs[cards[places[way, 2]], cards[places[way, 3]], cards[places[way, 4]]]
            if high >= lowest_legal_high[low]:
                code = low << CODE_BITS | high
                # Into its place among the few there are: from the end, past those above it.
                place = end
                while place > first and codes[place - 1] > code:
                    place -= 1
                if place == first or codes[place - 1] != code:
                    for above in range(end, place, -1):
                        codes[above] = codes[above - 1]
                    codes[place] = code
                    end += 1
        sizes[row] = end - first
    return codes[:end], sizes
