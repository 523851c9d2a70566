"""Rounds that were recorded: the list, one round, and voiding it."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from games.engine.wagers import Wager
from tables.errors import DomainError, NotFoundError
from tables.floor.selectors.tables import list_tables
from tables.permissions import Command, may
from tables.rounds.models import Round, RoundVoid
from tables.rounds.pages.round_filters import read_filters
from tables.rounds.replay import round_content
from tables.rounds.selectors import get_round_for, list_rounds
from tables.rounds.services.voids import void_round
from tables.rounds.settled import SettlementOut
from tables.rounds.shapes import shown_settlement
from tables.submissions import CLIENT_ID
from tables.web.access import command_required, user_of
from tables.web.authority import authority_fields, missing_faults
from tables.web.fields import Fault, fault_of, problems_of
from tables.web.paging import Page, list_page
from tables.web.rendering import casino_of, page, see_other


@require_safe
@command_required(Command.ROUND_READ)
def rounds(request: HttpRequest) -> HttpResponse:
    """Rounds of the property, the latest recorded first, narrowed by the filters."""
    user = user_of(request)
    codes = [table.code for table in list_tables(user=user)]
    filters = read_filters(request.GET, casino=casino_of(request), table_codes=codes)
    found: Page[Round] = Page(())
    status = 400 if filters.problems else 200
    problems = filters.problems
    if not problems:
        try:
            found = list_page(request, list_rounds(user=user, narrowed_to=filters.narrowed_to))
        except NotFoundError as error:
            status, problems = error.status, problems_of([fault_of(error)], ())
    context = {
        "filters": filters,
        "problems": problems,
        "page": found,
    }
    return page(request, "tables/rounds.html", context, status=status)


@require_safe
@command_required(Command.ROUND_READ)
def round_detail(request: HttpRequest, table: str, sequence: int) -> HttpResponse:
    """One round: the settlement seat by seat, and the house way beside what the dealer set."""
    played = get_round_for(user=user_of(request), table_code=table, sequence=sequence)
    return _round_page(request, played, ())


@require_POST
@command_required(Command.ROUND_VOID)
def round_void(request: HttpRequest, table: str, sequence: int) -> HttpResponse:
    """Void a round, with reason and authority."""
    user, post = user_of(request), request.POST
    played = get_round_for(user=user, table_code=table, sequence=sequence)
    body = {name: post.get(name, "") for name in ("id", "reason_code", "reason", "authority")}
    faults = missing_faults(body)
    if faults:
        return _round_page(request, played, faults, status=400)
    try:
        recorded = void_round.send(
            actor=user, table=table, sequence=sequence, data=body, at=timezone.now()
        )
    except DomainError as error:
        return _round_page(request, played, (fault_of(error),), status=error.status)
    note = "replayed" if recorded.is_replay else "voided"
    return see_other("round", table, sequence, note=note)


def _round_page(
    request: HttpRequest, played: Round, faults: Sequence[Fault], *, status: int = 200
) -> HttpResponse:
    user = user_of(request)
    fields = authority_fields(
        request.POST,
        user=user,
        faults=faults,
        first=("reason_code", "Reason", tuple(RoundVoid.Reason.choices)),
    )
    sent_id = request.POST.get("id", "")
    context: dict[str, Any] = {
        "round": played,
        "void": getattr(played, "void", None),
        **settled_context(shown_settlement(played), round_content(played)),
        "can_enter": may(user, Command.ROUND_RECORD),
        "can_void": may(user, Command.ROUND_VOID),
        "void_id": sent_id if CLIENT_ID.fullmatch(sent_id) else str(uuid.uuid4()),
        "fields": fields,
        "problems": problems_of(faults, fields),
    }
    return page(request, "tables/round.html", context, status=status)


def settled_context(settlement: Mapping[str, Any], hands: Mapping[str, Any]) -> dict[str, Any]:
    """A settlement, as `settlement_as_dict` writes it, beside the hands that it settles."""
    settled = SettlementOut.model_validate(settlement)
    return {
        "settlement": settled,
        "dealer_hand": hands["dealer"],
        "seats": list(zip(settled.seats, hands["seats"], strict=True)),
        "wagers": list(Wager),
    }
