"""Deals on record played again: what each player knew before each of his turns, and how it ended.

A deal that is only half known is first filled in with any cards that fit everything on record; then all deals are
played at a `Table`. What a player whose hand is known sees does not depend on the filling.
"""

from __future__ import annotations

from dataclasses import dataclass

from .cards import cards_of
from .dealing import state_of_pack
from .kernel.layout import S_HAND0, S_STOCK, S_TALON, S_UP
from .notation import Turn
from .position import Deal, Position
from .records import DealRecord, MatchRecord, RecordedTurn, RecordError
from .rules import Rules
from .sketch import Impossible, Sketch
from .table import IllegalTurn, Table

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Step:
    """A turn of a deal: who played it in which trick (from 1), and the turn's `number` in the deal (from 1).

    `position` is what the player knew before it, None where his hand is not on record; `deal` is everything at that
    moment seen by him, where every card is on record.
    """

    player: int
    trick: int
    number: int
    turn: Turn
    position: Position | None
    deal: Deal | None


@dataclass(frozen=True, slots=True)
class End:
    """Where the turns of a deal lead. Pairs are by player.

    `over` tells whether they decide the deal; `result` are game points for player 0, those noted where they do not,
    None where nothing is. `points` are the counted card points, `closer` the player who closed, None if nobody has.
    """

    over: bool
    result: int | None
    points: Pair
    tricks: Pair
    closer: int | None


def sketch_of(rules: Rules, players: tuple[str, str], deal: DealRecord, hindsight: bool = False) -> Sketch:
    """Return the sketch of a deal before its first turn; seat 0 is its leader's. Raises Impossible."""
    order = (deal.leader, 1 - deal.leader)
    hands = (deal.hands[order[0]], deal.hands[order[1]])
    names = (players[order[0]], players[order[1]])
    return Sketch(rules, hands, deal.up, deal.stock, names, hindsight)


def replay(match: MatchRecord, deal_index: int, seed: int = 0) -> list[Step]:
    """Return the turns of a deal with what was known before each.

    The seed chooses the cards that nobody has seen; no position depends on it. Raises RecordError if a turn cannot be,
    which cannot happen in a match that `load` has read.
    """
    deal = match.deals[deal_index]
    table = table_of(match, deal_index, seed)
    steps = []
    for number, recorded in enumerate(deal.turns, 1):
        steps.append(_step(table, deal, number, recorded.turn))
        _play(table, deal, number, recorded.turn)
    return steps


def position_before(match: MatchRecord, deal_index: int, number: int) -> Position:
    """Return what the player of a turn (from 1) knew before it; one more than the turns: before the next.

    Raises RecordError if there is no such turn, or if the player's hand is not on record.
    """
    deal = match.deals[deal_index]
    count = len(deal.turns)
    if not 1 <= number <= count + 1:
        raise RecordError(f"there is no turn {number}: deal {deal.number} has {count}")
    table = table_after(match, deal_index, number - 1)
    if table.over:
        raise RecordError(f"deal {deal.number} is over after {count} turns: there is no turn {number}")
    player = player_of_seat(deal, table.mover)
    if deal.hands[player] is None:
        raise RecordError(
            f"turn {number} of deal {deal.number} is {match.players[player]}'s, whose hand is not on record"
        )
    return table.position()


def end_of(match: MatchRecord, deal_index: int) -> End:
    """Return where a deal's turns lead. Raises RecordError as `replay` does."""
    deal = match.deals[deal_index]
    table = table_after(match, deal_index, len(deal.turns))

    def by_player(pair: Pair) -> Pair:
        return pair[deal.leader], pair[1 - deal.leader]

    result = deal.result
    if table.over:
        result = -table.outcome if deal.leader else table.outcome
    closer = None if table.closer is None else player_of_seat(deal, table.closer)
    return End(table.over, result, by_player(table.points), by_player(table.tricks), closer)


def record_of(table: Table, leader: int, number: int = 1) -> DealRecord:
    """Return the record of what has been played at a table, all cards told; seat 0 is the `leader`'s."""
    start = table.start.tolist()
    hands = [cards_of(start[S_HAND0 + (player ^ leader)]) for player in (0, 1)]
    result = None
    if table.over:
        result = -table.outcome if leader else table.outcome
    return DealRecord(
        number=number,
        leader=leader,
        hands=(hands[0], hands[1]),
        up=start[S_UP],
        stock=tuple(reversed(start[S_STOCK : S_STOCK + start[S_TALON] - 1])),
        turns=tuple(map(RecordedTurn, table.turns)),
        result=result,
    )


def player_of_seat(deal: DealRecord, seat: int) -> int:
    """Return who sits there: seat 0 leads to the deal's first trick. The same the other way round."""
    return seat ^ deal.leader


def table_after(match: MatchRecord, deal_index: int, turns: int) -> Table:
    """Return the table after so many turns of a deal. Raises RecordError as `replay` does."""
    deal = match.deals[deal_index]
    table = table_of(match, deal_index)
    for number, recorded in enumerate(deal.turns[:turns], 1):
        _play(table, deal, number, recorded.turn)
    return table


def table_of(match: MatchRecord, deal_index: int, seed: int = 0) -> Table:
    """Return the table of a deal before its first turn, unknown cards filled in by the seed. Raises RecordError."""
    deal = match.deals[deal_index]
    score = match.score_before(deal_index)
    if score is not None and max(score) >= match.rules.match_target:
        raise RecordError(f"deal {deal.number}: the match was over at {score[0]}-{score[1]}")
    by_seat = score and (score[deal.leader], score[1 - deal.leader])
    return Table(match.rules, state_of_pack(match.rules, _pack(match, deal, seed)), by_seat)


def _pack(match: MatchRecord, deal: DealRecord, seed: int) -> list[int]:
    """Return a whole pack with which the deal can have been. Raises RecordError."""
    number = 0
    try:
        sketch = sketch_of(match.rules, match.players, deal)
        for recorded in deal.turns:
            number += 1
            sketch.play(recorded.turn)
        return sketch.pack(seed)
    except Impossible as error:
        raise _error(deal, number, error) from None


def _error(deal: DealRecord, number: int, error: ValueError) -> RecordError:
    return RecordError(f"deal {deal.number}{f', turn {number}' if number else ''}: {error}")


def _play(table: Table, deal: DealRecord, number: int, turn: Turn) -> None:
    try:
        table.play(turn)
    except IllegalTurn as error:
        raise _error(deal, number, error) from None


def _step(table: Table, deal: DealRecord, number: int, turn: Turn) -> Step:
    player = player_of_seat(deal, table.mover)
    position = None if deal.hands[player] is None else table.position()
    truth = table.truth(position) if deal.complete and position is not None else None
    return Step(player, (number + 1) // 2, number, turn, position, truth)
