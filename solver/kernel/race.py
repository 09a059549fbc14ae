"""Play without drawing as a race: talon exhausted, or closed.

Every question about such a deal ("does A get at least two game points?") comes down to the same race: the leader
needs `nl` more points, the follower `nf`, the first to get there wins, and a *mode* says who wins when the cards
run out before. A flag says that a side needs a trick and not points ("no tricks": three game points).

Answers come as proofs. Who wins at (nl, nf) wins also with less to go for himself and more for the other, so every
answer carries a corner: the leader wins whenever his need is at most X and the follower's at least Y; the follower
wins whenever the leader's need is at least X and his own at most Y. Corners are shifted by what a trick brings, taken
together over alternatives, and stored, so that one table entry serves many scores and several questions.
"""

from __future__ import annotations

from .jit import inner, int64, mix, popcount
from .memory import (
    DUTY_FREE,
    LIST_SIZE,
    M_ABLATE,
    M_BONUS_CLOSED,
    M_BONUS_OPEN,
    M_DUTY_CLOSED,
    M_DUTY_OPEN,
    M_LISTS,
    M_MARRY_AFTER_TRICK,
    M_MARRY_ENDGAME,
    M_MARRY_PENDING,
    M_NODES,
    M_RACE_TABLE,
    M_SIDE0,
    M_SIDE1,
    M_SIDE2,
    M_TRUMP,
    NO_EQUALS,
    NO_PEEK,
    NO_QUICK_TESTS,
    NO_TABLE,
    RACE_BITS,
)
from .ordering import race_leads, race_replies, take_best
from .patterns import (
    COUNT_BITS,
    COUNT_MASK,
    DIFFERENCE,
    PAIR,
    PAIR_SURE,
    PATTERN,
    POINTS_MASK,
    SUIT_POINTS,
    SURE_GUARDED,
    SURE_MASTERS,
    SURE_RUN,
)
from .state import CARD_POINTS, KING, QUEEN, beats, follow_mask, pairs

INF = 100  # larger than any need: "whatever the need"
ALL_CARDS = 0xFFFFFF
PEEK_SIZE = 3  # with fewer cards looking replies up first costs more than it saves

# `aux` of a race, from the leader's side.
MODE = 3
LEADER_IF_NEITHER = 0
FOLLOWER_IF_NEITHER = 1
LAST_TRICK = 2
LEADER_TRICK = 4  # the leader needs a trick, not points
FOLLOWER_TRICK = 8
CLOSED = 16  # rules of closed play
PEND_LEADER = 5  # shift of his pending marriage points, in twenties (two bits)
PEND_FOLLOWER = 7
FRESH = 1 << 9  # the leader has no trick yet (the deal's first lead)
MUTE = 1 << 10  # at the root: the lead is not declared
KEY_AUX = 0x3FF  # the bits above that tell races apart in the table
POINTS_AND_TRICK = 1 << 11  # at a fresh root: the leader must have a trick besides his points


@inner
def proof(win, x, y):
    """Pack an answer: who wins (1: the leader) and the corner of its proof."""
    x = min(max(x, -INF), INF)
    y = min(max(y, -INF), INF)
    return (x + 128) << 9 | (y + 128) << 1 | win


@inner
def corner_x(answer):
    return (answer >> 9) - 128


@inner
def corner_y(answer):
    return ((answer >> 1) & 255) - 128


@inner
def shift(corner, points):
    """A corner moved by some points, kept within the infinities; an infinite one stays."""
    return corner if corner >= INF or corner <= -INF else min(max(corner + points, -INF), INF)


@inner
def swapped(aux):
    """`aux` from the other side, once the first lead is over."""
    mode = aux & MODE
    if mode != LAST_TRICK:
        mode ^= 1
    return (
        mode
        | (aux & LEADER_TRICK) << 1
        | (aux & FOLLOWER_TRICK) >> 1
        | (aux & CLOSED)
        | ((aux >> PEND_LEADER) & 3) << PEND_FOLLOWER
        | ((aux >> PEND_FOLLOWER) & 3) << PEND_LEADER
    )


@inner
def suit_index(own, other, at):
    return ((own >> at) & 63) << 6 | ((other >> at) & 63)


