"""``manage.py odds``: text for people, JSON for programs, clear refusals."""

import io
import json
from fractions import Fraction
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.engine.builders import golden

EXACT = golden("exact_counts.json")


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("odds", *arguments, stdout=out)
    return out.getvalue()


def run_json(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return found


@pytest.mark.slow
def test_json_reproduces_the_exact_counts() -> None:
    found = run_json("--ruleset", EXACT["main_bet"]["ruleset"], "--player", "house_way")
    assert found["deals"] == EXACT["main_bet"]["deals"]
    assert found["total_deals"] == 8250459031214400
    assert found["ruleset"] == EXACT["main_bet"]["ruleset"]
    assert (found["qualifier"], found["player"]) == ("A-4-2", "house_way")
    value = Fraction(found["expected_value"])
    wins, losses = (
        sum(found["deals"][event] for event in events)
        for events in (
            ("player_break", "win_both"),
            (
                "dealer_break",
                "copy_both",
                "copy_low_lose_high",
                "lose_low_copy_high",
                "lose_both",
            ),
        )
    )
    assert value == Fraction(wins - losses, found["total_deals"])
    assert found["house_edge"] == pytest.approx(-float(value))
    variance = Fraction(wins + losses, found["total_deals"]) - value**2
    assert found["standard_deviation"] == pytest.approx(float(variance) ** 0.5)
    assert set(found["wagers"]) == {"main", "dealer_break_bonus", "break_bonus"}
    for wager in found["wagers"].values():
        assert sum(line["deals"] for line in wager["lines"]) == found["total_deals"]
    assert found["two_seats"]["value"] == pytest.approx(0.254490, abs=1e-6)
    assert found["seconds"] >= 0


@pytest.mark.slow
def test_qualifier_takes_the_place_of_the_rulesets() -> None:
    changed = run_json("--qualifier", "a-high", "--player", "house_way")
    assert changed["deals"] == EXACT["main_bet"]["deals"]
    assert changed["ruleset"] == "break-poker/rules-as-written@1"
    assert changed["qualifier"] == "A-4-2"
    assert changed["changes"] == {"qualifier": "A-4-2"}
    assert run_json("--changes", '{"qualifier": "A-high"}')["changes"] == changed["changes"]


@pytest.mark.slow
def test_no_qualifier_lets_every_dealer_play() -> None:
    assert run_json("--qualifier", "none")["deals"]["dealer_not_qualified"] == 0


@pytest.mark.slow
def test_changes_of_a_pay_table_are_priced() -> None:
    changes = '{"break_bonus": {"five_aces": "300 to 1", "akq": null}}'
    before, after = run_json(), run_json("--changes", changes)
    hands = EXACT["break_bonus_hands"]
    difference = Fraction(100 * hands["five_aces"] - 4 * hands["akq"], EXACT["hands"])
    assert (
        Fraction(after["wagers"]["break_bonus"]["expected_value"])
        - Fraction(before["wagers"]["break_bonus"]["expected_value"])
        == difference
    )
    assert after["deals"] == before["deals"]


def test_text_shows_deals_chances_and_edges() -> None:
    lines = run("--ruleset", "break-poker/published-analysis@1").splitlines()
    assert "Deals      8,250,459,031,214,400" in lines
    assert any(line.split()[:2] == ["player_break", "1,785,296,601,217,600"] for line in lines)
    assert any(line.split() == ["house", "edge", "2.083270%"] for line in lines)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--ruleset", "no/such@1"], "expected one of break-poker/"),
        (["--qualifier", "K-K"], "qualifier: expected none, a top card"),
        (["--qualifier", "A-3-2"], "these cards are A-2-3, a straight"),
        (["--qualifier", ""], "qualifier: expected"),
        (["--changes", "{"], "expected JSON"),
        (["--changes", "[]"], "changes: expected an object"),
        (["--changes", '{"house_way": [1, 2, 3]}'], "changes.house_way: expected each of"),
        (["--changes", '{"main": "0 to 1"}'], "changes.main: expected odds"),
        (["--changes", '{"break_bonus": {"none": "1 to 1"}}'], "changes.break_bonus.none"),
    ],
)
def test_bad_rules_are_refused_clearly(arguments: list[str], expected: str) -> None:
    with pytest.raises(CommandError) as caught:
        run(*arguments)
    assert expected in str(caught.value)
    assert caught.value.returncode == 2


def test_unknown_player_is_refused() -> None:
    with pytest.raises(CommandError, match="invalid choice: 'lucky'"):
        run("--player", "lucky")
