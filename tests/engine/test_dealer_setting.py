"""The dealer's setting: compliance, and what a setting that is not the house way does."""

from dataclasses import replace
from typing import Any

import pytest

from games.engine.errors import EngineError
from games.engine.rulesets import DealerMissetPolicy, Ruleset
from games.engine.settlement import (
    Compliance,
    parse_round,
    round_faults,
    settle,
    settlement_as_dict,
)
from tests.engine.builders import AS_WRITTEN, dealt, seat

# The house way: low K-T, high A-9-7.
DEALER = "As Kd Th 9c 7d 5s 2h"
PLAYER = seat("Ac Qh 9h 6c 4c 3d Ad", "Qh 9h", "Ac Ad 6c", break_bonus=200, dealer_break_bonus=300)


def settled(
    low: str | None, high: str | None, ruleset: Ruleset = AS_WRITTEN, dealer: str = DEALER
) -> dict[str, Any]:
    data = dealt(dealer, PLAYER, low=low, high=high)
    found: dict[str, Any] = settlement_as_dict(settle(parse_round(data), ruleset))
    return found


def test_bp_5_8_same_setting_is_a_match() -> None:
    dealer = settled("Th Kd", "7d As 9c")["dealer"]
    assert (dealer["compliance"], dealer["compliant"]) == ("match", True)
    # The cards on the felt are shown as they were set.
    assert (dealer["low_cards"], dealer["high_cards"]) == ("Th Kd", "7d As 9c")
    assert dealer["discards"] == "5s 2h"
    assert dealer["required"] == {
        "low": "K-T",
        "high": "A-9-7",
        "low_cards": "Kd Th",
        "high_cards": "As 9c 7d",
    }


@pytest.mark.parametrize(
    ("cards", "low", "high"),
    [
        ("9s 9d 9c 9h Kd 4s 2h", "Kd 9c", "9s 9d 9h"),
        ("9s 9d 9c 9h Kd 4s 2h", "Kd 9s", "9c 9d 9h"),
        ("Jk 4s As 7d Th Ad Ah", "Jk Th", "As Ad Ah"),  # the joker as the ace of A-T
        ("Jk 4s As 7d Th Ad Ah", "As Th", "Jk Ad Ah"),
    ],
)
def test_bp_5_8_other_cards_of_the_same_rank_and_the_joker_are_a_match(
    cards: str, low: str, high: str
) -> None:
    player = seat("Kc Qh 8h 6c 5c 3d 2d", "6c 5c", "Kc Qh 8h")
    data = dealt(cards, player, low=low, high=high)
    assert settle(parse_round(data), AS_WRITTEN).dealer.compliance is Compliance.MATCH


def test_setting_that_was_not_recorded_is_neither_match_nor_deviation() -> None:
    found = settled(None, None)
    assert (found["dealer"]["compliance"], found["dealer"]["compliant"]) == ("not_recorded", None)
    assert found["dealer"]["as_set"] is None
    data = dealt(DEALER, PLAYER)
    data["dealer"] |= {"low": None, "high": None}
    assert settlement_as_dict(settle(parse_round(data), AS_WRITTEN)) == found


def test_bp_5_9_deviation_is_recorded_as_set_and_as_required_and_settled_on_the_house_way() -> None:
    found = settled("Kd 9c", "As Th 7d")
    dealer = found["dealer"]
    assert (dealer["compliance"], dealer["compliant"]) == ("deviation", False)
    assert dealer["as_set"] == {
        "low": "K-9",
        "high": "A-T-7",
        "low_cards": "Kd 9c",
        "high_cards": "As Th 7d",
    }
    assert (dealer["required"]["low"], dealer["required"]["high"]) == ("K-T", "A-9-7")
    assert (dealer["low"], dealer["high"]) == ("K-T", "A-9-7")
    assert (dealer["low_cards"], dealer["high_cards"]) == ("Kd Th", "As 9c 7d")
    assert found["seats"][0]["event"] == "lose_low_win_high"
    assert dealer["rule"] == "BP-5.7"


def test_bp_5_9_deviation_may_stand() -> None:
    standing = replace(AS_WRITTEN, dealer_misset=DealerMissetPolicy.STAND)
    # Low T-9 is as good as nothing: the player's Q-9 wins it.
    found = settled("Th 9c", "As Kd 7d", standing)
    dealer = found["dealer"]
    assert (dealer["low"], dealer["high"], dealer["discards"]) == ("T-9", "A-K-7", "5s 2h")
    assert dealer["compliance"] == "deviation"
    assert dealer["required"]["low"] == "K-T"
    assert found["seats"][0]["event"] == "win_both"


@pytest.mark.parametrize(
    ("low", "high", "label"), [("As Kd", "Th 9c 7d", "A-K"), ("Th 9c", "7d 5s 2h", "T-9")]
)
def test_bp_5_9_foul_of_the_dealer_cannot_stand(low: str, high: str, label: str) -> None:
    standing = replace(AS_WRITTEN, dealer_misset=DealerMissetPolicy.STAND)
    found = settled(low, high, standing)
    assert (found["dealer"]["low"], found["dealer"]["high"]) == ("K-T", "A-9-7")
    assert found["dealer"]["as_set"]["low"] == label
    assert found["dealer"]["compliance"] == "deviation"


@pytest.mark.parametrize(("low", "high"), [("Kd Th", "As 9c 5s"), ("Kd 7d", "As 9c Th")])
def test_bp_5_8_one_hand_that_differs_is_a_deviation(low: str, high: str) -> None:
    assert settled(low, high)["dealer"]["compliant"] is False


def test_bp_5_9_deviation_may_void_the_round() -> None:
    voiding = replace(AS_WRITTEN, dealer_misset=DealerMissetPolicy.VOID)
    found = settled("Th 9c", "As Kd 7d", voiding)
    player = found["seats"][0]
    assert (found["is_void"], found["house_net_minor"]) == (True, 0)
    assert (player["event"], player["net_minor"]) == ("void", 0)
    assert player["main"] == {"amount_minor": 1000, "outcome": "void", "net_minor": 0}
    assert player["break_bonus"] == {
        "amount_minor": 200,
        "outcome": "void",
        "net_minor": 0,
        "line": None,
    }
    match = settled("Kd Th", "As 9c 7d", voiding)
    assert (match["is_void"], match["seats"][0]["event"]) == (False, "lose_low_win_high")


def test_bp_7_1_dealer_break_bonus_reads_the_dealer_s_cards_however_they_were_set() -> None:
    standing = replace(AS_WRITTEN, dealer_misset=DealerMissetPolicy.STAND)
    found = settled("8s Ks", "9s 9d 9c", standing, dealer="9s 9d 9c 8c 8s 5h Ks")
    assert found["dealer"]["lucky_break"] is False
    assert found["seats"][0]["dealer_break_bonus"]["line"] == "dealer_only"


def test_bp_5_10_house_way_comes_only_with_a_round_whose_seats_are_all_set() -> None:
    unset = seat("Ac Qh 9h 6c 4c 3d Ad", "Qh 9h", "Ac Ad 6c")
    del unset["low"], unset["high"]
    data = dealt(DEALER, PLAYER | {"seat": 2}, unset)
    with pytest.raises(EngineError):
        parse_round(data)
    # Nor do the faults give it away.
    told = str([fault.as_dict() for fault in round_faults(data)])
    assert "K-T" not in told
    assert "BP-5" not in told
    assert "Kd Th" not in told.replace(DEALER, "")
