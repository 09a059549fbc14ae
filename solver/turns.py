"""Turns as the kernel codes them, and back to objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .cards import points_of, rank_of, suit_of
from .kernel.layout import TURN_CARD, TURN_CLOSE, TURN_DECLARED, TURN_EXCHANGE
from .notation import Turn
from .worlds import Ints

if TYPE_CHECKING:
    from .position import Position


def legal_turns(rules: Ints, state: Ints) -> Ints:
    """The codes of all legal turns of the player to move; they depend on nothing that is hidden from him."""
    from .kernel.alphabeta import MAX_TURNS, list_turns

    codes = np.zeros(MAX_TURNS, np.int64)
    count = list_turns(rules, state.copy(), codes)
    return codes[:count].copy()


def turns_allowed(position: Position) -> list[Turn]:
    """Every legal turn of a position, undeclared leads included."""
    rules = np.array(position.rules.packed(), np.int64)
    codes = legal_turns(rules, np.array(position.state_template(), np.int64))
    return [turn_of(int(code), position.trump) for code in codes]


def turn_of(code: int, trump: int) -> Turn:
    """The turn with this code."""
    card = code & TURN_CARD
    worth = (40 if card // 6 == trump else 20) if code & TURN_DECLARED else 0
    return Turn(exchange=bool(code & TURN_EXCHANGE), close=bool(code & TURN_CLOSE), card=card, value=worth)


def code_of(turn: Turn) -> int:
    """The code of a turn."""
    return (
        turn.card
        | (TURN_DECLARED if turn.value else 0)
        | (TURN_CLOSE if turn.close else 0)
        | (TURN_EXCHANGE if turn.exchange else 0)
    )


def order_of(turn: Turn) -> tuple[int, ...]:
    """The order of equally good turns: fewer card points given up first, then the order of the notation."""
    card = turn.card
    return (points_of(card), turn.exchange, turn.close, suit_of(card), -rank_of(card), not turn.declared)
