"""Deals played out by a network's policy, a stream of them: what its chances of the outcomes are trained on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .cards import full_deck
from .dealing import state_of_pack
from .kernel.ismcts import SCRATCH_WIDTH
from .kernel.network import UNITS
from .kernel.playout import MOST_DECISIONS, ROW, SCRATCH_ROWS, play_out
from .rules import Rules
from .workers import memories_for

DEALS = 2000  # played at a time, with the weights of that moment

Weights = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What players saw when they had a choice with the talon open (features, one row each, -1 after the last), and the
    outcome of the deal for them, + 3."""

    features: NDArray[np.int16]
    outcomes: NDArray[np.int64]


def play(rules: Rules, weights: Weights, seed: int, deals: int) -> Seen:
    """Play deals by the policy of a network (weights in the order of the kernel); the same seed plays the same."""
    rng = np.random.default_rng(seed)
    pack = np.array(full_deck(rules.deck))
    states = np.array([state_of_pack(rules, cards) for cards in rng.permuted(np.tile(pack, (deals, 1)), axis=1)])
    rows = np.zeros((deals * MOST_DECISIONS, ROW), np.int64)
    units, scratch = np.zeros(UNITS, np.float32), np.zeros((SCRATCH_ROWS, SCRATCH_WIDTH), np.int64)
    memories = memories_for(rules)
    memory = memories.take()
    try:
        face_up, chance = int(rules.stock_top_face_up), int(rng.integers(1 << 62))
        count = play_out(memory, memories.rules, face_up, states, chance, weights, units, scratch, rows)
    finally:
        memories.give_back(memory)
    return Seen(rows[:count, 1:].astype(np.int16), rows[:count, 0] + 3)


def stream(rules: Rules, weights: Callable[[], Weights], seed: int, deals: int) -> Iterator[Seen]:
    """Play at least so many deals, `DEALS` at a time, each lot on another thread while the one before it is used.

    `weights` gives the network of the moment; as it is asked at fixed points, the same training plays the same deals.
    """
    lots = -(-deals // DEALS)
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(play, rules, weights(), seed, DEALS)
        for lot in range(lots):
            played = coming.result()
            if lot + 1 < lots:
                coming = pool.submit(play, rules, weights(), seed + lot + 1, DEALS)
            yield played
