"""The form of a round: the time, the dealer's row and one for each seat.

Rows that are wholly blank are seats not in play and are left out of the request, so the engine's
`seats[1]` may be row 4: the places of faults are led back through the rows that were sent.
"""

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.forms.formsets import ManagementForm
from django.utils.translation import gettext_lazy as _

from games.engine.dealing import SEATS_MAX
from games.engine.hand_setting import HAND_CARDS, HIGH_CARDS, LOW_CARDS
from games.engine.wagers import Wager
from tables.floor.models import Table
from tables.property.models import User
from tables.web.form_fields import AmountField, CardsField, LocalTimeField
from tables.web.forms import RENDERER, CommandForm, PageForm
from tables.web.words import WORDS

_HANDS: Final = ("cards", "low", "high")
_WAGERS: Final = tuple(wager.value for wager in Wager)
_SEAT_PLACE: Final = re.compile(r"seats\[(\d{1,3})\](?:\.(?:bets\.)?(\w+))?", re.ASCII)
_PLACE: Final = re.compile(rf"{_SEAT_PLACE.pattern}|\bdealer\.(cards|low|high)\b", re.ASCII)
_NAMES_OF_PART: Final = {
    "cards": "cards",
    "low": "low hand",
    "high": "high hand",
    "bets": "bets",
    **{name: name.replace("_", " ") for name in _WAGERS},
}
# Where a fault of a whole row, or of all its bets, is shown.
_FIELD_OF_PART: Final = {"": "cards", "seat": "cards", "bets": "main"}


class DealerForm(PageForm):
    """The dealer's hand and setting, in the order in which it is turned over and set."""

    row_label: Any = _("Dealer")
    cards = CardsField(HAND_CARDS, label=_("Seven cards"), required=False)
    low = CardsField(LOW_CARDS, label=_("Low"), required=False)
    high = CardsField(HIGH_CARDS, label=_("High"), required=False)

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        for field in self.fields.values():
            field.template_name = "tables/cell.html"  # type: ignore[attr-defined]  # not in the stubs

    def add_prefix(self, field_name: str) -> str:
        """The name of a field, such as `dealer_cards`."""
        return f"{self.prefix}_{field_name}"

    def hands(self) -> dict[str, str]:
        """What was typed of the hands."""
        return {name: self.cleaned_data.get(name) or "" for name in _HANDS}


class SeatForm(DealerForm):
    """A seat's hand, setting and bets."""

    main = AmountField(label=WORDS["wager"][Wager.MAIN], required=False)
    dealer_break_bonus = AmountField(label=WORDS["wager"][Wager.DEALER_BREAK_BONUS], required=False)
    break_bonus = AmountField(label=WORDS["wager"][Wager.BREAK_BONUS], required=False)

    def __init__(self, data: Any = None, *, seat: int, **options: Any) -> None:
        super().__init__(data, **options)
        self.seat = seat
        self.row_label = _("Seat %s") % seat

    def request_data(self) -> dict[str, Any]:
        """The seat as the request has it."""
        # A bet whose amount is told apart stands for one, so that its seat is still checked.
        bets = {name: 1 if name in self.errors else self.cleaned_data[name] for name in _WAGERS}
        placed = {name: amount for name, amount in bets.items() if amount is not None}
        return {"seat": self.seat, **self.hands(), "bets": placed}


if TYPE_CHECKING:
    _BaseFormSet = forms.BaseFormSet[SeatForm]
else:
    _BaseFormSet = forms.BaseFormSet


class BaseSeatForms(_BaseFormSet):
    """One form for each seat of the table, whatever was sent."""

    def __init__(self, data: Any = None, *, extra: int, **options: Any) -> None:
        self.extra = extra
        super().__init__(data, **options)

    @cached_property
    def management_form(self) -> ManagementForm:
        """The count of the forms is the table's, not the browser's."""
        form = ManagementForm({"TOTAL_FORMS": self.extra, "INITIAL_FORMS": 0})
        form.full_clean()
        return form

    def add_prefix(self, index: int | str) -> str:
        """The start of a row's names, such as `seat_1`."""
        return f"seat_{int(index) + 1}"

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        """The number of the seat."""
        return {**super().get_form_kwargs(index), "seat": (index or 0) + 1}

    @property
    def in_play(self) -> list[SeatForm]:
        """The rows with anything in them: `seats[0]` of the request is the first."""
        return [form for form in self.forms if form.has_changed()]


SeatForms: Any = forms.formset_factory(
    SeatForm, formset=BaseSeatForms, max_num=SEATS_MAX, absolute_max=SEATS_MAX, renderer=RENDERER
)


class RoundForm(CommandForm):
    """A round as it is typed."""

    occurred_at = LocalTimeField(label=_("Time of the round"))

    def __init__(self, data: Any = None, *, user: User, table: Table, **options: Any) -> None:
        super().__init__(data, user=user, **options)
        self.dealer = DealerForm(data, prefix="dealer", casino=table.property)
        kwargs = {"casino": table.property}
        self.seats: BaseSeatForms = SeatForms(data, extra=table.seat_count, form_kwargs=kwargs)

    @property
    def rows(self) -> list[DealerForm]:
        """The dealer's and the seats', in the order in which hands are turned over."""
        return [self.dealer, *self.seats.forms]

    def bound_fields(self) -> list[forms.BoundField]:
        """The time, then row by row."""
        return [*self.visible_fields(), *(bound for row in self.rows for bound in row)]

    def is_valid(self) -> bool:
        """Whether all could be read."""
        return all([super().is_valid(), self.dealer.is_valid(), self.seats.is_valid()])

    @property
    def shows_time(self) -> bool:
        """Whether the time needs a look: a fault, none given, or a choice of two."""
        time: Any = self["occurred_at"]
        return bool(time.errors or not time.value().text or time.choices)

    def request_data(self) -> dict[str, Any]:
        """The round as the request has it."""
        hands = self.dealer.hands()
        # Both blank is "not recorded"; one blank is a fault, which the engine words.
        is_set = hands["low"] or hands["high"]
        return {
            **super().request_data(),
            "dealer": hands if is_set else {"cards": hands["cards"]},
            "seats": [row.request_data() for row in self.seats.in_play],
        }

    def field_at(self, place: str) -> forms.BoundField | None:
        """The field that a place of the request came from."""
        owner, _, part = place.partition(".")
        if owner == "dealer":
            return self.dealer[part] if part in _HANDS else None
        match = _SEAT_PLACE.fullmatch("seats[0]" if place == "seats" else place)
        if match is None:
            return super().field_at(place)
        rows = self.seats.in_play or self.seats.forms[:1]
        part = _FIELD_OF_PART.get(match[2] or "", match[2])
        index = int(match[1])
        return rows[index][part] if index < len(rows) and part in rows[index].fields else None

    def in_words(self, message: str) -> str:
        """A message with hands and bets named as the form names them."""
        return _PLACE.sub(self._words_of, message)

    def _words_of(self, match: re.Match[str]) -> str:
        if match[3] is not None:
            return f"dealer {_NAMES_OF_PART[match[3]]}"
        rows, index = self.seats.in_play, int(match[1])
        seat = f"seat {rows[index].seat}" if index < len(rows) else "a seat"
        return f"{seat} {_NAMES_OF_PART.get(match[2] or '', '')}".strip()
