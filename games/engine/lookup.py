"""The fast evaluator: what seven cards make, by rank pattern (see ``patterns``).

Input is trusted here: callers have checked that the cards are seven of one deck.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from games.engine.cards import RANK_BITS, RANK_CARDS
from games.engine.errors import InvariantViolation
from games.engine.hand_setting import LOWEST_LEGAL_HIGH
from games.engine.hands import (
    ALL_HIGH,
    ALL_LOW,
    HIGH_BY_PATTERN,
    LOW_BY_PATTERN,
    HighClass,
    HighHand,
    LowClass,
    LowHand,
)
from games.engine.outcomes import BreakBonusLine
from games.engine.patterns import (
    JOKER_PATTERN,
    all_patterns,
    pattern_of,
)
from games.engine.rulesets import HouseWayStep


class PatternWay(NamedTuple):
    """The house way of a rank pattern: the step, both values, and the ranks that make them."""

    step: HouseWayStep
    low: LowHand
    high: HighHand
    low_pattern: int
    high_pattern: int


WAYS_KEPT: Final = 16_384
"""So many house ways are remembered by each table, to save time at a bounded cost of memory."""

_LOW_STRENGTHS: Final = {pattern: hand.strength for pattern, hand in LOW_BY_PATTERN.items()}
_HIGH_STRENGTHS: Final = {pattern: hand.strength for pattern, hand in HIGH_BY_PATTERN.items()}
_PAIR: Final = LowClass.PAIR
_EACH_RANK: Final = pattern_of(RANK_CARDS)
_ACE: Final = RANK_CARDS[0].pattern
_RANKS_DESCENDING: Final = tuple(card.pattern for card in RANK_CARDS)

_TWO_THREE: Final = 0o11
_ACE_TWO_THREE: Final = _ACE | _TWO_THREE


# Break Bonus lines, worst first, and their places.
_LINES: Final = tuple(reversed(BreakBonusLine))
_NOTHING, _STRAIGHT, _AKQ, _TRIPS, _FIVE_OF_A_KIND, _FIVE_ACES = range(len(_LINES))


@cache
def _best_highs() -> tuple[Mapping[int, int], ...]:
    """Return, by HighClass, the pattern of the best high hand that a pattern of five cards gives.

    A class that five cards cannot give has no entry; of equal hands the smaller pattern stays. All
    triples are laid beside all pairs, weakest first, so the best one is written last.
    """
    in_the_deck = set(all_patterns(5))
    weakest_first = sorted(HIGH_BY_PATTERN, key=lambda triple: (_HIGH_STRENGTHS[triple], -triple))
    return tuple(
        {
            triple + two: triple
            for triple in weakest_first
            if HIGH_BY_PATTERN[triple].hand_class is high_class
            for two in LOW_BY_PATTERN
            if triple + two in in_the_deck
        }
        for high_class in HighClass
    )


@cache
def _lines_of_five() -> Mapping[int, int]:
    """Return the place in ``_LINES`` that five cards of a pattern have beside any pair. BP-7.2."""
    best_highs = _best_highs()
    places = {}
    for pattern in all_patterns(5):
        straight = best_highs[HighClass.STRAIGHT].get(pattern)
        if pattern in best_highs[HighClass.TRIPS]:
            places[pattern] = _TRIPS
        elif straight is not None:
            is_top = HIGH_BY_PATTERN[straight].label == "A-K-Q"
            places[pattern] = _AKQ if is_top else _STRAIGHT
        else:
            places[pattern] = _NOTHING
    return places


def _possible_classes(pattern: int) -> tuple[bool, ...]:
    """Say, by HighClass, what high hands may be in the cards; false if there is surely none.

    Only trips and straights are looked for: they are few, and two questions about the bits of a
    pattern save asking for them beside every low hand. BP-2.1, BP-1.2
    """
    # The three bits of a rank count 0 to 4: the upper two tell whether there are two or more.
    twos, fours = pattern >> 1, pattern >> 2
    single = (pattern | twos | fours) & _EACH_RANK
    neighbours = single & single >> RANK_BITS
    if pattern >= JOKER_PATTERN:
        # The joker makes trips of two, and a straight of two that are neighbours or next but one.
        trips = (twos | fours) & _EACH_RANK
        straight = neighbours | single & single >> 2 * RANK_BITS
        is_straight = straight > 0 or (single & _ACE > 0 and single & _TWO_THREE > 0)
    else:
        trips = (fours | pattern & twos) & _EACH_RANK
        straight = neighbours & neighbours >> RANK_BITS
        is_straight = straight > 0 or single & _ACE_TWO_THREE == _ACE_TWO_THREE
    return (True, True, is_straight, trips > 0)


def _low_pairs(pattern: int, ranks: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the patterns of the pairs low, strongest first, those of one value at once.

    Only the joker makes two patterns of one value: it is an ace in the low hand. BP-1.2
    """
    for single in ranks:
        if single == _ACE and pattern >= JOKER_PATTERN:
            natural = (2 * single,) if pattern & 6 * single else ()
            yield (*natural, _ACE + JOKER_PATTERN)
        elif pattern & 6 * single:
            yield (2 * single,)


