"""Reviews: marks, closings, luck, totals, and the command."""

import dataclasses
import inspect
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from recordgames import as_noted_by, random_match
from sixtysix import EffortError, MatchRecord, MatchReview, Position, Rules, Turn, analyze, dump, review_match
from sixtysix.cli.app import app
from sixtysix.effort import DEFAULT_TREE
from sixtysix.judgement import Effort, Task, judge
from sixtysix.luck import Account, Choice, account
from sixtysix.marks import CLOSE_CALL, GAME_POINTS, MARKS, MATCH_CHANCE, MISSED, RIGHT, WRONG, Figures, closing_of
from sixtysix.match import match_table
from sixtysix.ranking import TurnAnalysis

SCHNAPSEN = Rules.preset_named("schnapsen")
FAST = Effort(400, hands=50)

CLOSED = "rules=es up=Qh hand=Jd,9h,Ts gone=Tc,Qc,9c,9d,Ah,Kh,Jh,As,Qs,9s points=31-13 tricks=3-2 closed=opp@0/0"
CLOSING = "rules=schnapsen up=Jh hand=Tc,Qc,Jd,As,Ah gone=AKQd,TQh,TQJs points=25-21"
"""All deals are counted: closing with As is worth +1.33, the best open turn, Jd, +0.33."""


def run(*args: str) -> Result:
    """Run the command line in this process."""
    before_click_8_2 = "mix_stderr" in inspect.signature(CliRunner).parameters
    return CliRunner(**({"mix_stderr": False} if before_click_8_2 else {})).invoke(app, args)  # type: ignore[arg-type]


def judged(line: str, played: str, effort: Effort = FAST):
    """Judge a turn in a position."""
    return judge(Task(Position.parse(line), Turn.parse(played), effort))


def option(turn: str, loss: float, error: float = 0.0, **figures: float) -> TurnAnalysis:
    """A turn with a loss in game points, the rest of no account."""
    return TurnAnalysis(Turn.parse(turn), -loss, error, 0.5, (0.0,) * 7, "ismcts", 1, "deal", loss, error, **figures)


