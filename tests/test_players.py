"""Players: their texts, what they choose, and programs that play."""

import random
import sys
from pathlib import Path

import numpy as np
import pytest
from sixtysix import Position, Rules, Turn, analyze
from sixtysix.calibration import corrections_for
from sixtysix.duel import Contest, play_round, play_rounds
from sixtysix.players import PlayerError, RandomPlayer, player_of
from sixtysix.position import ME, OPP
from sixtysix.rules import PRESETS
from sixtysix.table import Table
from sixtysix.turns import turns_allowed

BOT = """\
import sys
from sixtysix import Position
from sixtysix.players import player_of
with open(sys.argv[2], "a") as log:
    for line in sys.stdin:
        log.write(line)
        log.flush()
        print(player_of(sys.argv[1]).choose(Position.parse(line), 1).text, flush=True)
"""


def chosen(player: str, line: str, seed: int = 1) -> str:
    """Return the text of the turn that a player chooses."""
    return player_of(player).choose(Position.parse(line), seed).text


# --- texts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("random", "random"),
        (" Rule ", "rule"),
        ("pimc", "pimc:worlds=50"),
        ("pimc:worlds=7", "pimc:worlds=7"),
        ("ismcts", "ismcts:iterations=5000"),
        ("ismcts:iterations=2000000", "ismcts:iterations=2000000"),
        ("ismcts:time=0.1", "ismcts:time=0.1"),
        ("engine", "engine:time=0.03"),
        ("engine:worlds=20", "engine:worlds=20"),
        ("engine:corrections=ignore,iterations=40", "engine:iterations=40,corrections=ignore"),
        ("ismcts@12-8,closed/pimc@6/rule", "ismcts:iterations=5000@12-8,closed/pimc:worlds=50@6/rule"),
        (f"rule@gone/cmd:{sys.executable} a/b", f"rule@gone/cmd:{sys.executable} a/b"),
    ],
)
def test_a_text_names_a_player(text: str, canonical: str) -> None:
    assert player_of(text).text == canonical
    assert player_of(canonical).text == canonical


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "without a name"),
        ("ruel", "did you mean rule"),
        ("nonsense", "random, rule, pimc, guided, ismcts, engine or cmd:PROGRAM"),
        ("pimc:", "pimc:worlds="),
        ("pimc:world=5", "pimc:worlds="),
        ("pimc:worlds", "worlds=NUMBER"),
        ("pimc:worlds=5,worlds=6", "once"),
        ("pimc:worlds=0", "worlds=0: a whole number from 1"),
        ("pimc:worlds=5.5", "worlds=5.5: a whole number"),
        ("engine:time=0", "time=0: a positive number"),
        ("engine:time=nan", "time=nan: a positive number"),
        ("random:worlds=5", "random has none"),
        ("pimc/rule", "which stages"),
        ("pimc@12-8", "no @ stage"),
        ("pimc@13/rule", "@13 is no stage"),
        ("pimc@0/rule", "@0 is no stage"),
        ("pimc@/rule", "closed, or gone"),
        ("pimc@open/rule", "closed, or gone"),
        ("cmd:", "name a program"),
        ("cmd:no-such-program-at-all", "no-such-program-at-all"),
        ("cmd:'open", "quotation"),
    ],
)
def test_a_bad_text_is_refused_with_what_would_be_right(text: str, named: str) -> None:
    with pytest.raises(PlayerError, match=named.replace(".", r"\.")) as refusal:
        player_of(text)
    assert "\n" not in str(refusal.value)


# --- choices ------------------------------------------------------------------------------------


def test_random_plays_every_action_alike() -> None:
    """Six cards and a closing: the closing comes in a seventh of the choices, and so does each card led at once."""
    position = Position.parse("rules=es hand=Ac,Tc,Jd,9d,Th,9h up=Ks")
    player, count = RandomPlayer(), 4200
    turns = [player.choose(position, seed) for seed in range(count)]
    closings = sum(turn.close for turn in turns)
    aces = sum(turn == Turn.parse("Ac") for turn in turns)
    spread = 4 * (count * 6 / 49) ** 0.5  # four standard deviations
    assert abs(closings - count / 7) < spread
    assert abs(aces - count / 7) < spread
    assert set(turns) == set(turns_allowed(position))


@pytest.mark.parametrize(
    ("line", "turn"),
    [
        # exchanges, and declares the dearer marriage with the cheaper card
        ("rules=ro hand=9h,Kh,Qh,Jc,Js,9d up=Jh gone=Tc,9c points=10-0 tricks=1-0", "exchange, Qh+40"),
        # closes on a count: trumps from the top and an ace
        ("rules=es hand=Ah,Th,Kh,Qh,Ac,Tc up=9h gone=Ad,Td,As,Ts points=42-0 tricks=2-0", "close, "),
        # takes a ten with the lowest trump that does
        ("rules=ro hand=Jh,Kh,9c,9s,Jd,Kd up=Th led=Tc", "Jh"),
        # gives nothing to an ace
        ("rules=ro hand=Ts,Kc,9c,Kd,Qd,Js up=Th led=Ac", "9c"),
        # keeps a marriage together
        ("rules=ro hand=Kd,Qd,Tc,As,Ah,Jh up=Th led=Jc", "Tc"),
        # leads what is cheap while cards are drawn
        ("rules=ro hand=Ad,Td,9c,Kh,Ah,Ks up=Jh", "9c"),
    ],
)
def test_rules_of_the_rule_player(line: str, turn: str) -> None:
    assert chosen("rule", line).startswith(turn)


