"""Deals played out by the network's policy alone, thousands a second: what its expectation of the outcome learns from.

Both players draw their actions from the policy, sharpened, each from what he has seen. Once nothing is hidden by the
draw any more, the deal is worth what best play makes of it. There is no search, so the play is worse than the engine's,
but by as much on both sides, and a network that has seen a million deals knows far more of their course than one that
has seen the few thousand a search can play in the same time (Tesauro 1995 trained TD-Gammon so).
"""

from __future__ import annotations

from .alphabeta import best_outcome
from .guided import carry_out, draw_action
from .ismcts import choices
from .jit import FLOATS32, INT, INTS, INTS2, entry, inner, int64, mix
from .layout import S_OUTCOME, S_OVER, S_TRUMP, STATE_SIZE
from .memory import setup_trump
from .network import FACE_UP, MOST_FEATURES, U_POLICY, judge, list_features, to_policy
from .state import drawing, mover

# A row of `rows`: the deal's result for the player to move, then the features he sees, -1 after the last.
ROW = 1 + MOST_FEATURES
MOST_DECISIONS = 40  # in a deal, at most
SCRATCH_ROWS = 4


@inner
def sharpen(units, count):
    """Square the probabilities of a policy, so that a player errs less than the softmax he was taught."""
    total = 0.0
    for k in range(count):
        units[U_POLICY + k] *= units[U_POLICY + k]
        total += units[U_POLICY + k]
    for k in range(count):
        units[U_POLICY + k] /= total


@inner
def note(row, owner, features, count):
    """Keep what a player sees; the place of the result holds his number until it is known."""
    row[0] = owner
    for i in range(MOST_FEATURES):
        row[1 + i] = features[i] if i < count else -1


@inner
def play_deal(mem, rules, state, number, seed, scratch, network, rows, first):
    """Play one deal, its decisions noted from row `first` on; returns the number of the row after the last."""
    weights, units, features = network
    actions = scratch[1]
    seen = scratch[2]
    seen[0] = seen[1] = 0
    random = mix(seed ^ mix(number))
    declared = int64(0)
    row = first
    while not state[S_OVER] and drawing(state):
        count = choices(state, rules, actions)
        action = actions[0]
        if count > 1:
            me = mover(state)
            note(rows[row], me, features, list_features(state, rules, me, seen, declared, features))
            row += 1
            judge(state, rules, me, seen, declared, weights, units, features)
            to_policy(units, actions, count, state[S_TRUMP])
            sharpen(units, count)
            random = mix(random + 1)
            action = draw_action(units, actions, count, random)
        declared = carry_out(state, rules, action, seen)
    result = state[S_OUTCOME] if state[S_OVER] else best_outcome(mem, rules, state)
    for i in range(first, row):
        rows[i, 0] = -result if rows[i, 0] else result
    return row


@entry(INTS, INTS, INT, INTS2, INT, FLOATS32, FLOATS32, INTS2, INTS2)
def play_out(mem, rules, face_up, deals, seed, weights, units, scratch, rows):
    """Play every deal (a state before its first trick); returns how many decisions of more than one action there were,
    one in each row of `rows` (of `ROW`; there must be `MOST_DECISIONS` a deal). `face_up`: whether the top of the
    stock is seen."""
    state = scratch[0]
    network = (weights, units, scratch[3])
    scratch[2, FACE_UP] = face_up
    count = int64(0)
    for number in range(len(deals)):
        for i in range(STATE_SIZE):
            state[i] = deals[number, i]
        setup_trump(mem, state[S_TRUMP])
        count = play_deal(mem, rules, state, number, seed, scratch, network, rows, count)
    return count
