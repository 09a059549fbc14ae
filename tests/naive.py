"""The slow twin of the engine: the rules of the Sixty-Six family in plain Python.

It shares no code with the package and imports nothing from it. Every function follows a sentence of the
rules, nothing is clever, and nothing is fast. Whatever the engine computes, this file must compute too.

Cards are numbers, 6 * suit + rank, with the suits c d h s = 0..3 and the ranks 9 J Q K T A = 0..5.
The players are 0 and 1. Values are game points, -3..3; unless said otherwise from player 0's side.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Literal

SUITS = "cdhs"
RANKS = "9JQKTA"
RANK_POINTS = (0, 2, 3, 4, 10, 11)
QUEEN, KING = 2, 3
TARGET = 66

Pair = tuple[int, int]
Action = tuple[Literal["exchange"]] | tuple[Literal["close"]] | tuple[Literal["play"], int, bool]
"""("exchange",), ("close",) or ("play", card, declared)."""


# --------------------------------------------------------------------------------------------------
# Rules
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NaiveRules:
    """One value for every switch."""

    deck: int
    match_target: int
    next_leader: str  # alternate, winner, loser
    stock_top_face_up: bool
    marriage_from: str  # any_lead, after_own_trick
    marriage_points: str  # at_once, with_a_trick
    marriage_in_endgame: bool
    exchange_needs_trick: bool
    exchange_min_talon: int
    close_needs_trick: bool
    close_min_talon: int
    closed_play: str  # strict, free
    endgame_follow: str  # suit, suit_trump, suit_head_trump
    last_trick_points: int
    last_trick_counts_when_closed: bool
    nobody_reaches: str  # last_trick, nobody
    failed_close: str  # none, two, three, two_or_three
    three_for: str  # no_tricks, no_points
    snapshot_at_close: bool


PRESETS: dict[str, NaiveRules] = {
    "es": NaiveRules(
        deck=24,
        match_target=11,
        next_leader="alternate",
        stock_top_face_up=False,
        marriage_from="after_own_trick",
        marriage_points="at_once",
        marriage_in_endgame=True,
        exchange_needs_trick=False,
        exchange_min_talon=2,
        close_needs_trick=False,
        close_min_talon=2,
        closed_play="strict",
        endgame_follow="suit",
        last_trick_points=10,
        last_trick_counts_when_closed=True,
        nobody_reaches="last_trick",
        failed_close="none",
        three_for="no_points",
        snapshot_at_close=False,
    ),
    "pl": NaiveRules(
        deck=24,
        match_target=7,
        next_leader="alternate",
        stock_top_face_up=True,
        marriage_from="any_lead",
        marriage_points="at_once",
        marriage_in_endgame=True,
        exchange_needs_trick=True,
        exchange_min_talon=2,
        close_needs_trick=False,
        close_min_talon=2,
        closed_play="free",
        endgame_follow="suit_trump",
        last_trick_points=10,
        last_trick_counts_when_closed=True,
        nobody_reaches="nobody",
        failed_close="none",
        three_for="no_tricks",
        snapshot_at_close=False,
    ),
    "ro": NaiveRules(
        deck=24,
        match_target=11,
        next_leader="alternate",
        stock_top_face_up=False,
        marriage_from="after_own_trick",
        marriage_points="at_once",
        marriage_in_endgame=True,
        exchange_needs_trick=True,
        exchange_min_talon=2,
        close_needs_trick=False,
        close_min_talon=2,
        closed_play="strict",
        endgame_follow="suit_head_trump",
        last_trick_points=10,
        last_trick_counts_when_closed=True,
        nobody_reaches="last_trick",
        failed_close="none",
        three_for="no_tricks",
        snapshot_at_close=False,
    ),
    "santase": NaiveRules(
        deck=24,
        match_target=11,
        next_leader="loser",
        stock_top_face_up=False,
        marriage_from="after_own_trick",
        marriage_points="at_once",
        marriage_in_endgame=True,
        exchange_needs_trick=True,
        exchange_min_talon=3,
        close_needs_trick=True,
        close_min_talon=3,
        closed_play="strict",
        endgame_follow="suit_head_trump",
        last_trick_points=10,
        last_trick_counts_when_closed=False,
        nobody_reaches="nobody",
        failed_close="three",
        three_for="no_tricks",
        snapshot_at_close=False,
    ),
    "sixty-six": NaiveRules(
        deck=24,
        match_target=7,
        next_leader="loser",
        stock_top_face_up=False,
        marriage_from="any_lead",
        marriage_points="with_a_trick",
        marriage_in_endgame=False,
        exchange_needs_trick=True,
        exchange_min_talon=2,
        close_needs_trick=False,
        close_min_talon=2,
        closed_play="strict",
        endgame_follow="suit_head_trump",
        last_trick_points=10,
        last_trick_counts_when_closed=False,
        nobody_reaches="nobody",
        failed_close="two_or_three",
        three_for="no_tricks",
        snapshot_at_close=False,
    ),
    "schnapsen": NaiveRules(
        deck=20,
        match_target=7,
        next_leader="alternate",
        stock_top_face_up=False,
        marriage_from="any_lead",
        marriage_points="with_a_trick",
        marriage_in_endgame=True,
        exchange_needs_trick=False,
        exchange_min_talon=2,
        close_needs_trick=False,
        close_min_talon=2,
        closed_play="strict",
        endgame_follow="suit_head_trump",
        last_trick_points=0,
        last_trick_counts_when_closed=False,
        nobody_reaches="last_trick",
        failed_close="two_or_three",
        three_for="no_tricks",
        snapshot_at_close=True,
    ),
}


# --------------------------------------------------------------------------------------------------
# Cards
# --------------------------------------------------------------------------------------------------


def suit(card: int) -> int:
    """The suit of a card, 0..3."""
    return card // 6


def rank(card: int) -> int:
    """The rank of a card, 0..5, low to high."""
    return card % 6


def card_points(card: int) -> int:
    """What a card is worth in a trick."""
    return RANK_POINTS[rank(card)]


def lowest_rank(rules: NaiveRules) -> int:
    """The rank of the lowest cards: the nine, or the jack (the 20-card deck has no nines)."""
    return 0 if rules.deck == 24 else 1


def deck_of(rules: NaiveRules) -> list[int]:
    """All cards of the deck, by number."""
    return [6 * s + r for s in range(4) for r in range(lowest_rank(rules), 6)]


def card_text(card: int) -> str:
    """`Ah`: rank, then suit."""
    return RANKS[rank(card)] + SUITS[suit(card)]


# --------------------------------------------------------------------------------------------------
# The state of a deal
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """Everything about a deal in progress; both hands and the stock are known."""

    hands: tuple[frozenset[int], frozenset[int]]
    leader: int
    led: int | None  # the card led, if the trick is half played; it is in no hand any more
    points: Pair  # counted points
    pending: Pair  # marriage points that do not count yet
    tricks: Pair
    stock: tuple[int, ...]  # face down, the next card to be drawn first
    up: int | None  # the trump card under the stock, drawn last; None once it is drawn
    trump: int  # a suit
    closed_by: int | None = None
    note_points: int = 0  # counted points of the closer's opponent at the closing
    note_tricks: int = 0  # and his tricks


def mover(state: State) -> int:
    """Whose turn it is: the leader's, or the other's if a card has been led."""
    return state.leader if state.led is None else 1 - state.leader


def talon_size(state: State) -> int:
    """The cards of the stock and the upcard."""
    return len(state.stock) + (0 if state.up is None else 1)


def cards_are_drawn(state: State) -> bool:
    """While nobody has closed and the talon is not exhausted, cards are drawn after each trick."""
    return state.closed_by is None and talon_size(state) > 0


def with_value(pair: Pair, player: int, number: int) -> Pair:
    """The pair with the player's number replaced."""
    return (number, pair[1]) if player == 0 else (pair[0], number)


