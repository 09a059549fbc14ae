"""`sixtysix position`: what a player knew at some turn of a match on record."""

from __future__ import annotations

import click

from .options import json_option, whole_number
from .output import emit_json, emit_line
from .records import position_at, read_records


@click.command()
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--match", callback=whole_number(1, 999_999), metavar="N", help="The match, if the file holds several.")
@click.option("--deal", callback=whole_number(1, 9_999), metavar="N", help="The deal, if the match has several.")
@click.option(
    "--turn",
    callback=whole_number(1, 999),
    metavar="N",
    help="The turn, counted through the deal: 7 leads to the fourth trick.  [default: the next of an unfinished deal]",
)
@json_option
def position(file: str, match: int | None, deal: int | None, turn: int | None, as_json: bool) -> None:
    """Print what the player of a turn knew before it, as a position line.

    The file holds matches on record; docs/records.md says how they are written. The player's hand must be on record,
    the other one need not. What is wrong elsewhere in the file is told as a warning.

    \b
    Examples:
      sixtysix position game.66 --deal 3 --turn 7
      sixtysix position game.66 --deal 3 --turn 7 | sixtysix analyze -
      sixtysix analyze -f game.66 --at 3.7
    """
    found = position_at(read_records(file), match, deal, turn)
    if as_json:
        emit_json(found.to_json())
    else:
        emit_line(found.text)
