"""The filters of the list of rounds, as a form that is sent by GET."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.settlement import Compliance
from tables.errors import FieldError
from tables.property.models import Property
from tables.rounds.pages.entry_view import time_field
from tables.rounds.selectors import RoundFilter
from tables.submissions import read_choice, read_client_id, read_text, shown
from tables.web.fields import Fault, Field, Problems, fault_of, messages_of, problems_of
from tables.web.local_time import TypedTime
from tables.web.words import WORDS

_TEXTS: Final = {"dealer": ("Dealer badge", 16), "shift": ("Shift", 32)}
_VOIDED: Final = (("", "All"), ("no", "Not voided"), ("yes", "Voided"))
_OTHER_NAMES: Final = frozenset({"cursor", "note", "from_which", "until_which"})


@dataclass(frozen=True, slots=True)
class FilterForm:
    """What was asked for; `narrowed_to` only counts without problems."""

    fields: tuple[Field, ...]
    narrowed_to: RoundFilter
    problems: Problems


def read_filters(
    query: Mapping[str, str], *, casino: Property, table_codes: Sequence[str]
) -> FilterForm:
    """The filters of a request, with every fault beside its field."""
    faults: list[Fault] = []
    times = {
        name: TypedTime(query.get(name, ""), query.get(f"{name}_which", ""))
        for name in ("from", "until")
    }

    def read(name: str, reader: Callable[[str], Any]) -> Any:
        text = query.get(name, "")
        if not text:
            return None
        try:
            return reader(text)
        except FieldError as error:
            faults.append(fault_of(error))
            return None

    def read_when(name: str) -> Any:
        return read(name, lambda _: times[name].instant(place=name, casino=casino))

    def read_word(name: str, words: Sequence[str]) -> Any:
        return read(name, lambda text: read_choice(text, place=name, choices=tuple(words)))

    def read_name(name: str) -> Any:
        return read(name, lambda text: read_text(text, place=name, length_max=_TEXTS[name][1]))

    voided = read_word("voided", [value for value, _ in _VOIDED if value])
    narrowed_to = RoundFilter(
        round_id=read("id", lambda text: read_client_id(text, place="id")),
        table=read_word("table", table_codes),
        dealer=read_name("dealer"),
        gaming_day=read("gaming_day", _read_day),
        shift=read_name("shift"),
        compliance=read_word("compliance", [item.value for item in Compliance]),
        is_voided=None if voided is None else voided == "yes",
        occurred_from=read_when("from"),
        occurred_until=read_when("until"),
    )
    fields = _fields(query, times, faults, casino, table_codes)
    known = _OTHER_NAMES | {field.name for field in fields}
    faults += [
        Fault("", f"there is no filter {shown(name)}")
        for name in sorted(query)
        if name not in known
    ]
    return FilterForm(fields, narrowed_to, problems_of(faults, fields))


def _read_day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        message = f"expected a day such as 2026-11-29, got {shown(text)}"
        raise FieldError(message, place="gaming_day") from error


def _fields(
    query: Mapping[str, str],
    times: Mapping[str, TypedTime],
    faults: Sequence[Fault],
    casino: Property,
    table_codes: Sequence[str],
) -> tuple[Field, ...]:
    def field(name: str, label: str, kind: str = "text", choices: Any = ()) -> Field:
        return Field(
            name, label, query.get(name, ""), kind, tuple(choices), messages_of(faults, name)
        )

    def time(name: str, label: str) -> Field:
        return time_field(times[name], name=name, label=label, casino=casino, faults=faults)

    return (
        field("table", "Table", "select", (("", "All"), *((code, code) for code in table_codes))),
        field("gaming_day", "Gaming day", "date"),
        *(field(name, label) for name, (label, _) in _TEXTS.items()),
        field("compliance", "House way", "select", (("", "All"), *WORDS["compliance"].items())),
        field("voided", "Voided", "select", _VOIDED),
        time("from", "From"),
        time("until", "Until"),
        field("id", "Client's id"),
    )
