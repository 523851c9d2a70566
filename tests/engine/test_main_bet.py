"""The main bet: qualifier, Lucky Breaks, comparison, fouls."""

from dataclasses import replace
from typing import Any

import pytest

from games.engine.hands import parse_high, parse_low
from games.engine.outcomes import MAIN_OUTCOMES, Event, Outcome, compare_hands
from games.engine.rulesets import FoulPolicy, Ruleset
from games.engine.settlement import parse_round, settle, settlement_as_dict
from tests.engine.builders import AS_WRITTEN, PUBLISHED, dealt, seat

# The dealer's house way: low K-T, high A-9-7, no Lucky Break.
PLAIN_DEALER = "As Kd Th 9c 7d 5s 2h"
# Low 4-4, high 9-9-9: a Lucky Break.
BREAK_DEALER = "9s 9d 9c 4s 4d Ah Ks"


def settled(data: dict[str, Any], ruleset: Ruleset = AS_WRITTEN) -> dict[str, Any]:
    found: dict[str, Any] = settlement_as_dict(settle(parse_round(data), ruleset))
    return found


def main_of(dealer: str, player: dict[str, Any], ruleset: Ruleset = AS_WRITTEN) -> tuple[str, str]:
    found = settled(dealt(dealer, player), ruleset)["seats"][0]
    return found["event"], found["main"]["outcome"]


@pytest.mark.parametrize(
    ("low", "high", "event", "outcome"),
    [
        ("A-Q", "A-T-2", "win_both", "win"),
        ("A-Q", "A-9-7", "win_low_copy_high", "push"),
        ("A-Q", "A-9-6", "win_low_lose_high", "push"),
        ("K-T", "A-T-2", "copy_low_win_high", "push"),
        ("K-T", "A-9-7", "copy_both", "lose"),
        ("K-T", "A-9-6", "copy_low_lose_high", "lose"),
        ("K-9", "A-T-2", "lose_low_win_high", "push"),
        ("K-9", "A-9-7", "lose_low_copy_high", "lose"),
        ("K-9", "A-9-6", "lose_both", "lose"),
    ],
)
def test_bp_6_4_to_6_comparison_has_nine_events(
    low: str, high: str, event: str, outcome: str
) -> None:
    found = compare_hands(parse_low(low), parse_high(high), parse_low("K-T"), parse_high("A-9-7"))
    assert (found, MAIN_OUTCOMES[found]) == (event, outcome)


def test_bp_6_1_dealer_without_king_three_two_does_not_qualify_and_all_main_bets_push() -> None:
    # The best high hand of this dealer is Q-7-6.
    dealer = "Qs Td 9c 7d 6s 3h 2c"
    winner = seat("As Ad Ac Kh Kd 8s 8d", "Kh Kd", "As Ad Ac", number=1)
    loser = seat("Jh Jd 8c 5s 4h 3c 2d", "3c 2d", "Jh Jd 8c", number=2)
    foul = seat("Qh Qc 9h 7s 5d 4c 2h", "Qh Qc", "9h 7s 5d", number=3)
    found = settled(dealt(dealer, winner, loser, foul))
    assert found["dealer"]["qualifies"] is False
    assert [s["event"] for s in found["seats"]] == ["dealer_not_qualified"] * 3
    assert [s["main"] for s in found["seats"]] == [
        {"amount_minor": 1000, "outcome": "push", "net_minor": 0}
    ] * 3
    assert [s["foul"] for s in found["seats"]] == [False, False, True]
    assert found["house_net_minor"] == 0


def test_bp_6_1_king_three_two_is_just_enough() -> None:
    assert AS_WRITTEN.qualifies(parse_high("K-3-2"))
    assert not AS_WRITTEN.qualifies(parse_high("Q-J-9"))
    # Low J-9, high K-7-5.
    event, _ = main_of("Ks Jd 9c 7h 5d 3s 2c", seat("As Ad 9h 7c 5c 4s 2d", "9h 7c", "As Ad 5c"))
    assert event == "lose_low_win_high"


