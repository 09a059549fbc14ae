"""Tree search over what one player sees, guided by a network, for positions in which the talon hides cards.

Each iteration draws a world that fits what the searching player (player 0) knows. Nodes are his decisions: the public
course of the deal and his own hand. The opponent's choices are drawn from the network's policy, which sees the
opponent's hand in that world and not ours; so the opponent neither knows our cards nor plays as if he did not know his
own. A new node is worth what the network expects there. As soon as nothing is hidden by the draw any more, the world
is solved exactly. Turns of the root that close the talon are left out: they are judged over all of the opponent's
hands elsewhere. Where the opponent has just led, worlds are accepted by how likely that lead was with the hand.

Own choices follow the PUCT rule (Rosin 2011, Silver et al. 2017) with the network's policy as prior.
"""

from __future__ import annotations

import math

from .alphabeta import best_outcome
from .ismcts import (
    C_COUNT,
    C_EXPLORE,
    C_FACE_UP,
    C_FIRST,
    C_NODES,
    C_SEED,
    FAIR,
    MAX_DEPTH,
    N_KEY,
    N_SLOTS,
    N_SUM,
    N_VISITS,
    ROW_ACTIONS,
    ROW_PATH_NODE,
    ROW_PATH_PLAYER,
    ROW_PATH_SLOT,
    ROW_STATE,
    UNIT,
    choices,
    find_node,
    in_order,
    new_world,
    public_key,
    slot_of,
    turn_row,
    without_closing,
)
from .ismcts import CONFIG_SIZE as ISMCTS_CONFIG
from .ismcts import SCRATCH_ROWS as ISMCTS_ROWS
from .jit import FLOATS32, INTS, INTS2, entry, float64, inner, int64, mix
from .layout import (
    DECLARE,
    EXCHANGE,
    NO_CARD,
    S_HAND0,
    S_HAND1,
    S_LEADER,
    S_LED,
    S_OUTCOME,
    S_OVER,
    S_STOCK,
    S_TALON,
    S_TRUMP,
    S_UP,
    STATE_SIZE,
)
from .memory import setup_trump
from .network import FACE_UP, OUTCOMES, U_OUT, U_POLICY, judge, to_chances, to_policy
from .state import QUEEN, apply, drawing, mover

# `config`, after what it has in `ismcts`
C_SHOWN = ISMCTS_CONFIG  # player 0's cards that the opponent has seen
C_DECLARED = ISMCTS_CONFIG + 1  # what came with the card led at the root
C_TRIES = ISMCTS_CONFIG + 2  # worlds drawn at most for one that fits the opponent's lead
CONFIG_SIZE = ISMCTS_CONFIG + 3

MOST_TRIES = 64
SURPRISE = 0.02  # added to the probability of a lead, as the opponent may play otherwise than the policy
FRACTION = (1 << 24) - 1

# A row of the tree is one of `ismcts`, but for the third number of a slot: the prior, in UNIT.
LEAST_PRIOR = 0.02  # no turn is left untried because the policy never saw the point of it

NOT_SOLVED = 9  # instead of an outcome
# `scratch` rows, after those of `ismcts` without the players of the path, which are always player 0 here.
ROW_COPY = ROW_PATH_PLAYER
ROW_SEEN = ISMCTS_ROWS
ROW_FEATURES = ISMCTS_ROWS + 1
SCRATCH_ROWS = ISMCTS_ROWS + 2


@inner
def draw_action(units, actions, count, random):
    """An action drawn from the policy in `units`."""
    left = ((random >> 20) & FRACTION) / (FRACTION + 1.0)
    for k in range(count):
        left -= units[U_POLICY + k]
        if left < 0:
            return actions[k]
    return actions[count - 1]


@inner
def expand(row, key, units, actions, count):
    """Make a node with the policy in `units` as prior."""
    row[N_KEY] = key
    for k in range(count):
        row[N_SLOTS + 3 * slot_of(actions[k]) + 2] = int64(UNIT * units[U_POLICY + k])


