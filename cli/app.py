"""The command group: commands are loaded when they are used, and every ending is a clean one."""

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

import click

from . import STOPPED
from .errors import InputError, error_line

COMMANDS: Final = (
    "analyze",
    "best",
    "solve",
    "review",
    "rules",
    "perft",
    "position",
    "play",
    "arena",
    "exploit",
    "outcomes",
    "match-table",
    "selfplay",
    "calibrate",
    "train",
    "bench",
    "completion",
)
"""The commands in the order of the help page: each the function in the module of its name, with `_` for `-`."""


class App(click.Group):
    """The group of all commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        module = import_module(f".{name}", __package__)
        command: click.Command = getattr(module, name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C ends it with its own status, a reader that has gone away ends it quietly."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(STOPPED) from None
        except BrokenPipeError:
            _silence()
            raise click.exceptions.Exit(0) from None

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = False,
        **extra: Any,
    ) -> Any:
        """Run the command line and exit with its status.

        Arguments are never expanded as file patterns: a position may hold question marks.
        """
        del windows_expand_args, standalone_mode
        raise SystemExit(self._status(args, complete_var, extra))

    def _status(self, args: Sequence[str] | None, complete_var: str | None, extra: dict[str, Any]) -> int:
        """Run the command line and return its exit status."""
        try:
            status = super().main(
                args,
                prog_name="sixtysix",
                complete_var=complete_var,
                standalone_mode=False,
                windows_expand_args=False,
                **extra,
            )
            if sys.stdout is not None:
                sys.stdout.flush()
        except click.ClickException as error:
            return _report(error)
        except (click.Abort, KeyboardInterrupt):
            return STOPPED
        except BrokenPipeError:
            _silence()
            return 0
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
                raise
            return _report(InputError(f"cannot write the answer: {error.strerror}"))
        return status if isinstance(status, int) else 0


def _report(error: click.ClickException) -> int:
    """Print an error and return the exit status for it."""
    with suppress(OSError):
        click.echo(error_line(error), err=True)
    _silence()
    return 2


def _silence() -> None:
    """Let nothing complain later about a stream that takes no more: what is still to be written goes nowhere."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            try:
                stream.flush()
            except OSError:
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@click.group(cls=App, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sixtysix", message="sixtysix %(version)s")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Analysis engine for the card games Sixty-Six, Santase and Schnapsen.

    A position is one line of key=value words that say what the player to move knows; quotes are not needed:

    \b
      sixtysix analyze hand=AKQh,9s,TJc up=Ad
      sixtysix best rules=schnapsen hand=AKQh,TJc up=Ad
      sixtysix rules schnapsen

    Every command explains itself: sixtysix analyze --help. For completion of words in your shell: sixtysix completion.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
