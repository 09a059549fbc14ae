"""The last open trick: payoffs against the exact solver, the equilibrium against brute force, and how it is reached."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from sixtysix import EffortError, Position, analyze
from sixtysix.cards import mask_of
from sixtysix.equilibrium import GAP, Equilibrium, judge
from sixtysix.exploit import reach
from sixtysix.hidden import GAME_POINTS
from sixtysix.kernel import equilibrium as kernel
from sixtysix.kernel.alphabeta import play_turn
from sixtysix.kernel.layout import S_OUTCOME, S_STOCK, TURN_CARD, TURN_CLOSE, TURN_EXCHANGE
from sixtysix.lasttrick import LastTrick, Public
from sixtysix.rules import Rules
from sixtysix.table import Table
from sixtysix.turns import legal_turns, turn_of
from sixtysix.workers import load_kernel, memories_for, solve_states

FULL = "rules=schnapsen up=Jh hand=Tc,Qc,Jd,As,Ah gone=AKQd,TQh,TQJs points=25-21"
FULL_24 = "rules=santase up=9c hand=Tc,Qc,Ah,Th,As,Js gone=Jc,KQ9d,KQJ9h,T9s points=21-7 tricks=4-1"
FOLLOW = "rules=schnapsen up=Js hand=Ac,Kc,Jc,Th,Ts led=Qd gone=Ad,Td,Kd,Kh,Qh,Jh,As,Qs points=28-40"
# Each side has seen most of the other's cards, so that few deals are left.
TINY = (
    "rules=schnapsen up=Jh hand=Tc,Qc,Jd,Ah,As gone=AKQd,TQh,TQJs points=25-21 opp=Ac,Kc,Jc shown=Tc,Qc,Jd",
    "rules=schnapsen up=Jh hand=Kc,Qc,Jd,Ah,As gone=AKQd,TQh,TQJs points=25-21 opp=Ac,Td shown=Jd,As",
    "rules=schnapsen+close_min_talon:3 up=Qh hand=Kc,Qc,Jd,Jh,As gone=AKQd,ATh,TQJs points=33-21 opp=Ac,Tc,Td shown=As",
    "rules=ro up=9c hand=Tc,Qc,Ah,Th,As,Js gone=Jc,KQ9d,KQJ9h,T9s points=21-7 tricks=4-1 "
    "opp=Ac,Ad,Td,Jd shown=Tc,Ah,As",
)


def game_of(position: Position) -> LastTrick:
    load_kernel()
    return LastTrick(memories_for(position.rules), Public.of(position))


def states_of(name: str, count: int) -> Iterator[Table]:
    load_kernel()
    rules = Rules.preset_named(name)
    return (reach(rules, 66, number) for number in range(count))


def deals_of(game: LastTrick) -> Iterator[tuple[int, np.ndarray]]:
    """Every deal of a game: the leader's hand and the kernel state."""
    for hand, deals in zip(game.hands.tolist(), game.deals, strict=True):
        if deals:
            for state in game.states(hand):
                yield hand, state


def replies_in(game: LastTrick, state: np.ndarray, turn: int) -> dict[int, int]:
    """The outcome for the leader by the exact solver, for every reply to a lead in a known deal."""
    after = state.copy()
    assert not play_turn(game.memories.rules, after, turn)
    replies = legal_turns(game.memories.rules, after)
    values, _ = solve_states(game.memories, after[None, :], replies, len(replies))
    return dict(zip(replies.tolist(), values[0].tolist(), strict=True))


def packed_outcomes(game: LastTrick, lead: object, state: np.ndarray) -> dict[int, int]:
    """The same from the rows of a lead."""
    hand, own = game.mask(int(state[1])), int(game.rank[game.mask(int(state[0]))])
    (place,) = np.flatnonzero(lead.sets == hand)
    rows = range(int(place) * lead.each, (int(place) + 1) * lead.each)
    (row,) = [row for row in rows if lead.hands[row] == own]
    return {card: (int(lead.packed[row]) >> 4 * k & 15) - 3 for k, card in enumerate(game.follower_cards(hand))}