@inner
def points_in(cards):
    return (
        SUIT_POINTS[cards & 63]
        + SUIT_POINTS[(cards >> 6) & 63]
        + SUIT_POINTS[(cards >> 12) & 63]
        + SUIT_POINTS[(cards >> 18) & 63]
    )


@inner
def marriage_points(hand, trump_at):
    """What all marriages in `hand` would bring."""
    held = pairs(hand) & 0x104104
    return 20 * popcount(held) + (20 if (held >> trump_at) & 63 else 0)


@inner
def cheapest(cards, k):
    """What the k cheapest of some cards are worth together."""
    total = 0
    k -= popcount(cards & 0x041041)
    for rank in range(1, 6):
        if k <= 0:
            return total
        count = min(popcount(cards & (0x041041 << rank)), k)
        total += count * CARD_POINTS[rank]
        k -= count
    return total


@inner
def quick_answer(mem, hl, hf, nl, nf, aux, it, i0, i1, i2):
    """Whether sure tricks, or what can be reached at most, decide the race; 0 if not.

    Sure tricks: top cards led one after the other. While the follower may hold trumps, a side suit's top card is safe
    as long as he must follow suit; once his trumps are drawn the whole suit may run.
    """
    duty = mem[M_DUTY_CLOSED] if aux & CLOSED else mem[M_DUTY_OPEN]
    bonus = mem[M_BONUS_CLOSED] if aux & CLOSED else mem[M_BONUS_OPEN]
    if duty == DUTY_FREE:
        st = SURE_MASTERS[it]
        if it & 63:
            s0 = SURE_MASTERS[0]
            s1 = s0
            s2 = s0
        else:
            s0 = SURE_MASTERS[i0]
            s1 = SURE_MASTERS[i1]
            s2 = SURE_MASTERS[i2]
    else:
        st = SURE_RUN[it]
        if (st & COUNT_MASK) >= popcount(it & 63):
            s0 = SURE_RUN[i0]
            s1 = SURE_RUN[i1]
            s2 = SURE_RUN[i2]
        else:
            s0 = SURE_GUARDED[i0]
            s1 = SURE_GUARDED[i1]
            s2 = SURE_GUARDED[i2]
    count = (st & COUNT_MASK) + (s0 & COUNT_MASK) + (s1 & COUNT_MASK) + (s2 & COUNT_MASK)
    sweep = count == popcount(hl)
    if sweep:
        sure = points_in(hl | hf) + bonus
    else:
        sure = (
            ((st >> COUNT_BITS) & POINTS_MASK)
            + ((s0 >> COUNT_BITS) & POINTS_MASK)
            + ((s1 >> COUNT_BITS) & POINTS_MASK)
            + ((s2 >> COUNT_BITS) & POINTS_MASK)
            + cheapest(hf, count)
        )
    least = -INF if aux & FOLLOWER_TRICK else 1
    if aux & LEADER_TRICK:
        if count:
            return proof(1, INF, least)
    else:
        married = 0
        if mem[M_MARRY_ENDGAME] and not aux & (FRESH | MUTE):
            extra = 0
            if st & PAIR_SURE:
                married += 40
            elif st & PAIR:
                extra = 40
            for s in (s0, s1, s2):
                if s & PAIR_SURE:
                    married += 20
                elif s & PAIR and extra == 0:
                    extra = 20
            married += extra
        if sure + married >= nl:
            return proof(1, sure + married, least)
    mode = aux & MODE
    if sweep and mode != FOLLOWER_IF_NEITHER:
        return proof(1, INF, least)
    if mode == LEADER_IF_NEITHER and not aux & FOLLOWER_TRICK:
        most = points_in(hl | hf) + bonus - sure + 20 * ((aux >> PEND_FOLLOWER) & 3)
        if mem[M_MARRY_ENDGAME]:
            most += marriage_points(hf, mem[M_TRUMP])
        if most < nf:
            return proof(1, INF, most + 1)
    elif mode == FOLLOWER_IF_NEITHER and not aux & LEADER_TRICK:
        back = (it & 63) << 6 | it >> 6
        kept = SURE_MASTERS[back]  # the follower's top trumps take a trick each, whatever happens
        taken = ((kept >> COUNT_BITS) & POINTS_MASK) + cheapest(hl, kept & COUNT_MASK)
        most = points_in(hl | hf) + bonus - taken + 20 * ((aux >> PEND_LEADER) & 3)
        if mem[M_MARRY_ENDGAME]:
            most += marriage_points(hl, mem[M_TRUMP])
        if most < nl:
            return proof(0, most + 1, INF)
    return 0