def _low_high_cards(pattern: int, ranks: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the patterns of the high cards low, as ``_low_pairs`` does the pairs."""
    has_joker = pattern >= JOKER_PATTERN
    has_both = has_joker and ranks[0] == _ACE
    if has_joker and not has_both:
        ranks = (JOKER_PATTERN, *ranks)
    for first, second in combinations(ranks, 2):
        if has_both and first == _ACE:
            yield (first + second, JOKER_PATTERN + second)
        else:
            yield (first + second,)


def _find_way(pattern: int, steps: Sequence[HouseWayStep]) -> PatternWay:
    """Find the first step with a legal setting, and its strongest low, then high. BP-5.

    For each low hand only the best high hand of a class counts: if that is not legal, no other of
    the class is. Among settings of equal value the one with the smaller low pattern, then high
    pattern, is taken, so the joker stays out where a natural card does the same.
    """
    best_highs = _best_highs()
    ranks = [single for single in _RANKS_DESCENDING if pattern & 7 * single]
    possible = _possible_classes(pattern)
    for step in steps:
        if not possible[step.high_class]:
            continue
        best_high_of = best_highs[step.high_class].get
        lows = _low_pairs if step.low_class is _PAIR else _low_high_cards
        for low_patterns in lows(pattern, ranks):
            found = None
            for low_pattern in low_patterns:
                high_pattern = best_high_of(pattern - low_pattern)
                if high_pattern is not None:
                    low = _LOW_STRENGTHS[low_pattern]
                    high = _HIGH_STRENGTHS[high_pattern]
                    if high >= LOWEST_LEGAL_HIGH[low] and (
                        found is None or high > found.high.strength
                    ):
                        found = PatternWay(
                            step, ALL_LOW[low], ALL_HIGH[high], low_pattern, high_pattern
                        )
            if found is not None:
                return found
    message = f"no step of the house way allows the rank pattern {pattern:o} (octal)"
    raise InvariantViolation(message)


@lru_cache(maxsize=8)
def house_way_table(steps: tuple[HouseWayStep, ...]) -> Callable[[int], PatternWay]:
    """Return the function from the pattern of seven cards to its house way by these steps. BP-5.

    The function raises InvariantViolation when no step applies (the seven steps of BP-5 leave no
    hand over), and for a pattern that is not of seven cards.
    """

    @lru_cache(maxsize=WAYS_KEPT)
    def way_of(pattern: int) -> PatternWay:
        return _find_way(pattern, steps)

    return way_of


def break_bonus_line(pattern: int) -> BreakBonusLine:
    """Return the best Break Bonus line that seven cards of this pattern make. BP-7.2, BP-1.2.

    Any line but ``none`` is a Lucky Break that could be set. BP-4.4.

    >>> from games.engine.notation import parse_cards
    >>> from games.engine.patterns import pattern_of
    >>> break_bonus_line(pattern_of(parse_cards("Ah Kd Qs 9h 9d 4c 2s")))
    <BreakBonusLine.AKQ: 'akq'>
    """
    line_of = _lines_of_five()
    has_joker = pattern >= JOKER_PATTERN
    fours = pattern >> 2 & _EACH_RANK
    if has_joker and fours:
        return _LINES[_FIVE_ACES if fours & _ACE else _FIVE_OF_A_KIND]
    best = _NOTHING
    # The three bits of a rank count 0 to 4: the upper two tell whether there are two or more.
    pairs = pattern >> 1 & _EACH_RANK | fours
    while pairs:
        pair = pairs & -pairs
        pairs ^= pair
        found = line_of[pattern - 2 * pair]
        if found > best:
            best = found
    if has_joker and pattern & 7 * _ACE:
        # An ace and the joker are the pair, and the joker is used up. BP-1.2
        best = max(best, line_of[pattern - _ACE - JOKER_PATTERN])
    return _LINES[best]
