"""Self-play kept, chances checked against results, corrections, and networks trained on it."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sixtysix.calibration import Correction
from sixtysix.cli.app import app
from sixtysix.decisions import DECISION, DecisionLog, Setup, play_deals
from sixtysix.reliability import Stage, stages_of
from sixtysix.rules import Rules
from sixtysix.stages import CLOSES, DEFENDER, GONE, OPEN, stage_of
from sixtysix.training import train

FAST = "guided:iterations=40"


def command(*args):
    return CliRunner().invoke(app, [str(arg) for arg in args])


def stage(chances, outcomes):
    return Stage("12", "guided", np.arange(len(outcomes)), np.array(chances, float), np.array(outcomes))


def singles(stated):
    """Chances to win or lose one game point."""
    return [[0, 0, 1 - win, 0, win, 0, 0] for win in stated]


def test_calibration_error_and_brier_of_a_small_case():
    measured = stage(singles([0.25, 0.25, 0.75, 0.75]), [-1, 1, 1, 1])
    assert measured.calibration_error == pytest.approx(0.25)
    assert measured.brier == pytest.approx((0.0625 + 0.5625 + 0.0625 + 0.0625) / 4)
    assert [(round(p, 2), w, n) for p, w, n in measured.bins if n] == [(0.25, 0.5, 2), (0.75, 1.0, 2)]


def test_a_known_bias_is_found_and_mended():
    rng = np.random.default_rng(1)
    stated = rng.dirichlet([1.0, 2.0, 2.0, 0.5, 2.0, 2.0, 1.0], 40_000)
    bias = Correction((-0.5, 0.4, 0.3, -0.6, 0.2, -0.3, -0.8), 0.7)
    true = bias.of(stated)
    outcomes = (true.cumsum(axis=1) < rng.random((40_000, 1))).sum(axis=1) - 3
    measured = stage(stated, outcomes)
    fitted = measured.fit()
    # A shift common to all outcomes changes nothing. Six standard errors: about 0.012 for a shift, 0.007 for the slope.
    shifts = np.array(fitted.shifts) - np.mean(fitted.shifts) + np.mean(bias.shifts)
    assert shifts == pytest.approx(np.array(bias.shifts), abs=0.08)
    assert fitted.slope == pytest.approx(0.7, abs=0.05)
    mended = measured.cross_corrected()
    assert measured.calibration_error > 0.05
    assert mended.calibration_error < 0.015
    assert mended.brier < measured.brier
    assert abs(measured.points[0] - measured.points[1]) > 0.1
    assert mended.points[0] == pytest.approx(mended.points[1], abs=0.06)  # six standard errors of the mean outcome


def test_a_correction_keeps_what_is_impossible_and_what_is_certain():
    correction = Correction((-0.4, 0.1, 0.0, 0.2, 0.3, -0.2, 0.5), 0.9)
    mended = correction.of(np.array([[0.1, 0.2, 0.1, 0.0, 0.4, 0.1, 0.1], [0, 0, 1, 0, 0, 0, 0]]))
    assert mended.sum(axis=1) == pytest.approx(1)
    assert mended[0, 3] == 0
    assert np.array_equal(mended[1], [0, 0, 1, 0, 0, 0, 0])
    # Odds of two outcomes: raised to the slope, times the difference of their shifts.
    assert mended[0, 4] / mended[0, 2] == pytest.approx(4**0.9 * np.exp(0.3))
    assert Correction((0.0,) * 7, 1.0).of(mended) == pytest.approx(mended)


def test_stages():
    assert [stage_of(kind, 6) for kind in (OPEN, CLOSES, DEFENDER, GONE)] == ["6", "closing", "defender", None]


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("log") / "log.npz"
    done = command(
        "selfplay", path, "--rules", "schnapsen", "--player", FAST, "--deals", 40, "--explore", 0.1, "--jobs", 2
    )
    assert done.exit_code == 0, done.output
    assert "40 deals" in done.stdout
    return path


def test_a_log_repeats_itself_for_any_number_of_jobs(log):
    kept = DecisionLog.load(log)
    decisions, results = play_deals(Setup(FAST, Rules.preset_named("schnapsen"), 1, 0.1), range(40))
    assert np.array_equal(kept.results, results)
    for name in DECISION.names:
        assert np.array_equal(kept.decisions[name], decisions[name], equal_nan=name in ("chances", "values")), name


def test_a_log_holds_together(log):
    kept = DecisionLog.load(log)
    rows = kept.decisions
    assert kept.about["rules"] == "schnapsen"
    assert np.array_equal(np.where(rows["leads"], 1, -1) * rows["outcome"], kept.results[rows["deal"]])
    stated = ~np.isnan(rows["chances"][:, 0])
    assert rows["chances"][stated].sum(axis=1) == pytest.approx(1, abs=1e-4)
    drawing = np.isin(rows["kind"], (OPEN, CLOSES))
    assert np.array_equal(rows["features"][:, 0] >= 0, drawing)
    assert (rows["talon"][rows["kind"] == GONE] == 0).all()
    assert sum(one.size for one in stages_of(kept)) <= stated.sum()


def test_calibrate_prints_draws_and_fits(log, tmp_path):
    picture, fit = tmp_path / "r.svg", tmp_path / "fit.json"
    done = command("calibrate", log, "--picture", picture, "--fit", fit)
    assert done.exit_code == 0, done.output
    assert "schnapsen; guided:iterations=40 against itself; 40 deals" in done.stdout
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert json.loads(fit.read_text(encoding="utf-8"))["deals"] == 40
    document = json.loads(command("calibrate", log, "--json").stdout)
    total = document["stages"][-1]
    assert total["stage"] == "all"
    assert total["decisions"] == sum(row["decisions"] for row in document["stages"][:-1])
    assert sum(one["decisions"] for one in total["bins"]) == total["decisions"]


def test_a_network_learns_and_training_repeats_itself(log, tmp_path):
    kept = DecisionLog.load(log)
    layers, report = train([kept], Rules.preset_named("schnapsen"), 1, playouts=4000)
    again, _ = train([kept], Rules.preset_named("schnapsen"), 1, playouts=4000)
    assert all(np.array_equal(one, other) for one, other in zip(layers, again, strict=True))
    chance = np.log(7)  # of an outcome guessed
    assert report.outcome_loss < chance
    done = command("train", log, "--playouts", 4000, "--out", tmp_path / "n.npz")
    assert done.exit_code == 0, done.output
    assert f"{report.outcome_loss:.4f} nats" in done.stdout


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["selfplay", "x.npz", "--player", "rule"], "states no chances"),
        (["selfplay", "x.npz", "--player", "nobody"], "there is no player nobody"),
        (["selfplay", "x.npz", "--deals", "0"], "1 to"),
        (["calibrate", "no-such-file.npz"], "no-such-file.npz"),
        (["train", "no-such-file.npz", "--out", "n.npz"], "no-such-file.npz"),
    ],
)
def test_bad_usage_is_told_in_one_line(args, named):
    done = command(*args)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert named in done.stderr


def test_a_few_deals_are_not_trained_on(tmp_path):
    assert command("selfplay", tmp_path / "few.npz", "--player", FAST, "--deals", 2).exit_code == 0
    done = command("train", tmp_path / "few.npz", "--out", tmp_path / "n.npz")
    assert done.exit_code == 2
    assert done.stderr == "error: FILE: 2 deals of self-play are too few to learn from, 20 are due\n"
    assert not (tmp_path / "n.npz").exists()