@pytest.fixture(scope="module", autouse=True)
def few_hands() -> Iterator[None]:
    """Let quick reviews judge closings over few hands."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sixtysix.review.QUICK_HANDS", 40)
        yield


@pytest.fixture(scope="module")
def match() -> MatchRecord:
    """Three deals of random play."""
    return random_match(SCHNAPSEN, 5, deals=3)


@pytest.fixture(scope="module")
def found(match: MatchRecord) -> MatchReview:
    """Their review."""
    return review_match(match, worlds=400, quick=True, jobs=2)


# --- marks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [GAME_POINTS, MATCH_CHANCE])
def test_marks_begin_at_their_thresholds(scale) -> None:
    steps = (scale.inaccuracy, scale.mistake, scale.blunder)
    assert list(steps) == sorted(steps)
    assert [scale.mark(least, 0.0) for least in steps] == list(MARKS)
    assert [scale.mark(0.999 * least, 0.0) for least in steps] == [None, *MARKS[:2]]


def test_a_loss_within_its_error_has_no_mark() -> None:
    assert GAME_POINTS.mark(0.7, 0.36) is None
    assert GAME_POINTS.mark(0.7, 0.34) == "blunder"
    assert GAME_POINTS.mark(0.0, 0.0) is None


def test_at_a_score_the_match_counts() -> None:
    turn = option("Ah", 0.9, match=0.4, match_se=0.0, match_loss=0.011, match_loss_se=0.0)
    assert Figures.of(turn).mark == "inaccuracy"
    assert Figures.of(option("Ah", 0.9)).mark == "blunder"


def test_kinds_of_closings() -> None:
    closed, opened, other = option("close, Ah", 0.0), option("Kh", 0.3), option("Qh", 0.9)
    assert closing_of([closed, opened, other], closed) == RIGHT
    assert closing_of([closed, opened, other], opened) == MISSED
    assert closing_of([closed, opened, other], other) == MISSED
    opened, closed = option("Kh", 0.0), option("close, Ah", 0.3)
    assert closing_of([opened, closed, other], closed) == WRONG
    assert closing_of([opened, closed, other], opened) is None
    near, unsure = option("close, Ah", 0.05), option("close, Ah", 0.5, 0.3)
    assert closing_of([opened, near], near) == closing_of([opened, near], opened) == CLOSE_CALL
    assert closing_of([opened, unsure], unsure) == CLOSE_CALL
    assert closing_of([opened, other], opened) is None


# --- decisions ------------------------------------------------------------------------------------


def test_closings_are_judged_against_open_turns() -> None:
    right, missed = judged(CLOSING, "close, As"), judged(CLOSING, "Jd")
    assert (right.closing, right.mark, right.loss) == (RIGHT, None, 0.0)
    assert (missed.closing, missed.mark) == (MISSED, "blunder")
    assert missed.loss == pytest.approx(1.0)
    # The right card does not matter for whether closing was right.
    careless = judged(CLOSING, "close, Tc")
    assert (careless.closing, careless.mark) == (RIGHT, "blunder")


def test_a_judgement_is_the_analysis() -> None:
    """With little hidden it does not depend on the effort, so both must be the same to the last digit."""
    analysis = analyze(Position.parse(CLOSED))
    judgement = judged(CLOSED, "Jd", Effort(400))
    assert judgement.turns == analysis.turns
    assert judgement.best is judgement.turns[0]
    assert judgement.loss == judgement.played.loss
    assert judgement.method == "enumerated"


def test_the_tree_search_is_used_where_much_is_hidden() -> None:
    judgement = judged("rules=schnapsen hand=AKQh,TJc up=Ad", "Ah", Effort(1000, hands=60))
    assert judgement.method == DEFAULT_TREE
    assert {turn.worlds for turn in judgement.turns if turn.turn.close} == {60}
    assert judgement == judged("rules=schnapsen hand=AKQh,TJc up=Ad", "Ah", Effort(1000, hands=60))


def test_a_turn_as_good_as_the_best_is_the_best() -> None:
    line = "rules=ro trump=d hand=AKh,Ts gone=AKQJT9c,AKQT9d,QT9h,AKQ9s points=45-44"
    judgements = [judged(line, card) for card in ("Ah", "Kh", "Ts")]
    for judgement in judgements:
        if judgement.loss == 0:
            assert judgement.best is judgement.played
            assert judgement.mark is None
    assert any(judgement.loss == 0 for judgement in judgements)


def test_one_legal_turn_is_forced(found: MatchReview) -> None:
    forced = [judgement for deal in found.deals for turn in deal.turns if (judgement := turn.judgement).forced]
    assert forced
    for judgement in forced:
        assert len(judgement.turns) == 1
        assert (judgement.mark, judgement.loss, judgement.closing) == (None, 0.0, None)


UNDECLARED = "rules=schnapsen trump=d hand=Kh,Qh,Ac gone=TKQJc,ATKQJd,Ah,ATKQs points=44-44 tricks=4-3"


def test_a_marriage_that_was_not_declared_is_judged() -> None:
    """The 20 points were enough: led without them, the deal is lost or won by luck."""
    line = UNDECLARED
    declared, undeclared = judged(line, "Kh+20"), judged(line, "Kh")
    everything = analyze(Position.parse(line), all_leads=True, worlds=2000)
    values = {turn.turn.text: turn.value for turn in everything.turns}
    assert declared.played.value == pytest.approx(values["Kh+20"])
    assert undeclared.played.value == pytest.approx(values["Kh"])
    assert undeclared.loss == pytest.approx(everything.best.value - values["Kh"])
    assert sum(undeclared.played.outcomes) == pytest.approx(1.0)
    assert [turn.loss for turn in undeclared.turns] == sorted(turn.loss for turn in undeclared.turns)


def test_a_marriage_not_declared_costs_match_chances_too() -> None:
    judgement = judged(f"{UNDECLARED} score=5-6 first=me", "Kh")
    assert judgement.played.match is not None
    assert judgement.match_loss == pytest.approx(judgement.best.match - judgement.played.match)


def test_with_much_hidden_not_declaring_is_compared_with_declaring() -> None:
    line = "rules=schnapsen hand=AKQh,TJc up=Ad"
    judgement = judged(line, "Kh")
    declared = next(turn for turn in judgement.turns if turn.turn.text == "Kh+20")
    assert judgement.played.turn.text == "Kh"
    assert judgement.played.value <= declared.value
    assert judgement.played.loss_se >= declared.loss_se
    assert judgement.loss > 0


def test_an_illegal_turn_is_refused() -> None:
    with pytest.raises(ValueError, match="9d is not legal in rules=schnapsen"):
        judged(CLOSING, "9d")


# --- luck -----------------------------------------------------------------------------------------


def test_an_account_by_hand() -> None:
    """A leads badly, B answers, both draw; A leads again, B errs, and A wins two points."""
    choices = [
        Choice(0, 0.5, 0.2, 10),
        Choice(1, -0.4, 0.0, 10),
        Choice(0, 0.9, 0.0, 8),
        Choice(1, -1.0, 0.3, 8),
    ]
    mine, steps = account(0, choices, 2.0, final_talon=8)
    assert steps == [pytest.approx(0.5), None, pytest.approx(0.6), None]
    assert mine == Account(2.0, *map(pytest.approx, (0.5, 0.6, 0.8, 0.2, 0.3)))
    assert mine.luck - mine.loss + mine.gained == pytest.approx(2.0)
    theirs, _ = account(1, choices, -2.0, final_talon=8)
    assert theirs.dealt == pytest.approx(-0.6)  # -0.4, of which A's error brought 0.2
    assert theirs.drawn == pytest.approx(-0.6)
    assert theirs.luck == pytest.approx(-mine.luck)


@pytest.mark.parametrize("seed", range(20))
def test_accounts_balance(seed: int) -> None:
    """Whatever the values are: the parts make the result, and one player's luck is the other's bad luck."""
    rng = random.Random(seed)
    choices = [
        Choice(rng.randrange(2), rng.uniform(-3, 3), rng.choice((0.0, rng.random())), 10 - n // 2) for n in range(14)
    ]
    result, start = rng.choice((-2.0, 1.0)), rng.random()
    mine, steps = account(0, choices, result, start)
    theirs, _ = account(1, choices, -result, -start)
    for side in (mine, theirs):
        assert side.result == pytest.approx(side.luck - side.loss + side.gained)
        assert side.adjusted == pytest.approx(side.gained - side.loss)
    assert mine.luck == pytest.approx(-theirs.luck)
    assert (mine.loss, mine.gained) == (theirs.gained, theirs.loss)
    assert [step is None for step in steps] == [choice.seat == 1 for choice in choices]


def test_a_deal_without_hidden_cards_has_no_luck_after_its_start() -> None:
    """In an open end game every change of the value is somebody's choice."""
    record = random_match(Rules.preset_named("ro"), 8, deals=1)
    found = review_match(record, worlds=300, quick=True, jobs=1)
    open_turns = [turn for turn in found.deals[0].turns if turn.position is not None and turn.position.up is None]
    assert len(open_turns) > 4
    for turn in open_turns[2:]:
        assert turn.luck == pytest.approx(0.0)


