"""Random rules and random positions from random play, as kernel arrays."""

import random

import numpy as np
from sixtysix.bench import random_deal
from sixtysix.kernel.alphabeta import play_turn
from sixtysix.kernel.layout import S_CLOSER, S_OVER, S_TALON, TURN_CLOSE
from sixtysix.rules import SWITCHES, Rules
from sixtysix.turns import legal_turns

CLOSINGS = 0.25  # the share of closings among the turns tried, where one is allowed


def random_rules(rng: random.Random) -> Rules:
    """A rule set with every switch drawn at random."""
    rules = Rules.preset_named("ro")
    for name, switch in SWITCHES.items():
        value = rng.choice(["1", "2", "3", "4", "10"] if switch.range else sorted(switch.values))
        rules = rules.override(name, value)
    return rules


def random_position(rules: Rules, rng: np.random.Generator, most_talon: int) -> np.ndarray:
    """A state reached by random play, not decided, with at most `most_talon` cards to draw (any talon if closed)."""
    packed = np.array(rules.packed(), np.int64)
    while True:
        state = random_deal(rules, rng)
        close_at_all = rng.random() < CLOSINGS
        plies = int(rng.integers(0, 2 * 11))
        played = 0
        while not state[S_OVER]:
            undrawn = state[S_TALON] if state[S_CLOSER] < 0 else 0
            if undrawn <= most_talon and played >= plies:
                return state
            turns = legal_turns(packed, state)
            kept = turns if close_at_all else turns[turns & TURN_CLOSE == 0]
            play_turn(packed, state, int(rng.choice(kept)))
            played += 1
