"""Why the rules do not allow a turn, in words. What is allowed is asked of the kernel, never decided here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .cards import card_text, full_deck, make_card, partner_of
from .echo import choices
from .kernel.layout import (
    NO_CARD,
    NOBODY,
    S_CLOSER,
    S_HAND0,
    S_LEADER,
    S_LED,
    S_OVER,
    S_TALON,
    S_TRICKS0,
    S_TRUMP,
    S_UP,
)
from .notation import Turn
from .rules import SWITCHES, Rules
from .turns import code_of, legal_turns, turn_of
from .validation import marriage_value

if TYPE_CHECKING:
    from .worlds import Ints


def why_not(rules: Rules, state: Ints, turn: Turn) -> str | None:
    """Return why the player to move in a kernel state may not play a turn, None if he may."""
    allowed = legal_turns(np.array(rules.packed(), np.int64), state)
    trump = int(state[S_TRUMP])
    if code_of(turn) in allowed and turn_of(code_of(turn), trump) == turn:
        return None
    return next(_reasons(rules, state, turn, [turn_of(int(code), trump) for code in allowed]))


def _reasons(rules: Rules, state: Ints, turn: Turn, allowed: list[Turn]) -> Iterator[str]:
    """Yield what is wrong, the plainest reason first."""
    if state[S_OVER]:
        yield "the deal is over"
    if turn.card not in full_deck(rules.deck):
        yield f"{card_text(turn.card)} is not in the deck of {rules.deck}"
    if state[S_LED] != NO_CARD and (turn.exchange or turn.close or turn.declared):
        yield f"{card_text(int(state[S_LED]))} has been led: only the leader exchanges, closes or declares"
    if turn.exchange and not any(other.exchange for other in allowed):
        yield from _exchange_reasons(rules, state)
    if turn.close and not any(other.close for other in allowed):
        yield from _talon_reasons(rules, state, "close")
    if not any(other.card == turn.card and other.exchange == turn.exchange for other in allowed):
        yield from _card_reasons(rules, state, turn, allowed)
    if turn.declared:
        yield from _marriage_reasons(rules, state, turn)
    yield f"possible are {choices(other.text for other in allowed)}"


def _exchange_reasons(rules: Rules, state: Ints) -> Iterator[str]:
    lowest = make_card(int(state[S_TRUMP]), rules.lowest_rank)
    if state[S_UP] != NO_CARD and state[S_CLOSER] == NOBODY and not _holds(state, lowest):
        yield f"the lowest trump, {card_text(lowest)}, is not in the hand"
    yield from _talon_reasons(rules, state, "exchange")


def _talon_reasons(rules: Rules, state: Ints, step: str) -> Iterator[str]:
    """Yield why the talon may not be touched: `step` is `close` or `exchange`, also in the names of the switches."""
    if state[S_CLOSER] != NOBODY:
        yield "the talon is closed"
    if state[S_TALON] == 0:
        yield "the talon is gone"
    if state[S_TALON] < int(rules.value_of(f"{step}_min_talon")):
        yield _switch(rules, f"{step}_min_talon")
    if not state[S_TRICKS0 + state[S_LEADER]]:
        yield _switch(rules, f"{step}_needs_trick")


def _card_reasons(rules: Rules, state: Ints, turn: Turn, allowed: list[Turn]) -> Iterator[str]:
    card = card_text(turn.card)
    if turn.exchange and turn.card == make_card(int(state[S_TRUMP]), rules.lowest_rank):
        yield f"{card} is given away by the exchange"
    if not _holds(state, turn.card):
        yield f"{card} is not in the hand"
    if state[S_LED] != NO_CARD:
        yield (
            f"{card_text(int(state[S_LED]))} is led, so {choices(other.text for other in allowed)} is due. "
            f"{_switch(rules, 'endgame_follow')}"
        )


def _marriage_reasons(rules: Rules, state: Ints, turn: Turn) -> Iterator[str]:
    partner = partner_of(turn.card)
    value = marriage_value(turn.card // 6, int(state[S_TRUMP]))
    if not _holds(state, partner) and not (turn.exchange and partner == state[S_UP]):
        yield f"{card_text(partner)} is not in the hand, so there is no marriage"
    if (state[S_TALON] == 0 or state[S_CLOSER] != NOBODY or turn.close) and not rules.marriage_in_endgame:
        yield _switch(rules, "marriage_in_endgame")
    if not state[S_TRICKS0 + state[S_LEADER]] and rules.marriage_from == "after_own_trick":
        yield _switch(rules, "marriage_from")
    if turn.value != value:
        yield f"that marriage is worth {value}: {card_text(turn.card)}+{value}"


def _switch(rules: Rules, name: str) -> str:
    """Return what the rules say about a switch."""
    return SWITCHES[name].explain(rules.value_of(name))


def _holds(state: Ints, card: int) -> bool:
    """Tell whether the player to move holds a card."""
    mover = int(state[S_LEADER]) ^ (state[S_LED] != NO_CARD)
    return bool(int(state[S_HAND0 + mover]) >> card & 1)
