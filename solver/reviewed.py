"""What comes of reviewing a match: turns, deals, players' totals, and all of it as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Any

from .luck import Account
from .marks import CLOSINGS, MARKS

if TYPE_CHECKING:
    from .judgement import Effort, Judgement
    from .notation import Turn
    from .position import Position
    from .records import DealRecord, MatchRecord


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """A turn of a deal, and its judgement: None if its player's hand is not known.

    `number` counts the turns of the deal from 1. `luck`: how the value for its player changed since his turn before
    (at his first turn: what he was dealt), in game points, without what either player lost by his choice.
    """

    player: int
    trick: int
    number: int
    played: Turn
    position: Position | None
    comment: str | None
    judgement: Judgement | None
    luck: float | None


@dataclass(frozen=True, slots=True)
class ReviewedDeal:
    """A deal of a match; pairs are by player.

    `score` is that before the deal, None if unknown. `accounts` are in game points, `match_accounts` in chances to win
    the match; None where the player's hand, the result or the score is not known.
    """

    record: DealRecord
    score: tuple[int, int] | None
    turns: tuple[ReviewedTurn, ...]
    accounts: tuple[Account | None, Account | None]
    match_accounts: tuple[Account | None, Account | None]

    def of(self, player: int) -> list[Judgement]:
        """The judged decisions of a player."""
        return [turn.judgement for turn in self.turns if turn.player == player and turn.judgement is not None]


@dataclass(frozen=True, slots=True)
class Totals:
    """What a player's decisions come to over some deals.

    `unforced`: decisions with more than one legal turn. `loss` in game points, and its standard error; `match_loss` in
    chances to win the match, None without scores. `account` and `match_account` add those of the deals that have one,
    None if none has.
    """

    deals: int
    decisions: int
    unforced: int
    marks: dict[str, int]
    closings: dict[str, int]
    loss: float
    loss_se: float
    match_loss: float | None
    account: Account | None
    match_account: Account | None

    @property
    def loss_a_deal(self) -> float:
        """Game points lost a deal."""
        return self.loss / self.deals if self.deals else 0.0

    @property
    def loss_a_decision(self) -> float:
        """Game points lost an unforced decision."""
        return self.loss / self.unforced if self.unforced else 0.0

    def to_json(self) -> dict[str, Any]:
        """The totals as a JSON object."""
        return {
            "deals": self.deals,
            "decisions": self.decisions,
            "unforced": self.unforced,
            "marks": self.marks,
            "closings": self.closings,
            "loss": round(self.loss, 6),
            "loss_se": round(self.loss_se, 6),
            "loss_per_deal": round(self.loss_a_deal, 6),
            "loss_per_decision": round(self.loss_a_decision, 6),
            "match_loss": None if self.match_loss is None else round(self.match_loss, 6),
            "account": _account_json(self.account),
            "match_account": _account_json(self.match_account),
        }


def totals_of(deals: Sequence[ReviewedDeal], player: int) -> Totals:
    """Sum up a player's decisions in some deals; deals in which his hand is not known do not count."""
    judged = [judgements for deal in deals if (judgements := deal.of(player))]
    decisions = [judgement for judgements in judged for judgement in judgements]
    marks = Counter(judgement.mark for judgement in decisions)
    closings = Counter(judgement.closing for judgement in decisions)
    of_match = [judgement.match_loss for judgement in decisions if judgement.match_loss is not None]
    return Totals(
        deals=len(judged),
        decisions=len(decisions),
        unforced=sum(not judgement.forced for judgement in decisions),
        marks={mark: marks[mark] for mark in MARKS},
        closings={kind: closings[kind] for kind in CLOSINGS},
        loss=sum(judgement.loss for judgement in decisions),
        loss_se=hypot(*(judgement.loss_se for judgement in decisions)),
        match_loss=sum(of_match) if of_match else None,
        account=_sum([deal.accounts[player] for deal in deals]),
        match_account=_sum([deal.match_accounts[player] for deal in deals]),
    )


def _sum(accounts: Sequence[Account | None]) -> Account | None:
    """The sum of accounts, of those that there are; None if there is none."""
    found = [account for account in accounts if account is not None]
    return sum(found, Account()) if found else None


def _account_json(account: Account | None) -> dict[str, float] | None:
    return None if account is None else account.to_json()


@dataclass(frozen=True, slots=True)
class MatchReview:
    """A match reviewed. `effort` is what each decision was given."""

    record: MatchRecord
    effort: Effort
    deals: tuple[ReviewedDeal, ...]

    def totals(self, player: int) -> Totals:
        """What a player's decisions come to."""
        return totals_of(self.deals, player)

    def to_json(self) -> dict[str, Any]:
        """The review as a JSON object; players are called by their names."""
        names = self.record.players
        return {
            "rules": self.record.rules.text,
            "names": list(names),
            "tags": dict(self.record.tags),
            "effort": self.effort.to_json(),
            "deals": [_deal_json(deal, names) for deal in self.deals],
            "players": {name: self.totals(player).to_json() for player, name in enumerate(names)},
        }


# --- JSON -------------------------------------------------------------------------------------------


def _deal_json(deal: ReviewedDeal, names: tuple[str, str]) -> dict[str, Any]:
    record = deal.record
    return {
        "number": record.number,
        "leader": names[record.leader],
        "score": None if deal.score is None else list(deal.score),
        "result": record.result,
        "turns": [_turn_json(turn, names) for turn in deal.turns],
        "accounts": dict(zip(names, map(_account_json, deal.accounts), strict=True)),
        "match_accounts": dict(zip(names, map(_account_json, deal.match_accounts), strict=True)),
    }


def _turn_json(turn: ReviewedTurn, names: tuple[str, str]) -> dict[str, Any]:
    """A turn; only what was played where its player's hand is not known."""
    document = {
        "seat": names[turn.player],
        "number": turn.number,
        "trick": turn.trick,
        "played": turn.played.text,
        "position": None if turn.position is None else turn.position.text,
    }
    judgement = turn.judgement
    if judgement is None:
        return {**document, "best": None, "loss": None, "mark": None, "forced": None}
    return {
        **document,
        "best": judgement.best.turn.text,
        "value": round(judgement.best.value, 6),
        "win": round(judgement.best.win, 6),
        "loss": round(judgement.loss, 6),
        "loss_se": round(judgement.loss_se, 6),
        "match_loss": None if judgement.match_loss is None else round(judgement.match_loss, 6),
        "mark": judgement.mark,
        "forced": judgement.forced,
        "closing": judgement.closing,
        "luck": None if turn.luck is None else round(turn.luck, 6),
        "method": judgement.method,
        "worlds": judgement.worlds,
        "turns": [option.to_json() for option in judgement.turns],
    }
