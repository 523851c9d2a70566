"""Sets of up to seven cards as rank patterns, and how they hang together."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.analysis.decks import KINDS, Deck, patterns_of
from games.engine.hand_setting import HAND_CARDS, RANK_COPIES


class CardSets(NamedTuple):
    """Patterns of 0 to 7 cards, by size: those of ``k`` cards are rows ``starts[k]:starts[k+1]``.

    ``counts`` is by row and kind; ``above[row, kind]`` the row with one card of the kind more, -1
    if the deck has none; ``below[row]`` the row without its last kind, ``last[row]`` this kind.
    """

    starts: NDArray[np.int64]
    counts: NDArray[np.int8]
    above: NDArray[np.int32]
    below: NDArray[np.int32]
    last: NDArray[np.int8]


@cache
def card_sets(deck: Deck) -> CardSets:
    """Return all sets of up to seven cards of a deck, by their patterns."""
    levels = [patterns_of(deck.copies, size) for size in range(HAND_CARDS + 1)]
    starts = np.cumsum([0, *(len(level) for level in levels)])
    counts = np.concatenate(levels)
    radix = (RANK_COPIES + 1) ** np.arange(KINDS, dtype=np.int64)
    keys = counts @ radix
    order = np.argsort(keys)
    above = np.full(counts.shape, -1, dtype=np.int32)
    for kind, copies in enumerate(deck.copies):
        rows = np.flatnonzero(counts[: starts[HAND_CARDS], kind] < copies)
        above[rows, kind] = order[np.searchsorted(keys, keys[rows] + radix[kind], sorter=order)]
    last = (KINDS - 1 - np.argmax(counts[:, ::-1] > 0, axis=1)).astype(np.int8)
    without_last = keys - counts[np.arange(len(counts)), last] * radix[last]
    below = order[np.searchsorted(keys, without_last, sorter=order)]
    return CardSets(starts, counts, above, below.astype(np.int32), last)
