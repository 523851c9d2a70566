"""Changing what a casino is set up with: every value with what it was, who changed it, and when.

A kind of record (a table, a dealer, a member of the staff) is told once, as data: its values, how
it is found under its lock, and what may not be changed now. Its commands are made from that:

    change_table = changing(Command.TABLE_CHANGE, TABLE, "Change a table's limits, seats or pit.")

A change names the new values and, beside them, the values that the person saw (`expected`). When
these are no longer so it is refused with both, and so no save overwrites another unseen (F05).
What changes nothing is refused too: the trail holds changes only.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar, cast

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import IntegrityError, models, transaction
from pydantic import create_model

from tables.errors import (
    FaultsError,
    FieldError,
    SettingConflictError,
    SettingTakenError,
    SettingUnchangedError,
)
from tables.permissions import Command
from tables.recording import Act, CommandRequest, Done, RecordedCommand, recorded_as
from tables.shapes import Answer, BuiltApart, From, Request

Row = TypeVar("Row", bound=models.Model)


class Settings(Request, Answer):
    """Values that a command may set; each is answered as it is read, from where `From` says."""

    @classmethod
    def of(cls, record: Any) -> Self:
        """The values that a record has. They were judged when they were stored."""
        return cls.model_construct(**cls.parts_of(record))

    @classmethod
    def column(cls, name: str) -> str:
        """The attribute of the record that holds a value."""
        marks = [mark for mark in cls.model_fields[name].metadata if isinstance(mark, From)]
        return marks[0].path.split(".")[0] if marks else name

    def told(self, names: Collection[str]) -> dict[str, Any]:
        """Some of the values as JSON, in their order."""
        return self.model_dump(mode="json", include=set(names))


class SettingRequest(CommandRequest):
    """A command about one record of a kind; `key` names the field that names the record."""

    word: ClassVar[str] = ""
    key: ClassVar[str] = ""

    @property
    def subject(self) -> str:
        """The kind and the name of the record."""
        return f"{self.word} {getattr(self, self.key, '')}".strip()


class ChangeRequest(SettingRequest):
    """New values, and the values that the person who changes them saw before."""

    expected: Request
    changes: Request

    def canonical(self) -> dict[str, Any]:
        """The content, with the values that were named only."""
        return self.model_dump(mode="json", exclude={"id"}, exclude_unset=True)


def _refuse_nothing(act: Act[Any], row: Any, values: Mapping[str, Any]) -> None:
    """Any value will do."""


@dataclass(frozen=True, slots=True)
class Kind(Generic[Row]):
    """A kind of record that a casino is set up with; `answer` is its values with its name, `key`.

    `lock` finds the record of a request under its lock. `refuse` raises when a record may not get
    the new values now. `named` finds the records that values name, `apart` stores what is in no
    column of the record.
    """

    word: str
    key: str
    settings: type[Settings]
    answer: type[Settings]
    lock: Callable[[Act[Any]], Row] | None = None
    refuse: Callable[[Act[Any], Row, Mapping[str, Any]], None] = _refuse_nothing
    named: Mapping[str, Callable[[Act[Any], Any], Any]] = field(default_factory=dict)
    apart: Mapping[str, Callable[[Row, Any], None]] = field(default_factory=dict)

    def put(self, act: Act[Any], row: Row, values: Mapping[str, Any]) -> None:
        """Store values. Raises FaultsError for what cannot be, SettingTakenError for a name."""
        read = {
            name: self.named[name](act, value) if name in self.named else value
            for name, value in values.items()
        }
        for name in read.keys() - self.apart.keys():
            setattr(row, self.settings.column(name), read[name])
        save(row, {self.settings.column(name): name for name in self.settings.model_fields})
        for name in read.keys() & self.apart.keys():
            self.apart[name](row, read[name])


def adding(
    command: Command,
    kind: Kind[Row],
    words: str,
    *,
    new: Callable[[Act[Any]], Row],
    base: type[SettingRequest] = SettingRequest,
    **more: Any,
) -> RecordedCommand[Any, Any]:
    """The command that adds a record; `new` begins it, `more` are fields beside its values."""
    fields: dict[str, Any] = {name: (kind_of, ...) for name, kind_of in more.items()}
    name = f"{command.title().replace('_', '')}Request"
    request = create_model(name, __base__=(base, kind.settings), __doc__=words, **fields)

    def add(act: Act[Any]) -> Done[Any]:
        names = kind.settings.model_fields
        values = {name: getattr(act.request, name) for name in names}
        row = new(act)
        kind.refuse(act, row, values)
        kind.put(act, row, values)
        answer = kind.answer.of(row)
        return _done(kind, answer, old={}, new=answer.told(kind.answer.model_fields))

    return _recorded(command, kind, request, add)


def changing(
    command: Command, kind: Kind[Row], words: str, **address: Any
) -> RecordedCommand[Any, Any]:
    """The command that changes values of a record; `address` are the fields that name it."""
    some, lock = _some_of(kind.settings), kind.lock
    if lock is None:
        raise TypeError(f"expected a kind that can be locked, got {kind.word}")
    fields: dict[str, Any] = {name: (kind_of, ...) for name, kind_of in address.items()}
    request = create_model(
        f"{command.title().replace('_', '')}Request",
        __base__=ChangeRequest,
        __doc__=words,
        expected=(some, ...),
        changes=(some, ...),
        **fields,
    )

    def change(act: Act[Any]) -> Done[Any]:
        row = lock(act)
        old, new = _compared(kind.settings.of(row), act.request)
        values = {name: getattr(act.request.changes, name) for name in new}
        kind.refuse(act, row, values)
        kind.put(act, row, values)
        return _done(kind, kind.answer.of(row), old=old, new=new)

    return _recorded(command, kind, request, change)


def save(row: models.Model, names: Mapping[str, str] = MappingProxyType({})) -> None:
    """Store a record; `names` says what its columns are called where they are set.

    Raises FaultsError for what cannot be, SettingTakenError for a name.
    """
    try:
        row.full_clean()
        # The name may be taken by another transaction meanwhile.
        with transaction.atomic():
            row.save()
    except ValidationError as error:
        raise _refusal_of(error, names) from error
    except IntegrityError as error:
        raise SettingTakenError("expected a name that is free, this one is taken") from error


def old_and_new(
    seen: Mapping[str, Any], current: Mapping[str, Any], wanted: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What changes: the old values and the new.

    Raises SettingConflictError when the values seen are not the current ones, and
    SettingUnchangedError when nothing changes.
    """
    stale = [name for name in wanted if seen[name] != current[name]]
    if stale:
        raise SettingConflictError(
            f"expected {stale[0]} to be {seen[stale[0]]!r} still, it is {current[stale[0]]!r}",
            place=f"changes.{stale[0]}",
            expected=dict(seen),
            current=dict(current),
            changes=dict(wanted),
        )
    new = {name: value for name, value in wanted.items() if value != current[name]}
    if not new:
        raise SettingUnchangedError("expected another value than there is", place="changes")
    return {name: current[name] for name in new}, new


