"""Kernels keep their machine code where they can, under the program's own name."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import pytest

from games.analysis import kernels
from games.analysis.kernels import kernel, program_digest

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = """
from games.analysis import kernels

@kernels.kernel
def total(numbers):
    found = 0
    for number in numbers:
        found += number
    return found

import numpy
from games.analysis.decks import FULL_DECK
print(FULL_DECK.upper.ways.shape)
"""


def run(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_machine_code_is_kept_under_the_digest_of_the_program(tmp_path: Path) -> None:
    run(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [program_digest()[:16]]
    assert list(tmp_path.rglob("*.nbi"))


def test_kernels_work_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def njit(**options: Any) -> Callable[[Any], Any]:
        asked.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        compiled: Callable[[Any], Any] = numba.njit(**options)
        return compiled

    monkeypatch.setattr(kernels, "numba", SimpleNamespace(njit=njit))

    @kernel
    def double(number: int) -> int:
        return number + number

    assert double(21) == 42
    assert asked == [{"cache": True, "nogil": True}, {"nogil": True}]
