"""What a player should do, from what he knows: every legal turn judged over the deals that are possible.

A deal that is possible is a *world*. Where the talon hides much, turns are judged by a tree search that grants nobody
sight of hidden cards (`hidden.py`). Else each turn is valued in every world, or in a sample, with both hands open,
exactly, and averaged (`evaluation.py`): the truth where nothing is hidden, an approximation elsewhere. The last open
trick can be solved as the game it is, hidden cards and all (`equilibrium.py`). A turn that closes the talon needs the
opponent's possible hands only, so it is judged over those, at any stage of the deal.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .calibration import Corrected, corrected, won_in_play
from .effort import Effort, EffortError, check_count, effort_of
from .equilibrium import EquilibriumEvaluation, judge
from .evaluation import Evaluation, evaluate
from .explain import explain
from .hidden import GAME_POINTS, TreeEvaluation, search
from .kernel.layout import TURN_CLOSE, TURN_DECLARED
from .lasttrick import LAST_TALON, at_last_trick
from .match import Stakes, stakes_of
from .ranking import TurnAnalysis, best_for_points, ranked
from .stages import kind_of, stage_of
from .turns import code_of, legal_turns, turn_of
from .workers import load_kernel, memories_for, solve_states
from .worlds import Ints, Worlds

if TYPE_CHECKING:
    from .notation import Turn
    from .position import Position

AnyEvaluation = Evaluation | TreeEvaluation | EquilibriumEvaluation | Corrected

LEAST_SECONDS = 0.001  # for a part of the turns, however long the others took
REPLY_WORLDS = 100  # worlds in which the expected reply is looked up


@dataclass(frozen=True, slots=True)
class ExpectedReply:
    """The opponent's likeliest answer to the recommended turn, and in which share of the worlds he gives it."""

    turn: Turn
    share: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """A position judged: every legal turn, best first. `explanation` says in a sentence why the first one is best.

    `stakes` is what the deal is worth in the match, None without a score. With one, turns are ranked by the chance to
    win the match, and by game points where that is the same, unless `by_points`. `gap`: where the method is an
    equilibrium, how far from it the strategies found are, in game points a deal.
    """

    position: Position
    method: str
    worlds: int
    seed: int
    seconds: float
    turns: tuple[TurnAnalysis, ...]
    expected_reply: ExpectedReply | None
    explanation: str
    stakes: Stakes | None = None
    by_points: bool = False
    gap: float | None = None

    @property
    def best(self) -> TurnAnalysis:
        """The recommended turn."""
        return self.turns[0]

    @property
    def by_match(self) -> bool:
        """Whether turns are ranked by the chance to win the match."""
        return self.stakes is not None and not self.by_points

    @property
    def best_for_points(self) -> TurnAnalysis:
        """The turn of most game points, whatever the score; the recommended one if it is as good."""
        return best_for_points(self.turns)

    def to_json(self) -> dict[str, Any]:
        """The analysis as a JSON object."""
        reply = self.expected_reply
        gap = {} if self.gap is None else {"gap": round(self.gap, 6)}
        return {
            "position": self.position.text,
            "rules": self.position.rules.text,
            "to_move": "lead" if self.position.on_lead else "follow",
            "method": self.method,
            "worlds": self.worlds,
            "seed": self.seed,
            "seconds": round(self.seconds, 3),
            **gap,
            "best": self.best.turn.text,
            "reply": None if reply is None else {"turn": reply.turn.text, "share": round(reply.share, 4)},
            "explanation": self.explanation,
            **self._match_json(),
            "turns": [turn.to_json() for turn in self.turns],
        }

    def _match_json(self) -> dict[str, Any]:
        if self.stakes is None:
            return {}
        return {
            "score": list(self.stakes.score),
            "judged_by": "match" if self.by_match else "points",
            "best_for_points": self.best_for_points.turn.text,
            "stakes": self.stakes.to_json(),
        }


