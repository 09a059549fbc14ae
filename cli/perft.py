"""`sixtysix perft`: counts of action sequences, to check the rules of play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .options import whole_number
from .output import Screen
from .positions import Answering, Request, answer, position_input
from .progress import run

if TYPE_CHECKING:
    from sixtysix import Position

MAX_DEPTH = 64


@click.command()
@position_input
@click.option(
    "--depth",
    callback=whole_number(1, MAX_DEPTH),
    metavar="N",
    default="4",
    show_default=True,
    help="Plies to count.",
)
def perft(request: Request, depth: int) -> None:
    """Count the action sequences of a fully known deal, for each number of plies up to --depth.

    A ply is an exchange, a closing, or one card played; a lead counts apart with and without a declared marriage.

    \b
    Example:
      sixtysix perft trump=d hand=AKh,Ts gone=AKQJT9c,AKQT9d,QT9h,AKQ9s points=45-44 --depth 3
    """
    answer(
        request,
        Answering(
            compute=lambda position: _counts(position, depth),
            json=lambda counts: {"perft": list(counts)},
            text=_text,
            spaced=True,
        ),
    )


def _counts(position: Position, depth: int) -> tuple[int, ...]:
    import sixtysix

    deal = sixtysix.Deal(position)
    return run(lambda _: sixtysix.perft(deal, depth), "counting")


def _text(counts: tuple[int, ...], screen: Screen) -> str:
    table = screen.table("plies", "sequences", left=0)
    for depth, count in enumerate(counts, 1):
        table.add_row(str(depth), f"{count:,}")
    return screen.draw(table)