@inner
def side_code(index):
    """A side suit for sorting: its pattern, then the live cards."""
    return PATTERN[index] << 6 | (index >> 6) | (index & 63)


@inner
def difference(live, stored):
    """Worst-case point differences between two card sets of one pattern: worth more, and worth less."""
    total = 0
    for at in (0, 6, 12, 18):
        total += DIFFERENCE[((live >> at) & 63) << 6 | ((stored >> at) & 63)]
    return total


# Table data: live cards (24 bits), then four corners of 8 bits: leader wins x, y, follower wins x, y.
LIVE_MASK = 0xFFFFFF
NOTHING = (-INF + 128) << 24 | (INF + 128) << 32 | (INF + 128) << 40 | (-INF + 128) << 48


@inner
def table_corner(data, which):
    return ((data >> (24 + 8 * which)) & 255) - 128


@inner
def probe_race(mem, slot, key, live, nl, nf):
    """The stored proof that covers (nl, nf), or 0. Another card set of the pattern needs slack for its points."""
    if mem[slot] != key:
        return 0
    data = mem[slot + 1]
    more = 0
    less = 0
    stored = data & LIVE_MASK
    if stored != live:
        both = difference(live, stored)
        more = both & 255
        less = both >> 8
    x = shift(table_corner(data, 0), -less)
    y = shift(table_corner(data, 1), more)
    if nl <= x and nf >= y:
        return proof(1, x, y)
    x = shift(table_corner(data, 2), more)
    y = shift(table_corner(data, 3), -less)
    if nl >= x and nf <= y:
        return proof(0, x, y)
    return 0


@inner
def store_race(mem, slot, key, live, answer):
    """Keep a proof, and the stored one for the other result as far as it holds for these cards."""
    x = corner_x(answer)
    y = corner_y(answer)
    data = NOTHING
    if mem[slot] == key:
        data = mem[slot + 1]
        stored = data & LIVE_MASK
        if stored != live:
            both = difference(live, stored)
            more = both & 255
            less = both >> 8
            data = (
                (shift(table_corner(data, 0), -less) + 128) << 24
                | (shift(table_corner(data, 1), more) + 128) << 32
                | (shift(table_corner(data, 2), more) + 128) << 40
                | (shift(table_corner(data, 3), -less) + 128) << 48
            )
    if answer & 1:
        data = (data & ~(0xFFFF << 24)) | (x + 128) << 24 | (y + 128) << 32
    else:
        data = (data & ~(0xFFFF << 40)) | (x + 128) << 40 | (y + 128) << 48
    mem[slot] = key
    mem[slot + 1] = (data & ~LIVE_MASK) | live


@inner
def between(a, b):
    """The cards strictly between two cards of one suit."""
    low = min(a, b)
    high = max(a, b)
    return ((1 << high) - 1) & ~((2 << low) - 1)


@inner
def covered(mem, base, done, card, tied, live, win, nl, nf):
    """The answer to `card` by an equal card already tried, or 0.

    Two cards of a suit in one hand with no live card between them differ only in points, unless one is `tied` to a
    marriage or an exchange: the proof for one, with slack for the difference, holds for the other.
    """
    for i in range(done):
        other = mem[base + i] & 31
        if other // 6 != card // 6 or between(other, card) & live:
            continue
        # A king and queen held together are tied to the same marriage; other ties differ.
        pair = (tied >> other) & (tied >> card) & 1 and other % 6 + card % 6 == QUEEN + KING
        if ((tied >> other) | (tied >> card)) & 1 and not pair:
            continue
        answer = mem[base + 8 + i]
        gap = abs(CARD_POINTS[other] - CARD_POINTS[card])
        if win:
            x = shift(corner_x(answer), -gap)
            y = shift(corner_y(answer), gap)
            if nl <= x and nf >= y:
                return proof(1, x, y)
        else:
            x = shift(corner_x(answer), gap)
            y = shift(corner_y(answer), -gap)
            if nl >= x and nf <= y:
                return proof(0, x, y)
    return 0


