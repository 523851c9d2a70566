"""Work to do is a row of the entry's own transaction; a message is only a wake-up."""

import itertools
import threading
import time
from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoCaptureOnCommitCallbacks

from tables import outbox, recording
from tables.models import DirtyBucket, Round
from tables.outbox import Doorbell, send_wake_up
from tables.rounds.services.rounds import record_round
from tests.builders import NOON, Floor, build_floor, round_body


@pytest.fixture
def rings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rings of the doorbell, instead of messages."""
    heard: list[str] = []
    monkeypatch.setattr(outbox.doorbell, "ring", lambda: heard.append("ring"))
    return heard


def test_case_d04_the_wake_up_follows_the_commit(
    floor: Floor,
    rings: list[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=False) as callbacks:
        record_round.send(actor=floor.clerk, data=round_body(3), at=NOON)
        assert DirtyBucket.objects.count() == 1
    assert rings == []
    for callback in callbacks:
        callback()
    assert rings == ["ring"]


@pytest.mark.django_db(transaction=True)
def test_case_d04_a_rolled_back_entry_leaves_no_work_and_sends_no_message(
    monkeypatch: pytest.MonkeyPatch, rings: list[str], transactional_db: None
) -> None:
    floor = build_floor()

    def fail(*_: object) -> None:
        raise RuntimeError("the last step of the entry broke")

    monkeypatch.setattr(recording, "insert_unless_taken", fail)
    with pytest.raises(RuntimeError):
        record_round.send(actor=floor.clerk, data=round_body(3), at=NOON)

    assert (Round.objects.count(), DirtyBucket.objects.count(), rings) == (0, 0, [])
    floor.tables[0].refresh_from_db()
    assert floor.tables[0].last_sequence == 0
    monkeypatch.undo()


@pytest.mark.django_db(transaction=True)
def test_case_d04_a_message_finds_its_round_committed(
    monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> None:
    floor = build_floor()
    seen: list[tuple[bool, int]] = []

    def look() -> None:
        seen.append((transaction.get_connection().in_atomic_block, Round.objects.count()))

    monkeypatch.setattr(outbox.doorbell, "ring", look)
    record_round.send(actor=floor.clerk, data=round_body(3), at=NOON)

    assert seen == [(False, 1)]


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, list[int]]]:
    """A broker that does not answer until the gate opens, and the messages it has taken."""
    opened = threading.Event()
    taken: list[int] = []

    def hold(_task: str) -> None:
        opened.wait(timeout=30)
        taken.append(1)

    monkeypatch.setattr(outbox, "send_wake_up", hold)
    yield opened, taken
    opened.set()


def test_case_d06_a_silent_broker_does_not_hold_up_who_rings(
    gate: tuple[threading.Event, list[int]],
) -> None:
    opened, taken = gate
    bell = Doorbell("some.task", pause_seconds=0.01)
    started_at = time.monotonic()
    for _ in range(1000):
        bell.ring()
    assert time.monotonic() - started_at < 2
    assert taken == []

    opened.set()
    deadline = time.monotonic() + 10
    while len(taken) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    # A thousand rings are one message under way and one for all that came meanwhile.
    assert len(taken) == 2


def test_rings_in_the_pause_after_a_message_become_one(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[float] = []
    monkeypatch.setattr(outbox, "send_wake_up", lambda _task: taken.append(time.monotonic()))
    bell = Doorbell("some.task", pause_seconds=0.2)
    ended_at = time.monotonic() + 0.5
    while time.monotonic() < ended_at:
        bell.ring()
    time.sleep(0.3)

    # At 0 s, 0.2 s, 0.4 s, and one for the rings after that.
    assert 2 <= len(taken) <= 4
    assert min(two - one for one, two in itertools.pairwise(taken)) >= 0.2


def test_case_d06_a_dead_broker_is_logged_and_no_fault(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class DeadBroker:
        def send_task(self, name: str, **_: object) -> None:
            raise ConnectionRefusedError(name)

    monkeypatch.setattr(outbox, "current_app", DeadBroker())
    send_wake_up("some.task")
    assert "some.task not sent" in caplog.text
    assert "the sweep will find the work" in caplog.text
