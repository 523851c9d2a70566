"""Two-card (low) and three-card (high) hands as ordered values; greater is stronger. BP-2, BP-3.

There are 91 low and 455 high values, each one object of the process. A low hand and a high hand
have no order between them: the one comparison that the rules define is ``hand_setting.is_foul``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import combinations, permutations
from types import MappingProxyType
from typing import Final, Generic, NoReturn, TypeVar, final

from games.engine.cards import Card, Rank
from games.engine.errors import CardParseError, shown
from games.engine.patterns import JOKER_PATTERN, all_patterns, cards_of


class LowClass(IntEnum):
    """Classes of a two-card hand, weakest first. BP-3.1."""

    HIGH_CARD = 0
    PAIR = 1


class HighClass(IntEnum):
    """Classes of a three-card hand, weakest first. BP-2.1."""

    HIGH_CARD = 0
    PAIR = 1
    STRAIGHT = 2
    TRIPS = 3


_ClassT = TypeVar("_ClassT", LowClass, HighClass)


class _Hand(Generic[_ClassT]):
    """What low and high hands share: a place in their order, and no way to change it."""

    __slots__ = ("hand_class", "label", "ranks", "strength")

    hand_class: _ClassT
    ranks: tuple[Rank, ...]
    label: str
    strength: int

    def __init__(self, hand_class: _ClassT, ranks: tuple[Rank, ...], strength: int) -> None:
        """Make one of the values of this module; ``strength`` counts from 0, the weakest."""
        object.__setattr__(self, "hand_class", hand_class)
        object.__setattr__(self, "ranks", ranks)
        object.__setattr__(self, "label", "-".join(rank.symbol for rank in ranks))
        object.__setattr__(self, "strength", strength)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse: hand values are shared by the whole process."""
        message = f"a hand value cannot be changed: {self.label}.{name}"
        raise AttributeError(message)

    def __delattr__(self, name: str) -> NoReturn:
        """Refuse: hand values are shared by the whole process."""
        self.__setattr__(name, None)

    def __repr__(self) -> str:
        """Show kind and label."""
        return f"<{type(self).__name__} {self.label}>"


@final
class LowHand(_Hand[LowClass]):
    """The value of a two-card hand: ``hand_class``, ``ranks``, ``label`` such as ``A-K``."""

    __slots__ = ()

    def __lt__(self, other: "LowHand") -> bool:
        """Weaker than."""
        return self.strength < other.strength if isinstance(other, LowHand) else NotImplemented

    def __le__(self, other: "LowHand") -> bool:
        """Weaker than or the same."""
        return self.strength <= other.strength if isinstance(other, LowHand) else NotImplemented

    def __gt__(self, other: "LowHand") -> bool:
        """Stronger than."""
        return self.strength > other.strength if isinstance(other, LowHand) else NotImplemented

    def __ge__(self, other: "LowHand") -> bool:
        """Stronger than or the same."""
        return self.strength >= other.strength if isinstance(other, LowHand) else NotImplemented

    def __reduce__(self) -> tuple[Callable[[str], "LowHand"], tuple[str]]:
        """Copy and unpickle to the one value of that label."""
        return parse_low, (self.label,)


@final
class HighHand(_Hand[HighClass]):
    """The value of a three-card hand: ``hand_class``, ``ranks``, ``label`` such as ``9-9-K``."""

    __slots__ = ()

    def __lt__(self, other: "HighHand") -> bool:
        """Weaker than."""
        return self.strength < other.strength if isinstance(other, HighHand) else NotImplemented

    def __le__(self, other: "HighHand") -> bool:
        """Weaker than or the same."""
        return self.strength <= other.strength if isinstance(other, HighHand) else NotImplemented

    def __gt__(self, other: "HighHand") -> bool:
        """Stronger than."""
        return self.strength > other.strength if isinstance(other, HighHand) else NotImplemented

    def __ge__(self, other: "HighHand") -> bool:
        """Stronger than or the same."""
        return self.strength >= other.strength if isinstance(other, HighHand) else NotImplemented

    def __reduce__(self) -> tuple[Callable[[str], "HighHand"], tuple[str]]:
        """Copy and unpickle to the one value of that label."""
        return parse_high, (self.label,)


_DESCENDING: Final = tuple(sorted(Rank, reverse=True))
_LOWEST_STRAIGHT: Final = (Rank.ACE, Rank.TWO, Rank.THREE)
# Strongest first, as BP-2.1 lists them: A-K-Q, K-Q-J ... 4-3-2, and A-2-3 last.
_STRAIGHTS: Final = (
    *(_DESCENDING[i : i + 3] for i in range(len(_DESCENDING) - 2)),
    _LOWEST_STRAIGHT,
)
_STRAIGHT_BY_RANKS: Final = {frozenset(ranks): ranks for ranks in _STRAIGHTS}


def _all_low() -> tuple[LowHand, ...]:
    strongest_first = [
        *((LowClass.PAIR, (rank, rank)) for rank in _DESCENDING),
        *((LowClass.HIGH_CARD, ranks) for ranks in combinations(_DESCENDING, 2)),
    ]
    return tuple(
        LowHand(hand_class, ranks, strength)
        for strength, (hand_class, ranks) in enumerate(reversed(strongest_first))
    )


