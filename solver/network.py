"""The trained networks, one a preset: what a sensible player does and how such deals end."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .echo import quoted

Weights = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Weights in the layout of `kernel/network.py`, and how they were made (`about`: deals, seed, player, version)."""

    weights: Weights
    about: dict[str, Any]


class NetworkError(ValueError):
    """A preset that has no network."""


@cache
def network_for(preset: str) -> Network:
    """The network of a preset; rules derived from it by overrides are played with it too. Raises NetworkError."""
    from .kernel.network import WEIGHTS

    try:
        with (files("sixtysix.data") / "networks" / f"{preset}.npz").open("rb") as file, np.load(file) as stored:
            weights = stored["weights"].astype(np.float32)
            about = json.loads(stored["about"].item())
    except FileNotFoundError:
        raise NetworkError(f"there is no network for {quoted(preset)}") from None
    if len(weights) != WEIGHTS:
        raise NetworkError(f"the network of {preset} has {len(weights)} weights, {WEIGHTS} are wanted: train it anew")
    return Network(weights, about)
