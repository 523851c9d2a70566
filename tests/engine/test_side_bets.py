"""Side bets: each line of both pay tables with real cards, odds, limits and caps."""

import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.errors import HandSizeError, SideBetWithoutMainError
from games.engine.lookup import break_bonus_line
from games.engine.outcomes import BreakBonusLine, DealerBreakBonusLine
from games.engine.patterns import pattern_of
from games.engine.pay_tables import EVEN_MONEY, Odds, OddsUnit, PayTable, exact, floor_to_minor
from games.engine.rulesets import Ruleset
from games.engine.settlement import parse_round, settle, settlement_as_dict
from games.engine.wagers import (
    NO_CAPS,
    LimitBreach,
    SideBetCaps,
    SideBetWin,
    Wager,
    WagerLimits,
    apply_caps,
    share_by_largest_remainder,
)
from tests.engine.builders import AS_WRITTEN, cards, dealt, seat

PLAIN_DEALER = "Ks Qd Jc 8h 6d 5s 2c"
BREAK_DEALER = "9s 9d 9c 8s 8d Jh Ks"


def settled(data: dict[str, Any], ruleset: Ruleset = AS_WRITTEN, **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = settlement_as_dict(settle(parse_round(data), ruleset, **options))
    return found


@pytest.mark.parametrize(
    ("hand", "low", "high", "line", "net_minor"),
    [
        ("As Ad Ac Ah Jk 4s 3d", "4s 3d", "As Ad Ac", "five_aces", 200_000),
        ("7s 7d 7c 7h Jk 4s 3d", "4s 3d", "7s 7d 7c", "five_of_a_kind", 100_000),
        ("7s 7d 7c 4h 4d As 3d", "As 3d", "7s 7d 7c", "trips", 6_000),
        ("7s 7d Jk 4h 4d As Td", "As Td", "7s 7d 4h", "trips", 6_000),
        ("Ah Kd Qs 9h 9d 4c 2s", "4c 2s", "9h 9d Ah", "akq", 3_000),
        ("Jk Kd Qh 9h 9d 4c 2s", "4c 2s", "9h 9d Kd", "akq", 3_000),
        ("Ah 2d 3s 9h 9d 6c Qs", "6c 3s", "9h 9d Ah", "straight", 1_000),
        ("Kh Qs Js 9h 9d 6c 4s", "6c 4s", "9h 9d Kh", "straight", 1_000),
        ("Ah Jk Th 9h 8c 4s 4c", "4s 4c", "Ah Jk 8c", "straight", 1_000),
        ("7s 7d 7c Ah Ts 4s 2d", "Ah Ts", "7s 7d 7c", "none", -1_000),
        ("Ah Kd Qs 9h 7d 4c 2s", "9h 7d", "Ah Kd Qs", "none", -1_000),
    ],
)
def test_bp_7_2_and_case_b09_each_line_of_break_bonus_pays_its_odds(
    hand: str, low: str, high: str, line: str, net_minor: int
) -> None:
    assert break_bonus_line(pattern_of(cards(hand))) == line
    dealer = "Kc Qc Jc 8h 6d 5s 2c"
    found = settled(dealt(dealer, seat(hand, low, high, break_bonus=1000)))["seats"][0]
    assert found["break_bonus"] == {
        "amount_minor": 1000,
        "outcome": "win" if net_minor > 0 else "lose",
        "net_minor": net_minor,
        "line": line,
    }


BREAK_PLAYER = seat("7s 7d 7c 4h 4d As 3d", "4h 4d", "7s 7d 7c", dealer_break_bonus=1000)
PLAIN_PLAYER = seat("As Qh Th 7c 5d 4c 2d", "Qh Th", "As 7c 5d", dealer_break_bonus=1000)


@pytest.mark.parametrize(
    ("dealer", "player", "line", "net_minor"),
    [
        (BREAK_DEALER, BREAK_PLAYER, "both", 4_000),
        (BREAK_DEALER, PLAIN_PLAYER, "dealer_only", 1_000),
        (PLAIN_DEALER, BREAK_PLAYER, "none", -1_000),
        (PLAIN_DEALER, PLAIN_PLAYER, "none", -1_000),
    ],
)
def test_bp_7_1_and_case_b09_each_line_of_dealer_break_bonus_pays_its_odds(
    dealer: str, player: dict[str, Any], line: str, net_minor: int
) -> None:
    found = settled(dealt(dealer, player))["seats"][0]["dealer_break_bonus"]
    assert (found["line"], found["net_minor"]) == (line, net_minor)
    assert found["outcome"] == ("win" if net_minor > 0 else "lose")


def test_bp_7_1_player_s_lucky_break_counts_however_it_was_set() -> None:
    # Set without the Lucky Break that the cards hold.
    player = seat("7s 7d 7c 4h 4d As 3d", "As 3d", "7s 7d 7c", dealer_break_bonus=1000)
    found = settled(dealt(BREAK_DEALER, player))["seats"][0]
    assert found["lucky_break"] is False
    assert found["dealer_break_bonus"]["line"] == "both"


def test_bp_7_3_side_bets_are_settled_when_the_dealer_does_not_qualify_and_on_a_foul() -> None:
    dealer = "Qs Td 9c 7d 6s 3h 2c"
    foul = seat("7s 7h 7c 4h 4d As 3d", "7s 7h", "4h 3d As", break_bonus=1000)
    found = settled(dealt(dealer, foul))["seats"][0]
    assert (found["event"], found["main"]["outcome"]) == ("dealer_not_qualified", "push")
    assert found["break_bonus"]["net_minor"] == 6_000
    found = settled(dealt(PLAIN_DEALER, foul))["seats"][0]
    assert (found["event"], found["break_bonus"]["net_minor"]) == ("foul", 6_000)


def test_bp_7_3_side_bet_without_main_bet_is_refused() -> None:
    data = copy.deepcopy(dealt(PLAIN_DEALER, BREAK_PLAYER))
    del data["seats"][0]["bets"]["main"]
    with pytest.raises(SideBetWithoutMainError) as caught:
        parse_round(data)
    assert (caught.value.code, caught.value.place) == ("side_bet_without_main", "seats[0].bets")


def test_case_b09_unit_of_the_odds_is_a_stored_field() -> None:
    to_one, for_one = Odds(5), Odds(5, unit=OddsUnit.FOR_ONE)
    assert to_one.net_minor(1000) == 5000
    assert for_one.net_minor(1000) == 4000
    assert (str(to_one), str(for_one), str(Odds(3, 2))) == ("5 to 1", "5 for 1", "3 to 2")


def test_case_b09_hand_of_fewer_than_seven_cards_is_not_settled() -> None:
    data = dealt(PLAIN_DEALER, seat("7s 7d 7c 4h 4d As", "4h 4d", "7s 7d 7c"))
    with pytest.raises(HandSizeError):
        parse_round(data)


def test_odds_in_fractions_are_rounded_down_to_the_minor_unit() -> None:
    assert [Odds(3, 2).net_minor(amount) for amount in (1, 2, 25, 1001)] == [1, 3, 37, 1501]
    assert Odds(6, 5, OddsUnit.FOR_ONE).net_minor(7) == 1
    assert floor_to_minor(75, 2) == 37
    assert EVEN_MONEY.net_minor(999) == 999


@given(st.integers(1, 10**10), st.integers(1, 500), st.integers(1, 20))
def test_odds_never_pay_more_than_the_fraction_says_nor_a_unit_less(
    amount: int, pays: int, per: int
) -> None:
    exact = Fraction(amount * pays, per)
    assert exact - 1 < Odds(pays, per).net_minor(amount) <= exact


def test_pay_table_keeps_its_own_copy() -> None:
    lines = {BreakBonusLine.TRIPS: Odds(6)}
    table = PayTable(lines)
    lines[BreakBonusLine.NONE] = Odds(1000)
    assert dict(table.lines) == {BreakBonusLine.TRIPS: Odds(6)}
    with pytest.raises(TypeError):
        table.lines[BreakBonusLine.NONE] = Odds(1)  # type: ignore[index]


def test_bp_7_pay_tables_are_those_of_the_rules() -> None:
    assert {line: str(odds) for line, odds in AS_WRITTEN.break_bonus.lines.items()} == {
        BreakBonusLine.FIVE_ACES: "200 to 1",
        BreakBonusLine.FIVE_OF_A_KIND: "100 to 1",
        BreakBonusLine.TRIPS: "6 to 1",
        BreakBonusLine.AKQ: "3 to 1",
        BreakBonusLine.STRAIGHT: "1 to 1",
    }
    assert {line: str(odds) for line, odds in AS_WRITTEN.dealer_break_bonus.lines.items()} == {
        DealerBreakBonusLine.BOTH: "4 to 1",
        DealerBreakBonusLine.DEALER_ONLY: "1 to 1",
    }


# Limits


@pytest.mark.parametrize(
    ("amount", "breach"),
    [
        (499, LimitBreach.BELOW_MINIMUM),
        (500, None),
        (10_000, None),
        (10_001, LimitBreach.ABOVE_MAXIMUM),
    ],
)
def test_bp_8_2_limit_breach_is_told_at_the_very_limit(
    amount: int, breach: LimitBreach | None
) -> None:
    assert WagerLimits(500, 10_000).breach_of(amount) is breach
    assert WagerLimits().breach_of(amount) is None


def test_bp_8_2_bet_outside_the_limits_stands_and_is_marked() -> None:
    data = dealt(PLAIN_DEALER, seat("As Ad 9c 7h 5d 4s 3c", "9c 7h", "As Ad 5d", break_bonus=50))
    limits = {Wager.MAIN: WagerLimits(None, 999), Wager.BREAK_BONUS: WagerLimits(100, None)}
    found = settled(data, limits=limits)["seats"][0]
    assert found["main"]["limit_breach"] == "above_maximum"
    assert found["break_bonus"]["limit_breach"] == "below_minimum"
    without = settled(data)["seats"][0]
    assert "limit_breach" not in without["main"]
    assert found["net_minor"] == without["net_minor"]


def test_bp_8_2_limits_of_the_table_take_the_place_of_those_of_the_ruleset() -> None:
    strict = replace(AS_WRITTEN, limits={Wager.MAIN: WagerLimits(None, 999)})
    data = dealt(PLAIN_DEALER, seat("As Ad 9c 7h 5d 4s 3c", "9c 7h", "As Ad 5d"))
    assert settled(data, strict)["seats"][0]["main"]["limit_breach"] == "above_maximum"
    assert "limit_breach" not in settled(data, strict, limits={})["seats"][0]["main"]
    other = {Wager.BREAK_BONUS: WagerLimits(1, 2)}
    assert "limit_breach" not in settled(data, strict, limits=other)["seats"][0]["main"]


# Caps


def wins_of(*wins: tuple[int, Wager, int]) -> list[SideBetWin]:
    return [SideBetWin(*win) for win in wins]


def test_bp_8_3_cap_per_player_is_shared_by_that_player_s_side_bets() -> None:
    wins = wins_of(
        (1, Wager.DEALER_BREAK_BONUS, 100), (1, Wager.BREAK_BONUS, 300), (2, Wager.BREAK_BONUS, 200)
    )
    capped = apply_caps(wins, SideBetCaps(per_player_minor=200))
    assert [win.net_minor for win in capped] == [50, 150, 200]


def test_bp_8_3_cap_per_table_comes_after_the_cap_per_player() -> None:
    wins = wins_of((1, Wager.BREAK_BONUS, 1000), (2, Wager.BREAK_BONUS, 100))
    capped = apply_caps(wins, SideBetCaps(per_player_minor=200, per_table_minor=150))
    # 200 and 100 share 150; without the first cap it would be 136 and 14.
    assert [win.net_minor for win in capped] == [100, 50]


def test_bp_8_3_ties_go_to_the_lower_seat_and_then_to_the_earlier_wager() -> None:
    wins = wins_of(
        (2, Wager.BREAK_BONUS, 10),
        (1, Wager.BREAK_BONUS, 10),
        (1, Wager.DEALER_BREAK_BONUS, 10),
    )
    for cap, expected in ((10, [4, 3, 3]), (11, [4, 4, 3]), (12, [4, 4, 4])):
        capped = apply_caps(wins, SideBetCaps(per_table_minor=cap))
        assert [(win.seat, win.wager) for win in capped] == [
            (1, Wager.DEALER_BREAK_BONUS),
            (1, Wager.BREAK_BONUS),
            (2, Wager.BREAK_BONUS),
        ]
        assert [win.net_minor for win in capped] == expected


def test_bp_8_3_largest_remainder_gets_the_odd_cent() -> None:
    # 100 shared by 1, 2 and 4: 14.28..., 28.57..., 57.14...
    assert share_by_largest_remainder(100, [100, 200, 400]) == (14, 29, 57)


def test_bp_8_3_no_cap_changes_nothing() -> None:
    wins = wins_of((1, Wager.BREAK_BONUS, 10), (2, Wager.BREAK_BONUS, 20))
    assert apply_caps(wins, NO_CAPS) == tuple(wins)
    assert apply_caps(wins, SideBetCaps(10**6, 30)) == tuple(wins)
    assert apply_caps([], SideBetCaps(0, 0)) == ()
    assert (NO_CAPS.are_set, SideBetCaps(1).are_set, SideBetCaps(None, 1).are_set) == (
        False,
        True,
        True,
    )


@given(st.lists(st.integers(1, 10**12), min_size=1, max_size=12), st.data())
def test_bp_8_3_shares_sum_exactly_and_never_exceed_their_claims(
    claims: list[int], data: st.DataObject
) -> None:
    total = data.draw(st.integers(0, sum(claims)))
    shares = share_by_largest_remainder(total, claims)
    assert sum(shares) == total
    for share, claim in zip(shares, claims, strict=True):
        assert 0 <= share <= claim
        assert abs(share - Fraction(total * claim, sum(claims))) < 1


def test_bp_8_3_capped_win_shows_what_it_was_and_the_house_keeps_the_rest() -> None:
    capped = replace(AS_WRITTEN, caps=SideBetCaps(per_table_minor=5_000))
    player = seat("7s 7d 7c 4h 4d As 3d", "4h 4d", "7s 7d 7c", break_bonus=1000)
    found = settled(dealt(PLAIN_DEALER, player), capped)
    bet = found["seats"][0]["break_bonus"]
    assert (bet["net_minor"], bet["uncapped_net_minor"], bet["outcome"]) == (5_000, 6_000, "win")
    assert found["seats"][0]["net_minor"] == 1_000 + 5_000
    assert found["house_net_minor"] == -6_000
    assert "uncapped_net_minor" not in found["seats"][0]["main"]


def test_fractions_are_written_exactly() -> None:
    assert exact(Fraction(6, 4)) == "3/2"
    assert exact(Fraction(-2)) == "-2/1"
    assert Odds(7, 2, OddsUnit.FOR_ONE).net == Fraction(5, 2)
    assert Odds(19, 20).net == Fraction(19, 20)
