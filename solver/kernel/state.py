"""The rules: legal actions, their effect, the outcome. The only place where the rules are coded.

A state is an int64 array in the layout of `layout.py` (`S_*`), rules are an int64 array (`R_*`).
Everything works in place; whoever needs the old state copies it first.
"""

from __future__ import annotations

import numpy as np

from .jit import inner, lowest
from .layout import (
    CLOSE,
    DECLARE,
    EXCHANGE,
    FAILED_NONE,
    FAILED_TWO,
    FAILED_TWO_OR_THREE,
    FOLLOW_SUIT,
    FOLLOW_SUIT_HEAD_TRUMP,
    NO_CARD,
    NOBODY,
    R_CLOSE_MIN_TALON,
    R_CLOSE_NEEDS_TRICK,
    R_CLOSED_FREE,
    R_DECK,
    R_EXCHANGE_MIN_TALON,
    R_EXCHANGE_NEEDS_TRICK,
    R_FAILED_CLOSE,
    R_FOLLOW,
    R_LAST_TRICK_POINTS,
    R_LAST_TRICK_WHEN_CLOSED,
    R_LAST_TRICK_WINS,
    R_MARRIAGE_AFTER_TRICK,
    R_MARRIAGE_IN_ENDGAME,
    R_MARRIAGE_WITH_TRICK,
    R_SNAPSHOT,
    R_THREE_FOR_NO_POINTS,
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
    S_STOCK,
    S_TALON,
    S_TRICKS0,
    S_TRUMP,
    S_UP,
    SCHNEIDER,
    TARGET,
)

CARD_POINTS = np.array([0, 2, 3, 4, 10, 11] * 4, dtype=np.int64)
SUIT = 63  # the six cards of suit s are SUIT << 6 * s
QUEEN = 2  # ranks within a suit
KING = 3


@inner
def mover(state):
    """The player whose action is next."""
    if state[S_LED] == NO_CARD:
        return state[S_LEADER]
    return 1 - state[S_LEADER]


@inner
def drawing(state):
    """Whether cards are still drawn: the talon is neither exhausted nor closed."""
    return state[S_TALON] > 0 and state[S_CLOSER] == NOBODY


