"""Results: the twelve events of the main bet, foul and void, and the lines of the side bets."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from games.engine.hands import HighHand, LowHand


class Outcome(StrEnum):
    """What became of one bet, seen by the player; ``void`` returns it without a decision."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    VOID = "void"


class Event(StrEnum):
    """What happened between one seat and the dealer, seen by the player. BP-6."""

    PLAYER_BREAK = "player_break"
    WIN_BOTH = "win_both"
    DEALER_NOT_QUALIFIED = "dealer_not_qualified"
    WIN_LOW_COPY_HIGH = "win_low_copy_high"
    WIN_LOW_LOSE_HIGH = "win_low_lose_high"
    COPY_LOW_WIN_HIGH = "copy_low_win_high"
    LOSE_LOW_WIN_HIGH = "lose_low_win_high"
    DEALER_BREAK = "dealer_break"
    COPY_BOTH = "copy_both"
    COPY_LOW_LOSE_HIGH = "copy_low_lose_high"
    LOSE_LOW_COPY_HIGH = "lose_low_copy_high"
    LOSE_BOTH = "lose_both"
    FOUL = "foul"
    VOID = "void"


class BreakBonusLine(StrEnum):
    """What the player's seven cards can make, best first. BP-7.2."""

    FIVE_ACES = "five_aces"
    FIVE_OF_A_KIND = "five_of_a_kind"
    TRIPS = "trips"
    AKQ = "akq"
    STRAIGHT = "straight"
    NONE = "none"


class DealerBreakBonusLine(StrEnum):
    """Who can make a Lucky Break of the seven cards. BP-7.1."""

    BOTH = "both"
    DEALER_ONLY = "dealer_only"
    NONE = "none"


MAIN_OUTCOMES: Final[Mapping[Event, Outcome]] = MappingProxyType(
    {
        Event.PLAYER_BREAK: Outcome.WIN,  # BP-6.3
        Event.WIN_BOTH: Outcome.WIN,  # BP-6.4
        Event.DEALER_NOT_QUALIFIED: Outcome.PUSH,  # BP-6.1
        Event.WIN_LOW_COPY_HIGH: Outcome.PUSH,  # BP-6.6
        Event.WIN_LOW_LOSE_HIGH: Outcome.PUSH,  # BP-6.6
        Event.COPY_LOW_WIN_HIGH: Outcome.PUSH,  # BP-6.6
        Event.LOSE_LOW_WIN_HIGH: Outcome.PUSH,  # BP-6.6
        Event.DEALER_BREAK: Outcome.LOSE,  # BP-6.2
        Event.COPY_BOTH: Outcome.LOSE,  # BP-6.5
        Event.COPY_LOW_LOSE_HIGH: Outcome.LOSE,  # BP-6.5
        Event.LOSE_LOW_COPY_HIGH: Outcome.LOSE,  # BP-6.5
        Event.LOSE_BOTH: Outcome.LOSE,  # BP-6.5
        Event.FOUL: Outcome.LOSE,  # BP-4.3
        Event.VOID: Outcome.VOID,
    }
)
"""What each event does to the main bet."""

# By how the player's low hand did (0 copied, 1 won, -1 lost), and then the high hand.
_COMPARISONS: Final = (
    (Event.COPY_BOTH, Event.COPY_LOW_WIN_HIGH, Event.COPY_LOW_LOSE_HIGH),
    (Event.WIN_LOW_COPY_HIGH, Event.WIN_BOTH, Event.WIN_LOW_LOSE_HIGH),
    (Event.LOSE_LOW_COPY_HIGH, Event.LOSE_LOW_WIN_HIGH, Event.LOSE_BOTH),
)


def compare_hands(
    player_low: LowHand, player_high: HighHand, dealer_low: LowHand, dealer_high: HighHand
) -> Event:
    """Return the event of the plain comparison of both hands. BP-6.4 to BP-6.6.

    >>> from games.engine.hands import parse_high as high, parse_low as low
    >>> compare_hands(low("A-K"), high("9-9-4"), low("A-K"), high("9-9-5"))
    <Event.COPY_LOW_LOSE_HIGH: 'copy_low_lose_high'>
    """
    low, other_low = player_low.strength, dealer_low.strength
    high, other_high = player_high.strength, dealer_high.strength
    low_result = (low > other_low) - (low < other_low)
    return _COMPARISONS[low_result][(high > other_high) - (high < other_high)]
