"""Deals played out by the network's policy: a legal course, what each player sees of it, and the right result."""

import numpy as np
import pytest
from sixtysix import analyze
from sixtysix.kernel import network, playout
from sixtysix.kernel.ismcts import SCRATCH_WIDTH
from sixtysix.network import network_for
from sixtysix.playouts import play, stream
from sixtysix.rules import Rules
from sixtysix.samples import features_of
from sixtysix.table import Table
from sixtysix.turns import turns_allowed
from sixtysix.workers import memories_for


def played_out(rules, table, seed):
    """The rows of one deal, played by a network that knows nothing, so at random: closings are rarer than else."""
    memories = memories_for(rules)
    rows = np.zeros((playout.MOST_DECISIONS, playout.ROW), np.int64)
    count = playout.play_out(
        memories.take(),
        memories.rules,
        int(rules.stock_top_face_up),
        table.start[None, :].copy(),
        seed,
        np.zeros(network.WEIGHTS, np.float32),
        np.zeros(network.UNITS, np.float32),
        np.zeros((playout.SCRATCH_ROWS, SCRATCH_WIDTH), np.int64),
        rows,
    )
    return rows[:count]


def courses_of(deal, rows):
    """Every course of turns in which the players see these rows; its last turn is None for a closing.

    As nobody's view follows the last turn, several may be possible.
    """

    def look(turns, row):
        table = deal()
        for turn in turns:
            table.play(turn)
        position = None if table.over else table.position()
        if position is None or not position.drawing:
            if row == len(rows):
                yield turns
            return
        if row == len(rows):
            return
        # Of a face-up stock the last card tells which ones the other holds; the position says so, the playout does not.
        all_known = position.rules.stock_top_face_up and position.talon == 2
        if not all_known and not np.array_equal(rows[row, 1:], features_of(position)):
            return
        for turn in turns_allowed(position):
            after = row + 1
            if turn.exchange:
                if after == len(rows) or not np.array_equal(rows[after, 1:], features_of(position, exchanged=True)):
                    continue
                after += 1
            if not turn.close:
                yield from look([*turns, turn], after)
            elif after == len(rows):
                yield [*turns, None]

    yield from look([], 0)


def results_of(deal, turns):
    """What a course of turns is worth to the player of each row, with best play once the talon is gone."""
    table = deal()
    movers = []
    for turn in turns:
        movers += [table.mover] * (2 if turn.exchange else 1)
        table.play(turn)
    if table.over:
        value = table.outcome
    else:
        best = analyze(table.position(), jobs=1).best.value
        value = best if table.mover == 0 else -best
    return [-value if mover else value for mover in movers]


@pytest.mark.parametrize("preset", ["ro", "pl", "schnapsen", "santase"])
def test_a_deal_is_played_by_the_rules_and_ends_as_it_should(preset):
    rules = Rules.preset_named(preset)
    to_the_end = 0
    for seed in range(20):
        rows = played_out(rules, Table.deal(rules, seed), seed)

        def deal(seed=seed):
            return Table.deal(rules, seed)

        courses = list(courses_of(deal, rows))
        assert courses, f"deal {seed}: no course of turns shows what the rows say"
        if any(course[-1] is None for course in courses):
            assert rows[0, 0] in range(-3, 4)
            continue
        to_the_end += 1
        assert rows[:, 0].tolist() in [results_of(deal, course) for course in courses]
    assert to_the_end > 2


def test_a_stream_repeats_itself_and_follows_the_network():
    rules = Rules.preset_named("schnapsen")
    weights = network_for("schnapsen").weights
    lots = [list(stream(rules, lambda: weights, 3, 3000)) for _ in range(2)]
    assert [len(lot.outcomes) for lot in lots[0]] == [len(lot.outcomes) for lot in lots[1]]
    for one, other in zip(*lots, strict=True):
        assert np.array_equal(one.features, other.features)
        assert np.array_equal(one.outcomes, other.outcomes)
    # A network that knows nothing plays at random.
    blind = play(rules, np.zeros_like(weights), 3, 500)
    assert len(blind.outcomes) != len(play(rules, weights, 3, 500).outcomes)
