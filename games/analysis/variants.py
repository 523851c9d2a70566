"""Rulesets that nobody deals yet: a named one with its qualifier, house way or odds changed. BP-9.

``read_changes`` reads what a person asked for, ``varied_ruleset`` makes the ruleset of it. The
standard library is all that is needed, so a process that only reads requests can load this.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final, TypeVar

from games.analysis.rule_texts import (
    PAYS_NOTHING,
    parse_odds,
    parse_qualifier,
    qualifier_words,
)
from games.engine.errors import (
    JSON,
    EngineError,
    HouseWayOrderError,
    RuleChangesError,
    shown,
)
from games.engine.hands import HighHand
from games.engine.outcomes import BreakBonusLine, DealerBreakBonusLine
from games.engine.pay_tables import Odds, PayTable
from games.engine.rulesets import RULES_AS_WRITTEN, Ruleset
from games.engine.wagers import Wager

UNKNOWN_KEYS_MAX: Final = 16
"""At most so many unknown keys of one object are reported one by one."""


class Unchanged(Enum):
    """Tells a qualifier that stays from none at all."""

    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED

LineT = TypeVar("LineT", BreakBonusLine, DealerBreakBonusLine)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChanges:
    """What is to differ from a ruleset; by default nothing.

    ``house_way`` is the new order of the steps, by the numbers of BP-5. Of the pay tables only the
    lines that change are there; None takes a line out, so that it loses the stake.
    """

    qualifier: HighHand | Unchanged | None = UNCHANGED
    house_way: tuple[int, ...] | None = None
    main: Odds | None = None
    dealer_break_bonus: Mapping[DealerBreakBonusLine, Odds | None] = field(default_factory=dict)
    break_bonus: Mapping[BreakBonusLine, Odds | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Keep own copies of the pay tables that nobody can change."""
        for name in ("dealer_break_bonus", "break_bonus"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))


STEPS: Final = tuple(step.number for step in RULES_AS_WRITTEN.house_way)
"""The numbers of the seven steps. BP-5"""
DEALER_BREAK_BONUS_LINES: Final = tuple(
    line for line in DealerBreakBonusLine if line is not DealerBreakBonusLine.NONE
)
"""The lines of the Dealer Break Bonus that can pay. BP-7.1"""
BREAK_BONUS_LINES: Final = tuple(line for line in BreakBonusLine if line is not BreakBonusLine.NONE)
"""The lines of the Break Bonus that can pay. BP-7.2"""
_KEYS: Final = ("qualifier", "house_way", "main", "dealer_break_bonus", "break_bonus")


def read_changes(data: object, *, place: str = "") -> RuleChanges:
    """Return the changes that decoded JSON asks for; raises the first of its faults.

    The keys, all of them optional: ``{"qualifier": "A-high", "house_way": [1, 2, 5, 3, 4, 6, 7],
    "main": "19 to 20", "dealer_break_bonus": {"both": "5 to 1"}, "break_bonus": {"akq": null}}``;
    null means that a line pays nothing any more.

    >>> words_of(read_changes({"qualifier": "A-high", "break_bonus": {"akq": None}}))
    'qualifier A-4-2; Break Bonus A-K-Q nothing'
    """
    walk = _Walk()
    changes = walk.read(data, place)
    if walk.faults:
        raise walk.faults[0]
    return changes


def change_faults(data: object, *, place: str = "") -> tuple[EngineError, ...]:
    """Return every fault of changes, for people; () if there is none.

    >>> [fault.place for fault in change_faults({"main": "1 to 0", "qualifier": 7})]
    ['qualifier', 'main']
    """
    walk = _Walk()
    walk.read(data, place)
    return tuple(walk.faults)


def varied_ruleset(ruleset: Ruleset, changes: RuleChanges) -> Ruleset:
    """Return the ruleset with the changes made; the id says so, and names none that is dealt.

    Without any change it is the ruleset itself. Fouls, limits and caps stay as they are.

    >>> varied_ruleset(RULES_AS_WRITTEN, read_changes({"main": "19 to 20"})).id
    'break-poker/rules-as-written@1 (main bet 19 to 20)'
    """
    if changes == RuleChanges():
        return ruleset
    by_number = {step.number: step for step in ruleset.house_way}
    order = changes.house_way or tuple(by_number)
    return Ruleset(
        id=f"{ruleset.id} ({words_of(changes)})",
        qualifier=ruleset.qualifier if changes.qualifier is UNCHANGED else changes.qualifier,
        house_way=tuple(by_number[number] for number in order),
        dealer_break_bonus=_varied_table(ruleset.dealer_break_bonus, changes.dealer_break_bonus),
        break_bonus=_varied_table(ruleset.break_bonus, changes.break_bonus),
        main=changes.main or ruleset.main,
        foul=ruleset.foul,
        dealer_misset=ruleset.dealer_misset,
        limits=ruleset.limits,
        caps=ruleset.caps,
    )


