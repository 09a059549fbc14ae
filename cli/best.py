"""`sixtysix best`: the recommended turn alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from .analyze import analysis_of, cluster_of
from .options import Effort, dask_option, effort_options, score_option
from .positions import Answering, Request, answer, position_input
from .records import at_option

if TYPE_CHECKING:
    from sixtysix import Analysis

FIGURES: Final = ("value", "se", "win", "match", "match_se")


@click.command()
@position_input
@score_option("Match score of positions that name none; turns are then judged by the chance to win the match.")
@at_option
@effort_options
@dask_option
def best(request: Request, score: tuple[int, int] | None, dask: str | None, **effort: Any) -> None:
    """Print the recommended turn of a position, one line.

    With the match score (score=8-10 in the position, or --score) it is the turn that wins the match most often.

    \b
    Examples:
      sixtysix best hand=AKQh,9s,TJc up=Ad
      sixtysix best rules=schnapsen hand=AKQh,TJc up=Ad --score 5-6
      sixtysix best - --time 0.5 < positions.txt
    """
    chosen = Effort(**effort)
    answer(
        replace(request, score=score),
        Answering(
            compute=lambda position: analysis_of(position, chosen),
            json=_json,
            text=lambda analysis, _: f"{analysis.best.turn.text}\n",
        ),
        cluster_of(dask, chosen),
    )


def _json(analysis: Analysis) -> dict[str, Any]:
    """Return the analysis without the other turns, and with the numbers of the recommended one."""
    document = analysis.to_json()
    recommended = document.pop("turns")[0]
    return {**document, **{name: recommended[name] for name in FIGURES if name in recommended}}
