"""`sixtysix review`: a match on record looked back on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from .errors import InputError, one_line
from .options import MAX_JOBS, MAX_SEED, MAX_WORLDS, json_option, positive_number, whole_number
from .output import Screen, emit, emit_json
from .progress import run
from .records import read_records
from .review_text import review_parts

if TYPE_CHECKING:
    from sixtysix import MatchRecord, MatchReview


@click.command()
@click.argument("file", type=click.Path())
@click.option("--quick", is_flag=True, help="A first look: seconds a deal at most, errors about four times as large.")
@click.option(
    "--worlds",
    callback=whole_number(1, MAX_WORLDS),
    metavar="N",
    help="Iterations of the tree search a decision.  [default: 100,000; with --quick 8,000]",
)
@click.option("--time", callback=positive_number, metavar="SECONDS", help="Seconds a decision, instead of --worlds.")
@click.option("--seed", callback=whole_number(0, MAX_SEED), metavar="N", default="1", show_default=True)
@click.option(
    "--jobs", callback=whole_number(1, MAX_JOBS), metavar="N", help="Decisions judged at a time.  [default: one a core]"
)
@click.option("--all", "all_turns", is_flag=True, help="List every turn, not only those to talk about.")
@click.option("--html", type=click.Path(), metavar="OUT", help="Write a page with curves and every decision's table.")
@json_option
def review(
    file: str,
    quick: bool,
    worlds: int | None,
    time: float | None,
    seed: int,
    jobs: int | None,
    all_turns: bool,
    html: str | None,
    as_json: bool,
) -> None:
    """Look back on the matches of a record: errors, closings, luck.

    Every decision is judged with what its player knew then, as sixtysix analyze does. Printed are each player's
    losses against the best turns, inaccuracies, mistakes and blunders, closings made and missed, how much luck he
    had and what the result is without it; then, deal by deal, the turns to talk about. Of half-known deals the known
    hand is reviewed. What the words mean exactly: docs/review.md.

    What is wrong in the file is told on standard error; the rest is reviewed, with exit status 1.

    \b
    Examples:
      sixtysix review game.66 --quick
      sixtysix review game.66 --html game.html
      sixtysix review game.66 --json > review.json
    """
    collection = read_records(file)
    if not any(match.deals for match in collection):
        raise InputError(f"no deal to review in {one_line(file)}")
    reviews = _reviewed(collection.matches, quick=quick, worlds=worlds, time=time, seed=seed, jobs=jobs)
    if html is not None:
        _write(html, reviews)
    if as_json:
        emit_json({"matches": [found.to_json() for found in reviews]})
    else:
        screen = Screen.of_stdout()
        for number, found in enumerate(reviews, 1):
            emit("\n\n" if number > 1 else "")
            emit(screen.draw(*review_parts(found, screen, all_turns, number if len(reviews) > 1 else None)))
    if collection.problems:
        click.get_current_context().exit(1)


def _reviewed(matches: Sequence[MatchRecord], **effort: object) -> list[MatchReview]:
    """Review the matches while the user sees the progress."""
    from sixtysix import EffortError
    from sixtysix.review import review_match

    sizes = [sum(len(deal.turns) for deal in match.deals) for match in matches]

    def work(report: Callable[[float], None]) -> list[MatchReview]:
        found = []
        for number, match in enumerate(matches):
            before, share = sum(sizes[:number]), sizes[number]

            def part(fraction: float, before: int = before, share: int = share) -> None:
                report((before + share * fraction) / max(sum(sizes), 1))

            found.append(review_match(match, progress=part, **effort))  # type: ignore[arg-type]
        return found

    try:
        return run(work, "reviewing")
    except EffortError as error:
        raise InputError(str(error)) from None


def _write(path: str, reviews: Sequence[MatchReview]) -> None:
    """Write the page. Raises InputError if that is impossible."""
    from .review_html import page

    text = page(reviews)
    try:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise InputError(f"cannot write {one_line(path)}: {error.strerror or error}") from None
