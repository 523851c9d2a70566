"""The fast evaluator against the reference, on every rank pattern of seven cards."""

import hashlib
from collections import Counter
from dataclasses import dataclass, field

import pytest

from games.engine.hand_setting import is_foul
from games.engine.hands import HIGH_BY_PATTERN, LOW_BY_PATTERN
from games.engine.lookup import break_bonus_line, house_way_table
from games.engine.outcomes import BreakBonusLine
from games.engine.patterns import all_patterns, cards_of, count_in, pattern_of
from games.engine.reference import (
    break_bonus_by_the_text,
    high_value,
    house_way_by_the_text,
    is_legal,
    is_lucky_break_possible,
    legal_settings,
    low_value,
    ranks_of,
)
from tests.engine.builders import AS_WRITTEN, PUBLISHED, golden, weight_of

# Of the lines "pattern step low high line" of all patterns in ascending order. A change of this
# number is a change of the rules.
TABLE_DIGEST = "18f2bb5fb64adcaf8884c89fd0c7e0ba513b17d918024f9eba7151790aa3ca9a"


@dataclass
class Totals:
    """What one walk over all patterns finds."""

    patterns: int = 0
    distinct_legal_settings: int = 0
    lucky_break_hands: int = 0
    steps: Counter[int] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)
    digest: str = ""


@pytest.fixture(scope="module")
def totals() -> Totals:
    found = Totals()
    digest = hashlib.sha256()
    way_of = house_way_table(AS_WRITTEN.house_way)
    for pattern in sorted(all_patterns()):
        ranks = ranks_of(cards_of(pattern))
        settings = legal_settings(ranks)
        slow = house_way_by_the_text(ranks, settings)
        slow_line = break_bonus_by_the_text(settings)
        fast, fast_line = way_of(pattern), break_bonus_line(pattern)
        fast_text = f"{fast.step.number} {fast.low.label} {fast.high.label} {fast_line}"
        slow_text = f"{slow.step} {slow.low.label} {slow.high.label} {slow_line}"
        if fast_text != slow_text:
            found.disagreements.append(f"{ranks}: {fast_text} instead of {slow_text}")
        digest.update(f"{pattern} {fast_text}\n".encode())
        weight = weight_of(pattern)
        found.patterns += 1
        found.distinct_legal_settings += len({(s.low, s.high) for s in settings})
        found.lucky_break_hands += weight * is_lucky_break_possible(settings)
        found.steps[fast.step.number] += weight
        found.lines[fast_line] += weight
    found.digest = digest.hexdigest()
    return found


@pytest.mark.slow
def test_fast_and_reference_evaluators_agree_on_every_pattern(totals: Totals) -> None:
    assert totals.disagreements == []
    assert totals.patterns == golden("exact_counts.json")["rank_patterns"]


@pytest.mark.slow
def test_bp_5_steps_apply_as_often_as_counted(totals: Totals) -> None:
    counts = [totals.steps[number] for number in range(1, 8)]
    assert counts == golden("exact_counts.json")["house_way_steps"]
    assert sum(counts) == golden("exact_counts.json")["hands"]


@pytest.mark.slow
def test_bp_4_4_lucky_breaks_are_as_many_as_counted(totals: Totals) -> None:
    assert totals.lucky_break_hands == golden("exact_counts.json")["lucky_break_hands"]


@pytest.mark.slow
def test_bp_7_2_break_bonus_lines_are_as_many_as_counted(totals: Totals) -> None:
    assert dict(totals.lines) == golden("exact_counts.json")["break_bonus_hands"]


@pytest.mark.slow
def test_bp_4_2_legal_settings_are_as_many_as_counted(totals: Totals) -> None:
    expected = golden("exact_counts.json")["distinct_legal_settings"]
    assert totals.distinct_legal_settings == expected


@pytest.mark.slow
def test_whole_table_has_the_known_digest(totals: Totals) -> None:
    assert totals.digest == TABLE_DIGEST


@pytest.mark.slow
def test_way_of_a_pattern_uses_cards_that_are_there() -> None:
    way_of = house_way_table(AS_WRITTEN.house_way)
    singles = [pattern_of([card]) for card in cards_of(0o1111111111111 | 1 << 39)]
    for pattern in all_patterns():
        way = way_of(pattern)
        assert LOW_BY_PATTERN[way.low_pattern] is way.low
        assert HIGH_BY_PATTERN[way.high_pattern] is way.high
        used = way.low_pattern + way.high_pattern
        assert all(count_in(used, single) <= count_in(pattern, single) for single in singles)


def test_both_orders_are_those_of_the_reference() -> None:
    for pattern, low in LOW_BY_PATTERN.items():
        assert low_value(ranks_of(cards_of(pattern))).label == low.label
    for pattern, high in HIGH_BY_PATTERN.items():
        assert high_value(ranks_of(cards_of(pattern))).label == high.label
    by_reference = sorted(HIGH_BY_PATTERN, key=lambda p: high_value(ranks_of(cards_of(p))))
    strengths = [HIGH_BY_PATTERN[pattern].strength for pattern in by_reference]
    assert strengths == sorted(strengths)
    by_reference = sorted(LOW_BY_PATTERN, key=lambda p: low_value(ranks_of(cards_of(p))))
    strengths = [LOW_BY_PATTERN[pattern].strength for pattern in by_reference]
    assert strengths == sorted(strengths)


@pytest.mark.slow
def test_bp_9_dealer_fails_to_qualify_as_often_as_counted() -> None:
    way_of = house_way_table(AS_WRITTEN.house_way)
    failing = Counter[str]()
    for pattern in all_patterns():
        for ruleset in (AS_WRITTEN, PUBLISHED):
            if not ruleset.qualifies(way_of(pattern).high):
                failing[ruleset.id] += weight_of(pattern)
    counts = golden("exact_counts.json")
    # Each dealer's hand meets C(46,7) player's hands.
    deals = failing[PUBLISHED.id] * 53_524_680
    assert deals == counts["main_bet"]["deals"]["dealer_not_qualified"]
    assert f"{deals / counts['deals']:.4%}" == "1.3393%"
    assert f"{failing[AS_WRITTEN.id] / counts['hands']:.4%}" == "0.3189%"


def test_bp_4_2_both_evaluators_call_the_same_settings_legal() -> None:
    for low_pattern, low in LOW_BY_PATTERN.items():
        slow_low = low_value(ranks_of(cards_of(low_pattern)))
        for high_pattern, high in HIGH_BY_PATTERN.items():
            slow_high = high_value(ranks_of(cards_of(high_pattern)))
            assert is_legal(slow_low, slow_high) is not is_foul(low, high)


def test_case_x03_one_order_at_every_layer() -> None:
    best, worst = max(HIGH_BY_PATTERN.values()), min(HIGH_BY_PATTERN.values())
    assert (best.label, worst.label) == ("A-A-A", "5-3-2")
    assert high_value((14, 14, 14)) > high_value((2, 3, 5))
    assert list(BreakBonusLine)[-1] is BreakBonusLine.NONE
