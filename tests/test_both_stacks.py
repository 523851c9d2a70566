"""The command behind `./dev test`: what it counts, what it says, and when it fails."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import both_stacks
from tests.both_stacks import Count, count_of, main

REPORT = """<?xml version="1.0"?>
<testsuites><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="5">
  <testcase classname="tests.test_a" name="test_one"/>
  <testcase classname="tests.test_a" name="test_two"><failure message="no"/></testcase>
  <testcase classname="tests.test_a" name="test_three"><skipped message="later"/></testcase>
  <testcase classname="tests.test_a" name="test_four"/>
  <testcase classname="tests.test_a" name="test_four"><error message="at teardown"/></testcase>
</testsuite></testsuites>
"""


def test_each_test_counts_once_and_an_error_is_a_failure(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    assert count_of(report, 1) == Count(passed=1, failed=2, skipped=1)


@pytest.mark.parametrize(("status", "failed"), [(0, 0), (5, 0), (2, 1), (-9, 1)])
def test_run_that_broke_without_a_report_is_a_failure(
    tmp_path: Path, status: int, failed: int
) -> None:
    assert count_of(tmp_path / "none.xml", status) == Count(failed=failed)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], dict[str, str]]]:
    """What pytest is asked for, in place of running it: 3 tests pass each time."""
    asked: list[tuple[list[str], dict[str, str]]] = []

    def run(
        arguments: Sequence[str], servers: Mapping[str, str], *, kept: Path | None = None
    ) -> Count:
        asked.append((list(arguments), dict(servers)))
        return Count(passed=3)

    monkeypatch.setattr(both_stacks, "run_pytest", run)
    for name in ("CI", "DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    return asked


def answering(monkeypatch: pytest.MonkeyPatch, servers: dict[str, str]) -> None:
    missing = {
        name: f"{name} does not answer"
        for name in ("DATABASE_URL", "REDIS_URL")
        if name not in servers
    }

    def claim(stack: ExitStack) -> tuple[dict[str, str], dict[str, str]]:
        return servers, missing

    monkeypatch.setattr(both_stacks, "claim_servers", claim)


def test_both_runs_are_summed_in_the_last_line(
    runs: list[tuple[list[str], dict[str, str]]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    servers = {"DATABASE_URL": "postgresql://a/b", "REDIS_URL": "redis://a/15"}
    answering(monkeypatch, servers)

    assert main(["-k", "word"]) == 0

    assert runs[0] == (["-k", "word"], {})
    assert runs[1][1] == servers
    assert runs[1][0][:2] == ["-m", "not engine"]
    assert "--ignore=tests/engine" in runs[1][0]
    assert runs[1][0][-2:] == ["-k", "word"]
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "on SQLite and the file broker: 3 passed, 0 failed, 0 skipped",
        "on PostgreSQL and Redis: 3 passed, 0 failed, 0 skipped",
        "6 passed, 0 failed",
    ]


def test_quick_run_is_one_run_without_servers_and_what_takes_long(
    runs: list[tuple[list[str], dict[str, str]]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answering(monkeypatch, {"DATABASE_URL": "postgresql://a/b"})
    monkeypatch.setenv("CI", "true")

    assert main(["-k", "word", "--quick"]) == 0

    assert runs == [(["--numprocesses=auto", "-m", both_stacks.QUICK_MARKS, "-k", "word"], {})]
    assert capsys.readouterr().out.splitlines()[-1] == "3 passed, 0 failed"


def test_quick_run_that_fails_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(both_stacks, "run_pytest", lambda *_, **__: Count(passed=2, failed=1))
    assert main(["--quick"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "2 passed, 1 failed"


def test_missing_servers_are_said_and_are_no_failure_by_themselves(
    runs: list[tuple[list[str], dict[str, str]]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answering(monkeypatch, {})
    assert main([]) == 0
    assert len(runs) == 1
    assert capsys.readouterr().out.splitlines()[-4:] == [
        "on SQLite and the file broker: 3 passed, 0 failed, 0 skipped",
        "not run: DATABASE_URL does not answer",
        "not run: REDIS_URL does not answer",
        "3 passed, 0 failed",
    ]


@pytest.mark.parametrize(
    ("variable", "value", "failed"), [("CI", "true", 2), ("REDIS_URL", "redis://gone/0", 1)]
)
def test_servers_are_required_in_ci_and_when_named(
    runs: list[tuple[list[str], dict[str, str]]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    variable: str,
    value: str,
    failed: int,
) -> None:
    monkeypatch.setenv(variable, value)
    answering(monkeypatch, {})
    assert main([]) == 1
    said = capsys.readouterr().out
    assert said.count("REQUIRED BUT not run: ") == failed
    assert said.splitlines()[-1] == f"3 passed, {failed} failed"