def with_hand(state: State, player: int, hand: frozenset[int]) -> tuple[frozenset[int], frozenset[int]]:
    """The hands with the player's hand replaced."""
    return (hand, state.hands[1]) if player == 0 else (state.hands[0], hand)


# --------------------------------------------------------------------------------------------------
# What may be done
# --------------------------------------------------------------------------------------------------


def may_exchange(state: State, rules: NaiveRules) -> bool:
    """May the leader, before he leads, exchange the lowest trump for the upcard?"""
    return (
        6 * state.trump + lowest_rank(rules) in state.hands[state.leader]
        and state.closed_by is None
        and talon_size(state) >= rules.exchange_min_talon
        and (not rules.exchange_needs_trick or state.tricks[state.leader] > 0)
    )


def may_close(state: State, rules: NaiveRules) -> bool:
    """May the leader, before he leads, close the talon?"""
    return (
        state.closed_by is None
        and talon_size(state) >= rules.close_min_talon
        and (not rules.close_needs_trick or state.tricks[state.leader] > 0)
    )


def may_declare(state: State, rules: NaiveRules, card: int) -> bool:
    """May the leader declare a marriage with the card he leads?"""
    if rank(card) not in (QUEEN, KING):
        return False
    hand = state.hands[state.leader]
    if 6 * suit(card) + QUEEN not in hand or 6 * suit(card) + KING not in hand:
        return False
    if rules.marriage_from == "after_own_trick" and state.tricks[state.leader] == 0:
        return False
    # When no card is left to draw, only if `marriage_in_endgame`.
    return cards_are_drawn(state) or rules.marriage_in_endgame


