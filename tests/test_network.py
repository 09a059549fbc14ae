"""The network's view of a position, and its answers."""

from pathlib import Path

import numpy as np
import pytest
from sixtysix import Position
from sixtysix.decisions import DecisionLog, DecisionLogError
from sixtysix.kernel import network as kernel
from sixtysix.network import NetworkError, network_for
from sixtysix.rules import PRESETS, Rules
from sixtysix.samples import features_of, slot_values
from sixtysix.table import Table
from sixtysix.training import flat, unflat
from sixtysix.worlds import Worlds

SHOWN = "rules=ro up=9d hand=Ac,Tc,Kh,Qh,Js,Ad shown=Ad opp=Kd,Qd led=Td gone=9c,Jc points=0-2 tricks=0-1"


def names(position, **options):
    """The features in words: group and card or number."""
    starts = {
        "hand": kernel.F_HAND,
        "gone": kernel.F_GONE,
        "led": kernel.F_LED,
        "theirs": kernel.F_THEIRS,
        "shown": kernel.F_SHOWN,
        "up": kernel.F_UP,
        "talon": kernel.F_TALON,
        "points": kernel.F_POINTS,
        "pending": kernel.F_PENDING,
        "tricks": kernel.F_TRICKS,
        "declared": kernel.F_DECLARED,
        "top": kernel.F_TOP,
    }
    found = []
    for feature in features_of(position, **options):
        if feature >= 0:
            group = max((name for name in starts if starts[name] <= feature), key=starts.__getitem__)
            found.append((group, int(feature) - starts[group]))
    return found


def test_features_say_what_the_player_sees():
    found = names(Position.parse(SHOWN))
    trump_first = {"d": 0, "h": 1, "s": 2, "c": 3}  # suits counted from the trump suit
    ranks = "9JQKTA"

    def cards(text):
        return sorted(6 * trump_first[card[1]] + ranks.index(card[0]) for card in text.split(","))

    def group(name):
        return sorted(number for kind, number in found if kind == name)

    assert group("hand") == cards("Ac,Tc,Kh,Qh,Js,Ad")
    assert group("gone") == cards("9c,Jc")
    assert group("led") == cards("Td")
    assert group("theirs") == cards("Kd,Qd")
    assert group("shown") == cards("Ad")
    assert group("up") == [0]
    assert group("talon") == [5]
    assert group("points") == [0, kernel.POINT_STEPS]  # 0 to 2 points each
    assert group("tricks") == [1]
    assert group("declared") == [0]
    assert group("top") == group("pending") == []


def test_a_face_up_stock_is_seen():
    position = Position.parse("rules=pl hand=AKQh,9s,Jc,Kd up=Ad stock=Tc")
    assert [number for kind, number in names(position) if kind == "top"] == [18 + 4]


def test_an_exchange_changes_hand_and_upcard():
    position = Position.parse("rules=es hand=AKQh,9d,Jc,Kd up=Ad")
    before, after = names(position), names(position, exchanged=True)
    assert set(before) - set(after) == {("hand", 0), ("up", 5)}
    assert set(after) - set(before) == {("hand", 5), ("shown", 5), ("up", 0)}


def outputs(position, state):
    weights = network_for(position.rules.preset).weights
    units = np.zeros(kernel.UNITS, np.float32)
    seen = np.array([0, 0, position.rules.stock_top_face_up], np.int64)
    rules = np.array(position.rules.packed(), np.int64)
    kernel.outputs_of(state, rules, 0, seen, position.led_value, weights, units, np.zeros(64, np.int64))
    return units[kernel.U_OUT : kernel.U_POLICY]


@pytest.mark.parametrize("preset", PRESETS)
def test_chances_add_up_and_hidden_cards_do_not_matter(preset):
    position = Table.deal(Rules.preset_named(preset), 5).position()
    states = Worlds.of(position).sample(np.arange(20, dtype=np.int64), 3)
    first, *others = (outputs(position, state) for state in states)
    assert first[: kernel.OUTCOMES].sum() == pytest.approx(1, abs=1e-5)
    for other in others:
        assert np.array_equal(first, other)


def test_kernel_and_numpy_compute_the_same():
    position = Position.parse(SHOWN)
    layers = unflat(network_for("ro").weights)
    assert np.array_equal(flat(layers), network_for("ro").weights)
    inputs = np.zeros(kernel.FEATURES, np.float32)
    inputs[[feature for feature in features_of(position) if feature >= 0]] = 1
    for weights, bias in zip(layers[:4:2], layers[1:4:2], strict=True):
        inputs = np.maximum(inputs @ weights + bias, 0)
    wanted = inputs @ layers[4] + layers[5]
    units = np.zeros(kernel.UNITS, np.float32)
    seen = np.array([1 << 11, sum(1 << card for card in position.opp), 0], np.int64)
    rules = np.array(position.rules.packed(), np.int64)
    state = Worlds.of(position).states(np.zeros(1, np.int64))[0]
    kernel.outputs_of(state, rules, 0, seen, 0, network_for("ro").weights, units, np.zeros(64, np.int64))
    policy = units[kernel.U_OUT + kernel.OUTCOMES : kernel.U_POLICY]
    assert policy == pytest.approx(wanted[kernel.OUTCOMES :], abs=1e-4)


def test_every_preset_has_a_network_and_others_have_none():
    for preset in PRESETS:
        assert len(network_for(preset).weights) == kernel.WEIGHTS
        assert network_for(preset).about["deals"]
    with pytest.raises(NetworkError, match="nothing"):
        network_for("nothing")


def test_values_by_slot_take_the_best_turn_of_each_beginning():
    class Judged:
        def __init__(self, turn, value):
            self.turn, self.value = turn, value

    from sixtysix import Turn

    position = Position.parse("rules=es hand=AKQh,9d,Jc,Kd up=Ad")
    turns = [
        Judged(Turn.parse(text), value)
        for text, value in [("Ah", 1.0), ("exchange, Ah", 0.5), ("exchange, close, Kd", 0.7), ("close, Ah", -1.0)]
    ]
    ace = 5 + 6  # of hearts, counted from diamonds
    before = slot_values(position, turns, exchanged=False)
    assert {slot: value for slot, value in enumerate(before) if not np.isnan(value)} == pytest.approx(
        {ace: 1.0, 24: 0.7, 25: -1.0}
    )
    after = slot_values(position, turns, exchanged=True)
    assert {slot: value for slot, value in enumerate(after) if not np.isnan(value)} == pytest.approx(
        {ace: 0.5, 25: 0.7}
    )


def test_a_file_that_is_no_log_is_refused(tmp_path: Path):
    path = tmp_path / "log.npz"
    path.write_text("nothing")
    with pytest.raises(DecisionLogError, match="no deals of self-play"):
        DecisionLog.load(path)
    with pytest.raises(DecisionLogError, match="No such file"):
        DecisionLog.load(tmp_path / "none.npz")
