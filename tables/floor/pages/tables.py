"""The tables of the floor: which deal, who deals, opening and closing."""

from functools import partial
from typing import Any, Final, cast

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tables.floor.selectors.tables import get_table_for, list_dealers, list_tables
from tables.floor.services.tables import assign_dealer, close_table, open_table
from tables.permissions import Command, may
from tables.property.models import User
from tables.recording import Recorded
from tables.web.access import command_required, user_of
from tables.web.commands import command_page, form_page, leads_to, posted
from tables.web.form_fields import CHOOSE, ChosenField, LocalTimeField
from tables.web.forms import CommandForm

# No badge: badges are written in capitals.
_NOBODY: Final = "nobody"


@require_safe
@command_required(Command.FLOOR_READ, parameters=[])
def tables(request: HttpRequest) -> HttpResponse:
    """The tables of the property; choosing one leads to entry."""
    return _tables_page(request, CommandForm(posted(request), user=user_of(request)))


@require_POST
@command_required(Command.TABLE_OPEN)
def table_open(request: HttpRequest, table: str) -> HttpResponse:
    """Open a table from now on."""
    done, show = leads_to("tables", note="opened"), partial(_tables_page, request)
    return command_page(request, CommandForm, open_table, show=show, done=done, table=table)


@require_POST
@command_required(Command.TABLE_CLOSE)
def table_close(request: HttpRequest, table: str) -> HttpResponse:
    """Close a table from now on."""
    done, show = leads_to("tables", note="closed"), partial(_tables_page, request)
    return command_page(request, CommandForm, close_table, show=show, done=done, table=table)


class DealerForm(CommandForm):
    """Who deals, from now or from an earlier time."""

    focus = "dealer"
    dealer = ChosenField(
        label=_("Dealer"), error_messages={"required": _("expected a dealer, or nobody")}
    )
    starts_at = LocalTimeField(label=_("Deals from"), help_text=_("Blank is now."), required=False)

    def __init__(self, data: Any = None, *, user: User) -> None:
        super().__init__(data, user=user)
        dealers = [
            (dealer.badge, str(dealer)) for dealer in list_dealers(user=user).filter(is_active=True)
        ]
        choices = [CHOOSE, *dealers, (_NOBODY, _("Nobody"))]
        cast("ChosenField", self.fields["dealer"]).choices = choices

    def request_data(self) -> dict[str, Any]:
        """Nobody is no dealer."""
        data = super().request_data()
        return {name: value for name, value in data.items() if value != _NOBODY}


@require_http_methods(["GET", "HEAD", "POST"])
@command_required(Command.DEALER_ASSIGN)
def table_dealer(request: HttpRequest, table: str) -> HttpResponse:
    """Say who deals at a table, from now or from an earlier time."""
    at_table = get_table_for(user=user_of(request), code=table)

    def show(form: DealerForm) -> HttpResponse:
        return form_page(request, "tables/table_dealer.html", form, table=at_table)

    def done(recorded: Recorded[Any]) -> HttpResponse:
        return leads_to("tables", note="assigned" if recorded.record else "unassigned")(recorded)

    return command_page(request, DealerForm, assign_dealer, show=show, done=done, table=table)


def _tables_page(request: HttpRequest, form: CommandForm) -> HttpResponse:
    user = user_of(request)
    return form_page(
        request,
        "tables/tables.html",
        form,
        tables=list_tables(user=user),
        can_enter=may(user, Command.ROUND_RECORD),
        can_assign=may(user, Command.DEALER_ASSIGN),
        can_open=may(user, Command.TABLE_OPEN),
        can_close=may(user, Command.TABLE_CLOSE),
    )
