"""A second roll-up, declared here only: it is kept in step like the first, and with it."""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from io import StringIO
from typing import ClassVar

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, models

from games.engine.errors import InvariantViolation
from reporting.figures import roll_ups
from reporting.figures import services as rollups
from reporting.figures.performance import PERFORMANCE
from reporting.figures.roll_ups import Bucket, Difference, RollUp, list_roll_ups, register
from reporting.figures.scopes import Scope, TableHour, of_gaming_days
from reporting.figures.services import RollUpResult, rebuild, roll_up, roll_up_backlog
from reporting.models import BucketLine, RollupCursor
from tables.models import DirtyBucket, Round, Shift
from tests.builders import NOON, Floor
from tests.reporting.play import play, void
from tests.reporting.straight_sum import stored_lines, straight_sum
from tests.reporting.test_races import at_once

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)
AT = NOON + 2 * DAY
NAME = "rounds_dealt"


class RoundsDealt(models.Model):
    """How many rounds were dealt in an hour of a shift at a table; in no app that is installed."""

    key = models.CharField(max_length=80, primary_key=True)
    table_id = models.BigIntegerField()
    shift_id = models.BigIntegerField()
    gaming_day = models.DateField()
    hour = models.DateTimeField()
    rounds = models.BigIntegerField()

    objects: ClassVar[models.Manager["RoundsDealt"]] = models.Manager()

    class Meta:
        app_label = "of_this_test"

    def __str__(self) -> str:
        return f"{self.rounds} rounds in {self.key}"


Lines = dict[str, int]


def dealt(scope: Scope = lambda _path: models.Q()) -> list[RoundsDealt]:
    """The lines of a scope, counted from the records."""
    keys = ("table_id", "shift_id", "gaming_day", "hour")
    counts = Counter(Round.objects.filter(scope("")).values_list(*keys))
    return [
        RoundsDealt(
            **dict(zip(keys, of, strict=True)), key=f"{of[0]} {of[1]} {of[3]}", rounds=rounds
        )
        for of, rounds in counts.items()
    ]


def recompute(scope: Scope) -> None:
    RoundsDealt.objects.filter(scope("")).delete()
    RoundsDealt.objects.bulk_create(dealt(scope))


def lines_of(rows: Iterable[RoundsDealt]) -> Lines:
    return {row.key: row.rounds for row in rows}


def stored() -> Lines:
    return lines_of(RoundsDealt.objects.all())


def find_differences() -> Iterator[Difference]:
    found, expected = stored().items(), lines_of(dealt()).items()
    for is_rolled_up, lines in ((True, found - expected), (False, expected - found)):
        yield from (Difference(is_rolled_up, line) for line in sorted(lines))


def declare(**changes: object) -> RollUp:
    """Declare the second roll-up; `changes` instead of what it has otherwise."""
    made = RollUp(name=NAME, recompute=recompute, find_differences=find_differences)
    made = replace(made, **changes)  # type: ignore[arg-type]
    register(made)
    return made


