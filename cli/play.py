"""`sixtysix play`: a match against the engine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from .errors import InputError, one_line
from .options import MAX_SEED, chosen_rules, complete_presets, rule_option, whole_number
from .output import Screen, emit_line
from .playdesk import Desk, Keeper
from .progress import run
from .records import read_records

if TYPE_CHECKING:
    from sixtysix import MatchRecord
    from sixtysix.playing import Sitting

STRENGTH = "medium"


def complete_strengths(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a strength."""
    from sixtysix.playing import STRENGTHS

    return [CompletionItem(name) for name in STRENGTHS if name.startswith(incomplete)]


@click.command()
@click.option(
    "--strength",
    metavar="NAME",
    shell_complete=complete_strengths,
    help=f"Whom to play: beginner, easy, medium, hard, or a player of sixtysix arena.  [default: {STRENGTH}]",
)
@click.option(
    "--rules",
    metavar="TEXT",
    shell_complete=complete_presets,
    help="Rules to play by, such as schnapsen or ro+failed_close:three.  [default: ro]",
)
@rule_option
@click.option("--single", is_flag=True, help="Play single deals without a score.")
@click.option("--points", is_flag=True, help="Show the card points during the deal; many play without.")
@click.option("--name", metavar="NAME", help="Your name in the record.  [default: you]")
@click.option("--save", type=click.Path(), metavar="FILE", help="Keep the record in a file (.66), turn by turn.")
@click.option(
    "--resume", type=click.Path(), metavar="FILE", help="Go on with the last match of such a file, as its first player."
)
@click.option("--verify", type=click.Path(), metavar="FILE", help="Only check the seals of the deals in a record.")
@click.option(
    "--seed",
    callback=whole_number(0, MAX_SEED),
    metavar="N",
    help="Choose the cards, for practice; without it nobody can foresee them.",
)
def play(
    strength: str | None,
    rules: str | None,
    overrides: tuple[str, ...],
    single: bool,
    points: bool,
    name: str | None,
    save: str | None,
    resume: str | None,
    verify: str | None,
    seed: int | None,
) -> None:
    """Play a match against the engine.

    Type a turn as it is written everywhere: Ah, Kh+20 (with its marriage), close, Ah, exchange, close, Ks+40. Other
    words are moves (or ?), hint, last, points, score, undo, again, save FILE, review, help, quit. A deal ends by itself
    when somebody has 66.

    The engine sees its own cards and what has been played, nothing else. Before each deal the seal of the shuffled
    pack is shown, after it the salt and the pack, so that you can see that no card was changed (docs/records.md,
    --verify). The file of --save holds all cards from the beginning: do not look.

    \b
    Strengths:
      beginner   any legal turn (random)
      easy       plain rules of a careful player (rule)
      medium     a short tree search (ismcts:iterations=1000)
      hard       one second of the engine a turn (engine:time=1)

    \b
    Examples:
      sixtysix play --rules schnapsen --strength hard --save evening.66
      sixtysix play --resume evening.66
      sixtysix play --verify evening.66
    """
    if verify is not None:
        _verify(verify)
        return
    start = Start(strength, rules, overrides, single, name, seed)
    sitting, keeper = _resumed(start, resume, save) if resume is not None else _new(start, save)
    Desk(sitting, keeper, Screen.of_stdout(), points).run()


@dataclass(frozen=True)
class Start:
    """How a match is to begin."""

    strength: str | None
    rules: str | None
    overrides: tuple[str, ...]
    single: bool
    name: str | None
    seed: int | None


def _new(start: Start, save: str | None) -> tuple[Sitting, Keeper]:
    """Return a new match and where it is kept. Raises InputError."""
    from sixtysix import RecordError
    from sixtysix.playing import new_match

    if save is not None and os.path.exists(save):
        raise InputError(f"{one_line(save)} exists: go on with --resume {one_line(save)}, or name another file")
    strength = start.strength or STRENGTH
    try:
        match = new_match(chosen_rules(start.rules, start.overrides), start.name or "you", strength, start.single)
    except RecordError as error:
        raise InputError(f"--name: {error}") from None
    return _seated(match, strength, start.seed), Keeper(save)


def _resumed(start: Start, resume: str, save: str | None) -> tuple[Sitting, Keeper]:
    """Return the match that goes on and where it is kept. Raises InputError."""
    from sixtysix.playing import OPPONENT

    fixed = {"--rules": start.rules, "--rule": start.overrides, "--name": start.name, "--single": start.single}
    for option, value in fixed.items():
        if value:
            raise InputError(f"{option} is settled by the record that goes on: leave it out with --resume")
    if save is not None:
        raise InputError("--resume keeps the record in its own file: leave out --save")
    *others, match = read_records(resume)
    strength = start.strength or match.tags.get(OPPONENT, STRENGTH)
    return _seated(match, strength, start.seed), Keeper(resume, tuple(others))


def _seated(match: MatchRecord, strength: str, seed: int | None) -> Sitting:
    from sixtysix import RecordError
    from sixtysix.players import PlayerError
    from sixtysix.playing import STRENGTHS, Sitting

    try:
        return run(lambda _: Sitting(match, strength, seed), "dealing")
    except PlayerError as error:
        raise InputError(f"--strength: {error}; or {', '.join(STRENGTHS)}") from None
    except RecordError as error:
        raise InputError(str(error)) from None


def _verify(file: str) -> None:
    """Tell of every deal of a file whether its seal is right; one that is not ends the command with status 1."""
    from sixtysix.seal import holds

    wrong = False
    for number, match in enumerate(read_records(file), 1):
        for deal in match.deals:
            try:
                right = holds(deal)
                told = "the seal is that of these cards" if right else "the seal is NOT that of these cards"
            except ValueError as error:
                right, told = False, str(error).partition(": ")[2]
            wrong |= not right
            emit_line(f"match {number}, deal {deal.number}: {told}")
    if wrong:
        click.get_current_context().exit(1)
