"""The last open trick at equilibrium: how both sides should mix, and what each turn is worth against that.

Both sides choose on what they may see, so a good lead also hides something, and a reply weighs the hands that would
have led so. CFR+ (Tammelin 2014, "Solving large imperfect information games using CFR+") finds strategies for every
hand at once; the gap says how far they are from an equilibrium: what the two sides could still gain by better replies
to each other, in game points a deal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from .cards import mask_of
from .hidden import GAME_POINTS
from .kernel.layout import TURN_CLOSE, TURN_DECLARED
from .lasttrick import Floats, LastTrick, Public
from .workers import Memories
from .worlds import Ints, Worlds

if TYPE_CHECKING:
    from .position import Position

SLIP = 0.0001  # the leader's turn is any allowed one, so that the follower has a view of leads nobody should make
GAP = 0.0005  # game points a deal: near enough to an equilibrium
FEWEST_ITERATIONS = 100
MOST_ITERATIONS = 2000
STEP = 50  # iterations between two looks at the gap and at the clock


class Equilibrium:
    """Strategies of both sides for the last open trick, near an equilibrium.

    Of the leader (player 0): `leads` by turn and hand, closing as one turn at the end; `worth`, what each is worth
    against the follower's strategy, mean utility over the deals of the hand. Of the follower: `answers` by set and
    reply, sets in the order of `rows`. `gap` is what both could gain together, `value` what the leader gets, utility a
    deal on average over all of them.
    """

    def __init__(
        self,
        game: LastTrick,
        *,
        seconds: float | None = None,
        gap: float = GAP,
        iterations: int = MOST_ITERATIONS,
        utility: Sequence[float] = GAME_POINTS,
        jobs: int = 1,
        progress: Callable[[float], None] = lambda _: None,
    ) -> None:
        """Solve a game: until the gap is at most `gap`, `iterations` are done (50 at least), or `seconds` have passed.

        `utility`: of each outcome from -3 to 3 for the leader. The answer does not depend on `jobs` (threads).
        """
        start = perf_counter()
        self.game = game
        self.rows = game.leads(jobs, lambda fraction: progress(fraction / 2))
        self.utility = np.array([*utility, SLIP], np.float64)
        self._lay_out(game.closings(jobs, self.utility[:7]))
        self.iterations = 0
        iterations = max(iterations, STEP)
        while self.iterations < iterations:
            self._iterate(min(STEP, iterations - self.iterations))
            if self.iterations < min(FEWEST_ITERATIONS, iterations):
                continue
            self._measure()
            spent = (perf_counter() - start) / seconds if seconds else 0.0
            progress(0.5 + min(max(self.iterations / iterations, spent), 1.0) / 2)
            if self.gap <= gap or spent >= 1.0:
                break

    def _lay_out(self, closings: Floats) -> None:
        """Put the leads one after the other, and begin with no regrets."""
        game = self.game
        sizes = np.array([len(lead.sets) for lead in self.rows])
        rows = np.array([len(lead.packed) for lead in self.rows])
        each = np.array([lead.each for lead in self.rows])
        self.columns: Ints = np.stack([sizes.cumsum() - sizes, sizes, rows.cumsum() - rows, each], axis=1)
        self.packed = np.concatenate([lead.packed for lead in self.rows])
        self.hands = np.concatenate([lead.hands for lead in self.rows])
        self.replies = game.public.size
        decided = [turn for turn in game.turns if turn in game.decided]
        self.turns = [*game.open_turns, *decided]
        open_and_decided = game.allowed[[game.turns.index(turn) for turn in self.turns]]
        self.allowed = np.concatenate([open_and_decided, [np.isfinite(closings)]])
        self._fixed = np.zeros(self.allowed.shape)
        for row, turn in enumerate(decided, len(game.open_turns)):
            self._fixed[row] = game.deals * self.utility[game.decided[turn] + 3]
        self._fixed[-1] = np.where(self.allowed[-1], closings, 0.0)
        self._lead_regrets = np.where(self.allowed, 0.0, -1.0)
        choices = np.maximum(self.allowed.sum(axis=0), 1)
        self._leads = self.allowed / choices
        self._lead_sum = np.zeros(self.allowed.shape)
        self._reply_regrets = np.zeros(int(sizes.sum()) * self.replies)
        self._reply_sum = np.zeros_like(self._reply_regrets)
        self._scratch = np.zeros(2 * self.replies + len(self.allowed) + 1)

    def _iterate(self, count: int) -> None:
        from .kernel.equilibrium import iterate

        self.iterations = iterate(
            self.columns,
            self.packed,
            self.hands,
            self.utility,
            self._fixed.ravel(),
            self._lead_regrets.ravel(),
            self._leads.ravel(),
            self._lead_sum.ravel(),
            self._reply_regrets,
            self._reply_sum,
            np.zeros(self.allowed.size),
            self._scratch,
            len(self.game.hands),
            self.iterations,
            count,
        )

    def _measure(self) -> None:
        """Take the mean strategies, what they are worth, and their gap."""
        from .kernel.equilibrium import respond

        self.leads = self._lead_sum / np.maximum(self._lead_sum.sum(axis=0), 1e-300)
        sums = self._reply_sum.reshape(-1, self.replies)
        self.answers: Floats = sums / sums.sum(axis=1, keepdims=True)
        result = np.zeros(1 + self.replies)
        worth = self._fixed.copy()
        n = len(self.columns)
        open_worth = worth[:n].ravel()
        respond(
            self.columns,
            self.packed,
            self.hands,
            self.utility,
            self.leads[:n].ravel(),
            self.answers.ravel(),
            open_worth,
            result,
        )
        worth[:n] = open_worth.reshape(n, -1)
        deals = int(self.game.deals.sum())
        best = np.where(self.allowed, worth, -np.inf).max(axis=0)
        most = best[self.game.deals > 0].sum() / deals
        least = (result[0] + (self.leads * self._fixed).sum()) / deals
        self.gap = float(most - least)
        self.value = float((self.leads * worth).sum() / deals)
        self.worth = worth / np.maximum(self.game.deals, 1)

    # --- single information sets ---

    def turn_shares(self, hand: int, turn: int) -> Floats:
        """Chances of the outcomes -3 to 3 for the leader after a turn with a hand (mask over the pool), not a closing.

        Raises ValueError if the hand cannot make that turn.
        """
        number = self._number(hand, turn)
        if turn in self.game.decided:
            return _shares(np.ones(1), np.array([self.game.decided[turn] + 3], np.int64))
        sets, outcomes = self._replies_to(turn, number)
        return _shares(self.answers[sets], outcomes)

    def expected_replies(self, hand: int, turn: int) -> dict[int, float]:
        """How often each card answers a lead made with a hand; nothing where the turn ends the deal."""
        number = self._number(hand, turn)
        chances: dict[int, float] = {}
        if turn in self.game.decided:
            return chances
        sets, outcomes = self._replies_to(turn, number)
        lead = self.rows[self.turns.index(turn)]
        first = int(self.columns[self.turns.index(turn), 0])
        for place in sets:
            cards = self.game.follower_cards(int(lead.sets[place - first]))
            for card, chance in zip(cards, self.answers[place], strict=True):
                chances[card] = chances.get(card, 0.0) + float(chance) / len(outcomes)
        return chances

    def lead_policy(self, hand: int) -> dict[int, float]:
        """How often the leader should make each turn with a hand; the code `TURN_CLOSE` stands for the best closing."""
        number = int(self.game.rank[hand])
        allowed = self.allowed[:, number]
        freely = (self.leads[:, number] - SLIP / max(int(allowed.sum()), 1)) / (1 - SLIP)
        codes = [*self.turns, TURN_CLOSE]
        return {codes[i]: max(float(freely[i]), 0.0) for i in np.flatnonzero(allowed)}

    def reply_shares(self, hand: int, turn: int) -> tuple[Floats, Floats]:
        """Of a follower's hand (mask over the pool) after a lead: chances of -3 to 3 for him by reply, and his policy.

        Replies in the order of his cards, a row each. The deals are weighted by how likely the leader made that turn.
        A turn that he can only have made by a slip has no equilibrium to keep to: then the policy is the best reply.
        Raises ValueError if that hand cannot meet that lead.
        """
        _, rows = self._set(hand, turn)
        column = self.turns.index(turn)
        weights = self.leads[column, self.hands[rows]] * (self.packed[rows] >= 0)
        outcomes = self._unpacked(rows)
        shares = np.array([_shares(weights, outcomes[:, k])[::-1] for k in range(self.replies)])
        slips = SLIP / np.maximum(self.allowed.sum(axis=0), 1)[self.hands[rows]] * (self.packed[rows] >= 0)
        if weights.sum() > 2 * slips.sum():
            return shares, self.answer(hand, turn)
        values = shares @ -self.utility[6::-1]
        return shares, np.eye(self.replies)[int(values.argmax())]

    def answer(self, hand: int, turn: int) -> Floats:
        """The chances with which a follower's hand (mask over the pool) answers a lead, in the order of his cards.

        Raises ValueError if that hand cannot meet that lead.
        """
        place, _ = self._set(hand, turn)
        answer: Floats = self.answers[place]
        return answer

    def turn_worth(self, hand: int, turn: int) -> float:
        """Mean utility for the leader of any turn with a hand; a closing is granted sight of the cards.

        Raises ValueError if the hand cannot make that turn.
        """
        if turn & TURN_CLOSE:
            return self.game.closing_worth(hand, np.array([turn], np.int64), self.utility) / len(self.game.stocks(hand))
        return float(self.worth[self.turns.index(turn), self._number(hand, turn)])

    def best_worth(self, hand: int) -> float:
        """Mean utility of the leader's best turn with a hand."""
        number = int(self.game.rank[hand])
        return float(self.worth[self.allowed[:, number], number].max())

    def _number(self, hand: int, turn: int) -> int:
        number = int(self.game.rank[hand])
        if turn not in self.turns or not self.allowed[self.turns.index(turn), number]:
            raise ValueError(f"turn {turn} is not among those of this hand")
        return number

    def _set(self, hand: int, turn: int) -> tuple[int, slice]:
        """The set of a follower's hand after a lead, and its rows."""
        if turn not in self.game.open_turns:
            raise ValueError(f"turn {turn} is not among the leads that are answered")
        column = self.turns.index(turn)
        found = np.flatnonzero(self.rows[column].sets == hand)
        if not len(found):
            raise ValueError(f"that hand cannot meet turn {turn}")
        first, _, row, each = self.columns[column].tolist()
        row += int(found[0]) * each
        return first + int(found[0]), slice(row, row + each)

    def _replies_to(self, turn: int, number: int) -> tuple[Ints, Ints]:
        """The sets in which a leader's hand makes a lead, one a deal, and the outcomes there by reply, from 0 to 6."""
        first, sets, row, each = self.columns[self.turns.index(turn)].tolist()
        rows = row + np.flatnonzero(self.hands[row : row + sets * each] == number)
        rows = rows[self.packed[rows] >= 0]
        return first + (rows - row) // each, self._unpacked(rows)

    def _unpacked(self, rows: slice | Ints) -> Ints:
        unpacked: Ints = self.packed[rows][:, None] >> np.arange(0, 4 * self.replies, 4) & 15
        return unpacked


