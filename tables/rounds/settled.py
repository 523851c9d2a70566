"""A settled round as it is stored and answered: the object that the `settle` command writes."""

from typing import Annotated

from pydantic import Field

from games.engine.outcomes import Event, Outcome
from games.engine.settlement import Compliance
from games.engine.wagers import Wager
from tables.shapes import Answer, AsItIs


class BetOut(Answer):
    """What became of one bet; amounts in minor units, the player's view."""

    amount_minor: int
    outcome: Outcome
    net_minor: int
    line: str | None = Field(default=None, description="pay-table line of a side bet")
    limit_breach: str | None = None
    uncapped_net_minor: int | None = Field(
        default=None, description="what a win was before a cap (BP-8.3)"
    )


class ResetOut(Answer):
    """The house way that a fouled hand was set to, where the ruleset resets fouls."""

    low: str
    high: str


class SeatOut(Answer):
    """What became of one seat."""

    seat: int
    event: Event
    low: str
    high: str
    foul: bool
    reset_to: ResetOut | None
    lucky_break: bool
    main: BetOut
    dealer_break_bonus: BetOut | None = None
    break_bonus: BetOut | None = None
    net_minor: int

    @property
    def bets(self) -> tuple[tuple[Wager, BetOut | None], ...]:
        """Every wager in the order of the rules, with the bet on it if there is one."""
        return tuple((wager, getattr(self, wager)) for wager in Wager)


class SettingOut(Answer):
    """A setting: what its two hands are, and of which cards."""

    low: str
    high: str
    low_cards: str
    high_cards: str


class DealerOut(SettingOut):
    """The dealer's hand as settled, beside what was required and what was set."""

    step: int = Field(ge=1, le=7)
    rule: str = Field(description="rule id of the step")
    words: str = Field(description="the step in words")
    discards: str
    required: SettingOut = Field(description="by the house way")
    as_set: SettingOut | None = Field(description="by the dealer; null when not recorded")
    qualifies: bool
    lucky_break: bool
    compliant: bool | None
    compliance: Compliance


class SettlementOut(Answer):
    """A settled round; the same object as the `settle` command writes."""

    id: str = ""
    ruleset: str
    is_void: bool
    dealer: DealerOut
    seats: list[SeatOut]
    house_net_minor: int

    @property
    def breaches(self) -> tuple[tuple[int, Wager, BetOut], ...]:
        """Bets outside the limits, with seat and wager: they stand, and want a look (BP-8.2)."""
        return tuple(
            (seat.seat, wager, bet)
            for seat in self.seats
            for wager, bet in seat.bets
            if bet and bet.limit_breach
        )


# It is stored as it was answered, and answered as it is stored.
StoredSettlement = Annotated[SettlementOut, AsItIs()]
