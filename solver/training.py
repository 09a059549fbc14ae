"""Training of the network: its policy on what the search preferred in deals of self-play, its chances of the outcomes
on how those deals ended and on many more that its own policy plays out meanwhile (`playouts.py`).

Plain numpy: the networks are small, and a few minutes suffice.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .decisions import DecisionLog
from .kernel.ismcts import SLOTS
from .kernel.network import FEATURES, HIDDEN, HIDDEN2, OUTCOMES, OUTPUTS
from .playouts import DEALS, Seen, stream
from .rules import Rules
from .symmetry import suits_mixed

Floats = NDArray[np.float32]
Layers = list[Floats]  # weights and biases of the three layers in turn

PLAYOUTS = 400_000  # deals
BATCH = 1024  # decisions of deals played out in a step
LOGGED_BATCH = 512  # and of self-play
RATE = 1e-2  # of learning at the start; it falls along a half cosine. A fifth of it learns much less in the same steps
FURTHER_RATE = 5e-3  # the same where a network is trained on
LAST_RATE = 0.02  # of that at the end
DECAY = 1e-5
TEMPERATURE = 0.12  # game points: the policy to be learned is a softmax of the turns' values over it
POLICY_WEIGHT = 0.5  # of the policy's loss beside that of the outcome
LOGGED_WEIGHT = 0.4  # of the outcomes of self-play, which are few but better played, beside those played out
HELD_OUT = 10  # one deal of so many is not trained on, to see what was learned


@dataclass(frozen=True, slots=True)
class Report:
    """What a network is worth on deals it was not trained on.

    `outcome_loss`: cross entropy of the outcomes (nats); `policy_loss`: divergence from the policy taught (nats);
    `regret`: mean value (game points) given up by its favourite action, as the search judged it.
    """

    samples: int
    outcome_loss: float
    policy_loss: float
    regret: float


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Decisions with the talon open: features (one row each, -1 after the last), values by slot, outcome + 3."""

    features: NDArray[np.int16]
    values: Floats
    outcomes: NDArray[np.int64]

    @classmethod
    def of(cls, played: DecisionLog, *, held_out: bool) -> Samples:
        """The decisions of the deals that are (not) kept apart."""
        rows = played.decisions
        rows = rows[(rows["features"][:, 0] >= 0) & ((rows["deal"] % HELD_OUT == 0) == held_out)]
        return cls(rows["features"], rows["values"], rows["outcome"].astype(np.int64) + 3)


def train(
    logs: list[DecisionLog],
    rules: Rules,
    seed: int,
    start: Layers | None = None,
    playouts: int = PLAYOUTS,
    progress: Callable[[float], None] | None = None,
) -> tuple[Layers, Report]:
    """Train a network for rules on self-play by them and on deals played out, from scratch or from another network.

    Also report what it is worth on the deals of self-play that were held out.
    """
    logged, apart = (_joined([Samples.of(log, held_out=held_out) for log in logs]) for held_out in (False, True))
    rng = np.random.default_rng(seed)
    layers = _new_layers(rng) if start is None else [layer.copy() for layer in start]
    optimizer = _Adam(layers, RATE if start is None else FURTHER_RATE)
    lots = -(-playouts // DEALS)
    for lot, played in enumerate(stream(rules, lambda: flat(layers), seed, playouts)):
        order = rng.permutation(len(played.outcomes))
        batches = len(order) // BATCH
        for i in range(batches):
            chosen = rng.integers(len(logged.outcomes), size=LOGGED_BATCH)
            gradient = _gradient(layers, played, order[i * BATCH : (i + 1) * BATCH], logged, chosen, rng)
            optimizer.step(gradient, (lot + i / batches) / lots)
        if progress:
            progress((lot + 1) / lots)
    return layers, _report(layers, apart)


def save(
    path: Path, layers: Layers, sources: list[dict[str, Any]], seed: int, start: str | None, playouts: int
) -> None:
    """Write a network with its provenance: the deals it was trained on, the number of those played out, the seed, the
    version, and whose network it was at the start. Raises OSError."""
    from . import __version__

    about = {"version": __version__, "seed": seed, "start": start, "deals": sources, "playouts": playouts}
    np.savez_compressed(path, weights=flat(layers).astype(np.float16), about=json.dumps(about))


def _joined(parts: list[Samples]) -> Samples:
    return Samples(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.outcomes for part in parts]),
    )


def flat(layers: Layers) -> Floats:
    """The weights in the order of the kernel."""
    return np.concatenate([layer.ravel() for layer in layers])


def unflat(weights: Floats) -> Layers:
    """The layers of weights in the order of the kernel."""
    layers = []
    for rows, columns in ((FEATURES, HIDDEN), (HIDDEN, HIDDEN2), (HIDDEN2, OUTPUTS)):
        layers.append(weights[: rows * columns].reshape(rows, columns).copy())
        layers.append(weights[rows * columns : (rows + 1) * columns].copy())
        weights = weights[(rows + 1) * columns :]
    return layers


