"""Entering a round: fill in, preview, record. Recording leads on to the round's own page."""

import datetime as dt
import uuid
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games.engine.settlement import round_as_dict, settlement_as_dict
from tables.errors import DomainError, FieldError, IdempotencyConflictError
from tables.floor.models import Table
from tables.floor.pages.table_view import table_view_of
from tables.floor.selectors.shifts import find_assignment_at
from tables.floor.selectors.tables import get_table_for
from tables.permissions import Command, may
from tables.property.models import User
from tables.rounds.models import Round
from tables.rounds.pages.entry_form import EntryForm, Reading
from tables.rounds.pages.entry_view import entry_view_of
from tables.rounds.pages.rounds import settled_context
from tables.rounds.selectors import RoundFilter, list_rounds
from tables.rounds.services.rounds import preview_round, record_round
from tables.rounds.shapes import RoundRequest
from tables.submissions import CLIENT_ID
from tables.web.access import command_required, user_of
from tables.web.fields import Fault
from tables.web.rendering import page, see_other

LAST_ROUNDS_SHOWN = 5
_RECORD = "record"
# After an id conflict: keep what was typed, as a round of its own.
_RENEW = "renew"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a round was not taken: everything at once, and the HTTP status that says so."""

    faults: tuple[Fault, ...]
    status: int
    earlier: Round | None = None


@require_http_methods(["GET", "HEAD", "POST"])
@command_required(Command.ROUND_RECORD)
def round_entry(request: HttpRequest, table: str) -> HttpResponse:
    """The form of a round at a table; POST previews it, or records it with `action=record`."""
    now = timezone.now()
    at_table = get_table_for(user=user_of(request), code=table)
    if request.method != "POST":
        return _blank_page(request, at_table, now)
    form = EntryForm.read(at_table, request.POST)
    action = request.POST.get("action")
    if action == _RECORD:
        return _record(request, form, now)
    if action == _RENEW:
        form = replace(form, round_id=str(uuid.uuid4()))
    return _preview(request, form, now)


def _blank_page(request: HttpRequest, table: Table, now: dt.datetime) -> HttpResponse:
    is_late = "late" in request.GET
    if not table_view_of(table).is_open and not is_late:
        return page(
            request,
            "tables/table_closed.html",
            {
                "table": table_view_of(table),
                "can_open": may(user_of(request), Command.TABLE_OPEN),
            },
        )
    form = EntryForm.blank(table, round_id=str(uuid.uuid4()), at=None if is_late else now)
    return _form_page(request, form, focus="occurred_at" if is_late else "dealer_cards")


def _record(request: HttpRequest, form: EntryForm, now: dt.datetime) -> HttpResponse:
    actor, reading = user_of(request), form.reading(now=now)
    if reading.faults:
        return _refused_page(request, form, _refusal(actor, form, reading, None, now))
    try:
        recorded = record_round.send(actor=actor, data=reading.body, at=now)
    except DomainError as error:
        return _refused_page(request, form, _refusal(actor, form, reading, error, now))
    note = "replayed" if recorded.is_replay else "recorded"
    return see_other("round", form.table.code, recorded.record.sequence, note=note)


def _preview(request: HttpRequest, form: EntryForm, now: dt.datetime) -> HttpResponse:
    actor, reading = user_of(request), form.reading(now=now)
    if reading.faults:
        return _refused_page(request, form, _refusal(actor, form, reading, None, now))
    try:
        asked = RoundRequest.read(reading.body, actor=actor, now=now)
        settlement = preview_round(actor=actor, request=asked)
    except DomainError as error:
        return _refused_page(request, form, _refusal(actor, form, reading, error, now))
    preview = {
        **settled_context(settlement_as_dict(settlement), round_as_dict(asked.entry)),
        "has_dealer": find_assignment_at(table=form.table, at=asked.occurred_at),
    }
    return _form_page(request, form, focus="", preview=preview)


def _refusal(
    actor: User, form: EntryForm, reading: Reading, error: DomainError | None, now: dt.datetime
) -> Refusal:
    """Everything that is wrong with a form, whatever was found first."""
    found = [*reading.faults, *(form.faults_of(error) if error is not None else ())]
    if error is None or isinstance(error, FieldError):
        # The hands have not been looked at yet: settle them, dated now, for what that finds.
        body = {**reading.body, "id": "check", "occurred_at": now.isoformat()}
        try:
            preview_round(actor=actor, request=RoundRequest.read(body, actor=actor, now=now))
        except DomainError as further:
            found += form.faults_of(further)
    earlier = None
    if isinstance(error, IdempotencyConflictError) and isinstance(error.earlier, Round):
        earlier = error.earlier
    status = 400 if error is None else error.status
    return Refusal(tuple(found), status=status, earlier=earlier)


def _refused_page(request: HttpRequest, form: EntryForm, refusal: Refusal) -> HttpResponse:
    if not CLIENT_ID.fullmatch(form.round_id):
        # Refused once, so that nothing was stored; what is sent next has an id again.
        form = replace(form, round_id=str(uuid.uuid4()))
    return _form_page(request, form, focus="", refusal=refusal)


def _form_page(
    request: HttpRequest,
    form: EntryForm,
    *,
    focus: str,
    preview: dict[str, Any] | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    user = user_of(request)
    rounds = list_rounds(user=user, narrowed_to=RoundFilter(table=form.table.code))
    context = {
        "table": table_view_of(form.table),
        "entry": entry_view_of(form, refusal.faults if refusal else (), focus=focus),
        "preview": preview,
        **(preview or {}),
        "refusal": refusal,
        "last_rounds": list(rounds[:LAST_ROUNDS_SHOWN]),
        "can_record_misdeal": may(user, Command.MISDEAL_RECORD),
        "can_assign": may(user, Command.DEALER_ASSIGN),
    }
    return page(request, "tables/entry.html", context, status=refusal.status if refusal else 200)
