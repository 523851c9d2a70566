"""The one way to record a command: once for each id, whoever sends it and how often (ADR 11).

A service that writes is a function that looks at the records under their locks, decides, writes and
says what it did. `recorded_as` makes a command of it:

    @recorded_as(Command.ROUND_VOID, VoidRequest, keep=key_of, find=get_void)
    def void_round(act: Act[VoidRequest]) -> Done[RoundVoid]: ...

    void_round(actor=user, request=request, at=now)     # Recorded(record, is_replay)
    void_round.send(actor=user, data=body, at=now)      # the same, decoding the request first

The id is taken as the last thing in the command's own transaction. So whatever happens when it
comes twice, at one table or at two, at once or a day later, one of them is recorded; every other
fails at the id or at what the first has changed, is rolled back whole, and is answered from the
first: the same content repeats the first answer, other content is a conflict that names the first
difference.
A command that was refused leaves a line in the trail, and nothing else.
"""

import datetime as dt
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Self, TypeVar

from django.db import IntegrityError, models, transaction
from pydantic import Field

from tables.errors import (
    DomainError,
    FaultsError,
    FieldError,
    IdempotencyConflictError,
    NotFoundError,
)
from tables.insertion import insert_unless_taken
from tables.permissions import Command, membership_of, property_id_of
from tables.property.models import User
from tables.shapes import ClientId, Request
from tables.trail.models import SUBJECT_LENGTH_MAX, AuditEntry, CommandKey, CommandResend
from tables.trail.services import note_refusal


class CommandRequest(Request):
    """A command as a client sends it; the id is the client's own, and lets it send again.

    Parts of the address are fields too, left out of the description of the body (`SkipJsonSchema`).
    """

    id: ClientId

    @classmethod
    def read(cls, data: object, *, actor: User, now: dt.datetime, **address: Any) -> Self:
        """The request in a decoded body and an address. Raises FaultsError with every fault."""
        if isinstance(data, Mapping):
            if taken := sorted(address.keys() & data.keys()):
                name = taken[0]
                message = f"expected {name} in the address only, got it in the body"
                raise FaultsError((FieldError(message, place=name),))
            data = {**data, **address}
        return cls.decode_for(actor, data, now=now)

    @classmethod
    def decode_for(cls, actor: User, data: object, *, now: dt.datetime) -> Self:  # noqa: ARG003
        """As `decode`; overridden by requests whose reading depends on the property."""
        return cls.decode(data, now=now)

    def canonical(self) -> dict[str, Any]:
        """The content, without the id, as JSON: the same for every way of writing the same."""
        return self.model_dump(mode="json", exclude={"id"})

    @property
    def subject(self) -> str:
        """What the command is about, for the trail of refusals."""
        table, sequence = getattr(self, "table", ""), getattr(self, "sequence", None)
        return f"round {table}/{sequence}" if sequence else f"table {table}" if table else ""


class UnnamedRequest(CommandRequest):
    """A command that a client may send without an id; then it cannot be sent again."""

    id: ClientId = Field(default_factory=lambda: str(uuid.uuid4()))


Asked = TypeVar("Asked", bound=CommandRequest)
Record = TypeVar("Record")
Model = TypeVar("Model", bound=models.Model)


@dataclass(frozen=True, slots=True)
class Act(Generic[Asked]):
    """A command on its way: who asks for what, and when it reached the server."""

    actor: User
    request: Asked
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class Done(Generic[Record]):
    """What a command did: the record it made, the line of the trail, and further rows to write."""

    record: Record
    subject: str
    detail: Mapping[str, Any] = field(default_factory=dict)
    rows: tuple[models.Model, ...] = ()


@dataclass(frozen=True, slots=True)
class Recorded(Generic[Record]):
    """What a command has made, and whether this answer repeats the first one."""

    record: Record
    is_replay: bool


class _IdTakenError(Exception):
    """The id was recorded before; rolls the command back."""


