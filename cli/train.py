"""`sixtysix train`: a network from deals of self-play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .errors import InputError
from .options import seed_option, whole_number
from .progress import Bar
from .render import count_of

if TYPE_CHECKING:
    from sixtysix.decisions import DecisionLog

FEWEST_DEALS = 20
MOST_PLAYOUTS = 100_000_000


@click.command()
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, metavar="FILE", help="Where the network is written."
)
@click.option("--start", metavar="PRESET", help="Begin with the network of a preset instead of a new one.")
@click.option(
    "--playouts",
    callback=whole_number(1, MOST_PLAYOUTS),
    metavar="N",
    default="400000",
    show_default=True,
    help="Deals that the network's own policy plays out.",
)
@seed_option("Of the training.")
def train(files: tuple[Path, ...], out: Path, start: str | None, playouts: int, seed: int) -> None:
    """Train the network of a preset on files that sixtysix selfplay wrote, all of the same rules.

    What the search preferred in them teaches the network's policy. How deals end it learns from them, and from many
    more that its policy plays out meanwhile. Prints what the network is worth on the tenth of the deals in the files
    that it was not trained on.

    \b
    Example:
      sixtysix train ro.npz --start ro --out data/networks/ro.npz
    """
    from sixtysix.network import NetworkError, network_for
    from sixtysix.rules import Rules
    from sixtysix.training import save, train, unflat

    logs = [_read(file) for file in files]
    rules = {log.about["rules"] for log in logs}
    if len(rules) > 1:
        raise InputError(f"FILE: the deals are of several rules ({', '.join(sorted(rules))}); a network is for one")
    deals = sum(len(log.results) for log in logs)
    if deals < FEWEST_DEALS:
        raise InputError(
            f"FILE: {count_of(deals, 'deal')} of self-play are too few to learn from, {FEWEST_DEALS} are due"
        )
    try:
        layers = unflat(network_for(start).weights) if start else None
    except NetworkError as error:
        raise InputError(f"--start: {error}") from None
    with Bar("training") as bar:
        layers, report = train(logs, Rules.parse(rules.pop()), seed, layers, playouts, bar.update)
    try:
        save(out, layers, [log.about | {"deals": len(log.results)} for log in logs], seed, start, playouts)
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror}") from None
    click.echo(
        f"on {report.samples:,} decisions held out: outcome loss {report.outcome_loss:.4f} nats, "
        f"policy loss {report.policy_loss:.4f} nats, regret {report.regret:.4f} game points"
    )


def _read(file: Path) -> DecisionLog:
    from sixtysix.decisions import DecisionLog, DecisionLogError

    try:
        return DecisionLog.load(file)
    except DecisionLogError as error:
        raise InputError(f"FILE: {error}") from None
