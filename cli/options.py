"""Options that several commands share, and their checks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from .errors import InputError, one_line

if TYPE_CHECKING:
    from sixtysix import Rules

C = TypeVar("C", bound=Callable[..., Any])

MAX_WORLDS = 1_000_000_000
MAX_JOBS = 256
MAX_SEED = (1 << 63) - 1


def json_option(command: C) -> C:
    """Give a command the option `--json`, passed as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line and nothing else.")(
        command
    )


def rules_option(command: C) -> C:
    """Give a command the option `--rules`, passed as `default_rules`."""
    return click.option(
        "--rules",
        "default_rules",
        metavar="TEXT",
        shell_complete=complete_presets,
        help="Rules of positions that name none, such as schnapsen or ro+failed_close:three.  [default: ro]",
    )(command)


def play_rules_option(command: C) -> C:
    """Give a command that needs no position the option `--rules`, passed as `rules`."""
    return click.option(
        "--rules",
        metavar="TEXT",
        shell_complete=complete_presets,
        help="Rules to play by, such as schnapsen or ro+failed_close:three.  [default: ro]",
    )(command)


def score_option(meaning: str) -> Callable[[C], C]:
    """Return what gives a command the option `--score`, passed as `score`, a pair."""
    return click.option("--score", callback=_read_score, metavar="ME-OPP", help=meaning)


def _read_score(_: click.Context, __: click.Parameter, text: str | None) -> object:
    if text is None:
        return None
    from sixtysix.readers import READERS

    try:
        return READERS["score"](text.strip())
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


def rule_option(command: C) -> C:
    """Give a command the repeatable option `--rule`, passed as `overrides`."""
    return click.option(
        "--rule",
        "overrides",
        metavar="NAME=VALUE",
        multiple=True,
        shell_complete=_complete_switches,
        help="Set one switch of the rules, whatever they are (repeatable); see sixtysix rules.",
    )(command)


def seed_option(meaning: str) -> Callable[[C], C]:
    """Return what gives a command the option `--seed`, 1 if left out."""
    return click.option(
        "--seed", callback=whole_number(0, MAX_SEED), metavar="N", default="1", show_default=True, help=meaning
    )


def processes_option(command: C) -> C:
    """Give a command that plays games the option `--jobs`, passed as `jobs`."""
    return click.option(
        "--jobs", callback=whole_number(1, MAX_JOBS), metavar="N", help="Number of processes.  [default: one a core]"
    )(command)


def dask_option(command: C) -> C:
    """Give a command the option `--dask`, passed as `dask`."""
    return click.option(
        "--dask",
        metavar="ADDRESS",
        help="Let the Dask cluster with this scheduler do the work; needs sixtysix[cluster].",
    )(command)


def check_dask(dask: str | None, jobs: int | None) -> None:
    """Raise InputError if workers are asked for both here and on a cluster."""
    if dask is not None and jobs is not None:
        raise InputError("--jobs is for this machine: a Dask cluster (--dask) has its own workers")


def rules_of(text: str | None, source: str = "--rules") -> Rules:
    """Return the rules of a text from some source, `ro` if it was left out.

    Raises InputError if there are none such.
    """
    from sixtysix import Rules, RulesError

    try:
        return Rules.parse("ro" if text is None else text)
    except RulesError as error:
        raise InputError(f"{source}: {error}") from None


def chosen_rules(text: str | None, overrides: tuple[str, ...]) -> Rules:
    """Return the rules that `--rules` and `--rule` choose together.

    Raises InputError if there are none such.
    """
    rules = rules_of(text)
    for name, value in overrides_of(overrides).items():
        rules = rules.override(name, value)
    return rules


