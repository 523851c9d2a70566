"""Compiling a loop over arrays to machine code."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def kernel(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Compile a function of numbers and arrays at its first call.

    The machine code is kept on disk for the next process. Kernels let other threads run, so work
    is spread over the processors by calling one kernel from several threads. Integers wrap round
    in them without a word: every kernel says why its numbers fit.
    """
    compiled: Any = numba.njit(cache=True, nogil=True)(function)
    wrapped: Callable[_Arguments, _Result] = compiled
    return wrapped
