"""``manage.py house_way``: text for people, JSON for programs."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.engine.builders import golden_lines

HAND = "As Kd Th 9c 7d 5s 2h"


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("house_way", *arguments, stdout=out)
    return out.getvalue()


def test_text_tells_step_rule_hands_and_discards() -> None:
    assert run(HAND).splitlines() == [
        (
            "Step 7 (BP-5.7), neither pair, straight nor trips: the second- and third-highest "
            "cards low. Low K-T, high A-9-7."
        ),
        "Low       Kd Th (K-T)",
        "High      As 9c 7d (A-9-7)",
        "Discards  5s 2h",
        "Bonus     none",
        "Ruleset   break-poker/rules-as-written@1",
    ]


def test_cards_may_be_given_as_one_word_each() -> None:
    assert run(*HAND.split()) == run(HAND)


@pytest.mark.parametrize("line", golden_lines("house_way.jsonl")[:20], ids=lambda x: x["cards"])
def test_json_is_one_object_that_agrees_with_the_golden_file(line: dict[str, Any]) -> None:
    found = json.loads(run(line["cards"], "--json"))
    assert {key: found[key] for key in line} == line
    assert found["rule"] == f"BP-5.{line['step']}"
    cards = [*found["low_cards"].split(), *found["high_cards"].split(), *found["discards"].split()]
    assert sorted(cards) == sorted(line["cards"].split())


def test_ranks_only() -> None:
    found = json.loads(run("K K K 4 4 A Q", "--ranks", "--json"))
    assert (found["low_cards"], found["high_cards"], found["discards"]) == ("4 4", "K K K", "A Q")


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("As Kd Th 9c 7d 5s", "hand_size"),
        ("As Kd Th 9c 7d 5s As", "card_seen_twice"),
        ("As Kd Th 9c 7d 5s 1h", "card_unreadable"),
    ],
)
def test_cards_that_cannot_be_a_hand_are_refused(cards: str, code: str) -> None:
    with pytest.raises(CommandError) as caught:
        run(cards)
    assert caught.value.returncode == 1
    assert str(caught.value).startswith("expected")
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("house_way", cards, "--json", stdout=out)
    assert ended.value.code == 1
    assert json.loads(out.getvalue())["error"]["code"] == code


def test_unknown_ruleset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(CommandError, match="break-poker/rules-as-written@1") as caught:
        run(HAND, "--ruleset", "house@9")
    assert caught.value.returncode == 2
