import pytest
from celery import current_app
from django.db import IntegrityError, OperationalError

from config.beat_schedule import BEAT_SCHEDULE
from reporting.figures import tasks
from reporting.figures.services import RollUpResult
from reporting.tasks import roll_up_task
from tables.models import DirtyBucket
from tests.builders import Floor
from tests.reporting.play import play
from tests.reporting.straight_sum import stored_lines, straight_sum


def test_task_rolls_up_and_may_run_again(floor: Floor, caplog: pytest.LogCaptureFixture) -> None:
    play(floor)
    with caplog.at_level("INFO", logger="reporting.figures.tasks"):
        roll_up_task()
        roll_up_task()
    assert stored_lines() == straight_sum()
    assert not DirtyBucket.objects.exists()
    assert caplog.messages == [
        "rolled up 1 marks in 1 transactions",
        "rolled up 0 marks in 0 transactions",
    ]


def test_task_is_the_one_that_wake_up_and_sweep_name() -> None:
    assert roll_up_task.name == "reporting.roll_up"
    assert roll_up_task.name in current_app.tasks
    assert roll_up_task.name in {entry["task"] for entry in BEAT_SCHEDULE.values()}


@pytest.mark.parametrize(("error", "calls"), [(OperationalError, 6), (IntegrityError, 1)])
def test_task_tries_again_on_a_transient_error_only_and_not_for_ever(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception], calls: int
) -> None:
    called = []

    def fail(**_: object) -> RollUpResult:
        called.append(1)
        raise error

    monkeypatch.setattr(tasks, "roll_up", fail)
    assert isinstance(roll_up_task.apply(throw=False).result, error)
    assert len(called) == calls
