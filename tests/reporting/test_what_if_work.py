"""Working what-ifs off: one at a time, once, and none lost."""

import datetime as dt
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError

from reporting.tasks import what_if_task
from reporting.what_if import work
from reporting.what_if.models import WhatIf
from reporting.what_if.work import ATTEMPTS_MAX, LostError, take_next, work_off
from tests.architecture.source import ROOT
from tests.builders import NOON, Clock, Floor
from tests.reporting.play import play
from tests.reporting.what_ifs import ask

SECOND = dt.timedelta(seconds=1)
Compare = Callable[..., dict[str, Any]]


@pytest.fixture
def comparing(monkeypatch: pytest.MonkeyPatch) -> list[Compare]:
    """What stands in for the comparison of the odds: the last of the list, which takes no time."""
    stand_ins: list[Compare] = [lambda *_, **__: {"today": {}, "what_if": {}}]

    def compare(*rulesets: Any, **how: Any) -> dict[str, Any]:
        return stand_ins[-1](*rulesets, **how)

    monkeypatch.setattr("reporting.what_if.comparison.compare_odds", compare)
    return stand_ins


def states() -> list[tuple[str, str]]:
    return list(WhatIf.objects.order_by("pk").values_list("what_if_id", "state"))


def test_task_answers_all_that_wait_in_their_order(
    floor: Floor, comparing: list[Compare], caplog: pytest.LogCaptureFixture
) -> None:
    play(floor)
    order: list[str] = []

    def compare(today: Any, varied: Any, **_: Any) -> dict[str, Any]:
        order.append(varied.id)
        assert WhatIf.objects.filter(state="running").count() == 1
        return {"today": {}}

    comparing.append(compare)
    ask(floor, "b")
    ask(floor, "a", changes={"main": "2 to 1"}, last_rounds=0)
    with caplog.at_level("INFO", logger="reporting.what_if.tasks"):
        what_if_task()

    assert states() == [("b", "done"), ("a", "done")]
    assert order == [
        "break-poker/rules-as-written@1 (qualifier A-4-2)",
        "break-poker/rules-as-written@1 (main bet 2 to 1)",
    ]
    assert caplog.messages == ["worked off 2 what-ifs"]
    first, second = WhatIf.objects.order_by("pk")
    assert (first.progress, first.attempts, first.error) == (100, 1, "")
    assert first.finished_at is not None
    assert (first.result or {})["rounds"]["rounds"] == 1
    assert (second.result or {})["rounds"]["rounds"] == 0
    assert work_off() == 0


def test_progress_is_written_while_it_runs(
    floor: Floor, comparing: list[Compare], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "SIGN_SECONDS", 0.0)
    row = ask(floor)
    seen = []

    def compare(*_: Any, progress: Callable[[float], None], **__: Any) -> dict[str, Any]:
        for part in (0.0, 0.5, 1.0):
            progress(part)
            row.refresh_from_db()
            seen.append((row.state, row.progress))
        return {}

    comparing.append(compare)
    work_off()
    assert seen == [("running", 0), ("running", 40), ("running", 80)]


def test_progress_is_not_written_more_often_than_it_is_looked_at(
    floor: Floor, comparing: list[Compare]
) -> None:
    row = ask(floor)

    def compare(*_: Any, progress: Callable[[float], None], **__: Any) -> dict[str, Any]:
        for _step in range(1000):
            progress(0.5)
        row.refresh_from_db()
        seen.append(row.progress)
        return {}

    seen: list[int] = []
    comparing.append(compare)
    assert work_off() == 1
    assert seen == [0]


def test_while_one_runs_no_other_is_taken(floor: Floor) -> None:
    ask(floor, "first")
    ask(floor, "second")
    first = take_next(at=NOON)
    assert first is not None
    assert (first.what_if_id, first.attempts) == ("first", 1)
    assert take_next(at=NOON + 59 * SECOND) is None
    assert states() == [("first", "running"), ("second", "waiting")]


def test_what_if_of_a_killed_worker_is_taken_again(
    floor: Floor, clock: Clock, comparing: list[Compare], caplog: pytest.LogCaptureFixture
) -> None:
    ask(floor)
    killed = take_next(at=clock.now)
    assert killed is not None

    clock.now += 61 * SECOND
    assert work_off() == 1
    assert states() == [("w1", "done")]
    assert WhatIf.objects.get().attempts == 2
    assert "1 wait again" in caplog.text


