"""Errors as the user sees them: one line on standard error, status 2, no traceback."""

import click

LONGEST_LINE = 500


class InputError(click.ClickException):
    """Bad input: shown as `error: …`, then the command ends with status 2."""

    exit_code = 2


def one_line(text: str) -> str:
    """Return a text on one line: runs of white space as one space, control characters escaped, the end cut off."""
    words = " ".join(text.split())
    shown = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in words[: LONGEST_LINE + 1])
    return shown if len(shown) <= LONGEST_LINE else shown[: LONGEST_LINE - 3] + "..."


def error_line(error: object) -> str:
    """Return the line that tells the user about an error."""
    if not isinstance(error, click.UsageError):
        message = error.format_message() if isinstance(error, click.ClickException) else str(error)
        return f"error: {one_line(message)}"
    message = one_line(error.format_message())
    message = message[:1].lower() + message[1:]
    if error.ctx is None:
        return f"error: {message}"
    return f"error: {message.rstrip('.')} (see {error.ctx.command_path} --help)"
