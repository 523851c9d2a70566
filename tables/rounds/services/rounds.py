"""Recording and previewing rounds: each service is one transaction."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import IntegrityError, transaction

from games.engine.errors import EngineError
from games.engine.notation import CardEntry, format_cards
from games.engine.outcomes import Event
from games.engine.rulesets import get_ruleset
from games.engine.settlement import (
    BetSettlement,
    RoundEntry,
    RoundSettlement,
    SeatSettlement,
    parse_round,
    round_faults,
    settle,
    settlement_as_dict,
)
from games.engine.wagers import Wager, WagerLimits
from tables.errors import RoundFaultsError, TableClosedError
from tables.floor.models import Table
from tables.floor.selectors.standing import get_standing
from tables.floor.services.gaming_days import make_shift_at
from tables.gaming_day import hour_of
from tables.insertion import insert
from tables.locks import lock_table, take_next_sequence
from tables.outbox import mark_dirty
from tables.permissions import Command, property_of
from tables.property.models import User
from tables.rounds.models import Bet, Round, SeatHand
from tables.rounds.replay import refuse_difference, round_content, submitted_content
from tables.rounds.selectors import find_round_by_client_id, get_round
from tables.submissions import (
    read_client_id,
    read_text,
    read_time,
    read_whole_number,
    require_object,
)
from tables.trail.services import log_command

_ROUND_KEYS: Final = frozenset({"id", "table", "occurred_at", "dealer", "seats"})


@dataclass(frozen=True, slots=True)
class Submission:
    """A round as a client sent it, read and checked; nothing of it is stored yet."""

    round_id: str
    table_code: str
    occurred_at: dt.datetime
    entry: RoundEntry


@dataclass(frozen=True, slots=True)
class RecordedRound:
    """The stored round, and whether this answer repeats the first one."""

    round: Round
    is_replay: bool


def read_submission(*, actor: User, body: object, now: dt.datetime) -> Submission:
    """Check a request body at the edge. Raises FieldError or RoundFaultsError."""
    fields = require_object(body, required=_ROUND_KEYS)
    return Submission(
        round_id=read_client_id(fields["id"]),
        table_code=read_text(fields["table"], place="table", length_max=16),
        occurred_at=read_time(fields["occurred_at"], place="occurred_at", now=now),
        entry=_read_hands(actor, {"dealer": fields["dealer"], "seats": fields["seats"]}),
    )


def _read_hands(actor: User, hands: Mapping[str, Any]) -> RoundEntry:
    card_entry = CardEntry(property_of(actor).card_entry)
    try:
        return parse_round(hands, card_entry=card_entry)
    except EngineError as error:
        raise RoundFaultsError(round_faults(hands, card_entry=card_entry)) from error


def preview_round(*, actor: User, body: object, at: dt.datetime) -> RoundSettlement:
    """Settle a round as `record_round` would, without storing anything."""
    submission = read_submission(actor=actor, body=body, now=at)
    with transaction.atomic():
        table = lock_table(user=actor, code=submission.table_code)
        return _settle_at(table, submission.entry)


def record_round(*, actor: User, body: object, at: dt.datetime) -> RecordedRound:
    """Settle and store a round, once: the same id with the same content repeats the first answer.

    `body` is the request as decoded from JSON. Raises FieldError and RoundFaultsError for bad
    input, NotFoundError for a table of another property, TableClosedError when the table was not
    open at `occurred_at`, and IdempotencyConflictError naming the first field that differs when
    the id was used for another round.
    """
    submission = read_submission(actor=actor, body=body, now=at)
    try:
        return _record(actor, submission, at)
    except IntegrityError:
        # The same operator sent the same id to two tables at once: the table's lock does not
        # order them, the unique id does. The first one is committed now, so answer from it.
        first = find_round_by_client_id(entered_by=actor, round_id=submission.round_id)
        if first is None:
            raise
        return _replay(first, submission)


@transaction.atomic(durable=True)
def _record(actor: User, submission: Submission, at: dt.datetime) -> RecordedRound:
    table = take_next_sequence(user=actor, code=submission.table_code)
    occurred_at = submission.occurred_at
    standing = get_standing(table=table, at=occurred_at, actor=actor, round_id=submission.round_id)
    if standing.known_round is not None:
        replay = _replay(get_round(pk=standing.known_round), submission)
        # Nothing is stored, and the number that was taken with the lock goes back.
        transaction.set_rollback(True)
        return replay
    if not standing.is_open:
        raise TableClosedError(
            f"expected a time at which table {table.code} was open, got {occurred_at.isoformat()}",
            table=table.code,
            place="occurred_at",
        )
    settlement = _settle_at(table, submission.entry)
    shift = standing.shift or make_shift_at(table.property, occurred_at)
    dealer = settlement.dealer
    required = dealer.required
    entry = submission.entry
    played = Round(
        round_id=submission.round_id,
        table=table,
        sequence=table.last_sequence,
        dealer=standing.dealer,
        shift=shift,
        gaming_day=standing.gaming_day or shift.gaming_day.date,
        hour=hour_of(occurred_at, zone=table.property.tzinfo),
        occurred_at=occurred_at,
        recorded_at=at,
        entered_by=actor,
        ruleset_id=settlement.ruleset_id,
        card_entry=table.property.card_entry,
        dealer_cards=format_cards(entry.dealer.cards),
        dealer_low=format_cards(entry.dealer.low) if entry.dealer.low else "",
        dealer_high=format_cards(entry.dealer.high) if entry.dealer.high else "",
        house_way_step=dealer.step,
        house_way_rule=dealer.rule,
        required_low=format_cards(required.low_cards),
        required_high=format_cards(required.high_cards),
        compliance=dealer.compliance.value,
        house_net_minor=settlement.house_net_minor,
        settlement=settlement_as_dict(settlement),
    )
    insert([played])
    _store_seats(played, entry, settlement)
    mark_dirty(played)
    log_command(
        actor=actor,
        command=Command.ROUND_RECORD,
        subject=f"round {played}",
        at=at,
        detail={"id": played.round_id, "house_net_minor": played.house_net_minor},
    )
    return RecordedRound(round=played, is_replay=False)


def _store_seats(played: Round, entry: RoundEntry, settlement: RoundSettlement) -> None:
    hands = [
        SeatHand(
            round=played,
            seat=given.seat,
            cards=format_cards(given.cards),
            low=format_cards(given.low),
            high=format_cards(given.high),
            event=seat.event.value,
            is_foul=seat.foul,
            net_minor=seat.net_minor,
        )
        for given, seat in zip(entry.seats, settlement.seats, strict=True)
    ]
    insert(hands)
    bets = [
        Bet(
            seat_hand=hand,
            wager=bet.wager.value,
            amount_minor=bet.amount_minor,
            outcome=bet.outcome.value,
            line=_line_of(seat, bet),
            net_minor=bet.net_minor,
            limit_breach=bet.limit_breach.value if bet.limit_breach else "",
        )
        for hand, seat in zip(hands, settlement.seats, strict=True)
        for bet in seat.bets
    ]
    insert(bets)


def _line_of(seat: SeatSettlement, bet: BetSettlement) -> str:
    """What the bet was paid on; a bet that returned in a void round was paid on nothing."""
    line = seat.event if bet.wager is Wager.MAIN else bet.line or Event.VOID
    return line.value


def _settle_at(table: Table, entry: RoundEntry) -> RoundSettlement:
    """Settle under the rules and the limits in force at a table."""
    for index, seat in enumerate(entry.seats):
        read_whole_number(seat.seat, place=f"seats[{index}].seat", least=1, most=table.seat_count)
    return settle(entry, get_ruleset(table.property.ruleset_id), limits=limits_of(table))


def limits_of(table: Table) -> Mapping[Wager, WagerLimits]:
    """The limits shown at a table, for each wager, in minor units."""
    side_bet = WagerLimits(
        minimum_minor=table.side_bet_minor_min, maximum_minor=table.side_bet_minor_max
    )
    main = WagerLimits(minimum_minor=table.main_minor_min, maximum_minor=table.main_minor_max)
    return {wager: main if wager is Wager.MAIN else side_bet for wager in Wager}


def _replay(first: Round, submission: Submission) -> RecordedRound:
    """The first answer again. Raises IdempotencyConflictError when the content differs."""
    refuse_difference(
        f"round id {submission.round_id!r} is already round {first}",
        recorded=round_content(first),
        given=submitted_content(
            table_code=submission.table_code,
            occurred_at=submission.occurred_at,
            entry=submission.entry,
        ),
    )
    return RecordedRound(round=first, is_replay=True)
