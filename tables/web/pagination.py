"""Paging that repeats and skips nothing: by the primary key, which no two rows share."""

import re
from typing import Any, Final

from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

_POSITION: Final = re.compile(r"[0-9]{1,18}", re.ASCII)


class KeyPagination(CursorPagination):
    """`?cursor=` as given in `next` and `previous`; `?limit=` rows a page, 50 by default."""

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
    ordering = "-pk"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """The cursor of a request. Raises NotFound for one that this API never gave out."""
        cursor: Any = super().decode_cursor(request)
        if cursor is None:
            return None
        if cursor.offset > self.max_page_size or not (
            cursor.position is None or _POSITION.fullmatch(cursor.position)
        ):
            raise NotFound("expected a cursor that this list gave out")
        return cursor  # type: ignore[no-any-return]
