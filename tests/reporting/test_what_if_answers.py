"""Answered what-ifs, worked out for real: the figures, the shape, and what the page shows."""

import json
import re
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from games.analysis.setting_values import PlayerKind
from games.engine.rulesets import PUBLISHED_ANALYSIS, RULES_AS_WRITTEN
from reporting.what_if.models import WhatIf
from reporting.what_if.shapes import ByPlayer
from reporting.what_if.view import SAME, _signed_percent, comparison_of
from reporting.what_if.work import work_off
from tests.api.test_schema import check_answer
from tests.builders import DATA, NOON, Floor
from tests.reporting.play import play
from tests.reporting.what_ifs import ask

GOLDEN = json.loads((DATA / "golden" / "exact_counts.json").read_text(encoding="utf-8"))
CHANGES = {
    "qualifier": "A-high",
    "break_bonus": {"trips": "7 to 1", "akq": None},
    "dealer_break_bonus": {"both": "5 to 1"},
}


@pytest.fixture
def answered(floor: Floor) -> WhatIf:
    """The qualifier of the published analysis and three lines, over ten rounds."""
    for number in range(10):
        play(floor, number, at=NOON)
    row = ask(floor, changes=CHANGES)
    assert work_off() == 1
    row.refresh_from_db()
    return row


def value(number: dict[str, str]) -> Fraction:
    return Fraction(number["exact"])


def edges(side: dict[str, Any], player: str) -> dict[str, str]:
    return {
        wager: f"{float(value(of['house_edge'])) * 100:.4f}"
        for wager, of in side["players"][player].items()
    }


def test_bp_9_answer_is_the_published_analysis_beside_the_rules_as_written(
    answered: WhatIf,
) -> None:
    result: Any = answered.result
    today, varied = result["today"], result["what_if"]
    assert (today["ruleset"], today["qualifier"]) == (RULES_AS_WRITTEN.id, "K-3-2")
    assert (varied["qualifier"], varied["house_way"]) == ("A-4-2", [1, 2, 3, 4, 5, 6, 7])
    assert varied["break_bonus"] == {
        "five_aces": "200 to 1", "five_of_a_kind": "100 to 1", "trips": "7 to 1",
        "straight": "1 to 1",
    }  # fmt: skip
    assert edges(today, "best")["dealer_break_bonus"] == "5.7185"
    assert edges(today, "best")["break_bonus"] == "7.2379"
    assert edges(varied, "best")["main"] == "2.0833"
    assert edges(varied, "house_way")["main"] == "2.4735"

    published = GOLDEN["main_bet"]
    assert published["ruleset"] == PUBLISHED_ANALYSIS.id
    lines = varied["players"]["house_way"]["main"]["lines"]
    assert {line["line"]: line["deals"] for line in lines} == published["deals"]
    assert today["total_deals"] == varied["total_deals"] == GOLDEN["deals"]


def test_bp_7_changed_lines_move_the_expected_value_by_their_share_exactly(
    answered: WhatIf,
) -> None:
    result: Any = answered.result
    hands, total = GOLDEN["break_bonus_hands"], GOLDEN["hands"]
    for player in ByPlayer.model_fields:
        more = result["differences"][player]
        # Trips pay one more; pair and A-K-Q paid three and now lose the stake.
        gained = Fraction(hands["trips"] - 4 * hands["akq"], total)
        assert value(more["break_bonus"]["house_edge"]) == -gained
        assert value(more["break_bonus"]["win_rate"]) == -Fraction(hands["akq"], total)
        today, varied = (result[side]["players"][player] for side in ("today", "what_if"))
        both = {line["line"]: line for line in today["dealer_break_bonus"]["lines"]}["both"]
        assert value(more["dealer_break_bonus"]["house_edge"]) == -value(both["rate"])
        for wager, of in more.items():
            for name, number in of.items():
                if name == "standard_deviation":
                    expected = varied[wager][name] - today[wager][name]
                    assert number == pytest.approx(expected, abs=1e-12)
                else:
                    assert value(number) == value(varied[wager][name]) - value(today[wager][name])
                    assert abs(Fraction(number["decimal"]) - value(number)) <= Fraction(1, 10**10)


