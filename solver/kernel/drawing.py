"""The search while cards are drawn: the same race, with closing and exchanging, over a known stock.

The question is always "does the prover get at least `M_LEVEL` game points?". The prover needs 66 points; the
defender needs `M_OFFSET` counted points (66, 33, or one; or a trick) to deny it. A closing turns it into a race
without drawing, whose targets follow from who closed and from the rules' penalty.

Keys are exact here: the hands tell the trick number, and with the exchange bit the upcard too.
"""

from __future__ import annotations

from .jit import inner, int64, mix
from .layout import TARGET
from .memory import (
    DRAW_BITS,
    HISTORY_BLOCK,
    LIST_SIZE,
    M_ABLATE,
    M_CLASS,
    M_CLOSE_MIN,
    M_CLOSE_TRICK,
    M_DEAL,
    M_DRAW_TABLE,
    M_EXCHANGE_MIN,
    M_EXCHANGE_TRICK,
    M_HISTORY,
    M_LAST_WINS,
    M_LEVEL,
    M_LISTS,
    M_LOW,
    M_MARRY_AFTER_TRICK,
    M_MARRY_PENDING,
    M_NO_POINTS,
    M_NODES,
    M_OFFSET,
    M_SNAPSHOT,
    M_STOCK,
    M_STOCK_CARDS,
    M_TRUMP,
    M_TWIN_CLOSED,
    NO_EQUALS,
    NO_PEEK,
    NO_TABLE,
    penalty_of,
)
from .ordering import open_leads, open_replies, reward, take_best
from .race import (
    ALL_CARDS,
    CLOSED,
    FOLLOWER_IF_NEITHER,
    FOLLOWER_TRICK,
    FRESH,
    INF,
    LAST_TRICK,
    LEADER_IF_NEITHER,
    LEADER_TRICK,
    PEND_FOLLOWER,
    PEND_LEADER,
    POINTS_AND_TRICK,
    corner_x,
    corner_y,
    covered,
    known_race,
    lift,
    proof,
    race,
    shift,
)
from .state import CARD_POINTS, beats, pairs

# `aux` while cards are drawn, from the leader's side.
PROVER = 1  # the leader is the prover
TRICK = 2  # the defender needs a trick, not points
TRICK_LEADER = 4  # the leader has won a trick
TRICK_FOLLOWER = 8
D_PEND_LEADER = 4  # shifts of pending marriage points, in twenties
D_PEND_FOLLOWER = 6
EXCHANGED = 1 << 8
D_MUTE = 1 << 9  # at the root: the lead is not declared
KEY_AUX = 0x1FF


@inner
def plain_mode(mem, prover_leads):
    """Who wins when the cards run out and no closing decides."""
    if mem[M_LAST_WINS]:
        return LAST_TRICK
    return FOLLOWER_IF_NEITHER if prover_leads else LEADER_IF_NEITHER


@inner
def open_race_aux(mem, aux):
    """`aux` of the race that begins when the last cards have been drawn."""
    prover = aux & PROVER
    then = plain_mode(mem, prover)
    if aux & TRICK:
        then |= FOLLOWER_TRICK if prover else LEADER_TRICK
    if aux & TRICK_LEADER == 0:
        then |= FRESH
    return then | ((aux >> D_PEND_LEADER) & 3) << PEND_LEADER | ((aux >> D_PEND_FOLLOWER) & 3) << PEND_FOLLOWER


