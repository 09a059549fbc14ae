"""A decision as the network sees it: the features of a position, and the values of its turns by action slot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .cards import make_card, mask_of
from .kernel.ismcts import SLOT_CLOSE, SLOT_EXCHANGE, SLOTS
from .kernel.layout import S_HAND0, S_UP
from .kernel.network import CARD_SLOTS, MOST_FEATURES
from .worlds import Ints, Worlds

if TYPE_CHECKING:
    from .position import Position
    from .ranking import TurnAnalysis


def features_of(position: Position, *, exchanged: bool = False) -> Ints:
    """The network's features that are set for the player to move, filled up with -1; `exchanged`: once he has taken
    the upcard. Cards must still be drawn."""
    from .kernel.network import features_of as list_features

    rules = np.array(position.rules.packed(), np.int64)
    # What the player sees is the same in every world that fits it.
    state = Worlds.of(position).states(np.zeros(1, np.int64))[0]
    shown = mask_of(position.shown)
    if exchanged:
        low = make_card(position.trump, position.rules.lowest_rank)
        state[S_HAND0] ^= 1 << low | 1 << int(state[S_UP])
        shown |= 1 << int(state[S_UP])
        state[S_UP] = low
    seen = np.array([shown, mask_of(position.opp), position.rules.stock_top_face_up], np.int64)
    features = np.zeros(MOST_FEATURES, np.int64)
    count = list_features(state, rules, 0, seen, position.led_value, features)
    features[count:] = -1
    return features


def slot_values(position: Position, turns: Sequence[TurnAnalysis], *, exchanged: bool) -> NDArray[np.float32]:
    """By action slot the value (game points) of the best turn that begins with that action, NaN where there is none.

    `exchanged`: of the turns that exchange, by the action after the exchange.
    """
    values = np.full(SLOTS, -np.inf, np.float32)
    for judged in turns:
        turn = judged.turn
        if exchanged and not turn.exchange:
            continue
        slot = (turn.card - 6 * position.trump) % CARD_SLOTS
        if turn.close:
            slot = SLOT_CLOSE
        if turn.exchange and not exchanged:
            slot = SLOT_EXCHANGE
        values[slot] = max(values[slot], judged.value)
    values[np.isinf(values)] = np.nan
    return values
