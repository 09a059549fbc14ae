"""The page of a review: parsed without a browser, and rendered in headless Chromium where there is one."""

import dataclasses
import re
import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from recordgames import as_noted_by, random_match
from sixtysix import MatchRecord, MatchReview, Rules, dump, review_match
from sixtysix.cli.markup import Markup, joined, tag
from sixtysix.cli.review_html import page
from test_review import run

EVIL = "<script>alert(1)</script> & \"'"
VOID = {"meta", "input"}
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Elements(HTMLParser):
    """Every element of a page with its attributes and its text, and proof that they are well nested."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str], list[str]]] = []
        self.open: list[int] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}, []))
        if tag not in VOID:
            self.open.append(len(self.found) - 1)

    def handle_endtag(self, tag: str) -> None:
        assert self.found[self.open.pop()][0] == tag

    def handle_data(self, data: str) -> None:
        for number in self.open:
            self.found[number][2].append(data)

    def all(self, name: str, class_: str | None = None) -> list[tuple[dict[str, str], str]]:
        """Attributes and text of the elements of this name (and class)."""
        return [
            (attributes, "".join(text))
            for found, attributes, text in self.found
            if found == name and (class_ is None or class_ in attributes.get("class", "").split())
        ]


def reviewed(record: MatchRecord) -> MatchReview:
    return review_match(record, worlds=300, quick=True)


@pytest.fixture(scope="module", autouse=True)
def few_hands() -> Iterator[None]:
    """Let quick reviews judge closings over few hands."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sixtysix.review.QUICK_HANDS", 40)
        yield


@pytest.fixture(scope="module")
def match() -> MatchRecord:
    """Two deals of random play, with comments that would break a careless page."""
    record = random_match(Rules.preset_named("schnapsen"), 3)
    first, second = record.deals
    turns = (dataclasses.replace(first.turns[0], comment=EVIL), *first.turns[1:])
    return dataclasses.replace(
        record,
        players=("Ana <b>", "Bo & Co"),
        tags={**record.tags, "Event": EVIL},
        comment=EVIL,
        deals=(dataclasses.replace(first, turns=turns, comment=EVIL), second),
    )


@pytest.fixture(scope="module")
def found(match: MatchRecord) -> MatchReview:
    return reviewed(match)


def test_markup_escapes_all_but_markup() -> None:
    assert tag("p", "<&>", Markup("<b>x</b>"), None, class_="a", data_x='"') == (
        '<p class="a" data-x="&quot;">&lt;&amp;&gt;<b>x</b></p>'
    )
    assert tag("input", type="checkbox", checked=True, hidden=False, title=None) == '<input type="checkbox" checked>'
    assert tag("rect", x=1.25, y=2.0) == '<rect x="1.2" y="2"></rect>'
    assert joined("a<", Markup("<i></i>")) == "a&lt;<i></i>"


def test_the_page_is_well_formed_and_needs_nothing_else(found: MatchReview) -> None:
    text = page([found])
    elements = Elements(text)
    assert not elements.open
    assert text.startswith('<!doctype html>\n<html lang="en">')
    for _, attributes, _ in elements.found:
        assert not {"src", "srcset"} & set(attributes)
        assert attributes.get("href", "#").startswith("#")
    assert not re.search(r"https?:|url\(|@import", text)


def test_every_link_leads_somewhere(found: MatchReview) -> None:
    elements = Elements(page([found, found]))
    anchors = [attributes["id"] for _, attributes, _ in elements.found if "id" in attributes]
    assert len(anchors) == len(set(anchors))
    links = {attributes["href"][1:] for attributes, _ in elements.all("a")}
    assert links
    assert links <= set(anchors)


def test_names_and_comments_are_escaped(found: MatchReview) -> None:
    text = page([found])
    elements = Elements(text)
    assert len(elements.all("script")) == 1
    assert "alert(1)" not in elements.all("script")[0][1]
    assert "<b> " not in text
    assert sum(text_of == EVIL for _, text_of in elements.all("p", "comment")) == 3
    assert {name for _, name in elements.all("span", "player0")} == {"Ana <b>"}


def test_every_deal_has_its_curve_and_every_decision_its_table(found: MatchReview) -> None:
    elements = Elements(page([found]))
    assert len(elements.all("svg", "curve")) == len(elements.all("section", "deal")) == 2
    turns = [turn for deal in found.deals for turn in deal.turns]
    details = elements.all("details", "turn")
    tables = elements.all("table", "options")
    assert len(turns) == len(details) == len(tables)
    rows = elements.all("tr", "played")
    assert len(rows) == len(turns)
    for turn, (_, text), (_, row) in zip(turns, details, rows, strict=True):
        assert turn.position is not None
        assert turn.position.text in text
        for step in turn.played.pretty.split(", "):
            assert step in row
    marked = [turn.judgement.mark for turn in turns if turn.judgement is not None and turn.judgement.mark is not None]
    assert len(elements.all("line", "drop")) == len(marked) > 0
    assert len(elements.all("circle", "dot")) == len(turns)


def test_curves_stay_within_their_frame(found: MatchReview) -> None:
    elements = Elements(page([found]))
    for attributes, _ in elements.all("polyline"):
        for spot in attributes["points"].split():
            x, y = map(float, spot.split(","))
            assert 46 <= x <= 704.1
            assert 14 <= y <= 196


def test_a_half_known_match_has_one_line_a_deal(match: MatchRecord) -> None:
    half = dataclasses.replace(match, deals=tuple(as_noted_by(match.rules, deal, 0) for deal in match.deals))
    elements = Elements(page([reviewed(half)]))
    assert len(elements.all("polyline", "player0")) == 2
    assert elements.all("polyline", "player1") == []
    assert any("hand not on record" in text for _, text in elements.all("div", "dealt"))
    unknown = [turn for deal in half.deals for turn in deal.turns]
    assert len(elements.all("div", "turn")) + len(elements.all("details", "turn")) == len(unknown)


def test_the_command_writes_the_page(match: MatchRecord, tmp_path: Path) -> None:
    dump([match], tmp_path / "game.66")
    result = run(
        "review", str(tmp_path / "game.66"), "--quick", "--worlds", "300", "--html", str(tmp_path / "page.html")
    )
    assert result.exit_code == 0, result.stderr
    assert "Ana <b> and Bo & Co, 2 deals" in result.stdout
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page([reviewed(match)])


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_a_browser_shows_the_page_without_errors(found: MatchReview, tmp_path: Path) -> None:
    """Chromium runs the script, which opens the turn that the address names, and complains of nothing."""
    file = tmp_path / "page.html"
    file.write_text(page([found]), encoding="utf-8")
    assert CHROMIUM is not None
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    done = subprocess.run([*command, profile, f"{file.as_uri()}#m1d2t2"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stderr.splitlines() if "CONSOLE" in line or "Uncaught" in line] == []
    elements = Elements(done.stdout)
    opened = [attributes["id"] for attributes, _ in elements.all("details") if "open" in attributes]
    assert opened == ["m1d2t2"]
    assert len(elements.all("svg", "curve")) == 2
    assert len(elements.all("table", "options")) == sum(len(deal.turns) for deal in found.deals)
