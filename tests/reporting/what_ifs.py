"""What-ifs asked through the service, and answers that a worker might have stored."""

from typing import Any

from reporting.what_if.models import WhatIf
from reporting.what_if.services import ask_what_if
from tests.builders import NOON, Floor

QUALIFIER = {"qualifier": "A-high"}


def ask(
    floor: Floor,
    what_if_id: str = "w1",
    *,
    changes: dict[str, Any] | None = None,
    last_rounds: int = 100,
) -> WhatIf:
    """Ask as the manager; by default about the qualifier of the published analysis."""
    body = {
        "id": what_if_id,
        "changes": QUALIFIER if changes is None else changes,
        "last_rounds": last_rounds,
    }
    return ask_what_if.send(actor=floor.manager, data=body, at=NOON).record
