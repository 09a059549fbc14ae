"""What analyze() promises: worlds, errors, determinism, ranking, explanations."""

import itertools
from math import comb, factorial

import numpy as np
import pytest
from sixtysix import Deal, EffortError, Position, analyze, solve
from sixtysix.cards import cards_of, mask_of
from sixtysix.kernel.layout import S_HAND0, S_HAND1, S_STOCK, S_TALON, S_UP
from sixtysix.worlds import Worlds

FIRST_LEAD = "rules=santase hand=AKQh,9s,TJc up=Ad"
TALON_4 = "rules=schnapsen up=Ah hand=Jc,Qd,Th,Ks,Qs gone=Qc,Ad,Td,Kd,Jd,Kh points=34-0 tricks=3-0"
TALON_2 = "rules=schnapsen up=Js hand=Ac,Kc,Jc,Th,Ts led=Qd gone=Ad,Td,Kd,Kh,Qh,Jh,As,Qs points=28-40"
CLOSED = "rules=es up=Qh hand=Jd,9h,Ts gone=Tc,Qc,9c,9d,Ah,Kh,Jh,As,Qs,9s points=31-13 tricks=3-2 closed=opp@0/0"
GONE = "rules=schnapsen trump=d hand=Qc,Jc,Ah,Qh,Ks gone=Ac,Tc,Td,Kd,Qd,Jd,Kh,As,Ts,Qs opp=Kc,Ad,Th,Jh,Js points=34-34"


def numbers(analysis):
    return [(turn.turn.text, turn.value, turn.se, turn.outcomes, turn.loss_se) for turn in analysis.turns]


@pytest.mark.parametrize("line", [FIRST_LEAD, TALON_4, TALON_2, CLOSED])
def test_worlds_are_counted(line):
    position = Position.parse(line)
    worlds = Worlds.of(position)
    unknown = position.opp_cards - len(position.opp)
    hands = comb(len(position.unseen), unknown)
    orders = factorial(position.stock.count(None)) if position.drawing else 1
    assert worlds.count == hands * orders
    assert Worlds.of(position, hands_only=True).count == hands


@pytest.mark.parametrize("line", [TALON_4, TALON_2, CLOSED])
def test_enumerated_worlds_are_all_different_and_consistent(line):
    position = Position.parse(line)
    worlds = Worlds.of(position)
    states = worlds.states(np.arange(worlds.count, dtype=np.int64))
    assert len({state.tobytes() for state in states}) == worlds.count
    for state in states:
        check_world(position, state)


@pytest.mark.parametrize("line", [FIRST_LEAD, TALON_4, TALON_2, CLOSED])
def test_sampled_worlds_are_consistent_and_keep_to_their_number(line):
    position = Position.parse(line)
    worlds = Worlds.of(position)
    states = worlds.sample(np.arange(500, dtype=np.int64), seed=3)
    for state in states:
        check_world(position, state)
    assert (worlds.sample(np.array([7, 400]), seed=3) == states[[7, 400]]).all()


def check_world(position, state):
    assert int(state[S_HAND0]) == mask_of(position.hand)
    opponent = cards_of(int(state[S_HAND1]))
    assert len(opponent) == position.opp_cards
    assert not set(opponent) & set(position.excluded)
    assert set(position.opp) <= set(opponent)
    known = {*position.hand, *position.gone, *opponent, *([position.led] if position.led is not None else [])}
    if position.drawing:
        stock = {int(card) for card in state[S_STOCK : S_STOCK + state[S_TALON] - 1]}
        assert known | stock | {int(state[S_UP])} == set(cards_of(position_deck(position)))
        assert not known & stock


def position_deck(position):
    return sum(1 << card for card in range(24) if position.rules.deck == 24 or card % 6)


def test_sampling_is_uniform():
    position = Position.parse(TALON_2)
    worlds = Worlds.of(position)
    n = 10_000
    states = worlds.sample(np.arange(n, dtype=np.int64), seed=5)
    counts = np.unique(states[:, S_HAND1] * 64 + states[:, S_STOCK], return_counts=True)[1]
    assert len(counts) == worlds.count
    expected = n / worlds.count
    # Chi-square with count - 1 degrees of freedom; five standard deviations above its mean.
    chi = float(((counts - expected) ** 2 / expected).sum())
    freedom = worlds.count - 1
    assert chi < freedom + 5 * (2 * freedom) ** 0.5


