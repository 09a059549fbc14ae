"""JSON positions: text to decoded JSON to claims, and positions to JSON."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .cards import SUITS, Cards, card_text, parse_card
from .claims import SIDES, Claims, Closing, PositionError
from .echo import quoted
from .readers import LIST_KEYS, PAIR_KEYS, READERS, claims_of, read, read_key, read_side
from .rules import Rules

if TYPE_CHECKING:
    from .position import Position

Json = None | int | str | list["Json"] | dict[str, "Json"]

_MAX_NUMBER = 999


def load_json(text: str) -> object:
    """Return the decoded JSON of a text.

    Raises PositionError if it is no JSON, nested too deeply, or an object names a key twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique_keys)
    except PositionError:
        raise
    except RecursionError:
        raise PositionError("position", "the JSON is nested too deeply") from None
    except ValueError as error:
        raise PositionError("position", f"no valid JSON, {quoted(str(error))}") from None


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    document: dict[str, object] = {}
    for name, value in pairs:
        if name in document:
            raise PositionError(quoted(name), "is given twice")
        document[name] = value
    return document


def parse_json(document: object, default_rules: Rules) -> Claims:
    """Return the claims of a decoded JSON position.

    Raises PositionError naming the key and what cannot be read.
    """
    if not isinstance(document, Mapping):
        raise PositionError("position", f"{_shown(document)}: a JSON position is an object")
    values: dict[str, object] = {}
    for name, value in document.items():
        key = read_key(str(name))
        if key in values:
            raise PositionError(key, "is given twice")
        values[key] = _read_value(key, value)
    return claims_of(values, default_rules)


def _read_value(key: str, value: object) -> object:
    """Return the value of one JSON key, as the same key of a position line would be read."""
    if key in LIST_KEYS:
        return _read_list(key, value)
    if key in PAIR_KEYS:
        return _read_pair(key, value)
    if key == "closed":
        return _read_closing(key, value)
    if not isinstance(value, str):
        raise PositionError(key, f"{_shown(value)}: a string is due")
    return read(key, READERS[key], value)


def _read_list(key: str, value: object) -> tuple[int | None, ...]:
    if not isinstance(value, list):
        raise PositionError(key, f'{_shown(value)}: a list of cards is due, such as ["Ah", "Kh"]')
    return tuple(None if card is None and key == "stock" else _read_card(key, card) for card in value)


def _read_card(key: str, value: object) -> int:
    if not isinstance(value, str):
        raise PositionError(key, f'{_shown(value)} where a card is due, such as "Ah"')
    return read(key, parse_card, value)


def _read_pair(key: str, value: object) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise PositionError(key, f"{_shown(value)}: a list of two numbers is due, [me, opp]")
    return _read_number(key, value[0]), _read_number(key, value[1])


def _read_number(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MAX_NUMBER:
        raise PositionError(key, f"{_shown(value)}: a whole number from 0 is due")
    return value


def _read_closing(key: str, value: object) -> Closing:
    form = '{"by": "me", "points": 17, "tricks": 2}'
    if not isinstance(value, Mapping) or set(value) not in ({"by"}, {"by", "points", "tricks"}):
        raise PositionError(key, f"{_shown(value)}: an object is due, such as {form}")
    if not isinstance(value["by"], str):
        raise PositionError(key, f"{_shown(value['by'])}: by is me or opp")
    side = read(key, read_side, value["by"])
    if "points" not in value:
        return Closing(side)
    return Closing(side, _read_number(key, value["points"]), _read_number(key, value["tricks"]))


def _shown(value: object) -> str:
    """Return a JSON value for an error message."""
    try:
        return quoted(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        return type(value).__name__


def json_of(position: "Position") -> dict[str, Json]:
    """Return a position as a JSON object: keys in canonical order, without what other keys imply."""
    document: dict[str, Json | None] = {
        "rules": position.rules.text,
        "up": None if position.up is None else card_text(position.up),
        "trump": SUITS[position.trump] if position.up is None else None,
        "hand": _texts(position.hand),
        "led": _led_text(position),
        "gone": _texts(position.gone),
        "opp": _texts(position.told_opp),
        "stock": _stock_texts(position.stock),
        "points": _pair(position.points),
        "pending": _pair(position.pending),
        "tricks": list(position.tricks) if position.gone else None,
        "closed": _closing_object(position.closed),
        "shown": _texts(position.shown),
        "not": _texts(position.excluded),
        "first": SIDES[position.first] if position.first is not None and position.gone else None,
        "score": None if position.score is None else list(position.score),
    }
    return {key: value for key, value in document.items() if value is not None}


def _texts(cards: Cards) -> Json:
    return [card_text(card) for card in cards] or None


def _pair(pair: tuple[int, int]) -> Json:
    return list(pair) if any(pair) else None


def _led_text(position: "Position") -> Json:
    if position.led is None:
        return None
    return card_text(position.led) + (f"+{position.led_value}" if position.led_declared else "")


def _stock_texts(stock: tuple[int | None, ...]) -> Json:
    """Return the stock from the top without its unknown end."""
    texts: list[Json] = [None if card is None else card_text(card) for card in stock]
    while texts and texts[-1] is None:
        texts.pop()
    return texts or None


def _closing_object(closing: Closing | None) -> Json:
    if closing is None:
        return None
    if closing.note is None:
        return {"by": SIDES[closing.by]}
    return {"by": SIDES[closing.by], "points": closing.note[0], "tricks": closing.note[1]}