def marriage_worth(state: State, card: int) -> int:
    """40 in trumps, 20 otherwise."""
    return 40 if suit(card) == state.trump else 20


def cards_to_follow_with(state: State, rules: NaiveRules) -> frozenset[int]:
    """The cards that the follower may play."""
    assert state.led is not None
    hand = state.hands[1 - state.leader]
    if cards_are_drawn(state):
        return hand
    if state.closed_by is not None and rules.closed_play == "free":
        return hand
    of_suit = frozenset(card for card in hand if suit(card) == suit(state.led))
    higher = frozenset(card for card in of_suit if rank(card) > rank(state.led))
    trumps = frozenset(card for card in hand if suit(card) == state.trump)
    if rules.endgame_follow == "suit":
        return of_suit or hand
    if rules.endgame_follow == "suit_trump":
        return of_suit or trumps or hand
    assert rules.endgame_follow == "suit_head_trump"
    return higher or of_suit or trumps or hand


def legal_actions(state: State, rules: NaiveRules) -> list[Action]:
    """Everything that may be done now; nothing once the deal is over."""
    if is_over(state):
        return []
    if state.led is not None:
        return [("play", card, False) for card in sorted(cards_to_follow_with(state, rules))]
    actions: list[Action] = []
    if may_exchange(state, rules):
        actions.append(("exchange",))
    if may_close(state, rules):
        actions.append(("close",))
    for card in sorted(state.hands[state.leader]):
        actions.append(("play", card, False))
        if may_declare(state, rules, card):
            actions.append(("play", card, True))
    return actions


# --------------------------------------------------------------------------------------------------
# Doing it
# --------------------------------------------------------------------------------------------------


def apply(state: State, rules: NaiveRules, action: Action) -> State:
    """The state after a legal action."""
    if action[0] == "exchange":
        return exchange(state, rules)
    if action[0] == "close":
        return close(state)
    _, card, declared = action
    if state.led is None:
        return lead(state, rules, card, declared)
    return follow(state, rules, card)


def exchange(state: State, rules: NaiveRules) -> State:
    """The lowest trump and the upcard change places."""
    assert state.up is not None
    lowest_trump = 6 * state.trump + lowest_rank(rules)
    hand = state.hands[state.leader] - {lowest_trump} | {state.up}
    return replace(state, hands=with_hand(state, state.leader, hand), up=lowest_trump)


def close(state: State) -> State:
    """Nobody draws from now on; the points and tricks of the closer's opponent are noted."""
    opponent = 1 - state.leader
    return replace(
        state,
        closed_by=state.leader,
        note_points=state.points[opponent],
        note_tricks=state.tricks[opponent],
    )


def lead(state: State, rules: NaiveRules, card: int, declared: bool) -> State:
    """A card is led, with or without declaring a marriage."""
    leader = state.leader
    points, pending = state.points, state.pending
    if declared:
        worth = marriage_worth(state, card)
        if rules.marriage_points == "at_once" or state.tricks[leader] > 0:
            points = with_value(points, leader, points[leader] + worth)
        else:
            pending = with_value(pending, leader, pending[leader] + worth)
    hands = with_hand(state, leader, state.hands[leader] - {card})
    return replace(state, hands=hands, led=card, points=points, pending=pending)


def beats(card: int, led: int, trump: int) -> bool:
    """Does the follower's card win the trick?"""
    if suit(card) == suit(led):
        return rank(card) > rank(led)
    return suit(card) == trump