@inner
def close_now(mem, hl, hf, nl, nf, aux):
    """The leader closes: a `proof` from his side, in the needs of the open game."""
    prover = aux & PROVER
    penalty = penalty_of(mem, 1 if aux & TRICK_FOLLOWER else 0)
    to_66 = TARGET - mem[M_OFFSET]
    then = open_race_aux(mem, aux & ~TRICK)
    trick = FOLLOWER_TRICK if prover else LEADER_TRICK
    if mem[M_TWIN_CLOSED]:
        then |= CLOSED
    move = 0  # what the defender's need grows by, as only 66 will do
    if prover:
        if penalty:
            then = then & ~3 | FOLLOWER_IF_NEITHER
        if mem[M_SNAPSHOT]:
            move = to_66
        elif aux & TRICK:
            then |= trick
        answer = race(mem, hl, hf, nl, nf + move, then, int64(ALL_CARDS))
        return proof(answer & 1, corner_x(answer), reached(corner_y(answer), move))
    if penalty:
        if penalty < mem[M_LEVEL]:
            return proof(1, INF, -INF)
        then = then & ~3 | FOLLOWER_IF_NEITHER
        move = to_66
    elif aux & TRICK:
        then |= trick
    elif aux & TRICK_LEADER == 0 and mem[M_LEVEL] == 2 and not mem[M_NO_POINTS]:
        then |= POINTS_AND_TRICK
    answer = race(mem, hl, hf, nl + move, nf, then, int64(ALL_CARDS))
    return proof(answer & 1, reached(corner_x(answer), move), corner_y(answer))


@inner
def reached(corner, move):
    """A corner of closed play in the needs of the open game, in which the deal ends before a need falls below 1."""
    if corner <= -INF:
        return corner
    return max(shift(corner, -move), 1)


@inner
def after_leader_wins(aux):
    return aux & ~(3 << D_PEND_LEADER | D_MUTE) | TRICK_LEADER


@inner
def after_follower_wins(aux):
    """From the new leader's side; the old leader's pending points stay pending."""
    then = aux & (TRICK | EXCHANGED) | (aux & PROVER) ^ PROVER | TRICK_LEADER
    if aux & TRICK_LEADER:
        then |= TRICK_FOLLOWER
    return then | ((aux >> D_PEND_LEADER) & 3) << D_PEND_FOLLOWER


# Table data: four corners of 8 bits (leader wins x, y, follower wins x, y), then the best lead and the deal's stamp.
NO_PROOF = (-INF + 128) | (INF + 128) << 8 | (INF + 128) << 16 | (-INF + 128) << 24
STAMP = (1 << 26) - 1


@inner
def draw_corner(data, which):
    return ((data >> (8 * which)) & 255) - 128


@inner
def probe_draw(mem, slot, key, nl, nf):
    """The stored proof that covers (nl, nf), or 0."""
    if mem[slot] != key or (mem[slot + 1] >> 37) & STAMP != mem[M_DEAL] & STAMP:
        return 0
    data = mem[slot + 1]
    x = draw_corner(data, 0)
    y = draw_corner(data, 1)
    if nl <= x and nf >= y:
        return proof(1, x, y)
    x = draw_corner(data, 2)
    y = draw_corner(data, 3)
    if nl >= x and nf <= y:
        return proof(0, x, y)
    return 0


@inner
def stored_lead(mem, slot, key):
    """The best lead found earlier at this node, or 31."""
    if mem[slot] != key or (mem[slot + 1] >> 37) & STAMP != mem[M_DEAL] & STAMP:
        return 31
    return (mem[slot + 1] >> 32) & 31


@inner
def store_draw(mem, slot, key, answer, best):
    data = NO_PROOF
    if mem[slot] == key and (mem[slot + 1] >> 37) & STAMP == mem[M_DEAL] & STAMP:
        data = mem[slot + 1] & 0xFFFFFFFF
    corner = (corner_x(answer) + 128) | (corner_y(answer) + 128) << 8
    at = 0 if answer & 1 else 16
    data = data & ~(0xFFFF << at) | corner << at
    mem[slot] = key
    mem[slot + 1] = data | best << 32 | (mem[M_DEAL] & STAMP) << 37


@inner
def tied_cards(mem, hand, talon_cards, t):
    """Cards whose rank means more than points: kings and queens that may yet be declared, and the lowest trump."""
    reach = hand | talon_cards
    tied = pairs(reach)
    if t >= mem[M_EXCHANGE_MIN]:
        tied |= 1 << (mem[M_TRUMP] + mem[M_LOW])
    return tied


