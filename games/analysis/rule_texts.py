"""A qualifier and odds as people write them, read and written. BP-6.1, BP-7."""

import re
from typing import Final

from games.engine.errors import OddsError, QualifierError, shown
from games.engine.hands import ALL_HIGH, HighClass, HighHand
from games.engine.pay_tables import Odds, OddsUnit

ODDS_MAX: Final = 100_000
"""No pay table pays more for one, nor per so many: above it is a slip of the keyboard."""
NO_QUALIFIER: Final = "none"
PAYS_NOTHING: Final = "nothing"

QUALIFIER_EXPECTED: Final = "none, a top card such as A-high, or a high hand such as K-3-2 or 9-9-4"
ODDS_EXPECTED: Final = "odds that win something, such as 6 to 1 or 7 for 1"

_HIGH_BY_LABEL: Final = {hand.label: hand for hand in ALL_HIGH}
_HIGH_BY_CARDS: Final = {tuple(sorted(hand.ranks)): hand for hand in ALL_HIGH}
_RANK_BY_SYMBOL: Final = {rank.symbol: rank for hand in ALL_HIGH for rank in hand.ranks}
_TOP_CARD: Final = re.compile(r"([2-9TJQKA])-HIGH")
_ODDS: Final = re.compile(r"([0-9]{1,6}) (to|for) ([0-9]{1,6})")


def parse_qualifier(text: object, *, place: str = "") -> HighHand | None:
    """Return the least high hand of a qualifying dealer, or None if any will do. BP-6.1.

    A top card stands for its weakest hand without pair and straight. Case does not count, and
    ``10`` is ``T``. Raises QualifierError for other text, also for the cards of a hand in another
    order: ``A-3-2`` looks like the weakest ace-high and is the straight ``A-2-3``.

    >>> parse_qualifier("a-high"), parse_qualifier("K-3-2"), parse_qualifier("none")
    (<HighHand A-4-2>, <HighHand K-3-2>, None)
    """
    name = " ".join(text.split()).upper().replace("10", "T") if isinstance(text, str) else ""
    if name == NO_QUALIFIER.upper():
        return None
    hint = ""
    if name in _HIGH_BY_LABEL:
        return _HIGH_BY_LABEL[name]
    if top := _TOP_CARD.fullmatch(name):
        # Weakest first, so the first of a top card is its weakest.
        for hand in ALL_HIGH:
            if hand.hand_class is HighClass.HIGH_CARD and hand.ranks[0].symbol == top[1]:
                return hand
        hint = f": no hand without pair and straight has the top card {top[1]}"
    elif set(symbols := name.split("-")) <= set(_RANK_BY_SYMBOL) and len(symbols) == 3:
        cards = tuple(sorted(_RANK_BY_SYMBOL[symbol] for symbol in symbols))
        hint = f": these cards are {_words_of_hand(_HIGH_BY_CARDS[cards])}"
    message = f"expected {QUALIFIER_EXPECTED}, got {shown(text)}{hint}"
    raise QualifierError(message, place=place, detail={"value": shown(text)})


def parse_odds(text: object, *, place: str = "") -> Odds:
    """Return the odds of a text such as ``6 to 1``, which leave out the stake, or ``7 for 1``.

    Raises OddsError for other text, for odds with which a winner wins nothing, and for numbers
    above ``ODDS_MAX``.

    >>> parse_odds("19 to 20")
    Odds(pays=19, per=20, unit=<OddsUnit.TO_ONE: 'to_one'>)
    """
    found = _ODDS.fullmatch(" ".join(text.split()).lower()) if isinstance(text, str) else None
    if found:
        pays, per = int(found[1]), int(found[3])
        unit = OddsUnit.TO_ONE if found[2] == "to" else OddsUnit.FOR_ONE
        if 0 < pays <= ODDS_MAX and 0 < per <= ODDS_MAX and Odds(pays, per, unit).net > 0:
            return Odds(pays, per, unit)
    message = f"expected {ODDS_EXPECTED}, with numbers up to {ODDS_MAX}, got {shown(text)}"
    raise OddsError(message, place=place, detail={"value": shown(text)})


def qualifier_words(qualifier: HighHand | None) -> str:
    """Return the label of a qualifier, or ``none`` if any high hand will do. BP-6.1."""
    return NO_QUALIFIER if qualifier is None else qualifier.label


def _words_of_hand(hand: HighHand) -> str:
    kinds = {
        HighClass.HIGH_CARD: "high cards",
        HighClass.PAIR: "a pair",
        HighClass.STRAIGHT: "a straight",
        HighClass.TRIPS: "three of a kind",
    }
    return f"{hand.label}, {kinds[hand.hand_class]}"
