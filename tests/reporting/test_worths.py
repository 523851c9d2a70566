"""What bets were worth: stored beside them, added up in the figures, and told when unknown."""

import datetime as dt
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.analysis.probabilities import odds_of
from games.analysis.setting_values import PlayerKind
from games.analysis.value_store import setting_values
from games.analysis.worth import values_of_hands
from games.engine import rulesets
from games.engine.rulesets import RULES_AS_WRITTEN, RULESETS, DealerMissetPolicy
from games.engine.wagers import STAKE_MINOR_MAX, Wager
from reporting.figures import performance
from reporting.figures.metrics import GroupBy
from reporting.figures.selectors import PerformanceReport, summarise_performance
from reporting.figures.services import RollUpResult, rebuild, roll_up, roll_up_backlog
from reporting.models import BetWorth, BucketLine, WagerValue
from reporting.tasks import roll_up_task
from reporting.worth import appraisal
from reporting.worth import services as worths
from reporting.worth.services import appraise, find_worth_differences, prepare, reappraise
from tables.insertion import insert_missing
from tables.models import Bet, DirtyBucket, Round, SeatHand
from tests.architecture.source import ROOT
from tests.builders import NOON, Floor
from tests.reporting.play import play, void
from tests.reporting.straight_sum import stored_lines, straight_sum, worths_of

DAY = dt.timedelta(days=1)
HOUR = dt.timedelta(hours=1)
AT = NOON + 2 * DAY
TODAY = dt.date(2026, 11, 29)


def report(floor: Floor, group_by: GroupBy = GroupBy.TABLE) -> PerformanceReport:
    return summarise_performance(
        user=floor.manager, first_day=TODAY - 9 * DAY, last_day=TODAY + DAY, group_by=group_by
    )


def stored_worths() -> dict[int, str]:
    return {worth.pk: str(worth) for worth in BetWorth.objects.all()}


