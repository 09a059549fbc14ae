"""Matches on record from their text: every line, every card and every turn checked, and as much kept as can be."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from .cards import Cards, parse_card, parse_cards
from .echo import choices, quoted, suggestion
from .match import next_leader
from .notation import Turn
from .readers import read_stock
from .records import (
    DEFAULT_PLAYERS,
    KEYS,
    Collection,
    DealRecord,
    MatchRecord,
    Problem,
    RecordedTurn,
    RecordError,
    plain_text,
)
from .rules import Rules, RulesError
from .sketch import Impossible
from .steps import sketch_of

T = TypeVar("T")

_TAG = re.compile(r'\[\s*([A-Za-z]\w*)((?:\s+"(?:[^"\\]|\\.)*")+)\s*\]')
_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
_PLAIN = re.compile(r"(?:[^{#]|(?<=\S)#)*")
_NUMBER = re.compile(r"(\d{1,3})\.(.*)")
_DEAL = re.compile(r"deal\s*(\d{1,4})?", re.IGNORECASE)

# --- what stands in the lines -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Item:
    """A piece of a text: a `tag` (name, texts), a `key` (name, value), a `word`, a `comment`, or what is `wrong`."""

    kind: str
    parts: tuple[str, ...]
    line: int


def _items(text: str) -> Iterator[_Item]:
    """Yield the pieces of a text in order."""
    comment: list[str] | None = None  # of a comment that is still open
    began = number = 0
    for number, line in enumerate(text.splitlines(), 1):
        rest, fresh = line, True
        while rest := rest.lstrip():
            if comment is not None:
                part, brace, rest = rest.partition("}")
                comment.append(part)
                if brace:
                    yield _Item("comment", (" ".join(comment),), began)
                    comment = None
            elif rest[0] == "{":
                comment, began, rest = [], number, rest[1:]
            elif rest[0] == "#":
                break
            elif fresh and rest[0] == "[":
                tag = _TAG.match(rest)
                if tag is None:
                    yield _Item("wrong", (f'{quoted(rest)} is no tag: write [Name "text"]',), number)
                    break
                yield _Item("tag", (tag[1], *(re.sub(r"\\(.)", r"\1", word) for word in _TEXT.findall(tag[2]))), number)
                rest = rest[tag.end() :]
            else:
                plain = _PLAIN.match(rest)
                assert plain is not None
                yield from _plain_items(plain[0], fresh, number)
                rest, fresh = rest[plain.end() :], False
    if comment is not None:
        yield _Item("wrong", ("a comment that begins here has no end: } is missing",), began)


def _plain_items(text: str, fresh: bool, number: int) -> Iterator[_Item]:
    """Yield what stands outside comments: a key with its value at the beginning of a line, or words."""
    key, colon, value = text.partition(":")
    deal = _DEAL.fullmatch(key.strip())
    if fresh and deal is not None and (colon or deal[1]):
        yield _Item("key", ("deal", deal[1] or value), number)
    elif fresh and colon and not _NUMBER.match(text):
        if KEYS.fullmatch(key.strip()) is None:
            key, _, value = text.rpartition(":")
        yield _Item("key", (key.strip(), value.strip()), number)
    else:
        for chunk in text.split():
            words = [chunk.strip(",")] if chunk.startswith("+") else chunk.split(",")
            yield from (_Item("word", (word,), number) for word in words if word)


# --- matches ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _RawDeal:
    """A deal's lines: what its keys say and where, and what stands between them in order."""

    line: int
    keys: dict[str, tuple[str, int]] = field(default_factory=dict)
    items: list[_Item] = field(default_factory=list)


@dataclass(slots=True)
class _RawMatch:
    tags: dict[str, tuple[tuple[str, ...], int]] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    deals: list[_RawDeal] = field(default_factory=list)


def read_matches(text: str, name: str) -> Collection:
    """Return the matches of a text with everything that is wrong in it."""
    reader = _Reader(name)
    raws = [_RawMatch()]
    for item in _items(text):
        if item.kind == "tag" and raws[-1].deals:
            raws.append(_RawMatch())
        reader.sort_in(raws[-1], item)
    matches = [match for raw in raws if (match := reader.match(raw)) is not None]
    return Collection(tuple(matches), tuple(sorted(reader.problems, key=lambda problem: problem.line)))


