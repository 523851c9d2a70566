"""Entering a round: fill in, preview, record. Recording leads on to the round's own page."""

import datetime as dt
from functools import partial
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games.engine.settlement import round_as_dict, settlement_as_dict
from tables.floor.models import Table
from tables.floor.selectors.shifts import find_assignment_at
from tables.floor.selectors.tables import get_table_for
from tables.permissions import Command, may
from tables.recording import Recorded
from tables.rounds.models import Round
from tables.rounds.pages.entry_form import RoundForm
from tables.rounds.pages.rounds import settled_context
from tables.rounds.selectors import RoundFilter, list_rounds
from tables.rounds.services.rounds import preview_round, record_round
from tables.rounds.shapes import RoundRequest
from tables.web.access import command_required, user_of
from tables.web.commands import command_page, form_page, leads_to
from tables.web.form_fields import new_client_id
from tables.web.rendering import page

LAST_ROUNDS_SHOWN = 5


@require_http_methods(["GET", "HEAD", "POST"])
@command_required(Command.ROUND_RECORD)
def round_entry(request: HttpRequest, table: str) -> HttpResponse:
    """The form of a round at a table; POST previews it, or records it with `action=record`."""
    at_table = get_table_for(user=user_of(request), code=table)
    if request.method != "POST":
        return _blank_page(request, at_table, timezone.now())
    if request.POST.get("action") != "record":
        return _preview(request, at_table, timezone.now())

    def done(recorded: Recorded[Round]) -> HttpResponse:
        return leads_to("round", table, recorded.record.sequence)(recorded)

    form, show = partial(RoundForm, table=at_table), partial(_form_page, request, at_table)
    return command_page(request, form, record_round, show=show, done=done, table=table)


def _blank_page(request: HttpRequest, table: Table, now: dt.datetime) -> HttpResponse:
    user, is_late = user_of(request), "late" in request.GET
    if not cast("Any", table).open_sessions and not is_late:
        context = {"table": table, "can_open": may(user, Command.TABLE_OPEN)}
        return page(request, "tables/table_closed.html", context)
    form = RoundForm(user=user, table=table, initial={} if is_late else {"occurred_at": now})
    form.focus = "occurred_at" if is_late else "dealer_cards"
    return _form_page(request, table, form)


def _preview(request: HttpRequest, table: Table, now: dt.datetime) -> HttpResponse:
    user, data = user_of(request), request.POST.copy()
    if data.get("action") == "renew":
        # After an id conflict: what was typed is kept, as a round of its own.
        data["id"] = new_client_id()
    form = RoundForm(data, user=user, table=table)
    asked = form.read(RoundRequest, at=now, table=table.code)
    preview = None
    if asked is not None:
        with form.placing_errors():
            settlement = settlement_as_dict(preview_round(actor=user, request=asked))
            dealer = find_assignment_at(table=table, at=asked.occurred_at)
            hands = round_as_dict(asked.entry)
            preview = {**settled_context(settlement, hands), "has_dealer": dealer}
    return _form_page(request, table, form, preview=preview)


def _form_page(
    request: HttpRequest, table: Table, form: RoundForm, *, preview: dict[str, Any] | None = None
) -> HttpResponse:
    user = user_of(request)
    rounds = list_rounds(user=user, narrowed_to=RoundFilter(table=table.code))
    return form_page(
        request,
        "tables/entry.html",
        form,
        table=table,
        earlier=form.earlier if isinstance(form.earlier, Round) else None,
        preview=preview,
        last_rounds=list(rounds[:LAST_ROUNDS_SHOWN]),
        can_record_misdeal=may(user, Command.MISDEAL_RECORD),
        can_assign=may(user, Command.DEALER_ASSIGN),
        **(preview or {}),
    )
