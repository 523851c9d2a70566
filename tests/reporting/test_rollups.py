import datetime as dt
import random
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reporting.figures import services as rollups
from reporting.figures.services import RollUpResult, rebuild, roll_up
from reporting.figures.sums import find_differences
from reporting.models import BucketLine, RollupCursor
from tables.floor.services.tables import assign_dealer
from tables.models import Bet, DirtyBucket, Round, SeatHand
from tables.property.services.settings import change_day_start
from tests.builders import NOON, Floor
from tests.reporting.play import play, void
from tests.reporting.straight_sum import stored_lines, straight_sum

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)
AT = NOON + 2 * DAY


def relieve_dealer(floor: Floor, table: str, at: dt.datetime) -> None:
    assign_dealer.send(actor=floor.supervisor, data={"table": table, "dealer": None}, at=at)


@pytest.mark.parametrize("seed", range(6))
def test_incremental_is_rebuilt_is_straight_sum(floor: Floor, seed: int) -> None:
    """Given any play, with rounds that come late, voids, and roll-ups of any size in between."""
    dice = random.Random(seed)  # noqa: S311  (not a secret)
    relieve_dealer(floor, "BP-02", NOON - DAY)
    rounds: list[Round] = []
    for _ in range(40):
        action = dice.choice(("play", "play", "play", "play", "void", "roll_up"))
        if action == "play":
            at = NOON - dice.choice((0, 1, 2, 30)) * DAY + dice.randrange(36) * 20 * HOUR / 60
            recorded_at = at + dice.choice((dt.timedelta(minutes=1), DAY))
            table = dice.choice(("BP-01", "BP-02"))
            rounds.append(
                play(floor, dice.randrange(200), at=at, recorded_at=recorded_at, table=table)
            )
        elif action == "void" and rounds:
            void(
                floor, rounds.pop(dice.randrange(len(rounds))), at=NOON + dice.randrange(40) * HOUR
            )
        elif action == "roll_up":
            roll_up(at=AT, batch=dice.choice((1, 3, 500)))
    roll_up(at=AT)
    expected = straight_sum()
    assert {key.posting for key in expected} == {"play", "void"}
    assert any(key.dealer_id is None for key in expected)
    assert stored_lines() == expected
    assert list(find_differences()) == []
    rebuild(at=AT)
    assert stored_lines() == expected


def test_case_d16_sums_over_joins_do_not_multiply(floor: Floor) -> None:
    bets = {"main": 1000, "dealer_break_bonus": 500, "break_bonus": 500}
    for minute in range(4):
        body_seats = [
            {"seat": seat, "cards": cards, "low": low, "high": high, "bets": bets}
            for seat, cards, low, high in (
                (1, "Jh 7s Ad 4s Qd 9c 7d", "Jh Ad", "7s Qd 7d"),
                (2, "2d 3s 6h 4d 3c 9s 9d", "6h 9d", "3c 4d 9s"),
                (3, "Js 9h 3d 8d Qc Ah Ks", "9h Ah", "Js Qc Ks"),
            )
        ]
        play(floor, at=NOON + dt.timedelta(minutes=minute), seats=body_seats)
    roll_up(at=AT)
    handle = dict.fromkeys(("main", "dealer_break_bonus", "break_bonus"), 0)
    count = dict(handle)
    for line in BucketLine.objects.exclude(subject="round"):
        handle[line.subject] += line.handle_minor
        count[line.subject] += line.count
    assert handle == {"main": 12000, "dealer_break_bonus": 6000, "break_bonus": 6000}
    assert count == {"main": 12, "dealer_break_bonus": 12, "break_bonus": 12}
    assert sum(BucketLine.objects.filter(subject="round").values_list("count", flat=True)) == 4


def test_roll_up_of_nothing_changes_nothing(floor: Floor) -> None:
    assert roll_up(at=AT) == RollUpResult(marks=0, transactions=0)
    assert not RollupCursor.objects.exists()


def test_roll_up_again_changes_nothing(floor: Floor) -> None:
    played = play(floor)
    assert roll_up(at=AT) == RollUpResult(marks=1, transactions=1)
    lines, cursor = stored_lines(), RollupCursor.objects.get()
    assert (cursor.revision, cursor.rolled_up_at) == (1, AT)
    assert roll_up(at=AT + HOUR) == RollUpResult(marks=0, transactions=0)
    DirtyBucket.objects.create(
        table=played.table, dealer=played.dealer, shift=played.shift, hour=played.hour
    )
    assert roll_up(at=AT + HOUR) == RollUpResult(marks=1, transactions=1)
    assert stored_lines() == lines
    assert RollupCursor.objects.get().revision == 2


