"""A person at the table against a player of the engine: a match deal by deal, with second thoughts.

The player is given what its seat knows and nothing else, `Table.position()`. The pack of a deal is sealed before its
first turn (see `seal`).
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from .cards import Cards
from .duel import seed_of
from .duelrecords import player_names
from .match import next_leader
from .notation import Turn
from .players import player_of
from .position import Position
from .records import DealRecord, MatchRecord, RecordError
from .rules import Rules
from .seal import pack_text, seal_of
from .steps import player_of_seat, record_of, table_of
from .table import Table

PERSON, ENGINE = 0, 1
"""The players of such a match on record."""

STRENGTHS: Final[Mapping[str, str]] = MappingProxyType(
    {"beginner": "random", "easy": "rule", "medium": "ismcts:iterations=1000", "hard": "engine:time=1"}
)
"""Names for players, from the weakest on."""

OPPONENT = "Opponent"
"""The tag that keeps the strength of the engine's side."""

TAKEN_BACK, AGAIN = "turns were taken back", "played again"


def new_match(rules: Rules, name: str, strength: str, single: bool = False) -> MatchRecord:
    """Return the record of a match that is about to begin, or of a single deal without a score."""
    tags = {OPPONENT: strength} if single else {OPPONENT: strength, "Target": str(rules.match_target)}
    return MatchRecord(rules=rules, players=player_names(name, strength), tags=tags)


class Sitting:
    """A match between a person and a player of the engine. One deal is on the table at a time."""

    table: Table

    def __init__(self, match: MatchRecord, strength: str, seed: int | None = None) -> None:
        """Sit down to a match, new or on record: its last deal goes on if it is not over.

        `strength` is a name of `STRENGTHS` or a player's text. The seed chooses the cards; without one they come from
        the system's randomness. Raises PlayerError, and RecordError for a record that cannot go on.
        """
        self.player = player_of(STRENGTHS.get(strength.strip().lower(), strength))
        self._seed = secrets.randbits(63) if seed is None else seed
        self._head = replace(match, deals=())
        self._before = match.deals
        self._start: DealRecord
        _check_can_go_on(match)
        if match.deals and match.deals[-1].result is None:
            self._before = match.deals[:-1]
            self._sit_down(match.deals[-1])
        else:
            self._deal()

    # --- the match ---

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self._head.rules

    @property
    def names(self) -> tuple[str, str]:
        """What the person and the player are called."""
        return self._head.players

    @property
    def match(self) -> MatchRecord:
        """The record, the deal on the table as far as it has come."""
        return replace(self._head, deals=(*self._before, self.deal))

    @property
    def played(self) -> MatchRecord:
        """The record of the deals that are over."""
        return self.match if self.table.over else replace(self._head, deals=self._before)

    @property
    def score(self) -> tuple[int, int] | None:
        """The game points of both, those of a deal that is over included; None if deals are not scored."""
        return self.match.score if self.table.over else self.match.score_before(len(self._before))

    @property
    def winner(self) -> int | None:
        """Who has won the match, None if nobody has."""
        return _winner(self.match)

    def next_deal(self) -> None:
        """Put the deal away and deal anew."""
        self._before = self.match.deals
        self._deal()

    def _deal(self) -> None:
        number = self._before[-1].number + 1 if self._before else 1
        if self._before:
            last = self._before[-1]
            leader = next_leader(self.rules, last.leader, last.result or 0)
        else:
            leader = random.Random(seed_of(self._seed, "lot")).randrange(2)
        dealt = record_of(Table.deal(self.rules, seed_of(self._seed, "cards", number)), leader, number)
        salt = "".join(f"{seed_of(self._seed, 'salt', number, half):016x}" for half in (1, 2))
        self._sit_down(replace(dealt, salt=salt, seal=seal_of(salt, pack_text(dealt))))

    # --- the deal ---

    @property
    def deal(self) -> DealRecord:
        """The record of the deal on the table."""
        played = record_of(self.table, self._start.leader)
        return replace(self._start, turns=played.turns, result=played.result)

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return player_of_seat(self._start, self.table.mover)

    @property
    def hand(self) -> Cards:
        """The person's cards."""
        return self.table.hand(player_of_seat(self._start, PERSON))

    @property
    def turns(self) -> list[tuple[int, Turn]]:
        """The turns of the deal so far, each with who played it."""
        return [(player_of_seat(self._start, seat), turn) for seat, turn in self.table.played]

    def position(self) -> Position:
        """What the one to move knows."""
        return self.table.position()

    def answer(self) -> Turn:
        """Choose and play a turn for the player. Raises PlayerError."""
        seed = seed_of(self._seed, "choice", self._start.number, len(self.table.played))
        turn = self.player.choose(self.table.position(), seed)
        self.table.play(turn)
        return turn

    def take_back(self) -> bool:
        """Go back to before the person's last turn; False if there is none."""
        seat = player_of_seat(self._start, PERSON)
        mine = [number for number, (mover, _) in enumerate(self.table.played) if mover == seat]
        if mine:
            self._note(TAKEN_BACK)
            self._lay(self.table.turns[: mine[-1]])
        return bool(mine)

    def again(self) -> None:
        """Begin the same deal once more."""
        self._note(AGAIN)
        self._lay(())

    def _sit_down(self, deal: DealRecord) -> None:
        """Begin a deal, or go on with one."""
        self._start = replace(deal, turns=(), result=None)
        self._lay([recorded.turn for recorded in deal.turns])

    def _lay(self, turns: Sequence[Turn]) -> None:
        """Play the deal from its beginning up to here."""
        self.table = table_of(replace(self._head, deals=(*self._before, self._start)), len(self._before))
        for turn in turns:
            self.table.play(turn)

    def _note(self, remark: str) -> None:
        """Note in the record what is not in its turns, once."""
        notes = [] if self._start.comment is None else self._start.comment.split("; ")
        if remark not in notes:
            self._start = replace(self._start, comment="; ".join([*notes, remark]))


def _check_can_go_on(match: MatchRecord) -> None:
    """Raise RecordError if a match on record cannot be played on."""
    for deal in match.deals:
        if deal.result is None and deal is not match.deals[-1]:
            raise RecordError(f"deal {deal.number} has no result, so the match cannot go on")
    if match.deals and match.deals[-1].result is None and not match.deals[-1].complete:
        raise RecordError(f"deal {match.deals[-1].number}: not every card is on record, so it cannot be played on")
    winner = _winner(match)
    if winner is not None:
        raise RecordError(f"the match is over: {match.players[winner]} has won")


def _winner(match: MatchRecord) -> int | None:
    score = match.score
    if score is None or max(score) < match.rules.match_target:
        return None
    return PERSON if score[PERSON] > score[ENGINE] else ENGINE
