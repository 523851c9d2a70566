"""Asking what if: the question is stored as work to do; a worker finds it and answers."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.db import IntegrityError, transaction

from games.analysis.variants import (
    RuleChanges,
    change_faults,
    changes_as_dict,
    read_changes,
    words_of,
)
from games.engine.errors import EngineError
from reporting.what_if.models import WhatIf
from reporting.what_if.selectors import find_what_if, get_what_if_for
from tables.errors import ConflictError, RoundFaultsError
from tables.models import User
from tables.outbox import Doorbell
from tables.permissions import Command, property_of
from tables.rounds.replay import refuse_difference
from tables.submissions import read_client_id, read_whole_number, require_object
from tables.trail.services import log_command

LAST_ROUNDS_DEFAULT: Final = 1_000
LAST_ROUNDS_MAX: Final = 20_000
WAITING_MAX: Final = 20
"""So many of a property's what-ifs may wait; one takes about ten seconds."""

CHANGES: Final = "changes"
TASK: Final = "reporting.what_if"
doorbell: Final = Doorbell(TASK)


class ChangesFaultsError(RoundFaultsError):
    """Changes of rules that cannot be; all the engine's faults at once."""


@dataclass(frozen=True, slots=True)
class Question:
    """A what-if as a client sent it, read and checked; nothing of it is stored yet."""

    what_if_id: str
    changes: RuleChanges
    last_rounds: int


@dataclass(frozen=True, slots=True)
class AskedWhatIf:
    """The stored what-if, and whether this answer repeats the first one."""

    what_if: WhatIf
    is_replay: bool


def read_question(body: object) -> Question:
    """Check a request body at the edge. Raises FieldError or ChangesFaultsError."""
    fields = require_object(
        body, required=frozenset({"id", CHANGES}), optional=frozenset({"last_rounds"})
    )
    return Question(
        what_if_id=read_client_id(fields["id"]),
        changes=_read_changes(fields[CHANGES]),
        last_rounds=read_whole_number(
            fields.get("last_rounds", LAST_ROUNDS_DEFAULT),
            place="last_rounds",
            least=0,
            most=LAST_ROUNDS_MAX,
        ),
    )


def ask_what_if(*, actor: User, body: object, at: dt.datetime) -> AskedWhatIf:
    """Store a what-if about the property's ruleset, once, and wake a worker after the commit.

    Raises FieldError and ChangesFaultsError for bad input, ConflictError when too many wait, and
    IdempotencyConflictError naming the first field that differs when the id was used for another.
    """
    question = read_question(body)
    try:
        return _ask(actor, question, at)
    except IntegrityError:
        # The same id came twice at once; the first one is committed now, so answer from it.
        first = find_what_if(user=actor, what_if_id=question.what_if_id)
        if first is None:
            raise
        return _replay(first, question)


@transaction.atomic(durable=True)
def _ask(actor: User, question: Question, at: dt.datetime) -> AskedWhatIf:
    first = find_what_if(user=actor, what_if_id=question.what_if_id)
    if first is not None:
        return _replay(first, question)
    casino = property_of(actor)
    waiting = WhatIf.objects.filter(property=casino, state=WhatIf.State.WAITING).count()
    if waiting >= WAITING_MAX:
        raise ConflictError(
            f"expected at most {WAITING_MAX} what-ifs to wait, got one more: try again later",
            waiting=waiting,
        )
    asked = WhatIf.objects.create(
        what_if_id=question.what_if_id,
        property=casino,
        asked_by=actor,
        asked_at=at,
        ruleset_id=casino.ruleset_id,
        changes=changes_as_dict(question.changes),
        last_rounds=question.last_rounds,
    )
    log_command(
        actor=actor,
        command=Command.WHAT_IF,
        subject=f"what-if {asked.what_if_id}",
        at=at,
        detail={"changes": words_of(question.changes), "last_rounds": asked.last_rounds},
    )
    transaction.on_commit(doorbell.ring)
    return AskedWhatIf(
        what_if=get_what_if_for(user=actor, what_if_id=asked.what_if_id), is_replay=False
    )


def _read_changes(data: object) -> RuleChanges:
    try:
        return read_changes(data, place=CHANGES)
    except EngineError as error:
        raise ChangesFaultsError(change_faults(data, place=CHANGES)) from error


def _replay(first: WhatIf, question: Question) -> AskedWhatIf:
    """The first answer again. Raises IdempotencyConflictError when the content differs."""
    refuse_difference(
        f"what-if id {question.what_if_id!r} was asked already",
        recorded={CHANGES: first.changes, "last_rounds": first.last_rounds},
        given={
            CHANGES: changes_as_dict(question.changes),
            "last_rounds": question.last_rounds,
        },
    )
    return AskedWhatIf(what_if=first, is_replay=True)