def _shares(weights: Floats, outcomes: Ints) -> Floats:
    """Relative weights of the outcomes 0 to 6; an impossible deal has weight 0."""
    shares: Floats = np.zeros(7)
    np.add.at(shares, np.minimum(outcomes, 6), weights)
    shares /= shares.sum()
    return shares


# --- a position ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EquilibriumEvaluation:
    """Turns of the player to move, each against the opponent's strategy at equilibrium.

    `by_turn`: chances of the outcomes -3 to 3, a row a turn; `policies`: how often he should make each turn himself;
    `closing`: how often he should close. `replies`: how often each card answers each turn. `gap`: how far the
    strategies are from an equilibrium, in game points a deal. `worlds`: the deals of the game solved, all that a
    bystander would hold possible; a turn is valued over those among them that the mover does.
    """

    codes: Ints
    space: Worlds
    worlds: int
    by_turn: Floats
    policies: Floats
    closing: float
    replies: tuple[dict[int, float], ...]
    gap: float

    corrected = False

    @property
    def method(self) -> str:
        return "equilibrium"

    @property
    def world(self) -> str:
        """What a world is here."""
        return "deal"

    def worlds_of(self, turn: int) -> int:
        """Deals that the mover cannot tell apart: the same for all turns."""
        return self.space.count

    def mean(self, turn: int) -> float:
        """Expected game points."""
        return float(self.by_turn[turn] @ np.array(GAME_POINTS))

    def shares(self, turn: int) -> Floats:
        """Chances of the outcomes -3 to 3."""
        shares: Floats = self.by_turn[turn]
        return shares

    def error(self, turn: int) -> float:
        """No sampling error: every deal is counted. How far the strategies are from an equilibrium is the gap."""
        return 0.0

    def policy(self, turn: int) -> float:
        """How often the mover himself makes this turn at equilibrium, with his hand."""
        return float(self.policies[turn])

    def first_states(self, n: int) -> Ints:
        """The kernel states of the first n worlds that the mover cannot tell apart."""
        return self.space.states(np.arange(min(n, self.space.count), dtype=np.int64))


