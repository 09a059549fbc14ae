"""The kernel's rules against the naive twin: legal actions at every step, outcomes, values of late positions."""

import random

import naive
import numpy as np
import pytest
from compiled import do_action, list_actions
from randomdeals import random_rules
from sixtysix.kernel.layout import (
    CLOSE,
    DECLARE,
    EXCHANGE,
    NO_CARD,
    NOBODY,
    S_OUTCOME,
    S_OVER,
    S_STOCK,
    S_TALON,
    STOCK_SIZE,
)
from sixtysix.rules import PRESETS, Rules
from sixtysix.turns import code_of as turn_code
from sixtysix.turns import legal_turns, turn_of
from test_solver import prepared, solver_values

LATE = 8  # cards in both hands together


def mask(cards):
    return sum(1 << card for card in cards)


def state_of(twin):
    """The kernel state of a state of the twin."""
    stock = list(reversed(twin.stock))
    return np.array(
        [
            mask(twin.hands[0]),
            mask(twin.hands[1]),
            twin.leader,
            NO_CARD if twin.led is None else twin.led,
            *twin.points,
            *twin.pending,
            *twin.tricks,
            NOBODY if twin.closed_by is None else twin.closed_by,
            twin.note_points,
            twin.note_tricks,
            twin.trump,
            NO_CARD if twin.up is None else twin.up,
            len(stock) + (twin.up is not None),
            0,
            0,
            *stock,
            *[NO_CARD] * (STOCK_SIZE - len(stock)),
        ],
        np.int64,
    )


def code_of(action):
    if action[0] == "exchange":
        return EXCHANGE
    if action[0] == "close":
        return CLOSE
    return action[1] + (DECLARE if action[2] else 0)


def described(twin, rules):
    return f"{naive.line_of(twin, rules)} (rules: {naive.rules_text(rules)})"


def same_actions(twin, rules, packed, state):
    """Check that both know the same legal actions; return the twin's, by code."""
    out = np.zeros(64, np.int64)
    found = {int(code) for code in out[: list_actions(state, packed, out)]}
    actions = {code_of(action): action for action in naive.legal_actions(twin, rules)}
    assert found == set(actions), described(twin, rules)
    return actions


def same_values(twin, rules, packed, memory):
    """Check the exact values of all turns of a late position."""
    state = state_of(twin)
    turns, values, _ = solver_values(memory, packed, state)
    sign = 1 if naive.mover(twin) == 0 else -1
    got = {turn_of(int(turn), twin.trump).text: sign * int(value) for turn, value in zip(turns, values, strict=True)}
    assert got == naive.turn_values(twin, rules), described(twin, rules)


def play_out(rules_text, rng, memory=None):
    """Play a random deal with both; with a memory, solve one late position of it. Returns whether one was met."""
    rules = naive.rules_of(rules_text)
    packed = np.array(Rules.parse(rules_text).packed(), np.int64)
    twin = naive.random_deal(rng, rules)
    state = state_of(twin)
    solve_at = rng.randint(2, LATE)
    solved = False
    while not naive.is_over(twin):
        actions = same_actions(twin, rules, packed, state)
        left = len(twin.hands[0]) + len(twin.hands[1])
        drawn = twin.closed_by is None and twin.up is not None
        if memory is not None and not solved and not drawn and left <= solve_at:
            same_values(twin, rules, packed, memory)
            solved = True
        code = rng.choice(sorted(actions))
        do_action(state, packed, code)
        if naive.is_over(twin := naive.apply(twin, rules, actions[code])):
            break
        known = S_STOCK + max(int(state[S_TALON]) - 1, 0)  # drawn cards stay in the array above it
        assert (state[:known] == state_of(twin)[:known]).all(), described(twin, rules)
    assert state[S_OVER] == 1
    assert state[S_OUTCOME] == naive.outcome(twin, rules), described(twin, rules)
    return solved


@pytest.mark.parametrize("preset", PRESETS)
def test_random_deals_of_a_preset(preset):
    rng = random.Random(31)
    memory = prepared(Rules.preset_named(preset))
    for _ in range(60):
        play_out(preset, rng, memory)


def test_random_deals_of_random_switches():
    rng = random.Random(32)
    for _ in range(150):
        rules = random_rules(rng)
        play_out(rules.text, rng, prepared(rules))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_10000_late_positions_of_a_preset(preset):
    rng = random.Random(33)
    memory = prepared(Rules.preset_named(preset))
    solved = 0
    while solved < 10_000:
        solved += play_out(preset, rng, memory)


@pytest.mark.parametrize("preset", PRESETS)
def test_cards_and_points_are_conserved(preset):
    rng = random.Random(34)
    rules = naive.rules_of(preset)
    packed = np.array(Rules.preset_named(preset).packed(), np.int64)
    for _ in range(50):
        state = state_of(naive.random_deal(rng, rules))
        deck = mask(naive.deck_of(rules))
        bonus = marriages = 0
        gone = 0
        while not state[S_OVER]:
            out = np.zeros(64, np.int64)
            code = int(out[rng.randrange(list_actions(state, packed, out))])
            if code >= DECLARE and code < EXCHANGE:
                marriages += 40 if code % DECLARE // 6 == state[13] else 20
            if code < EXCHANGE:
                gone |= 1 << code % DECLARE
            do_action(state, packed, code)
            stock = mask(int(card) for card in state[18 : 18 + max(state[15] - 1, 0)])
            up = 0 if state[14] == NO_CARD else 1 << int(state[14])
            assert int(state[0]) | int(state[1]) | gone | stock | up == deck
        last = state[0] == 0 and state[1] == 0
        bonus = rules.last_trick_points if last and (state[10] == NOBODY or rules.last_trick_counts_when_closed) else 0
        total = int(state[4] + state[5] + state[6] + state[7])
        table = 0 if state[3] == NO_CARD else naive.card_points(int(state[3]))
        assert total == sum(naive.card_points(c) for c in range(24) if gone >> c & 1) - table + marriages + bonus


def test_turn_codes_come_back():
    rng = random.Random(35)
    for preset in PRESETS:
        rules = Rules.preset_named(preset)
        packed = np.array(rules.packed(), np.int64)
        state = state_of(naive.random_deal(rng, naive.rules_of(preset)))
        for code in legal_turns(packed, state):
            assert turn_code(turn_of(int(code), int(state[13]))) == code
