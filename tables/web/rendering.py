"""Rendering: every page knows its property, whose currency and clock all filters use."""

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from tables.property.models import Property
from tables.web.access import user_of
from tables.web.words import WORDS


def casino_of(request: HttpRequest) -> Property:
    """The property of a user whom `command_required` has let through."""
    return cast("Property", user_of(request).property)


def page(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, status: int = 200
) -> HttpResponse:
    """A page, with the note that its address asks for."""
    note = WORDS["note"].get(request.GET.get("note", ""), "") if request.method == "GET" else ""
    return render(
        request,
        template,
        {"property": casino_of(request), "note": note, **context},
        status=status,
    )


def see_other(name: str, *args: object, note: str) -> HttpResponseRedirect:
    """After a POST: on to the page that shows what it did."""
    return HttpResponseRedirect(f"{reverse(name, args=args)}?{urlencode({'note': note})}")
