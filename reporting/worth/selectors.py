"""Reading what one recorded round was worth, bet by bet, and why it came out as it did."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Final

from django.db.models import Prefetch

from games.analysis.misset import MissetCost, misset_cost
from games.analysis.split import Split, split_result
from games.engine.outcomes import Event
from games.engine.rulesets import RULESETS
from games.engine.settlement import Compliance
from reporting.worth.models import BetWorth, WagerValue
from reporting.worth.split import ShownSplit, Worth, shown_split
from tables.models import Bet, Round, SeatHand
from tables.rounds.reader import stored_entry

DEALER_HANDS: Final = comb(46, 7)
"""The hands that the dealer can hold beside a player's seven cards."""


@dataclass(frozen=True, slots=True)
class BetValues:
    """The values of one bet, for a stake of one and seen by the player, and the house's split.

    `expected_value` is before the deal with best play, `best_value` with the seven cards set best,
    `setting_value` as they were set. `wins` and `losses` count `DEALER_HANDS`.
    """

    expected_value: Fraction
    best_value: Fraction
    setting_value: Fraction
    wins: int
    losses: int
    best_low: str
    best_high: str
    split: Split

    @property
    def pushes(self) -> int:
        """The dealer hands with which the bet neither wins nor loses."""
        return DEALER_HANDS - self.wins - self.losses

    @property
    def win_rate(self) -> Fraction:
        """The chance to win, before the dealer's cards are known."""
        return Fraction(self.wins, DEALER_HANDS)

    @property
    def push_rate(self) -> Fraction:
        """The chance to push."""
        return Fraction(self.pushes, DEALER_HANDS)

    @property
    def lose_rate(self) -> Fraction:
        """The chance to lose."""
        return Fraction(self.losses, DEALER_HANDS)

    @property
    def is_best(self) -> bool:
        """Whether nothing was given away."""
        return self.setting_value == self.best_value

    @property
    def shown(self) -> ShownSplit:
        """The split in whole minor units."""
        return shown_split(self.split)


@dataclass(frozen=True, slots=True)
class AppraisedBet:
    """One bet; its values are None while it has not been appraised."""

    wager: str
    amount_minor: int
    house_win_minor: int
    values: BetValues | None


@dataclass(frozen=True, slots=True)
class AppraisedSeat:
    """One seat: the hand as it was set, and its bets, the main bet first."""

    seat: int
    cards: str
    low_cards: str
    high_cards: str
    low: str
    high: str
    is_foul: bool
    event: str
    bets: tuple[AppraisedBet, ...]


@dataclass(frozen=True, slots=True)
class Misset:
    """A dealer's setting that was not the house way, and what it would have cost. BP-5.9."""

    set_low: str
    set_high: str
    required_low: str
    required_high: str
    cost: MissetCost

    @property
    def is_costly(self) -> bool:
        """Whether the house would have lost by it."""
        return self.cost.total_minor > 0

    @property
    def amount_minor(self) -> int:
        """What the house would have lost or won by it, without a sign."""
        return abs(self.cost.total_minor)


@dataclass(frozen=True, slots=True)
class AppraisedRound:
    """A round with what it was worth; `was_returned` says that it was settled as void. BP-5.9.

    `misset` is None when the dealer set the house way, or the setting was not recorded, or the
    ruleset is of another release.
    """

    round: Round
    seats: tuple[AppraisedSeat, ...]
    worth: Worth
    was_returned: bool
    misset: Misset | None


def summarise_round_worth(played: Round) -> AppraisedRound:
    """What each bet of a round was worth, as far as it has been appraised; four queries."""
    expected_values = {
        row.wager: Fraction(row.expected_value)
        for row in WagerValue.objects.filter(ruleset_id=played.ruleset_id)
    }
    bets = Bet.objects.select_related("worth").order_by("pk")
    hands = list(played.seat_hands.order_by("pk").prefetch_related(Prefetch("bets", bets)))
    seats = tuple(
        _seat(hand, settled, expected_values)
        for hand, settled in zip(hands, played.settlement["seats"], strict=True)
    )
    values = [bet.values for seat in seats for bet in seat.bets]
    return AppraisedRound(
        round=played,
        seats=seats,
        worth=Worth(
            bets_missing=values.count(None),
            sums=sum((of.split for of in values if of), start=Split()),
        ),
        was_returned=any(seat.event == Event.VOID for seat in seats),
        misset=_misset(played, hands),
    )


def _misset(played: Round, hands: Iterable[SeatHand]) -> Misset | None:
    ruleset = RULESETS.get(played.ruleset_id)
    if played.compliance != Compliance.DEVIATION.value or ruleset is None:
        return None
    cost = misset_cost(stored_entry(played, hands), ruleset)
    dealer = played.settlement["dealer"]
    if cost is None:
        return None
    return Misset(
        set_low=dealer["as_set"]["low"],
        set_high=dealer["as_set"]["high"],
        required_low=dealer["required"]["low"],
        required_high=dealer["required"]["high"],
        cost=cost,
    )


def _seat(
    hand: SeatHand, settled: Mapping[str, Any], expected_values: Mapping[str, Fraction]
) -> AppraisedSeat:
    return AppraisedSeat(
        seat=hand.seat,
        cards=hand.cards,
        low_cards=hand.low,
        high_cards=hand.high,
        low=settled["low"],
        high=settled["high"],
        is_foul=hand.is_foul,
        event=hand.event,
        bets=tuple(_bet(bet, expected_values.get(bet.wager)) for bet in hand.bets.all()),
    )


def _bet(bet: Bet, expected_value: Fraction | None) -> AppraisedBet:
    worth: BetWorth | None = getattr(bet, "worth", None)
    values = None
    if worth is not None and expected_value is not None:
        values = _values(bet, worth, expected_value)
    return AppraisedBet(bet.wager, bet.amount_minor, -bet.net_minor, values)


def _values(bet: Bet, worth: BetWorth, expected_value: Fraction) -> BetValues:
    best_value = Fraction(worth.best_value, worth.denominator)
    setting_value = Fraction(worth.setting_value, worth.denominator)
    return BetValues(
        expected_value=expected_value,
        best_value=best_value,
        setting_value=setting_value,
        wins=worth.wins,
        losses=worth.losses,
        best_low=worth.best_low,
        best_high=worth.best_high,
        split=split_result(
            theo=-bet.amount_minor * expected_value,
            best_net=bet.amount_minor * best_value,
            setting_net=bet.amount_minor * setting_value,
            house_way_minor=-bet.net_minor - worth.dealer_error_minor,
            dealer_error_minor=worth.dealer_error_minor,
        ),
    )
