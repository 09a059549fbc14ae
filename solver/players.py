"""Players: from a text such as `pimc:worlds=50` to something that chooses turns.

A player is given what its seat knows, a Position, and never the deal. Its choice depends on the position and the seed
only (and on the clock, where its strength is given as a time), so games do not depend on where or when they are played.
"""

from __future__ import annotations

import random
import re
import shlex
import shutil
import subprocess
import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Final, Protocol

from .echo import choices, quoted, suggestion
from .notation import Turn, TurnError
from .position import Position
from .rule_player import RulePlayer
from .turns import turns_allowed

if TYPE_CHECKING:
    from .ranking import TurnAnalysis

LARGEST: Final = 1_000_000_000
HANDS: Final = 300  # of the opponent, over which a player judges closings


class PlayerError(ValueError):
    """A text that names no player, or a player that answers no legal turn."""


class Player(Protocol):
    """Somebody who chooses a turn from what his seat knows."""

    @property
    def text(self) -> str:
        """The text that names this player, every option written out."""

    def choose(self, position: Position, seed: int) -> Turn:
        """Return a legal turn. Raises PlayerError if there is no answer."""


def player_of(text: str) -> Player:
    """Return the player that a text names; programs and searches start with the first choice.

    Raises PlayerError naming the part that is wrong and what would be right.
    """
    parts = _parts(text.strip())
    *staged, (rest, stages) = parts
    if stages is not None:
        raise PlayerError(f"{quoted(text)}: the last player takes what is left and has no @ stage")
    last = _single(rest)
    if not staged:
        return last
    shares = []
    for name, stages in staged:
        if stages is None:
            raise PlayerError(
                f"{quoted(name)}: say which stages it plays, such as {name[:20]}@12-8 or {name[:20]}@closed"
            )
        shares.append(Share(_single(name), _stages(stages)))
    return StagedPlayer(tuple(shares), last)


def _parts(text: str) -> list[tuple[str, str | None]]:
    """Return the players joined by slashes, each with the text of its stages; a command takes all that follows."""
    parts: list[tuple[str, str | None]] = []
    while True:
        if text.lower().startswith("cmd:"):
            return [*parts, (text, None)]
        part, slash, text = text.partition("/")
        name, at, stages = part.partition("@")
        parts.append((name.strip(), stages if at else None))
        if not slash:
            return parts


def _single(text: str) -> Player:
    """Return the player of a text without stages."""
    name, colon, rest = text.partition(":")
    name = name.strip().lower()
    if name == "cmd":
        return ProgramPlayer(rest.strip())
    if name not in KINDS:
        raise PlayerError(
            f"there is no player {quoted(name) or 'without a name'}{suggestion(name, KINDS)}: "
            f"{choices([*KINDS, 'cmd:PROGRAM'])}"
        )
    return KINDS[name](**_options(name, rest if colon else None))


def _options(name: str, text: str | None) -> dict[str, float | str]:
    """Return the options of a kind of player, such as `worlds=50,score=ignore`, by name."""
    options: dict[str, float | str] = {}
    for word in [] if text is None else text.split(","):
        option, equals, value = (part.strip() for part in word.partition("="))
        allowed = OPTIONS[name]
        if option not in allowed:
            which = choices(f"{name}:{option}=" for option in allowed) if allowed else f"{name} has none"
            raise PlayerError(f"{quoted(f'{name}:{word}')}: unknown option, {which}")
        if not equals or option in options:
            value = "ignore" if READERS.get(option) is _ignore else "NUMBER"
            raise PlayerError(f"{quoted(f'{name}:{word}')}: write {option}={value}, once")
        options[option] = READERS.get(option, _whole)(option, value)
    return options


def _ignore(option: str, text: str) -> str:
    if text.lower() != "ignore":
        raise PlayerError(f"{option}={quoted(text)}: only {option}=ignore can be said")
    return "ignore"


def _whole(option: str, text: str) -> int:
    if not (re.fullmatch("[0-9]{1,10}", text) and 1 <= int(text) <= LARGEST):
        raise PlayerError(f"{option}={quoted(text)}: a whole number from 1 to {LARGEST} is due")
    return int(text)