@dataclass(frozen=True, slots=True)
class RecordedCommand(Generic[Asked, Record]):
    """A command that is recorded once; see the module.

    `keep` says what is stored to `find` the record again: its key, or its whole content where the
    record may change afterwards.
    """

    command: Command
    request: type[Asked]
    carry_out: Callable[[Act[Asked]], Done[Record]]
    keep: Callable[[Record], Any]
    find: Callable[[Any], Record]

    @property
    def words(self) -> str:
        """What the command does, as its service tells it."""
        return self.carry_out.__doc__ or ""

    def send(
        self, *, actor: User, data: object, at: dt.datetime, **address: Any
    ) -> Recorded[Record]:
        """Decode a request and record it. Raises what `__call__` does, and FaultsError."""
        try:
            request = self.request.read(data, actor=actor, now=at, **address)
        except FaultsError as error:
            subject = "/".join(str(part) for part in address.values())
            note_refusal(actor=actor, command=self.command, error=error, at=at, subject=subject)
            raise
        return self(actor=actor, request=request, at=at)

    def __call__(self, *, actor: User, request: Asked, at: dt.datetime) -> Recorded[Record]:
        """Record a command, or repeat the first answer to it.

        Raises IdempotencyConflictError when the id was used for something else, and whatever the
        service refuses with.
        """
        try:
            return Recorded(self._record(Act(actor, request, at)), is_replay=False)
        except (_IdTakenError, IntegrityError, DomainError) as error:
            try:
                return self._replay(Act(actor, request, at), error)
            except DomainError as refusal:
                note_refusal(
                    actor=actor,
                    command=self.command,
                    error=refusal,
                    at=at,
                    subject=request.subject,
                    client_id=request.id,
                )
                raise

    @transaction.atomic(durable=True)
    def _record(self, act: Act[Asked]) -> Record:
        done = self.carry_out(act)
        key = CommandKey(
            property_id=property_id_of(act.actor),
            client_id=act.request.id,
            command=self.command,
            request=act.request.canonical(),
            result=self.keep(done.record),
            actor=act.actor,
            recorded_at=act.at,
        )
        entry = AuditEntry(
            property_id=key.property_id,
            recorded_at=act.at,
            actor=act.actor,
            actor_name=act.actor.get_username(),
            command=self.command,
            subject=done.subject[:SUBJECT_LENGTH_MAX],
            detail={"id": act.request.id, **done.detail},
        )
        if not insert_unless_taken(*done.rows, entry, key):
            raise _IdTakenError
        return done.record

    def _replay(self, act: Act[Asked], error: Exception) -> Recorded[Record]:
        """The first answer, if the id is known and its record seen. Raises `error` if not."""
        key = find_key(property_id=property_id_of(act.actor), client_id=act.request.id)
        is_unseen = isinstance(error, NotFoundError) and membership_of(act.actor).pit_ids
        if key is None or is_unseen:
            # What lies in another pit is not there, also for who knows the id.
            raise error
        if key.command != self.command:
            raise IdempotencyConflictError(
                f"id {key.client_id!r} was used for {key.command} before", place="id"
            )
        record = self.find(key.result)
        place = first_difference(key.request, act.request.canonical())
        if place is not None:
            raise IdempotencyConflictError(
                f"id {key.client_id!r} was used before; {place} differs",
                place=place,
                earlier=record,
            )
        _note_resend(key, act)
        return Recorded(record, is_replay=True)


RECORDED: Final[dict[Command, RecordedCommand[Any, Any]]] = {}
"""Every command that is recorded, by its name; the services fill it as they are loaded."""


def recorded_as(
    command: Command,
    request: type[Asked],
    *,
    keep: Callable[[Record], Any],
    find: Callable[[Any], Record],
) -> Callable[[Callable[[Act[Asked]], Done[Record]]], RecordedCommand[Asked, Record]]:
    """Make a recorded command of a service function."""

    def record(carry_out: Callable[[Act[Asked]], Done[Record]]) -> RecordedCommand[Asked, Record]:
        recorded = RecordedCommand(command, request, carry_out, keep, find)
        RECORDED[command] = recorded
        return recorded

    return record


def key_of(record: models.Model) -> int:
    """The key of a record that never changes."""
    return int(record.pk)


def by_key(model: type[Model], *related: str) -> Callable[[Any], Model]:
    """How a record that was kept by its key is found again, with what its answer names."""

    def find(key: Any) -> Model:
        return model._default_manager.select_related(*related).get(pk=key)

    return find


def find_key(*, property_id: int, client_id: str) -> CommandKey | None:
    """What was recorded under an id of a client, at a property."""
    return CommandKey.objects.filter(property_id=property_id, client_id=client_id).first()


def _note_resend(key: CommandKey, act: Act[Any]) -> None:
    if not key.resends.filter(actor=act.actor).exists():
        insert_unless_taken(CommandResend(key=key, actor=act.actor, recorded_at=act.at))


def first_difference(recorded: Any, given: Any, place: str = "") -> str | None:
    """The path of the first value that differs, in the order of the given content."""
    if isinstance(recorded, Mapping) and isinstance(given, Mapping):
        for name in dict.fromkeys([*given, *recorded]):
            below = f"{place}.{name}" if place else str(name)
            found = first_difference(recorded.get(name), given.get(name), below)
            if found is not None:
                return found
        return None
    if isinstance(recorded, list) and isinstance(given, list):
        for index in range(max(len(recorded), len(given))):
            below = f"{place}[{index}]"
            if index >= len(recorded) or index >= len(given):
                return below
            found = first_difference(recorded[index], given[index], below)
            if found is not None:
                return found
        return None
    return None if recorded == given else place
