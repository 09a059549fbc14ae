"""The last open trick as a game of one lead and one reply, solved by CFR+.

Two cards are left to draw, so after the trick nothing is hidden and the outcome is exact. Cards whose place is not
public are the *pool*; sets of them are masks over the pool (`spread` turns those into card masks). A *lead* is a turn
of the leader that leaves the talon open; what it shows of his hand is public, the rest of it and the follower's hand
are not. A *set* is a follower's hand after a lead: he cannot tell apart the deals in it, which differ in the card that
is left in the stock. A *row* is such a deal: the outcomes of all replies, four bits each, in the order of his cards.
"""

from __future__ import annotations

from .alphabeta import apply_turn
from .jit import FLOATS, INT, INTS, INTS2, entry, inner, int64, lowest, popcount
from .layout import S_HAND0, S_HAND1, S_STOCK, S_TRUMP, STATE_SIZE, TURN_CARD
from .state import apply, beats

# A lead.
L_TURN = 0  # the turn, as coded in the layout
L_LEFT = 1  # the pool without the cards it shows
L_KNOWN = 2  # the leader's cards before it that are public once it is made
L_FOLLOWER = 3  # the follower's public cards
L_REST = 4  # how many cards of the pool the leader keeps
L_SHOWN = 5  # the cards of the pool that it shows
L_BARRED_LEADER = 6  # cards of the pool that the leader is known not to hold
L_BARRED_FOLLOWER = 7
LEAD_SIZE = 8

# Where the deals of a lead lie among all.
C_SET = 0  # its first set
C_SETS = 1  # how many it has
C_ROW = 2  # its first row
C_EACH = 3  # rows in each set
COLUMN_SIZE = 4

IMPOSSIBLE = -1  # a row that is no possible deal
OUTCOME_BITS = 4
OUTCOMES = 7

BURN_IN = 20  # iterations before strategies are averaged


@inner
def deal_trick(rules, base, hand0, hand1, stock, turn, reply, state):
    """Write the state after a lead and a reply; player 0 leads."""
    for i in range(STATE_SIZE):
        state[i] = base[i]
    state[S_HAND0] = hand0
    state[S_HAND1] = hand1
    state[S_STOCK] = stock
    apply_turn(state, rules, turn)
    apply(state, rules, reply)


@inner
def tricks_with(rules, base, spread, lead, reply, bit, pool, states, keys, count):
    """`tricks` for one reply; `bit`: its place in the pool, 0 if it is public."""
    left = lead[L_LEFT] & ~bit
    card = lead[L_TURN] & TURN_CARD
    takes = beats(reply, card, base[S_TRUMP])
    size = lead[L_REST] + (0 if takes else 1)
    for part in range(left + 1):
        if part & ~left or popcount(part) != size:
            continue
        drawn = left ^ part if takes else part
        drawn &= -drawn  # whichever card the winner draws, the hands after it are the same
        rest = part & ~drawn
        hand0 = lead[L_KNOWN] | spread[rest]
        hand1 = lead[L_FOLLOWER] | spread[(left ^ rest ^ drawn) | bit]
        deal_trick(rules, base, hand0, hand1, lowest(spread[drawn]), lead[L_TURN], reply, states[count])
        keys[count] = reply << pool | part
        count += 1
    return count


@entry(INTS, INTS, INTS, INTS, INT, INTS2, INTS)
def tricks(rules, base, spread, lead, pool, states, keys):
    """Write the states after a lead, every reply, and every division of the other cards; returns how many.

    What follows depends on the hands after the draw and not on which card of them was drawn, so a division stands for
    several deals. `keys`: for each state, the reply and which cards of the pool the leader then holds, his draw
    included (`reply << pool | cards`). `base`: the state before the lead, player 0 on lead, hands and stock open;
    `pool`: the number of cards in the pool.
    """
    count = 0
    held = popcount(lead[L_LEFT]) - lead[L_REST] - 1  # by the follower, of the pool
    for place in range(pool if held else 0):
        if (lead[L_LEFT] >> place) & 1:
            reply = lowest(spread[1 << place])
            count = tricks_with(rules, base, spread, lead, reply, 1 << place, pool, states, keys, count)
    cards = lead[L_FOLLOWER]
    while cards:
        count = tricks_with(rules, base, spread, lead, lowest(cards), 0, pool, states, keys, count)
        cards &= cards - 1
    return count