class _Reader:
    """Reads one text and keeps what is wrong with it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[Problem] = []

    def complain(self, line: int, text: str, deal: int | None = None, turn: int | None = None) -> None:
        """Keep what is wrong."""
        self.problems.append(Problem(self.name, line, text, deal, turn))

    def sort_in(self, raw: _RawMatch, item: _Item) -> None:
        """Put a piece where it belongs."""
        deal = raw.deals[-1] if raw.deals else None
        if item.kind == "wrong":
            self.complain(item.line, item.parts[0])
        elif item.kind == "tag":
            name, *texts = item.parts
            if name in raw.tags:
                self.complain(item.line, f"{name} is given twice")
            raw.tags.setdefault(name, (tuple(texts), item.line))
        elif item.kind == "key" and (item.parts[0] == "deal" or deal is None):
            raw.deals.append(_RawDeal(item.line))
            self._sort_in_key(raw.deals[-1], item)
        elif item.kind == "key" and deal is not None:
            self._sort_in_key(deal, item)
        elif deal is not None:
            deal.items.append(item)
        elif item.kind == "comment":
            raw.comments.append(item.parts[0])
        else:
            self.complain(item.line, f"{quoted(item.parts[0])} stands before the first deal: begin it with deal 1")

    def _sort_in_key(self, deal: _RawDeal, item: _Item) -> None:
        name, value = item.parts
        key = name.lower() if KEYS.fullmatch(name) else name.casefold()
        if key in deal.keys:
            self.complain(item.line, f"{quoted(name)} is given twice in this deal")
        deal.keys.setdefault(key, (value, item.line))

    def match(self, raw: _RawMatch) -> MatchRecord | None:
        """Return the match that the lines make, None if there is none."""
        if not raw.tags and not raw.deals:
            return None
        try:
            match = self._head(raw)
        except (RecordError, RulesError) as error:
            line = min((line for _, line in raw.tags.values()), default=1)
            self.complain(line, f"{error}; the match is not read")
            return None
        deals: list[DealRecord] = []
        for raw_deal in raw.deals:
            score = dataclasses.replace(match, deals=tuple(deals)).score
            if score is not None and max(score) >= match.rules.match_target:
                self.complain(raw_deal.line, f"the match was over at {score[0]}-{score[1]}; no more deals are read")
                break
            deal = _DealReader(self, match, raw_deal, deals).deal()
            deals += [] if deal is None else [deal]
        return dataclasses.replace(match, deals=tuple(deals))

    def _head(self, raw: _RawMatch) -> MatchRecord:
        """Return the match without its deals. Raises RecordError or RulesError."""
        tags = {name: texts for name, (texts, _) in raw.tags.items()}
        rules = Rules.parse(" ".join(tags.pop("Rules", ("ro",))))
        players = tags.pop("Players", DEFAULT_PLAYERS)
        if len(players) != 2:
            raise RecordError(f'Players: {len(players)} names, write two: [Players "Ana" "Bo"]')
        single = {name: plain_text(" ".join(texts)) for name, texts in tags.items()}
        if "Target" in single:
            rules = rules.override("match_target", single["Target"])
        comment = _joined(raw.comments)
        return MatchRecord(rules=rules, players=(players[0], players[1]), tags=single, comment=comment)


def _joined(comments: list[str]) -> str | None:
    """Return several comments as one; None if they say nothing."""
    return plain_text(" ".join(comments).replace("{", "(")) or None


# --- deals ------------------------------------------------------------------------------------------


class _Wrong(ValueError):
    """What is wrong with a deal, and in which line."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line