def test_excluded_cards_stay_out_of_the_opponents_hand():
    position = Position.parse(CLOSED + " not=Ac,Kc")
    worlds = Worlds.of(position)
    assert worlds.count == comb(len(position.unseen) - 2, position.opp_cards)
    for state in worlds.states(np.arange(worlds.count, dtype=np.int64)):
        check_world(position, state)


@pytest.mark.parametrize("line", [TALON_4, FIRST_LEAD])
def test_same_seed_and_worlds_same_answer_for_any_jobs(line):
    position = Position.parse(line)
    one, two, three = (analyze(position, worlds=12, seed=9, jobs=jobs) for jobs in (1, 2, 3))
    assert numbers(one) == numbers(two) == numbers(three)
    assert numbers(one) != numbers(analyze(position, worlds=12, seed=10))


def test_hidden_cards_do_not_reach_the_answer():
    full = Deal.parse(
        "rules=ro up=Kh hand=Ac,Tc,Ad,Jh,Ts,Ks opp=Kc,Qc,Qd,9d,Qs,Js stock=Th,As,Kd,9c,Jd,Td,Jc,9h,Qh,9s,Ah"
    )
    hidden = [*full.position.opp, *(card for card in full.position.stock if card is not None)]
    answers = set()
    for shift in (0, 5):
        cards = hidden[shift:] + hidden[:shift]
        deal = Deal(full.position.replace(opp=tuple(cards[:6]), stock=tuple(cards[6:])))
        seen = Position.parse(f"rules=ro up=Kh hand={','.join(deal.text.split('hand=')[1].split()[0].split(','))}")
        answers.add(str(numbers(analyze(seen, worlds=20, seed=4))))
    assert len(answers) == 1


def test_exact_where_nothing_is_hidden():
    analysis = analyze(Position.parse(GONE))
    assert (analysis.method, analysis.worlds) == ("exact", 1)
    values = {turn.text: value for turn, value in solve(Deal.parse(GONE)).turns}
    assert {turn.turn.text: turn.value for turn in analysis.turns} == values
    assert all(turn.se == 0 and turn.loss_se == 0 for turn in analysis.turns)


def test_an_average_is_the_average_of_solved_worlds():
    position = Position.parse(TALON_2)
    analysis = analyze(position, time=0.5)
    assert (analysis.method, analysis.worlds) == ("enumerated", 5)
    totals = dict.fromkeys((turn.turn.text for turn in analysis.turns), 0)
    unseen = position.unseen
    for held in itertools.combinations(unseen, position.opp_cards - len(position.opp)):
        stock = tuple(card for card in unseen if card not in held)
        deal = Deal(position.replace(opp=(*position.opp, *held), stock=stock))
        for turn, value in solve(deal).turns:
            totals[turn.text] += value
    for turn in analysis.turns:
        assert turn.value == pytest.approx(totals[turn.turn.text] / 5)


def test_closings_stand_beside_open_turns():
    analysis = analyze(Position.parse("rules=ro hand=AKQh,9s,TJc up=Ad"), worlds=8)
    closing = [turn for turn in analysis.turns if turn.turn.close]
    others = [turn for turn in analysis.turns if not turn.turn.close]
    assert {turn.method for turn in closing} == {"enumerated"}
    assert {turn.worlds for turn in closing} == {comb(17, 6)}
    assert {(turn.method, turn.worlds) for turn in others} == {("sampled", 8)}
    assert all(turn.se == 0 for turn in closing)
    assert all(turn.se > 0 for turn in others)


def test_a_sample_never_claims_certainty():
    analysis = analyze(Position.parse(FIRST_LEAD), worlds=1)
    assert all(turn.se > 0 for turn in analysis.turns)


def test_standard_errors_cover_the_truth():
    position = Position.parse(TALON_4)
    truth = {turn.turn.text: turn.value for turn in analyze(position, exact=True).turns}
    misses = total = 0
    for seed in range(60):
        for turn in analyze(position, worlds=40, seed=seed, method="sampled").turns:
            total += 1
            misses += abs(turn.value - truth[turn.turn.text]) > 2 * turn.se
    assert misses / total < 0.1  # 5% expected for a normal law; turns of one sample go together


def test_precision_ends_the_search():
    analysis = analyze(Position.parse("rules=schnapsen hand=AKQh,TJc up=Ad"), precision=0.2)
    assert analysis.method == "sampled"
    assert analysis.best.se <= 0.2