@inner
def known_race(mem, hl, hf, nl, nf, aux):
    """What can be said of a race without searching: the answer or 0, then the table slot, key and live cards."""
    trump_at = mem[M_TRUMP]
    it = suit_index(hl, hf, trump_at)
    i0 = suit_index(hl, hf, mem[M_SIDE0])
    i1 = suit_index(hl, hf, mem[M_SIDE1])
    i2 = suit_index(hl, hf, mem[M_SIDE2])
    off = mem[M_ABLATE]
    if not off & NO_QUICK_TESTS:
        answer = quick_answer(mem, hl, hf, nl, nf, aux, it, i0, i1, i2)
        if answer:
            return answer, 0, 0, 0
    if off & NO_TABLE:
        return 0, 0, 0, 0
    c0 = side_code(i0)
    c1 = side_code(i1)
    c2 = side_code(i2)
    if c0 > c1:
        c0, c1 = c1, c0
    if c1 > c2:
        c1, c2 = c2, c1
    if c0 > c1:
        c0, c1 = c1, c0
    key = PATTERN[it] | (c0 >> 6) << 10 | (c1 >> 6) << 20 | (c2 >> 6) << 30 | (aux & KEY_AUX) << 40 | 1 << 62
    live = (it >> 6) | (it & 63) | (c0 & 63) << 6 | (c1 & 63) << 12 | (c2 & 63) << 18
    slot = M_RACE_TABLE + 2 * (mix(key) & ((1 << RACE_BITS) - 1))
    return probe_race(mem, slot, key, live, nl, nf), slot, key, live


@inner
def race_declaration(mem, aux, card, married, nl):
    """What declaring with `card` does: the answer if it decides, points gained, pending twenties, trick flag."""
    gain = 0
    pending = (aux >> PEND_LEADER) & 3
    needs_trick = aux & LEADER_TRICK
    if (married >> card) & 1:
        worth = 40 if card // 6 * 6 == mem[M_TRUMP] else 20
        if aux & FRESH and mem[M_MARRY_PENDING]:
            pending += worth // 20
        else:
            gain = worth
    answer = 0
    if nl <= gain and not needs_trick:
        if aux & POINTS_AND_TRICK:
            needs_trick = LEADER_TRICK
        else:
            answer = proof(1, gain, -INF if aux & FOLLOWER_TRICK else 1)
    return answer, gain, pending, needs_trick


@inner
def race_trick(aux, card, reply, nl, nf, gain, pending, needs_trick, trump, last, bonus):
    """What one trick does: the answer if it decides, whether the leader takes it, his or the follower's points
    from it, and `aux` of the rest, from the side of the trick's winner."""
    points = CARD_POINTS[card] + CARD_POINTS[reply] + (bonus if last else 0)
    mode = aux & MODE
    if beats(reply, card, trump):
        points += 20 * ((aux >> PEND_FOLLOWER) & 3)
        least = -INF if needs_trick else gain + 1
        answer = 0
        if aux & FOLLOWER_TRICK:
            answer = proof(0, least, INF)
        elif nf <= points:
            answer = proof(0, least, points)
        elif last:
            answer = proof(1, INF, points + 1) if mode == LEADER_IF_NEITHER else proof(0, least, INF)
        then = aux & (CLOSED | MODE | FOLLOWER_TRICK) | needs_trick | pending << PEND_LEADER
        return answer, False, points, swapped(then)
    points += gain + 20 * pending
    least = -INF if aux & FOLLOWER_TRICK else 1
    answer = 0
    if needs_trick:
        answer = proof(1, INF, least)
    elif nl <= points:
        answer = proof(1, points, least)
    elif last:
        answer = proof(0, points + 1, INF) if mode == FOLLOWER_IF_NEITHER else proof(1, INF, least)
    return answer, True, points, aux & (CLOSED | MODE | FOLLOWER_TRICK | 3 << PEND_FOLLOWER)


@inner
def lift(child, won, gain, points):
    """The proof for the position before a trick, from that for the position after it."""
    if won:
        return proof(child & 1, shift(corner_x(child), points), corner_y(child))
    return proof(1 - (child & 1), shift(corner_y(child), gain), shift(corner_x(child), points))


