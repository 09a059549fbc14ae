"""The exact solver against plain alpha-beta, and against itself with single techniques switched off."""

import random

import numpy as np
import pytest
from compiled import callable_from_python, proof, store_race, table_corner
from plain import new_table, plain_turns
from randomdeals import random_position, random_rules
from sixtysix.bench import random_deal
from sixtysix.kernel.alphabeta import MAX_TURNS, prepare, solve_batch
from sixtysix.kernel.layout import STATE_SIZE
from sixtysix.kernel.memory import M_ABLATE, NO_EQUALS, NO_ORDER, NO_PEEK, NO_QUICK_TESTS, NO_TABLE, new_memory
from sixtysix.rules import PRESETS, Rules
from sixtysix.turns import legal_turns, turn_of

TABLE = new_table()
SLOT, KEY = 5000, 77


@callable_from_python
def keep_proof(memory, live, x, y):
    store_race(memory, SLOT, KEY, live, proof(y & 1, x, y))


@callable_from_python
def stored_corners(memory):
    data = memory[SLOT + 1]
    return table_corner(data, 0), table_corner(data, 1), table_corner(data, 2), table_corner(data, 3)


def solver_values(memory, packed, state):
    """Outcome for player 0 of every turn, and of the position asked for alone."""
    turns = legal_turns(packed, state)
    values = np.zeros((1, MAX_TURNS), np.int64)
    alone = np.zeros((1, MAX_TURNS), np.int64)
    nodes = np.zeros(1, np.int64)
    solve_batch(memory, packed, state[None, :].copy(), turns, len(turns), values, nodes)
    solve_batch(memory, packed, state[None, :].copy(), turns, 0, alone, nodes)
    return turns, values[0, : len(turns)], alone[0, 0]


def described(rules, state, turns, got, want):
    """All a person needs to replay a mismatch."""
    rows = [
        f"{turn_of(int(t), int(state[13])).text}: solver {g}, plain {w}"
        for t, g, w in zip(turns, got, want, strict=False)
    ]
    return f"{rules.text}\nstate {state.tolist()}\n" + "\n".join(rows)


def compare(rules, rng, memory, most_talon):
    packed = np.array(rules.packed(), np.int64)
    state = random_position(rules, rng, most_talon)
    turns, got, alone = solver_values(memory, packed, state)
    want = np.zeros(MAX_TURNS, np.int64)
    count = plain_turns(state.copy(), packed, turns.copy(), want, TABLE)
    assert count == len(turns)
    assert (got == want[:count]).all(), described(rules, state, turns, got, want)
    mover_is_0 = (state[2] == 0) == (state[3] < 0)
    assert alone == (max(got) if mover_is_0 else min(got)), described(rules, state, turns, got, want)


def prepared(rules, ablate=0):
    memory = new_memory()
    prepare(memory, np.array(rules.packed(), np.int64))
    memory[M_ABLATE] = ablate
    return memory


def compare_preset(preset, count, most_talon, seed):
    rules = Rules.preset_named(preset)
    memory = prepared(rules)
    TABLE[:] = 0
    rng = np.random.default_rng(seed)
    for _ in range(count):
        compare(rules, rng, memory, most_talon)


def compare_switches(sets, each, most_talon, seed):
    chooser = random.Random(seed)
    rng = np.random.default_rng(seed)
    for _ in range(sets):
        rules = random_rules(chooser)
        memory = prepared(rules)
        TABLE[:] = 0
        for _ in range(each):
            compare(rules, rng, memory, most_talon)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_turn_agrees_with_plain_alphabeta(preset):
    compare_preset(preset, 300, 2, seed=1)
    compare_preset(preset, 20, 4, seed=2)


