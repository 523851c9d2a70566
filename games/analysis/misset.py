"""A dealer's setting that is not the house way: what it changed, or would have changed. BP-5.9."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.engine.rulesets import DealerMissetPolicy, Ruleset
from games.engine.settlement import (
    Compliance,
    DealerEntry,
    RoundEntry,
    RoundSettlement,
    settle,
)


@dataclass(frozen=True, slots=True)
class MissetCost:
    """What the house would have lost, had the dealer's setting stood; negative if it had won.

    By seat, in minor units, whatever the ruleset made of the round. A foul cannot stand, so it
    costs nothing. BP-4.2
    """

    is_foul: bool
    by_seat: Mapping[int, int]

    @property
    def total_minor(self) -> int:
        """What it would have cost in all."""
        return sum(self.by_seat.values())


def is_dealer_error_possible(compliance: Compliance, ruleset: Ruleset) -> bool:
    """Say whether the dealer's setting may have changed what a round came to. BP-5.9."""
    return (
        compliance is Compliance.DEVIATION and ruleset.dealer_misset is not DealerMissetPolicy.RESET
    )


def settle_on_house_way(entry: RoundEntry, ruleset: Ruleset) -> RoundSettlement:
    """Settle a round as if the dealer had set the house way: a hand not recorded is set so."""
    return settle(entry._replace(dealer=DealerEntry(entry.dealer.cards)), ruleset)


def misset_cost(entry: RoundEntry, ruleset: Ruleset) -> MissetCost | None:
    """Return what a dealer's misset would have cost; None if the house way was set, or unknown."""
    standing = settle(entry, replace(ruleset, dealer_misset=DealerMissetPolicy.STAND))
    if standing.dealer.compliance is not Compliance.DEVIATION:
        return None
    required = settle_on_house_way(entry, ruleset)
    return MissetCost(
        is_foul=not standing.dealer.is_as_set,
        by_seat={
            seat.seat: seat.net_minor - on_house_way.net_minor
            for seat, on_house_way in zip(standing.seats, required.seats, strict=True)
        },
    )
