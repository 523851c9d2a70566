"""The fast evaluator: what seven cards make, by rank pattern (see ``patterns``).

Input is trusted here: callers have checked that the cards are seven of one deck.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
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
    LowClass,
    LowHand,
)
from games.engine.outcomes import BreakBonusLine
from games.engine.patterns import (
    JOKER_PATTERN,
    card_count,
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


_NATURAL: Final = JOKER_PATTERN - 1
_ACE_KING_QUEEN: Final = _ACE | _ACE >> RANK_BITS | _ACE >> 2 * RANK_BITS
_TWO_THREE: Final = 0o11
_ACE_TWO_THREE: Final = _ACE | _TWO_THREE


def _best_beside(pair: int, natural: int, has_joker: bool) -> int:  # noqa: FBT001
    """Return the place in ``_LINES`` of the best that cards make beside a pair of a rank.

    ``natural`` is the pattern of the other cards without the joker. BP-7.2, BP-2.1, BP-1.2
    """
    single = (natural | natural >> 1 | natural >> 2) & _EACH_RANK
    neighbours = single & single >> RANK_BITS
    if has_joker:
        # The joker makes trips of two, and a straight of two that are neighbours or next but one.
        trips = (natural >> 1 | natural >> 2) & _EACH_RANK
        is_top = (single & _ACE_KING_QUEEN).bit_count() > 1
        is_straight = neighbours or single & single >> 2 * RANK_BITS
        is_straight = is_straight or (single & _ACE and single & _TWO_THREE)
    else:
        trips = (natural >> 2 | natural & natural >> 1) & _EACH_RANK
        is_top = single & _ACE_KING_QUEEN == _ACE_KING_QUEEN
        is_straight = neighbours & neighbours >> RANK_BITS
        is_straight = is_straight or single & _ACE_TWO_THREE == _ACE_TWO_THREE
    if trips:
        if trips & pair:
            return _FIVE_ACES if pair == _ACE else _FIVE_OF_A_KIND
        return _TRIPS
    if is_top:
        return _AKQ
    return _STRAIGHT if is_straight else _NOTHING


# Break Bonus lines, worst first, and their places.
_LINES: Final = tuple(reversed(BreakBonusLine))
_NOTHING, _STRAIGHT, _AKQ, _TRIPS, _FIVE_OF_A_KIND, _FIVE_ACES = range(len(_LINES))


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
            for two in LOW_BY_PATTERN
        }
        for high_class in HighClass
    )


def _lows(pattern: int, low_class: LowClass) -> Iterator[tuple[int, ...]]:
    """Yield the patterns of the low hands of a class, strongest first, those of one value at once.

    Only the joker makes two patterns of one value: it is an ace in the low hand. BP-1.2
    """
    ranks = [single for single in _RANKS_DESCENDING if pattern & 7 * single]
    has_joker = pattern >= JOKER_PATTERN
    has_both = has_joker and ranks[0] == _ACE
    if low_class is _PAIR:
        for single in ranks:
            natural = (2 * single,) if pattern & 6 * single else ()
            both = (_ACE + JOKER_PATTERN,) if has_both and single == _ACE else ()
            if natural or both:
                yield natural + both
        return
    if has_joker and not has_both:
        ranks.insert(0, JOKER_PATTERN)
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
    if card_count(pattern) != HAND_CARDS:
        message = f"expected the rank pattern of seven cards, got {pattern:o} (octal)"
        raise InvariantViolation(message)
    best_highs = _best_highs()
    best = _best_beside(0, pattern & _NATURAL, pattern >= JOKER_PATTERN)
    # By HighClass; seven cards that make trips may make a straight too.
    possible = (True, True, best > _NOTHING, best >= _TRIPS)
    for step in steps:
        if not possible[step.high_class]:
            continue
        best_high_of = best_highs[step.high_class].get
        for low_patterns in _lows(pattern, step.low_class):
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
    natural = pattern & _NATURAL
    has_joker = pattern >= JOKER_PATTERN
    best = _NOTHING
    # The three bits of a rank count 0 to 4: the upper two tell whether there are two or more.
    pairs = (natural >> 1 | natural >> 2) & _EACH_RANK
    while pairs:
        pair = pairs & -pairs
        pairs ^= pair
        found = _best_beside(pair, natural - 2 * pair, has_joker)
        if found > best:
            best = found
    if has_joker and natural & 7 * _ACE:
        # An ace and the joker are the pair, and the joker is used up. BP-1.2
        best = max(best, _best_beside(_ACE, natural - _ACE, has_joker=False))
    return _LINES[best]
