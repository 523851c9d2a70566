"""``manage.py audit_rounds``: files, gaming days, findings, exit status, memory."""

import datetime as dt
import io
import json
import os
import pty
import random
import re
import subprocess
import sys
import termios
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from games.analysis.round_files import read_chunks
from games.engine.notation import CardEntry
from games.engine.outcomes import Event, Outcome
from games.engine.rulesets import RULESETS
from games.engine.settlement import (
    Compliance,
    RoundSettlement,
    parse_round,
    settle,
    settlement_as_dict,
)
from reporting import audit_selectors
from reporting.audit_selectors import (
    UnreadableRound,
    list_currencies,
    list_rounds_to_audit,
    read_stored_rounds,
)
from reporting.management.commands import audit_rounds as command_module
from tables.insertion import insert
from tables.models import Property, Round
from tables.services import rounds as round_services
from tests.builders import NOON, Floor, build_floor, golden_rounds
from tests.engine.builders import AS_WRITTEN, dealt, random_round, seat
from tests.reporting.play import play, void

ROOT = Path(__file__).resolve().parent.parent.parent
DAY = "2026-11-29"
RANGE = ("--from", DAY, "--to", DAY)


def audit(*arguments: str, status: int = 0) -> dict[str, Any]:
    """The summary as JSON, after checking the exit status."""
    summary: dict[str, Any] = json.loads(printed(*arguments, "--json", status=status))
    return summary


def printed(*arguments: str, status: int = 0) -> str:
    out = io.StringIO()
    if status:
        with pytest.raises(SystemExit) as caught:
            call_command("audit_rounds", *arguments, stdout=out)
        assert caught.value.code == status
    else:
        call_command("audit_rounds", *arguments, stdout=out)
    return out.getvalue()


def entered(line: dict[str, Any]) -> str:
    return json.dumps({key: value for key, value in line.items() if key != "expect"})


@pytest.fixture
def golden_file(tmp_path: Path) -> str:
    path = tmp_path / "golden.jsonl"
    path.write_text("".join(entered(line) + "\n" for line in golden_rounds()))
    return str(path)


def test_golden_rounds_of_a_file(golden_file: str) -> None:
    summary = audit(golden_file)
    expected = [line["expect"] for line in golden_rounds()]
    steps: dict[str, int] = {}
    for each in expected:
        rule = f"BP-5.{each['dealer']['step']}"
        steps[rule] = steps.get(rule, 0) + 1
    deviating = sum(each["dealer"]["compliant"] is False for each in expected)
    assert (summary["rounds"], summary["dealer_hands"], summary["seats"]) == (200, 200, 682)
    assert summary["steps"] == dict(sorted(steps.items()))
    assert summary["compliance"] == {
        "match": 200 - deviating,
        "deviation": deviating,
        "not_recorded": 0,
    }
    assert summary["deviations"]["count"] == len(summary["deviations"]["listed"]) == deviating
    nets = [seat["net_minor"] for each in expected for seat in each["seats"]]
    assert summary["house_net_minor"] == -sum(nets)
    assert summary["unreadable"] == summary["differing_rounds"] == {"count": 0, "listed": []}
    assert set(summary["seconds"]) == {"set_up", "reading", "audit"}
    assert summary["hands_a_second"] > 0


def line_of(body: dict[str, Any], name: str) -> str:
    return json.dumps({"id": name, **body}) + "\n"


PLAYER = seat("Ah Kh Qs Js 9h 8h 2d", "Js Qs", "Ah Kh 9h", main=1000)
DEALER = "As Kd Th 9c 7d 5s 2h"


