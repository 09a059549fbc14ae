"""Workers for tests: threads of this process, with a way to let some die."""

from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from typing import Any

from sixtysix.executors import Pool


class ThreadPool(Pool):
    """Workers that are threads; every job of `deaths` dies so often before it is done."""

    def __init__(self, workers: int, deaths: Mapping[Any, int] | None = None) -> None:
        self._workers = workers
        self._deaths = dict(deaths or {})
        self._executor = ThreadPoolExecutor(workers)
        self.submitted = 0

    @property
    def workers(self) -> int:
        return self._workers

    def submit(self, function: Callable[[Any], Any], job: Any) -> Future[Any]:
        self.submitted += 1
        if self._deaths and self._deaths.get(job):
            self._deaths[job] -= 1
            dead: Future[Any] = Future()
            dead.set_exception(BrokenExecutor("a worker died"))
            return dead
        return self._executor.submit(function, job)

    def close(self) -> None:
        self._executor.shutdown(cancel_futures=True)
