"""The way round the product: each user sees the pages that their role includes."""

from dataclasses import dataclass
from typing import Any, Final

from django import template
from django.template.context import Context
from django.urls import reverse

from tables.permissions import Command, may
from tables.property.models import User
from tables.web.paging import query_with
from tables.web.words import words

register = template.Library()


@dataclass(frozen=True, slots=True)
class Way:
    """One entry of the navigation."""

    label: str
    url: str
    is_current: bool


# The names of the addresses, and the command that each page needs; `words` has the labels.
_WAYS: Final = {
    "tables": Command.FLOOR_READ,
    "rounds": Command.ROUND_READ,
    "misdeals": Command.MISDEAL_READ,
    "reports-performance": Command.REPORT_READ,
    "reports-what-ifs": Command.WHAT_IF,
}


@register.simple_tag(takes_context=True)
def ways(context: Context) -> list[Way]:
    """The entries for the signed-in user; none for anyone else."""
    request: Any = context["request"]
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return []
    return [
        Way(words(name, "way"), url, is_current=request.path.startswith(url))
        for name, command in _WAYS.items()
        if may(user, command)
        for url in (reverse(name),)
    ]


@register.simple_tag(takes_context=True)
def with_cursor(context: Context, cursor: str) -> str:
    """The parameters of this list's address, with another cursor."""
    return query_with(context["request"].GET, cursor)
