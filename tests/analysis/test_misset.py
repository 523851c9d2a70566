"""What a dealer's misset would have cost: by hand, and as the batch audit finds it."""

from dataclasses import replace

import pytest

from games.analysis.batch.rounds import batch_of
from games.analysis.misset import is_dealer_error_possible, misset_cost, settle_on_house_way
from games.engine.rulesets import DealerMissetPolicy, Ruleset
from games.engine.settlement import Compliance, parse_round
from reporting.compliance.round_audit import AuditTally
from tests.engine.builders import AS_WRITTEN, PUBLISHED, dealt, golden_lines, seat

STAND = replace(AS_WRITTEN, id="test/stand@1", dealer_misset=DealerMissetPolicy.STAND)
VOID = replace(AS_WRITTEN, id="test/void@1", dealer_misset=DealerMissetPolicy.VOID)

DEALER = "As Kd Th 9c 7d 5s 2h"
# The house way is K-T and A-9-7. BP-5.7
SEAT = seat("Jk Kh Ts 9d 7s 5h 2c", "Kh Ts", "Jk 9d 7s", main=1000)


@pytest.mark.parametrize("ruleset", [AS_WRITTEN, STAND, VOID], ids=lambda ruleset: ruleset.id)
def test_cost_is_the_same_whatever_the_ruleset_makes_of_it(ruleset: Ruleset) -> None:
    # Set K-9 and A-T-7. The seat, K-T and 9-8-7 with the joker, copies low and wins high on the
    # house way, and wins both as set.
    entry = parse_round(dealt(DEALER, SEAT, low="Kd 9c", high="As Th 7d"))
    cost = misset_cost(entry, ruleset)
    assert cost is not None
    assert (cost.is_foul, dict(cost.by_seat), cost.total_minor) == (False, {1: 1000}, 1000)


def test_misset_may_be_the_players_loss() -> None:
    # The house way is Q-Q and K-K-3, against which the seat pushes; set 3-3 and K-K-Q beat both.
    player = seat("2h 2d Kh Kc Jc 9c 7h", "2h 2d", "Kh Kc Jc", main=1000)
    entry = parse_round(dealt("Ks Kd Qs Qd 3s 3d 2c", player, low="3s 3d", high="Ks Kd Qs"))
    cost = misset_cost(entry, AS_WRITTEN)
    assert cost is not None
    assert cost.total_minor == -1000
    assert settle_on_house_way(entry, STAND).seats[0].net_minor == 0


def test_bp_4_2_foul_cannot_stand_and_costs_nothing() -> None:
    entry = parse_round(dealt(DEALER, SEAT, low="As Kd", high="Th 9c 7d"))
    cost = misset_cost(entry, AS_WRITTEN)
    assert cost is not None
    assert (cost.is_foul, cost.total_minor) == (True, 0)


def test_house_way_and_unrecorded_setting_have_no_cost() -> None:
    assert misset_cost(parse_round(dealt(DEALER, SEAT)), AS_WRITTEN) is None
    way = parse_round(dealt(DEALER, SEAT, low="Kd Th", high="As 9c 7d"))
    assert misset_cost(way, AS_WRITTEN) is None


def test_bp_5_9_dealer_error_needs_a_deviation_that_counts() -> None:
    possible = is_dealer_error_possible
    assert possible(Compliance.DEVIATION, STAND)
    assert possible(Compliance.DEVIATION, VOID)
    assert not possible(Compliance.DEVIATION, AS_WRITTEN)
    assert not possible(Compliance.MATCH, STAND)


@pytest.mark.parametrize("ruleset", [AS_WRITTEN, PUBLISHED], ids=lambda ruleset: ruleset.id)
def test_batch_audit_finds_the_same_costs_on_all_golden_rounds(ruleset: Ruleset) -> None:
    entries = [
        parse_round({"dealer": line["dealer"], "seats": line["seats"]})
        for line in golden_lines("rounds.jsonl")
    ]
    names = [str(number) for number in range(len(entries))]
    tally = AuditTally(listed_max=len(entries))
    tally.add_batch(names, batch_of(entries), ruleset)
    found = {item.name: (item.is_foul, item.cost_minor) for item in tally.deviations}
    expected = {}
    for name, entry in zip(names, entries, strict=True):
        cost = misset_cost(entry, ruleset)
        if cost is not None:
            expected[name] = (cost.is_foul, cost.total_minor)
    assert found == expected
    assert len(found) > 20
    assert any(cost for _, cost in found.values())
