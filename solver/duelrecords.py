"""Games of an arena as matches on record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .duel import A, B, Contest, Game, Round, table_of
from .match import next_leader
from .records import DealRecord, MatchRecord, plain_text
from .steps import record_of


def matches_of(contest: Contest, rounds: Iterable[Round]) -> list[MatchRecord]:
    """Return the games of some rounds whose turns were kept.

    Of whole matches each is a record of its own; single deals stand in one record, without a score.
    """
    if contest.match:
        return [
            _record(contest, _deals(contest, played.number, games, first), Round=str(played.number + 1))
            for played in rounds
            for first, games in ((A, played.a_first), (B, played.b_first))
            if _kept(games)
        ]
    deals: list[DealRecord] = []
    for played in rounds:
        for first, games in ((A, played.a_first), (B, played.b_first)):
            if _kept(games):
                deals += _deals(contest, played.number, games, first, len(deals) + 1)
    return [_record(contest, deals)] if deals else []


def player_names(a: str, b: str) -> tuple[str, str]:
    """Return the names of two players on record, from texts that name them; they differ."""
    names = [plain_text(re.sub(r'[{}\[\]"#]', "'", text)) for text in (a, b)]
    if names[0].casefold() == names[1].casefold():
        names = [f"{name} ({side})" for name, side in zip(names, "AB", strict=True)]
    return names[0], names[1]


def _kept(games: Sequence[Game]) -> bool:
    return all(game.turns is not None for game in games)


def _record(contest: Contest, deals: list[DealRecord], **tags: str) -> MatchRecord:
    tags = {"Event": "sixtysix arena", "Seed": str(contest.seed), **tags}
    if contest.match:
        tags["Target"] = str(contest.rules.match_target)
    players = player_names(contest.a, contest.b)
    return MatchRecord(rules=contest.rules, players=players, tags=tags, deals=tuple(deals))


def _deals(contest: Contest, number: int, games: Sequence[Game], leader: int, first: int = 1) -> list[DealRecord]:
    """Return the deals of a match, or a single one, in which `leader` led first; they are counted from `first`."""
    deals = []
    for index, game in enumerate(games):
        table = table_of(contest, (number, index))
        for turn in game.turns or ():
            table.play(turn)
        deals.append(record_of(table, leader, first + index))
        leader = next_leader(contest.rules, leader, game.points)
    return deals
