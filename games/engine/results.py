"""What a settled round holds, and its JSON form.

Amounts are minor units. A ``net_minor`` of a bet or a seat is the player's; the house's own is the
opposite of their sum.
"""

from enum import StrEnum
from typing import NamedTuple

from games.engine.cards import Card
from games.engine.errors import JSON
from games.engine.hand_setting import Setting, discards_of
from games.engine.house_way import HouseWay, place_cards
from games.engine.lookup import PatternWay
from games.engine.notation import format_cards
from games.engine.outcomes import BreakBonusLine, DealerBreakBonusLine, Event, Outcome
from games.engine.wagers import LimitBreach, Wager


class Compliance(StrEnum):
    """Whether the dealer set the house way, by ranks. BP-5.8."""

    MATCH = "match"
    DEVIATION = "deviation"
    NOT_RECORDED = "not_recorded"


_COMPLIANT: dict[Compliance, bool | None] = {
    Compliance.MATCH: True,
    Compliance.DEVIATION: False,
    Compliance.NOT_RECORDED: None,
}


class BetSettlement(NamedTuple):
    """One bet settled.

    ``line`` is the line of a side bet's pay table (None for the main bet, and when the round is
    void); ``uncapped_net_minor`` is what a win was before a cap cut it, else None.
    """

    wager: Wager
    amount_minor: int
    outcome: Outcome
    net_minor: int
    line: BreakBonusLine | DealerBreakBonusLine | None = None
    limit_breach: LimitBreach | None = None
    uncapped_net_minor: int | None = None


class SeatSettlement(NamedTuple):
    """One seat settled against the dealer.

    ``low`` and ``high`` are what the player set; ``reset_low`` and ``reset_high`` are the house way
    that a fouled hand was settled with under ``foul: reset_to_house_way``, else None.
    ``lucky_break`` is of the setting that counted.
    """

    seat: int
    event: Event
    foul: bool
    low: str
    high: str
    reset_low: str | None
    reset_high: str | None
    lucky_break: bool
    bets: tuple[BetSettlement, ...]

    @property
    def net_minor(self) -> int:
        """What the seat wins (or, negative, loses) in all."""
        return sum([bet.net_minor for bet in self.bets])


class DealerSettlement(NamedTuple):
    """The dealer's hand as settled, as required by the house way, and as it was set.

    ``low`` and ``high`` are the setting that the round settled on, which ``is_as_set`` tells to be
    the one that the dealer set; ``set_*`` are None when that was not recorded. Which physical cards
    make the house way is worked out when it is asked for.
    """

    cards: tuple[Card, ...]
    way: PatternWay
    low: str
    high: str
    set_low: str | None
    set_high: str | None
    set_low_cards: tuple[Card, ...] | None
    set_high_cards: tuple[Card, ...] | None
    is_as_set: bool
    qualifies: bool
    lucky_break: bool
    compliance: Compliance

    @property
    def step(self) -> int:
        """The number of the step of the house way that applied."""
        return self.way.step.number

    @property
    def rule(self) -> str:
        """The id of the rule of that step."""
        return self.way.step.rule

    @property
    def words(self) -> str:
        """The step that applied and what it sets, in one line for people."""
        return self.required.words

    @property
    def required(self) -> HouseWay:
        """The house way of the dealer's cards."""
        return place_cards(self.cards, self.way)

    @property
    def required_low(self) -> str:
        """The low hand that the house way asks for."""
        return self.way.low.label

    @property
    def required_high(self) -> str:
        """The high hand that the house way asks for."""
        return self.way.high.label

    @property
    def setting(self) -> Setting:
        """The physical cards of the setting that the round settled on."""
        return self._setting_beside(self.required)

    def _setting_beside(self, required: HouseWay) -> Setting:
        low, high = self.set_low_cards, self.set_high_cards
        if self.is_as_set and low is not None and high is not None:
            return Setting(low, high, discards_of(self.cards, low, high))
        return Setting(required.low_cards, required.high_cards, required.discards)

    def as_dict(self) -> dict[str, JSON]:
        """Return the dealer's part of ``settlement_as_dict``."""
        required = self.required
        setting = self._setting_beside(required)
        as_set: dict[str, JSON] | None = None
        if self.set_low_cards is not None and self.set_high_cards is not None:
            as_set = {
                "low": self.set_low,
                "high": self.set_high,
                "low_cards": format_cards(self.set_low_cards),
                "high_cards": format_cards(self.set_high_cards),
            }
        return {
            "step": required.step,
            "rule": required.rule,
            "words": required.words,
            "low": self.low,
            "high": self.high,
            "low_cards": format_cards(setting.low_cards),
            "high_cards": format_cards(setting.high_cards),
            "discards": format_cards(setting.discards),
            "qualifies": self.qualifies,
            "lucky_break": self.lucky_break,
            "compliance": str(self.compliance),
            "compliant": _COMPLIANT[self.compliance],
            "required": {
                "low": self.required_low,
                "high": self.required_high,
                "low_cards": format_cards(required.low_cards),
                "high_cards": format_cards(required.high_cards),
            },
            "as_set": as_set,
        }


class RoundSettlement(NamedTuple):
    """A round settled under one ruleset; seats in ascending order."""

    ruleset_id: str
    dealer: DealerSettlement
    seats: tuple[SeatSettlement, ...]
    house_net_minor: int
    is_void: bool


def settlement_as_dict(settlement: RoundSettlement) -> dict[str, JSON]:
    """Return a settlement as JSON; ``docs/engine.md`` lists the keys, which are stable."""
    return {
        "ruleset": settlement.ruleset_id,
        "is_void": settlement.is_void,
        "dealer": settlement.dealer.as_dict(),
        "seats": [_seat_as_dict(seat) for seat in settlement.seats],
        "house_net_minor": settlement.house_net_minor,
    }


def _seat_as_dict(seat: SeatSettlement) -> dict[str, JSON]:
    reset = None if seat.reset_low is None else {"low": seat.reset_low, "high": seat.reset_high}
    return {
        "seat": seat.seat,
        "event": str(seat.event),
        "foul": seat.foul,
        "low": seat.low,
        "high": seat.high,
        "reset_to": reset,
        "lucky_break": seat.lucky_break,
        **{str(bet.wager): _bet_as_dict(bet) for bet in seat.bets},
        "net_minor": seat.net_minor,
    }


def _bet_as_dict(bet: BetSettlement) -> dict[str, JSON]:
    found: dict[str, JSON] = {
        "amount_minor": bet.amount_minor,
        "outcome": str(bet.outcome),
        "net_minor": bet.net_minor,
    }
    if bet.wager is not Wager.MAIN:
        found["line"] = None if bet.line is None else str(bet.line)
    if bet.limit_breach is not None:
        found["limit_breach"] = str(bet.limit_breach)
    if bet.uncapped_net_minor is not None:
        found["uncapped_net_minor"] = bet.uncapped_net_minor
    return found
