"""The exact outcome of a fully known deal: the value of the position, or of every turn.

The outcome is one of seven, -3 to 3 game points. "Is it at least k?" is a race between a prover and a defender, and two
or three such questions give the outcome (zero-window search over ordered outcomes).
"""

from __future__ import annotations

from .drawing import (
    D_MUTE,
    D_PEND_FOLLOWER,
    D_PEND_LEADER,
    EXCHANGED,
    PROVER,
    TRICK,
    TRICK_FOLLOWER,
    TRICK_LEADER,
    draw,
    open_race_aux,
)
from .jit import INT, INTS, INTS2, entry, inlined, inner, int64, lowest
from .layout import (
    CLOSE,
    DECLARE,
    EXCHANGE,
    NO_CARD,
    NOBODY,
    S_CLOSER,
    S_HAND0,
    S_LEADER,
    S_LED,
    S_NOTE_POINTS,
    S_NOTE_TRICKS,
    S_OUTCOME,
    S_OVER,
    S_PENDING0,
    S_POINTS0,
    S_TALON,
    S_TRICKS0,
    S_TRUMP,
    S_UP,
    SCHNEIDER,
    STATE_SIZE,
    TARGET,
    TURN_CARD,
    TURN_CLOSE,
    TURN_DECLARED,
    TURN_EXCHANGE,
)
from .memory import (
    M_CHILD,
    M_CLASS,
    M_LAST_WINS,
    M_LEVEL,
    M_LOW,
    M_NO_POINTS,
    M_NODES,
    M_OFFSET,
    M_PENALTY,
    M_SNAPSHOT,
    M_TWIN_CLOSED,
    penalty_of,
    setup_deal,
    setup_rules,
)
from .race import (
    ALL_CARDS,
    CLOSED,
    FOLLOWER_IF_NEITHER,
    LEADER_IF_NEITHER,
    MUTE,
    POINTS_AND_TRICK,
    race,
)
from .state import CARD_POINTS, apply, lowest_trump, may_close, may_declare, may_exchange, mover, pairs, reply_mask

MAX_TURNS = 64


@inner
def set_question(mem, level, points, tricks):
    """Prepare the question "at least `level`" against a defender with these counted points and tricks.

    Returns 1 if the defender now needs a trick and not points, -1 if he has denied it already, else 0.
    """
    mem[M_LEVEL] = level
    mem[M_CLASS] = level if mem[M_PENALTY] or mem[M_SNAPSHOT] else 0
    mem[M_OFFSET] = TARGET
    if level == 2:
        mem[M_OFFSET] = SCHNEIDER
        if points >= SCHNEIDER:
            return 1 if tricks == 0 and not mem[M_NO_POINTS] else -1
    elif level == 3:
        if mem[M_NO_POINTS]:
            mem[M_OFFSET] = 1
            return -1 if points else 0
        return -1 if tricks else 1
    return 0


@inner
def ask_drawing(mem, state, prover, level, only, mute):
    """`ask` while cards are drawn."""
    leader = state[S_LEADER]
    follower = 1 - leader
    defender = 1 - prover
    trick = set_question(mem, level, state[S_POINTS0 + defender], state[S_TRICKS0 + defender])
    if trick < 0:
        return False
    aux = D_MUTE if mute else 0
    if leader == prover:
        aux |= PROVER
    if trick:
        aux |= TRICK
    if state[S_TRICKS0 + leader]:
        aux |= TRICK_LEADER
    if state[S_TRICKS0 + follower]:
        aux |= TRICK_FOLLOWER
    aux |= state[S_PENDING0 + leader] // 20 << D_PEND_LEADER
    aux |= state[S_PENDING0 + follower] // 20 << D_PEND_FOLLOWER
    up = state[S_UP]
    if up == 6 * state[S_TRUMP] + mem[M_LOW]:
        # Only its place tells an exchanged lowest trump from one turned up at the deal: equal from here on.
        aux |= EXCHANGED
    needs_prover = TARGET - state[S_POINTS0 + prover]
    needs_defender = mem[M_OFFSET] - state[S_POINTS0 + defender]
    nl = needs_prover if leader == prover else needs_defender
    nf = needs_defender if leader == prover else needs_prover
    answer = draw(mem, state[S_HAND0 + leader], state[S_HAND0 + follower], nl, nf, up, state[S_TALON], aux, only)
    return (answer & 1 == 1) == (leader == prover)


