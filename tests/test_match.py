"""The match: tables from outcomes, what a deal is worth at a score, turns judged by it, and the commands."""

import csv
import json
import random
from dataclasses import replace
from importlib import resources
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from pools import ThreadPool
from sixtysix import Position, Rules, analyze
from sixtysix.cli.app import app
from sixtysix.match import MatchTable, match_table, measured, next_leader, solve_match, stakes_of
from sixtysix.outcomes import OUTCOMES, OutcomeModel, model_of
from sixtysix.players import PlayerError, player_of
from sixtysix.rules import PRESETS
from sixtysix.runfile import RunFileError
from sixtysix.selfplay import SelfPlay

LEADERS = ("alternate", "winner", "loser")
SCHNAPSEN = Rules.preset_named("schnapsen")
FIRST_LEAD = "rules=santase hand=AKQh,9s,TJc up=Ad"
TALON_2 = "rules=schnapsen up=Jh hand=Tc,Qc,Jd,As,Ah gone=AKQd,TQh,TQJs points=25-21"
TALON_4 = "rules=schnapsen up=Ah hand=Jc,Qd,Th,Ks,Qs gone=Qc,Ad,Td,Kd,Jd,Kh points=34-0 tricks=3-0"
POINTS = np.array(OUTCOMES, np.float64)


def model(counts: tuple[int, ...]) -> OutcomeModel:
    """A model with these counts."""
    return OutcomeModel("ro", "rule", "0", 1, "", counts)


def table_with(counts: tuple[int, ...], rules: Rules) -> MatchTable:
    """The table of some rules with outcomes of one's own."""
    made = model(counts)
    return MatchTable(rules, made, solve_match(np.array([made.probabilities]), rules)[0])


def run(*args: str) -> Result:
    return CliRunner().invoke(app, args)


# --- the table ----------------------------------------------------------------------------------


@pytest.mark.parametrize("leads", LEADERS)
@pytest.mark.parametrize("counts", [(5, 20, 24, 0, 20, 25, 6), (1, 9, 14, 52, 11, 10, 3), (0, 0, 0, 9, 1, 0, 0)])
def test_the_table_is_the_fixed_point_of_playing_on(counts: tuple[int, ...], leads: str) -> None:
    rules = SCHNAPSEN.replace(next_leader=leads, match_target=4)
    probabilities = model(counts).probabilities
    chance = {(i, j, lead): 0.5 for i in range(1, 5) for j in range(1, 5) for lead in (True, False)}

    def after(i: int, j: int, lead: bool, mine: int) -> float:
        i, j = i - max(mine, 0), j - max(-mine, 0)
        if i <= 0 or j <= 0:
            return float(i <= 0)
        if leads == "alternate" or mine == 0:
            return chance[i, j, not lead]
        return chance[i, j, (mine > 0) == (leads == "winner")]

    for _ in range(300):
        for i, j, lead in chance:
            outcomes = [(k if lead else -k, p) for k, p in zip(OUTCOMES, probabilities, strict=True)]
            chance[i, j, lead] = sum(p * after(i, j, lead, mine) for mine, p in outcomes)
    table = table_with(counts, rules)
    for (i, j, lead), due in chance.items():
        assert table.chance(i, j, lead) == pytest.approx(due, abs=1e-9), (i, j, lead)


