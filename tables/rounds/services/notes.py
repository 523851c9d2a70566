"""Noting something on a round."""

from tables.permissions import Command
from tables.recording import Act, Done, by_key, key_of, recorded_as
from tables.rounds.models import RoundNote
from tables.rounds.selectors import get_round_for
from tables.rounds.shapes import NoteRequest


@recorded_as(
    Command.ROUND_NOTE, NoteRequest, keep=key_of, find=by_key(RoundNote, "round__table", "noted_by")
)
def note_on_round(act: Act[NoteRequest]) -> Done[RoundNote]:
    """Note something on a round, and why; the round stays as it is.

    Raises NotFoundError when there is no such round.
    """
    asked = act.request
    note = RoundNote.objects.create(
        note_id=asked.id,
        round=get_round_for(user=act.actor, table_code=asked.table, sequence=asked.sequence),
        text=asked.text,
        reason=asked.reason,
        noted_by=act.actor,
        recorded_at=act.at,
    )
    return Done(note, f"round {note.round}", asked.canonical())