@pytest.fixture
def undeclared(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> Iterator[Floor]:
    """The table of the second roll-up, which is not declared yet."""
    monkeypatch.setattr(roll_ups, "_registered", {PERFORMANCE.name: PERFORMANCE})
    meta = RoundsDealt._meta
    columns = ", ".join(
        f"{field.column} {field.db_type(connection)}" for field in meta.concrete_fields
    )
    with connection.cursor() as sql:
        sql.execute(f"CREATE TABLE {meta.db_table} ({columns}, PRIMARY KEY (key))")
    yield floor
    with connection.cursor() as sql:
        sql.execute(f"DROP TABLE {meta.db_table}")


@pytest.fixture
def declared(undeclared: Floor) -> Floor:
    declare()
    return undeclared


def revisions() -> dict[str, int]:
    return dict(RollupCursor.objects.values_list("name", "revision"))


def test_declared_roll_up_is_filled_and_kept_in_step_with_the_first(declared: Floor) -> None:
    for number in range(6):
        play(declared, number, at=NOON + number * HOUR / 2)
    assert roll_up(at=AT, batch=2) == RollUpResult(marks=6, transactions=3)
    assert stored() == lines_of(dealt())
    assert sum(stored().values()) == 6
    assert stored_lines() == straight_sum()
    assert revisions() == {"performance": 3, NAME: 3}
    assert not DirtyBucket.objects.exists()

    old = play(declared, 7, at=NOON + HOUR, recorded_at=NOON + DAY)
    void(declared, old, at=NOON + 9 * HOUR)
    roll_up(at=AT + HOUR)
    assert stored() == lines_of(dealt())
    assert stored_lines() == straight_sum()
    assert {cursor.rolled_up_at for cursor in RollupCursor.objects.all()} == {AT + HOUR}


def test_roll_up_declared_late_is_filled_by_a_rebuild_of_any_days(undeclared: Floor) -> None:
    for number in range(3):
        play(undeclared, number, at=NOON - number * DAY)
    roll_up(at=AT)
    lines = stored_lines()
    declare()
    assert stored() == {}

    rebuild(at=AT, first_day=NOON.date(), last_day=NOON.date())
    today = lines_of(dealt(of_gaming_days(NOON.date(), NOON.date())))
    assert stored() == today
    assert len(today) == 1
    assert RollupCursor.objects.get(name=NAME).rolled_up_at is None

    rebuild(at=AT)
    assert stored() == lines_of(dealt())
    assert stored_lines() == lines
    assert RollupCursor.objects.get(name=NAME).rolled_up_at == AT


@pytest.mark.parametrize("failing", ["before", "after"])
def test_roll_up_that_fails_leaves_all_figures_cursors_and_marks_as_they_were(
    undeclared: Floor, failing: str
) -> None:
    """Whether it comes before the first one or after it."""

    def fail(_scope: Scope) -> None:
        recompute(_scope)
        raise KeyboardInterrupt

    name = {"before": "a_first", "after": "z_last"}[failing]
    play(undeclared)
    roll_up(at=AT)
    before = (stored_lines(), RollupCursor.objects.in_bulk()["performance"].revision)
    made = declare(name=name, recompute=fail)
    assert [each.name for each in list_roll_ups()] == sorted([name, "performance"])
    play(undeclared, 1)

    with pytest.raises(KeyboardInterrupt):
        roll_up(at=AT)
    with pytest.raises(KeyboardInterrupt):
        rebuild(at=AT)

    assert (stored_lines(), RollupCursor.objects.get().revision) == before
    assert stored() == {}
    assert DirtyBucket.objects.count() == 1
    roll_ups._registered[name] = replace(made, recompute=recompute)
    assert roll_up(at=AT) == RollUpResult(marks=1, transactions=1)
    assert stored() == lines_of(dealt())
    assert stored_lines() == straight_sum() != before[0]


def test_prepares_before_the_lock_and_under_it_what_came_since(
    undeclared: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str | frozenset[int]] = []
    lock = rollups._lock_cursors

    def prepare(scope: Scope, done: frozenset[int]) -> frozenset[int]:
        keys = frozenset(Round.objects.filter(scope("")).values_list("pk", flat=True))
        calls.append(keys - done)
        if len(keys) == 1:
            play(undeclared, 1, at=NOON + HOUR / 2)
        return keys

    def lock_and_tell() -> object:
        calls.append("locked")
        return lock()

    monkeypatch.setattr(rollups, "_lock_cursors", lock_and_tell)
    declare(prepare=prepare)
    first = play(undeclared)
    roll_up(at=AT)
    second = Round.objects.exclude(pk=first.pk).get()
    assert calls == [{first.pk}, "locked", {second.pk}]
    assert stored() == lines_of(dealt())


def test_scope_may_be_wider_than_the_dirty_hours(undeclared: Floor) -> None:
    seen: list[int] = []

    def whole_days(hours: Iterable[TableHour]) -> Scope:
        shifts = Shift.objects.filter(pk__in={hour.shift_id for hour in hours})
        days = sorted(shifts.values_list("gaming_day__date", flat=True))
        return of_gaming_days(days[0], days[-1])

    def recompute_days(scope: Scope) -> None:
        seen.append(Round.objects.filter(scope("")).count())
        recompute(scope)

    declare(scope_of=whole_days, recompute=recompute_days)
    for number in range(3):
        play(undeclared, number, at=NOON + number * HOUR)
    roll_up(at=AT, batch=1)
    assert seen == [3, 3, 3]
    assert stored() == lines_of(dealt())
    assert stored_lines() == straight_sum()


def test_backlog_of_any_roll_up_is_rolled_up_again(undeclared: Floor) -> None:
    backlog: list[Bucket] = []
    declare(find_backlog=lambda: backlog)
    played = play(undeclared)
    roll_up(at=AT)
    assert roll_up_backlog(at=AT) == RollUpResult()
    RoundsDealt.objects.update(rounds=99)
    backlog.append(Bucket(played.table_id, played.dealer_id, played.shift_id, played.hour))
    assert roll_up_backlog(at=AT) == RollUpResult(marks=1, transactions=1)
    assert stored() == lines_of(dealt())


def test_check_compares_every_roll_up(declared: Floor) -> None:
    play(declared)
    roll_up(at=AT)
    call_command("rebuild_rollups", "--check", stdout=StringIO())
    RoundsDealt.objects.update(rounds=99)
    BucketLine.objects.filter(subject="round").update(count=5)
    out = StringIO()
    with pytest.raises(CommandError, match="4 lines differ and 0 worths"):
        call_command("rebuild_rollups", "--check", stdout=out)
    assert out.getvalue().count("rolled up: ") == out.getvalue().count("straight sum: ") == 2
    call_command("rebuild_rollups", stdout=out)
    call_command("rebuild_rollups", "--check", stdout=out)


def test_two_roll_ups_of_one_name_are_refused(declared: Floor) -> None:
    register(PERFORMANCE)
    with pytest.raises(InvariantViolation, match=f"another '{NAME}'"):
        declare()
    assert [each.name for each in list_roll_ups()] == ["performance", NAME]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL")
@pytest.mark.parametrize("is_first", [True, False])
def test_many_calls_at_once_beside_entries_lose_and_double_nothing(
    declared: Floor, is_first: bool
) -> None:
    if not is_first:
        RollupCursor.objects.create(name=NAME)

    def enter() -> None:
        for number in range(20):
            play(declared, number, at=NOON + number * HOUR / 8)

    def keep_rolling_up() -> None:
        for _ in range(12):
            roll_up(at=AT, batch=3)

    assert at_once(enter, *[keep_rolling_up] * 3) == [None] * 4
    roll_up(at=AT)
    assert stored() == lines_of(dealt())
    assert sum(stored().values()) == 20
    assert stored_lines() == straight_sum()
    assert not DirtyBucket.objects.exists()
