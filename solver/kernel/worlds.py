"""The deals consistent with what a player knows: enumerated by number, or sampled.

A *template* is a state whose hand 1 holds the opponent's known cards only, with gaps (`NO_CARD`) in the stock. The
unseen cards come as a list with those the opponent may hold in front. While cards are drawn, a world is an opponent's
hand and an order of the unknown stock; otherwise it is an opponent's hand, and the stock stays unknown.
"""

from __future__ import annotations

from .jit import INT, INTS, INTS2, entry, inner, mix
from .layout import NO_CARD, S_HAND1, S_STOCK, STATE_SIZE, STOCK_SIZE


@inner
def binomial(n, k):
    result = 1
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


@inner
def combination(number, n, k, chosen):
    """Mark the k-subset of 0 .. n-1 with this number in lexicographic order."""
    left = k
    for i in range(n):
        chosen[i] = 0
        if left == 0:
            continue
        with_i = binomial(n - i - 1, left - 1)
        if number < with_i:
            chosen[i] = 1
            left -= 1
        else:
            number -= with_i


@inner
def permute(number, cards, n):
    """Arrange the first n cards in the order with this number (factorial number system)."""
    for i in range(n - 1):
        rest = 1
        for j in range(2, n - i):
            rest *= j
        at = i + number // rest
        number %= rest
        card = cards[at]
        for j in range(at, i, -1):
            cards[j] = cards[j - 1]
        cards[i] = card


@inner
def random_below(seed, counter, n):
    """A number below n (at most 24) from a counter: the same for any division of the work.

    The upper 31 bits of a hash, scaled; the bias is below 24 / 2**31.
    """
    bits = (mix(mix(seed) ^ counter) >> 32) & 0x7FFFFFFF
    return bits * n >> 31


@inner
def choose_random(seed, counter, cards, n, k):
    """Shuffle so that the first k of n cards are a uniform choice in uniform order; returns the next counter."""
    for i in range(k):
        j = i + random_below(seed, counter, n - i)
        counter += 1
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
    return counter


@inner
def take_hand(state, unseen, allowed, chosen, rest):
    """Give the opponent the chosen cards and write the others to `rest`; returns how many those are."""
    count = 0
    for i in range(len(unseen)):
        if i < allowed and chosen[i]:
            state[S_HAND1] |= 1 << unseen[i]
        else:
            rest[count] = unseen[i]
            count += 1
    return count


@inner
def fill_stock(state, rest, count):
    """Put the first cards of `rest` into the gaps of the stock, from the bottom."""
    at = 0
    for i in range(STOCK_SIZE):
        if state[S_STOCK + i] == NO_CARD and at < count:
            state[S_STOCK + i] = rest[at]
            at += 1


@inner
def one_world(template, unseen, allowed, need, orders, sampled, seed, number, state, scratch):
    """Write the world with this number to `state`; see `make_worlds`."""
    chosen = scratch[0]
    rest = scratch[1]
    order = scratch[2]
    for i in range(STATE_SIZE):
        state[i] = template[i]
    counter = number * 64
    if sampled:
        for i in range(allowed):
            chosen[i] = 0
            order[i] = i
        counter = choose_random(seed, counter, order, allowed, need)
        for i in range(need):
            chosen[order[i]] = 1
    else:
        combination(number // max(orders, 1), allowed, need, chosen)
    left = take_hand(state, unseen, allowed, chosen, rest)
    if orders:
        if sampled:
            choose_random(seed, counter, rest, left, left - 1)
        else:
            permute(number % orders, rest, left)
        fill_stock(state, rest, left)


@entry(INTS, INTS, INT, INT, INT, INT, INT, INTS, INTS2, INTS2)
def make_worlds(template, unseen, allowed, need, orders, sampled, seed, numbers, worlds, scratch):
    """Fill the rows of `worlds` with the worlds of the given numbers; returns how many.

    `allowed`: how many of the first unseen cards the opponent may hold; `need`: how many of them he holds;
    `orders`: arrangements of the unknown stock, 0 if the stock is out of play. With `sampled` a world's number
    only seeds its draw. `scratch`: three rows as long as a deck.
    """
    for row in range(len(numbers)):
        one_world(template, unseen, allowed, need, orders, sampled, seed, numbers[row], worlds[row], scratch)
    return len(numbers)