class _DealReader:
    """Reads one deal of a match after the `earlier` ones."""

    def __init__(self, reader: _Reader, match: MatchRecord, raw: _RawDeal, earlier: list[DealRecord]) -> None:
        self.reader, self.match, self.raw, self.earlier = reader, match, raw, earlier
        self.rules, self.players = match.rules, match.players
        self.number = self._number()

    def _complain(self, line: int, text: str, turn: int | None = None) -> None:
        self.reader.complain(line, text, self.number, turn)

    def deal(self) -> DealRecord | None:
        """Return the deal up to the first turn that cannot be, None if it cannot even begin."""
        try:
            self._check_keys()
            start = self._start()
        except _Wrong as error:
            self._complain(error.line, str(error))
            return None
        line = _Turns(self, start, hindsight=True)
        if line.sketch.blind:
            line = _Turns(self, start, hindsight=False, stock=line.sketch.stock)
        for problem in line.problems:
            self.reader.problems.append(problem)
        return self._record(start, line)

    def _number(self) -> int:
        """Return the number of the deal: the one it gives, else the next."""
        due = self.earlier[-1].number + 1 if self.earlier else 1
        text, line = self.raw.keys.pop("deal", ("", 0))
        if not text:
            return due
        if not text.strip().isdecimal() or int(text) < due:
            self.reader.complain(line, f"deal {quoted(text)}: {due} or more is due; it is read as deal {due}")
            return due
        return int(text)

    def _check_keys(self) -> None:
        names = {name.casefold(): name for name in self.players}
        for key, (_, line) in self.raw.keys.items():
            if key not in names and not KEYS.fullmatch(key):
                known = [*self.players, "leads", "up", "stock", "result"]
                raise _Wrong(
                    line, f"{quoted(key)}: is no player and no other key{suggestion(key, known)}: {choices(known)}"
                )

    def _value(self, key: str) -> tuple[str, int]:
        """Return what a key says, and the line; an empty text if it is not there."""
        return self.raw.keys.get(key, ("", self.raw.line))

    def _start(self) -> DealRecord:
        """Return the deal before its first turn."""
        hands = (self._hand(0), self._hand(1))
        up, line = self._value("up")
        if not up:
            raise _Wrong(line, "up: is missing: give the face-up trump card under the talon")
        deal = DealRecord(
            number=self.number,
            leader=self._leader(),
            hands=hands,
            up=self._read(parse_card, "up"),
            stock=self._read(read_stock, "stock"),
            seal=self._value("seal")[0] or None,
            salt=self._value("salt")[0] or None,
        )
        try:
            sketch_of(self.rules, self.players, deal)
        except Impossible as error:
            key = str(error).partition(":")[0].casefold()
            raise _Wrong(self._value(key)[1], str(error)) from None
        return deal

    def _read(self, parse: Callable[[str], T], key: str) -> T:
        text, line = self._value(key)
        try:
            return parse(text)
        except ValueError as error:
            raise _Wrong(line, f"{key}: {error}") from None

    def _hand(self, player: int) -> Cards | None:
        name = self.players[player]
        if self._value(name.casefold())[0].strip(" ?") == "":
            return None
        return self._read(parse_cards, name.casefold())

    def _leader(self) -> int:
        name, line = self._value("leads")
        if name:
            return self._player(name, "leads", line)
        before = self.earlier[-1] if self.earlier else None
        if before is None or before.number != self.number - 1 or before.result is None:
            raise _Wrong(line, f"leads: is missing: {choices(self.players)}")
        return next_leader(self.rules, before.leader, before.result)

    def _player(self, name: str, key: str, line: int) -> int:
        for player, known in enumerate(self.players):
            if name.strip().casefold() == known.casefold():
                return player
        raise _Wrong(line, f"{key}: {quoted(name)} is no player: {choices(self.players)}")

    def _record(self, start: DealRecord, line: _Turns) -> DealRecord:
        result = self._result(line)
        if not line.problems:
            try:
                line.sketch.pack()
            except Impossible as error:
                self._complain(self.raw.line, str(error))
        return dataclasses.replace(
            start, stock=line.sketch.stock, turns=line.turns(), comment=line.comment, result=result
        )

    def _result(self, line: _Turns) -> int | None:
        """Return the result: that of the turns, else the one noted."""
        text, number = self._value("result")
        try:
            noted = self._noted_result(text.strip(), number)
        except _Wrong as error:
            self._complain(error.line, str(error))
            noted = None
        if not line.sketch.over:
            return noted
        outcome = line.sketch.outcome if line.leader == 0 else -line.sketch.outcome
        if noted is not None and noted != outcome:
            made = f"{self.players[outcome < 0]} {abs(outcome)}" if outcome else "nobody"
            self._complain(number, f"result: {quoted(text)}: the turns make it {made}")
        return outcome

    def _noted_result(self, text: str, line: int) -> int | None:
        if text in ("", "*"):
            return None
        if text.lower() in ("nobody", "0"):
            return 0
        name, _, points = text.rpartition(" ")
        if points not in ("1", "2", "3"):
            raise _Wrong(line, f"result: {quoted(text)}: write the winner and 1, 2 or 3, or nobody, or *")
        return int(points) if self._player(name, "result", line) == 0 else -int(points)


