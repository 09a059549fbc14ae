"""Monte Carlo tree search over information sets, for positions in which the talon hides cards.

Each iteration draws a world that fits what the searching player (player 0) knows and descends one tree that all worlds
share. His nodes stand for what he sees: the public course of the deal and his own hand. The opponent's nodes stand for
the public course alone: they know neither our hand nor, as a simplification, the rest of his own; an action's
statistics there average over the hands that allow it (availability counts, Cowling, Powley and Whitehouse 2012). As
soon as nothing is hidden by the draw any more, the world is solved exactly. Turns of the root that close the talon are
left out: they are judged over all of the opponent's hands elsewhere.

Values are int64 in units of `UNIT` to a game point (or whatever `utility` counts).
"""

from __future__ import annotations

import math

from .alphabeta import best_outcome
from .jit import INTS, INTS2, entry, inner, int64, lowest, mix
from .layout import (
    CLOSE,
    DECLARE,
    EXCHANGE,
    NO_CARD,
    S_CLOSER,
    S_HAND0,
    S_HAND1,
    S_LEADER,
    S_LED,
    S_NOTE_POINTS,
    S_OUTCOME,
    S_OVER,
    S_PENDING0,
    S_POINTS0,
    S_STOCK,
    S_TALON,
    S_TRICKS0,
    S_TRUMP,
    S_UP,
)
from .memory import setup_trump
from .state import CARD_POINTS, actions_of, apply, beats, drawing, mover, pairs
from .worlds import one_world

UNIT = 1 << 20

# `config`
C_ALLOWED = 0
C_NEED = 1
C_ORDERS = 2
C_SEED = 3
C_FIRST = 4  # number of the first iteration
C_COUNT = 5  # iterations to do
C_EXPLORE = 6  # exploration constant, in UNIT
C_NODES = 7  # nodes in the tree so far
C_FACE_UP = 8  # whether the top of the stock lies face up
CONFIG_SIZE = 9

# A row of the tree: the key (0: free), visits and sum of the node, then visits, availability and sum of every slot.
N_KEY = 0
N_VISITS = 1
N_SUM = 2
N_SLOTS = 3
SLOT_EXCHANGE = 24
SLOT_CLOSE = 25
SLOTS = 26
ROW = N_SLOTS + 3 * SLOTS

# A row of `stats`, per turn of the root (`turn_row`): visits and the counts of the outcomes -3 to 3.
STATS_SIZE = 8
ROOT_TURNS = 24 * 4

FAIR = 8  # every so many iterations the root takes its turns in order, so that bad ones are judged too
MAX_DEPTH = 64
# `scratch` rows: three for the world, one each for actions, slots, and the path.
SCRATCH_ROWS = 8
SCRATCH_WIDTH = 64
ROW_STATE = 3
ROW_ACTIONS = 4
ROW_PATH_NODE = 5
ROW_PATH_SLOT = 6
ROW_PATH_PLAYER = 7


@inner
def slot_of(action):
    """The statistics slot of an action; a lead declares whenever it can, so card and declaration share one."""
    if action == EXCHANGE:
        return SLOT_EXCHANGE
    if action == CLOSE:
        return SLOT_CLOSE
    return action % DECLARE


@inner
def choices(state, rules, out):
    """The actions worth considering: all but undeclared leads that could be declared. Returns their number."""
    count = actions_of(state, rules, out)
    kept = 0
    for i in range(count):
        if i + 1 < count and out[i + 1] == out[i] + DECLARE:
            continue
        out[kept] = out[i]
        kept += 1
    return kept


@inner
def without_closing(actions, count):
    """Drop the closing from a list of actions; returns how many are left."""
    kept = 0
    for i in range(count):
        if actions[i] != CLOSE:
            actions[kept] = actions[i]
            kept += 1
    return kept


