"""Misdeals: a deal that could not be played, recorded with its reason (BP-8.1)."""

import re
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from tables.errors import DomainError, FieldError
from tables.floor.pages.table_view import table_view_of
from tables.floor.selectors.tables import get_table_for
from tables.permissions import Command
from tables.property.models import Property
from tables.rounds.models import Misdeal
from tables.rounds.pages.entry_view import time_field
from tables.rounds.selectors import list_misdeals
from tables.rounds.services.misdeals import record_misdeal
from tables.submissions import CLIENT_ID, shown
from tables.web.access import command_required, user_of
from tables.web.authority import authority_fields, missing_faults
from tables.web.fields import Fault, Field, fault_of, messages_of, problems_of
from tables.web.local_time import TypedTime, typed_time_of
from tables.web.paging import list_page
from tables.web.rendering import casino_of, page, see_other

_WHOLE: Final = re.compile(r"[0-9]{1,3}", re.ASCII)
_NUMBERS: Final = {
    "seats_in_play": ("Seats in play", ""),
    "stub_counted": ("Cards left in the stub", "Blank when they were not counted."),
}


@require_safe
@command_required(Command.MISDEAL_READ)
def misdeals(request: HttpRequest) -> HttpResponse:
    """Misdeals of the property, the latest recorded first."""
    found = list_page(request, list_misdeals(user=user_of(request)))
    return page(request, "tables/misdeals.html", {"page": found})


@require_http_methods(["GET", "HEAD", "POST"])
@command_required(Command.MISDEAL_RECORD)
def misdeal(request: HttpRequest, table: str) -> HttpResponse:
    """Record a misdeal at a table."""
    now = timezone.now()
    get_table_for(user=user_of(request), code=table)
    if request.method != "POST":
        time = typed_time_of(now, casino=casino_of(request))
        return _misdeal_page(request, table, time, ())
    time = TypedTime(request.POST.get("occurred_at", ""), request.POST.get("occurred_which", ""))
    body, faults = _read(request.POST, table, time, casino_of(request))
    if faults:
        return _misdeal_page(request, table, time, faults, status=400)
    try:
        recorded = record_misdeal.send(actor=user_of(request), data=body, at=now)
    except DomainError as error:
        return _misdeal_page(request, table, time, (fault_of(error),), status=error.status)
    return see_other("misdeals", note="replayed" if recorded.is_replay else "recorded")


def _read(
    post: Mapping[str, str], table: str, time: TypedTime, casino: Property
) -> tuple[dict[str, Any], tuple[Fault, ...]]:
    """The request that the form stands for, and everything that could not be read."""
    words = {name: post.get(name, "") for name in ("id", "kind", "reason", "authority")}
    faults = list(missing_faults({**words, "seats_in_play": post.get("seats_in_play", "")}))
    body: dict[str, Any] = {**words, "table": table}
    for name in _NUMBERS:
        try:
            body[name] = _read_whole(post.get(name, ""), place=name)
        except FieldError as error:
            faults.append(fault_of(error))
    try:
        body["occurred_at"] = time.instant(place="occurred_at", casino=casino).isoformat()
    except FieldError as error:
        faults.append(fault_of(error))
    return body, tuple(faults)


def _read_whole(text: str, *, place: str) -> int | None:
    if not text.strip():
        return None
    if not _WHOLE.fullmatch(text.strip(" ")):
        raise FieldError(f"expected a whole number, got {shown(text)}", place=place)
    return int(text)


def _misdeal_page(
    request: HttpRequest,
    table: str,
    time: TypedTime,
    faults: Sequence[Fault],
    *,
    status: int = 200,
) -> HttpResponse:
    user = user_of(request)
    numbers = [
        Field(
            name,
            label,
            request.POST.get(name, ""),
            "whole",
            faults=messages_of(faults, name),
            hint=hint,
        )
        for name, (label, hint) in _NUMBERS.items()
    ]
    when = time_field(
        time, name="occurred_at", label="When", casino=casino_of(request), faults=faults
    )
    fields = authority_fields(
        request.POST,
        user=user,
        faults=faults,
        first=("kind", "What was wrong", tuple(Misdeal.Kind.choices)),
        between=(*numbers, when),
    )
    sent_id = request.POST.get("id", "")
    context = {
        "table": table_view_of(get_table_for(user=user, code=table)),
        "misdeal_id": sent_id if CLIENT_ID.fullmatch(sent_id) else str(uuid.uuid4()),
        "fields": fields,
        "problems": problems_of(faults, fields),
    }
    return page(request, "tables/misdeal.html", context, status=status)
