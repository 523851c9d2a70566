"""Recording a deal that could not be played: all bets return, the deck is set aside (BP-8.1)."""

import datetime as dt
from dataclasses import dataclass
from typing import Any, Final

from django.db import IntegrityError, transaction

from games.engine.dealing import DealingCustom, expected_stub
from tables.errors import TableClosedError
from tables.floor.selectors.shifts import find_assignment_at, find_session_at
from tables.floor.services.gaming_days import ensure_shift_at
from tables.gaming_day import hour_of
from tables.locks import lock_table
from tables.permissions import Command
from tables.property.models import User
from tables.property.selectors import get_authority_for
from tables.rounds.models import Misdeal
from tables.rounds.replay import refuse_difference
from tables.rounds.selectors import find_misdeal_by_client_id
from tables.submissions import (
    REASON_LENGTH_MAX,
    read_choice,
    read_client_id,
    read_text,
    read_time,
    read_whole_number,
    require_object,
)
from tables.trail.services import log_command

_REQUIRED: Final = frozenset(
    {"id", "table", "occurred_at", "kind", "seats_in_play", "reason", "authority"}
)
_OPTIONAL: Final = frozenset({"stub_counted"})


@dataclass(frozen=True, slots=True)
class RecordedMisdeal:
    """The stored misdeal, and whether this answer repeats the first one."""

    misdeal: Misdeal
    is_replay: bool


@dataclass(frozen=True, slots=True)
class _Report:
    """A misdeal as a client sent it, read and checked."""

    misdeal_id: str
    table_code: str
    occurred_at: dt.datetime
    kind: str
    seats_in_play: int
    stub_counted: int | None
    reason: str
    authority: User

    def as_dict(self) -> dict[str, Any]:
        return {
            "table": self.table_code,
            "occurred_at": self.occurred_at.isoformat(),
            "kind": self.kind,
            "seats_in_play": self.seats_in_play,
            "stub_counted": self.stub_counted,
            "reason": self.reason,
            "authority": self.authority.get_username(),
        }


def record_misdeal(*, actor: User, body: object, at: dt.datetime) -> RecordedMisdeal:
    """Record a misdeal, once. Its deck is out of play from here on.

    Raises FieldError for bad input, AuthorityError, NotFoundError for a table of another
    property, TableClosedError, IdempotencyConflictError.
    """
    report = _read_report(actor=actor, body=body, now=at)
    try:
        return _record(actor, report, at)
    except IntegrityError:
        # The same id came for two tables at once; the unique id let one of them in.
        earlier = find_misdeal_by_client_id(recorded_by=actor, misdeal_id=report.misdeal_id)
        if earlier is None:
            raise
        return _replay(earlier, report)


def _read_report(*, actor: User, body: object, now: dt.datetime) -> _Report:
    fields = require_object(body, required=_REQUIRED, optional=_OPTIONAL)
    stub_counted = fields.get("stub_counted")
    if stub_counted is not None:
        stub_counted = read_whole_number(stub_counted, place="stub_counted", least=0, most=53)
    return _Report(
        misdeal_id=read_client_id(fields["id"]),
        table_code=read_text(fields["table"], place="table", length_max=16),
        occurred_at=read_time(fields["occurred_at"], place="occurred_at", now=now),
        kind=read_choice(fields["kind"], place="kind", choices=tuple(Misdeal.Kind.values)),
        seats_in_play=read_whole_number(
            fields["seats_in_play"], place="seats_in_play", least=1, most=6
        ),
        stub_counted=stub_counted,
        reason=read_text(fields["reason"], place="reason", length_max=REASON_LENGTH_MAX),
        authority=get_authority_for(user=actor, username=fields["authority"]),
    )


@transaction.atomic(durable=True)
def _record(actor: User, report: _Report, at: dt.datetime) -> RecordedMisdeal:
    table = lock_table(user=actor, code=report.table_code)
    earlier = find_misdeal_by_client_id(recorded_by=actor, misdeal_id=report.misdeal_id)
    if earlier is not None:
        return _replay(earlier, report)
    if find_session_at(table=table, at=report.occurred_at) is None:
        raise TableClosedError(
            f"expected a time at which table {table.code} was open, "
            f"got {report.occurred_at.isoformat()}",
            table=table.code,
            place="occurred_at",
        )
    assignment = find_assignment_at(table=table, at=report.occurred_at)
    shift = ensure_shift_at(property=table.property, at=report.occurred_at)
    misdeal = Misdeal(
        misdeal_id=report.misdeal_id,
        table=table,
        dealer=assignment.dealer if assignment else None,
        shift=shift,
        gaming_day=shift.gaming_day.date,
        hour=hour_of(report.occurred_at, zone=table.property.tzinfo),
        occurred_at=report.occurred_at,
        recorded_at=at,
        kind=report.kind,
        seats_in_play=report.seats_in_play,
        stub_expected=expected_stub(
            report.seats_in_play, DealingCustom(table.property.dealing_custom)
        ),
        stub_counted=report.stub_counted,
        reason=report.reason,
        authority=report.authority,
        recorded_by=actor,
    )
    misdeal.save(force_insert=True)
    log_command(
        actor=actor,
        command=Command.MISDEAL_RECORD,
        subject=f"misdeal {report.misdeal_id} at {table}",
        at=at,
        detail=report.as_dict(),
    )
    return RecordedMisdeal(misdeal=misdeal, is_replay=False)


def _replay(earlier: Misdeal, report: _Report) -> RecordedMisdeal:
    first = _Report(
        misdeal_id=earlier.misdeal_id,
        table_code=earlier.table.code,
        occurred_at=earlier.occurred_at,
        kind=earlier.kind,
        seats_in_play=earlier.seats_in_play,
        stub_counted=earlier.stub_counted,
        reason=earlier.reason,
        authority=earlier.authority,
    )
    refuse_difference(
        f"misdeal id {earlier.misdeal_id!r} was used before",
        recorded=first.as_dict(),
        given=report.as_dict(),
    )
    return RecordedMisdeal(misdeal=earlier, is_replay=True)
