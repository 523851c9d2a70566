"""Writing the trail: called by every service that changes a record, in its own transaction."""

import datetime as dt
from typing import Any

from tables.insertion import insert
from tables.permissions import property_id_of
from tables.property.models import User
from tables.trail.models import AuditEntry


def log_command(
    *, actor: User, command: str, subject: str, at: dt.datetime, detail: dict[str, Any]
) -> None:
    """Write one audit row. `detail` holds JSON values only."""
    entry = AuditEntry(
        property_id=property_id_of(actor),
        recorded_at=at,
        actor=actor,
        actor_name=actor.get_username(),
        command=command,
        subject=subject,
        detail=detail,
    )
    insert([entry])
