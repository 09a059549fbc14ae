"""How the kernel is compiled, and the few instructions Python has no word for.

Two decorators: `inner` for functions called from other kernel functions (compiled into their callers, never cached
alone) and `entry` for those called from Python (explicit signature, cached).
With ``NUMBA_DISABLE_JIT=1`` everything runs as plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
from numba import njit, types
from numba.extending import intrinsic

from .cache import cache_directory

config: Any = numba.config  # its attributes are made at run time
JIT = not config.DISABLE_JIT

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


CACHE_DIRECTORY = cache_directory() if JIT else None


@contextmanager
def _cache_here() -> Iterator[None]:
    """Numba's cache setting is global; other users of numba in this process keep theirs."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_DIRECTORY)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel function called from kernel functions only."""
    return njit(**_OPTIONS)(function)  # type: ignore[no-any-return]


def entry(signature: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A kernel function called from Python: compiled, or loaded from the cache, when its module is imported."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        if CACHE_DIRECTORY is None:
            return njit(signature, **_OPTIONS)(function)  # type: ignore[no-any-return]
        with _cache_here():
            return njit(signature, cache=True, **_OPTIONS)(function)  # type: ignore[no-any-return]

    return decorate


int64 = types.int64
ints = types.Array(types.int64, 1, "C")
ints2 = types.Array(types.int64, 2, "C")

popcount: Any
lowest: Any
mix: Any
if JIT:

    @intrinsic
    def _popcount(typingctx, x):
        """Number of set bits of an int64."""

        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def _lowest(typingctx, x):
        """Index of the lowest set bit of a non-zero int64."""

        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), codegen

    @inner
    def _mix(x):
        """A 64-bit integer hash (the finalizer of MurmurHash3), in wrapping int64 arithmetic."""
        x ^= (x >> 33) & 0x7FFFFFFF
        x *= -49064778989728563
        x ^= (x >> 33) & 0x7FFFFFFF
        x *= -4265267296055464877
        return x ^ ((x >> 33) & 0x7FFFFFFF)

else:

    def _popcount(x):  # type: ignore[misc]
        return int(x).bit_count()

    def _lowest(x):  # type: ignore[misc]
        x = int(x)
        return (x & -x).bit_length() - 1

    def _wrap(x):
        x &= 0xFFFFFFFFFFFFFFFF
        return x - (1 << 64) if x >> 63 else x

    def _mix(x):
        x = int(x)
        x ^= (x >> 33) & 0x7FFFFFFF
        x = _wrap(x * -49064778989728563)
        x ^= (x >> 33) & 0x7FFFFFFF
        x = _wrap(x * -4265267296055464877)
        return x ^ ((x >> 33) & 0x7FFFFFFF)


popcount, lowest, mix = _popcount, _lowest, _mix
