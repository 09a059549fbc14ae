"""What the games of an arena come to: means with their errors, counts, and when enough is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from statistics import NormalDist
from typing import Any

from .duel import A, B, Contest, Round

CONFIDENCE = 0.95
FEWEST_ROUNDS = 30  # no run is ended early before so many
TEST_SCALE = 400  # rounds after which the sequential test is at its sharpest


@dataclass(slots=True)
class Ratio:
    """A sum over another, such as points over games, with an error from round to round (rounds are independent)."""

    rounds: int = 0
    x: int = 0
    y: int = 0
    xx: int = 0
    xy: int = 0
    yy: int = 0

    def add(self, x: int, y: int) -> None:
        """Count a round."""
        self.rounds += 1
        self.x += x
        self.y += y
        self.xx += x * x
        self.xy += x * y
        self.yy += y * y

    @property
    def mean(self) -> float:
        """The ratio of the sums."""
        return self.x / self.y if self.y else 0.0

    @property
    def error(self) -> float:
        """Standard error of the mean; infinite for fewer than two rounds."""
        if self.rounds < 2:
            return float("inf")
        mean = self.mean
        squares = max(0.0, self.xx - 2 * mean * self.xy + mean * mean * self.yy)
        return sqrt(squares * self.rounds / (self.rounds - 1)) / self.y

    @property
    def half_width(self) -> float:
        """Half the width of the 95% confidence interval."""
        return student_quantile(self.rounds - 1) * self.error if self.rounds > 1 else float("inf")

    @property
    def test_half_width(self) -> float:
        """The same for an interval that holds at every number of rounds at once, so that one may stop at any.

        A normal mixture confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021, "Time-uniform
        central limit theory and asymptotic confidence sequences"), sharpest at `TEST_SCALE` rounds.
        """
        if self.rounds < 2:
            return float("inf")
        alpha = 1 - CONFIDENCE
        scale = (log(1 - 2 * log(alpha)) - 2 * log(alpha)) / TEST_SCALE * self.rounds
        return self.error * sqrt(2 * (scale + 1) / scale * log(sqrt(scale + 1) / alpha))


def student_quantile(freedom: int) -> float:
    """The 97.5% quantile of Student's t distribution, to 0.003; `freedom` from 1.

    From three degrees of freedom on by the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5).
    """
    if freedom <= 2:
        return (12.706, 4.303)[freedom - 1]
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    quantile = z + (z**3 + z) / 4 / freedom
    quantile += (5 * z**5 + 16 * z**3 + 3 * z) / 96 / freedom**2
    quantile += (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / freedom**3
    quantile += (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160 / freedom**4
    return quantile


@dataclass(slots=True)
class SideTally:
    """One side's part: wins of 1, 2 and 3 game points, closings tried and made, choices and the seconds they took."""

    wins: list[int] = field(default_factory=lambda: [0, 0, 0])
    closings: int = 0
    closings_made: int = 0
    decisions: int = 0
    seconds: float = 0.0

    @property
    def seconds_a_decision(self) -> float:
        """Mean seconds a decision."""
        return self.seconds / self.decisions if self.decisions else 0.0


@dataclass(slots=True)
class Tally:
    """The sums over all rounds counted. `points` are A's game points a deal; `matches` A's matches won less lost, each.

    `undecided` are deals that nobody won.
    """

    contest: Contest
    points: Ratio = field(default_factory=Ratio)
    matches: Ratio = field(default_factory=Ratio)
    undecided: int = 0
    sides: tuple[SideTally, SideTally] = field(default_factory=lambda: (SideTally(), SideTally()))

    def add(self, played: Round) -> None:
        """Count a round."""
        games = played.games
        self.points.add(sum(game.points for game in games), len(games))
        if self.contest.match:
            self.matches.add(2 * played.matches_won(self.contest.rules.match_target) - 2, 2)
        for game in games:
            winner = None if game.points == 0 else A if game.points > 0 else B
            if winner is None:
                self.undecided += 1
            else:
                self.sides[winner].wins[abs(game.points) - 1] += 1
            for side, sums in enumerate(self.sides):
                sums.closings += game.closer == side
                sums.closings_made += game.closer == side == winner
                sums.decisions += game.decisions[side]
                sums.seconds += game.seconds[side]

    @property
    def rounds(self) -> int:
        """How many rounds are counted."""
        return self.points.rounds

    @property
    def deals(self) -> int:
        """Different deals, each played twice; with matches all deals played."""
        return self.points.y if self.contest.match else self.rounds

    @property
    def main(self) -> Ratio:
        """What the contest is about: matches if such are played, else game points."""
        return self.matches if self.contest.match else self.points

    @property
    def better(self) -> int | None:
        """The side that is better by the sequential test at 5%; None while that is open."""
        if self.rounds < FEWEST_ROUNDS or abs(self.main.mean) <= self.main.test_half_width:
            return None
        return A if self.main.mean > 0 else B

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON object."""
        contest = self.contest
        document: dict[str, Any] = {
            "a": contest.a,
            "b": contest.b,
            "rules": contest.rules.text,
            "deals": self.deals,
            "mean": round(self.points.mean, 6),
            "ci95": _rounded(self.points.half_width),
            "a_seconds": round(self.sides[A].seconds_a_decision, 9),
            "b_seconds": round(self.sides[B].seconds_a_decision, 9),
            "seed": contest.seed,
            "wins": {name: sums.wins for name, sums in zip("ab", self.sides, strict=True)},
            "undecided": self.undecided,
            "closings": {
                name: {"tried": sums.closings, "made": sums.closings_made}
                for name, sums in zip("ab", self.sides, strict=True)
            },
            "better": None if self.better is None else "ab"[self.better],
        }
        if contest.match:
            document["matches"] = {
                "played": self.matches.y,
                "a_won": (self.matches.y + self.matches.x) // 2,
                "share": round(0.5 + self.matches.mean / 2, 6),
                "ci95": _rounded(self.matches.half_width / 2),
            }
        return document


def _rounded(width: float) -> float | None:
    """A half-width for JSON; None where one round tells nothing about it."""
    return round(width, 6) if width < float("inf") else None
