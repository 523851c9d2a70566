"""``manage.py audit_rounds FILE``: findings, exit status, memory."""

import json
import os
import pty
import random
import re
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.analysis.batch.files import read_chunks
from games.engine.notation import CardEntry
from games.engine.rulesets import RULESETS
from games.engine.settlement import (
    parse_round,
    settle,
)
from tests.builders import golden_rounds
from tests.engine.builders import AS_WRITTEN, dealt, random_round, seat
from tests.reporting.audits import DAY, RANGE, audit, printed

ROOT = Path(__file__).resolve().parent.parent.parent


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
    monkeypatch.setattr("games.analysis.batch.files.CHUNK_LINES", 90)
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
