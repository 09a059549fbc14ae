"""A person against the engine: the sitting, what the desk understands, records that are kept, and the seal."""

import hashlib
import os
import random
import re
import signal
import time
from pathlib import Path

import numpy as np
import pytest
from sixtysix import MatchRecord, Position, RecordError, Rules, Turn, load, loads, players, replay
from sixtysix.cards import card_text, full_deck
from sixtysix.kernel.layout import S_HAND0
from sixtysix.playing import AGAIN, ENGINE, PERSON, STRENGTHS, TAKEN_BACK, Sitting, new_match
from sixtysix.rules import PRESETS
from sixtysix.seal import holds, pack_text, seal_of
from sixtysix.turns import turns_allowed
from test_cli import refused, run, start

SCHNAPSEN = Rules.preset_named("schnapsen")
EVERY_CARD = "".join(f"{card_text(card)}\n" for card in full_deck(24))


def sit(strength: str = "easy", seed: int = 3, rules: Rules = SCHNAPSEN, single: bool = False) -> Sitting:
    """Sit down to a new match."""
    return Sitting(new_match(rules, "you", strength, single), strength, seed)


def play_deal(sitting: Sitting, rng: random.Random) -> None:
    """Play the deal to its end, the person at random."""
    while not sitting.table.over:
        if sitting.mover == PERSON:
            sitting.table.play(rng.choice(turns_allowed(sitting.position())))
        else:
            sitting.answer()


# --- the sitting --------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_is_played_to_its_end_and_can_be_read(preset: str) -> None:
    from sixtysix import dumps

    sitting = sit(rules=Rules.preset_named(preset))
    rng = random.Random(preset)
    play_deal(sitting, rng)
    while sitting.winner is None:
        before = sitting.score
        sitting.next_deal()
        assert sitting.score == before
        play_deal(sitting, rng)
    match = sitting.match
    collection = loads(dumps([match]))
    assert not collection.problems
    assert collection.matches == (match,)
    assert all(holds(deal) for deal in match.deals)
    score = match.score
    assert score is not None
    assert max(score) >= match.rules.match_target > min(score)
    assert sitting.winner == (PERSON if score[0] > score[1] else ENGINE)
    with pytest.raises(RecordError, match="the match is over"):
        Sitting(match, "easy")


def test_the_engine_is_asked_with_what_its_seat_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Changing the person's hidden cards between two turns changes neither the question nor the answer."""
    asked: list[Position] = []

    class Spy:
        text = "spy"

        def choose(self, position: Position, seed: int) -> Turn:
            assert type(position) is Position
            asked.append(position)
            return players.RandomPlayer().choose(position, seed)

    monkeypatch.setitem(players.KINDS, "spy", Spy)  # type: ignore[arg-type]
    monkeypatch.setitem(players.OPTIONS, "spy", ())  # type: ignore[arg-type]
    answers = []
    for other in (False, True):
        sitting = sit("spy", seed=11)
        while sitting.mover == PERSON:
            sitting.table.play(turns_allowed(sitting.position())[0])
        if other:
            seat = sitting.table.mover
            state = sitting.table._state
            hidden = int(state[S_HAND0 + 1 - seat])
            stock = state[18:27].copy()
            theirs = [card for card in range(24) if hidden >> card & 1]
            swapped = np.array([*theirs[1:], int(stock[0])])
            state[S_HAND0 + 1 - seat] = int(sum(1 << int(card) for card in swapped))
            state[18] = theirs[0]
        answers.append(sitting.answer())
    assert asked[0] == asked[-1]
    assert answers[0] == answers[1]


def test_turns_can_be_taken_back_and_the_deal_played_again() -> None:
    sitting = sit(seed=4)
    assert not sitting.take_back()
    played = []
    rng = random.Random(1)
    while len(played) < 3:
        if sitting.mover == PERSON:
            played.append((sitting.position(), rng.choice(turns_allowed(sitting.position()))))
            sitting.table.play(played[-1][1])
        else:
            sitting.answer()
    assert sitting.take_back()
    assert sitting.position() == played[-1][0]
    assert sitting.take_back()
    assert sitting.position() == played[-2][0]
    sitting.again()
    assert sitting.turns == []
    first = sitting.deal
    assert first.comment == f"{TAKEN_BACK}; {AGAIN}"
    play_deal(sitting, rng)
    assert (sitting.deal.hands, sitting.deal.stock, sitting.deal.seal) == (first.hands, first.stock, first.seal)
    score = sitting.score
    assert sitting.take_back()
    assert score != (0, 0)
    assert sitting.score == (0, 0)