@pytest.mark.parametrize("leads", LEADERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_tables_are_symmetric_and_monotone(preset: str, leads: str) -> None:
    table = match_table(Rules.preset_named(preset).replace(next_leader=leads))
    target = table.rules.match_target
    assert table.lead.shape == (target, target)
    assert table.lead + table.follow.T == pytest.approx(np.ones((target, target)))
    for chances in (table.lead, table.follow):
        assert (np.diff(chances, axis=0) < 0).all()  # the more one needs
        assert (np.diff(chances, axis=1) > 0).all()  # the more the other needs
        assert ((chances > 0) & (chances < 1)).all()


@pytest.mark.parametrize("preset", PRESETS)
def test_the_worth_of_a_deal_rises_with_its_outcome_at_every_score(preset: str) -> None:
    rules = Rules.preset_named(preset)
    table = match_table(rules)
    for mine in range(rules.match_target):
        for theirs in range(rules.match_target):
            for leader in (0, 1):
                chances = table.after((mine, theirs), leader)
                assert all(low <= high for low, high in pairwise(chances)), (mine, theirs, leader)
                other = table.after((theirs, mine), 1 - leader)
                assert chances == pytest.approx([1 - chance for chance in reversed(other)])


def test_a_match_to_one_point_is_the_deal_itself() -> None:
    table = table_with((10, 20, 15, 0, 25, 20, 10), SCHNAPSEN.replace(match_target=1))
    assert table.lead.tolist() == [[pytest.approx(0.55)]]
    assert table.follow.tolist() == [[pytest.approx(0.45)]]
    drawn = table_with((0, 0, 25, 50, 25, 0, 0), SCHNAPSEN.replace(match_target=1))
    assert drawn.lead.tolist() == [[pytest.approx(0.5)]]


@pytest.mark.parametrize("won", [4, 7])
def test_with_deals_of_one_point_it_does_not_matter_who_leads_next(won: int) -> None:
    """At level scores; Anderson 1977 for winner and alternate, Brams, Ismail, Kilgour and Stromquist 2018 for loser."""
    counts = (0, 0, 10 - won, 0, won, 0, 0)
    level = [np.diag(table_with(counts, SCHNAPSEN.replace(next_leader=leads)).lead) for leads in LEADERS]
    assert level[0] == pytest.approx(level[1])
    assert level[0] == pytest.approx(level[2])
    share = won / 10
    assert level[0][0] == pytest.approx(share)
    both, one_each = share * (1 - share), share**2 + (1 - share) ** 2  # of two deals, the second led by the other
    assert level[0][1] == pytest.approx(both + one_each * share)


def test_the_errors_are_those_of_the_bootstrap() -> None:
    counts = (60, 210, 180, 90, 170, 220, 70)
    rules = SCHNAPSEN.replace(next_leader="loser")
    table = table_with(counts, rules)
    draws = np.random.default_rng(1).multinomial(1000, table.model.probabilities, size=1000) / 1000
    spread = solve_match(draws, rules).std(axis=0)
    assert table.errors() == pytest.approx(spread, rel=0.12)  # five standard errors of a spread from 1000 draws


def test_presets_come_with_what_was_measured() -> None:
    names = {file.name for file in resources.files("sixtysix.data").joinpath("match").iterdir()}
    assert {f"{preset}.json" for preset in PRESETS} <= names
    for preset in PRESETS:
        found = model_of(preset)
        assert (found.rules, found.deals >= 9000) == (preset, True)
        assert OutcomeModel.from_json(json.loads(json.dumps(found.to_json()))) == found
        assert sum(found.probabilities) == pytest.approx(1)
        assert max(found.errors) < 0.005
        if Rules.preset_named(preset).nobody_reaches == "last_trick":
            assert found.counts[3] == 0


def test_changed_rules_use_the_outcomes_of_their_preset() -> None:
    changed = Rules.parse("ro+failed_close:three")
    assert not measured(changed)
    assert match_table(changed).lead.tolist() == match_table(Rules.preset_named("ro")).lead.tolist()
    longer = Rules.parse("ro+match_target:15+next_leader:loser")
    assert measured(longer)
    assert match_table(longer).lead.shape == (15, 15)


# --- a deal at a score --------------------------------------------------------------------------


def test_no_score_no_stakes() -> None:
    assert stakes_of(Position.parse(TALON_2)) is None


@pytest.mark.parametrize(("first", "leader"), [("me", 0), ("opp", 1)])
def test_the_stakes_are_those_of_the_table(first: str, leader: int) -> None:
    stakes = stakes_of(Position.parse(f"{TALON_2} score=3-5 first={first}"))
    assert stakes is not None
    assert stakes.chances == match_table(SCHNAPSEN).after((3, 5), leader)
    assert stakes.chances[:2] == (0.0, 0.0)
    assert not stakes.averaged


def test_an_unknown_first_leader_is_averaged_where_he_matters() -> None:
    known = [stakes_of(Position.parse(f"{TALON_2} score=3-5 first={first}")) for first in ("me", "opp")]
    unknown = stakes_of(Position.parse(f"{TALON_2} score=3-5"))
    assert unknown is not None
    assert unknown.averaged
    assert unknown.chances == pytest.approx(np.mean([stakes.chances for stakes in known if stakes], axis=0))
    for line in (
        f"{TALON_2} score=6-6",  # no next deal
        f"{TALON_2.replace('schnapsen', 'schnapsen+next_leader:loser')} score=3-5",  # the loser leads in any case
        f"{FIRST_LEAD} score=3-5",  # I do
    ):
        stakes = stakes_of(Position.parse(line))
        assert stakes is not None
        assert not stakes.averaged


@pytest.mark.parametrize("score", ["0-0", "10-10", "9-2", "4-10"])
def test_the_utility_is_the_chances_spread_as_game_points(score: str) -> None:
    position = Position.parse(f"{FIRST_LEAD} score={score}")
    stakes = stakes_of(position)
    assert stakes is not None
    shares = np.array(model_of("santase").probabilities)
    shares = (shares + shares[::-1]) / 2
    utility = np.array(stakes.utility)
    assert shares @ utility == pytest.approx(0)
    assert shares @ utility**2 == pytest.approx(shares @ POINTS**2)
    assert np.corrcoef(utility, stakes.chances)[0, 1] == pytest.approx(1)
    if score == "0-0":
        assert utility == pytest.approx(POINTS, abs=0.15)


# --- analysis -----------------------------------------------------------------------------------


def test_turns_are_ranked_by_the_match_then_by_points() -> None:
    analysis = analyze(Position.parse(f"{TALON_2} score=6-6"))
    keys = [(round(turn.match, 9), round(turn.value, 9)) for turn in analysis.turns]
    assert keys == sorted(keys, reverse=True)
    assert all(turn.match == pytest.approx(turn.win) for turn in analysis.turns)
    first, second, third = analysis.turns[:3]
    assert (first.turn.text, second.turn.text, third.turn.text) == ("close, As", "close, Ah", "Jd")
    assert (first.match, first.match_loss, second.match_loss) == (pytest.approx(5 / 6), 0, pytest.approx(1 / 6))
    assert second.match == pytest.approx(third.match)
    assert second.value > third.value


def test_a_deal_that_may_not_be_the_last() -> None:
    """At 6-5 one game point wins the match and a loss of two loses it."""
    analysis = analyze(Position.parse(f"{TALON_2} score=6-5 first=me"), worlds=2_000)
    first, second = analysis.turns[:2]
    assert (first.turn.text, second.turn.text) == ("close, As", "Jd")
    assert first.match == pytest.approx(5 / 6)
    due = 2 / 3 + match_table(SCHNAPSEN).chance(1, 1, leads=False) / 3
    assert second.match == pytest.approx(due)


@pytest.mark.parametrize("line", [f"{TALON_4} score=5-6", f"{TALON_2} score=3-4 first=opp"])
def test_match_figures_follow_from_the_outcomes(line: str) -> None:
    position = Position.parse(line)
    stakes = stakes_of(position)
    assert stakes is not None
    for by_points in (False, True):
        analysis = analyze(position, worlds=15_000, by_points=by_points)
        best = analysis.best
        for turn in analysis.turns:
            assert turn.match == pytest.approx(np.array(turn.outcomes) @ stakes.chances)
            assert turn.match_loss == pytest.approx(best.match - turn.match)
            assert turn.loss == pytest.approx(best.value - turn.value)
            assert (turn.match_se, turn.match_loss_se) == (0, 0)
        key = "loss" if by_points else "match_loss"
        assert all(getattr(turn, key) > -1e-9 for turn in analysis.turns)


def test_points_are_judged_as_without_a_score() -> None:
    plain = analyze(Position.parse(FIRST_LEAD), worlds=30, method="ismcts", seed=4)
    scored = analyze(Position.parse(f"{FIRST_LEAD} score=9-4"), worlds=30, method="ismcts", seed=4, by_points=True)
    assert [(turn.turn, turn.outcomes) for turn in plain.turns] == [(turn.turn, turn.outcomes) for turn in scored.turns]
    assert plain.explanation == scored.explanation
    assert plain.best.match is None
    assert scored.best.match is not None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        # the closing wins as often as the best open turn, and more
        ("rules=schnapsen up=Jh hand=Tc,Kc,Td,Jd,As gone=Ac,Jc,Kd,Th,Ks,Js points=33-0 tricks=3-0 score=4-6", "43%"),
        (
            f"{TALON_2} score=6-6",
            "worth a match-winning chance of 83.3%; with the talon left open the best turn, Jd, is",
        ),
        (
            "rules=schnapsen up=Ks hand=Jc,Ad,Qh,Qs,As gone=Qc,Jh "
            "points=5-0 tricks=1-0 closed=me@0/0 score=3-3 first=me",
            "Ad and As are equally good.",
        ),
        (
            "rules=santase up=Qh hand=Jc,Kc,9d,Qd,Ah,Js gone=9c,Qc,Th,Ts "
            "points=23-0 tricks=2-0 closed=me@0/0 score=3-9",
            "all leave a chance of 0.0% to win the match",
        ),
        (
            "rules=schnapsen trump=d hand=Qc,Jc,Ah,Qh,Ks gone=Ac,Tc,Td,Kd,Qd,Jd,Kh,As,Ts,Qs opp=Kc,Ad,Th,Jh,Js "
            "points=34-34 score=6-6",
            "so do Qc and Ks",
        ),
    ],
)
def test_explanations_at_a_score(line: str, words: str) -> None:
    assert words in analyze(Position.parse(line)).explanation


