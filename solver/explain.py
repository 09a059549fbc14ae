"""One true sentence on why a turn is recommended, drawn from the numbers of the analysis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .cards import points_of
from .ranking import best_for_points

if TYPE_CHECKING:
    from .match import Stakes
    from .ranking import TurnAnalysis

EQUAL = 1e-9  # game points or chances: no difference
TWO_ERRORS = 2.0  # an estimated difference within so many standard errors is not settled


@dataclass(frozen=True, slots=True)
class _Points:
    """Turns measured by game points: their worth and what they lose by it, in numbers and in words."""

    close_call = 0.03  # an enumerated difference below this is called close

    def value(self, turn: TurnAnalysis) -> float:
        return turn.value

    def loss(self, turn: TurnAnalysis) -> tuple[float, float]:
        """What a turn loses, and the standard error of that."""
        return turn.loss, turn.loss_se

    def worth(self, turn: TurnAnalysis) -> str:
        return f"worth {turn.value:+.2f}"

    def error(self, turn: TurnAnalysis) -> str:
        return f" ± {turn.se:.2f}" if turn.se else ""

    def gap(self, turn: TurnAnalysis) -> str:
        error = f" ± {turn.loss_se:.2f}" if turn.loss_se else ""
        return f"{turn.loss:.2f}{error} game points" if turn.loss >= 0.005 else f"less than 0.01{error} game points"

    def least(self, turn: TurnAnalysis) -> str:
        return f"{turn.turn.text} loses least ({turn.value:+.2f} game points)"

    def all_lose(self, turn: TurnAnalysis) -> str:
        return f"all lose {abs(turn.value):.2f} game points"


@dataclass(frozen=True, slots=True)
class _Match:
    """Turns measured by the chance to win the match."""

    close_call = 0.005

    def value(self, turn: TurnAnalysis) -> float:
        return turn.match or 0.0

    def loss(self, turn: TurnAnalysis) -> tuple[float, float]:
        return turn.match_loss or 0.0, turn.match_loss_se or 0.0

    def worth(self, turn: TurnAnalysis) -> str:
        return f"worth a match-winning chance of {self.value(turn):.1%}"

    def error(self, turn: TurnAnalysis) -> str:
        return f" ± {turn.match_se:.1%}" if turn.match_se else ""

    def gap(self, turn: TurnAnalysis) -> str:
        loss, loss_se = self.loss(turn)
        error = f" ± {loss_se:.1%}" if loss_se else ""
        return f"{f'{loss:.1%}' if loss >= 0.0005 else 'less than 0.1%'}{error} of match-winning chances"

    def least(self, turn: TurnAnalysis) -> str:
        return f"{turn.turn.text} keeps the best chance to win the match, {self.value(turn):.1%}"

    def all_lose(self, turn: TurnAnalysis) -> str:
        return f"all leave a chance of {self.value(turn):.1%} to win the match"


_Measure = _Points | _Match


def explain(turns: Sequence[TurnAnalysis], aim: Stakes | None = None) -> str:
    """Say why the first of the ranked turns is best: for game points, or at a score (`aim`) for the match."""
    text = _reason(turns, _Points() if aim is None else _Match())
    return text if aim is None else text + _otherwise(turns, aim.score)


def _reason(turns: Sequence[TurnAnalysis], measure: _Measure) -> str:
    best = turns[0]
    name = best.turn.text
    if len(turns) == 1:
        return f"{name} is forced: it is the only legal turn."
    if best.turn.close:
        return _closing(best, turns, measure)
    if best.win == 1.0:
        return f"{name} wins {_worlds_named(best)}{_size(best)}{_so_do(_equals(turns, measure))}."
    if all(_always_loses(turn) for turn in turns):
        return f"Every turn loses {_worlds_named(best)}; {_least(turns, measure)}."
    if best.method == "exact" and all(turn.value == best.value for turn in turns):
        return f"All turns come to the same: {_result(best.value)}."
    return _against_runner_up(best, turns, measure) + _closing_instead(turns, measure)


def _otherwise(turns: Sequence[TurnAnalysis], score: tuple[int, int]) -> str:
    """Which turn would be best if the score did not matter, where that is another one."""
    best = turns[0]
    other = best_for_points(turns)
    if other is best or other.loss > -EQUAL:
        return ""
    noise = any(_unsettled(other, measure) for measure in (_Points(), _Match()))
    return (
        f" For game points alone {other.turn.text} would be best, {other.value:+.2f} against {best.value:+.2f}; at "
        f"{score[0]}-{score[1]} {best.turn.text} wins the match more often, {_Match().value(best):.1%} against "
        f"{_Match().value(other):.1%}{' (a difference within the error)' if noise else ''}."
    )


def _always_loses(turn: TurnAnalysis) -> bool:
    return not any(turn.outcomes[3:])


def _least(turns: Sequence[TurnAnalysis], measure: _Measure) -> str:
    """Which of several losing turns loses least, if any does."""
    best = turns[0]
    if measure.value(best) - measure.value(turns[-1]) < EQUAL:
        return measure.all_lose(best)
    return measure.least(best)


def _worlds_named(turn: TurnAnalysis) -> str:
    """The worlds of a turn in words, with what is assumed in them."""
    if turn.method == "exact":
        return "with best play on both sides"
    if turn.method == "enumerated":
        where = "against every possible hand" if turn.world == "hand" else "in every possible deal"
        return f"{where}, with open cards"
    if turn.method == "sampled":
        return f"in all {turn.worlds} {turn.world}s sampled, with open cards"
    if turn.method == "equilibrium":
        return "in every possible deal, against play at equilibrium"
    return f"in all {turn.worlds} deals played"


def _size(turn: TurnAnalysis) -> str:
    """How big a sure win is."""
    for points in (1, 2, 3):
        if turn.outcomes[points + 3] == 1.0:
            return f", always {_points(points)}"
    return f", {turn.value:.2f} game points on average"


def _equals(turns: Sequence[TurnAnalysis], measure: _Measure) -> list[TurnAnalysis]:
    """The turns that are certainly as good as the first; for the match in game points too, which decide ties."""
    return [turn for turn in turns[1:] if _level(turn, measure) and _level(turn, _Points())]


def _level(turn: TurnAnalysis, measure: _Measure) -> bool:
    """Whether a turn certainly loses nothing by a measure."""
    loss, error = measure.loss(turn)
    return abs(loss) < EQUAL and error == 0


def _listed(turns: Sequence[TurnAnalysis]) -> str:
    """Turns in words: "Ah, Kh and 2 more"."""
    names = [turn.turn.text for turn in turns]
    if len(names) > 4:
        names = [*names[:3], f"{len(names) - 3} more"]
    return names[0] if len(names) == 1 else f"{'; '.join(names[:-1])} and {names[-1]}"


def _so_do(equals: Sequence[TurnAnalysis]) -> str:
    if not equals:
        return ""
    return f"; so {'does' if len(equals) == 1 else 'do'} {_listed(equals)}"


def _points(n: int) -> str:
    return f"{n} game point" if abs(n) == 1 else f"{n} game points"


def _result(value: float) -> str:
    if value == 0:
        return "nobody wins"
    return f"a {'win' if value > 0 else 'loss'} of {_points(abs(int(value)))} with best play"


def _made(turn: TurnAnalysis) -> str:
    """Against how many hands a closing succeeds."""
    if turn.method == "sampled":
        return f"{turn.win:.0%} of {turn.worlds} sampled {turn.world}s"
    made = round(turn.win * turn.worlds)
    if made == turn.worlds:
        return f"all {made} possible {turn.world}s"
    return f"{made} of {turn.worlds} possible {turn.world}s ({turn.win:.0%})"


def _closing(best: TurnAnalysis, turns: Sequence[TurnAnalysis], measure: _Measure) -> str:
    """Against how many hands the closing succeeds, and what leaving the talon open is worth."""
    other = next((turn for turn in turns if not turn.turn.close), None)
    level = other is not None and isinstance(measure, _Match) and _level(other, measure)
    if level:
        measure = _Points()
    text = f"With open cards, closing succeeds against {_made(best)} and is {measure.worth(best)}"
    if other is None:
        return f"{text}."
    note = " (a difference within the error)" if _unsettled(other, measure) else ""
    return (
        f"{text}; with the talon left open the best turn, {other.turn.text}, {'wins the match as often but ' * level}"
        f"is {measure.worth(other)}{measure.error(other)}{note}."
    )


def _unsettled(turn: TurnAnalysis, measure: _Measure) -> bool:
    """Whether the difference to the best turn is within its error."""
    loss, error = measure.loss(turn)
    return error > 0 and abs(loss) < TWO_ERRORS * error


def _against_runner_up(best: TurnAnalysis, turns: Sequence[TurnAnalysis], measure: _Measure) -> str:
    """How far ahead the best turn is, and whether that is settled."""
    equals = _equals(turns, measure)
    if equals:
        text = f"{_listed([best, *equals])} are equally good"
        cheaper = points_of(best.turn.card) < min(points_of(turn.turn.card) for turn in equals)
        return f"{text}; {best.turn.text} gives up the fewest card points." if cheaper else f"{text}."
    second = turns[1]
    if isinstance(measure, _Match) and _level(second, measure):
        return f"{best.turn.text} and {second.turn.text} win the match equally often; {_ahead(best, second, _Points())}"
    text = _ahead(best, second, measure)
    return f"{text[:1].upper()}{text[1:]}"


def _ahead(best: TurnAnalysis, second: TurnAnalysis, measure: _Measure) -> str:
    """How far a turn is ahead of the next one by a measure."""
    gap, loss = measure.gap(second), measure.loss(second)[0]
    if _unsettled(second, measure):
        return f"too close to call: {best.turn.text} is ahead of {second.turn.text} by {gap}."
    if loss < measure.close_call:
        return f"a close choice: {best.turn.text} is ahead of {second.turn.text} by {gap}."
    return f"{best.turn.text} is worth {gap} more than the runner-up, {second.turn.text}."


def _closing_instead(turns: Sequence[TurnAnalysis], measure: _Measure) -> str:
    """What the best closing would be worth, where closing is allowed and not recommended."""
    closing = next((turn for turn in turns if turn.turn.close), None)
    if closing is None:
        return ""
    return f" Closing now would succeed against {_made(closing)}, {measure.worth(closing)} with open cards."
