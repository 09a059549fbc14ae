"""How the kernel is compiled and cached, and the few instructions Python has no word for.

Two decorators: `inner` for functions called from other kernel functions (compiled into their
callers, never cached alone) and `entry` for those called from Python (explicit signature, cached).

Numba's cache looks only at the file that holds the entry point and not at the files it calls into, so the
cache directory is named after a digest of all kernel sources: a stale cache cannot be met.
With ``NUMBA_DISABLE_JIT=1`` everything runs as plain Python.
"""

from __future__ import annotations

import hashlib
import os
import platform
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
from numba import njit, types
from numba.extending import intrinsic

JIT = not numba.config.DISABLE_JIT

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def _source_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    digest.update(f"{numba.__version__} {platform.python_version()}".encode())
    return digest.hexdigest()[:16]


def _user_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base) if base else Path.home() / ".cache"


def _writable(directory: Path) -> bool:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return True
    except OSError:
        return False


def _cache_directory() -> Path | None:
    """The first place that can be written: numba's own setting, the user's cache, the temporary directory."""
    name = _source_digest()
    roots: list[Path] = []
    if numba.config.CACHE_DIR:
        roots.append(Path(numba.config.CACHE_DIR))
    with suppress(RuntimeError):  # no home directory
        roots.append(_user_cache())
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    roots.append(Path(tempfile.gettempdir()) / f"sixtysix-{user}")
    for root in roots:
        directory = root / "sixtysix" / name
        if _writable(directory):
            return directory
    return None


CACHE_DIRECTORY = _cache_directory() if JIT else None


@contextmanager
def _cache_here() -> Iterator[None]:
    """Numba's cache setting is global; other users of numba in this process keep theirs."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_DIRECTORY)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


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

if JIT:

    @intrinsic
    def popcount(typingctx, x):
        """Number of set bits of an int64."""

        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def lowest(typingctx, x):
        """Index of the lowest set bit of a non-zero int64."""

        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), codegen

    @inner
    def mix(x):
        """A 64-bit integer hash (the finalizer of MurmurHash3), in wrapping int64 arithmetic."""
        x ^= (x >> 33) & 0x7FFFFFFF
        x *= -49064778989728563
        x ^= (x >> 33) & 0x7FFFFFFF
        x *= -4265267296055464877
        return x ^ ((x >> 33) & 0x7FFFFFFF)

else:

    def popcount(x):
        return int(x).bit_count()

    def lowest(x):
        x = int(x)
        return (x & -x).bit_length() - 1

    def _wrap(x):
        x &= 0xFFFFFFFFFFFFFFFF
        return x - (1 << 64) if x >> 63 else x

    def mix(x):
        x = int(x)
        x ^= (x >> 33) & 0x7FFFFFFF
        x = _wrap(x * -49064778989728563)
        x ^= (x >> 33) & 0x7FFFFFFF
        x = _wrap(x * -4265267296055464877)
        return x ^ ((x >> 33) & 0x7FFFFFFF)