@inner
def known_draw(mem, hl, hf, nl, nf, aux):
    """What the table says of a position: the answer or 0, the slot, the key."""
    key = hl | hf << 24 | (aux & KEY_AUX) << 48 | mem[M_CLASS] << 57 | 1 << 61
    slot = M_DRAW_TABLE + 2 * (mix(key) & ((1 << DRAW_BITS) - 1))
    if mem[M_ABLATE] & NO_TABLE:
        return 0, 0, key
    return probe_draw(mem, slot, key, nl, nf), slot, key


@inner
def declaration(mem, aux, card, married, nl):
    """What declaring with `card` does: the answer if it decides, points gained, `aux` before the reply."""
    gain = 0
    if (married >> card) & 1:
        worth = 40 if card // 6 * 6 == mem[M_TRUMP] else 20
        if aux & TRICK_LEADER == 0 and mem[M_MARRY_PENDING]:
            aux += worth // 20 << D_PEND_LEADER
        else:
            gain = worth
    answer = 0
    if nl <= gain and not (aux & PROVER == 0 and aux & TRICK):
        if aux & (PROVER | TRICK_LEADER) == 0 and mem[M_LEVEL] == 2 and not mem[M_NO_POINTS]:
            aux |= TRICK
        else:
            answer = proof(1, gain, -INF if aux & TRICK else 1)
    return answer, gain, aux


@inner
def open_trick(aux, card, reply, nl, nf, gain, trump):
    """What one trick does: the answer if it decides, whether the leader takes it, the winner's points from it,
    and `aux` of the rest, from the winner's side."""
    points = CARD_POINTS[card] + CARD_POINTS[reply]
    leader_trick = aux & (TRICK | PROVER) == TRICK
    follower_trick = aux & (TRICK | PROVER) == TRICK | PROVER
    answer = 0
    if beats(reply, card, trump):
        points += 20 * ((aux >> D_PEND_FOLLOWER) & 3)
        if follower_trick:
            answer = proof(0, gain + 1, INF)
        elif nf <= points:
            answer = proof(0, -INF if leader_trick else gain + 1, points)
        return answer, False, points, after_follower_wins(aux)
    points += gain + 20 * ((aux >> D_PEND_LEADER) & 3)
    least = -INF if follower_trick else 1
    if leader_trick:
        answer = proof(1, INF, least)
    elif nl <= points:
        answer = proof(1, points, least)
    return answer, True, points, after_leader_wins(aux)


