"""The order in which moves are tried: a node is cheap when its best move comes first.

A move list holds `score << 5 | card`. The scores were tuned by node counts over random deals of all presets. While
cards are drawn, what cut off elsewhere in the same deal (the history table, kept per role and trick, and for a
reply per card led) says more than any rule of thumb; without drawing it says next to nothing and is not used.
"""

from __future__ import annotations

from .jit import inner, lowest
from .memory import M_ABLATE, NO_ORDER
from .state import CARD_POINTS

HISTORY_LIMIT = 4000
LEAD_HISTORY = 14  # weights of the history table against the static scores
REPLY_HISTORY = 512
LIFT = 1 << 20  # keeps scores positive, so that the packed card is read back as it was


@inner
def race_leads(mem, base, cards, hf, married, trump_at):
    """List the leads of a race: marriages, sure winners from the top, then cheap cards; trumps last."""
    count = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        suit_at = card // 6 * 6
        value = CARD_POINTS[card]
        above = (hf >> card) & (63 >> (card - suit_at))
        trump = suit_at == trump_at
        if (married >> card) & 1:
            score = 260 - value
        elif above == 0 and (trump or (hf >> suit_at) & 63 or (hf >> trump_at) & 63 == 0):
            score = (-65 if trump else 150) + 9 * value
        else:
            score = (-315 if trump else 0) - 11 * value
        mem[base + count] = (LIFT + score) << 5 | card
        count += 1
    return count


@inner
def race_replies(mem, base, cards, card, trump_at):
    """List the replies of a race: winners, then discards from the cheapest; trumps last."""
    count = 0
    while cards:
        reply = lowest(cards)
        cards &= cards - 1
        suit_at = reply // 6 * 6
        wins = reply > card if suit_at == card // 6 * 6 else suit_at == trump_at
        value = CARD_POINTS[reply]
        score = 325 + 4 * value if wins else -17 * value
        if suit_at == trump_at:
            score -= 400
        mem[base + count] = (LIFT + score) << 5 | reply
        count += 1
    return count


@inner
def open_leads(mem, base, history, cards, hf, married, tied, trump_at):
    """List the leads while cards are drawn; `tied`: kings and queens that may yet be declared, the lowest trump."""
    count = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        suit_at = card // 6 * 6
        value = CARD_POINTS[card]
        above = (hf >> card) & (63 >> (card - suit_at))
        score = mem[history + card] * LEAD_HISTORY
        if (married >> card) & 1:
            score += (960 if suit_at == trump_at else 150) - value
        elif suit_at == trump_at:
            score += value - 15 if above else value + 55
        elif above == 0:
            score += 155 - 5 * value
            if (hf >> suit_at) & 63:
                score -= 25
        else:
            score -= 5 * value
        if (tied & ~married) >> card & 1:
            score -= 35
        mem[base + count] = (LIFT + score) << 5 | card
        count += 1
    return count


@inner
def open_replies(mem, base, history, cards, card, tied, trump_at):
    """List the replies while cards are drawn: overtake cheaply, trump in, discard cheaply."""
    count = 0
    led_at = card // 6 * 6
    led_value = CARD_POINTS[card]
    while cards:
        reply = lowest(cards)
        cards &= cards - 1
        suit_at = reply // 6 * 6
        value = CARD_POINTS[reply]
        score = mem[history + reply] * REPLY_HISTORY
        if suit_at == led_at and reply > card:
            score += 400 + 3 * led_value - 19 * value
        elif suit_at == trump_at:
            score += (85 + 3 * led_value if led_at != trump_at else -280) - 9 * value
        else:
            score -= 9 * value
        if (tied >> reply) & 1:
            score -= 185
        mem[base + count] = (LIFT + score) << 5 | reply
        count += 1
    return count


@inner
def take_best(mem, base, i, count):
    """Bring the best of the moves i .. count-1 to place i and return its card (a move is score << 5 | card)."""
    best = i
    for j in range(i + 1, 0 if mem[M_ABLATE] & NO_ORDER else count):
        if mem[base + j] > mem[base + best]:
            best = j
    move = mem[base + best]
    mem[base + best] = mem[base + i]
    mem[base + i] = move
    return move & 31


@inner
def reward(mem, history, card, weight):
    """A cut-off by `card`; the table is halved when a counter runs high."""
    mem[history + card] += weight
    if mem[history + card] > HISTORY_LIMIT:
        for i in range(24):
            mem[history + i] >>= 1
