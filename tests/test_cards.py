"""Cards and their text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sixtysix.cards import (
    CARD_COUNT,
    CardError,
    canonical,
    card_text,
    cards_of,
    cards_text,
    full_deck,
    make_card,
    mask_of,
    parse_card,
    parse_cards,
    parse_suit,
    partner_of,
    points_of,
    rank_of,
    suit_of,
    symbol_text,
    total_points,
)

some_cards = st.lists(st.integers(0, CARD_COUNT - 1), unique=True)


def test_index_is_six_times_suit_plus_rank() -> None:
    assert [parse_card(text) for text in ("9c", "Ac", "9d", "Kh", "As")] == [0, 5, 6, 15, 23]
    assert (suit_of(15), rank_of(15), points_of(15)) == (2, 3, 4)
    assert make_card(2, 3) == 15


@pytest.mark.parametrize(
    "text",
    ["Ah,Kh,Qh", "AKQh", "akqH", "Ah Kh Qh", "AhKhQh", "A♥K♥Q♥", "AKQ♥", "A♥\ufe0f,KQ♡", " ,Ah,,Kh , Qh, "],
)
def test_ways_to_write_three_cards(text: str) -> None:
    assert cards_text(parse_cards(text)) == "Ah,Kh,Qh"


@pytest.mark.parametrize("text", ["10d", "Td", "td", "10♦", "T♢"])
def test_ways_to_write_a_ten(text: str) -> None:
    assert card_text(parse_card(text)) == "Td"


def test_ten_inside_a_run() -> None:
    assert cards_text(parse_cards("A10K9h10s")) == "Ah,Th,Kh,9h,Ts"


def test_order_typed_is_kept_and_canonical_sorts() -> None:
    cards = parse_cards("9s,TJc,Ah")
    assert cards_text(cards) == "9s,Tc,Jc,Ah"
    assert cards_text(canonical(cards)) == "Tc,Jc,Ah,9s"


def test_nothing_is_no_card() -> None:
    assert parse_cards(" , ") == ()


@pytest.mark.parametrize("text", ["A", "h", "hA", "Ax", "1h", "0h", "8h", "A-h", "Ah;Kh", "10", "AhK", "\x00"])
def test_unreadable_cards_are_named(text: str) -> None:
    with pytest.raises(CardError, match="is no card"):
        parse_cards(text)


@pytest.mark.parametrize("text", ["", "AhKh", "AKh"])
def test_one_card_is_due(text: str) -> None:
    with pytest.raises(CardError, match="where one card is due"):
        parse_card(text)


def test_errors_show_long_and_odd_text_safely() -> None:
    with pytest.raises(CardError) as error:
        parse_cards("\x1b[31m\n" * 30_000)
    assert str(error.value).startswith(r"\x1b[31m\n")
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(("text", "suit"), [("c", 0), ("D", 1), ("♥", 2), ("♠\ufe0f", 3)])
def test_suits(text: str, suit: int) -> None:
    assert parse_suit(text) == suit


@pytest.mark.parametrize("text", ["", "x", "cd", "hearts"])
def test_no_suits(text: str) -> None:
    with pytest.raises(CardError, match="is no suit"):
        parse_suit(text)


@pytest.mark.parametrize("deck", [20, 24])
def test_each_deck_holds_120_points(deck: int) -> None:
    cards = full_deck(deck)
    assert len(set(cards)) == deck
    assert total_points(cards) == 120
    assert canonical(cards) == cards


def test_partners() -> None:
    assert partner_of(parse_card("Kh")) == parse_card("Qh")
    assert partner_of(parse_card("Qs")) == parse_card("Ks")
    with pytest.raises(ValueError, match="Ah is neither"):
        partner_of(parse_card("Ah"))


@given(some_cards)
def test_text_round_trip(cards: list[int]) -> None:
    assert parse_cards(cards_text(cards)) == tuple(cards)
    assert parse_cards(" ".join(map(symbol_text, cards))) == tuple(cards)


@given(some_cards)
def test_mask_round_trip(cards: list[int]) -> None:
    assert cards_of(mask_of(cards)) == canonical(cards)
