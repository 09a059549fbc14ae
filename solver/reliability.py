"""Whether stated chances come true: what self-play shows, stage by stage, and the corrections that follow from it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .calibration import POINTS, Correction, Floats, manner_of
from .decisions import DecisionLog
from .stages import stage_of
from .worlds import Ints

BINS = 10
FEWEST = 200  # decisions of a stage from which a correction is fitted
PRIOR = 10.0  # weight, in decisions, of the belief that no correction is needed
NEWTON_STEPS = 30
TINY = 1e-4  # least chance of an outcome for the fit, as it may happen for all that was stated


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """The decisions of a stage judged in one manner: the deal of each, the chances stated for the outcomes -3 to 3 (one
    row each), and the outcomes."""

    name: str
    manner: str
    deals: Ints
    chances: Floats
    outcomes: Ints

    @property
    def stated(self) -> Floats:
        """The chance to win stated in each."""
        result: Floats = np.clip(self.chances[:, 4:].sum(axis=1), 0, 1)
        return result

    @property
    def won(self) -> Floats:
        """Whether the deal was won, 1 or 0."""
        return (self.outcomes > 0).astype(np.float64)

    @property
    def points(self) -> tuple[float, float]:
        """Mean game points stated, and won."""
        return float((self.chances @ POINTS).mean()), float(self.outcomes.mean())

    @property
    def size(self) -> int:
        return len(self.outcomes)

    @property
    def brier(self) -> float:
        """Mean squared difference of chance and result: 0.25 for a constant one half."""
        return float(np.square(self.stated - self.won).mean())

    @property
    def calibration_error(self) -> float:
        """Expected calibration error: the mean gap between chance stated and share won, in ten bins of chances."""
        total = sum(abs(stated - won) * n for stated, won, n in self.bins if n)
        return total / self.size

    @property
    def bins(self) -> list[tuple[float, float, int]]:
        """Ten bins of equal width: mean stated chance, share won, decisions."""
        place = np.minimum((self.stated * BINS).astype(np.int64), BINS - 1)
        rows = []
        for i in range(BINS):
            inside = place == i
            n = int(inside.sum())
            rows.append((float(self.stated[inside].mean()), float(self.won[inside].mean()), n) if n else (0.0, 0.0, 0))
        return rows

    def fit(self) -> Correction:
        """The correction of greatest likelihood, with a weak belief that none is needed (Newton's method)."""
        logs = np.log(np.maximum(self.chances, TINY))
        happened = np.eye(len(POINTS))[self.outcomes + 3]
        none = np.append(np.zeros(len(POINTS)), 1.0)
        found = none.copy()
        for _ in range(NEWTON_STEPS):
            chances = _softmax(found[:-1] + found[-1] * logs)
            missed = happened - chances
            slope = np.append(missed.sum(axis=0), (missed * logs).sum()) - PRIOR * (found - none)
            spread = chances * (logs - (chances * logs).sum(axis=1, keepdims=True))
            bend = PRIOR * np.eye(len(found))
            bend[:-1, :-1] += np.diag(chances.sum(axis=0)) - chances.T @ chances
            bend[:-1, -1] += spread.sum(axis=0)
            bend[-1, :-1] += spread.sum(axis=0)
            bend[-1, -1] += (spread * logs).sum()
            found = found + np.linalg.solve(bend, slope)
        return Correction(tuple(found[:-1].tolist()), float(found[-1]))

    def cross_corrected(self) -> Stage:
        """The same decisions with chances corrected by what the other half of the deals shows, so that no deal is
        judged by itself."""
        chances = self.chances.copy()
        for half in (0, 1):
            inside = self.deals % 2 == half
            chances[inside] = self._part(~inside).fit().of(self.chances[inside])
        return Stage(self.name, self.manner, self.deals, chances, self.outcomes)

    def _part(self, chosen: NDArray[np.bool_]) -> Stage:
        return Stage(self.name, self.manner, self.deals[chosen], self.chances[chosen], self.outcomes[chosen])


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    result: Floats = powers / powers.sum(axis=1, keepdims=True)
    return result


def stages_of(log: DecisionLog) -> list[Stage]:
    """The decisions of a log by stage and manner of judging, the talon's sizes first, from the largest.

    Decisions judged exactly are left out.
    """
    rows = log.decisions[~np.isnan(log.decisions["chances"][:, 0])]
    found: dict[tuple[str, str], list[int]] = {}
    for i, row in enumerate(rows):
        stage = stage_of(int(row["kind"]), int(row["talon"]))
        method = row["method"].decode()
        if stage is not None and method != "exact":
            found.setdefault((stage, manner_of(method)), []).append(i)
    order = sorted(found, key=lambda key: (-int(key[0]) if key[0].isdigit() else 1, key))
    return [_stage(*key, rows[found[key]]) for key in order]


def _stage(name: str, method: str, rows: NDArray[Any]) -> Stage:
    chances = np.maximum(rows["chances"].astype(np.float64), 0)
    chances /= chances.sum(axis=1, keepdims=True)
    return Stage(name, method, rows["deal"].astype(np.int64), chances, rows["outcome"].astype(np.int64))


def whole(stages: list[Stage], name: str = "all") -> Stage:
    """Several stages as one."""
    return Stage(
        name,
        "",
        np.concatenate([stage.deals for stage in stages]),
        np.concatenate([stage.chances for stage in stages]),
        np.concatenate([stage.outcomes for stage in stages]),
    )


def save_corrections(path: Path, log: DecisionLog) -> None:
    """Write the corrections that a log shows, with its provenance. Raises OSError."""
    stages = []
    for stage in stages_of(log):
        if stage.size >= FEWEST:
            fitted = stage.fit()
            stages.append(
                {
                    "stage": stage.name,
                    "judged": stage.manner,
                    "decisions": stage.size,
                    "shifts": [round(shift, 4) for shift in fitted.shifts],
                    "slope": round(fitted.slope, 4),
                }
            )
    document = {**log.about, "deals": len(log.results), "stages": stages}
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
