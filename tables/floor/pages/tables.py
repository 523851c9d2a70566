"""The tables of the floor: which deal, who deals, opening and closing."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tables.errors import DomainError, FieldError
from tables.floor.pages.table_view import table_view_of
from tables.floor.selectors.tables import get_table_for, list_dealers, list_tables
from tables.floor.services.tables import assign_dealer, close_table, open_table
from tables.permissions import Command, may
from tables.rounds.pages.entry_view import time_field
from tables.web.access import command_required, user_of
from tables.web.fields import Fault, Field, fault_of, focus_of, messages_of, problems_of
from tables.web.local_time import TypedTime
from tables.web.rendering import casino_of, page, see_other

# No badge: badges are written in capitals.
_NOBODY = "nobody"


@require_safe
@command_required(Command.FLOOR_READ)
def tables(request: HttpRequest) -> HttpResponse:
    """The tables of the property; choosing one leads to entry."""
    return _tables_page(request)


@require_POST
@command_required(Command.TABLE_OPEN)
def table_open(request: HttpRequest, table: str) -> HttpResponse:
    """Open a table from now on."""
    try:
        open_table.send(actor=user_of(request), data={}, at=timezone.now(), table=table)
    except DomainError as error:
        return _tables_page(request, error)
    return see_other("tables", note="opened")


@require_POST
@command_required(Command.TABLE_CLOSE)
def table_close(request: HttpRequest, table: str) -> HttpResponse:
    """Close a table from now on."""
    try:
        close_table.send(actor=user_of(request), data={}, at=timezone.now(), table=table)
    except DomainError as error:
        return _tables_page(request, error)
    return see_other("tables", note="closed")


@require_http_methods(["GET", "HEAD", "POST"])
@command_required(Command.DEALER_ASSIGN)
def table_dealer(request: HttpRequest, table: str) -> HttpResponse:
    """Say who deals at a table, from now or from an earlier time."""
    get_table_for(user=user_of(request), code=table)
    if request.method != "POST":
        return _dealer_page(request, table, ())
    badge = request.POST.get("dealer", "")
    typed = TypedTime(request.POST.get("starts_at", ""), request.POST.get("starts_which", ""))
    body: dict[str, str] = {"table": table}
    try:
        if typed.text:
            at = typed.instant(place="starts_at", casino=casino_of(request))
            body["starts_at"] = at.isoformat()
        if not badge:
            raise FieldError("expected a dealer, or nobody", place="dealer")
        if badge != _NOBODY:
            body["dealer"] = badge
        assign_dealer.send(actor=user_of(request), data=body, at=timezone.now())
    except DomainError as error:
        return _dealer_page(request, table, (fault_of(error),), status=error.status)
    return see_other("tables", note="unassigned" if badge == _NOBODY else "assigned")


def _tables_page(request: HttpRequest, error: DomainError | None = None) -> HttpResponse:
    user = user_of(request)
    context = {
        "tables": [table_view_of(table) for table in list_tables(user=user)],
        "error": error,
        "can_enter": may(user, Command.ROUND_RECORD),
        "can_assign": may(user, Command.DEALER_ASSIGN),
        "can_open": may(user, Command.TABLE_OPEN),
        "can_close": may(user, Command.TABLE_CLOSE),
    }
    return page(request, "tables/tables.html", context, status=error.status if error else 200)


def _dealer_page(
    request: HttpRequest, table: str, faults: Sequence[Fault], *, status: int = 200
) -> HttpResponse:
    user, casino = user_of(request), casino_of(request)
    view = table_view_of(get_table_for(user=user, code=table))
    focused = focus_of(faults, ("dealer", "starts_at"), otherwise="dealer")
    dealers = list_dealers(user=user).filter(is_active=True)
    fields = (
        Field(
            "dealer",
            "Dealer",
            request.POST.get("dealer", ""),
            "select",
            (
                ("", "Choose"),
                *((dealer.badge, str(dealer)) for dealer in dealers),
                (_NOBODY, "Nobody"),
            ),
            messages_of(faults, "dealer"),
            is_focused=focused == "dealer",
        ),
        time_field(
            TypedTime(request.POST.get("starts_at", ""), request.POST.get("starts_which", "")),
            name="starts_at",
            label="Deals from",
            casino=casino,
            faults=faults,
            focused=focused,
            hint=f"Blank is now. Clock of {casino.zone}.",
        ),
    )
    context = {"table": view, "fields": fields, "problems": problems_of(faults, fields)}
    return page(request, "tables/table_dealer.html", context, status=status)
