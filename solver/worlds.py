"""The worlds of a position: how many deals it allows, and their kernel states."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, factorial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .kernel.layout import STATE_SIZE

if TYPE_CHECKING:
    from .position import Position

Ints = NDArray[np.int64]
DECK = 24


@dataclass(frozen=True, slots=True)
class Worlds:
    """The deals consistent with a position, each as likely as the others.

    While cards are drawn a world is an opponent's hand and an order of the unknown stock cards. With the talon
    closed or gone, or with `hands_only`, it is an opponent's hand. Known cards stay where they are.
    """

    template: Ints
    unseen: Ints  # the cards the opponent may hold come first
    allowed: int
    need: int
    orders: int  # arrangements of the unknown stock cards; 0 when they are out of play

    @classmethod
    def of(cls, position: Position, *, hands_only: bool = False) -> Worlds:
        allowed = [card for card in position.unseen if card not in position.excluded]
        barred = [card for card in position.unseen if card in position.excluded]
        drawing = position.drawing and not hands_only
        return cls(
            template=np.array(position.state_template(), np.int64),
            unseen=np.array(allowed + barred, np.int64),
            allowed=len(allowed),
            need=position.opp_cards - len(position.opp),
            orders=factorial(position.stock.count(None)) if drawing else 0,
        )

    @property
    def count(self) -> int:
        """How many worlds there are."""
        return comb(self.allowed, self.need) * max(self.orders, 1)

    def states(self, numbers: Ints) -> Ints:
        """The kernel states of the worlds with these numbers, 0 to count - 1, one a row."""
        return self._make(numbers, sampled=False, seed=0)

    def sample(self, numbers: Ints, seed: int) -> Ints:
        """Kernel states drawn uniformly; a world depends on the seed and its own number only."""
        return self._make(numbers, sampled=True, seed=seed)

    def _make(self, numbers: Ints, *, sampled: bool, seed: int) -> Ints:
        from .kernel.worlds import make_worlds

        states = np.empty((len(numbers), STATE_SIZE), np.int64)
        scratch = np.zeros((3, DECK), np.int64)
        known = self.allowed, self.need, self.orders
        make_worlds(self.template, self.unseen, *known, int(sampled), seed, numbers, states, scratch)
        return states
