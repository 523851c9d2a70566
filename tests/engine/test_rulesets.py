"""Rulesets: frozen, versioned, and found by their id."""

import dataclasses

import pytest

from games.engine.dealing import SEATS_MAX, DealingCustom, expected_stub
from games.engine.errors import ErrorKind, SeatError, UnknownRulesetError
from games.engine.rulesets import (
    DEFAULT_RULESET_ID,
    PUBLISHED_ANALYSIS,
    RULES_AS_WRITTEN,
    RULESETS,
    DealerMissetPolicy,
    FoulPolicy,
    get_ruleset,
)
from games.engine.settlement import parse_round, settle
from games.engine.wagers import Wager, WagerLimits
from tests.engine.builders import AS_WRITTEN, PUBLISHED, golden_lines


def test_bp_9_two_rulesets_and_the_rules_as_written_are_the_default() -> None:
    assert DEFAULT_RULESET_ID == "break-poker/rules-as-written@1"
    assert set(RULESETS) == {"break-poker/rules-as-written@1", "break-poker/published-analysis@1"}
    assert get_ruleset(DEFAULT_RULESET_ID) is AS_WRITTEN is RULES_AS_WRITTEN
    assert get_ruleset(PUBLISHED.id) is PUBLISHED_ANALYSIS
    assert AS_WRITTEN.qualifier is not None
    assert AS_WRITTEN.qualifier.label == "K-3-2"
    assert (AS_WRITTEN.foul, AS_WRITTEN.dealer_misset) == (
        FoulPolicy.LOSE,
        DealerMissetPolicy.RESET,
    )


@pytest.mark.parametrize(
    "ruleset_id", ["", "break-poker", "break-poker/rules-as-written@2", None, []]
)
def test_unknown_ruleset_is_refused_and_the_known_ones_are_named(ruleset_id: object) -> None:
    with pytest.raises(UnknownRulesetError) as caught:
        get_ruleset(ruleset_id)  # type: ignore[arg-type]
    error = caught.value
    assert (error.code, error.kind) == ("ruleset_unknown", ErrorKind.UNKNOWN)
    assert error.detail["known"] == sorted(RULESETS)
    assert DEFAULT_RULESET_ID in error.message


def test_ruleset_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        AS_WRITTEN.foul = FoulPolicy.RESET_TO_HOUSE_WAY  # type: ignore[misc]
    with pytest.raises(TypeError):
        RULESETS["mine"] = AS_WRITTEN  # type: ignore[index]
    with pytest.raises(TypeError):
        AS_WRITTEN.limits[Wager.MAIN] = WagerLimits()  # type: ignore[index]


def test_bp_8_4_and_case_a04_round_settles_the_same_under_its_own_version_for_ever() -> None:
    line = golden_lines("rounds.jsonl")[0]
    entry = parse_round({"dealer": line["dealer"], "seats": line["seats"]})
    first = settle(entry, get_ruleset("break-poker/rules-as-written@1"))
    # A house brings in new rules; the old round keeps its own.
    changed = dataclasses.replace(
        AS_WRITTEN, id="break-poker/house@2", foul=FoulPolicy.RESET_TO_HOUSE_WAY
    )
    assert settle(entry, changed) != first
    assert settle(entry, get_ruleset(first.ruleset_id)) == first
    with pytest.raises(AttributeError):
        first.house_net_minor = 0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("seats", "live_stub"), [(1, 39), (2, 32), (3, 25), (4, 18), (5, 11), (6, 4)]
)
def test_bp_8_1_stub_after_the_deal_by_both_customs(seats: int, live_stub: int) -> None:
    assert expected_stub(seats, DealingCustom.SEVEN_HANDS) == 4
    assert expected_stub(seats, DealingCustom.LIVE_SEATS) == live_stub


@pytest.mark.parametrize("seats", [0, -1, SEATS_MAX + 1])
def test_bp_1_4_more_than_six_seats_cannot_be_dealt(seats: int) -> None:
    with pytest.raises(SeatError) as caught:
        expected_stub(seats, DealingCustom.LIVE_SEATS)
    assert caught.value.detail["value"] == seats
