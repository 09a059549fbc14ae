"""A review in words and tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from .output import Screen
from .render import count_of, signed

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text
    from sixtysix import MatchReview
    from sixtysix.luck import Account
    from sixtysix.reviewed import ReviewedDeal, ReviewedTurn, Totals


def review_parts(
    found: MatchReview, screen: Screen, all_turns: bool, number: int | None = None
) -> list[RenderableType]:
    """Return a review: the totals, then deal by deal the turns to talk about, or all.

    `number` is that of the match, where its file holds several.
    """
    record = found.record
    parts: list[RenderableType] = [
        screen.ink(f"{record.players[0]} and {record.players[1]}, {count_of(len(record.deals), 'deal')}", "bold"),
        screen.ink(f"{record.rules.text}; {effort_text(found)}", "dim"),
        "",
        _totals_table(found, screen),
    ]
    for deal in found.deals:
        parts += ["", screen.ink(deal_title(found, deal), "bold")]
        listed = [turn for turn in deal.turns if all_turns or worth_a_word(turn)]
        if listed:
            places = [at_text(deal, turn, number) for turn in listed]
            parts.append(_turns_table(found, listed, places, screen))
    return [*parts, "", *(screen.ink(note, "dim") for note in notes(found))]


def worth_a_word(turn: ReviewedTurn) -> bool:
    """Whether a turn is one to talk about: marked, or with something to say on closing."""
    judgement = turn.judgement
    return judgement is not None and (judgement.mark is not None or judgement.closing is not None)


def effort_text(found: MatchReview) -> str:
    """Return how hard each decision was looked at."""
    effort = found.effort
    if effort.time is not None:
        return f"{effort.time:g} s a decision"
    return f"{effort.iterations:,} iterations a decision, seed {effort.seed}"


def deal_title(found: MatchReview, deal: ReviewedDeal) -> str:
    """Return a deal in a line: number, score, who led, how it ended."""
    names, record = found.record.players, deal.record
    score = "" if deal.score is None else f" at {deal.score[0]}-{deal.score[1]}"
    if record.result is None:
        end = "not played to its end"
    elif record.result == 0:
        end = "nobody won"
    else:
        end = f"{names[record.result < 0]} won {abs(record.result)}"
    return f"deal {record.number}{score}: {names[record.leader]} led, {end}"


def place_text(turn: ReviewedTurn) -> str:
    """Return where in the deal a turn is: `3.` for the lead to the third trick, `3…` for the reply."""
    return f"{turn.trick}{'.' if turn.number % 2 else '…'}"


def at_text(deal: ReviewedDeal, turn: ReviewedTurn, match: int | None = None) -> str:
    """Return the place of a turn as `--at` takes it: deal and turn, and the match where there are several."""
    return ("" if match is None else f"{match}:") + f"{deal.record.number}.{turn.number}"


def _totals_table(found: MatchReview, screen: Screen) -> Table:
    table = screen.table("", *map(screen.plain, found.record.players))
    totals = found.totals(0), found.totals(1)
    for name, cells in total_rows(totals):
        table.add_row(screen.ink(name), *(screen.ink(cell) for cell in cells))
    return table


def total_rows(totals: Sequence[Totals]) -> list[tuple[str, list[str]]]:
    """Return names and both players' figures; a player of whom no hand is known has none."""
    rows: list[tuple[str, Callable[[Totals], str]]] = [
        ("decisions", lambda of: f"{of.decisions}"),
        ("  with a choice", lambda of: f"{of.unforced}"),
        ("inaccuracies", lambda of: f"{of.marks['inaccuracy']}"),
        ("mistakes", lambda of: f"{of.marks['mistake']}"),
        ("blunders", lambda of: f"{of.marks['blunder']}"),
        ("closings: right", lambda of: f"{of.closings['right']}"),
        ("  wrong", lambda of: f"{of.closings['wrong']}"),
        ("  missed", lambda of: f"{of.closings['missed']}"),
        ("  close call", lambda of: f"{of.closings['close call']}"),
        ("game points lost", lambda of: f"{of.loss:.2f}"),
        ("  a deal", lambda of: f"{of.loss_a_deal:.2f}"),
        ("  a decision with a choice", lambda of: f"{of.loss_a_decision:.3f}"),
    ]
    if any(of.match_loss is not None for of in totals):
        rows.append(("match chance lost, %", lambda of: "" if of.match_loss is None else f"{100 * of.match_loss:.1f}"))
    parts = ("result", "luck", "dealt", "drawn", "shown", "adjusted")
    titles = ("result, game points", "luck", "  dealt", "  drawn", "  shown", "result without luck")
    for title, part in zip(titles, parts, strict=True):
        rows.append((title, lambda of, part=part: _account_text(of.account, part)))  # type: ignore[misc]
    return [(name, [text(of) if of.decisions else "" for of in totals]) for name, text in rows]


def _account_text(account: Account | None, part: str) -> str:
    return "" if account is None else signed(getattr(account, part))


def _turns_table(found: MatchReview, turns: Sequence[ReviewedTurn], places: Sequence[str], screen: Screen) -> Table:
    of_match = any(turn.judgement is not None and turn.judgement.match_loss is not None for turn in turns)
    columns = ["at", "player", "played", "best", "loss", *(["match%"] if of_match else []), "luck"]
    table = screen.table(*columns, "mark", "closing", left=4, wide=True)
    for column in table.columns[-2:]:
        column.justify = "left"
    for place, turn in zip(places, turns, strict=True):
        cells = [place, found.record.players[turn.player], turn.played.pretty]
        table.add_row(*(screen.ink(screen.plain(cell)) for cell in cells), *_judged_cells(turn, screen, of_match))
    return table


STYLES: Final = {"inaccuracy": "yellow", "mistake": "bold yellow", "blunder": "bold red"}


def _judged_cells(turn: ReviewedTurn, screen: Screen, of_match: bool) -> list[Text]:
    """Return the cells that tell what is thought of a turn."""
    judgement = turn.judgement
    if judgement is None:
        return []
    best = "" if judgement.best is judgement.played else judgement.best.turn.pretty
    loss = "" if not best else f"{judgement.loss:.2f}" + (f"±{judgement.loss_se:.2f}" if judgement.loss_se else "")
    match = [f"{100 * judgement.match_loss:.1f}" if best and judgement.match_loss is not None else ""]
    return [
        screen.ink("forced" if judgement.forced else best, "dim" if judgement.forced else ""),
        screen.ink(loss),
        *(screen.ink(text) for text in (match if of_match else [])),
        screen.ink("" if turn.luck is None else signed(turn.luck)),
        screen.ink(judgement.mark or "", STYLES.get(judgement.mark or "", "")),
        screen.ink(judgement.closing or ""),
    ]


def notes(found: MatchReview) -> list[str]:
    """Return what the figures mean."""
    lines = [
        "at: deal and turn, as in sixtysix analyze -f FILE --at 2.5.",
        "loss: game points that the turn gives away against the best one, by what its player knew; a loss within two "
        "standard errors gets no mark.",
        "luck: what the cards changed since the player's turn before, at his first turn what he was dealt; "
        "result = luck - own loss + opponent's loss.",
    ]
    unknown = [name for player, name in enumerate(found.record.players) if not found.totals(player).decisions]
    if unknown:
        lines.append(f"{unknown[0]}'s hand is not on record: what he lost by his play counts as the other's luck.")
    if found.totals(0).match_loss is not None or found.totals(1).match_loss is not None:
        lines.append("match%: the same loss in percent chance to win the match, by which these turns are judged.")
    return lines
