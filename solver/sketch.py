"""A recorded deal of which some cards are unknown: checked turn by turn, and filled in so that it can be played again.

Every card that the record does not tell has a placeholder, a number from `UNKNOWN` on that stands for its place in the
pack. The kernel moves placeholders like cards. When a player shows a card that nobody has placed yet, one of the
placeholders in his hand turns out to be that card. What he showed earlier limits what he can show later: a reply that
the rules allowed only without a card proves that he did not hold it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np

from .cards import CARD_COUNT, Cards, card_text, cards_of, full_deck, make_card, partner_of
from .dealing import state_of_pack
from .kernel.layout import (
    NO_CARD,
    NOBODY,
    S_CLOSER,
    S_HAND0,
    S_LEADER,
    S_LED,
    S_OUTCOME,
    S_OVER,
    S_POINTS0,
    S_TALON,
    S_TRUMP,
    S_UP,
)
from .notation import Turn
from .reasons import why_not
from .rules import Rules
from .table import proofs_of
from .turns import code_of

UNKNOWN = CARD_COUNT
REAL = (1 << CARD_COUNT) - 1

Hand = Cards | None
Stock = Sequence[int | None]


class Impossible(ValueError):
    """A deal or a turn that cannot have been: why, in one line."""


class Sketch:
    """A deal on record, seat 0 leading to its first trick; `names` are what messages call the seats.

    A player whose hand is known must know what he has drawn whenever he is to move. With `hindsight` that may turn out
    later, from what he plays; `blind` then tells that it was needed, and `stock` what has turned out.
    """

    def __init__(
        self,
        rules: Rules,
        hands: tuple[Hand, Hand],
        up: int,
        stock: Stock,
        names: tuple[str, str],
        hindsight: bool = False,
    ) -> None:
        """Begin before the first trick. `stock` runs from the top and may be cut short.

        Raises Impossible for cards that cannot have been dealt like this.
        """
        self.rules, self.names = rules, names
        self.blind = False
        self._hindsight = hindsight
        self.known = tuple(hand is not None for hand in hands)
        self._pack = _pack_of(rules, hands, up, stock, names)
        self._packed = np.array(rules.packed(), np.int64)
        self._state = state_of_pack(rules, self._pack)
        self._found: dict[int, int] = {}  # what placeholders turned out to be
        self._told: set[int] = set()  # those of which that is certain, and no choice among several
        self._gone: dict[int, int] = {}  # cards played, with the number of their trick
        self._lacking: tuple[dict[int, str], dict[int, str]] = ({}, {})  # by seat: cards, with the reply that proves it
        self._late: tuple[dict[int, int], dict[int, int]] = ({}, {})  # by seat: placeholders drawn, with their trick
        self._drawn: tuple[int, ...] = ()  # the cards or placeholders drawn after the last trick, the winner's first
        self.trick = 1

    # --- what is the case ---

    @property
    def mover(self) -> int:
        """The seat whose turn it is."""
        return int(self._state[S_LEADER]) ^ int(self._state[S_LED] != NO_CARD)

    @property
    def over(self) -> bool:
        """Whether the deal is decided."""
        return bool(self._state[S_OVER])

    @property
    def outcome(self) -> int:
        """What a decided deal is worth to seat 0: -3 to 3 game points."""
        return int(self._state[S_OUTCOME])

    @property
    def points(self) -> tuple[int, int]:
        """The counted card points, by seat."""
        return int(self._state[S_POINTS0]), int(self._state[S_POINTS0 + 1])

    @property
    def stock(self) -> tuple[int | None, ...]:
        """The whole stock from the top as dealt, with what has turned out since."""
        places = self._pack[: 2 * self.rules.hand_size : -1]
        return tuple(
            self._found[place] if place in self._told else place if place < UNKNOWN else None for place in places
        )

    def pack(self, seed: int = 0) -> list[int]:
        """Return a whole pack, in the order of `state_of_pack`, with which everything on record can have been.

        The seed chooses the cards that nobody has seen. Raises Impossible if there are none that fit.
        """
        pack = list(self._resolved(self._pack))
        rng = random.Random(seed)
        left = [card for card in full_deck(self.rules.deck) if card not in pack]
        rng.shuffle(left)
        placed = self._placed_in_hands(left)
        rest = iter(card for card in left if card not in placed.values())
        return [placed[card] if card in placed else next(rest) if card >= UNKNOWN else card for card in pack]

    def _resolved(self, cards: Sequence[int]) -> Iterator[int]:
        return (self._found.get(card, card) for card in cards)

    def _placed_in_hands(self, left: Sequence[int]) -> dict[int, int]:
        """Return cards for the placeholders that are still held, none that its holder was proved to lack."""
        owners: dict[int, int] = {}  # card: placeholder

        def place(unknown: int, seat: int, tried: set[int]) -> bool:
            """Find a card for a placeholder, moving others if need be (augmenting paths)."""
            for card in left:
                if card in tried or card in self._lacking[seat]:
                    continue
                tried.add(card)
                if card not in owners or place(owners[card], seats[owners[card]], tried):
                    owners[card] = unknown
                    return True
            return False

        seats = {unknown: seat for seat in (0, 1) for unknown in self._unknown_in_hand(seat)}
        for unknown, seat in seats.items():
            if not place(unknown, seat, set()):
                raise Impossible(f"no cards are left that {self.names[seat]} can hold beside those shown")
        return {unknown: card for card, unknown in owners.items()}

    def _hand(self, seat: int) -> int:
        return int(self._state[S_HAND0 + seat])

    def _unknown_in_hand(self, seat: int) -> list[int]:
        mask = self._hand(seat)
        return [place for place in range(UNKNOWN, 2 * UNKNOWN) if mask >> place & 1]

    # --- turns ---

    def play(self, turn: Turn) -> None:
        """Play a turn for the seat to move. Raises Impossible if it cannot have been; then the deal must be left."""
        from .kernel.alphabeta import play_turn

        if self.over:
            raise Impossible(f"the deal was over in trick {self.trick - 1}")
        mover, leading = self.mover, self._state[S_LED] == NO_CARD
        self._check_sight(mover)
        if turn.exchange:
            self._show(mover, make_card(int(self._state[S_TRUMP]), self.rules.lowest_rank))
        if turn.declared:
            self._show(mover, partner_of(turn.card), turn)
        self._show(mover, turn.card, turn)
        self._check_rules(mover, turn)
        if not leading and not self._drawing:
            proofs = cards_of(proofs_of(self.rules, self._state, mover, turn.card))
            self._lacking[mover].update(dict.fromkeys(proofs, f"{turn.text} in trick {self.trick}"))
        talon, up = int(self._state[S_TALON]), int(self._state[S_UP])
        play_turn(self._packed, self._state, code_of(turn))
        self._gone[turn.card] = self.trick
        self._drawn = ()
        if not leading:
            self._watch_draws(talon, up)
            self.trick += 1

    @property
    def _drawing(self) -> bool:
        return bool(self._state[S_TALON] > 0 and self._state[S_CLOSER] == NOBODY)

    def _show(self, seat: int, card: int, turn: Turn | None = None) -> None:
        """Let a seat show a card: it holds it, or one of its placeholders turns out to be that card."""
        if self._hand(seat) >> card & 1 or (turn is not None and turn.exchange and card == self._state[S_UP]):
            return
        self._check_free(seat, card)
        if card in self._lacking[seat]:
            proof = f"with it, {self._lacking[seat][card]} was not allowed"
            raise Impossible(f"{card_text(card)} cannot be in the hand of {self.names[seat]}: {proof}")
        unknown = self._unknown_in_hand(seat)
        if self.known[seat] and len(unknown) > 1:
            self._miss_draws(seat)
        if not unknown:
            held = ", ".join(map(card_text, cards_of(self._hand(seat) & REAL)))
            raise Impossible(f"{card_text(card)} is not in the hand of {self.names[seat]} ({held})")
        self._find(seat, unknown[0], card, certain=self.known[seat])

    def _check_free(self, seat: int, card: int) -> None:
        """Raise Impossible if a card that a seat shows or draws is known to be elsewhere."""
        text = card_text(card)
        if card not in full_deck(self.rules.deck):
            raise Impossible(f"{text} is not in the deck of {self.rules.deck}")
        if card in self._gone:
            raise Impossible(f"{text} was played in trick {self._gone[card]}")
        if card == self._state[S_UP]:
            raise Impossible(f"{text} is the face-up card under the talon")
        if self._hand(1 - seat) >> card & 1:
            raise Impossible(f"{text} is in the hand of {self.names[1 - seat]}")
        if card in self._resolved(self._pack) and not self._hand(seat) >> card & 1:
            raise Impossible(f"{text} lies in the stock")

    def _find(self, seat: int, unknown: int, card: int, certain: bool) -> None:
        """Put a card in the place of a placeholder that a seat holds."""
        if certain:
            self._told.add(unknown)
        self._found[unknown] = card
        self._state[S_HAND0 + seat] ^= 1 << unknown | 1 << card
        self._late[seat].pop(unknown, None)

    def _check_rules(self, mover: int, turn: Turn) -> None:
        """Raise Impossible if the rules do not allow a turn; of an unknown hand they see what it has shown."""
        seen = self._state.copy()
        seen[S_HAND0 + mover] &= REAL
        reason = why_not(self.rules, seen, turn)
        if reason is not None:
            raise Impossible(reason)

    # --- draws ---

    def _watch_draws(self, talon: int, up: int) -> None:
        """Keep what has just been drawn; `talon` and `up` are those before."""
        if self._state[S_TALON] == talon:
            return
        winner, top = int(self._state[S_LEADER]), 2 * self.rules.hand_size + talon - 1
        self._drawn = (self._pack[top], up if talon == 2 else self._pack[top - 1])
        for seat, card in zip((winner, 1 - winner), self._drawn, strict=True):
            if card >= UNKNOWN and self.known[seat]:
                self._late[seat][card] = self.trick

    def draw(self, cards: Stock) -> None:
        """Note what was drawn after the trick just played, the winner's card first; None for a card not seen.

        One card alone is that of the only player whose hand is known, or of the winner where the loser drew the
        upcard. Raises Impossible if that cannot have been drawn.
        """
        if not self._drawn:
            raise Impossible("nothing is drawn here")
        winner = int(self._state[S_LEADER])
        if len(cards) == 1 and sum(self.known) == 1:
            cards = (*cards, None) if self.known[winner] else (None, *cards)
        elif len(cards) == 1 and self._state[S_TALON] > 0:
            raise Impossible("write both cards drawn, the winner's first, ? for an unknown one: +Kd,?")
        for seat, place, card in zip((winner, 1 - winner), self._drawn, cards, strict=False):
            if card is not None:
                self._note_draw(seat, place, card)

    def _note_draw(self, seat: int, place: int, card: int) -> None:
        known = self._found.get(place, place)
        if known == card:
            return
        if known < UNKNOWN:
            raise Impossible(f"{self.names[seat]} drew {card_text(known)} here, not {card_text(card)}")
        self._check_free(seat, card)
        if self._hand(seat) >> card & 1:
            raise Impossible(f"{card_text(card)} is in the hand of {self.names[seat]} already")
        self._find(seat, place, card, certain=True)

    def _check_sight(self, mover: int) -> None:
        """Raise Impossible if a player whose hand is known is to move and does not know what he must have seen."""
        if not self.known[mover]:
            return
        if self._late[mover]:
            self._miss_draws(mover, self._hindsight)
        talon = int(self._state[S_TALON])
        if (
            self.rules.stock_top_face_up
            and talon > 1
            and self._found.get(top := self._pack[2 * self.rules.hand_size + talon - 1], top) >= UNKNOWN
        ):
            self.blind = True
            if not self._hindsight:
                raise Impossible("the top card of the stock lies face up: note it in stock, or as the winner's draw")

    def _miss_draws(self, seat: int, hindsight: bool = False) -> None:
        """Raise Impossible, or note that a draw must turn out yet."""
        self.blind = True
        if not hindsight:
            trick = min(self._late[seat].values())
            raise Impossible(
                f"what {self.names[seat]} drew after trick {trick} is missing: note it as +Kd, or in stock"
            )


def _pack_of(rules: Rules, hands: tuple[Hand, Hand], up: int, stock: Stock, names: tuple[str, str]) -> list[int]:
    """Return the pack, in the order of `state_of_pack`, with placeholders. Raises Impossible."""
    size = rules.hand_size
    length = rules.first_talon - 1
    for name, hand in zip(names, hands, strict=True):
        if hand is not None and len(hand) != size:
            raise Impossible(f"{name}: {len(hand)} cards, {size} are due")
    if len(stock) > length:
        raise Impossible(f"stock: {len(stock)} cards, {length} are due (the upcard is not among them)")
    blank: tuple[None, ...] = (None,) * size
    whole = [*stock, *[None] * (length - len(stock))]
    places = [*zip(names, (hand or blank for hand in hands), strict=True), ("up", (up,)), ("stock", tuple(whole))]
    home: dict[int, str] = {}
    for name, cards in places:
        for card in cards:
            if card is not None and card not in full_deck(rules.deck):
                raise Impossible(f"{name}: {card_text(card)} is not in the deck of {rules.deck}")
            if card in home:
                where = "twice" if home[card] == name else f"here and in {home[card]}"
                raise Impossible(f"{name}: {card_text(card)} is given {where}: each card is in one place")
            if card is not None:
                home[card] = name
    laid = [*(hands[0] or blank), *(hands[1] or blank), up, *reversed(whole)]
    return [UNKNOWN + place if card is None else card for place, card in enumerate(laid)]
