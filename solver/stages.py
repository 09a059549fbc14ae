"""The stages of a deal by which decisions are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .claims import OPP

if TYPE_CHECKING:
    from .position import Position

# A turn that leaves the talon open, one that closes it, any turn after one's own closing or after the opponent's, and
# any with the talon gone.
OPEN, CLOSES, CLOSER, DEFENDER, GONE = range(5)

CLOSED_STAGES = {CLOSES: "closing", CLOSER: "closer", DEFENDER: "defender"}
"""Stages that are no size of the talon: the choice to close, and later turns of either side."""


def kind_of(position: Position, closes: bool) -> int:
    """The kind of a decision; `closes`: whether the turn judged best closes the talon."""
    if position.closed is not None:
        return DEFENDER if position.closed.by == OPP else CLOSER
    if position.talon == 0:
        return GONE
    return CLOSES if closes else OPEN


def stage_of(kind: int, talon: int) -> str | None:
    """The stage of a decision: the talon's size, or one of `CLOSED_STAGES`; None once the talon is gone."""
    if kind == GONE:
        return None
    return str(talon) if kind == OPEN else CLOSED_STAGES[kind]
