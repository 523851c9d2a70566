"""Figures of the entry over HTTP on PostgreSQL, and of the roll-up; `./dev bench` runs this.

A server of its own, with production settings, against a database of its own, both gone afterwards.
Rounds have six seats and all three wagers at each; they are dealt before the clock starts.
"""

import datetime as dt
import itertools
import json
import secrets
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from config.processes import commands
from tests.bench.machine import machine
from tests.processes.dealt_rounds import deal_rounds
from tests.processes.product import ROOT, Floor, Product, free_port
from tests.servers import ServerMissingError, claim_redis, find_postgres, throwaway_database

TABLES: Final = 8
CONNECTIONS: Final = (1, 4, 8)
WARM_UP_ROUNDS: Final = 100
SECONDS_MAX: Final = 8
ROUNDS_MAX: Final = 3000

# Two processes that answer one request at a time, the form in which the goal is stated, and what
# `./dev run` starts.
SERVERS: Final = {
    "2 sync workers": ["--worker-class", "sync", "--threads", "1"],
    "2 workers of 4 threads": [],
}

PRODUCTION: Final = {
    "DJANGO_SETTINGS_MODULE": "config.settings.prod",
    "SECRET_KEY": secrets.token_urlsafe(50),
    "ALLOWED_HOSTS": "127.0.0.1",
    "BEHIND_TLS_PROXY": "true",
}

# What a plain view that writes eight rows reaches on this machine, for comparison.
YARDSTICK: Final = {"DJANGO_SETTINGS_MODULE": "tests.bench.yardstick_settings"}

ROLL_UP: Final = """
import time, django
django.setup()
from django.utils import timezone
from reporting.figures.services import rebuild, roll_up
from reporting.worth.services import prepare
from tables.models import Property
prepare(Property.objects.values_list("ruleset_id", flat=True))
begin = time.perf_counter()
result = roll_up(at=timezone.now())
rolled = time.perf_counter()
rebuild(at=timezone.now())
print(rolled - begin, result.marks, result.transactions, time.perf_counter() - rolled)
"""

# The round, its hands and bets, and for each round a mark and an audit entry.
ROWS_OF_A_ROUND: Final = """
SELECT 3 + ((SELECT count(*) FROM tables_seathand) + (SELECT count(*) FROM tables_bet))::float
           / (SELECT count(*) FROM tables_round)
"""


def measure(product: Product, floor: Floor, connections: int, bodies: list[str]) -> dict[str, Any]:
    """Post rounds from another process; returns what it measured. Stops at any answer but 201."""
    order = {
        "port": product.port,
        "token": floor.tokens["clerk"],
        "connections": connections,
        "seconds": SECONDS_MAX,
        "bodies": bodies,
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.load"],
        cwd=ROOT,
        input=json.dumps(order),
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX + 60,
        check=True,
    )
    measured: dict[str, Any] = json.loads(done.stdout)
    if set(measured["statuses"]) != {"201"}:
        raise SystemExit(f"bench: unexpected answers {measured['statuses']}\n{product.output}")
    return measured


def bench_server(
    product: Product, name: str, options: list[str], floor: Floor, rounds: Iterator[dict[str, Any]]
) -> int:
    """Print rounds/s and latencies of a server for each number of connections; returns answers."""
    answered = 0
    product.port = free_port()
    product.launch(*commands(product.port)["web"][1:], *options)
    try:
        product.wait_for_web()
        bodies = [json.dumps(body) for body in itertools.islice(rounds, WARM_UP_ROUNDS)]
        answered += len(measure(product, floor, 4, bodies)["latencies"])
        for connections in CONNECTIONS:
            bodies = [json.dumps(body) for body in itertools.islice(rounds, ROUNDS_MAX)]
            used = product.cpu_seconds()
            measured = measure(product, floor, connections, bodies)
            used = product.cpu_seconds() - used
            latencies = measured["latencies"]
            cuts = statistics.quantiles(latencies, n=100)
            print(
                f"{name:<26}{connections:>12}{len(latencies) / measured['seconds']:>12.0f}"
                f"{cuts[49] * 1000:>12.1f}{cuts[98] * 1000:>12.1f}"
                f"{used * 1000 / len(latencies):>12.1f}{len(latencies):>12}",
                flush=True,
            )
            answered += len(latencies)
    finally:
        product.end()
    return answered


def bench_entry(product: Product, floor: Floor, rounds: Iterator[dict[str, Any]]) -> int:
    """Print the figures of the yardstick and of the product's servers; returns rounds stored."""
    titles = ("connections", "rounds/s", "p50 ms", "p99 ms", "CPU ms", "rounds")
    print(f"{'server':<26}" + "".join(f"{title:>12}" for title in titles))
    yardstick = Product(product.folder, product.servers, {**PRODUCTION, **YARDSTICK})
    bench_server(yardstick, "plain view, 2 sync workers", SERVERS["2 sync workers"], floor, rounds)
    return sum(
        bench_server(product, name, options, floor, rounds) for name, options in SERVERS.items()
    )


def bench_roll_up(product: Product, stored: int) -> None:
    """Print how fast the rounds that were posted come into the figures, and check the figures.

    Every bet is appraised; the values of the ruleset are ready, as they are soon after a start.
    """
    seconds, marks, transactions, rebuilt = map(float, product.python("-c", ROLL_UP).split())
    print(
        f"\nroll-up of {marks:.0f} marks in {transactions:.0f} transactions: {seconds:.2f} s,",
        end=" ",
    )
    print(f"{stored / seconds:.0f} rounds/s; rebuild from nothing: {stored / rebuilt:.0f} rounds/s")
    print(product.python("manage.py", "rebuild_rollups", "--check").strip())


def main() -> int:
    """Run everything; says so and ends well when PostgreSQL does not answer."""
    print("\nEntry: POST of six-seat rounds, three wagers a seat, on PostgreSQL")
    with ExitStack() as stack:
        try:
            url = stack.enter_context(throwaway_database(find_postgres()))
        except ServerMissingError as error:
            print(f"not measured: {error}")
            return 0
        try:
            broker = stack.enter_context(claim_redis())
        except ServerMissingError as error:
            print(f"without a broker: {error}")
            broker = f"redis://127.0.0.1:{free_port()}/0"
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="houseway-bench-"))
        servers = {"DATABASE_URL": url, "REDIS_URL": broker}
        product = Product(Path(folder), servers, PRODUCTION)
        stack.callback(product.end)
        version = product.query("SHOW server_version")[0][0]
        print(f"{machine()}, PostgreSQL {version}, all on this machine")
        floor = product.make_floor(TABLES)
        rounds = deal_rounds(
            sys.maxsize, tables=floor.tables, seed=2026, occurred_at=dt.datetime.now(dt.UTC)
        )
        stored = bench_entry(product, floor, rounds)
        if product.stored_rounds() != stored:
            raise SystemExit(f"bench: {stored} answers of 201, {product.stored_rounds()} stored")
        rows = product.query(ROWS_OF_A_ROUND)[0][0]
        print(
            f"{stored} answers of 201 and as many rounds stored; a round inserts {rows:.1f} rows "
            "and updates 1"
        )
        bench_roll_up(product, stored)
    return 0


if __name__ == "__main__":
    sys.exit(main())