def test_with_points_the_score_changes_nothing_said() -> None:
    for entry in turning_positions():
        position = Position.parse(str(entry["position"]))
        unscored = Position.from_claims(replace(position.claims(), score=None))
        plain, scored = analyze(unscored, worlds=15_000), analyze(position, worlds=15_000, by_points=True)
        assert plain.explanation == scored.explanation
        assert [turn.turn for turn in plain.turns] == [turn.turn for turn in scored.turns]


def test_the_tree_search_plays_for_the_match() -> None:
    position = Position.parse(f"{FIRST_LEAD} score=10-10")
    for_match, again, for_points = (
        analyze(position, worlds=2000, method="ismcts", seed=2, jobs=jobs, by_points=by_points)
        for jobs, by_points in ((1, False), (2, False), (1, True))
    )
    assert [turn.outcomes for turn in for_match.turns] == [turn.outcomes for turn in again.turns]
    assert [turn.outcomes for turn in for_match.turns] != [turn.outcomes for turn in for_points.turns]
    half = for_match.stakes.chances[3]  # nobody wins: the match goes on
    for turn in for_match.turns:
        assert turn.match == pytest.approx(turn.win + half * turn.outcomes[3])
        assert turn.match_se > 0


def test_match_errors_cover_the_truth() -> None:
    position = Position.parse(f"{TALON_4} score=5-6 first=me")
    truth = {turn.turn.text: turn for turn in analyze(position, exact=True).turns}
    best = min(truth.values(), key=lambda turn: turn.match_loss)
    misses = differences = total = 0
    for seed in range(60):
        for turn in analyze(position, worlds=40, seed=seed, method="sampled").turns:
            total += 1
            misses += abs(turn.match - truth[turn.turn.text].match) > 2 * turn.match_se
            if turn.match_loss_se:
                differences += best.match - truth[turn.turn.text].match > turn.match_loss + 2 * turn.match_loss_se
    assert misses / total < 0.1
    assert differences / total < 0.1