def test_every_turn_agrees_under_random_switches():
    compare_switches(sets=60, each=8, most_talon=2, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_20000_positions_of_a_preset(preset):
    compare_preset(preset, 19_000, 2, seed=11)
    compare_preset(preset, 1_000, 4, seed=12)
    compare_preset(preset, 100, 6, seed=13)


@pytest.mark.slow
def test_20000_positions_of_random_switches():
    compare_switches(sets=1_000, each=19, most_talon=2, seed=13)
    compare_switches(sets=200, each=5, most_talon=4, seed=14)
    compare_switches(sets=50, each=2, most_talon=6, seed=15)


TECHNIQUES = {
    "table": NO_TABLE,
    "quick tests": NO_QUICK_TESTS,
    "equal cards": NO_EQUALS,
    "looking replies up": NO_PEEK,
    "ordering": NO_ORDER,
}


def compare_ablated(technique, preset, count, most_talon, seed):
    rules = Rules.preset_named(preset)
    packed = np.array(rules.packed(), np.int64)
    memories = prepared(rules), prepared(rules, TECHNIQUES[technique])
    rng = np.random.default_rng(seed)
    for _ in range(count):
        state = random_deal(rules, rng) if most_talon is None else random_position(rules, rng, most_talon)
        (turns, got, _), (_, want, _) = (solver_values(memory, packed, state) for memory in memories)
        assert (got == want).all(), described(rules, state, turns, got, want)


@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.parametrize("preset", PRESETS)
def test_techniques_change_no_answer(technique, preset):
    compare_ablated(technique, preset, 10, 4, seed=21)


@pytest.mark.slow
@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.parametrize("preset", PRESETS)
def test_techniques_change_no_answer_on_full_deals(technique, preset):
    if technique == "table":
        compare_ablated(technique, preset, 20, 6, seed=22)  # a full deal without a table takes minutes
    else:
        compare_ablated(technique, preset, 10, None, seed=23)


def test_lowest_trump_and_a_queen_with_hopes_are_not_equal():
    """With 20 cards jack and queen of trumps are neighbours, one tied to the exchange and one to a marriage."""
    rules = Rules.parse(
        "ro+close_needs_trick:yes+deck:20+marriage_from:any_lead+marriage_points:with_a_trick"
        "+snapshot_at_close:yes+three_for:no_points"
    )
    packed = np.array(rules.packed(), np.int64)
    state = np.zeros(STATE_SIZE, np.int64)
    state[:] = [551424, 5243014, 1, -1, 0, 50, 0, 0, 0, 3, -1, 0, 0, 2, 16, 4, 0, 0, 3, 15, 4, *[-1] * 8]
    turns, got, _ = solver_values(prepared(rules), packed, state)
    want = np.zeros(MAX_TURNS, np.int64)
    plain_turns(state.copy(), packed, turns.copy(), want, new_table())
    assert (got == want[: len(turns)]).all(), described(rules, state, turns, got, want)


def test_stored_corners_stay_in_range():
    """Proofs carried over to other card sets of a pattern lose their slack each time, and must not run out of bits."""
    memory = prepared(Rules.preset_named("pl"))
    low, high = 0b000111, 0b111000  # 9 J Q against K T A: the largest difference of three cards
    for i in range(100):
        live = low if i % 2 else high
        keep_proof(memory, live, 40, 1 + i % 2)  # the leader wins, and the follower, by turns
        corners = stored_corners(memory)
        assert all(-100 <= corner <= 100 for corner in corners), corners


def test_closings_prove_nothing_about_deals_that_are_over() -> None:
    """With a snapshot and a penalty, proofs kept from closings must not cover needs that would have ended the deal."""
    rules = Rules.preset_named("schnapsen")
    packed = np.array(rules.packed(), np.int64)
    rng = np.random.default_rng(7)
    memories = prepared(rules), prepared(rules, NO_EQUALS)
    for _ in range(50):
        state = random_deal(rules, rng)
        (_, got, _), (_, want, _) = (solver_values(memory, packed, state) for memory in memories)
        assert list(got) == list(want), state.tolist()