def test_a_sitting_goes_on_where_it_was_left() -> None:
    sitting = sit(seed=5)
    rng = random.Random(2)
    play_deal(sitting, rng)
    sitting.next_deal()
    while len(sitting.turns) < 5:
        if sitting.mover == PERSON:
            sitting.table.play(rng.choice(turns_allowed(sitting.position())))
        else:
            sitting.answer()
    again = Sitting(sitting.match, "easy", 99)
    assert again.match == sitting.match
    assert again.position() == sitting.position()
    assert again.score == sitting.score
    rest = Sitting(sitting.match, "easy", 5)
    play_deal(rest, random.Random(3))
    assert Sitting(rest.match, "easy").deal.number == 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("deal 1\nleads: me\nme: AKQTJh 9s\nup: Ad\n1. Ah 9h\n", "not every card is on record"),
        ("deal 1\nleads: me\nup: Ad\ndeal 2\nleads: me\nup: Ad", "deal 1 has no result"),
    ],
)
def test_records_that_cannot_go_on(text: str, told: str) -> None:
    with pytest.raises(RecordError, match=told):
        Sitting(loads(text)[0], "easy")


def test_cards_come_from_the_systems_randomness_without_a_seed() -> None:
    packs = {pack_text(Sitting(new_match(SCHNAPSEN, "you", "easy"), "easy").deal) for _ in range(4)}
    assert len(packs) == 4
    assert pack_text(sit(seed=8).deal) == pack_text(sit(seed=8).deal)


def test_every_strength_is_a_player() -> None:
    for text in STRENGTHS.values():
        assert players.player_of(text).text.startswith(text.split(":")[0])
    assert players.player_of("rule").text == sit("EASY").player.text


def test_the_seal_is_the_hash_of_salt_and_pack() -> None:
    deal = sit().deal
    assert deal.salt is not None
    pack = pack_text(deal)
    assert len(pack.split()) == 20
    assert deal.seal == hashlib.sha256(f"{deal.salt} {pack}".encode()).hexdigest() == seal_of(deal.salt, pack)


# --- the command --------------------------------------------------------------------------------


def test_a_match_at_the_desk(tmp_path: Path) -> None:
    """Every card is tried in turn, over and over: what is not allowed is refused, and the match comes to its end."""
    path = tmp_path / "evening.66"
    typed = (EVERY_CARD + "\n") * 200
    result = run("play", "--rules", "schnapsen", "--strength", "easy", "--seed", "2", "--save", str(path), input=typed)
    assert result.exit_code == 0, result.stderr
    assert re.search(r"^(You win|The engine wins) the match\.$", result.stdout, re.MULTILINE)
    assert "is not in the hand" in result.stdout
    assert re.search(r"is led, so .* is due", result.stdout)
    (match,) = load(path)
    assert match.score is not None
    assert max(match.score) >= 7
    assert result.stdout.count("seal ") == 2 * len(match.deals)
    told = re.findall(r"salt (\w+)\npack (.*)", result.stdout)
    assert [deal.seal for deal in match.deals] == [seal_of(salt, pack) for salt, pack in told]
    assert "\x1b" not in result.stdout
    verified = run("play", "--verify", str(path))
    assert verified.exit_code == 0
    assert verified.stdout.count("the seal is that of these cards") == len(match.deals)
    assert "the match is over" in refused(run("play", "--resume", str(path)))


def test_a_changed_card_breaks_the_seal(tmp_path: Path) -> None:
    path = tmp_path / "x.66"
    run("play", "--seed", "2", "--save", str(path), input="")
    text = path.read_text(encoding="utf-8")
    stock = re.search(r"stock: (\w\w) (\w\w)", text)
    assert stock is not None
    path.write_text(text.replace(stock[0], f"stock: {stock[2]} {stock[1]}"), encoding="utf-8")
    result = run("play", "--verify", str(path))
    assert result.exit_code == 1
    assert result.stdout == "match 1, deal 1: the seal is NOT that of these cards\n"


