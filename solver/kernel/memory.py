"""The search's working memory: one int64 array a thread, so that a search node passes one array and not ten.

A header with the rules and the deal in the form the search wants, the history table, the move lists of every depth,
then the two transposition tables. `setup_rules` must be called once, on new memory, and `setup_deal` once a deal.
"""

from __future__ import annotations

import numpy as np

from .jit import inner
from .layout import (
    FAILED_NONE,
    FAILED_THREE,
    FAILED_TWO,
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
    S_STOCK,
    S_TRUMP,
    STOCK_SIZE,
)

# Header: the rules.
M_NODES = 0  # search nodes since somebody set it to zero
M_DUTY_OPEN = 1  # what the follower must do once the talon is exhausted (FOLLOW_*)
M_DUTY_CLOSED = 2  # and after a closing; DUTY_FREE where play stays free
M_BONUS_OPEN = 3  # last trick points with the talon exhausted
M_BONUS_CLOSED = 4  # and after a closing
M_LAST_WINS = 5  # 1: with nobody at 66 the last trick wins
M_MARRY_ENDGAME = 6
M_MARRY_AFTER_TRICK = 7
M_MARRY_PENDING = 8
M_EXCHANGE_TRICK = 9
M_EXCHANGE_MIN = 10
M_CLOSE_TRICK = 11
M_CLOSE_MIN = 12
M_PENALTY = 13  # of a failed closing: 0 none, 2, 3, or 4: two or three
M_SNAPSHOT = 14
M_NO_POINTS = 15  # three for no points (else: for no tricks)
M_LOW = 16  # rank of the lowest card: 0, or 1 with 20 cards
M_TWIN_CLOSED = 17  # 1: closed play differs from play with the talon exhausted
# Header: the deal and the question.
M_TRUMP = 20  # trump suit's shift, 6 * suit
M_SIDE0 = 21  # shifts of the other suits
M_SIDE1 = 22
M_SIDE2 = 23
M_LEVEL = 24  # the question asked: does the prover get at least this many game points?
M_OFFSET = 25  # counted points at which the defender has denied it
M_CLASS = 26  # questions of one class share their entries in the drawing table
M_DEAL = 27  # stamp of the deal, for the drawing table
M_STOCK = 30  # as in the state, from the bottom
M_STOCK_CARDS = 46  # at M_STOCK_CARDS + t: the stock cards of a talon of t, as a set
M_ABLATE = 45  # bit set of techniques switched off (tests only)

M_HISTORY = 64
HISTORY_BLOCK = 24 + 24 * 24
HISTORY_SIZE = 12 * HISTORY_BLOCK
M_LISTS = M_HISTORY + HISTORY_SIZE
LIST_SIZE = 32
M_CHILD = M_LISTS + 32 * LIST_SIZE  # a state: the root after a turn
M_RACE_TABLE = M_CHILD + 32
RACE_BITS = 16
DRAW_BITS = 18
M_DRAW_TABLE = M_RACE_TABLE + (2 << RACE_BITS)
MEMORY_SIZE = M_DRAW_TABLE + (2 << DRAW_BITS)

DUTY_FREE = 3

# Techniques that tests can switch off, to show that they do not change an answer.
NO_TABLE = 1
NO_QUICK_TESTS = 2
NO_EQUALS = 4
NO_PEEK = 8
NO_ORDER = 16


def new_memory() -> np.ndarray:
    """Working memory for one thread, about 5 MB."""
    return np.zeros(MEMORY_SIZE, np.int64)


@inner
def setup_rules(mem, rules):
    """Write the rules to the header of new memory."""
    mem[M_DUTY_OPEN] = rules[R_FOLLOW]
    mem[M_DUTY_CLOSED] = DUTY_FREE if rules[R_CLOSED_FREE] else rules[R_FOLLOW]
    mem[M_BONUS_OPEN] = rules[R_LAST_TRICK_POINTS]
    mem[M_BONUS_CLOSED] = rules[R_LAST_TRICK_POINTS] if rules[R_LAST_TRICK_WHEN_CLOSED] else 0
    mem[M_LAST_WINS] = rules[R_LAST_TRICK_WINS]
    mem[M_MARRY_ENDGAME] = rules[R_MARRIAGE_IN_ENDGAME]
    mem[M_MARRY_AFTER_TRICK] = rules[R_MARRIAGE_AFTER_TRICK]
    mem[M_MARRY_PENDING] = rules[R_MARRIAGE_WITH_TRICK]
    mem[M_EXCHANGE_TRICK] = rules[R_EXCHANGE_NEEDS_TRICK]
    mem[M_EXCHANGE_MIN] = rules[R_EXCHANGE_MIN_TALON]
    mem[M_CLOSE_TRICK] = rules[R_CLOSE_NEEDS_TRICK]
    mem[M_CLOSE_MIN] = rules[R_CLOSE_MIN_TALON]
    mem[M_PENALTY] = rules[R_FAILED_CLOSE]
    mem[M_SNAPSHOT] = rules[R_SNAPSHOT]
    mem[M_NO_POINTS] = rules[R_THREE_FOR_NO_POINTS]
    mem[M_LOW] = 1 if rules[R_DECK] == 20 else 0
    same = mem[M_DUTY_OPEN] == mem[M_DUTY_CLOSED] and mem[M_BONUS_OPEN] == mem[M_BONUS_CLOSED]
    mem[M_TWIN_CLOSED] = 0 if same else 1


@inner
def setup_trump(mem, trump):
    """Write the trump suit to the header; enough for play without drawing."""
    mem[M_TRUMP] = 6 * trump
    side = M_SIDE0
    for suit in range(4):
        if suit != trump:
            mem[side] = 6 * suit
            side += 1


@inner
def setup_deal(mem, state):
    """Prepare `mem` for a deal. The table of play without drawing is kept: it holds for every deal."""
    setup_trump(mem, state[S_TRUMP])
    for i in range(STOCK_SIZE):
        mem[M_STOCK + i] = state[S_STOCK + i]
        below = mem[M_STOCK_CARDS + i + 1] if i else 0
        mem[M_STOCK_CARDS + i + 2] = below | (1 << state[S_STOCK + i] if state[S_STOCK + i] >= 0 else 0)
    mem[M_DEAL] += 1
    mem[M_NODES] = 0
    for i in range(HISTORY_SIZE):
        mem[M_HISTORY + i] = 0


@inner
def penalty_of(mem, tricks):
    """Game points a failed closer loses, given the other side's tricks at the closing; 0: no penalty."""
    penalty = mem[M_PENALTY]
    if penalty <= FAILED_THREE:
        return penalty
    return FAILED_THREE if tricks == 0 else FAILED_TWO


assert FAILED_NONE == 0
