"""A small neural network that judges a position with the talon open from what one player knows: how the deal ends, and
what he does.

Input are 0/1 features of the player's view, most of them a card in a place (his hand, the cards gone, the card led,
cards known of the other's hand, his own cards that the other knows), suits counted from the trump suit. Two hidden
layers of rectified units follow; the output is 7 logits for the outcomes -3 to 3 as he sees them, then one for every
action slot (cards by suit from trump on, exchange, closing). Only features that are set cost time in the first layer.
"""

from __future__ import annotations

import math

from .ismcts import slot_of
from .jit import FLOATS32, INT, INTS, entry, inner, int64, lowest
from .layout import (
    NO_CARD,
    R_DECK,
    S_HAND0,
    S_LED,
    S_PENDING0,
    S_POINTS0,
    S_STOCK,
    S_TALON,
    S_TRICKS0,
    S_TRUMP,
    S_UP,
)

ALL_CARDS = 0xFFFFFF
NO_NINES = ALL_CARDS ^ 0x41041

# --- features ------------------------------------------------------------------------------
F_HAND = 0
F_GONE = 24
F_LED = 48
F_THEIRS = 72  # cards the player knows to be in the other's hand
F_SHOWN = 96  # cards of his own that the other knows
F_UP = 120  # by rank
F_TALON = 126  # by pairs of cards
F_POINTS = 133  # mine, then his, by steps of `POINT_STEP`
POINT_STEP = 3
POINT_STEPS = 25
F_PENDING = 183  # mine, his
F_TRICKS = 185  # mine, his: whether any
F_DECLARED = 187  # what came with the card led: nothing, 20, 40
F_TOP = 190  # the top card of the stock, where it lies face up
FEATURES = 214
MOST_FEATURES = 64

HIDDEN = 128
HIDDEN2 = 32
FACE_UP = 2  # index in `seen`

OUTCOMES = 7
CARD_SLOTS = 24
OUTPUTS = OUTCOMES + CARD_SLOTS + 2

# --- where the layers stand in `weights`, and their values in `units` -----------------------------
W_BIAS = FEATURES * HIDDEN
W_SECOND = W_BIAS + HIDDEN
W_BIAS2 = W_SECOND + HIDDEN * HIDDEN2
W_OUT = W_BIAS2 + HIDDEN2
W_BIAS_OUT = W_OUT + HIDDEN2 * OUTPUTS
WEIGHTS = W_BIAS_OUT + OUTPUTS

U_SECOND = HIDDEN
U_OUT = HIDDEN + HIDDEN2
U_POLICY = U_OUT + OUTPUTS
UNITS = U_POLICY + 16


@inner
def from_trump(cards, trump):
    """The cards with suits counted from the trump suit."""
    shift = 6 * trump
    return ((cards >> shift) | (cards << (24 - shift))) & ALL_CARDS


@inner
def cards_gone(state, rules):
    """The cards of earlier tricks."""
    there = state[S_HAND0] | state[S_HAND0 + 1]
    for i in range(state[S_TALON] - 1):
        if state[S_STOCK + i] != NO_CARD:
            there |= 1 << state[S_STOCK + i]
    if state[S_UP] != NO_CARD:
        there |= 1 << state[S_UP]
    if state[S_LED] != NO_CARD:
        there |= 1 << state[S_LED]
    return (ALL_CARDS if rules[R_DECK] == 24 else NO_NINES) & ~there


@inner
def list_cards(first, cards, trump, out, count):
    """Add a feature for every card to the list; returns its new length."""
    cards = from_trump(cards, trump)
    while cards:
        out[count] = first + lowest(cards)
        count += 1
        cards &= cards - 1
    return count


@inner
def list_table(state, rules, out, count):
    """Add the features of what lies on the table to the list; returns its new length."""
    trump = state[S_TRUMP]
    count = list_cards(int64(F_GONE), cards_gone(state, rules), trump, out, count)
    if state[S_LED] != NO_CARD:
        count = list_cards(int64(F_LED), 1 << state[S_LED], trump, out, count)
    if state[S_UP] != NO_CARD:
        out[count] = F_UP + state[S_UP] % 6
        count += 1
    out[count] = F_TALON + state[S_TALON] // 2
    count += 1
    return count


