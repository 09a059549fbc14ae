"""Counting action sequences: the standard check of a rules kernel."""

from __future__ import annotations

from .jit import INTS, INTS2, entry, inner, int64
from .layout import STATE_SIZE
from .state import actions_of, apply

MAX_ACTIONS = 16
ROW = STATE_SIZE + MAX_ACTIONS  # a row of scratch: a state and the list of its actions


@inner
def count_from(scratch, rules, ply, counts):
    """Count the sequences that begin in the state of row `ply`, the rows below being free."""
    state = scratch[ply, :STATE_SIZE]
    actions = scratch[ply, STATE_SIZE:]
    count = actions_of(state, rules, actions)
    counts[ply] += count
    if ply + 1 < len(counts):
        child = scratch[ply + 1, :STATE_SIZE]
        for i in range(count):
            for j in range(STATE_SIZE):
                child[j] = state[j]
            apply(child, rules, actions[i])
            count_from(scratch, rules, ply + 1, counts)


@entry(INTS2, INTS, INTS)
def perft(scratch, rules, counts):
    """Numbers of action sequences of 1 .. len(counts) plies, into `counts` (zeros before); returns the last.

    A ply is an exchange, a closing or one card. A sequence whose last ply ends the deal counts, one that ended before
    does not. `scratch`: a row of `ROW` a ply, the first one beginning with the state.
    """
    count_from(scratch, rules, int64(0), counts)
    return counts[len(counts) - 1]
