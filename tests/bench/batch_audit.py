"""How fast rounds are audited in batches: ``python -m tests.bench.batch_audit``.

Prints figures and judges nothing. All of it runs on one core. The array figures are of distinct
rounds that are in memory as card numbers; reading a file is told apart. ``--agree N`` compares the
audit with the engine on N random rounds instead, ruleset after ruleset, and ends with status 1 if
any figure differs.
"""

import io
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.analysis.batch.audit import audit_dealer_hands, audit_rounds
from games.analysis.batch.files import read_chunks
from games.analysis.batch.rounds import DealerHands, RoundBatch, SeatHands
from games.engine.notation import CardEntry
from games.engine.rulesets import RULES_AS_WRITTEN, DealerMissetPolicy, FoulPolicy, Ruleset
from games.engine.settlement import RoundEntry
from games.engine.wagers import SideBetCaps
from tests.analysis.batch.agreement import disagreements, random_entries
from tests.bench.engine import full_round
from tests.bench.machine import machine

ROOT: Final = Path(__file__).resolve().parent.parent.parent
HANDS: Final = 4_000_000
ROUNDS: Final = 400_000
CHUNK: Final = 8_192
LINES: Final = 20_000
RUNS: Final = 9
SEATS: Final = 6

AGREED: Final = (
    RULES_AS_WRITTEN,
    replace(
        RULES_AS_WRITTEN,
        id="bench/stand-and-reset@1",
        dealer_misset=DealerMissetPolicy.STAND,
        foul=FoulPolicy.RESET_TO_HOUSE_WAY,
        caps=SideBetCaps(5_000_000, 20_000_000),
    ),
)


def random_cards(rng: np.random.Generator, count: int, cards: int) -> NDArray[np.uint8]:
    """Rows of different card numbers."""
    parts = []
    for start in range(0, count, 100_000):
        keys = rng.random((min(100_000, count - start), 53), dtype=np.float32)
        parts.append(keys.argsort(axis=1)[:, :cards].astype(np.uint8))
    return np.concatenate(parts)


def set_so(cards: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The first two cards low and the next three high."""
    return cards[:, :2].copy(), cards[:, 2:5].copy()


def dealer_hands(rng: np.random.Generator) -> DealerHands:
    """Distinct random dealer hands, set at random."""
    cards = random_cards(rng, HANDS, 7)
    low, high = set_so(cards)
    return DealerHands(cards=cards, low=low, high=high)


def six_seat_rounds(rng: np.random.Generator) -> RoundBatch:
    """Random rounds of six seats with all three bets."""
    dealt = random_cards(rng, ROUNDS, 7 * (1 + SEATS))
    dealer = np.ascontiguousarray(dealt[:, :7])
    seats = np.ascontiguousarray(dealt[:, 7:]).reshape(-1, 7)
    stakes = rng.integers(1, 100_000, (3, len(seats)))
    low, high = set_so(dealer)
    seat_low, seat_high = set_so(seats)
    return RoundBatch(
        dealer=DealerHands(cards=dealer, low=low, high=high),
        seats=SeatHands(
            round_of=np.repeat(np.arange(ROUNDS), SEATS),
            seat=np.tile(np.arange(1, SEATS + 1, dtype=np.uint8), ROUNDS),
            cards=seats,
            low=seat_low,
            high=seat_high,
            main_minor=stakes[0],
            dealer_break_bonus_minor=stakes[1],
            break_bonus_minor=stakes[2],
        ),
    )


def in_chunks(rounds: RoundBatch) -> list[RoundBatch]:
    """The rounds in batches of the size that the command reads."""
    starts = range(0, len(rounds), CHUNK)
    return [rounds.take(np.arange(start, min(start + CHUNK, len(rounds)))) for start in starts]


def audit_all(batches: list[RoundBatch], ruleset: Ruleset) -> None:
    """Settle batch after batch."""
    for batch in batches:
        audit_rounds(batch, ruleset)


def report(name: str, work: Callable[[], object], items: int) -> None:
    """Print the median and the best of some runs, after one that warms up."""
    work()
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    median, best = statistics.median(seconds), min(seconds)
    print(
        f"{name:<46} {items / median:15,.0f} /s   median {median / items * 1e9:9.1f} ns   "
        f"best {best / items * 1e9:9.1f} ns"
    )


class Cost(NamedTuple):
    """What a process took."""

    seconds: float
    peak_mib: float


# The peak of this process alone; what ``getrusage`` tells of a child counts the parent too.
MEASURED: Final = """
import pathlib, re, runpy, sys
sys.argv = ["manage.py", "audit_rounds", sys.argv[1], "--json"]
try:
    runpy.run_path("manage.py", run_name="__main__")
finally:
    status = pathlib.Path("/proc/self/status").read_text()
    print(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1], file=sys.stderr)
"""


def run_command(path: Path) -> Cost:
    """Audit a file by the command, and return what that took."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=True,
    )
    return Cost(time.perf_counter() - start, int(done.stderr) / 1024)


def bench_files(lines: list[str]) -> None:
    """Reading lines into arrays, and the command as a whole."""
    raw = "".join(lines).encode()
    start = time.perf_counter()
    for _ in read_chunks(io.BytesIO(raw), card_entry=CardEntry.SUITED):
        pass
    seconds = time.perf_counter() - start
    print(
        f"{'reading six-seat rounds from JSON lines':<46} {len(lines) / seconds:15,.0f} /s   "
        f"median {seconds / len(lines) * 1e9:9.1f} ns"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rounds.jsonl"
        for times in (0, 1, 5):
            path.write_text("".join(lines) * times)
            cost = run_command(path)
            label = f"manage.py audit_rounds, {times * len(lines):,} lines"
            print(
                f"{label:<46} {cost.seconds:12.1f} s      peak memory {cost.peak_mib:.0f} MiB, "
                f"file {path.stat().st_size / 1024**2:.0f} MiB"
            )


def agree(count: int) -> int:
    """Compare with the engine and return how many figures differ."""
    differing = 0
    for ruleset in AGREED:
        start = time.perf_counter()
        entries = random_entries(count, seed=2026)
        found = sum(_differing(entries, ruleset))
        print(
            f"{ruleset.id:<46} {count:,} random rounds, {found} figures differ, "
            f"{time.perf_counter() - start:.0f} s"
        )
        differing += found
    return differing


def _differing(entries: Iterator[RoundEntry], ruleset: Ruleset) -> Iterator[int]:
    while some := list(islice(entries, 10_000)):
        found = disagreements(some, ruleset)
        for line in found[:10]:
            print(line)
        yield len(found)


def main() -> None:
    """Print all figures."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--agree", type=int, metavar="N")
    options = parser.parse_args()
    print(machine())
    if options.agree is not None:
        sys.exit(1 if agree(options.agree) else 0)
    rng = np.random.default_rng(1)
    hands = dealer_hands(rng)
    label = "dealer hands: house way and compliance"
    report(label, lambda: audit_dealer_hands(hands, RULES_AS_WRITTEN), HANDS)
    rounds = six_seat_rounds(rng)
    batches = in_chunks(rounds)
    plain_rules, capped = AGREED
    report("six-seat rounds: all bets", lambda: audit_all(batches, plain_rules), ROUNDS)
    report("  with resets and caps", lambda: audit_all(batches, capped), ROUNDS)
    report("  in one batch", lambda: audit_rounds(rounds, plain_rules), ROUNDS)
    plain = random.Random(1)  # noqa: S311  (test data)
    bench_files([json.dumps({"id": f"r{n}", **full_round(plain)}) + "\n" for n in range(LINES)])


if __name__ == "__main__":
    main()
