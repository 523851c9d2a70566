"""A settlement as pages show it: the stored JSON in words, nothing computed anew."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.engine.outcomes import BreakBonusLine, DealerBreakBonusLine, Event, Outcome
from games.engine.settlement import Compliance
from games.engine.wagers import LimitBreach, Wager

EVENT_WORDS: Final[Mapping[str, str]] = {
    Event.PLAYER_BREAK: "Player has a Lucky Break",
    Event.WIN_BOTH: "Wins low, wins high",
    Event.DEALER_NOT_QUALIFIED: "Dealer does not qualify",
    Event.WIN_LOW_COPY_HIGH: "Wins low, copies high",
    Event.WIN_LOW_LOSE_HIGH: "Wins low, loses high",
    Event.COPY_LOW_WIN_HIGH: "Copies low, wins high",
    Event.LOSE_LOW_WIN_HIGH: "Loses low, wins high",
    Event.DEALER_BREAK: "Dealer has a Lucky Break",
    Event.COPY_BOTH: "Copies low, copies high",
    Event.COPY_LOW_LOSE_HIGH: "Copies low, loses high",
    Event.LOSE_LOW_COPY_HIGH: "Loses low, copies high",
    Event.LOSE_BOTH: "Loses low, loses high",
    Event.FOUL: "Foul: low outranks high",
    Event.VOID: "Round void, bets returned",
}
OUTCOME_WORDS: Final[Mapping[str, str]] = {
    Outcome.WIN: "wins",
    Outcome.LOSE: "loses",
    Outcome.PUSH: "push",
    Outcome.VOID: "returned",
}
WAGER_WORDS: Final[Mapping[str, str]] = {
    Wager.MAIN: "Main bet",
    Wager.DEALER_BREAK_BONUS: "Dealer Break Bonus",
    Wager.BREAK_BONUS: "Break Bonus",
}
COMPLIANCE_WORDS: Final[Mapping[str, str]] = {
    Compliance.MATCH: "Match",
    Compliance.DEVIATION: "Deviation",
    Compliance.NOT_RECORDED: "Not recorded",
}
_LINE_WORDS: Final[Mapping[tuple[str, str], str]] = {
    (Wager.BREAK_BONUS, BreakBonusLine.FIVE_ACES): "five aces",
    (Wager.BREAK_BONUS, BreakBonusLine.FIVE_OF_A_KIND): "five of a kind",
    (Wager.BREAK_BONUS, BreakBonusLine.TRIPS): "pair and trips",
    (Wager.BREAK_BONUS, BreakBonusLine.AKQ): "pair and A-K-Q",
    (Wager.BREAK_BONUS, BreakBonusLine.STRAIGHT): "pair and straight",
    (Wager.BREAK_BONUS, BreakBonusLine.NONE): "no line",
    (Wager.DEALER_BREAK_BONUS, DealerBreakBonusLine.BOTH): "dealer and player",
    (Wager.DEALER_BREAK_BONUS, DealerBreakBonusLine.DEALER_ONLY): "dealer only",
    (Wager.DEALER_BREAK_BONUS, DealerBreakBonusLine.NONE): "no dealer break",
}
_BREACH_WORDS: Final[Mapping[str, str]] = {
    LimitBreach.BELOW_MINIMUM: "below the minimum",
    LimitBreach.ABOVE_MAXIMUM: "above the maximum",
}


@dataclass(frozen=True, slots=True)
class SettledBet:
    """One bet; amounts in minor units, `net_minor` the player's. Without a bet, None stands."""

    name: str
    amount_minor: int
    outcome: str
    net_minor: int
    line: str
    breach: str
    uncapped_net_minor: int | None


@dataclass(frozen=True, slots=True)
class SettledSeat:
    """One seat: the cards as they were read, what happened, what every bet came to."""

    seat: int
    cards: str
    low_cards: str
    high_cards: str
    low: str
    high: str
    event: str
    foul: str
    bets: tuple[SettledBet | None, ...]
    net_minor: int


@dataclass(frozen=True, slots=True)
class Settled:
    """What every bet of a round came to. Nothing of the dealer's house way is in it (BP-5.10)."""

    wagers: tuple[str, ...]
    dealer_cards: str
    dealer_low: str
    dealer_high: str
    seats: tuple[SettledSeat, ...]
    house_net_minor: int
    is_void: bool


