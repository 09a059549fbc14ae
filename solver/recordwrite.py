"""The text of matches on record, as `recordread` reads it."""

from __future__ import annotations

from collections.abc import Iterator

from .cards import cards_text
from .records import DealRecord, MatchRecord, RecordedTurn


def match_text(match: MatchRecord) -> str:
    """Return the text of a match."""
    lines = [_tag("Rules", match.rules.text), _tag("Players", *match.players)]
    lines += [_tag(name, value) for name, value in match.tags.items()]
    if match.comment is not None:
        lines.append(f"{{{match.comment}}}")
    for deal in match.deals:
        lines += ["", *_deal_lines(deal, match.players)]
    return "".join(f"{line}\n" for line in lines)


def _tag(name: str, *values: str) -> str:
    escaped = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
    words = " ".join(f'"{word}"' for word in escaped)
    return f"[{name} {words}]"


def _deal_lines(deal: DealRecord, players: tuple[str, str]) -> Iterator[str]:
    yield f"deal {deal.number}"
    yield f"leads: {players[deal.leader]}"
    for name, hand in zip(players, deal.hands, strict=True):
        yield f"{name}: {'?' if hand is None else _spaced(cards_text(hand))}"
    yield f"up: {cards_text((deal.up,))}"
    stock = " ".join("?" if card is None else cards_text((card,)) for card in deal.stock)
    if known := stock.rstrip(" ?"):
        yield f"stock: {known}"
    yield from (f"{key}: {value}" for key, value in (("seal", deal.seal), ("salt", deal.salt)) if value is not None)
    if deal.comment is not None:
        yield f"{{{deal.comment}}}"
    for index in range(0, len(deal.turns), 2):
        yield f"{index // 2 + 1}. {' '.join(map(_turn_text, deal.turns[index : index + 2]))}"
    yield f"result: {_result_text(deal, players)}"


def _spaced(cards: str) -> str:
    return cards.replace(",", " ")


def _turn_text(recorded: RecordedTurn) -> str:
    text = recorded.turn.text
    return text if recorded.comment is None else f"{text} {{{recorded.comment}}}"


def _result_text(deal: DealRecord, players: tuple[str, str]) -> str:
    if deal.result is None:
        return "*"
    return f"{players[deal.result < 0]} {abs(deal.result)}" if deal.result else "nobody"
