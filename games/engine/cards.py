"""The 53 cards of the deck, and the ranks alone. BP-1.1.

Every card exists once in a process, so comparing two is comparing identities.
"""

from enum import Enum, IntEnum
from typing import Final, NoReturn, final

RANK_BITS: Final = 3
"""How wide the count of one rank is in a rank pattern; see the module ``patterns``."""


class Rank(IntEnum):
    """Two to ace; greater is stronger."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def symbol(self) -> str:
        """The one character of BP-10: ``2`` to ``9``, ``T``, ``J``, ``Q``, ``K``, ``A``."""
        return "23456789TJQKA"[self - 2]


class Suit(Enum):
    """The four suits. They tell cards apart and never rank. BP-1.1."""

    SPADES = "s"
    HEARTS = "h"
    DIAMONDS = "d"
    CLUBS = "c"


@final
class Card:
    """One card: suited, the joker (``rank`` is None), or a rank alone (``suit`` is None).

    ``code`` is the canonical text (``As``, ``Jk``, ``A``); ``order`` is the place in the deck
    (joker, aces, kings ... twos; spades, hearts, diamonds, clubs), which has no meaning in play;
    ``pattern`` is the card's part of a rank pattern, which the module ``patterns`` explains.
    Cards are not made by callers: take them from ``DECK``, ``RANK_CARDS`` or the notation.
    """

    __slots__ = ("code", "order", "pattern", "rank", "suit")

    code: str
    order: int
    pattern: int
    rank: Rank | None
    suit: Suit | None

    def __init__(self, rank: Rank | None, suit: Suit | None, code: str, order: int) -> None:
        """Make one of the cards of this module."""
        object.__setattr__(self, "rank", rank)
        object.__setattr__(self, "suit", suit)
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "order", order)
        place = len(Rank) if rank is None else rank - Rank.TWO
        object.__setattr__(self, "pattern", 1 << RANK_BITS * place)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse: cards are shared by the whole process."""
        message = f"a card cannot be changed: {self.code}.{name}"
        raise AttributeError(message)

    def __delattr__(self, name: str) -> NoReturn:
        """Refuse: cards are shared by the whole process."""
        self.__setattr__(name, None)

    def __repr__(self) -> str:
        """Show the canonical text."""
        return f"<{self.code}>"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """Copy and unpickle to the one card of that text."""
        return card_by_code, (self.code,)


JOKER: Final = Card(None, None, "Jk", 0)
_RANKS_DESCENDING: Final = tuple(sorted(Rank, reverse=True))
_SUITED: Final = tuple(
    Card(rank, suit, rank.symbol + suit.value, 1 + 4 * row + column)
    for row, rank in enumerate(_RANKS_DESCENDING)
    for column, suit in enumerate(Suit)
)
DECK: Final = (JOKER, *_SUITED)
"""The 53 cards, in canonical order."""

RANK_CARDS: Final = tuple(
    Card(rank, None, rank.symbol, 1 + 4 * row) for row, rank in enumerate(_RANKS_DESCENDING)
)
"""The thirteen ranks without a suit, for properties that enter ranks only. BP-10."""

_BY_CODE: Final = {card.code: card for card in (*DECK, *RANK_CARDS)}


def card_by_code(code: str) -> Card:
    """Return the card of a canonical text; KeyError for any other text.

    >>> card_by_code("As") in DECK
    True
    """
    return _BY_CODE[code]
