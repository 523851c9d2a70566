"""Writing the trail of what was refused; what was done is written by `tables.recording`."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from games.engine.errors import EngineError
from tables.errors import DomainError, NotPermittedError
from tables.insertion import insert
from tables.permissions import property_id_of
from tables.property.models import User
from tables.trail.models import SUBJECT_LENGTH_MAX, RefusedCommand


def note_refusal(
    *,
    actor: User,
    command: str,
    error: DomainError | EngineError,
    at: dt.datetime,
    subject: str = "",
    client_id: str = "",
) -> None:
    """Write into the trail that a command was refused, after its transaction is gone."""
    refused = RefusedCommand(
        property_id=property_id_of(actor),
        recorded_at=at,
        actor=actor,
        actor_name=actor.get_username(),
        command=command,
        subject=subject[:SUBJECT_LENGTH_MAX],
        client_id=client_id,
        code=str(error.as_dict()["code"]),
    )
    insert([refused])


def note_not_permitted(
    *, user: User, command: str, at: dt.datetime, address: Mapping[str, Any]
) -> None:
    """Write into the trail that someone asked for a command that their role does not include."""
    if user.property_id is not None:
        error = NotPermittedError("expected a role that includes this")
        subject = "/".join(map(str, address.values()))
        note_refusal(actor=user, command=command, error=error, at=at, subject=subject)
