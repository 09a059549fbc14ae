"""Files of matches on record as commands take them: which match, which deal, which turn."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click

from .errors import InputError, one_line
from .positions import Request
from .progress import run

if TYPE_CHECKING:
    from sixtysix import Collection, Position

SUFFIX = ".66"

_PLACE = re.compile(r"(?:([0-9]{1,6}):)?([0-9]{1,4})\.([0-9]{1,3})")

P = ParamSpec("P")
R = TypeVar("R")


def at_option(command: Callable[P, R]) -> Callable[..., R]:
    """Give a command that takes a `request` the option `--at`, which finds its position in a file on record."""

    @functools.wraps(command)
    def wrapper(*args: Any, request: Request, at: str | None, **options: Any) -> R:
        return command(*args, request=_located(request, at), **options)  # type: ignore[arg-type]

    return click.option(
        "--at",
        metavar="DEAL.TURN",
        help="Take the position before that turn from a file on record, -f GAME.66; 2:3.7 is turn 7 of deal 3 of its "
        "second match.",
    )(wrapper)


def _located(request: Request, at: str | None) -> Request:
    """Return the request with the position that `at` names. Raises InputError."""
    on_record = request.file is not None and request.file.lower().endswith(SUFFIX)
    if at is None:
        if on_record:
            raise InputError(f"{one_line(str(request.file))} holds matches on record: say which turn, such as --at 3.7")
        return request
    if request.file in (None, "-"):
        raise InputError("--at names a turn in a file on record: give the file too, such as -f game.66 --at 3.7")
    place = _PLACE.fullmatch(at.strip())
    if place is None:
        raise InputError(f"--at: {at[:40]!r}: write deal and turn, such as 3.7, or with the match before them, 2:3.7")
    match, deal, turn = (None if part is None else int(part) for part in place.groups())
    assert request.file is not None
    position = position_at(read_records(request.file), match, deal, turn)
    return replace(request, words=(position.text,), file=None)


def read_records(file: str) -> Collection:
    """Return the matches of a file; what is wrong in it is told on standard error. Raises InputError."""
    from sixtysix import RecordError, load

    try:
        collection = run(lambda _: load(file), "reading")
    except RecordError as error:
        raise InputError(str(error)) from None
    for problem in collection.problems:
        click.echo(f"warning: {one_line(str(problem))}", err=True)
    if not collection.matches:
        raise InputError(f"no match on record in {one_line(file)}")
    return collection


def position_at(collection: Collection, match: int | None, deal: int | None, turn: int | None) -> Position:
    """Return the position before a turn, all numbers from 1; what is None may be left out where there is one choice.

    Without a turn it is the one that is due next in a deal that is not over. Raises InputError.
    """
    from sixtysix import RecordError, position_before

    count = len(collection)
    if match is None and count > 1:
        raise InputError(f"the file holds {count} matches: say which, --match N or --at MATCH:DEAL.TURN")
    if not 1 <= (match or 1) <= count:
        raise InputError(f"there is no match {match}: the file holds {count}")
    record = collection[(match or 1) - 1]
    if deal is None and len(record.deals) > 1:
        raise InputError(f"the match has {len(record.deals)} deals: say which, --deal N")
    try:
        index = record.index_of(deal or 1) if deal is not None or not record.deals else 0
        number = len(record.deals[index].turns) + 1 if turn is None else turn
        return position_before(record, index, number)
    except RecordError as error:
        raise InputError(str(error)) from None