@inner
def outcomes_of(lead, spread, trump, pool, table, hand, rest, stock):
    """The outcomes of a deal for every reply, packed."""
    cards = lead[L_FOLLOWER] | spread[hand]
    packed = 0
    shift = 0
    while cards:
        reply = lowest(cards)
        cards &= cards - 1
        leaders = rest if beats(reply, lead[L_TURN] & TURN_CARD, trump) else rest | stock
        packed |= table[reply << pool | leaders] << shift
        shift += OUTCOME_BITS
    return packed


@entry(INTS, INTS, INTS, INT, INT, INTS, INTS, INTS, INTS)
def rows(lead, spread, rank, trump, pool, table, sets, packed, hands):
    """Write the rows of a lead, for each follower's hand in `sets` one a card that can be left in the stock.

    `table`: outcomes from 0 to 6, by the keys of `tricks`; `rank`: the number of a leader's hand by its mask;
    `hands`: for each row the number of the leader's hand. Returns the number of rows.
    """
    count = 0
    for i in range(len(sets)):
        others = lead[L_LEFT] ^ sets[i]
        stocks = others
        while stocks:
            stock = stocks & -stocks
            stocks ^= stock
            rest = others ^ stock
            hands[count] = rank[rest | lead[L_SHOWN]]
            barred = (rest | lead[L_SHOWN]) & lead[L_BARRED_LEADER] | sets[i] & lead[L_BARRED_FOLLOWER]
            if barred:
                packed[count] = IMPOSSIBLE
            else:
                packed[count] = outcomes_of(lead, spread, trump, pool, table, sets[i], rest, stock)
            count += 1
    return count


@inner
def match_regrets(regrets, first, stride, n, strategy):
    """Write a strategy in proportion to the regrets, or all alike if there are none; returns how many actions it has.

    Entry a of the n is at `first + a * stride`; a negative regret marks one that is not allowed.
    """
    total = 0.0
    actions = 0
    for a in range(n):
        regret = regrets[first + a * stride]
        if regret >= 0.0:
            actions += 1
            total += regret
    for a in range(n):
        regret = regrets[first + a * stride]
        if regret < 0.0:
            strategy[a] = 0.0
        elif total > 0.0:
            strategy[a] = regret / total
        else:
            strategy[a] = 1.0 / actions
    return actions


@inner
def weigh(column, row, each, packed, hands, leads, utility, replies, gains):
    """Into `gains`: what each reply leaves the leader, summed over the deals of a set by how likely he led so."""
    for k in range(replies):
        gains[k] = 0.0
    for j in range(row, row + each):
        if packed[j] >= 0:
            reach = leads[column + hands[j]]
            for k in range(replies):
                gains[k] += reach * utility[(packed[j] >> (OUTCOME_BITS * k)) & 15]


@inner
def pay(column, row, each, packed, hands, utility, replies, answer, first, worth):
    """Add to `worth` what the leader's hands get from a lead, in the deals of a set, against the answer there."""
    for j in range(row, row + each):
        if packed[j] >= 0:
            value = 0.0
            for k in range(replies):
                value += answer[first + k] * utility[(packed[j] >> (OUTCOME_BITS * k)) & 15]
            worth[column + hands[j]] += value


