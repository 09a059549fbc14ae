"""Corrections of stated chances by what self-play showed of such judgements."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
class Correction:
    """True chances of the outcomes -3 to 3 for stated ones: in proportion to exp(shift) stated^slope, a shift for each.

    It is the vector scaling of Guo et al. (2017), "On calibration of modern neural networks", with one slope for all.
    What is stated as impossible stays so.
    """

    shifts: tuple[float, ...]
    slope: float

    def of(self, stated: Floats) -> Floats:
        """True chances of the outcomes, along the last axis, for stated ones."""
        weights = np.exp(self.shifts) * np.power(stated, self.slope)
        result: Floats = weights / weights.sum(axis=-1, keepdims=True)
        return result


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
        return self.correction.of(self.evaluation.shares(turn))

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
    return {(entry["stage"], entry["judged"]): Correction(tuple(entry["shifts"]), entry["slope"]) for entry in stages}


def manner_of(method: str) -> str:
    """What methods have in common that err in the same way: whether all deals are solved or a sample is no matter."""
    return "open cards" if method in ("enumerated", "sampled") else method


def corrected(evaluation: T, preset: str, stage: str | None) -> T | Corrected:
    """A tree search with the correction of its stage; any other evaluation, and one without, as it is.

    Averages over solved deals stay what they are; see `won_in_play`.
    """
    correction = corrections_for(preset).get((stage or "", evaluation.method))
    return evaluation if correction is None else Corrected(evaluation, correction)


def won_in_play(preset: str, stage: str | None, method: str, outcomes: Sequence[float]) -> float | None:
    """How often deals were won in self-play where open cards gave the outcomes these chances; None where that was not
    measured."""
    correction = corrections_for(preset).get((stage or "", manner_of(method)))
    if correction is None or manner_of(method) == method:
        return None
    return float(correction.of(np.array(outcomes))[4:].sum())