@inner
def ask_race(mem, state, prover, level, only, mute):
    """`ask` when nothing is drawn any more."""
    leader = state[S_LEADER]
    follower = 1 - leader
    defender = 1 - prover
    closer = state[S_CLOSER]
    points = state[S_POINTS0 + defender]
    tricks = state[S_TRICKS0 + defender]
    only_66 = False
    if closer == prover and mem[M_SNAPSHOT]:
        points = state[S_NOTE_POINTS]
        tricks = state[S_NOTE_TRICKS]
        only_66 = True
    penalty = 0
    if closer != NOBODY:
        penalty = penalty_of(mem, state[S_NOTE_TRICKS])
    if closer == defender and penalty:
        if level > penalty:
            return False
        only_66 = True
        trick = 0
    else:
        trick = set_question(mem, level, points, tricks)
        if trick < 0:
            return False
    aux = PROVER if leader == prover else 0
    if trick and not only_66:
        aux |= TRICK
    if state[S_TRICKS0 + leader]:
        aux |= TRICK_LEADER
    aux |= state[S_PENDING0 + leader] // 20 << D_PEND_LEADER
    aux |= state[S_PENDING0 + follower] // 20 << D_PEND_FOLLOWER
    then = open_race_aux(mem, aux)
    if closer != NOBODY and penalty:
        then = then & ~3 | (FOLLOWER_IF_NEITHER if leader == closer else LEADER_IF_NEITHER)
    if closer != NOBODY and mem[M_TWIN_CLOSED]:
        then |= CLOSED
    if mute:
        then |= MUTE
    offset = TARGET if only_66 else mem[M_OFFSET]
    if leader == defender and offset == SCHNEIDER and state[S_TRICKS0 + leader] == 0 and not mem[M_NO_POINTS]:
        then |= POINTS_AND_TRICK
    needs_prover = TARGET - state[S_POINTS0 + prover]
    needs_defender = offset - state[S_POINTS0 + defender]
    nl = needs_prover if leader == prover else needs_defender
    nf = needs_defender if leader == prover else needs_prover
    answer = race(mem, state[S_HAND0 + leader], state[S_HAND0 + follower], nl, nf, then, only)
    return (answer & 1 == 1) == (leader == prover)


@inlined
def ask(mem, state, prover, level, only, mute):
    """Whether `prover` gets at least `level` (1 to 3) game points with best play.

    `state` is at the start of a trick; `only`: the leads allowed, and then neither closing nor exchange; `mute`: the
    lead is not declared.
    """
    if state[S_TALON] > 0 and state[S_CLOSER] == NOBODY:
        return ask_drawing(mem, state, prover, level, only, mute)
    return ask_race(mem, state, prover, level, only, mute)


@inlined
def at_least(mem, state, value, only, mute):
    """Whether the outcome for player 0 is at least `value` (-2 to 3)."""
    if value >= 1:
        return ask(mem, state, int64(0), value, only, mute)
    return not ask(mem, state, int64(1), 1 - value, only, mute)


@inner
def outcome_from(mem, state, guess, only, mute):
    """The outcome for player 0, questions starting at `guess`: is it at least that?"""
    if state[S_OVER]:
        return state[S_OUTCOME]
    drawn = mem[M_LAST_WINS] == 0 and (state[S_CLOSER] == NOBODY or mem[M_PENALTY] == 0)
    low = -3
    high = 3
    test = max(guess, -2)
    while low < high:
        if test == 0 and not drawn:
            test = 1
        if at_least(mem, state, test, only, mute):
            low = test
            test += 1
        else:
            high = test - 1
            if high == 0 and not drawn:
                high = -1
            test = high
        test = min(max(test, low + 1), high)
    return low


@inner
def turns_of(state, rules, turns):
    """Write every legal turn of the player to move (`TURN_*`); returns their number."""
    if state[S_OVER]:
        return 0
    count = 0
    if state[S_LED] != NO_CARD:
        cards = reply_mask(state, rules)
        while cards:
            turns[count] = lowest(cards)
            count += 1
            cards &= cards - 1
        return count
    exchanges = 2 if may_exchange(state, rules) else 1
    closings = 2 if may_close(state, rules) else 1
    for exchange in range(exchanges):
        hand = state[S_HAND0 + state[S_LEADER]]
        if exchange:
            hand ^= (1 << lowest_trump(state, rules)) | (1 << state[S_UP])
        for close in range(closings):
            prefix = exchange * TURN_EXCHANGE + close * TURN_CLOSE
            count = leads_of(state, rules, hand, prefix, turns, count)
    return count