def test_worker_that_comes_back_writes_nothing(
    floor: Floor, clock: Clock, comparing: list[Compare], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "SIGN_SECONDS", 0.0)
    ask(floor)
    lost = []

    def come_back(*_: Any, progress: Callable[[float], None], **__: Any) -> dict[str, Any]:
        comparing.pop()
        clock.now += 61 * SECOND
        again = take_next(at=clock.now)
        assert again is not None
        assert again.attempts == 2
        try:
            progress(0.5)
        except LostError:
            lost.append(True)
            raise
        return {}

    comparing.append(come_back)
    assert work_off() == 0
    assert lost == [True]
    row = WhatIf.objects.get()
    assert (row.state, row.attempts, row.progress) == ("running", 2, 0)


def test_result_of_a_worker_that_comes_back_too_late_is_dropped(
    floor: Floor, clock: Clock, comparing: list[Compare]
) -> None:
    ask(floor)

    def be_late(*_: Any, **__: Any) -> dict[str, Any]:
        comparing.pop()
        clock.now += 61 * SECOND
        assert take_next(at=clock.now) is not None
        return {"late": True}

    comparing.append(be_late)
    assert work_off() == 0
    assert states() == [("w1", "running")]


def test_what_if_that_kills_its_workers_fails_after_some(floor: Floor, clock: Clock) -> None:
    ask(floor, "deadly")
    ask(floor, "harmless")
    for _ in range(ATTEMPTS_MAX):
        taken = take_next(at=clock.now)
        assert taken is not None
        assert taken.what_if_id == "deadly"
        clock.now += 61 * SECOND
    taken = take_next(at=clock.now)
    assert taken is not None
    assert taken.what_if_id == "harmless"
    deadly = WhatIf.objects.get(what_if_id="deadly")
    assert deadly.state == "failed"
    assert "3 workers have begun" in deadly.error
    assert deadly.finished_at == clock.now


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        (RuntimeError("secret"), "it could not be worked out (RuntimeError): the log has"),
        (MemoryError(), "it could not be worked out (MemoryError)"),
        (SoftTimeLimitExceeded(), "it took longer than 90 seconds"),
    ],
)
def test_failure_is_stored_logged_and_does_not_stop_the_next(
    floor: Floor,
    comparing: list[Compare],
    caplog: pytest.LogCaptureFixture,
    raised: Exception,
    words: str,
) -> None:
    ask(floor, "bad")
    ask(floor, "good")

    def fail(*_: Any, **__: Any) -> dict[str, Any]:
        comparing.pop()
        raise raised

    comparing.append(fail)
    work_off()

    assert states() == [("bad", "failed"), ("good", "done")]
    row = WhatIf.objects.get(what_if_id="bad")
    assert words in row.error
    assert "secret" not in row.error
    assert row.result is None
    assert "what-if bad of Casino LA" in caplog.text


def test_lost_database_leaves_the_row_to_the_next_worker(
    floor: Floor, clock: Clock, comparing: list[Compare]
) -> None:
    ask(floor)

    def fail(*_: Any, **__: Any) -> dict[str, Any]:
        comparing.pop()
        raise OperationalError("server closed the connection")

    comparing.append(fail)
    with pytest.raises(OperationalError):
        work_off()
    assert states() == [("w1", "running")]
    clock.now += 61 * SECOND
    assert work_off() == 1
    assert states() == [("w1", "done")]


def test_ruleset_of_a_later_release_fails_with_its_name(floor: Floor) -> None:
    row = ask(floor)
    WhatIf.objects.filter(pk=row.pk).update(ruleset_id="break-poker/gone@9")
    work_off()
    row.refresh_from_db()
    assert (row.state, "UnknownRulesetError" in row.error) == ("failed", True)


def test_nothing_is_begun_that_could_not_end_in_time(
    floor: Floor, comparing: list[Compare], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "BEGIN_SECONDS_MAX", -1)
    ask(floor)
    assert work_off() == 0
    assert states() == [("w1", "waiting")]


def test_asking_and_showing_load_no_array_code() -> None:
    program = (
        "import sys, django; django.setup();"
        "import reporting.what_if.api, reporting.what_if.pages, reporting.tasks;"
        "print({'numpy', 'numba'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "config.settings.test"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.strip() == "set()"