# --- a match --------------------------------------------------------------------------------------


def test_every_turn_is_judged_with_what_its_player_knew(match: MatchRecord, found: MatchReview) -> None:
    for record, deal in zip(match.deals, found.deals, strict=True):
        assert [turn.played for turn in deal.turns] == [recorded.turn for recorded in record.turns]
        for turn in deal.turns:
            assert turn.judgement is not None
            assert turn.judgement.played.turn == turn.played
            assert turn.position is not None
            assert turn.position.score is not None


def test_totals_are_sums(found: MatchReview) -> None:
    for player in (0, 1):
        judgements = [judgement for deal in found.deals for judgement in deal.of(player)]
        totals = found.totals(player)
        assert totals.decisions == len(judgements)
        assert totals.unforced == sum(not judgement.forced for judgement in judgements) < totals.decisions
        assert totals.loss == pytest.approx(sum(judgement.loss for judgement in judgements))
        assert sum(totals.marks.values()) == sum(judgement.mark is not None for judgement in judgements) > 0
        assert totals.loss_a_deal == pytest.approx(totals.loss / 3)
        assert totals.match_loss == pytest.approx(sum(judgement.match_loss for judgement in judgements))


def test_results_are_luck_and_losses(match: MatchRecord, found: MatchReview) -> None:
    for record, deal in zip(match.deals, found.deals, strict=True):
        mine, theirs = deal.accounts
        assert mine is not None
        assert theirs is not None
        assert (mine.result, theirs.result) == (record.result, -record.result)
        assert mine.result == pytest.approx(mine.luck - mine.loss + mine.gained)
        assert mine.luck == pytest.approx(-theirs.luck)
        shown = sum(turn.luck for turn in deal.turns if turn.player == 0 and turn.luck is not None)
        assert shown <= mine.luck + 6  # all but the last change, which no turn comes after


