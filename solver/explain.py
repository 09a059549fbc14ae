"""One true sentence on why a turn is recommended, drawn from the numbers of the analysis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .cards import points_of

if TYPE_CHECKING:
    from .analysis import TurnAnalysis

CLOSE_CALL = 0.03  # game points: an enumerated difference below this is called close
EQUAL = 1e-9  # game points: no difference
TWO_ERRORS = 2.0  # an estimated difference within so many standard errors is not settled


def explain(turns: Sequence[TurnAnalysis]) -> str:
    """Say why the first of the ranked turns is best."""
    best = turns[0]
    name = best.turn.text
    if len(turns) == 1:
        return f"{name} is forced: it is the only legal turn."
    if best.turn.close:
        return _closing(best, turns)
    if best.win == 1.0:
        return f"{name} wins {_worlds_named(best)}{_size(best)}{_so_do(_equals(turns))}."
    if all(_always_loses(turn) for turn in turns):
        return f"Every turn loses {_worlds_named(best)}; {_least(turns)}."
    if best.method == "exact" and best.value == turns[-1].value:
        return f"All turns come to the same: {_result(best.value)}."
    return _against_runner_up(best, turns) + _closing_instead(turns)


def _always_loses(turn: TurnAnalysis) -> bool:
    return not any(turn.outcomes[3:])


def _least(turns: Sequence[TurnAnalysis]) -> str:
    """Which of several losing turns loses least, if any does."""
    best = turns[0]
    if best.value - turns[-1].value < EQUAL:
        return f"all lose {abs(best.value):.2f} game points"
    return f"{best.turn.text} loses least ({best.value:+.2f} game points)"


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


def _equals(turns: Sequence[TurnAnalysis]) -> list[TurnAnalysis]:
    """The turns that are certainly as good as the first."""
    return [turn for turn in turns[1:] if abs(turn.loss) < EQUAL and turn.loss_se == 0]


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


def _closing(best: TurnAnalysis, turns: Sequence[TurnAnalysis]) -> str:
    """Against how many hands the closing succeeds, and what leaving the talon open is worth."""
    text = f"With open cards, closing succeeds against {_made(best)} and is worth {best.value:+.2f}"
    other = next((turn for turn in turns if not turn.turn.close), None)
    if other is None:
        return f"{text}."
    error = f" ± {other.se:.2f}" if other.se else ""
    return (
        f"{text}; with the talon left open the best turn, {other.turn.text}, is worth {other.value:+.2f}{error}"
        f"{' (a difference within the error)' if _unsettled(other) else ''}."
    )


def _unsettled(turn: TurnAnalysis) -> bool:
    """Whether the difference to the best turn is within its error."""
    return turn.loss_se > 0 and turn.loss < TWO_ERRORS * turn.loss_se


def _against_runner_up(best: TurnAnalysis, turns: Sequence[TurnAnalysis]) -> str:
    """How far ahead the best turn is, and whether that is settled."""
    equals = _equals(turns)
    if equals:
        text = f"{_listed([best, *equals])} are equally good"
        cheaper = points_of(best.turn.card) < min(points_of(turn.turn.card) for turn in equals)
        return f"{text}; {best.turn.text} gives up the fewest card points." if cheaper else f"{text}."
    second = turns[1]
    error = f" ± {second.loss_se:.2f}" if second.loss_se else ""
    gap = f"{second.loss:.2f}{error} game points" if second.loss >= 0.005 else f"less than 0.01{error} game points"
    if _unsettled(second):
        return f"Too close to call: {best.turn.text} is ahead of {second.turn.text} by {gap}."
    if second.loss < CLOSE_CALL:
        return f"A close choice: {best.turn.text} is ahead of {second.turn.text} by {gap}."
    return f"{best.turn.text} is worth {gap} more than the runner-up, {second.turn.text}."


def _closing_instead(turns: Sequence[TurnAnalysis]) -> str:
    """What the best closing would be worth, where closing is allowed and not recommended."""
    closing = next((turn for turn in turns if turn.turn.close), None)
    if closing is None:
        return ""
    return f" Closing now would succeed against {_made(closing)}, worth {closing.value:+.2f} with open cards."
