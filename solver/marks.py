"""What a loss is called: inaccuracy, mistake, blunder; and what a closing, made or left out, comes to.

All thresholds of the review stand here. An estimated loss within two standard errors gets no mark: it may be nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .explain import TWO_ERRORS

if TYPE_CHECKING:
    from .ranking import TurnAnalysis

MARKS: Final = ("inaccuracy", "mistake", "blunder")
"""The marks, the mildest first."""

RIGHT, WRONG, MISSED, CLOSE_CALL = "right", "wrong", "missed", "close call"
CLOSINGS: Final = (RIGHT, WRONG, MISSED, CLOSE_CALL)
"""What a closing can be: made and better than any open turn, made and worse, left out though better, or undecided."""


@dataclass(frozen=True, slots=True)
class Scale:
    """From which loss on each of `MARKS` is given, in one unit."""

    inaccuracy: float
    mistake: float
    blunder: float

    def mark(self, loss: float, error: float) -> str | None:
        """The mark of a loss with this standard error; None if it is small, or within the error."""
        if loss <= TWO_ERRORS * error:
            return None
        steps = zip(MARKS, (self.inaccuracy, self.mistake, self.blunder), strict=True)
        return next((mark for mark, least in reversed(list(steps)) if loss >= least), None)


GAME_POINTS: Final = Scale(0.10, 0.25, 0.60)
"""In game points, of which a deal is worth 1 to 3."""

MATCH_CHANCE: Final = Scale(0.01, 0.025, 0.06)
"""In the chance to win the match, of which a game point is about a tenth in a match to 7 or 11 points."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a turn loses in the unit it is judged by, game points or the chance to win the match."""

    loss: float
    error: float
    scale: Scale

    @classmethod
    def of(cls, turn: TurnAnalysis) -> Figures:
        """The figures of an analysed turn: the match if there is a score, else game points."""
        if turn.match_loss is None or turn.match_loss_se is None:
            return cls(turn.loss, turn.loss_se, GAME_POINTS)
        return cls(turn.match_loss, turn.match_loss_se, MATCH_CHANCE)

    @property
    def mark(self) -> str | None:
        """What the loss is called."""
        return self.scale.mark(self.loss, self.error)


def closing_of(turns: Sequence[TurnAnalysis], played: TurnAnalysis) -> str | None:
    """What a player made of his right to close; None if he had none, or left the talon open where that is better.

    The best closing stands against the best turn that leaves the talon open, whatever cards they play. `turns` are
    ranked, the best first.
    """
    closing = next((turn for turn in turns if turn.turn.close), None)
    other = next((turn for turn in turns if not turn.turn.close), None)
    if closing is None or other is None:
        return None
    one, two = Figures.of(closing), Figures.of(other)
    # One of the two is the best turn of all, so the other's loss against it is what lies between them.
    worse = max(one, two, key=lambda figures: figures.loss)
    if worse.mark is None:
        return CLOSE_CALL
    if one.loss < two.loss:
        return RIGHT if played.turn.close else MISSED
    return WRONG if played.turn.close else None
