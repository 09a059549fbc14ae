"""What the exact solver costs: nodes and time per stage of a deal, on deals made from fixed seeds; and how many
iterations a second the tree search does from a first lead.

The node counts are the signature of the solver: they depend on the code only, not on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from .cards import full_deck
from .dealing import state_of_pack
from .effort import DEFAULT_TREE
from .hidden import search
from .kernel.layout import NO_CARD, S_CLOSER, S_LED, S_TALON, TURN_CLOSE
from .rules import Rules
from .table import Table
from .turns import legal_turns
from .workers import Memories, load_kernel, memories_for

if TYPE_CHECKING:
    from .worlds import Ints

SEED = 66
POSITIONS = 200
QUICK_POSITIONS = 12
QUICK_FULL = {"santase": 4, "sixty-six": 4}  # full deals of these cost most
ITERATIONS = 40_000  # of the tree search
QUICK_ITERATIONS = 8_000


@dataclass(frozen=True, slots=True)
class Stats:
    """Mean, median, 95th percentile and maximum of a sample."""

    mean: float
    median: float
    p95: float
    max: float

    @classmethod
    def of(cls, sample: Sequence[float]) -> Stats:
        data = np.array(sample, np.float64)
        return cls(float(data.mean()), float(np.median(data)), float(np.percentile(data, 95)), float(data.max()))

    def to_json(self) -> dict[str, float]:
        return {name: round(getattr(self, name), 2) for name in ("mean", "median", "p95", "max")}


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One line of the benchmark: a stage of a preset's deals, the value alone or the values of all turns.

    `nodes` are search nodes, `us` microseconds, one thread. A node is a position at the start of a trick that the
    search enters, or that it settles by a look at the table while it goes through the replies.
    """

    preset: str
    stage: str
    what: str
    positions: int
    nodes: Stats
    us: Stats
    total_nodes: int

    def to_json(self) -> dict[str, Any]:
        return {
            "preset": self.preset,
            "stage": self.stage,
            "what": self.what,
            "positions": self.positions,
            "nodes": self.nodes.to_json(),
            "us": self.us.to_json(),
        }


@dataclass(frozen=True, slots=True)
class SearchRow:
    """The speed of the tree search at the first lead of a deal, one thread."""

    preset: str
    method: str
    iterations: int
    seconds: float

    @property
    def rate(self) -> float:
        """Iterations a second."""
        return self.iterations / self.seconds

    def to_json(self) -> dict[str, Any]:
        return {
            "preset": self.preset,
            "method": self.method,
            "iterations": self.iterations,
            "seconds": round(self.seconds, 4),
        }


AnyRow = BenchRow | SearchRow


def stages_of(rules: Rules) -> tuple[str, ...]:
    """The stages measured: stock gone, closed before any trick, talon of 2, 4, …, and the full deal."""
    talons = [f"talon {size}" for size in (2, 4, 6, 8, 10) if size < rules.first_talon]
    return ("gone", "closed", *talons, "full")


def run(presets: Sequence[str], quick: bool, report: Callable[[AnyRow], None]) -> list[BenchRow]:
    """Measure every stage of the presets, then the tree search, and report each row as it is done.

    Returns the rows of the exact solver.
    """
    load_kernel()
    rows = []
    for preset in presets:
        rules = Rules.preset_named(preset)
        for stage in stages_of(rules):
            count = POSITIONS
            if quick:
                count = QUICK_FULL.get(preset, QUICK_POSITIONS) if stage == "full" else QUICK_POSITIONS
            states = states_of(rules, stage, count)
            for what in ("value", "turns"):
                row = _measure(rules, stage, what, states)
                rows.append(row)
                report(row)
        report(_measure_search(rules, QUICK_ITERATIONS if quick else ITERATIONS))
    return rows


def signature(rows: Sequence[BenchRow]) -> str:
    """The node totals in one line: the search has changed if and only if these have."""
    totals: dict[str, int] = {}
    for row in rows:
        totals[row.preset] = totals.get(row.preset, 0) + row.total_nodes
    return " ".join(f"{preset}={nodes}" for preset, nodes in totals.items()) + f" all={sum(totals.values())}"


def _measure(rules: Rules, stage: str, what: str, states: list[Ints]) -> BenchRow:
    """Solve the positions one by one; tables are kept from deal to deal as in an analysis."""
    from .kernel.alphabeta import solve_batch

    memories = Memories(rules)
    memory = memories.take()
    nodes: list[float] = []
    micros: list[float] = []
    for state in states:
        codes = legal_turns(memories.rules, state)
        values = np.zeros((1, len(codes)), np.int64)
        counted = np.zeros(1, np.int64)
        batch = state[None, :].copy()
        start = perf_counter()
        solve_batch(memory, memories.rules, batch, codes, len(codes) if what == "turns" else 0, values, counted)
        micros.append((perf_counter() - start) * 1e6)
        nodes.append(int(counted[0]))
    return BenchRow(rules.preset, stage, what, len(states), Stats.of(nodes), Stats.of(micros), int(sum(nodes)))


def _measure_search(rules: Rules, iterations: int) -> SearchRow:
    """Search the first lead of a deal without closings, by the method that is the default there."""
    position = Table.deal(rules, SEED).position()
    memories = memories_for(rules)
    codes = legal_turns(memories.rules, np.array(position.state_template(), np.int64))
    memories.ready()
    start = perf_counter()
    found = search(
        memories,
        position,
        codes[codes & TURN_CLOSE == 0],
        method=DEFAULT_TREE,
        iterations=iterations,
        seconds=None,
        seed=SEED,
        jobs=1,
        progress=lambda _: None,
    )
    return SearchRow(rules.preset, DEFAULT_TREE, found.worlds, perf_counter() - start)


def states_of(rules: Rules, stage: str, count: int) -> list[Ints]:
    """Positions of a stage with the leader to move, from random deals and random play without closing."""
    rng = np.random.default_rng(SEED)
    packed = np.array(rules.packed(), np.int64)
    states: list[Ints] = []
    while len(states) < count:
        state = random_deal(rules, rng)
        if stage == "closed":
            state[S_CLOSER] = 0
        elif stage != "full":
            talon = 0 if stage == "gone" else int(stage.split()[1])
            if not _play_down_to(talon, state, packed, rng):
                continue
        states.append(state)
    return states


def random_deal(rules: Rules, rng: np.random.Generator) -> Ints:
    """The kernel state of a random deal; player 0 leads."""
    return state_of_pack(rules, rng.permutation(sorted(full_deck(rules.deck))).tolist())


def _play_down_to(talon: int, state: Ints, packed: Ints, rng: np.random.Generator) -> bool:
    """Play at random to the given talon size; False if the deal ends before."""
    from .kernel.alphabeta import play_turn

    while state[S_TALON] > talon or state[S_LED] != NO_CARD:
        codes = legal_turns(packed, state)
        if play_turn(packed, state, int(rng.choice(codes[codes & TURN_CLOSE == 0]))):
            return False
    return True
