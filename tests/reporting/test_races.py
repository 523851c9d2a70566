"""Roll-ups beside entries and beside each other, on a real PostgreSQL with real threads."""

import contextlib
import datetime as dt
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from reporting.figures import performance
from reporting.figures import services as rollups
from reporting.figures.scopes import Scope
from reporting.figures.services import roll_up
from reporting.figures.sums import find_differences, insert_lines
from reporting.models import BetWorth, BucketLine, RollupCursor
from reporting.worth import services as worths
from reporting.worth.rows import WorthRow
from reporting.worth.services import appraise, find_worth_differences
from tables.locks import lock_table, take_next_sequence
from tables.models import Bet, DirtyBucket, Table
from tests.builders import NOON, Floor
from tests.reporting.play import play
from tests.reporting.straight_sum import stored_lines, straight_sum

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL"),
]

AT = NOON + dt.timedelta(days=2)
SECONDS_MAX = 30.0


def at_once(*calls: Callable[[], object]) -> list[BaseException | None]:
    """Run each call in a thread with a connection of its own; what each of them raised."""

    def run(call: Callable[[], object]) -> None:
        try:
            call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [done.exception(SECONDS_MAX) for done in [pool.submit(run, c) for c in calls]]


def roll_up_now() -> None:
    roll_up(at=AT)


@pytest.fixture
def meeting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two roll-ups that can both have deleted the old lines do so before either inserts any."""
    barrier = threading.Barrier(2)

    def insert_together(scope: Scope) -> None:
        with contextlib.suppress(threading.BrokenBarrierError):
            barrier.wait(timeout=1)
        insert_lines(scope)

    monkeypatch.setattr(performance, "insert_lines", insert_together)


@pytest.mark.parametrize("is_first", [True, False])
def test_two_roll_ups_at_once_give_one_set_of_lines(
    floor: Floor, meeting: None, is_first: bool
) -> None:
    if not is_first:
        RollupCursor.objects.create(name=RollupCursor.PERFORMANCE)
    play(floor)
    assert at_once(roll_up_now, roll_up_now) == [None, None]
    assert stored_lines() == straight_sum()
    assert RollupCursor.objects.get().revision == 1


def test_two_at_once_store_each_worth_once(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have looked up all worths before either stores any."""
    keys = [play(floor, number).pk for number in range(6)]
    barrier = threading.Barrier(2)
    store = worths._store

    def store_together(rows: Iterable[WorthRow]) -> None:
        barrier.wait(timeout=SECONDS_MAX)
        store(rows)

    monkeypatch.setattr(worths, "_store", store_together)
    assert at_once(lambda: appraise(keys), lambda: appraise(keys)) == [None, None]
    assert BetWorth.objects.count() == Bet.objects.count()
    assert list(find_worth_differences()) == []


def test_without_the_lock_two_roll_ups_at_once_collide(
    floor: Floor, meeting: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control of the test above."""
    RollupCursor.objects.create(name=RollupCursor.PERFORMANCE)
    monkeypatch.setattr(rollups, "_lock_cursors", RollupCursor.objects.in_bulk)
    play(floor)
    errors = at_once(roll_up_now, roll_up_now)
    assert [type(error) for error in errors if error] == [IntegrityError]


def test_case_d11_x19_many_roll_ups_beside_entries_lose_and_double_nothing(floor: Floor) -> None:
    stop = threading.Event()

    def keep_rolling_up() -> None:
        while not stop.is_set():
            roll_up(at=AT, batch=3)

    def enter(table: str) -> None:
        for number in range(25):
            at = NOON + number * dt.timedelta(minutes=7)
            play(floor, number, at=at, table=table)

    def enter_all() -> None:
        try:
            assert at_once(lambda: enter("BP-01"), lambda: enter("BP-02")) == [None, None]
        finally:
            stop.set()

    assert at_once(*[keep_rolling_up] * 4, enter_all) == [None] * 5
    roll_up(at=AT)
    expected = straight_sum()
    assert sum(sums.number for key, sums in expected.items() if key.subject == "round") == 50
    assert stored_lines() == expected
    assert not DirtyBucket.objects.exists()


def test_round_committed_during_a_roll_up_keeps_its_mark(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(floor, 0)

    def enter_meanwhile(scope: Scope) -> None:
        insert_lines(scope)
        monkeypatch.setattr(performance, "insert_lines", insert_lines)
        assert at_once(lambda: play(floor, 1)) == [None]

    monkeypatch.setattr(performance, "insert_lines", enter_meanwhile)
    roll_up(at=AT)
    assert stored_lines() != straight_sum()
    assert DirtyBucket.objects.count() == 1
    assert list(find_differences()) == []
    roll_up(at=AT)
    assert stored_lines() == straight_sum()


@contextlib.contextmanager
def held(lock: Callable[[], object]) -> Iterator[None]:
    """Another connection has taken a lock in a transaction that has not ended."""
    is_locked, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            lock()
            is_locked.set()
            assert may_end.wait(SECONDS_MAX)

    with ThreadPoolExecutor(1) as pool:
        holder = pool.submit(at_once, hold)
        assert is_locked.wait(SECONDS_MAX)
        try:
            yield
        finally:
            may_end.set()
        assert holder.result(SECONDS_MAX) == [None]


@pytest.mark.parametrize("lock", [take_next_sequence, lock_table])
def test_roll_up_does_not_wait_for_an_entry(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, lock: Callable[..., object]
) -> None:
    monkeypatch.setattr(rollups, "LOCK_SECONDS_MAX", 1)
    play(floor)
    with held(lambda: lock(user=floor.clerk, code="BP-01")):
        roll_up(at=AT)
    assert stored_lines() == straight_sum()


def test_with_a_stronger_lock_a_roll_up_would_wait_for_an_entry(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control of the test above: why `tables.locks` takes no stronger lock."""
    monkeypatch.setattr(rollups, "LOCK_SECONDS_MAX", 1)
    play(floor)
    with (
        held(lambda: Table.objects.select_for_update().get(code="BP-01")),
        pytest.raises(OperationalError, match="lock timeout"),
    ):
        roll_up(at=AT)
    assert not BucketLine.objects.exists()


def test_wait_for_another_roll_up_is_bounded(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollups, "LOCK_SECONDS_MAX", 1)
    play(floor)
    RollupCursor.objects.create(name=RollupCursor.PERFORMANCE)

    def roll_up_beside() -> None:
        with pytest.raises(OperationalError, match="lock timeout"):
            roll_up(at=AT)

    with transaction.atomic():
        RollupCursor.objects.select_for_update().get()
        assert at_once(roll_up_beside) == [None]
    assert DirtyBucket.objects.count() == 1
