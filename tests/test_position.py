"""Positions and deals: what is accepted, filled in, printed and packed."""

import json
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sixtysix.cards import cards_of, cards_text, full_deck, mask_of, parse_card, parse_cards
from sixtysix.kernel import layout
from sixtysix.position import ME, OPP, Closing, Deal, Position, PositionError
from sixtysix.rules import Rules

VECTORS = Path(__file__).parent / "vectors"
DEALS = ("perft", "solve", "switches", "edge")
VIEWS = ("views", "problems")


@cache
def lines(*names: str) -> tuple[str, ...]:
    """The position lines of some vector files."""
    texts = [(VECTORS / f"{name}.jsonl").read_text(encoding="utf-8") for name in names]
    return tuple(json.loads(line)["position"] for text in texts for line in text.splitlines())


# --- the vectors ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", DEALS + VIEWS)
def test_vectors_are_accepted_and_survive_a_round_trip(name: str) -> None:
    for line in lines(name):
        position = Position.parse(line)
        again = Position.parse(position.text)
        assert again == position, line
        assert again.text == position.text, line
        assert Position.from_json(json.loads(json.dumps(position.to_json()))) == position, line
        assert position.replace() == position, line


@pytest.mark.parametrize("name", DEALS)
def test_known_deals_are_complete_and_conserve_the_cards(name: str) -> None:
    for line in lines(name):
        deal = Deal.parse(line)
        position, state = deal.position, deal.state()
        assert len(state) == layout.STATE_SIZE
        stock = [card for card in state[layout.S_STOCK :] if card != layout.NO_CARD]
        others = [card for card in (state[layout.S_LED], state[layout.S_UP]) if card != layout.NO_CARD]
        held = cards_of(state[layout.S_HAND0]) + cards_of(state[layout.S_HAND1])
        cards = [*held, *stock, *others, *position.gone]
        known = position.complete and None not in position.stock
        assert len(set(cards)) == len(cards), line
        assert not known or set(cards) == set(full_deck(position.rules.deck)), line
        assert state[layout.S_TALON] == len(position.stock) + (position.up is not None), line


def test_view_lines_are_canonical_but_for_what_other_keys_imply() -> None:
    for line in lines("views"):
        printed = Position.parse(line).text.split()
        left_out = [word for word in line.split() if word not in printed]
        assert printed == [word for word in line.split() if word not in left_out], line
        assert all(word == "points=0-0" or word.startswith("opp=") for word in left_out), line