@inner
def race(mem, hl, hf, nl, nf, aux, only):
    """Does the leader win the race? Returns a `proof` from the leader's side.

    `hl`, `hf`: the hands of leader and follower, equally many cards; `only`: the leads allowed (all but at the root).
    Replies are first looked up and only then searched: one that refutes at once saves the search of the others.
    """
    mem[M_NODES] += 1
    every = int64(ALL_CARDS)  # typed: a literal argument would make numba compile a second specialisation
    slot = 0
    key = 0
    live = 0
    if only == every:
        answer, slot, key, live = known_race(mem, hl, hf, nl, nf, aux)
        if answer:
            return answer
    equals = mem[M_ABLATE] & NO_EQUALS == 0
    trump_at = mem[M_TRUMP]
    trump = trump_at // 6
    size = popcount(hl)
    last = size == 1
    peek = size >= PEEK_SIZE and mem[M_ABLATE] & NO_PEEK == 0
    duty = mem[M_DUTY_CLOSED] if aux & CLOSED else mem[M_DUTY_OPEN]
    bonus = mem[M_BONUS_CLOSED] if aux & CLOSED else mem[M_BONUS_OPEN]
    paired_leader = pairs(hl) if mem[M_MARRY_ENDGAME] else 0
    paired_follower = pairs(hf) if mem[M_MARRY_ENDGAME] else 0
    married = paired_leader
    if aux & MUTE or (aux & FRESH and mem[M_MARRY_AFTER_TRICK]):
        married = 0
    base = M_LISTS + 2 * size * LIST_SIZE
    reply_base = base + LIST_SIZE
    worst_x = -INF
    worst_y = INF
    result = 0
    leads = race_leads(mem, base, hl & only, hf, married, trump_at)
    for i in range(leads):
        card = take_best(mem, base, i, leads)
        answer = 0
        if equals:
            answer = covered(mem, base, i, card, paired_leader, hl | hf, int64(0), nl, nf)
        gain = 0
        pending = 0
        needs_trick = 0
        if answer == 0:
            answer, gain, pending, needs_trick = race_declaration(mem, aux, card, married, nl)
        if answer == 0:
            rest = hl ^ (1 << card)
            legal = hf if duty == DUTY_FREE else follow_mask(hf, card, trump, duty)
            best_x = INF
            best_y = -INF
            replies = race_replies(mem, reply_base, legal, card, trump_at)
            unknown = 0
            for j in range(replies):
                move = mem[reply_base + j]
                reply = move & 31
                answer, won, points, then = race_trick(
                    aux, card, reply, nl, nf, gain, pending, needs_trick, trump, last, bonus
                )
                if answer == 0 and peek:
                    if won:
                        child = known_race(mem, rest, hf ^ (1 << reply), nl - points, nf, then)[0]
                    else:
                        child = known_race(mem, hf ^ (1 << reply), rest, nf - points, nl - gain, then)[0]
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
                        answer = covered(mem, reply_base, j, reply, paired_follower, hl | hf, int64(1), nl, nf)
                    if answer == 0:
                        answer, won, points, then = race_trick(
                            aux, card, reply, nl, nf, gain, pending, needs_trick, trump, last, bonus
                        )
                        if won:
                            child = race(mem, rest, hf ^ (1 << reply), nl - points, nf, then, every)
                        else:
                            child = race(mem, hf ^ (1 << reply), rest, nf - points, nl - gain, then, every)
                        answer = lift(child, won, gain, points)
                    mem[reply_base + 8 + j] = answer
                    if not answer & 1:
                        break
                    best_x = min(best_x, corner_x(answer))
                    best_y = max(best_y, corner_y(answer))
                    answer = 0
            if answer == 0:
                answer = proof(1, best_x, best_y)
        mem[base + 8 + i] = answer
        if answer & 1:
            result = answer
            break
        worst_x = max(worst_x, corner_x(answer))
        worst_y = min(worst_y, corner_y(answer))
    if result == 0:
        result = proof(0, worst_x, worst_y)
    if slot:
        store_race(mem, slot, key, live, result)
    return result
