"""What a position says before it is checked, and the error that refuses it."""

from dataclasses import dataclass

from .cards import Cards
from .rules import Rules

ME = 0
OPP = 1
SIDES = ("me", "opp")
"""The two sides of a position: "me" is the player to move."""


class PositionError(ValueError):
    """An impossible or unreadable position: one line that names the key and what is wrong with it."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key = key
        self.problem = problem

    def __reduce__(self) -> tuple[type["PositionError"], tuple[str, str]]:
        return type(self), (self.key, self.problem)


@dataclass(frozen=True, slots=True)
class Closing:
    """Who closed the talon, and his opponent's counted points and tricks at that moment.

    The note, points and tricks, is None where nobody said it and the rules never use it.
    """

    by: int
    points: int | None = None
    tricks: int | None = None

    @property
    def note(self) -> tuple[int, int] | None:
        """The points and tricks together, None if they are not known."""
        if self.points is None or self.tricks is None:
            return None
        return self.points, self.tricks


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The statements of a position as they were made; what is left out is unknown, or follows from the rest.

    Pairs are (mine, the opponent's). `led_value` is the value of the marriage declared with the card led,
    0 if none was said. `excluded` are the cards that the opponent is proved not to hold.
    """

    rules: Rules
    hand: Cards = ()
    up: int | None = None
    trump: int | None = None
    led: int | None = None
    led_value: int = 0
    gone: Cards = ()
    opp: Cards = ()
    stock: tuple[int | None, ...] = ()
    points: tuple[int, int] = (0, 0)
    pending: tuple[int, int] = (0, 0)
    tricks: tuple[int, int] | None = None
    closed: Closing | None = None
    shown: Cards = ()
    excluded: Cards = ()
    first: int | None = None
    score: tuple[int, int] | None = None
