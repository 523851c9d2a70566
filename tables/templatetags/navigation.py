"""The way round the product: each user sees the pages that their role includes."""

from dataclasses import dataclass
from typing import Any, Final

from django import template
from django.template.context import Context
from django.urls import reverse

from tables.permissions import Command, may
from tables.property.models import User
from tables.web.paging import query_with

register = template.Library()


@dataclass(frozen=True, slots=True)
class Way:
    """One entry of the navigation."""

    label: str
    url: str
    is_current: bool


# Label, name of the address, and the command that its page needs.
_WAYS: Final = (
    ("Tables", "tables", Command.FLOOR_READ),
    ("Rounds", "rounds", Command.ROUND_READ),
    ("Misdeals", "misdeals", Command.MISDEAL_READ),
    ("Performance", "reports-performance", Command.REPORT_READ),
    ("What if", "reports-what-ifs", Command.WHAT_IF),
)


@register.simple_tag(takes_context=True)
def ways(context: Context) -> list[Way]:
    """The entries for the signed-in user; none for anyone else."""
    request: Any = context["request"]
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return []
    return [
        Way(label, url, is_current=request.path.startswith(url))
        for label, name, command in _WAYS
        if may(user, command)
        for url in (reverse(name),)
    ]


@register.simple_tag(takes_context=True)
def with_cursor(context: Context, cursor: str) -> str:
    """The parameters of this list's address, with another cursor."""
    return query_with(context["request"].GET, cursor)
