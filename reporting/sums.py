"""The straight sum of rounds and voids per bucket: one definition, computed by the database.

Rounds and bets are summed apart and laid one under the other. In one join each round would count
once for every bet in it.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import CharField, Count, F, Q, QuerySet, Sum, Value
from django.db.models.expressions import Combinable

from games.engine.outcomes import Outcome
from reporting.models import BucketLine, Posting, Subject
from tables.models import Bet, Round, RoundVoid

_BUCKET_COLUMNS: Final = ("table_id", "dealer_id", "shift_id", "gaming_day", "hour")
_LABEL_COLUMNS: Final = ("posting", "subject", "line")
_SUM_COLUMNS: Final = ("count", "late_count", "handle_minor", "house_win_minor")
COLUMNS: Final = (*_BUCKET_COLUMNS, *_LABEL_COLUMNS, *_SUM_COLUMNS)
_NAMES: Final = ", ".join(f'"{name}"' for name in COLUMNS)

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


def insert_lines(scope: Scope) -> None:
    """Store the sums of a scope as lines; none of them may be stored yet.

    One statement, so that all lines are of one moment, and no figure passes through Python.
    """
    query, parameters = _compiled(_sums(scope))
    with connection.cursor() as sql:
        sql.execute(
            f"INSERT INTO reporting_bucketline ({_NAMES}) {query}",
            parameters,
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """A line that stands only in the figures (`is_rolled_up`), or only in the straight sum."""

    is_rolled_up: bool
    line: BucketLine


def find_differences() -> Iterator[Difference]:
    """Every line in which the figures differ from the straight sum of the records.

    Buckets that wait for the roll-up are left out. One statement reads figures, records and
    marks, hence at one moment: nothing that is entered meanwhile can look like a difference, and
    nobody has to wait for the comparison.
    """
    stored = _compiled(BucketLine.objects.values_list(*COLUMNS))
    summed = _compiled(_sums(everything()))
    for is_rolled_up, these, those in ((True, stored, summed), (False, summed, stored)):
        # 0 stands for the key that a line of the straight sum does not have.
        query = (
            f"WITH these ({_NAMES}) AS ({these[0]}), those AS ({those[0]})"  # noqa: S608  (own names)
            f" SELECT 0 AS id, {_NAMES} FROM"
            " (SELECT * FROM these EXCEPT SELECT * FROM those) AS lines"
            " WHERE NOT EXISTS (SELECT 1 FROM tables_dirtybucket AS mark"
            " WHERE mark.table_id = lines.table_id AND mark.shift_id = lines.shift_id"
            " AND mark.hour = lines.hour"
            " AND COALESCE(mark.dealer_id, 0) = COALESCE(lines.dealer_id, 0))"
            f" ORDER BY {_NAMES}"
        )
        for line in BucketLine.objects.raw(query, (*these[1], *those[1])):
            yield Difference(is_rolled_up=is_rolled_up, line=line)


def _compiled(rows: QuerySet[Any, Any]) -> tuple[str, tuple[Any, ...]]:
    query, parameters = rows.query.sql_with_params()
    return query, tuple(parameters)


def _sums(scope: Scope) -> QuerySet[Any, Any]:
    """The lines of a scope, in COLUMNS, as one query."""
    not_returned = ~Q(outcome=Outcome.VOID.value)
    played = Round.objects.filter(scope(""))
    voided = RoundVoid.objects.filter(scope(""))
    played_bets = Bet.objects.filter(scope("seat_hand__round__"), not_returned)
    voided_bets = Bet.objects.filter(
        scope("seat_hand__round__void__"), not_returned, seat_hand__round__void__isnull=False
    )
    return _round_lines(played, Posting.PLAY, "").union(
        _round_lines(voided, Posting.VOID, "round__"),
        _bet_lines(played_bets, Posting.PLAY, "seat_hand__round__"),
        _bet_lines(voided_bets, Posting.VOID, "seat_hand__round__void__"),
        all=True,
    )


def _round_lines(events: QuerySet[Any], posting: Posting, to_round: str) -> QuerySet[Any, Any]:
    """Rounds by the dealer's compliance; `events` are the rounds, or the voids of them."""
    return _grouped(
        events,
        path="",
        posting=posting,
        subject=Value(Subject.ROUND.value, CharField()),
        line=F(f"{to_round}compliance"),
        handle_minor=Sum(Value(0)),
        house_win_minor=Sum(f"{to_round}house_net_minor"),
    )


def _bet_lines(bets: QuerySet[Bet], posting: Posting, to_event: str) -> QuerySet[Any, Any]:
    """Bets by wager and line; `to_event` leads to the round, or the void, they count with."""
    return _grouped(
        bets,
        path=to_event,
        posting=posting,
        subject=F("wager"),
        line=F("line"),
        handle_minor=Sum("amount_minor"),
        # A bet's net is the player's, and what a player wins the house loses.
        house_win_minor=-Sum("net_minor"),
    )


def _grouped(
    rows: QuerySet[Any],
    *,
    path: str,
    posting: Posting,
    subject: Combinable,
    line: F,
    handle_minor: Combinable,
    house_win_minor: Combinable,
) -> QuerySet[Any, Any]:
    """Sum rows by the bucket that `path` leads to, by subject and by line."""
    was_late = Q(**{f"{path}recorded_at__gte": F(f"{path}shift__gaming_day__ends_at")})
    # Under names of their own: those of the answer are the model's fields already.
    labels = {
        **{f"of_{name}": F(f"{path}{name}") for name in _BUCKET_COLUMNS},
        "of_posting": Value(posting.value, CharField()),
        "of_subject": subject,
        "of_line": line,
    }
    sums = {
        "sum_count": Count("pk"),
        "sum_late_count": Count("pk", filter=was_late),
        "sum_handle_minor": handle_minor,
        "sum_house_win_minor": house_win_minor,
    }
    grouped = rows.order_by().values(**labels).annotate(**sums)
    lines: QuerySet[Any, Any] = grouped.values_list(*labels, *sums)
    return lines