def test_the_error_of_a_sample_is_that_of_its_chances() -> None:
    position = Position.parse(f"{TALON_4} score=5-6 first=me")
    analysis = analyze(position, worlds=50, method="sampled")
    stakes = analysis.stakes
    for turn in analysis.turns:
        if turn.method != "sampled":
            continue
        counts = np.rint(np.array(turn.outcomes) * turn.worlds).astype(int)
        sample = np.repeat(np.array(stakes.chances), counts)
        n = len(sample)
        squares = ((sample - sample.mean()) ** 2).sum() + stakes.point**2
        assert turn.match_se == pytest.approx((squares / n / (n - 1)) ** 0.5)


def test_precision_is_that_of_the_turn_recommended() -> None:
    analysis = analyze(Position.parse(f"{FIRST_LEAD} score=10-10"), precision=0.2)
    assert analysis.best.se <= 0.2 or analysis.best.method == "enumerated"


# --- positions in which the score changes the turn ------------------------------------------------


def turning_positions() -> list[dict[str, object]]:
    text = resources.files("sixtysix.data").joinpath("match/positions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_the_positions_are_many_and_of_every_preset() -> None:
    positions = turning_positions()
    assert len(positions) >= 12
    assert {str(entry["position"]).split()[0] for entry in positions} == {f"rules={preset}" for preset in PRESETS}
    assert len({entry["position"] for entry in positions}) == len(positions)


@pytest.mark.parametrize("entry", turning_positions(), ids=lambda entry: entry["position"])
def test_the_score_changes_the_turn(entry: dict) -> None:
    """The outcomes are exact; the chances rest on the match table, which may be measured anew."""
    position = Position.parse(entry["position"])
    assert position.text == entry["position"]
    for by_points, key in ((False, "match"), (True, "points")):
        analysis = analyze(position, worlds=15_000, by_points=by_points)
        assert analysis.best.turn.text == entry[key]["turn"]
        assert analysis.best_for_points.turn.text == entry["points"]["turn"]
        for turn in analysis.turns:
            assert (turn.method, turn.se) == ("enumerated", 0)
            for due in (entry["match"], entry["points"]):
                if turn.turn.text == due["turn"]:
                    assert turn.outcomes == pytest.approx(due["outcomes"], abs=1e-6)
                    assert turn.value == pytest.approx(due["value"], abs=1e-6)
                    assert turn.match == pytest.approx(due["chance"], abs=0.03)
    other = entry["points"]["turn"]
    assert f"For game points alone {other} would be best" in analyze(position, worlds=15_000).explanation
    assert "For game points alone" not in analyze(position, worlds=15_000, by_points=True).explanation


# --- players ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("engine:score=ignore", "engine:time=0.03,score=ignore"),
        ("engine:score=IGNORE,worlds=20", "engine:worlds=20,score=ignore"),
        ("pimc:worlds=5,score=ignore", "pimc:worlds=5,score=ignore"),
        ("ismcts:score=ignore,iterations=9", "ismcts:iterations=9,score=ignore"),
    ],
)
def test_players_that_ignore_the_score_have_texts(text: str, canonical: str) -> None:
    assert player_of(text).text == player_of(canonical).text == canonical


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("engine:score", "score=ignore, once"),
        ("engine:score=", "only score=ignore"),
        ("pimc:score=3-4", "only score=ignore"),
        ("rule:score=ignore", "rule has none"),
    ],
)
def test_other_words_about_the_score_are_refused(text: str, named: str) -> None:
    with pytest.raises(PlayerError, match=named):
        player_of(text)