@pytest.mark.parametrize("preset", ["es", "ro", "santase", "sixty-six", "schnapsen"])
def test_payoffs_are_those_of_the_exact_solver(preset):
    rng = random.Random(7)
    for table in states_of(preset, 3):
        game = game_of(table.position())
        leads = {turn: game.lead(turn) for turn in game.open_turns}
        for _ in range(25):
            number = rng.choice(np.flatnonzero(game.deals).tolist())
            state = rng.choice(list(game.states(int(game.hands[number]))))
            turns = [t for t in legal_turns(game.memories.rules, state).tolist() if t in leads]
            turn = rng.choice(turns)
            assert packed_outcomes(game, leads[turn], state) == replies_in(game, state, turn), (
                table.position().text,
                turn,
                state.tolist(),
            )


@pytest.mark.parametrize(
    ("line", "hands", "deals"), [(FULL, 462, 2772), (FULL_24, 1716, 12012), (TINY[0], 10, 30), (FOLLOW, 462, 2772)]
)
def test_all_deals_are_counted(line, hands, deals):
    game = game_of(Position.parse(line))
    assert len(game.hands) == hands
    assert game.deals.sum() == deals


# --- against brute force ------------------------------------------------------------------------


def brute_force(game: LastTrick, solved: Equilibrium) -> tuple[float, float]:
    """What the leader gets at most against the follower's strategy, and at least with his own; game points a deal.

    Deal by deal over the exact solver, with nothing of what the game has laid out but the turns.
    """
    deals = list(deals_of(game))
    worth: dict[tuple[int, int], float] = {}
    answers: dict[tuple[int, int], dict[int, float]] = {}
    closings: dict[int, list[np.ndarray]] = {}
    fixed = 0.0
    policies = {hand: mixture(solved, hand) for hand, _ in deals}
    for hand, state in deals:
        turns = legal_turns(game.memories.rules, state)
        closing = turns[turns & TURN_CLOSE != 0]
        if len(closing):
            closings.setdefault(hand, []).append(solve_states(game.memories, state[None, :], closing, len(closing))[0])
        for turn in turns[turns & TURN_CLOSE == 0].tolist():
            after = state.copy()
            if play_turn(game.memories.rules, after, turn):
                worth[hand, turn] = worth.get((hand, turn), 0.0) + int(after[S_OUTCOME])
                fixed += policies[hand][turn] * int(after[S_OUTCOME])
                continue
            other = game.mask(int(state[1]))
            strategy = solved.answer(other, turn)
            for reply, outcome in replies_in(game, state, turn).items():
                chance = strategy[game.follower_cards(other).index(reply)]
                worth[hand, turn] = worth.get((hand, turn), 0.0) + chance * outcome
                options = answers.setdefault((other, turn), {})
                options[reply] = options.get(reply, 0.0) + policies[hand][turn] * outcome
    for hand, values in closings.items():
        worth[hand, TURN_CLOSE] = float(np.concatenate(values).sum(axis=0).max())
        fixed += policies[hand][TURN_CLOSE] * worth[hand, TURN_CLOSE]
    most = sum(max(value for (own, _), value in worth.items() if own == hand) for hand in policies)
    least = fixed + sum(min(options.values()) for options in answers.values())
    return most / len(deals), least / len(deals)


def mixture(solved: Equilibrium, hand: int) -> dict[int, float]:
    """The leader's strategy with a hand, slips included."""
    column = solved.leads[:, int(solved.game.rank[hand])].tolist()
    return dict(zip([*solved.turns, TURN_CLOSE], column, strict=True))


@pytest.mark.parametrize("line", TINY)
def test_strategies_are_an_equilibrium_by_brute_force(line):
    game = game_of(Position.parse(line))
    solved = Equilibrium(game, gap=0.0, iterations=1000)
    most, least = brute_force(game, solved)
    assert most - least == pytest.approx(solved.gap, abs=1e-9)
    assert least - 1e-9 <= solved.value <= most + 1e-9
    assert solved.gap < 0.0003


@pytest.mark.slow
@pytest.mark.parametrize("line", [FULL, FULL_24])
def test_full_games_by_brute_force(line):
    game = game_of(Position.parse(line))
    solved = Equilibrium(game)
    most, least = brute_force(game, solved)
    assert most - least == pytest.approx(solved.gap, abs=1e-9)
    assert solved.gap <= GAP


def test_more_iterations_bring_the_gap_down():
    game = game_of(Position.parse(FULL))
    gaps = [Equilibrium(game, gap=0.0, iterations=n).gap for n in (50, 100, 400)]
    assert gaps[0] > gaps[1] > gaps[2]
    assert 0 < gaps[2] < GAP


