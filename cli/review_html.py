"""A review as one page that needs nothing else: no network, no other files."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from .markup import Content, Markup, joined, tag
from .render import count_of, percent, signed
from .review_curve import curve
from .review_text import at_text, deal_title, effort_text, notes, place_text, total_rows, worth_a_word

if TYPE_CHECKING:
    from sixtysix import MatchReview, Position, Turn
    from sixtysix.judgement import Judgement
    from sixtysix.luck import Account
    from sixtysix.ranking import TurnAnalysis
    from sixtysix.reviewed import ReviewedDeal, ReviewedTurn

WORST: Final = 8
"""So many of the costliest turns are listed first."""

OUTCOMES: Final = ("m3", "m2", "m1", "zero", "p1", "p2", "p3")


def page(reviews: Sequence[MatchReview]) -> str:
    """Return the page of some matches."""
    title = "; ".join(" – ".join(found.record.players) for found in reviews)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"Review: {title}"),
        tag("style", _asset("review.css")),
    )
    body = tag(
        "body",
        tag("main", *(_match(found, f"m{number}") for number, found in enumerate(reviews, 1))),
        tag("script", _asset("review.js")),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _asset(name: str) -> Markup:
    """Return a file of the page; it holds no text of others."""
    return Markup(files(__package__).joinpath("page", name).read_text(encoding="utf-8"))


# --- a match --------------------------------------------------------------------------------------


def _match(found: MatchReview, anchor: str) -> Markup:
    record = found.record
    subtitle = [record.rules.text, count_of(len(record.deals), "deal"), *_tags(found), effort_text(found)]
    return tag(
        "article",
        tag(
            "header",
            tag("p", "Review", class_="kind"),
            tag("h1", _name(found, 0), Markup(" <span>and</span> "), _name(found, 1)),
            tag("p", " · ".join(subtitle), class_="facts"),
            tag("p", record.comment, class_="comment") if record.comment else None,
        ),
        tag("section", _balance(found), _totals(found), class_="summary"),
        _worst(found, anchor),
        tag(
            "p",
            tag("label", tag("input", type="checkbox", class_="only"), " only turns to talk about"),
            tag("button", "open all", type="button", class_="open"),
            tag("button", "close all", type="button", class_="shut"),
            class_="tools",
        ),
        *(_deal(found, deal, f"{anchor}d{number}") for number, deal in enumerate(found.deals, 1)),
        tag("footer", *(tag("p", note) for note in notes(found)[1:])),
        id=anchor,
    )


def _tags(found: MatchReview) -> list[str]:
    return [f"{name} {value}" for name, value in found.record.tags.items()]


def _name(found: MatchReview, player: int) -> Markup:
    return tag("span", found.record.players[player], class_=f"name player{player}")


def _balance(found: MatchReview) -> Markup:
    """Each player's result, and how it comes of luck and play, as bars from the middle."""
    accounts = [found.totals(player).account for player in (0, 1)]
    largest = max((abs(value) for account in accounts if account for _, value in _shares(account)), default=1.0) or 1.0
    cards = [
        tag("div", tag("h2", _name(found, player)), *_bars(account, largest), class_="card-box")
        for player, account in enumerate(accounts)
        if account is not None
    ]
    return tag("div", *cards, class_="balance")


def _shares(account: Account) -> list[tuple[str, float]]:
    return [
        ("result", account.result),
        ("dealt", account.dealt),
        ("drawn", account.drawn),
        ("shown", account.shown),
        ("own losses", -account.loss),
        ("opponent's losses", account.gained),
    ]


def _bars(account: Account, largest: float) -> list[Markup]:
    rows = []
    for name, value in _shares(account):
        width = 50 * abs(value) / largest
        side = "gain" if value >= 0 else "loss"
        bar = tag("i", style=f"width:{width:.1f}%", class_=side)
        rows.append(
            tag(
                "div",
                tag("span", name),
                tag("span", bar, class_="track"),
                tag("b", _signed(value)),
                class_="bar whole" if name == "result" else "bar",
            )
        )
    rows.append(tag("p", "without luck ", tag("b", _signed(account.adjusted)), class_="adjusted"))
    return rows


