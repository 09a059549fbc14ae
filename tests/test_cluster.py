"""Jobs on a Dask cluster: a real scheduler and two workers on the loopback address, one of them killed."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from sixtysix import Rules
from sixtysix.arena import Arena, Limit
from sixtysix.cli.app import app
from sixtysix.duel import Contest, play_rounds
from sixtysix.executors import DaskPool, WorkersError
from sixtysix.tally import Tally

distributed = pytest.importorskip("distributed", reason="needs the extra sixtysix[cluster]")

CONTEST = Contest("pimc:worlds=2", "rule", Rules.preset_named("schnapsen"), 1)


class Cluster:
    """A scheduler and workers, each a process of its own; they import this directory too."""

    def __init__(self, directory: Path) -> None:
        self._processes: list[subprocess.Popen[bytes]] = []
        file = directory / "scheduler.json"
        self._start("scheduler", "--port", "0", "--scheduler-file", str(file))
        self.address = _eventually(lambda: json.loads(file.read_text())["address"])

    def start_worker(self) -> subprocess.Popen[bytes]:
        """Start one more worker."""
        return self._start("worker", self.address, "--nthreads", "1", "--no-nanny")

    def _start(self, what: str, *options: str) -> subprocess.Popen[bytes]:
        module = f"distributed.cli.dask_{what}"
        path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
        process = subprocess.Popen(
            [sys.executable, "-m", module, "--host", "127.0.0.1", "--no-dashboard", *options],
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )
        self._processes.append(process)
        return process

    def stop(self) -> None:
        """End all processes."""
        for process in reversed(self._processes):
            process.kill()
            process.wait()


def _eventually(read):  # type: ignore[no-untyped-def]
    """Return what `read` returns once it does; give up after a minute."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return read()
        except (OSError, ValueError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler without workers."""
    running = Cluster(tmp_path)
    yield running
    running.stop()


def wait_for(pool: DaskPool, workers: int) -> None:
    """Wait until a cluster has so many workers, a minute at most."""
    deadline = time.monotonic() + 60
    while pool.workers < workers and time.monotonic() < deadline:
        time.sleep(0.05)


def slow_job(job: tuple[int, str]) -> tuple[int, int]:
    """Write down that this process has begun a job; take a while; return the job's number and the process."""
    number, log = job
    with open(log, "a") as stream:
        stream.write(f"{number} {os.getpid()}\n")
    time.sleep(0.3)
    return number, os.getpid()


def test_a_job_is_repeated_when_its_worker_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    """Kill a worker while a job of its is under way: another one does the job, and no result is missing."""
    workers = [cluster.start_worker() for _ in range(2)]
    log = tmp_path / "log"
    jobs = [(number, str(log)) for number in range(12)]
    results = []
    with DaskPool(cluster.address) as pool:
        wait_for(pool, 2)
        for result in pool.in_order(slow_job, jobs):
            results.append(result)
            begun = [tuple(map(int, line.split())) for line in log.read_text().splitlines()]
            done = {number for number, _ in results}
            if workers[0].poll() is None and any(pid == workers[0].pid and n not in done for n, pid in begun):
                workers[0].kill()
                workers[0].wait()
    assert workers[0].poll() is not None
    assert [number for number, _ in results] == list(range(12))
    begun = [tuple(map(int, line.split())) for line in log.read_text().splitlines()]
    assert len(begun) > 12  # the job under way was begun twice
    assert {pid for _, pid in begun} == {worker.pid for worker in workers}


def test_a_run_on_a_cluster_gives_the_same_result_though_a_worker_dies(cluster: Cluster) -> None:
    workers = [cluster.start_worker() for _ in range(2)]
    seen: list[float] = []

    def kill_one(fraction: float) -> None:
        seen.append(fraction)
        if fraction > 0.2:
            workers[1].kill()

    with DaskPool(cluster.address) as pool:
        wait_for(pool, 2)
        tally = Arena(CONTEST, Limit(30)).run(pool, kill_one)
    assert workers[1].wait(10) != 0
    assert seen == sorted(seen)
    expected = Tally(CONTEST)
    for played in play_rounds(CONTEST, range(30))[0]:
        expected.add(played)
    assert tally.points == expected.points
    assert [side.wins for side in tally.sides] == [side.wins for side in expected.sides]
    assert [side.decisions for side in tally.sides] == [side.decisions for side in expected.sides]


def test_the_command_plays_on_a_cluster(cluster: Cluster) -> None:
    cluster.start_worker()
    args = ["arena", CONTEST.a, CONTEST.b, "--rules", "schnapsen", "--deals", "3", "--json"]
    far = CliRunner().invoke(app, [*args, "--dask", cluster.address])
    assert far.exit_code == 0, far.output
    near = CliRunner().invoke(app, [*args, "--jobs", "1"])
    timed = ("a_seconds", "b_seconds")
    documents = [json.loads(result.stdout) for result in (far, near)]
    assert len({json.dumps({k: v for k, v in document.items() if k not in timed}) for document in documents}) == 1
    args = ["outcomes", "--player", "rule", "--deals", "12", "--json"]
    far, near = (CliRunner().invoke(app, [*args, *where]) for where in (["--dask", cluster.address], ["--jobs", "1"]))
    assert far.exit_code == 0, far.output
    assert far.stdout == near.stdout


@pytest.mark.parametrize("command", [["analyze", "--json"], ["best"]])
def test_a_batch_is_analyzed_on_a_cluster(command: list[str], cluster: Cluster, tmp_path: Path) -> None:
    """Answers and errors come in the order of the file, the same as here."""
    cluster.start_worker()
    lines = ["hand=AKQh,9s,TJc up=Ad", "# nothing", "hand=AKQh up=Ad", "rules=schnapsen hand=AKQh,TJc up=Ad"]
    file = tmp_path / "positions.txt"
    file.write_text("\n".join(lines))
    args = [*command, "-f", str(file), "--worlds", "20"]
    near, far = (CliRunner().invoke(app, [*args, *more]) for more in ([], ["--dask", cluster.address]))
    assert far.exit_code == near.exit_code == 1, far.output
    assert _without_seconds(far.stdout) == _without_seconds(near.stdout)
    assert len(far.stdout.splitlines()) == 3


def _without_seconds(text: str) -> str:
    return re.sub(r'"seconds": [0-9.]+', "", text)


def test_a_cluster_is_for_a_file() -> None:
    for args in (["hand=AKQh,9s,TJc", "up=Ad"], ["-"]):
        result = CliRunner().invoke(app, ["analyze", *args, "--dask", "tcp://127.0.0.1:1"])
        assert result.exit_code == 2
        assert "-f FILE" in result.stderr


def test_a_cluster_without_workers_or_scheduler_is_told_of(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sixtysix.executors.PATIENCE", 0.5)
    with pytest.raises(WorkersError, match="has no workers"):
        DaskPool(cluster.address)
    with pytest.raises(WorkersError, match="no Dask scheduler answers at tcp:"):
        DaskPool("tcp://127.0.0.1:1")
    with pytest.raises(WorkersError, match="no Dask scheduler answers at nonsense"):
        DaskPool("nonsense://x")


@pytest.mark.slow
def test_the_death_of_the_scheduler_is_told_of(cluster: Cluster, tmp_path: Path) -> None:
    cluster.start_worker()
    jobs = [(number, str(tmp_path / "log")) for number in range(60)]
    with DaskPool(cluster.address) as pool:
        results = pool.completed(slow_job, jobs)
        next(results)
        cluster.stop()
        with pytest.raises(WorkersError, match="is gone"):
            list(results)
