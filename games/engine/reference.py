"""The slow evaluator: written straight from the rule text, to check the fast one with.

It shares nothing with ``lookup``, ``hands`` or ``hand_setting``: hands are plain tuples, the joker
is tried as every rank, and all 210 settings are looked at. Every function says its rule.
"""

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

from games.engine.cards import Card

JOKER: Final = 0
"""The joker among ranks, which are 2 to 14."""
ACE: Final = 14
KING: Final = 13
QUEEN: Final = 12
THREE: Final = 3


class Kind(IntEnum):
    """Classes of both hands in one order, strongest last. BP-2.1, BP-3.1."""

    HIGH_CARD = 0
    PAIR = 1
    STRAIGHT = 2
    TRIPS = 3


class Value(NamedTuple):
    """A hand that can be compared with hands of as many cards; ``ranks`` in order of weight."""

    kind: Kind
    ranks: tuple[int, ...]

    @property
    def label(self) -> str:
        """The hand in the notation of hand values, such as ``9-9-K``."""
        # The lowest straight is written A-2-3, though its weight is that of a three. BP-2.1
        ranks = (ACE, 2, 3) if self == _LOWEST_STRAIGHT else self.ranks
        return "-".join("23456789TJQKA"[rank - 2] for rank in ranks)


_LOWEST_STRAIGHT: Final = Value(Kind.STRAIGHT, (3, 2, 1))


class ReferenceSetting(NamedTuple):
    """One way to set: the ranks used and what they are worth."""

    low_ranks: tuple[int, ...]
    high_ranks: tuple[int, ...]
    low: Value
    high: Value
    is_legal: bool


class ReferenceWay(NamedTuple):
    """The house way: the number of the step, and both hands."""

    step: int
    low: Value
    high: Value


def ranks_of(cards: Sequence[Card]) -> tuple[int, ...]:
    """Return cards as sorted ranks, the joker as ``JOKER``."""
    return tuple(sorted(JOKER if card.rank is None else int(card.rank) for card in cards))


@cache
def low_value(ranks: tuple[int, ...]) -> Value:
    """Two cards: a pair or high cards; the joker is an ace. BP-3.1, BP-1.2."""
    first, second = sorted((ACE if rank == JOKER else rank for rank in ranks), reverse=True)
    return Value(Kind.PAIR if first == second else Kind.HIGH_CARD, (first, second))


@cache
def high_value(ranks: tuple[int, ...]) -> Value:
    """Three cards; of the readings that the joker may have, the highest. BP-2, BP-1.2, BP-1.3."""
    if JOKER not in ranks:
        return _natural_value(ranks)
    others = tuple(rank for rank in ranks if rank != JOKER)
    as_ace = _natural_value((*others, ACE))
    readings = [_natural_value((*others, rank)) for rank in range(2, ACE + 1)]
    completed = [value for value in readings if value.kind in (Kind.TRIPS, Kind.STRAIGHT)]
    return max([as_ace, *completed])


def _natural_value(ranks: tuple[int, ...]) -> Value:
    first, second, third = sorted(ranks, reverse=True)
    if first == second == third:
        return Value(Kind.TRIPS, (first, second, third))
    if (first, second, third) == (ACE, THREE, 2):
        return _LOWEST_STRAIGHT
    if first == second + 1 == third + 2:
        return Value(Kind.STRAIGHT, (first, second, third))
    if first == second:
        return Value(Kind.PAIR, (first, first, third))
    if second == third:
        return Value(Kind.PAIR, (second, second, first))
    return Value(Kind.HIGH_CARD, (first, second, third))


def is_legal(low: Value, high: Value) -> bool:
    """Say whether the low hand does not outrank the high hand. BP-4.2."""
    if high.kind in (Kind.TRIPS, Kind.STRAIGHT):
        return True
    if low.kind != high.kind:
        return high.kind > low.kind
    for low_rank, high_rank in zip(low.ranks, high.ranks, strict=False):
        if low_rank != high_rank:
            return high_rank > low_rank
    return True


def legal_settings(ranks: tuple[int, ...]) -> list[ReferenceSetting]:
    """Return the legal settings among the 210 of seven sorted ranks, each once. BP-4.1."""
    settings = []
    for low_ranks in set(combinations(ranks, 2)):
        rest = list(ranks)
        for rank in low_ranks:
            rest.remove(rank)
        for high_ranks in set(combinations(rest, 3)):
            setting = _set(low_ranks, high_ranks)
            if setting.is_legal:
                settings.append(setting)
    return settings


@cache
def _set(low_ranks: tuple[int, ...], high_ranks: tuple[int, ...]) -> ReferenceSetting:
    low, high = low_value(low_ranks), high_value(high_ranks)
    return ReferenceSetting(low_ranks, high_ranks, low, high, is_legal(low, high))


