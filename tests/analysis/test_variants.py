"""Rulesets with something changed: what is read, what is refused, and what is made of it."""

import dataclasses
import json
import subprocess
import sys
from typing import Any

import pytest

from games.analysis.variants import (
    BREAK_BONUS_LINES,
    DEALER_BREAK_BONUS_LINES,
    STEPS,
    UNCHANGED,
    RuleChanges,
    change_faults,
    changes_as_dict,
    read_changes,
    varied_ruleset,
    words_of,
)
from games.engine.errors import (
    EngineError,
    HouseWayOrderError,
    OddsError,
    QualifierError,
    RuleChangesError,
)
from games.engine.hands import parse_high
from games.engine.outcomes import BreakBonusLine, DealerBreakBonusLine
from games.engine.pay_tables import Odds, OddsUnit
from games.engine.rulesets import PUBLISHED_ANALYSIS, RULES_AS_WRITTEN, RULESETS
from tests.architecture.source import ROOT

EVERYTHING: dict[str, Any] = {
    "qualifier": "A-high",
    "house_way": [1, 2, 5, 3, 4, 6, 7],
    "main": "19 to 20",
    "dealer_break_bonus": {"both": "5 to 1"},
    "break_bonus": {"trips": "7 for 1", "akq": None},
}


def test_changes_are_read_and_written_back() -> None:
    changes = read_changes(EVERYTHING)

    assert changes == RuleChanges(
        qualifier=parse_high("A-4-2"),
        house_way=(1, 2, 5, 3, 4, 6, 7),
        main=Odds(19, 20),
        dealer_break_bonus={DealerBreakBonusLine.BOTH: Odds(5)},
        break_bonus={
            BreakBonusLine.TRIPS: Odds(7, unit=OddsUnit.FOR_ONE),
            BreakBonusLine.AKQ: None,
        },
    )
    written = changes_as_dict(changes)
    assert read_changes(json.loads(json.dumps(written))) == changes
    assert written["qualifier"] == "A-4-2"
    assert words_of(changes) == (
        "qualifier A-4-2; house way 1 2 5 3 4 6 7; main bet 19 to 20; "
        "Dealer Break Bonus both 5 to 1; Break Bonus A-K-Q nothing; Break Bonus trips 7 for 1"
    )


def test_changes_in_another_order_or_spelling_are_written_alike() -> None:
    other = {
        "break_bonus": {"akq": None, "trips": "07 for 1"},
        **{name: EVERYTHING[name] for name in reversed(EVERYTHING) if name != "break_bonus"},
        "qualifier": "a-4-2",
    }
    assert json.dumps(changes_as_dict(read_changes(other))) == json.dumps(
        changes_as_dict(read_changes(EVERYTHING))
    )


def test_no_change_leaves_the_ruleset_itself() -> None:
    nothing: tuple[dict[str, Any], ...] = ({}, {"break_bonus": {}})
    for data in nothing:
        changes = read_changes(data)
        assert changes.qualifier is UNCHANGED
        assert words_of(changes) == "nothing changed"
        assert changes_as_dict(changes) == {}
        assert varied_ruleset(RULES_AS_WRITTEN, changes) is RULES_AS_WRITTEN


def test_varied_ruleset_differs_in_what_was_changed_and_nowhere_else() -> None:
    varied = varied_ruleset(RULES_AS_WRITTEN, read_changes(EVERYTHING))

    assert varied.id not in RULESETS
    assert varied.id.startswith("break-poker/rules-as-written@1 (qualifier A-4-2; ")
    assert varied.qualifier is parse_high("A-4-2")
    assert [step.number for step in varied.house_way] == [1, 2, 5, 3, 4, 6, 7]
    assert set(varied.house_way) == set(RULES_AS_WRITTEN.house_way)
    assert varied.main == Odds(19, 20)
    assert dict(varied.dealer_break_bonus.lines) == {
        DealerBreakBonusLine.BOTH: Odds(5),
        DealerBreakBonusLine.DEALER_ONLY: Odds(1),
    }
    assert dict(varied.break_bonus.lines) == {
        BreakBonusLine.FIVE_ACES: Odds(200),
        BreakBonusLine.FIVE_OF_A_KIND: Odds(100),
        BreakBonusLine.TRIPS: Odds(7, unit=OddsUnit.FOR_ONE),
        BreakBonusLine.STRAIGHT: Odds(1),
    }
    for name in ("foul", "dealer_misset", "limits", "caps"):
        assert getattr(varied, name) == getattr(RULES_AS_WRITTEN, name)
    assert {field.name for field in dataclasses.fields(varied)} == {
        "id", "qualifier", "house_way", "dealer_break_bonus", "break_bonus", "main",
        "foul", "dealer_misset", "limits", "caps",
    }, "a new field of a ruleset must be carried over"  # fmt: skip