def test_bp_9_published_analysis_needs_any_ace_high() -> None:
    assert PUBLISHED.qualifies(parse_high("A-4-2"))
    assert not PUBLISHED.qualifies(parse_high("K-Q-T"))
    player = seat("As Ad 9h 7c 5c 4s 2d", "9h 7c", "As Ad 5c")
    assert main_of("Ks Jd 9c 7h 5d 3s 2c", player, PUBLISHED) == ("dealer_not_qualified", "push")
    any_dealer = replace(AS_WRITTEN, qualifier=None)
    assert any_dealer.qualifies(parse_high("5-3-2"))


def test_bp_6_2_dealer_break_beats_any_other_setting() -> None:
    # Low A-K and high Q-Q-Q would win the low hand and the high hand, but it is no Lucky Break.
    player = seat("Qs Qd Qc Ac Kd 7h 5h", "Ac Kd", "Qs Qd Qc")
    assert main_of(BREAK_DEALER, player) == ("dealer_break", "lose")


def test_bp_6_3_player_break_beats_any_other_setting() -> None:
    # The dealer has low A-9, high Q-Q-Q; the player only low 2-2, high A-2-3.
    dealer = "Qs Qd Qc Ac 9d 7h 4h"
    player = seat("2s 2d 2c Ah 3d 9h 5h", "2s 2d", "Ah 2c 3d")
    assert main_of(dealer, player) == ("player_break", "win")


def test_bp_4_4_two_lucky_breaks_are_compared_plainly() -> None:
    player = seat("Ts Td Tc 5s 5d Ac Kc", "5s 5d", "Ts Td Tc")
    assert main_of(BREAK_DEALER, player) == ("win_both", "win")
    player = seat("8s 8d 8c 5s 5d Ac Kc", "5s 5d", "8s 8d 8c")
    assert main_of(BREAK_DEALER, player) == ("win_low_lose_high", "push")
    player = seat("8s 8d 8c 3s 3d Ac Kc", "3s 3d", "8s 8d 8c")
    assert main_of(BREAK_DEALER, player) == ("lose_both", "lose")


@pytest.mark.parametrize(
    ("low", "high", "event", "outcome"),
    [
        ("Ad Qs", "Ac Ah 3c", "win_both", "win"),
        ("Ad Qs", "Ac Js 3c", "foul", "lose"),
        ("Kh Tc", "Ac 9h 7c", "copy_both", "lose"),
        ("Kh Tc", "Ac 9h 3c", "copy_low_lose_high", "lose"),
    ],
)
def test_bp_6_5_and_4_3_by_cards_on_the_table(
    low: str, high: str, event: str, outcome: str
) -> None:
    used = [*low.split(), *high.split()]
    spare = [c for c in ("2c", "4c", "6c") if c not in used][:2]
    player = seat(" ".join([*used, *spare]), low, high)
    assert main_of(PLAIN_DEALER, player) == (event, outcome)


def test_bp_6_6_otherwise_push() -> None:
    player = seat("Ac Qh 9h 6c 4c 3d Ad", "Qh 9h", "Ac Ad 6c")
    assert main_of(PLAIN_DEALER, player) == ("lose_low_win_high", "push")


def test_bp_6_main_bet_pays_one_to_one() -> None:
    player = seat("Ac Ad Kh Qh 9h 6c 4c", "Kh Qh", "Ac Ad 9h", main=12_345)
    found = settled(dealt(PLAIN_DEALER, player))["seats"][0]
    assert found["main"] == {"amount_minor": 12_345, "outcome": "win", "net_minor": 12_345}
    player = seat("Kc Kh Qh Jd 8h 6c 4c", "8h 6c", "Qh Jd 4c", main=12_345)
    found = settled(dealt(PLAIN_DEALER, player))["seats"][0]
    assert found["main"] == {"amount_minor": 12_345, "outcome": "lose", "net_minor": -12_345}


