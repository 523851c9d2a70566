"""Auditing rounds: counts, dealers' deviations and what they cost, stored answers that differ."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from time import perf_counter
from typing import Any, Final, NamedTuple

import numpy as np

from games.analysis.batch.answers import answers_of, setting_labels
from games.analysis.batch.audit import BatchAudit, audit_rounds
from games.analysis.batch.rounds import RoundBatch, batch_of
from games.analysis.batch.rules import COMPLIANCE_CODES, COMPLIANCES
from games.engine.errors import EngineError, UnknownRulesetError
from games.engine.rulesets import DealerMissetPolicy, Ruleset, get_ruleset
from reporting.compliance.columns import columns_of, stored_columns
from tables.rounds.reader import StoredChunk, StoredRound, UnreadableRound

# What the answers of an audit leave out: cards, their words, and limits, which decide nothing.
_NOT_AUDITED: Final = frozenset({"words", "low_cards", "high_cards", "discards", "limit_breach"})


class Deviation(NamedTuple):
    """A dealer's setting that is not the house way. BP-5.9.

    ``cost_minor`` is what the house wins on the required setting less what it wins on the setting
    as it was made, whatever the policy then made of the round: what following it would have saved.
    A foul cannot stand, so it costs nothing.
    """

    name: str
    as_set: str
    required: str
    step: int
    rule: str
    is_foul: bool
    cost_minor: int

    def __str__(self) -> str:
        """Tell it in one line."""
        foul = " (foul)" if self.is_foul else ""
        return (
            f"{self.name}: set {self.as_set}{foul}, required {self.required} "
            f"(step {self.step}, {self.rule}), cost {self.cost_minor}"
        )


class Difference(NamedTuple):
    """One figure of a stored round that the rules do not give."""

    name: str
    place: str
    stored: Any
    audited: Any

    def __str__(self) -> str:
        """Tell it in one line."""
        return f"{self.name}: {self.place} is {self.stored!r}, expected {self.audited!r}"


class Fault(NamedTuple):
    """A round that could not be audited: its line or name, and the error as a dictionary."""

    name: str
    error: Mapping[str, Any]

    def __str__(self) -> str:
        """Tell it in one line."""
        return f"{self.name}: {self.error['code']}: {self.error['message']}"


@dataclass(slots=True, kw_only=True)
class AuditTally:
    """What an audit has found so far. Lists hold the first ``listed_max`` finds; all are counted.

    ``rules`` counts rounds by the rule of the house way's step. Amounts are minor units.
    """

    listed_max: int
    round_count: int = 0
    seat_count: int = 0
    compliances: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    house_net_minor: int = 0
    deviation_cost_minor: int = 0
    differing_count: int = 0
    fault_count: int = 0
    audit_seconds: float = 0.0
    deviations: list[Deviation] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether every round could be audited and no stored settlement differs."""
        return not self.fault_count and not self.differing_count

    def add_fault(self, name: str, error: Mapping[str, Any]) -> None:
        """Count a round that could not be audited."""
        self.fault_count += 1
        if len(self.faults) < self.listed_max:
            self.faults.append(Fault(name, error))

    def add_batch(self, names: Sequence[str], batch: RoundBatch, ruleset: Ruleset) -> BatchAudit:
        """Audit a batch and count what it holds; ``names`` are those of its rounds."""
        start = perf_counter()
        audit = audit_rounds(batch, ruleset)
        self.audit_seconds += perf_counter() - start
        self.round_count += len(batch)
        self.seat_count += len(batch.seats.seat)
        for code, count in enumerate(np.bincount(audit.settings.compliance).tolist()):
            self.compliances[COMPLIANCES[code].value] += count
        for place, count in enumerate(np.bincount(audit.settings.step).tolist()):
            self.rules[audit.steps[place].rule] += count
        # In Python's integers: the sum of many rounds has no bound.
        self.house_net_minor += sum(audit.house_net_minor.tolist())
        self._add_deviations(names, batch, audit)
        return audit

    def add_stored(self, chunk: StoredChunk) -> None:
        """Audit stored rounds, each under its own ruleset, and compare with what is stored."""
        by_ruleset: dict[str, list[_Compared]] = {}
        for stored in chunk:
            try:
                compared = _compared(stored)
            except EngineError as error:
                self.add_fault(stored.name, error.as_dict())
            else:
                by_ruleset.setdefault(compared.stored.ruleset_id, []).append(compared)
        for ruleset_id, rounds in by_ruleset.items():
            names = [each.stored.name for each in rounds]
            try:
                ruleset = get_ruleset(ruleset_id)
            except UnknownRulesetError as error:
                for name in names:
                    self.add_fault(name, error.as_dict())
                continue
            batch = batch_of(each.stored.entry for each in rounds)
            audit = self.add_batch(names, batch, ruleset)
            for name, each, answer in zip(names, rounds, answers_of(batch, audit), strict=True):
                self._add_differences(name, each, answer)

    def _add_differences(self, name: str, compared: "_Compared", answer: Mapping[str, Any]) -> None:
        columns, settlement = columns_of(answer), compared.stored.settlement
        if compared.columns == columns and _is_same(settlement, answer):
            return
        found = [
            *_differences(name, "", compared.columns, columns),
            *_differences(name, "settlement", settlement, answer),
        ]
        self.differing_count += 1
        self.differences += found[: self.listed_max - len(self.differences)]

    def _add_deviations(self, names: Sequence[str], batch: RoundBatch, audit: BatchAudit) -> None:
        rows = np.flatnonzero(audit.settings.compliance == COMPLIANCE_CODES.deviation)
        if not len(rows):
            return
        start = perf_counter()
        deviating = batch.take(rows)
        policies = _policies(audit.ruleset)
        required = audit_rounds(deviating, policies.reset)
        as_set = audit_rounds(deviating, policies.stand)
        costs_minor = (required.house_net_minor - as_set.house_net_minor).tolist()
        self.audit_seconds += perf_counter() - start
        self.deviation_cost_minor += sum(costs_minor)
        for place, row in enumerate(rows[: self.listed_max - len(self.deviations)].tolist()):
            step = audit.steps[audit.settings.step[row]]
            self.deviations.append(
                Deviation(
                    name=names[row],
                    as_set=_setting(audit.settings.set_code[row]),
                    required=_setting(audit.settings.required_code[row]),
                    step=step.number,
                    rule=step.rule,
                    is_foul=not as_set.dealer.is_as_set[place],
                    cost_minor=costs_minor[place],
                )
            )


