"""The command line: what it prints, where, and how it ends."""

import inspect
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sixtysix import Position
from sixtysix.cli import progress
from sixtysix.cli.app import COMMANDS, app
from sixtysix.cli.errors import one_line

CLOSED = (
    "rules=es up=Kc hand=Ad,Kh,Qs gone=Ac,Qc,9c,Td,Jd,Jh,As,Ts opp=Ks,Js,9s stock=9d,9h,Qh,Ah,Qd,Jc,Kd,Th,Tc "
    "points=49-0 tricks=4-0 closed=me@0/0"
)
"""A known deal: Kh and Ad win three game points, Qs loses one."""

HIDDEN = "rules=es up=Kc hand=Ad,Kh,Qs gone=Ac,Qc,9c,Td,Jd,Jh,As,Ts points=49-0 tricks=4-0 closed=me@0/0"
"""The same with the opponent's hand unknown."""

START = "hand=AKQh,9s,TJc up=Ad"

FULL = "rules=es up=Qh hand=Tc,Ah,Th,Ts,Qs,9s opp=Kc,Td,Qd,Jd,9h,Js stock=Kd,Ad,9c,Jc,As,Kh,Ac,Jh,9d,Ks,Qc points=0-0"


def run(*args: str, **options: object) -> Result:
    """Run the command line in this process."""
    before_click_8_2 = "mix_stderr" in inspect.signature(CliRunner).parameters
    runner = CliRunner(**({"mix_stderr": False} if before_click_8_2 else {}))  # type: ignore[arg-type]
    return runner.invoke(app, args, **options)  # type: ignore[arg-type]


def start(*args: str, **options: object) -> subprocess.Popen[bytes]:
    """Start the command line as a process with pipes that do not buffer."""
    pipe = subprocess.PIPE
    environment = {**os.environ, **options.pop("env", {})}  # type: ignore[dict-item]
    command = [sys.executable, "-m", "sixtysix.cli", *args]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, env=environment)


