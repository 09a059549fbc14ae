"""One decision of a game, judged with what the player knew: every turn he had, and the one he chose."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Any

import numpy as np

from .analysis import analyze
from .effort import DEFAULT_TREE, ENUMERATED_DEALS, OPEN_CARD_DEALS, effort_of
from .evaluation import evaluate
from .marks import Figures, closing_of
from .match import stakes_of
from .turns import code_of
from .workers import memories_for
from .worlds import Worlds

if TYPE_CHECKING:
    from .evaluation import Evaluation
    from .notation import Turn
    from .position import Position
    from .ranking import TurnAnalysis

UNDECLARED_WORLDS = 2_000  # deals over which declaring is compared with not declaring, where there are more


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to do for one decision.

    `iterations` of the tree search while the talon hides much (with less hidden, every possible deal is solved
    anyway), or `time` in seconds. `hands`: closings are judged over at most so many of the opponent's hands.
    """

    iterations: int
    time: float | None = None
    hands: int | None = None
    seed: int = 1

    def to_json(self) -> dict[str, Any]:
        """The effort as a JSON object."""
        return dataclasses.asdict(self)


@dataclass(frozen=True, slots=True)
class Task:
    """A decision to judge."""

    position: Position
    played: Turn
    effort: Effort


@dataclass(frozen=True, slots=True)
class Judgement:
    """A decision judged: `turns` best first, the one played among them. Figures are those of the player to move.

    `forced`: there was one legal turn. `closing`: what he made of his right to close, see `marks`. `method` and
    `worlds` as in an Analysis.
    """

    turns: tuple[TurnAnalysis, ...]
    played: TurnAnalysis
    method: str
    worlds: int
    forced: bool
    mark: str | None
    closing: str | None

    @property
    def best(self) -> TurnAnalysis:
        """The best turn: the one played if none is better."""
        return self.turns[0] if Figures.of(self.played).loss > 0 else self.played

    @property
    def loss(self) -> float:
        """Game points that the turn played loses against the best one."""
        return self.best.value - self.played.value

    @property
    def loss_se(self) -> float:
        """Standard error of the loss."""
        return 0.0 if self.best is self.played else self.played.loss_se

    @property
    def match_loss(self) -> float | None:
        """Chance to win the match that the turn played loses against the best one; None without a score."""
        return 0.0 if self.best is self.played and self.played.match is not None else self.played.match_loss


def judge(task: Task) -> Judgement:
    """Judge a decision, on one thread. Raises ValueError if the turn is not legal in the position."""
    position, effort = task.position, task.effort
    method = DEFAULT_TREE if position.drawing and Worlds.of(position).count > OPEN_CARD_DEALS else None
    by_number: dict[str, Any] = {"worlds": max(effort.iterations, ENUMERATED_DEALS), "method": method}
    analysis = analyze(
        position,
        seed=effort.seed,
        jobs=1,
        hands=effort.hands,
        **({"time": effort.time} if effort.time else by_number),
    )
    turns = analysis.turns
    played = next((turn for turn in turns if turn.turn == task.played), None)
    if played is None:
        played = _undeclared(task, turns)
        turns = tuple(sorted((*turns, played), key=lambda turn: Figures.of(turn).loss))
    forced = len(turns) == 1
    return Judgement(
        turns=turns,
        played=played,
        method=analysis.method,
        worlds=analysis.worlds,
        forced=forced,
        mark=None if forced else Figures.of(played).mark,
        closing=closing_of(turns, played),
    )


def _undeclared(task: Task, turns: tuple[TurnAnalysis, ...]) -> TurnAnalysis:
    """Judge a marriage that was led without declaring it, which an analysis leaves out.

    The same card declared has been judged; with open cards it is found, deal by deal, what not declaring changes, and
    that is added.
    """
    position, turn = task.position, task.played
    declared = next(
        (known for known in turns if dataclasses.replace(known.turn, value=0) == turn and known.turn.declared), None
    )
    if declared is None:
        raise ValueError(f"{turn.text} is not legal in {position.text}")
    codes = np.array([code_of(declared.turn), code_of(turn)], np.int64)
    space = Worlds.of(position, hands_only=turn.close)
    effort = effort_of(UNDECLARED_WORLDS, None, None, task.effort.seed, 1, None, False)
    pair = evaluate(memories_for(position.rules), space, codes, effort, lambda _: None)
    return _changed(position, declared, turn, pair)


def _changed(position: Position, declared: TurnAnalysis, turn: Turn, pair: Evaluation) -> TurnAnalysis:
    """The declared lead's figures, with what `pair` (declared, not declared) tells of the change."""
    change = pair.mean(1) - pair.mean(0)
    shift = pair.shares(1) - pair.shares(0)
    shares = np.clip(np.array(declared.outcomes) + shift, 0.0, None)
    shares /= shares.sum()
    error = pair.error_of_difference(0, 1)
    changed = dataclasses.replace(
        declared,
        turn=turn,
        value=declared.value + change,
        se=hypot(declared.se, error),
        win=float(shares[4:].sum()),
        outcomes=tuple(map(float, shares)),
        loss=declared.loss - change,
        loss_se=hypot(declared.loss_se, error),
    )
    stakes = stakes_of(position)
    if stakes is None or declared.match is None:
        return changed
    of_match = stakes.mean(shift)
    error_of_match = pair.error_of_worth(0, 1, stakes.chances, stakes.point)
    return dataclasses.replace(
        changed,
        match=declared.match + of_match,
        match_se=hypot(declared.match_se or 0.0, error_of_match),
        match_loss=(declared.match_loss or 0.0) - of_match,
        match_loss_se=hypot(declared.match_loss_se or 0.0, error_of_match),
    )