def _new_layers(rng: np.random.Generator) -> Layers:
    """Random weights; the first layer sees some thirty features at a time, not all."""

    def weights(rows: int, columns: int, scale: float) -> Floats:
        return (rng.standard_normal((rows, columns)) * scale).astype(np.float32)

    return [
        weights(FEATURES, HIDDEN, 0.2),
        np.zeros(HIDDEN, np.float32),
        weights(HIDDEN, HIDDEN2, (2 / HIDDEN) ** 0.5),
        np.zeros(HIDDEN2, np.float32),
        weights(HIDDEN2, OUTPUTS, 0.3 * (2 / HIDDEN2) ** 0.5),
        np.zeros(OUTPUTS, np.float32),
    ]


class _Adam:
    """Adam (Kingma and Ba 2014) with weight decay."""

    def __init__(self, layers: Layers, rate: float) -> None:
        self.layers = layers
        self.rate = rate
        self.means = [np.zeros_like(layer) for layer in layers]
        self.squares = [np.zeros_like(layer) for layer in layers]
        self.steps = 0

    def step(self, gradient: Layers, done: float) -> None:
        """Learn from a gradient; `done`: the part of the training that is over."""
        self.steps += 1
        rate = self.rate * (LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + np.cos(np.pi * done)))
        for layer, mean, square, slope in zip(self.layers, self.means, self.squares, gradient, strict=True):
            slope += DECAY * layer
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            unbiased = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            layer -= np.float32(rate / (1 - 0.9**self.steps)) * mean / unbiased


def _gradient(
    layers: Layers,
    played: Seen,
    chosen: NDArray[Any],
    logged: Samples,
    chosen_logged: NDArray[Any],
    rng: np.random.Generator,
) -> Layers:
    """Gradient of the loss over a batch of each kind, their side suits exchanged at random."""
    n, logged_n = len(chosen), len(chosen_logged)
    features = np.concatenate([played.features[chosen], logged.features[chosen_logged]])
    values = np.concatenate([np.full((n, SLOTS), np.nan, np.float32), logged.values[chosen_logged]])
    features, values = suits_mixed(features, values, rng)
    inputs = _dense(features)
    first, second, out = _forward(layers, inputs)
    weight = np.repeat(np.array([(1 - LOGGED_WEIGHT) / n, LOGGED_WEIGHT / logged_n], np.float32), (n, logged_n))
    outcomes = np.concatenate([played.outcomes[chosen], logged.outcomes[chosen_logged]])
    slope = np.zeros_like(out)
    slope[:, :OUTCOMES] = _softmax(out[:, :OUTCOMES])
    slope[np.arange(n + logged_n), outcomes] -= 1
    slope[:, :OUTCOMES] *= weight[:, None]
    wanted, given, several = _policies(out[n:], values[n:])
    slope[n:, OUTCOMES:] = (given - wanted) * several[:, None] * np.float32(POLICY_WEIGHT / logged_n)
    back2 = (slope @ layers[4].T) * (second > 0)
    back1 = (back2 @ layers[2].T) * (first > 0)
    return [inputs.T @ back1, back1.sum(0), first.T @ back2, back2.sum(0), second.T @ slope, slope.sum(0)]


def _forward(layers: Layers, inputs: Floats) -> tuple[Floats, Floats, Floats]:
    """The units of the two hidden layers and of the output."""
    first = np.maximum(inputs @ layers[0] + layers[1], 0)
    second = np.maximum(first @ layers[2] + layers[3], 0)
    return first, second, second @ layers[4] + layers[5]


def _policies(out: Floats, values: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """The policy taught, the network's, and where there is a choice at all."""
    legal = ~np.isnan(values)
    wanted = _softmax(np.where(legal, values / np.float32(TEMPERATURE), -np.inf))
    given = _softmax(np.where(legal, out[:, OUTCOMES:], -np.inf))
    return wanted, given, legal.sum(1) > 1


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    result: Floats = powers / powers.sum(1, keepdims=True)
    return result


def _dense(features: NDArray[np.int16]) -> Floats:
    """The input as zeros and ones."""
    inputs = np.zeros((len(features), FEATURES + 1), np.float32)
    np.put_along_axis(inputs, features.astype(np.int64), 1, axis=1)  # -1 falls into the spare column
    return inputs[:, :FEATURES]


def _report(layers: Layers, samples: Samples) -> Report:
    *_, out = _forward(layers, _dense(samples.features))
    n = len(out)
    chances = _softmax(out[:, :OUTCOMES])
    wanted, given, several = _policies(out, samples.values)
    tiny = np.float32(1e-9)
    divergence = (wanted * (np.log(wanted + tiny) - np.log(given + tiny))).sum(1)[several]
    favourite = samples.values[np.arange(n), given.argmax(1)]
    return Report(
        samples=n,
        outcome_loss=float(-np.log(chances[np.arange(n), samples.outcomes] + tiny).mean()),
        policy_loss=float(divergence.mean()),
        regret=float((np.nanmax(samples.values, axis=1) - favourite)[several].mean()),
    )
