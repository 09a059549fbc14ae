"""Search over hidden cards: what it may know, that it repeats itself, and that it finds what is plain to see."""

import pytest
from sixtysix import EffortError, Position, analyze

FIRST_LEAD = "rules=santase hand=AKQh,9s,TJc up=Ad"
TALON_2 = "rules=schnapsen up=Js hand=Ac,Kc,Jc,Th,Ts led=Qd gone=Ad,Td,Kd,Kh,Qh,Jh,As,Qs points=28-40"
CLOSED = "rules=es up=Qh hand=Jd,9h,Ts gone=Tc,Qc,9c,9d,Ah,Kh,Jh,As,Qs,9s points=31-13 tricks=3-2 closed=opp@0/0"


def searched(line, **effort):
    return analyze(Position.parse(line), method="ismcts", **effort)


def numbers(analysis):
    return [(turn.turn.text, turn.value, turn.se, turn.worlds, turn.outcomes) for turn in analysis.turns]


def test_same_seed_and_iterations_same_answer_for_any_jobs():
    one, two, three = (searched(FIRST_LEAD, worlds=2000, seed=5, jobs=jobs) for jobs in (1, 2, 3))
    assert numbers(one) == numbers(two) == numbers(three)
    assert numbers(one) != numbers(searched(FIRST_LEAD, worlds=2000, seed=6))


def test_every_turn_is_judged_and_no_certainty_is_claimed():
    analysis = searched(FIRST_LEAD, worlds=2000)
    assert analysis.method == "ismcts"
    assert analysis.worlds == 2000
    assert sum(turn.worlds for turn in analysis.turns) == 2000
    for turn in analysis.turns:
        assert turn.worlds >= 2000 / 8 / len(analysis.turns) - 1
        assert turn.se > 0
        assert sum(turn.outcomes) == pytest.approx(1)


@pytest.mark.parametrize("worlds", [1, 20, 400])
def test_even_a_short_search_tries_every_turn(worlds):
    exchangeable = "rules=schnapsen hand=AKQh,TJd up=Ad"
    for line in (FIRST_LEAD, exchangeable):
        turns = [turn for turn in searched(line, worlds=worlds).turns if not turn.turn.close]
        assert all(turn.worlds > 0 and sum(turn.outcomes) == pytest.approx(1) for turn in turns)
    assert any(turn.turn.exchange for turn in turns)


def test_undeclared_leads_are_judged_with_open_cards():
    line = "rules=schnapsen hand=AKQh,TJd up=Ac"
    analysis = analyze(Position.parse(line), all_leads=True, time=0.2)
    assert analysis.method == "sampled"
    assert {"Kh+20", "Kh"} <= {turn.turn.text for turn in analysis.turns}
    with pytest.raises(EffortError, match=r"^all: "):
        searched(line, all_leads=True)


def test_the_one_winning_reply_is_found():
    analysis = searched(TALON_2, worlds=2000)
    assert analysis.best.turn.text == "Th"
    assert analysis.best.win > 0.95


def test_closings_are_still_judged_over_all_hands():
    analysis = searched(
        "rules=schnapsen up=Jh hand=Tc,Qc,Jd,Ah,As gone=Ad,Kd,Qd,Th,Qh,Ts,Qs,Js points=25-21", worlds=400
    )
    closings = [turn for turn in analysis.turns if turn.turn.close]
    assert {(turn.method, turn.worlds) for turn in closings} == {("enumerated", 6)}
    assert analysis.best.turn.text == "close, As"
    assert {turn.method for turn in analysis.turns if not turn.turn.close} == {"ismcts"}


def test_where_the_draw_hides_nothing_the_exact_methods_answer():
    assert searched(CLOSED).method == "enumerated"


def test_precision_is_refused():
    with pytest.raises(EffortError, match=r"^precision: "):
        searched(FIRST_LEAD, precision=0.1)


@pytest.mark.parametrize("preset", ["es", "pl", "ro", "santase", "sixty-six"])
def test_all_rule_sets_play(preset):
    top = " stock=Tc" if preset == "pl" else ""
    analysis = searched(f"rules={preset} hand=AKQh,9s,Jc,Kd up=Ad{top}", worlds=400)
    assert {turn.method for turn in analysis.turns if not turn.turn.close} == {"ismcts"}


def test_a_tree_that_is_full_still_answers(monkeypatch):
    """Decisions that find no room in the tree are worth what the network expects, and nothing else."""
    monkeypatch.setattr("sixtysix.hidden.MAX_TREE_BITS", 4)
    position = Position.parse(FIRST_LEAD)
    full = analyze(position, method="guided", worlds=4000, seed=3)
    monkeypatch.undo()
    roomy = analyze(position, method="guided", worlds=4000, seed=3)
    values = {turn.turn.text: turn.value for turn in roomy.turns}
    for turn in full.turns:
        assert min(turn.outcomes) >= 0
        assert sum(turn.outcomes) == pytest.approx(1)
        assert turn.value == pytest.approx(values[turn.turn.text], abs=1.0)