def _seconds(option: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not (isfinite(seconds) and seconds > 0):
        raise PlayerError(f"{option}={quoted(text)}: a positive number of seconds is due")
    return seconds


READERS: Final[Mapping[str, Callable[[str, str], float | str]]] = {
    "time": _seconds,
    "score": _ignore,
    "corrections": _ignore,
}
"""How options are read that are no whole numbers."""


# --- the players --------------------------------------------------------------------------------


class RandomPlayer:
    """One legal action after the other, all alike: an exchange, a closing, or a card, declared or not."""

    text = "random"

    def choose(self, position: Position, seed: int) -> Turn:
        """Choose by the seed."""
        rng = random.Random(seed)
        ways = {turn: turn.text.split(", ") for turn in turns_allowed(position)}
        depth = 0
        while len(ways) > 1:
            actions = list(dict.fromkeys(way[depth] for way in ways.values()))
            chosen = actions[int(rng.random() * len(actions))]
            ways = {turn: way for turn, way in ways.items() if way[depth] == chosen}
            depth += 1
        return next(iter(ways))


class JudgingPlayer(ABC):
    """A player who judges every legal turn and plays the best."""

    __slots__ = ()

    @property
    @abstractmethod
    def text(self) -> str: ...

    @abstractmethod
    def judge(self, position: Position, seed: int) -> tuple[TurnAnalysis, ...]:
        """All legal turns, best first."""

    def choose(self, position: Position, seed: int) -> Turn:
        """Choose the turn judged best."""
        return self.judge(position, seed)[0].turn


@dataclass(frozen=True, slots=True)
class PimcPlayer(JudgingPlayer):
    """The best average over sampled deals solved with open cards, so many or for so many seconds; closings over hands.

    `score`: `ignore` to play for game points in a match too.
    """

    worlds: int | None = None
    time: float | None = None
    score: str | None = None

    def __post_init__(self) -> None:
        if self.worlds is None and self.time is None:
            object.__setattr__(self, "worlds", 50)

    @property
    def text(self) -> str:
        return _text_of("pimc", worlds=self.worlds, time=self.time, score=self.score)

    def judge(self, position: Position, seed: int) -> tuple[TurnAnalysis, ...]:
        """Judge by open-card values."""
        from .analysis import ranked_turns

        return ranked_turns(
            position,
            worlds=self.worlds,
            time=self.time,
            seed=seed,
            method=None if self.worlds else "sampled",
            hands=self.worlds,
            by_points=bool(self.score),
        )


@dataclass(frozen=True, slots=True)
class EnginePlayer(JudgingPlayer):
    """What the engine recommends within a time (seconds), a number of worlds or of iterations, on one thread.

    `score`: `ignore` to play for game points in a match too. `corrections`: `ignore` to state chances as they were
    searched, which is what the corrections are fitted to.
    """

    time: float | None = None
    worlds: int | None = None
    iterations: int | None = None
    score: str | None = None
    corrections: str | None = None

    def __post_init__(self) -> None:
        if self.time is None and self.worlds is None and self.iterations is None:
            object.__setattr__(self, "time", 0.03)

    @property
    def text(self) -> str:
        return _text_of("engine", **asdict(self))

    def judge(self, position: Position, seed: int) -> tuple[TurnAnalysis, ...]:
        """Judge as the engine does by default."""
        from .analysis import ranked_turns

        return ranked_turns(
            position,
            worlds=self.worlds,
            time=self.time,
            iterations=self.iterations,
            seed=seed,
            hands=HANDS,
            by_points=bool(self.score),
            correcting=not self.corrections,
        )


@dataclass(frozen=True, slots=True)
class TreePlayer(JudgingPlayer):
    """A tree search over hidden cards ("guided" or "ismcts") with so many iterations, or so many seconds.

    `score`: `ignore` to play for game points in a match too.
    """

    method: str
    iterations: int | None = None
    time: float | None = None
    score: str | None = None

    def __post_init__(self) -> None:
        if self.iterations is None and self.time is None:
            object.__setattr__(self, "iterations", 5000)

    @property
    def text(self) -> str:
        return _text_of(self.method, iterations=self.iterations, time=self.time, score=self.score)

    def judge(self, position: Position, seed: int) -> tuple[TurnAnalysis, ...]:
        """Judge by the search; closings by open cards over a sample of hands."""
        from .analysis import ranked_turns

        return ranked_turns(
            position,
            worlds=self.iterations,
            time=self.time,
            seed=seed,
            method=self.method,
            hands=HANDS,
            by_points=bool(self.score),
        )


def _text_of(name: str, **options: float | str | None) -> str:
    given = [f"{option}={value}" for option, value in options.items() if value is not None]
    return f"{name}:{','.join(given)}"


class ProgramPlayer:
    """A program outside: for each position line it is sent, it answers one turn, on a line of its own.

    It is started at the first choice and serves all games of this process, one question at a time.
    """

    def __init__(self, command: str) -> None:
        """Raise PlayerError if the command names no program that can be run."""
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise PlayerError(f"cmd:{quoted(command)}: {str(error).lower()}") from None
        if not self._words:
            raise PlayerError("cmd: name a program after it, such as cmd:./bot or 'cmd:python3 bot.py'")
        if shutil.which(self._words[0]) is None:
            raise PlayerError(f"cmd:{quoted(command)}: there is no program {quoted(self._words[0])} that can be run")
        self.text = f"cmd:{command}"
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def choose(self, position: Position, seed: int) -> Turn:
        """Ask the program."""
        with self._lock:
            answer = self._ask(position.text)
        try:
            return Turn.parse(answer)
        except TurnError as error:
            raise PlayerError(f"{quoted(self.text)} answered no turn to {position.text}: {error}") from None

    def _ask(self, line: str) -> str:
        try:
            if self._process is None:
                self._process = self._start()
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except (OSError, UnicodeDecodeError) as error:
            raise PlayerError(f"{quoted(self.text)} cannot be asked about {line}: {error}") from None
        if not answer:
            raise PlayerError(f"{quoted(self.text)} ended without an answer to {line}")
        return answer

    def _start(self) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        process = subprocess.Popen(self._words, stdin=pipe, stdout=pipe, text=True, encoding="utf-8")
        weakref.finalize(self, _stop, process)
        return process


def _stop(process: subprocess.Popen[str]) -> None:
    """End a program that is asked no more."""
    process.kill()
    process.communicate()


# --- by stage -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the deal: `closed`, `gone`, or talon sizes from `most` down to `least` while cards are drawn."""

    text: str
    most: int = 0
    least: int = 0

    def holds(self, position: Position) -> bool:
        """Whether a position is in this stage."""
        if position.closed is not None:
            return self.text == "closed"
        if position.talon == 0:
            return self.text == "gone"
        return self.least <= position.talon <= self.most


@dataclass(frozen=True, slots=True)
class Share:
    """A player and the stages he plays."""

    player: Player
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class StagedPlayer:
    """Several players, each for some stages of the deal; `rest` plays what they leave."""

    shares: tuple[Share, ...]
    rest: Player

    @property
    def text(self) -> str:
        staged = (f"{share.player.text}@{','.join(stage.text for stage in share.stages)}" for share in self.shares)
        return "/".join([*staged, self.rest.text])

    def choose(self, position: Position, seed: int) -> Turn:
        """Let the player of the stage choose."""
        for share in self.shares:
            if any(stage.holds(position) for stage in share.stages):
                return share.player.choose(position, seed)
        return self.rest.choose(position, seed)


def _stages(text: str) -> tuple[Stage, ...]:
    return tuple(_stage(word.strip().lower()) for word in text.split(","))


def _stage(word: str) -> Stage:
    if word in ("closed", "gone"):
        return Stage(word)
    match = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", word)
    ends = [int(end) for end in match.groups() if end is not None] if match else []
    if not ends or not all(1 <= end <= 12 for end in ends):
        raise PlayerError(f"@{quoted(word)} is no stage: numbers of talon cards such as 12-8 or 4, closed, or gone")
    return Stage(word, max(ends), min(ends))


KINDS: Final[Mapping[str, Callable[..., Player]]] = {
    "random": RandomPlayer,
    "rule": RulePlayer,
    "pimc": PimcPlayer,
    "guided": partial(TreePlayer, "guided"),
    "ismcts": partial(TreePlayer, "ismcts"),
    "engine": EnginePlayer,
}
"""The players by name, beside programs."""

OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "random": (),
    "rule": (),
    "pimc": ("worlds", "time", "score"),
    "guided": ("iterations", "time", "score"),
    "ismcts": ("iterations", "time", "score"),
    "engine": ("time", "worlds", "iterations", "score", "corrections"),
}
"""The options of each."""
