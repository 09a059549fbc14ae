"""The slow twin against positions with right answers from independent implementations."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import naive
import pytest

VECTORS = Path(__file__).parent / "vectors"


def lines(name: str) -> Iterator[dict[str, Any]]:
    """The positions of one file."""
    with open(VECTORS / name, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def mismatch(line: dict[str, Any], expected: object, got: object) -> str:
    return f"{line['id']}: {line['position']}\n    expected {expected}\n    got      {got}"


def perft_mismatches(line: dict[str, Any], depth: int) -> list[str]:
    state, rules = naive.deal_from_line(line["position"])
    expected = line["perft"][:depth]
    got = naive.perft(state, rules, len(expected))
    return [] if got == expected else [mismatch(line, expected, got)]


def value_mismatches(line: dict[str, Any]) -> list[str]:
    """Compares the value of every turn, and that of the position (which is for the player to move)."""
    state, rules = naive.deal_from_line(line["position"])
    assert naive.mover(state) == 0
    memo: naive.Memo = {}
    got = (naive.value(state, rules, memo), naive.turn_values(state, rules, memo))
    expected = (line["value"], line["turns"])
    return [] if got == expected else [mismatch(line, expected, got)]


def cards_to_come(line: dict[str, Any]) -> int:
    """The cards in both hands and those that will still be drawn: how long solving takes."""
    state, _ = naive.deal_from_line(line["position"])
    drawn = naive.talon_size(state) if naive.cards_are_drawn(state) else 0
    return len(state.hands[0]) + len(state.hands[1]) + drawn


def random_game(seed: int) -> tuple[naive.NaiveRules, list[naive.State]]:
    """The states of a deal that is played at random, under one of the presets; the last one is over."""
    rng = random.Random(seed)
    rules = rng.choice(list(naive.PRESETS.values()))
    states = [naive.random_deal(rng, rules, leader=rng.randrange(2))]
    while actions := naive.legal_actions(states[-1], rules):
        states.append(naive.apply(states[-1], rules, rng.choice(actions)))
    return rules, states


def other_seats(state: naive.State) -> naive.State:
    """The same state with the players' numbers exchanged."""
    return replace(
        state,
        hands=state.hands[::-1],
        leader=1 - state.leader,
        points=state.points[::-1],
        pending=state.pending[::-1],
        tricks=state.tricks[::-1],
        closed_by=None if state.closed_by is None else 1 - state.closed_by,
    )


# --------------------------------------------------------------------------------------------------
# Against right answers
# --------------------------------------------------------------------------------------------------


def test_perft_first_plies() -> None:
    wrong = [text for line in lines("perft.jsonl") for text in perft_mismatches(line, 3)]
    assert not wrong, "\n".join(wrong)