@pytest.mark.parametrize("name", ["pimc:worlds=500", "engine:worlds=500", "ismcts:iterations=20"])
def test_players_heed_the_score_unless_told_to_ignore_it(name: str) -> None:
    entry = next(entry for entry in turning_positions() if "closed=" in str(entry["position"]))
    position = Position.parse(str(entry["position"]))
    assert player_of(name).choose(position, 1).text == entry["match"]["turn"]  # type: ignore[index]
    assert player_of(f"{name},score=ignore").choose(position, 1).text == entry["points"]["turn"]  # type: ignore[index]
    unscored = Position.from_claims(replace(position.claims(), score=None))
    assert player_of(name).choose(unscored, 1).text == entry["points"]["turn"]  # type: ignore[index]


# --- measuring ----------------------------------------------------------------------------------


def played(deals: int, path: Path | None = None, seed: int = 1, workers: int = 2) -> OutcomeModel:
    play = SelfPlay(SCHNAPSEN, "rule", seed, "the command", path)
    with ThreadPool(workers) as pool:
        return play.run(deals, pool, lambda _: None)


def test_outcomes_are_counted_for_the_leader_whatever_the_workers(tmp_path: Path) -> None:
    counted = played(40)
    assert counted.deals == 40
    assert counted == played(40, workers=1)
    assert counted.counts != played(40, seed=2).counts
    assert counted.errors == pytest.approx([(p * (1 - p) / 40) ** 0.5 for p in counted.probabilities])


