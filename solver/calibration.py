"""Corrections of stated chances by what self-play showed of such judgements."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .ranking import Judged
from .worlds import Ints

T = TypeVar("T", bound=Judged)
Floats = NDArray[np.float64]
POINTS = np.arange(-3.0, 4.0)

TINY = 1e-4  # stated chances are kept so far from 0 and 1


@dataclass(frozen=True, slots=True)
class Correction:
    """A straight line between the logits of stated and true chances to win: logit(true) = shift + slope logit(stated).

    The form of Platt (1999), "Probabilistic outputs for support vector machines". A chance of 0 or 1 stays.
    """

    shift: float
    slope: float

    def of(self, stated: Floats) -> Floats:
        """True chances for stated ones."""
        inside = np.clip(stated, TINY, 1 - TINY)
        true = 1 / (1 + np.exp(-(self.shift + self.slope * np.log(inside / (1 - inside)))))
        result: Floats = np.where((stated <= 0) | (stated >= 1), stated, true)
        return result

    def of_outcomes(self, chances: Floats) -> Floats:
        """Chances of the outcomes -3 to 3 with the chance to win corrected, wins and the rest in proportion."""
        win = float(chances[4:].sum())
        if not 0 < win < 1:
            return chances
        true = float(self.of(np.array([win]))[0])
        return np.concatenate([chances[:4] * (1 - true) / (1 - win), chances[4:] * true / win])


@dataclass(frozen=True, slots=True)
class Corrected:
    """An evaluation with its chances corrected; see `ranking.Judged`."""

    evaluation: Any
    correction: Correction

    corrected = True

    @property
    def codes(self) -> Ints:
        codes: Ints = self.evaluation.codes
        return codes

    @property
    def method(self) -> str:
        return str(self.evaluation.method)

    @property
    def world(self) -> str:
        return str(self.evaluation.world)

    @property
    def worlds(self) -> int:
        return int(self.evaluation.worlds)

    def worlds_of(self, turn: int) -> int:
        return int(self.evaluation.worlds_of(turn))

    def shares(self, turn: int) -> Floats:
        return self.correction.of_outcomes(self.evaluation.shares(turn))

    def mean(self, turn: int) -> float:
        return float(self.shares(turn) @ POINTS)

    def error(self, turn: int) -> float:
        return float(self.evaluation.error(turn))

    def first_states(self, n: int) -> Ints:
        states: Ints = self.evaluation.first_states(n)
        return states


@cache
def corrections_for(preset: str) -> Mapping[tuple[str, str], Correction]:
    """The corrections of a preset by stage and manner of judging; none where none were measured."""
    path = files("sixtysix.data") / "calibration" / f"{preset}.json"
    if not path.is_file():
        return {}
    stages = json.loads(path.read_text(encoding="utf-8"))["stages"]
    return {(entry["stage"], entry["judged"]): Correction(entry["shift"], entry["slope"]) for entry in stages}


def manner_of(method: str) -> str:
    """What methods have in common that err in the same way: whether all deals are solved or a sample is no matter."""
    return "open cards" if method in ("enumerated", "sampled") else method


def corrected(evaluation: T, preset: str, stage: str | None) -> T | Corrected:
    """A tree search with the correction of its stage; any other evaluation, and one without, as it is.

    Averages over solved deals stay what they are; see `won_in_play`.
    """
    correction = corrections_for(preset).get((stage or "", evaluation.method))
    return evaluation if correction is None else Corrected(evaluation, correction)


def won_in_play(preset: str, stage: str | None, method: str, win: float) -> float | None:
    """How often deals were won in self-play where open cards gave this chance; None where that was not measured."""
    correction = corrections_for(preset).get((stage or "", manner_of(method)))
    if correction is None or manner_of(method) == method:
        return None
    return float(correction.of(np.array([win]))[0])
