"""The worth of every bet, and the split of every result, against plain enumeration."""

import random
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from games.analysis.decks import FULL_DECK
from games.analysis.misset import is_dealer_error_possible, settle_on_house_way
from games.analysis.probabilities import RulesetOdds, odds_of
from games.analysis.setting_table import code_of, labels_of
from games.analysis.setting_values import PlayerKind, SettingValues
from games.analysis.split import Split, split_result
from games.analysis.value_store import setting_values
from games.analysis.worth import values_of_hands
from games.engine.cards import JOKER, RANK_CARDS
from games.engine.errors import InvariantViolation
from games.engine.notation import CardEntry
from games.engine.outcomes import BreakBonusLine, DealerBreakBonusLine, Outcome
from games.engine.patterns import all_patterns, cards_of, count_in, pattern_of
from games.engine.pay_tables import Odds, PayTable
from games.engine.rulesets import DealerMissetPolicy, FoulPolicy, Ruleset
from games.engine.settlement import (
    Compliance,
    DealerEntry,
    RoundEntry,
    RoundSettlement,
    parse_round,
    settle,
)
from games.engine.wagers import SideBetCaps, Wager
from tests.analysis.appraisal import SeatAppraisal, appraise_round
from tests.engine.builders import AS_WRITTEN, PUBLISHED, dealt, golden_lines, random_round, seat

STAND = replace(AS_WRITTEN, id="test/stand@1", dealer_misset=DealerMissetPolicy.STAND)
VOID = replace(AS_WRITTEN, id="test/void@1", dealer_misset=DealerMissetPolicy.VOID)
RESET_FOULS = replace(PUBLISHED, id="test/reset-fouls@1", foul=FoulPolicy.RESET_TO_HOUSE_WAY)
UNEVEN = replace(
    AS_WRITTEN,
    id="test/uneven@1",
    main=Odds(19, 20),
    foul=FoulPolicy.RESET_TO_HOUSE_WAY,
    dealer_misset=DealerMissetPolicy.STAND,
    dealer_break_bonus=PayTable(
        {DealerBreakBonusLine.BOTH: Odds(7, 3), DealerBreakBonusLine.DEALER_ONLY: Odds(1, 2)}
    ),
    break_bonus=PayTable({BreakBonusLine.TRIPS: Odds(13, 7), BreakBonusLine.STRAIGHT: Odds(3, 2)}),
    caps=SideBetCaps(per_player_minor=3_000, per_table_minor=5_000),
)
RULESETS = {item.id: item for item in (AS_WRITTEN, PUBLISHED, STAND, VOID, RESET_FOULS, UNEVEN)}
HANDS_AFTER_ONE = comb(46, 7)


def values_of(ruleset: Ruleset) -> SettingValues:
    return setting_values(ruleset, folder=settings.ANALYSIS_DIR)


def best_odds(ruleset: Ruleset) -> RulesetOdds:
    return odds_of(ruleset, PlayerKind.BEST, folder=settings.ANALYSIS_DIR)


def worth_of(
    data: Mapping[str, Any], ruleset: Ruleset, odds: RulesetOdds
) -> tuple[RoundEntry, RoundSettlement, tuple[SeatAppraisal, ...]]:
    entry = parse_round(dict(data))
    settlement = settle(entry, ruleset)
    return entry, settlement, appraise_round(entry, settlement, ruleset, values_of(ruleset), odds)


