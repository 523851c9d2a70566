"""The straight sum of rounds and voids per bucket: one definition, computed by the database.

Rounds and bets are summed apart and laid one under the other. In one join each round would count
once for every bet in it.

What bets were worth is joined to them. A stake is at most 10,000,000,000 and a value, over its
denominator, well below 900,000,000, so their product fits in 63 bits; a test asks this of every
ruleset. Each product is divided before it is summed: whole minor units and rests apart.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.db import connection
from django.db.models import CharField, Count, F, Max, Q, QuerySet, Sum, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from games.engine.outcomes import Outcome
from reporting.figures.models import BucketLine, Posting, Subject
from reporting.figures.roll_ups import Difference
from reporting.figures.scopes import Scope, everything
from tables.models import Bet, Round, RoundVoid

_BUCKET_COLUMNS: Final = ("table_id", "dealer_id", "shift_id", "gaming_day", "hour")
_LABEL_COLUMNS: Final = ("posting", "subject", "line", "ruleset_id")
_WORTH_COLUMNS: Final = (
    "appraised_count",
    "denominator",
    "player_error_minor",
    "player_error_rest",
    "returned_minor",
    "returned_rest",
    "dealer_error_minor",
)
_SUM_COLUMNS: Final = ("count", "late_count", "handle_minor", "house_win_minor", *_WORTH_COLUMNS)
COLUMNS: Final = (*_BUCKET_COLUMNS, *_LABEL_COLUMNS, *_SUM_COLUMNS)
_NAMES: Final = ", ".join(f'"{name}"' for name in COLUMNS)


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
        ruleset_id=F(f"{to_round}ruleset_id"),
        sums={
            "handle_minor": Sum(Value(0)),
            "house_win_minor": Sum(f"{to_round}house_net_minor"),
            **dict.fromkeys(_WORTH_COLUMNS, Sum(Value(0))),
            "denominator": Max(Value(1)),
        },
    )


def _bet_lines(bets: QuerySet[Bet], posting: Posting, to_event: str) -> QuerySet[Any, Any]:
    """Bets by wager and line; `to_event` leads to the round, or the void, they count with."""
    return _grouped(
        bets,
        path=to_event,
        posting=posting,
        subject=F("wager"),
        line=F("line"),
        ruleset_id=F("seat_hand__round__ruleset_id"),
        sums={
            "handle_minor": Sum("amount_minor"),
            # A bet's net is the player's, and what a player wins the house loses.
            "house_win_minor": -Sum("net_minor"),
            **_worth_sums(),
        },
    )


def _worth_sums() -> dict[str, Combinable]:
    """The sums over the worths of bets; a bet without one adds nothing. See `BucketLine`."""
    amount, denominator = F("amount_minor"), F("worth__denominator")
    error = amount * (F("worth__best_value") - F("worth__setting_value"))
    # A loss of the whole stake brings back nothing, hence never less.
    returned = amount * (denominator + F("worth__setting_value"))
    return {
        "appraised_count": Count("worth"),
        # One ruleset has one denominator for a wager.
        "denominator": Coalesce(Max(denominator), 1),
        "player_error_minor": Coalesce(Sum(error / denominator), 0),
        "player_error_rest": Coalesce(Sum(error % denominator), 0),
        "returned_minor": Coalesce(Sum(returned / denominator), 0),
        "returned_rest": Coalesce(Sum(returned % denominator), 0),
        "dealer_error_minor": Coalesce(Sum("worth__dealer_error_minor"), 0),
    }


def _grouped(
    rows: QuerySet[Any],
    *,
    path: str,
    posting: Posting,
    subject: Combinable,
    line: F,
    ruleset_id: F,
    sums: Mapping[str, Combinable],
) -> QuerySet[Any, Any]:
    """Sum rows by the bucket that `path` leads to, by subject and by line."""
    was_late = Q(**{f"{path}recorded_at__gte": F(f"{path}shift__gaming_day__ends_at")})
    # Under names of their own: those of the answer are the model's fields already.
    labels = {
        **{f"of_{name}": F(f"{path}{name}") for name in _BUCKET_COLUMNS},
        "of_posting": Value(posting.value, CharField()),
        "of_subject": subject,
        "of_line": line,
        "of_ruleset_id": ruleset_id,
    }
    counts = {"count": Count("pk"), "late_count": Count("pk", filter=was_late)}
    columns = {**counts, **sums}
    found = {f"sum_{name}": columns[name] for name in _SUM_COLUMNS}
    grouped = rows.order_by().values(**labels).annotate(**found)
    lines: QuerySet[Any, Any] = grouped.values_list(*labels, *found)
    return lines
