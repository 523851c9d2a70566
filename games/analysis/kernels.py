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

    Machine code is made of this text, and kept under its digest. The compiler itself looks for
    changes in the one file of a kernel, and not in the constants and kernels it takes from others.
    """
    games = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for path in sorted([*games.glob("engine/*.py"), *games.glob("analysis/**/*.py")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


_config: Any = numba.config
if _config.CACHE_DIR:
    _config.CACHE_DIR = str(Path(_config.CACHE_DIR) / program_digest()[:16])


def kernel(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Compile a function of numbers and arrays at its first call.

    The machine code is kept for the next process, if there is a folder for it. Kernels let other
    threads run, so work is spread over the processors by calling one kernel from several threads.
    Integers wrap round in them without a word: every kernel says why its numbers fit.
    """
    try:
        compiled: Any = numba.njit(cache=bool(_config.CACHE_DIR), nogil=True)(function)
    except RuntimeError:
        # Nowhere to keep the machine code, which is then made again by each process.
        compiled = numba.njit(nogil=True)(function)
    wrapped: Callable[_Arguments, _Result] = compiled
    return wrapped