def test_deviation_tells_what_was_set_and_what_it_cost(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    # Against the house way, K-T | A-9-7, the player loses low and wins high: a push. Q-J and A-K-9
    # both beat what d1 sets. What d2 sets is foul, so the house way would count.
    deviating = dealt(DEALER, PLAYER, low="Th 9c", high="As Kd 7d")
    fouled = dealt(DEALER, PLAYER, low="As Kd", high="Th 9c 7d")
    path.write_text(
        line_of(deviating, "d1") + line_of(fouled, "d2") + line_of(dealt(DEALER, PLAYER), "d3")
    )
    summary = audit(str(path))
    assert summary["compliance"] == {"match": 0, "deviation": 2, "not_recorded": 1}
    required = {"required": "K-T | A-9-7", "step": 7, "rule": "BP-5.7"}
    assert summary["deviations"] == {
        "count": 2,
        "cost_minor": 1000,
        "listed": [
            {"name": "d1", "as_set": "T-9 | A-K-7", "is_foul": False, "cost_minor": 1000}
            | required,
            {"name": "d2", "as_set": "A-K | T-9-7", "is_foul": True, "cost_minor": 0} | required,
        ],
    }
    text = printed(str(path), "--list", "1")
    assert (
        "deviates from the house way: 2\n"
        "  d1: set T-9 | A-K-7, required K-T | A-9-7 (step 7, BP-5.7), cost 1000\n"
        "rounds "
    ) in text
    assert "d2: set A-K | T-9-7 (foul), required" in printed(str(path))


def test_bad_lines_are_told_and_the_others_go_on(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    good = entered(golden_rounds()[0])
    bad = ["{", '{"id": "a", "seats": []}', good.replace("g11-0000", ""), "x" * 1_048_577]
    path.write_text("\n".join([good, bad[0], "", *bad[1:], good.replace("Ac Jk", "Ac Ac"), good]))
    summary = audit(str(path), status=1)
    assert summary["rounds"] == 2
    assert summary["unreadable"]["count"] == 5
    listed = summary["unreadable"]["listed"]
    assert [(item["name"], item["error"]["code"]) for item in listed] == [
        ("line 2", "json_malformed"),
        ("line 4 (a)", "round_malformed"),
        ("line 5", "round_malformed"),
        ("line 6", "line_too_long"),
        ("line 7 (g11-0000)", "card_seen_twice"),
    ]
    assert listed[1]["error"]["message"].startswith("expected the key 'dealer'")
    text = printed(str(path), "--list", "2", status=1)
    assert "could not be read: 5\n  line 2: json_malformed: expected JSON, got " in text
    assert "line 5" not in text


def test_empty_file_is_audited_to_nothing(tmp_path: Path) -> None:
    path = tmp_path / "nothing.jsonl"
    path.write_text("")
    summary = audit(str(path))
    assert (summary["rounds"], summary["steps"], summary["house_net_minor"]) == (0, {}, 0)
    path.write_text("\n  \n")
    assert audit(str(path))["rounds"] == 0
    assert "rounds                               0\n" in printed(str(path))


def test_ruleset_and_ranks_are_options_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ranks.jsonl"
    player = {"seat": 1, "cards": "K Q 9 8 6 4 2", "low": "Q 9", "high": "K 8 6"}
    body = dealt("A 8 6 5 T 3 2", player | {"bets": {"main": 5}})
    path.write_text(line_of(body, "r"))
    settled = settle(parse_round(body, card_entry=CardEntry.RANKS), AS_WRITTEN)
    assert audit(str(path), "--ranks")["house_net_minor"] == settled.house_net_minor
    assert audit(str(path), status=1)["unreadable"]["listed"][0]["error"]["code"] == (
        "card_unreadable"
    )
    # Q-J-9 and worse: the dealer qualifies under neither ruleset; K-high under one.
    lines = {"cards": "Ks Qd Th 9c 7d 5s 4h"}
    high = dealt(lines["cards"], seat("Ah Kh Qs Js 9h 8h 2d", "Kh Qs", "Ah Js 9h"))
    path.write_text(line_of(high, "k"))
    nets = {
        ruleset: audit(str(path), "--ruleset", ruleset)["house_net_minor"] for ruleset in RULESETS
    }
    assert nets == {
        "break-poker/rules-as-written@1": -1000,
        "break-poker/published-analysis@1": 0,
    }


def test_chunks_of_a_large_file_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rounds.jsonl"
    rng = random.Random(20)  # noqa: S311  (test data)
    bodies = [random_round(rng, seat_count=2) for _ in range(700)]
    path.write_text("".join(line_of(body, f"r{n}") for n, body in enumerate(bodies)))
    monkeypatch.setattr("games.analysis.round_files.CHUNK_LINES", 90)
    settled = [settle(parse_round(body), AS_WRITTEN) for body in bodies]
    with path.open("rb") as stream:
        chunks = list(read_chunks(stream, card_entry=CardEntry.SUITED))
    assert len(chunks) > 2
    assert sum(chunk.byte_count for chunk in chunks) == path.stat().st_size
    assert [name for chunk in chunks for name in chunk.round_ids] == [f"r{n}" for n in range(700)]
    assert audit(str(path))["house_net_minor"] == sum(item.house_net_minor for item in settled)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "expected either FILE or --from and --to"),
        (("f", *RANGE), "expected either FILE or --from and --to"),
        (("no-such-file.jsonl",), "cannot read no-such-file.jsonl: No such file or directory"),
        (("tests",), "cannot read tests: Is a directory"),
        (("f", "--ruleset", "house@9"), "expected one of break-poker/published-analysis@1"),
        (("f", "--property", "LA"), "--property is for --from and --to"),
        ((*RANGE, "--ranks"), "--ruleset and --ranks are for a FILE"),
        ((*RANGE, "--ruleset", "x"), "--ruleset and --ranks are for a FILE"),
        (("--from", DAY), "expected --to too"),
        (("--to", DAY), "expected --from too"),
        (("--from", "29.11.2026", "--to", DAY), "after --from, got '29.11.2026'"),
        (("--from", "2026-11-30", "--to", DAY), "expected --from no later than --to"),
    ],
)
def test_nothing_can_be_done_is_one_line_and_status_2(
    arguments: tuple[str, ...], told: str
) -> None:
    with pytest.raises(CommandError, match=re.escape(told)) as caught:
        call_command("audit_rounds", *arguments)
    assert caught.value.returncode == 2
    assert "\n" not in str(caught.value)