def test_a_measurement_goes_on_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "schnapsen.json"
    played(13, path)
    assert json.loads(path.read_text())["deals"] == 13
    assert played(40, path) == played(40)
    assert OutcomeModel.from_json(json.loads(path.read_text())) == played(40)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "schnapsen.json"
    played(5, path)
    with pytest.raises(RunFileError, match="another run \\(seed is 1, not 2\\)"):
        played(5, path, seed=2)
    document = json.loads(path.read_text())
    for broken in ("{}", "[]", "nonsense", json.dumps({**document, "deals": 6}), json.dumps({**document, "counts": 3})):
        path.write_text(broken)
        with pytest.raises(RunFileError, match="no counts of outcomes"):
            played(5, path)


# --- the commands -------------------------------------------------------------------------------


def test_the_table_as_json_and_csv() -> None:
    document = json.loads(run("match-table", "--rules", "ro", "--json").stdout)
    table = match_table(Rules.preset_named("ro"))
    assert (document["rules"], document["target"]) == ("ro", 11)
    for name, chances in (("lead", table.lead), ("follow", table.follow), ("lead_se", table.errors())):
        assert np.array(document[name]) == pytest.approx(chances, abs=1e-6)
    rows = list(csv.DictReader(run("match-table", "--rules", "ro", "--csv").stdout.splitlines()))
    assert len(rows) == 121
    cell = random.Random(1).choice(rows)
    i, j = int(cell["need"]) - 1, int(cell["faces"]) - 1
    for name in ("lead", "follow", "lead_se", "follow_se"):
        assert float(cell[name]) == document[name][i][j]


def test_the_table_to_read() -> None:
    text = run("match-table", "--rules", "schnapsen", "--target", "3").stdout
    table = match_table(SCHNAPSEN.replace(match_target=3))
    for row in (*table.lead, *table.follow):
        assert "  ".join(f"{100 * chance:.1f}" for chance in row) in text
    assert "9,000 deals of" in text