FOUL = seat("Ac Ad Kh Jh 9h 6c 4c", "Ac Ad", "Kh Jh 9h", main=500)


def test_bp_4_3_foul_loses_the_main_bet_and_is_kept_as_set() -> None:
    found = settled(dealt(PLAIN_DEALER, FOUL))["seats"][0]
    assert (found["event"], found["foul"], found["low"], found["high"]) == (
        "foul",
        True,
        "A-A",
        "K-J-9",
    )
    assert found["main"] == {"amount_minor": 500, "outcome": "lose", "net_minor": -500}
    assert found["reset_to"] is None


def test_bp_4_3_foul_may_be_reset_to_the_house_way() -> None:
    resetting = replace(AS_WRITTEN, foul=FoulPolicy.RESET_TO_HOUSE_WAY)
    found = settled(dealt(PLAIN_DEALER, FOUL), resetting)["seats"][0]
    # The house way of the player's cards is low K-J, high A-A-9.
    assert found["reset_to"] == {"low": "K-J", "high": "A-A-9"}
    assert (found["event"], found["foul"], found["low"]) == ("win_both", True, "A-A")
    assert found["main"] == {"amount_minor": 500, "outcome": "win", "net_minor": 500}


def test_bp_4_3_reset_hand_may_be_a_lucky_break() -> None:
    resetting = replace(AS_WRITTEN, foul=FoulPolicy.RESET_TO_HOUSE_WAY)
    player = seat("Ac Ad Kh Qh Jh 6c 4c", "Ac Ad", "Kh 6c 4c")
    found = settled(dealt(PLAIN_DEALER, player), resetting)["seats"][0]
    assert (found["event"], found["lucky_break"]) == ("player_break", True)
    found = settled(dealt(PLAIN_DEALER, player))["seats"][0]
    assert (found["event"], found["lucky_break"]) == ("foul", False)


def test_case_x01_copies_have_their_own_events_and_lose_only_as_the_rules_say() -> None:
    copies = {event: MAIN_OUTCOMES[event] for event in Event if "copy" in event}
    assert copies == {
        Event.WIN_LOW_COPY_HIGH: Outcome.PUSH,
        Event.COPY_LOW_WIN_HIGH: Outcome.PUSH,
        Event.COPY_BOTH: Outcome.LOSE,
        Event.COPY_LOW_LOSE_HIGH: Outcome.LOSE,
        Event.LOSE_LOW_COPY_HIGH: Outcome.LOSE,
    }


def test_case_b04_discards_do_not_break_a_tie() -> None:
    # Both set K-T and A-9-7; the player's discards are far better.
    player = seat("Ac Kh Tc 9h 7c Kc Qd", "Kh Tc", "Ac 9h 7c")
    assert main_of(PLAIN_DEALER, player) == ("copy_both", "lose")


def test_case_b04_each_seat_is_settled_against_the_dealer_only() -> None:
    copy = seat("Ac Kh Tc 9h 7c 3c 2d", "Kh Tc", "Ac 9h 7c", number=2)
    others = [
        seat("Qs Qd Qc Ad Js 8h 6h", "Ad Js", "Qs Qd Qc", number=1),
        seat("8s 8d 6c 5d 4s 3s 2c", "3s 2c", "8s 8d 6c", number=3),
        seat("Jh Jd 9d 8c 6s 4h 3h", "4h 3h", "Jh Jd 9d", number=4),
        seat("Kc Ks Td 7s 5h 4d 2s", "4d 2s", "Kc Ks Td", number=5),
        seat("Jc Ts 9s 7h 6d 5c 4c", "5c 4c", "Jc Ts 9s", number=6),
    ]
    together = settled(dealt(PLAIN_DEALER, *others, copy))["seats"]
    assert [s["seat"] for s in together] == [1, 2, 3, 4, 5, 6]
    assert together[1]["event"] == "copy_both"
    for other in others:
        alone = settled(dealt(PLAIN_DEALER, other))["seats"][0]
        assert together[other["seat"] - 1] == alone
