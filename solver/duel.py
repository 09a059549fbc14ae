"""One round between two players: the same cards twice with the seats exchanged, a deal or a whole match each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from threading import local
from time import perf_counter
from typing import Any

from .match import next_leader
from .notation import Turn
from .players import Player, PlayerError, player_of
from .rules import Rules
from .table import IllegalTurn, Table
from .workers import load_kernel

A, B = 0, 1
Sides = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Contest:
    """Who plays what: two player texts, the rules, the seed of all cards and choices, deals or whole matches.

    With `record` the games keep their turns.
    """

    a: str
    b: str
    rules: Rules
    seed: int
    match: bool = False
    record: bool = False

    def players(self) -> tuple[Player, Player]:
        """Return the players anew. Raises PlayerError if a text names none."""
        return player_of(self.a), player_of(self.b)


@dataclass(frozen=True, slots=True)
class Game:
    """One deal played to its end: game points for A (-3 to 3), who closed, and what each side's choices took.

    `decisions` are numbers of choices and `seconds` what they took together, to the microsecond, for A and B.
    `turns` are those that were played, None where they were not kept.
    """

    points: int
    closer: int | None
    decisions: Sides
    seconds: tuple[float, float]
    turns: tuple[Turn, ...] | None = None

    def to_json(self) -> list[Any]:
        """The game as a list: points, closer (null, 0 for A, 1 for B), decisions, seconds, and turns if kept."""
        turns = [] if self.turns is None else [[turn.text for turn in self.turns]]
        return [self.points, self.closer, list(self.decisions), list(self.seconds), *turns]

    @classmethod
    def from_json(cls, document: Any) -> Game:
        """Return the game of such a list. Raises TypeError or ValueError if it is none."""
        points, closer, (moves_a, moves_b), (time_a, time_b), *kept = document
        if points not in range(-3, 4) or closer not in (None, A, B):
            raise ValueError("no game")
        turns = tuple(map(Turn.parse, kept[0])) if kept else None
        return cls(points, closer, (int(moves_a), int(moves_b)), (float(time_a), float(time_b)), turns)


@dataclass(frozen=True, slots=True)
class Round:
    """The games in which A led first, and those on the same cards in which B did: one each, or a match each."""

    number: int
    a_first: tuple[Game, ...]
    b_first: tuple[Game, ...]

    @property
    def games(self) -> tuple[Game, ...]:
        """All games of the round."""
        return self.a_first + self.b_first

    def matches_won(self, target: int) -> int:
        """How many of the two matches A has won."""
        return sum(sum(max(0, game.points) for game in match) >= target for match in (self.a_first, self.b_first))


def play_rounds(contest: Contest, numbers: Sequence[int]) -> tuple[list[Round], float]:
    """Play the rounds with these numbers; also return the seconds it took. Raises PlayerError.

    A round depends on the contest and its number only.
    """
    load_kernel()
    start = perf_counter()
    rounds = [play_round(contest, number) for number in numbers]
    return rounds, perf_counter() - start


def play_round(contest: Contest, number: int) -> Round:
    """Play one round with the players of this thread."""
    play = _match if contest.match else _single
    return Round(number, play(contest, number, A), play(contest, number, B))


def play_deal(contest: Contest, number: int) -> Game:
    """Play one deal of a contest, with A on the first lead. Raises PlayerError."""
    return _single(contest, number, A)[0]


def seed_of(seed: int, *path: int | str) -> int:
    """A seed below 2**63 of its own for everything that a path of numbers and words names."""
    digest = blake2b(repr((seed, *path)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


_of_thread = local()


def _players(contest: Contest) -> tuple[Player, Player]:
    """The players of this thread, kept from round to round: a program is started once."""
    made: dict[tuple[str, str], tuple[Player, Player]] = _of_thread.__dict__.setdefault("players", {})
    if (contest.a, contest.b) not in made:
        made.clear()
        made[contest.a, contest.b] = contest.players()
    return made[contest.a, contest.b]


def _single(contest: Contest, number: int, leader: int) -> tuple[Game, ...]:
    return (_play(contest, (number, 0), leader, leader, None),)


def _match(contest: Contest, number: int, leader: int) -> tuple[Game, ...]:
    """A match in which `leader` leads first."""
    games: list[Game] = []
    score = [0, 0]
    first = leader
    while max(score) < contest.rules.match_target:
        game = _play(contest, (number, len(games)), first, leader, (score[A], score[B]))
        games.append(game)
        if game.points:
            score[A if game.points > 0 else B] += abs(game.points)
        leader = next_leader(contest.rules, leader, game.points)
    return tuple(games)


def table_of(contest: Contest, deal: tuple[int, int], score: Sides | None = None) -> Table:
    """The table of the deal with this number (round, deal of the match) before its first turn; `score` is by seat."""
    return Table.deal(contest.rules, seed_of(contest.seed, "cards", *deal), score)


def _play(contest: Contest, deal: tuple[int, int], first: int, leader: int, score: Sides | None) -> Game:
    """Play the deal with this number (round, deal of the match); seat 0 is the `leader`'s.

    `first` tells the two halves of a round apart: choices have seeds of their own in each.
    """
    players = _players(contest)
    sides = (leader, 1 - leader)
    table = table_of(contest, deal, score and (score[sides[0]], score[sides[1]]))
    decisions, seconds = [0, 0], [0.0, 0.0]
    while not table.over:
        side = sides[table.mover]
        position = table.position()
        seed = seed_of(contest.seed, "choice", *deal, first, side, sum(decisions))
        start = perf_counter()
        turn = players[side].choose(position, seed)
        seconds[side] += perf_counter() - start
        decisions[side] += 1
        try:
            table.play(turn)
        except IllegalTurn as error:
            raise PlayerError(f"{players[side].text} at {position.text}: {error}") from None
    points = table.outcome if leader == A else -table.outcome
    closer = None if table.closer is None else sides[table.closer]
    # Rounded here and not where it is written, so that a table made from a file is the one that was shown.
    taken = (round(seconds[A], 6), round(seconds[B], 6))
    return Game(points, closer, (decisions[A], decisions[B]), taken, table.turns if contest.record else None)