def follow(state: State, rules: NaiveRules, card: int) -> State:
    """A card is played to the card led, and the trick is done."""
    assert state.led is not None
    follower = 1 - state.leader
    winner = follower if beats(card, state.led, state.trump) else state.leader
    loser = 1 - winner
    hands = with_hand(state, follower, state.hands[follower] - {card})
    # The winner gets the points of both cards and then his pending marriage points.
    gain = card_points(state.led) + card_points(card) + state.pending[winner]
    # If both hands are now empty it was the last trick.
    if not hands[0] and not hands[1] and (state.closed_by is None or rules.last_trick_counts_when_closed):
        gain += rules.last_trick_points
    after = replace(
        state,
        hands=hands,
        leader=winner,
        led=None,
        points=with_value(state.points, winner, state.points[winner] + gain),
        pending=with_value(state.pending, winner, 0),
        tricks=with_value(state.tricks, winner, state.tricks[winner] + 1),
    )
    if not cards_are_drawn(after):
        return after
    # The winner draws the top of the stock and the loser the next card; from a stock of one the winner
    # draws it and the loser the upcard.
    assert after.up is not None
    first, second = (*after.stock, after.up)[:2]
    drawn = with_hand(after, winner, after.hands[winner] | {first})
    after = replace(after, hands=drawn)
    drawn = with_hand(after, loser, after.hands[loser] | {second})
    up = None if len(after.stock) == 1 else after.up
    return replace(after, hands=drawn, stock=after.stock[2:], up=up)


# --------------------------------------------------------------------------------------------------
# The end and its value
# --------------------------------------------------------------------------------------------------


def is_over(state: State) -> bool:
    """Has somebody 66 counted points, or are all cards played?"""
    if state.points[0] >= TARGET or state.points[1] >= TARGET:
        return True
    return state.led is None and not state.hands[0] and not state.hands[1]


def winner_of(state: State, rules: NaiveRules) -> int | None:
    """Who has won a deal that is over; None: nobody."""
    for player in (0, 1):
        if state.points[player] >= TARGET:
            return player
    if state.closed_by is not None and rules.failed_close != "none":
        return 1 - state.closed_by
    if rules.nobody_reaches == "last_trick":
        return state.leader  # the winner of a trick is the next leader, also after the last one
    return None


def worth_of_win(state: State, rules: NaiveRules, winner: int) -> int:
    """The game points of a win."""
    loser = 1 - winner
    # The loser closed: the penalty. What was noted is the winner's.
    if state.closed_by == loser and rules.failed_close != "none":
        if rules.failed_close == "two":
            return 2
        if rules.failed_close == "three":
            return 3
        assert rules.failed_close == "two_or_three"
        return 3 if state.note_tricks == 0 else 2
    points, tricks = state.points[loser], state.tricks[loser]
    # The winner closed: what was noted is the loser's.
    if state.closed_by == winner and rules.snapshot_at_close:
        points, tricks = state.note_points, state.note_tricks
    has_nothing = tricks == 0 if rules.three_for == "no_tricks" else points == 0
    if has_nothing:
        return 3
    if points < 33:
        return 2
    return 1


def outcome(state: State, rules: NaiveRules) -> int | None:
    """None while the deal goes on, then its value for player 0."""
    if not is_over(state):
        return None
    winner = winner_of(state, rules)
    if winner is None:
        return 0
    worth = worth_of_win(state, rules, winner)
    return worth if winner == 0 else -worth


# --------------------------------------------------------------------------------------------------
# Exact values and counts
# --------------------------------------------------------------------------------------------------


def minimax(state: State, rules: NaiveRules) -> int:
    """The exact value for player 0 when both play best with all cards open, by trying everything."""
    result = outcome(state, rules)
    if result is not None:
        return result
    values = [minimax(apply(state, rules, action), rules) for action in legal_actions(state, rules)]
    return max(values) if mover(state) == 0 else min(values)


Memo = dict[State, Pair]
"""For a state: its value is known to be at least the first number and at most the second."""


def at_least(state: State, rules: NaiveRules, target: int, memo: Memo) -> bool:
    """Is the value for player 0 at least `target`: can he play so, or can the other not prevent it?"""
    result = outcome(state, rules)
    if result is not None:
        return result >= target
    low, high = memo.get(state, (-3, 3))
    if low >= target:
        return True
    if high < target:
        return False
    answers = (
        at_least(apply(state, rules, action), rules, target, memo)
        for action in promising_first(state, legal_actions(state, rules))
    )
    answer = any(answers) if mover(state) == 0 else all(answers)
    memo[state] = (target, high) if answer else (low, target - 1)
    return answer


