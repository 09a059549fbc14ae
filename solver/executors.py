"""Many independent jobs behind the standard library's executor interface: processes here, or a Dask cluster.

A job is one argument of a function that lives in a module. What comes of it must not depend on where it runs, so that
a job whose worker has died can be given to another.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")
R = TypeVar("R")
E = TypeVar("E", bound=Exception)

TICK = 0.1  # seconds between two looks at the results, so that Ctrl-C is heard
TRIES = 3  # a job is given up once so many workers have died of it
PATIENCE = 10  # seconds to wait for a cluster's scheduler, and for its first worker


class WorkersError(RuntimeError):
    """No workers to be had, or jobs that kill them; one line."""


class Pool(ABC):
    """Workers behind an executor. As a context it lets them go at the end, whatever still runs."""

    lost: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError)
    """What a job raises when its worker has died."""

    @property
    @abstractmethod
    def workers(self) -> int:
        """How many jobs are done at a time."""

    @abstractmethod
    def submit(self, function: Callable[[T], R], job: T) -> Future[R]:
        """Give a job to a worker."""

    @abstractmethod
    def close(self) -> None:
        """Stop at once."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def completed(
        self, function: Callable[[T], R], jobs: Iterable[T], idle: Callable[[], None] | None = None
    ) -> Iterator[tuple[T, R]]:
        """Run a function on every job; yield each job with its result as it comes.

        Jobs are taken from the iterable only when workers are about to be free, so it may answer to results that have
        come. A job whose worker dies is repeated. `idle` is called ten times a second. Raises what a job raises, and
        WorkersError for a job of which several workers have died.
        """
        source = map(_Task, jobs)
        again: list[_Task[T]] = []
        running: dict[Future[R], _Task[T]] = {}
        while True:
            while len(running) < 2 * self.workers and (task := again.pop() if again else next(source, None)):
                running[self.submit(function, task.job)] = task
            if not running:
                return
            done, _ = wait(running, TICK, FIRST_COMPLETED)
            if idle is not None:
                idle()
            for future in done:
                task = running.pop(future)
                try:
                    result = future.result()
                except self.lost:
                    again.append(task.once_more())
                else:
                    yield task.job, result

    def in_order(
        self, function: Callable[[T], R], jobs: Iterable[T], idle: Callable[[], None] | None = None
    ) -> Iterator[R]:
        """Run a function on every job like `completed`, and yield the results in the order of the jobs."""
        early: dict[int, R] = {}
        due = 0
        for (number, _), result in self.completed(_Second(function), enumerate(jobs), idle):
            early[number] = result
            while due in early:
                yield early.pop(due)
                due += 1


@dataclass(frozen=True, slots=True)
class _Task(Generic[T]):
    """A job, and how many workers have died of it."""

    job: T
    deaths: int = 0

    def once_more(self) -> _Task[T]:
        """Return the task after one more death. Raises WorkersError if that is enough."""
        if self.deaths + 1 == TRIES:
            raise WorkersError(f"{TRIES} workers died one after the other of the same job: is there memory enough?")
        return replace(self, deaths=self.deaths + 1)


@dataclass(frozen=True, slots=True)
class _Second(Generic[T, R]):
    """A function of the second of two values."""

    function: Callable[[T], R]

    def __call__(self, pair: tuple[Any, T]) -> R:
        return self.function(pair[1])


def attempt(function: Callable[[T], R], errors: tuple[type[E], ...], job: T) -> R | E:
    """Return what a function makes of a job, or the error if it is one of these, so that other jobs go on."""
    try:
        return function(job)
    except errors as error:
        return error


# --- processes on this machine ------------------------------------------------------------------


class LocalPool(Pool):
    """Processes on this machine.

    They hold one end of a pipe and end with it, so none survives this process however it dies. A worker's death breaks
    the standard library's pool; the next job then gets a new one.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._context = multiprocessing.get_context("spawn")
        self._life, self._hold = self._context.Pipe(duplex=False)
        self._executor = self._new_executor()

    @property
    def workers(self) -> int:
        return self._workers

    def _new_executor(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, self._context, _begin_worker, (self._life,))

    def submit(self, function: Callable[[T], R], job: T) -> Future[R]:
        with _interrupts_held():
            try:
                return self._executor.submit(function, job)
            except BrokenExecutor:
                self._executor = self._new_executor()
                return self._executor.submit(function, job)

    def close(self) -> None:
        self._hold.close()
        self._executor.shutdown(cancel_futures=True)
        self._life.close()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while a process is started: it inherits that, and leaves the answer to its parent."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker(life: Connection) -> None:
    """Make this worker deaf to Ctrl-C, and let it end with the process that holds the other end of the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(life,), daemon=True).start()


def _end_with(life: Connection) -> None:
    with suppress(EOFError, OSError):
        life.recv_bytes()
    os._exit(1)


# --- a Dask cluster -----------------------------------------------------------------------------


class DaskPool(Pool):
    """The workers of a Dask cluster, reached through its scheduler. They need the same version of this package."""

    def __init__(self, address: str) -> None:
        """Raise WorkersError if the cluster cannot be used."""
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise WorkersError("a cluster needs an extra: pip install 'sixtysix[cluster]'") from None
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # what it tells of is raised here
        self.lost = (*Pool.lost, distributed.KilledWorker)
        self._address = address
        try:
            self._client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise WorkersError(f"no Dask scheduler answers at {address}: {error}") from None
        try:
            self._check_workers()
        except BaseException:
            self._client.close()
            raise
        self._executor = self._client.get_executor(pure=False)

    def _check_workers(self) -> None:
        """Refuse a cluster without workers, or with some on which this package is missing or another version."""
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise WorkersError(f"the Dask scheduler at {self._address} has no workers") from None
        mine = package_version()
        for worker, version in self._client.run(package_version, on_error="return").items():
            if version != mine:
                found = f"has version {version}" if isinstance(version, str) else "cannot import it"
                raise WorkersError(f"the Dask workers need sixtysix {mine}; the one at {worker} {found}")

    @property
    def workers(self) -> int:
        """Raise WorkersError if the scheduler is gone."""
        try:
            threads: dict[str, int] = self._client.nthreads()
        except (OSError, RuntimeError):
            raise WorkersError(f"the Dask scheduler at {self._address} is gone") from None
        return max(1, sum(threads.values()))

    def submit(self, function: Callable[[T], R], job: T) -> Future[R]:
        future: Future[R] = self._executor.submit(function, job)
        return future

    def close(self) -> None:
        self._executor.shutdown(wait=False)
        self._client.close()


def package_version() -> str:
    """The version of this package where it runs."""
    from . import __version__

    return __version__
