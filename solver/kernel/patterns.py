"""Tables over the two hands' cards of one suit, for play without drawing.

A suit is seen through an index `own << 6 | other`: the six-bit card sets of the player on lead and of his
opponent. Cards are compared only by who owns which rank order, so a suit has a *pattern*: the owners of its live
cards from low to high, and where a king and queen in one hand stand.
"""

from __future__ import annotations

import numpy as np

POINTS = (0, 2, 3, 4, 10, 11)
_QUEEN, _KING = 2, 3

# Bits of a SURE_* entry.
COUNT_BITS = 3
COUNT_MASK = 7
POINTS_MASK = 63
PAIR_SURE = 1 << 9  # leader holds king and queen, and one of them is among the sure cards
PAIR = 1 << 10  # leader holds king and queen


def _ranks(cards: int) -> list[int]:
    return [rank for rank in range(6) if cards >> rank & 1]


def _masters(own: int, other: int) -> int:
    """How many of the leader's top cards stand above all the opponent's."""
    return sum(1 for rank in _ranks(own) if other >> rank == 0)


def _entry(own: int, count: int) -> int:
    """The leader's `count` highest cards, packed: count, points, marriage bits."""
    top = sorted(_ranks(own), reverse=True)[:count]
    packed = count | sum(POINTS[rank] for rank in top) << COUNT_BITS
    if own >> _QUEEN & 1 and own >> _KING & 1:
        packed |= PAIR
        if _KING in top or _QUEEN in top:
            packed |= PAIR_SURE
    return packed


def _pattern(own: int, other: int) -> int:
    """Owners from low to high behind a leading one, then the place of a king and queen in one hand."""
    code, place, pair = 1, 0, 7
    for rank in range(6):
        if (own | other) >> rank & 1:
            if rank == _QUEEN and any(hand >> _QUEEN & 1 and hand >> _KING & 1 for hand in (own, other)):
                pair = place
            code = code << 1 | (own >> rank & 1)
            place += 1
    return code << 3 | pair


def _suit_tables() -> tuple[np.ndarray, ...]:
    pattern = np.zeros(4096, np.int64)
    run = np.zeros(4096, np.int64)
    guarded = np.zeros(4096, np.int64)
    masters = np.zeros(4096, np.int64)
    for own in range(64):
        for other in range(64):
            if own & other:
                continue
            index = own << 6 | other
            held, against, top = own.bit_count(), other.bit_count(), _masters(own, other)
            pattern[index] = _pattern(own, other)
            run[index] = _entry(own, held if top >= against else top)
            guarded[index] = _entry(own, min(top, against))
            masters[index] = _entry(own, top)
    return pattern, run, guarded, masters


def _differences() -> np.ndarray:
    """For two sets of live ranks of equal size, matched from low to high: packed worst-case point differences.

    Entry `probe << 6 | entry`: the sum of what the probe's cards are worth more (bits 0-7) and worth less (8-15).
    """
    table = np.zeros(4096, np.int64)
    for probe in range(64):
        for stored in range(64):
            if probe.bit_count() != stored.bit_count():
                continue
            deltas = [POINTS[a] - POINTS[b] for a, b in zip(_ranks(probe), _ranks(stored), strict=True)]
            more = sum(d for d in deltas if d > 0)
            less = -sum(d for d in deltas if d < 0)
            table[probe << 6 | stored] = more | less << 8
    return table


PATTERN, SURE_RUN, SURE_GUARDED, SURE_MASTERS = _suit_tables()
DIFFERENCE = _differences()
SUIT_POINTS = np.array([sum(POINTS[r] for r in _ranks(c)) for c in range(64)], np.int64)
