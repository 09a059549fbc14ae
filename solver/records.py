"""Matches on record: what was dealt and played, as far as it is known, and the files that hold it.

The text form is specified in docs/records.md; `recordread` and `recordwrite` read and write it, `steps` plays it
again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import overload

from .cards import Cards, canonical
from .echo import quoted
from .notation import Turn
from .readers import READERS
from .rules import Rules

DEFAULT_PLAYERS = ("me", "opp")
"""The players of a match that names none."""

KEYS = re.compile(r"(up|stock|leads|result|seal|salt|deal\s*\d*)", re.IGNORECASE)
"""The words that begin the lines of a deal, beside the players' names."""

SCORED = ("Target", "Score")
"""The tags of which one makes its deals a match with a score: the target, and the score before the first deal."""


class RecordError(ValueError):
    """A record that cannot be, or a file that cannot be read or written: one line."""


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A turn as it was played, and what was noted about it."""

    turn: Turn
    comment: str | None = None

    def __post_init__(self) -> None:
        _check_comment(self.comment)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRecord:
    """One deal: who led to its first trick, what is known of the cards, and the turns.

    Hands are by player (0 is the first of the match's `players`), None where unknown; `stock` runs from the top
    without the upcard, None for an unknown card. `result` are game points for player 0 (-3 to 3), None for a deal that
    was not played to its end. `number` counts the deals of the match from 1; a record may lack some.
    """

    leader: int
    hands: tuple[Cards | None, Cards | None]
    up: int
    stock: tuple[int | None, ...]
    turns: tuple[RecordedTurn, ...] = ()
    result: int | None = None
    number: int = 1
    comment: str | None = None
    seal: str | None = None
    salt: str | None = None

    def __post_init__(self) -> None:
        _check_comment(self.comment)
        hands = tuple(None if hand is None else canonical(hand) for hand in self.hands)
        object.__setattr__(self, "hands", hands)

    @property
    def complete(self) -> bool:
        """Whether every card is known."""
        return None not in self.hands and None not in self.stock


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """A match, or some deals of one; `tags` are all its tags but the rules and the players.

    Raises RecordError for players with the same name and for scores that cannot be.
    """

    rules: Rules
    players: tuple[str, str] = DEFAULT_PLAYERS
    tags: Mapping[str, str] = field(default_factory=dict)
    deals: tuple[DealRecord, ...] = ()
    comment: str | None = None

    def __post_init__(self) -> None:
        _check_players(self.players)
        _check_comment(self.comment)
        for name, value in self.tags.items():
            _check_tag(name, value)
        target = self.tags.get("Target")
        if target not in (None, str(self.rules.match_target)):
            raise RecordError(f"Target {quoted(str(target))}: the rules' match_target is {self.rules.match_target}")
        if "Score" in self.tags:
            self._first_score()

    def _first_score(self) -> tuple[int, int]:
        """The score that the tag gives."""
        text = self.tags["Score"]
        try:
            score = READERS["score"](text)
        except ValueError:
            raise RecordError(f"Score {quoted(text)}: write two numbers, in the order of the players: 3-5") from None
        assert isinstance(score, tuple)
        if max(score) >= self.rules.match_target:
            raise RecordError(f"Score {quoted(text)}: the match is over at {self.rules.match_target}")
        return score[0], score[1]

    @property
    def scored(self) -> bool:
        """Whether the deals belong to a match that is scored; else each stands for itself."""
        return any(tag in self.tags for tag in SCORED)

    def score_before(self, deal_index: int) -> tuple[int, int] | None:
        """Return the game points of both players before a deal, by player.

        None if they are unknown: the match is not scored, or an earlier deal is missing or has no result.
        """
        return self._score_after(self.deals[:deal_index], self.deals[deal_index].number)

    @property
    def score(self) -> tuple[int, int] | None:
        """The game points after the last deal on record, by player; None if they are unknown."""
        return self._score_after(self.deals, self.deals[-1].number + 1 if self.deals else 1)

    def _score_after(self, deals: Sequence[DealRecord], next_number: int) -> tuple[int, int] | None:
        """Return the score after deals, if they are all that come before the one with the next number."""
        if not self.scored:
            return None
        first = self.deals[0].number if "Score" in self.tags and self.deals else 1
        if [deal.number for deal in deals] != list(range(first, next_number)):
            return None
        results = [deal.result for deal in deals if deal.result is not None]
        if len(results) < len(deals):
            return None
        ours, theirs = self._first_score() if "Score" in self.tags else (0, 0)
        return ours + sum(max(0, result) for result in results), theirs + sum(max(0, -result) for result in results)

    def index_of(self, number: int) -> int:
        """Return the index in `deals` of the deal with this number. Raises RecordError if it is not there."""
        for index, deal in enumerate(self.deals):
            if deal.number == number:
                return index
        there = ", ".join(str(deal.number) for deal in self.deals) or "none"
        raise RecordError(f"there is no deal {number} (deals on record: {there})")


def _check_players(players: tuple[str, str]) -> None:
    for name in players:
        if not name or name != plain_text(name) or re.search(r'[{}\[\]"#]|^\d+\.', name):
            raise RecordError(f"{quoted(name) or 'a player'}: a name is words without brackets, braces, quotes and #")
        if KEYS.fullmatch(name):
            raise RecordError(f"{quoted(name)} is a word of the record itself: name the player otherwise")
    if players[0].casefold() == players[1].casefold():
        raise RecordError(f"{quoted(players[0])} cannot be the name of both players")


def _check_tag(name: str, value: str) -> None:
    if not re.fullmatch(r"[A-Za-z]\w*", name) or name in ("Rules", "Players"):
        raise RecordError(f"{quoted(name)} is no name of a tag of its own")
    if value != plain_text(value):
        raise RecordError(f"{name}: a tag's text is words on one line")


def _check_comment(comment: str | None) -> None:
    if comment is not None and (not comment or comment != plain_text(comment) or "{" in comment or "}" in comment):
        raise RecordError(f"{quoted(comment)}: a comment is words parted by single spaces, without braces")


def plain_text(text: str) -> str:
    """Return a text on one line, its words parted by single spaces, without control characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a record, and where: file, line, and if it is about one, deal and turn (from 1)."""

    name: str
    line: int
    text: str
    deal: int | None = None
    turn: int | None = None

    def __str__(self) -> str:
        places = [f"{what} {number}" for what, number in (("deal", self.deal), ("turn", self.turn)) if number]
        return ": ".join([f"{self.name}:{self.line}", *([", ".join(places)] if places else []), self.text])


@dataclass(frozen=True, slots=True)
class Collection(Sequence[MatchRecord]):
    """The matches of a file, and what was wrong with it: a deal is kept up to the turn that cannot be."""

    matches: tuple[MatchRecord, ...]
    problems: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.matches)

    @overload
    def __getitem__(self, index: int) -> MatchRecord: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[MatchRecord, ...]: ...

    def __getitem__(self, index: int | slice) -> MatchRecord | tuple[MatchRecord, ...]:
        return self.matches[index]

    def __iter__(self) -> Iterator[MatchRecord]:
        return iter(self.matches)


def loads(text: str, name: str = "record") -> Collection:
    """Return the matches of a text; `name` is what problems call it. Never raises for what the text says."""
    from .recordread import read_matches

    return read_matches(text, name)


def load(path: str | os.PathLike[str]) -> Collection:
    """Return the matches of a file. Raises RecordError if it cannot be read or is no text in UTF-8."""
    name = quoted(os.fspath(path))
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(f"{name} is no text in UTF-8 (byte {error.start + 1})") from None
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot read {name}: {getattr(error, 'strerror', None) or error}") from None
    return loads(text, os.fspath(path))


def dumps(matches: Sequence[MatchRecord]) -> str:
    """Return the text of matches, from which `loads` makes them again."""
    from .recordwrite import match_text

    return "\n".join(map(match_text, matches))


def dump(matches: Sequence[MatchRecord], path: str | os.PathLike[str]) -> None:
    """Write matches to a file, which is whole at any moment. Raises RecordError if that is impossible."""
    target = Path(path)
    scratch = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        scratch.write_text(dumps(matches), encoding="utf-8")
        os.replace(scratch, target)
    except OSError as error:
        scratch.unlink(missing_ok=True)
        raise RecordError(f"cannot write {quoted(os.fspath(path))}: {error.strerror or error}") from None
