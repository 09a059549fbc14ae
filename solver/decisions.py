"""Deals that a player plays against himself, decision by decision: what was stated, and how the deal ended.

The networks are trained on such deals, and the engine's probabilities are checked by them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .claims import OPP
from .duel import seed_of
from .echo import quoted
from .executors import Pool
from .kernel.ismcts import SLOTS
from .kernel.network import MOST_FEATURES
from .players import JudgingPlayer, PlayerError, player_of
from .rules import Rules
from .samples import features_of, slot_values
from .stages import kind_of
from .table import Table
from .workers import load_kernel

BATCH = 8  # deals in a job
DECISION = np.dtype(
    [
        ("deal", np.int32),
        ("leads", np.bool_),  # the player led the deal's first trick
        ("on_lead", np.bool_),
        ("kind", np.int8),
        ("talon", np.int8),
        ("method", "S12"),  # by which the turn judged best was judged
        ("chances", np.float32, 7),  # of the outcomes -3 to 3, stated for the turn judged best
        ("outcome", np.int8),  # what the deal was worth to the player
        ("features", np.int16, MOST_FEATURES),  # of the network's input, -1 after the last; none after a closing
        ("values", np.float32, SLOTS),  # best value of the turns that begin with each action, by the network's slots
    ]
)
"""One decision of more than one turn. An exchange or closing and the card after it are one decision, but two rows where
the network is concerned: the second has no stated chances (NaN)."""


class DecisionLogError(ValueError):
    """A file that holds no such deals."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays, by which rules, the seed, and how often he plays any turn instead of the best while cards are drawn
    (`explore`, for the networks to see more)."""

    player: str
    rules: Rules
    seed: int
    explore: float = 0.0

    def judge(self) -> JudgingPlayer:
        """The player. Raises PlayerError if the text names none that judges turns."""
        player = player_of(self.player)
        if not isinstance(player, JudgingPlayer):
            raise PlayerError(f"{quoted(self.player)} states no chances: name engine, guided, ismcts or pimc")
        return player

    def to_json(self) -> dict[str, Any]:
        from . import __version__

        return {
            "version": __version__,
            "player": self.judge().text,
            "rules": self.rules.text,
            "seed": self.seed,
            "explore": self.explore,
        }


@dataclass(frozen=True, slots=True, eq=False)
class DecisionLog:
    """Decisions (an array of `DECISION`, in order of play) of a number of deals, and how they were made.

    `results`: of every deal, what it was worth to the player who led first.
    """

    about: dict[str, Any]
    decisions: NDArray[Any]
    results: NDArray[np.int8]

    def save(self, path: Path) -> None:
        """Write a compressed file of numpy arrays."""
        np.savez_compressed(path, about=json.dumps(self.about), decisions=self.decisions, results=self.results)

    @classmethod
    def load(cls, path: Path) -> DecisionLog:
        """Read such a file. Raises DecisionLogError if it is none."""
        try:
            with np.load(path) as stored:
                return cls(json.loads(stored["about"].item()), stored["decisions"], stored["results"])
        except (OSError, ValueError, KeyError) as error:
            reason = getattr(error, "strerror", None) or "it holds no deals of self-play"
            raise DecisionLogError(f"cannot read {quoted(str(path))}: {reason}") from None


def play(setup: Setup, deals: int, pool: Pool, report: Callable[[float], None] | None = None) -> Iterator[DecisionLog]:
    """Play deals number 0 .. deals - 1 on workers; yield them in order, some at a time. Raises PlayerError."""
    about = setup.to_json()
    done = 0

    def idle() -> None:
        if report is not None:
            report(done / deals)

    jobs = (range(first, min(first + BATCH, deals)) for first in range(0, deals, BATCH))
    for decisions, results in pool.in_order(partial(play_deals, setup), jobs, idle):
        done += len(results)
        yield DecisionLog(about, decisions, results)


def joined(parts: Iterable[DecisionLog]) -> DecisionLog:
    """The deals of several logs of one setup as one."""
    logs = list(parts)
    return DecisionLog(
        logs[0].about,
        np.concatenate([log.decisions for log in logs]),
        np.concatenate([log.results for log in logs]),
    )


def play_deals(setup: Setup, numbers: Sequence[int]) -> tuple[NDArray[Any], NDArray[np.int8]]:
    """The decisions of the deals with these numbers, and the results."""
    load_kernel()
    player = setup.judge()
    played = [_play(setup, player, number) for number in numbers]
    return np.concatenate([decisions for decisions, _ in played]), np.array([r for _, r in played], np.int8)


def _play(setup: Setup, player: JudgingPlayer, number: int) -> tuple[NDArray[Any], int]:
    table = Table.deal(setup.rules, seed_of(setup.seed, "cards", number))
    rng = np.random.default_rng(seed_of(setup.seed, "explore", number))
    rows: list[NDArray[Any]] = []
    while not table.over:
        position = table.position()
        turns = player.judge(position, seed_of(setup.seed, "choice", number, len(rows), table.mover))
        chosen = turns[0]
        if position.drawing and rng.random() < setup.explore:
            chosen = turns[rng.integers(len(turns))]
        if len(turns) > 1:
            rows += _rows(position, turns, chosen, number)
        table.play(chosen.turn)
    decisions = np.concatenate(rows) if rows else np.zeros(0, DECISION)
    decisions["outcome"] = np.where(decisions["leads"], table.outcome, -table.outcome)
    return decisions, table.outcome


def _rows(position: Any, turns: Sequence[Any], chosen: Any, number: int) -> list[NDArray[Any]]:
    """The decision; then, where the turn chosen begins with an exchange, what follows it."""
    row = np.zeros(1, DECISION)
    row["deal"] = number
    row["leads"] = position.first != OPP
    row["on_lead"] = position.on_lead
    row["kind"] = kind_of(position, turns[0].turn.close)
    row["talon"] = position.talon
    row["method"] = turns[0].method
    row["chances"] = turns[0].outcomes
    row["features"] = -1
    row["values"] = np.nan
    if not position.drawing:
        return [row]
    row["features"] = features_of(position)
    row["values"] = slot_values(position, turns, exchanged=False)
    if not chosen.turn.exchange:
        return [row]
    after = row.copy()
    after["chances"] = np.nan
    after["features"] = features_of(position, exchanged=True)
    after["values"] = slot_values(position, turns, exchanged=True)
    return [row, after]
