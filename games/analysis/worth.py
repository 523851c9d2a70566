"""What the bets on a hand are worth, exactly, given its seven cards and how they were set.

A *value* is what a stake of one nets the player on the average over all hands that the dealer can
hold beside the player's seven cards, set the house way. It is kept as a whole number over a
denominator that a ruleset and a wager have once and for all, so that values can be added up in any
database. Hands are looked up many at a time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.analysis.break_bonus import LINES, break_bonus_lines
from games.analysis.kernels import kernel
from games.analysis.seat_outcomes import dealer_break_bonus_line
from games.analysis.setting_table import CODE_BITS, HIGH_MASK
from games.analysis.setting_values import SettingValues
from games.engine.hand_setting import LOWEST_LEGAL_HIGH
from games.engine.pay_tables import Odds
from games.engine.rulesets import FoulPolicy, Ruleset
from games.engine.wagers import Wager

_LOWEST_LEGAL_HIGH: Final = np.array(LOWEST_LEGAL_HIGH)
_Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class WagerValues:
    """The value of one wager for each of some hands, with the best setting and with the one made.

    ``best`` and ``setting`` count ``1/denominator`` of a stake. ``wins`` and ``losses`` are the
    dealer hands, of C(46,7), with which the hand as it was set wins and loses; the rest push.
    """

    denominator: int
    best: _Numbers
    setting: _Numbers
    wins: _Numbers
    losses: _Numbers


@dataclass(frozen=True, slots=True, eq=False)
class HandValues:
    """The values of some hands, a row a hand, and the codes of their best settings.

    ``is_known`` is false where no seven cards of the deck can be set like that; such a row means
    nothing.
    """

    is_known: NDArray[np.bool_]
    best_codes: _Numbers
    wagers: Mapping[Wager, WagerValues]


def values_of_hands(
    values: SettingValues, ruleset: Ruleset, patterns: Sequence[int], codes: Sequence[int]
) -> HandValues:
    """Return the values of hands by their rank patterns and by the codes of their settings.

    A foul may be among the settings. BP-4.3: it loses to every dealer who qualifies, or is worth
    what the house way is where fouls are reset.
    """
    table, total = values.table, values.table.deck.hands_after_one
    found = np.array(patterns, dtype=np.int64)
    code = np.array(codes, dtype=np.int64)
    rows = np.minimum(table.deck.index_of(found), len(table.deck.patterns) - 1)
    is_foul = (code & HIGH_MASK) < _LOWEST_LEGAL_HIGH[code >> CODE_BITS]
    best_codes = values.best_codes[rows].astype(np.int64)
    counted = np.where(is_foul, values.house_codes[rows], code)
    places = _places_of(table.starts, table.codes, rows, counted)
    wins = values.wins[places].astype(np.int64)
    losses = values.losses[places].astype(np.int64)
    if ruleset.foul is FoulPolicy.LOSE:
        wins[is_foul] = 0
        losses[is_foul] = values.qualified[rows[is_foul]]
    best = _places_of(table.starts, table.codes, rows, best_codes)
    lines = break_bonus_lines(table.deck)[rows]
    return HandValues(
        is_known=(table.deck.patterns[rows] == found) & (places >= 0),
        best_codes=best_codes,
        wagers={
            Wager.MAIN: WagerValues(
                denominator=ruleset.main.net.denominator * total,
                best=_main_value(ruleset, values.wins[best], values.losses[best]),
                setting=_main_value(ruleset, wins, losses),
                wins=wins,
                losses=losses,
            ),
            Wager.DEALER_BREAK_BONUS: _dealer_break_bonus(
                ruleset, lines, values.breaks[rows].astype(np.int64), total
            ),
            Wager.BREAK_BONUS: _break_bonus(ruleset, lines, total),
        },
    )


def _main_value(
    ruleset: Ruleset, wins: NDArray[np.integer], losses: NDArray[np.integer]
) -> _Numbers:
    net = ruleset.main.net
    return net.numerator * wins.astype(np.int64) - net.denominator * losses.astype(np.int64)


def _dealer_break_bonus(
    ruleset: Ruleset, lines: NDArray[np.int8], breaks: _Numbers, total: int
) -> WagerValues:
    """The value by the dealer hands of which a Lucky Break can be set. BP-7.1."""
    pays = ruleset.dealer_break_bonus.lines
    with_break, without = (
        [
            _net(pays.get(dealer_break_bonus_line(line, dealer_can_break=can_break)))
            for line in LINES
        ]
        for can_break in (True, False)
    )
    scale = lcm(*(net.denominator for net in (*with_break, *without)))
    paid = np.array([int(net * scale) for net in with_break], dtype=np.int64)[lines]
    unpaid = np.array([int(net * scale) for net in without], dtype=np.int64)[lines]
    value = paid * breaks + unpaid * (total - breaks)
    return WagerValues(
        denominator=scale * total,
        best=value,
        setting=value,
        wins=np.where(paid > 0, breaks, 0) + np.where(unpaid > 0, total - breaks, 0),
        losses=np.where(paid < 0, breaks, 0) + np.where(unpaid < 0, total - breaks, 0),
    )


def _break_bonus(ruleset: Ruleset, lines: NDArray[np.int8], total: int) -> WagerValues:
    """The value of the line that the cards make, whatever the dealer holds. BP-7.2."""
    nets = [_net(ruleset.break_bonus.lines.get(line)) for line in LINES]
    scale = lcm(*(net.denominator for net in nets))
    value = np.array([int(net * scale) for net in nets], dtype=np.int64)[lines]
    return WagerValues(
        denominator=scale,
        best=value,
        setting=value,
        wins=np.where(value > 0, total, 0),
        losses=np.where(value < 0, total, 0),
    )


def _net(odds: Odds | None) -> Fraction:
    """What a stake of one nets; a line without odds loses it."""
    return Fraction(-1) if odds is None else odds.net


@kernel
def _places_of(
    starts: NDArray[np.int64], codes: NDArray[np.int32], rows: _Numbers, wanted: _Numbers
) -> _Numbers:
    """Find each setting in the row of its pattern; -1 where the pattern has no such setting."""
    places = np.empty(len(rows), dtype=np.int64)
    for hand in range(len(rows)):
        first, last = starts[rows[hand]], starts[rows[hand] + 1]
        place = first + np.searchsorted(codes[first:last], wanted[hand])
        is_there = place < last and codes[place] == wanted[hand]
        places[hand] = place if is_there else -1
    return places
