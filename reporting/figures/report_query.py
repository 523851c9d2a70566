"""What a report is asked for: the one reading of its parameters, for the page and the API."""

import datetime as dt
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from django.http import QueryDict
from pydantic import Field

from reporting.figures.metrics import GroupBy
from tables.errors import FieldError
from tables.shapes import Day
from tables.web.queries import Query, decode_query

FROM: Final = "from"
TO: Final = "to"
GROUP_BY: Final = "group_by"

# A row holds every line of every wager; what is longer than this is asked for in parts.
DAYS_MAX: Final[Mapping[GroupBy, int]] = MappingProxyType(
    {**dict.fromkeys(GroupBy, 400), GroupBy.HOUR: 31}
)


class ReportQuery(Query):
    """Gaming days, both included, and what a row stands for."""

    first_day: Day = Field(alias=FROM, description="First day.")
    last_day: Day = Field(alias=TO, description="Last day.")
    group_by: GroupBy = GroupBy.TABLE


class ReportApiQuery(ReportQuery):
    """The same, and the form of the answer."""

    format: str | None = Field(default=None, pattern="^(json|csv)$", description="json or csv")


def read_report_query(
    parameters: QueryDict,
    *,
    shape: type[ReportQuery] = ReportQuery,
    default_day: dt.date | None = None,
) -> ReportQuery:
    """Read the parameters of an address. Without a `default_day` both days must be given.

    Raises FaultsError, naming every parameter that is unknown, given twice, missing or malformed,
    and FieldError for a range that runs backwards or is too long.
    """
    if default_day is not None:
        given, parameters = parameters, QueryDict(mutable=True)
        parameters.update({FROM: default_day.isoformat(), TO: default_day.isoformat()})
        for name, values in given.lists():
            parameters.setlist(name, values)
    query = decode_query(shape, parameters)
    _refuse_range(query)
    return query


def _refuse_range(query: ReportQuery) -> None:
    if query.first_day > query.last_day:
        raise FieldError(
            f"expected a day not before {query.first_day.isoformat()}, "
            f"got {query.last_day.isoformat()!r}",
            place=TO,
        )
    days, days_max = (query.last_day - query.first_day).days + 1, DAYS_MAX[query.group_by]
    if days > days_max:
        raise FieldError(
            f"expected at most {days_max} gaming days by {query.group_by}, got {days}",
            place=TO,
            days_max=days_max,
        )