def promising_first(state: State, actions: list[Action]) -> list[Action]:
    """The same actions, marriages and high trumps first: the order changes the time, not the answer."""

    def worth(action: Action) -> tuple[bool, bool, int]:
        if action[0] != "play":
            return True, True, 0
        _, card, declared = action
        return declared, suit(card) == state.trump, rank(card)

    return sorted(actions, key=worth, reverse=True)


def value(state: State, rules: NaiveRules, memo: Memo | None = None) -> int:
    """The same as `minimax`, sooner: no branch is followed once it cannot change the answer.

    `memo` keeps what was found for later calls; use one for one set of rules only.
    """
    if memo is None:
        memo = {}
    low, high = -3, 3
    while low < high:
        middle = (low + high + 1) // 2
        if at_least(state, rules, middle, memo):
            low = middle
        else:
            high = middle - 1
    return low


def turns(state: State, rules: NaiveRules) -> Iterator[tuple[str, State]]:
    """Every turn of the player to move, as text, and the state after it."""
    for action in legal_actions(state, rules):
        after = apply(state, rules, action)
        if action[0] == "play":
            _, card, declared = action
            yield card_text(card) + (f"+{marriage_worth(state, card)}" if declared else ""), after
        else:
            for rest, end in turns(after, rules):
                yield f"{action[0]}, {rest}", end


def turn_values(state: State, rules: NaiveRules, memo: Memo | None = None) -> dict[str, int]:
    """The exact value of every legal turn, for the player to move."""
    if memo is None:
        memo = {}
    sign = 1 if mover(state) == 0 else -1
    return {text: sign * value(after, rules, memo) for text, after in turns(state, rules)}


def perft(state: State, rules: NaiveRules, depth: int) -> list[int]:
    """The number of action sequences of 1, 2, ... `depth` plies.

    A ply is an exchange, a closing or one card. A sequence whose last ply ends the deal counts; one that
    ended before does not go on.
    """
    counts = [0] * depth
    if depth == 0:
        return counts
    for action in legal_actions(state, rules):
        counts[0] += 1
        for ply, count in enumerate(perft(apply(state, rules, action), rules, depth - 1), start=1):
            counts[ply] += count
    return counts


# --------------------------------------------------------------------------------------------------
# Deals and their notation
# --------------------------------------------------------------------------------------------------


def random_deal(rng: random.Random, rules: NaiveRules, leader: int = 0) -> State:
    """A shuffled deal before the first lead: 6 cards each (5 with 20 cards), the upcard, the stock."""
    deck = deck_of(rules)
    rng.shuffle(deck)
    size = 6 if rules.deck == 24 else 5
    up = deck[2 * size]
    return State(
        hands=(frozenset(deck[:size]), frozenset(deck[size : 2 * size])),
        leader=leader,
        led=None,
        points=(0, 0),
        pending=(0, 0),
        tricks=(0, 0),
        stock=tuple(deck[2 * size + 1 :]),
        up=up,
        trump=suit(up),
    )


def rules_of(text: str) -> NaiveRules:
    """`preset` or `preset+switch:value+switch:value`."""
    name, *overrides = text.split("+")
    rules = PRESETS[name]
    for override in overrides:
        switch, given = override.split(":")
        old = getattr(rules, switch)
        new: object = given
        if isinstance(old, bool):
            new = {"yes": True, "no": False}[given]
        elif isinstance(old, int):
            new = int(given)
        rules = replace(rules, **{switch: new})  # type: ignore[arg-type]
    return rules


def rules_text(rules: NaiveRules) -> str:
    """The name of a preset, or `ro` and what differs from it."""
    for name, preset in PRESETS.items():
        if rules == preset:
            return name
    text = "ro"
    for switch in sorted(field.name for field in fields(rules)):
        own = getattr(rules, switch)
        if own != getattr(PRESETS["ro"], switch):
            text += f"+{switch}:{('no', 'yes')[own] if isinstance(own, bool) else own}"
    return text


def cards_of(text: str) -> list[int]:
    """`AKQh,9s`: the cards of a list, in its order."""
    cards: list[int] = []
    ranks: list[int] = []
    for letter in text:
        if letter in RANKS:
            ranks.append(RANKS.index(letter))
        elif letter in SUITS:
            cards += [6 * SUITS.index(letter) + r for r in ranks]
            ranks = []
    return cards


