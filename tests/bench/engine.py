"""How fast the rules engine is: ``python -m tests.bench.engine``.

Prints figures and judges nothing. Each round and hand is a new one, so that no figure is of a warm
cache unless it says so. The calibration line is the time of one fixed small piece of work, to
compare machines, and runs on a busy machine, by. "Quietest" is the median of the best run of 250 in
a row: what the code takes when nothing else takes the processor.
"""

import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

from games.engine.cards import DECK, Card
from games.engine.house_way import house_way
from games.engine.lookup import house_way_table
from games.engine.notation import format_cards
from games.engine.patterns import all_patterns, cards_of
from games.engine.rulesets import get_ruleset
from games.engine.settlement import parse_round, settle

ROOT: Final = Path(__file__).resolve().parent.parent.parent
RULESET: Final = get_ruleset("break-poker/rules-as-written@1")
ROUNDS: Final = 6_000
HANDS: Final = 20_000
QUIET: Final = 250

FRESH: Final = """
import json, sys, time
start = time.perf_counter()
from games.engine.rulesets import get_ruleset
from games.engine.settlement import parse_round, settle
imported = time.perf_counter()
settle(parse_round(json.loads(sys.argv[1])), get_ruleset("break-poker/rules-as-written@1"))
print(json.dumps([imported - start, time.perf_counter() - imported]))
"""


def full_round(rng: random.Random) -> dict[str, Any]:
    """Six seats with all three bets each, and the dealer's setting: 49 cards."""
    deck = rng.sample(DECK, 49)
    hands = [deck[start : start + 7] for start in range(0, 49, 7)]
    dealer, *players = [set_at_random(rng, hand) for hand in hands]
    seats = [
        {
            "seat": number,
            **player,
            "bets": {
                "main": rng.randint(1, 100_000),
                "dealer_break_bonus": rng.randint(1, 10_000),
                "break_bonus": rng.randint(1, 10_000),
            },
        }
        for number, player in enumerate(players, start=1)
    ]
    return {"dealer": dealer, "seats": seats}


def set_at_random(rng: random.Random, hand: list[Card]) -> dict[str, str]:
    """The cards of a hand and some setting of them."""
    chosen = rng.sample(hand, 5)
    return {
        "cards": format_cards(hand),
        "low": format_cards(chosen[:2]),
        "high": format_cards(chosen[2:]),
    }


def calibrate() -> None:
    """Do a fixed small piece of work: read seven tokens through a dictionary."""
    tuple([_NUMBERS[token] for token in "1 2 3 4 5 6 7".split()])  # noqa: SIM905  (the work)


_NUMBERS: Final = {str(number): number for number in range(100)}


def microseconds(work: Callable[[Any], object], items: Iterable[Any]) -> list[float]:
    """The time of the work on each item."""
    found = []
    for item in items:
        start = time.perf_counter()
        work(item)
        found.append((time.perf_counter() - start) * 1e6)
    return found


def report(name: str, values: list[float]) -> None:
    """Print median, 95th percentile, and the median of the quietest stretch."""
    p95 = sorted(values)[int(0.95 * len(values))]
    stretches = range(0, len(values) - QUIET + 1, QUIET)
    quietest = min(statistics.median(values[start : start + QUIET]) for start in stretches)
    print(
        f"{name:<46} median {statistics.median(values):8.1f} us   p95 {p95:8.1f} us   "
        f"quietest {quietest:8.1f} us"
    )


def bench_rounds(rng: random.Random) -> None:
    """Six-seat rounds from decoded JSON: parse, validate, settle."""
    texts = [json.dumps(full_round(rng)) for _ in range(ROUNDS)]
    # Decoded one by one, as they come in; the decoding is not in the figure.
    decoded = (json.loads(text) for text in texts)
    whole = microseconds(lambda data: settle(parse_round(data), RULESET), decoded)
    report(f"six-seat round, {ROUNDS} distinct", whole)
    decoded = (json.loads(text) for text in texts)
    report("  of it parsing and validation", microseconds(parse_round, decoded))
    report("calibration", microseconds(lambda _: calibrate(), range(20_000)))


def bench_hands(rng: random.Random) -> None:
    """The house way of single hands, by patterns never asked for and by known ones."""
    house_way_table.cache_clear()
    hands = [rng.sample(DECK, 7) for _ in range(HANDS)]
    house_way(hands[0], RULESET)
    cold = microseconds(lambda hand: house_way(hand, RULESET), hands[:5_000])
    report("house way, cold", cold)
    report("house way, warm", microseconds(lambda hand: house_way(hand, RULESET), hands[:5_000]))
    print(f"{'house ways a second, cold':<46} {1e6 / statistics.mean(cold):15,.0f}")


def bench_fresh_process(rng: random.Random) -> None:
    """Import and first settle of a process that has done nothing."""
    text = json.dumps(full_round(rng))
    times = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", FRESH, text],
                cwd=ROOT,
                capture_output=True,
                check=True,
                text=True,
            ).stdout
        )
        for _ in range(3)
    ]
    for place, name in enumerate(("import of the engine", "first settle after import")):
        print(f"{name:<46} best   {min(t[place] for t in times) * 1e3:8.1f} ms")


def bench_command(rng: random.Random) -> None:
    """``manage.py settle`` on one one-seat round for every rank pattern of the dealer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rounds.jsonl"
        with path.open("w") as stream:
            for number, pattern in enumerate(all_patterns()):
                entry = one_seat_round(rng, pattern)
                stream.write(json.dumps({"id": f"r{number}", **entry}) + "\n")
        for count, name in ((10, "ten lines"), (None, "67,600 one-seat rounds")):
            given = path
            if count is not None:
                given = Path(folder) / "few.jsonl"
                given.write_text("".join(path.read_text().splitlines(keepends=True)[:count]))
            start = time.perf_counter()
            cost = run_command(given)
            seconds = time.perf_counter() - start
            label = f"manage.py settle, {name}"
            print(
                f"{label:<46} {seconds:9.1f} s   processor {cost.processor_seconds:.1f} s   "
                f"peak memory {cost.peak_mib:.0f} MiB"
            )


class Cost(NamedTuple):
    """What a process took."""

    processor_seconds: float
    peak_mib: float


def run_command(path: Path) -> Cost:
    """Run the command, throw its answers away, and return what it took by itself."""
    with subprocess.Popen(
        [sys.executable, "manage.py", "settle", str(path)], cwd=ROOT, stdout=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"settle ended with status {process.returncode}")
    # Kibibytes on Linux, bytes on macOS.
    peak_mib = usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
    return Cost(usage.ru_utime + usage.ru_stime, peak_mib)


def one_seat_round(rng: random.Random, pattern: int) -> dict[str, Any]:
    """A round whose dealer has the rank pattern; the player's cards are random."""
    spare = {card.rank: [c for c in DECK if c.rank is card.rank] for card in DECK}
    dealer = [spare[card.rank].pop() for card in cards_of(pattern)]
    taken = set(dealer)
    player = rng.sample([card for card in DECK if card not in taken], 7)
    bets = {"main": 1000, "dealer_break_bonus": 500, "break_bonus": 500}
    return {
        "dealer": {"cards": format_cards(dealer)},
        "seats": [{"seat": 1, **set_at_random(rng, player), "bets": bets}],
    }


def main() -> None:
    """Print all figures."""
    rng = random.Random(1)  # noqa: S311  (test data)
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}")
    print(f"{os.cpu_count()} processors, {load}")
    bench_rounds(rng)
    bench_hands(rng)
    bench_fresh_process(rng)
    bench_command(rng)


if __name__ == "__main__":
    main()
