"""Rule variants: the switches, the presets read from data/rules, and their packed form for the kernel."""

import dataclasses
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from .cards import JACK, NINE
from .echo import choices, quoted, suggestion
from .kernel import layout

PRESETS: Final = ("es", "pl", "ro", "santase", "sixty-six", "schnapsen")

Value = bool | int | str


class RulesError(ValueError):
    """An unknown preset or switch, or a value that its switch does not have."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch of the rules: the values it can have, and one plain sentence for each.

    `values` maps the texts of the possible values to their sentences. For a whole number it holds one
    sentence under "n", in which `{n}` stands for the number, and `range` holds its lowest and highest value.
    """

    name: str
    values: dict[str, str]
    range: tuple[int, int] | None = None

    def parse(self, text: str) -> Value:
        """Return the value that a text stands for.

        Raises RulesError naming the switch, the text and the possible values.
        """
        if self.range is not None:
            return self._parse_number(text, *self.range)
        word = text.strip().lower()
        if word not in self.values:
            raise RulesError(f"{self.name} cannot be {quoted(text)}: {choices(self.values)}")
        if set(self.values) == {"yes", "no"}:
            return word == "yes"
        return int(word) if word.isdecimal() else word

    def explain(self, value: Value) -> str:
        """Return the plain sentence for a value."""
        if self.range is not None:
            return self.values["n"].format(n=value)
        return self.values[value_text(value)]

    def _parse_number(self, text: str, low: int, high: int) -> int:
        digits = text.strip()
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= 4 and low <= int(digits) <= high):
            raise RulesError(f"{self.name} cannot be {quoted(text)}: a whole number from {low} to {high}")
        return int(digits)