@inner
def public_key(state, face_up):
    """A hash of what both players have seen of the deal; `face_up`: whether the top of the stock lies face up."""
    played = state[S_HAND0] | state[S_HAND1]
    for i in range(state[S_TALON] - 1):
        if state[S_STOCK + i] != NO_CARD:
            played |= 1 << state[S_STOCK + i]
    h = mix(played | (state[S_LED] + 1) << 24 | state[S_LEADER] << 30 | (state[S_UP] + 1) << 32)
    h = mix(h ^ (state[S_POINTS0] | state[S_POINTS0 + 1] << 8 | state[S_PENDING0] << 16 | state[S_PENDING0 + 1] << 24))
    h ^= (state[S_CLOSER] + 1) | state[S_NOTE_POINTS] << 4 | state[S_TALON] << 12
    if face_up and state[S_TALON] > 1:
        h ^= (state[S_STOCK + state[S_TALON] - 2] + 1) << 40
    return mix(h ^ (state[S_TRICKS0] << 20 | state[S_TRICKS0 + 1] << 24))


@inner
def find_node(tree, key):
    """The row of a key, or the free row where it belongs."""
    at = mix(key) & (len(tree) - 1)
    while tree[at, N_KEY] != 0 and tree[at, N_KEY] != key:
        at = (at + 1) & (len(tree) - 1)
    return at


