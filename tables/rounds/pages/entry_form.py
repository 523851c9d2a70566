"""The form of a round: what was typed, the request it stands for, and where its faults belong.

Rows that are wholly blank are seats not in play and are left out of the request, so the engine's
`seats[1]` may be row 4: the places of faults are led back through the rows that were sent.
"""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.engine.wagers import Wager
from tables.errors import DomainError, FaultsError, FieldError, IdempotencyConflictError
from tables.floor.models import Table
from tables.property.models import Property
from tables.web.amounts import read_amount
from tables.web.fields import Fault, fault_of
from tables.web.local_time import TypedTime, typed_time_of

HANDS: Final = ("cards", "low", "high")
WAGERS: Final = tuple(wager.value for wager in Wager)
DEALER_NAMES: Final = tuple(f"dealer_{hand}" for hand in HANDS)
_SEAT_PLACE: Final = re.compile(r"seats\[(\d{1,3})\](?:\.(?:bets\.)?(\w+))?", re.ASCII)
_PLACE: Final = re.compile(rf"{_SEAT_PLACE.pattern}|\bdealer\.(cards|low|high)\b", re.ASCII)
_NAMES_OF_PART: Final = {
    "cards": "cards",
    "low": "low hand",
    "high": "high hand",
    "bets": "bets",
    **{name: name.replace("_", " ") for name in WAGERS},
}
# Where a fault of a whole row, or of all its bets, is shown.
_FIELD_OF_PART: Final = {"": "cards", "seat": "cards", "bets": "main"}


def seat_names(seat: int) -> tuple[str, ...]:
    """The names of a seat's fields, in the order of the form."""
    return tuple(f"seat_{seat}_{part}" for part in (*HANDS, *WAGERS))


@dataclass(frozen=True, slots=True)
class Reading:
    """A request body made from a form, and what already could not be read.

    Where something could not be read, the body holds what lets the rest be checked: it must not be
    recorded then.
    """

    body: dict[str, Any]
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class EntryForm:
    """What stands in the fields of a round's form."""

    table: Table
    round_id: str
    time: TypedTime
    typed: Mapping[str, str]

    @classmethod
    def blank(cls, table: Table, *, round_id: str, at: dt.datetime | None) -> "EntryForm":
        """An empty form, dated `at` if that is known."""
        time = TypedTime("") if at is None else typed_time_of(at, casino=table.property)
        return cls(table, round_id, time, dict.fromkeys(_names(table), ""))

    @classmethod
    def read(cls, table: Table, post: Mapping[str, str]) -> "EntryForm":
        """The form as it was sent."""
        return cls(
            table,
            post.get("id", ""),
            TypedTime(post.get("occurred_at", ""), post.get("occurred_which", "")),
            {name: post.get(name, "") for name in _names(table)},
        )

    @property
    def casino(self) -> Property:
        """The property of the table."""
        return self.table.property

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all fields, in the order of the form."""
        return ("occurred_at", *self.typed)

    @property
    def seats_in_play(self) -> tuple[int, ...]:
        """The seats with anything in their row: `seats[0]` of the request is the first."""
        return tuple(
            seat
            for seat in range(1, self.table.seat_count + 1)
            if any(self.typed[name].strip() for name in seat_names(seat))
        )

    def reading(self, *, now: dt.datetime) -> Reading:
        """The request that this form stands for, with everything that could not be read."""
        faults: list[Fault] = []
        occurred_at = now
        try:
            occurred_at = self.time.instant(place="occurred_at", casino=self.casino)
        except FieldError as error:
            faults.append(fault_of(error))
        body = {
            "id": self.round_id,
            "table": self.table.code,
            "occurred_at": occurred_at.isoformat(),
            "dealer": self._dealer(),
            "seats": [self._seat(seat, faults) for seat in self.seats_in_play],
        }
        return Reading(body, tuple(faults))

    def faults_of(self, error: DomainError) -> tuple[Fault, ...]:
        """A refusal of the services as faults of this form's fields."""
        if not isinstance(error, FaultsError):
            found = fault_of(error)
            message = found.message
            if isinstance(error, IdempotencyConflictError):
                message = "differs from what was recorded"
            return (Fault(self._name_of(found.name), message),)
        return tuple(
            Fault(self._name_of(fault.place), self._in_words(fault.message))
            for fault in error.faults
        )

    def _dealer(self) -> dict[str, str]:
        cards, low, high = (self.typed[name] for name in DEALER_NAMES)
        # Both blank is "not recorded"; one blank is a fault, which the engine words.
        setting = {"low": low, "high": high} if low.strip() or high.strip() else {}
        return {"cards": cards, **setting}

    def _seat(self, seat: int, faults: list[Fault]) -> dict[str, Any]:
        bets: dict[str, int | str] = {}
        for wager in WAGERS:
            name = f"seat_{seat}_{wager}"
            text = self.typed[name]
            if not text.strip():
                continue
            try:
                bets[wager] = read_amount(text, place=name, casino=self.casino)
            except FieldError as error:
                faults.append(fault_of(error))
                # Stands for a bet whose amount is told apart, so that its seat is still checked.
                bets[wager] = 1
        hands = {hand: self.typed[f"seat_{seat}_{hand}"] for hand in HANDS}
        return {"seat": seat, **hands, "bets": bets}

    def _name_of(self, place: str) -> str:
        """The field that a place of the request came from."""
        if place == "seats":
            return "seat_1_cards"
        match = _SEAT_PLACE.fullmatch(place)
        if match is None:
            return place.replace(".", "_")
        part = _FIELD_OF_PART.get(match[2] or "", match[2])
        return f"seat_{self._seat_at(match[1])}_{part}"

    def _in_words(self, message: str) -> str:
        """A message with the places of the request named as the form names them."""
        return _PLACE.sub(self._words_of, message)

    def _words_of(self, match: re.Match[str]) -> str:
        if match[3] is not None:
            return f"dealer {_NAMES_OF_PART[match[3]]}"
        part = _NAMES_OF_PART.get(match[2] or "", "")
        return f"seat {self._seat_at(match[1])} {part}".strip()

    def _seat_at(self, index: str) -> int | str:
        seats = self.seats_in_play
        return seats[int(index)] if int(index) < len(seats) else index


def _names(table: Table) -> tuple[str, ...]:
    seats = range(1, table.seat_count + 1)
    return (*DEALER_NAMES, *(name for seat in seats for name in seat_names(seat)))
