"""One installation of the product for a test: its database, folder, broker, port and processes."""

import contextlib
import datetime as dt
import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psycopg
import redis

from tests.processes.dealt_rounds import deal_rounds

ROOT: Final = Path(__file__).resolve().parent.parent.parent
# What `./dev run` starts with; the settings of the tests would send messages nowhere.
DEVELOPMENT: Final = {"DJANGO_SETTINGS_MODULE": "config.settings.dev"}
START_SECONDS_MAX: Final = 60
STOP_SECONDS_MAX: Final = 45


@dataclass(frozen=True, slots=True)
class Answer:
    """What the web server said, and how long the client waited for it."""

    status: int
    body: Any
    seconds: float


@dataclass(frozen=True, slots=True)
class Floor:
    """What `tests.processes.floor` made: open tables, and a token for each role."""

    tables: list[str]
    opened_at: dt.datetime
    tokens: Mapping[str, str]


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def wait_until(is_so: Callable[[], bool], *, seconds: float, what: str, pause: float = 0.1) -> None:
    """Return as soon as it is so. Raises AssertionError when it takes longer than that."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(pause)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that ended and was not waited for does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def _parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def descendants_of(pid: int) -> list[int]:
    """Return the children of a process, their children and so on."""
    parents = {int(path.name): 0 for path in Path("/proc").iterdir() if path.name.isdigit()}
    parents = {child: _parent_of(child) for child in parents}
    found = [child for child, parent in parents.items() if parent == pid]
    for child in found:
        found.extend(below for below, parent in parents.items() if parent == child)
    return found


@dataclass
class Product:
    """The product below `folder`; start it with `start`, end it with `end`."""

    folder: Path
    servers: dict[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=lambda: dict(DEVELOPMENT))
    port: int = field(default_factory=free_port)
    parent: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The environment of every process of this installation."""
        inherited = {
            key: value
            for key, value in os.environ.items()
            if key not in {"DATABASE_URL", "REDIS_URL"}
        }
        return (
            inherited
            | dict(self.settings)
            | self.servers
            | {"HOUSEWAY_VAR_DIR": str(self.folder / "var")}
        )

    @property
    def output(self) -> str:
        """Everything that the processes have printed."""
        path = self.folder / "output.txt"
        return path.read_text(errors="replace") if path.exists() else ""

    def python(self, *arguments: str) -> str:
        """Run a Python program of this installation to its end; returns what it printed."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """Read the database of this installation from outside."""
        url = self.servers.get("DATABASE_URL")
        if url:
            with psycopg.connect(url) as connection:
                return connection.execute(statement.encode()).fetchall()
        with contextlib.closing(sqlite3.connect(self.sqlite_file, timeout=20)) as connection:
            return connection.execute(statement).fetchall()

    @property
    def sqlite_file(self) -> Path:
        """The database when no server is named."""
        return self.folder / "var" / "houseway.sqlite3"

    def stored_rounds(self) -> int:
        """Return how many rounds are in the records."""
        return int(self.query("SELECT count(*) FROM tables_round")[0][0])

    def straight_sums(self) -> list[tuple[Any, ...]]:
        """Return wager, bets, handle and house win a table, added up from the bets themselves."""
        return self.query(
            "SELECT r.table_id, b.wager, count(*), sum(b.amount_minor), -sum(b.net_minor)"
            " FROM tables_bet b JOIN tables_seathand h ON h.id = b.seat_hand_id"
            " JOIN tables_round r ON r.id = h.round_id GROUP BY 1, 2 ORDER BY 1, 2"
        )

    def rolled_up_sums(self) -> list[tuple[Any, ...]]:
        """Return the same figures from what the jobs have rolled up."""
        return self.query(
            "SELECT table_id, subject, sum(count), sum(handle_minor), sum(house_win_minor)"
            " FROM reporting_bucketline WHERE subject <> 'round' GROUP BY 1, 2 ORDER BY 1, 2"
        )

    def rolled_up_rounds(self) -> int:
        """Return how many rounds the jobs have rolled up."""
        rows = self.query(
            "SELECT coalesce(sum(count), 0) FROM reporting_bucketline WHERE subject = 'round'"
        )
        return int(rows[0][0])

    def marks(self) -> int:
        """Return how many marks of work to do there are."""
        return int(self.query("SELECT count(*) FROM tables_dirtybucket")[0][0])

    def messages(self) -> int:
        """Return how many messages the broker holds for the workers."""
        url = self.servers.get("REDIS_URL")
        if not url:
            return len(list((self.folder / "var" / "broker" / "queue").iterdir()))
        with redis.Redis.from_url(url) as client:
            return int(client.execute_command("LLEN", "celery"))

    def forbid_audit_entries(self) -> None:
        """Make the database refuse every audit entry, as a full disk would."""
        url = self.servers.get("DATABASE_URL")
        if url:
            with psycopg.connect(url) as connection:
                connection.execute("ALTER TABLE tables_auditentry ADD CHECK (false) NOT VALID")
            return
        with contextlib.closing(sqlite3.connect(self.sqlite_file, timeout=20)) as connection:
            connection.execute(
                "CREATE TRIGGER refuse_all BEFORE INSERT ON tables_auditentry"
                " BEGIN SELECT RAISE(ABORT, 'refused by the test'); END"
            )

    def wait_for_figures(self, rounds: int, *, seconds: float) -> None:
        """Wait until so many rounds are rolled up, then compare every figure."""
        wait_until(
            lambda: self.rolled_up_rounds() >= rounds and self.marks() == 0,
            seconds=seconds,
            what=f"{rounds} rounds rolled up and no work left",
        )
        assert self.stored_rounds() == rounds
        assert self.rolled_up_rounds() == rounds
        assert self.rolled_up_sums() == self.straight_sums()

    def post_rounds(self, floor: Floor, count: int, *, seed: int) -> list[Answer]:
        """Post so many new rounds, one after another, and return the answers."""
        at = dt.datetime.now(dt.UTC)
        return [
            self.ask("POST", "/api/v1/rounds/", token=floor.tokens["clerk"], body=body)
            for body in deal_rounds(count, tables=floor.tables, seed=seed, occurred_at=at)
        ]

    def make_floor(self, tables: int) -> Floor:
        """Migrate the database and open some tables."""
        self.python("manage.py", "migrate", "--verbosity", "0")
        made = json.loads(self.python("-m", "tests.processes.floor", str(tables)))
        return Floor(
            tables=made["tables"],
            opened_at=dt.datetime.fromisoformat(made["opened_at"]),
            tokens=made["tokens"],
        )

    def start(self) -> None:
        """Start the parent with all of its processes, and wait until the web server answers."""
        self.launch("-m", "config.processes", "--port", str(self.port))
        self.wait_for_web()

    def launch(self, *arguments: str) -> None:
        """Start a program as the parent of this installation."""
        with (self.folder / "output.txt").open("ab") as output:
            self.parent = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_for_web(self) -> None:
        """Wait until the web server answers anything."""
        wait_until(self._answers, seconds=START_SECONDS_MAX, what="the web server answers")

    def _answers(self) -> bool:
        try:
            return self.ask("GET", "/api/v1/me/", token="none").status > 0
        except OSError:
            return False

    def send(self, number: signal.Signals) -> None:
        """Send the parent a signal."""
        assert self.parent is not None
        os.kill(self.parent.pid, number)

    def wait(self) -> int:
        """Wait for the parent's end; returns its exit status."""
        assert self.parent is not None
        return self.parent.wait(timeout=STOP_SECONDS_MAX)

    def end(self) -> None:
        """End all that was started here, however it is doing, also what lost its parent."""
        if self.parent is None:
            return
        if self.parent.poll() is None:
            self.send(signal.SIGTERM)
            try:
                self.wait()
            except subprocess.TimeoutExpired:
                self.send(signal.SIGKILL)
                self.wait()
        self.parent = None
        for pid in self._own_processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _own_processes(self) -> list[int]:
        """Find the processes that were started with the folder of this installation."""
        mark = f"HOUSEWAY_VAR_DIR={self.folder / 'var'}".encode()
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if mark in path.read_bytes().split(b"\0"):
                    found.append(int(path.parent.name))
        return found

    def cpu_seconds(self) -> float:
        """Return the processor time that the running processes have used so far."""
        assert self.parent is not None
        ticks = 0
        for pid in [self.parent.pid, *descendants_of(self.parent.pid)]:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def pids(self, word: str) -> list[int]:
        """Return the processes of this installation whose command line holds a word."""
        assert self.parent is not None
        found = []
        for pid in descendants_of(self.parent.pid):
            try:
                command = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
            except (FileNotFoundError, ProcessLookupError):
                continue
            if word in command:
                found.append(pid)
        return found

    def ask(self, method: str, path: str, *, token: str, body: object = None) -> Answer:
        """Send one request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {
            "Authorization": f"Token {token}",
            "Content-Type": "application/json",
            # As the proxy in front of production says.
            "X-Forwarded-Proto": "https",
        }
        begin = time.perf_counter()
        try:
            connection.request(method, path, json.dumps(body) if body else None, headers)
            response = connection.getresponse()
            text = response.read()
        finally:
            connection.close()
        seconds = time.perf_counter() - begin
        is_json = "json" in (response.getheader("Content-Type") or "")
        return Answer(response.status, json.loads(text) if is_json else text.decode(), seconds)