@inner
def list_side(state, player, side, out, count):
    """Add the features of one player's points and tricks to the list (`side`: 0 mine, 1 his); returns its length."""
    step = min(state[S_POINTS0 + player] // POINT_STEP, POINT_STEPS - 1)
    out[count] = F_POINTS + side * POINT_STEPS + step
    count += 1
    if state[S_PENDING0 + player]:
        out[count] = F_PENDING + side
        count += 1
    if state[S_TRICKS0 + player]:
        out[count] = F_TRICKS + side
        count += 1
    return count


@inner
def list_features(state, rules, me, seen, declared, out):
    """Write the features that are set for player `me` to `out` (at most `MOST_FEATURES`); returns how many.

    `seen`: by player, his cards that the other has seen (a mask; cards since played may be in it), then whether the
    top of the stock lies face up; `declared`: what the marriage led with the card on the table is worth.
    """
    trump = state[S_TRUMP]
    hand = state[S_HAND0 + me]
    count = list_cards(int64(F_HAND), hand, trump, out, int64(0))
    count = list_cards(int64(F_THEIRS), seen[1 - me] & state[S_HAND0 + 1 - me], trump, out, count)
    count = list_cards(int64(F_SHOWN), seen[me] & hand, trump, out, count)
    count = list_table(state, rules, out, count)
    count = list_side(state, me, int64(0), out, count)
    count = list_side(state, 1 - me, int64(1), out, count)
    if seen[FACE_UP] and state[S_TALON] > 1:
        count = list_cards(int64(F_TOP), 1 << state[S_STOCK + state[S_TALON] - 2], trump, out, count)
    out[count] = F_DECLARED + declared // 20
    return count + 1


@inner
def add_rows(target, rows, source, width):
    """Add to the next layer the positive units of one layer times their rows of weights (its slices, for the loops over
    them to become vector instructions; with an offset in the index they do not)."""
    for i in range(len(source)):
        unit = source[i]
        if unit > 0:
            row = rows[i * width : (i + 1) * width]
            for j in range(width):
                target[j] += unit * row[j]


@inner
def judge(state, rules, me, seen, declared, weights, units, features):
    """Fill the outputs for player `me`; for the others see `list_features`."""
    count = list_features(state, rules, me, seen, declared, features)
    first = units[:HIDDEN]
    for j in range(HIDDEN):
        first[j] = weights[W_BIAS + j]
    for i in range(count):
        row = weights[features[i] * HIDDEN : (features[i] + 1) * HIDDEN]
        for j in range(HIDDEN):
            first[j] += row[j]
    second = units[U_SECOND:U_OUT]
    for j in range(HIDDEN2):
        second[j] = weights[W_BIAS2 + j]
    add_rows(second, weights[W_SECOND:W_BIAS2], first, HIDDEN2)
    out = units[U_OUT:U_POLICY]
    for j in range(OUTPUTS):
        out[j] = weights[W_BIAS_OUT + j]
    add_rows(out, weights[W_OUT:W_BIAS_OUT], second, OUTPUTS)


@inner
def to_chances(units):
    """Turn the outcome logits into chances."""
    most = units[U_OUT]
    for i in range(1, OUTCOMES):
        most = max(most, units[U_OUT + i])
    total = 0.0
    for i in range(OUTCOMES):
        units[U_OUT + i] = math.exp(units[U_OUT + i] - most)
        total += units[U_OUT + i]
    for i in range(OUTCOMES):
        units[U_OUT + i] /= total


@inner
def policy_logit(units, slot, trump):
    """The logit of an action slot (`slot_of` in the tree search)."""
    if slot < CARD_SLOTS:
        slot = (slot + 6 * (4 - trump)) % CARD_SLOTS
    return units[U_OUT + OUTCOMES + slot]


@inner
def to_policy(units, actions, count, trump):
    """Write the probability of each of these actions to the units from `U_POLICY` on."""
    most = policy_logit(units, slot_of(actions[0]), trump)
    for k in range(1, count):
        most = max(most, policy_logit(units, slot_of(actions[k]), trump))
    total = 0.0
    for k in range(count):
        units[U_POLICY + k] = math.exp(policy_logit(units, slot_of(actions[k]), trump) - most)
        total += units[U_POLICY + k]
    for k in range(count):
        units[U_POLICY + k] /= total


@entry(INTS, INTS, INT, INTS, INT, INTS)
def features_of(state, rules, me, seen, declared, out):
    """`list_features` for the training."""
    return list_features(state, rules, me, seen, declared, out)


@entry(INTS, INTS, INT, INTS, INT, FLOATS32, FLOATS32, INTS)
def outputs_of(state, rules, me, seen, declared, weights, units, features):
    """Fill `units` with the outputs for player `me`, the outcomes as chances; returns 0."""
    judge(state, rules, me, seen, declared, weights, units, features)
    to_chances(units)
    return 0
