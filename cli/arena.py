"""`sixtysix arena`: two players against each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from .errors import InputError, one_line
from .options import (
    check_dask,
    chosen_rules,
    dask_option,
    json_option,
    play_rules_option,
    processes_option,
    rule_option,
    seed_option,
    whole_number,
)
from .output import Screen, emit, emit_json
from .pools import pool_of
from .progress import Bar
from .render import count_of, signed

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from sixtysix.arena import Arena, Limit
    from sixtysix.duel import Contest
    from sixtysix.runfile import RunFile
    from sixtysix.tally import Tally

DEALS = 100
MOST_DEALS = 1_000_000


def complete_players(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a player."""
    from sixtysix.players import KINDS

    return [CompletionItem(name) for name in [*KINDS, "cmd:"] if name.startswith(incomplete)]


def read_until(_: click.Context, __: click.Parameter, text: str | None) -> str | float | None:
    """Return the half-width that `--until` gives, or `decided`."""
    if text is None or text.strip().lower() == "decided":
        return text and "decided"
    try:
        width = float(text)
    except ValueError:
        width = 0.0
    if not 0 < width < float("inf"):
        raise click.BadParameter(f"{one_line(text)!r} is neither a positive half-width nor decided.")
    return width


@click.command()
@click.argument("a", shell_complete=complete_players)
@click.argument("b", shell_complete=complete_players)
@click.option(
    "--deals",
    callback=whole_number(1, MOST_DEALS),
    metavar="N",
    help=f"Play N deals, each twice (with --match, N matches).  [default: {DEALS}; with --until {MOST_DEALS:,}]",
)
@play_rules_option
@rule_option
@seed_option("Choose the cards and the players' chance; the same seed plays the same games.")
@click.option("--match", is_flag=True, help="Play whole matches, each twice on the same cards.")
@click.option(
    "--until",
    callback=read_until,
    metavar="WIDTH|decided",
    help="Stop early: once the 95% interval is ± WIDTH game points (with --match a share of matches), or once a "
    "sequential test at 5% tells which player is better.",
)
@processes_option
@dask_option
@click.option("--out", type=click.Path(), metavar="FILE", help="Write all results to a JSON file, or go on from it.")
@click.option("--records", type=click.Path(), metavar="FILE", help="Write the games played to a file on record (.66).")
@json_option
def arena(
    a: str,
    b: str,
    deals: int | None,
    rules: str | None,
    overrides: tuple[str, ...],
    seed: int,
    match: bool,
    until: str | float | None,
    jobs: int | None,
    dask: str | None,
    out: str | None,
    records: str | None,
    as_json: bool,
) -> None:
    """Let player A meet player B on duplicate deals: each is played twice, with the seats exchanged.

    Prints A's game points a deal with a 95% confidence interval, computed from the pairs of games on the same cards,
    and what each side did. Results depend on the players, rules and seed, not on --jobs or --dask (except for players
    that are given a time).

    \b
    Players:
      random                   any legal action, all alike: exchange, closing, card
      rule                     plain rules of a careful card player, no search
      pimc:worlds=50           solves so many deals with open cards, closings too
      guided:iterations=5000   tree search over what each side sees, guided by a
                               network
      ismcts:iterations=5000   the same without a network
      ismcts:time=0.1          in so many seconds a decision (pimc, guided too)
      engine:time=0.03         what sixtysix best plays in that time
      engine:worlds=200        or over so many deals
      cmd:PROGRAM              a program of yours: for each position line it
                               reads it writes one turn, one a line
      engine:score=ignore      plays for game points whatever the score of a
                               match (--match), which pimc, guided, ismcts and
                               engine else play to win
      engine:corrections=ignore
                               takes the chances of the search as they are,
                               which sixtysix calibrate needs for new ones
      X@STAGE,STAGE/Y          X plays these stages, Y the others: a number of
                               talon cards (12-8 or 4), closed, or gone, such as
                               ismcts@12-8,closed/pimc:worlds=50

    \b
    Examples:
      sixtysix arena rule random --deals 200 --rules santase
      sixtysix arena engine:time=0.1 pimc:worlds=20 --until 0.1 --out engine-pimc.json
      sixtysix arena engine engine:score=ignore --match --until decided
      sixtysix arena 'cmd:python3 bot.py' rule --match --deals 50 --json
      sixtysix arena engine rule --match --deals 1 --records match.66
    """
    from sixtysix.duel import Contest

    check_dask(dask, jobs)
    contest = Contest(a.strip(), b.strip(), chosen_rules(rules, overrides), seed, match, record=records is not None)
    tally = _played(contest, _limit(contest, deals, until), jobs, dask, out, records)
    if as_json:
        emit_json(tally.to_json())
    else:
        screen = Screen.of_stdout()
        emit(screen.draw(*_parts(tally, screen)))