@inner
def rough_lead(state, rules):
    """A lead for playouts: exchange, a marriage, else the cheapest side card that breaks no king-queen pair."""
    hand = state[S_HAND0 + state[S_LEADER]]
    trump = state[S_TRUMP]
    best = int64(0)
    best_cost = int64(1000)
    paired = pairs(hand)
    cards = hand
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        cost = CARD_POINTS[card] + (20 if card // 6 == trump else 0) + (6 if (paired >> card) & 1 else 0)
        if cost < best_cost:
            best = card
            best_cost = cost
    return best


@inner
def rough_reply(state, legal):
    """A reply for playouts: take with the suit if that is possible, trump what is worth it, else the cheapest card."""
    led = state[S_LED]
    trump = state[S_TRUMP]
    paired = pairs(legal)
    best = int64(0)
    best_cost = int64(1000)
    cards = legal
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        cost = CARD_POINTS[card] + (12 if card // 6 == trump else 0) + (8 if (paired >> card) & 1 else 0)
        if beats(card, led, trump):
            cost = 14 - 2 * CARD_POINTS[led]
            if card // 6 == led // 6 and card // 6 != trump:
                cost -= CARD_POINTS[card] + 8
            else:
                cost += CARD_POINTS[card]
            if (paired >> card) & 1:
                cost += 8
        if cost < best_cost:
            best = card
            best_cost = cost
    return best


@inner
def rough_action(state, rules, actions, count, chance):
    """A quick and mostly sensible action for playouts; one in eight is random."""
    if chance & 7 == 0:
        return actions[(chance >> 3 & 0xFFFF) * count >> 16]
    if state[S_LED] != NO_CARD:
        legal = int64(0)
        for i in range(count):
            legal |= 1 << actions[i]
        return rough_reply(state, legal)
    declared = int64(-1)
    for i in range(count):
        if actions[i] == EXCHANGE:
            return actions[i]
        if actions[i] >= DECLARE and actions[i] < EXCHANGE and declared < 0:
            declared = actions[i]
    if declared >= 0:
        return declared
    return rough_lead(state, rules)


@inner
def prior(action, hint):
    """What is expected of an untried action beyond the node's mean, in UNIT: a little more of the rough choice."""
    if action == hint:
        return UNIT // 3
    if action == CLOSE:
        return -UNIT // 4
    if action == EXCHANGE:
        return UNIT // 4
    return -(UNIT // 64) * CARD_POINTS[action % DECLARE]


@inner
def select(tree, node, actions, count, explore, hint):
    """The action with the highest upper confidence bound, and count every available one as available."""
    row = tree[node]
    mean = row[N_SUM] / row[N_VISITS] if row[N_VISITS] else 0.0
    best = actions[0]
    best_score = -1e18
    for i in range(count):
        at = N_SLOTS + 3 * slot_of(actions[i])
        row[at + 1] += 1
        visits = row[at]
        if visits == 0:
            score = mean + 0.5 * UNIT * math.sqrt(math.log(row[at + 1] + 1.0)) + prior(actions[i], hint)
        else:
            score = row[at + 2] / visits + explore * math.sqrt(math.log(row[at + 1] + 1.0) / visits)
        if score > best_score:
            best_score = score
            best = actions[i]
    return best


@inner
def in_order(actions, count, number, turn):
    """The root's action in its round number `number`: every second round exchanges first, where that is allowed, and
    the cards come in turn with and without."""
    if actions[0] == EXCHANGE:
        return actions[0] if number & 1 else actions[1 + (number >> 1) % (count - 1)]
    return actions[(number >> (turn & 1)) % count]


@inner
def turn_row(turn, action):
    """The root's turn with one more action: bit 0 exchange, bit 1 closing, bit 2 a card played, above it the card."""
    if action == EXCHANGE:
        return turn | 1
    if action == CLOSE:
        return turn | 2
    return turn | 4 | (action % DECLARE) << 3


@inner
def new_world(template, unseen, config, number, scratch):
    """Draw the world with this number into the state row of `scratch`."""
    one_world(
        template,
        unseen,
        config[C_ALLOWED],
        config[C_NEED],
        config[C_ORDERS],
        int64(1),
        config[C_SEED],
        number,
        scratch[ROW_STATE],
        scratch,
    )


@inner
def iterate(mem, rules, state, config, tree, stats, utility, scratch, number):
    """One iteration from a world in `state`: select, expand, play out, solve, and learn."""
    actions = scratch[ROW_ACTIONS]
    nodes = scratch[ROW_PATH_NODE]
    slots = scratch[ROW_PATH_SLOT]
    players = scratch[ROW_PATH_PLAYER]
    depth = int64(0)
    turn = int64(0)
    growing = True
    random = mix(config[C_SEED] ^ mix(number))
    result = int64(0)
    while True:
        if state[S_OVER]:
            result = state[S_OUTCOME]
            break
        if turn & 4 and not drawing(state) and (state[S_TALON] == 0 or state[S_LED] != NO_CARD):
            result = best_outcome(mem, rules, state)
            break
        count = choices(state, rules, actions)
        if turn & 4 == 0:
            count = without_closing(actions, count)
        player = mover(state)
        random = mix(random + 1)
        action = actions[0]
        if count > 1:
            action = rough_action(state, rules, actions, count, random)
            if growing and depth < MAX_DEPTH:
                key = public_key(state, config[C_FACE_UP])
                if player == 0:
                    key = mix(key ^ state[S_HAND0])
                node = find_node(tree, key | 1)
                if tree[node, N_KEY] == 0:
                    growing = False
                    if 2 * config[C_NODES] < len(tree):
                        tree[node, N_KEY] = key | 1
                        config[C_NODES] += 1
                        growing = True
                if growing:
                    action = select(tree, node, actions, count, config[C_EXPLORE], action)
                    if turn & 4 == 0 and number % FAIR == 0:
                        action = in_order(actions, count, number // FAIR, turn)
                    nodes[depth] = node
                    slots[depth] = N_SLOTS + 3 * slot_of(action)
                    players[depth] = player
                    depth += 1
                    growing = tree[node, N_VISITS] > 0
        if turn & 4 == 0:
            turn = turn_row(turn, action)
        apply(state, rules, action)
    gain = utility[result + 3]
    for i in range(depth):
        worth = gain if players[i] == 0 else -gain
        row = tree[nodes[i]]
        row[N_VISITS] += 1
        row[N_SUM] += worth
        row[slots[i]] += 1
        row[slots[i] + 2] += worth
    row = stats[(turn >> 3) * 4 + (turn & 3)]
    row[0] += 1
    row[result + 4] += 1


@entry(INTS, INTS, INTS, INTS, INTS, INTS2, INTS2, INTS, INTS2)
def search(mem, rules, template, unseen, config, tree, stats, utility, scratch):
    """Run iterations C_FIRST .. C_FIRST + C_COUNT - 1; returns the number of nodes in the tree.

    `tree` (rows of `ROW`, a power of two of them) and `stats` (`ROOT_TURNS` rows) are built upon. `utility`: what each
    outcome from -3 to 3 is worth to player 0, in UNIT.
    """
    setup_trump(mem, template[S_TRUMP])
    state = scratch[ROW_STATE]
    for number in range(config[C_FIRST], config[C_FIRST] + config[C_COUNT]):
        new_world(template, unseen, config, number, scratch)
        iterate(mem, rules, state, config, tree, stats, utility, scratch, number)
    return config[C_NODES]
