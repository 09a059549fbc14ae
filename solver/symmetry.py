"""Decisions with the side suits exchanged: to the rules they are all alike, to a network only once it has seen it."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from .kernel.ismcts import SLOTS
from .kernel.network import CARD_SLOTS, F_GONE, F_HAND, F_LED, F_SHOWN, F_THEIRS, F_TOP, FEATURES

_ORDERS = np.array([(0, *order) for order in permutations((1, 2, 3))])  # of the suits, trumps first


def _mapped_features() -> NDArray[np.int16]:
    """For every order of the suits, what each feature becomes; -1 stays -1, by the spare last column."""
    table = np.tile(np.arange(FEATURES + 1, dtype=np.int16), (len(_ORDERS), 1))
    for first in (F_HAND, F_GONE, F_LED, F_THEIRS, F_SHOWN, F_TOP):
        for suit in range(4):
            for order, row in zip(_ORDERS, table, strict=True):
                row[first + 6 * suit : first + 6 * suit + 6] = first + 6 * order[suit] + np.arange(6)
    table[:, FEATURES] = -1
    return table


_MAPPED = _mapped_features()


def suits_mixed(
    features: NDArray[np.int16], values: NDArray[np.float32], rng: np.random.Generator
) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """Decisions (features, and values by action slot) with the side suits of each in another order, at random."""
    chosen = rng.integers(len(_ORDERS), size=len(features))
    cards = values[:, :CARD_SLOTS].reshape(-1, 4, 6)
    source = np.argsort(_ORDERS, axis=1)[chosen]
    moved = np.take_along_axis(cards, source[:, :, None], axis=1).reshape(-1, CARD_SLOTS)
    return _MAPPED[chosen[:, None], features], np.concatenate([moved, values[:, CARD_SLOTS:SLOTS]], axis=1)
