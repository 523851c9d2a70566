from fractions import Fraction

import pytest

from games.analysis.split import Split
from games.engine.pay_tables import exact
from games.engine.wagers import Wager
from reporting.figures.decimals import fixed, major_units
from reporting.figures.metrics import (
    LINES_OF_WAGER,
    Figures,
    LineTally,
    Postings,
    Tally,
)
from reporting.figures.wording import percent
from reporting.worth.split import ShownSplit, Worth, shown_split
from tables.web.words import words


def main_bets(*, handle_minor: int, house_win_minor: int, count: int = 1) -> Figures:
    return Figures({("main", "win_both"): Tally(count, 0, handle_minor, house_win_minor)})


@pytest.mark.parametrize(
    ("handle_minor", "house_win_minor", "expected"),
    [
        (0, 0, None),
        (0, -50_000, None),
        (-1_000, -500, None),
        (100_000, 0, Fraction(0)),
        (100_000, -25_000, Fraction(-1, 4)),
        (300, 100, Fraction(1, 3)),
    ],
)
def test_case_e01_ratio_without_a_divisor_is_undefined(
    handle_minor: int, house_win_minor: int, expected: Fraction | None
) -> None:
    tally = Tally(1, 0, handle_minor, house_win_minor)
    assert tally.hold_on_handle == expected


def test_case_e01_undefined_is_not_zero_and_a_loss_is_shown() -> None:
    assert percent(None) == "n/a"
    assert percent(Fraction(0)) == "0.00 %"
    assert percent(Fraction(-1, 4)) == "-25.00 %"


def test_case_e03_total_is_the_ratio_of_the_sums() -> None:
    shifts = (
        main_bets(house_win_minor=50_000, handle_minor=100_000),
        main_bets(house_win_minor=90_000, handle_minor=900_000),
    )
    assert [shift.bets.hold_on_handle for shift in shifts] == [Fraction(1, 2), Fraction(1, 10)]
    day = sum(shifts, start=Figures())
    assert day.bets.hold_on_handle == Fraction(14, 100)


def test_case_x28_void_takes_its_own_amounts_back() -> None:
    play = main_bets(handle_minor=3_000, house_win_minor=1_000, count=3)
    voids = main_bets(handle_minor=1_000, house_win_minor=-500)
    net = Postings(play, voids).net
    assert net.wagers[0].total == Tally(2, 0, 2_000, 1_500)
    assert net.decisions == 2


def test_figures_and_postings_add_up_line_by_line() -> None:
    left = Figures({("main", "foul"): Tally(1, 1, 10, 10), ("round", "match"): Tally(1, 1, 0, 10)})
    right = Figures({("main", "foul"): Tally(2, 0, 5, -5), ("round", "deviation"): Tally(1)})
    both = Postings(left, right) + Postings(right, left)
    assert both.play == both.voids == left + right
    assert (both.play.rounds, both.play.late_rounds, both.play.decisions) == (2, 1, 3)
    assert both.play.wagers[0].total == Tally(3, 1, 15, 5)
    assert both.net.bets == Tally()


def test_lines_are_the_engines_in_its_order_with_those_never_hit() -> None:
    figures = Figures({("main", "foul"): Tally(1), ("main", "of_another_release"): Tally(2)})
    main, *side_bets = figures.wagers
    known = LINES_OF_WAGER[Wager.MAIN]
    assert known[0] == "player_break"
    assert known[-1] == "foul"
    assert len(known) == 13
    assert [line.line for line in main.lines] == [*known, "of_another_release"]
    assert main.lines[0] == LineTally("player_break", Tally())
    assert main.total.count == sum(line.tally.count for line in main.lines) == 3
    assert [line.line for line in side_bets[0].lines] == ["both", "dealer_only", "none"]
    assert len(side_bets[1].lines) == 6


@pytest.mark.parametrize(
    ("matches", "deviations", "expected"),
    [(3, 1, Fraction(3, 4)), (0, 2, Fraction(0)), (0, 0, None), (-1, 3, None), (3, -1, None)],
)
def test_compliance_rate_counts_recorded_settings_only(
    matches: int, deviations: int, expected: Fraction | None
) -> None:
    figures = Figures(
        {
            ("round", "match"): Tally(matches),
            ("round", "deviation"): Tally(deviations),
            ("round", "not_recorded"): Tally(5),
        }
    )
    assert (figures.matches, figures.deviations, figures.not_recorded) == (matches, deviations, 5)
    assert figures.compliance_rate == expected


def test_figures_are_written_exactly() -> None:
    assert fixed(Fraction(-2, 3), 6) == "-0.666667"
    assert fixed(Fraction(1, 2 * 10**6), 6) == "0.000000"
    assert fixed(Fraction(3, 2 * 10**6), 6) == "0.000002"
    assert major_units(10**18 + 1, 2) == "10000000000000000.01"
    assert major_units(-5, 3) == "-0.005"
    assert major_units(-300, 0) == "-300"


def test_stored_names_are_read_as_words() -> None:
    names = ("copy_low_win_high", "dealer_break_bonus", "akq", "five_of_a_kind", "gaming_day")
    assert [words(name) for name in names] == [
        "Copies low, wins high",
        "Dealer Break Bonus",
        "A-K-Q",
        "Five of a kind",
        "Gaming day",
    ]


THIRDS = Split(Fraction(7, 3), Fraction(1, 3), -2, Fraction(-5, 3), Fraction(2))


def test_shown_parts_are_whole_and_add_up_to_the_result() -> None:
    assert THIRDS.actual == 1
    shown = shown_split(THIRDS)
    assert shown == ShownSplit(2, 0, -2, 1, -2, 3, 1)
    parts = (shown.theo_minor, shown.player_error_minor, shown.dealer_error_minor)
    assert sum(parts) + shown.luck_minor == THIRDS.actual
    assert exact(THIRDS.setting_theo) == "1/1"


def test_worth_is_not_known_while_a_bet_is_not_appraised() -> None:
    known, unknown = Worth(0, THIRDS), Worth(2, THIRDS)
    assert (known.split, known.shown) == (THIRDS, shown_split(THIRDS))
    assert (unknown.split, unknown.shown) == (None, None)
    assert (known + unknown).bets_missing == 2
    # What is missing on both sides does not cancel.
    play, voids = Figures({}, {"main": unknown}), Figures({}, {"main": unknown})
    assert (play - voids).worth == Worth(4, Split())
    assert (play - voids).wagers[0].worth.split is None
    assert Figures().worth.split == Split()
