"""Everything that leaves on standard output, and what the reader's end can show."""

import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from typing import TYPE_CHECKING, Any, TextIO

import click

from .errors import InputError

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

PIPE_WIDTH = 10_000
"""Columns for a reader that is no terminal: nothing is wrapped."""

ROOMY = 100
"""Columns from which wide tables are set with wider gaps."""

_RED_SIGNS = "♥♦"
_ASCII = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s", "±": "+-", "—": "-", "–": "-", "…": "...", "µ": "u"})


NARROWEST_SCREEN = 60
"""Columns that are used even where the terminal has fewer."""

NARROWEST_COLUMN = 9
"""Columns that the first column of a table keeps on a narrow terminal."""


def emit(text: str) -> None:
    """Print a text as it is and flush it.

    Raises InputError if the output cannot be written; a closed pipe stays a BrokenPipeError.
    """
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        click.echo(text.encode(encoding, "replace").decode(encoding), nl=False)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"cannot write the answer: {error.strerror or error}") from None


def emit_line(text: str) -> None:
    """Print a line and flush it."""
    emit(f"{text}\n")


def emit_json(document: Mapping[str, Any]) -> None:
    """Print an object as one line of JSON and flush it."""
    emit_line(json.dumps(document))


@dataclass(frozen=True)
class Screen:
    """What the reader's end can show: colour, more than ASCII, and how many columns if it is a terminal."""

    terminal: bool
    colour: bool
    unicode: bool
    columns: int

    @classmethod
    def of_stdout(cls) -> "Screen":
        """Return the screen behind standard output."""
        terminal = sys.stdout is not None and sys.stdout.isatty()
        return cls(
            terminal=terminal,
            colour=terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
            unicode=_speaks_unicode(sys.stdout),
            columns=max(shutil.get_terminal_size().columns, NARROWEST_SCREEN) if terminal else PIPE_WIDTH,
        )

    def plain(self, text: str) -> str:
        """Return a text with signs that can be shown: suit letters for symbols if need be."""
        return text if self.unicode else text.translate(_ASCII)

    def ink(self, text: str, style: str = "") -> "Text":
        """Return a text in a style, its red suits in red."""
        from rich.text import Text

        written = Text(style=style)
        for sign in text:
            written.append(self.plain(sign), "red" if sign in _RED_SIGNS else None)
        return written

    def table(self, *columns: str, left: int = 1, wide: bool = False) -> "Table":
        """Return an empty table; all but the first `left` columns are numbers, aligned right.

        A wide one has narrow gaps where there is little space.
        """
        from rich import box
        from rich.table import Table

        lined = self.terminal and self.unicode
        gap = 1 if wide and self.columns < ROOMY else 2
        table = Table(
            box=box.SIMPLE_HEAD if lined else None,
            padding=(0, gap - lined, 0, 0),
            pad_edge=False,
            show_edge=False,
            header_style="bold",
        )
        for number, name in enumerate(columns):
            table.add_column(
                self.plain(name),
                justify="left" if number < left else "right",
                no_wrap=number > 0,
                min_width=NARROWEST_COLUMN if number == 0 and left else None,
            )
        return table

    def draw(self, *parts: "RenderableType") -> str:
        """Return the parts one below the other as text, with colours where the terminal has them."""
        with self._console.capture() as capture:
            for part in parts:
                self._console.print(part)
        lines = capture.get().split("\n")
        return "\n".join(lines if self.colour else [line.rstrip() for line in lines])

    @cached_property
    def _console(self) -> Any:
        from rich.console import Console

        return Console(
            file=StringIO(),
            force_terminal=self.terminal,
            color_system="auto" if self.colour else None,
            no_color=not self.colour,
            width=self.columns,
            legacy_windows=False,
            highlight=False,
            markup=False,
            emoji=False,
        )


def _speaks_unicode(stream: TextIO | None) -> bool:
    """Tell whether a stream can write suit symbols, and its reader did not ask for the plain C locale."""
    try:
        "♣♦♥♠±—–…µ".encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    if os.environ.get("PYTHONIOENCODING") or os.environ.get("PYTHONUTF8"):
        return True
    # Python turns the C locale into a UTF-8 one by setting LC_CTYPE, so look at what the user has set.
    asked = os.environ.get("LC_ALL") or os.environ.get("LANG") or os.environ.get("LC_CTYPE")
    return asked not in ("C", "POSIX")
