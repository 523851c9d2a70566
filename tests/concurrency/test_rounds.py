"""Many entries at once: no lost round, no doubled round, no number twice or missing."""

import functools
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError
from django.db import connection as default_connection
from django.test.utils import CaptureQueriesContext
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from tables.errors import ConflictError, IdempotencyConflictError, RoundVoidedError, TableOpenError
from tables.floor.services.tables import assign_dealer, close_table, open_table
from tables.models import (
    AuditEntry,
    DealerAssignment,
    DirtyBucket,
    Role,
    Round,
    RoundVoid,
    Table,
    TableSession,
    User,
)
from tables.recording import Recorded
from tables.rounds.services import rounds
from tables.rounds.services.rounds import record_round
from tables.rounds.services.voids import void_round
from tests.builders import NOON, Floor, build_user, round_body
from tests.concurrency.conftest import Race

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def _post(user: User, body: dict[str, Any]) -> Any:
    client = APIClient(raise_request_exception=False)
    client.credentials(HTTP_AUTHORIZATION=f"Token {Token.objects.get(user=user).key}")
    return client.post("/api/v1/rounds/", body, format="json")


def test_case_c03_twenty_posts_of_one_round_store_one(committed_floor: Floor, race: Race) -> None:
    Token.objects.create(user=committed_floor.clerk)
    body = round_body(3)

    answers = race([functools.partial(_post, committed_floor.clerk, body)] * 20)

    assert sorted(answer.status_code for answer in answers) == [200] * 19 + [201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert {answer.json()["sequence"] for answer in answers} == {1}
    assert Round.objects.count() == 1
    assert DirtyBucket.objects.count() == 1
    assert AuditEntry.objects.filter(command="round_record").count() == 1


def test_case_c03_one_id_at_two_tables_at_once_stores_one(
    committed_floor: Floor, race: Race
) -> None:
    for attempt in range(10):
        calls = [
            functools.partial(
                record_round.send,
                actor=committed_floor.clerk,
                data=round_body(3, table=table, round_id=f"same-{attempt}"),
                at=NOON,
            )
            for table in ("BP-01", "BP-02")
        ]
        results = race(calls)

        assert {type(result) for result in results} == {Recorded, IdempotencyConflictError}
        assert Round.objects.filter(round_id=f"same-{attempt}").count() == 1
    # The refused one has taken no number.
    assert sum(Table.objects.values_list("last_sequence", flat=True)) == 10


def test_case_n33_two_operators_at_once_with_one_id_store_one(
    committed_floor: Floor, race: Race
) -> None:
    colleague = build_user(committed_floor.casino, Role.CLERK, "colleague")
    calls = [
        functools.partial(
            record_round.send, actor=user, data=round_body(3, round_id="same"), at=NOON
        )
        for user in (committed_floor.clerk, colleague)
    ]

    results = race(calls)

    assert sorted(result.is_replay for result in results) == [False, True]
    assert Round.objects.count() == 1


def _fifty_rounds(floor: Floor) -> list[Callable[[], Any]]:
    return [
        functools.partial(record_round.send, actor=floor.clerk, data=round_body(number), at=NOON)
        for number in range(50)
    ]


def test_case_x10_fifty_rounds_at_one_table_are_numbered_without_gap(
    committed_floor: Floor, race: Race
) -> None:
    results = race(_fifty_rounds(committed_floor))

    assert [type(result) for result in results] == [Recorded] * 50
    numbers = sorted(Round.objects.values_list("sequence", flat=True))
    assert numbers == list(range(1, 51))


def test_case_x10_without_the_lock_the_same_race_goes_wrong(
    committed_floor: Floor, race: Race, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The negative control: it shows that the race above can fail.
    def unlocked(*, user: User, code: str) -> Table:
        table = Table.objects.select_related("property").get(property=user.property, code=code)
        table.last_sequence += 1
        return table

    monkeypatch.setattr(rounds, "take_next_sequence", unlocked)

    results = race(_fifty_rounds(committed_floor))

    assert any(isinstance(result, IntegrityError) for result in results)
    assert Round.objects.count() < 50


def test_a_refused_round_leaves_no_gap(committed_floor: Floor) -> None:
    def record(number: int, **changes: Any) -> Any:
        return record_round.send(
            actor=committed_floor.clerk, data=round_body(number, **changes), at=NOON
        )

    record(0)
    with pytest.raises(ConflictError):
        record(1, occurred_at="2020-01-01T00:00:00Z")
    assert record(2).record.sequence == 2


def test_ten_voids_at_once_void_once(committed_floor: Floor, race: Race) -> None:
    record_round.send(actor=committed_floor.clerk, data=round_body(3), at=NOON)
    calls = [
        functools.partial(
            void_round.send,
            actor=committed_floor.supervisor,
            table="BP-01",
            sequence=1,
            data={
                "id": f"v{number}",
                "reason_code": "other",
                "reason": "r",
                "authority": "la-manager",
            },
            at=NOON,
        )
        for number in range(10)
    ]

    results = race(calls)

    assert sum(isinstance(result, RoundVoidedError) for result in results) == 9
    assert RoundVoid.objects.count() == 1


def test_case_c06_ten_closings_close_once_and_ten_openings_open_once(
    committed_floor: Floor, race: Race
) -> None:
    supervisor = committed_floor.supervisor
    closing = functools.partial(close_table.send, data={}, actor=supervisor, table="BP-01", at=NOON)
    opening = functools.partial(open_table.send, data={}, actor=supervisor, table="BP-01", at=NOON)

    closed = race([closing] * 10)
    assert sum(isinstance(result, Recorded) for result in closed) == 1
    opened = race([opening] * 10)
    assert sum(isinstance(result, Recorded) for result in opened) == 1
    assert sum(isinstance(result, TableOpenError) for result in opened) == 9
    assert TableSession.objects.filter(table__code="BP-01").count() == 2


def test_one_dealer_wanted_at_two_tables_at_once_deals_at_one(
    committed_floor: Floor, race: Race
) -> None:
    calls = [
        functools.partial(
            assign_dealer.send,
            actor=committed_floor.clerk,
            data={"table": table, "dealer": "D103"},
            at=NOON,
        )
        for table in ("BP-01", "BP-02")
    ] * 5

    results = race(calls)

    # The same instant twice is a conflict, never a fault of the database.
    assert {type(result) for result in results} <= {Recorded, type(_conflict(results))}
    assert DealerAssignment.objects.filter(ends_at=None, dealer__badge="D103").count() == 1


def _conflict(results: list[Any]) -> Any:
    conflicts = [result for result in results if isinstance(result, ConflictError)]
    assert conflicts
    return conflicts[0]


def test_locks_are_taken_in_their_order(committed_floor: Floor) -> None:
    with CaptureQueriesContext(default_connection) as captured:
        assign_dealer.send(
            actor=committed_floor.clerk, data={"table": "BP-02", "dealer": "D101"}, at=NOON
        )

    locked = [query["sql"] for query in captured if "FOR NO KEY UPDATE" in query["sql"]]
    assert [sql.split('FROM "')[1].split('"')[0] for sql in locked] == [
        "tables_table",
        "tables_dealer",
        "tables_dealerassignment",
    ]
    assert "ORDER BY" in locked[-1]


def test_an_entry_does_not_wait_for_another_table(committed_floor: Floor, race: Race) -> None:
    calls = [
        functools.partial(
            record_round.send,
            actor=committed_floor.clerk,
            data=round_body(number, table=f"BP-0{1 + number % 2}"),
            at=NOON,
        )
        for number in range(20)
    ]

    results = race(calls)

    assert [type(result) for result in results] == [Recorded] * 20
    for table in Table.objects.all():
        sequences = Round.objects.filter(table=table).values_list("sequence", flat=True)
        assert sorted(sequences) == list(range(1, 11))
