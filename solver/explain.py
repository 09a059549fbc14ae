"""One true sentence on why a turn is recommended, drawn from the numbers of the analysis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .analysis import TurnAnalysis
    from .position import Position

CLOSE_CALL = 0.03  # game points: an enumerated difference below this is called close
EQUAL = 1e-9  # game points: no difference
TWO_ERRORS = 2.0  # a sampled difference within so many standard errors is not settled


def explain(position: Position, turns: Sequence[TurnAnalysis]) -> str:
    """Say why the first of the ranked turns is best."""
    best = turns[0]
    name = best.turn.pretty
    if len(turns) == 1:
        return f"{name} is forced: it is the only legal turn."
    if best.turn.close:
        return _closing(best, turns)
    what = _worlds_named(position, best)
    if best.win == 1.0:
        return f"{name} wins {what}{_size(best)}{_so_do(_equals(turns))}."
    if sum(best.outcomes[:3]) == 1.0:
        return f"Every turn loses {what}; {name} loses least ({best.value:+.2f} game points)."
    if best.method == "exact" and best.value == turns[-1].value:
        return f"All turns come to the same: {_result(best.value)}."
    return _against_runner_up(best, turns) + _closing_instead(best, turns)


def _worlds_named(position: Position, turn: TurnAnalysis) -> str:
    """The worlds of a turn in words: "against every possible hand"."""
    if turn.method == "exact":
        return "with best play on both sides"
    hands = position.closed is not None or turn.turn.close
    if turn.method == "enumerated":
        return "against every possible hand" if hands else "in every possible deal, with open cards"
    return f"in all {turn.worlds} deals sampled, with open cards"


def _size(turn: TurnAnalysis) -> str:
    """How big a sure win is."""
    for points in (1, 2, 3):
        if turn.outcomes[points + 3] == 1.0:
            return f", always {_points(points)}"
    return f", {turn.value:.2f} game points on average"


def _equals(turns: Sequence[TurnAnalysis]) -> list[TurnAnalysis]:
    """The turns that are certainly as good as the first."""
    return [turn for turn in turns[1:] if abs(turn.loss) < EQUAL and turn.loss_se == 0]


def _listed(turns: Sequence[TurnAnalysis]) -> str:
    """Turns in words: "Ah, Kh and 2 more"."""
    names = [turn.turn.pretty for turn in turns]
    if len(names) > 4:
        names = [*names[:3], f"{len(names) - 3} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


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


def _closing(best: TurnAnalysis, turns: Sequence[TurnAnalysis]) -> str:
    """Against how many hands the closing succeeds, and what leaving the talon open is worth."""
    made = round(best.win * best.worlds)
    if best.method == "sampled":
        text = f"Closing succeeds against {best.win:.0%} of {best.worlds} sampled hands"
    elif made == best.worlds:
        text = f"Closing succeeds against {'all' if made > 1 else 'the only'} {made} possible hand{'s' * (made > 1)}"
    else:
        text = f"Closing succeeds against {made} of {best.worlds} possible hands ({best.win:.0%})"
    open_turns = [turn for turn in turns if not turn.turn.close]
    if not open_turns:
        return text + "."
    other = open_turns[0]
    error = f" ± {other.se:.2f}" if other.se else ""
    return (
        f"{text} and is worth {best.value:+.2f}; with the talon left open the best turn, {other.turn.pretty}, "
        f"is worth {other.value:+.2f}{error}{_unsettled(other)}."
    )


def _unsettled(other: TurnAnalysis) -> str:
    return " (a difference within the error)" if other.loss_se and other.loss < TWO_ERRORS * other.loss_se else ""


def _against_runner_up(best: TurnAnalysis, turns: Sequence[TurnAnalysis]) -> str:
    """How far ahead the best turn is, and whether that is settled."""
    equals = _equals(turns)
    if equals:
        return f"{_listed([best, *equals])} are equally good; {best.turn.pretty} gives up the fewest card points."
    second = turns[1]
    error = f" ± {second.loss_se:.2f}" if second.loss_se else ""
    gap = f"{second.loss:.2f}{error} game points"
    if second.loss_se and second.loss < TWO_ERRORS * second.loss_se:
        return f"Too close to call: {best.turn.pretty} is ahead of {second.turn.pretty} by {gap}."
    if second.loss < CLOSE_CALL:
        return f"A close choice: {best.turn.pretty} is ahead of {second.turn.pretty} by {gap}."
    return f"{best.turn.pretty} is worth {gap} more than the runner-up, {second.turn.pretty}."


def _closing_instead(best: TurnAnalysis, turns: Sequence[TurnAnalysis]) -> str:
    """What the best closing would be worth, where closing is allowed and not recommended."""
    closing = next((turn for turn in turns if turn.turn.close), None)
    if closing is None:
        return ""
    return f" Closing now would succeed against {closing.win:.0%} of the hands, worth {closing.value:+.2f}."
