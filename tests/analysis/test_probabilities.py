"""Exact odds against the golden counts, the published figures, and dealt cards."""

import math
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from django.conf import settings

from games.analysis.probabilities import (
    LINES_OF,
    RulesetOdds,
    lines_of,
    net_of,
    odds_as_dict,
    odds_of,
    summarise_outcomes,
    two_seats_covariance,
)
from games.analysis.seat_outcomes import SeatOutcome, dealer_break_bonus_line, seat_outcomes
from games.analysis.setting_counts import EVENTS
from games.analysis.setting_values import PlayerKind, SettingValues
from games.engine.cards import DECK
from games.engine.house_way import house_way
from games.engine.outcomes import BreakBonusLine, DealerBreakBonusLine, Event
from games.engine.pay_tables import Odds, OddsUnit, PayTable
from games.engine.rulesets import Ruleset
from games.engine.settlement import DealerEntry, RoundEntry, SeatEntry, settle
from games.engine.wagers import Wager
from tests.engine.builders import AS_WRITTEN, PUBLISHED, golden

EXACT = golden("exact_counts.json")
PRINTED = golden("published_tables.json")


def odds(ruleset: Ruleset, player: PlayerKind) -> RulesetOdds:
    return odds_of(ruleset, player, folder=settings.ANALYSIS_DIR)


def test_bp_9_deals_of_each_event_are_the_exact_counts() -> None:
    found = odds(PUBLISHED, PlayerKind.HOUSE_WAY)
    assert {event.value: count for event, count in found.deals.items()} == EXACT["main_bet"][
        "deals"
    ]
    assert found.total_deals == sum(found.deals.values()) == 8250459031214400
    assert tuple(found.deals) == EVENTS


@pytest.mark.parametrize(
    ("player", "wager", "edge_percent"),
    [
        (PlayerKind.BEST, Wager.MAIN, "2.0833"),
        (PlayerKind.HOUSE_WAY, Wager.MAIN, "2.4735"),
        (PlayerKind.HOUSE_WAY, Wager.DEALER_BREAK_BONUS, "5.7185"),
        (PlayerKind.HOUSE_WAY, Wager.BREAK_BONUS, "7.2379"),
    ],
)
def test_bp_9_edges(player: PlayerKind, wager: Wager, edge_percent: str) -> None:
    edge = odds(PUBLISHED, player).wagers[wager].house_edge
    assert f"{float(edge) * 100:.4f}" == edge_percent


def test_bp_9_dealer_as_written_fails_to_qualify_in_few_deals() -> None:
    found = odds(AS_WRITTEN, PlayerKind.BEST)
    share = Fraction(found.deals[Event.DEALER_NOT_QUALIFIED], found.total_deals)
    assert f"{float(share) * 100:.4f}" == "0.3189"


def test_bp_7_2_published_break_bonus_agrees_to_every_digit() -> None:
    found = odds(PUBLISHED, PlayerKind.BEST).wagers[Wager.BREAK_BONUS]
    assert len(found.lines) == 6
    for line in found.lines:
        printed = PRINTED["break_bonus"][line.line]
        assert line.net == printed["pays"]
        assert round(line.deals / found.total_deals, 6) == printed["p"]
    assert round(float(found.expected_value), 6) == PRINTED["break_bonus"]["expected_value"]


@pytest.mark.parametrize("player", list(PlayerKind))
def test_bp_9_simulated_tables_are_within_their_noise(player: PlayerKind) -> None:
    kind = "best_play" if player is PlayerKind.BEST else "house_way"
    found = odds(PUBLISHED, player)
    for event, printed in PRINTED["main_bet"][kind]["events"].items():
        assert found.deals[Event(event)] / found.total_deals == pytest.approx(printed, abs=7e-4)


