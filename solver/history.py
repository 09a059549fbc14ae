"""How the points can have come about.

A position tells the gone cards, but not who won which trick or who declared which marriage. A `Story` is one
possible account, in numbers: it does not go into the order of the tricks. A position is possible only if some story
fits all it says.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from .cards import CARD_POINTS, KING, QUEEN, SUITS, Cards, make_card, rank_of, suit_of, total_points
from .claims import ME, OPP, Claims
from .validation import Sizes, marriage_value

Pair = tuple[int, int]
Suits = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """One account of the points: each side's declared suits, the tricks of each side, who led first."""

    marriages: tuple[Suits, Suits]
    tricks: Pair
    first: int


@dataclass(frozen=True, slots=True)
class History:
    """A position's claims with what has been derived from them, for the search of stories.

    `declared` tells whether the card led declares a marriage.
    """

    claims: Claims
    sizes: Sizes
    trump: int
    declared: bool

    @property
    def on_lead(self) -> bool:
        """Whether I am to lead."""
        return self.claims.led is None

    def value(self, suits: Suits) -> int:
        """Return what marriages in these suits are worth together."""
        return sum(marriage_value(suit, self.trump) for suit in suits)

    def total(self, side: int) -> int:
        """Return a side's points, counted and pending."""
        return self.claims.points[side] + self.claims.pending[side]

    # --- which marriages can have been declared ---

    def declarers(self, suit: int) -> tuple[int | None, ...]:
        """Return who can have declared the marriage of a suit: None for nobody, and the sides."""
        if self.declared and self.claims.led is not None and suit_of(self.claims.led) == suit:
            return (OPP,)
        return (None, *(side for side in (ME, OPP) if self._may_have_declared(side, suit)))

    def _may_have_declared(self, side: int, suit: int) -> bool:
        """Tell whether a king or queen of the suit is gone and the other can have been with it."""
        couple = (make_card(suit, KING), make_card(suit, QUEEN))
        left = [card for card in couple if card not in self.claims.gone]
        if len(left) == 2:
            return False
        if side == ME:
            return all(card in self.claims.hand for card in left)
        return all(card == self.claims.led or self._opponent_may_hold(card) for card in left)

    def _opponent_may_hold(self, card: int) -> bool:
        claims = self.claims
        if card in claims.opp:
            return True
        if len(claims.opp) == self.sizes.opp_cards:
            return False
        return not (card in claims.hand or card in (claims.up, *claims.stock) or card in claims.excluded)

    # --- the stories ---

    def stories(self) -> Iterator[Story]:
        """Yield every account that fits the position."""
        for owners in product(*map(self.declarers, range(len(SUITS)))):
            marriages = tuple(tuple(suit for suit, owner in enumerate(owners) if owner == side) for side in (ME, OPP))
            mine, theirs = marriages
            if self._balances(mine, theirs) and self._played(mine) and self._played(theirs) and self._held(theirs):
                for tricks, first in product(self._possible_tricks(), self._possible_first()):
                    story = Story((mine, theirs), tricks, first)
                    if self._fits(story):
                        yield story

    def _balances(self, mine: Suits, theirs: Suits) -> bool:
        """Tell whether all points are those of the gone cards and of these marriages."""
        points = total_points(self.claims.gone) + self.value(mine) + self.value(theirs)
        return self.total(ME) + self.total(OPP) == points

    def _played(self, suits: Suits) -> bool:
        """Tell whether one side can have played the gone kings and queens of its marriages, one to a trick."""
        return len(_couples(suits).intersection(self.claims.gone)) <= self.sizes.tricks

    def _held(self, suits: Suits) -> bool:
        """Tell whether the opponent has room for the partners that he still holds of his marriages."""
        held = _couples(suits).difference(self.claims.gone, (self.claims.led,))
        return len(held.union(self.claims.opp)) <= self.sizes.opp_cards

    def _possible_tricks(self) -> list[Pair]:
        played = self.sizes.tricks
        if self.claims.tricks is not None:
            return [self.claims.tricks]
        return [(mine, played - mine) for mine in range(played + 1)]

    def _possible_first(self) -> Suits:
        if self.sizes.tricks == 0:
            return (ME if self.on_lead else OPP,)
        return (ME, OPP) if self.claims.first is None else (self.claims.first,)

    def _fits(self, story: Story) -> bool:
        return (
            self._leader_has_trick(story)
            and all(self._leads_suffice(story, side) and self._pending_fits(story, side) for side in (ME, OPP))
            and self._marriages_in_time(story)
            and self._shares_fit(story)
        )

    def _leader_has_trick(self, story: Story) -> bool:
        """Tell whether the player on lead has won the last trick."""
        return self.sizes.tricks == 0 or story.tricks[ME if self.on_lead else OPP] > 0

    def _leads_suffice(self, story: Story, side: int) -> bool:
        """Tell whether a side led often enough to declare its marriages."""
        open_lead = side == ME and self.on_lead
        silent_lead = side == OPP and not self.on_lead and not self.declared
        after_trick = max(0, story.tricks[side] - (open_lead or silent_lead))
        leads = story.tricks[side] + (story.first == side) - (open_lead or silent_lead)
        if self.claims.rules.marriage_from == "after_own_trick":
            leads = after_trick
        return len(story.marriages[side]) <= leads

    def _pending_fits(self, story: Story, side: int) -> bool:
        """Tell whether exactly those marriage points are pending that wait for a first trick."""
        waits = self.claims.rules.marriage_points == "with_a_trick" and story.tricks[side] == 0
        return self.claims.pending[side] == (self.value(story.marriages[side]) if waits else 0)

    def _marriages_in_time(self, story: Story) -> bool:
        """Tell whether the marriages fit in the leads on which the rules allowed them."""
        if self.claims.rules.marriage_in_endgame or self.sizes.still_drawing(self.claims):
            return True
        return sum(map(len, story.marriages)) <= self.sizes.drawn

    # --- the shares of the gone cards ---

    def _shares_fit(self, story: Story) -> bool:
        """Tell whether the gone cards can be shared out to give each side its points, and the note's."""
        closed = self.claims.closed
        if closed is None or closed.note is None:
            cards = self.total(ME) - self.value(story.marriages[ME])
            return can_share(_counts(self.claims.gone), (2 * story.tricks[ME], cards), (0, 0))
        side = 1 - closed.by
        tricks_since = self.sizes.tricks - self.sizes.drawn
        if closed.note[1] > max(0, self.sizes.drawn - 1):
            return False
        if not 0 <= story.tricks[side] - closed.note[1] <= tricks_since:
            return False
        return any(self._note_fits(story, side, closed.note, early) for early in _subsets(story.marriages[side]))

    def _note_fits(self, story: Story, side: int, note: Pair, early: Suits) -> bool:
        """Tell whether the note (points, tricks) fits if the side had declared the marriages `early` by then."""
        rules = self.claims.rules
        points, tricks = note
        tricks_since = story.tricks[side] - tricks
        late = len(story.marriages[side]) - len(early)
        first_lead = story.first == side and rules.marriage_from == "any_lead"
        if len(early) > tricks + first_lead or late > tricks_since * rules.marriage_in_endgame:
            return False
        counted = tricks > 0 or rules.marriage_points == "at_once"
        before = points - (self.value(early) if counted else 0)
        since = self.total(side) - self.value(story.marriages[side]) - before
        return can_share(_counts(self.claims.gone), (2 * tricks, before), (2 * tricks_since, since))