def test_the_match_account_leads_from_the_first_chance_to_the_last(match: MatchRecord, found: MatchReview) -> None:
    table = match_table(match.rules)
    target = match.rules.match_target
    start = table.chance(target, target, match.deals[0].leader == 0)
    score = [0, 0]
    for deal in match.deals:
        score[deal.result < 0] += abs(deal.result)
    leads = match.deals[-1].leader == 1  # in these rules the lead alternates
    end = table.chance(target - score[0], target - score[1], leads)
    total = found.totals(0).match_account
    assert total is not None
    assert total.result == pytest.approx(end - start)
    assert total.result == pytest.approx(total.luck - total.loss + total.gained)


def test_the_number_of_jobs_does_not_matter(match: MatchRecord, found: MatchReview) -> None:
    assert review_match(match, worlds=400, quick=True, jobs=1) == found
    assert review_match(match, worlds=400, quick=True, seed=2, jobs=2) != found


def test_half_known_deals_are_judged_the_same(match: MatchRecord, found: MatchReview) -> None:
    """A player's decisions do not change when the other's cards are taken off the record."""
    half = dataclasses.replace(match, deals=tuple(as_noted_by(match.rules, deal, 1) for deal in match.deals))
    seen = review_match(half, worlds=400, quick=True)
    for deal, whole in zip(seen.deals, found.deals, strict=True):
        assert deal.of(1) == whole.of(1)
        assert deal.of(0) == []
        assert deal.accounts[0] is None
        mine = deal.accounts[1]
        assert mine is not None
        assert mine.gained == 0.0
        assert mine.result == pytest.approx(mine.luck - mine.loss)
    assert seen.totals(0).decisions == 0
    assert seen.totals(0).account is None


