"""Safe quotation of user input in one-line error messages."""

from collections.abc import Iterable
from difflib import get_close_matches

SHOWN_LENGTH = 40


def quoted(text: str) -> str:
    """Return `text` for an error message: on one line, control characters escaped, long text cut."""
    shown = text if len(text) <= SHOWN_LENGTH else text[: SHOWN_LENGTH - 1] + "…"
    return repr(shown)[1:-1]


def choices(names: Iterable[str]) -> str:
    """Return `a, b or c`."""
    *head, last = names
    return f"{', '.join(head)} or {last}" if head else last


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return `" (did you mean x?)"` if a known word resembles `word`, else an empty string."""
    if len(word) > SHOWN_LENGTH:
        return ""
    close = get_close_matches(word.lower(), list(known), n=1)
    return f" (did you mean {close[0]}?)" if close else ""
