"""The arena: duplicate deals, matches, statistics, early ends, resumption, workers, and the command."""

import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from pools import ThreadPool
from sixtysix import Position, Rules, Turn, players
from sixtysix.arena import Arena, Limit
from sixtysix.cli.app import app
from sixtysix.duel import Contest, Game, Round, play_round, play_rounds, seed_of
from sixtysix.executors import LocalPool, WorkersError
from sixtysix.match import next_leader
from sixtysix.runfile import RunFile, RunFileError
from sixtysix.tally import Ratio, Tally, student_quantile

SCHNAPSEN = Rules.preset_named("schnapsen")
RULE_RANDOM = Contest("rule", "random", SCHNAPSEN, 1)


def points_of(played: Round) -> list[int]:
    """Return A's game points, deal by deal."""
    return [game.points for game in played.games]


def tally_of(contest: Contest, rounds: int) -> Tally:
    """Play rounds here, one after the other."""
    tally = Tally(contest)
    for played in play_rounds(contest, range(rounds))[0]:
        tally.add(played)
    return tally


def run_arena(contest: Contest, limit: Limit, workers: int = 1, file: RunFile | None = None) -> Tally:
    """Run an arena on threads."""
    with ThreadPool(workers) as pool:
        return Arena(contest, limit, file).run(pool)


def counted(tally: Tally) -> tuple[object, ...]:
    """Return what does not depend on the clock."""
    sides = [(side.wins, side.closings, side.closings_made, side.decisions) for side in tally.sides]
    return tally.points, tally.matches, tally.undecided, sides


class Spy:
    """Plays like `random` and keeps the positions it was asked about."""

    text = "spy"
    asked: list[tuple[Position, int]] = []  # noqa: RUF012

    def choose(self, position: Position, seed: int) -> Turn:
        assert type(position) is Position
        self.asked.append((position, seed))
        return players.RandomPlayer().choose(position, seed)