def test_closed_form_of_a_lucky_break() -> None:
    """Who can break does: the player's breaks are 49,481,384 hands times the dealer's none."""
    found = odds(PUBLISHED, PlayerKind.HOUSE_WAY)
    bonus = {line.line: line.deals for line in found.wagers[Wager.DEALER_BREAK_BONUS].lines}
    breaks = EXACT["lucky_break_hands"] * math.comb(46, 7)
    assert bonus[DealerBreakBonusLine.BOTH] + bonus[DealerBreakBonusLine.DEALER_ONLY] == breaks
    assert bonus[DealerBreakBonusLine.DEALER_ONLY] == found.deals[Event.DEALER_BREAK]


def test_best_play_is_worth_more_than_the_house_way() -> None:
    for ruleset in (AS_WRITTEN, PUBLISHED):
        best, house = (odds(ruleset, player).main for player in PlayerKind)
        assert best.expected_value > house.expected_value


OUTCOMES = (
    SeatOutcome(Event.WIN_BOTH, DealerBreakBonusLine.NONE, BreakBonusLine.NONE, 3),
    SeatOutcome(Event.LOSE_BOTH, DealerBreakBonusLine.DEALER_ONLY, BreakBonusLine.NONE, 2),
    SeatOutcome(Event.COPY_LOW_WIN_HIGH, DealerBreakBonusLine.BOTH, BreakBonusLine.AKQ, 1),
)


def test_moments_of_a_few_outcomes_by_hand() -> None:
    found = summarise_outcomes(AS_WRITTEN, PlayerKind.BEST, OUTCOMES)
    assert found.total_deals == 6
    main, dealer, bonus = (found.wagers[wager] for wager in Wager)
    assert main.expected_value == Fraction(1, 6)
    assert main.variance == Fraction(5, 6) - Fraction(1, 36)
    assert main.standard_deviation == pytest.approx(math.sqrt(29 / 36))
    assert (main.win_rate, main.push_rate, main.lose_rate) == (
        Fraction(1, 2),
        Fraction(1, 6),
        Fraction(1, 3),
    )
    # 3 x -1, 2 x +1, 1 x +4.
    assert dealer.house_edge == Fraction(-1, 2)
    assert bonus.expected_value == Fraction(-2, 6)
    covariances = {(pair.first, pair.second): pair.covariance for pair in found.pairs}
    assert covariances == {
        (Wager.MAIN, Wager.DEALER_BREAK_BONUS): Fraction(-3 - 2, 6) - Fraction(1, 12),
        (Wager.MAIN, Wager.BREAK_BONUS): Fraction(-3 + 2, 6) + Fraction(1, 18),
        (Wager.DEALER_BREAK_BONUS, Wager.BREAK_BONUS): Fraction(3 - 2 + 12, 6) + Fraction(1, 6),
    }


def test_nets_are_exact_in_either_unit() -> None:
    house = replace(
        AS_WRITTEN,
        main=Odds(19, 20),
        break_bonus=PayTable({BreakBonusLine.AKQ: Odds(7, 2, OddsUnit.FOR_ONE)}),
    )
    assert net_of(house, Event.WIN_BOTH) == Fraction(19, 20)
    assert net_of(house, Event.COPY_BOTH) == -1
    assert net_of(house, Event.LOSE_LOW_WIN_HIGH) == 0
    assert net_of(house, BreakBonusLine.AKQ) == Fraction(5, 2)
    assert net_of(house, BreakBonusLine.TRIPS) == -1
    assert net_of(house, DealerBreakBonusLine.BOTH) == 4
    assert lines_of(OUTCOMES[2]) == ("copy_low_win_high", "both", "akq")


def test_line_that_no_deal_comes_to_is_there_with_no_deals() -> None:
    found = summarise_outcomes(AS_WRITTEN, PlayerKind.BEST, OUTCOMES)
    for wager, lines in LINES_OF.items():
        assert tuple(line.line for line in found.wagers[wager].lines) == lines
    assert found.deals[Event.DEALER_NOT_QUALIFIED] == 0
    assert tuple(found.deals) == EVENTS


def test_changing_a_line_moves_the_value_by_its_deals() -> None:
    dearer = replace(
        PUBLISHED,
        break_bonus=PayTable({**PUBLISHED.break_bonus.lines, BreakBonusLine.TRIPS: Odds(7)}),
    )
    before = odds(PUBLISHED, PlayerKind.BEST).wagers[Wager.BREAK_BONUS].expected_value
    after = odds(dearer, PlayerKind.BEST).wagers[Wager.BREAK_BONUS].expected_value
    assert after - before == Fraction(EXACT["break_bonus_hands"]["trips"], EXACT["hands"])


