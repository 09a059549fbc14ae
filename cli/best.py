"""`sixtysix best`: the recommended turn alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .analyze import analysis_of, cluster_of
from .options import Effort, dask_option, effort_options
from .positions import Answering, Request, answer, position_input
from .records import at_option

if TYPE_CHECKING:
    from sixtysix import Analysis


@click.command()
@position_input
@at_option
@effort_options
@dask_option
def best(request: Request, dask: str | None, **effort: Any) -> None:
    """Print the recommended turn of a position, one line.

    \b
    Examples:
      sixtysix best hand=AKQh,9s,TJc up=Ad
      sixtysix best - --time 0.5 < positions.txt
    """
    chosen = Effort(**effort)
    answer(
        request,
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
    return {**document, **{name: recommended[name] for name in ("value", "se", "win")}}
