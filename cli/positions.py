"""Positions as a command takes them: words on the command line, a file, or standard input, one answer each."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, ParamSpec, TypeVar

import click

from .errors import InputError, one_line
from .options import json_option, overrides_of, rule_option, rules_of, rules_option
from .output import Screen, emit, emit_json, emit_line
from .progress import Bar

if TYPE_CHECKING:
    from sixtysix import Position, Rules

EXAMPLE = "hand=AKQh,9s,TJc up=Ad"

MAX_FILE = 1 << 28
MAX_LINE = 1 << 20

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")


@dataclass(frozen=True)
class Request:
    """What the user asked about: words or a file of positions, and the form of answer.

    `rules` and `score` are for positions that name none.
    """

    words: tuple[str, ...]
    file: str | None
    rules: Rules
    overrides: dict[str, str]
    as_json: bool
    score: tuple[int, int] | None = None

    @property
    def batch(self) -> bool:
        """Whether positions come one a line, from a file or standard input."""
        return self.file is not None

    def read(self, text: str) -> Position:
        """Return the position of a line.

        Raises PositionError or RulesError if it is none.
        """
        from sixtysix import Position

        position = Position.parse(text, self.rules, self.overrides)
        return position if position.score or not self.score else position.replace(score=self.score)


@dataclass(frozen=True)
class Answering(Generic[A]):
    """How a command answers: it computes something about a position and shows it as JSON or as text."""

    compute: Callable[[Position], A]
    json: Callable[[A], dict[str, Any]]
    text: Callable[[A, Screen], str]
    spaced: bool = False
    """Whether a blank line parts the texts of a batch."""


@dataclass(frozen=True)
class Cluster(Generic[A]):
    """A Dask cluster by its scheduler's address, and what its workers are to compute about each position."""

    address: str
    compute: Callable[[Position], A]


def position_input(command: Callable[P, R]) -> Callable[..., R]:
    """Give a command the arguments and options that say which positions; it receives them as `request`."""

    @functools.wraps(command)
    def wrapper(*args: Any, **options: Any) -> R:
        request = _request(
            options.pop("words"),
            options.pop("files"),
            options.pop("default_rules"),
            options.pop("overrides"),
            options.pop("as_json"),
        )
        return command(*args, request=request, **options)  # type: ignore[arg-type]

    wrapper = json_option(wrapper)
    wrapper = rule_option(wrapper)
    wrapper = rules_option(wrapper)
    wrapper = click.option(
        "-f",
        "--file",
        "files",
        metavar="FILE",
        multiple=True,
        type=click.Path(),
        help="Read positions from a file, one a line; # begins a comment.",
    )(wrapper)
    return click.argument("words", metavar="POSITION", nargs=-1, type=click.UNPROCESSED)(wrapper)


def answer(request: Request, answering: Answering[A], cluster: Cluster[A] | None = None) -> None:
    """Answer every position of a request in order, each as soon as it is read; those of a file perhaps on a cluster."""
    if cluster is not None and request.file in (None, "-"):
        raise InputError("--dask is for many positions: give a file of them, -f FILE")
    if cluster is not None:
        from_afar = _results_afar(request, cluster)
        _show_batch(request, answering, from_afar)
        return
    if request.batch:
        results = _results(request, answering)
        _show_batch(request, answering, results)
        return
    try:
        result = answering.compute(request.read(" ".join(request.words)))
    except _input_errors() as error:
        raise InputError(str(error)) from None
    _show(request, answering, result)


def _request(
    words: tuple[str, ...],
    files: tuple[str, ...],
    rules: str | None,
    overrides: tuple[str, ...],
    as_json: bool,
) -> Request:
    """Return the request that the arguments make.

    Raises InputError if they name no position, or positions in two places.
    """
    command = click.get_current_context().command_path
    if "-" in words and len(words) > 1:
        raise InputError("- (standard input) stands alone, without other words of a position")
    if len(files) > 1 or (files and words):
        raise InputError("positions come from one place: words, one -f FILE, or - for standard input")
    if not files and not any(word.strip() for word in words):
        raise InputError(f"no position: try {command} {EXAMPLE}, or -f FILE, or - for standard input")
    file = files[0] if files else "-" if words == ("-",) else None
    return Request(words, file, rules_of(rules), overrides_of(overrides), as_json)


def _input_errors() -> tuple[type[ValueError], ...]:
    """Return the errors that tell of bad input."""
    from sixtysix import EffortError, PositionError, RulesError

    return (PositionError, RulesError, EffortError)