@pytest.mark.parametrize("preset", ["es", "ro", "santase", "sixty-six", "schnapsen"])
def test_every_preset_with_hidden_cards_is_solved(preset):
    for table in states_of(preset, 2):
        solved = Equilibrium(game_of(table.position()))
        assert 0 <= solved.gap <= GAP
        assert 100 <= solved.iterations <= 400
        assert np.allclose(solved.leads.sum(axis=0)[solved.game.deals > 0], 1)
        assert np.allclose(solved.answers.sum(axis=1), 1)


def test_a_bluffing_game_by_hand():
    """A good and a bad hand, equally likely: a lead that is called or not, or a sure result without a reply.

    The good hand wins 2 if called, else 1, as it does without the lead; the bad one loses 2 if called, else wins 1, and
    loses 1 without the lead. By indifference the bad hand bluffs 1 in 3, the caller calls 2 in 3, and the value is 1/3.
    """
    load_kernel()
    call, fold = 0, 4
    packed = np.array([(+2 + 3) << call | (+1 + 3) << fold, (-2 + 3) << call | (+1 + 3) << fold])
    columns, hands = np.array([[0, 1, 0, 2]]), np.array([0, 1])
    utility, fixed = np.array([*GAME_POINTS, 0.0]), np.array([0.0, 0.0, 1.0, -1.0])
    leads, lead_sum, lead_regrets, worth = np.full(4, 0.5), np.zeros(4), np.zeros(4), np.zeros(4)
    reply_regrets, reply_sum, scratch = np.zeros(2), np.zeros(2), np.zeros(8)
    strategies = (lead_regrets, leads, lead_sum, reply_regrets, reply_sum)
    kernel.iterate(columns, packed, hands, utility, fixed, *strategies, worth, scratch, 2, 0, 5000)
    mean_leads = (lead_sum.reshape(2, 2) / lead_sum.reshape(2, 2).sum(axis=0)).ravel()
    answers = reply_sum / reply_sum.sum()
    assert mean_leads == pytest.approx([1, 1 / 3, 0, 2 / 3], abs=0.002)
    assert answers == pytest.approx([2 / 3, 1 / 3], abs=0.002)
    worth, result = np.zeros(2), np.zeros(3)
    kernel.respond(columns, packed, hands, utility, mean_leads[:2].copy(), answers, worth, result)
    assert worth == pytest.approx([5 / 3, -1], abs=0.01)
    assert (result[0] + mean_leads[2:] @ fixed[2:]) / 2 == pytest.approx(1 / 3, abs=0.002)


# --- what does not matter -----------------------------------------------------------------------


