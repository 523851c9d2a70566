"""What-ifs as pages: the form with the latest ones, and one with its progress or its answer."""

import uuid
from collections.abc import Sequence
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from games.engine.rulesets import get_ruleset
from reporting.what_if.form import fault_at_field, fields_of, read_form
from reporting.what_if.selectors import get_what_if_for, list_what_ifs
from reporting.what_if.services import ask_what_if
from reporting.what_if.view import comparison_of, sentence_of
from tables.errors import DomainError, FaultsError
from tables.permissions import Command
from tables.shapes import CLIENT_ID
from tables.web.access import command_required, user_of
from tables.web.fields import Fault, fault_of, problems_of
from tables.web.rendering import casino_of, page

LATEST: Final = 20


@require_http_methods(["GET", "HEAD", "POST"])
@command_required(Command.WHAT_IF)
def what_ifs(request: HttpRequest) -> HttpResponse:
    """Ask what if, and the latest what-ifs of the property."""
    if request.method != "POST":
        return _form_page(request, ())
    body, faults = read_form(request.POST, get_ruleset(casino_of(request).ruleset_id))
    if faults:
        return _form_page(request, faults, status=400)
    try:
        asked = ask_what_if.send(actor=user_of(request), data=body, at=timezone.now())
    except FaultsError as error:
        found = tuple(Fault(fault.place, fault.message) for fault in error.faults)
        return _form_page(request, tuple(map(fault_at_field, found)), status=error.status)
    except DomainError as error:
        return _form_page(request, (fault_at_field(fault_of(error)),), status=error.status)
    return HttpResponseRedirect(reverse("reports-what-if", args=[asked.record.what_if_id]))


@require_safe
@command_required(Command.WHAT_IF)
def what_if(request: HttpRequest, what_if_id: str) -> HttpResponse:
    """One what-if: its progress while it is worked out, then the comparison."""
    found = get_what_if_for(user=user_of(request), what_if_id=what_if_id)
    context = {
        "what_if": found,
        "changes": sentence_of(found.changes),
        "comparison": comparison_of(found.result) if found.result else None,
    }
    return page(request, "reporting/what_if.html", context)


def _form_page(request: HttpRequest, faults: Sequence[Fault], *, status: int = 200) -> HttpResponse:
    ruleset = get_ruleset(casino_of(request).ruleset_id)
    form = fields_of(request.POST, ruleset, faults)
    sent_id = request.POST.get("id", "")
    context = {
        "ruleset": ruleset,
        "steps": sorted(ruleset.house_way),
        "what_if_id": sent_id if CLIENT_ID.fullmatch(sent_id) else str(uuid.uuid4()),
        "form": form,
        "problems": problems_of(faults, form.fields),
        "latest": [
            (found, sentence_of(found.changes))
            for found in list_what_ifs(user=user_of(request))[:LATEST]
        ],
    }
    return page(request, "reporting/what_if_form.html", context, status=status)