@pytest.fixture
def unprepared(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> Floor:
    """No values are ready in this process, as after a start."""
    monkeypatch.setattr(worths, "_ready", {})
    WagerValue.objects.all().delete()
    return floor


@pytest.fixture(params=[DealerMissetPolicy.STAND, DealerMissetPolicy.VOID])
def lenient(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Floor]:
    """A floor on which the dealer's wrong setting counts, or voids the round. BP-5.9."""
    ruleset = replace(RULES_AS_WRITTEN, id=f"test/{request.param}@1", dealer_misset=request.param)
    known = {**RULESETS, ruleset.id: ruleset}
    monkeypatch.setattr(rulesets, "RULESETS", known)
    monkeypatch.setattr(worths, "RULESETS", known)
    floor.casino.ruleset_id = ruleset.id
    floor.casino.save()
    prepare([ruleset.id])
    yield floor
    worths._ready.pop(ruleset.id)


@pytest.mark.slow
def test_every_golden_round_adds_up_to_the_last_part_of_a_minor_unit(floor: Floor) -> None:
    for number in range(200):
        play(floor, number, at=NOON - number * HOUR / 4, table=f"BP-0{1 + number % 2}")
    void(floor, Round.objects.order_by("pk")[7], at=NOON + HOUR)
    roll_up(at=AT)
    assert stored_lines() == straight_sum()
    assert list(find_worth_differences()) == []
    odds = odds_of(RULES_AS_WRITTEN, PlayerKind.BEST)
    for group_by in GroupBy:
        found = report(floor, group_by)
        for figures in (found.totals, *(row.figures for row in found.rows)):
            for each in (figures.play, figures.voids, figures.net):
                split = each.worth.split
                assert split is not None
                assert split.actual == each.bets.house_win_minor
                parts = (of.worth.split for of in each.wagers)
                assert [of.actual for of in parts if of] == [
                    of.total.house_win_minor for of in each.wagers
                ]
                assert split.theo == -sum(
                    of.total.handle_minor * odds.wagers[of.wager].expected_value
                    for of in each.wagers
                )
    split = found.totals.play.worth.split
    by_bet = [bet.split for played in Round.objects.all() for bet in worths_of(played).values()]
    assert split == sum(by_bet[1:], start=by_bet[0])


def test_worth_of_a_stored_bet_is_the_worth_of_the_round(floor: Floor) -> None:
    for number in range(20):
        play(floor, number)
    roll_up(at=AT)
    assert BetWorth.objects.count() == Bet.objects.count()
    for played in Round.objects.all():
        expected = worths_of(played)
        for worth in BetWorth.objects.filter(bet__seat_hand__round=played):
            of = expected[worth.bet.seat_hand.seat, worth.bet.wager]
            assert Fraction(worth.best_value, worth.denominator) == of.best_value
            assert Fraction(worth.setting_value, worth.denominator) == of.setting_value
            assert (worth.wins, worth.losses) == (of.wins, of.losses)
            assert (worth.best_low, worth.best_high) == (of.best_low, of.best_high)


def test_figures_do_not_wait_for_values_and_say_what_is_unknown(unprepared: Floor) -> None:
    floor = unprepared
    voided = play(floor, 1)
    void(floor, voided, at=NOON + HOUR)
    played = play(floor)
    roll_up(at=AT)
    assert not BetWorth.objects.exists()
    net = report(floor).totals.net
    assert net.bets.house_win_minor == played.house_net_minor
    bets = Bet.objects.filter(seat_hand__round=played).count()
    taken_back = Bet.objects.filter(seat_hand__round=voided).count()
    assert net.worth.bets_missing == bets + 2 * taken_back
    assert (net.worth.split, net.worth.shown) == (None, None)
    assert roll_up_backlog(at=AT).marks == 2
    assert report(floor).totals.net.worth.bets_missing == 0
    assert stored_lines() == straight_sum()
    assert roll_up_backlog(at=AT) == RollUpResult()


def test_task_makes_the_values_ready_even_when_there_is_nothing_to_roll_up(
    unprepared: Floor, caplog: pytest.LogCaptureFixture
) -> None:
    roll_up_task()
    assert {row.wager for row in WagerValue.objects.all()} == set(Wager)
    play(unprepared)
    WagerValue.objects.filter(wager="main").update(expected_value="1/2")
    roll_up_task()
    values = {row.wager: Fraction(row.expected_value) for row in WagerValue.objects.all()}
    odds = odds_of(RULES_AS_WRITTEN, PlayerKind.BEST)
    assert values == {wager: of.expected_value for wager, of in odds.wagers.items()}
    assert stored_lines() == straight_sum()


def test_task_appraises_what_another_process_left(
    unprepared: Floor, caplog: pytest.LogCaptureFixture
) -> None:
    play(unprepared)
    roll_up(at=AT)
    with caplog.at_level("INFO", logger="reporting.figures.tasks"):
        roll_up_task()
    assert caplog.messages == [
        "rolled up 0 marks in 0 transactions",
        "appraised the bets of 1 buckets rolled up before",
    ]
    assert stored_lines() == straight_sum()


def test_figures_do_not_wait_for_values_that_another_process_computes(
    unprepared: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = play(unprepared, 3)

    def busy(*_: object, **options: object) -> None:
        assert options["may_wait"] is False
        raise appraisal.BeingComputedError

    with monkeypatch.context() as patched:
        patched.setattr(appraisal, "setting_values", busy)
        roll_up_task()
    (row,) = report(unprepared).rows
    assert (row.figures.net.rounds, row.figures.net.worth.split) == (1, None)
    roll_up_task()
    (row,) = report(unprepared).rows
    assert row.figures.net.worth.bets_missing == 0
    assert BetWorth.objects.count() == Bet.objects.filter(seat_hand__round=played).count()


def test_ruleset_of_another_release_stays_unknown(floor: Floor) -> None:
    kept, other = play(floor), play(floor, 1, at=NOON + HOUR)
    unknown = Round.objects.get(pk=other.pk)
    unknown.pk, unknown.round_id, unknown.sequence = None, "other-release", 3
    unknown.ruleset_id = "break-poker/of-tomorrow@1"
    unknown.save(force_insert=True)
    hand = SeatHand.objects.filter(round=other).order_by("pk")[0]
    hand.pk, hand.round = None, unknown
    hand.save(force_insert=True)
    Bet.objects.create(
        seat_hand=hand,
        wager="main",
        amount_minor=777,
        outcome="push",
        line="copy_both",
        net_minor=0,
    )
    roll_up(at=AT)
    assert roll_up_backlog(at=AT) == RollUpResult()
    assert report(floor).totals.net.worth.bets_missing == 1
    by_hour = {row.group.key: row.figures.net.worth for row in report(floor, GroupBy.HOUR).rows}
    assert [worth.bets_missing for worth in by_hour.values()] == [0, 1]
    assert list(find_worth_differences()) == []
    assert kept.house_net_minor == by_hour[kept.hour.isoformat()].sums.actual


def test_hand_that_cannot_be_read_does_not_stop_the_others(
    floor: Floor, caplog: pytest.LogCaptureFixture
) -> None:
    played = play(floor)
    for seat, cards, low, high in (
        (5, "", "", ""),
        (6, "As Kd Jh 9c 7d 5s 3c", "Ad Ac", "Jh 9c 7d"),
    ):
        hand = SeatHand.objects.create(
            round=played, seat=seat, cards=cards, low=low, high=high,
            event="foul", is_foul=True, net_minor=0,
        )  # fmt: skip
        Bet.objects.create(
            seat_hand=hand, wager="main", amount_minor=1, outcome="push", line="foul", net_minor=0
        )
    roll_up(at=AT)
    # A foul is worth the same however it was set, so only the hand without cards is unreadable.
    assert BetWorth.objects.count() == Bet.objects.count() - 1
    assert report(floor).totals.net.worth.bets_missing == 1
    assert [message for message in caplog.messages if "cannot appraise" in message]


def test_appraising_twice_changes_nothing(floor: Floor) -> None:
    keys = [play(floor, number).pk for number in range(3)]
    appraise(keys)
    expected = stored_worths()
    assert len(expected) == Bet.objects.count()
    appraise(keys)
    worths._store(worths._appraised(Bet.objects.all()))
    assert stored_worths() == expected
    reappraise(keys)
    assert stored_worths() == expected


def test_row_that_breaks_a_rule_is_refused_with_all_beside_it(floor: Floor) -> None:
    """Only a key that is there already is passed over."""
    keys = [bet.pk for bet in Bet.objects.filter(seat_hand__round=play(floor, 3))]
    good = {"denominator": 10, "setting_value": 0, "wins": 1, "losses": 1, "dealer_error_minor": 0}
    rows = [
        BetWorth(bet_id=keys[0], best_value=0, **good),
        BetWorth(bet_id=keys[1], best_value=-1, **good),
    ]
    refused = pytest.raises(IntegrityError, match="betworth_setting_not_above_best")
    with refused, transaction.atomic():
        insert_missing(rows)
    assert BetWorth.objects.count() == 0
    insert_missing(rows[:1])
    insert_missing([BetWorth(bet_id=keys[0], best_value=5, **good)])
    assert BetWorth.objects.get().best_value == 0
    insert_missing([])


def test_round_that_comes_between_appraisal_and_lock_is_appraised_too(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(floor)

    def appraise_and_enter(keys: frozenset[int]) -> None:
        monkeypatch.setattr(performance, "appraise", appraise)
        appraise(keys)
        play(floor, 1, at=NOON + dt.timedelta(minutes=1))

    monkeypatch.setattr(performance, "appraise", appraise_and_enter)
    assert roll_up(at=AT).marks == 2
    assert BetWorth.objects.count() == Bet.objects.count()
    assert stored_lines() == straight_sum()


def test_crash_after_appraising_leaves_worths_that_are_right(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(floor)

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(performance, "insert_lines", crash)
        with pytest.raises(KeyboardInterrupt):
            roll_up(at=AT)
    assert (DirtyBucket.objects.count(), BucketLine.objects.count()) == (1, 0)
    expected = stored_worths()
    roll_up(at=AT)
    assert stored_worths() == expected
    assert stored_lines() == straight_sum()


def test_void_counts_with_its_worth_even_if_the_round_was_never_appraised(floor: Floor) -> None:
    voided = play(floor, at=NOON - 5 * HOUR)
    roll_up(at=AT)
    BetWorth.objects.all().delete()
    void(floor, voided, at=NOON)
    roll_up(at=AT)
    assert stored_lines() == straight_sum()


def test_case_c10_void_takes_back_what_the_play_gave(floor: Floor) -> None:
    voided = play(floor)
    void(floor, voided, at=NOON + DAY)
    roll_up(at=AT)
    totals = report(floor).totals
    assert totals.voids.worth == totals.play.worth
    split = totals.net.worth.split
    assert split is not None
    assert not any((split.theo, split.player_error, split.luck, split.actual))


def test_rebuild_makes_wrong_and_missing_worths_again(floor: Floor) -> None:
    for number in range(3):
        play(floor, number, at=NOON - number * DAY)
    roll_up(at=AT)
    expected, lines = stored_worths(), stored_lines()
    first, second = BetWorth.objects.order_by("pk")[:2]
    BetWorth.objects.filter(pk=first.pk).update(best_value=first.best_value + 1)
    BetWorth.objects.filter(pk=second.pk).delete()
    out = StringIO()
    with pytest.raises(CommandError, match="4 lines differ and 2 worths"):
        call_command("rebuild_rollups", "--check", stdout=out)
    assert f"stored: bet {first.pk}: best {first.best_value + 1}/" in out.getvalue()
    assert f"computed: {expected[first.pk]}" in out.getvalue()
    assert f"stored: no worth\ncomputed: {expected[second.bet_id]}" in out.getvalue()
    rebuild(at=AT, first_day=TODAY, last_day=TODAY)
    assert stored_worths() == expected
    assert stored_lines() == lines
    call_command("rebuild_rollups", "--check", stdout=out)


def test_check_leaves_out_what_waits_for_the_roll_up(floor: Floor) -> None:
    play(floor)
    assert list(find_worth_differences()) == []
    DirtyBucket.objects.all().delete()
    assert len(list(find_worth_differences())) == Bet.objects.count()


def test_bp_5_9_dealer_error_is_told_from_luck(lenient: Floor) -> None:
    """A returned bet stands in no line: what a void round cost shows with the round itself."""
    for number in range(40):
        play(lenient, number)
    roll_up(at=AT)
    errors = 0
    for played in Round.objects.all():
        for (seat, wager), of in worths_of(played).items():
            worth = BetWorth.objects.get(
                bet__seat_hand__round=played, bet__seat_hand__seat=seat, bet__wager=wager
            )
            assert worth.dealer_error_minor == of.split.dealer_error_minor
            errors += worth.dealer_error_minor != 0
    assert errors
    assert stored_lines() == straight_sum()
    net = report(lenient).totals.net
    split = net.worth.split
    assert split is not None
    assert split.actual == net.bets.house_win_minor
    is_stand = "stand" in lenient.casino.ruleset_id
    assert (split.dealer_error_minor != 0) == is_stand


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_products_of_the_sums_fit_in_63_bits(ruleset: rulesets.Ruleset) -> None:
    values = setting_values(ruleset)
    patterns = values.table.deck.patterns.tolist()
    hands = values_of_hands(values, ruleset, patterns, values.best_codes.tolist())
    for of in hands.wagers.values():
        assert STAKE_MINOR_MAX * (of.denominator + int(of.best.max())) < 2**63
        assert int(of.best.min()) >= -of.denominator


def test_case_x25_queries_do_not_grow_with_the_bets(floor: Floor) -> None:
    def queries(keys: list[int]) -> int:
        with CaptureQueriesContext(connection) as captured, transaction.atomic():
            appraise(keys)
        return len(captured)

    few = queries([play(floor).pk])
    many = queries([play(floor, number).pk for number in range(60)])
    assert many == few <= 6


def test_upgrade_has_every_bucket_rolled_up_again(floor: Floor) -> None:
    play(floor)
    void(floor, play(floor, 1, at=NOON - DAY), at=NOON + 3 * HOUR)
    roll_up(at=AT)
    lines = stored_lines()
    BetWorth.objects.all().delete()
    BucketLine.objects.update(appraised_count=0, ruleset_id="", returned_minor=0, returned_rest=0)
    import_module("reporting.migrations.0003_worths").mark_all(apps, None)
    assert DirtyBucket.objects.count() == 3
    roll_up(at=AT)
    assert stored_lines() == lines


def test_web_process_starts_without_the_mathematics() -> None:
    program = (
        "import sys, config.wsgi\n"
        "from django.urls import get_resolver\n"
        "list(get_resolver().reverse_dict)\n"
        "print([name for name in ('numpy', 'numba') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "[]\n"