def cards_text(cards: Iterable[int]) -> str:
    """Suits c d h s, ranks from high to low."""
    return ",".join(card_text(card) for card in sorted(cards, key=lambda card: (suit(card), -rank(card))))


def pair_of(text: str) -> Pair:
    """`12-34`."""
    mine, other = text.split("-")
    return int(mine), int(other)


def deal_from_line(text: str) -> tuple[State, NaiveRules]:
    """A fully known position line; the player to move becomes player 0. The line is not validated."""
    words = dict(word.split("=") for word in text.split())
    rules = rules_of(words.get("rules", "ro"))
    hand = cards_of(words["hand"])
    gone = cards_of(words.get("gone", ""))
    opp = cards_of(words.get("opp", ""))
    stock = cards_of(words.get("stock", ""))
    up = cards_of(words["up"])[0] if "up" in words else None
    led: int | None = None
    if "led" in words:
        led = cards_of(words["led"].split("+")[0])[0]
        partner = 6 * suit(led) + QUEEN + KING - rank(led)
        if "+" in words["led"] and partner not in opp:
            opp.append(partner)

    # What the line leaves out is either the rest of the opponent's hand or the stock under a closed talon
    # (whose order no longer matters), or the only card of the stock.
    named = {*hand, *gone, *opp, *stock, *([] if up is None else [up]), *([] if led is None else [led])}
    rest = [card for card in deck_of(rules) if card not in named]
    missing = len(hand) - (0 if led is None else 1) - len(opp)
    if missing == len(rest):
        opp += rest
    elif missing == 0 and ("closed" in words or len(rest) == 1):
        stock += rest
    else:
        raise ValueError(f"not a fully known position: {text}")

    leader = 0 if led is None else 1
    points = pair_of(words.get("points", "0-0"))
    if "tricks" in words:
        tricks = pair_of(words["tricks"])
    else:
        # Whoever is on lead after the first trick has won one; the other one, too, if he has points.
        played = len(gone) // 2
        others = 1 if played > 1 and points[1 - leader] > 0 else 0
        tricks = (played - others, others) if leader == 0 else (others, played - others)

    closed_by: int | None = None
    note_points = note_tricks = 0
    if "closed" in words:
        closer, _, note = words["closed"].partition("@")
        closed_by = 0 if closer == "me" else 1
        note_points, note_tricks = points[1 - closed_by], tricks[1 - closed_by]
        if note:
            note_points, note_tricks = (int(number) for number in note.split("/"))

    return State(
        hands=(frozenset(hand), frozenset(opp)),
        leader=leader,
        led=led,
        points=points,
        pending=pair_of(words.get("pending", "0-0")),
        tricks=tricks,
        stock=tuple(stock),
        up=up,
        trump=SUITS.index(words["trump"]) if up is None else suit(up),
        closed_by=closed_by,
        note_points=note_points,
        note_tricks=note_tricks,
    ), rules


def line_of(state: State, rules: NaiveRules) -> str:
    """The position line of a state, from the view of the player to move, with everything known."""
    me = mover(state)
    opp = 1 - me
    held = {*state.hands[0], *state.hands[1], *state.stock, state.up, state.led}
    gone = [card for card in deck_of(rules) if card not in held]
    words = [f"rules={rules_text(rules)}"]
    words.append(f"trump={SUITS[state.trump]}" if state.up is None else f"up={card_text(state.up)}")
    words.append(f"hand={cards_text(state.hands[me])}")
    if state.led is not None:
        words.append(f"led={card_text(state.led)}")
    if gone:
        words.append(f"gone={cards_text(gone)}")
    if state.hands[opp]:
        words.append(f"opp={cards_text(state.hands[opp])}")
    if state.stock:
        words.append("stock=" + ",".join(card_text(card) for card in state.stock))
    words.append(f"points={state.points[me]}-{state.points[opp]}")
    if state.pending != (0, 0):
        words.append(f"pending={state.pending[me]}-{state.pending[opp]}")
    if gone:
        words.append(f"tricks={state.tricks[me]}-{state.tricks[opp]}")
    if state.closed_by is not None:
        closer = "me" if state.closed_by == me else "opp"
        words.append(f"closed={closer}@{state.note_points}/{state.note_tricks}")
    return " ".join(words)