def test_qualifier_of_none_is_not_the_qualifier_that_stays() -> None:
    assert varied_ruleset(PUBLISHED_ANALYSIS, read_changes({"qualifier": "none"})).qualifier is None
    stays = varied_ruleset(PUBLISHED_ANALYSIS, read_changes({"main": "2 to 1"}))
    assert stays.qualifier is PUBLISHED_ANALYSIS.qualifier


@pytest.mark.parametrize(
    ("data", "kind", "place"),
    [
        (None, RuleChangesError, "what"),
        ([], RuleChangesError, "what"),
        ("qualifier", RuleChangesError, "what"),
        ({"qualifer": "A-high"}, RuleChangesError, "what.qualifer"),
        ({"x" * 5000: 1}, RuleChangesError, "what.?"),
        ({"qualifier": None}, QualifierError, "what.qualifier"),
        ({"main": None}, OddsError, "what.main"),
        ({"main": True}, OddsError, "what.main"),
        ({"house_way": None}, HouseWayOrderError, "what.house_way"),
        ({"house_way": "1234567"}, HouseWayOrderError, "what.house_way"),
        ({"house_way": [1, 2, 3, 4, 5, 6]}, HouseWayOrderError, "what.house_way"),
        ({"house_way": [1, 2, 3, 4, 5, 6, 6]}, HouseWayOrderError, "what.house_way"),
        ({"house_way": [1, 2, 3, 4, 5, 6, 7, 7]}, HouseWayOrderError, "what.house_way"),
        ({"house_way": [True, 2, 3, 4, 5, 6, 7]}, HouseWayOrderError, "what.house_way"),
        ({"house_way": [1.0, 2, 3, 4, 5, 6, 7]}, HouseWayOrderError, "what.house_way"),
        ({"house_way": [[1], 2, 3, 4, 5, 6, 7]}, HouseWayOrderError, "what.house_way"),
        ({"break_bonus": None}, RuleChangesError, "what.break_bonus"),
        ({"break_bonus": {"none": "1 to 1"}}, RuleChangesError, "what.break_bonus.none"),
        ({"break_bonus": {"both": "1 to 1"}}, RuleChangesError, "what.break_bonus.both"),
        ({"break_bonus": {"akq": 3}}, OddsError, "what.break_bonus.akq"),
        ({"dealer_break_bonus": {"both": []}}, OddsError, "what.dealer_break_bonus.both"),
    ],
)
def test_faulty_changes_are_refused_with_their_place(
    data: object, kind: type[EngineError], place: str
) -> None:
    with pytest.raises(kind) as caught:
        read_changes(data, place="what")
    assert caught.value.place == place
    assert len(caught.value.message) < 300
    assert [(type(fault), fault.place) for fault in change_faults(data, place="what")] == [
        (kind, place)
    ]


def test_every_fault_is_told_at_once() -> None:
    faults = change_faults(
        {
            "odd": 1,
            "qualifier": "Z-high",
            "house_way": [7],
            "main": "1 to 0",
            "dealer_break_bonus": {"both": "lots"},
            "break_bonus": {"akq": "x", "trips": "y", "odd": "z"},
        }
    )
    assert [fault.place for fault in faults] == [
        "odd", "qualifier", "house_way", "main", "dealer_break_bonus.both",
        "break_bonus.odd", "break_bonus.trips", "break_bonus.akq",
    ]  # fmt: skip
    many = change_faults({f"key_{number}": 1 for number in range(5000)})
    assert len(many) == 16


def test_lines_and_steps_are_those_of_the_rules() -> None:
    assert STEPS == (1, 2, 3, 4, 5, 6, 7)
    assert set(BREAK_BONUS_LINES) == set(RULES_AS_WRITTEN.break_bonus.lines)
    assert set(DEALER_BREAK_BONUS_LINES) == set(RULES_AS_WRITTEN.dealer_break_bonus.lines)


def test_reading_changes_loads_no_array_code() -> None:
    program = (
        "import sys, games.analysis.variants; print({'numpy', 'numba', 'django'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "set()"
