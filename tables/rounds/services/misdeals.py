"""Recording a deal that could not be played: all bets return, the deck is set aside (BP-8.1)."""

from games.engine.dealing import DealingCustom, expected_stub
from tables.errors import TableClosedError
from tables.floor.selectors.shifts import find_assignment_at, find_session_at
from tables.floor.services.gaming_days import ensure_shift_at
from tables.gaming_day import hour_of
from tables.locks import lock_table
from tables.permissions import Command
from tables.property.selectors import get_authority_for
from tables.recording import Act, Done, by_key, key_of, recorded_as
from tables.rounds.models import Misdeal
from tables.rounds.shapes import MisdealRequest


@recorded_as(
    Command.MISDEAL_RECORD,
    MisdealRequest,
    keep=key_of,
    find=by_key(Misdeal, "table", "dealer", "authority", "recorded_by"),
)
def record_misdeal(act: Act[MisdealRequest]) -> Done[Misdeal]:
    """Record a deal that could not be played: bets return, the deck is set aside.

    Raises AuthorityError, NotFoundError for a table of another property, TableClosedError.
    """
    asked = act.request
    authority = get_authority_for(user=act.actor, username=asked.authority, table_code=asked.table)
    table = lock_table(user=act.actor, code=asked.table)
    if find_session_at(table=table, at=asked.occurred_at) is None:
        raise TableClosedError.at(table.code, asked.occurred_at)
    assignment = find_assignment_at(table=table, at=asked.occurred_at)
    shift = ensure_shift_at(property=table.property, at=asked.occurred_at)
    custom = DealingCustom(table.property.dealing_custom)
    misdeal = Misdeal.objects.create(
        misdeal_id=asked.id,
        table=table,
        dealer=assignment.dealer if assignment else None,
        shift=shift,
        gaming_day=shift.gaming_day.date,
        hour=hour_of(asked.occurred_at, zone=table.property.tzinfo),
        occurred_at=asked.occurred_at,
        recorded_at=act.at,
        kind=asked.kind,
        seats_in_play=asked.seats_in_play,
        stub_expected=expected_stub(asked.seats_in_play, custom),
        stub_counted=asked.stub_counted,
        reason=asked.reason,
        authority=authority,
        recorded_by=act.actor,
    )
    return Done(misdeal, f"misdeal {asked.id} at {table}", asked.canonical())
