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
    HighHand,
    LowClass,
    LowHand,
)
from games.engine.outcomes import BreakBonusLine
from games.engine.patterns import (
    JOKER_PATTERN,
    SEVEN_CARD_PATTERN_COUNT,
    all_patterns,
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


_LOW_STRENGTHS: Final = {pattern: hand.strength for pattern, hand in LOW_BY_PATTERN.items()}
_HIGH_STRENGTHS: Final = {pattern: hand.strength for pattern, hand in HIGH_BY_PATTERN.items()}
_HIGH_CLASSES: Final = {pattern: hand.hand_class for pattern, hand in HIGH_BY_PATTERN.items()}


class _LowChoice(NamedTuple):
    """A low hand that some cards give."""

    strength: int
    pattern: int
    lowest_legal_high: int


_LowChoices = Mapping[LowClass, tuple[_LowChoice, ...]]


@cache
def _lows_of_four() -> Mapping[int, _LowChoices]:
    """Return, for each pattern of four cards, the low hands they give, strongest first.

    2,275 patterns. Of pairs of cards with one value (an ace or the joker) the smallest pattern
    stays: the one without the joker.
    """
    return {pattern: _low_choices(pattern) for pattern in all_patterns(4)}


def _low_choices(four_pattern: int) -> _LowChoices:
    choices: dict[LowClass, list[_LowChoice]] = {low_class: [] for low_class in LowClass}
    pairs = set(map(sum, combinations(singles_of(four_pattern), 2)))
    seen = set()
    for strength, pattern in sorted((-_LOW_STRENGTHS[pattern], pattern) for pattern in pairs):
        if strength not in seen:
            seen.add(strength)
            low = ALL_LOW[-strength]
            choice = _LowChoice(low.strength, pattern, LOWEST_LEGAL_HIGH[low.strength])
            choices[low.hand_class].append(choice)
    return {low_class: tuple(found) for low_class, found in choices.items()}


def _find_way(pattern: int, steps: Sequence[HouseWayStep]) -> PatternWay:
    """Find the first step with a legal setting, and its strongest low, then high. BP-5.

    Among settings of equal value the one with the smaller low pattern, then high pattern, is
    taken, so the joker stays out where a natural card does the same.
    """
    singles = singles_of(pattern)
    if len(singles) != HAND_CARDS:
        message = f"expected the rank pattern of seven cards, got {pattern:o} (octal)"
        raise InvariantViolation(message)
    triples_by_class: tuple[list[int], ...] = ([], [], [], [])
    for triple in set(map(sum, combinations(singles, 3))):
        triples_by_class[_HIGH_CLASSES[triple]].append(triple)
    lows_of_four = _lows_of_four()
    for step in steps:
        best = (-1, 0, 0, 0)
        low_class = step.low_class
        for triple in triples_by_class[step.high_class]:
            high = _HIGH_STRENGTHS[triple]
            for low, low_pattern, lowest_legal_high in lows_of_four[pattern - triple][low_class]:
                if high >= lowest_legal_high:
                    found = (low, high, -low_pattern, -triple)
                    if found > best:
                        best = found
                    break
        low, high, low_pattern, high_pattern = best
        if low >= 0:
            return PatternWay(step, ALL_LOW[low], ALL_HIGH[high], -low_pattern, -high_pattern)
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
    best = 0
    # The three bits of a rank count 0 to 4: the upper two tell whether there are two or more.
    pairs = (natural >> 1 | natural >> 2) & _EACH_RANK
    while pairs:
        pair = pairs & -pairs
        pairs ^= pair
        best = max(best, _line_beside(pair, natural - 2 * pair, has_joker=has_joker))
    if has_joker and natural & 7 * _ACE:
        # An ace and the joker are the pair, and the joker is used up. BP-1.2
        best = max(best, _line_beside(_ACE, natural - _ACE, has_joker=False))
    return _LINES[best]


_LINES: Final = tuple(reversed(BreakBonusLine))


def _line_beside(pair: int, rest: int, *, has_joker: bool) -> int:
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
