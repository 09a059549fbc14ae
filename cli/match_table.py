"""`sixtysix match-table`: the chance to win the match from every score."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

import click

from .errors import InputError
from .options import chosen_rules, json_option, play_rules_option, rule_option, score_option, whole_number
from .output import Screen, emit, emit_json
from .render import count_of, outcomes_source, signed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType
    from rich.table import Table
    from sixtysix.match import Floats, MatchTable

MOST_SHOWN = 50
"""Game points up to which a table is set for people to read."""


@click.command()
@play_rules_option
@rule_option
@click.option(
    "--target", callback=whole_number(1, 999), metavar="N", help="Play to N game points.  [default: that of the rules]"
)
@score_option("Show what each outcome of a deal is worth at this score instead.")
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@json_option
def match_table(
    rules: str | None,
    overrides: tuple[str, ...],
    target: int | None,
    score: tuple[int, int] | None,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Print the chance to win a match, by the game points that both players still need.

    There is a table for the player who leads the next deal and one for him who does not. They follow from how often
    deals end with each outcome (sixtysix outcomes), measured for every preset and shipped with the engine; changed
    rules use the outcomes of their preset. A player is as good at every score: that one may play for the score is not
    in the table.

    With --score, mine first: the chance after each outcome of the deal to be played, for me leading to its first trick
    and for me following.

    \b
    Examples:
      sixtysix match-table --rules schnapsen
      sixtysix match-table --rules ro --score 8-10
      sixtysix match-table --rules santase --target 7 --csv > table.csv
    """
    if as_csv and as_json:
        raise InputError("--csv and --json: choose one of the two")
    from sixtysix.match import match_table as table_of

    chosen = chosen_rules(rules, overrides)
    table = table_of(chosen if target is None else chosen.replace(match_target=target))
    shown = _Grid(table) if score is None else _Score(table, _checked(score, table))
    if as_json:
        emit_json({"rules": table.rules.text, "target": table.rules.match_target, **shown.json()})
    elif as_csv:
        emit(_csv(shown.rows()))
    else:
        screen = Screen.of_stdout()
        emit(screen.draw(*shown.parts(screen), "", *(screen.ink(note, "dim") for note in _notes(table))))


def _checked(score: tuple[int, int], table: MatchTable) -> tuple[int, int]:
    from sixtysix import PositionError
    from sixtysix.validation import check_score

    try:
        check_score(score, table.rules.match_target)
    except PositionError as error:
        raise InputError(f"--{error}") from None
    return score


@dataclass(frozen=True)
class _Grid:
    """The table from every pair of needs."""

    table: MatchTable

    def json(self) -> dict[str, Any]:
        errors = self.table.errors()
        grids = {"lead": self.table.lead, "follow": self.table.follow, "lead_se": errors, "follow_se": errors.T}
        return {name: grid.round(6).tolist() for name, grid in grids.items()}

    def rows(self) -> Iterable[tuple[Any, ...]]:
        yield "need", "faces", "lead", "follow", "lead_se", "follow_se"
        grids = self.json().values()
        size = range(self.table.rules.match_target)
        yield from ((i + 1, j + 1, *(grid[i][j] for grid in grids)) for i in size for j in size)

    def parts(self, screen: Screen) -> list[RenderableType]:
        target = self.table.rules.match_target
        if target > MOST_SHOWN:
            raise InputError(f"a match to {target} is too long a table to read: --csv, --json, or --score")
        rules = self.table.rules
        worst = 100 * float(self.table.errors().max())
        return [
            screen.ink(f"{rules.text}: chance to win the match to {target}, in percent", "bold"),
            "",
            *_grid(screen, "you lead the next deal", self.table.lead),
            "",
            *_grid(screen, "the opponent leads the next deal", self.table.follow),
            "",
            screen.ink(f"Rows: game points you need; columns: those he needs. Standard error: at most {worst:.1f}."),
        ]


def _grid(screen: Screen, title: str, chances: Floats) -> list[RenderableType]:
    table: Table = screen.table("need", *(str(need) for need in range(1, len(chances) + 1)), wide=True)
    for need, row in enumerate(chances.tolist(), 1):
        table.add_row(str(need), *(f"{100 * chance:.1f}" for chance in row))
    return [screen.ink(title), table]


@dataclass(frozen=True)
class _Score:
    """What each outcome of a deal is worth at a score."""

    table: MatchTable
    score: tuple[int, int]

    def json(self) -> dict[str, Any]:
        _, *rows = self.rows()
        leading, following = ({str(row[0]): row[side] for row in rows} for side in (1, 2))
        return {"score": list(self.score), "leading": leading, "following": following}

    def rows(self) -> Iterable[tuple[Any, ...]]:
        yield "outcome", "leading", "following"
        sides = [self.table.after(self.score, leader) for leader in (0, 1)]
        yield from ((k, *(round(chance, 6) for chance in pair)) for k, pair in enumerate(zip(*sides, strict=True), -3))

    def parts(self, screen: Screen) -> list[RenderableType]:
        from sixtysix.match import can_end

        rules = self.table.rules
        need, faces = (rules.match_target - points for points in self.score)
        before = [self.table.chance(need, faces, leads) for leads in (True, False)]
        table = screen.table("this deal", "you lead", "he leads")
        table.add_row("before it", *(f"{100 * chance:.1f}" for chance in before))
        for k, *chances in list(self.rows())[1:]:
            if not can_end(rules, k):
                continue
            table.add_row(screen.plain(_outcome_text(k)), *(f"{100 * chance:.1f}" for chance in chances))
        mine, theirs = self.score
        title = f"{rules.text}: chance to win the match to {rules.match_target} at {mine}-{theirs} after this deal"
        return [screen.ink(f"{title}, in percent", "bold"), "", table]


def _outcome_text(points: int) -> str:
    if points == 0:
        return "nobody wins"
    return f"you {'win' if points > 0 else 'lose'} {signed(points, 0)[1:]}"


def _csv(rows: Iterable[tuple[Any, ...]]) -> str:
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def _notes(table: MatchTable) -> list[str]:
    from sixtysix.rules import SWITCHES

    leads = SWITCHES["next_leader"].explain(table.rules.next_leader)
    model = table.model
    made = f"{count_of(model.deals, 'deal')} of {model.player} against itself"
    return [f"{outcomes_source(table.rules)}: {made} (engine {model.version}). {leads}"]
