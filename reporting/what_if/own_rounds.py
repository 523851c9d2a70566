"""What the property's own last rounds would have paid under other rules.

Cards, players' settings and bets are those of the record. A dealer who followed the house way is
taken to follow the new one; a deviation stays what it was. Limits do not matter: they only mark.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.outcomes import Outcome
from games.engine.round_entry import DealerEntry
from games.engine.rulesets import Ruleset
from games.engine.settlement import Compliance, RoundEntry, RoundSettlement, settle
from games.engine.wagers import Wager
from tables.models import Property, Round
from tables.rounds.reader import StoredRound, read_stored_rounds, require_readable

_ROUNDS_A_READ: Final = 500


@dataclass(slots=True)
class _Sums:
    """Bets that were at risk, in minor units, seen from the house."""

    bets: int = 0
    handle_minor: int = 0
    house_win_minor: int = 0
    what_if_house_win_minor: int = 0

    def as_dict(self) -> dict[str, int]:
        return {
            "bets": self.bets,
            "handle_minor": self.handle_minor,
            "house_win_minor": self.house_win_minor,
            "what_if_house_win_minor": self.what_if_house_win_minor,
            "difference_minor": self.what_if_house_win_minor - self.house_win_minor,
        }


def resettle_last_rounds(
    casino: Property,
    *,
    last_rounds: int,
    ruleset_id: str,
    varied: Ruleset,
    progress: Callable[[float], None],
) -> dict[str, Any]:
    """Settle the latest recorded rounds anew, without those voided, and sum up what changes.

    The figures "as recorded" are of the ruleset that each round was settled with; how many of them
    were settled with another than `ruleset_id` is told.
    """
    keys = list(
        Round.objects.filter(table__property=casino, void__isnull=True)
        .order_by("-pk")
        .values_list("pk", flat=True)[:last_rounds]
    )
    sums = {wager: _Sums() for wager in Wager}
    changed = others = 0
    for start in range(0, len(keys), _ROUNDS_A_READ):
        for played in _read(keys[start : start + _ROUNDS_A_READ]):
            changed += _add(played, settle(_as_dealt(played), varied), sums)
            others += played.ruleset_id != ruleset_id
        progress(min(1.0, (start + _ROUNDS_A_READ) / len(keys)))
    return {
        "asked": last_rounds,
        "rounds": len(keys),
        "changed": changed,
        "of_another_ruleset": others,
        "currency": casino.currency,
        "minor_digits": casino.minor_digits,
        "wagers": {wager.value: of.as_dict() for wager, of in sums.items()},
        "total": _total(sums.values()).as_dict(),
    }


def _read(keys: Sequence[int]) -> Iterator[StoredRound]:
    for chunk in read_stored_rounds(Round.objects.filter(pk__in=keys)):
        yield from require_readable(chunk)


def _as_dealt(played: StoredRound) -> RoundEntry:
    """The round without the dealer's setting, unless that was a deviation."""
    if played.compliance == Compliance.DEVIATION:
        return played.entry
    return played.entry._replace(dealer=DealerEntry(played.entry.dealer.cards))


def _add(played: StoredRound, settlement: RoundSettlement, sums: dict[Wager, _Sums]) -> bool:
    """Add a round's bets to the sums; whether any of them comes out otherwise."""
    bets = {(seat.seat, bet.wager): bet for seat in played.seats for bet in seat.bets}
    is_changed = False
    for seat in settlement.seats:
        for bet in seat.bets:
            recorded = bets[seat.seat, bet.wager.value]
            of = sums[bet.wager]
            if recorded.outcome != Outcome.VOID:
                of.bets += 1
                of.handle_minor += bet.amount_minor
            of.house_win_minor -= recorded.net_minor
            of.what_if_house_win_minor -= bet.net_minor
            is_changed |= recorded.net_minor != bet.net_minor
    return is_changed


def _total(sums: Any) -> _Sums:
    total = _Sums()
    for of in sums:
        total.bets += of.bets
        total.handle_minor += of.handle_minor
        total.house_win_minor += of.house_win_minor
        total.what_if_house_win_minor += of.what_if_house_win_minor
    return total
