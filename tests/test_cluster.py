"""The arena on a Dask cluster: a real scheduler and two workers on the loopback address, one of them killed."""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest
from sixtysix import Rules
from sixtysix.arena import Arena, Limit
from sixtysix.duel import Contest
from sixtysix.executors import DaskPool, LocalPool, WorkersError

pytest.importorskip("distributed", reason="the extra sixtysix[cluster] is not installed")


@pytest.fixture
def cluster():
    """The address of a scheduler, and its two worker processes."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    options = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    scheduler = subprocess.Popen([*command, *options], **quiet)
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address]
    options = ["--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    workers = [subprocess.Popen([*command, *options], **quiet) for _ in range(2)]
    yield address, workers
    for process in (*workers, scheduler):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def numbers(tally):
    return {key: value for key, value in tally.to_json().items() if not key.endswith("seconds")}


def test_same_results_though_a_worker_dies(cluster):
    address, workers = cluster
    contest = Contest("ismcts:iterations=400", "rule", Rules.preset_named("schnapsen"), seed=2)
    with DaskPool(address) as pool:
        give_up = time.monotonic() + 20
        while pool.workers < 2 and time.monotonic() < give_up:
            time.sleep(0.1)
        assert pool.workers == 2
        fractions = []

        def report(fraction):
            fractions.append(fraction)
            if fraction > 0.1 and workers[0].poll() is None:
                os.killpg(workers[0].pid, signal.SIGKILL)

        far = Arena(contest, Limit(60)).run(pool, report)
    assert workers[0].wait() != 0
    assert fractions[-1] > 0
    with LocalPool(2) as pool:
        near = Arena(contest, Limit(60)).run(pool)
    assert numbers(far) == numbers(near)


def test_no_scheduler_is_said_in_one_line(monkeypatch):
    monkeypatch.setattr("sixtysix.executors.PATIENCE", 1)
    with pytest.raises(WorkersError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        DaskPool("tcp://127.0.0.1:9")
