"""Threads that solve worlds, each with its own working memory.

The kernel releases the interpreter lock, so plain threads use all cores. Exact values do not depend on what a memory's
tables hold, so results are the same for any number of threads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .kernel.jit import Entry
from .worlds import Ints

if TYPE_CHECKING:
    from .rules import Rules


CHUNK_SECONDS = 0.05  # what one task should take: short enough to stop quickly, long enough not to be overhead
MAX_CHUNK = 1024

Outcomes = NDArray[np.int8]  # one row a world, one column a turn


def load_kernel() -> None:
    """Load the compiled kernel, or compile it on the first run after an installation (half a minute to a minute)."""
    for entry in _entries():
        if isinstance(entry, Entry):
            entry.ready()


def kernel_ready() -> bool:
    """Whether the kernel is compiled already, so that the next call does not have to (half a minute to a minute)."""
    from .kernel.native import is_cached

    return all(is_cached(entry) for entry in _entries() if isinstance(entry, Entry))


def _entries() -> list[object]:
    """The kernel functions of an analysis by default; plain functions where compilation is switched off.

    `ismcts`, which is never the default, is compiled when it is first asked for.
    """
    from .kernel import alphabeta, equilibrium, guided, worlds

    entries = [alphabeta.list_turns, alphabeta.play_turn, alphabeta.prepare, alphabeta.solve_batch]
    entries += [equilibrium.tricks, equilibrium.rows, equilibrium.iterate, equilibrium.respond]
    return [*entries, worlds.make_worlds, guided.search]


class Memories:
    """Working memories of one rule set (about 5 MB each), handed out to one user at a time.

    They are kept from one analysis to the next: what was learned about play without drawing holds for every deal.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = np.array(rules.packed(), np.int64)
        self._free: list[Ints] = []
        self._lock = Lock()

    def take(self) -> Ints:
        """A memory to work with: one given back earlier, or a new one."""
        from .kernel.alphabeta import prepare
        from .kernel.memory import new_memory

        with self._lock:
            if self._free:
                return self._free.pop()
        memory: Ints = new_memory()
        prepare(memory, self.rules)
        return memory

    def ready(self) -> None:
        """Make sure that the next `take` costs no time."""
        self.give_back(self.take())

    def give_back(self, memory: Ints) -> None:
        """Let others use a memory again."""
        with self._lock:
            self._free.append(memory)


_last: list[Memories] = []  # of the rule set used last, so that memory stays bounded


def memories_for(rules: Rules) -> Memories:
    """The memories of a rule set; those of another one used before are let go."""
    if not _last or tuple(_last[0].rules) != rules.packed():
        _last[:] = [Memories(rules)]
    return _last[0]


def solve_states(memories: Memories, states: Ints, turns: Ints, count: int) -> tuple[Ints, int]:
    """Values for player 0 of the turns in each state (see the kernel's `solve_batch`), and the nodes searched."""
    from .kernel.alphabeta import solve_batch

    values = np.zeros((len(states), max(count, 2)), np.int64)
    nodes = np.zeros(len(states), np.int64)
    memory = memories.take()
    try:
        total = solve_batch(memory, memories.rules, states, turns, count, values, nodes)
    finally:
        memories.give_back(memory)
    return values[:, :count] if count > 0 else values, int(total)


def in_order(jobs: int, total: int, work: Callable[[int, int], Outcomes]) -> Generator[Outcomes, None, None]:
    """Run `work(first, end)` over 0 .. total in chunks and yield the results in order.

    The chunks run on `jobs` threads; where that is one, on the caller's. They grow to the size that takes
    `CHUNK_SECONDS`. Closing the iterator drops the work not yet begun.
    """
    size, first = 1, 0

    def timed(begin: int, end: int) -> tuple[Outcomes, float]:
        start = perf_counter()
        return work(begin, end), perf_counter() - start

    if jobs == 1:
        while first < total:
            end = min(first + size, total)
            result, seconds = timed(first, end)
            size, first = _next_size(size, end - first, seconds), end
            yield result
        return
    running: deque[tuple[int, Future[tuple[Outcomes, float]]]] = deque()
    pool = ThreadPoolExecutor(jobs)
    try:
        while first < total or running:
            while first < total and len(running) < 2 * jobs:
                end = min(first + size, total)
                running.append((end - first, pool.submit(timed, first, end)))
                first = end
            done, future = running.popleft()
            result, seconds = future.result()
            size = _next_size(size, done, seconds)
            yield result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _next_size(size: int, done: int, seconds: float) -> int:
    """How large the next chunk should be, as one of `done` took so long."""
    wanted = int(done * CHUNK_SECONDS / max(seconds, 1e-6))
    return max(1, min(wanted, 2 * size, MAX_CHUNK))
