"""Recording and previewing rounds."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.notation import format_cards
from games.engine.outcomes import Event
from games.engine.rulesets import get_ruleset
from games.engine.settlement import (
    BetSettlement,
    RoundEntry,
    RoundSettlement,
    SeatSettlement,
    settle,
    settlement_as_dict,
)
from games.engine.wagers import Wager, WagerLimits
from tables.errors import FieldError, TableClosedError
from tables.floor.models import Table
from tables.floor.selectors.standing import Standing, get_standing
from tables.floor.selectors.tables import get_table_for
from tables.floor.services.gaming_days import make_shift_at
from tables.gaming_day import hour_of
from tables.insertion import insert, insert_values
from tables.locks import take_next_sequence
from tables.outbox import dirty_mark
from tables.permissions import Command
from tables.property.models import User
from tables.recording import Act, Done, key_of, recorded_as
from tables.rounds.models import Bet, Round, SeatHand
from tables.rounds.selectors import get_round
from tables.rounds.shapes import RoundRequest


def preview_round(*, actor: User, request: RoundRequest) -> RoundSettlement:
    """Settle a round as `record_round` would, without storing anything and without a lock.

    Raises NotFoundError for a table of another property, FieldError for a seat it does not have.
    """
    return _settle_at(get_table_for(user=actor, code=request.table), request.entry)


@recorded_as(Command.ROUND_RECORD, RoundRequest, keep=key_of, find=get_round)
def record_round(act: Act[RoundRequest]) -> Done[Round]:
    """Settle and store a round, once; the same id and content repeats the first answer.

    Raises NotFoundError for a table of another property, FieldError for a seat it does not have,
    TableClosedError when the table was not open at `occurred_at`.
    """
    occurred_at = act.request.occurred_at
    table = take_next_sequence(user=act.actor, code=act.request.table)
    standing = get_standing(table=table, at=occurred_at)
    if not standing.is_open:
        raise TableClosedError.at(table.code, occurred_at)
    settlement = _settle_at(table, act.request.entry)
    played = _round_of(act, table, standing, settlement)
    insert([played])
    _store_seats(played, act.request.hands["seats"], settlement)
    detail = {"house_net_minor": played.house_net_minor}
    return Done(played, f"round {played}", detail, rows=(dirty_mark(played),))


def _round_of(
    act: Act[RoundRequest], table: Table, standing: Standing, settlement: RoundSettlement
) -> Round:
    occurred_at, dealer = act.request.occurred_at, settlement.dealer
    given = act.request.hands["dealer"]
    required = dealer.required
    shift = standing.shift or make_shift_at(table.property, occurred_at)
    return Round(
        round_id=act.request.id,
        table=table,
        sequence=table.last_sequence,
        dealer=standing.dealer,
        shift=shift,
        gaming_day=standing.gaming_day or shift.gaming_day.date,
        hour=hour_of(occurred_at, zone=table.property.tzinfo),
        occurred_at=occurred_at,
        recorded_at=act.at,
        entered_by=act.actor,
        ruleset_id=settlement.ruleset_id,
        card_entry=table.property.card_entry,
        dealer_cards=given["cards"],
        dealer_low=given["low"] or "",
        dealer_high=given["high"] or "",
        house_way_step=dealer.step,
        house_way_rule=dealer.rule,
        required_low=format_cards(required.low_cards),
        required_high=format_cards(required.high_cards),
        compliance=dealer.compliance.value,
        house_net_minor=settlement.house_net_minor,
        settlement=_without_words(settlement_as_dict(settlement)),
    )


def _without_words(settlement: dict[str, Any]) -> dict[str, Any]:
    """A settlement as it is stored: codes. Its words are made when it is shown."""
    dealer = {key: value for key, value in settlement["dealer"].items() if key != "words"}
    return {**settlement, "dealer": dealer}


def _store_seats(
    played: Round, given: Sequence[Mapping[str, Any]], settlement: RoundSettlement
) -> None:
    hands = [
        {
            "round_id": played.pk,
            "seat": hand["seat"],
            "cards": hand["cards"],
            "low": hand["low"],
            "high": hand["high"],
            "event": seat.event.value,
            "is_foul": seat.foul,
            "net_minor": seat.net_minor,
        }
        for hand, seat in zip(given, settlement.seats, strict=True)
    ]
    bets = [
        {
            "seat_hand_id": key,
            "wager": bet.wager.value,
            "amount_minor": bet.amount_minor,
            "outcome": bet.outcome.value,
            "line": _line_of(seat, bet),
            "net_minor": bet.net_minor,
            "limit_breach": bet.limit_breach.value if bet.limit_breach else "",
        }
        for key, seat in zip(insert_values(SeatHand, hands), settlement.seats, strict=True)
        for bet in seat.bets
    ]
    insert_values(Bet, bets)


def _line_of(seat: SeatSettlement, bet: BetSettlement) -> str:
    """What the bet was paid on; a bet that returned in a void round was paid on nothing."""
    line = seat.event if bet.wager is Wager.MAIN else bet.line or Event.VOID
    return line.value


def _settle_at(table: Table, entry: RoundEntry) -> RoundSettlement:
    """Settle under the rules and the limits in force at a table."""
    for index, seat in enumerate(entry.seats):
        if seat.seat > table.seat_count:
            message = f"expected a whole number from 1 to {table.seat_count}, got {seat.seat!r}"
            raise FieldError(message, place=f"seats[{index}].seat")
    return settle(entry, get_ruleset(table.property.ruleset_id), limits=limits_of(table))


def limits_of(table: Table) -> Mapping[Wager, WagerLimits]:
    """The limits shown at a table, for each wager, in minor units."""
    side_bet = WagerLimits(
        minimum_minor=table.side_bet_minor_min, maximum_minor=table.side_bet_minor_max
    )
    main = WagerLimits(minimum_minor=table.main_minor_min, maximum_minor=table.main_minor_max)
    return {wager: main if wager is Wager.MAIN else side_bet for wager in Wager}
