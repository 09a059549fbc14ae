"""A deal in play: what each seat sees, and that hidden cards never reach a player."""

import copy
import random

import numpy as np
import pytest
from sixtysix import Position, Rules, Turn
from sixtysix.cards import cards_of, cards_text, parse_cards
from sixtysix.duel import seed_of
from sixtysix.kernel.layout import S_HAND0, S_STOCK, S_TALON
from sixtysix.players import player_of
from sixtysix.position import Deal
from sixtysix.rules import PRESETS
from sixtysix.table import IllegalTurn, Table
from sixtysix.turns import turns_allowed
from sixtysix.worlds import Worlds

SCHNAPSEN = (
    "rules=schnapsen up=As hand=Js,Ks,Qs,Ah,Th opp=Ac,Tc,Kc,Qc,Jc stock=Ad,Td,Kd,Qd,Jd,Kh,Qh,Jh,Ts"  # seat 0 leads
)
FACE_UP = "rules=pl up=9s hand=Ac,Tc,Kc,Qc,Jc,9c opp=Ad,Td,Kd,Qd,Jd,9d stock=Ah,Th,Kh,Qh,Jh,9h,As,Ts,Ks,Qs,Js"


def table_of(line: str) -> Table:
    """Return the table of a full deal, seat 0 to lead."""
    deal = Deal.parse(line)
    return Table(deal.position.rules, np.array(deal.state(), np.int64))


def play(table: Table, *turns: str) -> Position:
    """Play turns and return what the next seat knows."""
    for turn in turns:
        table.play(Turn.parse(turn))
    return table.position()


def test_a_deal_begins_with_nothing_seen() -> None:
    position = table_of(SCHNAPSEN).position()
    assert position.text == "rules=schnapsen up=As hand=Ah,Th,Ks,Qs,Js"
    assert position.score is None


def test_the_exchanged_card_and_the_marriage_partner_are_seen() -> None:
    position = play(table_of(SCHNAPSEN), "exchange, Ks+40")
    assert position.text == "rules=schnapsen up=Js hand=Ac,Tc,Kc,Qc,Jc led=Ks+40 opp=As pending=0-40"
    assert cards_text(position.opp) == "As,Qs"


def test_what_was_seen_is_known_to_its_owner_and_leaves_with_the_card() -> None:
    table = table_of(SCHNAPSEN)
    position = play(table, "exchange, Ks+40", "Jc")
    assert cards_text(position.shown) == "As,Qs"
    assert position.points == (46, 0)
    assert cards_text(play(table, "As").opp) == "Qs"


def test_a_reply_after_closing_proves_what_is_missing() -> None:
    position = play(table_of(SCHNAPSEN), "exchange, Ks+40", "Jc", "close, Th", "Qc")
    assert position.text == (
        "rules=schnapsen up=Js hand=Ad,Ah,As,Qs gone=Qc,Jc,Th,Ks points=59-0 tricks=2-0 closed=me@0/0 "
        "shown=As,Qs not=Kh,Qh,Jh,Ts first=me"
    )


def test_a_reply_that_does_not_head_proves_that_nothing_higher_is_there() -> None:
    line = "rules=schnapsen up=Js hand=Qc,Ks,Qs,Ah,Th opp=Jc,Kh,Td,Kd,Qd stock=Ad,Tc,Kc,Jd,As,Ac,Qh,Jh,Ts"
    position = play(table_of(line), "close, Qc", "Jc")
    assert cards_text(position.excluded) == "Ac,Tc,Kc"


def test_free_play_after_closing_proves_nothing() -> None:
    position = play(table_of(FACE_UP), "close, Ac", "Jd")
    assert position.excluded == ()


def test_the_stock_top_lies_face_up_and_its_drawer_is_seen() -> None:
    table = table_of(FACE_UP)
    assert cards_text(card for card in table.position().stock if card is not None) == "Ah"
    position = play(table, "Ac", "Jd")
    assert cards_text(position.shown) == "Ah"
    assert position.stock[0] == parse_cards("Kh")[0]
    assert cards_text(play(table, "Kc").opp) == "Ah"


def test_the_seen_stock_top_stays_known_after_a_closing() -> None:
    position = play(table_of(FACE_UP), "close, Ac")
    assert position.stock[0] == parse_cards("Ah")[0]


