"""Rounds and voids played through the services, for tests of the figures."""

import datetime as dt
from typing import Any

from tables.models import Round, RoundVoid
from tables.rounds.services.rounds import record_round
from tables.rounds.services.voids import void_round
from tests.builders import NOON, Floor, round_body


def play(
    floor: Floor,
    number: int = 0,
    *,
    at: dt.datetime = NOON,
    recorded_at: dt.datetime | None = None,
    table: str = "BP-01",
    **changes: Any,
) -> Round:
    """Record golden round `number` as dealt at an instant, entered a minute later."""
    body = round_body(number, table=table, occurred_at=at, **changes)
    return record_round.send(
        actor=floor.clerk, data=body, at=recorded_at or at + dt.timedelta(minutes=1)
    ).record


def void(floor: Floor, played: Round, *, at: dt.datetime = NOON) -> RoundVoid:
    """Void a round on the supervisor's authority."""
    return void_round.send(
        actor=floor.supervisor,
        table=played.table.code,
        sequence=played.sequence,
        data={
            "id": f"void-{played.pk}",
            "reason_code": "entry_error",
            "reason": "two seats were exchanged",
            "authority": floor.supervisor.get_username(),
        },
        at=at,
    ).record
