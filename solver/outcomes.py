"""How deals end: counts of the seven outcomes of self-play, as shipped for every preset in data/match."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import sqrt
from typing import Any, Final

OUTCOMES: Final = (-3, -2, -1, 0, 1, 2, 3)
"""What a deal can be worth, in game points."""


@dataclass(frozen=True, slots=True)
class OutcomeModel:
    """How often each outcome -3 to 3, in game points of the player who led first, followed in games of self-play.

    `rules` and `player` are texts, `version` is that of the engine that played; `seed` and `command` tell how to make
    the counts again. All deals were played for game points, with no regard to a match.
    """

    rules: str
    player: str
    version: str
    seed: int
    command: str
    counts: tuple[int, ...]

    @property
    def deals(self) -> int:
        """Deals played; each was played once, so they are independent."""
        return sum(self.counts)

    @property
    def probabilities(self) -> tuple[float, ...]:
        """The share of each outcome."""
        return tuple(count / self.deals for count in self.counts)

    @property
    def errors(self) -> tuple[float, ...]:
        """The standard error of each share."""
        return tuple(sqrt(share * (1 - share) / self.deals) for share in self.probabilities)

    @property
    def mean(self) -> tuple[float, float]:
        """The leader's game points a deal, and their standard error."""
        mean = sum(k * share for k, share in zip(OUTCOMES, self.probabilities, strict=True))
        squares = sum(k * k * share for k, share in zip(OUTCOMES, self.probabilities, strict=True))
        return mean, sqrt((squares - mean * mean) / self.deals)

    def to_json(self) -> dict[str, Any]:
        """The model as the JSON object of its file."""
        return {
            "rules": self.rules,
            "player": self.player,
            "version": self.version,
            "seed": self.seed,
            "command": self.command,
            "deals": self.deals,
            "counts": _by_outcome(self.counts),
            "probabilities": _by_outcome([round(p, 6) for p in self.probabilities]),
            "errors": _by_outcome([round(error, 6) for error in self.errors]),
        }

    @classmethod
    def from_json(cls, document: Any) -> OutcomeModel:
        """Return the model of such an object. Raises KeyError, TypeError or ValueError if it is none."""
        counts = tuple(document["counts"][str(outcome)] for outcome in OUTCOMES)
        if not all(type(count) is int and count >= 0 for count in counts) or document["deals"] != sum(counts):
            raise ValueError("counts: whole numbers that add up to the deals are due")
        texts = {key: document[key] for key in ("rules", "player", "version", "command")}
        return cls(**texts, seed=document["seed"], counts=counts)


@cache
def model_of(preset: str) -> OutcomeModel:
    """Return the model that is shipped for a preset."""
    file = resources.files("sixtysix.data").joinpath(f"match/{preset}.json")
    return OutcomeModel.from_json(json.loads(file.read_text(encoding="utf-8")))


def _by_outcome(numbers: Any) -> Mapping[str, Any]:
    return {str(outcome): number for outcome, number in zip(OUTCOMES, numbers, strict=True)}