@inner
def follow_mask(hand, led, trump, duty):
    """The cards of `hand` that may be played to `led` under an endgame duty (`FOLLOW_*`)."""
    same = hand & (SUIT << (led // 6 * 6))
    if same:
        if duty == FOLLOW_SUIT_HEAD_TRUMP:
            higher = same & ~((2 << led) - 1)
            if higher:
                return higher
        return same
    if duty != FOLLOW_SUIT:
        trumps = hand & (SUIT << (trump * 6))
        if trumps:
            return trumps
    return hand


@inner
def beats(card, led, trump):
    """Whether `card`, played second, takes the trick from `led`."""
    if card // 6 == led // 6:
        return card > led
    return card // 6 == trump


@inner
def reply_mask(state, rules):
    """The cards the follower may play to the card led."""
    hand = state[S_HAND0 + 1 - state[S_LEADER]]
    if drawing(state) or (state[S_CLOSER] != NOBODY and rules[R_CLOSED_FREE]):
        return hand
    return follow_mask(hand, state[S_LED], state[S_TRUMP], rules[R_FOLLOW])


@inner
def lowest_trump(state, rules):
    """The card that may be exchanged for the upcard."""
    return 6 * state[S_TRUMP] + (1 if rules[R_DECK] == 20 else 0)


@inner
def may_exchange(state, rules):
    """Whether the leader may take the upcard for the lowest trump."""
    leader = state[S_LEADER]
    return (
        drawing(state)
        and state[S_TALON] >= rules[R_EXCHANGE_MIN_TALON]
        and (state[S_HAND0 + leader] >> lowest_trump(state, rules)) & 1 == 1
        and (rules[R_EXCHANGE_NEEDS_TRICK] == 0 or state[S_TRICKS0 + leader] > 0)
    )


@inner
def may_close(state, rules):
    """Whether the leader may close the talon."""
    return (
        drawing(state)
        and state[S_TALON] >= rules[R_CLOSE_MIN_TALON]
        and (rules[R_CLOSE_NEEDS_TRICK] == 0 or state[S_TRICKS0 + state[S_LEADER]] > 0)
    )


@inner
def may_declare(state, rules):
    """Whether the rules let the leader declare a marriage now, if he holds one."""
    if not drawing(state) and rules[R_MARRIAGE_IN_ENDGAME] == 0:
        return False
    return rules[R_MARRIAGE_AFTER_TRICK] == 0 or state[S_TRICKS0 + state[S_LEADER]] > 0


@inner
def pairs(hand):
    """The kings and queens of `hand` whose partner is in it too."""
    kings = (hand >> 1) & hand & 0x104104  # bit of the queen where both are held
    return kings | (kings << 1)


@inner
def actions_of(state, rules, out):
    """Write the legal actions to `out`; return how many there are (none once the deal is over)."""
    if state[S_OVER]:
        return 0
    count = 0
    if state[S_LED] != NO_CARD:
        cards = reply_mask(state, rules)
        while cards:
            out[count] = lowest(cards)
            count += 1
            cards &= cards - 1
        return count
    if may_exchange(state, rules):
        out[count] = EXCHANGE
        count += 1
    if may_close(state, rules):
        out[count] = CLOSE
        count += 1
    cards = state[S_HAND0 + state[S_LEADER]]
    married = pairs(cards) if may_declare(state, rules) else 0
    while cards:
        card = lowest(cards)
        out[count] = card
        count += 1
        if (married >> card) & 1:
            out[count] = DECLARE + card
            count += 1
        cards &= cards - 1
    return count


@inner
def value_of_win(state, rules, winner):
    """Game points for the winner of a deal, 1 to 3."""
    loser = 1 - winner
    points = state[S_POINTS0 + loser]
    tricks = state[S_TRICKS0 + loser]
    if state[S_CLOSER] == loser and rules[R_FAILED_CLOSE] != FAILED_NONE:
        penalty = rules[R_FAILED_CLOSE]
        if penalty == FAILED_TWO_OR_THREE:
            return 3 if state[S_NOTE_TRICKS] == 0 else 2
        return 2 if penalty == FAILED_TWO else 3
    if state[S_CLOSER] == winner and rules[R_SNAPSHOT]:
        points = state[S_NOTE_POINTS]
        tricks = state[S_NOTE_TRICKS]
    if (points if rules[R_THREE_FOR_NO_POINTS] else tricks) == 0:
        return 3
    return 2 if points < SCHNEIDER else 1


@inner
def finish(state, rules, winner):
    """Mark the deal as won by `winner`, or as worth nothing if that is `NOBODY`."""
    state[S_OVER] = 1
    value = 0 if winner == NOBODY else value_of_win(state, rules, winner)
    state[S_OUTCOME] = -value if winner == 1 else value


@inner
def finish_without_66(state, rules, last_winner):
    """All cards are played and nobody has 66."""
    if state[S_CLOSER] != NOBODY and rules[R_FAILED_CLOSE] != FAILED_NONE:
        finish(state, rules, 1 - state[S_CLOSER])
    elif rules[R_LAST_TRICK_WINS]:
        finish(state, rules, last_winner)
    else:
        finish(state, rules, NOBODY)


@inner
def declare(state, rules, card):
    """Count the marriage of the suit of `card` for the leader."""
    leader = state[S_LEADER]
    worth = 40 if card // 6 == state[S_TRUMP] else 20
    if rules[R_MARRIAGE_WITH_TRICK] and state[S_TRICKS0 + leader] == 0:
        state[S_PENDING0 + leader] += worth
    else:
        state[S_POINTS0 + leader] += worth
        if state[S_POINTS0 + leader] >= TARGET:
            finish(state, rules, leader)


@inner
def draw_cards(state, winner):
    """The winner draws the top of the stock, the loser the next card, the upcard last of all."""
    talon = state[S_TALON]
    state[S_HAND0 + winner] |= 1 << state[S_STOCK + talon - 2]
    if talon == 2:
        state[S_HAND0 + 1 - winner] |= 1 << state[S_UP]
        state[S_UP] = NO_CARD
    else:
        state[S_HAND0 + 1 - winner] |= 1 << state[S_STOCK + talon - 3]
    state[S_TALON] = talon - 2


@inner
def finish_trick(state, rules, card):
    """The follower plays `card`: points, draw and lead of the next trick, or the end of the deal."""
    led = state[S_LED]
    leader = state[S_LEADER]
    winner = 1 - leader if beats(card, led, state[S_TRUMP]) else leader
    state[S_LED] = NO_CARD
    state[S_TRICKS0 + winner] += 1
    gained = CARD_POINTS[led] + CARD_POINTS[card] + state[S_PENDING0 + winner]
    state[S_PENDING0 + winner] = 0
    last = state[S_HAND0] == 0 and state[S_HAND0 + 1] == 0
    if last and (state[S_CLOSER] == NOBODY or rules[R_LAST_TRICK_WHEN_CLOSED]):
        gained += rules[R_LAST_TRICK_POINTS]
    state[S_POINTS0 + winner] += gained
    state[S_LEADER] = winner
    if state[S_POINTS0 + winner] >= TARGET:
        finish(state, rules, winner)
    elif last:
        finish_without_66(state, rules, winner)
    elif drawing(state):
        draw_cards(state, winner)


@inner
def apply(state, rules, action):
    """Carry out a legal action in place."""
    leader = state[S_LEADER]
    if action == EXCHANGE:
        low = lowest_trump(state, rules)
        state[S_HAND0 + leader] ^= (1 << low) | (1 << state[S_UP])
        state[S_UP] = low
    elif action == CLOSE:
        state[S_CLOSER] = leader
        state[S_NOTE_POINTS] = state[S_POINTS0 + 1 - leader]
        state[S_NOTE_TRICKS] = state[S_TRICKS0 + 1 - leader]
    elif state[S_LED] == NO_CARD:
        card = action % DECLARE
        if action >= DECLARE:
            declare(state, rules, card)
        state[S_HAND0 + leader] ^= 1 << card
        state[S_LED] = card
    else:
        state[S_HAND0 + 1 - leader] ^= 1 << action
        finish_trick(state, rules, action)
