"""How many cards the deal leaves. BP-1.4, BP-8.1."""

from enum import StrEnum
from typing import Final

from games.engine.cards import DECK
from games.engine.errors import SeatError, shown
from games.engine.hand_setting import HAND_CARDS

SEATS_MAX: Final = 6


class DealingCustom(StrEnum):
    """Whether seven hands are always dealt, or only the dealer's and those of live seats."""

    SEVEN_HANDS = "seven_hands"
    LIVE_SEATS = "live_seats"


def expected_stub(live_seats: int, custom: DealingCustom) -> int:
    """Return how many cards must be left after the deal. BP-8.1.

    Raises SeatError unless 1 to 6 seats are live. Another count means a misdeal.

    >>> expected_stub(3, DealingCustom.SEVEN_HANDS), expected_stub(3, DealingCustom.LIVE_SEATS)
    (4, 25)
    """
    if not 1 <= live_seats <= SEATS_MAX:
        message = f"expected 1 to {SEATS_MAX} live seats, got {shown(live_seats)}"
        raise SeatError(message, detail={"value": live_seats})
    hands = (SEATS_MAX if custom is DealingCustom.SEVEN_HANDS else live_seats) + 1
    return len(DECK) - HAND_CARDS * hands