def value_text(value: Value) -> str:
    """Return a switch value as it is typed: yes and no for the booleans."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _yes_no(name: str, yes: str, no: str) -> Switch:
    return Switch(name, {"yes": yes, "no": no})


_SWITCHES: Final = (
    Switch(
        "deck",
        {
            "24": "24 cards, nine to ace in four suits; six cards each.",
            "20": "20 cards without the nines; five cards each.",
        },
    ),
    Switch("match_target", {"n": "The first player with {n} game points wins the match."}, (1, 999)),
    Switch(
        "next_leader",
        {
            "alternate": "The players lead to the first trick of a deal in turn.",
            "winner": "The winner of a deal leads to the next one.",
            "loser": "The loser of a deal leads to the next one.",
        },
    ),
    _yes_no(
        "stock_top_face_up",
        "The top card of the stock always lies face up.",
        "The stock lies face down.",
    ),
    Switch(
        "marriage_from",
        {
            "any_lead": "A marriage may be declared on any lead.",
            "after_own_trick": "A marriage may be declared only by a player who has won a trick.",
        },
    ),
    Switch(
        "marriage_points",
        {
            "at_once": "Marriage points count as soon as they are declared.",
            "with_a_trick": "Marriage points count once their owner has won a trick.",
        },
    ),
    _yes_no(
        "marriage_in_endgame",
        "Marriages may still be declared when no card is left to draw.",
        "No marriage may be declared once the talon is closed or gone.",
    ),
    _yes_no(
        "exchange_needs_trick",
        "Only a player who has won a trick may exchange the lowest trump.",
        "The lowest trump may be exchanged before a trick is won.",
    ),
    Switch(
        "exchange_min_talon",
        {"n": "The lowest trump may be exchanged while the talon has at least {n} cards."},
        (1, 12),
    ),
    _yes_no(
        "close_needs_trick",
        "Only a player who has won a trick may close the talon.",
        "The talon may be closed before a trick is won.",
    ),
    Switch(
        "close_min_talon",
        {"n": "The talon may be closed while it has at least {n} cards."},
        (1, 12),
    ),
    Switch(
        "closed_play",
        {
            "strict": "After a closing the follower has the endgame's obligations.",
            "free": "After a closing the follower may play any card.",
        },
    ),
    Switch(
        "endgame_follow",
        {
            "suit": "In the endgame one must follow suit.",
            "suit_trump": "In the endgame one must follow suit, else trump.",
            "suit_head_trump": "In the endgame one must head the trick in the suit led, else follow suit, else trump.",
        },
    ),
    Switch("last_trick_points", {"n": "The last trick earns {n} points more."}, (0, 66)),
    _yes_no(
        "last_trick_counts_when_closed",
        "The last trick earns its extra points after a closing too.",
        "The last trick earns nothing more after a closing.",
    ),
    Switch(
        "nobody_reaches",
        {
            "last_trick": "When nobody reaches 66, the winner of the last trick wins the deal.",
            "nobody": "When nobody reaches 66, nobody wins the deal.",
        },
    ),
    Switch(
        "failed_close",
        {
            "none": "A closing that fails costs nothing extra.",
            "two": "A closer who fails loses two game points.",
            "three": "A closer who fails loses three game points.",
            "two_or_three": "A closer who fails loses two game points, or three if his opponent had no trick "
            "at the closing.",
        },
    ),
    Switch(
        "three_for",
        {
            "no_tricks": "A win counts three if the loser has no trick.",
            "no_points": "A win counts three if the loser has no points.",
        },
    ),
    _yes_no(
        "snapshot_at_close",
        "A closer who wins is paid by what his opponent had at the closing.",
        "A closer who wins is paid by what his opponent has at the end.",
    ),
)

SWITCHES: Final = {switch.name: switch for switch in _SWITCHES}
"""The switches by name, in the order of the rules' table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One variant: the preset it was derived from, and a value for every switch."""

    preset: str
    deck: int
    match_target: int
    next_leader: str
    stock_top_face_up: bool
    marriage_from: str
    marriage_points: str
    marriage_in_endgame: bool
    exchange_needs_trick: bool
    exchange_min_talon: int
    close_needs_trick: bool
    close_min_talon: int
    closed_play: str
    endgame_follow: str
    last_trick_points: int
    last_trick_counts_when_closed: bool
    nobody_reaches: str
    failed_close: str
    three_for: str
    snapshot_at_close: bool

    @classmethod
    def preset_named(cls, name: str) -> "Rules":
        """Return a preset.

        Raises RulesError if there is none of that name.
        """
        word = name.strip().lower()
        if word not in PRESETS:
            named = quoted(name) or "without a name"
            raise RulesError(f"there is no preset {named}{suggestion(word, PRESETS)}: {choices(PRESETS)}")
        return _load(word)

    @classmethod
    def parse(cls, text: str) -> "Rules":
        """Return the rules of a text such as `ro+failed_close:three+close_min_talon:3`.

        Raises RulesError naming what is unknown and what is possible.
        """
        name, *overrides = text.split("+")
        rules = cls.preset_named(name)
        seen = set()
        for override in overrides:
            switch, colon, value = override.partition(":")
            if not colon:
                raise RulesError(f"{quoted(override) or 'nothing'} is no override: write switch:value")
            if switch.lower() in seen:
                raise RulesError(f"{quoted(switch)} is overridden twice")
            seen.add(switch.lower())
            rules = rules.override(switch, value)
        return rules

    def override(self, name: str, text: str) -> "Rules":
        """Return these rules with one switch set to the value that `text` stands for.

        Raises RulesError if the switch or the value is unknown.
        """
        word = name.strip().lower()
        if word not in SWITCHES:
            raise RulesError(f"there is no switch {quoted(name)}{suggestion(word, SWITCHES)}: {choices(SWITCHES)}")
        return self.replace(**{word: SWITCHES[word].parse(text)})

    def replace(self, **switches: Value) -> "Rules":
        """Return these rules with some switches set.

        Raises RulesError if a value is out of its range, TypeError for an unknown switch.
        """
        return dataclasses.replace(self, **switches)  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        for name, switch in SWITCHES.items():
            value = getattr(self, name)
            if switch.parse(value_text(value)) != value:
                raise RulesError(f"{name} cannot be {quoted(repr(value))}")

    def value_of(self, name: str) -> Value:
        """Return the value of a switch by its name."""
        value: Value = getattr(self, name)
        return value

    @property
    def text(self) -> str:
        """The canonical text: the preset, then what differs from it, by name."""
        base = _load(self.preset)
        changed = [name for name in sorted(SWITCHES) if self.value_of(name) != base.value_of(name)]
        return "+".join([self.preset, *(f"{name}:{value_text(self.value_of(name))}" for name in changed)])

    @property
    def hand_size(self) -> int:
        """Cards in a full hand: 6, or 5 with 20 cards."""
        return 6 if self.deck == 24 else 5

    @property
    def first_talon(self) -> int:
        """Cards in the talon, upcard included, when a deal begins: 12, or 10 with 20 cards."""
        return self.deck - 2 * self.hand_size

    @property
    def lowest_rank(self) -> int:
        """The rank of the trump that can be exchanged."""
        return NINE if self.deck == 24 else JACK

    def packed(self) -> tuple[int, ...]:
        """Return the rules as the kernel reads them, in the layout of `R_*`."""
        return (
            self.deck,
            int(self.marriage_from == "after_own_trick"),
            int(self.marriage_points == "with_a_trick"),
            int(self.marriage_in_endgame),
            int(self.exchange_needs_trick),
            self.exchange_min_talon,
            int(self.close_needs_trick),
            self.close_min_talon,
            int(self.closed_play == "free"),
            _FOLLOW[self.endgame_follow],
            self.last_trick_points,
            int(self.last_trick_counts_when_closed),
            int(self.nobody_reaches == "last_trick"),
            _FAILED_CLOSE[self.failed_close],
            int(self.three_for == "no_points"),
            int(self.snapshot_at_close),
        )


_FOLLOW: Final = {
    "suit": layout.FOLLOW_SUIT,
    "suit_trump": layout.FOLLOW_SUIT_TRUMP,
    "suit_head_trump": layout.FOLLOW_SUIT_HEAD_TRUMP,
}
_FAILED_CLOSE: Final = {
    "none": layout.FAILED_NONE,
    "two": layout.FAILED_TWO,
    "three": layout.FAILED_THREE,
    "two_or_three": layout.FAILED_TWO_OR_THREE,
}


@dataclass(frozen=True, slots=True)
class PresetSource:
    """Where a preset comes from."""

    title: str
    source: str


def preset_source(name: str) -> PresetSource:
    """Return the title and the source of a preset."""
    document = _document(name)
    return PresetSource(document["title"], document["source"])


@cache
def _load(name: str) -> Rules:
    return Rules(preset=name, **_document(name)["switches"])


@cache
def _document(name: str) -> dict[str, Any]:
    text = resources.files("sixtysix.data").joinpath(f"rules/{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