@pytest.fixture(autouse=True)
def small_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let jobs be small, so that little is done in vain when a run ends early."""
    monkeypatch.setattr("sixtysix.arena.JOB_SECONDS", 0.05)


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> type[Spy]:
    """Add the player `spy`."""
    monkeypatch.setitem(players.KINDS, "spy", Spy)  # type: ignore[arg-type]
    monkeypatch.setitem(players.OPTIONS, "spy", ())  # type: ignore[arg-type]
    Spy.asked = []
    return Spy


# --- rounds -------------------------------------------------------------------------------------


def test_a_deal_is_played_twice_with_the_seats_exchanged(spy: type[Spy]) -> None:
    play_round(Contest("spy", "random", SCHNAPSEN, 3), 5)
    first = [position for position, _ in spy.asked if position.first_lead]
    as_leader, as_dealer = (next(p for p in first if p.on_lead == leading) for leading in (True, False))
    assert as_leader.up == as_dealer.up
    assert not set(as_leader.hand) & set(as_dealer.hand)
    spy.asked.clear()
    play_round(Contest("random", "spy", SCHNAPSEN, 3), 5)
    assert any(position.hand == as_leader.hand for position, _ in spy.asked if position.first_lead)


def test_equal_players_that_do_not_draw_lots_come_out_even() -> None:
    for played in play_rounds(Contest("rule", "rule", SCHNAPSEN, 1), range(10))[0]:
        assert played.a_first[0].points == -played.b_first[0].points


def test_every_choice_has_a_seed_of_its_own(spy: type[Spy]) -> None:
    play_rounds(Contest("spy", "spy", SCHNAPSEN, 3), range(3))
    seeds = [seed for _, seed in spy.asked]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 1 << 63 for seed in seeds)
    assert seed_of(1, "a", 2) != seed_of(1, "a", 3) != seed_of(2, "a", 3)


@pytest.mark.parametrize(("player", "deals"), [("random", 120), ("pimc:worlds=2", 15), ("ismcts:iterations=40", 12)])
def test_a_player_against_itself_comes_out_at_zero(player: str, deals: int) -> None:
    """The two seats draw lots apart, so this is a real sample; the seed is one of the 95 in 100."""
    tally = tally_of(Contest(player, player, SCHNAPSEN, 5), deals)
    assert tally.points.error > 0
    assert abs(tally.points.mean) <= tally.points.half_width


@pytest.mark.slow
def test_the_interval_holds_zero_for_a_player_against_itself_in_95_of_100_runs() -> None:
    """100 runs: within four standard deviations of the 95 due."""
    held = 0
    for seed in range(100):
        points = tally_of(Contest("random", "random", SCHNAPSEN, 1000 + seed), 40).points
        held += abs(points.mean) <= points.half_width
    assert abs(held - 95) < 4 * (100 * 0.95 * 0.05) ** 0.5


# --- matches ------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["schnapsen", "santase", "pl"])
def test_matches_end_at_the_target_with_the_right_leaders(preset: str, spy: type[Spy]) -> None:
    rules = Rules.preset_named(preset)
    contest = Contest("spy", "spy", rules, 2, match=True)
    played = play_round(contest, 0)
    for leader, games in ((0, played.a_first), (1, played.b_first)):
        score = [0, 0]
        for game in games:
            assert max(score) < rules.match_target
            position, _ = spy.asked[0]
            assert position.first_lead
            assert position.score == (score[leader], score[1 - leader])
            del spy.asked[: sum(game.decisions)]
            score[game.points < 0] += abs(game.points)
            leader = next_leader(rules, leader, game.points)
        assert max(score) >= rules.match_target
    assert played.matches_won(rules.match_target) in (0, 1, 2)


@pytest.mark.parametrize(
    ("rule", "points", "next_one"),
    [
        ("alternate", 2, 1),
        ("alternate", -1, 1),
        ("alternate", 0, 1),
        ("winner", 2, 0),
        ("winner", -2, 1),
        ("winner", 0, 1),
        ("loser", 2, 1),
        ("loser", -3, 0),
        ("loser", 0, 1),
    ],
)
def test_next_leader_after_a_deal_led_by_a(rule: str, points: int, next_one: int) -> None:
    assert next_leader(SCHNAPSEN.override("next_leader", rule), 0, points) == next_one
    if points == 0:
        assert next_leader(SCHNAPSEN.override("next_leader", rule), 1, points) == 0


# --- statistics ---------------------------------------------------------------------------------


def test_the_error_is_that_of_the_pairs() -> None:
    rng = np.random.default_rng(1)
    pairs = rng.integers(-3, 4, (50, 2))
    ratio = Ratio()
    for pair in pairs:
        ratio.add(int(pair.sum()), 2)
    means = pairs.mean(axis=1)
    assert ratio.mean == pytest.approx(means.mean())
    assert ratio.error == pytest.approx(means.std(ddof=1) / math.sqrt(50))
    assert ratio.half_width == pytest.approx(2.0096 * ratio.error, rel=1e-3)
    assert ratio.test_half_width > ratio.half_width


def test_one_round_tells_nothing_about_the_error() -> None:
    ratio = Ratio()
    ratio.add(3, 2)
    assert ratio.half_width == ratio.test_half_width == math.inf
    assert tally_of(RULE_RANDOM, 1).to_json()["ci95"] is None


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (9999, 1.960)]
)
def test_quantiles_of_student(freedom: int, quantile: float) -> None:
    assert student_quantile(freedom) == pytest.approx(quantile, abs=0.004)


def test_the_sequential_test_seldom_errs() -> None:
    """Of equal players it names a better one in at most 5% of long runs, though it looks after every round."""
    rng = random.Random(1)
    wrong = 0
    for _ in range(200):
        tally = Tally(RULE_RANDOM)
        for number in range(400):
            points = rng.choice((-2, -1, 1, 2))
            game = Game(points, None, (1, 1), (0.0, 0.0))
            tally.add(Round(number, (game,), (game,)))
            if tally.better is not None:
                wrong += 1
                break
    assert wrong <= 10


def test_the_tally_counts_everything() -> None:
    games = [
        Game(3, 0, (4, 5), (0.4, 1.0)),
        Game(-2, 0, (6, 5), (0.6, 1.0)),
        Game(0, None, (12, 12), (0.2, 1.2)),
        Game(-1, 1, (8, 8), (1.2, 0.8)),
    ]
    tally = Tally(RULE_RANDOM)
    tally.add(Round(0, (games[0],), (games[1],)))
    tally.add(Round(1, (games[2],), (games[3],)))
    document = tally.to_json()
    assert document["deals"] == 2
    assert document["mean"] == 0.0
    assert document["ci95"] == pytest.approx(12.706 * 0.5)
    assert document["wins"] == {"a": [0, 0, 1], "b": [1, 1, 0]}
    assert document["undecided"] == 1
    assert document["closings"] == {"a": {"tried": 2, "made": 1}, "b": {"tried": 1, "made": 1}}
    assert document["a_seconds"] == pytest.approx(2.4 / 30)
    assert document["b_seconds"] == pytest.approx(4.0 / 30)


# --- runs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [Limit(20), Limit(500, half_width=0.45), Limit(500, decided=True)])
def test_any_number_of_workers_gives_the_same_result(limit: Limit) -> None:
    one, three = (run_arena(RULE_RANDOM, limit, workers) for workers in (1, 3))
    assert counted(one) == counted(three)


def test_a_run_ends_when_the_interval_is_narrow() -> None:
    tally = run_arena(RULE_RANDOM, Limit(500, half_width=0.4))
    assert 30 <= tally.rounds < 500
    assert tally.points.half_width <= 0.4
    before = tally_of(RULE_RANDOM, tally.rounds - 1)
    assert before.points.half_width > 0.4 or before.rounds < 30


def test_a_run_ends_when_the_better_player_is_known() -> None:
    tally = run_arena(RULE_RANDOM, Limit(500, decided=True))
    assert tally.rounds < 100
    assert tally.better == 0
    assert run_arena(Contest("random", "rule", SCHNAPSEN, 1), Limit(500, decided=True)).better == 1


def test_progress_rises_to_one() -> None:
    seen: list[float] = []
    with ThreadPool(2) as pool:
        Arena(RULE_RANDOM, Limit(80)).run(pool, seen.append)
    assert seen
    assert all(before <= after <= 1 for before, after in pairwise(seen))


@pytest.mark.parametrize("match", [False, True])
def test_a_run_goes_on_from_its_file(match: bool, tmp_path: Path) -> None:
    contest = Contest("rule", "random", SCHNAPSEN, 1, match)
    path = tmp_path / "run.json"
    run_arena(contest, Limit(4), 2, RunFile(path, contest))
    document = json.loads(path.read_text())
    document["rounds"].pop(1)  # as if it had been under way
    path.write_text(json.dumps(document))
    with ThreadPool(2) as pool:
        tally = Arena(contest, Limit(7), RunFile(path, contest)).run(pool)
        assert pool.submitted <= 4
    assert counted(tally) == counted(run_arena(contest, Limit(7)))
    document = json.loads(path.read_text())
    assert [entry["number"] for entry in document["rounds"]] == list(range(7))
    assert document["summary"] == json.loads(json.dumps(tally.to_json()))


def test_a_run_that_fails_keeps_what_was_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        text = "failing"
        left = 200

        def choose(self, position: Position, seed: int) -> Turn:
            Failing.left -= 1
            if not Failing.left:
                raise players.PlayerError("no more")
            return players.RandomPlayer().choose(position, seed)

    monkeypatch.setitem(players.KINDS, "failing", Failing)  # type: ignore[arg-type]
    monkeypatch.setitem(players.OPTIONS, "failing", ())  # type: ignore[arg-type]
    contest = Contest("failing", "random", SCHNAPSEN, 1)
    path = tmp_path / "run.json"
    with pytest.raises(players.PlayerError, match="no more"):
        run_arena(contest, Limit(50), 1, RunFile(path, contest))
    assert 0 < len(json.loads(path.read_text())["rounds"]) < 50


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"seed": 2}, "seed is 1, not 2"),
        ({"a": "pimc:worlds=5"}, "a is rule, not pimc:worlds=5"),
        ({"rules": Rules.preset_named("ro")}, "rules is schnapsen, not ro"),
        ({"match": True}, "match is False, not True"),
    ],
)
def test_the_file_of_another_run_is_refused(change: dict[str, object], named: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    run_arena(RULE_RANDOM, Limit(1), 1, RunFile(path, RULE_RANDOM))
    kept = path.read_text()
    other = {"a": "rule", "b": "random", "rules": SCHNAPSEN, "seed": 1, "match": False, **change}
    with pytest.raises(RunFileError, match=named):
        RunFile(path, Contest(**other))  # type: ignore[arg-type]
    assert path.read_text() == kept


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "[]", "{}", "3", '{"rounds": []}', "[" * 100_000, "\ud800".encode("utf-8", "replace").decode()],
)
def test_a_file_of_something_else_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(RunFileError, match="holds no results of an arena"):
        RunFile(path, RULE_RANDOM)


def test_a_damaged_round_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    run_arena(RULE_RANDOM, Limit(1), 1, RunFile(path, RULE_RANDOM))
    document = json.loads(path.read_text())
    for game in ([9, None, [1, 1], [0, 0]], [1, 2, [1, 1], [0, 0]], [1, None, [1], [0, 0]], "game", [1, None]):
        document["rounds"][0]["a_first"] = [game]
        path.write_text(json.dumps(document))
        with pytest.raises(RunFileError, match="no results"):
            RunFile(path, RULE_RANDOM)


# --- workers ------------------------------------------------------------------------------------


def square(number: int) -> int:
    return number * number


def fail_at_three(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number


def die_once(job: tuple[int, str]) -> tuple[int, int]:
    """Kill this process at job 3, unless that has happened before."""
    number, marker = job
    if number == 3 and not Path(marker).exists():
        Path(marker).touch()
        os._exit(9)
    time.sleep(0.02)
    return number, os.getpid()


def die_at_two(number: int) -> int:
    if number == 2:
        os._exit(9)
    return number


def test_results_come_in_the_order_of_the_jobs_and_the_dead_are_replaced() -> None:
    with ThreadPool(3, deaths={2: 1, 5: 2, (4, 4): 1, (7, 7): 2}) as pool:
        assert dict(pool.completed(square, range(9))) == {number: number * number for number in range(9)}
        assert list(pool.in_order(square, range(9))) == [number * number for number in range(9)]
        assert pool.submitted == 9 + 3 + 9 + 3


def test_a_job_that_kills_its_workers_is_given_up() -> None:
    with ThreadPool(2, deaths={5: 3}) as pool, pytest.raises(WorkersError, match="3 workers died"):
        list(pool.completed(square, range(9)))


def test_jobs_are_taken_only_when_they_are_due() -> None:
    taken: list[int] = []

    def jobs():  # type: ignore[no-untyped-def]
        for number in range(100):
            taken.append(number)
            yield number

    with ThreadPool(2) as pool:
        results = pool.in_order(square, jobs())
        assert next(results) == 0
        assert len(taken) < 10


def test_processes_do_the_jobs_and_one_that_dies_is_replaced(tmp_path: Path) -> None:
    marker = tmp_path / "died"
    with LocalPool(2) as pool:
        results = list(pool.in_order(die_once, [(number, str(marker)) for number in range(8)]))
        assert [number for number, _ in results] == list(range(8))
        assert marker.exists()
        assert os.getpid() not in {pid for _, pid in results}
        with pytest.raises(ValueError, match="three"):
            list(pool.in_order(fail_at_three, range(9)))
        with pytest.raises(WorkersError, match="3 workers died"):
            list(pool.in_order(die_at_two, range(4)))


def test_processes_play_the_same_games() -> None:
    with LocalPool(2) as pool:
        tally = Arena(RULE_RANDOM, Limit(12)).run(pool)
    assert counted(tally) == counted(tally_of(RULE_RANDOM, 12))


# --- the command --------------------------------------------------------------------------------


def command(*args: str) -> Result:
    """Run `sixtysix arena` in this process."""
    return CliRunner().invoke(app, ["arena", *args])


def test_the_command_prints_one_object() -> None:
    result = command("rule", "random", "--deals", "4", "--rules", "schnapsen", "--json", "--jobs", "1")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert [document[key] for key in ("a", "b", "rules", "deals")] == ["rule", "random", "schnapsen", 4]
    expected = tally_of(RULE_RANDOM, 4).to_json()
    assert document["mean"] == expected["mean"]
    assert document["ci95"] == expected["ci95"]
    assert document["a_seconds"] > 0
    assert document["b_seconds"] > 0


def test_the_command_prints_a_table_and_goes_on_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    options = ["--deals", "3", "--rules", "schnapsen", "--match", "--out", str(path), "--jobs", "1"]
    first = command("rule", "random", *options)
    assert first.exit_code == 0, first.output
    for words in ("closings tried", "time a decision", "game points a deal", "of 6 matches won"):
        assert words in first.stdout
    start = time.monotonic()
    assert command("rule", "random", *options).stdout == first.stdout
    assert time.monotonic() - start < 1.0  # nothing is left to play: no process is started


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["rule"], "B"),
        (["rule", "nobody"], "there is no player nobody"),
        (["rule", "random", "--rules", "xx"], "--rules"),
        (["rule", "random", "--deals", "0"], "1 to"),
        (["rule", "random", "--until", "soon"], "decided"),
        (["rule", "random", "--until", "0"], "positive half-width"),
        (["rule", "random", "--jobs", "2", "--dask", "tcp://127.0.0.1:1"], "--jobs"),
        (["rule", "random", "--out", "no/such/directory/x"], "cannot write"),
        (["rule", "cmd:no-such-program"], "no-such-program"),
    ],
)
def test_bad_usage_is_told_in_one_line(args: list[str], named: str) -> None:
    result = command(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert named in result.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_ends_quickly_and_keeps_the_file(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    args = ["arena", "pimc:worlds=2", "rule", "--deals", "100000", "--rules", "schnapsen", "--out", str(path)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, "-m", "sixtysix.cli", *args], stdout=pipe, stderr=pipe, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while not (path.exists() and json.loads(path.read_text())["rounds"]) and time.monotonic() < deadline:
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert output == b""
    assert errors == b""
    assert json.loads(path.read_text())["rounds"]
    assert ended(process.pid)


def ended(group: int) -> bool:
    """Wait until no process of a group is left; tell whether that has come to be within ten seconds."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False
