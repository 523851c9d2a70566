"""The house way of every rank pattern by array code, and the dealer hands it comes down to. BP-5.

Many patterns are set to the same two hands. Against a player all of them do the same, so they form
one *class*: some thousand classes instead of 67,600 patterns.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.analysis.break_bonus import can_break
from games.analysis.decks import Deck
from games.analysis.setting_table import CODE_BITS, HIGH_MASK, setting_table
from games.engine.errors import InvariantViolation
from games.engine.hand_setting import is_lucky_break
from games.engine.hands import ALL_HIGH, ALL_LOW, HighClass, LowClass
from games.engine.rulesets import HouseWayStep

_LOW_CLASSES: Final = np.array([hand.hand_class for hand in ALL_LOW])
_HIGH_CLASSES: Final = np.array([hand.hand_class for hand in ALL_HIGH])
LUCKY_BREAKS: Final = np.array(
    [[is_lucky_break(low, high) for high in ALL_HIGH] for low in ALL_LOW]
)
"""Whether a low and a high hand, by their strengths, are a Lucky Break. BP-4.4."""


@dataclass(frozen=True, slots=True, eq=False)
class HouseWays:
    """The place (from 0) of the step that applies to each pattern, and the code that it sets."""

    steps: NDArray[np.int8]
    codes: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class DealerClasses:
    """Dealer hands that are set alike; ascending by low hand, then high hand.

    ``can_break`` tells whether a Lucky Break could have been set (BP-7.1), ``is_break`` whether it
    was (BP-6.2). ``class_of`` gives the class of each pattern.
    """

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    is_break: NDArray[np.bool_]
    can_break: NDArray[np.bool_]
    class_of: NDArray[np.int32]


@lru_cache(maxsize=4)
def house_ways(deck: Deck, steps: Sequence[HouseWayStep]) -> HouseWays:
    """Return the house way of every pattern of a deck by these steps, in their order. BP-5.

    The first step that some legal setting satisfies applies; it sets the strongest low hand of its
    class, then the strongest high hand. A pattern that no step allows has the place after the last
    step, and its code means nothing.
    """
    table = setting_table(deck)
    place_of = np.full((len(LowClass), len(HighClass)), len(steps), dtype=np.int64)
    for place, step in reversed(list(enumerate(steps))):
        place_of[step.low_class, step.high_class] = place
    ranked = (len(steps) - place_of[_LOW_CLASSES[table.lows], _HIGH_CLASSES[table.highs]]) << 32
    best = np.maximum.reduceat(ranked | table.codes, table.starts[:-1])
    places = len(steps) - (best >> 32)
    return HouseWays(places.astype(np.int8), (best & 0xFFFFFFFF).astype(np.int32))


@lru_cache(maxsize=4)
def dealer_classes(deck: Deck, steps: Sequence[HouseWayStep]) -> DealerClasses:
    """Return the classes of a dealer who plays the house way by these steps.

    Raises InvariantViolation when no step allows some hand.
    """
    ways = house_ways(deck, steps)
    if (ways.steps == len(steps)).any():
        pattern = int(deck.patterns[np.argmax(ways.steps)])
        message = f"no step of the house way allows the rank pattern {pattern:o} (octal)"
        raise InvariantViolation(message)
    keys, class_of = np.unique(ways.codes * 2 + can_break(deck), return_inverse=True)
    low, high = keys // 2 >> CODE_BITS, keys // 2 & HIGH_MASK
    return DealerClasses(
        low,
        high,
        LUCKY_BREAKS[low, high],
        (keys % 2).astype(np.bool_),
        class_of.astype(np.int32),
    )
