"""Search over hidden cards: turns judged without granting anybody sight of the cards."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .cards import mask_of
from .effort import UNLIMITED
from .kernel.ismcts import UNIT
from .kernel.layout import TURN_CARD, TURN_CLOSE, TURN_EXCHANGE
from .network import network_for
from .workers import Memories
from .worlds import Ints, Worlds

if TYPE_CHECKING:
    from .position import Position

TREES = 4  # searched apart and added up, so that the answer does not depend on the number of threads
SMALL_SEARCH = 4000  # iterations up to which one tree is grown, as four would be shallow
# Game points. In `ismcts` 0.4 and 0.7 lost 0.2 game points a deal against 2.0, up to 6 made no difference.
EXPLORATION = {"ismcts": 2.0, "guided": 1.0}
BELIEF_TRIES = 8  # worlds drawn at most for one that fits the opponent's lead
SLICE = {"ismcts": 250, "guided": 100}  # iterations between two looks at the clock: some milliseconds
MAX_TREE_BITS = 16  # rows of a tree, about 650 bytes each: 43 MB
GAME_POINTS = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)

Counts = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TreeEvaluation:
    """The outcomes of some turns in the iterations of a tree search, for the player to move.

    `visits`: how often each tree tried each turn; `by_tree`: how often each outcome from -3 to 3 followed, by tree,
    turn and outcome, in fractions where a network gave its chances. Better turns are tried more.
    """

    codes: Ints
    space: Worlds
    method: str
    visits: Ints
    by_tree: Counts
    seed: int

    corrected = False

    @property
    def world(self) -> str:
        """What a world is here."""
        return "deal"

    @property
    def worlds(self) -> int:
        """Iterations, each in a world of its own."""
        return int(self.visits.sum())

    def worlds_of(self, turn: int) -> int:
        """Iterations that tried the turn; at least one."""
        return int(self.visits[:, turn].sum())

    def mean(self, turn: int) -> float:
        """Expected game points."""
        return float(self.shares(turn) @ np.array(GAME_POINTS))

    def shares(self, turn: int) -> NDArray[np.float64]:
        """Chances of the outcomes -3 to 3."""
        counts = self.by_tree[:, turn].sum(axis=0)
        shares: NDArray[np.float64] = counts / counts.sum()
        return shares

    def error(self, turn: int) -> float:
        """Standard error of the mean: from the iterations as if independent or from the trees, whichever is larger.

        One squared game point is added, so that few agreeing iterations do not look certain. What the method itself
        gets wrong is not in it.
        """
        n = self.worlds_of(turn)
        points = np.array(GAME_POINTS)
        squares = n * float(self.shares(turn) @ np.square(points - self.mean(turn)))
        gaps = self.by_tree[:, turn] @ points - self.visits[:, turn] * self.mean(turn)  # of each tree's sum
        trees = len(self.visits)
        between = math.sqrt(float(gaps @ gaps) * trees / (trees - 1)) / n if trees > 1 else 0.0
        return max(math.sqrt((squares + 1.0) / (n * max(n - 1, 1))), between)

    def first_states(self, n: int) -> Ints:
        """The kernel states of the first n worlds."""
        return self.space.sample(np.arange(n, dtype=np.int64), self.seed)


def search(
    memories: Memories,
    position: Position,
    codes: Ints,
    *,
    method: str,
    iterations: int | None,
    seconds: float | None,
    seed: int,
    jobs: int,
    progress: Callable[[float], None],
    utility: Sequence[float] = GAME_POINTS,
) -> TreeEvaluation:
    """Judge turns that leave the talon open by a tree search over information sets, "ismcts" or "guided".

    `iterations` in all, or `seconds`, whichever ends first, but at least so many that every turn is tried; with
    iterations alone the answer is the same for any number of jobs (threads). `utility`: what each outcome from -3 to 3
    is worth to the player to move, for choosing lines.
    """
    from .kernel.ismcts import FAIR

    trees = 1 if (iterations or UNLIMITED) <= SMALL_SEARCH or (jobs == 1 and seconds) else TREES
    all_tried = FAIR * len(codes)  # one of FAIR iterations tries the turns in order
    per_tree = max(-(-iterations // trees), all_tried) if iterations else UNLIMITED
    deadline = perf_counter() + seconds if seconds else math.inf
    space = Worlds.of(position)

    def one_tree(number: int) -> Ints:
        tree_seed = (seed * TREES + number) % (1 << 62)
        tree = _KINDS[method](memories, position, space, per_tree, tree_seed, utility)
        # With fewer threads than trees, each tree gets its share of the time.
        end = deadline
        if seconds and jobs < trees:
            turn = number // jobs + 1
            end = deadline - seconds + seconds * turn / -(-trees // jobs)
        grown: Ints = tree.grow(end, progress if number == 0 else None)
        return grown

    if min(jobs, trees) == 1:
        stats = np.array([one_tree(number) for number in range(trees)])
    else:
        with ThreadPoolExecutor(jobs) as pool:
            stats = np.array(list(pool.map(one_tree, range(trees))))
    progress(1.0)
    rows = stats[:, [_row_of(int(code)) for code in codes]]
    return TreeEvaluation(codes, space, method, rows[:, :, 0], rows[:, :, 1:] / _KINDS[method].COUNTED_IN, seed)


def _row_of(code: int) -> int:
    """Where the kernel counts a turn: by card, with a bit each for exchange and closing."""
    return (code & TURN_CARD) * 4 + (2 if code & TURN_CLOSE else 0) + (1 if code & TURN_EXCHANGE else 0)


class _Tree:
    """One tree of the search "ismcts", and what the kernel needs to grow it."""

    METHOD = "ismcts"
    COUNTED_IN = 1

    def __init__(
        self,
        memories: Memories,
        position: Position,
        space: Worlds,
        iterations: int,
        seed: int,
        utility: Sequence[float],
    ) -> None:
        from .kernel import ismcts

        kernel = self.kernel()
        bits = min(MAX_TREE_BITS, (2 * iterations).bit_length() + 1)
        self.memories = memories
        self.space = space
        self.iterations = iterations
        self.rows = np.zeros((1 << bits, ismcts.ROW), np.int64)
        self.stats = np.zeros((ismcts.ROOT_TURNS, ismcts.STATS_SIZE), np.int64)
        self.scratch = np.zeros((kernel.SCRATCH_ROWS, ismcts.SCRATCH_WIDTH), np.int64)
        self.utility = np.array([round(worth * UNIT) for worth in utility], np.int64)
        self.config = np.zeros(kernel.CONFIG_SIZE, np.int64)
        self.config[ismcts.C_ALLOWED] = space.allowed
        self.config[ismcts.C_NEED] = space.need
        self.config[ismcts.C_ORDERS] = space.orders
        self.config[ismcts.C_SEED] = seed
        self.config[ismcts.C_EXPLORE] = round(EXPLORATION[self.METHOD] * UNIT)
        self.config[ismcts.C_FACE_UP] = position.rules.stock_top_face_up

    @staticmethod
    def kernel() -> Any:
        """The kernel module of the search."""
        from .kernel import ismcts

        return ismcts

    def grow(self, deadline: float, progress: Callable[[float], None] | None) -> Ints:
        """Search until the iterations are done or the time is up; returns the statistics of the root's turns."""
        from .kernel.ismcts import C_COUNT, C_FIRST

        start = perf_counter()
        memory = self.memories.take()
        done = 0
        step = SLICE[self.METHOD]
        try:
            while done < self.iterations and (done == 0 or perf_counter() < deadline):
                self.config[C_FIRST] = done
                self.config[C_COUNT] = min(step, self.iterations - done)
                self.kernel().search(memory, *self._arguments())
                done += step
                if progress:
                    spent = (perf_counter() - start) / (deadline - start)
                    progress(min(max(spent, done / self.iterations), 1.0))
        finally:
            self.memories.give_back(memory)
        return self.stats

    def _arguments(self) -> tuple[NDArray[Any], ...]:
        return (
            self.memories.rules,
            self.space.template,
            self.space.unseen,
            self.config,
            self.rows,
            self.stats,
            self.utility,
            self.scratch,
        )


class _GuidedTree(_Tree):
    """One tree of the search "guided"."""

    METHOD = "guided"
    COUNTED_IN = UNIT

    def __init__(self, memories: Memories, position: Position, *rest: Any) -> None:
        from .kernel import guided, network

        super().__init__(memories, position, *rest)
        self.config[guided.C_SHOWN] = mask_of(position.shown)
        self.config[guided.C_DECLARED] = position.led_value
        self.config[guided.C_TRIES] = BELIEF_TRIES
        self.weights = network_for(position.rules.preset).weights
        self.units = np.zeros(network.UNITS, np.float32)

    @staticmethod
    def kernel() -> Any:
        from .kernel import guided

        return guided

    def _arguments(self) -> tuple[NDArray[Any], ...]:
        return (*super()._arguments(), self.weights, self.units)


_KINDS: dict[str, type[_Tree]] = {"ismcts": _Tree, "guided": _GuidedTree}
