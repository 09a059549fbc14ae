"""Plain alpha-beta over the kernel's rules: no races, no bounds, no ordering; one table with whole states as keys.

A second opinion on the solver, fast enough for thousands of positions. It shares `kernel/state.py` with the
solver and nothing else; `naive.py` checks those rules.
"""

import numpy as np
from compiled import actions_of, apply, apply_turn, callable_from_python, mix, mover, turns_of
from sixtysix.kernel.layout import S_OUTCOME, S_OVER, STATE_SIZE

TABLE_BITS = 20


def new_table():
    return np.zeros((1 << TABLE_BITS, STATE_SIZE + 2), np.int64)


@callable_from_python
def slot_of(state):
    h = np.int64(0)
    for i in range(STATE_SIZE):
        h = mix(h ^ state[i])
    return h & ((1 << TABLE_BITS) - 1)


@callable_from_python
def same(row, state):
    different = 0
    for i in range(STATE_SIZE):
        different |= row[i] ^ state[i]
    return different == 0


@callable_from_python
def plain_value(state, rules, alpha, beta, table):
    """The outcome for player 0 if it lies between alpha and beta, else a bound on it."""
    if state[S_OVER]:
        return state[S_OUTCOME]
    row = table[slot_of(state)]
    low = np.int64(-3)
    high = np.int64(3)
    if same(row, state):
        low = row[STATE_SIZE]
        high = row[STATE_SIZE + 1]
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
    actions = np.empty(16, np.int64)
    count = actions_of(state, rules, actions)
    maximizing = mover(state) == 0
    best = np.int64(-9) if maximizing else np.int64(9)
    a = alpha
    b = beta
    for i in range(count):
        child = state.copy()
        apply(child, rules, actions[i])
        value = plain_value(child, rules, a, b, table)
        if maximizing:
            best = max(best, value)
            a = max(a, best)
        else:
            best = min(best, value)
            b = min(b, best)
        if a >= b:
            break
    # Within the window the value is exact; outside it is a bound.
    if alpha < best < beta:
        low = best
        high = best
    elif best <= alpha:
        high = min(high, best)
    else:
        low = max(low, best)
    for i in range(STATE_SIZE):
        row[i] = state[i]
    row[STATE_SIZE] = low
    row[STATE_SIZE + 1] = high
    return best


@callable_from_python
def plain_turns(state, rules, turns, values, table):
    """Outcome for player 0 of every turn of the player to move; returns how many turns there are."""
    count = turns_of(state, rules, turns)
    for i in range(count):
        child = state.copy()
        apply_turn(child, rules, turns[i])
        values[i] = plain_value(child, rules, np.int64(-3), np.int64(3), table)
    return count
