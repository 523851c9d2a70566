"""Settling a round: the dealer's hand, then each seat against it, then caps and limits.

This module is the door to the rest of the engine: what services need is importable from here.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from games.engine.hand_setting import is_foul, is_lucky_break
from games.engine.hands import HighHand, LowHand, high_hand, low_hand
from games.engine.lookup import break_bonus_line, house_way_table
from games.engine.notation import CardEntry
from games.engine.outcomes import (
    MAIN_OUTCOMES,
    BreakBonusLine,
    DealerBreakBonusLine,
    Event,
    Outcome,
    compare_hands,
)
from games.engine.patterns import pattern_of_seven
from games.engine.pay_tables import Odds
from games.engine.results import (
    BetSettlement,
    Compliance,
    DealerSettlement,
    RoundSettlement,
    SeatSettlement,
    settlement_as_dict,
)
from games.engine.round_entry import (
    Bet,
    DealerEntry,
    RoundEntry,
    SeatEntry,
    parse_round,
    round_as_dict,
)
from games.engine.round_faults import round_faults
from games.engine.rulesets import DealerMissetPolicy, FoulPolicy, Ruleset
from games.engine.wagers import SideBetCaps, SideBetWin, Wager, WagerLimits, apply_caps

__all__ = [
    "Bet",
    "BetSettlement",
    "CardEntry",
    "Compliance",
    "DealerEntry",
    "DealerSettlement",
    "RoundEntry",
    "RoundSettlement",
    "SeatEntry",
    "SeatSettlement",
    "parse_round",
    "round_as_dict",
    "round_faults",
    "settle",
    "settlement_as_dict",
]


# Makes a named tuple in half the time of calling its class, for the many small ones of a round.
_make: Final = tuple.__new__
# Looking a member up on its enumeration costs as much as reading a card.
_MAIN, _BREAK_BONUS = Wager.MAIN, Wager.BREAK_BONUS
_DEALER_BREAK_BONUS: Final = Wager.DEALER_BREAK_BONUS
_WIN, _LOSE = Outcome.WIN, Outcome.LOSE
_PLAYER_BREAK, _DEALER_BREAK = Event.PLAYER_BREAK, Event.DEALER_BREAK
_DEALER_NOT_QUALIFIED, _FOUL, _VOID = Event.DEALER_NOT_QUALIFIED, Event.FOUL, Event.VOID
_NO_LINE: Final = BreakBonusLine.NONE
_BOTH, _DEALER_ONLY = DealerBreakBonusLine.BOTH, DealerBreakBonusLine.DEALER_ONLY
_NEITHER: Final = DealerBreakBonusLine.NONE
_MATCH, _DEVIATION = Compliance.MATCH, Compliance.DEVIATION
_NOT_RECORDED: Final = Compliance.NOT_RECORDED
_STAND, _VOID_MISSET = DealerMissetPolicy.STAND, DealerMissetPolicy.VOID
_MAIN_OUTCOMES: Final = dict(MAIN_OUTCOMES)
_RESET_TO_HOUSE_WAY: Final = FoulPolicy.RESET_TO_HOUSE_WAY


class _SettledDealer(NamedTuple):
    """The dealer's settlement, and what every seat is settled against."""

    settlement: DealerSettlement
    low: LowHand
    high: HighHand
    lucky_break: bool
    can_break: bool
    qualifies: bool
    is_void: bool