@lru_cache(maxsize=1 << 15)
def can_share(counts: tuple[int, ...], one: Pair, two: Pair) -> bool:
    """Tell whether two sets can be taken from cards, each given as (cards, points).

    `counts` are the numbers of cards of each rank that are there, from the ace or a lower rank down to the nine.
    """
    if not counts:
        return one == two == (0, 0)
    value = CARD_POINTS[len(counts) - 1]
    if one[1] > one[0] * value or two[1] > two[0] * value:
        return False
    return any(
        can_share(counts[1:], (one[0] - i, one[1] - i * value), (two[0] - j, two[1] - j * value))
        for i in range(_most(counts[0], one, value) + 1)
        for j in range(_most(counts[0] - i, two, value) + 1)
    )


def _most(left: int, wanted: Pair, value: int) -> int:
    """Return how many of the cards left, each worth `value`, the wanted (cards, points) can take; -1 for none."""
    cards, points = wanted
    affordable = points // value if value else left
    return min(left, cards, affordable)


def _couples(suits: Suits) -> set[int]:
    """Return the kings and queens of the suits."""
    return {make_card(suit, rank) for suit in suits for rank in (KING, QUEEN)}


def _counts(cards: Cards) -> tuple[int, ...]:
    """Return the number of cards of each rank, from the ace down."""
    ranks = [rank_of(card) for card in cards]
    return tuple(ranks.count(rank) for rank in reversed(range(len(CARD_POINTS))))


def _subsets(suits: Suits) -> Iterator[Suits]:
    for size in range(len(suits) + 1):
        yield from combinations(suits, size)
