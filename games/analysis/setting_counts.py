"""Counting the dealer hands that each setting beats and loses to: the loops. BP-6.

Every number counts dealer hands, so none exceeds C(46,7) = 53,524,680, and 32 bits hold it; what a
win pays and a loss costs are at most some hundred thousand, so values fit in 63 bits.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels import kernel
from games.analysis.setting_table import CODE_BITS, HIGH_MASK
from games.engine.hands import ALL_HIGH, ALL_LOW
from games.engine.outcomes import Event, compare_hands

EVENTS: Final = tuple(event for event in Event if event not in (Event.FOUL, Event.VOID))
"""The twelve events, in the order of the columns that count them. BP-6."""
_PLAYER_BREAK: Final = EVENTS.index(Event.PLAYER_BREAK)
_DEALER_BREAK: Final = EVENTS.index(Event.DEALER_BREAK)
_DEALER_NOT_QUALIFIED: Final = EVENTS.index(Event.DEALER_NOT_QUALIFIED)
COMPARISONS: Final = np.array(
    [
        [EVENTS.index(compare_hands(low, high, ALL_LOW[1], ALL_HIGH[1])) for high in ALL_HIGH[:3]]
        for low in ALL_LOW[:3]
    ],
    dtype=np.uint8,
)
"""The place of the event by how the player's low hand did (0 lost, 1 copied, 2 won), then the high.

The three weakest hands lose to, copy and beat the second weakest. BP-6.4 to BP-6.6.
"""
_LOWS: Final = len(ALL_LOW)
_HIGHS: Final = len(ALL_HIGH)


class DealerArrays(NamedTuple):
    """The dealer's classes, and the groups of dealer patterns alike in class and upper half.

    The groups of class ``c`` are ``group_starts[c]`` to ``group_starts[c + 1]``; the lower halves
    of the patterns of group ``g`` are ``lower[lower_starts[g]:lower_starts[g + 1]]``.
    """

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    is_break: NDArray[np.bool_]
    can_break: NDArray[np.bool_]
    qualifies: NDArray[np.bool_]
    group_starts: NDArray[np.int64]
    group_upper: NDArray[np.int32]
    lower_starts: NDArray[np.int64]
    lower: NDArray[np.int32]


class PlayerArrays(NamedTuple):
    """The player's patterns, those of lower half ``h`` being ``by_lower[lower_starts[h]:...]``."""

    lower_starts: NDArray[np.int64]
    by_lower: NDArray[np.int64]
    upper: NDArray[np.int32]
    upper_ways: NDArray[np.int32]
    lower_ways: NDArray[np.int32]
    setting_starts: NDArray[np.int64]
    codes: NDArray[np.int32]
    house_codes: NDArray[np.int32]
    lucky_breaks: NDArray[np.bool_]
    win_pays: int
    loss_costs: int


class SettingCounts(NamedTuple):
    """What the kernel fills in: a row a setting (wins, losses) or a pattern.

    ``best_events`` and ``house_events`` count dealer hands by event, and by whether a Lucky Break
    could be set of them; ``hands`` is how many there were in all.
    """

    wins: NDArray[np.int32]
    losses: NDArray[np.int32]
    qualified: NDArray[np.int32]
    best_codes: NDArray[np.int32]
    best_events: NDArray[np.int32]
    house_events: NDArray[np.int32]
    hands: NDArray[np.int64]


@kernel
def count_settings(
    first: int, last: int, player: PlayerArrays, dealer: DealerArrays, answer: SettingCounts
) -> None:
    """Fill in the answer for the patterns whose lower half is from ``first`` up to ``last``."""
    group_hands = np.empty(len(dealer.group_upper), dtype=np.int32)
    hands = np.empty(len(dealer.low), dtype=np.int32)
    for half in range(first, last):
        lower_ways = player.lower_ways[half]
        for group in range(len(group_hands)):
            ways = 0
            for lower in dealer.lower[dealer.lower_starts[group] : dealer.lower_starts[group + 1]]:
                ways += lower_ways[lower]
            group_hands[group] = ways
        for place in range(player.lower_starts[half], player.lower_starts[half + 1]):
            pattern = player.by_lower[place]
            upper_ways = player.upper_ways[player.upper[pattern]]
            for of_class in range(len(hands)):
                ways = 0
                for group in range(
                    dealer.group_starts[of_class], dealer.group_starts[of_class + 1]
                ):
                    ways += upper_ways[dealer.group_upper[group]] * group_hands[group]
                hands[of_class] = ways
            answer.hands[pattern] = hands.sum()
            _count_pattern(pattern, hands, player, dealer, answer)
            for codes, events in (
                (answer.best_codes, answer.best_events),
                (player.house_codes, answer.house_events),
            ):
                _count_events(codes[pattern], hands, player, dealer, events[pattern])


