"""The kernel as plain Python (`NUMBA_DISABLE_JIT=1`): same answers, so that it can be debugged. Also runs compiled."""

import numpy as np
from compiled import callable_from_python, lowest, mix, popcount
from sixtysix import Deal, Position, analyze, perft, solve
from sixtysix.equilibrium import Equilibrium
from sixtysix.lasttrick import LastTrick, Public
from sixtysix.workers import memories_for


@callable_from_python
def bits(x):
    return popcount(x), lowest(x)


@callable_from_python
def hashed(x):
    return mix(x)


def test_bit_instructions():
    for x in (1, 6, 0x104104, 1 << 40, (1 << 62) | 8):
        assert bits(np.int64(x)) == (x.bit_count(), (x & -x).bit_length() - 1)


def test_hash_is_the_same_compiled_and_not():
    assert [int(hashed(np.int64(x))) for x in (0, 1, 66)] == [0, -5451962507482445012, -7767199738594802525]


def test_solve_and_perft():
    deal = Deal.parse(
        "rules=schnapsen trump=d hand=Qc,Jc,Ah,Qh,Ks gone=Ac,Tc,Td,Kd,Qd,Jd,Kh,As,Ts,Qs opp=Kc,Ad,Th,Jh,Js points=34-34"
    )
    assert {turn.text: value for turn, value in solve(deal).turns} == {"Jc": 1, "Qc": 1, "Ks": 1, "Qh": -1, "Ah": -1}
    assert perft(deal, 2)[0] == 5


def test_analyze_with_a_card_to_draw():
    line = "rules=schnapsen up=Js hand=Ac,Kc,Jc,Th,Ts led=Qd gone=Ad,Td,Kd,Kh,Qh,Jh,As,Qs points=28-40"
    analysis = analyze(Position.parse(line), jobs=1, time=0.9)
    assert (analysis.best.turn.text, analysis.worlds) == ("Th", 5)


def test_a_small_equilibrium():
    line = "rules=schnapsen up=Jh hand=Tc,Qc,Jd,Ah,As gone=AKQd,TQh,TQJs points=25-21 opp=Ac,Kc,Jc shown=Tc,Qc,Jd,Ah"
    position = Position.parse(line)
    solved = Equilibrium(LastTrick(memories_for(position.rules), Public.of(position)), iterations=60)
    assert solved.gap < 0.002
