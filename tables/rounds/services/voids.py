"""Voiding a round: never an erasure, always a record of its own (BP-8.4)."""

import datetime as dt
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction

from tables.errors import NotFoundError, RoundVoidedError
from tables.floor.services.gaming_days import ensure_shift_at
from tables.gaming_day import hour_of
from tables.locks import lock_table
from tables.outbox import mark_dirty
from tables.permissions import Command
from tables.property.models import User
from tables.property.selectors import get_authority_for
from tables.rounds.models import Round, RoundVoid
from tables.rounds.replay import refuse_difference
from tables.rounds.selectors import find_void_by_client_id
from tables.submissions import (
    REASON_LENGTH_MAX,
    read_choice,
    read_client_id,
    read_text,
    require_object,
)
from tables.trail.services import log_command

_VOID_KEYS: Final = frozenset({"id", "reason_code", "reason", "authority"})


@dataclass(frozen=True, slots=True)
class RecordedVoid:
    """The stored void, and whether this answer repeats the first one."""

    void: RoundVoid
    is_replay: bool


@dataclass(frozen=True, slots=True)
class _Grounds:
    """Why a round is voided and on whose authority."""

    reason_code: str
    reason: str
    authority: User

    def as_dict(self, played: Round) -> dict[str, Any]:
        return {
            "round": str(played),
            "reason_code": self.reason_code,
            "reason": self.reason,
            "authority": self.authority.get_username(),
        }


def void_round(
    *, actor: User, table_code: str, sequence: int, body: object, at: dt.datetime
) -> RecordedVoid:
    """Void a round, with reason and authority, in the bucket of the void's own time.

    `body` is the request as decoded from JSON. Raises FieldError for bad input, AuthorityError
    when the person named may not authorise it, NotFoundError when there is no such round,
    RoundVoidedError when it was voided before, IdempotencyConflictError when the id was used for
    another void.
    """
    fields = require_object(body, required=_VOID_KEYS)
    void_id = read_client_id(fields["id"])
    grounds = _Grounds(
        reason_code=read_choice(
            fields["reason_code"], place="reason_code", choices=tuple(RoundVoid.Reason.values)
        ),
        reason=read_text(fields["reason"], place="reason", length_max=REASON_LENGTH_MAX),
        authority=get_authority_for(user=actor, username=fields["authority"]),
    )
    with transaction.atomic(durable=True):
        # The table's lock orders this with every other void of the same round.
        table = lock_table(user=actor, code=table_code)
        played = Round.objects.filter(table=table, sequence=sequence).first()
        if played is None:
            raise NotFoundError(f"expected a round of table {table_code}, got {sequence}")
        earlier = find_void_by_client_id(voided_by=actor, void_id=void_id)
        if earlier is not None:
            return _replay(earlier, played, grounds)
        _refuse_voided(played)
        shift = ensure_shift_at(property=table.property, at=at)
        void = RoundVoid(
            void_id=void_id,
            round=played,
            table=table,
            dealer_id=played.dealer_id,
            shift=shift,
            gaming_day=shift.gaming_day.date,
            hour=hour_of(at, zone=table.property.tzinfo),
            occurred_at=at,
            recorded_at=at,
            reason_code=grounds.reason_code,
            reason=grounds.reason,
            authority=grounds.authority,
            voided_by=actor,
        )
        void.save(force_insert=True)
        mark_dirty(void)
        log_command(
            actor=actor,
            command=Command.ROUND_VOID,
            subject=f"round {played}",
            at=at,
            detail={"id": void_id, **grounds.as_dict(played)},
        )
        return RecordedVoid(void=void, is_replay=False)


def _refuse_voided(played: Round) -> None:
    earlier = RoundVoid.objects.filter(round=played).select_related("voided_by").first()
    if earlier is not None:
        raise RoundVoidedError(
            f"round {played} was voided by {earlier.voided_by} "
            f"at {earlier.recorded_at.isoformat()}",
            void={"id": earlier.void_id, "recorded_at": earlier.recorded_at.isoformat()},
        )


def _replay(earlier: RoundVoid, played: Round, grounds: _Grounds) -> RecordedVoid:
    """The first answer again. Raises IdempotencyConflictError when the content differs."""
    first = _Grounds(
        reason_code=earlier.reason_code, reason=earlier.reason, authority=earlier.authority
    )
    refuse_difference(
        f"void id {earlier.void_id!r} was used before",
        recorded=first.as_dict(earlier.round),
        given=grounds.as_dict(played),
    )
    return RecordedVoid(void=earlier, is_replay=True)
