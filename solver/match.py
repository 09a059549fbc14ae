"""The match: who leads the next deal, the chance to win from every score, and what a deal's outcomes are worth there.

The chances follow from the probabilities of a deal's seven outcomes (`outcomes.py`) by recursion over the game points
that both players still need, as a match equity table of backgammon does. The model is the same at every score: that
players who look at the score play the later deals differently is not in it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from .outcomes import OUTCOMES, OutcomeModel, model_of
from .rules import Rules

if TYPE_CHECKING:
    from .position import Position

Floats = NDArray[np.float64]
Chances = tuple[float, ...]

MOST: Final = 3  # game points that one deal can bring
STEP: Final = 1e-5  # how far a probability is moved to find the slope of the chances
SAME: Final = 1e-9  # chances that differ by less are the same


def next_leader(rules: Rules, leader: int, points: int) -> int:
    """Who leads to the first trick of the next deal of a match, 0 or 1, after a deal worth `points` to player 0."""
    if rules.next_leader == "alternate" or points == 0:
        return 1 - leader
    winner = 0 if points > 0 else 1
    return winner if rules.next_leader == "winner" else 1 - winner


def can_end(rules: Rules, outcome: int) -> bool:
    """Whether a deal can be worth so much: nobody wins only where the rules leave that open."""
    return outcome != 0 or rules.nobody_reaches == "nobody"


@dataclass(frozen=True, slots=True, eq=False)
class MatchTable:
    """The chances to win a match under some rules, before a deal.

    `lead[i, j]` is the chance of the player who leads the next deal, needs i + 1 game points and faces j + 1. `model`
    tells how deals end.
    """

    rules: Rules
    model: OutcomeModel
    lead: Floats

    @property
    def follow(self) -> Floats:
        """The chances of the player who does not lead the next deal, by his need and the one he faces."""
        chances: Floats = 1.0 - self.lead.T
        return chances

    def chance(self, need: int, faces: int, leads: bool) -> float:
        """The chance of a player with this need, which he or his opponent may have reached (0 or less)."""
        if need <= 0 or faces <= 0:
            return 1.0 if need <= 0 else 0.0
        return float(self.lead[need - 1, faces - 1] if leads else 1.0 - self.lead[faces - 1, need - 1])

    def after(self, score: tuple[int, int], leader: int) -> Chances:
        """The chances of player 0 after each outcome -3 to 3 for him of a deal at a score.

        `score` is (his, his opponent's) game points before the deal, `leader` who led to its first trick, 0 or 1.
        """
        target = self.rules.match_target
        needs = [(target - score[0] - max(k, 0), target - score[1] - max(-k, 0)) for k in OUTCOMES]
        leads = [next_leader(self.rules, leader, k) == 0 for k in OUTCOMES]
        return tuple(self.chance(*need, lead) for need, lead in zip(needs, leads, strict=True))

    def errors(self) -> Floats:
        """Standard errors of `lead` (of `follow` transposed): what the counts of the model leave open.

        To first order, by the infinitesimal jackknife (Efron 1982): each count's influence is the slope of the chances
        as the probabilities move towards that outcome.
        """
        shares = np.array(self.model.probabilities)
        moved = (1 - STEP) * shares + STEP * np.eye(len(OUTCOMES))
        slopes = (solve_match(moved, self.rules) - self.lead) / STEP
        errors: Floats = np.sqrt(np.einsum("k,kij->ij", shares, np.square(slopes)) / self.model.deals)
        return errors


def match_table(rules: Rules) -> MatchTable:
    """The match table of some rules: with the outcomes of their preset, their own match target and next leader."""
    lead = _chances(_played(rules))
    return MatchTable(rules, model_of(rules.preset), lead)


def _played(rules: Rules) -> Rules:
    """The preset of some rules with their course of a match: the rules for which outcomes were measured."""
    base = Rules.preset_named(rules.preset)
    return base.replace(match_target=rules.match_target, next_leader=rules.next_leader)


def measured(rules: Rules) -> bool:
    """Whether the outcomes of deals were measured under these very rules; else those of the preset stand for them."""
    return rules == _played(rules)


@lru_cache(maxsize=8)
def _chances(rules: Rules) -> Floats:
    chances: Floats = solve_match(np.array([model_of(rules.preset).probabilities]), rules)[0]
    return chances


def solve_match(models: Floats, rules: Rules) -> Floats:
    """The chances of the leader by what he needs and faces (index 0 stands for 1), for each row of probabilities.

    One diagonal of equal sums after the other, from the smallest: every outcome but 0 leads to a smaller sum. After 0
    the same needs come again with the other leader, so two unknowns hang on each other; they are solved together.
    """
    target = rules.match_target
    # By needs from -2 (index 0) on, so that every outcome finds its place. Whoever needs nothing has won.
    grid = np.zeros((len(models), target + MOST, target + MOST))
    grid[:, :MOST, MOST:] = 1.0
    draw = models[:, OUTCOMES.index(0), None]
    for total in range(2, 2 * target + 1):
        need = np.arange(max(1, total - target), min(target, total - 1) + 1) + MOST - 1
        faces = need[::-1]
        settled = np.zeros((len(models), len(need)))
        for share, outcome in zip(models.T, OUTCOMES, strict=True):
            left, right = need - max(outcome, 0), faces - max(-outcome, 0)
            if outcome:
                leads = next_leader(rules, 0, outcome) == 0
                settled += share[:, None] * (grid[:, left, right] if leads else 1.0 - grid[:, right, left])
        # chance = settled + draw * (1 - chance of the other leader), whose needs are the reverse
        grid[:, need, faces] = (settled + draw - draw * (settled[:, ::-1] + draw)) / (1.0 - draw**2)
    return grid[:, MOST:, MOST:]


# --- a deal at a score --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stakes:
    """What the outcomes -3 to 3 of a deal are worth in a match, to the player to move.

    `chances` are his to win the match after each. `averaged`: they depend on who led the deal's first trick, which is
    unknown, and are the mean of both cases. They rise with the outcome, so exact solves of a deal stand for any score;
    where a switch gives the loser the lead, leading is worth much and nobody may win, a lost point can be worth up to a
    few hundredths more than none, which the solves do not see. `utility` is the same on a scale on which outcomes
    spread as game points do, for searches tuned to those.
    """

    rules: Rules
    score: tuple[int, int]
    chances: Chances
    averaged: bool
    utility: tuple[float, ...]

    @property
    def point(self) -> float:
        """What a game point is worth on the average: a sixth of what lies between the worst and the best outcome."""
        return (self.chances[-1] - self.chances[0]) / (OUTCOMES[-1] - OUTCOMES[0])

    def mean(self, shares: Floats) -> float:
        """The chance to win the match with these chances of a deal's outcomes."""
        return float(shares @ np.array(self.chances))

    def error(self, shares: Floats, worlds: int, error: float) -> float:
        """The standard error of that mean: `error` is that of the mean of game points over the same worlds.

        The two are as the standard deviations of what was seen, with one odd world added to each, as errors of game
        points have it, so that few agreeing worlds do not look certain.
        """
        points = np.array(OUTCOMES, np.float64)
        spreads = [
            worlds * float(shares @ np.square(worth - shares @ worth)) + odd**2
            for worth, odd in ((np.array(self.chances), self.point), (points, 1.0))
        ]
        return error * math.sqrt(spreads[0] / spreads[1])

    def to_json(self) -> dict[str, Any]:
        """The stakes as a JSON object."""
        rules = self.rules
        return {
            "target": rules.match_target,
            "chances": {str(k): round(chance, 6) for k, chance in zip(OUTCOMES, self.chances, strict=True)},
            "first_leader_averaged": self.averaged,
            "outcomes_of": rules.preset,
            "outcomes_measured": measured(rules),
        }


def stakes_of(position: Position) -> Stakes | None:
    """What the deal of a position is worth at its score; None if it names none."""
    if position.score is None:
        return None
    first = position.first
    if position.first_lead:
        first = 0 if position.on_lead else 1
    table = match_table(position.rules)
    cases = np.array([table.after(position.score, leader) for leader in ((0, 1) if first is None else (first,))])
    chances = cases.mean(axis=0)
    possible = np.array([can_end(position.rules, outcome) for outcome in OUTCOMES])
    averaged = bool(np.ptp(cases, axis=0)[possible].max() > SAME)
    return Stakes(
        position.rules, position.score, tuple(map(float, chances)), averaged, _as_points(chances, table.model)
    )


def _as_points(chances: Floats, model: OutcomeModel) -> tuple[float, ...]:
    """Chances moved and stretched to the mean and the standard deviation of game points over the deals of the model."""
    shares = np.array(model.probabilities)
    shares = (shares + shares[::-1]) / 2  # of either player
    points = np.array(OUTCOMES, np.float64)
    scale = np.sqrt(shares @ np.square(points)) / np.sqrt(shares @ np.square(chances - shares @ chances))
    return tuple(float(worth) for worth in (chances - shares @ chances) * scale)
