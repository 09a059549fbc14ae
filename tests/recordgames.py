"""Matches on record from random play, and the same as one of the players could have noted them."""

import random
from dataclasses import replace

from sixtysix.kernel.layout import S_LEADER
from sixtysix.match import next_leader
from sixtysix.players import player_of
from sixtysix.records import DealRecord, MatchRecord, RecordedTurn
from sixtysix.rules import Rules
from sixtysix.steps import record_of
from sixtysix.table import Table

WORDS = ("well played", "why? see 3.", "Kd+20 was better: [sic]", "„Zug“ #2", "1. =x")


def random_match(rules: Rules, seed: int, deals: int = 2, unfinished: bool = False) -> MatchRecord:
    """Return some deals of a match between random players, the last perhaps cut short, with comments here and there."""
    rng = random.Random(seed)
    leader, score = rng.randrange(2), [0, 0]
    records: list[DealRecord] = []
    while len(records) < deals and max(score) < rules.match_target:
        record = random_deal(rules, rng, leader, len(records) + 1)
        records.append(record)
        assert record.result is not None
        score[record.result < 0] += abs(record.result)
        leader = next_leader(rules, leader, record.result)
    if unfinished:
        last = records[-1]
        records[-1] = replace(last, turns=last.turns[: rng.randrange(len(last.turns))], result=None)
    tags = {"Date": "2026-11-30", "Target": str(rules.match_target), "Note": 'a "quoted" \\ word'}
    return MatchRecord(rules=rules, players=("Ana", "Bo: the 2nd"), tags=tags, deals=tuple(records), comment="random")


def random_deal(rules: Rules, rng: random.Random, leader: int, number: int) -> DealRecord:
    """Return a deal of random play; closings are rare, so that most deals are long."""
    table = Table.deal(rules, rng.randrange(1 << 30))
    player = player_of("random")
    while not table.over:
        position = table.position()
        turn = player.choose(position, rng.randrange(1 << 30))
        if turn.close and rng.random() < 0.8:
            turn = replace(turn, close=False)
        table.play(turn)
    record = record_of(table, leader, number)
    turns = [
        RecordedTurn(recorded.turn, rng.choice(WORDS) if rng.random() < 0.2 else None) for recorded in record.turns
    ]
    return replace(record, turns=tuple(turns), comment=rng.choice((None, "a deal")))


def as_noted_by(rules: Rules, deal: DealRecord, player: int) -> DealRecord:
    """Return a deal as one player sees it: his own cards, and of the stock what he drew or saw lying face up."""
    hands = (deal.hands[0] if player == 0 else None, deal.hands[1] if player == 1 else None)
    stock: list[int | None] = [None] * len(deal.stock)
    table = _table(rules, deal)
    top = 0
    for recorded in deal.turns:
        lying, size = table.position().talon, table.position().talon
        if rules.stock_top_face_up and lying > 1:
            stock[top] = deal.stock[top]
        table.play(recorded.turn)
        drawn = not table.over and table.position().talon < size
        if drawn:
            won = int(table._state[S_LEADER]) ^ deal.leader == player
            mine = top if won else top + 1
            if mine < len(stock):
                stock[mine] = deal.stock[mine]
            top += 2
    if rules.stock_top_face_up and top < len(stock):
        stock[top] = deal.stock[top]
    return replace(deal, hands=hands, stock=tuple(stock))


def _table(rules: Rules, deal: DealRecord) -> Table:
    from sixtysix.dealing import state_of_pack

    first, second = deal.hands[deal.leader], deal.hands[1 - deal.leader]
    assert first is not None
    assert second is not None
    return Table(rules, state_of_pack(rules, [*first, *second, deal.up, *reversed(deal.stock)]))  # type: ignore[list-item]