def assert_split_is_right(
    settlement: RoundSettlement, found: tuple[SeatAppraisal, ...], ruleset: Ruleset
) -> None:
    """Every part is what its definition says, and they add up to the actual result."""
    deviates = settlement.dealer.compliance is Compliance.DEVIATION
    total = Fraction(0)
    for settled, worth in zip(settlement.seats, found, strict=True):
        assert worth.seat == settled.seat
        for bet, of in zip(settled.bets, worth.bets, strict=True):
            split, amount = of.split, bet.amount_minor
            assert (of.wager, of.amount_minor) == (bet.wager, amount)
            assert of.actual_minor == -bet.net_minor
            parts = (split.theo, split.player_error, split.dealer_error_minor, split.luck)
            assert sum(parts) == split.actual == -bet.net_minor
            assert split.luck == split.player_luck + split.dealer_luck
            assert split.setting_theo == -amount * of.setting_value
            assert split.player_error == amount * (of.best_value - of.setting_value) >= 0
            assert 0 <= of.wins + of.losses <= HANDS_AFTER_ONE
            if of.wager is not Wager.MAIN:
                assert split.player_error == 0
                assert (of.best_low, of.best_high) == ("", "")
            if not deviates or ruleset.dealer_misset is DealerMissetPolicy.RESET:
                assert split.dealer_error_minor == 0
            total += split.actual
    assert total == settlement.house_net_minor


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_parts_add_up_to_the_result_of_every_golden_round(ruleset: Ruleset) -> None:
    odds = best_odds(ruleset)
    dealer_errors = player_errors = 0
    for golden in golden_lines("rounds.jsonl"):
        data = {"dealer": golden["dealer"], "seats": golden["seats"]}
        _, settlement, found = worth_of(data, ruleset, odds)
        assert_split_is_right(settlement, found, ruleset)
        splits = [bet.split for of in found for bet in of.bets]
        dealer_errors += any(split.dealer_error_minor for split in splits)
        player_errors += any(split.player_error for split in splits)
    assert player_errors > 100
    assert (dealer_errors > 0) == (ruleset.dealer_misset is not DealerMissetPolicy.RESET)


@hypothesis_settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    seats=st.integers(1, 6),
    stake_max=st.sampled_from([1, 7, 10**6, 10**10]),
    ruleset=st.sampled_from(list(RULESETS.values())),
)
def test_parts_add_up_to_the_result_of_any_round(
    seed: int, seats: int, stake_max: int, ruleset: Ruleset
) -> None:
    rng = random.Random(seed)  # noqa: S311  (not a secret)
    data = random_round(rng, seat_count=seats, stake_max=stake_max)
    _, settlement, found = worth_of(data, ruleset, best_odds(ruleset))
    assert_split_is_right(settlement, found, ruleset)


def weight_beside(mine: int, dealers: int) -> int:
    """How many hands of this dealer pattern are left when the player's seven cards are gone."""
    weight = 1
    for card in (*RANK_CARDS, JOKER):
        copies = 1 if card is JOKER else 4
        taken, wanted = count_in(mine, card.pattern), count_in(dealers, card.pattern)
        if wanted:
            weight *= comb(copies - taken, wanted)
    return weight


HANDS = {
    "pai": seat("A K J 9 7 5 3", "K 9", "A J 7", dealer_break_bonus=600, break_bonus=4200),
    "foul": seat("A K J 9 7 5 3", "A K", "J 9 7", dealer_break_bonus=600, break_bonus=4200),
    "break": seat("Jk A Q Q 8 6 2", "Q Q", "Jk 8 6", dealer_break_bonus=600, break_bonus=4200),
    "trips": seat("9 9 9 5 5 T Jk", "5 5", "9 9 9", dealer_break_bonus=600, break_bonus=4200),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HANDS)
