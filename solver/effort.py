"""How much an analysis may cost: the options, checked. Importable without numpy."""

from __future__ import annotations

import os
from dataclasses import dataclass

TREE_METHODS = ("guided", "ismcts")
METHODS = ("enumerated", "sampled", *TREE_METHODS, "equilibrium")
UNLIMITED = 1 << 40  # worlds: no limit
EXACT_LIMIT = 2_000_000  # deals that are solved at most where all are asked for
DEFAULT_SECONDS = 2.0
# Without a number of worlds asked for, this many are enumerated rather than sampled: every opponent's hand (12 376 at
# most), and every deal from a talon of four on.
ENUMERATED_HANDS = 15_000
ENUMERATED_DEALS = 2_000
DEFAULT_TREE = "guided"
OPEN_CARD_DEALS = 100  # by default, with no more deals than this (a talon of two) turns are judged with open cards
EQUILIBRIUM_SECONDS = 1.0  # the least time for which the last open trick is solved without being asked


class EffortError(ValueError):
    """An effort that cannot be given, or a method that does not fit; the text names the option."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to do: the first limit reached ends it.

    `everything`: solve all worlds; `sampling`: never enumerate; `tree`: the search over hidden cards to use with more
    than `tree_above` deals (None: never); `equilibrium`: solve the last open trick as a game; `correcting`: correct
    chances by what self-play showed; `iterations`: of the search over hidden cards; `hands`: no more of the opponent's
    hands than this where a world is a hand.
    """

    worlds: int | None
    seconds: float | None
    precision: float | None
    seed: int
    jobs: int
    everything: bool
    sampling: bool
    tree: str | None = None
    tree_above: int = 1
    equilibrium: bool = False
    correcting: bool = False
    iterations: int | None = None
    hands: int | None = None


def effort_of(
    worlds: int | None,
    time: float | None,
    precision: float | None,
    seed: int,
    jobs: int | None,
    method: str | None,
    exact: bool,
    all_leads: bool = False,
    iterations: int | None = None,
) -> Effort:
    """The effort that these options of `analyze` ask for; two seconds unless `worlds`, `time` or `iterations` is given.

    Raises EffortError for a value out of range and for options that exclude each other.
    """
    for name, value, least in (
        ("worlds", worlds, 1),
        ("iterations", iterations, 1),
        ("jobs", jobs, 1),
        ("seed", seed, 0),
    ):
        if value is not None and value < least:
            raise EffortError(f"{name}: {value} must be at least {least}")
    if seed >= 1 << 63:
        raise EffortError(f"seed: {seed} must be below 2**63")
    limits = {"worlds": worlds, "time": time, "precision": precision}
    for name in ("time", "precision"):
        number = limits[name]
        if number is not None and not 0 < number < float("inf"):
            raise EffortError(f"{name}: {number} must be a positive number")
    if method is not None and method not in METHODS:
        raise EffortError(f"method: {method!r} is none of {', '.join(METHODS)}")
    everything = exact or method == "enumerated"
    given = [name for name, value in limits.items() if value is not None]
    if exact and method not in (None, "enumerated"):
        raise EffortError(f"exact: solves every deal and does not go with method {method}")
    tree = method if method in TREE_METHODS else None
    if tree and precision is not None:
        raise EffortError("precision: ends open-card methods only; give worlds or time")
    sampled = [name for name in given if name != "time"]
    if method == "equilibrium" and sampled:
        raise EffortError(f"{sampled[0]}: an equilibrium counts every deal; leave it out, or give time")
    if tree and all_leads:
        raise EffortError(f"all: undeclared leads are judged with open cards only; leave out {tree}")
    if everything and given:
        raise EffortError(f"{given[0]}: sets a limit where every deal is to be solved; leave one of the two out")
    if worlds is None and time is None and iterations is None and not everything:
        time = DEFAULT_SECONDS
    free = method is None and worlds is None and precision is None and not everything
    tree_above = 1
    if free and not all_leads:
        tree, tree_above = DEFAULT_TREE, OPEN_CARD_DEALS
    equilibrium = method == "equilibrium" or (free and time is not None and time >= EQUILIBRIUM_SECONDS)
    return Effort(
        worlds=worlds,
        seconds=time,
        precision=precision,
        seed=seed,
        jobs=jobs or default_jobs(),
        everything=everything,
        sampling=method == "sampled",
        tree=tree,
        tree_above=tree_above,
        equilibrium=equilibrium,
        correcting=free,
        iterations=iterations,
    )


def check_count(count: int) -> None:
    """Raise EffortError if so many deals are too many to solve them all."""
    if count > EXACT_LIMIT:
        raise EffortError(f"exact: {count:,} deals are possible, at most {EXACT_LIMIT:,} can be solved")


def default_jobs() -> int:
    """One job a core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
