"""House way, compliance and settlement of very many rounds by array code. BP-5 to BP-8.

The same rules as ``games.engine.settlement.settle``, with which every result agrees; limits
(BP-8.2), which only mark bets, are left out. Integers throughout.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.analysis.batch.caps import with_caps
from games.analysis.batch.cards import (
    LINE_SHIFT,
    NOT_RECORDED_CODE,
    DealerSettings,
    card_tables,
    dealer_settings,
    hand_numbers,
    setting_codes,
    steps_of,
)
from games.analysis.batch.rounds import DealerHands, RoundBatch, SeatHands
from games.analysis.batch.rules import (
    COMPLIANCE_CODES,
    NO_STEP,
    RulesTables,
    distinct_steps,
    rules_tables,
)
from games.analysis.batch.settlement import (
    Bets,
    DealerSettlements,
    SeatEvents,
    dealer_break_bonus_lines,
    house_nets,
    settle_dealers,
    settle_main_bets,
    settle_seats,
    settle_side_bets,
)
from games.engine.errors import InvariantViolation, RoundShapeError
from games.engine.rulesets import HouseWayStep, Ruleset


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BatchAudit:
    """A batch as it must be settled under a ruleset; rows as in the batch.

    ``steps`` are the steps of the house way that ``settings.step`` counts. Other places are those
    of the tuples in the module ``rules``, codes of settings those of ``setting_table``. Nets of
    bets and seats are the players'; ``house_net_minor`` of a round is the opposite of their sum.
    """

    ruleset: Ruleset
    steps: tuple[HouseWayStep, ...]
    settings: DealerSettings
    dealer: DealerSettlements
    seats: SeatEvents
    main: Bets
    dealer_break_bonus: Bets
    break_bonus: Bets
    seat_net_minor: NDArray[np.int64]
    house_net_minor: NDArray[np.int64]


def audit_dealer_hands(hands: DealerHands, ruleset: Ruleset) -> DealerSettings:
    """Return the house way of dealer hands and whether each was set so. BP-5.

    The hands are trusted to be of one deck, as ``batch_of`` makes them; whatever the numbers,
    nothing outside the tables is read. Raises InvariantViolation for a hand that no step allows.
    """
    entries = rules_tables(ruleset).entries
    found = dealer_settings(
        hands.cards, hands.low, hands.high, card_tables(), entries, COMPLIANCE_CODES
    )
    _refuse_no_step(found.step, hands.cards)
    return found


def audit_rounds(batch: RoundBatch, ruleset: Ruleset) -> BatchAudit:
    """Settle every round of a batch, as ``settle`` does without limits. BP-5 to BP-8.

    The batch is trusted as ``audit_dealer_hands`` says. Raises PayTableTooLargeError for a pay
    table whose wins might not fit into 64 bits, RoundShapeError for seats of no round.
    """
    rules = rules_tables(ruleset)
    seats = batch.seats
    round_of = seats.round_of
    if len(round_of) and not 0 <= round_of.min() <= round_of.max() < len(batch):
        message = f"expected seats of {len(batch)} rounds, got {round_of.min()}..{round_of.max()}"
        raise RoundShapeError(message, place="seats.round_of")
    settings = audit_dealer_hands(batch.dealer, ruleset)
    dealer = settle_dealers(
        settings.required_code, settings.set_code, settings.compliance, settings.line, rules
    )
    entries = rules.entries[hand_numbers(seats.cards, card_tables())]
    set_codes = setting_codes(seats.low, seats.high, card_tables())
    events = settle_seats(round_of, entries.astype(np.uint16), set_codes, dealer, rules)
    if rules.foul_is_reset:
        is_reset = events.reset_code != NOT_RECORDED_CODE
        _refuse_no_step(np.where(is_reset, steps_of(entries), 0), seats.cards)
    main = settle_main_bets(events.event, seats.main_minor, rules.main, rules.places)
    lines = (entries >> LINE_SHIFT).astype(np.uint8)
    dealer_break_bonus, break_bonus = _settle_bonuses(seats, lines, dealer, rules, ruleset)
    seat_net_minor = main.net_minor + dealer_break_bonus.net_minor + break_bonus.net_minor
    return BatchAudit(
        ruleset=ruleset,
        steps=distinct_steps(ruleset.house_way),
        settings=settings,
        dealer=dealer,
        seats=events,
        main=main,
        dealer_break_bonus=dealer_break_bonus,
        break_bonus=break_bonus,
        seat_net_minor=seat_net_minor,
        house_net_minor=house_nets(round_of, seat_net_minor, len(batch)),
    )


def _settle_bonuses(
    seats: SeatHands,
    lines: NDArray[np.uint8],
    dealer: DealerSettlements,
    rules: RulesTables,
    ruleset: Ruleset,
) -> tuple[Bets, Bets]:
    """Settle the Dealer Break Bonus and the Break Bonus of all seats, then the caps. BP-7, 8.3."""
    places = rules.places
    is_void = dealer.is_void[seats.round_of]
    dealer_lines = dealer_break_bonus_lines(seats.round_of, lines, dealer.can_break, places)
    dealer_bonus = settle_side_bets(
        dealer_lines, seats.dealer_break_bonus_minor, is_void, rules.dealer_break_bonus, places
    )
    bonus = settle_side_bets(lines, seats.break_bonus_minor, is_void, rules.break_bonus, places)
    if not ruleset.caps.are_set:
        return dealer_bonus, bonus
    nets = with_caps(seats.round_of, (dealer_bonus.net_minor, bonus.net_minor), ruleset.caps)
    return (
        dealer_bonus._replace(net_minor=nets.dealer_break_bonus),
        bonus._replace(net_minor=nets.break_bonus),
    )


def _refuse_no_step(steps: NDArray[np.uint8], cards: NDArray[np.uint8]) -> None:
    wrong = steps == NO_STEP
    if wrong.any():
        row = int(wrong.argmax())
        message = f"no step of the house way allows the cards {cards[row].tolist()}"
        raise InvariantViolation(message)
