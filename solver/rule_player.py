"""A player of plain rules: no search, what a careful card player does by counting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from .cards import ACE, KING, QUEEN, TEN, Cards, make_card, partner_of, points_of, rank_of, suit_of, total_points
from .claims import ME, OPP
from .kernel.layout import TARGET
from .notation import Turn
from .position import Position
from .turns import turns_allowed
from .validation import marriage_value

# All values are in card points. What a card is worth in hand, beside its points:
ACE_KEPT = 8.0  # takes a ten
TEN_KEPT = 4.0
TRUMP_KEPT = 7.0  # and one more a rank
HOPE_KEPT = 2.5  # a king or queen whose partner may still come; in trumps twice

LEAD_WITH_MARRIAGE = 12.0  # worth of being on lead with a marriage to declare
LEAD_WITH_LOWEST_TRUMP = 4.0  # and with the upcard to take

REPLY_SHARE = 0.6  # what the other adds to a trick that I lead, as a share of his average card
CLOSING_MARGIN = 4.0  # what the count should show above 66 before closing
WINNER_KEPT = 10.0  # worth of a sure winner when only the last trick counts; of a trump twice as much
DECISIVE = 1000.0  # a trick that ends the deal


class RulePlayer:
    """Keeps marriages together, counts trumps, closes when a count says so, exchanges, follows cheaply."""

    text = "rule"

    def choose(self, position: Position, seed: int) -> Turn:
        """Choose a turn; the seed does not matter."""
        turns = turns_allowed(position)
        if position.on_lead:
            return _lead(position, turns)
        return max(turns, key=lambda turn: (_worth_of_reply(position, turn.card), turn.text))


@dataclass(frozen=True, slots=True)
class _Count:
    """What can be counted before a lead: my hand after an exchange, and what the opponent may hold.

    `sure` are the cards that he holds, `maybe` those of which he holds `held`.
    """

    position: Position
    hand: Cards
    sure: Cards
    maybe: Cards
    held: int

    @classmethod
    def of(cls, position: Position, exchanging: bool) -> _Count:
        hand = position.hand
        if exchanging:
            assert position.up is not None
            lowest = make_card(position.trump, position.rules.lowest_rank)
            hand = (*(card for card in hand if card != lowest), position.up)
        held = position.opp_cards - len(position.opp)
        maybe = tuple(card for card in position.unseen if card not in position.excluded) if held else ()
        return cls(position, hand, position.opp, maybe, held)

    def lacks(self, cards: Sequence[int]) -> float:
        """The chance that the opponent holds none of these cards."""
        if any(card in self.sure for card in cards):
            return 0.0
        left = sum(card not in cards for card in self.maybe)
        return comb(left, self.held) / comb(len(self.maybe), self.held)

    def wins(self, card: int) -> float:
        """The chance that a card led takes the trick where suit must be followed, and else trumped."""
        theirs = self.sure + self.maybe
        suit = [other for other in theirs if suit_of(other) == suit_of(card)]
        chance = self.lacks([other for other in suit if other > card])
        if suit_of(card) == self.position.trump:
            return chance
        trumps = [other for other in theirs if suit_of(other) == self.position.trump]
        return chance - self.lacks(suit) + self.lacks(suit + trumps)

    def trick(self, card: int) -> float:
        """The points to expect in a trick to which I lead a card."""
        theirs = self.sure + self.maybe
        return points_of(card) + REPLY_SHARE * total_points(theirs) / max(1, len(theirs))

    def in_sight(self, marriages: int = 0) -> float:
        """The points to expect without drawing: mine, marriages of that value, and what my cards win."""
        won = sum(self.wins(card) * self.trick(card) for card in self.hand)
        return self.position.points[ME] + self.position.pending[ME] + marriages + won


# --- leads --------------------------------------------------------------------------------------


def _lead(position: Position, turns: Sequence[Turn]) -> Turn:
    """The turn of the player on lead: exchange if allowed, close if the count says so, then a card."""
    exchanging = any(turn.exchange for turn in turns)
    count = _Count.of(position, exchanging)
    turns = [turn for turn in turns if turn.exchange == exchanging]
    closing = [turn for turn in turns if turn.close]
    marriages = sum({suit_of(turn.card): turn.value for turn in closing if turn.declared}.values())
    close = bool(closing) and count.in_sight(marriages) >= TARGET + CLOSING_MARGIN
    turns = [turn for turn in turns if turn.close == close]
    dearest = max(turn.value for turn in turns)
    turns = [turn for turn in turns if turn.value == dearest]
    worth = _worth_of_lead
    if position.drawing and not close and not dearest:
        worth = _worth_of_open_lead
    elif not close and _for_last_trick(count):
        worth = _worth_for_last_trick
    return max(turns, key=lambda turn: (worth(count, turn.card), turn.text))


def _for_last_trick(count: _Count) -> bool:
    """Whether the last trick will decide: it can, nobody will have 66, and I have not bound myself to 66 by closing."""
    position = count.position
    if position.rules.nobody_reaches != "last_trick" or count.in_sight() >= TARGET:
        return False
    return position.closed is None or (position.closed.by == OPP and position.rules.failed_close == "none")


def _worth_of_open_lead(count: _Count, card: int) -> float:
    """How good a lead is while cards are drawn: what is cheap and of no use goes first."""
    return -points_of(card) - _kept(count.position, count.hand, card)


def _worth_of_lead(count: _Count, card: int) -> float:
    """How good a lead is when no card is drawn: what it wins or loses, less what it was worth."""
    chance, trick = count.wins(card), count.trick(card)
    kept = _kept(count.position, count.hand, card)
    return (2 * chance - 1) * trick - kept * (1 - chance) + _decisive(count, card)


def _worth_for_last_trick(count: _Count, card: int) -> float:
    """How good a lead is when the last trick decides: losers first, trumps last."""
    trump = suit_of(card) == count.position.trump
    return -WINNER_KEPT * (count.wins(card) + 2 * trump) - 0.1 * points_of(card) + _decisive(count, card)


def _decisive(count: _Count, card: int) -> float:
    """What it is worth that a lead may bring me to 66."""
    position = count.position
    reaches = position.points[ME] + position.pending[ME] + points_of(card) >= TARGET
    return DECISIVE * count.wins(card) * reaches


# --- replies ------------------------------------------------------------------------------------


def _worth_of_reply(position: Position, card: int) -> float:
    """How good a reply is, in card points: what the trick brings or costs, less what the card was worth in hand."""
    led = position.led
    assert led is not None
    trick = points_of(led) + points_of(card)
    kept = _kept(position, position.hand, card)
    if not _beats(position, card, led):
        lost = position.points[OPP] + position.pending[OPP] + trick >= TARGET
        return -trick - kept - DECISIVE * lost
    won = position.points[ME] + position.pending[ME] + trick >= TARGET
    return trick - kept + _worth_of_the_lead(position, card) + DECISIVE * won


def _beats(position: Position, card: int, led: int) -> bool:
    return card > led if suit_of(card) == suit_of(led) else suit_of(card) == position.trump


def _worth_of_the_lead(position: Position, card: int) -> float:
    """What leading next is worth, in card points, after winning the trick with a card."""
    rest = [other for other in position.hand if other != card]
    worth = 0.0
    if any(rank_of(other) == KING and partner_of(other) in rest for other in rest):
        worth += LEAD_WITH_MARRIAGE
    if position.drawing and make_card(position.trump, position.rules.lowest_rank) in rest:
        worth += LEAD_WITH_LOWEST_TRUMP
    return worth


def _kept(position: Position, hand: Sequence[int], card: int) -> float:
    """What a card is worth in hand, in card points, beside its own."""
    rank = rank_of(card)
    kept = {ACE: ACE_KEPT, TEN: TEN_KEPT}.get(rank, 0.0)
    if suit_of(card) == position.trump:
        kept += TRUMP_KEPT + rank
    if rank in (QUEEN, KING):
        partner = partner_of(card)
        value = marriage_value(suit_of(card), position.trump)
        if partner in hand:
            kept += value
        elif position.drawing and partner in position.unseen:
            kept += HOPE_KEPT * value / 20
    return kept