def _totals(found: MatchReview) -> Markup:
    rows = [
        tag(
            "tr",
            tag("th", name.strip(), scope="row", class_="sub" if name.startswith(" ") else None),
            *(tag("td", cell.replace("-", "−")) for cell in cells),
        )
        for name, cells in total_rows((found.totals(0), found.totals(1)))
    ]
    head = tag("tr", tag("th", ""), *(tag("th", _name(found, player), scope="col") for player in (0, 1)))
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows), class_="totals"), class_="wide")


def _worst(found: MatchReview, anchor: str) -> Markup | None:
    """The costliest marked turns, each a link."""
    from sixtysix.marks import Figures

    marked = [
        (turn.judgement, turn, deal, number)
        for number, deal in enumerate(found.deals, 1)
        for turn in deal.turns
        if turn.judgement is not None and turn.judgement.mark is not None
    ]
    marked.sort(key=lambda entry: -Figures.of(entry[0].played).loss)
    if not marked:
        return None
    items = [
        tag(
            "li",
            _mark(judgement.mark),
            tag("a", f"deal {deal.record.number}, {place_text(turn)}", href=f"#{anchor}d{number}t{turn.number}"),
            " ",
            _name(found, turn.player),
            " played ",
            _turn(turn.played),
            "best ",
            _turn(judgement.best.turn),
            tag("b", _cost(judgement)),
        )
        for judgement, turn, deal, number in marked[:WORST]
    ]
    return tag("section", tag("h2", "Costliest turns"), tag("ol", *items), class_="worst")


# --- a deal ---------------------------------------------------------------------------------------


def _deal(found: MatchReview, deal: ReviewedDeal, anchor: str) -> Markup:
    return tag(
        "section",
        tag("h2", deal_title(found, deal)),
        tag("p", deal.record.comment, class_="comment") if deal.record.comment else None,
        _dealt(found, deal),
        tag("figure", tag("div", curve(found, deal, anchor), class_="wide"), _legend(found, deal)),
        tag("div", *(_turn_block(found, deal, turn, anchor) for turn in deal.turns), class_="turns"),
        class_="deal",
        id=anchor,
    )


def _dealt(found: MatchReview, deal: ReviewedDeal) -> Markup:
    """The hands dealt, the upcard, and what each player's luck was."""
    rows = []
    for player in (0, 1):
        hand, account = deal.record.hands[player], deal.accounts[player]
        luck = tag("span", None if account is None else f"luck {_signed(account.luck)}", class_="luck")
        cards = tag("span", "hand not on record", class_="dim") if hand is None else _cards(hand)
        rows.append(tag("div", _name(found, player), cards, luck))
    rows.append(tag("div", tag("span", "up", class_="name"), _cards((deal.record.up,)), tag("span")))
    return tag("div", *rows, class_="dealt")


def _legend(found: MatchReview, deal: ReviewedDeal) -> Markup:
    seen = [player for player in (0, 1) if deal.of(player)]
    views = [
        tag("span", tag("i", class_=f"key player{player}"), f"as {found.record.players[player]} saw it")
        for player in seen
    ]
    marks = [tag("span", tag("i", class_=f"key {mark}"), mark) for mark in ("inaccuracy", "mistake", "blunder")]
    return tag("figcaption", *views, *marks)


def _turn_block(found: MatchReview, deal: ReviewedDeal, turn: ReviewedTurn, anchor: str) -> Markup:
    judgement = turn.judgement
    classes = "turn" if worth_a_word(turn) else "turn plain"
    head: list[Content] = [tag("span", place_text(turn), class_="place"), _name(found, turn.player), _turn(turn.played)]
    comment = tag("p", turn.comment, class_="comment") if turn.comment else None
    if judgement is None or turn.position is None:
        return tag("div", tag("p", *head, class_="line"), comment, class_=classes, id=f"{anchor}t{turn.number}")
    if judgement.best is not judgement.played:
        head.append(tag("span", "best ", _turn(judgement.best.turn), class_="better"))
        head.append(tag("span", _cost(judgement), class_="cost"))
    head += [_mark(judgement.mark), _closing(judgement.closing)]
    if judgement.forced:
        head.append(tag("span", "forced", class_="dim"))
    return tag(
        "details",
        tag("summary", *head, class_="line"),
        comment,
        _facts(turn.position, turn, at_text(deal, turn)),
        tag("div", _table(turn), class_="wide"),
        tag("code", turn.position.text, class_="position"),
        class_=classes,
        id=f"{anchor}t{turn.number}",
    )