def test_progress_ends_at_one(match: MatchRecord) -> None:
    told: list[float] = []
    review_match(dataclasses.replace(match, deals=match.deals[:1]), quick=True, worlds=300, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_deals_without_an_end_have_no_account() -> None:
    record = random_match(SCHNAPSEN, 12, deals=2, unfinished=True)
    found = review_match(record, worlds=300, quick=True)
    assert found.deals[0].accounts[0] is not None
    assert found.deals[1].accounts == (None, None)


def test_an_effort_out_of_range_is_refused(match: MatchRecord) -> None:
    with pytest.raises(EffortError, match="worlds: 0 must be at least 1"):
        review_match(match, worlds=0)
    with pytest.raises(EffortError, match="time"):
        review_match(match, time=-1.0)


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def file(match: MatchRecord, tmp_path: Path) -> str:
    """A file with the match."""
    path = tmp_path / "game.66"
    dump([match], path)
    return str(path)


def test_json_says_what_the_review_says(file: str, found: MatchReview) -> None:
    result = run("review", file, "--quick", "--worlds", "400", "--json")
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    assert list(document) == ["matches"]
    assert document["matches"] == [json.loads(json.dumps(found.to_json()))]
    names = ["Ana", "Bo: the 2nd"]
    assert document["matches"][0]["names"] == list(document["matches"][0]["players"]) == names
    for deal in document["matches"][0]["deals"]:
        for turn in deal["turns"]:
            assert turn["seat"] in names
            assert {"position", "played", "best", "loss", "mark", "forced"} <= set(turn)
            assert turn["loss"] >= -1e-6 or turn["match_loss"] >= 0
            assert turn["mark"] in (None, *MARKS)
            assert Position.parse(turn["position"]).text == turn["position"]
            assert turn["played"] in [option["turn"] for option in turn["turns"]]


def test_the_text_lists_the_turns_to_talk_about(file: str, found: MatchReview) -> None:
    result = run("review", file, "--quick", "--worlds", "400")
    assert result.exit_code == 0
    for deal in found.deals:
        for turn in deal.turns:
            row = next(
                (row for row in result.stdout.splitlines() if row.startswith(f"{deal.record.number}.{turn.number} ")),
                None,
            )
            assert turn.judgement is not None
            talked = turn.judgement.mark or turn.judgement.closing
            assert (row is not None) == (talked is not None)
            if row is not None:
                assert turn.played.pretty in row
                assert (turn.judgement.mark or "") in row
    every = run("review", file, "--quick", "--worlds", "400", "--all")
    rows = [row for row in every.stdout.splitlines() if row[:1].isdigit()]
    assert len(rows) == sum(len(deal.turns) for deal in found.deals)


def test_what_is_wrong_is_told_and_the_rest_reviewed(file: str) -> None:
    path = Path(file)
    lines = path.read_text().splitlines()
    broken = next(number for number, line in enumerate(lines) if line.startswith("deal 2"))
    spoilt = next(number for number in range(broken, len(lines)) if lines[number].startswith("2."))
    lines[spoilt] = "2. 9c Ah"
    path.write_text("\n".join(lines))
    result = run("review", file, "--quick", "--worlds", "300", "--json")
    assert result.exit_code == 1
    [problem] = [line for line in result.stderr.splitlines() if not line.startswith("compiling")]
    assert f"game.66:{spoilt + 1}: deal 2, turn 3: " in problem
    deals = json.loads(result.stdout)["matches"][0]["deals"]
    assert [deal["number"] for deal in deals] == [1, 2, 3]
    assert len(deals[1]["turns"]) == 2
    assert deals[1]["accounts"] == {"Ana": None, "Bo: the 2nd": None}


@pytest.mark.parametrize(
    ("content", "told"),
    [(None, "cannot read"), ("", "no match on record"), ('[Rules "ro"]', "no deal to review")],
)
def test_files_without_a_deal_are_refused(tmp_path: Path, content: str | None, told: str) -> None:
    path = tmp_path / "none.66"
    if content is not None:
        path.write_text(content)
    result = run("review", str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr


def test_several_matches_of_a_file(match: MatchRecord, tmp_path: Path) -> None:
    one = dataclasses.replace(match, deals=match.deals[:1])
    path = tmp_path / "two.66"
    dump([one, one], path)
    result = run("review", str(path), "--quick", "--worlds", "300", "--json")
    first, second = json.loads(result.stdout)["matches"]
    assert first == second
    text = run("review", str(path), "--quick", "--worlds", "300", "--all").stdout
    assert "\n1:1.1 " in text
    assert "\n2:1.1 " in text


def test_a_page_that_cannot_be_written(file: str, tmp_path: Path) -> None:
    result = run("review", file, "--quick", "--worlds", "300", "--html", str(tmp_path / "no" / "page.html"))
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("error: cannot write ")