def test_file_is_audited_without_a_database_and_from_a_pipe(golden_file: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "audit_rounds", "-", "--json"],
        input=Path(golden_file).read_bytes() + b"{",
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": "sqlite:////nowhere/none.sqlite3"},
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert json.loads(done.stdout)["rounds"] == 200


def test_progress_is_shown_on_a_terminal(golden_file: str) -> None:
    terminal, program_side = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    try:
        subprocess.run(
            [sys.executable, "manage.py", "audit_rounds", golden_file],
            stdout=subprocess.DEVNULL,
            stderr=program_side,
            cwd=ROOT,
            timeout=120,
            check=True,
        )
        shown = os.read(terminal, 65_536)
    finally:
        os.close(program_side)
        os.close(terminal)
    assert b"100%" in shown


# Runs the command and tells the most memory it had, in KiB, on standard error. (``ru_maxrss``
# would count the parent before the program was loaded.)
MEASURED = """
import pathlib, re, runpy, sys
sys.argv = ["manage.py", "audit_rounds", sys.argv[1], "--json"]
try:
    runpy.run_path("manage.py", run_name="__main__")
finally:
    status = pathlib.Path("/proc/self/status").read_text()
    print(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1], file=sys.stderr)
"""


def peak_kib(path: Path) -> int:
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return int(done.stderr)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no memory figures here")
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """A file of 20,000 rounds beside one of ten; and all of it far below 1 GiB."""
    rng = random.Random(21)  # noqa: S311  (test data)
    lines = [line_of(random_round(rng, seat_count=1), "r") for _ in range(1_000)]
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_text("".join(lines[:10]))
    with large.open("w") as stream:
        stream.writelines(lines * 20)
    least, most = peak_kib(small), peak_kib(large)
    assert most < least + 64 * 1024
    assert most < 512 * 1024


