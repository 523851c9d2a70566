"""Noting something on a round."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from tables.permissions import Command
from tables.rounds.selectors import get_round_for
from tables.rounds.services.notes import note_on_round
from tables.shapes import NOTE_LENGTH_MAX, REASON_LENGTH_MAX
from tables.web.access import command_required, user_of
from tables.web.commands import command_page, leads_to
from tables.web.form_fields import LongField
from tables.web.forms import CommandForm


class NoteForm(CommandForm):
    """What there is to say, and why it is said."""

    text = LongField(label=_("Note"), length_max=NOTE_LENGTH_MAX)
    reason = LongField(label=_("Why it is noted"), length_max=REASON_LENGTH_MAX)


@require_http_methods(["GET", "HEAD", "POST"])
@command_required(Command.ROUND_NOTE)
def round_note(request: HttpRequest, table: str, sequence: int) -> HttpResponse:
    """Note something on a round."""
    get_round_for(user=user_of(request), table_code=table, sequence=sequence)
    show, done = "tables/note.html", leads_to("round", table, sequence, note="noted")
    address = {"table": table, "sequence": sequence}
    return command_page(request, NoteForm, note_on_round, show=show, done=done, **address)