def settle(
    entry: RoundEntry,
    ruleset: Ruleset,
    *,
    limits: Mapping[Wager, WagerLimits] | None = None,
) -> RoundSettlement:
    """Settle a checked round: every bet, every seat, and the house. BP-5 to BP-8.

    ``limits`` are the table's own and take the place of the ruleset's; they never block a bet,
    they only mark it (BP-8.2). The entry is trusted to come from ``parse_round``. The same entry
    and ruleset give the same settlement for ever.

    >>> from games.engine.rulesets import get_ruleset
    >>> entry = parse_round({"dealer": {"cards": "As Kd Th 9c 7d 5s 2h"}, "seats": [{"seat": 3,
    ...     "cards": "Jk Kh Ts 9d 7s 5h 2c", "low": "Kh Ts", "high": "Jk 9d 7s",
    ...     "bets": {"main": 1000}}]})
    >>> settle(entry, get_ruleset("break-poker/rules-as-written@1")).seats[0].event
    <Event.COPY_LOW_WIN_HIGH: 'copy_low_win_high'>
    """
    dealer = _settle_dealer(entry.dealer, ruleset)
    limits = ruleset.limits if limits is None else limits
    seats = tuple([_settle_seat(seat, dealer, ruleset, limits) for seat in entry.seats])
    if ruleset.caps.are_set:
        seats = _with_caps(seats, ruleset.caps)
    house_net_minor = -sum([bet.net_minor for seat in seats for bet in seat.bets])
    return RoundSettlement(ruleset.id, dealer.settlement, seats, house_net_minor, dealer.is_void)


def _settle_dealer(dealer: DealerEntry, ruleset: Ruleset) -> _SettledDealer:
    """Find the required setting, compare it with the one set, and choose which counts. BP-5.9."""
    cards, set_low_cards, set_high_cards = dealer
    pattern = pattern_of_seven(cards)
    way = house_way_table(ruleset.house_way)(pattern)
    low, high = way.low, way.high
    set_low = set_high = None
    compliance = _NOT_RECORDED
    is_as_set = False
    if set_low_cards is not None and set_high_cards is not None:
        set_low, set_high = low_hand(set_low_cards), high_hand(set_high_cards)
        # Values are compared, not cards: the joker for an ace is the same setting. BP-5.8
        compliance = _MATCH if set_low is low and set_high is high else _DEVIATION
        # What the dealer set counts if it may stand, which a foul never may.
        is_as_set = compliance is _MATCH or (
            ruleset.dealer_misset is _STAND and not is_foul(set_low, set_high)
        )
        if is_as_set:
            low, high = set_low, set_high
    lucky_break = is_lucky_break(low, high)
    qualifies = ruleset.qualifies(high)
    settlement = DealerSettlement(
        cards=cards,
        way=way,
        low=low.label,
        high=high.label,
        set_low=set_low.label if set_low else None,
        set_high=set_high.label if set_high else None,
        set_low_cards=set_low_cards,
        set_high_cards=set_high_cards,
        is_as_set=is_as_set,
        qualifies=qualifies,
        lucky_break=lucky_break,
        compliance=compliance,
    )
    can_break = break_bonus_line(pattern) is not _NO_LINE
    is_void = compliance is _DEVIATION and ruleset.dealer_misset is _VOID_MISSET
    settled = (settlement, low, high, lucky_break, can_break, qualifies, is_void)
    return _make(_SettledDealer, settled)


def _settle_seat(
    seat: SeatEntry,
    dealer: _SettledDealer,
    ruleset: Ruleset,
    limits: Mapping[Wager, WagerLimits],
) -> SeatSettlement:
    set_low = low = low_hand(seat.low)
    set_high = high = high_hand(seat.high)
    foul = is_foul(low, high)
    reset_low = reset_high = None
    if foul and ruleset.foul is _RESET_TO_HOUSE_WAY:
        way = house_way_table(ruleset.house_way)(pattern_of_seven(seat.cards))
        low, high = way.low, way.high
        reset_low, reset_high = low.label, high.label
    lucky_break = is_lucky_break(low, high)
    if dealer.is_void:
        event = _VOID
    elif not dealer.qualifies:
        event = _DEALER_NOT_QUALIFIED  # BP-6.1, before a foul: BP-4.3
    elif foul and reset_low is None:
        event = _FOUL
    elif dealer.lucky_break is not lucky_break:
        event = _PLAYER_BREAK if lucky_break else _DEALER_BREAK  # BP-6.2, BP-6.3
    else:
        event = compare_hands(low, high, dealer.low, dealer.high)
    bets = _settle_bets(seat, event, dealer, ruleset)
    if limits:
        bets = [_with_limits(bet, limits) for bet in bets]
    settled = (
        seat.seat,
        event,
        foul,
        set_low.label,
        set_high.label,
        reset_low,
        reset_high,
        lucky_break,
        tuple(bets),
    )
    return _make(SeatSettlement, settled)