def _show(request: Request, answering: Answering[A], result: A) -> None:
    if request.as_json:
        emit_json(answering.json(result))
    else:
        emit(answering.text(result, Screen.of_stdout()))


Numbered = Iterator[tuple[int, A | ValueError]]
"""The numbers of the lines that are not empty, each with its result or with what is wrong with it."""


def _show_batch(request: Request, answering: Answering[A], results: Numbered[A]) -> None:
    """Show the results of a file; the failures are told of in their place, and by status 1."""
    count = failed = 0
    for number, result in results:
        count += 1
        if isinstance(result, ValueError):
            failed += 1
            _show_error(request, number, str(result))
            continue
        if answering.spaced and count > 1 and not request.as_json:
            emit("\n")
        _show(request, answering, result)
    if not count:
        assert request.file is not None
        raise InputError(f"no position in {_name_of(request.file)}")
    if failed:
        click.get_current_context().exit(1)


def _results(request: Request, answering: Answering[A]) -> Numbered[A]:
    """Yield the results computed here; a line of standard input is read when the one before is answered."""
    for number, position in _positions(request):
        try:
            yield number, position if isinstance(position, ValueError) else answering.compute(position)
        except _input_errors() as error:
            yield number, error


def _results_afar(request: Request, cluster: Cluster[A]) -> Numbered[A]:
    """Yield the results computed on a cluster. Raises InputError if it cannot be used."""
    from sixtysix.executors import DaskPool, WorkersError, attempt

    entries = list(_positions(request))
    good = [position for _, position in entries if not isinstance(position, ValueError)]
    compute = functools.partial(attempt, cluster.compute, _input_errors())
    done = 0
    try:
        with DaskPool(cluster.address) as pool, Bar("analyzing") as bar:
            results = pool.in_order(compute, good, lambda: bar.update(done / len(good)))
            for number, entry in entries:
                result = entry if isinstance(entry, ValueError) else next(results)
                done += result is not entry
                bar.hide()
                yield number, result
    except WorkersError as error:
        raise InputError(str(error)) from None


def _positions(request: Request) -> Numbered[Position]:
    """Yield the positions."""
    assert request.file is not None
    for number, raw in _lines(request.file):
        try:
            line = _decoded(raw, first=number == 1)
            if line:
                yield number, request.read(line)
        except _input_errors() as error:
            yield number, error


def _show_error(request: Request, number: int, message: str) -> None:
    if request.as_json:
        emit_json({"error": one_line(message), "line": number})
    else:
        emit_line(f"error: line {number}: {one_line(message)}")


def _decoded(raw: bytes, first: bool) -> str:
    """Return the text of a line without its comment.

    Raises PositionError if it is not UTF-8.
    """
    from sixtysix import PositionError

    try:
        line = raw.decode("utf-8-sig" if first else "utf-8").strip()
    except UnicodeDecodeError as error:
        raise PositionError("position", f"byte {error.start + 1} of the line is not UTF-8 text") from None
    if line.startswith("{"):
        return line
    comment = min((line.find(mark) for mark in (" #", "\t#") if mark in line), default=len(line))
    return "" if line.startswith("#") else line[:comment].rstrip()


def _lines(file: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file, or of standard input for `-`, with their numbers from 1.

    A line of standard input is yielded before the next is read. Raises InputError if the file cannot be read.
    """
    stream = _standard_input() if file == "-" else _file(file)
    number = 0
    while True:
        number += 1
        try:
            line = stream.readline(MAX_LINE + 1)
        except OSError as error:
            raise InputError(f"cannot read {_name_of(file)}: {error.strerror or error}") from None
        if not line:
            return
        if len(line) > MAX_LINE:
            raise InputError(f"line {number} of {_name_of(file)} is longer than {MAX_LINE:,} bytes")
        yield number, line


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("cannot read standard input: it is closed")
    return sys.stdin.buffer


def _file(name: str) -> BinaryIO:
    """Return the contents of a file.

    Raises InputError if it cannot be read or is no text.
    """
    from io import BytesIO

    try:
        with open(name, "rb") as stream:
            data = stream.read(MAX_FILE + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {_name_of(name)}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MAX_FILE:
        raise InputError(f"{_name_of(name)} is larger than {MAX_FILE:,} bytes: pass it through - (standard input)")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{_name_of(name)} is no text in UTF-8 (line {line})") from None
    if "\0" in text:
        raise InputError(f"{_name_of(name)} is no text: it holds zero bytes")
    return BytesIO(data)


def _name_of(file: str) -> str:
    """Return how messages call a file."""
    return "standard input" if file == "-" else one_line(click.format_filename(file)) or "''"