@dataclass(frozen=True, slots=True)
class DealerSetting:
    """The dealer's hand: what was set beside what the house way requires. After recording only."""

    words: str
    step: int
    rule: str
    required_low: str
    required_high: str
    required_low_cards: str
    required_high_cards: str
    set_low: str
    set_high: str
    set_low_cards: str
    set_high_cards: str
    settled_low: str
    settled_high: str
    qualifies: bool
    lucky_break: bool
    compliance: str
    compliance_words: str
    is_set: bool


def settled_of(settlement: Mapping[str, Any], hands: Mapping[str, Any]) -> Settled:
    """A settlement, as `settlement_as_dict` writes it, with the hands that it settles."""
    dealer = hands["dealer"]
    return Settled(
        wagers=tuple(WAGER_WORDS.values()),
        dealer_cards=dealer["cards"],
        dealer_low=dealer.get("low") or "",
        dealer_high=dealer.get("high") or "",
        seats=tuple(
            _seat(seat, hand)
            for seat, hand in zip(settlement["seats"], hands["seats"], strict=True)
        ),
        house_net_minor=settlement["house_net_minor"],
        is_void=settlement["is_void"],
    )


def dealer_setting_of(settlement: Mapping[str, Any]) -> DealerSetting:
    """The dealer's part of a stored settlement."""
    dealer = settlement["dealer"]
    required, as_set = dealer["required"], dealer["as_set"]
    return DealerSetting(
        words=dealer["words"],
        step=dealer["step"],
        rule=dealer["rule"],
        required_low=required["low"],
        required_high=required["high"],
        required_low_cards=required["low_cards"],
        required_high_cards=required["high_cards"],
        set_low=as_set["low"] if as_set else "",
        set_high=as_set["high"] if as_set else "",
        set_low_cards=as_set["low_cards"] if as_set else "",
        set_high_cards=as_set["high_cards"] if as_set else "",
        settled_low=dealer["low"],
        settled_high=dealer["high"],
        qualifies=dealer["qualifies"],
        lucky_break=dealer["lucky_break"],
        compliance=dealer["compliance"],
        compliance_words=COMPLIANCE_WORDS[dealer["compliance"]],
        is_set=as_set is not None,
    )


def breaches_of(settled: Settled) -> tuple[tuple[int, SettledBet], ...]:
    """Bets that stand outside the limits: they are played, and someone should know (BP-8.2)."""
    return tuple(
        (seat.seat, bet) for seat in settled.seats for bet in seat.bets if bet and bet.breach
    )


def _seat(seat: Mapping[str, Any], hand: Mapping[str, Any]) -> SettledSeat:
    return SettledSeat(
        seat=seat["seat"],
        cards=hand["cards"],
        low_cards=hand["low"],
        high_cards=hand["high"],
        low=seat["low"],
        high=seat["high"],
        event=EVENT_WORDS[seat["event"]],
        foul=_foul_words(seat),
        bets=tuple(_bet(wager, seat.get(wager)) for wager in WAGER_WORDS),
        net_minor=seat["net_minor"],
    )


def _foul_words(seat: Mapping[str, Any]) -> str:
    """What an event that is not the foul itself leaves unsaid about a fouled hand (BP-4.3)."""
    if not seat["foul"] or seat["event"] == Event.FOUL:
        return ""
    reset = seat["reset_to"]
    return f"foul, reset to {reset['low']} and {reset['high']}" if reset else "low outranks high"


def _bet(wager: str, bet: Mapping[str, Any] | None) -> SettledBet | None:
    if bet is None:
        return None
    return SettledBet(
        name=WAGER_WORDS[wager],
        amount_minor=bet["amount_minor"],
        outcome=OUTCOME_WORDS[bet["outcome"]],
        net_minor=bet["net_minor"],
        line=_LINE_WORDS.get((wager, bet.get("line") or ""), ""),
        breach=_BREACH_WORDS.get(bet.get("limit_breach", ""), ""),
        uncapped_net_minor=bet.get("uncapped_net_minor"),
    )
