"""Qualifiers and odds as people write them: what is read, and what is refused."""

import pytest

from games.analysis.rule_texts import ODDS_MAX, parse_odds, parse_qualifier
from games.engine.errors import ErrorKind, OddsError, QualifierError
from games.engine.hands import ALL_HIGH, HighClass, parse_high
from games.engine.pay_tables import Odds, OddsUnit


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("A-high", "A-4-2"),
        ("K-high", "K-3-2"),
        ("q-HIGH", "Q-3-2"),
        ("10-high", "T-3-2"),
        ("5-high", "5-3-2"),
        ("K-3-2", "K-3-2"),
        (" k-3-2 ", "K-3-2"),
        ("A-2-3", "A-2-3"),
        ("9-9-4", "9-9-4"),
        ("10-10-2", "T-T-2"),
    ],
)
def test_bp_6_1_qualifier_is_read_from_a_top_card_or_a_hand(text: str, label: str) -> None:
    assert parse_qualifier(text) is parse_high(label)


@pytest.mark.parametrize("text", ["none", "None", " NONE "])
def test_bp_6_1_no_qualifier(text: str) -> None:
    assert parse_qualifier(text) is None


def test_bp_6_1_every_hand_is_its_own_qualifier_and_top_card_the_weakest_of_its_hands() -> None:
    for hand in ALL_HIGH:
        assert parse_qualifier(hand.label.lower()) is hand
        if hand.hand_class is HighClass.HIGH_CARD:
            least = parse_qualifier(f"{hand.ranks[0].symbol}-high")
            assert least is not None
            assert least.ranks[0] is hand.ranks[0]
            assert least <= hand


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("4-high", "no hand without pair and straight has the top card 4"),
        ("2-high", "no hand without pair and straight"),
        ("A-3-2", "these cards are A-2-3, a straight"),
        ("4-9-9", "these cards are 9-9-4, a pair"),
        ("2-3-K", "these cards are K-3-2, high cards"),
        ("", ""),
        ("high", ""),
        ("A", ""),
        ("A-K", ""),
        ("A-K-Q-J", ""),
        ("1-high", ""),
        ("ＡA-high", ""),
        ("K\u20133\u20132", ""),
        ("K-3-2\0", ""),
        ("A-high" * 10_000, ""),
        (None, ""),
        (True, ""),
        (13, ""),
        (["K-3-2"], ""),
        (float("nan"), ""),
    ],
)
def test_bp_6_1_other_text_is_no_qualifier_and_the_error_says_what_is(
    text: object, hint: str
) -> None:
    with pytest.raises(QualifierError) as caught:
        parse_qualifier(text, place="qualifier")
    error = caught.value
    assert (error.code, error.kind) == ("qualifier_malformed", ErrorKind.MALFORMED)
    assert error.place == "qualifier"
    assert "K-3-2" in error.message
    assert hint in error.message
    assert len(error.message) < 250


@pytest.mark.parametrize(
    ("text", "odds"),
    [
        ("6 to 1", Odds(6)),
        ("19 to 20", Odds(19, 20)),
        (" 7  FOR 1 ", Odds(7, unit=OddsUnit.FOR_ONE)),
        (f"{ODDS_MAX} to {ODDS_MAX}", Odds(ODDS_MAX, ODDS_MAX)),
    ],
)
def test_bp_7_odds_are_read_with_their_unit(text: str, odds: Odds) -> None:
    assert parse_odds(text) == odds
    assert parse_odds(str(odds)) == odds


@pytest.mark.parametrize(
    "text",
    [
        "", "6", "6:1", "6 to", "to 1", "6 to 0", "0 to 1", "-6 to 1", "1 for 1", "1 for 2",
        "6.5 to 1", "1e3 to 1", "100001 to 1", "1 to 100001", "9" * 5000 + " to 1", "٦ to 1",
        "6 to 1 to 1", "six to one", None, True, 6, 6.0, [6, 1], {"pays": 6},
    ],
)  # fmt: skip
def test_bp_7_odds_that_win_nothing_or_are_beyond_all_tables_are_refused(text: object) -> None:
    with pytest.raises(OddsError) as caught:
        parse_odds(text, place="main")
    assert (caught.value.code, caught.value.place) == ("odds_malformed", "main")
    assert "6 to 1" in caught.value.message
