"""Which rounds and voids to sum, as a condition that any query can be put under."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db.models import Q

# Which rounds, or voids, to sum; called with the path that leads to them, such as
# "seat_hand__round__".
Scope = Callable[[str], Q]


class TableHour(NamedTuple):
    """What is computed at once: an hour (UTC) of a shift at a table, whoever dealt."""

    table_id: int
    shift_id: int
    hour: dt.datetime


def everything() -> Scope:
    """Every round and void."""
    return lambda _path: Q()


def of_gaming_days(first: dt.date, last: dt.date) -> Scope:
    """The rounds and voids of gaming days from first to last, both included."""
    return lambda path: Q(**{f"{path}gaming_day__range": (first, last)})


def of_table_hours(table_hours: Iterable[TableHour]) -> Scope:
    """The rounds and voids of these hours at these tables, and no others."""
    tables: dict[tuple[int, dt.datetime], list[int]] = defaultdict(list)
    for table_id, shift_id, hour in sorted(set(table_hours)):
        tables[shift_id, hour].append(table_id)
    # One condition an hour, not one a table and hour: writing conditions is what costs time here.
    return lambda path: reduce(
        or_,
        (
            Q(
                **{
                    f"{path}shift_id": shift_id,
                    f"{path}hour": hour,
                    f"{path}table_id__in": table_ids,
                }
            )
            for (shift_id, hour), table_ids in tables.items()
        ),
    )