def _settle_bets(
    seat: SeatEntry, event: Event, dealer: _SettledDealer, ruleset: Ruleset
) -> list[BetSettlement]:
    """Settle the bets of a seat, before limits and caps. BP-6, BP-7."""
    if event is _VOID:
        return [BetSettlement(bet.wager, bet.amount_minor, Outcome.VOID, 0) for bet in seat.bets]
    _, cards, _, _, main_minor, dealer_break_bonus_minor, break_bonus_minor = seat
    outcome = _MAIN_OUTCOMES[event]
    net_minor = 0
    if outcome is _WIN:
        net_minor = ruleset.main.net_minor(main_minor)
    elif outcome is _LOSE:
        net_minor = -main_minor
    settled = [_make(BetSettlement, (_MAIN, main_minor, outcome, net_minor, None, None, None))]
    if dealer_break_bonus_minor is None and break_bonus_minor is None:
        return settled
    line = break_bonus_line(pattern_of_seven(cards))
    if dealer_break_bonus_minor is not None:
        dealer_line = _NEITHER
        if dealer.can_break:
            dealer_line = _DEALER_ONLY if line is _NO_LINE else _BOTH
        odds = ruleset.dealer_break_bonus.lines.get(dealer_line)
        settled.append(_side_bet(_DEALER_BREAK_BONUS, dealer_break_bonus_minor, dealer_line, odds))
    if break_bonus_minor is not None:
        odds = ruleset.break_bonus.lines.get(line)
        settled.append(_side_bet(_BREAK_BONUS, break_bonus_minor, line, odds))
    return settled


def _side_bet(
    wager: Wager,
    amount_minor: int,
    line: BreakBonusLine | DealerBreakBonusLine,
    odds: Odds | None,
) -> BetSettlement:
    """Settle a side bet by the odds of its line; a line without odds loses."""
    if odds is None:
        return _make(BetSettlement, (wager, amount_minor, _LOSE, -amount_minor, line, None, None))
    net_minor = odds.net_minor(amount_minor)
    return _make(BetSettlement, (wager, amount_minor, _WIN, net_minor, line, None, None))


def _with_limits(bet: BetSettlement, limits: Mapping[Wager, WagerLimits]) -> BetSettlement:
    """Return the bet marked if it stands outside the limits of its wager. BP-8.2."""
    limit = limits.get(bet.wager)
    return bet if limit is None else bet._replace(limit_breach=limit.breach_of(bet.amount_minor))


def _with_caps(seats: Sequence[SeatSettlement], caps: SideBetCaps) -> tuple[SeatSettlement, ...]:
    """Return the seats with side-bet wins cut to the caps. BP-8.3."""
    wins = [
        SideBetWin(seat.seat, bet.wager, bet.net_minor)
        for seat in seats
        for bet in seat.bets
        if bet.wager is not Wager.MAIN and bet.net_minor > 0
    ]
    capped = {(win.seat, win.wager): win.net_minor for win in apply_caps(wins, caps)}
    return tuple(_with_wins(seat, capped) for seat in seats)


def _with_wins(seat: SeatSettlement, wins: Mapping[tuple[int, Wager], int]) -> SeatSettlement:
    bets = []
    for bet in seat.bets:
        net_minor = wins.get((seat.seat, bet.wager), bet.net_minor)
        if net_minor == bet.net_minor:
            bets.append(bet)
        else:
            bets.append(bet._replace(net_minor=net_minor, uncapped_net_minor=bet.net_minor))
    return seat._replace(bets=tuple(bets))
