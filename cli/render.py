"""Pieces of the human answers: cards with suit symbols, the position as understood, numbers."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from .output import Screen

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text
    from sixtysix import Position, Rules, Turn

SIDES = ("you", "the opponent")


def count_of(number: int, noun: str) -> str:
    """Return `1 card`, `2 cards`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def signed(value: float, digits: int = 2) -> str:
    """Return a number of game points with its sign; whole numbers without decimals if `digits` is 0."""
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def percent(share: float) -> str:
    """Return a share in whole percents; what is rare but possible is not rounded to 0, nor its opposite to 100."""
    if 0 < share < 0.005:
        return "<1"
    if 0.995 <= share < 1:
        return ">99"
    return f"{100 * share:.0f}"


def outcomes_source(rules: Rules) -> str:
    """Return where the outcomes come from with which the later deals of a match are reckoned."""
    from sixtysix.match import measured

    others = "" if measured(rules) else f", which stand in for those of {rules.text}"
    return f"Later deals end as measured for {rules.preset}{others}"


def hand_text(cards: Iterable[int]) -> str:
    """Return cards with suit symbols, the suits set apart."""
    from sixtysix.cards import suit_of, symbol_text

    return "  ".join(" ".join(map(symbol_text, suit)) for _, suit in groupby(cards, suit_of))


def turn_text(screen: Screen, turn: Turn, style: str = "") -> Text:
    """Return a turn with suit symbols."""
    return screen.ink(turn.pretty, style)


def facts(screen: Screen, rows: Iterable[tuple[str, str]]) -> Table:
    """Return names and what there is to say about them, one a line."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for name, text in rows:
        grid.add_row(screen.ink(name, "dim"), screen.ink(text))
    return grid


def position_block(screen: Screen, position: Position) -> list[RenderableType]:
    """Return the position as understood: its facts, and its canonical line."""
    line = screen.ink(position.text, "dim")
    line.no_wrap, line.overflow = True, "ignore"  # it is there to be copied
    return [facts(screen, _position_rows(position)), "", line, ""]


def _position_rows(position: Position) -> list[tuple[str, str]]:
    rows = [
        ("rules", _rules_text(position)),
        ("to move", _to_move_text(position)),
        ("trump", trump_text(position)),
        ("your hand", hand_text(position.hand)),
        ("opponent", _opponent_text(position)),
        ("stock", _stock_text(position)),
        ("gone", hand_text(position.gone)),
        ("unseen", _unseen_text(position)),
        ("points", _points_text(position)),
        ("closed", _closed_text(position)),
        ("he has seen", hand_text(position.shown)),
        ("match", _match_text(position)),
    ]
    return [(name, text) for name, text in rows if text]


def _rules_text(position: Position) -> str:
    from sixtysix.rules import preset_source

    rules = position.rules
    return f"{preset_source(rules.preset).title} ({rules.text})"


def _to_move_text(position: Position) -> str:
    from sixtysix.cards import symbol_text

    if position.led is None:
        return "you lead"
    declared = f", declaring a marriage (+{position.led_value})" if position.led_declared else ""
    return f"you follow: the opponent has led {symbol_text(position.led)}{declared}"


def trump_text(position: Position) -> str:
    """Return the trump suit, and what lies under the talon."""
    from sixtysix.cards import SUIT_SYMBOLS, symbol_text

    suit = SUIT_SYMBOLS[position.trump]
    if position.up is None:
        return f"{suit}, the talon is gone"
    up = symbol_text(position.up)
    if position.closed is not None:
        return f"{suit}, {up} turned down with the closed talon of {position.talon}"
    return f"{suit}, {up} face up under the talon of {position.talon}"


def _opponent_text(position: Position) -> str:
    known = len(position.opp)
    count = count_of(position.opp_cards, "card")
    if known == position.opp_cards:
        text = f"{count}: {hand_text(position.opp)}" if known else count
    elif known:
        text = f"{count}, {known} known: {hand_text(position.opp)}"
    else:
        text = f"{count}, none known"
    return f"{text}; surely not {hand_text(position.excluded)}" if position.excluded else text


def _stock_text(position: Position) -> str:
    from sixtysix.cards import symbol_text

    if all(card is None for card in position.stock):
        return ""
    return "from the top: " + " ".join("?" if card is None else symbol_text(card) for card in position.stock)


def _unseen_text(position: Position) -> str:
    unseen = position.unseen
    return f"{count_of(len(unseen), 'card')}: {hand_text(unseen)}" if unseen else ""


def _points_text(position: Position) -> str:
    mine, theirs = position.points
    parts = [f"you {mine}, opponent {theirs}"]
    if any(position.pending):
        parts.append(f"waiting for a trick: you {position.pending[0]}, opponent {position.pending[1]}")
    if position.gone:
        parts.append(f"tricks: you {position.tricks[0]}, opponent {position.tricks[1]}")
    return "; ".join(parts)


def _closed_text(position: Position) -> str:
    closed = position.closed
    if closed is None:
        return ""
    if closed.note is None:
        return f"by {SIDES[closed.by]}"
    points, tricks = closed.note
    have = ("you had", "the opponent had")[1 - closed.by]
    return f"by {SIDES[closed.by]}, when {have} {count_of(points, 'point')} and {count_of(tricks, 'trick')}"


def _match_text(position: Position) -> str:
    if position.score is None:
        return ""
    mine, theirs = position.score
    target = count_of(position.rules.match_target, "game point")
    return f"you {mine}, opponent {theirs} of {target}"