@kernel
def _count_pattern(
    pattern: int,
    hands: NDArray[np.int32],
    player: PlayerArrays,
    dealer: DealerArrays,
    answer: SettingCounts,
) -> None:
    """Compare all settings of a pattern with the dealer hands of each class.

    A setting wins with both hands stronger and loses with both weaker or the same. So wins less
    losses are the dealer hands with a weaker low, and those with a weaker high, less all of them:
    only the wins must be counted over pairs of hands.
    """
    # Side by side: dealer settings that are no Lucky Break, and those that are one. BP-6.2, BP-6.3
    weaker_high = _hands_by_high(hands, dealer)
    total = weaker_high[:, -1]
    answer.qualified[pattern] = total.sum()
    with_weaker_low = np.zeros((2, _HIGHS + 1), dtype=np.int64)
    weaker_both = np.zeros((2, _HIGHS + 1), dtype=np.int64)
    best_value, of_class, current_low = -(1 << 62), 0, -1
    for place in range(player.setting_starts[pattern], player.setting_starts[pattern + 1]):
        code = player.codes[place]
        low, high = code >> CODE_BITS, code & HIGH_MASK
        if low != current_low:
            of_class = _add_weaker_low(of_class, low, hands, dealer, with_weaker_low)
            _add_up(with_weaker_low, weaker_both)
            current_low = low
        own = int(player.lucky_breaks[low, high])
        wins = weaker_both[own, high]
        losses = wins - (weaker_both[own, -1] + weaker_high[own, high] - total[own])
        if own:
            wins += total[0]
        else:
            losses += total[1]
        answer.wins[place], answer.losses[place] = wins, losses
        value = player.win_pays * wins - player.loss_costs * losses
        # Codes ascend, so of equal values the strongest low, then the strongest high stays.
        if value >= best_value:
            best_value = value
            answer.best_codes[pattern] = code


@kernel
def _add_weaker_low(
    first: int,
    low: int,
    hands: NDArray[np.int32],
    dealer: DealerArrays,
    by_high: NDArray[np.int64],
) -> int:
    """Add the dealer hands of the classes from ``first`` whose low hand is weaker; return the next.

    Rows of ``by_high`` are without and with a Lucky Break, columns the high hands, one further on.
    """
    of_class = first
    while of_class < len(hands) and dealer.low[of_class] < low:
        if dealer.qualifies[of_class]:
            by_high[int(dealer.is_break[of_class]), dealer.high[of_class] + 1] += hands[of_class]
        of_class += 1
    return of_class


@kernel
def _add_up(by_high: NDArray[np.int64], below: NDArray[np.int64]) -> None:
    """Fill in how many there are up to each column, row by row."""
    for row in range(len(by_high)):
        running = 0
        for column in range(by_high.shape[1]):
            running += by_high[row, column]
            below[row, column] = running


@kernel
def _hands_by_high(hands: NDArray[np.int32], dealer: DealerArrays) -> NDArray[np.int64]:
    """Count qualifying dealer hands below each high hand; a row each without and with a break."""
    by_high = np.zeros((2, _HIGHS + 1), dtype=np.int64)
    _add_weaker_low(0, _LOWS, hands, dealer, by_high)
    _add_up(by_high, by_high)
    return by_high


@kernel
def _count_events(
    code: int,
    hands: NDArray[np.int32],
    player: PlayerArrays,
    dealer: DealerArrays,
    events: NDArray[np.int32],
) -> None:
    """Count dealer hands by the event that they make with one setting. BP-6."""
    low, high = code >> CODE_BITS, code & HIGH_MASK
    is_break = player.lucky_breaks[low, high]
    for of_class in range(len(hands)):
        if not dealer.qualifies[of_class]:
            event = _DEALER_NOT_QUALIFIED
        elif is_break != dealer.is_break[of_class]:
            event = _PLAYER_BREAK if is_break else _DEALER_BREAK
        else:
            by_low = 1 + (low > dealer.low[of_class]) - (low < dealer.low[of_class])
            by_high = 1 + (high > dealer.high[of_class]) - (high < dealer.high[of_class])
            event = int(COMPARISONS[by_low, by_high])
        events[event, int(dealer.can_break[of_class])] += hands[of_class]
