"""Where the compiled kernel is kept, importable without numba.

The directory is named after a digest of all kernel sources, the compiler and the processor, so that a stale cache
cannot be met.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path


def _digest() -> str:
    """One name for these sources under this compiler on this kind of processor."""
    import llvmlite.binding as llvm

    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    digest.update(f"{version('numba')} {llvm.get_process_triple()} {llvm.get_host_cpu_name()}".encode())
    digest.update(llvm.get_host_cpu_features().flatten().encode())
    return digest.hexdigest()[:16]


def _roots() -> list[Path]:
    """Candidates, best first: numba's own setting, the user's cache, the temporary directory."""
    roots = []
    if os.environ.get("NUMBA_CACHE_DIR"):
        roots.append(Path(os.environ["NUMBA_CACHE_DIR"]))
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    with suppress(RuntimeError):  # no home directory
        roots.append(Path(base) if base else Path.home() / ".cache")
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    roots.append(Path(tempfile.gettempdir()) / f"sixtysix-{user}")
    return roots


def _usable(directory: Path) -> bool:
    """Whether compiled code can be kept there, and nobody else can put code there."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return _ours(directory)
    except OSError:
        return False


def _ours(directory: Path) -> bool:
    """Whether only this user, or the system, can put code there (always so where files have no owners)."""
    status = directory.stat()
    return not hasattr(os, "getuid") or (status.st_uid in (os.getuid(), 0) and not status.st_mode & 0o022)


def _filled(directory: Path) -> bool:
    """Whether compiled code is there already, even if nothing can be added."""
    with suppress(OSError):
        return _ours(directory) and any(directory.glob("*.o"))
    return False


@cache
def cache_directory() -> Path | None:
    """The directory of the compiled kernel, or None where nothing can be written: then every run compiles."""
    name = _digest()
    candidates = [root / "sixtysix" / name for root in _roots()]
    return next(filter(_filled, candidates), None) or next(filter(_usable, candidates), None)