def test_recorded_rounds_are_audited_and_agree(floor: Floor) -> None:
    played = [play(floor, number, at=NOON + dt.timedelta(minutes=number)) for number in range(40)]
    play(floor, 50, at=NOON + dt.timedelta(days=1))
    void(floor, played[3], at=NOON + dt.timedelta(hours=1))
    summary = audit(*RANGE)
    assert summary["rounds"] == 40
    assert summary["house_net_minor"] == sum(each.house_net_minor for each in played)
    assert summary["differing_rounds"] == {"count": 0, "listed": []}
    assert summary["unreadable"]["count"] == 0
    expected = [line["expect"]["dealer"]["compliant"] for line in golden_rounds()[:40]]
    assert summary["compliance"]["deviation"] == expected.count(False) > 0
    names = [item["name"] for item in summary["deviations"]["listed"]]
    assert names[0] == f"LA BP-01/{1 + expected.index(False)}"
    assert audit("--from", DAY, "--to", "2026-11-30")["rounds"] == 41
    assert audit("--from", "2026-12-24", "--to", "2026-12-24")["rounds"] == 0


def _change_ruleset(floor: Floor, ruleset_id: str) -> None:
    Property.objects.update(ruleset_id=ruleset_id)
    floor.clerk.refresh_from_db()


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_each_round_is_audited_under_its_own_ruleset(floor: Floor, ruleset_id: str) -> None:
    other = next(each for each in RULESETS if each != ruleset_id)
    _change_ruleset(floor, other)
    # A king-high dealer: the two rulesets part here.
    body = dealt("Ks Qd Th 9c 7d 5s 4h", seat("Ah Kh Qs Js 9h 8h 2d", "Kh Qs", "Ah Js 9h"))
    play(floor, 1, **body)
    _change_ruleset(floor, ruleset_id)
    play(floor, 1, **body)
    assert {each.ruleset_id for each in Round.objects.all()} == set(RULESETS)
    summary = audit(*RANGE)
    assert (summary["rounds"], summary["differing_rounds"]["count"]) == (2, 0)
    # Under the published analysis the dealer does not qualify, and the player's win is a push.
    assert summary["house_net_minor"] == -1000


def test_rank_only_rounds_of_a_property_agree(db: None) -> None:
    floor = build_floor(card_entry="ranks")
    player = {"seat": 1, "cards": "K Q 9 8 6 4 2", "low": "Q 9", "high": "K 8 6"}
    body = dealt("A A A A T 3 Jk", player | {"bets": {"main": 500}}, low="A A", high="A A Jk")
    play(floor, **body)
    summary = audit(*RANGE)
    assert (summary["rounds"], summary["compliance"]["match"]) == (1, 1)
    assert summary["differing_rounds"]["count"] == summary["unreadable"]["count"] == 0


def _settled_wrongly(change: Callable[[RoundSettlement], RoundSettlement]) -> Any:
    def wrong(*arguments: Any, **options: Any) -> RoundSettlement:
        return change(settle(*arguments, **options))

    return wrong


def _seat_changed(settlement: RoundSettlement, **changes: Any) -> RoundSettlement:
    first, *others = settlement.seats
    return settlement._replace(seats=(first._replace(**changes), *others))


def _bet_changed(settlement: RoundSettlement, **changes: Any) -> RoundSettlement:
    main, *others = settlement.seats[0].bets
    return _seat_changed(settlement, bets=(main._replace(**changes), *others))


def _dealer_changed(settlement: RoundSettlement, **changes: Any) -> RoundSettlement:
    return settlement._replace(dealer=settlement.dealer._replace(**changes))