def documents(result: Result) -> list[dict[str, object]]:
    """Return the JSON objects on standard output."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def refused(result: Result) -> str:
    """Return the one line that refuses bad input."""
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = [line for line in result.stderr.splitlines() if not line.startswith("compiling")]
    assert len(lines) == 1, lines
    assert lines[0].startswith("error: ")
    return lines[0]


# --- help ---


def test_help_names_every_command() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert all(re.search(rf"^  {name} ", result.stdout, re.MULTILINE) for name in COMMANDS)
    assert run().stdout == result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_an_example(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert re.search(rf"Examples?:\n +.*sixtysix {command}", result.stdout)


def test_examples_of_the_help_are_good() -> None:
    for command in ("analyze", "best", "solve", "perft"):
        for example in re.findall(rf"^ +sixtysix {command} (.*hand=.*)$", run(command, "--help").stdout, re.MULTILINE):
            assert Position.parse(" ".join(word for word in example.split() if "=" in word))


def test_version() -> None:
    result = run("--version")
    assert re.fullmatch(r"sixtysix \d+\.\d+\.\d+\n", result.stdout)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    assert "_SIXTYSIX_COMPLETE" in run("completion", shell).stdout
    assert f"sixtysix completion {shell}" in run("completion").stdout


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("sixtysix an", "analyze"),
        ("sixtysix analyze --rules sch", "schnapsen"),
        ("sixtysix best --rule failed_close=th", "failed_close=three"),
        ("sixtysix analyze --method enu", "enumerated"),
    ],
)
def test_words_are_completed(words: str, expected: str) -> None:
    environment = {"_SIXTYSIX_COMPLETE": "fish_complete", "COMP_WORDS": words, "COMP_CWORD": words.split()[-1]}
    assert f"plain,{expected}" in run(env=environment).stdout


# --- bad usage and bad input ---


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["nonsense"], "nonsense"),
        (["--nonsense"], "--nonsense"),
        (["analyze"], "hand="),
        (["analyze", " "], "hand="),
        (["best", "--nonsense", *START.split()], "--nonsense"),
        (["best", *START.split(), "--worlds", "0"], "--worlds"),
        (["best", *START.split(), "--worlds", "many"], "many"),
        (["best", *START.split(), "--worlds", "9" * 5000], "--worlds"),
        (["best", *START.split(), "--jobs", "-1"], "--jobs"),
        (["best", *START.split(), "--seed", "-1"], "--seed"),
        (["best", *START.split(), "--seed"], "--seed"),
        (["best", *START.split(), "--time", "0"], "--time"),
        (["best", *START.split(), "--time", "nan"], "--time"),
        (["best", *START.split(), "--time", "inf"], "--time"),
        (["best", *START.split(), "--precision", "-0.1"], "--precision"),
        (["best", *START.split(), "--method", "guess"], "guess"),
        (["best", *START.split(), "--exact"], "2,000,000"),
        (["best", *START.split(), "--rules", "bridge"], "bridge"),
        (["best", *START.split(), "--rule", "failed_close"], "NAME=VALUE"),
        (["best", *START.split(), "--rule", "failed_close=four"], "four"),
        (["best", *START.split(), "--rule", "shuffle=yes"], "shuffle"),
        (["best", *START.split(), "--rule", "deck=24", "--rule", "deck=20"], "twice"),
        (["best", "-", "hand=Ah"], "-"),
        (["best", "-f", "a", "-f", "b"], "one place"),
        (["best", "-f", "a", "hand=Ah"], "one place"),
        (["best", "hand=Kx", "up=Ad"], "Kx"),
        (["best", "hand=Kx\nup=Ad"], "hand"),
        (["best", "a" * 100_000], "aaa"),
        (["best", "hand=" + "Ah" * 50_000], "hand"),
        (["best", "{"], "JSON"),
        (["best", "\x1b[31m\x00"], "position"),
        (["solve", *START.split()], "opp"),
        (["perft", *FULL.split(), "--depth", "0"], "--depth"),
        (["rules", "bridge"], "bridge"),
        (["rules", "ro", "pl"], "pl"),
        (["bench", "--preset", "bridge"], "bridge"),
        (["completion", "tcsh"], "tcsh"),
    ],
)
def test_bad_input_is_refused_in_one_line(args: list[str], named: str) -> None:
    line = refused(run(*args))
    assert named in line
    assert line.isprintable()
    assert len(line) < 600


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file"),
        (b"", "no position in"),
        (b"# nothing\n\n  \n", "no position in"),
        (b"\x00\x01\x02", "zero bytes"),
        (b"hand=Ah\n\xff\n", "UTF-8 (line 2)"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, content: bytes | None, reason: str) -> None:
    file = tmp_path / "positions.txt"
    if content is not None:
        file.write_bytes(content)
    line = refused(run("best", "-f", str(file)))
    assert reason in line
    assert file.name in line


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    assert "cannot read" in refused(run("best", "-f", str(tmp_path)))


def test_empty_standard_input_is_refused() -> None:
    assert "no position in standard input" in refused(run("best", "-", input=""))


def test_error_lines_are_short_and_printable() -> None:
    assert one_line("a\n\tb\x1b c") == "a b\\x1b c"
    assert len(one_line("x" * 10_000)) == 500


# --- positions ---


@pytest.mark.parametrize(
    "words",
    [
        CLOSED.split(),
        [CLOSED],
        CLOSED.replace("hand=Ad,Kh,Qs", "hand=A♦ K♥ Q♠").replace("up=Kc", "up=K♣").split(),
        [json.dumps(Position.parse(CLOSED).to_json())],
        ["--json", *CLOSED.upper().split()],
    ],
)
def test_positions_are_taken_as_words(words: list[str]) -> None:
    result = run("best", *words)
    assert result.exit_code == 0, result.stderr
    answer = documents(result)[0]["best"] if "--json" in words else result.stdout.strip()
    assert answer == "Kh"


def test_rules_are_the_ones_asked_for() -> None:
    position = "trump=c hand=Ah opp=Kh gone=AKQJT9c,AKQJT9d,QJT9h,AKQJT9s points=60-45 tricks=6-5"
    assert documents(run("best", *position.split(), "--json"))[0]["rules"] == "ro"
    assert documents(run("best", *position.split(), "--rules", "pl", "--json"))[0]["rules"] == "pl"
    assert documents(run("best", "rules=es", *position.split(), "--rules", "pl", "--json"))[0]["rules"] == "es"
    changed = documents(run("best", *position.split(), "--rules", "pl", "--rule", "last_trick_points=0", "--json"))
    assert changed[0]["rules"] == "pl+last_trick_points:0"


def test_a_batch_answers_every_line_in_order(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    deal = json.dumps(Position.parse(CLOSED).to_json())
    file.write_text(f"\ufeff# first\n{CLOSED}  # good\n\nhand=Kx\n{deal}\r\n  \n{HIDDEN}", encoding="utf-8")
    result = run("best", "-f", str(file), "--json")
    assert result.exit_code == 1
    first, second, third, fourth = documents(result)
    assert first["best"] == third["best"] == "Kh"
    assert second.keys() == {"error", "line"}
    assert second["line"] == 4
    assert "Kx" in str(second["error"])
    assert fourth["method"] == "enumerated"

    texts = run("best", "-f", str(file)).stdout.splitlines()
    assert texts[0] == texts[2] == "Kh"
    assert texts[1].startswith("error: line 4: hand")


def test_a_good_batch_ends_with_0() -> None:
    result = run("solve", "-", input=f"{CLOSED}\n{CLOSED}\n")
    assert result.exit_code == 0
    assert result.stdout.count("best play: ") == 2


def test_broken_text_on_standard_input_fails_alone() -> None:
    result = run("best", "-", input=b"\xff\n" + CLOSED.encode() + b"\n")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == ["error: line 1: position: byte 1 of the line is not UTF-8 text", "Kh"]


# --- answers ---


@pytest.mark.parametrize(("position", "method"), [(CLOSED, "exact"), (HIDDEN, "enumerated"), (START, "sampled")])
def test_analyze_json(position: str, method: str) -> None:
    result = run("analyze", *position.split(), "--worlds", "20", "--seed", "7", "--json")
    assert result.exit_code == 0
    (document,) = documents(result)
    assert document["position"] == Position.parse(position).text
    assert document["rules"] == Position.parse(position).rules.text
    assert document["to_move"] == "lead"
    assert document["method"] == method
    assert document["seed"] == 7
    turns = document["turns"]
    assert isinstance(turns, list)
    assert document["best"] == turns[0]["turn"]
    for turn in turns:
        assert turn.keys() >= {"turn", "value", "se", "win", "method", "worlds", "outcomes"}
        assert list(turn["outcomes"]) == ["-3", "-2", "-1", "0", "1", "2", "3"]
        assert sum(turn["outcomes"].values()) == pytest.approx(1, abs=1e-5)


def test_analyze_text() -> None:
    text = run("analyze", *HIDDEN.split()).stdout
    assert re.search(r"^trump +♣, K♣ turned down", text, re.MULTILINE)
    assert re.search(r"^your hand +A♦  K♥  Q♠$", text, re.MULTILINE)
    assert Position.parse(HIDDEN).text in text.splitlines()
    assert re.search(r"^turn +value +± +cost +win% +-3 +-2 +-1 +0 +\+1 +\+2 +\+3$", text, re.MULTILINE)
    assert re.search(r"^best: \w\w — expected reply \w\w \(in \d+% of hands\)$", text, re.MULTILINE)
    assert "granted sight" in text
    assert "\x1b" not in text


def test_analyze_text_of_a_closing_names_both_methods() -> None:
    text = run("analyze", *START.split(), "--worlds", "20").stdout
    assert re.search(r"^close, .* enumerated$", text, re.MULTILINE)
    assert re.search(r"^.*±0\.\d\d .* sampled$", text, re.MULTILINE)
    assert re.search(r"^sampled \(20 deals, seed 1, ", text, re.MULTILINE)


def test_exact_is_told_from_enumerated() -> None:
    assert re.search(r"^K♥ +\+3 +exact +100 ", run("analyze", *CLOSED.split()).stdout, re.MULTILINE)
    assert "exact" not in run("analyze", *HIDDEN.split()).stdout


def test_the_answer_does_not_depend_on_the_number_of_jobs() -> None:
    answers = [documents(run("analyze", START, "--worlds", "30", "--jobs", jobs, "--json"))[0] for jobs in ("1", "3")]
    for answer in answers:
        del answer["seconds"]
    assert answers[0] == answers[1]


def test_letters_stand_in_for_symbols_that_cannot_be_written() -> None:
    process = start("analyze", *CLOSED.split(), env={"PYTHONIOENCODING": "ascii"})
    out, _ = process.communicate()
    text = out.decode("ascii")
    assert re.search(r"^your hand +Ad  Kh  Qs$", text, re.MULTILINE)
    assert "?" not in text


def test_solve() -> None:
    (document,) = documents(run("solve", *CLOSED.split(), "--json"))
    assert document.keys() == {"position", "value", "turns", "line", "nodes", "seconds"}
    assert document["value"] == 3
    assert document["turns"] == [{"turn": "Kh", "value": 3}, {"turn": "Ad", "value": 3}, {"turn": "Qs", "value": -1}]
    text = run("solve", *CLOSED.split()).stdout
    assert "value: +3 (you win 3 game points)\n" in text
    assert re.search(r"^best play: 1\. K♥ – \w", text, re.MULTILINE)


def test_perft() -> None:
    assert run("perft", *FULL.split(), "--depth", "3", "--json").stdout == '{"perft": [7, 42, 269]}\n'
    assert re.search(r"^ *3 +269$", run("perft", *FULL.split(), "--depth", "3").stdout, re.MULTILINE)


def test_bench_counts_nodes_and_iterations() -> None:
    *rows, search, signature = map(json.loads, run("bench", "--quick", "--preset", "ro", "--json").stdout.splitlines())
    assert [row["stage"] for row in rows[::2]] == [row["stage"] for row in rows[1::2]]
    assert search["method"] == "guided"
    assert search["iterations"] >= 8000
    total = sum(round(row["nodes"]["mean"] * row["positions"]) for row in rows)
    assert signature["signature"].startswith("ro=")
    assert abs(int(signature["signature"].split("=")[-1]) - total) < len(rows)  # means are rounded
    text = run("bench", "--quick", "--preset", "ro").stdout
    assert signature["signature"] in text
    assert "iterations a second" in text


def test_rules() -> None:
    text = run("rules").stdout
    assert "schnapsen" in text
    assert "two_or_three" in text
    explained = run("rules", "pl").stdout
    assert "After a closing the follower may play any card." in explained
    changed = run("rules", "pl", "--rule", "failed_close=three").stdout
    assert "three (not none)" in changed
    assert len(documents(run("rules", "--json"))) == 6
    (document,) = documents(run("rules", "ro+close_min_talon:4", "--json"))
    assert document["rules"] == "ro+close_min_talon:4"
    assert isinstance(document["switches"], dict)
    assert document["switches"]["close_min_talon"] == 4


# --- waiting ---


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def slow_work(report: progress.Report) -> int:
    """Do nothing for a while, half of it reported."""
    report(0.5)
    time.sleep(0.5)
    return 3


@pytest.mark.parametrize("stream", [Terminal(), io.StringIO()])
def test_the_progress_bar_is_for_terminals(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.1)
    monkeypatch.setattr(progress, "_announce_compilation", lambda: None)
    monkeypatch.setattr(sys, "stderr", stream)
    assert progress.run(slow_work, "working hard") == 3
    assert ("working hard" in stream.getvalue()) == stream.isatty()


def test_errors_of_the_work_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_announce_compilation", lambda: None)
    with pytest.raises(ZeroDivisionError):
        progress.run(lambda _: 1 // 0, "dividing")


def test_items_are_shown_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_announce_compilation", lambda: None)

    def give_all(_: progress.Report, give: Callable[[int], None]) -> None:
        for item in range(5):
            give(item)

    shown: list[int] = []
    progress.run_listening(give_all, "giving", shown.append)
    assert shown == [0, 1, 2, 3, 4]


# --- the process ---


def test_a_program_can_drive_the_engine_through_a_pipe_until_ctrl_c() -> None:
    process = start("best", "-", "--json")
    assert process.stdin is not None
    assert process.stdout is not None
    for _ in range(3):
        process.stdin.write(CLOSED.encode() + b"\n")
        assert json.loads(process.stdout.readline())["best"] == "Kh"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err


def test_ctrl_c_ends_an_analysis_and_keeps_what_was_printed() -> None:
    process = start("best", "-", "--time", "60")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{CLOSED}\n{START}\n".encode())
    assert process.stdout.readline() == b"Kh\n"
    time.sleep(0.5)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - begin < 10
    assert process.returncode == 130
    assert b"Traceback" not in err


def test_a_closed_pipe_ends_quietly() -> None:
    process = start("best", "-")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(CLOSED.encode() + b"\n")
    process.stdout.readline()
    process.stdout.close()
    process.stdin.write(CLOSED.encode() + b"\n")
    process.stdin.close()
    assert process.stderr is not None
    assert b"rror" not in process.stderr.read()
    assert process.wait() == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
def test_a_full_disk_is_told_in_one_line() -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "sixtysix.cli", "rules"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.stderr.startswith(b"error: cannot write")
    assert done.stderr.count(b"\n") == 1
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("args", "unwanted"), [(["--help"], {"rich", "numpy", "numba"}), (["rules"], {"numba"}), (["best"], {"numba"})]
)
def test_what_is_not_needed_is_not_imported(args: list[str], unwanted: set[str]) -> None:
    code = (
        "import sys\n"
        "from sixtysix.cli.app import app\n"
        "try:\n    app.main(sys.argv[1:])\nfinally:\n    print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=False)
    assert not unwanted & set(done.stderr.splitlines())
