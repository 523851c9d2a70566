"""``manage.py settle`` as a program: files, pipes, bad lines, exit status, memory."""

import json
import os
import pty
import random
import resource
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.engine.strict_json import JSON_BYTES_MAX
from tests.engine.builders import golden_lines, random_round
from tests.engine.test_settlement import expected_part

ROOT = Path(__file__).resolve().parent.parent.parent
COMMAND = [sys.executable, "manage.py", "settle"]


# Output must be flushed by the command itself.
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def entered(line: dict[str, Any]) -> str:
    return json.dumps({key: value for key, value in line.items() if key != "expect"})


def run(
    *arguments: str, given: bytes | str = b"", cwd: Path = ROOT
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        cwd=cwd,
        # Nothing must be needed but the code: no database, no broker.
        env={**os.environ, "DATABASE_URL": "sqlite:////nowhere/none.sqlite3"},
        timeout=120,
        check=False,
    )


def answers(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    assert done.stderr == b"", done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


GOLDEN = golden_lines("rounds.jsonl")


@pytest.mark.slow
def test_golden_rounds_are_settled_from_a_file_and_from_a_pipe(tmp_path: Path) -> None:
    text = "".join(entered(line) + "\n" for line in GOLDEN)
    path = tmp_path / "rounds.jsonl"
    path.write_text(text)
    done = run(str(path))
    assert done.returncode == 0
    found = answers(done)
    assert [answer["id"] for answer in found] == [line["id"] for line in GOLDEN]
    for line, answer in zip(GOLDEN, found, strict=True):
        assert expected_part(line["expect"], answer) == line["expect"]
        assert answer["ruleset"] == "break-poker/rules-as-written@1"
    assert run("-", given=text).stdout == done.stdout
    assert run(given=text.replace("\n", "\r\n").rstrip()).stdout == done.stdout


GOOD = entered(GOLDEN[0])
BAD_LINES: list[tuple[bytes | str, str | None, str]] = [
    ("{", None, "json_malformed"),
    ("[]", None, "round_malformed"),
    ("7", None, "round_malformed"),
    ("null", None, "round_malformed"),
    (b'{"id": "\xff"}', None, "json_malformed"),
    ("[" * 20_000, None, "json_malformed"),
    ('{"id": "a", "id": "b"}', None, "json_malformed"),
    ('{"id": "a", "seats": []}', "a", "round_malformed"),
    (GOOD.replace('"g11-0000"', '""'), None, "round_malformed"),
    (GOOD.replace('"g11-0000"', f'"{"x" * 65}"'), None, "round_malformed"),
    (GOOD.replace('"g11-0000"', "5"), None, "round_malformed"),
    (GOOD.replace('"id": "g11-0000", ', ""), None, "round_malformed"),
    (GOOD.replace("10000", "NaN"), "g11-0000", "wager_malformed"),
    (GOOD.replace("10000", "1e400"), "g11-0000", "wager_malformed"),
    (GOOD.replace("10000", "2e11"), "g11-0000", "wager_over_limit"),
    (json.dumps(GOLDEN[0]), "g11-0000", "round_malformed"),
    (b"x" * (JSON_BYTES_MAX + 1), None, "line_too_long"),
]


def test_bad_lines_are_answered_and_the_others_go_on() -> None:
    given = b""
    for raw, _, _ in BAD_LINES:
        given += (raw.encode() if isinstance(raw, str) else raw) + b"\n" + GOOD.encode() + b"\n"
    done = run(given=given)
    found = answers(done)
    assert done.returncode == 1
    assert len(found) == 2 * len(BAD_LINES)
    bad, good = found[::2], found[1::2]
    assert [(a["id"], a["error"]["code"]) for a in bad] == [(i, code) for _, i, code in BAD_LINES]
    assert [answer["line"] for answer in bad] == list(range(1, 2 * len(BAD_LINES), 2))
    assert all(set(a["error"]) == {"code", "message", "detail"} for a in bad)
    assert all("error" not in answer for answer in good)
    expect_key = bad[[code for *_, code in BAD_LINES].index("wager_over_limit") + 1]
    assert expect_key["error"]["detail"]["place"] == "expect"


@pytest.mark.slow
def test_blank_lines_are_skipped_and_still_counted() -> None:
    done = run(given=f"\n  \n{GOOD}\n\r\nx\n")
    found = answers(done)
    assert [answer.get("line") for answer in found] == [None, 5]
    nothing = run(given="\n\n")
    assert (nothing.returncode, nothing.stdout) == (0, b"")


def test_line_at_the_very_limit_is_read() -> None:
    padded = GOOD + " " * (JSON_BYTES_MAX - len(GOOD))
    done = run(given=f"{padded}\n{padded} \n{padded}")
    assert [answer.get("error", {}).get("code") for answer in answers(done)] == [
        None,
        "line_too_long",
        None,
    ]


@pytest.mark.slow
def test_ruleset_and_ranks_are_options() -> None:
    done = run("--ruleset", "break-poker/published-analysis@1", given=GOOD)
    assert answers(done)[0]["ruleset"] == "break-poker/published-analysis@1"
    player = {"seat": 1, "cards": "K Q 9 8 6 4 2", "low": "Q 9", "high": "K 8 6"}
    ranks = {
        "id": "r",
        "dealer": {"cards": "K A T 9 7 5 3"},
        "seats": [player | {"bets": {"main": 5}}],
    }
    assert answers(run("--ranks", given=json.dumps(ranks)))[0]["seats"][0]["event"] == "lose_both"
    assert answers(run(given=json.dumps(ranks)))[0]["error"]["code"] == "card_unreadable"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--ruleset", "house@9"], b"break-poker/published-analysis@1"),
        (["no-such-file.jsonl"], b"cannot read no-such-file.jsonl"),
        (["tests"], b"cannot read tests"),
    ],
)
def test_nothing_can_be_done_is_one_line_and_status_2(arguments: list[str], told: bytes) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_reader_that_goes_away_ends_it_quietly(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_text((GOOD + "\n") * 5000)
    with (
        subprocess.Popen(
            [*COMMAND, str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=BUFFERED,
        ) as process,
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"id":"g11-0000"')
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


def test_reader_that_is_gone_before_the_first_answer_is_no_trouble_either() -> None:
    with subprocess.Popen(
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=BUFFERED,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(GOOD.encode() + b"\n")
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


def test_answers_come_before_the_input_ends() -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=BUFFERED
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(GOOD.encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == "g11-0000"
        process.stdin.close()
        assert process.wait(60) == 0


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal_and_only_there(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_text(GOOD + "\n")
    terminal, program_side = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    try:
        done = subprocess.run(
            [*COMMAND, str(path)],
            stdout=subprocess.PIPE,
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
    assert json.loads(done.stdout)["id"] == "g11-0000"
    assert run(str(path)).stderr == b""


# Runs the command and tells the most memory it had, in KiB, on standard error.
MEASURED = """
import resource, runpy, sys
sys.argv = ["manage.py", "settle", sys.argv[1]]
try:
    runpy.run_path("manage.py", run_name="__main__")
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
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


def many_lines() -> Iterator[str]:
    rng = random.Random(10)  # noqa: S311  (test data)
    for number in range(8_000):
        yield json.dumps({"id": f"r{number}", **random_round(rng, seat_count=1)}) + "\n"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "getrusage"), reason="no memory figures on this system")
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    small, large, endless = (tmp_path / name for name in ("small", "large", "endless"))
    lines = list(many_lines())
    small.write_text("".join(lines[:10]))
    large.write_text("".join(lines))
    with endless.open("wb") as stream:
        # One line of 64 MiB, and a good one after it.
        stream.writelines([b" " * 1_048_576] * 64)
        stream.write(b"\n" + lines[0].encode())
    least = peak_kib(small)
    assert peak_kib(large) < least + 16 * 1024
    assert peak_kib(endless) < least + 16 * 1024
