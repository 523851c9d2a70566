"""Caps on side-bet wins for many rounds. BP-8.3."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.engine.wagers import SideBetCaps, SideBetWin, Wager, apply_caps


class CappedNets(NamedTuple):
    """The nets of both side bets of every seat, in minor units, as the caps leave them."""

    dealer_break_bonus: NDArray[np.int64]
    break_bonus: NDArray[np.int64]


def with_caps(
    round_of: NDArray[np.int64],
    nets_minor: Sequence[NDArray[np.int64]],
    caps: SideBetCaps,
) -> CappedNets:
    """Return the nets with wins cut to the caps; the given arrays stay as they are. BP-8.3.

    ``nets_minor`` are those of the Dealer Break Bonus and of the Break Bonus by seat. Array code
    finds the few rounds in which a cap may bind; ``apply_caps`` of the engine settles these.
    """
    capped = CappedNets(nets_minor[0].copy(), nets_minor[1].copy())
    wins_minor = np.maximum(capped.dealer_break_bonus, 0) + np.maximum(capped.break_bonus, 0)
    size = int(round_of[-1]) + 1 if len(round_of) else 0
    round_wins_minor = np.zeros(size, dtype=np.int64)
    np.add.at(round_wins_minor, round_of, wins_minor)
    may_bind = np.zeros(size, dtype=np.bool_)
    # Caps are Python integers of any size: NumPy compares them exactly.
    if caps.per_table_minor is not None:
        may_bind |= round_wins_minor > caps.per_table_minor
    if caps.per_player_minor is not None:
        may_bind[round_of[wins_minor > caps.per_player_minor]] = True
    bounds = np.searchsorted(round_of, np.arange(size + 1))
    for row in np.flatnonzero(may_bind).tolist():
        _cap_round(range(int(bounds[row]), int(bounds[row + 1])), capped, caps)
    return capped


def _cap_round(rows: range, nets: CappedNets, caps: SideBetCaps) -> None:
    """Write the capped wins of one round over the uncapped ones.

    The row stands for the seat: rows of a round ascend by seat, and ties go to the lower one.
    """
    wagers = (
        (Wager.DEALER_BREAK_BONUS, nets.dealer_break_bonus),
        (Wager.BREAK_BONUS, nets.break_bonus),
    )
    wins = [
        SideBetWin(row, wager, int(net_minor[row]))
        for row in rows
        for wager, net_minor in wagers
        if net_minor[row] > 0
    ]
    by_wager = dict(wagers)
    for win in apply_caps(wins, caps):
        by_wager[win.wager][win.seat] = win.net_minor