def test_threads_do_not_matter():
    game = game_of(Position.parse(FULL))
    one, two = (Equilibrium(game, jobs=jobs) for jobs in (1, 2))
    for name in ("leads", "answers", "worth", "packed"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
    assert one.gap == two.gap


def test_side_suits_are_alike():
    def turned(line: str) -> str:
        names, *words = line.split()
        return " ".join(
            [names, *(word.partition("=")[0] + "=" + turned_cards(word.partition("=")[2]) for word in words)]
        )

    def turned_cards(text: str) -> str:
        return text.translate(str.maketrans("cds", "dsc"))

    one, two = (analyze(Position.parse(line), method="equilibrium") for line in (FULL, turned(FULL)))
    assert one.gap == pytest.approx(two.gap, abs=1e-4)
    values = {
        turned_cards(turn.turn.text.removeprefix("close, ")): turn.value for turn in one.turns if not turn.turn.close
    }
    for turn in two.turns:
        if turn.turn.close:
            continue
        assert turn.value == pytest.approx(values[turn.turn.text], abs=0.002)


def test_hidden_cards_never_reach_a_seat():
    """The cards that a seat cannot see are dealt anew: it is told the same, so it is advised the same."""
    for table in states_of("ro", 3):
        start = table.position()
        game = game_of(start)
        hand = game.mask(mask_of(start.hand))
        lines = set()
        for state in game.states(hand):
            other = table.redealt(int(state[0]), int(state[1]), int(state[S_STOCK]))
            lines.add(other.position().text)
        assert lines == {start.text}


@pytest.mark.parametrize("preset", ["es", "ro", "schnapsen"])
def test_a_follower_knows_the_same_game(preset):
    for table in states_of(preset, 4):
        public = Public.of(table.position())
        game = game_of(table.position())
        rng = random.Random(3)
        for _ in range(10):
            number = rng.choice(np.flatnonzero(game.deals).tolist())
            state = rng.choice(list(game.states(int(game.hands[number]))))
            turn = rng.choice([t for t in game.open_turns if game.allowed[game.turns.index(t), number]])
            if turn & TURN_EXCHANGE or public.leader >> (turn & TURN_CARD) & 1:
                continue
            follower = table.redealt(int(state[0]), int(state[1]), int(state[S_STOCK]))
            follower.play(turn_of(turn, table.position().trump))
            other = Public.of(follower.position())
            assert other.pool == public.pool or public.leader
            assert np.array_equal(other.base, public.base)
            assert other.follower == public.follower


# --- in an analysis -----------------------------------------------------------------------------


def test_it_is_the_default_where_there_is_time():
    position = Position.parse(FULL)
    analysis = analyze(position)
    assert analysis.method == "equilibrium"
    assert analysis.worlds == 2772
    assert analysis.to_json()["gap"] == pytest.approx(analysis.gap, abs=1e-6)
    assert analyze(position, time=0.2).method == "enumerated"
    assert analyze(position, worlds=50).method == "enumerated"
    assert analyze(position, exact=True).gap is None


def test_the_mixture_is_given_and_sums_to_one():
    for line in (FULL, FULL_24, FOLLOW):
        analysis = analyze(Position.parse(line), method="equilibrium")
        assert sum(turn.policy for turn in analysis.turns) == pytest.approx(1, abs=1e-3)
        for turn in analysis.turns:
            assert sum(turn.outcomes) == pytest.approx(1)
            assert turn.policy < 0.02 or turn.loss < 0.02  # what should be played often is not much worse


def test_every_turn_is_listed_undeclared_leads_too():
    line = "rules=schnapsen up=Jh hand=Kc,Qc,Jd,Ah,As gone=AKQd,TQh,TQJs points=25-21"
    texts = {turn.turn.text for turn in analyze(Position.parse(line)).turns}
    assert {"Kc", "Kc+20", "Qc", "Qc+20"} <= texts
    assert "close, Kc+20" in texts
    assert "close, Kc" not in texts


def test_an_exchange_and_a_marriage_that_decides():
    line = "rules=schnapsen up=Ah hand=Kc,Qc,Jd,Jh,As gone=AKQd,TQh,TQJs points=46-0 tricks=4-0"
    turns = {turn.turn.text: turn for turn in analyze(Position.parse(line), method="equilibrium").turns}
    assert turns["Kc+20"].value == turns["exchange, Qc+20"].value == 3
    assert "exchange, Ah" in turns


def test_where_nothing_is_hidden_the_exact_methods_answer():
    line = FULL + " stock=Td"
    assert analyze(Position.parse(line), method="equilibrium").method == "exact"


@pytest.mark.parametrize(
    ("line", "options", "message"),
    [
        ("hand=AKQh,9s,TJc up=Ad", {}, "method: equilibrium is for an open talon of two cards; this one has 12"),
        (FULL.replace("points", "closed=me points"), {}, "is closed"),
        (FULL, {"worlds": 10}, "worlds: "),
        (FULL, {"precision": 0.1, "time": 3.0}, "precision: "),
        (FULL, {"exact": True}, "exact: "),
    ],
)
def test_what_does_not_fit_is_refused(line, options, message):
    with pytest.raises(EffortError, match=message):
        analyze(Position.parse(line), method="equilibrium", **options)


def test_a_utility_of_its_own():
    """Winning alone counts: no turn wins more often against the strategies found than the one said to be best."""
    position = Position.parse(FULL_24)
    memories = memories_for(position.rules)
    codes = legal_turns(memories.rules, np.array(position.state_template(), np.int64))
    wins = judge(
        memories, position, codes, seconds=None, jobs=1, progress=lambda _: None, utility=(0, 0, 0, 0.5, 1, 1, 1)
    )
    chances = [wins.shares(i)[4:].sum() + wins.shares(i)[3] / 2 for i in range(len(codes))]
    often = [wins.policy(i) for i in range(len(codes))]
    assert chances[int(np.argmax(often))] == pytest.approx(max(chances), abs=0.01)