@inner
def select(row, actions, count, explore):
    """The action with the highest upper confidence bound."""
    mean = row[N_SUM] / row[N_VISITS] if row[N_VISITS] else 0.0
    root = math.sqrt(row[N_VISITS] + 1.0)
    best = actions[0]
    best_score = -1e18
    for i in range(count):
        at = N_SLOTS + 3 * slot_of(actions[i])
        visits = row[at]
        value = row[at + 1] / visits if visits else mean
        score = value + explore * (row[at + 2] / UNIT + LEAST_PRIOR) * root / (1.0 + visits)
        if score > best_score:
            best_score = score
            best = actions[i]
    return best


@inner
def watch(state, action, seen):
    """Keep what a lead or exchange shows of a hand, before it is done. Returns what the card to be led declares."""
    leader = state[S_LEADER]
    if action == EXCHANGE:
        seen[leader] |= 1 << state[S_UP]
    elif action >= DECLARE and action < EXCHANGE:
        card = action - DECLARE
        seen[leader] |= 1 << (card + 1 if card % 6 == QUEEN else card - 1)
        return int64(40) if card // 6 == state[S_TRUMP] else int64(20)
    return int64(0)


@inner
def reply(state, rules, action, seen):
    """Play the second card of a trick, and keep what a face-up stock shows of the hand that draws from it."""
    top = state[S_STOCK + state[S_TALON] - 2] if seen[FACE_UP] and state[S_TALON] > 1 else int64(NO_CARD)
    apply(state, rules, action)
    if top != NO_CARD:
        seen[state[S_LEADER]] |= 1 << top


@inner
def carry_out(state, rules, action, seen):
    """Do an action and keep what it shows. Returns what the card on the table declares."""
    if state[S_LED] != NO_CARD:
        reply(state, rules, action, seen)
        return int64(0)
    declared = watch(state, action, seen)
    apply(state, rules, action)
    return declared


@inner
def likelihood(rules, state, copy, seen, declared, network, actions):
    """How likely the opponent, with his hand in this world, was to lead what he has led, by the policy."""
    weights, units, features = network
    for i in range(STATE_SIZE):
        copy[i] = state[i]
    copy[S_LED] = NO_CARD
    copy[S_HAND1] |= 1 << state[S_LED]
    count = choices(copy, rules, actions)
    judge(copy, rules, int64(1), seen, int64(0), weights, units, features)
    to_policy(units, actions, count, copy[S_TRUMP])
    wanted = state[S_LED] + (DECLARE if declared else 0)
    for i in range(count):
        if actions[i] == wanted:
            return float64(units[U_POLICY + i])
    return 0.0


@inner
def draw_world(rules, template, unseen, config, number, scratch, seen, network):
    """Draw worlds until one is accepted; the last is taken if none is."""
    state = scratch[ROW_STATE]
    tries = config[C_TRIES] if template[S_LED] != NO_CARD else int64(1)
    for i in range(tries):
        draw = number * MOST_TRIES + i
        new_world(template, unseen, config, draw, scratch)
        if i + 1 == tries:
            break
        chance = likelihood(rules, state, scratch[ROW_COPY], seen, config[C_DECLARED], network, scratch[ROW_ACTIONS])
        random = mix(mix(config[C_SEED] + 1) ^ draw)
        if ((random >> 20) & FRACTION) / (FRACTION + 1.0) < chance + SURPRISE:
            break


@inner
def his_action(state, rules, count, random, declared, seen, network, actions):
    """The opponent's choice: drawn from the policy for his hand."""
    if count == 1:
        return actions[0]
    weights, units, features = network
    judge(state, rules, int64(1), seen, declared, weights, units, features)
    to_policy(units, actions, count, state[S_TRUMP])
    return draw_action(units, actions, count, random)


@inner
def enter(state, rules, count, declared, config, tree, seen, network, actions):
    """The node of a decision of ours, made and judged if it is new; -1 where the tree has no room for it."""
    key = mix(public_key(state, seen[FACE_UP]) ^ state[S_HAND0]) | 1
    node = find_node(tree, key)
    if tree[node, N_KEY] == 0:
        weights, units, features = network
        judge(state, rules, int64(0), seen, declared, weights, units, features)
        if 2 * config[C_NODES] >= len(tree):
            return int64(-1)
        config[C_NODES] += 1
        to_policy(units, actions, count, state[S_TRUMP])
        expand(tree[node], key, units, actions, count)
    return node