@inner
def draw(mem, hl, hf, nl, nf, up, t, aux, only):
    """Does the leader win the race? Returns a `proof` from the leader's side.

    `up`: the upcard; `t`: talon size; `only`: the leads allowed, without closing or exchange unless it is all.
    """
    mem[M_NODES] += 1
    every = int64(ALL_CARDS)
    trump_at = mem[M_TRUMP]
    trump = trump_at // 6
    worst_x = -INF
    worst_y = INF
    result = 0
    slot = 0
    key = 0
    best = 31
    if only == every:
        answer, slot, key = known_draw(mem, hl, hf, nl, nf, aux)
        if answer:
            return answer
        best = stored_lead(mem, slot, key) if slot else 31
        if t >= mem[M_CLOSE_MIN] and (aux & TRICK_LEADER or mem[M_CLOSE_TRICK] == 0):
            answer = close_now(mem, hl, hf, nl, nf, aux)
            if answer & 1:
                result = answer
            worst_x = corner_x(answer)
            worst_y = corner_y(answer)
        low = trump_at + mem[M_LOW]
        if (
            result == 0
            and (hl >> low) & 1
            and t >= mem[M_EXCHANGE_MIN]
            and (aux & TRICK_LEADER or mem[M_EXCHANGE_TRICK] == 0)
        ):
            answer = draw(mem, hl ^ (1 << low) ^ (1 << up), hf, nl, nf, low, t, aux | EXCHANGED, every)
            if answer & 1:
                result = answer
            worst_x = max(worst_x, corner_x(answer))
            worst_y = min(worst_y, corner_y(answer))

    equals = mem[M_ABLATE] & NO_EQUALS == 0
    peek = mem[M_ABLATE] & NO_PEEK == 0
    talon_cards = 1 << up | mem[M_STOCK_CARDS + t]
    tied_leader = tied_cards(mem, hl, talon_cards, t)
    tied_follower = tied_cards(mem, hf, talon_cards, t)
    live = hl | hf | talon_cards
    married = pairs(hl)
    if aux & D_MUTE or (mem[M_MARRY_AFTER_TRICK] and aux & TRICK_LEADER == 0):
        married = 0
    top = 1 << mem[M_STOCK + t - 2]
    second = 1 << (up if t == 2 else mem[M_STOCK + t - 3])
    base = M_LISTS + (16 + t + (1 if aux & EXCHANGED else 0)) * LIST_SIZE
    reply_base = base + 16
    # One block a trick and role: a row of leads, then a row of replies for every card led.
    lead_history = M_HISTORY + (t - 2 + (aux & PROVER)) * HISTORY_BLOCK
    reply_rows = lead_history + 24
    leads = 0
    if result == 0:
        leads = open_leads(mem, base, lead_history, hl & only, hf, married, tied_leader, trump_at)
        for i in range(leads):
            if mem[base + i] & 31 == best:
                mem[base + i] += 1 << 40
    for i in range(leads):
        card = take_best(mem, base, i, leads)
        answer = 0
        if equals:
            answer = covered(mem, base, i, card, tied_leader, live, int64(0), nl, nf)
        gain = 0
        before = aux
        if answer == 0:
            answer, gain, before = declaration(mem, aux, card, married, nl)
        if answer == 0:
            rest = hl ^ (1 << card)
            reply_history = reply_rows + 24 * card
            best_x = INF
            best_y = -INF
            replies = open_replies(mem, reply_base, reply_history, hf, card, tied_follower, trump_at)
            unknown = 0
            for j in range(replies):
                move = mem[reply_base + j]
                reply = move & 31
                answer, won, points, then = open_trick(before, card, reply, nl, nf, gain, trump)
                if answer == 0 and peek:
                    own, other = (rest, hf ^ (1 << reply)) if won else (hf ^ (1 << reply), rest)
                    need, against = (nl - points, nf) if won else (nf - points, nl - gain)
                    if t == 2:
                        then = open_race_aux(mem, then)
                        child = known_race(mem, own | top, other | second, need, against, then)[0]
                    else:
                        child = known_draw(mem, own | top, other | second, need, against, then)[0]
                    if child:
                        mem[M_NODES] += 1
                        answer = lift(child, won, gain, points)
                if answer == 0:
                    mem[reply_base + unknown] = move
                    unknown += 1
                elif answer & 1:
                    best_x = min(best_x, corner_x(answer))
                    best_y = max(best_y, corner_y(answer))
                    answer = 0
                else:
                    break
            if answer == 0:
                for j in range(unknown):
                    reply = take_best(mem, reply_base, j, unknown)
                    if equals:
                        answer = covered(mem, reply_base, j, reply, tied_follower, live, int64(1), nl, nf)
                    if answer == 0:
                        answer, won, points, then = open_trick(before, card, reply, nl, nf, gain, trump)
                        own, other = (rest, hf ^ (1 << reply)) if won else (hf ^ (1 << reply), rest)
                        need, against = (nl - points, nf) if won else (nf - points, nl - gain)
                        if t == 2:
                            then = open_race_aux(mem, then)
                            child = race(mem, own | top, other | second, need, against, then, every)
                        else:
                            child = draw(mem, own | top, other | second, need, against, up, t - 2, then, every)
                        answer = lift(child, won, gain, points)
                    mem[reply_base + 8 + j] = answer
                    if not answer & 1:
                        reward(mem, reply_history, reply, t)
                        break
                    best_x = min(best_x, corner_x(answer))
                    best_y = max(best_y, corner_y(answer))
                    answer = 0
            if answer == 0:
                answer = proof(1, best_x, best_y)
        mem[base + 8 + i] = answer
        if answer & 1:
            reward(mem, lead_history, card, t)
            result = answer
            best = card
            break
        worst_x = max(worst_x, corner_x(answer))
        worst_y = min(worst_y, corner_y(answer))
    if result == 0:
        result = proof(0, worst_x, worst_y)
    if slot:
        store_draw(mem, slot, key, result, best)
    return result