def judge(
    memories: Memories,
    position: Position,
    codes: Ints,
    *,
    seconds: float | None,
    jobs: int,
    progress: Callable[[float], None],
    utility: Sequence[float] = GAME_POINTS,
) -> EquilibriumEvaluation:
    """Judge turns that leave the talon open, in a position of the last open trick.

    `utility`: what each outcome from -3 to 3 is worth to the player to move; the opponent's is its opposite. The answer
    does not depend on `jobs` (threads); `seconds` may end it sooner, after a hundred iterations at the least.
    """
    if not position.on_lead:
        utility = [-worth for worth in reversed(utility)]  # the leader's
    game = LastTrick(memories, Public.of(position))
    solved = Equilibrium(game, seconds=seconds, utility=utility, jobs=jobs, progress=progress)
    hand = game.mask(mask_of(position.hand))
    turns = codes.tolist()
    replies: tuple[dict[int, float], ...] = ()
    if position.on_lead:
        by_turn = np.array([solved.turn_shares(hand, turn) for turn in turns])
        policy = solved.lead_policy(hand)
        replies = tuple(solved.expected_replies(hand, turn) for turn in turns)
    else:
        assert position.led is not None
        shares, chances = solved.reply_shares(hand, position.led + (TURN_DECLARED if position.led_declared else 0))
        cards = game.follower_cards(hand)
        by_turn = shares[[cards.index(turn) for turn in turns]]
        policy = dict(zip(cards, chances.tolist(), strict=True))
    policies = np.array([policy[turn] for turn in turns])
    space, worlds = Worlds.of(position), int(game.deals.sum())
    return EquilibriumEvaluation(
        codes, space, worlds, by_turn, policies, policy.get(TURN_CLOSE, 0.0), replies, solved.gap
    )
