"""Two players against each other over many rounds, on workers, until enough is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from .duel import Contest, Round, play_rounds
from .executors import Pool
from .runfile import RunFile
from .tally import FEWEST_ROUNDS, Tally

JOB_SECONDS = 1.0  # what one job should take: short enough to lose little, long enough not to be overhead
MAX_JOB = 500  # rounds


@dataclass(frozen=True, slots=True)
class Limit:
    """When a run ends: after `rounds`, or earlier by one of the others.

    `half_width`: once the 95% interval of what the contest is about (game points a deal, or matches won less lost)
    reaches no further to each side. `decided`: once the sequential test names the better player.
    """

    rounds: int
    half_width: float | None = None
    decided: bool = False

    def reached(self, tally: Tally) -> bool:
        """Whether the run ends here."""
        if tally.rounds >= self.rounds:
            return True
        if tally.rounds < FEWEST_ROUNDS:
            return False
        narrow = self.half_width is not None and tally.main.half_width <= self.half_width
        return narrow or (self.decided and tally.better is not None)

    def progress(self, tally: Tally) -> float:
        """How far the run has come, 0 to 1, as well as that can be told."""
        done = tally.rounds / self.rounds
        if tally.rounds >= FEWEST_ROUNDS and tally.main.half_width > 0:
            if self.half_width is not None:
                done = max(done, (self.half_width / tally.main.half_width) ** 2)
            if self.decided:
                done = max(done, (tally.main.mean / tally.main.test_half_width) ** 2)
        return min(done, 1.0)


class Arena:
    """A contest on its way.

    Rounds are counted in the order of their numbers, whatever the order in which they are done, so that the result and
    the moment of stopping do not depend on the workers.
    """

    def __init__(self, contest: Contest, limit: Limit, file: RunFile | None = None) -> None:
        """Begin with the rounds that the file holds, if there is one."""
        self.contest = contest
        self.limit = limit
        self.tally = Tally(contest)
        self._file = file
        self._done: dict[int, Round] = {} if file is None else file.rounds
        self._job_size = 1
        self._count()

    @property
    def over(self) -> bool:
        """Whether enough is known."""
        return self.limit.reached(self.tally)

    @property
    def rounds(self) -> list[Round]:
        """The rounds that are counted, in the order of their numbers."""
        return [self._done[number] for number in range(self.tally.rounds)]

    def run(self, pool: Pool, report: Callable[[float], None] | None = None) -> Tally:
        """Play what is missing and return the tally; `report` is told how far it is, ten times a second.

        Whatever ends the run, the file keeps all that was done. Raises PlayerError, WorkersError, RunFileError.
        """

        def idle() -> None:
            if report is not None:
                report(self.limit.progress(self.tally))

        self._save()
        try:
            play = partial(play_rounds, self.contest)
            for numbers, (rounds, seconds) in pool.completed(play, self._jobs(pool), idle):
                self._take(numbers, rounds, seconds)
                if self.over:
                    break
        finally:
            self._save()
        return self.tally

    def _jobs(self, pool: Pool) -> Iterator[Sequence[int]]:
        """Yield the numbers of the missing rounds, a job's worth at a time."""
        number = 0
        while number < self.limit.rounds and not self.over:
            share = (self.limit.rounds - number) // (2 * pool.workers)
            size = max(1, min(self._job_size, share))
            job: list[int] = []
            while len(job) < size and number < self.limit.rounds:
                if number not in self._done:
                    job.append(number)
                number += 1
            if job:
                yield job

    def _take(self, numbers: Sequence[int], rounds: Sequence[Round], seconds: float) -> None:
        self._done.update(zip(numbers, rounds, strict=True))
        fitting = int(JOB_SECONDS * len(rounds) / max(seconds, 1e-6))
        self._job_size = max(1, min(fitting, 2 * self._job_size, MAX_JOB))
        self._count()
        if self._file is not None:
            self._file.save_if_due(self.tally.to_json())

    def _count(self) -> None:
        """Count the rounds that are due and done."""
        while not self.over and self.tally.rounds in self._done:
            self.tally.add(self._done[self.tally.rounds])

    def _save(self) -> None:
        if self._file is not None:
            self._file.save(self.tally.to_json())
