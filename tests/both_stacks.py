"""Run the tests on SQLite without servers, then on PostgreSQL and Redis; `./dev test` calls this.

With `--quick` it is one run on SQLite, shared out among the cores, without what is slow and what
starts processes, a browser or PostgreSQL; the full run leaves nothing out.

Every further argument goes to pytest in each run. The last line is the sum: `N passed, N failed`.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from tests.servers import (
    ServerMissingError,
    claim_redis,
    drop_database,
    find_postgres,
    url_of_database,
)

ROOT: Final = Path(__file__).resolve().parent.parent
# The same on every database, so once is enough.
NEEDS_NO_SERVER: Final = (
    *("tests/architecture", "tests/engine", "tests/analysis", "tests/games"),
    *("games/engine", "games/analysis"),
)
NO_TESTS_COLLECTED: Final = 5
QUICK: Final = "--quick"
# Machine code and values of the mathematics, each under a key of all that it depends on: the second
# quick run need not make them again. A full run has a folder of its own and begins with nothing.
KEPT: Final = ROOT / "var" / "quick"
# By the marks of pyproject.toml.
QUICK_MARKS: Final = "not slow and not processes and not browser and not postgres"


@dataclass(frozen=True, slots=True)
class Count:
    """What runs of pytest came to."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed"

    def __add__(self, other: "Count") -> "Count":
        return Count(
            self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped
        )


def count_of(report: Path, status: int) -> Count:
    """Read a JUnit report; a run that broke without a failed test counts as one failure."""
    verdicts: dict[tuple[str, str], str] = {}
    if report.exists():
        for case in ET.parse(report).iter("testcase"):  # noqa: S314  (our own report)
            key = (case.get("classname", ""), case.get("name", ""))
            tags = {child.tag for child in case}
            if tags & {"failure", "error"}:
                verdicts[key] = "failed"
            else:
                verdicts.setdefault(key, "skipped" if "skipped" in tags else "passed")
    found = list(verdicts.values())
    failed = found.count("failed")
    if status not in {0, NO_TESTS_COLLECTED} and not failed:
        failed = 1
    return Count(found.count("passed"), failed, found.count("skipped"))


def run_pytest(
    arguments: Sequence[str], servers: Mapping[str, str], *, kept: Path | None = None
) -> Count:
    """Run pytest once with only these servers named in its environment.

    What the product keeps in files goes to a folder of the run, or to one kept for the next run.
    """
    with tempfile.TemporaryDirectory(prefix="houseway-test-") as folder:
        report = Path(folder) / "report.xml"
        environment = {
            key: value
            for key, value in os.environ.items()
            if key not in {"DATABASE_URL", "REDIS_URL"}
        }
        environment |= servers
        environment["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
        environment["HOUSEWAY_VAR_DIR"] = str(kept or Path(folder) / "var")
        if kept:
            # Byte code too: pytest's own of the tests takes ten seconds to make.
            environment.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [sys.executable, "-m", "pytest", f"--junitxml={report}", *arguments]
        status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        return count_of(report, status)


def claim_servers(stack: ExitStack) -> tuple[dict[str, str], dict[str, str]]:
    """Find the servers; returns those that answer by variable, and why the others do not serve."""
    servers: dict[str, str] = {}
    missing: dict[str, str] = {}
    try:
        admin = find_postgres()
        name = f"houseway_{os.getpid()}"
        servers["DATABASE_URL"] = url_of_database(admin, name)
        # pytest-django drops its own; this is for a run that was broken off.
        stack.callback(drop_database, admin, f"test_{name}")
    except ServerMissingError as error:
        missing["DATABASE_URL"] = str(error)
    try:
        servers["REDIS_URL"] = stack.enter_context(claim_redis())
    except ServerMissingError as error:
        missing["REDIS_URL"] = str(error)
    return servers, missing


def run_quick(arguments: Sequence[str]) -> int:
    """Run the quick tests on SQLite; the exit status is 1 if anything failed."""
    print("== quick tests on SQLite (no server)", flush=True)
    total = run_pytest(["--numprocesses=auto", "-m", QUICK_MARKS, *arguments], {}, kept=KEPT)
    print("\nleft out, and run by ./dev test: slow tests, processes, browser, PostgreSQL")
    print(total, flush=True)
    return int(total.failed > 0)


def main(arguments: Sequence[str]) -> int:
    """Run both, or the quick tests alone, and print which ran and the sum.

    The exit status is 1 if anything failed.
    """
    if QUICK in arguments:
        return run_quick([word for word in arguments if word != QUICK])
    is_ci = os.environ.get("CI", "").lower() in {"1", "true"}
    print("== tests on SQLite and the file broker (no server)", flush=True)
    total = run_pytest(arguments, {})
    lines = [f"on SQLite and the file broker: {total}, {total.skipped} skipped"]
    with ExitStack() as stack:
        servers, missing = claim_servers(stack)
        if servers:
            title = " and ".join(
                "PostgreSQL" if key == "DATABASE_URL" else "Redis" for key in servers
            )
            print(f"\n== tests on {title}, without those that need no server", flush=True)
            ignored = [f"--ignore={path}" for path in NEEDS_NO_SERVER]
            count = run_pytest(["-m", "not engine", *ignored, *arguments], servers)
            lines.append(f"on {title}: {count}, {count.skipped} skipped")
            total += count
    for key, reason in missing.items():
        is_required = is_ci or bool(os.environ.get(key))
        lines.append(f"{'REQUIRED BUT ' if is_required else ''}not run: {reason}")
        total += Count(failed=int(is_required))
    print("\n".join(["", *lines]))
    print(total, flush=True)
    return int(total.failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