@inner
def improve_replies(columns, size, packed, hands, leads, utility, replies, regrets, average, weight, worth, scratch):
    """One CFR+ step of the follower against `leads`; adds to `worth` what they get against his new strategy."""
    gains = scratch[:replies]
    now = scratch[replies : 2 * replies]
    for c in range(len(columns)):
        each = columns[c, C_EACH]
        for i in range(columns[c, C_SETS]):
            row = columns[c, C_ROW] + i * each
            first = (columns[c, C_SET] + i) * replies
            weigh(c * size, row, each, packed, hands, leads, utility, replies, gains)
            match_regrets(regrets, first, int64(1), replies, now)
            value = 0.0
            for k in range(replies):
                value += now[k] * gains[k]
            for k in range(replies):
                regrets[first + k] = max(regrets[first + k] + value - gains[k], 0.0)
            match_regrets(regrets, first, int64(1), replies, now)
            for k in range(replies):
                average[first + k] += weight * now[k]
            pay(c * size, row, each, packed, hands, utility, replies, now, int64(0), worth)


@inner
def improve_leads(size, actions, worth, regrets, leads, average, slip, weight, now):
    """One CFR+ step of the leader, given what each lead is worth to each of his hands."""
    for h in range(size):
        match_regrets(regrets, h, size, actions, now)
        value = 0.0
        for a in range(actions):
            value += now[a] * worth[a * size + h]
        for a in range(actions):
            at = a * size + h
            if regrets[at] >= 0.0:
                regrets[at] = max(regrets[at] + worth[at] - value, 0.0)
        choices = match_regrets(regrets, h, size, actions, now)
        for a in range(actions):
            at = a * size + h
            if regrets[at] >= 0.0:
                leads[at] = (1.0 - slip) * now[a] + slip / choices
                average[at] += weight * leads[at]


@entry(INTS2, INTS, INTS, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS, INT, INT, INT)
def iterate(
    columns,
    packed,
    hands,
    utility,
    fixed,
    lead_regrets,
    leads,
    lead_average,
    reply_regrets,
    reply_average,
    worth,
    scratch,
    size,
    done,
    count,
):
    """Iterations `done + 1` to `done + count` of CFR+ (Tammelin 2014), follower first, linearly weighted averages.

    The first iterations do not count in the averages, or their errors would outweigh the slips.

    By turn and hand of the leader (`turn * size + hand`; the leads of `columns` come first): `fixed`, what a turn that
    is not answered is worth, summed over deals, else 0; his regrets (negative: not allowed), his strategy, the sum of
    his strategies, and `worth`, what each turn is worth. By set and reply: the follower's regrets and summed
    strategies. `utility`: of each outcome, and behind them the chance that the leader's turn is a slip, any that is
    allowed. Returns the number of iterations done.
    """
    slip = utility[OUTCOMES]
    replies = len(reply_regrets) // (columns[-1, C_SET] + columns[-1, C_SETS])
    actions = len(fixed) // size
    for t in range(done + 1, done + count + 1):
        weight = float(max(t - BURN_IN, 0))
        for i in range(len(fixed)):
            worth[i] = fixed[i]
        improve_replies(
            columns, size, packed, hands, leads, utility, replies, reply_regrets, reply_average, weight, worth, scratch
        )
        improve_leads(size, actions, worth, lead_regrets, leads, lead_average, slip, weight, scratch)
    return done + count


@entry(INTS2, INTS, INTS, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS)
def respond(columns, packed, hands, utility, leads, answers, worth, result):
    """Best responses to two strategies. Returns the number of replies.

    Adds to `worth` what each lead gets against `answers`; into `result[0]`: what the leader gets, summed over deals,
    when the best replies meet `leads`. `result` needs space for the replies behind.
    """
    replies = len(answers) // (columns[-1, C_SET] + columns[-1, C_SETS])
    size = len(worth) // len(columns)
    gains = result[1:]
    result[0] = 0.0
    for c in range(len(columns)):
        for i in range(columns[c, C_SETS]):
            row = columns[c, C_ROW] + i * columns[c, C_EACH]
            weigh(c * size, row, columns[c, C_EACH], packed, hands, leads, utility, replies, gains)
            least = gains[0]
            for k in range(1, replies):
                least = min(least, gains[k])
            result[0] += least
            first = (columns[c, C_SET] + i) * replies
            pay(c * size, row, columns[c, C_EACH], packed, hands, utility, replies, answers, first, worth)
    return replies
