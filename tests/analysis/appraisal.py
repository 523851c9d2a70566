"""What every bet of one round was worth, one at a time, to hold what is stored against."""

from dataclasses import dataclass
from fractions import Fraction

from games.analysis.misset import is_dealer_error_possible, settle_on_house_way
from games.analysis.probabilities import RulesetOdds
from games.analysis.setting_table import code_of, labels_of
from games.analysis.setting_values import SettingValues
from games.analysis.split import Split, split_result
from games.analysis.worth import HandValues, values_of_hands
from games.engine.errors import InvariantViolation
from games.engine.hands import high_hand, low_hand
from games.engine.patterns import pattern_of_seven
from games.engine.rulesets import Ruleset
from games.engine.settlement import RoundEntry, RoundSettlement, SeatEntry
from games.engine.wagers import Wager


@dataclass(frozen=True, slots=True)
class BetAppraisal:
    """What one bet was worth. Values are the player's for a stake of one; the split is the house's.

    ``best_low`` and ``best_high`` name the best setting, for the main bet only.
    """

    wager: Wager
    amount_minor: int
    actual_minor: int
    best_value: Fraction
    setting_value: Fraction
    wins: int
    losses: int
    split: Split
    best_low: str = ""
    best_high: str = ""


@dataclass(frozen=True, slots=True)
class SeatAppraisal:
    """What the bets of one seat were worth."""

    seat: int
    bets: tuple[BetAppraisal, ...]


def appraise_round(
    entry: RoundEntry,
    settlement: RoundSettlement,
    ruleset: Ruleset,
    values: SettingValues,
    odds: RulesetOdds,
) -> tuple[SeatAppraisal, ...]:
    """Return the worth of every bet of a settled round, seat by seat.

    ``values`` and ``odds`` (of best play) are those of the ruleset that the round was settled
    under. Raises InvariantViolation for a hand that cannot have been dealt and set like that.
    """
    hands = values_of_hands(
        values,
        ruleset,
        [pattern_of_seven(seat.cards) for seat in entry.seats],
        [_code_of_seat(seat) for seat in entry.seats],
    )
    if not hands.is_known.all():
        message = f"expected settings of the cards dealt, got {entry.seats}"
        raise InvariantViolation(message)
    on_house_way = settlement
    if is_dealer_error_possible(settlement.dealer.compliance, ruleset):
        on_house_way = settle_on_house_way(entry, ruleset)
    return tuple(
        SeatAppraisal(
            seat.seat,
            tuple(
                _appraise_bet(
                    hands, row, bet.wager, bet.amount_minor, -bet.net_minor, -other.net_minor, odds
                )
                for bet, other in zip(seat.bets, house_way_seat.bets, strict=True)
            ),
        )
        for row, (seat, house_way_seat) in enumerate(
            zip(settlement.seats, on_house_way.seats, strict=True)
        )
    )


def _code_of_seat(seat: SeatEntry) -> int:
    return code_of(low_hand(seat.low).strength, high_hand(seat.high).strength)


def _appraise_bet(
    hands: HandValues,
    row: int,
    wager: Wager,
    amount_minor: int,
    actual_minor: int,
    house_way_minor: int,
    odds: RulesetOdds,
) -> BetAppraisal:
    values = hands.wagers[wager]
    best = Fraction(int(values.best[row]), values.denominator)
    setting = Fraction(int(values.setting[row]), values.denominator)
    low, high = labels_of(int(hands.best_codes[row]))
    return BetAppraisal(
        wager=wager,
        amount_minor=amount_minor,
        actual_minor=actual_minor,
        best_value=best,
        setting_value=setting,
        wins=int(values.wins[row]),
        losses=int(values.losses[row]),
        split=split_result(
            theo=-amount_minor * odds.wagers[wager].expected_value,
            best_net=amount_minor * best,
            setting_net=amount_minor * setting,
            house_way_minor=house_way_minor,
            dealer_error_minor=actual_minor - house_way_minor,
        ),
        best_low=low if wager is Wager.MAIN else "",
        best_high=high if wager is Wager.MAIN else "",
    )