@pytest.mark.parametrize(
    ("change", "places"),
    [
        (
            lambda settled: settled._replace(house_net_minor=settled.house_net_minor + 1),
            {"house_net_minor", "settlement.house_net_minor"},
        ),
        (lambda settled: settled._replace(is_void=True), {"settlement.is_void"}),
        (
            lambda settled: _dealer_changed(settled, compliance=Compliance.MATCH),
            {"compliance", "settlement.dealer.compliance", "settlement.dealer.compliant"},
        ),
        (
            lambda settled: _dealer_changed(
                settled, way=settled.dealer.way._replace(step=AS_WRITTEN.house_way[6])
            ),
            {
                "house_way_step",
                "house_way_rule",
                "settlement.dealer.step",
                "settlement.dealer.rule",
            },
        ),
        (lambda settled: _dealer_changed(settled, low="2-2"), {"settlement.dealer.low"}),
        (
            lambda settled: _dealer_changed(settled, lucky_break=False, qualifies=False),
            {"settlement.dealer.lucky_break", "settlement.dealer.qualifies"},
        ),
        (
            lambda settled: _seat_changed(settled, foul=True),
            {"seat 1 is_foul", "settlement.seats[0].foul"},
        ),
        (
            lambda settled: _seat_changed(settled, event=Event.WIN_BOTH),
            {"seat 1 event", "seat 1 main line", "settlement.seats[0].event"},
        ),
        (
            lambda settled: _bet_changed(settled, outcome=Outcome.PUSH),
            {"seat 1 main outcome", "settlement.seats[0].main.outcome"},
        ),
        (
            lambda settled: _bet_changed(settled, net_minor=0),
            {
                "seat 1 net_minor",
                "seat 1 main net_minor",
                "settlement.seats[0].net_minor",
                "settlement.seats[0].main.net_minor",
            },
        ),
        (
            lambda settled: _bet_changed(settled, uncapped_net_minor=5),
            {"settlement.seats[0].main.uncapped_net_minor"},
        ),
        (
            lambda settled: _bet_changed(settled, limit_breach=None),
            set(),
        ),
    ],
)
def test_stored_settlement_that_differs_is_found(
    floor: Floor,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[RoundSettlement], RoundSettlement],
    places: set[str],
) -> None:
    play(floor, 1)
    monkeypatch.setattr(round_services, "settle", _settled_wrongly(change))
    play(floor, 0)
    summary = audit(*RANGE, status=1 if places else 0)
    assert summary["rounds"] == 2
    listed = summary["differing_rounds"]["listed"]
    assert {item["place"] for item in listed} == places
    assert {item["name"] for item in listed} <= {"LA BP-01/2"}
    assert summary["differing_rounds"]["count"] == (1 if places else 0)