@pytest.mark.parametrize("ruleset", [AS_WRITTEN, UNEVEN], ids=["as written", "uneven"])
def test_settling_against_every_dealer_hand_nets_the_value_on_the_average(
    ruleset: Ruleset, name: str
) -> None:
    """The oracle: settle each pattern of the dealer in plain Python, weighted. No luck is left."""
    ruleset = replace(ruleset, id="test/uncapped@1", caps=AS_WRITTEN.caps)
    data = dealt("2 2 3 3 4 4 6", HANDS[name])
    entry = parse_round(data, card_entry=CardEntry.RANKS)
    [mine] = entry.seats
    nets = dict.fromkeys(Wager, 0)
    wins, losses = dict.fromkeys(Wager, 0), dict.fromkeys(Wager, 0)
    hands = 0
    for pattern in all_patterns():
        weight = weight_beside(pattern_of(mine.cards), pattern)
        if not weight:
            continue
        dealt_round = RoundEntry(DealerEntry(cards_of(pattern)), entry.seats)
        hands += weight
        for bet in settle(dealt_round, ruleset).seats[0].bets:
            nets[bet.wager] += weight * bet.net_minor
            wins[bet.wager] += weight * (bet.outcome is Outcome.WIN)
            losses[bet.wager] += weight * (bet.outcome is Outcome.LOSE)
    assert hands == HANDS_AFTER_ONE
    [found] = appraise_round(
        entry, settle(entry, ruleset), ruleset, values_of(ruleset), best_odds(ruleset)
    )
    for of in found.bets:
        assert of.amount_minor * of.setting_value == Fraction(nets[of.wager], hands)
        assert (of.wins, of.losses) == (wins[of.wager], losses[of.wager])


@pytest.mark.parametrize("ruleset", [AS_WRITTEN, PUBLISHED, UNEVEN], ids=lambda item: item.id)
def test_luck_of_the_players_cards_is_nothing_on_the_average(ruleset: Ruleset) -> None:
    values, odds = values_of(ruleset), best_odds(ruleset)
    hands = values_of_hands(
        values, ruleset, FULL_DECK.patterns.tolist(), values.best_codes.tolist()
    )
    assert hands.is_known.all()
    assert (hands.best_codes == values.best_codes).all()
    weights = FULL_DECK.weights.astype(object)
    for wager, of in hands.wagers.items():
        assert (of.best == of.setting).all()
        mean = Fraction(int((weights * of.best).sum()), of.denominator * FULL_DECK.hands)
        assert mean == odds.wagers[wager].expected_value


@pytest.mark.slow
def test_best_setting_is_the_best_of_all() -> None:
    values = values_of(AS_WRITTEN)
    table = values.table
    hands = values_of_hands(
        values, AS_WRITTEN, FULL_DECK.patterns[table.pattern_of].tolist(), table.codes.tolist()
    )
    main = hands.wagers[Wager.MAIN]
    assert hands.is_known.all()
    assert (
        main.best == np.maximum.reduceat(main.setting, table.starts[:-1])[table.pattern_of]
    ).all()
    assert (main.wins == values.wins).all()
    assert (main.losses == values.losses).all()


@pytest.mark.parametrize("foul", list(FoulPolicy))
def test_bp_4_3_foul_is_worth_what_the_policy_makes_of_it(foul: FoulPolicy) -> None:
    ruleset = replace(AS_WRITTEN, id="test/foul@1", foul=foul)
    values, odds = values_of(ruleset), best_odds(ruleset)
    # A hand of which the house way does not make the best.
    dealer, cards = "2c 2d 8s 8h 9c 9d Ts", "Qs 7d 5s 5h 4d 4c 3c"
    data = dealt(dealer, seat(cards, "5s 5h", "Qs 7d 4d"))
    house_way = dealt(dealer, seat(cards, "Qs 7d", "5s 4d 3c"))
    [fouled] = worth_of(data, ruleset, odds)[2]
    [as_house] = worth_of(house_way, ruleset, odds)[2]
    row = int(FULL_DECK.index_of(np.array([pattern_of(parse_round(data).seats[0].cards)]))[0])
    if foul is FoulPolicy.LOSE:
        expected = Fraction(-int(values.qualified[row]), HANDS_AFTER_ONE)
        assert fouled.bets[0].setting_value == expected < as_house.bets[0].setting_value
        assert fouled.bets[0].wins == 0
    else:
        assert fouled.bets[0].setting_value == as_house.bets[0].setting_value
    assert as_house.bets[0].setting_value < as_house.bets[0].best_value


