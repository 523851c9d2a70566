"""Appraising bets: looking up what each was worth, and storing it beside the bet.

The values of a ruleset take seconds to compute, the first time ever, and figures do not wait for
that. Only `prepare` does; everything else appraises with the values that are ready in this process
and leaves bets of other rulesets as they are: not appraised, which every report says.

A worth follows from a round, which never changes, so it does not matter who stores it, or whether
two do at once.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from games.engine.rulesets import RULESETS
from reporting.worth.models import BetWorth, WagerValue
from reporting.worth.rows import BET_FIELDS, BetRow, WorthRow
from tables.insertion import insert_missing
from tables.models import Bet, DirtyBucket, Round

if TYPE_CHECKING:
    from reporting.worth.appraisal import Appraiser

# Fewer would read large tables more often than needed; more would hold SQLite too long at a time.
ROUNDS_AT_ONCE: Final = 1000
_ready: Final[dict[str, "Appraiser"]] = {}


def prepare(ruleset_ids: Iterable[str], *, may_wait: bool = True) -> frozenset[str]:
    """Make the values of rulesets ready in this process, and their odds in the database.

    Takes seconds for a ruleset that nobody ever asked for, and next to nothing when all are ready.
    Returns those that were not. Rulesets of another release are passed over, and so are those
    whose values another process is computing, for who may not wait.
    """
    # Array code, which takes a second to load: web processes import this module and never do.
    from reporting.worth.appraisal import BeingComputedError, make_appraiser  # noqa: PLC0415

    known = set(ruleset_ids).intersection(RULESETS)
    new = []
    for ruleset_id in sorted(known.difference(_ready)):
        with suppress(BeingComputedError):
            _ready[ruleset_id] = make_appraiser(RULESETS[ruleset_id], may_wait=may_wait)
            new.append(ruleset_id)
    _store_wager_values(sorted(known.intersection(_ready)))
    return frozenset(new)


def appraise(round_ids: Iterable[int]) -> None:
    """Store the worth of every bet of these rounds that has none, as far as values are ready."""
    for keys in _chunks(sorted(round_ids)):
        _store(_appraised(_bets_of(keys).filter(worth__isnull=True)))


def reappraise(round_ids: Iterable[int]) -> None:
    """Throw the worths of these rounds away and make them again, some rounds a transaction."""
    for keys in _chunks(sorted(round_ids)):
        rows = _appraised(_bets_of(keys))
        with transaction.atomic():
            BetWorth.objects.filter(bet__seat_hand__round__in=keys).delete()
            _store(rows)


class WorthDifference(NamedTuple):
    """A bet whose worth is stored otherwise than it is computed; None is no worth at all."""

    stored: BetWorth | None
    computed: BetWorth | None


def find_worth_differences() -> Iterator[WorthDifference]:
    """Every bet whose stored worth is not the one computed now, or is missing without a mark."""
    ruleset_ids = Round.objects.order_by().values_list("ruleset_id", flat=True).distinct()
    prepare(ruleset_ids)
    for keys in _chunks(list(Round.objects.order_by("pk").values_list("pk", flat=True))):
        bets = _bets_of(keys)
        computed = {row[0]: row for row in _appraised(bets)}
        rows = BetWorth.objects.filter(bet__in=bets).values_list(*WorthRow._fields)
        stored = {row[0]: WorthRow(*row) for row in rows}
        differing = [
            key for key in computed.keys() | stored.keys() if computed.get(key) != stored.get(key)
        ]
        waiting = _waiting(differing)
        for key in sorted(differing):
            if key in stored or key not in waiting:
                yield WorthDifference(_as_model(stored.get(key)), _as_model(computed.get(key)))


def _waiting(bet_ids: Collection[int]) -> frozenset[int]:
    """Those of some bets whose hour is marked for the roll-up."""
    path = "seat_hand__round__"
    hours = (f"{path}table_id", f"{path}shift_id", f"{path}hour")
    marks = set(DirtyBucket.objects.values_list("table_id", "shift_id", "hour"))
    found = Bet.objects.filter(pk__in=bet_ids).values_list("pk", *hours)
    return frozenset(key for key, *hour in found if tuple(hour) in marks)


def _as_model(row: WorthRow | None) -> BetWorth | None:
    return None if row is None else BetWorth(**row._asdict())


def _store_wager_values(ruleset_ids: Collection[str]) -> None:
    kept = {
        (row.ruleset_id, row.wager): row.expected_value
        for row in WagerValue.objects.filter(ruleset_id__in=ruleset_ids)
    }
    expected = {
        (ruleset_id, wager.value): value
        for ruleset_id in ruleset_ids
        for wager, value in _ready[ruleset_id].expected_values.items()
    }
    if kept != expected:
        WagerValue.objects.bulk_create(
            [
                WagerValue(ruleset_id=ruleset_id, wager=wager, expected_value=value)
                for (ruleset_id, wager), value in expected.items()
            ],
            update_conflicts=True,
            unique_fields=["ruleset_id", "wager"],
            update_fields=["expected_value"],
        )


def _chunks(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(keys), ROUNDS_AT_ONCE):
        yield keys[start : start + ROUNDS_AT_ONCE]


def _bets_of(round_ids: Sequence[int]) -> QuerySet[Bet]:
    return Bet.objects.filter(seat_hand__round__in=round_ids)


def _appraised(bets: QuerySet[Bet]) -> list[WorthRow]:
    """The worths of bets, as rows by ascending key; without those not to be had."""
    by_ruleset: dict[str, list[BetRow]] = defaultdict(list)
    for values in bets.order_by().values_list(*BET_FIELDS):
        bet = BetRow(*values)
        if bet.ruleset_id in _ready:
            by_ruleset[bet.ruleset_id].append(bet)
    found: list[WorthRow] = []
    for ruleset_id, of_ruleset in by_ruleset.items():
        found += _ready[ruleset_id].appraise(of_ruleset)
    return sorted(found)


def _store(rows: Iterable[WorthRow]) -> None:
    """Store worths, but those that someone else stored meanwhile."""
    insert_missing([BetWorth(**row._asdict()) for row in rows])
