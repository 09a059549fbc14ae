"""A player against itself, each deal once, to measure how deals end: on workers, with the counts kept on disk."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic

from .duel import Contest, play_deal
from .echo import quoted
from .executors import Pool
from .outcomes import OUTCOMES, OutcomeModel
from .rules import Rules
from .runfile import SAVE_SECONDS, RunFileError, check_settings, read_text, write_json
from .workers import load_kernel

DEALS_A_JOB = 5


class SelfPlay:
    """Deals of a player against itself, counted in the order of their numbers; a file keeps the counts.

    Deal `i` depends on rules, player, seed and `i` only, so the counts are all that is needed to go on.
    """

    def __init__(self, rules: Rules, player: str, seed: int, command: str, path: Path | None = None) -> None:
        """Begin with the counts that the file holds, if it is there.

        Raises PlayerError for a text that names no player, RunFileError for a file that holds anything else.
        """
        from . import __version__

        self._contest = Contest(player, player, rules, seed)
        text = self._contest.players()[0].text
        self.model = OutcomeModel(rules.text, text, __version__, seed, command, (0,) * len(OUTCOMES))
        self._path = path
        kept = None if path is None else _read(path, self.model)
        if kept is not None:
            self.model = replace(self.model, counts=kept.counts)

    def run(self, deals: int, pool: Pool, report: Callable[[float], None]) -> OutcomeModel:
        """Play until so many deals are counted in all; `report` is told the fraction done, ten times a second.

        Whatever ends the run, the file keeps what was counted. Raises PlayerError, WorkersError, RunFileError.
        """
        first = self.model.deals
        jobs = (range(start, min(start + DEALS_A_JOB, deals)) for start in range(first, deals, DEALS_A_JOB))
        due = monotonic() + SAVE_SECONDS
        self._save()
        try:
            results = pool.in_order(partial(play_deals, self._contest), jobs, lambda: report(self.model.deals / deals))
            for counts in results:
                total = tuple(a + b for a, b in zip(self.model.counts, counts, strict=True))
                self.model = replace(self.model, counts=total)
                if monotonic() >= due:
                    self._save()
                    due = monotonic() + SAVE_SECONDS
        finally:
            self._save()
        return self.model

    def _save(self) -> None:
        if self._path is not None and self.model.deals:
            write_json(self._path, self.model.to_json(), indent=1)


def play_deals(contest: Contest, numbers: Sequence[int]) -> tuple[int, ...]:
    """Play the deals with these numbers and count the outcomes -3 to 3 of the first leader. Raises PlayerError."""
    load_kernel()
    counts = Counter(play_deal(contest, number).points for number in numbers)
    return tuple(counts[outcome] for outcome in OUTCOMES)


def _read(path: Path, due: OutcomeModel) -> OutcomeModel | None:
    text = read_text(path)
    if text is None:
        return None
    try:
        found = OutcomeModel.from_json(json.loads(text))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise RunFileError(f"{quoted(str(path))} holds no counts of outcomes: name another file") from None
    settings = ("version", "player", "rules", "seed")
    check_settings(path, *({key: getattr(model, key) for key in settings} for model in (found, due)))
    return found