def test_ranking_and_losses():
    analysis = analyze(Position.parse(CLOSED))
    values = [turn.value for turn in analysis.turns]
    assert values == sorted(values, reverse=True)
    assert all(turn.loss == pytest.approx(values[0] - turn.value) for turn in analysis.turns)
    for turn in analysis.turns:
        assert sum(turn.outcomes) == pytest.approx(1)
        assert turn.win == pytest.approx(sum(turn.outcomes[4:]))
        assert turn.value == pytest.approx(sum(k * p for k, p in zip(range(-3, 4), turn.outcomes, strict=True)))


def test_dominated_leads_are_left_out_unless_asked_for():
    line = "rules=schnapsen up=Jd hand=Ac,Qd,Qh,Ks,Qs gone=Tc,Kc,Qc,Ad,Td,Kd,Jh,Ts points=34-20 tricks=3-1"
    texts = {turn.turn.text for turn in analyze(Position.parse(line), time=0.5).turns}
    assert {"Ks+20", "Qs+20"} <= texts
    assert not {"Ks", "Qs"} & texts
    assert {"Ks", "Qs"} <= {turn.turn.text for turn in analyze(Position.parse(line), time=0.5, all_leads=True).turns}


@pytest.mark.parametrize(
    ("effort", "name"),
    [
        ({"worlds": 0}, "worlds"),
        ({"time": 0.0}, "time"),
        ({"time": float("nan")}, "time"),
        ({"precision": -1.0}, "precision"),
        ({"jobs": 0}, "jobs"),
        ({"seed": -1}, "seed"),
        ({"method": "guess"}, "method"),
        ({"exact": True}, "exact"),
    ],
)
def test_bad_effort_is_refused_by_name(effort, name):
    with pytest.raises(EffortError, match=f"^{name}: "):
        analyze(Position.parse(FIRST_LEAD), **effort)


def test_progress_is_reported():
    seen = []
    analyze(Position.parse(FIRST_LEAD), worlds=6, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (GONE, "so do Qc and Ks"),
        (
            "rules=santase up=Qh hand=Jc,Kc,9d,Qd,Ah,Js gone=9c,Qc,Th,Ts points=23-0 tricks=2-0 closed=me@0/0",
            "Every turn loses against every possible hand, with open cards; all lose 3.00 game points",
        ),
        (
            "rules=schnapsen up=Ks hand=Jc,Ad,Qh,Qs,As gone=Qc,Jh points=5-0 tricks=1-0 closed=me@0/0",
            "Ad and As are equally good.",
        ),
        (
            "rules=schnapsen up=Jd hand=Kd,Ah,Qh,As,Ts led=Qs+20 gone=Ac,Tc,Kc,Qc,Jc,Ad,Jh,Js opp=Ks points=28-37",
            "wins",
        ),
        (
            "rules=schnapsen up=Jh hand=Qc,Ah,Qh,As,Ts gone=Ac,Tc,Kc,Jc,Ad,Jd,Ks,Qs points=21-26",
            "closing succeeds against all 6 possible hands",
        ),
        (
            "rules=ro trump=h hand=Jd led=Qd gone="
            + "Ac,Tc,Kc,Qc,Jc,9c,Ad,Td,Kd,9d,Ah,Th,Kh,Qh,Jh,9h,As,Ts,Ks,Qs,Js,9s"
            + " points=61-54 tricks=6-5",
            "forced",
        ),
    ],
)
def test_explanations(line, words):
    assert words in analyze(Position.parse(line)).explanation


def test_not_every_turn_loses_where_one_may_draw():
    line = "rules=pl up=Js hand=Jc,Qc,Tc,Td,Kh,As led=Qh gone=Ac,9d,Kd,Jh,Th,Ah,9s,Ks stock=Qd points=4-38 tricks=1-3"
    analysis = analyze(Position.parse(line))
    assert any(sum(turn.outcomes[3:]) > 0 for turn in analysis.turns)
    assert "Every turn loses" not in analysis.explanation


def test_default_methods_by_stage():
    def method(line, **effort):
        return analyze(Position.parse(line), **effort).method

    assert method(FIRST_LEAD, time=0.2) == "guided"
    assert method(FIRST_LEAD, worlds=2) == "sampled"
    assert method(TALON_4, time=0.2) == "guided"
    assert method(CLOSED) == "enumerated"
    assert method(GONE) == "exact"
