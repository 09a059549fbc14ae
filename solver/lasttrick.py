"""The last open trick: two cards are left to draw, one lead and one reply stand before perfect information.

Seen from what is public, both hands are hidden. Here that game is laid out whole: every deal, every lead, every reply,
with its exact outcome. `equilibrium.py` solves it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .cards import CARD_COUNT, Cards, cards_of, full_deck, make_card, mask_of, partner_of
from .kernel.layout import (
    NO_CARD,
    S_HAND0,
    S_HAND1,
    S_LEADER,
    S_LED,
    S_OUTCOME,
    S_PENDING0,
    S_POINTS0,
    S_STOCK,
    S_TRICKS0,
    S_TRUMP,
    S_UP,
    STATE_SIZE,
    TURN_CARD,
    TURN_CLOSE,
    TURN_DECLARED,
    TURN_EXCHANGE,
)
from .turns import legal_turns
from .workers import Memories, solve_states
from .worlds import Ints

if TYPE_CHECKING:
    from .position import Position
    from .rules import Rules

Floats = NDArray[np.float64]

LAST_TALON = 2
HANDS_A_JOB = 64  # whose closings one job solves


@dataclass(frozen=True, slots=True)
class Public:
    """What both sides know when the last open trick begins; player 0 leads it.

    `base` is the kernel state with both hands and the stock card left open. `leader` and `follower` are the cards that
    each is known to hold, `size` is how many each holds, `barred` the cards that each is known not to hold.
    """

    base: Ints
    rules: Rules
    size: int
    gone: int
    leader: int
    follower: int
    barred: tuple[int, int]

    @classmethod
    def of(cls, position: Position) -> Public:
        """What is public in a position of this stage.

        A follower's position does not tell whether the card led had been seen before, nor whether an exchange belongs
        to this lead or to an earlier one: taken are a card not seen, and an earlier exchange.
        """
        base = np.array(position.state_template(), np.int64)
        seen, known = position.shown, position.opp
        if not position.on_lead:
            _swap_sides(base)
            base[S_LED] = NO_CARD
            base[S_POINTS0] -= position.led_value
            if position.led is not None and position.led_declared:
                known = tuple(card for card in known if card != partner_of(position.led))
        base[[S_HAND0, S_HAND1]] = 0
        base[S_STOCK] = NO_CARD
        barred = mask_of(position.excluded)
        return cls(
            base=base,
            rules=position.rules,
            size=len(position.hand),
            gone=mask_of(position.gone),
            leader=mask_of(seen if position.on_lead else known),
            follower=mask_of(known if position.on_lead else seen),
            barred=(0, barred) if position.on_lead else (barred, 0),
        )

    @property
    def pool(self) -> Cards:
        """The cards whose place is not public."""
        placed = self.gone | self.leader | self.follower | 1 << int(self.base[S_UP])
        return tuple(card for card in full_deck(self.rules.deck) if not placed >> card & 1)

    @property
    def lowest_trump(self) -> int:
        """The card that may be exchanged for the upcard."""
        return make_card(int(self.base[S_TRUMP]), self.rules.lowest_rank)


def _swap_sides(state: Ints) -> None:
    """Exchange the players of a kernel state at the start of a trick of the open game."""
    for place in (S_HAND0, S_POINTS0, S_PENDING0, S_TRICKS0):
        state[[place, place + 1]] = state[[place + 1, place]]
    state[S_LEADER] = 1 - state[S_LEADER]


def at_last_trick(position: Position) -> bool:
    """Whether a position belongs to the last open trick, with something hidden."""
    return position.drawing and position.talon == LAST_TALON and not position.complete


@dataclass(frozen=True, slots=True)
class Lead:
    """A turn that leaves the talon open and is answered, with its deals.

    `sets` are the follower's hands (masks over the pool), in each of which `each` deals cannot be told apart; `packed`
    and `hands` are its rows, as the kernel lays them out.
    """

    turn: int
    sets: Ints
    each: int
    packed: Ints
    hands: Ints


class LastTrick:
    """The game of one lead and one reply, all of its outcomes known.

    A closing is no part of it: its play has hidden cards of its own, so it is granted its value with open cards,
    averaged over the deals that the leader cannot tell apart.

    `hands` are the leader's possible hands (masks over the pool), `turns` all of his turns. `allowed` says which turn
    fits which hand, `decided` how those that end the deal at once do. `deals` counts the deals of a hand.
    """

    def __init__(self, memories: Memories, public: Public) -> None:
        self.public = public
        self.memories = memories
        self.pool = public.pool
        n = len(self.pool)
        masks = np.arange(1 << n, dtype=np.int64)
        bits = masks[:, None] >> np.arange(n) & 1
        self.spread: Ints = (bits << np.array(self.pool, np.int64)).sum(axis=1)
        self._sizes = bits.sum(axis=1)
        self._masks = masks
        self._barred = tuple(self.mask(cards) for cards in public.barred)
        self.hands = self._subsets((1 << n) - 1, public.size - public.leader.bit_count())
        self.rank: Ints = np.zeros(1 << n, np.int64)
        self.rank[self.hands] = np.arange(len(self.hands))
        self._list_turns()
        self.deals = self._count_deals()

    def mask(self, cards: int) -> int:
        """Cards as a mask over the pool; others are left out."""
        return sum(1 << place for place, card in enumerate(self.pool) if cards >> card & 1)

    def _subsets(self, of: int, size: int) -> Ints:
        subsets: Ints = self._masks[(self._masks & ~of == 0) & (self._sizes == size)]
        return subsets

    def _list_turns(self) -> None:
        """Find every hand's turns, and which of them are decided without a reply."""
        legal: dict[int, list[int]] = {}
        decided: dict[int, int] = {}
        for number, hand in enumerate(self.hands.tolist()):
            if hand & self._barred[0]:
                continue
            state = self.public.base.copy()
            state[S_HAND0] = self.public.leader | self.spread[hand]
            for turn in legal_turns(self.memories.rules, state).tolist():
                if turn not in legal and not turn & TURN_CLOSE:
                    decided.update(self._decision(state, turn))
                legal.setdefault(turn, []).append(number)
        self.turns = sorted(legal)
        self.decided = decided
        self.allowed = np.zeros((len(self.turns), len(self.hands)), np.bool_)
        for row, turn in enumerate(self.turns):
            self.allowed[row, legal[turn]] = True

    def _decision(self, state: Ints, turn: int) -> dict[int, int]:
        from .kernel.alphabeta import play_turn

        after = state.copy()
        return {turn: int(after[S_OUTCOME])} if play_turn(self.memories.rules, after, turn) else {}

    def _count_deals(self) -> Ints:
        """The possible deals of each leader's hand: one a card left in the stock."""
        return np.array([len(self.stocks(int(hand))) for hand in self.hands], np.int64)

    def stocks(self, hand: int) -> list[int]:
        """The cards (as masks over the pool) that can lie in the stock beside a leader's hand."""
        if hand & self._barred[0]:
            return []
        others = (1 << len(self.pool)) - 1 ^ hand
        bits = (1 << place for place in range(len(self.pool)) if others >> place & 1)
        return [bit for bit in bits if not (others ^ bit) & self._barred[1]]

    def follower_cards(self, hand: int) -> Cards:
        """The cards of a follower's hand (mask over the pool), public ones included, in the order of replies."""
        return tuple(sorted(cards_of(self.public.follower | int(self.spread[hand]))))

    @cached_property
    def open_turns(self) -> list[int]:
        """The turns that are answered with the talon open."""
        return [turn for turn in self.turns if not turn & TURN_CLOSE and turn not in self.decided]

    # --- the outcomes ---

    def leads(self, jobs: int, progress: Callable[[float], None]) -> list[Lead]:
        """Solve everything that can follow each lead; `jobs` threads."""
        turns = self.open_turns
        leads = []
        with ThreadPoolExecutor(jobs) as pool:
            for lead in pool.map(self.lead, turns):
                leads.append(lead)
                progress(len(leads) / len(turns))
        return leads

    def lead(self, turn: int) -> Lead:
        """Solve everything that can follow a lead."""
        from .kernel import equilibrium as kernel

        form = self._form(turn)
        sets = self._subsets(int(form[kernel.L_LEFT]), self.public.size - self.public.follower.bit_count())
        each = int(form[kernel.L_REST]) + 1
        packed = np.zeros(len(sets) * each, np.int64)
        hands = np.zeros(len(sets) * each, np.int64)
        trump = int(self.public.base[S_TRUMP])
        kernel.rows(form, self.spread, self.rank, trump, len(self.pool), self._table(form), sets, packed, hands)
        return Lead(turn, sets, each, packed, hands)

    def _form(self, turn: int) -> Ints:
        """A lead as the kernel reads it."""
        from .kernel import equilibrium as kernel

        card, up = turn & TURN_CARD, int(self.public.base[S_UP])
        cards = 1 << card
        if turn & TURN_DECLARED:
            cards |= 1 << partner_of(card)
        if turn & TURN_EXCHANGE:
            cards = cards & ~(1 << up) | 1 << self.public.lowest_trump
        shown = self.mask(cards)
        form = np.zeros(kernel.LEAD_SIZE, np.int64)
        form[kernel.L_TURN] = turn
        form[kernel.L_LEFT] = (1 << len(self.pool)) - 1 & ~shown
        form[kernel.L_KNOWN] = self.public.leader | cards
        form[kernel.L_FOLLOWER] = self.public.follower
        form[kernel.L_REST] = self.public.size - int(form[kernel.L_KNOWN]).bit_count()
        form[kernel.L_SHOWN] = shown
        form[kernel.L_BARRED_LEADER], form[kernel.L_BARRED_FOLLOWER] = self._barred
        return form

    def _table(self, form: Ints) -> Ints:
        """The outcomes after a lead, from 0 to 6 and from the leader's side, by the keys of the kernel's `tricks`."""
        from .kernel.alphabeta import MAX_TURNS
        from .kernel.equilibrium import tricks

        n = len(self.pool)
        replies = n + self.public.follower.bit_count()
        states = np.zeros((replies * comb(n, n // 2), STATE_SIZE), np.int64)
        keys = np.zeros(len(states), np.int64)
        count = tricks(self.memories.rules, self.public.base, self.spread, form, n, states, keys)
        values, _ = solve_states(self.memories, states[:count], np.zeros(MAX_TURNS, np.int64), 0)
        table = np.zeros(CARD_COUNT << n, np.int64)
        table[keys[:count]] = values[:, 0] + 3
        return table

    def closings(self, jobs: int, utility: Floats) -> Floats:
        """What the best closing is worth to each leader's hand, summed over its deals; -inf where none is allowed.

        `utility`: of each outcome from -3 to 3.
        """
        starts = range(0, len(self.hands), HANDS_A_JOB)
        with ThreadPoolExecutor(jobs) as pool:
            parts = pool.map(lambda first: [self._closing(h, utility) for h in self._some(first)], starts)
            return np.array([value for part in parts for value in part], np.float64)

    def _some(self, first: int) -> range:
        return range(first, min(first + HANDS_A_JOB, len(self.hands)))

    def _closing(self, number: int, utility: Floats) -> float:
        allowed = np.flatnonzero(self.allowed[:, number])
        turns = [self.turns[i] for i in allowed if self.turns[i] & TURN_CLOSE]
        return self.closing_worth(int(self.hands[number]), np.array(turns, np.int64), utility) if turns else -np.inf

    def closing_worth(self, hand: int, turns: Ints, utility: Floats) -> float:
        """What the best of some closings is worth to a leader's hand with open cards, summed over its deals."""
        values, _ = solve_states(self.memories, self.states(hand), turns, len(turns))
        return float(utility[values + 3].sum(axis=0).max())

    def states(self, hand: int) -> Ints:
        """The kernel states of the deals of a leader's hand, before he leads."""
        stocks = np.array(self.stocks(hand), np.int64)
        states = np.repeat(self.public.base[None, :], len(stocks), axis=0)
        states[:, S_HAND0] = self.public.leader | self.spread[hand]
        states[:, S_HAND1] = self.public.follower | self.spread[len(self.spread) - 1 ^ hand ^ stocks]
        states[:, S_STOCK] = [card for stock in stocks for card in cards_of(int(self.spread[stock]))]
        return states