def test_perft_full_depth_of_small_ones() -> None:
    small = [line for line in lines("perft.jsonl") if sum(line["perft"]) < 5000]
    assert small
    wrong = [text for line in small for text in perft_mismatches(line, 99)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_perft_full_depth() -> None:
    wrong = [text for line in lines("perft.jsonl") for text in perft_mismatches(line, 99)]
    assert not wrong, "\n".join(wrong)


def test_edge() -> None:
    wrong = [text for line in lines("edge.jsonl") for text in value_mismatches(line)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", ["solve.jsonl", "switches.jsonl"])
def test_late_positions(name: str) -> None:
    late = [line for line in lines(name) if cards_to_come(line) <= 12]
    assert len(late) > 250
    wrong = [text for line in late for text in value_mismatches(line)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["solve.jsonl", "switches.jsonl"])
def test_earlier_positions(name: str) -> None:
    wrong = [text for line in lines(name) if 12 < cards_to_come(line) <= 16 for text in value_mismatches(line)]
    assert not wrong, "\n".join(wrong)


# --------------------------------------------------------------------------------------------------
# Against itself
# --------------------------------------------------------------------------------------------------


def test_value_is_plain_minimax() -> None:
    wrong: list[str] = []
    for name in ("solve.jsonl", "switches.jsonl", "edge.jsonl"):
        for line in lines(name):
            if cards_to_come(line) <= 6:
                state, rules = naive.deal_from_line(line["position"])
                expected, got = naive.minimax(state, rules), naive.value(state, rules)
                if got != expected:
                    wrong.append(mismatch(line, expected, got))
    assert not wrong, "\n".join(wrong)


def test_the_seats_are_alike() -> None:
    for line in lines("switches.jsonl"):
        if cards_to_come(line) <= 7:
            state, rules = naive.deal_from_line(line["position"])
            swapped = other_seats(state)
            assert naive.value(swapped, rules) == -naive.value(state, rules), line
            assert naive.turn_values(swapped, rules) == naive.turn_values(state, rules), line


@pytest.mark.parametrize("seed", range(60))
def test_random_games(seed: int) -> None:
    rules, states = random_game(seed)
    deck = set(naive.deck_of(rules))
    for state in states:
        line = naive.line_of(state, rules)
        over = state is states[-1]
        assert (naive.outcome(state, rules) is not None) == over, line
        # No card is in two places, and both players hold equally many.
        places = [*state.hands[0], *state.hands[1], *state.stock]
        places += [card for card in (state.up, state.led) if card is not None]
        assert len(places) == len(set(places)) == len(deck & set(places)), line
        mine, others = state.hands[naive.mover(state)], state.hands[1 - naive.mover(state)]
        assert len(mine) == len(others) + (0 if state.led is None else 1), line
        # Three kinds of points: tricks, marriages, and the last trick.
        gone = deck - set(places)
        from_tricks = sum(map(naive.card_points, gone))
        extra = sum(state.points) - from_tricks
        if over and not state.hands[0] and not state.hands[1]:
            assert extra % 10 == 0, line
        else:
            assert extra % 20 == 0, line
            assert extra >= 0, line
        # The notation keeps everything; the player to move becomes player 0.
        if not over:
            again, rules_again = naive.deal_from_line(line)
            assert rules_again == rules
            assert again == (state if naive.mover(state) == 0 else other_seats(state)), line
            assert naive.line_of(again, rules_again) == line


def test_presets_use_every_switch() -> None:
    """Every value that a switch has in some preset is of the type that the switch has in all of them."""
    for field in fields(naive.NaiveRules):
        kinds = {type(getattr(rules, field.name)).__name__ for rules in naive.PRESETS.values()}
        assert kinds == {field.type}


def test_rules_text() -> None:
    for name, rules in naive.PRESETS.items():
        assert naive.rules_text(rules) == name
    text = "ro+close_min_talon:3+deck:20+failed_close:three+snapshot_at_close:yes"
    rules = naive.rules_of(text)
    assert (rules.close_min_talon, rules.deck, rules.failed_close, rules.snapshot_at_close) == (
        3,
        20,
        "three",
        True,
    )
    assert naive.rules_text(rules) == text


def test_left_out_keys() -> None:
    """What a line may leave out because the rest says it."""
    state, _ = naive.deal_from_line(
        "rules=schnapsen trump=h hand=Ac,Ad,TQd,Qh gone=KQJc,Jd,AKh,TKQJs opp=Tc,Kd,Th,Jh,As points=19-26"
    )
    assert state.leader == 0
    assert state.tricks == (4, 1)
    # The partner of a declared card; the stock under a closed talon, and its note; who has won a trick.
    state, _ = naive.deal_from_line(
        "rules=schnapsen up=Jh hand=As,Ts led=Kc+20 gone=Ac,Tc,Jc,Ad,Td,Kd,Qd,Ah,Th,Kh closed=opp points=30-60"
    )
    assert state.hands == (frozenset(naive.cards_of("ATs")), frozenset(naive.cards_of("Qc")))
    assert state.stock == tuple(sorted(naive.cards_of("Jd,Qh,KQJs")))
    assert state.leader == 1
    assert state.tricks == (1, 4)
    assert (state.closed_by, state.note_points, state.note_tricks) == (1, 30, 1)
    # Neither hand nor stock of the rest can be told.
    with pytest.raises(ValueError, match="not a fully known position"):
        naive.deal_from_line("rules=ro up=Ad hand=AKQh,9s,TJc")
