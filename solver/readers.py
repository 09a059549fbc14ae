"""Values of a position's keys, read from text: what position lines and JSON positions share."""

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from .cards import parse_card, parse_cards, parse_suit
from .claims import SIDES, Claims, Closing, PositionError
from .echo import choices, quoted, suggestion
from .rules import Rules

LIST_KEYS: Final = ("hand", "gone", "opp", "stock", "shown", "not")
PAIR_KEYS: Final = ("points", "pending", "tricks", "score")

_LED = re.compile(r"([^+]*)(?:\+(20|40))?")
_PAIR = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
_CLOSING = re.compile(r"(me|opp)(?:@([0-9]{1,3})/([0-9]{1,3}))?")

T = TypeVar("T")


def read(key: str, reader: Callable[[str], T], text: str) -> T:
    """Return what a reader makes of a key's text.

    Raises PositionError naming the key if the reader raises ValueError.
    """
    try:
        return reader(text)
    except ValueError as error:
        raise PositionError(key, str(error)) from None


def read_key(name: str) -> str:
    """Return the key of a name in any letter case.

    Raises PositionError if there is none.
    """
    key = name.lower()
    if key not in READERS:
        raise PositionError(quoted(name) or "position", f"unknown key{suggestion(key, READERS)}: {choices(READERS)}")
    return key


def claims_of(values: Mapping[str, object], default_rules: Rules) -> Claims:
    """Return the claims that the values of the keys make."""
    fields = {"rules": default_rules, **values}
    if "not" in fields:
        fields["excluded"] = fields.pop("not")
    if "led" in fields:
        fields["led"], fields["led_value"] = fields["led"]  # type: ignore[misc]
    return Claims(**fields)  # type: ignore[arg-type]


def read_declared_card(text: str) -> tuple[int, int]:
    """Return the card of `Kh` or `Kh+20`, and what the marriage declared with it is worth, 0 for none.

    Raises ValueError naming the text.
    """
    match = _LED.fullmatch(text)
    if match is None:
        raise ValueError(f"{quoted(text)}: a declared marriage is written Kh+20 or Kh+40")
    return parse_card(match[1]), int(match[2] or 0)


def read_side(text: str) -> int:
    """Return 0 for `me` and 1 for `opp`.

    Raises ValueError for any other text.
    """
    if text.lower() not in SIDES:
        raise ValueError(f"{quoted(text)}: write me or opp")
    return SIDES.index(text.lower())


def read_stock(text: str) -> tuple[int | None, ...]:
    """Return the cards of a stock, None where the text has `?`.

    Raises CardError naming the part that cannot be read.
    """
    stock: list[int | None] = []
    for index, known in enumerate(text.split("?")):
        if index:
            stock.append(None)
        stock.extend(parse_cards(known))
    return tuple(stock)


def _read_pair(text: str) -> tuple[int, int]:
    match = _PAIR.fullmatch(text)
    if match is None:
        raise ValueError(f"{quoted(text)}: write two numbers, me-opp, such as 20-11")
    return int(match[1]), int(match[2])


def _read_closing(text: str) -> Closing:
    match = _CLOSING.fullmatch(text.lower())
    if match is None:
        raise ValueError(f"{quoted(text)}: write me, opp or, with the note, me@17/2")
    side = SIDES.index(match[1])
    return Closing(side, int(match[2]), int(match[3])) if match[2] else Closing(side)


READERS: Final[Mapping[str, Callable[[str], object]]] = {
    "rules": Rules.parse,
    "up": parse_card,
    "trump": parse_suit,
    "hand": parse_cards,
    "led": read_declared_card,
    "gone": parse_cards,
    "opp": parse_cards,
    "stock": read_stock,
    "points": _read_pair,
    "pending": _read_pair,
    "tricks": _read_pair,
    "closed": _read_closing,
    "shown": parse_cards,
    "not": parse_cards,
    "first": read_side,
    "score": _read_pair,
}
"""How the text of each key is read; the keys are in canonical order."""