def test_answer_is_as_the_schema_says_at_every_stage(floor: Floor, client: Client) -> None:
    schema = dict(SchemaGenerator().get_schema(request=None, public=True))
    client.force_login(floor.manager)
    body = {"id": "w1", "changes": {**CHANGES, "house_way": [1, 2, 3, 4, 5, 6, 7]}}

    def post(sent: Any) -> Any:
        return client.post("/api/v1/what-if/", sent, content_type="application/json")

    bodies: list[Any] = [body, body, {}, {**body, "last_rounds": 1}]
    calls = [("/api/v1/what-if/", "post", post(sent)) for sent in bodies]
    one = "/api/v1/what-if/{what_if_id}/"
    calls += [(one, "get", client.get(f"/api/v1/what-if/{name}/")) for name in ("w1", "w2")]
    work_off()
    calls.append((one, "get", client.get("/api/v1/what-if/w1/")))
    ask(floor, "w3")
    WhatIf.objects.filter(what_if_id="w3").update(state="failed", error="it broke")
    calls.append((one, "get", client.get("/api/v1/what-if/w3/")))

    statuses = [answer.status_code for _, _, answer in calls]
    assert statuses == [202, 200, 400, 409, 200, 404, 200, 200]
    assert calls[-2][2].json()["state"] == "done"
    for path, method, answer in calls:
        check_answer(schema, path, method, answer)


def test_players_of_the_schema_are_those_of_the_mathematics() -> None:
    assert tuple(player.value for player in PlayerKind) == tuple(ByPlayer.model_fields)


def words_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def test_page_shows_the_comparison(floor: Floor, client: Client, answered: WhatIf) -> None:
    client.force_login(floor.manager)
    answer = client.get("/reports/what-if/w1/")
    assert answer.status_code == 200
    html = answer.content.decode()
    text = words_of(html)
    assert 'http-equiv="refresh"' not in html
    assert "style=" not in html
    assert "<script" not in html
    assert (
        "What if: qualifier A-4-2; Dealer Break Bonus both 5 to 1; "
        "Break Bonus A-K-Q nothing; Break Bonus trips 7 to 1"
    ) in text
    assert "House edge 1.1727 % 2.0833 % +0.9105 %" in text
    assert "House edge 1.5729 % 2.4735 % +0.9005 %" in text
    assert "Standard deviation 0.828601 0.822765 -0.005837" in text
    assert "Dealer does not qualify 0.3189 % 1.3393 % +1.0204 %" in text
    assert "Trips 6 to 1 7 to 1 4.1408 % 4.1408 % same" in text
    assert "A-K-Q 3 to 1 nothing 3.4206 % 3.4206 % same" in text
    assert "Dealer qualifies with at least K-3-2 A-4-2 changed" in text
    assert "of the latest 10 rounds would have paid otherwise" in text


def test_rows_stand_in_the_engines_order_whatever_the_database_does(answered: WhatIf) -> None:
    assert answered.result is not None
    turned = json.loads(json.dumps(answered.result, sort_keys=True))
    for result in (answered.result, turned):
        shown = comparison_of(result)
        assert [row.label for row in shown.resettled] == [
            "Main bet",
            "Dealer Break Bonus",
            "Break Bonus",
        ]
        assert [row.label for row in shown.rules[3:]] == [
            *("Dealer Break Bonus: Both", "Dealer Break Bonus: Dealer only"),
            *("Break Bonus: Five aces", "Break Bonus: Five of a kind", "Break Bonus: Trips"),
            *("Break Bonus: A-K-Q", "Break Bonus: Straight"),
        ]


def test_line_that_differs_by_less_than_shown_is_not_called_the_same() -> None:
    assert _signed_percent(Fraction(3, 10**8)) == "+0.00000300 %"
    assert _signed_percent(Fraction(-1, 400)) == "-0.2500 %"
    assert _signed_percent(Fraction(0)) == SAME