def test_answer_and_columns_are_compared_each_by_itself(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_last_seat(settlement: RoundSettlement) -> dict[str, Any]:
        answer: dict[str, Any] = settlement_as_dict(settlement)
        return {**answer, "seats": answer["seats"][:-1]}

    with monkeypatch.context() as patched:
        patched.setattr(round_services, "settlement_as_dict", without_last_seat)
        play(floor, 0)
    monkeypatch.setattr(round_services, "insert", _inserted_with(house_net_minor=7))
    play(floor, 0)
    differing = audit(*RANGE, status=1)["differing_rounds"]
    assert [(item["name"], item["place"]) for item in differing["listed"]] == [
        ("LA BP-01/1", "settlement.seats"),
        ("LA BP-01/2", "house_net_minor"),
    ]
    assert differing["count"] == 2


def _inserted_with(**changes: Any) -> Callable[[Any], None]:
    """Insert rows changed: once they are in, the database refuses to change a round."""

    def changed(rows: Any) -> None:
        for row in rows:
            for field, value in changes.items():
                if hasattr(row, field):
                    setattr(row, field, value)
        insert(rows)

    return changed


def test_difference_is_told_in_words(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        round_services,
        "settle",
        _settled_wrongly(lambda settled: settled._replace(house_net_minor=7)),
    )
    stored = play(floor, 0)
    right = settle(parse_round(_hands(golden_rounds()[0])), AS_WRITTEN).house_net_minor
    text = printed(*RANGE, status=1)
    assert stored.house_net_minor == 7
    assert f"  LA BP-01/1: house_net_minor is 7, expected {right}\n" in text


def _hands(line: dict[str, Any]) -> dict[str, Any]:
    return {key: line[key] for key in ("dealer", "seats")}


def test_stored_round_under_an_unknown_ruleset_is_told(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(floor, 1)
    monkeypatch.setattr(
        round_services,
        "settle",
        _settled_wrongly(lambda settled: settled._replace(ruleset_id="house@9")),
    )
    play(floor, 0)
    summary = audit(*RANGE, status=1)
    assert summary["rounds"] == 1
    [found] = summary["unreadable"]["listed"]
    assert (found["name"], found["error"]["code"]) == ("LA BP-01/2", "ruleset_unknown")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"dealer_cards": "As Kd"}, "hand_size"),
        ({"required_low": "As"}, "round_malformed"),
        ({"required_high": "As Kd ??"}, "card_unreadable"),
        ({"card_entry": "guessed"}, "round_malformed"),
    ],
)
def test_stored_round_that_cannot_be_read_is_told(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, change: dict[str, str], code: str
) -> None:
    play(floor, 1)
    monkeypatch.setattr(round_services, "insert", _inserted_with(**change))
    play(floor, 0)
    summary = audit(*RANGE, status=1)
    assert summary["rounds"] == 1
    [found] = summary["unreadable"]["listed"]
    assert (found["name"], found["error"]["code"]) == ("LA BP-01/2", code)


def test_properties_are_told_apart(floor: Floor) -> None:
    other = build_floor(code="NV")
    play(floor, 0)
    play(other, 1)
    assert audit(*RANGE)["rounds"] == 2
    assert audit(*RANGE, "--property", "NV")["rounds"] == 1
    with pytest.raises(CommandError, match="expected the code of a property, got 'XX'") as caught:
        call_command("audit_rounds", *RANGE, "--property", "XX")
    assert caught.value.returncode == 2
    Property.objects.filter(code="NV").update(currency="EUR")
    with pytest.raises(CommandError, match="expected one currency, got EUR, USD") as caught:
        call_command("audit_rounds", *RANGE)
    assert caught.value.returncode == 2
    assert audit(*RANGE, "--property", "NV")["rounds"] == 1


def test_stored_rounds_are_read_in_chunks_of_three_queries(
    floor: Floor,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: Callable[[int], AbstractContextManager[Any]],
) -> None:
    for number in range(5):
        play(floor, number)
    rounds = list_rounds_to_audit(first_day=NOON.date(), last_day=NOON.date(), property_code="LA")
    with django_assert_num_queries(3):
        [chunk] = read_stored_rounds(rounds)
    assert [stored.name for stored in chunk] == [f"LA BP-01/{n}" for n in range(1, 6)]
    assert not any(isinstance(stored, UnreadableRound) for stored in chunk)
    monkeypatch.setattr(audit_selectors, "CHUNK_ROUNDS", 2)
    with django_assert_num_queries(7):
        assert [len(chunk) for chunk in read_stored_rounds(rounds)] == [2, 2, 1]
    assert audit(*RANGE)["rounds"] == 5
    assert list_currencies(rounds) == ["USD"]


def test_database_that_does_not_answer_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: Any) -> None:
        raise DatabaseError("no such table: tables_round\nLINE 1: ...")

    monkeypatch.setattr(command_module, "list_rounds_to_audit", fail)
    with pytest.raises(
        CommandError, match=r"\Acannot read the records: no such table: tab"
    ) as told:
        call_command("audit_rounds", *RANGE)
    assert told.value.returncode == 2
    assert "LINE" not in str(told.value)
