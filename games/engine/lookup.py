"""The fast evaluator: what seven cards make, by rank pattern (see ``patterns``).

Input is trusted here: callers have checked that the cards are seven of one deck. Results are kept
per pattern, so each table holds at most the 67,600 patterns that exist.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from games.engine.cards import RANK_BITS, RANK_CARDS
from games.engine.errors import InvariantViolation
from games.engine.hand_setting import HAND_CARDS, LOWEST_LEGAL_HIGH
from games.engine.hands import (
    ALL_HIGH,
    ALL_LOW,
    HIGH_BY_PATTERN,
    LOW_BY_PATTERN,
    HighClass,
    HighHand,
    LowHand,
    parse_low,
)
from games.engine.outcomes import BreakBonusLine
from games.engine.patterns import (
    JOKER_PATTERN,
    SEVEN_CARD_PATTERN_COUNT,
    pattern_of,
    singles_of,
)
from games.engine.rulesets import HouseWayStep


class PatternWay(NamedTuple):
    """The house way of a rank pattern: the step, both values, and the ranks that make them."""

    step: HouseWayStep
    low: LowHand
    high: HighHand
    low_pattern: int
    high_pattern: int


class _Low(NamedTuple):
    """A low hand that some cards give; these sort strongest first, then by smaller pattern."""

    weakness: int
    pattern: int
    lowest_legal_high: int


_LOWS: Final = {
    pattern: _Low(-hand.strength, pattern, LOWEST_LEGAL_HIGH[hand.strength])
    for pattern, hand in LOW_BY_PATTERN.items()
}
_low_of: Final = _LOWS.__getitem__
_WEAKEST_PAIR: Final = -parse_low("2-2").strength
_HIGH_STRENGTHS: Final = {pattern: hand.strength for pattern, hand in HIGH_BY_PATTERN.items()}


@cache
def _best_highs() -> tuple[Mapping[int, int], ...]:
    """Return, by HighClass, the pattern of the best high hand that a pattern of five cards gives.

    A class that five cards cannot give has no entry; of equal hands the smaller pattern stays. All
    triples are laid beside all pairs, weakest first, so the best one is written last. What a deck
    cannot hold (five kings) is in there too, and nobody asks for it.
    """
    weakest_first = sorted(HIGH_BY_PATTERN, key=lambda triple: (_HIGH_STRENGTHS[triple], -triple))
    return tuple(
        {
            triple + two: triple
            for triple in weakest_first
            if HIGH_BY_PATTERN[triple].hand_class is high_class
            for two in _LOWS
        }
        for high_class in HighClass
    )


def _find_way(pattern: int, steps: Sequence[HouseWayStep]) -> PatternWay:
    """Find the first step with a legal setting, and its strongest low, then high. BP-5.

    For each low hand only the best high hand of a class counts: if that is not legal, no other of
    the class is. Among settings of equal value the one with the smaller low pattern, then high
    pattern, is taken, so the joker stays out where a natural card does the same.
    """
    singles = singles_of(pattern)
    if len(singles) != HAND_CARDS:
        message = f"expected the rank pattern of seven cards, got {pattern:o} (octal)"
        raise InvariantViolation(message)
    lows = sorted(map(_low_of, set(map(sum, combinations(singles, 2)))))
    pair_count = sum([low.weakness <= _WEAKEST_PAIR for low in lows])
    lows_by_class = (lows[pair_count:], lows[:pair_count])
    best_highs = _best_highs()
    for step in steps:
        best_high_of = best_highs[step.high_class].get
        best = None
        best_strength = -1
        for low in lows_by_class[step.low_class]:
            if best is not None and low.weakness > best.weakness:
                break
            high_pattern = best_high_of(pattern - low.pattern)
            if high_pattern is not None:
                strength = _HIGH_STRENGTHS[high_pattern]
                if strength >= low.lowest_legal_high and strength > best_strength:
                    best, best_strength = low, strength
        if best is not None:
            high_pattern = best_high_of(pattern - best.pattern, 0)
            low_hand, high_hand = ALL_LOW[-best.weakness], ALL_HIGH[best_strength]
            return PatternWay(step, low_hand, high_hand, best.pattern, high_pattern)
    message = f"no step of the house way allows the rank pattern {pattern:o} (octal)"
    raise InvariantViolation(message)


@lru_cache(maxsize=8)
def house_way_table(steps: tuple[HouseWayStep, ...]) -> Callable[[int], PatternWay]:
    """Return the function from the pattern of seven cards to its house way by these steps. BP-5.

    The function raises InvariantViolation when no step applies (the seven steps of BP-5 leave no
    hand over), and for a pattern that is not of seven cards.
    """

    @lru_cache(maxsize=SEVEN_CARD_PATTERN_COUNT)
    def way_of(pattern: int) -> PatternWay:
        return _find_way(pattern, steps)

    return way_of


_EACH_RANK: Final = pattern_of(RANK_CARDS)
_ACE: Final = RANK_CARDS[0].pattern
_ACE_KING_QUEEN: Final = _ACE | _ACE >> RANK_BITS | _ACE >> 2 * RANK_BITS
_TWO_THREE: Final = 0o11
_ACE_TWO_THREE: Final = _ACE | _TWO_THREE


def break_bonus_line(pattern: int) -> BreakBonusLine:
    """Return the best Break Bonus line that seven cards of this pattern make. BP-7.2, BP-1.2.

    Any line but ``none`` is a Lucky Break that could be set. BP-4.4.

    >>> from games.engine.notation import parse_cards
    >>> from games.engine.patterns import pattern_of
    >>> break_bonus_line(pattern_of(parse_cards("Ah Kd Qs 9h 9d 4c 2s")))
    <BreakBonusLine.AKQ: 'akq'>
    """
    natural = pattern & (JOKER_PATTERN - 1)
    has_joker = pattern >= JOKER_PATTERN
    # The three bits of a rank count 0 to 4: the upper two tell whether there are two or more.
    pairs = (natural >> 1 | natural >> 2) & _EACH_RANK
    best = 0
    while pairs:
        pair = pairs & -pairs
        pairs ^= pair
        found = _place_beside(pair, natural - 2 * pair, has_joker)
        if found > best:
            best = found
    if has_joker and natural & 7 * _ACE:
        # An ace and the joker are the pair, and the joker is used up. BP-1.2
        best = max(best, _place_beside(_ACE, natural - _ACE, False))  # noqa: FBT003
    return _LINES[best]


_LINES: Final = tuple(reversed(BreakBonusLine))


def _place_beside(pair: int, rest: int, has_joker: bool) -> int:  # noqa: FBT001  (speed)
    """Return the place in ``_LINES`` of the best high hand that five cards give beside a pair."""
    single = (rest | rest >> 1 | rest >> 2) & _EACH_RANK
    if has_joker:
        # The joker makes trips of two, and a straight of two that are neighbours or next but one.
        trips = (rest >> 1 | rest >> 2) & _EACH_RANK
        is_top_straight = (single & _ACE_KING_QUEEN).bit_count() >= 2
        is_straight = single & (single >> RANK_BITS | single >> 2 * RANK_BITS) or (
            single & _ACE and single & _TWO_THREE
        )
    else:
        trips = (rest >> 2 | rest & rest >> 1) & _EACH_RANK
        is_top_straight = single & _ACE_KING_QUEEN == _ACE_KING_QUEEN
        is_straight = (
            single & single >> RANK_BITS & single >> 2 * RANK_BITS
            or single & _ACE_TWO_THREE == _ACE_TWO_THREE
        )
    if trips & pair:
        return 5 if pair == _ACE else 4
    if trips:
        return 3
    if is_top_straight:
        return 2
    return 1 if is_straight else 0