def test_roll_up_in_small_batches_works_off_every_mark(floor: Floor) -> None:
    for hour in range(5):
        play(floor, hour, at=NOON + hour * HOUR)
    assert roll_up(at=AT, batch=2) == RollUpResult(marks=5, transactions=3)
    assert not DirtyBucket.objects.exists()
    assert stored_lines() == straight_sum()


def test_roll_up_works_off_all_marks_of_an_hour_at_once(floor: Floor) -> None:
    for minute in range(5):
        play(floor, minute, at=NOON + dt.timedelta(minutes=minute))
    play(floor, at=NOON + HOUR)
    assert roll_up(at=AT, batch=1) == RollUpResult(marks=6, transactions=2)
    assert not DirtyBucket.objects.exists()
    assert stored_lines() == straight_sum()


@pytest.mark.slow
def test_full_batch_of_different_hours_stays_below_the_limits_of_both_databases(
    floor: Floor,
) -> None:
    played = play(floor)
    DirtyBucket.objects.bulk_create(
        DirtyBucket(table=played.table, dealer=None, shift=played.shift, hour=NOON + n * HOUR)
        for n in range(1, rollups.BATCH_MARKS)
    )
    assert roll_up(at=AT).marks == rollups.BATCH_MARKS
    assert stored_lines() == straight_sum()


