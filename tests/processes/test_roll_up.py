"""From the entry to the figures through real processes, whatever is killed or does not answer."""

import contextlib
import os
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from config.processes import commands
from tests.processes.product import Answer, Floor, Product, free_port, wait_until

# The sweep comes every 10 s; a restarted worker needs some seconds, on a slow machine more.
SECONDS_MAX = 60


def assert_all_recorded(answers: list[Answer]) -> None:
    assert [answer.status for answer in answers] == [201] * len(answers), answers[-1]


def test_round_is_in_the_figures_seconds_after_its_entry(product: Product, floor: Floor) -> None:
    product.start()

    answers = product.post_rounds(floor, 6, seed=1)

    assert_all_recorded(answers)
    product.wait_for_figures(6, seconds=SECONDS_MAX)
    house_net = sum(answer.body["settlement"]["house_net_minor"] for answer in answers)
    assert sum(row[4] for row in product.rolled_up_sums()) == house_net


def test_case_x16_eight_writers_and_the_roll_up_never_find_the_database_locked(
    product: Product, floor: Floor
) -> None:
    product.start()

    with ThreadPoolExecutor(8) as clerks:
        posted = clerks.map(lambda seed: product.post_rounds(floor, 8, seed=seed), range(8))
        answers = [answer for some in posted for answer in some]

    assert_all_recorded(answers)
    sequences = sorted((answer.body["table"], answer.body["sequence"]) for answer in answers)
    assert sequences == [(table, number) for table in floor.tables for number in range(1, 17)]
    product.wait_for_figures(64, seconds=SECONDS_MAX)
    assert "locked" not in product.output


@contextlib.contextmanager
def roll_up_watched(product: Product) -> Iterator[Callable[[], bool]]:
    """Yield whether a roll-up is in the middle of its transaction; PostgreSQL holds it there."""
    url = product.servers.get("DATABASE_URL")
    if url:
        # The worker has locked its cursor and read its marks when it comes to the figures.
        with psycopg.connect(url) as holder, psycopg.connect(url, autocommit=True) as watcher:
            holder.execute("LOCK TABLE reporting_bucketline IN ACCESS EXCLUSIVE MODE")
            waiting = (
                "SELECT count(*) FROM pg_locks WHERE NOT granted"
                " AND relation = 'reporting_bucketline'::regclass"
            )
            yield lambda: watcher.execute(waiting).fetchall() != [(0,)]
        return
    probe = sqlite3.connect(product.sqlite_file, timeout=0, isolation_level=None)
    with contextlib.closing(probe):

        def is_writing() -> bool:
            try:
                probe.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return True
            probe.execute("ROLLBACK")
            return False

        yield is_writing


def is_caught_or_late(
    product: Product, is_in_transaction: Callable[[], bool]
) -> Callable[[], bool]:
    """Whether the worker is in its transaction, or has ended the last one already."""
    return lambda: is_in_transaction() or product.marks() == 0


def test_case_d05_worker_killed_in_the_middle_of_a_roll_up_loses_and_doubles_nothing(
    product: Product, floor: Floor
) -> None:
    product.start()
    posted = 0
    undone = 0
    for kill in range(5):
        with roll_up_watched(product) as is_in_transaction:
            assert_all_recorded(product.post_rounds(floor, 10, seed=kill))
            posted += 10
            wait_until(
                is_caught_or_late(product, is_in_transaction),
                seconds=SECONDS_MAX,
                what="a roll-up in its transaction",
                pause=0.001,
            )
            for pid in product.pids("worker"):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        undone += int(product.marks() > 0)
        if undone == 2:
            break

    assert undone > 0
    product.wait_for_figures(posted, seconds=SECONDS_MAX)
    assert "worker | ended with status -9" in product.output


@contextlib.contextmanager
def silent_server() -> Iterator[int]:
    """Listen on a port, accept connections, and never say a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize("fault", ["refuses connections", "never answers"])
def test_case_d06_entries_go_on_while_the_broker(
    fault: str,
    install: Callable[[dict[str, str]], Product],
    floor: Floor,
    database: dict[str, str],
    broker: dict[str, str],
) -> None:
    with contextlib.ExitStack() as stack:
        port = free_port() if fault == "refuses connections" else None
        port = port or stack.enter_context(silent_server())
        product = install({"REDIS_URL": f"redis://127.0.0.1:{port}/0"})
        product.start()
        # Loading the application is not what is measured here.
        for _ in range(10):
            product.ask("GET", "/api/v1/tables/", token=floor.tokens["clerk"])

        answers = product.post_rounds(floor, 20, seed=6)

        assert_all_recorded(answers)
        assert max(answer.seconds for answer in answers) < 2
        assert product.stored_rounds() == 20
        assert product.marks() > 0
        assert product.rolled_up_rounds() == 0
        product.end()

    product.servers = database | broker
    product.start()
    product.wait_for_figures(20, seconds=SECONDS_MAX)


@pytest.fixture
def web_only(product: Product) -> Product:
    """A web server without worker and beat: whatever it sends stays with the broker."""
    product.launch(*commands(product.port)["web"][1:])
    product.wait_for_web()
    return product


def test_case_d04_message_is_sent_after_the_commit_and_not_before(
    web_only: Product, floor: Floor
) -> None:
    product = web_only
    url = product.servers.get("DATABASE_URL")
    if not url:
        pytest.skip("an entry can be stopped before its commit on PostgreSQL only")
    answers: list[Answer] = []
    with psycopg.connect(url) as holder:
        # The audit entry is the last that a recorded round writes.
        holder.execute("LOCK TABLE tables_auditentry IN ACCESS EXCLUSIVE MODE")
        entry = threading.Thread(
            target=lambda: answers.extend(product.post_rounds(floor, 1, seed=4))
        )
        entry.start()
        wait_until(lambda: is_waiting(url), seconds=20, what="the entry waits")
        time.sleep(2)
        assert product.messages() == 0
        assert product.stored_rounds() == 0
    entry.join(timeout=20)

    assert_all_recorded(answers)
    wait_until(lambda: product.messages() == 1, seconds=10, what="one message")
    assert product.stored_rounds() == 1


def is_waiting(url: str) -> bool:
    """Whether someone waits for the lock of the audit entries."""
    with psycopg.connect(url) as watcher:
        waiting = (
            "SELECT count(*) FROM pg_locks WHERE NOT granted"
            " AND relation = 'tables_auditentry'::regclass"
        )
        return watcher.execute(waiting).fetchall() != [(0,)]


def test_case_d04_no_message_is_sent_when_the_entry_is_rolled_back(
    web_only: Product, floor: Floor
) -> None:
    assert_all_recorded(web_only.post_rounds(floor, 1, seed=5))
    wait_until(lambda: web_only.messages() == 1, seconds=10, what="one message")
    # The audit entry is the last that the transaction writes.
    web_only.forbid_audit_entries()

    answers = web_only.post_rounds(floor, 3, seed=6)

    assert [answer.status for answer in answers] == [500, 500, 500]
    time.sleep(2)
    assert web_only.messages() == 1
    assert web_only.stored_rounds() == 1
    assert web_only.marks() == 1


def test_case_d04_worker_that_starts_at_once_finds_every_round(
    product: Product, floor: Floor
) -> None:
    product.start()

    assert_all_recorded(product.post_rounds(floor, 40, seed=7))

    product.wait_for_figures(40, seconds=SECONDS_MAX)
    by_the_worker = [line for line in product.output.splitlines() if line.startswith("worker")]
    assert not [line for line in by_the_worker if "DoesNotExist" in line or "Traceback" in line]