class _Turns:
    """The turns of a deal, played until one cannot be."""

    def __init__(
        self, deal: _DealReader, start: DealRecord, hindsight: bool, stock: tuple[int | None, ...] | None = None
    ):
        if stock is not None:
            start = dataclasses.replace(start, stock=stock)
        self.leader = start.leader
        self.sketch = sketch_of(deal.rules, deal.players, start, hindsight)
        self.problems: list[Problem] = []
        self._deal = deal
        self._played: list[Turn] = []
        self._comments: list[list[str]] = [[]]  # those before the first turn, then those after each
        self._steps: list[str] = []  # words of a turn that has not come to its card
        for item in deal.raw.items:
            if not self._take(item):
                return
        if self._steps:
            self._complain(deal.raw.items[-1].line, f"{' '.join(self._steps)}: the card is missing")

    @property
    def comment(self) -> str | None:
        """What was noted before the first turn."""
        return _joined(self._comments[0])

    def turns(self) -> tuple[RecordedTurn, ...]:
        """The turns with what was noted about them."""
        pairs = zip(self._played, self._comments[1:], strict=True)
        return tuple(RecordedTurn(turn, _joined(comments)) for turn, comments in pairs)

    def _complain(self, line: int, text: str) -> None:
        turn = len(self._played) + 1
        self.problems.append(Problem(self._deal.reader.name, line, text, self._deal.number, turn))

    def _take(self, item: _Item) -> bool:
        """Take the next word or comment; False if it cannot be."""
        if item.kind == "comment":
            self._comments[-1].append(item.parts[0])
            return True
        try:
            self._take_word(item.parts[0], item.line)
        except ValueError as error:
            self._complain(item.line, str(error))
            return False
        return True

    def _take_word(self, word: str, line: int) -> None:
        """Take a word. Raises ValueError if it cannot stand here."""
        number = _NUMBER.fullmatch(word)
        if number is not None:
            self._check_trick(int(number[1]))
            word = number[2]
        if word.startswith("="):
            self._check_points(word, line)
        elif word.startswith("+"):
            self._draw(word)
        elif word.lower() in ("exchange", "close"):
            self._steps.append(word)
        elif word:
            turn = Turn.parse(" ".join([*self._steps, word]))
            self.sketch.play(turn)
            self._steps = []
            self._played.append(turn)
            self._comments.append([])

    def _check_trick(self, number: int) -> None:
        if len(self._played) % 2:
            raise Impossible(f"{number}.: the reply to {self._played[-1].text} is missing")
        if number != self.sketch.trick:
            raise Impossible(f"{number}.: trick {self.sketch.trick} is due here")

    def _check_points(self, word: str, line: int) -> None:
        """Complain about points that are not those of the turns; the turns are read on."""
        points = self.sketch.points if self.leader == 0 else self.sketch.points[::-1]
        due = f"={points[0]}-{points[1]}"
        if word != due:
            self._complain(line, f"{quoted(word)}: after these turns {due} is due ({' and '.join(self._deal.players)})")

    def _draw(self, word: str) -> None:
        cards = read_stock(word[1:])
        if not 1 <= len(cards) <= 2 or (word in ("+20", "+40")):
            raise Impossible(f"{quoted(word)}: one or two cards drawn, such as +Kd or +Kd,?")
        self.sketch.draw(cards)