def test_crash_in_the_middle_leaves_old_figures_and_the_work_to_do(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(floor)
    roll_up(at=AT)
    before, cursor = stored_lines(), RollupCursor.objects.values().get()
    play(floor, 1)

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(rollups, "_advance", crash)
        with pytest.raises(KeyboardInterrupt):
            roll_up(at=AT)
    assert stored_lines() == before
    assert RollupCursor.objects.values().get() == cursor
    assert DirtyBucket.objects.count() == 1
    roll_up(at=AT)
    assert stored_lines() == straight_sum() != before


def test_case_e07_edge_belongs_to_what_begins_there(floor: Floor) -> None:
    edges = (
        dt.datetime(2026, 11, 29, 13, 59, 59, 999999, tzinfo=dt.UTC),
        dt.datetime(2026, 11, 29, 14, tzinfo=dt.UTC),
        dt.datetime(2026, 11, 29, 22, tzinfo=dt.UTC),
    )
    for at in edges:
        play(floor, at=at)
    roll_up(at=AT)
    lines = BucketLine.objects.filter(subject="round").order_by("hour")
    found = [
        (line.hour.hour, line.shift.name, line.gaming_day.isoformat(), line.count)
        for line in lines.select_related("shift")
    ]
    assert found == [
        (13, "Grave", "2026-11-28", 1),
        (14, "Day", "2026-11-29", 1),
        (22, "Swing", "2026-11-29", 1),
    ]


def test_case_e09_night_belongs_to_the_gaming_day_before_for_good(floor: Floor) -> None:
    play(floor, at=dt.datetime(2026, 11, 30, 9, 30, tzinfo=dt.UTC))
    play(floor, at=dt.datetime(2026, 11, 30, 0, 30, tzinfo=dt.UTC))
    roll_up(at=AT)
    days = BucketLine.objects.values_list("gaming_day", flat=True).distinct()
    assert list(days) == [dt.date(2026, 11, 29)]
    change_day_start.send(
        data={"id": "s", "from_date": "2026-12-05", "starts_at": "01:00", "expected": "06:00"},
        actor=floor.administrator,
        at=AT,
    )
    rebuild(at=AT)
    assert list(days.all()) == [dt.date(2026, 11, 29)]


def test_case_e08_late_round_and_old_void_touch_their_own_buckets_only(floor: Floor) -> None:
    old = play(floor, 1, at=NOON - 40 * DAY)
    play(floor, 2, at=NOON - 10 * DAY)
    play(floor, 3, at=NOON - 10 * DAY + HOUR)
    roll_up(at=AT)
    keys = dict(BucketLine.objects.values_list("pk", "hour"))
    void(floor, old, at=NOON)
    play(floor, 4, at=NOON - 10 * DAY, recorded_at=NOON)
    assert roll_up(at=AT).marks == 2
    assert stored_lines() == straight_sum()
    kept = BucketLine.objects.filter(pk__in=keys).values_list("pk", flat=True)
    assert {keys[pk] for pk in kept} == {NOON - 40 * DAY, NOON - 10 * DAY + HOUR}
    late = BucketLine.objects.filter(subject="round", late_count__gt=0)
    assert [(line.hour, line.posting, line.late_count) for line in late] == [
        (NOON - 10 * DAY, "play", 1)
    ]


def test_returned_bets_are_neither_handle_nor_decisions(floor: Floor) -> None:
    played = play(floor)
    returned = Round.objects.get(pk=played.pk)
    returned.pk, returned.round_id, returned.sequence = None, "returned", 2
    returned.house_net_minor = 0
    returned.save(force_insert=True)
    hand = SeatHand.objects.create(
        round=returned, seat=1, cards="", low="", high="", event="void", is_foul=False, net_minor=0
    )
    Bet.objects.create(
        seat_hand=hand, wager="main", amount_minor=777, outcome="void", line="void", net_minor=0
    )
    roll_up(at=AT)
    rebuild(at=AT)
    assert not BucketLine.objects.filter(line="void").exists()
    assert sum(BucketLine.objects.filter(subject="round").values_list("count", flat=True)) == 2
    assert stored_lines() == straight_sum()


def test_case_x25_queries_do_not_grow_with_the_rounds(floor: Floor) -> None:
    def queries_of_a_roll_up() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert roll_up(at=AT).transactions == 1
        return len(queries)

    play(floor)
    roll_up(at=AT)
    for minute in range(10):
        play(floor, minute, at=NOON + dt.timedelta(minutes=minute))
    few = queries_of_a_roll_up()
    for minute in range(100):
        play(floor, minute, at=NOON + dt.timedelta(minutes=3 * minute))
    assert queries_of_a_roll_up() == few <= 22


def test_rebuild_of_a_range_leaves_other_days_alone(floor: Floor) -> None:
    for day in (0, 1, 2):
        play(floor, day, at=NOON - day * DAY)
    roll_up(at=AT)
    expected = stored_lines()
    BucketLine.objects.update(house_win_minor=1, late_count=0)
    middle = NOON.date() - DAY
    rebuild(at=AT, first_day=middle, last_day=middle)
    changed = {key for key, sums in stored_lines().items() if sums == expected[key]}
    assert {key.gaming_day for key in changed} == {middle}
    rebuild(at=AT, first_day=middle)
    assert {key.gaming_day for key, sums in stored_lines().items() if sums == expected[key]} == {
        middle,
        NOON.date(),
    }


def test_check_prints_every_difference_and_fails(floor: Floor) -> None:
    play(floor)
    roll_up(at=AT)
    out = StringIO()
    call_command("rebuild_rollups", "--check", stdout=out)
    assert out.getvalue() == "The figures are the straight sum of the records.\n"
    line = BucketLine.objects.filter(subject="main").order_by("pk")[0]
    BucketLine.objects.filter(pk=line.pk).update(house_win_minor=line.house_win_minor + 1)
    out = StringIO()
    with pytest.raises(CommandError, match="2 lines differ and 0 worths"):
        call_command("rebuild_rollups", "--check", stdout=out)
    rolled_up, summed = out.getvalue().splitlines()
    assert rolled_up.startswith(f"rolled up: table {line.table_id}, ")
    assert f", house win {line.house_win_minor + 1}, " in rolled_up
    assert summed == f"straight sum: {line}"
    call_command("rebuild_rollups", stdout=out)
    call_command("rebuild_rollups", "--check", stdout=out)


def test_check_leaves_out_what_waits_for_the_roll_up(floor: Floor) -> None:
    relieve_dealer(floor, "BP-02", NOON - HOUR)
    play(floor)
    play(floor, table="BP-02")
    assert Round.objects.filter(dealer=None).count() == 1
    assert list(find_differences()) == []
    DirtyBucket.objects.all().delete()
    assert {difference.is_rolled_up for difference in find_differences()} == {False}


def test_rebuild_command_refuses_days_it_would_ignore(db: None) -> None:
    with pytest.raises(CommandError, match="expected no --from"):
        call_command("rebuild_rollups", "--check", "--from", "2026-11-29")
    with pytest.raises(CommandError, match="expected a day such as"):
        call_command("rebuild_rollups", "--from", "yesterday")