class _Compared(NamedTuple):
    """A stored round with what is compared beside its answer."""

    stored: StoredRound
    columns: dict[str, Any]


def _compared(stored: StoredRound | UnreadableRound) -> _Compared:
    """Raises the EngineError of what cannot be read."""
    if isinstance(stored, UnreadableRound):
        raise stored.error
    return _Compared(stored, stored_columns(stored))


class _Policies(NamedTuple):
    """A ruleset with either answer to a dealer's misset."""

    reset: Ruleset
    stand: Ruleset


@lru_cache(maxsize=8)
def _policies(ruleset: Ruleset) -> _Policies:
    return _Policies(
        replace(ruleset, dealer_misset=DealerMissetPolicy.RESET),
        replace(ruleset, dealer_misset=DealerMissetPolicy.STAND),
    )


def warm_up(ruleset: Ruleset) -> None:
    """Load machine code and tables by auditing nothing, so that the first batch is no slower."""
    nothing = batch_of(())
    for each in (ruleset, *_policies(ruleset)):
        audit_rounds(nothing, each)


def _setting(code: int) -> str:
    labels = setting_labels(code) or {}
    return " | ".join(str(label) for label in labels.values())


def _is_same(stored: Any, audited: Any) -> bool:
    """Say whether ``_differences`` would find none; quickly, as nearly all rounds are the same."""
    if isinstance(audited, dict) and isinstance(stored, dict):
        for key, value in audited.items():
            if not _is_same(stored.get(key), value):
                return False
        return audited.keys() | _NOT_AUDITED >= stored.keys()
    if isinstance(audited, list) and isinstance(stored, list):
        return len(stored) == len(audited) and all(map(_is_same, stored, audited))
    return bool(stored == audited) and type(stored) is type(audited)


def _differences(name: str, place: str, stored: Any, audited: Any) -> Iterator[Difference]:
    """Yield where two values differ, key by key and item by item."""
    if isinstance(stored, dict) and isinstance(audited, dict):
        for key in audited | stored:
            if key not in _NOT_AUDITED:
                inner = f"{place}.{key}" if place else key
                yield from _differences(name, inner, stored.get(key), audited.get(key))
    elif isinstance(stored, list) and isinstance(audited, list) and len(stored) == len(audited):
        for index, (one, other) in enumerate(zip(stored, audited, strict=True)):
            yield from _differences(name, f"{place}[{index}]", one, other)
    elif stored != audited or type(stored) is not type(audited):
        yield Difference(name, place, stored, audited)
