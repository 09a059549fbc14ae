"""Kernel functions that have no entry of their own, made callable for tests."""

import numba
from sixtysix.kernel import alphabeta, jit, race, state

if jit.JIT:
    from sixtysix.kernel.native import materialize

    materialize()


def callable_from_python(function):
    """Compile a test's function that calls kernel functions."""
    return numba.njit(error_model="numpy")(function) if jit.JIT else function


actions_of = state.actions_of
apply = state.apply
mover = state.mover
apply_turn = alphabeta.apply_turn
turns_of = alphabeta.turns_of
popcount, lowest, mix = jit.popcount, jit.lowest, jit.mix
proof, store_race, table_corner = race.proof, race.store_race, race.table_corner


@callable_from_python
def list_actions(values, rules, out):
    """Legal actions of the player to move into `out`; returns how many."""
    return actions_of(values, rules, out)


@callable_from_python
def do_action(values, rules, action):
    """Carry out a legal action in place."""
    apply(values, rules, action)
