"""Voiding a round: never an erasure, always a record of its own (BP-8.4)."""

from tables.errors import NotFoundError, RoundVoidedError
from tables.floor.services.gaming_days import ensure_shift_at
from tables.gaming_day import hour_of
from tables.locks import lock_table
from tables.outbox import dirty_mark
from tables.permissions import Command
from tables.property.selectors import get_authority_for
from tables.recording import Act, Done, by_key, key_of, recorded_as
from tables.rounds.models import Round, RoundVoid
from tables.rounds.shapes import VoidRequest


@recorded_as(
    Command.ROUND_VOID,
    VoidRequest,
    keep=key_of,
    find=by_key(RoundVoid, "round", "table", "authority", "voided_by"),
)
def void_round(act: Act[VoidRequest]) -> Done[RoundVoid]:
    """Void a round with reason and authority; a record of its own, the round stays.

    It counts in the bucket of the void's own time. Raises AuthorityError when the person named may
    not authorise it, NotFoundError when there is no such round, RoundVoidedError when it was voided
    before.
    """
    asked, at = act.request, act.at
    authority = get_authority_for(user=act.actor, username=asked.authority, table_code=asked.table)
    # The table's lock orders this with every other void of the same round.
    table = lock_table(user=act.actor, code=asked.table)
    played = Round.objects.filter(table=table, sequence=asked.sequence).first()
    if played is None:
        raise NotFoundError(f"expected a round of table {asked.table}, got {asked.sequence}")
    _refuse_voided(played)
    shift = ensure_shift_at(property=table.property, at=at)
    void = RoundVoid.objects.create(
        void_id=asked.id,
        round=played,
        table=table,
        dealer_id=played.dealer_id,
        shift=shift,
        gaming_day=shift.gaming_day.date,
        hour=hour_of(at, zone=table.property.tzinfo),
        occurred_at=at,
        recorded_at=at,
        reason_code=asked.reason_code,
        reason=asked.reason,
        authority=authority,
        voided_by=act.actor,
    )
    return Done(void, f"round {played}", asked.canonical(), rows=(dirty_mark(void),))


def _refuse_voided(played: Round) -> None:
    earlier = RoundVoid.objects.filter(round=played).select_related("voided_by").first()
    if earlier is not None:
        raise RoundVoidedError(
            f"round {played} was voided by {earlier.voided_by} "
            f"at {earlier.recorded_at.isoformat()}",
            void={"id": earlier.void_id, "recorded_at": earlier.recorded_at.isoformat()},
        )
