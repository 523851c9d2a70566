"""Asking what if: the question is stored as work to do; a worker finds it and answers."""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Any, Final, Self

from django.db import transaction
from pydantic import PrivateAttr

from games.analysis.variants import (
    RuleChanges,
    change_faults,
    changes_as_dict,
    read_changes,
    words_of,
)
from games.engine.errors import EngineError
from reporting.what_if.models import WhatIf
from tables.errors import ConflictError, FaultsError, FieldError
from tables.outbox import Doorbell
from tables.permissions import Command, property_of
from tables.property.models import User
from tables.recording import Act, CommandRequest, Done, by_key, key_of, recorded_as
from tables.shapes import whole_number

LAST_ROUNDS_DEFAULT: Final = 1_000
LAST_ROUNDS_MAX: Final = 20_000
WAITING_MAX: Final = 20
"""So many of a property's what-ifs may wait; one takes about ten seconds."""

CHANGES: Final = "changes"
TASK: Final = "reporting.what_if"
doorbell: Final = Doorbell(TASK)


class WhatIfRequest(CommandRequest):
    """A what-if; sending it again repeats the answer."""

    changes: Any
    last_rounds: Annotated[int, whole_number(0, LAST_ROUNDS_MAX)] = LAST_ROUNDS_DEFAULT
    _changes: RuleChanges = PrivateAttr()

    @classmethod
    def decode_for(cls, actor: User, data: object, *, now: dt.datetime) -> Self:  # noqa: ARG003
        """As `decode`, with the changes read by the mathematics: all faults of both."""
        faults: tuple[FieldError | EngineError, ...] = ()
        request = changes = None
        try:
            request = cls.decode(data, now=now)
        except FaultsError as error:
            faults = error.faults
        if isinstance(data, Mapping) and CHANGES in data:
            try:
                changes = read_changes(data[CHANGES], place=CHANGES)
            except EngineError:
                faults += change_faults(data[CHANGES], place=CHANGES)
        if request is None or changes is None:
            raise FaultsError(faults)
        request._changes = changes  # noqa: SLF001  (its own)
        return request

    def canonical(self) -> dict[str, Any]:
        """The content with every change in the one way of writing it."""
        return {CHANGES: changes_as_dict(self._changes), "last_rounds": self.last_rounds}

    @property
    def words(self) -> str:
        """The changes as a person reads them."""
        return words_of(self._changes)


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
