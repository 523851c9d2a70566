"""How far a long command has come, shown on a terminal and nowhere else."""

import sys
from typing import Any

from tqdm import tqdm


def progress_bar(total: int | None, **options: Any) -> "tqdm[Any]":
    """Return a bar of so much work on standard error; None if nobody knows how much."""
    return tqdm(total=total, file=sys.stderr, disable=not sys.stderr.isatty(), **options)
