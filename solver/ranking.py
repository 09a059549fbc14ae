"""Turns ranked: by game points, or at a score by the chance to win the match; what each costs against the first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from .equilibrium import EquilibriumEvaluation
from .evaluation import Evaluation
from .match import Floats, Stakes
from .outcomes import OUTCOMES
from .turns import order_of, turn_of
from .worlds import Ints

if TYPE_CHECKING:
    from .notation import Turn
    from .position import Position


class Judged(Protocol):
    """Some turns with the outcomes that each led to in some worlds, for the player to move."""

    @property
    def codes(self) -> Ints:
        """The turns."""

    @property
    def method(self) -> str:
        """How they were judged."""

    @property
    def world(self) -> str:
        """What a world is: deal or hand."""

    @property
    def corrected(self) -> bool:
        """Whether the chances are corrected by what self-play showed of such judgements."""

    def worlds_of(self, turn: int) -> int:
        """Worlds in which a turn was judged."""

    def mean(self, turn: int) -> float:
        """Expected game points."""

    def shares(self, turn: int) -> Floats:
        """Chances of the outcomes -3 to 3."""

    def error(self, turn: int) -> float:
        """Standard error of the mean."""


@dataclass(frozen=True, slots=True)
class TurnAnalysis:
    """One legal turn. Game points and chances are those of the player to move.

    `value` is the expected game points, `se` its standard error (0 only where every world was solved), `win` the chance
    of a positive outcome, `outcomes` the chances of -3 to 3. `loss` is what the turn costs in game points against the
    recommended one, and `loss_se` the standard error of that difference. `worlds`: deals or opponent's hands judged, as
    `world` says.

    Where the match score is known, `match` is the chance to win the match, with `match_se` (of the deals judged; the
    match table's own error is not in it), and `match_loss` what the turn costs of it against the recommended one, with
    `match_loss_se`. The recommended turn is the best by one of the two, so the loss by the other may be negative.

    `policy`: how often the turn should be made, where an equilibrium says so. `corrected`: whether the chances are
    corrected by what self-play showed of such judgements. `win_in_play`: for chances by open cards, which are not
    corrected, how often such deals were won in self-play.
    """

    turn: Turn
    value: float
    se: float
    win: float
    outcomes: tuple[float, ...]
    method: str
    worlds: int
    world: str
    loss: float
    loss_se: float
    match: float | None = None
    match_se: float | None = None
    match_loss: float | None = None
    match_loss_se: float | None = None
    policy: float | None = None
    corrected: bool = False
    win_in_play: float | None = None

    def to_json(self) -> dict[str, Any]:
        names = ("match", "match_se", "match_loss", "match_loss_se")
        of_match = {} if self.match is None else {name: round(getattr(self, name), 6) for name in names}
        policy = {} if self.policy is None else {"policy": round(self.policy, 6)}
        return {
            "turn": self.turn.text,
            "value": round(self.value, 6),
            "se": round(self.se, 6),
            "win": round(self.win, 6),
            "method": self.method,
            "worlds": self.worlds,
            "loss": round(self.loss, 6),
            "loss_se": round(self.loss_se, 6),
            **of_match,
            **policy,
            **({"corrected": True} if self.corrected else {}),
            **({} if self.win_in_play is None else {"win_in_play": round(self.win_in_play, 6)}),
            "outcomes": {str(k): round(p, 6) for k, p in zip(OUTCOMES, self.outcomes, strict=True)},
        }


def ranked(
    position: Position, judged: Sequence[Judged], stakes: Stakes | None, by_points: bool
) -> tuple[TurnAnalysis, ...]:
    """All turns as analyses, best first; at a score by the chance to win the match, unless `by_points`."""
    columns = [_Column.of(evaluation, i, stakes) for evaluation in judged for i in range(len(evaluation.codes))]
    turns = [turn_of(int(column.code), position.trump) for column in columns]

    def key(j: int) -> tuple[Any, ...]:
        match = None if by_points else columns[j].match
        return (-round(match or 0.0, 9), -round(columns[j].value, 9), order_of(turns[j]))

    first, *rest = sorted(range(len(turns)), key=key)
    policies = _policies(columns)
    return tuple(columns[j].against(columns[first], turns[j], policies[j]) for j in (first, *rest))


def _policies(columns: Sequence[_Column]) -> list[float | None]:
    """How often each turn should be made, where the last evaluation is an equilibrium: of the closings the best one."""
    main = columns[-1].evaluation
    if not isinstance(main, EquilibriumEvaluation):
        return [None] * len(columns)
    policies: list[float | None] = [main.policy(one.i) if one.evaluation is main else 0.0 for one in columns]
    closings = [j for j, one in enumerate(columns) if one.evaluation is not main]
    if closings:
        policies[max(closings, key=lambda j: columns[j].value)] = main.closing
    return policies


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """A turn's place in an evaluation, its figures there, and what the deal is worth in the match."""

    evaluation: Judged
    i: int
    stakes: Stakes | None
    shares: Floats
    value: float
    error: float

    @classmethod
    def of(cls, evaluation: Judged, i: int, stakes: Stakes | None) -> _Column:
        return cls(evaluation, i, stakes, evaluation.shares(i), evaluation.mean(i), evaluation.error(i))

    @property
    def code(self) -> int:
        return int(self.evaluation.codes[self.i])

    @property
    def match(self) -> float | None:
        return None if self.stakes is None else self.stakes.mean(self.shares)

    def against(self, best: _Column, turn: Turn, policy: float | None) -> TurnAnalysis:
        """The turn in figures, with what it loses against the best one."""
        evaluation, shares = self.evaluation, self.shares
        return TurnAnalysis(
            turn=turn,
            value=self.value,
            se=self.error,
            win=float(shares[4:].sum()) if shares[:4].any() else 1.0,
            outcomes=tuple(shares.tolist()),
            method=evaluation.method,
            worlds=evaluation.worlds_of(self.i),
            world=evaluation.world,
            loss=best.value - self.value,
            loss_se=0.0 if self is best else self._error_of_difference(best),
            policy=policy,
            corrected=evaluation.corrected,
            **self._match_figures(best),
        )

    def _error_of_difference(self, best: _Column) -> float:
        """Standard error of the difference of two means: world by world where the worlds are the same."""
        if self.evaluation is best.evaluation and isinstance(self.evaluation, Evaluation):
            return self.evaluation.error_of_difference(best.i, self.i)
        return math.hypot(self.error, best.error)

    def _match_figures(self, best: _Column) -> dict[str, float]:
        if self.stakes is None or self.match is None or best.match is None:
            return {}
        error = self.match_error
        if self is best:
            difference = 0.0
        elif self.evaluation is best.evaluation and isinstance(self.evaluation, Evaluation):
            difference = self.evaluation.error_of_worth(best.i, self.i, self.stakes.chances, self.stakes.point)
        else:
            difference = math.hypot(error, best.match_error)
        return {
            "match": self.match,
            "match_se": error,
            "match_loss": best.match - self.match,
            "match_loss_se": difference,
        }

    @property
    def match_error(self) -> float:
        """Standard error of the chance to win the match."""
        assert self.stakes is not None
        return self.stakes.error(self.shares, self.evaluation.worlds_of(self.i), self.error)


def best_for_points(turns: Sequence[TurnAnalysis]) -> TurnAnalysis:
    """The turn of most game points; of several the one that stands first."""
    return max(turns, key=lambda turn: round(turn.value, 9))