def _facts(position: Position, turn: ReviewedTurn, place: str) -> Markup:
    """What the player knew, as far as it is not plain."""
    up = () if position.up is None else (position.up,)
    facts = [
        ("hand", _cards(position.hand, position.trump)),
        ("led", None if position.led is None else _cards((position.led,), position.trump)),
        ("known opponent's cards", _cards(position.opp, position.trump) if position.opp else None),
        ("up" if position.closed is None else "turned down", _cards(up, position.trump) if up else None),
        ("talon", f"{position.talon}" if position.talon else "gone"),
        ("points", f"{position.points[0]}–{position.points[1]}"),
        ("--at", place),
        ("luck since his last turn", None if turn.luck is None else _signed(turn.luck)),
    ]
    return tag(
        "dl", *(joined(tag("dt", name), tag("dd", value)) for name, value in facts if value is not None), class_="facts"
    )


def _table(turn: ReviewedTurn) -> Markup:
    """Every turn that he had, best first, with its value and its chances."""
    judgement = turn.judgement
    assert judgement is not None
    of_match = judgement.played.match is not None
    names = ["turn", "value", "±", "loss", *(["match"] if of_match else []), "win", "outcomes −3 to +3"]
    rows = [_row(option, option is judgement.played, of_match) for option in judgement.turns]
    caption = tag("caption", f"{judgement.method}, {judgement.worlds:,} deals or hands; values of the player to move")
    head = tag("tr", *(tag("th", name, scope="col") for name in names))
    return tag("table", caption, tag("thead", head), tag("tbody", *rows), class_="options")


def _row(option: TurnAnalysis, played: bool, of_match: bool) -> Markup:
    cells = [
        tag("td", _turn(option.turn), tag("span", "played", class_="tag") if played else None),
        tag("td", _signed(option.value)),
        tag("td", f"{option.se:.2f}" if option.se else "0"),
        tag("td", f"{option.loss:.2f}" if abs(option.loss) >= 0.005 else ""),
        *([tag("td", f"{100 * (option.match or 0):.1f}%")] if of_match else []),
        tag("td", f"{percent(option.win)}%"),
        tag("td", _outcomes(option)),
    ]
    return tag("tr", *cells, class_="played" if played else None)


def _outcomes(option: TurnAnalysis) -> Markup:
    """The chances of the outcomes as one bar."""
    parts = [
        tag("i", style=f"width:{100 * share:.1f}%", class_=name, title=f"{outcome:+d}: {percent(share)}%")
        for outcome, name, share in zip(range(-3, 4), OUTCOMES, option.outcomes, strict=True)
        if share >= 0.0005
    ]
    return tag("span", *parts, class_="outcomes")


# --- pieces ---------------------------------------------------------------------------------------


def _cost(judgement: Judgement) -> str:
    """Return what a turn lost: game points, and at a match score percent of the chance to win the match."""
    points = _signed(-judgement.loss)
    return (
        points if judgement.match_loss is None else f"{points} · {100 * -judgement.match_loss:.1f}%".replace("-", "−")
    )


def _signed(value: float) -> str:
    """Return a number of game points with its sign, a real minus."""
    return signed(value).replace("-", "−")


def _mark(mark: str | None) -> Markup | None:
    return None if mark is None else tag("span", mark, class_=f"mark {mark}")


def _closing(closing: str | None) -> Markup | None:
    if closing is None:
        return None
    text = {"right": "closed rightly", "wrong": "closed wrongly", "missed": "missed a closing"}.get(closing, closing)
    return tag("span", text, class_=f"mark closing {closing.split()[0]}")


def _cards(cards: Sequence[int], trump: int | None = None) -> Markup:
    return tag("span", *(_card(card, trump) for card in cards), class_="cards")


def _card(card: int, trump: int | None = None, declared: int = 0) -> Markup:
    from sixtysix.cards import SUITS, suit_of, symbol_text

    classes = f"card {SUITS[suit_of(card)]}{' trump' if suit_of(card) == trump else ''}"
    return tag("span", symbol_text(card) + (f"+{declared}" if declared else ""), class_=classes)


def _turn(turn: Turn) -> Markup:
    steps = [name for name, done in (("exchange", turn.exchange), ("close", turn.close)) if done]
    return tag(
        "span",
        *(tag("span", step, class_="step") for step in steps),
        _card(turn.card, declared=turn.value),
        class_="move",
    )
