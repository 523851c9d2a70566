"""What the seven cards of each rank pattern can make, for the side bets. BP-7."""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.analysis.decks import Deck
from games.engine.lookup import break_bonus_line
from games.engine.outcomes import BreakBonusLine

LINES: Final = tuple(BreakBonusLine)
"""The Break Bonus lines, best first. BP-7.2."""
_NO_LINE: Final = LINES.index(BreakBonusLine.NONE)


@cache
def break_bonus_lines(deck: Deck) -> NDArray[np.int8]:
    """Return the place in ``LINES`` of the Break Bonus line of each pattern. BP-7.2."""
    places = {line: place for place, line in enumerate(LINES)}
    lines = (places[break_bonus_line(pattern)] for pattern in deck.patterns.tolist())
    return np.fromiter(lines, dtype=np.int8, count=len(deck.patterns))


def can_break(deck: Deck) -> NDArray[np.bool_]:
    """Say of each pattern whether a Lucky Break can be set: every line but ``none`` is one. BP-7.1.

    The tests look at all legal settings instead. BP-4.4
    """
    found: NDArray[np.bool_] = break_bonus_lines(deck) != _NO_LINE
    return found
