"""A match looked back on: every decision judged with what its player knew, and what the result owes to whom.

Marks and the kinds of closings are in `marks.py`, one decision in `judgement.py`, the account of luck in `luck.py`, and
what comes of it all in `reviewed.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from .effort import default_jobs, effort_of
from .judgement import Effort, Judgement, Task, judge
from .luck import Account, Choice, account
from .match import match_table
from .outcomes import OUTCOMES
from .records import MatchRecord
from .reviewed import MatchReview, ReviewedDeal, ReviewedTurn
from .steps import Step, end_of, replay
from .workers import load_kernel, memories_for

__all__ = ["MatchReview", "review_match"]

ITERATIONS = 100_000  # a decision: standard errors of about 0.01 to 0.03 game points
QUICK_ITERATIONS = 8_000
QUICK_HANDS = 1_000


def review_match(
    match: MatchRecord,
    *,
    quick: bool = False,
    worlds: int | None = None,
    time: float | None = None,
    seed: int = 1,
    jobs: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> MatchReview:
    """Judge every decision of a match of which the player's hand is known.

    `worlds`: iterations of the tree search a decision, where the talon hides much; or `time`: seconds a decision. With
    neither, `quick` or thorough. `progress` is called with the fraction done. Without `time` the review depends on
    `seed`, not on `jobs` (threads; default one a core).

    Raises EffortError for an effort out of range, RecordError for a match that cannot have been (`load` gives none).
    """
    effort_of(worlds, time, None, seed, jobs, None, False)  # checks them
    iterations = worlds or (QUICK_ITERATIONS if quick else ITERATIONS)
    effort = Effort(iterations, time, QUICK_HANDS if quick else None, seed)
    deals = [replay(match, index) for index in range(len(match.deals))]
    tasks = [
        None if step.position is None else Task(step.position, step.turn, effort) for steps in deals for step in steps
    ]
    judgements = iter(_judge_all(match, tasks, jobs or default_jobs(), progress))
    reviewed = [_reviewed(match, index, steps, [next(judgements) for _ in steps]) for index, steps in enumerate(deals)]
    return MatchReview(match, effort, tuple(reviewed))


def _judge_all(
    match: MatchRecord, tasks: Sequence[Task | None], jobs: int, progress: Callable[[float], None] | None
) -> list[Judgement | None]:
    """Judge decisions, several at a time: they are many and small, so each has one thread."""
    load_kernel()
    memories_for(match.rules)  # made once, before threads ask for it
    with ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(judge, task): place for place, task in enumerate(tasks) if task is not None}
        found: list[Judgement | None] = [None] * len(tasks)
        try:
            for done, future in enumerate(as_completed(running), 1):
                found[running[future]] = future.result()
                if progress is not None:
                    progress(done / len(running))
        finally:
            pool.shutdown(cancel_futures=True)
    return found


def _reviewed(
    match: MatchRecord, index: int, steps: Sequence[Step], judgements: Sequence[Judgement | None]
) -> ReviewedDeal:
    """Put a deal together: its turns with their judgements, and both players' accounts."""
    judged = [(step, judgement) for step, judgement in zip(steps, judgements, strict=True) if judgement is not None]
    lucks: dict[int, float] = {}
    accounts: list[Account | None] = []
    of_match: list[Account | None] = []
    for player in (0, 1):
        found, changes = _account(match, index, player, judged)
        accounts.append(found)
        of_match.append(_match_account(match, index, player, judged))
        lucks |= changes
    turns = [
        ReviewedTurn(
            player=step.player,
            trick=step.trick,
            number=step.number,
            played=step.turn,
            position=step.position,
            comment=match.deals[index].turns[step.number - 1].comment,
            judgement=judgement,
            luck=lucks.get(step.number),
        )
        for step, judgement in zip(steps, judgements, strict=True)
    ]
    return ReviewedDeal(
        record=match.deals[index],
        score=match.score_before(index),
        turns=tuple(turns),
        accounts=(accounts[0], accounts[1]),
        match_accounts=(of_match[0], of_match[1]),
    )


Judged = Sequence[tuple[Step, Judgement]]


def _account(match: MatchRecord, index: int, player: int, judged: Judged) -> tuple[Account | None, dict[int, float]]:
    """A player's account of a deal in game points, and his luck before each of his turns by their numbers.

    There is no account if his hand or the deal's end is unknown.
    """
    choices = [Choice(step.player, judgement.best.value, judgement.loss, _talon(step)) for step, judgement in judged]
    if not any(choice.seat == player for choice in choices):
        return None, {}
    end = end_of(match, index)
    signed = (1 - 2 * player) * (end.result or 0)
    found, changes = account(player, choices, signed, final_talon=choices[-1].talon)
    lucks = {step.number: luck for (step, _), luck in zip(judged, changes, strict=True) if luck is not None}
    return found if end.over else None, lucks


def _match_account(match: MatchRecord, index: int, player: int, judged: Judged) -> Account | None:
    """A player's account of a deal in chances to win the match; None without a score, his hand or the end."""
    deal, score, end = match.deals[index], match.score_before(index), end_of(match, index)
    if score is None or end.result is None or not end.over or all(step.player != player for step, _ in judged):
        return None
    choices = [
        Choice(step.player, judgement.best.match or 0.0, judgement.match_loss or 0.0, _talon(step))
        for step, judgement in judged
    ]
    table, target = match_table(match.rules), match.rules.match_target
    mine, theirs = score[player], score[1 - player]
    start = table.chance(target - mine, target - theirs, deal.leader == player)
    outcome = end.result if player == 0 else -end.result
    result = table.after((mine, theirs), deal.leader ^ player)[OUTCOMES.index(outcome)]
    return account(player, choices, result, start, choices[-1].talon)[0]


def _talon(step: Step) -> int:
    assert step.position is not None
    return step.position.talon
