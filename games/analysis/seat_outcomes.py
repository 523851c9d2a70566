"""All that can become of one seat in one deal, counted: how its three wagers come out together."""

from dataclasses import dataclass

import numpy as np

from games.analysis.break_bonus import LINES
from games.analysis.setting_counts import EVENTS
from games.analysis.setting_values import PlayerKind, SettingValues
from games.engine.outcomes import BreakBonusLine, DealerBreakBonusLine, Event


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """The main-bet event and the lines of both side bets in a number of deals. BP-6, BP-7."""

    event: Event
    dealer_break_bonus: DealerBreakBonusLine
    break_bonus: BreakBonusLine
    deals: int


def seat_outcomes(values: SettingValues, player: PlayerKind) -> tuple[SeatOutcome, ...]:
    """Return every outcome that some deal has; their deals sum to all deals of the deck."""
    deals = values.deals[tuple(PlayerKind).index(player)]
    return tuple(
        SeatOutcome(
            EVENTS[event],
            dealer_break_bonus_line(LINES[line], dealer_can_break=bool(can_break)),
            LINES[line],
            int(count),
        )
        for (event, can_break, line), count in np.ndenumerate(deals)
        if count
    )


def dealer_break_bonus_line(
    line: BreakBonusLine, *, dealer_can_break: bool
) -> DealerBreakBonusLine:
    """Return the line of the Dealer Break Bonus beside a Break Bonus line. BP-7.1.

    The player can set a Lucky Break on any line but ``none``.
    """
    if not dealer_can_break:
        return DealerBreakBonusLine.NONE
    if line is BreakBonusLine.NONE:
        return DealerBreakBonusLine.DEALER_ONLY
    return DealerBreakBonusLine.BOTH
