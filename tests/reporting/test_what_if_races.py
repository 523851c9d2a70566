"""Workers beside each other, and two askers of one id, on a real PostgreSQL with real threads."""

import datetime as dt
import threading
from typing import Any

import pytest
from django.db import connection

from reporting.what_if import work
from reporting.what_if.models import WhatIf
from reporting.what_if.services import ask_what_if
from reporting.what_if.work import take_next, work_off
from tables.models import AuditEntry
from tests.builders import NOON, Floor
from tests.reporting.test_races import at_once
from tests.reporting.what_ifs import ask

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL"),
]

WORKERS = 4


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rulesets whose comparison was begun; a comparison beside another one fails."""
    found: list[str] = []
    alone = threading.Lock()

    def compare(_today: Any, varied: Any, **_: Any) -> dict[str, Any]:
        assert alone.acquire(blocking=False), "two at once"
        try:
            found.append(varied.id)
            return {}
        finally:
            alone.release()

    monkeypatch.setattr("reporting.what_if.comparison.compare_odds", compare)
    return found


def test_workers_at_once_answer_every_what_if_once(floor: Floor, begun: list[str]) -> None:
    for number in range(2, 12):
        ask(floor, f"w-{number}", changes={"main": f"{number} to 1"})

    assert at_once(*[work_off] * WORKERS) == [None] * WORKERS
    # A worker that met another one at a row has left the rest to it, or to the sweep.
    work_off()

    assert len(begun) == 10
    assert len(set(begun)) == 10
    assert set(WhatIf.objects.values_list("state", "attempts")) == {("done", 1)}


@pytest.mark.parametrize("is_dead", [False, True])
def test_one_of_many_takers_gets_a_row(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, is_dead: bool
) -> None:
    ask(floor, "one")
    ask(floor, "two")
    at = NOON
    if is_dead:
        take_next(at=at)
        at += dt.timedelta(seconds=61)
    together = threading.Barrier(WORKERS, timeout=10)
    taken = []

    def let_go_together(*, at: dt.datetime) -> None:
        let_go(at=at)
        together.wait()

    let_go = work._let_go_of_the_dead
    monkeypatch.setattr(work, "_let_go_of_the_dead", let_go_together)

    def take() -> None:
        found = take_next(at=at)
        if found is not None:
            taken.append((found.what_if_id, found.attempts))

    assert at_once(*[take] * WORKERS) == [None] * WORKERS
    assert taken == [("one", 2 if is_dead else 1)]
    assert WhatIf.objects.filter(state="running").count() == 1


def test_two_askers_of_one_id_at_once_store_it_once(floor: Floor) -> None:
    together = threading.Barrier(WORKERS, timeout=10)
    replays = []

    def ask_together() -> None:
        together.wait()
        body = {"id": "w1", "changes": {"qualifier": "A-high"}}
        replays.append(ask_what_if.send(actor=floor.manager, data=body, at=NOON).is_replay)

    assert at_once(*[ask_together] * WORKERS) == [None] * WORKERS
    assert sorted(replays) == [False, True, True, True]
    assert WhatIf.objects.count() == 1
    assert AuditEntry.objects.filter(command="what_if").count() == 1
