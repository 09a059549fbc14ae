"""Turns, and the forms in which positions are typed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sixtysix.cards import CARD_COUNT, KING, QUEEN, parse_card, rank_of
from sixtysix.notation import Turn, TurnError
from sixtysix.position import Position, PositionError
from sixtysix.rules import Rules

START = "rules=ro up=Ad hand=Tc,Jc,Ah,Kh,Qh,9s"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Ah", "Ah"),
        ("10h", "Th"),
        ("a♥", "Ah"),
        ("kh+20", "Kh+20"),
        ("exchange,close,Ks+40", "exchange, close, Ks+40"),
        ("  EXCHANGE   qs+40 ", "exchange, Qs+40"),
        ("close Ah", "close, Ah"),
    ],
)
def test_turns(text: str, canonical: str) -> None:
    assert Turn.parse(text).text == canonical


def test_turn_fields() -> None:
    assert Turn.parse("exchange, close, Ks+40") == Turn(True, True, parse_card("Ks"), 40)
    assert Turn.parse("Ks") == Turn(False, False, parse_card("Ks"), 0)
    assert Turn.parse("close, Ks+40").pretty == "close, K♠+40"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "close",
        "close, exchange, Ah",
        "exchange, exchange, Ah",
        "Ah Kh",
        "Ah+20",
        "Kh+30",
        "Kh+",
        "x" * 9999,
        "\x00",
    ],
)
def test_no_turns(text: str) -> None:
    with pytest.raises(TurnError) as error:
        Turn.parse(text)
    assert len(str(error.value)) < 250
    assert str(error.value).isprintable()


@given(st.booleans(), st.booleans(), st.integers(0, CARD_COUNT - 1), st.sampled_from([0, 20, 40]))
def test_turn_round_trip(exchange: bool, close: bool, card: int, value: int) -> None:
    if rank_of(card) not in (QUEEN, KING):
        value = 0
    turn = Turn(exchange, close, card, value)
    assert Turn.parse(turn.text) == turn
    assert Turn.parse(turn.pretty) == turn


@pytest.mark.parametrize(
    "text",
    [
        "hand=AKQh,9s,TJc up=Ad",
        "up=ad HAND=akqh9s10Jc",
        "hand=AKQh 9s TJc up=A♦",
        "hand=A♥ K♥ Q♥, 9♠ 10♣ J♣ up=Ad gone= points=0-0 pending=0-0 tricks=0-0 first=me stock=?,?",
        "  rules=RO  up=Ad\thand=AKQh,9s,TJc  ",
        '{"hand": ["Ah", "kh", "Q♥", "9s", "10c", "Jc"], "up": "Ad"}',
        ' {"hand": ["Ah", "Kh", "Qh", "9s", "Tc", "Jc"], "up": "Ad", "trump": "d", "stock": [null], "points": [0, 0]}',
    ],
)
def test_ways_to_write_the_start_of_a_deal(text: str) -> None:
    position = Position.parse(text)
    assert position.text == START
    assert position == Position.parse(START)


def test_rules_come_from_the_text_else_the_default_and_are_overridden() -> None:
    line = START.removeprefix("rules=ro ")
    pl = Rules.preset_named("pl")
    assert Position.parse(line + " stock=9d", pl).rules == pl
    assert Position.parse(START, pl).rules.text == "ro"
    assert Position.parse(line, overrides={"failed_close": "two"}).rules.text == "ro+failed_close:two"
    assert Position.parse(START, overrides={"failed_close": "two"}).rules.text == "ro+failed_close:two"


def test_json_form() -> None:
    line = (
        "rules=schnapsen up=Ah hand=Kc,Ad,Jd,Qs gone=Qd,Th,Ks,Js opp=Ac,Kd stock=Qh,?,Jh points=39-0 pending=0-20 "
        "tricks=2-0 closed=me@0/0 shown=Qs not=9s first=opp score=3-6"
    ).replace("9s", "Ts")
    document = Position.parse(line).to_json()
    assert list(document) == [word.split("=")[0] for word in line.split()]
    assert document["stock"] == ["Qh", None, "Jh"]
    assert document["closed"] == {"by": "me", "points": 0, "tricks": 0}
    assert document["pending"] == [0, 20]
    assert Position.from_json(document).text == line
    assert Position.parse(json.dumps(document)).text == line


@pytest.mark.parametrize(
    ("text", "key", "words"),
    [
        ("", "position", "is empty"),
        ("  ", "position", "is empty"),
        ("Ah up=Ad", "position", "Ah is no key=value word"),
        ("hnad=Ah", "hnad", "unknown key (did you mean hand?)"),
        ("=Ah", "position", "unknown key"),
        ("hand=Ah hand=Kh", "hand", "is given twice"),
        ("hand=Ah HAND=Kh", "hand", "is given twice"),
        ("hand=AXh", "hand", "AXh is no card"),
        ("hand=Ah=Kh", "hand", "=Kh is no card"),
        ("up=Ad Kd", "up", "Kd is no key=value word"),
        ("up=Ad,Kd", "up", "Ad,Kd where one card is due"),
        ("up=", "up", "nothing where one card is due"),
        ("trump=x", "trump", "x is no suit"),
        ("led=Kh+30", "led", "Kh+30: a declared marriage is written Kh+20 or Kh+40"),
        ("points=20", "points", "20: write two numbers, me-opp"),
        ("points=-1-20", "points", "-1-20: write two numbers"),
        ("points=1-2-3", "points", "1-2-3: write two numbers"),
        ("points=1234-2", "points", "write two numbers"),
        ("points=1-2 3", "points", "3 is no key=value word"),
        ("points=١-٢", "points", "write two numbers"),
        ("closed=you", "closed", "you: write me, opp or, with the note, me@17/2"),
        ("closed=me@17", "closed", "me@17: write me, opp"),
        ("first=him", "first", "him: write me or opp"),
        ("rules=xx", "rules", "no preset xx"),
        ("rules=ro+deck:3", "rules", "deck cannot be 3: 24 or 20"),
        ("stock=?,Ax", "stock", "Ax is no card"),
        ("{", "position", "no valid JSON"),
        ('{"hand": []', "position", "no valid JSON"),
        ('{"hand": [], "hand": []}', "hand", "is given twice"),
        ('{"hand": [], "Hand": []}', "hand", "is given twice"),
        ('{"hnad": []}', "hnad", "unknown key (did you mean hand?)"),
        ('{"hand": "AKQh"}', "hand", '"AKQh": a list of cards is due'),
        ('{"hand": ["Ah", 3]}', "hand", "3 where a card is due"),
        ('{"hand": ["Ah", null]}', "hand", "null where a card is due"),
        ('{"hand": ["AKh"]}', "hand", "AKh where one card is due"),
        ('{"stock": [null, "Ax"]}', "stock", "Ax is no card"),
        ('{"up": 3}', "up", "3: a string is due"),
        ('{"rules": null}', "rules", "null: a string is due"),
        ('{"rules": "xx"}', "rules", "no preset xx"),
        ('{"points": "1-2"}', "points", "a list of two numbers is due, [me, opp]"),
        ('{"points": [1]}', "points", "a list of two numbers is due"),
        ('{"points": [1, 2.5]}', "points", "2.5: a whole number from 0 is due"),
        ('{"points": [true, 2]}', "points", "true: a whole number from 0 is due"),
        ('{"points": [-1, 2]}', "points", "-1: a whole number from 0 is due"),
        ('{"points": [NaN, 2]}', "points", "a whole number from 0 is due"),
        ('{"closed": "me"}', "closed", '"me": an object is due'),
        ('{"closed": {}}', "closed", "an object is due"),
        ('{"closed": {"by": "me", "points": 3}}', "closed", "an object is due"),
        ('{"closed": {"by": 1}}', "closed", "1: by is me or opp"),
        ('{"closed": {"by": "him"}}', "closed", "him: write me or opp"),
        ('{"closed": {"by": "me", "points": 3, "tricks": "2"}}', "closed", '"2": a whole number'),
        ('{"first": "him"}', "first", "him: write me or opp"),
    ],
)
def test_unreadable_positions_are_refused(text: str, key: str, words: str) -> None:
    with pytest.raises(PositionError) as error:
        Position.parse(text)
    assert error.value.key == key
    assert words in error.value.problem
    assert str(error.value) == f"{key}: {error.value.problem}"


@pytest.mark.parametrize("document", [None, 3, [], "hand=Ah"])
def test_json_that_is_no_object(document: object) -> None:
    with pytest.raises(PositionError, match="a JSON position is an object"):
        Position.from_json(document)  # type: ignore[arg-type]


HUGE = 100_000


@pytest.mark.parametrize(
    "text",
    [
        "x" * HUGE,
        "hand=" + "x" * HUGE,
        "hand=" + "Ah," * (HUGE // 3),
        "hand=" + "10" * (HUGE // 2),
        "hand " * (HUGE // 5),
        "hand=Ah " * (HUGE // 8),
        "a=b " * (HUGE // 4),
        "points=" + "9" * HUGE,
        "stock=" + "?" * HUGE,
        "rules=" + "+deck:20" * (HUGE // 8),
        "hand=" + "\x00\x1b[31m\x07" * (HUGE // 7),
        "hand=A\ud800",
        "♥=♥",
        "{" * HUGE,
        '{"hand": ' + "[" * HUGE,
        '{"points": [' + "9" * HUGE + ", 1]}",
        '{"points": [1e999, 1]}',
        '{"hand": ["' + "x" * HUGE + '"]}',
        '{"closed": {"by": "' + "x" * HUGE + '"}}',
    ],
)
def test_monstrous_input_gets_a_short_printable_line(text: str) -> None:
    with pytest.raises(PositionError) as error:
        Position.parse(text)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 400


@given(st.text())
def test_any_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(PositionError) as error:
        Position.parse(text)
    assert str(error.value).isprintable()
