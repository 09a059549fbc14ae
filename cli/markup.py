"""HTML and SVG as text that cannot be broken by what it says: everything that is no markup already is escaped."""

from __future__ import annotations

from html import escape
from typing import Final

VOID: Final = ("meta", "input")
"""Elements without content and without an end."""


class Markup(str):
    """A text that is markup: it stands in a page as it is."""

    __slots__ = ()


Content = str | None
Attribute = str | int | float | bool | None


def tag(name: str, /, *content: Content, **attributes: Attribute) -> Markup:
    """Return an element. Attributes lose underscores at their ends (`class_`), others turn to `-`; None: left out."""
    opening = f"<{name}{''.join(_attribute(key, value) for key, value in attributes.items())}>"
    return Markup(opening if name in VOID else f"{opening}{joined(*content)}</{name}>")


def joined(*content: Content) -> Markup:
    """Return pieces one after the other; None stands for nothing."""
    return Markup("".join(piece if isinstance(piece, Markup) else escape(piece) for piece in content if piece))


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = key.strip("_").replace("_", "-")
    text = f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
    return f" {name}" if value is True else f' {name}="{escape(text)}"'
