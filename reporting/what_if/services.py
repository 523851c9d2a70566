"""Asking what if: the question is stored as work to do; a worker finds it and answers."""

from typing import Final

from django.db import transaction

from reporting.what_if.models import WhatIf
from reporting.what_if.shapes import CHANGES, WhatIfRequest
from tables.errors import ConflictError
from tables.outbox import Doorbell
from tables.permissions import Command, property_of
from tables.recording import Act, Done, by_key, key_of, recorded_as

WAITING_MAX: Final = 20
"""So many of a property's what-ifs may wait; one takes about ten seconds."""

TASK: Final = "reporting.what_if"
doorbell: Final = Doorbell(TASK)


@recorded_as(
    Command.WHAT_IF, WhatIfRequest, keep=key_of, find=by_key(WhatIf, "property", "asked_by")
)
def ask_what_if(act: Act[WhatIfRequest]) -> Done[WhatIf]:
    """Have a changed ruleset compared with the property's; a worker does it in seconds.

    Wakes a worker after the commit. Raises ConflictError when too many wait.
    """
    casino, asked = property_of(act.actor), act.request
    waiting = WhatIf.objects.filter(property=casino, state=WhatIf.State.WAITING).count()
    if waiting >= WAITING_MAX:
        raise ConflictError(
            f"expected at most {WAITING_MAX} what-ifs to wait, got one more: try again later",
            waiting=waiting,
        )
    what_if = WhatIf.objects.create(
        what_if_id=asked.id,
        property=casino,
        asked_by=act.actor,
        asked_at=act.at,
        ruleset_id=casino.ruleset_id,
        **asked.canonical(),
    )
    transaction.on_commit(doorbell.ring)
    detail = {CHANGES: asked.words, "last_rounds": asked.last_rounds}
    return Done(what_if, f"what-if {asked.id}", detail)
