"""The records that come with the program, the arena's records, and the commands that read them."""

import json
from importlib import resources
from pathlib import Path

import pytest
from sixtysix import Position, load, loads
from sixtysix.duel import Contest, Game, play_rounds
from sixtysix.duelrecords import matches_of
from sixtysix.records import MatchRecord
from sixtysix.rules import Rules
from sixtysix.steps import end_of, replay
from test_cli import documents, refused, run

RECORDS = Path(str(resources.files("sixtysix.data").joinpath("records")))
NOTED = str(RECORDS / "noted-santase.66")
MATCHES = str(RECORDS / "rule-random-santase.66")


# --- the files ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.66")), ids=lambda path: path.stem)
def test_a_record_that_comes_with_the_program_is_right(path: Path) -> None:
    collection = load(path)
    assert not collection.problems
    for match in collection:
        for index, deal in enumerate(match.deals):
            end = end_of(match, index)
            assert end.over
            assert end.result == deal.result
            steps = replay(match, index)
            assert sum(step.position is not None for step in steps) == len(steps) / (1 if deal.complete else 2)
            assert all((step.deal is not None) == deal.complete for step in steps)


def test_the_presets_differ() -> None:
    files = sorted(RECORDS.glob("*.66"))
    assert len({load(path)[0].rules.preset for path in files}) >= 4
    assert sum(len(load(path)) for path in files) >= 7


def test_a_match_that_comes_with_the_program_is_won() -> None:
    for match in load(MATCHES):
        last = len(match.deals) - 1
        score = match.score_before(last)
        result = match.deals[last].result
        assert score is not None
        assert result is not None
        assert max(score) < match.rules.match_target
        assert max(score[0] + result, score[1] - result) >= match.rules.match_target


# --- the arena's records ------------------------------------------------------------------------


def test_the_arena_plays_the_match_that_comes_with_the_program() -> None:
    contest = Contest("rule", "random", Rules.preset_named("santase"), 66, match=True, record=True)
    assert matches_of(contest, play_rounds(contest, range(1))[0]) == list(load(MATCHES))


def test_single_deals_stand_in_one_record_without_a_score() -> None:
    contest = Contest("rule", "rule", Rules.preset_named("pl"), 4, record=True)
    rounds = play_rounds(contest, range(2))[0]
    (match,) = matches_of(contest, rounds)
    assert match.players == ("rule (A)", "rule (B)")
    assert [deal.leader for deal in match.deals] == [0, 1, 0, 1]
    assert match.deals[0].up == match.deals[1].up
    assert [deal.result for deal in match.deals] == [game.points for played in rounds for game in played.games]
    assert not match.scored


def test_turns_survive_in_a_file_of_results() -> None:
    contest = Contest("rule", "random", Rules.preset_named("schnapsen"), 4, record=True)
    (game,) = play_rounds(contest, range(1))[0][0].a_first
    assert game.turns
    assert Game.from_json(json.loads(json.dumps(game.to_json()))) == game
    assert matches_of(contest, []) == []


def test_arena_writes_records(tmp_path: Path) -> None:
    path = tmp_path / "a.66"
    result = run("arena", "rule", "random", "--deals", "2", "--jobs", "1", "--records", str(path))
    assert result.exit_code == 0, result.stderr
    (match,) = load(path)
    assert isinstance(match, MatchRecord)
    assert [deal.number for deal in match.deals] == [1, 2, 3, 4]
    assert refused(run("arena", "rule", "random", "--records", str(tmp_path / "none" / "a.66")))


# --- positions from a file ----------------------------------------------------------------------


def test_position_prints_what_was_known() -> None:
    result = run("position", NOTED, "--deal", "7", "--turn", "13")
    assert result.stdout == (
        "rules=santase trump=d hand=Kc,Qc,Ad,Qd,As,Qs gone=Ac,Tc,Jc,9c,Td,Kd,Ah,Kh,Qh,9h,Js,9s points=36-41 tricks=2-4 "
        "first=opp score=6-4\n"
    )
    (document,) = documents(run("position", NOTED, "--turn", "13", "--json"))
    assert Position.from_json(document).text == result.stdout.strip()


def test_best_at_a_turn_of_a_file() -> None:
    at = run("best", "-f", NOTED, "--at", "7.16")
    line = run("position", NOTED, "--turn", "16").stdout.strip()
    assert at.stdout == run("best", *line.split()).stdout == "Qd\n"
    (document,) = documents(run("analyze", "-f", MATCHES, "--at", "2:1.1", "--worlds", "5", "--json"))
    assert Position.parse(str(document["position"])) == replay(load(MATCHES)[1], 0)[0].position


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("position", NOTED), "deal 7 is over after 16 turns: there is no turn 17"),
        (("position", NOTED, "--turn", "1"), "turn 1 of deal 7 is Ivo's, whose hand is not on record"),
        (("position", NOTED, "--deal", "1"), "there is no deal 1 (deals on record: 7)"),
        (("position", MATCHES, "--deal", "1"), "holds 2 matches: say which"),
        (("position", MATCHES, "--match", "3", "--deal", "1"), "there is no match 3"),
        (("position", MATCHES, "--match", "1"), "deals: say which, --deal N"),
        (("position", "none.66"), "cannot read none.66"),
        (("best", "-f", NOTED), "say which turn, such as --at 3.7"),
        (("best", "-f", NOTED, "--at", "7"), "--at: '7': write deal and turn"),
        (("best", "--at", "7.1", "hand=AKQh,9s,TJc", "up=Ad"), "give the file too"),
    ],
)
def test_places_that_are_not_there(args: tuple[str, ...], told: str) -> None:
    assert told in refused(run(*args))


def test_what_is_wrong_elsewhere_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "x.66"
    path.write_text(Path(NOTED).read_text(encoding="utf-8").replace("8. Jd Ad", "8. Jd Ah"), encoding="utf-8")
    result = run("position", str(path), "--turn", "2")
    assert result.exit_code == 0
    assert result.stdout.startswith("rules=santase up=Kd")
    assert "deal 7, turn 16: Ah was played in trick 2" in result.stderr
    assert loads("").matches == ()
    path.write_text("", encoding="utf-8")
    assert "no match on record" in refused(run("position", str(path)))