def _limit(contest: Contest, deals: int | None, until: str | float | None) -> Limit:
    from sixtysix.arena import Limit

    most = deals or (DEALS if until is None else MOST_DEALS)
    width = until if isinstance(until, float) else None
    if width is not None and contest.match:
        width *= 2  # from a share of matches won to matches won less lost
    return Limit(most, width, decided=until == "decided")


def _played(
    contest: Contest, limit: Limit, jobs: int | None, dask: str | None, out: str | None, records: str | None
) -> Tally:
    """Play a contest while the user sees the progress.

    Raises InputError for players, files or workers that cannot be used.
    """
    from sixtysix import RecordError
    from sixtysix.arena import Arena
    from sixtysix.executors import WorkersError
    from sixtysix.players import PlayerError
    from sixtysix.runfile import RunFileError

    try:
        contest.players()
        arena = Arena(contest, limit, _file(out, contest))
        if records is not None:
            _write_records(arena, records)  # before the games, so that a file that cannot be written costs none
        try:
            if arena.over:
                return arena.tally
            with pool_of(jobs, dask) as pool, Bar("playing") as bar:
                return arena.run(pool, bar.update)
        finally:
            if records is not None:
                _write_records(arena, records)
    except (PlayerError, RunFileError, WorkersError, RecordError) as error:
        raise InputError(str(error)) from None


def _write_records(arena: Arena, file: str) -> None:
    """Write the games counted so far. Raises RecordError if that is impossible."""
    from sixtysix import dump
    from sixtysix.duelrecords import matches_of

    dump(matches_of(arena.contest, arena.rounds), file)


def _file(out: str | None, contest: Contest) -> RunFile | None:
    from sixtysix.runfile import RunFile

    return None if out is None else RunFile(Path(out), contest)


# --- the answer ---------------------------------------------------------------------------------


def _parts(tally: Tally, screen: Screen) -> list[RenderableType]:
    contest = tally.contest
    played = f"{tally.rounds} match" + "es" * (tally.rounds != 1) if contest.match else count_of(tally.rounds, "deal")
    lines = [
        f"A: {contest.a}",
        f"B: {contest.b}",
        f"{contest.rules.text}; {played}, each played twice with the seats exchanged; seed {contest.seed}",
    ]
    return [
        *(screen.ink(screen.plain(line)) for line in lines),
        "",
        _table(tally, screen),
        "",
        *(screen.ink(line, "bold") for line in _verdict(tally)),
    ]


def _table(tally: Tally, screen: Screen) -> Table:
    table = screen.table("", "A", "B")

    def row(name: str, text: Any) -> None:
        table.add_row(name, *(text(side) for side in tally.sides))

    for points in (1, 2, 3):
        row(f"deals won, {count_of(points, 'game point')}", lambda side, i=points - 1: f"{side.wins[i]:,}")
    row("closings tried", lambda side: f"{side.closings:,}")
    row("closings made", lambda side: f"{side.closings_made:,}")
    row("time a decision", lambda side: screen.plain(time_text(side.seconds_a_decision)))
    return table


def time_text(seconds: float) -> str:
    """Return the time of a decision."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms"


def _verdict(tally: Tally) -> list[str]:
    lines = []
    if tally.undecided:
        lines.append(f"won by nobody: {count_of(tally.undecided, 'deal')}")
    lines.append(f"A: {signed(tally.points.mean, 3)}{_width(tally.points.half_width)} game points a deal")
    if tally.contest.match:
        matches = tally.matches
        share = f"{50 + 50 * matches.mean:.1f}{_width(50 * matches.half_width, 1)}%"
        lines.append(f"A: {(matches.y + matches.x) // 2} of {matches.y} matches won, {share}")
    if tally.better is not None:
        lines.append(f"{'AB'[tally.better]} is the better player (sequential test, 5%)")
    return lines


def _width(width: float, digits: int = 3) -> str:
    """Return an interval's half-width, if there is one."""
    return f" ± {width:.{digits}f}" if width < float("inf") else ""
