"""Rounds that were recorded: the list, one round, and voiding it."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from games.engine.wagers import Wager
from tables.permissions import Command, may
from tables.rounds.models import Round, RoundVoid
from tables.rounds.pages.round_filters import RoundFilters
from tables.rounds.reader import round_content
from tables.rounds.selectors import get_round_for
from tables.rounds.services.voids import void_round
from tables.rounds.settled import SettlementOut
from tables.rounds.shapes import shown_settlement
from tables.web.access import command_required, user_of
from tables.web.commands import command_page, form_page, leads_to
from tables.web.form_fields import CHOOSE, ChosenField
from tables.web.forms import GroundsForm


class VoidForm(GroundsForm):
    """Why a round is voided."""

    field_order = ("reason_code", "reason", "authority")
    reason_code = ChosenField(label=_("Reason"), choices=[CHOOSE, *RoundVoid.Reason.choices])


@require_safe
@command_required(Command.ROUND_READ)
def rounds(request: HttpRequest) -> HttpResponse:
    """Rounds of the property, the latest recorded first, narrowed by the filters."""
    filters = RoundFilters(request)
    found = filters.page
    return form_page(request, "tables/rounds.html", filters.form, page=found)


@require_safe
@command_required(Command.ROUND_READ)
def round_detail(request: HttpRequest, table: str, sequence: int) -> HttpResponse:
    """One round: the settlement seat by seat, and the house way beside what the dealer set."""
    played = get_round_for(user=user_of(request), table_code=table, sequence=sequence)
    return _round_page(request, played, VoidForm(user=user_of(request)))


@require_POST
@command_required(Command.ROUND_VOID)
def round_void(request: HttpRequest, table: str, sequence: int) -> HttpResponse:
    """Void a round, with reason and authority."""
    played = get_round_for(user=user_of(request), table_code=table, sequence=sequence)
    return command_page(
        request,
        VoidForm,
        void_round,
        show=partial(_round_page, request, played),
        done=leads_to("round", table, sequence, note="voided"),
        table=table,
        sequence=sequence,
    )


def _round_page(request: HttpRequest, played: Round, form: VoidForm) -> HttpResponse:
    user = user_of(request)
    return form_page(
        request,
        "tables/round.html",
        form,
        round=played,
        void=getattr(played, "void", None),
        notes=played.notes.select_related("noted_by").order_by("pk"),
        can_enter=may(user, Command.ROUND_RECORD),
        can_void=may(user, Command.ROUND_VOID),
        **settled_context(shown_settlement(played), round_content(played)),
    )


def settled_context(settlement: Mapping[str, Any], hands: Mapping[str, Any]) -> dict[str, Any]:
    """A settlement, as `settlement_as_dict` writes it, beside the hands that it settles."""
    settled = SettlementOut.model_validate(settlement)
    return {
        "settlement": settled,
        "dealer_hand": hands["dealer"],
        "seats": list(zip(settled.seats, hands["seats"], strict=True)),
        "wagers": list(Wager),
    }
