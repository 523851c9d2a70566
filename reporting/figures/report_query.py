"""What a report is asked for: the one reading of its parameters, for the page and the API."""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from django.http import QueryDict

from reporting.figures.metrics import GroupBy
from tables.errors import FieldError
from tables.submissions import shown

FROM: Final = "from"
TO: Final = "to"
GROUP_BY: Final = "group_by"
_NAMES: Final = (FROM, TO, GROUP_BY)

# ASCII digits only: the standard library also reads other scripts' digits and week dates.
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

# A row holds every line of every wager; what is longer than this is asked for in parts.
DAYS_MAX: Final[Mapping[GroupBy, int]] = MappingProxyType(
    {**dict.fromkeys(GroupBy, 400), GroupBy.HOUR: 31}
)


@dataclass(frozen=True, slots=True)
class ReportQuery:
    """A checked request for a report: gaming days, both included, and what a row stands for."""

    first_day: dt.date
    last_day: dt.date
    group_by: GroupBy


def read_report_query(
    parameters: QueryDict,
    *,
    default_day: dt.date | None = None,
    other_names: tuple[str, ...] = (),
) -> ReportQuery:
    """Read the parameters of an address. Without a `default_day` both days must be given.

    `other_names` are parameters that the caller reads itself. Raises FieldError, naming the
    parameter, for one that is unknown, given twice or malformed, and for a range that runs
    backwards or is too long.
    """
    known = (*_NAMES, *other_names)
    for name, values in parameters.lists():
        if name not in known:
            raise FieldError(
                f"expected one of {', '.join(known)}, got {shown(name)}", place=name[:64]
            )
        if len(values) != 1:
            raise FieldError(f"expected {name} once, got it {len(values)} times", place=name)
    first_day = _read_day(parameters, FROM, default_day)
    last_day = _read_day(parameters, TO, default_day)
    group_by = _read_group_by(parameters)
    if first_day > last_day:
        raise FieldError(
            f"expected a day not before {first_day.isoformat()}, got {last_day.isoformat()!r}",
            place=TO,
        )
    days, days_max = (last_day - first_day).days + 1, DAYS_MAX[group_by]
    if days > days_max:
        raise FieldError(
            f"expected at most {days_max} gaming days by {group_by}, got {days}",
            place=TO,
            days_max=days_max,
        )
    return ReportQuery(first_day, last_day, group_by)


def _read_day(parameters: QueryDict, name: str, default: dt.date | None) -> dt.date:
    text = parameters.get(name)
    if text is None and default is not None:
        return default
    if text is None:
        raise FieldError(f"expected {name!r}, which is missing", place=name)
    try:
        if _DAY.fullmatch(text):
            return dt.date.fromisoformat(text)
    except ValueError:
        pass
    raise FieldError(f"expected a gaming day such as '2026-11-29', got {shown(text)}", place=name)


def _read_group_by(parameters: QueryDict) -> GroupBy:
    text = parameters.get(GROUP_BY, GroupBy.TABLE.value)
    if text not in set(GroupBy):
        raise FieldError(f"expected one of {', '.join(GroupBy)}, got {shown(text)}", place=GROUP_BY)
    return GroupBy(text)
