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


def _writable(directory: Path) -> bool:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return True
    except OSError:
        return False


@cache
def cache_directory() -> Path | None:
    """The directory of the compiled kernel, or None where nothing can be written: then every run compiles."""
    name = _digest()
    return next((path for root in _roots() if _writable(path := root / "sixtysix" / name)), None)
