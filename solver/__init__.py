"""Analysis engine for Sixty-Six, Santase and Schnapsen.

    >>> from sixtysix import Position, analyze
    >>> position = Position.parse("rules=schnapsen trump=d hand=Qc,Jc,Ah,Qh,Ks "
    ...     "gone=Ac,Tc,Td,Kd,Qd,Jd,Kh,As,Ts,Qs opp=Kc,Ad,Th,Jh,Js points=34-34")
    >>> analyze(position).best.turn.text
    'Jc'

A `Position` is what one player knows and a `Deal` is everything; `analyze` judges the turns of a position, `solve`
solves a deal. Values are game points of the player to move. Importing the package is quick: the compiled kernel is
loaded by the first call that needs it, and compiled on the first run (see `kernel_ready`).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .analysis import Analysis, ExpectedReply, analyze
    from .cards import CardError
    from .effort import EffortError
    from .notation import Turn, TurnError
    from .position import Deal, Position, PositionError
    from .ranking import TurnAnalysis
    from .records import (
        Collection,
        DealRecord,
        MatchRecord,
        Problem,
        RecordedTurn,
        RecordError,
        dump,
        dumps,
        load,
        loads,
    )
    from .review import review_match
    from .reviewed import MatchReview
    from .rules import Rules, RulesError
    from .solution import Solution, perft, solve
    from .steps import End, Step, end_of, position_before, replay
    from .workers import kernel_ready

__version__ = "0.1.0"

# Where each public name lives; loaded when first asked for, so that a command that needs no search starts quickly.
_HOMES = {
    "analysis": ("Analysis", "ExpectedReply", "analyze"),
    "cards": ("CardError",),
    "effort": ("EffortError",),
    "notation": ("Turn", "TurnError"),
    "position": ("Deal", "Position", "PositionError"),
    "ranking": ("TurnAnalysis",),
    "records": (
        "Collection",
        "DealRecord",
        "MatchRecord",
        "Problem",
        "RecordError",
        "RecordedTurn",
        "dump",
        "dumps",
        "load",
        "loads",
    ),
    "review": ("review_match",),
    "reviewed": ("MatchReview",),
    "steps": ("End", "Step", "end_of", "position_before", "replay"),
    "rules": ("Rules", "RulesError"),
    "solution": ("Solution", "perft", "solve"),
    "workers": ("kernel_ready",),
}

__all__ = [
    "Analysis",
    "CardError",
    "Collection",
    "Deal",
    "DealRecord",
    "EffortError",
    "End",
    "ExpectedReply",
    "MatchRecord",
    "MatchReview",
    "Position",
    "PositionError",
    "Problem",
    "RecordError",
    "RecordedTurn",
    "Rules",
    "RulesError",
    "Solution",
    "Step",
    "Turn",
    "TurnAnalysis",
    "TurnError",
    "analyze",
    "dump",
    "dumps",
    "end_of",
    "kernel_ready",
    "load",
    "loads",
    "perft",
    "position_before",
    "replay",
    "review_match",
    "solve",
]


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f".{home}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
