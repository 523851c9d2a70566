"""Best play: every setting of a hand against a plain count over all dealer patterns."""

import io
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from games.analysis.best_play import best_play
from games.analysis.value_store import setting_values
from games.engine.cards import JOKER, RANK_CARDS
from games.engine.hand_setting import is_lucky_break
from games.engine.hands import HighHand, LowHand, high_hand, low_hand, parse_high, parse_low
from games.engine.lookup import house_way_table
from games.engine.notation import parse_cards
from games.engine.outcomes import MAIN_OUTCOMES, Event, Outcome, compare_hands
from games.engine.patterns import all_patterns, count_in, pattern_of
from games.engine.reference import legal_settings, ranks_of
from games.engine.rulesets import FoulPolicy, Ruleset
from tests.engine.builders import AS_WRITTEN, PUBLISHED

HANDS = [
    "As Kd Th 9c 7d 5s 2h",
    "Jk Kd Kh 9c 9d 5s 2h",
    "Ah Ad Ac As Jk 2c 3d",
    # Two settings are worth the same, and more than any other.
    "As Ad Jh Tc 6d 4s 2h",
]


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("best_play", *arguments, stdout=out)
    return out.getvalue()


def run_json(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return found


def plain_value(
    low: LowHand, high: HighHand, ways: Counter[tuple[LowHand, HighHand]], ruleset: Ruleset
) -> Fraction:
    net = 0
    own = is_lucky_break(low, high)
    for (dealer_low, dealer_high), count in ways.items():
        dealer = is_lucky_break(dealer_low, dealer_high)
        if not ruleset.qualifies(dealer_high):
            event = Event.DEALER_NOT_QUALIFIED
        elif own is not dealer:
            event = Event.PLAYER_BREAK if own else Event.DEALER_BREAK
        else:
            event = compare_hands(low, high, dealer_low, dealer_high)
        outcome = MAIN_OUTCOMES[event]
        net += count * ((outcome is Outcome.WIN) - (outcome is Outcome.LOSE))
    return Fraction(net, ways.total())


def dealer_ways(hand: str, ruleset: Ruleset) -> Counter[tuple[LowHand, HighHand]]:
    """All dealer hands that are left, by how they are set."""
    gone = pattern_of(parse_cards(hand))
    way_of = house_way_table(ruleset.house_way)
    found = Counter[tuple[LowHand, HighHand]]()
    for pattern in all_patterns():
        ways = comb(1 - count_in(gone, JOKER.pattern), count_in(pattern, JOKER.pattern))
        for card in RANK_CARDS:
            ways *= comb(4 - count_in(gone, card.pattern), count_in(pattern, card.pattern))
        if ways:
            way = way_of(pattern)
            found[way.low, way.high] += ways
    return found


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", [AS_WRITTEN, PUBLISHED], ids=lambda ruleset: ruleset.id)
@pytest.mark.parametrize("hand", HANDS)
def test_every_setting_has_its_plain_value(hand: str, ruleset: Ruleset) -> None:
    ways = dealer_ways(hand, ruleset)
    assert ways.total() == comb(46, 7)
    found = run_json(hand, "--ruleset", ruleset.id)
    expected = {
        (s.low.label, s.high.label): plain_value(
            parse_low(s.low.label), parse_high(s.high.label), ways, ruleset
        )
        for s in legal_settings(ranks_of(parse_cards(hand)))
    }
    values = {(s["low"], s["high"]): Fraction(s["expected_value"]) for s in found["settings"]}
    assert values == expected
    assert [Fraction(s["expected_value"]) for s in found["settings"]] == sorted(
        expected.values(), reverse=True
    )
    best = max(
        expected,
        key=lambda labels: (expected[labels], parse_low(labels[0]), parse_high(labels[1])),
    )
    assert (found["best"]["low"], found["best"]["high"]) == best
    way = house_way_table(ruleset.house_way)(pattern_of(parse_cards(hand)))
    house = (found["house_way"]["low"], found["house_way"]["high"])
    assert house == (way.low.label, way.high.label)
    assert Fraction(found["house_way_costs"]) == expected[best] - expected[house]
    for setting in found["settings"]:
        assert setting["win"] + setting["push"] + setting["lose"] == comb(46, 7)
        low, high = parse_cards(setting["low_cards"]), parse_cards(setting["high_cards"])
        assert (low_hand(low).label, high_hand(high).label) == (setting["low"], setting["high"])
        used = [*low, *high, *parse_cards(setting["discards"])]
        assert sorted(card.code for card in used) == sorted(hand.split())


def test_natural_ace_is_taken_before_the_joker() -> None:
    found = run_json("Ah Jk 9s 5d 5h 5c 2h")
    low = next(s for s in found["settings"] if s["low"] == "A-9" and s["high"] == "5-5-5")
    assert low["low_cards"] == "Ah 9s"


def test_ruleset_with_other_side_bets_is_valued_alike() -> None:
    other = replace(AS_WRITTEN, id="other@1", foul=FoulPolicy.RESET_TO_HOUSE_WAY)
    values = setting_values(other, folder=settings.ANALYSIS_DIR)
    play = best_play(parse_cards(HANDS[0]), other, values)
    assert play.best.expected_value >= play.house_way.expected_value
    assert play.best is play.settings[0]


def test_text_marks_the_best_and_the_house_way() -> None:
    lines = run(HANDS[1]).splitlines()
    assert [word in " ".join(lines) for word in ("best", "house way", "Lucky Break")] == [True] * 3
    assert lines[-1] == "Ruleset  break-poker/rules-as-written@1"
    assert lines[-2].startswith("The house way costs ")


def test_ranks_alone_will_do() -> None:
    suited, ranks = run_json(HANDS[0]), run_json("A K T 9 7 5 2", "--ranks")
    assert ranks["best"]["expected_value"] == suited["best"]["expected_value"]


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("As Kd", "hand_size"),
        ("As As Kd Th 9c 7d 5s", "card_seen_twice"),
        ("Xx", "card_unreadable"),
    ],
)
def test_cards_that_are_no_hand(cards: str, code: str) -> None:
    with pytest.raises(CommandError) as caught:
        run(cards)
    assert caught.value.returncode == 1
    out = io.StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("best_play", cards, "--json", stdout=out)
    assert left.value.code == 1
    assert json.loads(out.getvalue())["error"]["code"] == code


def test_unknown_ruleset() -> None:
    with pytest.raises(CommandError, match="expected one of break-poker/") as caught:
        run(HANDS[0], "--ruleset", "no/such@1")
    assert caught.value.returncode == 2
