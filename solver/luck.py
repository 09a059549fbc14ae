"""Luck and skill: what of a deal's result the players' choices explain, and what the cards did.

Each seat keeps its own account, from what it knew. At a decision its value is that of its best turn; playing another
one costs the loss. From there to its next decision the value changes again: the opponent may have lost something, which
is the seat's gain, and whatever else changed is luck: the cards drawn, and what the opponent turned out to hold. So

    result = start + luck - own loss + opponent's loss

holds exactly, with luck = dealt + drawn + shown. The method is that of the luck-adjusted result of backgammon programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """A judged decision in one unit: the value of the best turn for the seat that chose, and what the choice lost.

    `talon` is the number of cards in the talon then.
    """

    seat: int
    best: float
    loss: float
    talon: int


@dataclass(frozen=True, slots=True)
class Account:
    """A seat's account, of a deal or of several, in game points or in chances to win the match.

    `dealt`: what the first hand was worth; `drawn`: changes across a draw; `shown`: changes without one, from what
    the opponent turned out to hold. `loss` is his own, `gained` the opponent's.
    """

    result: float = 0.0
    dealt: float = 0.0
    drawn: float = 0.0
    shown: float = 0.0
    loss: float = 0.0
    gained: float = 0.0

    @property
    def luck(self) -> float:
        """All that the cards brought."""
        return self.dealt + self.drawn + self.shown

    @property
    def adjusted(self) -> float:
        """The result without the luck."""
        return self.result - self.luck

    def __add__(self, other: Account) -> Account:
        return Account(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def to_json(self) -> dict[str, float]:
        """The account as a JSON object."""
        names = (*self.__slots__, "luck", "adjusted")
        return {name: round(getattr(self, name), 6) for name in names}


def account(
    seat: int, choices: Sequence[Choice], result: float, start: float = 0.0, final_talon: int = 0
) -> tuple[Account, list[float | None]]:
    """A seat's account of one deal, and the luck it had before each choice (None at the opponent's).

    `choices` in the order of play; where the opponent's are missing, what he lost counts as luck. `result` and `start`
    are the seat's: what the deal came to, and what there was before it. `final_talon`: its size at the deal's end.
    """
    sums = {"dealt": 0.0, "drawn": 0.0, "shown": 0.0}
    steps: list[float | None] = []
    value, kind, talon = start, "dealt", None
    loss = gained = 0.0
    for choice in choices:
        if choice.seat != seat:
            value += choice.loss
            gained += choice.loss
            steps.append(None)
            continue
        if talon is not None:
            kind = "drawn" if choice.talon < talon else "shown"
        steps.append(choice.best - value)
        sums[kind] += choice.best - value
        loss += choice.loss
        value, talon = choice.best - choice.loss, choice.talon
    kind = "dealt" if talon is None else "drawn" if final_talon < talon else "shown"
    sums[kind] += result - value
    return Account(result - start, loss=loss, gained=gained, **sums), steps
