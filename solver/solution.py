"""Fully known deals: exact values, a line of best play, counts of action sequences."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from .turns import legal_turns, order_of, turn_of
from .workers import load_kernel, memories_for, solve_states

if TYPE_CHECKING:
    from .notation import Turn
    from .position import Deal


@dataclass(frozen=True, slots=True)
class Solution:
    """The exact solution of a fully known deal, in game points of the player to move.

    `turns` holds every legal turn with its value, best first; `line` one line of best play to the end. `nodes` and
    `seconds` are what the values of all turns cost, without the line.
    """

    deal: Deal
    value: int
    turns: tuple[tuple[Turn, int], ...]
    line: tuple[Turn, ...]
    nodes: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The solution as a JSON object."""
        return {
            "position": self.deal.text,
            "value": self.value,
            "turns": [{"turn": turn.text, "value": value} for turn, value in self.turns],
            "line": [turn.text for turn in self.line],
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }


def solve(deal: Deal) -> Solution:
    """Solve a fully known deal exactly: both players see all cards and play their best."""
    load_kernel()
    position = deal.position
    memories = memories_for(position.rules)
    state = np.array(deal.state(), np.int64)
    codes = legal_turns(memories.rules, state)
    memories.ready()
    start = perf_counter()
    values, nodes = solve_states(memories, state[None, :], codes, len(codes))
    seconds = perf_counter() - start
    turns = [(turn_of(int(code), position.trump), int(value)) for code, value in zip(codes, values[0], strict=True)]
    turns.sort(key=lambda pair: (-pair[1], order_of(pair[0])))
    return Solution(deal, turns[0][1], tuple(turns), _best_line(deal), nodes, seconds)


def _best_line(deal: Deal) -> tuple[Turn, ...]:
    """Best play by both sides from here to the end of the deal."""
    from .kernel.alphabeta import MAX_TURNS, play_turn

    memories = memories_for(deal.position.rules)
    state = np.array(deal.state(), np.int64)
    scratch = np.zeros(MAX_TURNS, np.int64)
    line = []
    over = False
    while not over:
        values, _ = solve_states(memories, state[None, :], scratch, -1)
        code = int(values[0, 1])
        line.append(turn_of(code, deal.position.trump))
        over = bool(play_turn(memories.rules, state, code))
    return tuple(line)


def perft(deal: Deal, depth: int) -> tuple[int, ...]:
    """The number of action sequences of 1, 2, … `depth` plies; a ply is an exchange, a closing or one card.

    A sequence whose last ply ends the deal counts, one that ended before does not. Raises ValueError unless
    `depth` is at least 1.
    """
    if depth < 1:
        raise ValueError(f"depth: {depth} must be at least 1")
    from .kernel.perft import ROW
    from .kernel.perft import perft as count_sequences

    scratch = np.zeros((depth, ROW), np.int64)
    state = deal.state()
    scratch[0, : len(state)] = state
    counts = np.zeros(depth, np.int64)
    count_sequences(scratch, np.array(deal.position.rules.packed(), np.int64), counts)
    return tuple(int(n) for n in counts)
