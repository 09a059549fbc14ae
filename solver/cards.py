"""Cards and sets of cards, and their text.

A card is an index 0..23: six times its suit (clubs, diamonds, hearts, spades) plus its rank
(nine, jack, queen, king, ten, ace). A set of cards is a tuple of them, or a bit mask.
"""

import re
from collections.abc import Iterable
from functools import cache

from .echo import quoted

SUITS = "cdhs"
RANKS = "9JQKTA"
SUIT_SYMBOLS = "♣♦♥♠"
RANK_COUNT = len(RANKS)
CARD_COUNT = RANK_COUNT * len(SUITS)
CARD_POINTS = (0, 2, 3, 4, 10, 11)
"""Card points by rank."""

NINE, JACK, QUEEN, KING, TEN, ACE = range(RANK_COUNT)

Cards = tuple[int, ...]

_SUIT_OF_SIGN = {sign: suit for signs in (SUITS, SUIT_SYMBOLS, "♧♢♡♤") for suit, sign in enumerate(signs)}
_RUN = re.compile(r"((?:10|[9jqkta])+)([cdhs♣♦♥♠♧♢♡♤])\ufe0f?", re.IGNORECASE)
_SEPARATOR = re.compile(r"[,\s]*")


class CardError(ValueError):
    """A text that is no card or no list of cards."""


def make_card(suit: int, rank: int) -> int:
    """Return the card of a suit (0..3) and a rank (0..5)."""
    return RANK_COUNT * suit + rank


def suit_of(card: int) -> int:
    """Return the suit of a card, 0..3 for clubs, diamonds, hearts, spades."""
    return card // RANK_COUNT


def rank_of(card: int) -> int:
    """Return the rank of a card, 0..5 for 9, J, Q, K, T, A."""
    return card % RANK_COUNT


def points_of(card: int) -> int:
    """Return the card points of a card, 0..11."""
    return CARD_POINTS[rank_of(card)]


@cache
def full_deck(deck: int) -> Cards:
    """Return the cards of the deck of 24, or of the deck of 20 that has no nines."""
    return tuple(card for card in canonical(range(CARD_COUNT)) if deck == CARD_COUNT or rank_of(card) != NINE)


def partner_of(card: int) -> int:
    """Return the queen of a king's suit and the king of a queen's.

    Raises ValueError for any other card.
    """
    if rank_of(card) not in (QUEEN, KING):
        raise ValueError(f"{card_text(card)} is neither a king nor a queen")
    return make_card(suit_of(card), QUEEN + KING - rank_of(card))


def parse_cards(text: str) -> Cards:
    """Return the cards of a text such as `AKQh,9s TJc`, in the order typed.

    Raises CardError naming the part that cannot be read.
    """
    cards: list[int] = []
    position = _end_of_separator(text, 0)
    while position < len(text):
        run = _RUN.match(text, position)
        if run is None:
            raise CardError(
                f"{quoted(text[position:])} is no card: write a rank of A K Q J T 9, then a suit of c d h s"
            )
        suit = _SUIT_OF_SIGN[run[2].lower()]
        ranks = run[1].upper().replace("10", "T")
        cards.extend(make_card(suit, RANKS.index(rank)) for rank in ranks)
        position = _end_of_separator(text, run.end())
    return tuple(cards)


def parse_card(text: str) -> int:
    """Return the one card of a text such as `Ah` or `10♦`.

    Raises CardError if the text is anything else.
    """
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError(f"{quoted(text) or 'nothing'} where one card is due")
    return cards[0]


def parse_suit(text: str) -> int:
    """Return the suit of a text such as `h` or `♥`.

    Raises CardError if the text is anything else.
    """
    sign = text.strip().rstrip("\ufe0f").lower()
    if sign not in _SUIT_OF_SIGN:
        raise CardError(f"{quoted(text) or 'nothing'} is no suit: write c, d, h or s")
    return _SUIT_OF_SIGN[sign]


def card_text(card: int) -> str:
    """Return a card as `Ah`."""
    return RANKS[rank_of(card)] + SUITS[suit_of(card)]


def cards_text(cards: Iterable[int]) -> str:
    """Return cards as `Ah,Kh`, in the order given."""
    return ",".join(map(card_text, cards))


def symbol_text(card: int) -> str:
    """Return a card with its suit symbol, as `A♥`."""
    return RANKS[rank_of(card)] + SUIT_SYMBOLS[suit_of(card)]


def canonical(cards: Iterable[int]) -> Cards:
    """Return the cards sorted as they are printed: suits c d h s, ranks high to low."""
    return tuple(sorted(cards, key=lambda card: (suit_of(card), -rank_of(card))))


def mask_of(cards: Iterable[int]) -> int:
    """Return the bit mask of a set of cards: bit `card` is set for each."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> Cards:
    """Return the cards of a bit mask in canonical order."""
    return canonical(card for card in range(CARD_COUNT) if mask >> card & 1)


def total_points(cards: Iterable[int]) -> int:
    """Return the card points of several cards together."""
    return sum(map(points_of, cards))


def _end_of_separator(text: str, start: int) -> int:
    """Return where the commas and spaces that begin at `start` end."""
    separator = _SEPARATOR.match(text, start)
    return separator.end() if separator else start
