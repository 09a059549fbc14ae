"""Position lines and turns: text to claims and turns, and back."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from .cards import KING, QUEEN, card_text, points_of, rank_of, suit_of, symbol_text
from .claims import Claims, PositionError
from .echo import quoted
from .jsonform import Json, json_of, load_json, parse_json
from .readers import LIST_KEYS, READERS, claims_of, read, read_declared_card, read_key
from .rules import Rules

if TYPE_CHECKING:
    from .position import Position


def parse_line(text: str, default_rules: Rules) -> Claims:
    """Return the claims of a position line, or of a JSON position if the text starts with `{`.

    Raises PositionError naming the key and what cannot be read.
    """
    if text.lstrip().startswith("{"):
        return parse_json(load_json(text), default_rules)
    values = {key: read(key, READERS[key], value) for key, value in _split_words(text).items()}
    if not values:
        raise PositionError("position", "is empty: write key=value words such as hand=AKQh,9s,TJc up=Ad")
    return claims_of(values, default_rules)


def _split_words(text: str) -> dict[str, str]:
    """Return the text of each key; a word without `=` continues the list before it."""
    values: dict[str, list[str]] = {}
    key = ""
    for word in text.split():
        name, equals, value = word.partition("=")
        if equals:
            key = read_key(name)
            if key in values:
                raise PositionError(key, "is given twice")
            values[key] = [value]
        elif key in LIST_KEYS:
            values[key].append(word)
        else:
            raise PositionError(key or "position", f"{quoted(word)} is no key=value word such as hand=AKQh")
    return {key: ",".join(words) for key, words in values.items()}


def line_of(position: "Position") -> str:
    """Return the canonical line of a position."""
    return " ".join(f"{key}={_value_text(value)}" for key, value in json_of(position).items())


def _value_text(value: Json) -> str:
    """Return a value of a JSON position as the position line writes it."""
    if isinstance(value, dict):
        note = f"@{value['points']}/{value['tricks']}" if "points" in value else ""
        return f"{value['by']}{note}"
    if not isinstance(value, list):
        return str(value)
    if isinstance(value[0], int):
        return "-".join(map(str, value))
    return ",".join("?" if card is None else str(card) for card in value)


class TurnError(ValueError):
    """A text that is no turn."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything a player does when it is his move: exchange, close, and one card, perhaps with a marriage.

    `value` is what the declared marriage is worth, 20 or 40, and 0 if none is declared.
    """

    exchange: bool
    close: bool
    card: int
    value: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the turn of a text such as `exchange, close, Ks+40`.

        Raises TurnError naming the part that cannot be read.
        """
        *before, played = text.replace(",", " ").split() or [""]
        steps = tuple(word.lower() for word in before)
        if steps not in ((), ("exchange",), ("close",), ("exchange", "close")):
            raise TurnError(f"{quoted(text)}: before the card stand exchange, close, or exchange, close")
        try:
            card, value = read_declared_card(played)
        except ValueError as error:
            raise TurnError(f"{quoted(text)} is no turn: {error}") from None
        if value and rank_of(card) not in (QUEEN, KING):
            raise TurnError(f"{quoted(text)}: only a king or a queen declares a marriage")
        return cls("exchange" in steps, "close" in steps, card, value)

    @property
    def declared(self) -> bool:
        """Whether the card declares a marriage."""
        return self.value > 0

    @property
    def sort_key(self) -> tuple[int, ...]:
        """Orders turns that are equally good: fewer card points given up first, then as turns are written."""
        steps = (int(self.exchange), int(self.close), -self.value)
        return (points_of(self.card), suit_of(self.card), -rank_of(self.card), *steps)

    @property
    def text(self) -> str:
        """The canonical text, such as `exchange, close, Ks+40`."""
        return self._joined(card_text(self.card))

    @property
    def pretty(self) -> str:
        """The text with a suit symbol, such as `close, K♠+40`."""
        return self._joined(symbol_text(self.card))

    def _joined(self, card: str) -> str:
        steps = ["exchange"] * self.exchange + ["close"] * self.close
        return ", ".join([*steps, f"{card}+{self.value}" if self.declared else card])
