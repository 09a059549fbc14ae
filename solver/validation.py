"""Checks of a position: where the cards are, which sizes follow, and what the rules allow.

Every check raises PositionError with one line. What counting forces is filled in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .cards import (
    KING,
    QUEEN,
    SUITS,
    Cards,
    canonical,
    card_text,
    full_deck,
    partner_of,
    rank_of,
    suit_of,
)
from .claims import ME, OPP, SIDES, Claims, PositionError


@dataclass(frozen=True, slots=True)
class Sizes:
    """What the numbers of cards tell.

    `talon` counts the upcard and stays as it was after a closing; `tricks` are the tricks played, `drawn` those
    after which cards were drawn; `opp_cards` are the cards the opponent holds.
    """

    talon: int
    tricks: int
    drawn: int
    opp_cards: int

    @property
    def stock(self) -> int:
        """Cards of the talon without the upcard."""
        return max(0, self.talon - 1)

    def still_drawing(self, claims: Claims) -> bool:
        """Tell whether cards are still drawn: the talon is neither gone nor closed."""
        return self.talon > 0 and claims.closed is None


# --- cards ------------------------------------------------------------------------------------


def check_cards(claims: Claims) -> None:
    """Refuse cards that are not in the deck, and cards that are in two places."""
    if not claims.hand:
        raise PositionError("hand", "is missing: give your cards, such as hand=AKQh,9s,TJc")
    deck = set(full_deck(claims.rules.deck))
    home: dict[int, str] = {}
    for key, cards in _places(claims):
        for card in cards:
            if card not in deck:
                raise PositionError(key, f"{card_text(card)} is not in the deck of {claims.rules.deck}")
            if card in home:
                where = "twice" if home[card] == key else f"here and in {home[card]}"
                raise PositionError(key, f"{card_text(card)} is given {where}: each card is in one place")
            home[card] = key
    _check_marks(claims, deck, home)


def _check_marks(claims: Claims, deck: set[int], home: Mapping[int, str]) -> None:
    """Refuse `shown` and `not` where they disagree with the places of the cards, given by key in `home`."""
    for key, cards in (("shown", claims.shown), ("not", claims.excluded)):
        for index, card in enumerate(cards):
            if card not in deck:
                raise PositionError(key, f"{card_text(card)} is not in the deck of {claims.rules.deck}")
            if card in cards[:index]:
                raise PositionError(key, f"{card_text(card)} is given twice")
            if key == "shown" and home.get(card) != "hand":
                raise PositionError(key, f"{card_text(card)} is not in your hand: shown names cards of yours")
            if key == "not" and home.get(card) == "opp":
                raise PositionError(key, f"{card_text(card)} is in opp: the opponent is known to hold it")


def _places(claims: Claims) -> list[tuple[str, Cards]]:
    """Return the cards whose place is said, by key."""
    return [
        ("hand", claims.hand),
        ("up", _optional(claims.up)),
        ("led", _optional(claims.led)),
        ("gone", claims.gone),
        ("opp", claims.opp),
        ("stock", tuple(card for card in claims.stock if card is not None)),
    ]


def _optional(card: int | None) -> Cards:
    return () if card is None else (card,)


# --- sizes ------------------------------------------------------------------------------------


def sizes_of(claims: Claims) -> Sizes:
    """Return the sizes that follow from the numbers of cards, or refuse them."""
    if len(claims.gone) % 2:
        raise PositionError("gone", f"{_count(claims.gone)}: an even number is due, tricks have two cards each")
    held, tricks = len(claims.hand), len(claims.gone) // 2
    drawn = _drawn_open(claims, tricks) if claims.closed is None else _drawn_closed(claims, tricks)
    talon = claims.rules.first_talon - 2 * drawn
    return Sizes(talon, tricks, drawn, held - (claims.led is not None))


def _drawn_open(claims: Claims, tricks: int) -> int:
    """Return after how many tricks cards were drawn, when nobody has closed."""
    drawn = min(tricks, claims.rules.first_talon // 2)
    due = claims.rules.hand_size - (tricks - drawn)
    if len(claims.hand) != due:
        closable = len(claims.hand) < due and tricks > 0
        hint = " (fewer only after a closing, closed=)" if closable else ""
        raise PositionError("hand", f"{_count(claims.hand)}: {due} are due after {_tricks(tricks)}{hint}")
    return drawn


def _drawn_closed(claims: Claims, tricks: int) -> int:
    """Return after how many tricks cards were drawn, when somebody has closed."""
    full, held = claims.rules.hand_size, len(claims.hand)
    latest = claims.rules.first_talon // 2 - 1
    drawn = tricks - (full - held)
    if held > full or drawn < 0:
        raise PositionError(
            "hand", f"{_count(claims.hand)}: {max(1, full - tricks)} to {full} are due after {_tricks(tricks)}"
        )
    if drawn > latest:
        raise PositionError("closed", f"the talon was gone after {latest + 1} tricks, it cannot have been closed")
    return drawn


def _count(cards: Cards) -> str:
    return f"{len(cards)} card{'s' * (len(cards) != 1)}"


def _tricks(number: int) -> str:
    return f"{number} gone trick{'s' * (number != 1)}"


# --- trump, upcard, stock ---------------------------------------------------------------------


def trump_of(claims: Claims, sizes: Sizes) -> int:
    """Return the trump suit, or refuse what `up` and `trump` say."""
    if sizes.talon == 0:
        return _trump_said(claims)
    if claims.up is None:
        raise PositionError("up", f"is missing: the talon has {sizes.talon} cards, give the face-up one under it")
    trump = suit_of(claims.up)
    if claims.trump is not None and claims.trump != trump:
        raise PositionError("trump", f"{SUITS[claims.trump]}: up={card_text(claims.up)} makes it {SUITS[trump]}")
    return trump


def _trump_said(claims: Claims) -> int:
    """Return the trump suit once the talon is gone."""
    if claims.up is not None:
        suit = SUITS[suit_of(claims.up)]
        raise PositionError("up", f"{card_text(claims.up)}: the talon is gone, give trump={suit} instead")
    if claims.trump is None:
        raise PositionError("trump", "is missing: once the talon is gone give the trump suit, such as trump=h")
    return claims.trump


def check_stock(claims: Claims, sizes: Sizes) -> None:
    """Refuse a stock that is longer than the talon leaves."""
    if len(claims.stock) > sizes.stock:
        raise PositionError("stock", f"{len(claims.stock)} given: the stock has {sizes.stock}")


def check_stock_top(claims: Claims, sizes: Sizes) -> None:
    """Refuse an unknown top of the stock where the rules turn it face up."""
    if claims.rules.stock_top_face_up and claims.closed is None and sizes.stock and claims.stock[0] is None:
        raise PositionError("stock", "its top lies face up in these rules: give it, such as stock=Td")


# --- the card led ------------------------------------------------------------------------------


def declared_lead(claims: Claims, sizes: Sizes, trump: int) -> Claims:
    """Return the claims with the lead taken as a declared marriage: the opponent holds the other card.

    Raises PositionError if he cannot have declared it.
    """
    card = claims.led
    assert card is not None
    value = marriage_value(suit_of(card), trump)
    words = f"{card_text(card)}+{claims.led_value or value}"
    if rank_of(card) not in (QUEEN, KING):
        raise PositionError("led", f"{words}: only a king or a queen declares a marriage")
    if claims.led_value not in (0, value):
        raise PositionError("led", f"{words}: this marriage is worth {value}, trumps are {SUITS[trump]}")
    _check_marriage_time(claims, sizes, words)
    partner = partner_of(card)
    for key, cards in [*_places(claims), ("not", claims.excluded)]:
        if partner in cards and key != "opp":
            raise PositionError("led", f"{words}: {card_text(partner)} is in {key}, the opponent cannot hold it")
    opp = canonical({*claims.opp, partner})
    if len(opp) > sizes.opp_cards >= len(claims.opp):
        raise PositionError("led", f"{words}: he must hold {card_text(partner)}, but opp names all his cards")
    return replace(claims, opp=opp, led_value=value)


def marriage_value(suit: int, trump: int) -> int:
    """Return what a marriage is worth: 40 in trumps, 20 otherwise."""
    return 40 if suit == trump else 20


def _check_marriage_time(claims: Claims, sizes: Sizes, words: str) -> None:
    rules = claims.rules
    if rules.marriage_from == "after_own_trick" and sizes.tricks == 0:
        raise PositionError("led", f"{words}: these rules allow a marriage only after a trick of one's own")
    if not rules.marriage_in_endgame and (sizes.talon == 0 or claims.closed is not None):
        raise PositionError("led", f"{words}: these rules allow no marriage once no card is drawn")


# --- the opponent's hand and the stock -----------------------------------------------------------


def fill_in(claims: Claims, sizes: Sizes) -> Claims:
    """Return the claims with every place filled in that counting forces.

    The stock gets its full length, `excluded` keeps unseen cards only. Raises PositionError if the
    opponent would hold too many cards, or could not hold enough.
    """
    claims = replace(claims, stock=claims.stock + (None,) * (sizes.stock - len(claims.stock)))
    unseen = unseen_cards(claims)
    need = sizes.opp_cards - len(claims.opp)
    if need < 0:
        raise PositionError("opp", f"{_count(claims.opp)}: the opponent holds {sizes.opp_cards}")
    possible = [card for card in unseen if card not in claims.excluded]
    if need > len(possible):
        raise PositionError(
            "not", f"leaves {len(possible)} unseen cards, the opponent holds {need} of them: name fewer"
        )
    if need in (0, len(possible)):
        claims = replace(claims, opp=canonical(claims.opp + tuple(possible[:need])))
        unseen = unseen_cards(claims)
        need = 0
        if len(unseen) == 1:
            claims = replace(claims, stock=tuple(unseen[0] if card is None else card for card in claims.stock))
    excluded = tuple(card for card in unseen if card in claims.excluded) if need else ()
    return replace(claims, opp=canonical(claims.opp), excluded=excluded)


def unseen_cards(claims: Claims) -> Cards:
    """Return the cards whose place is unknown, in canonical order."""
    seen = {card for _, cards in _places(claims) for card in cards}
    return tuple(card for card in full_deck(claims.rules.deck) if card not in seen)


# --- closing, match ------------------------------------------------------------------------------


def check_closing(claims: Claims, sizes: Sizes) -> None:
    """Refuse a closing that the rules or the moment forbid."""
    if claims.closed is None:
        return
    side, rules = SIDES[claims.closed.by], claims.rules
    if sizes.talon < rules.close_min_talon:
        raise PositionError(
            "closed", f"{side}: the talon has {sizes.talon} cards, these rules ask for {rules.close_min_talon}"
        )
    if rules.close_needs_trick and sizes.drawn == 0:
        raise PositionError("closed", f"{side}: these rules ask for a trick before closing")
    to_lead = ME if claims.led is None else OPP
    if sizes.drawn == sizes.tricks and claims.closed.by != to_lead:
        raise PositionError(
            "closed", f"{side}: no trick was played since, so it was {SIDES[to_lead]} who led and could close"
        )


def check_closer(claims: Claims, sizes: Sizes) -> None:
    """Refuse a closer who cannot have been on lead when he closed; the tricks are known by now."""
    if claims.closed is None:
        return
    by, tricks = claims.closed.by, claims.tricks
    assert tricks is not None
    if sizes.drawn and tricks[by] == 0:
        raise PositionError(
            "closed", f"{SIDES[by]}: who closes after a trick has won one, but tricks are {tricks[0]}-{tricks[1]}"
        )
    if sizes.drawn == 0 and claims.first is not None and claims.first != by:
        raise PositionError(
            "closed", f"{SIDES[by]}: closed before the first trick, to which {SIDES[claims.first]} led (first)"
        )


def check_shown(claims: Claims, sizes: Sizes, trump: int) -> None:
    """Refuse cards shown before the first trick, but for the one that I have just taken for the lowest trump."""
    if not claims.shown or sizes.tricks:
        return
    exchanged = claims.led is None and claims.up is not None and rank_of(claims.up) == claims.rules.lowest_rank
    if not exchanged or len(claims.shown) > 1 or suit_of(claims.shown[0]) != trump:
        raise PositionError("shown", f"{card_text(claims.shown[-1])}: before the first trick you have not shown it")


def check_match(claims: Claims, sizes: Sizes) -> None:
    """Refuse a first leader that cannot be, and a match that is over."""
    if sizes.tricks == 0 and claims.first is not None:
        leader = ME if claims.led is None else OPP
        if claims.first != leader:
            raise PositionError("first", f"{SIDES[claims.first]}: this is the first trick, {SIDES[leader]} led to it")
    if claims.score is not None:
        check_score(claims.score, claims.rules.match_target)


def check_score(score: tuple[int, int], target: int) -> None:
    """Refuse a match score that cannot be while a deal is played."""
    if not 0 <= min(score) <= max(score) < target:
        raise PositionError(
            "score",
            f"{score[0]}-{score[1]}: game points from 0 to {target - 1}, the match is over at {target}",
        )
