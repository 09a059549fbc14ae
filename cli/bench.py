"""`sixtysix bench`: the speed figures of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .options import complete_presets, json_option, preset_names
from .output import Screen, emit, emit_json
from .progress import run_listening

if TYPE_CHECKING:
    from rich.table import Table
    from sixtysix.bench import AnyRow, BenchRow, SearchRow


@click.command()
@click.option(
    "--preset",
    "presets",
    metavar="NAME",
    multiple=True,
    shell_complete=complete_presets,
    help="Measure this preset (repeatable).  [default: all]",
)
@click.option("--quick", is_flag=True, help="Measure fewer positions.")
@json_option
def bench(presets: tuple[str, ...], quick: bool, as_json: bool) -> None:
    """Measure the exact solver on this machine, stage by stage of a deal, and the tree search over hidden cards.

    Counts the solver's nodes and time for each position, on one thread, and the iterations a second of the tree search
    at a first lead. The node totals on the last line are the signature of the solver: they depend on the program only,
    not on the machine.

    \b
    Examples:
      sixtysix bench --quick
      sixtysix bench --preset ro --preset schnapsen --json
    """
    from sixtysix.bench import run, signature

    names = preset_names(presets)
    paper = _Paper(Screen.of_stdout(), as_json)
    rows = run_listening(lambda _, report: run(names, quick, report), "measuring", paper.add)
    paper.finish(signature(rows))


class _Paper:
    """What is printed: rows as they come as JSON, or a table a preset."""

    def __init__(self, screen: Screen, as_json: bool) -> None:
        self._screen = screen
        self._as_json = as_json
        self._rows: list[BenchRow] = []

    def add(self, row: AnyRow) -> None:
        """Take a row; that of the tree search is a preset's last."""
        from sixtysix.bench import BenchRow

        if self._as_json:
            emit_json(row.to_json())
        elif isinstance(row, BenchRow):
            self._rows.append(row)
        else:
            self._print_preset(row)
            self._rows = []

    def finish(self, signature: str) -> None:
        """Print the signature of the solver."""
        if self._as_json:
            emit_json({"signature": signature})
        else:
            emit(self._screen.draw(self._screen.ink(f"signature: {signature}")))

    def _print_preset(self, search: SearchRow) -> None:
        ink = self._screen.ink
        heading = ink(f"{search.preset} — mean nodes and time of a deal", "bold")
        rate = ink(f"  first lead by {search.method} tree search: {search.rate:,.0f} iterations a second")
        emit(self._screen.draw(heading, _table(self._rows, self._screen), rate, ""))


def _table(rows: list[BenchRow], screen: Screen) -> Table:
    names = ("stage", "judged", "deals", "nodes", "median", "max", "time", "median", "95%", "max")
    table = screen.table(*names, left=2, wide=True)
    for row in rows:
        nodes = (row.nodes.mean, row.nodes.median, row.nodes.max)
        times = (row.us.mean, row.us.median, row.us.p95, row.us.max)
        table.add_row(
            row.stage,
            row.what,
            f"{row.positions}",
            *(f"{count:,.0f}" for count in nodes),
            *(screen.plain(_time_text(time)) for time in times),
        )
    return table


def _time_text(micros: float) -> str:
    """Return a time in the unit that suits it."""
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if micros >= size:
            return f"{micros / size:.3g}{unit}" if micros < 100 * size else f"{micros / size:.0f}{unit}"
    return f"{micros:.3g}µs" if micros < 100 else f"{micros:.0f}µs"
