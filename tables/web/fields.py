"""Form fields as templates draw them, each with its faults beside it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tables.errors import DomainError


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one field; without a name, with the request as a whole."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class Field:
    """One field: what it is called, what was typed, what is wrong, whether it has the focus.

    `column` is its short label under a shared heading; `card_count` how many cards it holds, 0 for
    none; `which` the choice between two instants beside a time that the clock showed twice.
    """

    name: str
    label: str
    value: str = ""
    kind: str = "text"
    choices: tuple[tuple[str, str], ...] = ()
    faults: tuple[str, ...] = ()
    hint: str = ""
    column: str = ""
    card_count: int = 0
    is_focused: bool = False
    which: "Field | None" = None


@dataclass(frozen=True, slots=True)
class Problems:
    """What stands at the top of a refused form: the faulty fields, and what concerns no field."""

    fields: tuple[Field, ...] = ()
    general: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.fields or self.general)


def messages_of(faults: Iterable[Fault], name: str) -> tuple[str, ...]:
    """What is wrong with one field, each thing once."""
    return tuple(dict.fromkeys(fault.message for fault in faults if fault.name == name))


def focus_of(faults: Sequence[Fault], names: Sequence[str], *, otherwise: str) -> str:
    """The field to put the focus on: the first, in the order of the form, that has a fault."""
    faulty = {fault.name for fault in faults}
    return next((name for name in names if name in faulty), otherwise)


def problems_of(faults: Sequence[Fault], fields: Iterable[Field]) -> Problems:
    """The list for the top of the page."""
    known = tuple(fields)
    names = {field.name for field in known}
    return Problems(
        fields=tuple(field for field in known if field.faults),
        general=tuple(dict.fromkeys(f.message for f in faults if f.name not in names)),
    )


def fault_of(error: DomainError) -> Fault:
    """A refusal at the field that it names."""
    return Fault(str(error.detail.get("place", "")), error.message)
