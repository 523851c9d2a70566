"""Asking what if over HTTP: what is stored, what is refused, what is answered again."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from celery import current_app
from django.db import IntegrityError, transaction
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from config.beat_schedule import BEAT_SCHEDULE
from reporting.tasks import what_if_task
from reporting.what_if import services
from reporting.what_if.models import WhatIf
from reporting.what_if.services import WAITING_MAX
from reporting.what_if.shapes import LAST_ROUNDS_MAX
from tables import outbox
from tables.models import AuditEntry, User
from tests.builders import Floor, build_floor
from tests.reporting.what_ifs import ask

URL = "/api/v1/what-if/"
BODY: dict[str, Any] = {
    "id": "w1",
    "changes": {
        "qualifier": "A-high",
        "house_way": [1, 2, 5, 3, 4, 6, 7],
        "break_bonus": {"trips": "7 to 1", "akq": None},
    },
    "last_rounds": 50,
}
CANONICAL = {
    "qualifier": "A-4-2",
    "house_way": [1, 2, 5, 3, 4, 6, 7],
    "break_bonus": {"trips": "7 to 1", "akq": None},
}

Post = Callable[..., Any]


@pytest.fixture
def post(floor: Floor) -> Post:
    """Send a body as a manager; a fault of ours is an answer."""

    def send(body: Any, *, user: User | None = None) -> Any:
        client = Client(raise_request_exception=False)
        client.force_login(user or floor.manager)
        text = body if isinstance(body, (str, bytes)) else json.dumps(body)
        return client.post(URL, text, content_type="application/json")

    return send


def stored() -> tuple[int, int]:
    return WhatIf.objects.count(), AuditEntry.objects.filter(command="what_if").count()


def test_a_what_if_is_stored_as_work_and_answered_at_once(floor: Floor, post: Post) -> None:
    answer = post(BODY)

    assert answer.status_code == 202
    body = answer.json()
    assert body["changes"] == CANONICAL
    assert (body["state"], body["progress"], body["result"]) == ("waiting", 0, None)
    assert (body["ruleset"], body["replayed"]) == (floor.casino.ruleset_id, False)
    assert (body["url"], body["page"]) == ("/api/v1/what-if/w1/", "/reports/what-if/w1/")
    row = WhatIf.objects.get()
    assert (row.property, row.asked_by, row.changes) == (floor.casino, floor.manager, CANONICAL)
    assert (row.last_rounds, row.state, row.attempts) == (50, "waiting", 0)
    entry = AuditEntry.objects.get(command="what_if")
    assert entry.detail["changes"].startswith("qualifier A-4-2; house way 1 2 5")


def test_rounds_are_a_thousand_unless_said(post: Post) -> None:
    post({"id": "w1", "changes": {}})
    assert WhatIf.objects.get().last_rounds == 1000


def test_the_same_again_in_another_spelling_is_a_replay(post: Post) -> None:
    first = post(BODY).json()
    again = post({**BODY, "changes": {**CANONICAL, "qualifier": "a-4-2"}})

    assert again.status_code == 200
    assert again.json() == {**first, "replayed": True}
    assert stored() == (1, 1)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"last_rounds": 51}, "last_rounds"),
        ({"changes": {**CANONICAL, "qualifier": "K-high"}}, "changes.qualifier"),
        ({"changes": {"qualifier": "A-high"}}, "changes.house_way"),
        ({"changes": {**CANONICAL, "house_way": [1, 5, 2, 3, 4, 6, 7]}}, "changes.house_way[1]"),
        ({"changes": {**CANONICAL, "main": "2 to 1"}}, "changes.main"),
        (
            {"changes": {**CANONICAL, "break_bonus": {"trips": "7 to 1", "akq": "1 to 1"}}},
            "changes.break_bonus.akq",
        ),
    ],
)
def test_the_same_id_for_another_question_is_a_conflict(
    post: Post, change: dict[str, Any], place: str
) -> None:
    post(BODY)
    answer = post({**BODY, **change})

    assert (answer.status_code, answer.json()["code"]) == (409, "id_conflict")
    assert answer.json()["detail"]["place"] == place
    assert stored() == (1, 1)


def test_two_of_one_id_at_once_are_one(
    floor: Floor, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(floor, "w1", changes=BODY["changes"], last_rounds=50)

    answer = post(BODY)

    assert (answer.status_code, answer.json()["replayed"]) == (200, True)
    assert stored() == (1, 1)


@pytest.mark.parametrize(
    ("body", "code", "place"),
    [
        ("", "field_invalid", "id"),
        ("{", "json_malformed", ""),
        ("[]", "field_invalid", ""),
        ({}, "field_invalid", "id"),
        ({"id": "w1"}, "field_invalid", "changes"),
        ({"changes": {}}, "field_invalid", "id"),
        ({**BODY, "extra": 1}, "field_invalid", "extra"),
        ({**BODY, "id": ""}, "field_invalid", "id"),
        ({**BODY, "id": 7}, "field_invalid", "id"),
        ({**BODY, "id": "../w1"}, "field_invalid", "id"),
        ({**BODY, "id": "x" * 65}, "field_invalid", "id"),
        ({**BODY, "last_rounds": -1}, "field_invalid", "last_rounds"),
        ({**BODY, "last_rounds": LAST_ROUNDS_MAX + 1}, "field_invalid", "last_rounds"),
        ({**BODY, "last_rounds": True}, "field_invalid", "last_rounds"),
        ({**BODY, "last_rounds": 1.0}, "field_invalid", "last_rounds"),
        ({**BODY, "last_rounds": "1"}, "field_invalid", "last_rounds"),
        ({**BODY, "last_rounds": None}, "field_invalid", "last_rounds"),
        ({**BODY, "changes": []}, "rule_changes_malformed", "changes"),
        ({**BODY, "changes": {"quali": 1}}, "rule_changes_malformed", "changes.quali"),
        ({**BODY, "changes": {"qualifier": "A-3-2"}}, "qualifier_malformed", "changes.qualifier"),
        ({**BODY, "changes": {"main": "0 to 1"}}, "odds_malformed", "changes.main"),
        ({**BODY, "changes": {"house_way": [1]}}, "house_way_malformed", "changes.house_way"),
        (
            {**BODY, "changes": {"break_bonus": {"akq": 1}}},
            "odds_malformed",
            "changes.break_bonus.akq",
        ),
        (
            '{"id": "w1", "changes": {"main": 1e400}}',
            "odds_malformed",
            "changes.main",
        ),
        (
            '{"id": "w1", "changes": {"house_way": [NaN, 1, 2, 3, 4, 5, 6]}}',
            "house_way_malformed",
            "changes.house_way",
        ),
    ],
)
def test_bad_input_is_refused_with_its_place_and_stores_nothing(
    post: Post, body: Any, code: str, place: str
) -> None:
    answer = post(body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert answer.json()["detail"]["place"] == place
    assert stored() == (0, 0)


def test_all_faults_of_the_changes_are_told_at_once(post: Post) -> None:
    answer = post({"id": "w1", "changes": {"qualifier": "?", "main": "?", "x": 1}})
    assert [fault["detail"]["place"] for fault in answer.json()["detail"]["faults"]] == [
        "changes.x",
        "changes.qualifier",
        "changes.main",
    ]


def test_no_more_may_wait_than_can_be_worked_off(floor: Floor, post: Post) -> None:
    for number in range(WAITING_MAX):
        ask(floor, f"w-{number}")
    answer = post({**BODY, "id": "one-more"})
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert WhatIf.objects.count() == WAITING_MAX
    # What is known is answered all the same.
    assert post({"id": "w-0", "changes": {"qualifier": "A-high"}, "last_rounds": 100}).json()[
        "replayed"
    ]


def test_other_roles_and_another_property_see_nothing(floor: Floor, post: Post) -> None:
    ask(floor)
    for user in (floor.clerk, floor.supervisor, floor.surveillance):
        assert post(BODY, user=user).status_code == 403
    other = build_floor(code="MO", zone="Asia/Macau")
    client = Client()
    client.force_login(other.manager)
    answer = client.get(f"{URL}w1/")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert client.get("/reports/what-if/w1/").status_code == 404
    assert "qualifier A-4-2" not in client.get("/reports/what-if/").content.decode()
    # Its own what-if may have the same id.
    assert post(BODY, user=other.manager).status_code == 202
    client.force_login(floor.manager)
    assert client.get(f"{URL}w1/").json()["changes"] == {"qualifier": "A-4-2"}


@pytest.mark.parametrize("name", ["w2", "W1", "w1%2F..", "%00", "é"])
def test_an_id_that_is_none_is_not_found(floor: Floor, client: Client, name: str) -> None:
    ask(floor)
    client.force_login(floor.manager)
    assert client.get(f"{URL}{name}/").status_code == 404


def test_the_wake_up_follows_the_commit_and_a_replay_sends_none(
    floor: Floor,
    post: Post,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    rings: list[int] = []
    monkeypatch.setattr(services.doorbell, "ring", lambda: rings.append(1))
    with django_capture_on_commit_callbacks(execute=True):
        assert post(BODY).status_code == 202
        assert rings == []
    assert rings == [1]
    with django_capture_on_commit_callbacks(execute=True):
        assert post(BODY).status_code == 200
    assert rings == [1]


def test_a_dead_broker_does_not_hold_up_the_answer(
    floor: Floor,
    post: Post,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    class DeadBroker:
        def send_task(self, name: str, **_: object) -> None:
            raise ConnectionRefusedError(name)

    monkeypatch.setattr(outbox, "current_app", DeadBroker())
    with django_capture_on_commit_callbacks(execute=True):
        assert post(BODY).status_code == 202
    assert WhatIf.objects.get().state == "waiting"


def test_task_is_the_one_that_wake_up_and_sweep_name() -> None:
    assert what_if_task.name == services.TASK
    assert what_if_task.name in current_app.tasks
    assert what_if_task.name in {entry["task"] for entry in BEAT_SCHEDULE.values()}


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({"state": "lost"}, "whatif_state_known"),
        ({"progress": 101}, "whatif_progress_to_100"),
        ({"state": "done"}, "whatif_done_has_result"),
        ({"result": {}}, "whatif_done_has_result"),
        ({"state": "failed"}, "whatif_failed_has_error"),
        ({"error": "broken"}, "whatif_failed_has_error"),
        ({"state": "running"}, "whatif_one_running"),
        ({"what_if_id": "running"}, "whatif_id_unique"),
    ],
)
def test_the_database_holds_the_rules_of_a_row(
    floor: Floor, fields: dict[str, Any], constraint: str
) -> None:
    ask(floor, "running")
    WhatIf.objects.update(state="running")
    row = ask(floor, "other")
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        WhatIf.objects.filter(pk=row.pk).update(**fields)
    # SQLite names the columns of a unique index instead of the index.
    named = {"whatif_one_running": "state", "whatif_id_unique": "what_if_id"}
    assert constraint in str(caught.value) or named[constraint] in str(caught.value)
