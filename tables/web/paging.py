"""Paging by key: older and newer than a row, so that nothing repeats or is skipped as rows come."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, TypeVar
from urllib.parse import urlencode

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from pydantic import Field

from tables.errors import NotFoundError
from tables.shapes import ReadAs
from tables.web.queries import Query

ROWS_A_PAGE: Final = 50
ROWS_A_PAGE_MAX: Final = 200
_CURSOR: Final = re.compile(r"(older|newer)-([0-9]{1,18})", re.ASCII)
_FROM_1: Final = {"type": "integer", "minimum": 1}
_WHOLE: Final = re.compile(r"0*[1-9][0-9]*", re.ASCII)

Row = TypeVar("Row", bound=Model)


def _read_limit(value: object) -> int:
    if not isinstance(value, str) or not _WHOLE.fullmatch(value):
        raise ValueError("no whole number")
    # int() of a text without end would take its time.
    return int(value) if len(value) < len(str(10**9)) else ROWS_A_PAGE_MAX


class PagedQuery(Query):
    """Which part of a list."""

    cursor: str | None = Field(default=None, description="as given in `next` and `previous`")
    limit: Annotated[int, ReadAs("a whole number from 1 on", _read_limit, _FROM_1)] = Field(
        default=ROWS_A_PAGE,
        description=f"rows a page, {ROWS_A_PAGE_MAX} at most",
    )


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Rows, the latest first, and the cursors of the neighbouring pages, empty where none is."""

    rows: tuple[Row, ...]
    newer: str = ""
    older: str = ""

    def address(self, request: Any, cursor: str) -> str | None:
        """The whole address of a neighbouring page."""
        if not cursor:
            return None
        return str(request.build_absolute_uri(f"?{query_with(request.GET, cursor)}"))


def page_of(rows: QuerySet[Row], query: PagedQuery) -> Page[Row]:
    """The page of a list, ordered by falling key. Raises NotFoundError for a made-up cursor."""
    limit = min(query.limit, ROWS_A_PAGE_MAX)
    if query.cursor is None:
        found = list(rows[: limit + 1])
        return _page(found[:limit], has_newer=False, has_older=len(found) > limit)
    match = _CURSOR.fullmatch(query.cursor)
    if match is None:
        raise NotFoundError("expected a cursor that this list gave out", place="cursor")
    key = int(match[2])
    if match[1] == "older":
        found = list(rows.filter(pk__lt=key)[: limit + 1])
        return _page(found[:limit], has_newer=True, has_older=len(found) > limit)
    found = list(rows.filter(pk__gt=key).order_by("pk")[: limit + 1])
    return _page(found[:limit][::-1], has_newer=len(found) > limit, has_older=True)


def list_page(request: HttpRequest, rows: QuerySet[Row]) -> Page[Row]:
    """The page of a list that a request for a page asks for. Raises NotFoundError."""
    return page_of(rows, PagedQuery(cursor=request.GET.get("cursor")))


def _page(rows: list[Row], *, has_newer: bool, has_older: bool) -> Page[Row]:
    return Page(
        rows=tuple(rows),
        newer=f"newer-{rows[0].pk}" if has_newer and rows else "",
        older=f"older-{rows[-1].pk}" if has_older and rows else "",
    )


def query_with(parameters: Mapping[str, str], cursor: str) -> str:
    """The parameters of a page, with another cursor."""
    kept = {key: value for key, value in parameters.items() if key not in {"cursor", "note"}}
    return urlencode({**kept, "cursor": cursor})
