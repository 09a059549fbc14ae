"""From a shuffled pack to the kernel state of a deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .cards import mask_of, suit_of
from .kernel.layout import (
    NO_CARD,
    NOBODY,
    S_CLOSER,
    S_HAND0,
    S_HAND1,
    S_LED,
    S_STOCK,
    S_TALON,
    S_TRUMP,
    S_UP,
    STATE_SIZE,
)

if TYPE_CHECKING:
    from .rules import Rules
    from .worlds import Ints


def state_of_pack(rules: Rules, cards: Sequence[int]) -> Ints:
    """Deal a pack: the hand of player 0, who leads, that of player 1, the upcard, then the stock from the bottom."""
    size = rules.hand_size
    stock = cards[2 * size + 1 :]
    state = np.zeros(STATE_SIZE, np.int64)
    state[S_HAND0], state[S_HAND1] = mask_of(cards[:size]), mask_of(cards[size : 2 * size])
    state[S_LED], state[S_CLOSER] = NO_CARD, NOBODY
    state[S_UP] = cards[2 * size]
    state[S_TRUMP] = suit_of(cards[2 * size])
    state[S_STOCK:] = NO_CARD
    state[S_STOCK : S_STOCK + len(stock)] = stock
    state[S_TALON] = len(stock) + 1
    return state
