"""Players and the arena: legal turns, fair contests, results that do not depend on workers."""

import json
import random
import subprocess
import sys

import pytest
from sixtysix import Rules
from sixtysix.arena import Arena, Limit
from sixtysix.duel import Contest, next_leader, play_round
from sixtysix.executors import LocalPool
from sixtysix.players import PlayerError, player_of
from sixtysix.rules import PRESETS
from sixtysix.runfile import RunFile, RunFileError
from sixtysix.table import Table
from sixtysix.turns import turns_allowed


def contest(a, b, rules="schnapsen", **settings):
    return Contest(a, b, Rules.parse(rules), settings.pop("seed", 1), **settings)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("text", ["random", "rule", "pimc:worlds=3", "ismcts:iterations=40", "engine:worlds=2"])
def test_players_choose_legal_turns_and_repeat_themselves(text, preset):
    table = Table.deal(Rules.preset_named(preset), 7)
    while not table.over:
        position = table.position()
        turn = player_of(text).choose(position, 3)
        assert turn in turns_allowed(position)
        assert turn == player_of(text).choose(position, 3)
        table.play(turn)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no player"),
        ("rul", "rule"),
        ("pimc:worlds=0", "worlds="),
        ("pimc:time=1", "unknown option"),
        ("ismcts:time=-1", "positive"),
        ("random:x=1", "random has none"),
        ("rule@13/random", "no stage"),
        ("rule/random", "which stages"),
        ("rule@4", "takes what is left"),
        ("cmd:", "name a program"),
        ("cmd:no-such-program-here", "no program"),
    ],
)
def test_bad_player_texts_say_what_would_be_right(text, words):
    with pytest.raises(PlayerError, match=words):
        player_of(text)


def test_stages_share_a_deal():
    text = "rule@12-8,closed/random"
    assert player_of(text).text == text
    table = Table.deal(Rules.preset_named("santase"), 3)
    position = table.position()
    assert player_of(text).choose(position, 1) == player_of("rule").choose(position, 1)


def run(contest, rounds, jobs=1, file=None):
    with LocalPool(jobs) as pool:
        return Arena(contest, Limit(rounds), file).run(pool)


def test_rule_beats_random_and_a_player_meets_itself_evenly():
    assert run(contest("rule", "random", "santase"), 150).points.mean > 1.0
    tally = run(contest("rule", "rule", "santase"), 60)
    assert tally.points.mean == 0  # the same choices in both games of a round cancel
    tally = run(contest("random", "random"), 300)
    assert abs(tally.points.mean) <= tally.points.half_width


def test_results_do_not_depend_on_the_number_of_workers():
    def numbers(jobs):
        document = run(contest("ismcts:iterations=40", "rule"), 12, jobs).to_json()
        return {key: value for key, value in document.items() if not key.endswith("seconds")}

    assert numbers(1) == numbers(2)


def test_a_run_goes_on_where_it_ended(tmp_path):
    path, game = tmp_path / "run.json", contest("rule", "random")
    run(game, 20, file=RunFile(path, game))
    assert len(RunFile(path, game).rounds) == 20
    tally = run(game, 30, file=RunFile(path, game))
    assert tally.points.mean == run(game, 30).points.mean
    assert json.loads(path.read_text())["summary"]["deals"] == 30
    with pytest.raises(RunFileError, match="another run"):
        RunFile(path, contest("rule", "rule"))


def test_matches_end_at_the_target():
    played = play_round(contest("rule", "random", match=True), 0)
    for games in (played.a_first, played.b_first):
        won = [sum(max(0, sign * game.points) for game in games) for sign in (1, -1)]
        assert max(won) >= 7 > min(won)


def test_who_leads_next():
    for rules, after_win in (("ro", 1), ("santase", 1), ("ro+next_leader:winner", 0)):
        assert next_leader(Rules.parse(rules), 0, 2) == after_win
        assert next_leader(Rules.parse(rules), 0, 0) == 1


def test_a_program_plays(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import sys\n"
        "from sixtysix import Position\n"
        "from sixtysix.turns import turns_allowed\n"
        "for line in sys.stdin:\n"
        "    print(turns_allowed(Position.parse(line))[0].text, flush=True)\n"
    )
    player = player_of(f"cmd:{sys.executable} {bot}")
    table = Table.deal(Rules.preset_named("pl"), 2)
    while not table.over:
        position = table.position()
        assert player.choose(position, random.randrange(9)) == turns_allowed(position)[0]
        table.play(turns_allowed(position)[0])


def arena(*words):
    return subprocess.run([sys.executable, "-m", "sixtysix.cli", "arena", *words], capture_output=True, text=True)


def test_the_command_ends_with_one_json_object():
    done = arena("rule", "random", "--deals", "5", "--rules", "schnapsen", "--json")
    document = json.loads(done.stdout.splitlines()[-1])
    assert (done.returncode, document["deals"], document["a"]) == (0, 5, "rule")
    assert {"b", "rules", "mean", "ci95", "a_seconds", "b_seconds"} <= set(document)


@pytest.mark.parametrize("words", [("rule",), ("rule", "nobody"), ("rule", "random", "--deals", "0")])
def test_bad_usage_is_one_line(words):
    done = arena(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