def test_what_outcomes_are_worth_at_a_score() -> None:
    document = json.loads(run("match-table", "--rules", "ro", "--score", "8-10", "--json").stdout)
    table = match_table(Rules.preset_named("ro"))
    assert document["score"] == [8, 10]
    for name, leader in (("leading", 0), ("following", 1)):
        assert list(document[name]) == [str(k) for k in OUTCOMES]
        assert list(document[name].values()) == pytest.approx(table.after((8, 10), leader), abs=1e-6)
    text = run("match-table", "--rules", "ro", "--score", "8-10").stdout
    due = [f"{100 * document[name]['1']:.1f}" for name in ("leading", "following")]
    assert ["you", "win", "1", *due] in [line.split() for line in text.splitlines()]
    assert "nobody wins" not in text  # under these rules somebody does


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["match-table", "--score", "11-0"], "error: --score: 11-0: game points from 0 to 10"),
        (["match-table", "--score", "8"], "'--score': 8: write two numbers, me-opp"),
        (["match-table", "--target", "0"], "'0' is not a whole number from 1 to 999"),
        (["match-table", "--target", "60"], "too long a table to read"),
        (["match-table", "--csv", "--json"], "choose one of the two"),
        (["match-table", "--rules", "rp"], "--rules: there is no preset rp"),
        (["outcomes", "--deals", "0"], "whole number from 1"),
        (["outcomes", "--player", "ruel"], "did you mean rule"),
        (["outcomes", "--jobs", "1", "--dask", "tcp://127.0.0.1:1"], "--jobs is for this machine"),
        (["outcomes", "--out", "/no/such/directory/file.json", "--deals", "1", "--player", "rule"], "cannot write"),
        (["analyze", *TALON_2.split(), "--score", "7-0"], "error: score: 7-0: game points from 0 to 6"),
        (["best", *TALON_2.split(), "--score", "a-b"], "write two numbers"),
    ],
)
def test_bad_usage_is_told_in_one_line(args: list[str], named: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert named in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_analyze_shows_both_and_says_when_the_score_decides() -> None:
    entry = turning_positions()[0]
    args = ["analyze", *str(entry["position"]).split(), "--time", "60"]
    document = json.loads(run(*args, "--json").stdout)
    score = str(entry["position"]).rpartition("score=")[2]
    assert document["score"] == [int(points) for points in score.split("-")]
    assert (document["judged_by"], document["best"]) == ("match", entry["match"]["turn"])  # type: ignore[index]
    assert document["best_for_points"] == entry["points"]["turn"]  # type: ignore[index]
    assert list(document["stakes"]["chances"]) == [str(k) for k in OUTCOMES]
    for turn in document["turns"]:
        assert {"match", "match_se", "match_loss", "match_loss_se"} <= set(turn)
    text = run(*args).stdout
    assert "match%" in text
    assert "turns are ranked by it" in text
    assert f"at {score} {document['best']} wins the match more often" in text
    pointed = run(*args, "--points").stdout
    assert "turns are ranked by value" in pointed
    assert "For game points alone" not in pointed


def test_the_score_option_is_for_positions_that_name_none() -> None:
    args = TALON_2.split()
    assert json.loads(run("analyze", *args, "--score", "3-5", "--json").stdout)["score"] == [3, 5]
    assert json.loads(run("analyze", *args, "score=0-0", "--score", "3-5", "--json").stdout)["score"] == [0, 0]
    plain = json.loads(run("analyze", *args, "--json").stdout)
    assert not {"score", "stakes", "judged_by", "best_for_points"} & set(plain)
    assert "match" not in plain["turns"][0]
    best = json.loads(run("best", *args, "--score", "3-5", "--json").stdout)
    assert 0 < best["match"] < 1
    text = run("analyze", *args, "--score", "3-5").stdout
    assert "mean of both cases" in text
    assert "stand in" not in text
    changed = run("analyze", *args, "--score", "3-5", "--rule", "failed_close=none").stdout
    assert "which stand in for those of schnapsen+failed_close:none" in changed


def test_outcomes_are_measured_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "ro.json"
    args = ["outcomes", "--player", "rule", "--deals", "12", "--jobs", "1", "--out", str(path)]
    document = json.loads(run(*args, "--json").stdout)
    assert document == json.loads(path.read_text())
    assert document["command"] == "sixtysix outcomes --rules ro --deals 12 --player rule --seed 1 --out ro.json"
    text = run(*args).stdout  # nothing is left to play
    assert "12 deals" in text
    assert "the leader:" in text


def test_next_leader_after_a_deal_of_no_value() -> None:
    for leads in LEADERS:
        rules = SCHNAPSEN.replace(next_leader=leads)
        assert [next_leader(rules, leader, 0) for leader in (0, 1)] == [1, 0]
