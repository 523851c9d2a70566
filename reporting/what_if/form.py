"""The form of a what-if: today's rules as text, to be changed in place."""

import re
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _

from games.analysis.rule_texts import (
    ODDS_EXPECTED,
    PAYS_NOTHING,
    QUALIFIER_EXPECTED,
    qualifier_words,
)
from games.analysis.variants import BREAK_BONUS_LINES, DEALER_BREAK_BONUS_LINES
from games.engine.rulesets import Ruleset, get_ruleset
from games.engine.wagers import Wager
from reporting.what_if.shapes import CHANGES, LAST_ROUNDS_DEFAULT, LAST_ROUNDS_MAX
from tables.permissions import property_of
from tables.property.models import User
from tables.web.form_fields import TypedField, WholeField
from tables.web.forms import CommandForm
from tables.web.words import words

QUALIFIER: Final = "qualifier"
HOUSE_WAY: Final = "house_way"
MAIN: Final = "main"
LAST_ROUNDS: Final = "last_rounds"
_TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    Wager.DEALER_BREAK_BONUS.value: tuple(line.value for line in DEALER_BREAK_BONUS_LINES),
    Wager.BREAK_BONUS.value: tuple(line.value for line in BREAK_BONUS_LINES),
}
_STEP: Final = re.compile(r"[0-9]{1,2}", re.ASCII)


class WhatIfForm(CommandForm):
    """A field for each rule, named by its place in the changes; only what differs is a change."""

    def __init__(self, data: Any = None, *, user: User) -> None:
        super().__init__(data, user=user)
        self.ruleset = get_ruleset(property_of(user).ruleset_id)
        self.today = _todays_texts(self.ruleset)
        for name, today in self.today.items():
            label, hint = _label_and_hint(name)
            hint = " ".join([_("Today %s.") % today, hint]).strip()
            # What is left blank is a change too, and refused.
            self.fields[name] = TypedField(
                label=label, help_text=hint, initial=today, required=False
            )
        self.fields[LAST_ROUNDS] = WholeField(
            label=_("Own rounds to settle anew"),
            help_text=_("The latest ones of this property, without voided ones; at most %s.")
            % LAST_ROUNDS_MAX,
            initial=LAST_ROUNDS_DEFAULT,
            required=False,
        )

    @property
    def rules(self) -> list[forms.BoundField]:
        """The fields of the dealer and the main bet."""
        return [self[name] for name in (QUALIFIER, HOUSE_WAY, MAIN)]

    @property
    def pay_tables(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields of each side bet, one for each line."""
        return [
            (wager, [self[f"{wager}.{line}"] for line in lines]) for wager, lines in _TABLES.items()
        ]

    def request_data(self) -> dict[str, Any]:
        """The changes as the request has them."""
        changes: dict[str, Any] = {}
        for name, today in self.today.items():
            typed = " ".join((self.cleaned_data[name] or "").split())
            if name not in self.data or typed == today:
                continue
            owner, _, line = name.partition(".")
            if line:
                is_out = typed.lower() == PAYS_NOTHING
                changes.setdefault(owner, {})[line] = None if is_out else typed
            else:
                changes[name] = _read_order(typed) if name == HOUSE_WAY else typed
        data = {CHANGES: changes, LAST_ROUNDS: self.cleaned_data[LAST_ROUNDS] or ""}
        client_id = self.cleaned_data["id"]
        return data if client_id is None else {**data, "id": client_id}

    def field_at(self, place: str) -> forms.BoundField | None:
        """As the changes name it."""
        return super().field_at(place.removeprefix(f"{CHANGES}."))


def _todays_texts(ruleset: Ruleset) -> dict[str, str]:
    """What stands in each field of rules when nothing is changed, in the order of the form."""
    tables: Mapping[str, Mapping[Any, Any]] = {
        Wager.DEALER_BREAK_BONUS.value: ruleset.dealer_break_bonus.lines,
        Wager.BREAK_BONUS.value: ruleset.break_bonus.lines,
    }
    return {
        QUALIFIER: qualifier_words(ruleset.qualifier),
        HOUSE_WAY: " ".join(str(step.number) for step in ruleset.house_way),
        MAIN: str(ruleset.main),
        **{
            f"{wager}.{line}": str(tables[wager].get(line) or PAYS_NOTHING)
            for wager, lines in _TABLES.items()
            for line in lines
        },
    }


def _label_and_hint(name: str) -> tuple[str, str]:
    match name:
        case "qualifier":
            return _("Dealer qualifies with at least"), _sentence(QUALIFIER_EXPECTED)
        case "house_way":
            hint = _("The first step that the hand allows counts.")
            return _("Order of the house-way steps"), hint
        case "main":
            return _("A winning main bet pays"), _sentence(ODDS_EXPECTED)
    return _("%s pays") % words(name.partition(".")[2]), ""


def _read_order(typed: str) -> object:
    """The numbers of an order, with blanks or commas between; else the text, to be refused."""
    numbers = typed.replace(",", " ").split()
    return [int(text) for text in numbers] if all(map(_STEP.fullmatch, numbers)) else typed


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
