"""Settling many rounds: the loops, written as ``games.engine.settlement`` writes one round.

What kernels must know of a ruleset and of the engine's enumerations is in ``RulesTables``, so one
machine code serves every ruleset. They do not hand these tuples on to small functions: each call
would count references to every array in them, which takes ten times as long as the rest.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.analysis.batch.cards import NOT_RECORDED_CODE
from games.analysis.batch.rules import OddsTable, Places, RulesTables
from games.analysis.kernels import kernel

NOTHING = 255
"""The place that stands for no bet, and for no line."""


class DealerSettlements(NamedTuple):
    """How each dealer hand counts. BP-5.9, BP-6.1, BP-6.2, BP-7.1."""

    settled_code: NDArray[np.uint16]
    is_as_set: NDArray[np.bool_]
    qualifies: NDArray[np.bool_]
    lucky_break: NDArray[np.bool_]
    can_break: NDArray[np.bool_]
    is_void: NDArray[np.bool_]


class SeatEvents(NamedTuple):
    """What each seat set and what happened to it. BP-4.3, BP-6.

    ``event`` is a place in Event; ``reset_code`` is what a fouled hand was reset to, else
    NOT_RECORDED_CODE; ``lucky_break`` is of the setting that counted.
    """

    event: NDArray[np.uint8]
    foul: NDArray[np.bool_]
    set_code: NDArray[np.uint16]
    reset_code: NDArray[np.uint16]
    lucky_break: NDArray[np.bool_]


class Bets(NamedTuple):
    """One wager of every seat: its outcome and line, and the player's net in int64 minor units.

    Places in Outcome and in the wager's lines; NOTHING where there is no bet, and for the line of
    a main bet or of a void round. ``uncapped_net_minor`` is the net before caps. BP-8.3
    """

    outcome: NDArray[np.uint8]
    line: NDArray[np.uint8]
    net_minor: NDArray[np.int64]
    uncapped_net_minor: NDArray[np.int64]


@kernel
def settle_dealers(
    required_code: NDArray[np.uint16],
    set_code: NDArray[np.uint16],
    compliance: NDArray[np.uint8],
    line: NDArray[np.uint8],
    rules: RulesTables,
) -> DealerSettlements:
    """Choose which setting counts; what was set counts if it may, which a foul never may. BP-5.9.

    Codes are of sixteen bits, and are taken apart in int64.
    """
    places, high_bits = rules.places, rules.high_bits
    size = len(required_code)
    settled_code = np.empty(size, dtype=np.uint16)
    is_as_set, qualifies = np.empty(size, dtype=np.bool_), np.empty(size, dtype=np.bool_)
    lucky_break, can_break = np.empty(size, dtype=np.bool_), np.empty(size, dtype=np.bool_)
    is_void = np.empty(size, dtype=np.bool_)
    for row in range(size):
        is_deviation = compliance[row] == places.deviation
        as_set = compliance[row] == places.match
        code = np.int64(required_code[row])
        if is_deviation and rules.misset_stands:
            other = np.int64(set_code[row])
            low = other >> high_bits
            if other - (low << high_bits) >= rules.lowest_legal_high[low]:
                as_set = True
                code = other
        low = code >> high_bits
        high = code - (low << high_bits)
        is_as_set[row] = as_set
        settled_code[row] = code
        qualifies[row] = high >= rules.qualifier
        lucky_break[row] = low >= rules.lowest_pair and high >= rules.lowest_straight
        can_break[row] = line[row] != places.line_none
        is_void[row] = is_deviation and rules.misset_is_void
    return DealerSettlements(settled_code, is_as_set, qualifies, lucky_break, can_break, is_void)


@kernel
def settle_seats(
    round_of: NDArray[np.int64],
    house_way_code: NDArray[np.uint16],
    set_code: NDArray[np.uint16],
    dealer: DealerSettlements,
    rules: RulesTables,
) -> SeatEvents:
    """Decide which setting of each seat counts, and what happened to it. BP-4.3, BP-6.

    Codes are of sixteen bits, and are taken apart in int64. ``round_of`` must be rows of
    ``dealer``. A foul is a low hand that outranks the high hand (BP-4.2), a Lucky Break a pair low
    with trips or a straight high (BP-4.4).
    """
    high_bits = rules.high_bits
    size = len(round_of)
    counted_code, reset_code = set_code.copy(), np.full(size, NOT_RECORDED_CODE, dtype=np.uint16)
    fouls, lucky_breaks = np.empty(size, dtype=np.bool_), np.empty(size, dtype=np.bool_)
    for row in range(size):
        code = np.int64(set_code[row])
        low = code >> high_bits
        high = code - (low << high_bits)
        foul = high < rules.lowest_legal_high[low]
        if foul and rules.foul_is_reset:
            code = np.int64(house_way_code[row])
            counted_code[row] = code
            reset_code[row] = code
            low = code >> high_bits
            high = code - (low << high_bits)
        fouls[row] = foul
        lucky_breaks[row] = low >= rules.lowest_pair and high >= rules.lowest_straight
    events = _events(round_of, counted_code, fouls, lucky_breaks, dealer, rules)
    return SeatEvents(events, fouls, set_code, reset_code, lucky_breaks)


@kernel
def _events(
    round_of: NDArray[np.int64],
    counted_code: NDArray[np.uint16],
    fouls: NDArray[np.bool_],
    lucky_breaks: NDArray[np.bool_],
    dealer: DealerSettlements,
    rules: RulesTables,
) -> NDArray[np.uint8]:
    """Decide the event of each seat by the setting that counts, in the order of BP-6."""
    places, high_bits = rules.places, rules.high_bits
    events = np.empty(len(round_of), dtype=np.uint8)
    for row in range(len(round_of)):
        other = round_of[row]
        event: int | np.int64
        if dealer.is_void[other]:
            event = places.event_void
        elif not dealer.qualifies[other]:
            event = places.event_dealer_not_qualified  # BP-6.1, before a foul: BP-4.3
        elif fouls[row] and not rules.foul_is_reset:
            event = places.event_foul
        elif lucky_breaks[row] != dealer.lucky_break[other]:
            # BP-6.2, BP-6.3
            event = places.event_player_break if lucky_breaks[row] else places.event_dealer_break
        else:
            code, against = np.int64(counted_code[row]), np.int64(dealer.settled_code[other])
            low, other_low = code >> high_bits, against >> high_bits
            high, other_high = code - (low << high_bits), against - (other_low << high_bits)
            # BP-6.4 to BP-6.6
            event = np.int64(
                places.comparisons[
                    1 + (low > other_low) - (low < other_low),
                    1 + (high > other_high) - (high < other_high),
                ]
            )
        events[row] = event
    return events


@kernel
def dealer_break_bonus_lines(
    round_of: NDArray[np.int64],
    lines: NDArray[np.uint8],
    can_break: NDArray[np.bool_],
    places: Places,
) -> NDArray[np.uint8]:
    """Return the Dealer Break Bonus line of each seat by its Break Bonus line. BP-7.1."""
    found = np.full(len(lines), places.dealer_line_none, dtype=np.uint8)
    for row in range(len(lines)):
        if can_break[round_of[row]]:
            is_alone = lines[row] == places.line_none
            found[row] = places.dealer_line_dealer_only if is_alone else places.dealer_line_both
    return found


@kernel
def settle_main_bets(
    events: NDArray[np.uint8],
    stakes_minor: NDArray[np.int64],
    odds: OddsTable,
    places: Places,
) -> Bets:
    """Settle main bets. BP-6.

    Numbers fit into int64: ``rules_tables`` refuses odds whose product with the highest stake,
    summed over a round, would not.
    """
    size = len(events)
    outcomes = np.empty(size, dtype=np.uint8)
    nets_minor = np.zeros(size, dtype=np.int64)
    for row in range(size):
        stake_minor = stakes_minor[row]
        outcomes[row] = places.main_outcomes[events[row]]
        if outcomes[row] == places.outcome_win:
            # The quotient is rounded down: ``floor_to_minor``.
            paid_minor = stake_minor * odds.pays[0] // odds.per[0]
            nets_minor[row] = paid_minor - stake_minor * odds.less[0]
        elif outcomes[row] == places.outcome_lose:
            nets_minor[row] = -stake_minor
    lines = np.full(size, NOTHING, dtype=np.uint8)
    return Bets(outcomes, lines, nets_minor, nets_minor)


@kernel
def settle_side_bets(
    lines: NDArray[np.uint8],
    stakes_minor: NDArray[np.int64],
    is_void: NDArray[np.bool_],
    odds: OddsTable,
    places: Places,
) -> Bets:
    """Settle one side bet of every seat that has it; numbers fit as main bets' do. BP-7.

    A line without odds loses. Where the stake is 0 there is no bet.
    """
    size = len(lines)
    outcomes = np.full(size, NOTHING, dtype=np.uint8)
    bet_lines = np.full(size, NOTHING, dtype=np.uint8)
    nets_minor = np.zeros(size, dtype=np.int64)
    for row in range(size):
        stake_minor = stakes_minor[row]
        if stake_minor == 0:
            continue
        if is_void[row]:
            outcomes[row] = places.outcome_void
            continue
        line = lines[row]
        bet_lines[row] = line
        if odds.is_paid[line]:
            outcomes[row] = places.outcome_win
            paid_minor = stake_minor * odds.pays[line] // odds.per[line]
            nets_minor[row] = paid_minor - stake_minor * odds.less[line]
        else:
            outcomes[row] = places.outcome_lose
            nets_minor[row] = -stake_minor
    return Bets(outcomes, bet_lines, nets_minor, nets_minor)


@kernel
def house_nets(
    round_of: NDArray[np.int64], seat_net_minor: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """Return what the house won in each round; six seats' sum fits, see ``rules_tables``."""
    nets_minor = np.zeros(size, dtype=np.int64)
    for row in range(len(round_of)):
        nets_minor[round_of[row]] -= seat_net_minor[row]
    return nets_minor
