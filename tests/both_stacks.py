"""Run the tests on SQLite without servers, then on PostgreSQL and Redis; `./dev test` calls this.

Every further argument goes to pytest in both runs. The last line is the sum: `N passed, N failed`.
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


def run_pytest(arguments: Sequence[str], servers: Mapping[str, str]) -> Count:
    """Run pytest once with only these servers named in its environment."""
    with tempfile.TemporaryDirectory(prefix="houseway-test-") as folder:
        report = Path(folder) / "report.xml"
        environment = {
            key: value
            for key, value in os.environ.items()
            if key not in {"DATABASE_URL", "REDIS_URL"}
        }
        environment |= servers
        environment["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
        environment["HOUSEWAY_VAR_DIR"] = str(Path(folder) / "var")
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


def main(arguments: Sequence[str]) -> int:
    """Run both, print which ran and the sum; the exit status is 1 if anything failed."""
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