def overrides_of(texts: tuple[str, ...]) -> dict[str, str]:
    """Return the switches that `--rule` options set, by name.

    Raises InputError if a switch or its value is unknown.
    """
    from sixtysix import Rules, RulesError

    overrides: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip().lower()
        if not equals:
            raise InputError(f"--rule: {text[:40]!r}: write NAME=VALUE, such as failed_close=three")
        if name in overrides:
            raise InputError(f"--rule: {name} is set twice")
        try:
            Rules.preset_named("ro").override(name, value)
        except RulesError as error:
            raise InputError(f"--rule: {error}") from None
        overrides[name] = value
    return overrides


def preset_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the presets named, each once, or all if none is.

    Raises InputError for an unknown one.
    """
    from sixtysix import Rules, RulesError
    from sixtysix.rules import PRESETS

    try:
        return tuple(dict.fromkeys(Rules.preset_named(name).preset for name in names)) or PRESETS
    except RulesError as error:
        raise InputError(f"--preset: {error}") from None


def complete_presets(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a preset."""
    from sixtysix.rules import PRESETS

    return [CompletionItem(name) for name in PRESETS if name.startswith(incomplete)]


def whole_number(low: int, high: int) -> Callable[[click.Context, click.Parameter, str | None], int | None]:
    """Return the callback of an option that takes a whole number from `low` to `high`."""

    def read(_: click.Context, __: click.Parameter, text: str | None) -> int | None:
        if text is None:
            return None
        if not (re.fullmatch(r"\+?[0-9]{1,19}", text.strip()) and low <= int(text) <= high):
            raise click.BadParameter(f"{one_line(text)!r} is not a whole number from {low} to {high}.")
        return int(text)

    return read


@dataclass(frozen=True)
class Effort:
    """How hard an analysis is to try, and how."""

    worlds: int | None
    time: float | None
    precision: float | None
    seed: int
    jobs: int | None
    method: str | None
    exact: bool
    all_leads: bool
    by_points: bool


def effort_options(command: C) -> C:
    """Give a command the options of an analysis; `effort_of` takes what they pass."""
    options = (
        click.option(
            "--worlds",
            callback=whole_number(1, MAX_WORLDS),
            metavar="N",
            help="Solve N possible deals (closings: all hands).",
        ),
        click.option(
            "--time",
            callback=positive_number,
            metavar="SECONDS",
            help="Stop after so many seconds.  [default: 2]",
        ),
        click.option(
            "--precision",
            callback=positive_number,
            metavar="SE",
            help="Stop at this standard error of the best turn's value, in game points.",
        ),
        seed_option("Choose the sample; the same seed and --worlds give the same answer."),
        click.option(
            "--jobs", callback=whole_number(1, MAX_JOBS), metavar="N", help="Number of threads.  [default: one a core]"
        ),
        click.option(
            "--method",
            metavar="NAME",
            callback=_known_method,
            shell_complete=_complete_methods,
            help="How to judge: enumerated, sampled, guided, ismcts or equilibrium.  [default: the best at that stage]",
        ),
        click.option("--exact", is_flag=True, help="Solve every possible deal, two million at most."),
        click.option(
            "--all",
            "all_leads",
            is_flag=True,
            help="List undeclared leads of marriages too (open-card methods).",
        ),
        click.option(
            "--points", "by_points", is_flag=True, help="Judge by game points though the match score is given."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def positive_number(_: click.Context, __: click.Parameter, text: str | None) -> float | None:
    """Return the positive number that an option's text stands for."""
    if text is None:
        return None
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not (isfinite(number) and number > 0):
        raise click.BadParameter(f"{one_line(text)!r} is not a positive number.")
    return number


def _known_method(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    from sixtysix.effort import METHODS

    word = value.lower()
    if word not in METHODS:
        raise click.BadParameter(f"{value!r} is none of {', '.join(METHODS)}.")
    return word


def _complete_methods(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from sixtysix.effort import METHODS

    return [CompletionItem(name) for name in METHODS if name.startswith(incomplete)]


def _complete_switches(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from sixtysix.rules import SWITCHES

    words = [f"{name}={value}" for name, switch in SWITCHES.items() for value in switch.values if value != "n"]
    words += [f"{name}=" for name, switch in SWITCHES.items() if switch.range]
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]