def _compared(current: Settings, asked: ChangeRequest) -> tuple[dict[str, Any], dict[str, Any]]:
    names = asked.changes.model_fields_set
    if names != asked.expected.model_fields_set or not names:
        listed = ", ".join(sorted(names)) or "what is to change"
        raise FieldError(f"expected the values seen of {listed}", place="expected")
    seen = asked.expected.model_dump(mode="json", include=names)
    wanted = asked.changes.model_dump(mode="json", include=names)
    return old_and_new(seen, current.told(names), wanted)


def _done(
    kind: Kind[Any], answer: Settings, *, old: dict[str, Any], new: dict[str, Any]
) -> Done[Settings]:
    subject = f"{kind.word} {getattr(answer, kind.key)}"
    return Done(answer, subject, {"old": old, "new": new})


def _recorded(
    command: Command, kind: Kind[Any], request: type[Any], carry_out: Callable[[Act[Any]], Any]
) -> RecordedCommand[Any, Any]:
    request.word, request.key = kind.word, kind.key
    carry_out.__doc__ = request.__doc__
    # The record goes on changing: the first answer is kept whole.
    record = recorded_as(command, request, keep=_kept, find=kind.answer.model_validate)
    return record(carry_out)


def _kept(answer: Settings) -> dict[str, Any]:
    return answer.model_dump(mode="json")


def _some_of(settings: type[Settings]) -> type[Request]:
    """A structure of any of the values."""
    fields: dict[str, Any] = {}
    for name, of in settings.model_fields.items():
        marks = tuple(mark for mark in of.metadata if not isinstance(mark, From | BuiltApart))
        kind = Annotated[(of.annotation, *marks)] if marks else of.annotation
        fields[name] = (kind, None)
    return cast(
        "type[Request]",
        create_model(
            f"{settings.__name__}Some", __base__=Request, __doc__="Any of the values.", **fields
        ),
    )


def _refusal_of(
    error: ValidationError, names: Mapping[str, str]
) -> FaultsError | SettingTakenError:
    """What a model says is wrong with a record."""
    faults = []
    for column, found in error.error_dict.items():
        name = "" if column == NON_FIELD_ERRORS else names.get(column, column)
        for item in found:
            message = "; ".join(item.messages)
            if item.code in {"unique", "unique_together"}:
                return SettingTakenError(f"expected a name that is free: {message}", place=name)
            faults.append(FieldError(message, place=name))
    return FaultsError(tuple(faults))