def _all_high() -> tuple[HighHand, ...]:
    strongest_first: list[tuple[HighClass, tuple[Rank, ...]]] = [
        *((HighClass.TRIPS, (rank, rank, rank)) for rank in _DESCENDING),
        *((HighClass.STRAIGHT, ranks) for ranks in _STRAIGHTS),
        *((HighClass.PAIR, (pair, pair, k)) for pair, k in permutations(_DESCENDING, 2)),
        *(
            (HighClass.HIGH_CARD, ranks)
            for ranks in combinations(_DESCENDING, 3)
            if frozenset(ranks) not in _STRAIGHT_BY_RANKS
        ),
    ]
    return tuple(
        HighHand(hand_class, ranks, strength)
        for strength, (hand_class, ranks) in enumerate(reversed(strongest_first))
    )


ALL_LOW: Final = _all_low()
"""The 91 low hands, weakest first: ``ALL_LOW[hand.strength] is hand``."""
ALL_HIGH: Final = _all_high()
"""The 455 high hands, weakest first: ``ALL_HIGH[hand.strength] is hand``."""

_LOW_BY_LABEL: Final = {hand.label: hand for hand in ALL_LOW}
_HIGH_BY_LABEL: Final = {hand.label: hand for hand in ALL_HIGH}
_LOW_BY_RANKS: Final = {hand.ranks: hand for hand in ALL_LOW}
_HIGH_BY_RANKS: Final = {hand.ranks: hand for hand in ALL_HIGH}


def _natural_high(ranks: Iterable[Rank]) -> HighHand:
    first, second, third = sorted(ranks, reverse=True)
    straight = _STRAIGHT_BY_RANKS.get(frozenset((first, second, third)))
    if straight is not None:
        return _HIGH_BY_RANKS[straight]
    if second == third != first:
        # A pair is written before its kicker: K-7-7 is 7-7-K.
        return _HIGH_BY_RANKS[second, third, first]
    return _HIGH_BY_RANKS[first, second, third]


def _high_with_joker(ranks: tuple[Rank, ...]) -> HighHand:
    """Value two ranks and the joker: an ace, or what completes trips or a straight. BP-1.2, 1.3."""
    readings = [_natural_high((*ranks, Rank.ACE))]
    completing = (_natural_high((*ranks, rank)) for rank in Rank)
    readings += [hand for hand in completing if hand.hand_class >= HighClass.STRAIGHT]
    return max(readings)


def _value_low(pattern: int) -> LowHand:
    """Value two cards; the joker is always an ace here. BP-1.2."""
    ranks = (Rank.ACE if card.rank is None else card.rank for card in cards_of(pattern))
    return _LOW_BY_RANKS[tuple(sorted(ranks, reverse=True))]


def _value_high(pattern: int) -> HighHand:
    ranks = tuple(card.rank for card in cards_of(pattern) if card.rank is not None)
    return _high_with_joker(ranks) if pattern & JOKER_PATTERN else _natural_high(ranks)


_LOW_BY_PATTERN: Final = {pattern: _value_low(pattern) for pattern in all_patterns(2)}
_HIGH_BY_PATTERN: Final = {pattern: _value_high(pattern) for pattern in all_patterns(3)}
LOW_BY_PATTERN: Final[Mapping[int, LowHand]] = MappingProxyType(_LOW_BY_PATTERN)
"""The value of each of the 104 two-card rank patterns."""
HIGH_BY_PATTERN: Final[Mapping[int, HighHand]] = MappingProxyType(_HIGH_BY_PATTERN)
"""The value of each of the 546 three-card rank patterns."""


def low_hand(cards: Sequence[Card]) -> LowHand:
    """Return the value of two different cards. BP-3, BP-1.2.

    >>> from games.engine.notation import parse_cards
    >>> low_hand(parse_cards("Jk Kd"))
    <LowHand A-K>
    """
    first, second = cards
    return _LOW_BY_PATTERN[first.pattern + second.pattern]


def high_hand(cards: Sequence[Card]) -> HighHand:
    """Return the value of three different cards. BP-2, BP-1.2, BP-1.3.

    >>> from games.engine.notation import parse_cards
    >>> high_hand(parse_cards("2d 3s Jk"))
    <HighHand 4-3-2>
    """
    first, second, third = cards
    return _HIGH_BY_PATTERN[first.pattern + second.pattern + third.pattern]


def parse_low(label: str) -> LowHand:
    """Return the low hand of a label such as ``A-K``; raises CardParseError for any other text."""
    return _by_label(_LOW_BY_LABEL, label, "a low hand such as A-K or 9-9")


def parse_high(label: str) -> HighHand:
    """Return the high hand of a label such as ``K-3-2``; raises CardParseError for other text.

    >>> parse_high("K-3-2") > parse_high("Q-J-9")
    True
    """
    return _by_label(_HIGH_BY_LABEL, label, "a high hand such as K-3-2 or 9-9-K")


_HandT = TypeVar("_HandT", LowHand, HighHand)


def _by_label(hands: Mapping[str, _HandT], label: str, expected: str) -> _HandT:
    try:
        return hands[label]
    except KeyError:
        message = f"expected {expected}, got {shown(label)}"
        raise CardParseError(message, detail={"value": shown(label)}) from None