@pytest.mark.parametrize("preset", PRESETS)
def test_players_choose_legal_turns_and_repeat_themselves(preset: str) -> None:
    texts = ["random", "rule", "pimc:worlds=3", "ismcts:iterations=40", "engine:worlds=2"]
    table = Table.deal(Rules.preset_named(preset), 7)
    while not table.over:
        position = table.position()
        for text in texts:
            turn = player_of(text).choose(position, 3)
            assert turn in turns_allowed(position), text
            assert turn == player_of(text).choose(position, 3), text
        table.play(turn)


@pytest.mark.parametrize("preset", PRESETS)
def test_rule_beats_random(preset: str) -> None:
    rounds, _ = play_rounds(Contest("rule", "random", Rules.preset_named(preset), 1), range(40))
    points = [game.points for played in rounds for game in played.games]
    assert sum(points) / len(points) > 1.0


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_rule_beats_random_by_more_than_one_point_for_sure(preset: str) -> None:
    """The whole 95% interval lies above 1.0 game points a deal."""
    from sixtysix.tally import Tally

    contest = Contest("rule", "random", Rules.preset_named(preset), 2)
    tally = Tally(contest)
    for played in play_rounds(contest, range(500))[0]:
        tally.add(played)
    assert tally.points.mean - tally.points.half_width > 1.0


@pytest.mark.parametrize("text", ["pimc:worlds=40", "engine:worlds=40"])
def test_open_card_players_play_what_analyze_recommends(text: str) -> None:
    rng = random.Random(3)
    for deal in range(6):
        table = Table.deal(Rules.preset_named("schnapsen"), deal)
        for _ in range(14):
            table.play(player_of("rule").choose(table.position(), rng.randrange(99)))
            if table.over or table.position().talon == 0:
                break
        if not table.over and table.position().talon == 0:
            position = table.position()
            assert player_of(text).choose(position, 5) == analyze(position, worlds=40, seed=5, jobs=1).best.turn


def test_stages_share_a_deal_out() -> None:
    player = player_of("random@12-8/rule@closed/pimc:worlds=1@gone/ismcts:iterations=4")
    lines = {
        "random": "rules=ro hand=Ac,Tc,Kc,Qc,Jc,9c up=As",
        "rule": "rules=ro hand=Ac,Tc,Kc,Qc,Jc,9c up=As closed=me",
        "pimc:worlds=1": "rules=ro trump=s hand=Ac gone=TKQJ9c,AKQJT9d,AKQJT9h,AKQJ9s points=58-41 tricks=6-5",
    }
    for name, line in lines.items():
        position = Position.parse(line)
        playing = [share.player.text for share in player.shares if any(s.holds(position) for s in share.stages)]  # type: ignore[attr-defined]
        assert playing == [name]
    six = Position.parse("rules=ro up=As hand=Ac,Tc,Kc,Qc,Jc,9c gone=Ad,Td,Kd,Qd,Jd,9d points=15-15 tricks=1-2")
    assert six.talon == 6
    assert not any(stage.holds(six) for share in player.shares for stage in share.stages)  # type: ignore[attr-defined]


# --- programs -----------------------------------------------------------------------------------


def test_a_program_plays_from_position_lines(tmp_path: Path) -> None:
    bot, log = tmp_path / "bot.py", tmp_path / "log"
    bot.write_text(BOT)
    rules = Rules.preset_named("schnapsen")
    program = Contest(f"cmd:{sys.executable} '{bot}' rule '{log}'", "random", rules, 1)
    played = [game.points for number in range(4) for game in play_round(program, number).games]
    direct = Contest("rule", "random", rules, 1)
    assert played == [game.points for number in range(4) for game in play_round(direct, number).games]
    lines = log.read_text().splitlines()
    for line in lines:
        assert Position.parse(line).text == line
    for key in (" opp=", " shown=", " not=", " first="):
        assert any(key in line for line in lines), key
    assert {Position.parse(line).first for line in lines} == {ME, OPP}


@pytest.mark.parametrize(
    ("program", "named"),
    [
        ("import sys; sys.exit(3)", "ended without an answer to rules=ro"),
        ("input(); print('nonsense', flush=True)", "answered no turn to rules=ro"),
        ("input(); print('Ah+20', flush=True)", "only a king or a queen"),
        ("input(); print('9c', flush=True); print('9d', flush=True)", "is not allowed here"),
    ],
)
def test_a_program_that_does_not_play_is_told_of(program: str, named: str, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(program)
    contest = Contest(f"cmd:{sys.executable} '{bot}'", "rule", Rules.preset_named("ro"), 2)
    with pytest.raises(PlayerError, match=named):
        play_rounds(contest, range(2))


def test_corrections_can_be_left_out() -> None:
    position = Table.deal(Rules.preset_named("schnapsen"), 3).position()
    turns = [player_of(f"engine:iterations=300{more}").judge(position, 1) for more in ("", ",corrections=ignore")]
    corrected, stated = ({turn.turn: turn for turn in judged if turn.method == "guided"} for judged in turns)
    assert all(turn.corrected for turn in corrected.values())
    assert not any(turn.corrected for turn in stated.values())
    correction = corrections_for("schnapsen")["10", "guided"]
    for turn, judged in stated.items():
        assert corrected[turn].outcomes == pytest.approx(correction.of(np.array(judged.outcomes)))
