"""`sixtysix outcomes`: how deals end when a player meets itself."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .arena import complete_players
from .errors import InputError
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
from .render import signed

if TYPE_CHECKING:
    from rich.console import RenderableType
    from sixtysix import Rules
    from sixtysix.outcomes import OutcomeModel

DEALS = 2000
MOST_DEALS = 1_000_000
PLAYER = "engine:iterations=50"


@click.command()
@play_rules_option
@rule_option
@click.option(
    "--deals",
    callback=whole_number(1, MOST_DEALS),
    metavar="N",
    default=str(DEALS),
    show_default=True,
    help="Play N deals, those in the file included.",
)
@click.option(
    "--player",
    metavar="PLAYER",
    default=PLAYER,
    show_default=True,
    shell_complete=complete_players,
    help="Who plays both sides; see sixtysix arena --help.",
)
@seed_option("Choose the cards and the player's chance; the same seed plays the same deals.")
@processes_option
@dask_option
@click.option("--out", type=click.Path(), metavar="FILE", help="Write the counts to a JSON file, or go on from it.")
@json_option
def outcomes(
    rules: str | None,
    overrides: tuple[str, ...],
    deals: int,
    player: str,
    seed: int,
    jobs: int | None,
    dask: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Measure how deals end: a player meets itself, each deal is played once, with no regard to a match.

    Prints how often each outcome, -3 to +3 game points of the player who leads to the first trick, came about, with
    its standard error. Such counts are what the match tables rest on (sixtysix match-table). With --out a run that was
    stopped goes on where it ended.

    \b
    Examples:
      sixtysix outcomes --rules santase --deals 500
      sixtysix outcomes --rules ro --deals 10000 --player engine:time=0.05 --out ro.json
    """
    check_dask(dask, jobs)
    model = _measured(chosen_rules(rules, overrides), player.strip(), deals, seed, jobs, dask, out)
    if as_json:
        emit_json(model.to_json())
    else:
        screen = Screen.of_stdout()
        emit(screen.draw(*_parts(model, screen)))


def _measured(
    rules: Rules, player: str, deals: int, seed: int, jobs: int | None, dask: str | None, out: str | None
) -> OutcomeModel:
    """Play the deals while the user sees the progress.

    Raises InputError for players, files or workers that cannot be used.
    """
    from sixtysix.executors import WorkersError
    from sixtysix.players import PlayerError
    from sixtysix.runfile import RunFileError
    from sixtysix.selfplay import SelfPlay

    path = None if out is None else Path(out)
    try:
        play = SelfPlay(rules, player, seed, _command(rules, player, deals, seed, path), path)
        if play.model.deals >= deals:
            return play.model
        with pool_of(jobs, dask) as pool, Bar("playing") as bar:
            return play.run(deals, pool, bar.update)
    except (PlayerError, RunFileError, WorkersError) as error:
        raise InputError(str(error)) from None


def _command(rules: Rules, player: str, deals: int, seed: int, path: Path | None) -> str:
    """Return the command that makes the same counts anywhere."""
    words = ["sixtysix", "outcomes", "--rules", rules.text, "--deals", str(deals), "--player", player]
    words += ["--seed", str(seed), *(["--out", path.name] if path else [])]
    return shlex.join(words)


def _parts(model: OutcomeModel, screen: Screen) -> list[RenderableType]:
    table = screen.table("outcome", "deals", "share", "±")
    for i, count in enumerate(model.counts):
        figures = [f"{100 * numbers[i]:.1f}%" for numbers in (model.probabilities, model.errors)]
        table.add_row(signed(i - 3, 0), f"{count:,}", *figures)
    mean, error = model.mean
    line = f"{model.rules}; {model.player} against itself; {model.deals:,} deals; seed {model.seed}"
    return [
        screen.ink(line),
        "",
        table,
        "",
        screen.ink(f"the leader: {signed(mean, 3)} ± {error:.3f} game points a deal (one standard error)", "bold"),
    ]
