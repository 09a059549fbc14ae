"""The kernel's decorators. Kernel modules import this and no numba, so that a warm start does without it.

`inner` marks a function called from kernel functions, `entry` one called from Python. Both stay plain Python until the
kernel is compiled (`native.py`); then the marked functions are handed to numba and entries become machine code in a
cache of our own. With ``NUMBA_DISABLE_JIT=1`` everything runs as plain Python.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")

# Parameters of an entry; entries return an int64.
INT = "i"  # int64
INTS = "a"  # one-dimensional array of int64, C order
INTS2 = "b"  # two-dimensional
FLOATS = "f"  # one-dimensional array of float64
FLOATS32 = "g"  # of float32
TYPES = {INT: "int64", INTS: "int64", INTS2: "int64", FLOATS: "float64", FLOATS32: "float32"}


class Inner:
    """A kernel function, or an instruction of the processor, that only compiled code can call."""

    def __init__(self, function: Callable[..., Any], *, intrinsic: bool = False, inline: bool = False) -> None:
        self.function = function
        self.intrinsic = intrinsic
        self.inline = inline


class Entry:
    """A kernel function that Python calls: loaded, or compiled, at its first call."""

    def __init__(self, function: Callable[..., Any], parameters: tuple[str, ...]) -> None:
        self.function = function
        self.parameters = parameters
        self.name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        self.__doc__ = function.__doc__
        self._native: Callable[..., int] | None = None

    def ready(self) -> Callable[..., int]:
        """Load the machine code, or compile it."""
        if self._native is None:
            from .native import load

            self._native = load(self)
        return self._native

    def __call__(self, *arguments: Any) -> int:
        flat: list[int] = []
        for kind, argument in zip(self.parameters, arguments, strict=True):
            if kind == INT:
                flat.append(argument)
            else:
                _check(self.name, kind, argument)
                flat += (argument.ctypes.data, *argument.shape)
        return self.ready()(*flat)


def _check(name: str, kind: str, array: Any) -> None:
    """Compiled code trusts its pointers, so a wrong array must not get there."""
    dtype, dimensions = TYPES[kind], (2 if kind == INTS2 else 1)
    if array.dtype != dtype or array.ndim != dimensions or not array.flags.c_contiguous:
        raise TypeError(f"{name}: wants C-ordered {dimensions}-d {dtype}, not {array.ndim}-d {array.dtype}")


def inner(function: Callable[..., Any]) -> Any:
    """Mark a kernel function that is called from kernel functions only."""
    return Inner(function) if JIT else function


def inlined(function: Callable[..., Any]) -> Any:
    """Mark a kernel function with one or two callers far above the search: part of them, which compiles quicker."""
    return Inner(function, inline=True) if JIT else function


def entry(*parameters: str) -> Callable[[Callable[..., Any]], Any]:
    """Mark a kernel function that Python calls, returning an int64, with these parameters (`INT`, `INTS`, …)."""

    def decorate(function: Callable[..., Any]) -> Any:
        return Entry(function, parameters) if JIT else function

    return decorate


def _popcount(typingctx: Any, x: Any) -> Any:
    """Number of set bits of an int64."""
    from numba.core import types

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


def _lowest(typingctx: Any, x: Any) -> Any:
    """Index of the lowest set bit of a non-zero int64."""
    from numba.core import types

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), codegen


def _int64(typingctx: Any, x: Any) -> Any:
    """A value typed as int64: a literal argument would make numba compile a second specialisation of the callee."""
    from numba.core import types

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, args[0], signature.args[0], types.int64)

    return types.int64(types.unliteral(x)), codegen


def _float64(typingctx: Any, x: Any) -> Any:
    """A float32 value as float64."""
    from numba.core import types

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, args[0], signature.args[0], types.float64)

    return types.float64(x), codegen


def _mix(x):
    """A 64-bit integer hash (the finalizer of MurmurHash3), in wrapping int64 arithmetic."""
    x ^= (x >> 33) & 0x7FFFFFFF
    x *= -49064778989728563
    x ^= (x >> 33) & 0x7FFFFFFF
    x *= -4265267296055464877
    return x ^ ((x >> 33) & 0x7FFFFFFF)


def _plain_mix(x: int) -> int:
    """`_mix` on Python integers."""
    x = int(x)
    x ^= (x >> 33) & 0x7FFFFFFF
    x = _wrap(x * -49064778989728563)
    x ^= (x >> 33) & 0x7FFFFFFF
    x = _wrap(x * -4265267296055464877)
    return x ^ ((x >> 33) & 0x7FFFFFFF)


def _wrap(x: int) -> int:
    x &= 0xFFFFFFFFFFFFFFFF
    return x - (1 << 64) if x >> 63 else x


popcount: Any = Inner(_popcount, intrinsic=True) if JIT else (lambda x: int(x).bit_count())
lowest: Any = Inner(_lowest, intrinsic=True) if JIT else (lambda x: (int(x) & -int(x)).bit_length() - 1)
int64: Any = Inner(_int64, intrinsic=True) if JIT else int
float64: Any = Inner(_float64, intrinsic=True) if JIT else float
mix: Any = Inner(_mix) if JIT else _plain_mix
