"""`sixtysix analyze`: every legal turn with its value, its error, its chances."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from .options import Effort, check_dask, dask_option, effort_options, score_option
from .output import Screen
from .positions import Answering, Cluster, Request, answer, position_input
from .progress import run
from .records import at_option
from .render import count_of, outcomes_source, percent, position_block, signed, turn_text

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text
    from sixtysix import Analysis, Position, TurnAnalysis
    from sixtysix.match import Stakes

OUTCOMES: Final = ("-3", "-2", "-1", "0", "+1", "+2", "+3")

METHODS: Final = {
    "exact": "only one deal is possible, so these are the game's true values.",
    "enumerated": "every possible deal, each solved with open cards, and averaged: both sides are granted sight of all "
    "cards, so there is no sampling error, but lines that need that sight look too good.",
    "sampled": "a sample of the possible deals, each solved with open cards, and averaged: both sides are granted "
    "sight of all cards, so lines that need that sight look too good.",
    "guided": "tree search over what you may see, guided by a network trained on self-play: each iteration draws a "
    "possible deal, the opponent does in it what the network does with his hand, and deals broken off are worth what "
    "it expects; once the talon is gone or closed they are solved with open cards.",
    "ismcts": "tree search over information sets: each iteration draws a possible deal and plays it, both sides seeing "
    "only what they may see, until the talon is gone or closed; from there it is solved with open cards.",
    "equilibrium": "every possible deal counted, each turn against an opponent who mixes his own as well as can be, on "
    "what he may see; mix: how often this hand should make the turn. The gap is what both sides together could still "
    "gain by other mixtures, in game points a deal. Closings are granted sight of the cards.",
}
"""What each method means in plain words."""


@click.command()
@position_input
@score_option("Match score of positions that name none; turns are then judged by the chance to win the match.")
@at_option
@effort_options
@dask_option
def analyze(request: Request, score: tuple[int, int] | None, dask: str | None, **effort: Any) -> None:
    """Judge every legal turn of a position, best first.

    Prints the position as understood, then each turn with its expected game points, their standard error, what it
    costs against the best turn, the probability to win, and that of each outcome from -3 to +3.

    The effort ends with the first limit that is reached: --worlds, --time or --precision; two seconds unless --worlds
    or --time is given. Where the standard error is 0, every possible deal or hand was solved. Turns that close the
    talon are judged over all of the opponent's hands; the others, while the talon hides much, by a tree search that
    grants nobody sight of hidden cards, or with --worlds over that many solved deals; with two cards left to draw at
    equilibrium, given a second.

    With the match score (score=8-10 in the position, or --score) turns are ranked by the chance to win the match,
    which is shown beside the game points, unless --points.

    \b
    Examples:
      sixtysix analyze hand=AKQh,9s,TJc up=Ad
      sixtysix analyze hand=KQs,AJh,9d,9c up=Td led=Kc gone=Ac,Qc points=0-14 --time 5
      sixtysix analyze rules=schnapsen hand=AKQh,TJc up=Ad score=5-6
      sixtysix analyze -f positions.txt --worlds 1000 --json
      sixtysix analyze -f game.66 --at 3.7
    """
    chosen = Effort(**effort)
    answer(
        replace(request, score=score),
        Answering(
            compute=lambda position: analysis_of(position, chosen),
            json=lambda analysis: analysis.to_json(),
            text=lambda analysis, screen: screen.draw(*_parts(analysis, screen)),
            spaced=True,
        ),
        cluster_of(dask, chosen),
    )


def cluster_of(dask: str | None, effort: Effort) -> Cluster[Analysis] | None:
    """Return the cluster that is to do the analyses, if one was named."""
    check_dask(dask, effort.jobs)
    if dask is None:
        return None
    import sixtysix

    return Cluster(dask, partial(sixtysix.analyze, **{**asdict(effort), "jobs": 1}))


def analysis_of(position: Position, effort: Effort) -> Analysis:
    """Analyze a position while the user sees the progress."""
    import sixtysix

    return run(lambda report: sixtysix.analyze(position, progress=report, **asdict(effort)), "analyzing")


def _parts(analysis: Analysis, screen: Screen) -> list[RenderableType]:
    return [
        *position_block(screen, analysis.position),
        turns_table(analysis, screen),
        "",
        *(screen.ink(note, "dim") for note in _notes(analysis)),
        "",
        screen.ink(f"best: {best_text(analysis)}", "bold green"),
        screen.ink(analysis.explanation),
    ]


def turns_table(analysis: Analysis, screen: Screen) -> Table:
    """Return the table of all turns, best first."""
    mixed = any(turn.method != analysis.method for turn in analysis.turns)
    chances = [] if analysis.stakes is None else ["match%", "±"]
    columns = (["value", "±", *chances], [*chances, "value", "±"])[analysis.by_match]
    mixture = any(turn.policy is not None for turn in analysis.turns)
    more = [name for name, wanted in (("mix", mixture), ("method", mixed)) if wanted]
    table = screen.table("turn", *columns, "cost", "win%", *OUTCOMES, *more, wide=True)
    for turn in analysis.turns:
        best = turn is analysis.best
        cells = [
            turn_text(screen, turn.turn, "bold" if best else ""),
            *_figures(screen, analysis, turn),
            screen.ink("" if best else _match_cost(turn) if analysis.by_match else _cost(turn)),
            screen.ink(percent(turn.win)),
            *(screen.ink(percent(share), "" if share else "dim") for share in turn.outcomes),
        ]
        if mixture:
            cells.append(screen.ink("" if turn.policy is None else percent(round(turn.policy, 3))))
        if mixed:
            cells.append(screen.ink(turn.method))
        table.add_row(*cells)
    return table


def _figures(screen: Screen, analysis: Analysis, turn: TurnAnalysis) -> list[Text]:
    """Return what a turn is worth and the error of that, the figures it is ranked by first."""
    points, match = [_value(turn), _error(turn)], [] if turn.match is None else [_match(turn), _match_error(turn)]
    first, second = (match, points) if analysis.by_match else (points, match)
    style = "bold" if turn is analysis.best else ""
    return [screen.ink(text, style) for text in first[:1]] + [screen.ink(text) for text in (*first[1:], *second)]


def _match(turn: TurnAnalysis) -> str:
    return f"{100 * (turn.match or 0.0):.1f}"


def _match_error(turn: TurnAnalysis) -> str:
    return f"{100 * turn.match_se:.1f}" if turn.match_se else "exact" if turn.method == "exact" else "0"


def _match_cost(turn: TurnAnalysis) -> str:
    error = f"±{100 * turn.match_loss_se:.1f}" if turn.match_loss_se else ""
    return f"{100 * (turn.match_loss or 0.0):.1f}{error}"


def _value(turn: TurnAnalysis) -> str:
    return signed(turn.value, 0 if turn.method == "exact" else 2)


def _error(turn: TurnAnalysis) -> str:
    if turn.se:
        return f"{turn.se:.2f}" if turn.se >= 0.01 else f"{turn.se:.3f}"
    return "exact" if turn.method == "exact" else "0"


def _cost(turn: TurnAnalysis) -> str:
    if turn.method == "exact":
        return f"{turn.loss:.0f}"
    error = f"±{turn.loss_se:.2f}" if turn.loss_se else ""
    return f"{turn.loss:.2f}{error}"


def _notes(analysis: Analysis) -> list[str]:
    """Return what the columns mean, and for each method what was done and what it means."""
    notes = [
        "value: expected game points; ±: its standard error; cost: what the turn loses"
        f"{' of match%' if analysis.by_match else ''} against the best one; "
        "win% and -3 to +3: chance to win, and of each outcome, in percent."
    ]
    if analysis.stakes is not None:
        notes.append(_match_note(analysis, analysis.stakes))
    by_method = {turn.method: turn for turn in reversed(analysis.turns)}
    for name in sorted(by_method, key=lambda name: name != analysis.method):
        turn = by_method[name]
        main = name == analysis.method
        worlds = count_of(analysis.worlds if main else turn.worlds, turn.world)
        settings = f", {_setting(analysis)}, {analysis.seconds:.2f} s" if main else ""
        meaning = METHODS.get(name, "a search in which each side sees only what it may see.")
        notes.append(f"{name} ({worlds}{settings}): {meaning}")
    if any(turn.corrected for turn in analysis.turns):
        notes.append("guided: chances are corrected by how often such statements came true in self-play.")
    best = analysis.best
    if best.win_in_play is not None and abs(best.win_in_play - best.win) >= 0.01:
        notes.append(
            f"In self-play, deals with a win% of {percent(best.win)} by open cards at this stage, as for "
            f"{best.turn.text}, were won in {percent(best.win_in_play)}%."
        )
    return notes


def _match_note(analysis: Analysis, stakes: Stakes) -> str:
    """Return what the match column means and what it rests on."""
    ranked = "turns are ranked by it" if analysis.by_match else "shown only, turns are ranked by value"
    note = f"match%: chance to win the match; {ranked}. {outcomes_source(stakes.rules)}."
    if stakes.averaged:
        note += (
            " Who led this deal's first trick (first) is unknown and decides who leads the next: mean of both cases."
        )
    return note


def _setting(analysis: Analysis) -> str:
    return f"seed {analysis.seed}" if analysis.gap is None else f"gap {analysis.gap:.4f}"


def best_text(analysis: Analysis) -> str:
    """Return the recommended turn, and the reply expected."""
    reply = analysis.expected_reply
    if reply is None:
        return analysis.best.turn.text
    text = f"{analysis.best.turn.text} — expected reply {reply.turn.text}"
    if analysis.best.method == "exact":
        return text
    return f"{text} (in {percent(reply.share)}% of {analysis.best.world}s)"
