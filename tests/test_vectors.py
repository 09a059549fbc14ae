"""Positions with right answers from independent implementations, through the public API."""

import json
from pathlib import Path

import pytest
from sixtysix import Deal, Position, analyze, perft, solve

VECTORS = Path(__file__).parent / "vectors"


def lines(name):
    with (VECTORS / f"{name}.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize("name", ["solve", "switches", "edge"])
def test_every_turn_of_solved_deals(name):
    for vector in lines(name):
        solution = solve(Deal.parse(vector["position"]))
        got = {turn.text: value for turn, value in solution.turns}
        assert got == vector["turns"], f"{vector['id']}: {vector['position']}"
        assert solution.value == vector["value"], vector["id"]


def test_a_line_of_best_play_keeps_the_value():
    for vector in lines("solve")[::40]:
        deal = Deal.parse(vector["position"])
        solution = solve(deal)
        assert dict(solution.turns)[solution.line[0]] == solution.value, vector["id"]


def test_perft():
    for vector in lines("perft"):
        assert list(perft(Deal.parse(vector["position"]), len(vector["perft"]))) == vector["perft"], vector["id"]


def test_views_exactly():
    for vector in lines("views"):
        analysis = analyze(Position.parse(vector["position"]), exact=True, all_leads=True)
        assert analysis.worlds == vector["worlds"], vector["id"]
        got = {turn.turn.text: [round(p * turn.worlds) for p in turn.outcomes] for turn in analysis.turns}
        assert got == vector["turns"], f"{vector['id']}: {vector['position']}"


# Published winning chances and values that an average over open cards need not share, with the reason.
DIFFERENT: dict[str, str] = {}


@pytest.mark.parametrize("problem", lines("problems"), ids=lambda problem: problem["id"])
def test_published_problems(problem):
    if problem["id"] in DIFFERENT:
        pytest.skip(DIFFERENT[problem["id"]])
    position = Position.parse(problem["position"])
    few = position.talon <= 4 or position.closed is not None
    analysis = analyze(position, exact=True) if few else analyze(position, worlds=300)
    best = [turn for turn in analysis.turns if turn.loss < 1e-9]
    if problem["best_turns"]:
        assert any(_named(turn.turn, text) for turn in best for text in problem["best_turns"])
    by_text = {turn.turn.text: turn for turn in analysis.turns}
    for text, value in problem["values"].items():
        assert by_text[text].value == pytest.approx(value)
    for text, chance in problem["win"].items():
        top, _, bottom = chance.partition("/")
        assert by_text[text].win == pytest.approx(int(top) / int(bottom or 1))


def _named(turn, text):
    return turn.close if text == "close" else turn.text == text