# --- round trips of positions with parts forgotten ---------------------------------------------


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position of the vectors of which some parts are forgotten, and others added."""
    position = Position.parse(draw(st.sampled_from(lines(*DEALS, *VIEWS))))
    rng = random.Random(draw(st.integers(0, 999)))
    opp = rng.sample(position.opp, rng.randint(0, len(position.opp)))
    stock = position.stock[: rng.randint(0, len(position.stock))]
    if position.rules.stock_top_face_up and position.drawing:
        stock = position.stock[: max(1, len(stock))]
    changes: dict[str, object] = {
        "opp": tuple(opp),
        "stock": stock,
        "excluded": (),
        "shown": tuple(rng.sample(position.hand, rng.randint(0, len(position.hand)))),
        "score": rng.choice([None, (rng.randrange(7), rng.randrange(7))]),
        "first": rng.choice([None, ME, OPP]) if position.gone else None,
    }
    try:
        position = position.replace(**changes)
        hidden = [card for card in position.unseen if card not in position.opp]
        return position.replace(excluded=tuple(rng.sample(hidden, rng.randint(0, len(hidden)))))
    except PositionError:
        assume(False)
        raise


@given(positions())
def test_text_and_json_round_trip(position: Position) -> None:
    assert Position.parse(position.text) == position
    assert Position.parse(position.text).text == position.text
    assert Position.parse(json.dumps(position.to_json())) == position


@given(positions(), st.randoms(use_true_random=False))
def test_words_in_any_order_spacing_and_case(position: Position, rng: random.Random) -> None:
    words = position.text.split()
    rng.shuffle(words)
    text = "  ".join(words).replace(",", rng.choice([",", " ", ", ", ""]))
    assert Position.parse(rng.choice([text, text.upper(), text.lower()])) == position


@given(positions())
def test_every_card_is_in_one_place_or_unseen(position: Position) -> None:
    known = [*position.hand, *position.gone, *position.opp]
    known += [card for card in (position.up, position.led, *position.stock) if card is not None]
    assert sorted([*known, *position.unseen]) == sorted(full_deck(position.rules.deck))
    hidden = position.opp_cards - len(position.opp) + position.stock.count(None)
    assert hidden == len(position.unseen)
    assert set(position.excluded) <= set(position.unseen)


@given(positions(), st.data())
def test_a_slip_of_the_pen_is_refused_in_one_line_or_read_as_something_possible(
    position: Position, data: st.DataObject
) -> None:
    text = position.text
    at = data.draw(st.integers(0, len(text) - 1))
    slip = data.draw(st.sampled_from(["", *"AKQJT9cdhs0123456789?,-+@/= "]))
    try:
        read = Position.parse(text[:at] + slip + text[at + 1 :])
    except PositionError as refusal:
        line = str(refusal)
    else:
        assert Position.parse(read.text) == read
        line = read.text
    assert line.isprintable()
    assert len(line) < 500


# --- what is filled in ------------------------------------------------------------------------


def test_positions_need_no_numba() -> None:
    code = "import sys, sixtysix.position; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_start_of_a_deal() -> None:
    position = Position.parse("hand=AKQh,9s,TJc up=Ad")
    assert position.rules == Rules.preset_named("ro")
    assert cards_text(position.hand) == "Tc,Jc,Ah,Kh,Qh,9s"
    assert (position.trump, position.talon, position.opp_cards, position.stock) == (1, 12, 6, (None,) * 11)
    assert (position.on_lead, position.first_lead, position.first, position.tricks) == (True, True, ME, (0, 0))
    assert len(position.unseen) == 17
    assert not position.complete


def test_talon_is_derived() -> None:
    talons = {
        "rules=schnapsen up=Jd hand=Kd,Ah,Qh,As,Ts led=Qs+20 gone=Ac,Tc,Kc,Qc,Jc,Ad,Jh,Js points=28-37": 2,
        "rules=schnapsen up=Jh hand=Ac gone=Kc,Qc,Jc,Ad,Td,Kd,Qd,Ah,Th,Kh,Qh,As,Ts,Ks,Qs,Js points=42-53 tricks=4-4 "
        "closed=me@20/2": 2,
        "rules=es up=Qc hand=Jc,Qd,Jh,Ks gone=Jd,9d,Ah,Qh,Js,9s points=16-2 tricks=2-1 closed=me@0/0": 10,
        END: 0,
    }
    assert {line: Position.parse(line).talon for line in talons} == talons


END = "rules=ro trump=s hand=Td,Ah,Jh,As,Qs gone=Tc,Kc,Qc,Jc,Kd,Qd,Jd,9d,Kh,Qh,9h,Ts,Ks,9s points=28-41 tricks=4-3"
TALON_2 = "rules=ro up=Jh hand=Jc,Ah,Th,As,Qs,Js gone=Kc,Qc,9c,Ad,Kd,Qd,Jd,9d,Qh,Ts points=40-0 tricks=5-0"


@pytest.mark.parametrize(
    ("line", "opp", "stock"),
    [
        (END, "Ac,9c,Ad,Th,Js", ""),
        (TALON_2, "", "?"),
        (TALON_2 + " stock=9s", "Ac,Tc,Td,Kh,9h,Ks", "9s"),
        (TALON_2 + " opp=Ac,Tc,Td,Kh,9h,Ks", "Ac,Tc,Td,Kh,9h,Ks", "9s"),
        (TALON_2 + " not=9s", "Ac,Tc,Td,Kh,9h,Ks", "9s"),
        (TALON_2 + " opp=Ac,Ks", "Ac,Ks", "?"),
        (TALON_2 + " closed=me opp=Ac,Tc,Td,Kh,9h,Ks", "Ac,Tc,Td,Kh,9h,Ks", "9s"),
    ],
)
def test_counting_fills_in(line: str, opp: str, stock: str) -> None:
    position = Position.parse(line)
    assert cards_text(position.opp) == opp
    assert ",".join("?" if card is None else cards_text([card]) for card in position.stock) == stock


def test_canonical_leaves_out_what_other_keys_imply() -> None:
    full = "opp=Ac,Tc,Td,Kh,9h,Ks"
    assert Position.parse(f"{TALON_2} {full}").text == TALON_2.replace(" points", " stock=9s points")
    assert Position.parse(f"{TALON_2} opp=Ks not=9c,Kd,Jh stock=?").text == TALON_2.replace(" points", " opp=Ks points")
    led = "rules=pl up=Ad hand=Tc,Jc,Ah,Kh,Qh,9s led=Kd+40 stock=9d points=0-40"
    assert Position.parse(led + " opp=Qd").text == led
    assert Position.parse(led + " opp=Qd,Js").text == led.replace(" stock", " opp=Js stock")


def test_excluded_keeps_unseen_cards_only() -> None:
    position = Position.parse("up=Ad hand=AKQh,9s,TJc not=Ah,Ad,Ac,Kc stock=Kc")
    assert cards_text(position.excluded) == "Ac"


# --- the card led --------------------------------------------------------------------------------


def test_declared_lead_shows_the_partner() -> None:
    position = Position.parse("rules=pl up=Ad hand=AKQh,9s,TJc led=Qs+20 stock=9d points=0-20")
    assert position.opp == (parse_card("Ks"),)
    assert (position.led_declared, position.led_value, position.on_lead, position.first) == (True, 20, False, OPP)


@pytest.mark.parametrize(
    ("line", "declared"),
    [
        ("rules=pl up=Ad hand=AKQh,9s,TJc led=Kd stock=9d points=0-40", True),
        ("rules=pl up=Ad hand=AKQh,9s,TJc led=Kd stock=9d", False),
        ("rules=schnapsen up=Th hand=Ac,Ad,Kd,As,Ks led=Kh pending=0-40 closed=opp", True),
        # The queen of diamonds is gone: the 20 points can be that marriage, so this king is plain.
        ("rules=ro up=Th hand=Ac,Tc,9d,As,Ts,9s led=Kc gone=Ad,Qd,Jc,Js points=0-38 tricks=0-2", False),
        ("rules=ro up=Th hand=Ac,Tc,Kd,As,Ts,9s led=Kc gone=Ad,Qd,Jc,Js points=0-38 tricks=0-2", True),
    ],
)
def test_plain_king_counts_as_declared_only_when_nothing_else_explains_the_points(line: str, declared: bool) -> None:
    position = Position.parse(line)
    assert position.led_declared == declared
    assert ("+" in position.text) == declared


# --- tricks and the closing's note -----------------------------------------------------------------

NO_TRICKS_SAID = "rules=ro up=Jh hand=Ad,9d,Th,Kc,Qc,Jc gone="


@pytest.mark.parametrize(
    ("rest", "tricks"),
    [
        ("Ac,9c points=11-0", (1, 0)),
        ("Ac,9c,Td,Jd points=23-0", (2, 0)),
        ("Ac,9c,Td,Jd points=12-11", (1, 1)),
        ("As,Ts,Td,Kd points=35-0", (2, 0)),
    ],
)
def test_tricks_are_inferred_when_forced(rest: str, tricks: tuple[int, int]) -> None:
    position = Position.parse(NO_TRICKS_SAID + rest)
    assert position.tricks == tricks
    assert f"tricks={tricks[0]}-{tricks[1]}" in position.text


def test_published_problems_need_no_tricks() -> None:
    for line in lines("problems"):
        position = Position.parse(line)
        assert sum(position.tricks) == len(position.gone) // 2, line


CLOSED = "rules=schnapsen up=Jh hand=Ac gone=Kc,Qc,Jc,Ad,Td,Kd,Qd,Ah,Th,Kh,Qh,As,Ts,Ks,Qs,Js points=42-53 tricks=4-4"


def test_closing_note() -> None:
    assert Position.parse(CLOSED + " closed=me@20/2").closed == Closing(ME, 20, 2)
    just_closed = "rules=schnapsen up=Jh hand=Tc,Qc,Jd,Ah,As gone=Ad,Kd,Qd,Th,Qh,Ts,Qs,Js points=25-21 closed=me"
    assert Position.parse(just_closed).closed == Closing(ME, 21, 2)
    unused = CLOSED.replace("schnapsen", "schnapsen+failed_close:two+snapshot_at_close:no") + " closed=me"
    assert Position.parse(unused).closed == Closing(ME)
    assert Position.parse(unused).text.endswith(" closed=me")


# --- deals and states ----------------------------------------------------------------------------


def test_state_packing() -> None:
    deal = Deal.parse(
        "rules=schnapsen up=Ah hand=Kc,Ad,Jd,Qs gone=Qd,Th,Ks,Js opp=Ac,Tc,Jc,Kd stock=Qh,Td,Qc,Kh,Jh,As,Ts "
        "points=39-0 pending=0-20 tricks=2-0 closed=me@0/0"
    )
    state = deal.state()
    assert state[: layout.S_STOCK] == (
        mask_of(parse_cards("Kc,Ad,Jd,Qs")),
        mask_of(parse_cards("Ac,Tc,Jc,Kd")),
        *(0, layout.NO_CARD, 39, 0, 0, 20, 2, 0, 0, 0, 0, 2, parse_card("Ah"), 8, 0, 0),
    )
    assert state[layout.S_STOCK :] == (*reversed(parse_cards("Qh,Td,Qc,Kh,Jh,As,Ts")), *[layout.NO_CARD] * 4)
    assert state[layout.S_STOCK + state[layout.S_TALON] - 2] == parse_card("Qh")


def test_state_of_a_follower_without_talon() -> None:
    state = Deal.parse(
        "rules=ro trump=c hand=Tc,Qc,Td,Kh led=9c gone=Ac,Jc,Ad,Kd,Qd,Jd,9d,Ah,Th,Qh,Jh,9h,As,Qs,Js,9s points=60-35 "
        "tricks=6-2"
    ).state()
    assert (state[layout.S_LEADER], state[layout.S_LED]) == (1, parse_card("9c"))
    assert (state[layout.S_UP], state[layout.S_TALON]) == (layout.NO_CARD, 0)
    assert state[layout.S_CLOSER] == layout.NOBODY
    assert cards_of(state[layout.S_HAND1]) == parse_cards("Kc,Ts,Ks")


def test_template_keeps_the_unknown_open() -> None:
    state = Position.parse("rules=pl up=Ad hand=AKQh,9s,TJc led=Qs+20 stock=9d points=0-20").state_template()
    assert state[layout.S_HAND1] == mask_of(parse_cards("Ks"))
    assert state[layout.S_STOCK :] == (*[layout.NO_CARD] * 10, parse_card("9d"))


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("hand=AKQh,9s,TJc up=Ad", "opp"),
        ("hand=AKQh,9s,TJc up=Ad opp=AKQs,TJ9d", "stock"),
        ("hand=AKQh,9s,TJc up=Ad closed=me", "opp"),
        (TALON_2, "opp"),
    ],
)
def test_deals_must_be_complete(line: str, key: str) -> None:
    with pytest.raises(PositionError) as error:
        Deal.parse(line)
    assert error.value.key == key


def test_closed_deals_need_no_stock() -> None:
    assert Deal.parse("hand=AKQh,9s,TJc up=Ad opp=AKQs,TJ9d closed=me").state()[layout.S_TALON] == 12


def test_replace_checks_again() -> None:
    position = Position.parse(END)
    assert position.replace(points=(41, 28), tricks=(4, 3)).points == (41, 28)
    with pytest.raises(PositionError, match="points: 28-42 make 70"):
        position.replace(points=(28, 42))
    with pytest.raises(PositionError, match="no number is below 0"):
        position.replace(points=(-1, 70))