def analyze(
    position: Position,
    *,
    worlds: int | None = None,
    time: float | None = None,
    precision: float | None = None,
    seed: int = 1,
    jobs: int | None = None,
    method: str | None = None,
    exact: bool = False,
    all_leads: bool = False,
    by_points: bool = False,
    hands: int | None = None,
    iterations: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Analysis:
    """Judge every legal turn of a position.

    The effort ends at the first of: `worlds` deals solved, `time` seconds, a standard error of the best turn of at most
    `precision` game points; `time` is two seconds unless it, `worlds` or `iterations` is given. Turns that close the
    talon are judged over the opponent's hands, all of them if they are not more than 15 000, whatever `worlds` says, or
    a sample of `hands` of them.

    While the talon hides more than a hundred deals, the others are judged by a tree search over what the player sees,
    guided by a network, method "guided" (`iterations` limits it instead of the time), unless `worlds`, `precision`,
    `all_leads` or another method is given: "sampled" solves deals with open cards and never enumerates; `exact` (or
    "enumerated") solves every possible deal; with "guided" and "ismcts", the same without a network, `worlds` are
    iterations, at least so many that every turn is tried.

    With none of these options the chances of a tree search are corrected by how often such statements came true in
    self-play, where that was measured, and for those by open cards it is told beside (`calibration.py`).

    If the position names the match score, turns are judged by the chance to win the match (`match.py`), unless
    `by_points`: then by game points, as without a score.

    With two cards left to draw the open turns are judged at equilibrium, method "equilibrium", if `time` is at least
    a second (the default is two) and neither `worlds` nor `precision` nor another method is given, or if asked for. It
    counts every deal, whatever `seed` says, takes about a second of one core at most, and uses what is left of `time`.

    A king or queen led without declaring a marriage that could be declared is left out, as it is never better with
    open cards, unless `all_leads`; at equilibrium it is listed. `progress` is called with the fraction done. The answer
    depends on `seed`, `worlds` and `iterations`, not on `jobs` (threads; default one a core).

    Raises EffortError for an effort out of range, options that exclude each other, more than two million deals for
    `exact`, or an equilibrium asked for at another stage.
    """
    effort = effort_of(worlds, time, precision, seed, jobs, method, exact, all_leads, iterations)
    if method == "equilibrium":
        _check_last_trick(position)
    if effort.everything:
        check_count(Worlds.of(position).count)
    load_kernel()
    start = perf_counter()
    stakes = stakes_of(position)
    aim = None if by_points else stakes
    judged = _judge(position, dataclasses.replace(effort, hands=hands), all_leads, aim, progress)
    turns = ranked(position, judged, stakes, by_points)
    if effort.correcting:
        turns = tuple(_with_play(position, turn) for turn in turns)
    main = judged[-1]
    source = next(evaluation for evaluation in judged if code_of(turns[0].turn) in evaluation.codes)
    return Analysis(
        position=position,
        method=main.method,
        worlds=main.worlds,
        seed=seed,
        seconds=perf_counter() - start,
        turns=turns,
        expected_reply=_expected_reply(position, source, turns[0].turn),
        explanation=explain(turns, aim),
        stakes=stakes,
        by_points=by_points,
        gap=main.gap if isinstance(main, EquilibriumEvaluation) else None,
    )


def _with_play(position: Position, judged: TurnAnalysis) -> TurnAnalysis:
    """The turn with what self-play showed of such chances by open cards."""
    stage = stage_of(kind_of(position, judged.turn.close), position.talon)
    won = won_in_play(position.rules.preset, stage, judged.method, judged.outcomes)
    return dataclasses.replace(judged, win_in_play=won)


def _check_last_trick(position: Position) -> None:
    """Raise EffortError unless two cards are left to draw."""
    if not position.drawing or position.talon != LAST_TALON:
        here = f"has {position.talon}" if position.drawing else "is closed" if position.talon else "is gone"
        raise EffortError(f"method: equilibrium is for an open talon of two cards; this one {here}")


def best_turn(position: Position, **effort: Any) -> Turn:
    """The turn that `analyze` would recommend; for the options see `ranked_turns`."""
    return ranked_turns(position, **effort)[0].turn


def ranked_turns(
    position: Position,
    *,
    worlds: int | None = None,
    time: float | None = None,
    seed: int = 1,
    method: str | None = None,
    hands: int | None = None,
    iterations: int | None = None,
    by_points: bool = False,
    correcting: bool = True,
) -> tuple[TurnAnalysis, ...]:
    """The turns as `analyze` ranks them, found on one thread and with no work beside: for games.

    `hands`: closings are judged over at most so many of the opponent's hands. `correcting`: whether chances are
    corrected where `analyze` would. Raises EffortError for an effort out of range.
    """
    effort = effort_of(worlds, time, None, seed, 1, method, False, iterations=iterations)
    effort = dataclasses.replace(effort, hands=hands, correcting=correcting and effort.correcting)
    load_kernel()
    stakes = None if by_points else stakes_of(position)
    judged = _judge(position, effort, False, stakes, None)
    return ranked(position, judged, stakes, by_points)


def _judge(
    position: Position,
    effort: Effort,
    all_leads: bool,
    aim: Stakes | None,
    progress: Callable[[float], None] | None,
) -> list[AnyEvaluation]:
    """Evaluate the turns that close now (if any), then the others; the last evaluation stands for the answer.

    `aim`: the match to be won, None to play for game points.
    """
    parts = _parts(position, effort, all_leads)
    start = perf_counter()
    judged: list[AnyEvaluation] = []
    for i, (part, space) in enumerate(parts):
        left = effort.seconds and max(effort.seconds - (perf_counter() - start), LEAST_SECONDS)
        share = dataclasses.replace(effort, seconds=left and left / (len(parts) - i))

        def report(fraction: float, done: int = i) -> None:
            if progress:
                progress((done + fraction) / len(parts))

        evaluation = _evaluate_part(position, space, part, share, aim, report)
        if effort.correcting:
            closes = bool(part[0] & TURN_CLOSE)
            stage = stage_of(kind_of(position, closes), position.talon)
            evaluation = corrected(evaluation, position.rules.preset, stage)
        judged.append(evaluation)
    return judged


def _parts(position: Position, effort: Effort, all_leads: bool) -> list[tuple[Ints, Worlds]]:
    """The turns to be judged, those that close apart, and the worlds to judge them in."""
    codes = legal_turns(memories_for(position.rules).rules, np.array(position.state_template(), np.int64))
    closing = codes & TURN_CLOSE != 0
    if not all_leads:
        hiding = ~closing & _at_equilibrium(position, effort)  # there it may pay not to show a marriage
        kept = hiding | ~_dominated(codes)
        codes, closing = codes[kept], closing[kept]
    if effort.everything:
        closing[:] = False  # every deal asked for: the closings too are judged over deals
    parts = [(codes[~closing], Worlds.of(position))]
    if closing.any():
        parts.insert(0, (codes[closing], Worlds.of(position, hands_only=True)))
    return parts


def _at_equilibrium(position: Position, effort: Effort) -> bool:
    """Whether turns that leave the talon open are judged at equilibrium."""
    return effort.equilibrium and at_last_trick(position)


def _evaluate_part(
    position: Position,
    space: Worlds,
    codes: Ints,
    effort: Effort,
    aim: Stakes | None,
    progress: Callable[[float], None],
) -> AnyEvaluation:
    """Evaluate turns by the method asked for; searches over hidden cards are for open turns with cards to draw."""
    memories = memories_for(position.rules)
    worth = aim.utility if aim else GAME_POINTS
    if space.orders and _at_equilibrium(position, effort):
        return judge(
            memories, position, codes, seconds=effort.seconds, jobs=effort.jobs, progress=progress, utility=worth
        )
    if effort.tree is None or not space.orders or space.count <= effort.tree_above:
        return evaluate(memories, space, codes, effort, progress, worth)
    return search(
        memories,
        position,
        codes,
        method=effort.tree,
        iterations=effort.iterations or effort.worlds,
        seconds=effort.seconds,
        seed=effort.seed,
        jobs=effort.jobs,
        progress=progress,
        utility=worth,
    )


def _dominated(codes: Ints) -> NDArray[np.bool_]:
    """Mark leads whose declared form is legal too."""
    return np.isin(codes, codes[codes & TURN_DECLARED != 0] - TURN_DECLARED)


def _expected_reply(position: Position, evaluation: AnyEvaluation, best: Turn) -> ExpectedReply | None:
    """The follower's most frequent best answer to a lead, or his likeliest at equilibrium; None if he has none."""
    from .kernel.alphabeta import MAX_TURNS, play_turn

    if not position.on_lead:
        return None
    if isinstance(evaluation, EquilibriumEvaluation):
        replies = evaluation.replies[evaluation.codes.tolist().index(code_of(best))]
        likeliest = max(replies, key=lambda card: (replies[card], -card), default=None)
        return None if likeliest is None else ExpectedReply(turn_of(likeliest, position.trump), replies[likeliest])
    memories = memories_for(position.rules)
    states = evaluation.first_states(REPLY_WORLDS)
    code = code_of(best)
    alive = [state for state in states if not play_turn(memories.rules, state, code)]
    if not alive:
        return None
    values, _ = solve_states(memories, np.array(alive), np.zeros(MAX_TURNS, np.int64), -1)
    replies, counts = np.unique(values[:, 1], return_counts=True)
    top = int(np.argmax(counts))
    return ExpectedReply(turn_of(int(replies[top]), position.trump), float(counts[top] / len(alive)))