@inner
def iterate(mem, rules, state, config, tree, stats, utility, scratch, number, seen, network):
    """One iteration from a world in `state`: select, ask the network or solve, and learn."""
    actions = scratch[ROW_ACTIONS]
    nodes = scratch[ROW_PATH_NODE]
    slots = scratch[ROW_PATH_SLOT]
    depth = int64(0)
    turn = int64(0)
    declared = config[C_DECLARED]
    random = mix(config[C_SEED] ^ mix(number))
    result = int64(NOT_SOLVED)
    while True:
        if state[S_OVER]:
            result = state[S_OUTCOME]
            break
        if turn & 4 and not drawing(state):
            result = best_outcome(mem, rules, state)
            break
        count = choices(state, rules, actions)
        if turn & 4 == 0:
            count = without_closing(actions, count)
        action = actions[0]
        if mover(state) == 1:
            random = mix(random + 1)
            action = his_action(state, rules, count, random, declared, seen, network, actions)
        elif count > 1:
            node = enter(state, rules, count, declared, config, tree, seen, network, actions)
            if turn & 4 and (node < 0 or tree[node, N_VISITS] == 0):
                worth = expected(network[1], utility)
                if node >= 0:
                    tree[node, N_VISITS] = 1
                    tree[node, N_SUM] = worth
                break
            if node >= 0 and depth < MAX_DEPTH:
                action = select(tree[node], actions, count, config[C_EXPLORE])
                if turn & 4 == 0 and number % FAIR == 0:
                    action = in_order(actions, count, number // FAIR, turn)
                nodes[depth] = node
                slots[depth] = N_SLOTS + 3 * slot_of(action)
                depth += 1
        if turn & 4 == 0:
            turn = turn_row(turn, action)
        declared = carry_out(state, rules, action, seen)
    learn(tree, stats[(turn >> 3) * 4 + (turn & 3)], utility, nodes, slots, depth, result, network[1])


@inner
def expected(units, utility):
    """What the network's chances in `units` are worth, which are made from its logits here."""
    to_chances(units)
    worth = int64(0)
    for i in range(OUTCOMES):
        worth += int64(units[U_OUT + i] * utility[i])
    return worth


@inner
def learn(tree, counts, utility, nodes, slots, depth, result, units):
    """Add an outcome, or the network's chances of all, to the nodes of the path and the root's turn."""
    counts[0] += 1
    if result == NOT_SOLVED:
        gain = int64(0)
        for i in range(OUTCOMES):
            counts[i + 1] += int64(UNIT * units[U_OUT + i])
            gain += int64(units[U_OUT + i] * utility[i])
    else:
        gain = utility[result + 3]
        counts[result + 4] += UNIT
    for i in range(depth):
        row = tree[nodes[i]]
        row[N_VISITS] += 1
        row[N_SUM] += gain
        row[slots[i]] += 1
        row[slots[i] + 1] += gain


@entry(INTS, INTS, INTS, INTS, INTS, INTS2, INTS2, INTS, INTS2, FLOATS32, FLOATS32)
def search(mem, rules, template, unseen, config, tree, stats, utility, scratch, weights, units):
    """Run iterations C_FIRST .. C_FIRST + C_COUNT - 1; returns the number of nodes in the tree.

    `tree` (rows of `ROW`, a power of two of them) and `stats` (`ROOT_TURNS` rows, the outcomes counted in UNIT) are
    built upon. `utility`: what each outcome from -3 to 3 is worth to player 0, in UNIT.
    """
    setup_trump(mem, template[S_TRUMP])
    state = scratch[ROW_STATE]
    seen = scratch[ROW_SEEN]
    network = (weights, units, scratch[ROW_FEATURES])
    for number in range(config[C_FIRST], config[C_FIRST] + config[C_COUNT]):
        seen[0] = config[C_SHOWN]
        seen[1] = template[S_HAND1]
        seen[FACE_UP] = config[C_FACE_UP]
        draw_world(rules, template, unseen, config, number, scratch, seen, network)
        iterate(mem, rules, state, config, tree, stats, utility, scratch, number, seen, network)
    return config[C_NODES]