DEALER = "Kc Qd 9s 8s 6h 4d 2c"
MINE = seat("Ks Kh Th 7d 5s 3h 3d", "3h 3d", "Ks Kh Th", main=1000, dealer_break_bonus=500)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (DealerMissetPolicy.RESET, 0),
        (DealerMissetPolicy.STAND, 0),
        (DealerMissetPolicy.VOID, 500),
    ],
)
def test_bp_5_9_void_of_a_misset_round_is_the_dealers_error(
    policy: DealerMissetPolicy, expected: int
) -> None:
    """The player would have won the main bet and lost the side bet."""
    ruleset = replace(AS_WRITTEN, id="test/misset@1", dealer_misset=policy)
    data = dealt(DEALER, MINE, low="Kc 2c", high="Qd 9s 8s")
    entry, settlement, [found] = worth_of(data, ruleset, best_odds(ruleset))
    assert settlement.dealer.compliance is Compliance.DEVIATION
    errors = [bet.split.dealer_error_minor for bet in found.bets]
    on_house_way = settle_on_house_way(entry, ruleset)
    assert sum(errors) == settlement.house_net_minor - on_house_way.house_net_minor == expected
    assert is_dealer_error_possible(settlement.dealer.compliance, ruleset) == (
        policy is not DealerMissetPolicy.RESET
    )
    assert not is_dealer_error_possible(Compliance.MATCH, ruleset)
    assert not is_dealer_error_possible(Compliance.NOT_RECORDED, ruleset)


def test_bp_5_9_setting_that_stands_costs_what_it_changed() -> None:
    """The house way plays K-Q-9 high and pushes; as set, the dealer loses both hands."""
    mine = seat("Ks Kh Th 7d 5s 3h 3d", "Th 7d", "Ks Kh 5s", main=1000)
    dealer = "Ac Qd 9s 8s 6h 4d 2c"
    data = dealt(dealer, mine, low="9s 8s", high="Ac Qd 6h")
    entry, settlement, [found] = worth_of(data, STAND, best_odds(STAND))
    [other] = settle_on_house_way(entry, STAND).seats
    assert (settlement.seats[0].net_minor, other.net_minor) == (1000, 0)
    split = found.bets[0].split
    assert split.dealer_error_minor == -1000
    assert split.dealer_luck == 1000 * found.bets[0].setting_value


def test_hand_that_was_never_set_like_that_is_refused() -> None:
    entry = parse_round(dealt(DEALER, MINE))
    other = parse_round(dealt(DEALER, seat("As Qh Th 7d 5s 3h 3d", "As Qh", "Th 7d 5s"))).seats[0]
    wrong = entry._replace(seats=(entry.seats[0]._replace(low=other.low),))
    with pytest.raises(InvariantViolation, match="expected settings of the cards dealt"):
        appraise_round(
            wrong,
            settle(entry, AS_WRITTEN),
            AS_WRITTEN,
            values_of(AS_WRITTEN),
            best_odds(AS_WRITTEN),
        )
    hands = values_of_hands(values_of(AS_WRITTEN), AS_WRITTEN, [0, 2**41], [code_of(90, 454)] * 2)
    assert not hands.is_known.any()


def test_splits_add_up_side_by_side() -> None:
    half = Fraction(1, 2)
    split = split_result(
        theo=half,
        best_net=Fraction(3),
        setting_net=Fraction(1),
        house_way_minor=7,
        dealer_error_minor=-2,
    )
    assert split == Split(half, Fraction(2), -2, Fraction(-7, 2), Fraction(8))
    assert (split.actual, split.luck, split.setting_theo) == (
        Fraction(5),
        Fraction(9, 2),
        Fraction(-1),
    )
    assert split + split == Split(Fraction(1), Fraction(4), -4, Fraction(-7), Fraction(16))
    assert split + -split == Split()
    assert labels_of(code_of(0, 0)) == ("3-2", "5-3-2")