def test_the_words_at_the_desk(tmp_path: Path) -> None:
    saved = tmp_path / "so-far.66"
    words = ["?", "help", "last", "points", "score", "undo", "nonsense", "close, exchange, Ah", f"save {saved}"]
    result = run("play", "--rules", "schnapsen", "--strength", "easy", "--seed", "3", input="\n".join(words) + "\n")
    assert result.exit_code == 0
    for told in (
        "Q♣  ·  Q♦  ·  close, Q♣",
        "declares the marriage",
        "There is no last trick yet.",
        "points     you 0, the engine 0",
        "score: you 0, the engine 0, of 7",
        "There is no turn of yours to take back.",
        "nonsense is no turn",
        "before the card stand exchange, close",
        f"The record is in {saved}.",
        "The deal is not over.",
    ):
        assert told in result.stdout
    assert load(saved)[0].deals[0].turns == ()


def test_undo_last_and_again_at_the_desk() -> None:
    typed = "Ah\nlast\nundo\nAh\nagain\n"
    result = run("play", "--rules", "schnapsen", "--strength", "easy", "--seed", "3", input=typed)
    assert result.stdout.count("Deal 1: you lead, A♣ is trump.") == 2
    assert "last trick: you A♥, the engine T♣" in result.stdout
    assert "Taken back." in result.stdout


def test_a_hint_is_the_table_of_turns() -> None:
    result = run("play", "--rules", "schnapsen", "--strength", "easy", "--seed", "3", input="hint\n")
    assert re.search(r"^turn +\w", result.stdout, re.MULTILINE)
    assert "best: " in result.stdout


def test_a_match_is_resumed_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "evening.66"
    path.write_text('[Players "a" "b"]\ndeal 1\nleads: a\nup: Ad\nresult: a 1\n', encoding="utf-8")
    assert "exists: go on with --resume" in refused(run("play", "--save", str(path)))
    path.unlink()
    run("play", "--rules", "schnapsen", "--strength", "easy", "--seed", "3", "--save", str(path), input="Ah\n")
    (match,) = load(path)
    assert len(match.deals[0].turns) >= 2
    assert match.tags["Opponent"] == "easy"
    result = run("play", "--resume", str(path), input=EVERY_CARD * 30)
    assert "It goes on after 3 turns." in result.stdout
    (later,) = load(path)
    assert later.deals[0].turns[:2] == match.deals[0].turns[:2]
    assert later.deals[0].result is not None


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--strength", "grandmaster"), "--strength: there is no player grandmaster"),
        (("--rules", "whist"), "--rules: there is no preset whist"),
        (("--seed", "x"), "not a whole number"),
        (("--resume", "none.66"), "cannot read none.66"),
        (("--verify", "none.66"), "cannot read none.66"),
        (("--resume", "x.66", "--rules", "ro"), "--rules is settled by the record"),
        (("--resume", "x.66", "--save", "y.66"), "leave out --save"),
        (("--save", "/none/x.66"), "cannot write"),
        (("--name", "up"), "--name: up is a word of the record itself"),
    ],
)
def test_what_cannot_be_played(args: tuple[str, ...], told: str) -> None:
    assert told in refused(run("play", *args, input=""))


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "evening.66"
    args = ("--rules", "schnapsen", "--strength", "easy", "--seed", "3", "--save", str(path))
    process = start("play", *args)
    assert process.stdin is not None
    process.stdin.write(b"Ah\n")
    process.stdin.flush()
    assert process.stdout is not None
    asked = 0
    while asked < 2:  # until the person is asked for his second turn
        asked += process.stdout.readline().startswith(b"your hand")
        assert process.poll() is None
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 130
    (match,) = load(path)
    assert isinstance(match, MatchRecord)
    assert replay(match, 0)[0].turn.text == "Ah"


def test_deals_that_are_over_are_reviewed_at_the_desk() -> None:
    """A hurried deal in which the person has played every trick as it came."""
    early = run("play", "--rules", "schnapsen", "--strength", "easy", "--seed", "3", input="review\n")
    assert "No deal is over yet." in early.stdout
    typed = "Ah\nTh\nKh\nQd\nTs\nQc\n" + EVERY_CARD * 8 + "review\n"
    late = run("play", "--rules", "schnapsen", "--strength", "easy", "--seed", "3", input=typed)
    assert "you and easy, 1 deal" in late.stdout
    assert re.search(r"^at +player +played", late.stdout, re.MULTILINE)