def words_of(changes: RuleChanges) -> str:
    """Return the changes as a person reads them, on one line.

    >>> words_of(read_changes({"main": "19 to 20", "break_bonus": {"trips": "7 to 1"}}))
    'main bet 19 to 20; Break Bonus trips 7 to 1'
    """
    said = []
    if changes.qualifier is not UNCHANGED:
        said.append(f"qualifier {qualifier_words(changes.qualifier)}")
    if changes.house_way is not None:
        said.append(f"house way {' '.join(map(str, changes.house_way))}")
    if changes.main is not None:
        said.append(f"main bet {changes.main}")
    for wager in (Wager.DEALER_BREAK_BONUS, Wager.BREAK_BONUS):
        for line, odds in sorted(getattr(changes, wager).items()):
            name = "A-K-Q" if line is BreakBonusLine.AKQ else line.replace("_", " ")
            said.append(f"{wager.replace('_', ' ').title()} {name} {odds or PAYS_NOTHING}")
    return "; ".join(said) or "nothing changed"


def changes_as_dict(changes: RuleChanges) -> dict[str, JSON]:
    """Return the changes as JSON that ``read_changes`` reads; equal changes give equal JSON."""
    found: dict[str, JSON] = {}
    if changes.qualifier is not UNCHANGED:
        found["qualifier"] = qualifier_words(changes.qualifier)
    if changes.house_way is not None:
        found["house_way"] = list(changes.house_way)
    if changes.main is not None:
        found["main"] = str(changes.main)
    for wager in ("dealer_break_bonus", "break_bonus"):
        table: Mapping[str, Odds | None] = getattr(changes, wager)
        if table:
            found[wager] = {
                line: None if table[line] is None else str(table[line]) for line in sorted(table)
            }
    return found


def _varied_table(table: PayTable[LineT], changes: Mapping[LineT, Odds | None]) -> PayTable[LineT]:
    lines = {**table.lines, **changes}
    return PayTable({line: odds for line, odds in lines.items() if odds is not None})


class _Walk:
    """One walk through a document of changes, collecting faults."""

    def __init__(self) -> None:
        self.faults: list[EngineError] = []

    def read(self, data: object, place: str) -> RuleChanges:
        """Return the changes, without those that are at fault."""
        found = self._keys_of(data, place, _KEYS)
        prefix = f"{place}." if place else ""
        qualifier: HighHand | Unchanged | None = UNCHANGED
        if "qualifier" in found:
            try:
                qualifier = parse_qualifier(found["qualifier"], place=f"{prefix}qualifier")
            except EngineError as fault:
                self.faults.append(fault)
        order = main = None
        if "house_way" in found:
            order = self._read_order(found["house_way"], f"{prefix}house_way")
        if "main" in found:
            main = self._read_odds(found["main"], f"{prefix}main")
        return RuleChanges(
            qualifier=qualifier,
            house_way=order,
            main=main,
            dealer_break_bonus={
                DealerBreakBonusLine(line): odds
                for line, odds in self._read_table(
                    found, "dealer_break_bonus", prefix, DEALER_BREAK_BONUS_LINES
                ).items()
            },
            break_bonus={
                BreakBonusLine(line): odds
                for line, odds in self._read_table(
                    found, "break_bonus", prefix, BREAK_BONUS_LINES
                ).items()
            },
        )

    def _read_order(self, value: object, place: str) -> tuple[int, ...] | None:
        if (
            isinstance(value, (list, tuple))
            and len(value) == len(STEPS)
            and all(type(number) is int for number in value)
            and set(value) == set(STEPS)
        ):
            return tuple(value)
        steps = ", ".join(map(str, STEPS))
        message = f"expected each of the steps {steps} once, in their new order, got {shown(value)}"
        if isinstance(value, list) and all(type(number) is int for number in value):
            missing = [str(step) for step in STEPS if step not in value]
            message += f": without {', '.join(missing)}" if missing else ": more than seven"
        self.faults.append(HouseWayOrderError(message, place=place, detail={"value": shown(value)}))
        return None

    def _read_odds(self, value: object, place: str) -> Odds | None:
        try:
            return parse_odds(value, place=place)
        except EngineError as fault:
            self.faults.append(fault)
            return None

    def _read_table(
        self, owner: Mapping[str, object], name: str, prefix: str, lines: Iterable[str]
    ) -> dict[str, Odds | None]:
        """Return the odds of the lines that change; null takes a line out."""
        if name not in owner:
            return {}
        place = f"{prefix}{name}"
        table = self._keys_of(owner[name], place, tuple(lines))
        return {
            line: None if value is None else self._read_odds(value, f"{place}.{line}")
            for line, value in table.items()
        }

    def _keys_of(self, value: object, place: str, names: tuple[str, ...]) -> dict[str, object]:
        """Return the known keys of an object, in the order of ``names``."""
        if not isinstance(value, dict):
            message = f"expected an object, got {shown(value)}"
            self.faults.append(RuleChangesError(message, place=place))
            return {}
        known = [str(name) for name in names]
        prefix = f"{place}." if place else ""
        for key in [key for key in value if key not in known][:UNKNOWN_KEYS_MAX]:
            message = f"expected one of {', '.join(known)}, got the unknown key {shown(key)}"
            # A key may be of any length and hold anything: the place shows it cut.
            name = key if isinstance(key, str) and key.isidentifier() and len(key) < 40 else "?"
            self.faults.append(
                RuleChangesError(message, place=f"{prefix}{name}", detail={"key": shown(key)})
            )
        return {name: value[name] for name in known if name in value}
