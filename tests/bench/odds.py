"""How fast the exact mathematics is: ``python -m tests.bench.odds``.

Prints figures and judges nothing. "From nothing" is a process that finds neither machine code nor
values on disk; the second question changes the qualifier and keeps the house way.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import numpy as np

from games.analysis.setting_values import PlayerKind, evaluate_settings
from games.analysis.two_seats import two_seats_product
from games.analysis.worth import values_of_hands
from games.engine.patterns import all_patterns
from games.engine.rulesets import RULES_AS_WRITTEN
from tests.bench.machine import machine

ROOT: Final = Path(__file__).resolve().parent.parent.parent
HANDS: Final = 60_000


def main() -> None:
    """Run all measurements."""
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        first = _ask(folder)
        print(f"odds, one ruleset, from nothing          {first['wall']:8.2f} s wall")
        print(f"  its peak memory                        {first['mebibytes']:8.0f} MiB")
        second = _ask(folder, "--qualifier", "Q-high")
        print(f"a second question, same house way        {second['wall']:8.2f} s wall")
        print(f"  by the first                           {second['wall'] / first['wall']:8.2f}")
        other = _ask(folder, "--changes", '{"house_way": [1, 2, 5, 3, 4, 6, 7]}')
        print(f"another order of the house way           {other['wall']:8.2f} s wall")
        again = _ask(folder, "--qualifier", "Q-high")
        print(f"a question asked before                  {again['wall']:8.2f} s wall")
    evaluate_settings(RULES_AS_WRITTEN)
    started = time.perf_counter()
    values = evaluate_settings(RULES_AS_WRITTEN)
    print(f"all settings, code and domain there      {time.perf_counter() - started:8.2f} s wall")
    two_seats_product(RULES_AS_WRITTEN, values, PlayerKind.BEST)
    started = time.perf_counter()
    two_seats_product(RULES_AS_WRITTEN, values, PlayerKind.BEST)
    print(f"two seats, code and domain there         {time.perf_counter() - started:8.2f} s wall")
    _print_look_ups(values)


def _ask(folder: str, *arguments: str) -> dict[str, float]:
    """Ask in a process of its own; its wall time and peak memory."""
    environment = {**os.environ, "HOUSEWAY_VAR_DIR": folder, "NUMBA_CACHE_DIR": f"{folder}/code"}
    program = [sys.executable, "manage.py", "odds", "--json", *arguments]
    started = time.perf_counter()
    done = subprocess.run(program, cwd=ROOT, env=environment, capture_output=True, check=True)
    wall = time.perf_counter() - started
    assert json.loads(done.stdout)["total_deals"] == 8250459031214400
    kibibytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return {"wall": wall, "mebibytes": kibibytes / 1024}


def _print_look_ups(values: Any) -> None:
    rng = np.random.default_rng(1)
    patterns = rng.choice(np.array(list(all_patterns())), HANDS).tolist()
    started = time.perf_counter()
    for pattern in patterns[:2000]:
        values.of_pattern(pattern)
    each = (time.perf_counter() - started) / 2000 * 1e6
    print(f"all settings of one hand looked up       {each:8.2f} us")
    rows = values.table.deck.index_of(np.array(patterns))
    codes = values.house_codes[rows].tolist()
    values_of_hands(values, RULES_AS_WRITTEN, patterns[:10], codes[:10])
    started = time.perf_counter()
    values_of_hands(values, RULES_AS_WRITTEN, patterns, codes)
    each = (time.perf_counter() - started) / HANDS * 1e6
    print(f"worth of a hand and its setting, many    {each:8.2f} us")
    size = sum(array.nbytes for array in (values.wins, values.losses, values.table.codes))
    print(f"table of {len(values.wins):,} settings           {size / 2**20:8.1f} MiB")


if __name__ == "__main__":
    main()
