"""What every test may use."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations

from tables.append_only import allow_changes, append_only_models, refuse_changes
from tables.errors import IdempotencyConflictError
from tables.models import (
    AuditEntry,
    Bet,
    DirtyBucket,
    Misdeal,
    Round,
    RoundVoid,
    SeatHand,
    Table,
    User,
)
from tables.property.services.settings import change_day_start
from tables.rounds.services.misdeals import record_misdeal
from tables.rounds.services.notes import note_on_round
from tables.rounds.services.rounds import record_round
from tables.rounds.services.voids import void_round
from tests.builders import NOON, Clock, Floor, build_floor, round_body


@pytest.fixture(autouse=True, scope="session")
def _flush_may_delete() -> Iterator[None]:
    """Let the test runner empty the append-only tables between transactional tests.

    Only the runner's own flush: the triggers are dropped for it and made again right after.
    """
    original: Callable[..., Any] = BaseDatabaseOperations.execute_sql_flush

    def flush(self: BaseDatabaseOperations, sql_list: Any) -> None:
        with connection.schema_editor() as editor:
            for model in append_only_models():
                allow_changes(editor, model)
        with connection.cursor() as cursor:
            guards = _guards_of_deletion()
            for name, _ in guards:
                cursor.execute(f"DROP TRIGGER {name}")
        original(self, sql_list)
        with connection.cursor() as cursor:
            for _, statement in guards:
                cursor.execute(statement)
        with connection.schema_editor() as editor:
            for model in append_only_models():
                refuse_changes(editor, model)

    BaseDatabaseOperations.execute_sql_flush = flush  # type: ignore[method-assign]
    yield
    BaseDatabaseOperations.execute_sql_flush = original  # type: ignore[method-assign]


def _guards_of_deletion() -> list[tuple[str, str]]:
    """The guards that would refuse the flush; PostgreSQL's truncates, which they do not see."""
    if connection.vendor != "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE name LIKE '%_never_deleted'")
        return list(cursor.fetchall())


@pytest.fixture
def floor(db: None) -> Floor:
    """A casino in Los Angeles with two open tables, dealers on both, and a user a role."""
    return build_floor()


@pytest.fixture
def clerk(floor: Floor) -> User:
    """The pit clerk of `floor`."""
    return floor.clerk


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The server's clock stands a minute past noon in Los Angeles on 29 November 2026."""
    standing = Clock()
    monkeypatch.setattr("django.utils.timezone.now", standing)
    return standing


@pytest.fixture
def stored() -> Callable[[], dict[str, Any]]:
    """Everything a request may write, counted; equal before and after a refusal."""

    def count() -> dict[str, Any]:
        models = (Round, SeatHand, Bet, RoundVoid, Misdeal, DirtyBucket, AuditEntry)
        rows: dict[str, Any] = {model.__name__: model.objects.count() for model in models}
        rows["sequences"] = list(Table.objects.order_by("pk").values_list("last_sequence"))
        return rows

    return count


@pytest.fixture
def history(floor: Floor) -> Floor:
    """A floor with a round, its void and note, a misdeal sent twice, a plan, something refused."""
    record_round.send(actor=floor.clerk, data=round_body(3), at=NOON)
    void_round.send(
        actor=floor.supervisor,
        table="BP-01",
        sequence=1,
        data={"id": "v", "reason_code": "other", "reason": "r", "authority": "la-manager"},
        at=NOON,
    )
    misdeal = {
        "id": "m",
        "table": "BP-01",
        "occurred_at": NOON.isoformat(),
        "kind": "wrong_card_count",
        "seats_in_play": 1,
        "reason": "r",
        "authority": "la-manager",
    }
    record_misdeal.send(actor=floor.clerk, data=misdeal, at=NOON)
    note = {"id": "n", "text": "two decks were in use", "reason": "found on tape"}
    note_on_round.send(actor=floor.surveillance, data=note, at=NOON, table="BP-01", sequence=1)
    start = {"id": "s", "from_date": "2027-01-01", "starts_at": "05:00", "expected": "06:00"}
    change_day_start.send(actor=floor.administrator, data=start, at=NOON)
    # The clerk's tablet sends it again, then something else under the same id.
    record_misdeal.send(actor=floor.clerk, data=misdeal, at=NOON)
    with pytest.raises(IdempotencyConflictError):
        record_misdeal.send(actor=floor.clerk, data={**misdeal, "reason": "s"}, at=NOON)
    return floor
