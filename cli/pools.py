"""The workers that commands which play games ask for."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from .progress import run

if TYPE_CHECKING:
    from sixtysix.executors import Pool


def pool_of(jobs: int | None, dask: str | None) -> AbstractContextManager[Pool]:
    """Return the workers asked for; here the kernel is compiled once, before they start."""
    from sixtysix import kernel_ready
    from sixtysix.effort import default_jobs
    from sixtysix.executors import DaskPool, LocalPool

    if dask is not None:
        return DaskPool(dask)
    if not kernel_ready():
        from sixtysix.workers import load_kernel

        run(lambda _: load_kernel(), "compiling")
    return LocalPool(jobs or default_jobs())
