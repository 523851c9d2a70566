"""What-ifs as pages: the form with the latest ones, and one with its progress or its answer."""

from functools import partial
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from reporting.what_if.form import WhatIfForm
from reporting.what_if.models import WhatIf
from reporting.what_if.selectors import get_what_if_for, list_what_ifs
from reporting.what_if.services import ask_what_if
from reporting.what_if.view import comparison_of, sentence_of
from tables.permissions import Command
from tables.recording import Recorded
from tables.web.access import command_required, user_of
from tables.web.commands import command_page, form_page
from tables.web.rendering import page

LATEST: Final = 20


@require_http_methods(["GET", "HEAD", "POST"])
@command_required(Command.WHAT_IF, parameters=[])
def what_ifs(request: HttpRequest) -> HttpResponse:
    """Ask what if, and the latest what-ifs of the property."""

    def done(asked: Recorded[WhatIf]) -> HttpResponse:
        return redirect("reports-what-if", asked.record.what_if_id)

    return command_page(
        request, WhatIfForm, ask_what_if, show=partial(_form_page, request), done=done
    )


@require_safe
@command_required(Command.WHAT_IF, parameters=[])
def what_if(request: HttpRequest, what_if_id: str) -> HttpResponse:
    """One what-if: its progress while it is worked out, then the comparison."""
    found = get_what_if_for(user=user_of(request), what_if_id=what_if_id)
    context = {
        "what_if": found,
        "changes": sentence_of(found.changes),
        "comparison": comparison_of(found.result) if found.result else None,
    }
    return page(request, "reporting/what_if.html", context)


def _form_page(request: HttpRequest, form: WhatIfForm) -> HttpResponse:
    latest = list_what_ifs(user=user_of(request))[:LATEST]
    return form_page(
        request,
        "reporting/what_if_form.html",
        form,
        steps=sorted(form.ruleset.house_way),
        latest=[(found, sentence_of(found.changes)) for found in latest],
    )
