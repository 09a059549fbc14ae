"""Search over hidden cards: turns judged without granting anybody sight of the cards."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from .effort import UNLIMITED
from .kernel.layout import TURN_CARD, TURN_CLOSE, TURN_EXCHANGE
from .workers import Memories
from .worlds import Ints, Worlds

TREES = 4  # searched apart and added up, so that the answer does not depend on the number of threads
EXPLORATION = 2.0  # game points; 0.4 and 0.7 lost 0.2 game points a deal against it, up to 6 made no difference
SLICE = 250  # iterations between two looks at the clock
MAX_TREE_BITS = 16  # rows of a tree, about 650 bytes each: 43 MB
GAME_POINTS = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)


@dataclass(frozen=True, slots=True)
class TreeEvaluation:
    """The outcomes of some turns in the iterations of a tree search, for the player to move.

    `by_tree`: how often each outcome from -3 to 3 followed, by tree, turn and outcome. Better turns are tried more.
    """

    codes: Ints
    space: Worlds
    by_tree: Ints
    seed: int

    @property
    def counts(self) -> Ints:
        """Outcomes of all trees together: one row a turn."""
        total: Ints = self.by_tree.sum(axis=0)
        return total

    @property
    def world(self) -> str:
        """What a world is here."""
        return "deal"

    @property
    def method(self) -> str:
        return "ismcts"

    @property
    def worlds(self) -> int:
        """Iterations, each in a world of its own."""
        return int(self.counts.sum())

    def worlds_of(self, turn: int) -> int:
        """Iterations that tried the turn; at least one."""
        return int(self.counts[turn].sum())

    def mean(self, turn: int) -> float:
        """Expected game points."""
        return float(self.shares(turn) @ np.array(GAME_POINTS))

    def shares(self, turn: int) -> NDArray[np.float64]:
        """Relative frequencies of the outcomes -3 to 3."""
        shares: NDArray[np.float64] = self.counts[turn] / self.worlds_of(turn)
        return shares

    def error(self, turn: int) -> float:
        """Standard error of the mean: from the iterations as if independent or from the trees, whichever is larger.

        One squared game point is added, so that few agreeing iterations do not look certain. What the method itself
        gets wrong is not in it.
        """
        n = self.worlds_of(turn)
        points = np.array(GAME_POINTS)
        squares = n * float(self.shares(turn) @ np.square(points - self.mean(turn)))
        visits = self.by_tree[:, turn].sum(axis=1)
        gaps = self.by_tree[:, turn] @ points - visits * self.mean(turn)  # of each tree's sum from its expectation
        between = math.sqrt(float(gaps @ gaps) * TREES / (TREES - 1)) / n
        return max(math.sqrt((squares + 1.0) / (n * max(n - 1, 1))), between)

    def first_states(self, n: int) -> Ints:
        """The kernel states of the first n worlds."""
        return self.space.sample(np.arange(n, dtype=np.int64), self.seed)


def search(
    memories: Memories,
    space: Worlds,
    codes: Ints,
    *,
    iterations: int | None,
    seconds: float | None,
    seed: int,
    jobs: int,
    progress: Callable[[float], None],
    utility: Sequence[float] = GAME_POINTS,
    exploration: float = EXPLORATION,
) -> TreeEvaluation:
    """Judge turns that leave the talon open by tree search over information sets.

    `iterations` in all, or `seconds`, whichever ends first, but at least so many that every turn is tried; with
    iterations alone the answer is the same for any number of jobs (threads). `utility`: what each outcome from -3 to 3
    is worth to the player to move, for choosing lines.
    """
    from .kernel.ismcts import FAIR

    all_tried = FAIR * len(codes)  # one of FAIR iterations tries the turns in order
    per_tree = max(-(-iterations // TREES), all_tried) if iterations else UNLIMITED
    deadline = perf_counter() + seconds if seconds else math.inf

    def one_tree(number: int) -> Ints:
        tree = _Tree(memories, space, per_tree, (seed * TREES + number) % (1 << 62), utility, exploration)
        # With fewer threads than trees, each tree gets its share of the time.
        end = deadline
        if seconds and jobs < TREES:
            turn = number // jobs + 1
            end = deadline - seconds + seconds * turn / -(-TREES // jobs)
        return tree.grow(end, progress if number == 0 else None)

    with ThreadPoolExecutor(jobs) as pool:
        stats = np.array(list(pool.map(one_tree, range(TREES))))
    progress(1.0)
    return TreeEvaluation(codes, space, stats[:, [_row_of(int(code)) for code in codes], 1:], seed)


def _row_of(code: int) -> int:
    """Where the kernel counts a turn: by card, with a bit each for exchange and closing."""
    return (code & TURN_CARD) * 4 + (2 if code & TURN_CLOSE else 0) + (1 if code & TURN_EXCHANGE else 0)


class _Tree:
    """One tree and what the kernel needs to grow it."""

    def __init__(
        self,
        memories: Memories,
        space: Worlds,
        iterations: int,
        seed: int,
        utility: Sequence[float],
        exploration: float,
    ) -> None:
        from .kernel import ismcts

        bits = min(MAX_TREE_BITS, (2 * iterations).bit_length() + 1)
        self.memories = memories
        self.space = space
        self.iterations = iterations
        self.rows = np.zeros((1 << bits, ismcts.ROW), np.int64)
        self.stats = np.zeros((ismcts.ROOT_TURNS, ismcts.STATS_SIZE), np.int64)
        self.scratch = np.zeros((ismcts.SCRATCH_ROWS, ismcts.SCRATCH_WIDTH), np.int64)
        self.utility = np.array([round(worth * ismcts.UNIT) for worth in utility], np.int64)
        self.config = np.zeros(ismcts.CONFIG_SIZE, np.int64)
        self.config[ismcts.C_ALLOWED] = space.allowed
        self.config[ismcts.C_NEED] = space.need
        self.config[ismcts.C_ORDERS] = space.orders
        self.config[ismcts.C_SEED] = seed
        self.config[ismcts.C_EXPLORE] = round(exploration * ismcts.UNIT)

    def grow(self, deadline: float, progress: Callable[[float], None] | None) -> Ints:
        """Search until the iterations are done or the time is up; returns the statistics of the root's turns."""
        from .kernel import ismcts

        start = perf_counter()
        memory = self.memories.take()
        done = 0
        try:
            while done < self.iterations and (done == 0 or perf_counter() < deadline):
                self.config[ismcts.C_FIRST] = done
                self.config[ismcts.C_COUNT] = min(SLICE, self.iterations - done)
                ismcts.search(
                    memory,
                    self.memories.rules,
                    self.space.template,
                    self.space.unseen,
                    self.config,
                    self.rows,
                    self.stats,
                    self.utility,
                    self.scratch,
                )
                done += SLICE
                if progress:
                    spent = (perf_counter() - start) / (deadline - start)
                    progress(min(max(spent, done / self.iterations), 1.0))
        finally:
            self.memories.give_back(memory)
        return self.stats
