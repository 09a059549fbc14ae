"""Turns valued over worlds: how many, which, on how many threads, and what the numbers are worth."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from .effort import ENUMERATED_DEALS, ENUMERATED_HANDS, UNLIMITED, Effort
from .outcomes import OUTCOMES
from .workers import Memories, Outcomes, in_order, solve_states
from .worlds import Ints, Worlds

MIN_PRECISION_WORLDS = 16  # a standard error from fewer worlds ends no search


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The outcomes of some turns in some worlds, for the player to move.

    `outcomes`: one row a world, one column a turn. `complete`: the worlds are all there are; `drawn_apart`: they were
    drawn one by one, so a world may come twice (else they are different ones in random order).
    """

    codes: Ints
    space: Worlds
    outcomes: Outcomes
    complete: bool
    drawn_apart: bool
    seed: int

    corrected = False

    @property
    def worlds(self) -> int:
        return len(self.outcomes)

    @property
    def method(self) -> str:
        if not self.complete:
            return "sampled"
        return "exact" if self.space.count == 1 else "enumerated"

    @property
    def world(self) -> str:
        """What a world is here: a deal, or an opponent's hand."""
        return "deal" if self.space.orders else "hand"

    def worlds_of(self, turn: int) -> int:
        """Worlds the turn was solved in: the same for all."""
        return self.worlds

    def mean(self, turn: int) -> float:
        """Expected game points."""
        return float(self.outcomes[:, turn].mean(dtype=np.float64))

    def shares(self, turn: int) -> NDArray[np.float64]:
        """Relative frequencies of the outcomes -3 to 3."""
        return np.bincount(self.outcomes[:, turn].astype(np.int64) + 3, minlength=7) / self.worlds

    def error(self, turn: int) -> float:
        """Standard error of the mean."""
        return self._error(self.outcomes[:, turn])

    def error_of_difference(self, turn: int, other: int) -> float:
        """Standard error of the difference of two means, from the differences world by world."""
        return self._error(self.outcomes[:, turn] - self.outcomes[:, other])

    def error_of_worth(self, turn: int, other: int, worth: Sequence[float], point: float) -> float:
        """The same where the outcomes -3 to 3 are worth something else; `point` is a game point's worth on average."""
        worths = np.array(worth)[self.outcomes + 3]
        return self._error(worths[:, turn] - worths[:, other], point)

    def _error(self, sample: Outcomes | NDArray[np.float64], point: float = 1.0) -> float:
        """Zero only if complete. One squared game point is added, so that few agreeing worlds do not look certain."""
        if self.complete:
            return 0.0
        n = len(sample)
        squares = float(np.square(sample - sample.mean(dtype=np.float64)).sum()) + point**2
        unseen = 1.0 if self.drawn_apart else 1.0 - n / self.space.count
        return float(np.sqrt(squares / (n * max(n - 1, 1)) * unseen))

    def first_states(self, n: int) -> Ints:
        """The kernel states of the first n worlds."""
        if self.drawn_apart:
            return self.space.sample(np.arange(min(n, self.worlds), dtype=np.int64), self.seed)
        return self.space.states(_shuffled(self.space, self.seed)[: min(n, self.worlds)])


def _shuffled(space: Worlds, seed: int) -> Ints:
    """All world numbers in random order, so that the first ones are a fair sample if the rest is never reached."""
    return np.random.default_rng(seed).permutation(space.count).astype(np.int64)


def evaluate(
    memories: Memories,
    space: Worlds,
    codes: Ints,
    effort: Effort,
    progress: Callable[[float], None],
    worth: Sequence[float] = OUTCOMES,
) -> Evaluation:
    """Solve turns in as many worlds as the effort allows; the worlds depend on the seed only.

    `worth`: of the outcomes -3 to 3, for telling which turn is best and has to be precise. It rises with the outcome,
    so the play to the end of a world with open cards is the same for all.
    """
    if space.orders:
        asked, limit = effort.worlds, effort.worlds or ENUMERATED_DEALS
    else:
        asked = effort.hands or effort.worlds
        limit = effort.hands or max(ENUMERATED_HANDS, effort.worlds or 0)
    enumerating = effort.everything or (space.count <= limit and not (effort.sampling and asked))
    if enumerating:
        numbers = _shuffled(space, effort.seed)
        total = space.count
    else:
        total = asked or UNLIMITED

    def work(first: int, end: int) -> Outcomes:
        if enumerating:
            states = space.states(numbers[first:end])
        else:
            states = space.sample(np.arange(first, end, dtype=np.int64), effort.seed)
        return solve_states(memories, states, codes, len(codes))[0].astype(np.int8)

    rows = _collect(in_order(effort.jobs, total, work), total, effort, progress, worth)
    outcomes = np.concatenate(rows)
    complete = enumerating and len(outcomes) == space.count
    return Evaluation(codes, space, outcomes, complete, not enumerating, effort.seed)


def _collect(
    results: Generator[Outcomes, None, None],
    total: int,
    effort: Effort,
    progress: Callable[[float], None],
    worth: Sequence[float],
) -> list[Outcomes]:
    """Gather results until all are there, the time is up, or the best mean is precise enough."""
    start = perf_counter()
    rows: list[Outcomes] = []
    done = 0
    counts = np.zeros((len(OUTCOMES), 1), np.int64)
    try:
        for part in results:
            rows.append(part)
            done += len(part)
            elapsed = perf_counter() - start
            fraction = done / total
            if effort.everything:
                progress(fraction)
                continue
            if effort.seconds is not None:
                fraction = max(fraction, elapsed / effort.seconds)
            if effort.precision is not None:
                counts = counts + [(part == outcome).sum(axis=0) for outcome in OUTCOMES]
                fraction = max(fraction, _precision_reached(counts, worth, done, effort.precision))
            progress(min(fraction, 1.0))
            if fraction >= 1.0:
                break
    finally:
        results.close()
    return rows


def _precision_reached(counts: Ints, worth: Sequence[float], n: int, precision: float) -> float:
    """How far the standard error of the best turn's game points has come: 1 when it is at most `precision`."""
    if n < MIN_PRECISION_WORLDS:
        return 0.0
    of_best = counts[:, int(np.argmax(np.array(worth) @ counts))]
    points = np.array(OUTCOMES)
    total, squares = float(points @ of_best), float(np.square(points) @ of_best)
    error = np.sqrt((squares - total**2 / n + 1.0) / (n * (n - 1)))
    return float(min((precision / error) ** 2, 1.0))
