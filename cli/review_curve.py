"""The curve of a deal: each player's chance to win it as he saw it, turn by turn, as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .markup import Markup, joined, tag
from .render import percent, signed
from .review_text import place_text

if TYPE_CHECKING:
    from sixtysix import MatchReview
    from sixtysix.ranking import TurnAnalysis
    from sixtysix.reviewed import ReviewedDeal, ReviewedTurn

WIDTH: Final = 800
HEIGHT: Final = 230
LEFT: Final = 46
RIGHT: Final = 96  # where the result is written
TOP: Final = 14
BOTTOM: Final = 34
AFTER: Final = 0.42  # of the way to the next turn: where what a choice lost is shown


@dataclass(frozen=True, slots=True)
class Frame:
    """The drawing area of a deal with so many turns."""

    turns: int

    def x(self, number: float) -> float:
        """Where a turn stands, 1 to the number of turns; the result stands one further."""
        return LEFT + (WIDTH - LEFT - RIGHT) * (number - 0.5) / (self.turns + 0.5)

    @staticmethod
    def y(chance: float) -> float:
        """Where a chance stands, 0 to 1."""
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance)


def chance_of_first(turn: ReviewedTurn, option: TurnAnalysis) -> float:
    """The chance that the match's first player wins the deal, as the player of a turn sees it with one of his turns."""
    return option.win if turn.player == 0 else sum(option.outcomes[:3])


def curve(found: MatchReview, deal: ReviewedDeal, anchor: str) -> Markup:
    """Return the curve of a deal; points lead to the turns, whose anchors begin with `anchor`."""
    frame = Frame(len(deal.turns))
    names = found.record.players
    title = f"Chance of {names[0]} to win deal {deal.record.number}, as each player saw it"
    return tag(
        "svg",
        tag("title", title),
        *_grid(frame, deal, names[0]),
        *(_line(frame, deal, player) for player in (0, 1)),
        *(_points(frame, turn, names, anchor) for turn in deal.turns),
        _result(frame, deal, names),
        class_="curve",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=title,
    )


def _grid(frame: Frame, deal: ReviewedDeal, first: str) -> list[Markup]:
    """Lines at every quarter, a band for every second trick, the tricks' numbers, and where the talon was closed."""
    parts = []
    bottom = frame.y(0)
    for turn in deal.turns:
        if turn.number % 2 == 0:
            continue
        left, right = frame.x(turn.number - 0.5), frame.x(min(turn.number + 1.5, frame.turns + 0.5))
        if turn.trick % 2:
            parts.append(tag("rect", x=left, y=TOP, width=right - left, height=bottom - TOP, class_="band"))
        parts.append(tag("text", f"{turn.trick}", x=(left + right) / 2, y=bottom + 15, class_="tick middle"))
    for quarter in range(5):
        y = frame.y(quarter / 4)
        parts.append(tag("line", x1=LEFT, y1=y, x2=WIDTH - RIGHT, y2=y, class_="half" if quarter == 2 else "rule"))
        parts.append(tag("text", f"{25 * quarter}%", x=LEFT - 6, y=y + 4, class_="tick end"))
    parts.append(tag("text", f"chance of {first} to win the deal, by trick", x=LEFT, y=HEIGHT - 4, class_="tick"))
    for turn in deal.turns:
        if turn.played.close:
            x = frame.x(turn.number)
            parts.append(tag("line", x1=x, y1=TOP, x2=x, y2=bottom, class_="closed"))
            parts.append(tag("text", "closed", x=x + 4, y=bottom - 5, class_="tick"))
    return parts


def _line(frame: Frame, deal: ReviewedDeal, player: int) -> Markup | None:
    """A player's view: his chance with the best turn, then with the turn he chose, and so on to the end."""
    spots = []
    for turn in deal.turns:
        judgement = turn.judgement
        if turn.player != player or judgement is None:
            continue
        before, after = chance_of_first(turn, judgement.best), chance_of_first(turn, judgement.played)
        spots.append((frame.x(turn.number), frame.y(before)))
        if judgement.best is not judgement.played:
            spots.append((frame.x(turn.number + AFTER), frame.y(after)))
    if not spots:
        return None
    if deal.record.result is not None:
        spots.append((frame.x(frame.turns + 1), frame.y(_won(deal.record.result))))
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    return tag("polyline", points=text, class_=f"view player{player}")


def _points(frame: Frame, turn: ReviewedTurn, names: tuple[str, str], anchor: str) -> Markup | None:
    """The point of a turn, and what a marked one cost."""
    judgement = turn.judgement
    if judgement is None:
        return None
    before, after = chance_of_first(turn, judgement.best), chance_of_first(turn, judgement.played)
    x, y = frame.x(turn.number), frame.y(before)
    told = f"{place_text(turn)} {names[turn.player]}: {turn.played.pretty}, {names[0]} wins {percent(before)}%"
    if judgement.best is not judgement.played:
        told += f"; best {judgement.best.turn.pretty}, loss {judgement.loss:.2f}"
    drop = None
    mark = judgement.mark
    if mark is not None:
        end = frame.x(turn.number + AFTER)
        drop = tag("line", x1=x, y1=y, x2=end, y2=frame.y(after), class_=f"drop {mark}")
    radius = 3.0 if mark is None else 5.5
    dot = tag(
        "circle", tag("title", told), cx=x, cy=y, r=radius, class_=f"dot player{turn.player} {mark or ''}".strip()
    )
    return joined(drop, tag("a", dot, href=f"#{anchor}t{turn.number}"))


def _won(result: int) -> float:
    return 0.5 if result == 0 else float(result > 0)


def _result(frame: Frame, deal: ReviewedDeal, names: tuple[str, str]) -> Markup | None:
    result = deal.record.result
    if result is None:
        return None
    x, y = frame.x(frame.turns + 1), frame.y(_won(result))
    text = f"{names[result < 0]} {signed(abs(result), 0)}" if result else "nobody"
    shown = text if len(text) <= 12 else f"{names[result < 0][:8]}… {signed(abs(result), 0)}"
    end = tag("circle", cx=x, cy=y, r=4, class_="final")
    return joined(end, tag("text", shown, x=x + 9, y=y + 4, class_="result"))
