"""Misdeals: a deal that could not be played, recorded with its reason (BP-8.1)."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from tables.floor.selectors.tables import get_table_for
from tables.permissions import Command
from tables.rounds.models import Misdeal
from tables.rounds.selectors import list_misdeals
from tables.rounds.services.misdeals import record_misdeal
from tables.web.access import command_required, user_of
from tables.web.commands import command_page, leads_to
from tables.web.form_fields import CHOOSE, ChosenField, LocalTimeField, WholeField
from tables.web.forms import GroundsForm
from tables.web.paging import list_page
from tables.web.rendering import page


class MisdealForm(GroundsForm):
    """What was wrong with a deal."""

    field_order = ("kind", "seats_in_play", "stub_counted", "occurred_at", "reason", "authority")
    kind = ChosenField(label=_("What was wrong"), choices=[CHOOSE, *Misdeal.Kind.choices])
    seats_in_play = WholeField(label=_("Seats in play"))
    stub_counted = WholeField(
        label=_("Cards left in the stub"),
        help_text=_("Blank when they were not counted."),
        required=False,
    )
    occurred_at = LocalTimeField(label=_("When"))


@require_safe
@command_required(Command.MISDEAL_READ, parameters=["cursor"])
def misdeals(request: HttpRequest) -> HttpResponse:
    """Misdeals of the property, the latest recorded first."""
    found = list_page(request, list_misdeals(user=user_of(request)))
    return page(request, "tables/misdeals.html", {"page": found})


@require_http_methods(["GET", "HEAD", "POST"])
@command_required(Command.MISDEAL_RECORD)
def misdeal(request: HttpRequest, table: str) -> HttpResponse:
    """Record a misdeal at a table."""
    get_table_for(user=user_of(request), code=table)
    form = partial(MisdealForm, initial={"occurred_at": timezone.now()})
    show, done = "tables/misdeal.html", leads_to("misdeals")
    return command_page(request, form, record_misdeal, show=show, done=done, table=table)