def house_way_by_the_text(ranks: tuple[int, ...], settings: list[ReferenceSetting]) -> ReferenceWay:
    """Take the first of the seven steps that the cards allow. BP-5.

    ``settings`` are the ``legal_settings`` of the ranks, which take most of the time.
    """
    found = ((number, step(ranks, settings)) for number, step in enumerate(_STEPS, start=1))
    # The last step allows any cards.
    return next(ReferenceWay(number, way.low, way.high) for number, way in found if way is not None)


_Step = Callable[[tuple[int, ...], list[ReferenceSetting]], ReferenceSetting | None]


def _allowed(settings: list[ReferenceSetting], low: Kind, high: Kind) -> list[ReferenceSetting]:
    return [s for s in settings if s.low.kind == low and s.high.kind == high]


def _best_low_then_high(
    settings: list[ReferenceSetting], allowed: list[ReferenceSetting]
) -> ReferenceSetting | None:
    """Return the best allowed low with the strongest high that any setting has with it."""
    if not allowed:
        return None
    low = max(setting.low for setting in allowed)
    return max((s for s in settings if s.low == low), key=lambda setting: setting.high)


def _pair_and_trips(_: object, settings: list[ReferenceSetting]) -> ReferenceSetting | None:
    """BP-5.1: the highest possible pair low."""
    return _best_low_then_high(settings, _allowed(settings, Kind.PAIR, Kind.TRIPS))


def _pair_and_straight(_: object, settings: list[ReferenceSetting]) -> ReferenceSetting | None:
    """BP-5.2: the highest possible pair low."""
    return _best_low_then_high(settings, _allowed(settings, Kind.PAIR, Kind.STRAIGHT))


def _no_pair_and_trips(_: object, settings: list[ReferenceSetting]) -> ReferenceSetting | None:
    """BP-5.3: the two highest possible cards low."""
    return _best_low_then_high(settings, _allowed(settings, Kind.HIGH_CARD, Kind.TRIPS))


def _no_pair_and_straight(_: object, settings: list[ReferenceSetting]) -> ReferenceSetting | None:
    """BP-5.4: the two highest possible cards low."""
    return _best_low_then_high(settings, _allowed(settings, Kind.HIGH_CARD, Kind.STRAIGHT))


def _pair_and_pair(
    ranks: tuple[int, ...], settings: list[ReferenceSetting]
) -> ReferenceSetting | None:
    """BP-5.5: the second-highest pair low, the highest pair high, the best card beside it."""
    if not _allowed(settings, Kind.PAIR, Kind.PAIR):
        return None
    naturals = [ACE if rank == JOKER else rank for rank in ranks]
    pairs = sorted((rank for rank in set(naturals) if naturals.count(rank) > 1), reverse=True)
    highest, second = pairs[0], pairs[1]
    kicker = max(rank for rank in naturals if rank not in (highest, second))
    return _set((second, second), (highest, highest, kicker))


def _no_pair_and_pair(_: object, settings: list[ReferenceSetting]) -> ReferenceSetting | None:
    """BP-5.6: the two highest possible cards low."""
    return _best_low_then_high(settings, _allowed(settings, Kind.HIGH_CARD, Kind.PAIR))


def _nothing(ranks: tuple[int, ...], _: object) -> ReferenceSetting:
    """BP-5.7: the second- and third-highest cards low; the highest, fourth and fifth high."""
    first, second, third, fourth, fifth, *_rest = sorted(
        (ACE if rank == JOKER else rank for rank in ranks), reverse=True
    )
    return _set((second, third), (first, fourth, fifth))


_STEPS: Final[tuple[_Step, ...]] = (
    _pair_and_trips,
    _pair_and_straight,
    _no_pair_and_trips,
    _no_pair_and_straight,
    _pair_and_pair,
    _no_pair_and_pair,
    _nothing,
)


def is_lucky_break_possible(settings: list[ReferenceSetting]) -> bool:
    """Say whether a pair low with trips or a straight high can be set. BP-4.4."""
    return any(
        s.low.kind == Kind.PAIR and s.high.kind in (Kind.TRIPS, Kind.STRAIGHT) for s in settings
    )


def break_bonus_by_the_text(settings: list[ReferenceSetting]) -> str:
    """Return the best Break Bonus line among the settings of seven cards. BP-7.2."""
    with_pair = [s for s in settings if s.low.kind == Kind.PAIR]
    with_trips = [s for s in with_pair if s.high.kind == Kind.TRIPS]
    of_one_rank = {s.high.ranks[0] for s in with_trips if s.low.ranks[0] == s.high.ranks[0]}
    straights = {s.high.ranks for s in with_pair if s.high.kind == Kind.STRAIGHT}
    if ACE in of_one_rank:
        return "five_aces"
    if of_one_rank:
        return "five_of_a_kind"
    if with_trips:
        return "trips"
    if (ACE, KING, QUEEN) in straights:
        return "akq"
    return "straight" if straights else "none"
