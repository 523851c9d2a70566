"""Recorded commands over REST: each may be sent again, and who was refused is kept."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from tables.models import AuditEntry, CommandKey, RefusedCommand, Role, TableSession
from tests.api.conftest import ClientFor
from tests.builders import NOON, Clock, Floor, build_user, round_body

OPEN, CLOSE = "/api/v1/tables/BP-01/open/", "/api/v1/tables/BP-01/close/"
NOTES = "/api/v1/tables/BP-01/rounds/1/notes/"
NOTE = {"id": "n1", "text": "the deck was changed", "reason": "asked by surveillance"}
Stored = Callable[[], dict[str, Any]]


@pytest.fixture
def supervisor(floor: Floor, client_for: ClientFor) -> APIClient:
    """The floor supervisor's client."""
    return client_for(floor.supervisor)


def test_closing_again_under_one_id_gets_the_first_answer_whatever_came_since(
    supervisor: APIClient, clock: Clock
) -> None:
    first = supervisor.post(CLOSE, {"id": "c1"}, format="json")
    clock.now += dt.timedelta(minutes=1)
    assert supervisor.post(OPEN, {"id": "o1"}, format="json").status_code == 200

    again = supervisor.post(CLOSE, {"id": "c1"}, format="json")

    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["is_open"] is False
    assert again.json() == {**first.json(), "replayed": True}
    assert again.headers["Replayed"] == "true"
    assert TableSession.objects.filter(table__code="BP-01", closed_at=None).count() == 1


def test_without_an_id_a_second_closing_is_a_conflict(supervisor: APIClient) -> None:
    assert supervisor.post(CLOSE).status_code == 200
    answer = supervisor.post(CLOSE)
    assert (answer.status_code, answer.json()["code"]) == (409, "table_closed")


def test_taking_a_dealer_off_again_under_one_id_is_a_replay_without_a_body(
    supervisor: APIClient,
) -> None:
    body = {"id": "a1", "table": "BP-01"}
    answers = [supervisor.post("/api/v1/assignments/", body, format="json") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [204, 204]
    assert [answer.headers.get("Replayed") for answer in answers] == [None, "true"]


def test_an_id_used_for_another_command_is_a_conflict(supervisor: APIClient) -> None:
    supervisor.post(CLOSE, {"id": "same"}, format="json")
    answer = supervisor.post(OPEN, {"id": "same"}, format="json")

    assert (answer.status_code, answer.json()["code"]) == (409, "id_conflict")
    assert answer.json()["detail"]["place"] == "id"


def test_who_was_refused_is_kept_with_command_subject_and_code(
    api: APIClient, supervisor: APIClient, floor: Floor, stored: Stored
) -> None:
    before = stored()
    api.post(CLOSE, {"id": "x"}, format="json")
    supervisor.post(OPEN, {"id": "y"}, format="json")
    api.post("/api/v1/rounds/", round_body(1, round_id="z", table="BP-09"), format="json")
    api.post("/api/v1/rounds/", {**round_body(1), "seats": 5}, format="json")

    assert stored() == before
    assert [
        (line.actor, line.command, line.subject, line.client_id, line.code)
        for line in RefusedCommand.objects.order_by("pk")
    ] == [
        (floor.clerk, "table_close", "BP-01", "", "permission_denied"),
        (floor.supervisor, "table_open", "table BP-01", "y", "table_open"),
        (floor.clerk, "round_record", "table BP-09", "z", "not_found"),
        (floor.clerk, "round_record", "", "", "round_malformed"),
    ]


def test_reading_what_one_may_not_read_leaves_no_line(api: APIClient) -> None:
    assert api.get("/api/v1/reports/performance/").status_code == 403
    assert RefusedCommand.objects.count() == 0


def test_an_id_stays_known_when_the_content_could_no_longer_be_recorded(
    api: APIClient, supervisor: APIClient
) -> None:
    body = round_body(1, round_id="r1")
    first = api.post("/api/v1/rounds/", body, format="json")
    supervisor.post(CLOSE)

    again = api.post("/api/v1/rounds/", {**body}, format="json")

    assert again.json() == {**first.json(), "replayed": True}


def test_a_note_on_a_round_is_a_record_of_its_own(
    api: APIClient, floor: Floor, client_for: ClientFor, stored: Stored
) -> None:
    api.post("/api/v1/rounds/", round_body(1), format="json")
    surveillance = client_for(floor.surveillance)

    first = surveillance.post(NOTES, NOTE, format="json")
    again = surveillance.post(NOTES, NOTE, format="json")
    other = surveillance.post(NOTES, {**NOTE, "text": "it was not"}, format="json")

    assert first.status_code == 201, first.json()
    assert first.json() == {
        **NOTE,
        "table": "BP-01",
        "sequence": 1,
        "noted_by": "la-surveillance",
        "recorded_at": (NOON + dt.timedelta(minutes=1)).isoformat(),
        "replayed": False,
    }
    assert (again.status_code, again.json()) == (200, {**first.json(), "replayed": True})
    assert other.json()["detail"]["place"] == "text"
    entry = AuditEntry.objects.get(command="round_note")
    assert (entry.subject, entry.detail) == (
        "round BP-01/1",
        {**NOTE, "table": "BP-01", "sequence": 1},
    )
    assert surveillance.post(NOTES.replace("1/notes", "2/notes"), NOTE).status_code == 415
    missing = surveillance.post(
        NOTES.replace("1/notes", "2/notes"), {**NOTE, "id": "n2"}, format="json"
    )
    assert missing.status_code == 404


def test_a_preview_takes_no_lock_and_writes_nothing(api: APIClient, stored: Stored) -> None:
    before = stored()
    with CaptureQueriesContext(connection) as captured:
        answer = api.post("/api/v1/rounds/preview/", round_body(1), format="json")

    assert answer.status_code == 200
    statements = [query["sql"] for query in captured]
    assert {sql.split()[0] for sql in statements} == {"SELECT"}
    assert [sql for sql in statements if "FOR " in sql.upper().split("WHERE")[-1]] == []
    assert stored() == before


def test_who_sent_it_first_is_kept_and_who_sent_it_again(
    api: APIClient, floor: Floor, client_for: ClientFor
) -> None:
    colleague = build_user(floor.casino, Role.CLERK, "colleague")
    body = round_body(1, round_id="r1")
    for client in (api, client_for(colleague), api, client_for(colleague)):
        client.post("/api/v1/rounds/", body, format="json")

    key = CommandKey.objects.get(client_id="r1")
    assert key.actor == floor.clerk
    resent = [resend.actor for resend in key.resends.order_by("pk")]
    assert resent == [colleague, floor.clerk]
