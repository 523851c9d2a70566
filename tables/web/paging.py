"""Paging by key: older and newer than a row, so that nothing repeats or is skipped as rows come."""

import re
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from tables.errors import FieldError
from tables.submissions import shown

ROWS_A_PAGE: Final = 50
OLDER: Final = "older_than"
NEWER: Final = "newer_than"
_KEY: Final = re.compile(r"[0-9]{1,18}", re.ASCII)

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Page:
    """Rows, the latest first, and the addresses of the neighbouring pages, empty where none is."""

    rows: tuple[Any, ...]
    newer_url: str
    older_url: str


def page_of(request: HttpRequest, rows: QuerySet[Row]) -> Page:
    """The page of a list, ordered by falling key, that a request asks for. Raises FieldError."""
    older_than, newer_than = _key(request, OLDER), _key(request, NEWER)
    if newer_than is not None:
        found = list(rows.filter(pk__gt=newer_than).order_by("pk")[: ROWS_A_PAGE + 1])
        has_newer, has_older = len(found) > ROWS_A_PAGE, True
        found = found[:ROWS_A_PAGE][::-1]
    else:
        narrowed = rows if older_than is None else rows.filter(pk__lt=older_than)
        found = list(narrowed[: ROWS_A_PAGE + 1])
        has_newer, has_older = older_than is not None, len(found) > ROWS_A_PAGE
        found = found[:ROWS_A_PAGE]
    return Page(
        rows=tuple(found),
        newer_url=_url(request, NEWER, found[0].pk) if has_newer and found else "",
        older_url=_url(request, OLDER, found[-1].pk) if has_older and found else "",
    )


def _key(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name)
    if text is None:
        return None
    if not _KEY.fullmatch(text):
        raise FieldError(f"expected a page that this list leads to, got {shown(text)}", place=name)
    return int(text)


def _url(request: HttpRequest, name: str, key: int) -> str:
    kept = {key: value for key, value in request.GET.items() if key not in {OLDER, NEWER, "note"}}
    return f"?{urlencode({**kept, name: key})}"
