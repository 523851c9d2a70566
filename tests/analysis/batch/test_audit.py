"""The batch audit says of every round what the engine says."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from games.analysis.batch.answers import answers_of, setting_labels
from games.analysis.batch.audit import audit_dealer_hands, audit_rounds
from games.analysis.batch.cards import (
    NO_CARD,
    NOT_RECORDED_CODE,
    card_tables,
    hand_numbers,
    kind_of_order,
    pattern_numbers,
    setting_codes,
)
from games.analysis.batch.rounds import DealerHands, batch_of
from games.analysis.batch.rules import (
    COMPLIANCES,
    PayTableTooLargeError,
    distinct_steps,
    rules_tables,
)
from games.analysis.decks import FULL_DECK
from games.analysis.setting_table import CODE_BITS, code_of
from games.engine.cards import DECK
from games.engine.errors import (
    InvariantViolation,
    RoundShapeError,
)
from games.engine.hands import high_hand, low_hand, parse_high
from games.engine.lookup import house_way_table
from games.engine.notation import CardEntry
from games.engine.outcomes import BreakBonusLine, DealerBreakBonusLine
from games.engine.pay_tables import Odds, OddsUnit, PayTable
from games.engine.rulesets import (
    PUBLISHED_ANALYSIS,
    RULES_AS_WRITTEN,
    DealerMissetPolicy,
    FoulPolicy,
    Ruleset,
)
from games.engine.settlement import parse_round, settle, settlement_as_dict
from games.engine.wagers import STAKE_MINOR_MAX, SideBetCaps, Wager, WagerLimits
from tests.analysis.batch.agreement import compare, disagreements, random_entries
from tests.engine.builders import dealt, golden_lines, seat

pytestmark = pytest.mark.engine

STEPS = RULES_AS_WRITTEN.house_way
RESET = FoulPolicy.RESET_TO_HOUSE_WAY
ODD_ODDS: dict[str, Any] = {
    "main": Odds(39, 20, OddsUnit.FOR_ONE),
    "dealer_break_bonus": PayTable(
        {
            DealerBreakBonusLine.BOTH: Odds(7, 2, OddsUnit.FOR_ONE),
            DealerBreakBonusLine.NONE: Odds(1, 9),
        }
    ),
    "break_bonus": PayTable(
        {
            BreakBonusLine.FIVE_ACES: Odds(1_000_000, 3),
            BreakBonusLine.TRIPS: Odds(13, 7),
            BreakBonusLine.STRAIGHT: Odds(1, 3, OddsUnit.FOR_ONE),
        }
    ),
}


def _ruleset(name: str, **changes: Any) -> Ruleset:
    return replace(RULES_AS_WRITTEN, id=f"test/{name}@1", **changes)


RULESETS = [
    RULES_AS_WRITTEN,
    PUBLISHED_ANALYSIS,
    _ruleset("any-dealer-qualifies", qualifier=None),
    _ruleset("high-qualifier", qualifier=parse_high("9-9-K"), foul=RESET),
    _ruleset("stand", dealer_misset=DealerMissetPolicy.STAND),
    _ruleset("stand-and-reset", dealer_misset=DealerMissetPolicy.STAND, foul=RESET),
    _ruleset("void", dealer_misset=DealerMissetPolicy.VOID, foul=RESET),
    _ruleset("steps-reversed", house_way=tuple(reversed(STEPS)), foul=RESET),
    _ruleset("steps-repeated", house_way=(STEPS[4], *STEPS, STEPS[0]._replace(number=9))),
    _ruleset("odd-odds", **ODD_ODDS),
    _ruleset("caps-a-player", caps=SideBetCaps(per_player_minor=2_000_001)),
    _ruleset("caps-a-table", caps=SideBetCaps(per_table_minor=7_000_003), **ODD_ODDS),
    _ruleset("both-caps", caps=SideBetCaps(5_000_000, 12_345_677), foul=RESET),
    _ruleset("no-wins-at-all", caps=SideBetCaps(per_table_minor=0)),
    _ruleset("cap-beyond-64-bits", caps=SideBetCaps(2**70, 2**80)),
]


def _id(ruleset: Ruleset) -> str:
    return ruleset.id


@pytest.mark.parametrize("ruleset", RULESETS, ids=_id)
def test_bp_5_to_8_random_rounds_are_settled_as_by_the_engine(ruleset: Ruleset) -> None:
    entries = list(random_entries(1_000, seed=RULESETS.index(ruleset)))
    assert disagreements(entries, ruleset) == []


def test_bp_5_any_order_of_the_steps() -> None:
    rng = random.Random(5)  # noqa: S311  (test data)
    entries = list(random_entries(300, seed=99))
    for steps in rng.sample(list(permutations(STEPS)), 8):
        assert disagreements(entries, _ruleset("permuted", house_way=steps, foul=RESET)) == []


def test_bp_10_rank_only_cards_are_settled_as_by_the_engine() -> None:
    entries = list(random_entries(1_000, seed=7, card_entry=CardEntry.RANKS))
    for ruleset in (RULES_AS_WRITTEN, _ruleset("r", foul=RESET, **ODD_ODDS)):
        assert disagreements(entries, ruleset) == []


def test_golden_rounds_are_answered_as_by_the_engine() -> None:
    lines = golden_lines("rounds.jsonl")
    entries = [parse_round({key: line[key] for key in ("dealer", "seats")}) for line in lines]
    batch = batch_of(entries)
    answers = list(answers_of(batch, audit_rounds(batch, RULES_AS_WRITTEN)))
    told = [settlement_as_dict(settle(entry, RULES_AS_WRITTEN)) for entry in entries]
    assert answers == [_without_cards(answer) for answer in told]
    assert len(answers) == 200
    for line, answer in zip(lines, answers, strict=True):
        expected = line["expect"]["dealer"]
        assert expected == {key: answer["dealer"][key] for key in expected}


def _without_cards(answer: Any) -> Any:
    left_out = {"words", "low_cards", "high_cards", "discards"}
    if isinstance(answer, dict):
        return {key: _without_cards(value) for key, value in answer.items() if key not in left_out}
    return [_without_cards(item) for item in answer] if isinstance(answer, list) else answer


def test_answers_tell_caps_and_void_rounds_as_the_engine_does() -> None:
    entries = list(random_entries(300, seed=3))
    caps = SideBetCaps(per_player_minor=1_000_000)
    ruleset = _ruleset("v", dealer_misset=DealerMissetPolicy.VOID, foul=RESET, caps=caps)
    batch = batch_of(entries)
    answers = list(answers_of(batch, audit_rounds(batch, ruleset)))
    told = [_without_cards(settlement_as_dict(settle(entry, ruleset))) for entry in entries]
    assert answers == told
    assert "uncapped_net_minor" in str(answers)
    assert any(answer["is_void"] for answer in answers)


def test_limits_mark_bets_and_move_no_money_so_the_audit_leaves_them_out() -> None:
    entries = list(random_entries(50, seed=4))
    limits = {wager: WagerLimits(5_000_000, 6_000_000) for wager in Wager}
    assert disagreements(entries, _ruleset("limits", limits=limits)) == []


@pytest.mark.parametrize("steps", [STEPS, tuple(reversed(STEPS))], ids=["rules", "reversed"])
def test_bp_5_house_way_of_every_pattern(steps: Any) -> None:
    ruleset = _ruleset("every", house_way=steps)
    by_kind = {kind_of_order(card.order): card.order for card in reversed(DECK)}
    kinds = np.repeat(
        np.tile(np.arange(14), len(FULL_DECK.counts)), FULL_DECK.counts.ravel()
    ).reshape(-1, 7)
    # Of each rank the spade; the joker has the number 0.
    cards = np.vectorize(by_kind.__getitem__)(kinds).astype(np.uint8)
    found = audit_dealer_hands(_not_set(cards), ruleset)
    way_of = house_way_table(ruleset.house_way)
    ways = [way_of(pattern) for pattern in FULL_DECK.patterns.tolist()]
    assert found.required_code.tolist() == [
        code_of(way.low.strength, way.high.strength) for way in ways
    ]
    assert [steps[place] for place in found.step.tolist()] == [way.step for way in ways]
    assert len(ways) == 67_600
    assert {COMPLIANCES[code].value for code in found.compliance.tolist()} == {"not_recorded"}


def _not_set(cards: Any) -> DealerHands:
    nothing = np.full((len(cards), 3), NO_CARD, dtype=np.uint8)
    return DealerHands(cards=cards, low=nothing[:, :2].copy(), high=nothing)


def test_hand_numbers_are_one_to_one_and_settings_have_the_engine_s_strengths() -> None:
    numbers = pattern_numbers()
    assert sorted(numbers.number_of.tolist()) == list(range(67_600))
    assert len(rules_tables(RULES_AS_WRITTEN).entries) == numbers.size
    rng = random.Random(6)  # noqa: S311  (test data)
    hands = [rng.sample(DECK, 5) for _ in range(2_000)]
    orders = np.array([[card.order for card in hand] for hand in hands], dtype=np.uint8)
    codes = setting_codes(orders[:, :2].copy(), orders[:, 2:].copy(), card_tables())
    assert codes.tolist() == [
        code_of(low_hand(hand[:2]).strength, high_hand(hand[2:]).strength) for hand in hands
    ]


def test_numbers_that_are_no_cards_read_nothing_outside_the_tables() -> None:
    rng = np.random.default_rng(8)
    wild = rng.integers(0, 256, (20_000, 7), dtype=np.uint8)
    wild[:53] = np.arange(53, dtype=np.uint8)[:, np.newaxis]
    assert hand_numbers(wild, card_tables()).max() < pattern_numbers().size
    with pytest.raises(InvariantViolation, match="no step of the house way allows the cards"):
        audit_dealer_hands(_not_set(wild), RULES_AS_WRITTEN)
    # A seat without a setting is a foul, whatever two or three numbers there are.
    batch = batch_of(random_entries(20, seed=14))
    for low in (0, 53, NO_CARD):
        seats = replace(batch.seats, low=np.full_like(batch.seats.low, low))
        assert audit_rounds(replace(batch, seats=seats), RULES_AS_WRITTEN).seats.foul.all()
    assert len(rules_tables(RULES_AS_WRITTEN).lowest_legal_high) == 1 + (0xFFFF >> CODE_BITS)


def test_bp_5_9_fouled_dealer_setting_cannot_stand() -> None:
    player = seat("Ah Kh Qs Js 9h 8h 2d", "Js Qs", "Ah Kh 9h")
    entry = parse_round(dealt("As Kd Th 9c 7d 5s 2h", player, low="As Kd", high="Th 9c 7d"))
    ruleset = _ruleset("stand", dealer_misset=DealerMissetPolicy.STAND)
    batch = batch_of([entry])
    audit = audit_rounds(batch, ruleset)
    assert compare([entry], batch, audit, ruleset) == []
    assert not audit.dealer.is_as_set[0]
    assert setting_labels(audit.dealer.settled_code[0]) == {"low": "K-T", "high": "A-9-7"}
    legal = parse_round(dealt("As Kd Th 9c 7d 5s 2h", player, low="Kd 9c", high="As Th 7d"))
    assert audit_rounds(batch_of([legal]), ruleset).dealer.is_as_set[0]


def test_setting_that_was_not_recorded_is_neither_match_nor_deviation() -> None:
    entry = parse_round(
        dealt("As Kd Th 9c 7d 5s 2h", seat("Ah Kh Qs Js 9h 8h 2d", "Js Qs", "Ah Kh 9h"))
    )
    audit = audit_rounds(batch_of([entry]), _ruleset("v", dealer_misset=DealerMissetPolicy.VOID))
    assert COMPLIANCES[audit.settings.compliance[0]].value == "not_recorded"
    assert audit.settings.set_code[0] == NOT_RECORDED_CODE
    assert setting_labels(NOT_RECORDED_CODE) is None
    assert not audit.dealer.is_void[0]


def test_no_rounds_are_audited_to_nothing() -> None:
    batch = batch_of([])
    audit = audit_rounds(batch, RULES_AS_WRITTEN)
    assert len(batch) == len(audit.house_net_minor) == len(audit.seat_net_minor) == 0
    assert list(answers_of(batch, audit)) == []


def test_some_of_the_rounds_are_audited_as_among_all() -> None:
    entries = list(random_entries(200, seed=11))
    rows = np.array([0, 3, 4, 150, 199])
    batch = batch_of(entries).take(rows)
    audit = audit_rounds(batch, RULES_AS_WRITTEN)
    assert compare([entries[row] for row in rows], batch, audit, RULES_AS_WRITTEN) == []


def test_negative_control_another_step_is_found() -> None:
    entries = list(random_entries(500, seed=12))
    batch = batch_of(entries)
    swapped = (*STEPS[:3], STEPS[4], STEPS[3], *STEPS[5:])
    audit = audit_rounds(batch, _ruleset("swapped", house_way=swapped))
    found = compare(entries, batch, audit, RULES_AS_WRITTEN)
    assert len(found) > 10
    assert any(" required: " in line for line in found)
    assert any("house_net_minor" in line for line in found)


def test_step_that_no_hand_of_the_seat_allows_is_a_fault_of_the_ruleset() -> None:
    # The last step is missing: a fouled hand of seven ranks cannot be reset.
    ruleset = _ruleset("six", house_way=STEPS[:6], foul=RESET)
    dealer = "Ah Ad Kh Kd 9c 8c 3c"
    fouled = seat("As Kc Th 9h 7d 5s 2h", "As Kc", "Th 9h 7d")
    with pytest.raises(InvariantViolation):
        settle(parse_round(dealt(dealer, fouled)), ruleset)
    with pytest.raises(InvariantViolation):
        audit_rounds(batch_of([parse_round(dealt(dealer, fouled))]), ruleset)
    legal = parse_round(dealt(dealer, seat("As Kc Th 9h 7d 5s 2h", "Kc Th", "As 9h 7d")))
    assert disagreements([legal], ruleset) == []


def test_steps_that_ask_for_the_same_count_once() -> None:
    repeated = (STEPS[2], STEPS[0], STEPS[2]._replace(number=8))
    assert distinct_steps(repeated) == repeated[:2]


def test_highest_stakes_are_exact_up_to_the_pay_table_that_is_refused() -> None:
    # Six seats, each the highest stake on three bets: even money, 4 to 1, and this one.
    limit = 2**63 // (6 * STAKE_MINOR_MAX) - (1 + 1) - (4 + 1) - 1
    entries = list(random_entries(50, seed=13, stake_max=STAKE_MINOR_MAX))
    table = PayTable({line: Odds(limit) for line in BreakBonusLine})
    assert disagreements(entries, _ruleset("high", break_bonus=table)) == []
    table = PayTable({BreakBonusLine.FIVE_ACES: Odds(limit + 1)})
    with pytest.raises(PayTableTooLargeError) as caught:
        audit_rounds(batch_of([]), _ruleset("higher", break_bonus=table))
    assert caught.value.place == "test/higher@1.break_bonus"


@pytest.mark.parametrize(
    "changes",
    [
        {"main": Odds(10**9)},
        {"main": Odds(-(10**9))},
        {"break_bonus": PayTable({BreakBonusLine.TRIPS: Odds(2**64, 2**64)})},
        {"main": Odds(1, 0)},
        {"main": Odds(1, 2**64)},
    ],
)
def test_pay_table_that_could_overflow_is_refused(changes: Any) -> None:
    with pytest.raises(PayTableTooLargeError) as caught:
        audit_rounds(batch_of([]), _ruleset("large", **changes))
    assert caught.value.as_dict()["code"] == "pay_table_too_large"
    assert caught.value.place.startswith("test/large@1.")


def test_seats_of_no_round_are_refused_by_the_audit_itself() -> None:
    batch = batch_of(random_entries(3, seed=14))
    wrong = replace(batch, seats=replace(batch.seats, round_of=batch.seats.round_of - 1))
    with pytest.raises(RoundShapeError):
        audit_rounds(wrong, RULES_AS_WRITTEN)


def test_bp_5_counts_of_a_sample_fit_the_exact_counts() -> None:
    """Loose: five standard deviations around the counts of docs/rules.md, over C(53,7) hands."""
    rng = np.random.default_rng(15)
    size = 200_000
    cards = rng.random((size, 53)).argsort(axis=1)[:, :7].astype(np.uint8)
    found = np.bincount(audit_dealer_hands(_not_set(cards), RULES_AS_WRITTEN).step)
    exact = [6_397_416, 43_083_968, 4_770_816, 46_787_520, 21_609_216, 26_284_032, 5_210_112]
    for count, of_all in zip(found.tolist(), exact, strict=True):
        share = Fraction(of_all, 154_143_080)
        deviation = float(size * share * (1 - share)) ** 0.5
        assert abs(count - size * share) < 5 * deviation
