"""`sixtysix selfplay`: deals of a player against himself, kept decision by decision."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .arena import complete_players
from .errors import InputError
from .options import (
    check_dask,
    chosen_rules,
    dask_option,
    play_rules_option,
    processes_option,
    rule_option,
    seed_option,
    whole_number,
)
from .pools import pool_of
from .progress import Bar
from .render import count_of

if TYPE_CHECKING:
    from sixtysix.decisions import DecisionLog, Setup

MOST_DEALS = 1_000_000


@click.command()
@click.argument("out", type=click.Path(path_type=Path), metavar="FILE")
@play_rules_option
@rule_option
@click.option(
    "--deals",
    callback=whole_number(1, MOST_DEALS),
    metavar="N",
    default="100",
    show_default=True,
    help="Play N deals.",
)
@click.option(
    "--player",
    metavar="PLAYER",
    default="engine:time=0.1",
    show_default=True,
    shell_complete=complete_players,
    help="Who plays both sides: engine, guided, ismcts or pimc; see sixtysix arena --help.",
)
@click.option(
    "--explore",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    default=0.0,
    show_default=True,
    help="Play any turn instead of the best in this share of decisions.",
)
@seed_option("Choose the cards and the player's chance; the same seed plays the same deals.")
@processes_option
@dask_option
def selfplay(
    out: Path,
    rules: str | None,
    overrides: tuple[str, ...],
    deals: int,
    player: str,
    explore: float,
    seed: int,
    jobs: int | None,
    dask: str | None,
) -> None:
    """Let a player play against itself and keep every decision in FILE, for sixtysix calibrate and sixtysix train.

    Kept are the chances stated for the turn judged best, how the deal ended, and what the network sees.

    \b
    Examples:
      sixtysix selfplay santase.npz --rules santase --deals 2000
      sixtysix selfplay ro.npz --player guided:iterations=300 --deals 6000 --explore 0.06
    """
    from sixtysix.decisions import Setup

    check_dask(dask, jobs)
    setup = Setup(player.strip(), chosen_rules(rules, overrides), seed, explore)
    log = _played(setup, deals, jobs, dask)
    try:
        log.save(out)
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror}") from None
    click.echo(f"{count_of(len(log.results), 'deal')}, {count_of(len(log.decisions), 'decision')}: {out}")


def _played(setup: Setup, deals: int, jobs: int | None, dask: str | None) -> DecisionLog:
    """Play while the user sees the progress. Raises InputError for players or workers that cannot be used."""
    from sixtysix.decisions import joined, play
    from sixtysix.executors import WorkersError
    from sixtysix.players import PlayerError

    try:
        setup.judge()
        with pool_of(jobs, dask) as pool, Bar("playing") as bar:
            return joined(play(setup, deals, pool, bar.update))
    except (PlayerError, WorkersError) as error:
        raise InputError(str(error)) from None
