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

from .analysis import Analysis, EffortError, ExpectedReply, TurnAnalysis, analyze
from .cards import CardError
from .notation import Turn, TurnError
from .position import Deal, Position, PositionError
from .rules import Rules, RulesError
from .solve import Solution, perft, solve
from .workers import kernel_ready

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "CardError",
    "Deal",
    "EffortError",
    "ExpectedReply",
    "Position",
    "PositionError",
    "Rules",
    "RulesError",
    "Solution",
    "Turn",
    "TurnAnalysis",
    "TurnError",
    "analyze",
    "kernel_ready",
    "perft",
    "solve",
]
