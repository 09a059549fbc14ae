"""A deal in play: the truth about it, and what each seat has seen of it."""

from __future__ import annotations

import random
from copy import copy

import numpy as np

from .cards import Cards, cards_of, full_deck, partner_of
from .claims import ME, OPP, Claims, Closing
from .dealing import state_of_pack
from .kernel.layout import (
    NO_CARD,
    NOBODY,
    S_CLOSER,
    S_HAND0,
    S_LEADER,
    S_LED,
    S_NOTE_POINTS,
    S_NOTE_TRICKS,
    S_OUTCOME,
    S_OVER,
    S_PENDING0,
    S_POINTS0,
    S_STOCK,
    S_TALON,
    S_TRICKS0,
    S_TRUMP,
    S_UP,
)
from .notation import Turn
from .position import Deal, Position
from .reasons import why_not
from .rules import Rules
from .turns import code_of, legal_turns, turn_of
from .worlds import Ints


class IllegalTurn(ValueError):
    """A turn that the rules do not allow here."""


class Table:
    """A deal in play by two seats; seat 0 leads to the first trick.

    The table knows all cards and keeps record of those that each seat has seen. A player is given no table, only the
    `position` of the seat to move. `score` are the match's game points, by seat.
    """

    def __init__(self, rules: Rules, state: Ints, score: tuple[int, int] | None = None) -> None:
        """Begin with a deal's kernel state, before the first trick."""
        self.rules = rules
        self._packed = np.array(rules.packed(), np.int64)
        self.played: list[tuple[int, Turn]] = []  # the turns so far, each with its seat
        self.start: Ints = state.copy()  # the kernel state before the first trick
        self._state = state
        self._score = score
        self._gone: list[int] = []
        self._led_value = 0  # what the marriage declared with the card led is worth
        self._seen = [0, 0]  # by seat: cards that were his when the other saw them, as a mask
        self._lacking = [0, 0]  # by seat: cards that he is proved not to hold

    @classmethod
    def deal(cls, rules: Rules, seed: int, score: tuple[int, int] | None = None) -> Table:
        """Deal at random; the cards depend on the seed and the deck only."""
        rng = random.Random(seed)
        cards = sorted(full_deck(rules.deck), key=lambda _: rng.random())
        return cls(rules, state_of_pack(rules, cards), score)

    @property
    def over(self) -> bool:
        """Whether the deal is decided."""
        return bool(self._state[S_OVER])

    @property
    def outcome(self) -> int:
        """What a decided deal is worth to seat 0: -3 to 3 game points."""
        return int(self._state[S_OUTCOME])

    @property
    def closer(self) -> int | None:
        """The seat that has closed the talon, None if nobody has."""
        closer = int(self._state[S_CLOSER])
        return None if closer == NOBODY else closer

    @property
    def points(self) -> tuple[int, int]:
        """The counted card points, by seat."""
        return int(self._state[S_POINTS0]), int(self._state[S_POINTS0 + 1])

    @property
    def tricks(self) -> tuple[int, int]:
        """The tricks won, by seat."""
        return int(self._state[S_TRICKS0]), int(self._state[S_TRICKS0 + 1])

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns so far."""
        return tuple(turn for _, turn in self.played)

    @property
    def mover(self) -> int:
        """The seat whose turn it is."""
        leader = int(self._state[S_LEADER])
        return leader if self._state[S_LED] == NO_CARD else 1 - leader

    def hand(self, seat: int) -> Cards:
        """The cards of a seat, for showing them to their owner."""
        return cards_of(int(self._state[S_HAND0 + seat]))

    def position(self) -> Position:
        """What the seat to move knows: nothing in it depends on a card that he cannot know."""
        state, me = self._state.tolist(), self.mover
        opp = 1 - me

        def pair(place: int) -> tuple[int, int]:
            return state[place + me], state[place + opp]

        known = self._seen[opp] & state[S_HAND0 + opp]
        return Position.from_claims(
            Claims(
                rules=self.rules,
                hand=cards_of(state[S_HAND0 + me]),
                up=_card(state[S_UP]),
                trump=state[S_TRUMP],
                led=_card(state[S_LED]),
                led_value=self._led_value,
                gone=tuple(self._gone),
                opp=cards_of(known),
                stock=self._known_stock(state),
                points=pair(S_POINTS0),
                pending=pair(S_PENDING0),
                tricks=pair(S_TRICKS0),
                closed=_closing(state, me),
                shown=cards_of(self._seen[me] & state[S_HAND0 + me]),
                excluded=cards_of(self._lacking[opp] & ~known),
                first=ME if me == 0 else OPP,
                score=self._score and (self._score[me], self._score[opp]),
            )
        )

    def truth(self, seen: Position) -> Deal:
        """Everything, for judging what was played and never for playing; `seen` is the seat's `position` now."""
        state = self._state.tolist()
        size = max(0, state[S_TALON] - 1)
        stock = tuple(reversed(state[S_STOCK : S_STOCK + size]))
        return Deal(seen.replace(opp=cards_of(state[S_HAND0 + 1 - self.mover]), stock=stock, excluded=()))

    def _known_stock(self, state: list[int]) -> tuple[int, ...]:
        """The stock card that lies face up, if the rules turn it."""
        if not self.rules.stock_top_face_up or state[S_TALON] < 2:
            return ()
        return (state[_top(state)],)

    def why_not(self, turn: Turn) -> str | None:
        """Why the rules do not allow the seat to move this turn, None if they do."""
        return why_not(self.rules, self._state, turn)

    def redealt(self, leader: int, follower: int, top: int) -> Table:
        """The same deal as the public has seen it, with other cards hidden, at the start of the last open trick.

        `leader` and `follower` are the hands of the seat to lead and the other, as masks, `top` is the stock card. They
        must agree with what both sides have seen.
        """
        table = copy(self)
        table._state = self._state.copy()
        lead = int(self._state[S_LEADER])
        table._state[[S_HAND0 + lead, S_HAND0 + 1 - lead, S_STOCK]] = leader, follower, top
        table._gone, table._seen, table._lacking = list(self._gone), list(self._seen), list(self._lacking)
        return table

    def play(self, turn: Turn) -> None:
        """Play a turn for the seat to move.

        Raises IllegalTurn if the rules do not allow it; then nothing has changed.
        """
        from .kernel.alphabeta import play_turn

        code, trump = code_of(turn), int(self._state[S_TRUMP])
        allowed = legal_turns(self._packed, self._state)
        if code not in allowed or turn_of(code, trump) != turn:
            texts = ", ".join(sorted(turn_of(int(legal), trump).text for legal in allowed))
            raise IllegalTurn(f"{turn.text} is not allowed here: {texts or 'the deal is over'}")
        mover, before = self.mover, self._state.tolist()
        if before[S_LED] != NO_CARD:
            self._lacking[mover] |= self._proofs(mover, turn.card)
        play_turn(self._packed, self._state, code)
        self.played.append((mover, turn))
        if before[S_LED] == NO_CARD:
            self._watch_lead(mover, turn, before)
        else:
            self._watch_reply(turn, before)

    def _proofs(self, seat: int, reply: int) -> int:
        """The cards that a seat cannot hold, as the rules would not have allowed him this reply; as a mask.

        Needed after a closing only: once the talon is gone, counting tells his hand.
        """
        return 0 if self.closer is None else proofs_of(self.rules, self._state, seat, reply)

    def _watch_lead(self, leader: int, turn: Turn, before: list[int]) -> None:
        """Keep what a lead has shown; `before` is the state before it."""
        self._led_value = turn.value
        if turn.exchange:
            self._seen[leader] |= 1 << before[S_UP]
        if turn.declared:
            self._seen[leader] |= 1 << partner_of(turn.card)

    def _watch_reply(self, turn: Turn, before: list[int]) -> None:
        """Put the trick away, and keep what the draw has shown; `before` is the state before the reply."""
        self._led_value = 0
        self._gone += [before[S_LED], turn.card]
        talon = before[S_TALON]
        if self._state[S_TALON] == talon:
            return
        winner = int(self._state[S_LEADER])
        if self.rules.stock_top_face_up:
            self._seen[winner] |= 1 << before[_top(before)]
        if talon == 2:
            self._seen[1 - winner] |= 1 << before[S_UP]


def proofs_of(rules: Rules, state: Ints, seat: int, reply: int) -> int:
    """The cards with which the rules would not have allowed a seat this reply; as a mask."""
    packed = np.array(rules.packed(), np.int64)
    proofs = 0
    state = state.copy()
    for card in full_deck(rules.deck):
        state[S_HAND0 + seat] = 1 << reply | 1 << card
        if reply not in legal_turns(packed, state):
            proofs |= 1 << card
    return proofs


def _card(place: int) -> int | None:
    return None if place == NO_CARD else place


def _top(state: list[int]) -> int:
    """Where the top card of the stock stands in a state."""
    return S_STOCK + state[S_TALON] - 2


def _closing(state: list[int], me: int) -> Closing | None:
    if state[S_CLOSER] == NOBODY:
        return None
    return Closing(ME if state[S_CLOSER] == me else OPP, state[S_NOTE_POINTS], state[S_NOTE_TRICKS])
