"""Reading and writing cards as text. BP-10.

Whole tokens only, by one dictionary that holds every accepted spelling: what is not in it is an
error. So no input can become another card than the one shown back.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from itertools import product
from operator import attrgetter
from types import MappingProxyType
from typing import Final, TypeAlias

from games.engine.cards import DECK, JOKER, RANK_CARDS, Card, Rank, Suit
from games.engine.errors import JSON, CardParseError, shown

TOKEN_FAULTS_MAX: Final = 16
"""At most so many unreadable tokens of one field are reported one by one."""


class CardEntry(StrEnum):
    """How a property enters cards: with suits, or ranks only."""

    SUITED = "suited"
    RANKS = "ranks"


_VARIATION_SELECTORS: Final = ("", "\N{VARIATION SELECTOR-15}", "\N{VARIATION SELECTOR-16}")
_GLYPHS: Final = {
    Suit.SPADES: "\N{BLACK SPADE SUIT}\N{WHITE SPADE SUIT}",
    Suit.HEARTS: "\N{BLACK HEART SUIT}\N{WHITE HEART SUIT}",
    Suit.DIAMONDS: "\N{BLACK DIAMOND SUIT}\N{WHITE DIAMOND SUIT}",
    Suit.CLUBS: "\N{BLACK CLUB SUIT}\N{WHITE CLUB SUIT}",
}


def _cases(text: str) -> set[str]:
    return {"".join(letters) for letters in product(*({c.lower(), c.upper()} for c in text))}


def _rank_spellings(rank: Rank) -> set[str]:
    return _cases(rank.symbol) | ({"10"} if rank is Rank.TEN else set())


def _suit_spellings(suit: Suit) -> set[str]:
    glyphs = {g + selector for g in _GLYPHS[suit] for selector in _VARIATION_SELECTORS}
    return _cases(suit.value) | glyphs


def _spellings(card: Card) -> set[str]:
    if card.rank is None:
        return _cases("jk") | _cases("joker")
    if card.suit is None:
        return _rank_spellings(card.rank)
    return {r + s for r in _rank_spellings(card.rank) for s in _suit_spellings(card.suit)}


_SUITED_TOKENS: Final = {text: card for card in DECK for text in _spellings(card)}
_RANK_TOKENS: Final = {text: card for card in (JOKER, *RANK_CARDS) for text in _spellings(card)}

_TOKENS: Final = {CardEntry.SUITED: _SUITED_TOKENS, CardEntry.RANKS: _RANK_TOKENS}

TokenReader: TypeAlias = Callable[[str], Card]
TOKEN_READERS: Final[Mapping[CardEntry, TokenReader]] = MappingProxyType(
    {card_entry: tokens.__getitem__ for card_entry, tokens in _TOKENS.items()}
)
"""For each way of entry, the function from an accepted spelling to its card; KeyError for others.

For readers of many cards; ``parse_cards`` is the one that says what is wrong.
"""

_EXPECTED: Final = MappingProxyType(
    {
        CardEntry.SUITED: "a card such as As, Td, 10d or Jk",
        CardEntry.RANKS: "a rank such as A, T, 10, 9 or Jk, without a suit",
    }
)


def parse_cards(
    text: object, *, card_entry: CardEntry = CardEntry.SUITED, place: str = ""
) -> tuple[Card, ...]:
    """Return the cards of a text, tokens apart by white space, in the order written.

    Raises CardParseError at the first token that is not a card, or if ``text`` is not a string.
    Neither the number of cards nor repeats are looked at here.

    >>> parse_cards(" as 10D joker ")
    (<As>, <Td>, <Jk>)
    """
    if isinstance(text, str):
        try:
            return tuple(map(TOKEN_READERS[card_entry], text.split()))
        except KeyError:
            pass
    raise card_faults(text, card_entry=card_entry, place=place)[0]


def card_faults(
    text: object, *, card_entry: CardEntry = CardEntry.SUITED, place: str = ""
) -> tuple[CardParseError, ...]:
    """Return an error for each unreadable token, the first ``TOKEN_FAULTS_MAX`` of them.

    >>> [fault.detail["token"] for fault in card_faults("As X 11s")]
    [2, 3]
    """
    expected = _EXPECTED[card_entry]
    if not isinstance(text, str):
        message = f"expected cards as text, got {shown(text)}"
        return (CardParseError(message, place=place, detail={"value": shown(text)}),)
    tokens = _TOKENS[card_entry]
    faults = []
    for number, token in enumerate(text.split(), start=1):
        if token not in tokens:
            message = f"expected {expected}, got {shown(token)} as token {number}"
            detail: dict[str, JSON] = {"token": number, "value": shown(token)}
            faults.append(CardParseError(message, place=place, detail=detail))
            if len(faults) == TOKEN_FAULTS_MAX:
                break
    return tuple(faults)


_code_of: Final = attrgetter("code")


def format_cards(cards: Iterable[Card]) -> str:
    """Return the canonical text of cards, in the order given.

    >>> format_cards(parse_cards("10s JOKER kH"))
    'Ts Jk Kh'
    """
    return " ".join(map(_code_of, cards))