@inner
def leads_of(state, rules, hand, prefix, turns, count):
    """Write the leads from `hand`, declared and undeclared, after exchange and closing as `prefix` says."""
    before = state[S_CLOSER]
    if prefix & TURN_CLOSE:
        state[S_CLOSER] = state[S_LEADER]
    married = pairs(hand) if may_declare(state, rules) else 0
    state[S_CLOSER] = before
    cards = hand
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        turns[count] = card + prefix
        count += 1
        if (married >> card) & 1:
            turns[count] = card + prefix + TURN_DECLARED
            count += 1
    return count


@inner
def begin_turn(state, rules, turn):
    """Carry out in place what comes before the card of a turn."""
    if turn & TURN_EXCHANGE:
        apply(state, rules, EXCHANGE)
    if turn & TURN_CLOSE:
        apply(state, rules, CLOSE)


@inner
def apply_turn(state, rules, turn):
    """Play a whole turn in place."""
    begin_turn(state, rules, turn)
    apply(state, rules, (turn & TURN_CARD) + (DECLARE if turn & TURN_DECLARED else 0))


@inner
def turn_outcome(mem, rules, state, turn, guess):
    """The outcome for player 0 after a turn of the player to move; `state` is not changed."""
    child = mem[M_CHILD : M_CHILD + STATE_SIZE]
    for i in range(STATE_SIZE):
        child[i] = state[i]
    if state[S_LED] != NO_CARD:
        apply_turn(child, rules, turn)
        return outcome_from(mem, child, guess, int64(ALL_CARDS), int64(0))
    begin_turn(child, rules, turn)
    declared = turn & TURN_DECLARED != 0
    return outcome_from(mem, child, guess, 1 << (turn & TURN_CARD), int64(0 if declared else 1))


@inlined
def all_turns(mem, rules, state, turns, count, values):
    """Outcomes for player 0 of the given turns."""
    guess = int64(1)
    for i in range(count):
        guess = turn_outcome(mem, rules, state, turns[i], guess)
        values[i] = guess


@inlined
def best_outcome(mem, rules, state):
    """The outcome for player 0 with best play from a state at any point of a trick."""
    if state[S_OVER] or state[S_LED] == NO_CARD:
        return outcome_from(mem, state, int64(1), int64(ALL_CARDS), int64(0))
    sign = 1 if mover(state) == 0 else -1
    best = -4
    cards = reply_mask(state, rules)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        best = max(best, sign * turn_outcome(mem, rules, state, card, sign * max(best + 1, -2)))
        if best == 3:
            break
    return sign * best


@entry(INTS, INTS, INTS)
def list_turns(rules, state, turns):
    """Every legal turn of the player to move into `turns` (`MAX_TURNS` places); returns their number."""
    return turns_of(state, rules, turns)


@entry(INTS, INTS, INT)
def play_turn(rules, state, turn):
    """Play a whole legal turn in place; returns 1 when it decides the deal."""
    apply_turn(state, rules, turn)
    return state[S_OVER]


@entry(INTS, INTS)
def prepare(mem, rules):
    """Set new working memory up for a rule set."""
    setup_rules(mem, rules)
    return 0


@inlined
def best_turn(mem, rules, state, turns, result):
    """Write the value for player 0 and a best turn of the player to move to `result`.

    Among equal turns: the one that gives up the fewest card points, and a declared one before the same undeclared.
    """
    sign = 1 if mover(state) == 0 else -1
    count = turns_of(state, rules, turns)
    best = -1000
    for i in range(count):
        value = sign * turn_outcome(mem, rules, state, turns[i], sign * max(best // 100, -2))
        rank = 100 * value - 2 * CARD_POINTS[turns[i] & TURN_CARD] + (1 if turns[i] & TURN_DECLARED else 0)
        if rank > best:
            best = rank
            result[0] = sign * value
            result[1] = turns[i]


@entry(INTS, INTS, INTS2, INTS, INT, INTS2, INTS)
def solve_batch(mem, rules, states, turns, count, values, nodes):
    """Exact outcomes for player 0 in many deals (rows of `states`).

    Into row i of `values`: the outcome after each of the `count` turns given; with count 0 the value of the state
    alone; with count -1 its value and a best turn. `nodes[i]`: search nodes of deal i. Returns their total. The
    table for play without drawing is kept from deal to deal.
    """
    total = 0
    for i in range(len(states)):
        setup_deal(mem, states[i])
        if count > 0:
            all_turns(mem, rules, states[i], turns, count, values[i])
        elif count == 0:
            values[i, 0] = best_outcome(mem, rules, states[i])
        else:
            best_turn(mem, rules, states[i], turns, values[i])
        nodes[i] = mem[M_NODES]
        total += nodes[i]
    return total
