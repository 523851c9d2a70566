"""Compiling a loop over arrays to machine code."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


@cache
def program_digest() -> str:
    """Return the digest of the source text of the engine and of this package.

    It is part of the name of everything that these programs leave on disk, so that nothing made by
    another version is ever taken for theirs.
    """
    games = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for path in sorted([*games.glob("engine/*.py"), *games.glob("analysis/**/*.py")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


# The compiler itself looks for changes in the one file of a kernel, and not in what it uses.
_config: Any = numba.config
if _config.CACHE_DIR:
    _config.CACHE_DIR = str(Path(_config.CACHE_DIR) / program_digest()[:16])


def kernel(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Compile a function of numbers and arrays at its first call.

    The machine code is kept on disk for the next process. Kernels let other threads run, so work
    is spread over the processors by calling one kernel from several threads. Integers wrap round
    in them without a word: every kernel says why its numbers fit.
    """
    try:
        compiled: Any = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:
        # Nowhere to keep the machine code, which is then made again by each process.
        compiled = numba.njit(nogil=True)(function)
    wrapped: Callable[_Arguments, _Result] = compiled
    return wrapped
