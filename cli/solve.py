"""`sixtysix solve`: the exact value of a deal in which everything is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .output import Screen
from .positions import Answering, Request, answer, position_input
from .progress import run
from .render import count_of, position_block, signed, turn_text

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from sixtysix import Position, Solution


@click.command()
@position_input
def solve(request: Request) -> None:
    """Solve a fully known deal: the exact value of each turn, and a line of best play.

    The position gives the opponent's hand (opp) and, while cards are still drawn, the stock from its top (stock).

    \b
    Examples:
      sixtysix solve trump=d hand=AKh,Ts gone=AKQJT9c,AKQT9d,QT9h,AKQ9s points=45-44
      sixtysix solve -f deals.txt --json
    """
    answer(
        request,
        Answering(
            compute=_solution,
            json=lambda solution: solution.to_json(),
            text=lambda solution, screen: screen.draw(*_parts(solution, screen)),
            spaced=True,
        ),
    )


def _solution(position: Position) -> Solution:
    import sixtysix

    deal = sixtysix.Deal(position)
    return run(lambda _: sixtysix.solve(deal), "solving")


def _parts(solution: Solution, screen: Screen) -> list[RenderableType]:
    return [
        *position_block(screen, solution.deal.position),
        _table(solution, screen),
        "",
        screen.ink(f"value: {signed(solution.value, 0)} ({_meaning(solution.value)})", "bold"),
        screen.ink(f"best play: {_line_text(solution)}"),
        screen.ink(f"exact, with all cards open: {count_of(solution.nodes, 'node')}, {solution.seconds:.3f} s", "dim"),
    ]


def _table(solution: Solution, screen: Screen) -> Table:
    table = screen.table("turn", "value")
    for turn, value in solution.turns:
        style = "bold" if value == solution.value else ""
        table.add_row(turn_text(screen, turn, style), screen.ink(signed(value, 0), style))
    return table


def _meaning(value: int) -> str:
    if value == 0:
        return "nobody wins the deal"
    return f"you {'win' if value > 0 else 'lose'} {count_of(abs(value), 'game point')}"


def _line_text(solution: Solution) -> str:
    """Return the line of best play, trick by trick."""
    turns = [turn.pretty for turn in solution.line]
    if not solution.deal.position.on_lead:
        turns.insert(0, "…")
    tricks = [turns[start : start + 2] for start in range(0, len(turns), 2)]
    return "  ".join(f"{number}. {' – '.join(trick)}" for number, trick in enumerate(tricks, 1))