def test_bp_7_1_line_of_the_dealer_break_bonus() -> None:
    line = dealer_break_bonus_line
    assert line(BreakBonusLine.TRIPS, dealer_can_break=True) is DealerBreakBonusLine.BOTH
    assert line(BreakBonusLine.NONE, dealer_can_break=True) is DealerBreakBonusLine.DEALER_ONLY
    assert line(BreakBonusLine.TRIPS, dealer_can_break=False) is DealerBreakBonusLine.NONE


def test_json_of_the_odds_by_hand() -> None:
    found: Any = odds_as_dict(summarise_outcomes(AS_WRITTEN, PlayerKind.BEST, OUTCOMES))
    assert (found["ruleset"], found["qualifier"], found["player"]) == (
        "break-poker/rules-as-written@1",
        "K-3-2",
        "best",
    )
    assert (found["total_deals"], found["expected_value"]) == (6, "1/6")
    assert found["house_edge"] == pytest.approx(-1 / 6)
    assert {event: count for event, count in found["deals"].items() if count} == {
        "win_both": 3,
        "copy_low_win_high": 1,
        "lose_both": 2,
    }
    bonus = found["wagers"]["break_bonus"]
    assert bonus["expected_value"] == "-1/3"
    assert (bonus["win_rate"], bonus["lose_rate"]) == ("1/6", "5/6")
    assert {"line": "akq", "deals": 1, "net": "3/1"} in bonus["lines"]
    assert {"line": "five_aces", "deals": 0, "net": "200/1"} in bonus["lines"]
    assert found["covariances"][0]["wagers"] == ["main", "dealer_break_bonus"]
    assert found["covariances"][0]["covariance"] == "-11/12"


DEALT = 12_000


@pytest.mark.slow
def test_dealt_rounds_are_within_four_standard_errors() -> None:
    """Cards dealt and settled by the engine: events, side bets, and two seats at one dealer."""
    rng = random.Random(20261130)  # noqa: S311  (not a secret)
    found = odds(AS_WRITTEN, PlayerKind.HOUSE_WAY)
    events = Counter[Event]()
    sums = dict.fromkeys(Wager, 0)
    product = 0
    for _ in range(DEALT):
        deck = rng.sample(DECK, 21)
        seats = []
        for number in (1, 2):
            hand = tuple(deck[7 * number : 7 * number + 7])
            way = house_way(hand, AS_WRITTEN)
            seats.append(SeatEntry(number, hand, way.low_cards, way.high_cards, 1, 1, 1))
        settled = settle(RoundEntry(DealerEntry(tuple(deck[:7])), tuple(seats)), AS_WRITTEN)
        first, second = settled.seats
        events[first.event] += 1
        for bet in first.bets:
            sums[bet.wager] += bet.net_minor
        product += first.bets[0].net_minor * second.bets[0].net_minor
    for event, deals in found.deals.items():
        share = deals / found.total_deals
        error = math.sqrt(share * (1 - share) / DEALT)
        assert abs(events[event] / DEALT - share) <= 4 * error, event
    for wager, of in found.wagers.items():
        error = of.standard_deviation / math.sqrt(DEALT)
        assert abs(sums[wager] / DEALT - of.expected_value) <= 4 * error, wager
    covariance = two_seats_covariance(found, folder=settings.ANALYSIS_DIR)
    mean = float(covariance + found.main.expected_value**2)
    assert abs(product / DEALT - mean) <= 4 * math.sqrt(0.5 / DEALT)


def test_outcomes_of_the_values_are_all_deals(as_written: SettingValues) -> None:
    for player in PlayerKind:
        outcomes = seat_outcomes(as_written, player)
        assert sum(outcome.deals for outcome in outcomes) == EXACT["deals"]
        assert len({lines_of(outcome) for outcome in outcomes}) == len(outcomes)