def test_the_drawer_of_the_upcard_is_seen() -> None:
    table = Table.deal(Rules.preset_named("santase"), 5)
    while table.position().talon > 2 or table.position().on_lead:
        table.play(next(turn for turn in turns_allowed(table.position()) if not turn.close))
    up = table.position().up
    table.play(turns_allowed(table.position())[0])
    position = table.position()  # of the winner, who drew the stock's last card
    assert position.talon == 0
    assert up in position.opp
    table.play(turns_allowed(position)[0])
    assert up in table.position().shown


def test_an_illegal_turn_is_refused_and_changes_nothing() -> None:
    table = table_of(SCHNAPSEN)
    before = table.position()
    for turn, allowed in (("Ad", "Ah"), ("Ks+20", "Ks\\+40")):
        with pytest.raises(IllegalTurn, match=allowed):
            table.play(Turn.parse(turn))
    assert table.position() == before


def test_cards_depend_on_the_seed_alone() -> None:
    rules = Rules.preset_named("ro")
    assert Table.deal(rules, 7).position() == Table.deal(rules, 7).position()
    assert Table.deal(rules, 7).position() != Table.deal(rules, 8).position()


def test_deals_are_fair() -> None:
    """Each card comes to the leader in a quarter of the deals, within five standard deviations."""
    rules, count = Rules.preset_named("ro"), 2000
    held = np.zeros(24)
    for seed in range(count):
        held[list(Table.deal(rules, seed).position().hand)] += 1
    assert np.abs(held - count / 4).max() < 5 * (count * 3 / 16) ** 0.5


# --- truth and view -----------------------------------------------------------------------------


def random_table(rules: Rules, rng: random.Random, plies: int) -> Table:
    """Return a table after so many turns of random play, or fewer if the deal ends."""
    table = Table.deal(rules, rng.randrange(1 << 30), (rng.randrange(7), rng.randrange(7)))
    before = copy.deepcopy(table)
    for _ in range(plies):
        before = copy.deepcopy(table)
        table.play(player_of("random").choose(table.position(), rng.randrange(1 << 30)))
        if table.over:
            return before
    return table


def redealt(table: Table, seed: int) -> Table:
    """Return the same table with the cards that are hidden from the seat to move dealt anew."""
    world = Worlds.of(table.position()).sample(np.zeros(1, np.int64), seed)[0]
    other = copy.deepcopy(table)
    hidden = S_HAND0 + 1 - table.mover
    other._state[hidden] = world[S_HAND0 + 1]
    other._state[S_STOCK:] = world[S_STOCK:]
    return other


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_seat_knows_is_true(preset: str) -> None:
    rng = random.Random(preset)
    for _ in range(40):
        table = random_table(Rules.preset_named(preset), rng, rng.randrange(20))
        position, state = table.position(), table._state
        theirs = set(cards_of(int(state[S_HAND0 + 1 - table.mover])))
        assert set(position.opp) <= theirs, position.text
        assert not theirs & set(position.excluded), position.text
        stock = [state[S_STOCK + int(state[S_TALON]) - 2 - i] for i in range(len(position.stock))]
        for known, card in zip(position.stock, stock, strict=True):
            assert known in (None, card), position.text
        assert Position.parse(position.text) == position


@pytest.mark.parametrize(
    "text", ["random", "rule", "pimc:worlds=3", "ismcts:iterations=80", "engine:worlds=3", "pimc:worlds=2@12-4/rule"]
)
def test_hidden_cards_do_not_reach_a_player(text: str) -> None:
    """Dealing anew what a seat cannot know changes neither what it is told nor what it chooses."""
    rng = random.Random(text)
    player = player_of(text)
    changed = 0
    for number in range(2 * len(PRESETS)):
        rules = Rules.preset_named(PRESETS[number % len(PRESETS)])
        plies = rng.randrange(8, 22) if rules.preset != "schnapsen" else rng.randrange(4, 18)
        table = random_table(rules, rng, plies)
        seed = seed_of(1, number)
        chosen = player.choose(table.position(), seed)
        for again in range(3):
            other = redealt(table, again)
            changed += not np.array_equal(other._state, table._state)
            assert other.position() == table.position()
            assert player.choose(other.position(), seed) == chosen
    assert changed > 2 * len(PRESETS)
