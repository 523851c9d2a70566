"""The form of a what-if: today's rules as text, to be changed in place."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.analysis.variants import (
    BREAK_BONUS_LINES,
    DEALER_BREAK_BONUS_LINES,
    ODDS_EXPECTED,
    PAYS_NOTHING,
    QUALIFIER_EXPECTED,
    qualifier_words,
)
from games.engine.rulesets import Ruleset
from games.engine.wagers import Wager
from reporting.figures.wording import words
from reporting.what_if.services import CHANGES, LAST_ROUNDS_DEFAULT, LAST_ROUNDS_MAX
from tables.pages.fields import Fault, Field, focus_of, messages_of
from tables.submissions import shown

QUALIFIER: Final = "qualifier"
HOUSE_WAY: Final = "house_way"
MAIN: Final = "main"
LAST_ROUNDS: Final = "last_rounds"
_TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    Wager.DEALER_BREAK_BONUS.value: tuple(line.value for line in DEALER_BREAK_BONUS_LINES),
    Wager.BREAK_BONUS.value: tuple(line.value for line in BREAK_BONUS_LINES),
}
_RULES: Final = (
    (QUALIFIER, "Dealer qualifies with at least", QUALIFIER_EXPECTED),
    (HOUSE_WAY, "Order of the house-way steps", "the first step that the hand allows counts"),
    (MAIN, "A winning main bet pays", ODDS_EXPECTED),
)
_STEP: Final = re.compile(r"[0-9]{1,2}", re.ASCII)
_WHOLE: Final = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class PayTableFields:
    """The fields of a pay table, one for each line."""

    heading: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class WhatIfForm:
    """The fields in the order of the form."""

    rules: tuple[Field, ...]
    pay_tables: tuple[PayTableFields, ...]
    rounds: Field

    @property
    def fields(self) -> tuple[Field, ...]:
        """All of them."""
        paid = (field for table in self.pay_tables for field in table.fields)
        return (*self.rules, *paid, self.rounds)


def todays_texts(ruleset: Ruleset) -> dict[str, str]:
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


def read_form(
    post: Mapping[str, str], ruleset: Ruleset
) -> tuple[dict[str, Any], tuple[Fault, ...]]:
    """The request that the form stands for, and what could not be read.

    Only what differs from today's text is a change; whether it can be, the service says.
    """
    changes: dict[str, Any] = {}
    for name, today in todays_texts(ruleset).items():
        typed = " ".join(post.get(name, today).split())
        if typed == today:
            continue
        owner, _, line = name.partition(".")
        if line:
            is_out = typed.lower() == PAYS_NOTHING
            changes.setdefault(owner, {})[line] = None if is_out else typed
        elif name == HOUSE_WAY:
            changes[name] = _read_order(typed)
        else:
            changes[name] = typed
    body = {"id": post.get("id", ""), CHANGES: changes}
    typed = post.get(LAST_ROUNDS, str(LAST_ROUNDS_DEFAULT)).strip()
    if not _WHOLE.fullmatch(typed):
        message = f"expected a whole number from 0 to {LAST_ROUNDS_MAX}, got {shown(typed)}"
        return body, (Fault(LAST_ROUNDS, message),)
    return {**body, LAST_ROUNDS: int(typed)}, ()


def fault_at_field(fault: Fault) -> Fault:
    """A fault of the request at the field of the form that it came from."""
    return Fault(fault.name.removeprefix(f"{CHANGES}."), fault.message)


def fields_of(post: Mapping[str, str], ruleset: Ruleset, faults: Sequence[Fault]) -> WhatIfForm:
    """The fields as typed, each with its faults; as they are today where nothing was typed."""
    texts = {**todays_texts(ruleset), LAST_ROUNDS: str(LAST_ROUNDS_DEFAULT)}
    focused = focus_of(faults, tuple(texts), otherwise="")

    def field(name: str, label: str, hint: str = "", kind: str = "text") -> Field:
        today = texts[name]
        return Field(
            name,
            label,
            post.get(name, today),
            kind,
            faults=messages_of(faults, name),
            hint=hint or f"Today {today}.",
            is_focused=focused == name,
        )

    return WhatIfForm(
        rules=tuple(
            field(name, label, f"Today {texts[name]}. {_sentence(expected)}")
            for name, label, expected in _RULES
        ),
        pay_tables=tuple(
            PayTableFields(
                words(wager),
                tuple(field(f"{wager}.{line}", f"{words(line)} pays") for line in lines),
            )
            for wager, lines in _TABLES.items()
        ),
        rounds=field(
            LAST_ROUNDS,
            "Own rounds to settle anew",
            f"The latest ones of this property, without voided ones; at most {LAST_ROUNDS_MAX}.",
            "whole",
        ),
    )


def _read_order(typed: str) -> object:
    """The numbers of an order, with blanks or commas between; else the text, to be refused."""
    numbers = typed.replace(",", " ").split()
    return [int(text) for text in numbers] if all(map(_STEP.fullmatch, numbers)) else typed


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
