"""The form of a round as its template draws it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.engine.hand_setting import HAND_CARDS, HIGH_CARDS, LOW_CARDS
from tables.property.models import Property
from tables.rounds.pages.entry_form import DEALER_NAMES, HANDS, WAGERS, EntryForm, seat_names
from tables.web.fields import Fault, Field, Problems, focus_of, messages_of, problems_of
from tables.web.local_time import TypedTime
from tables.web.words import WORDS

_HAND_WORDS: Final = {"cards": "Seven cards", "low": "Low", "high": "High"}
_CARD_COUNTS: Final = {"cards": HAND_CARDS, "low": LOW_CARDS, "high": HIGH_CARDS}


@dataclass(frozen=True, slots=True)
class Row:
    """The dealer or a seat, with its fields in the order of the keyboard."""

    name: str
    label: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class EntryView:
    """Everything in the form.

    The order of the rows and of the fields in them is that in which the hands are turned over and
    taken up: the dealer's, then seat by seat, each finished before the next.
    """

    round_id: str
    time: Field
    rows: tuple[Row, ...]
    columns: tuple[str, ...]
    notation: str
    card_entry: str
    problems: Problems

    @property
    def shows_time(self) -> bool:
        """Whether the time needs a look: a fault, none given, or a choice of two."""
        return bool(self.time.faults or not self.time.value or self.time.which)


def entry_view_of(form: EntryForm, faults: Sequence[Fault], *, focus: str) -> EntryView:
    """A form with its faults; the first faulty field has the focus, without one `focus`."""
    focused = focus_of(faults, form.names, otherwise=focus)
    time = time_field(
        form.time,
        name="occurred_at",
        label="Time of the round",
        casino=form.casino,
        faults=faults,
        focused=focused,
    )
    rows = (
        Row("dealer", "Dealer", _fields(form, "Dealer", DEALER_NAMES, faults, focused)),
        *(
            Row(
                f"seat_{seat}",
                f"Seat {seat}",
                _fields(form, f"Seat {seat}", seat_names(seat), faults, focused),
            )
            for seat in range(1, form.table.seat_count + 1)
        ),
    )
    card_entry = form.casino.card_entry
    return EntryView(
        round_id=form.round_id,
        time=time,
        rows=rows,
        columns=(*_HAND_WORDS.values(), *map(str, WORDS["wager"].values())),
        notation=str(WORDS["notation"][card_entry]),
        card_entry=card_entry,
        problems=problems_of(faults, [time, *(field for row in rows for field in row.fields)]),
    )


def time_field(
    typed: TypedTime,
    *,
    name: str,
    label: str,
    casino: Property,
    faults: Sequence[Fault],
    focused: str = "",
    hint: str = "",
) -> Field:
    """A field for a local time, with the choice of two where the clocks were set back."""
    which_name = f"{name.removesuffix('_at')}_which"
    choices = typed.choices(casino=casino)
    which = Field(which_name, f"{label}: which", typed.which, "select", choices)
    return Field(
        name,
        label,
        typed.text,
        "time",
        faults=messages_of(faults, name),
        hint=hint or f"Clock of {casino.zone}.",
        is_focused=focused == name,
        which=which if choices else None,
    )


def _fields(
    form: EntryForm, owner: str, names: Sequence[str], faults: Sequence[Fault], focused: str
) -> tuple[Field, ...]:
    return tuple(
        Field(
            name,
            f"{owner}: {column}",
            form.typed[name],
            "cards" if part in HANDS else "money",
            faults=messages_of(faults, name),
            column=column,
            card_count=_CARD_COUNTS.get(part, 0),
            is_focused=focused == name,
        )
        for name, part in zip(names, (*HANDS, *WAGERS), strict=False)
        for column in (_HAND_WORDS.get(part) or str(WORDS["wager"][part]),)
    )
