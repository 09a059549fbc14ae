"""`sixtysix calibrate`: whether the chances stated in self-play came true."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .errors import InputError
from .options import json_option
from .output import Screen, emit, emit_json

if TYPE_CHECKING:
    from rich.console import RenderableType
    from sixtysix.decisions import DecisionLog
    from sixtysix.reliability import Stage


@click.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--fit", type=click.Path(path_type=Path), metavar="FILE", help="Write the corrections that follow.")
@click.option("--picture", type=click.Path(path_type=Path), metavar="FILE", help="Draw a reliability diagram (SVG).")
@json_option
def calibrate(file: Path, fit: Path | None, picture: Path | None, as_json: bool) -> None:
    """Tell whether the chances to win that were stated in self-play came true, stage by stage.

    FILE is one that sixtysix selfplay wrote. For each stage: decisions, mean chance stated and share won, the expected
    calibration error (mean gap between the two in ten bins of stated chance) and the Brier score, as stated and once
    corrected by what the other half of the deals shows. A stage is a size of the talon, the choice to close, or the
    play of closer and defender after it.

    \b
    Example:
      sixtysix calibrate santase.npz --picture reliability.svg
    """
    from sixtysix.decisions import DecisionLog, DecisionLogError
    from sixtysix.reliability import save_corrections, stages_of

    try:
        log = DecisionLog.load(file)
    except DecisionLogError as error:
        raise InputError(f"FILE: {error}") from None
    stages = stages_of(log)
    if not stages:
        raise InputError(f"FILE: no decision with hidden cards in {file}")
    try:
        if fit is not None:
            save_corrections(fit, log)
        if picture is not None:
            picture.write_text(_picture(log, stages), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {error.filename}: {error.strerror}") from None
    rows = _rows(stages)
    if as_json:
        emit_json({**log.about, "deals": len(log.results), "stages": rows})
    else:
        screen = Screen.of_stdout()
        emit(screen.draw(*_parts(log, rows, screen)))


def _rows(stages: list[Stage]) -> list[dict[str, Any]]:
    """Return the figures of every stage, and of all together."""
    from sixtysix.reliability import whole

    mended = [stage.cross_corrected() for stage in stages]
    pairs = [*zip(stages, mended, strict=True), (whole(stages), whole(mended))]
    return [
        {
            "stage": raw.name,
            "judged": raw.manner,
            "decisions": raw.size,
            "stated": round(float(raw.stated.mean()), 4),
            "won": round(float(raw.won.mean()), 4),
            "error": round(raw.calibration_error, 4),
            "brier": round(raw.brier, 4),
            "points": round(raw.points[0], 4),
            "points_won": round(raw.points[1], 4),
            "corrected_error": round(after.calibration_error, 4),
            "corrected_brier": round(after.brier, 4),
            "corrected_points": round(after.points[0], 4),
            "bins": [{"stated": round(p, 4), "won": round(w, 4), "decisions": n} for p, w, n in raw.bins],
            "corrected_bins": [{"stated": round(p, 4), "won": round(w, 4), "decisions": n} for p, w, n in after.bins],
        }
        for raw, after in pairs
    ]


def _parts(log: DecisionLog, rows: list[dict[str, Any]], screen: Screen) -> list[RenderableType]:
    about = log.about
    table = screen.table(
        "stage", "judged", "decisions", "stated", "won", "error", "Brier", "corrected error", "Brier", wide=True
    )
    for row in rows:
        shares = (f"{100 * row[name]:.1f}%" for name in ("stated", "won"))
        figures = (f"{row[name]:.3f}" for name in ("error", "brier", "corrected_error", "corrected_brier"))
        table.add_row(*map(screen.plain, (row["stage"], row["judged"], f"{row['decisions']:,}", *shares, *figures)))
    line = f"{about['rules']}; {about['player']} against itself; {len(log.results):,} deals; seed {about['seed']}"
    return [screen.ink(screen.plain(line)), "", table]


def _picture(log: DecisionLog, stages: list[Stage]) -> str:
    from sixtysix.diagram import reliability_svg
    from sixtysix.reliability import whole

    drawn = [stage for stage in stages if stage.name.isdigit()]
    closings = [stage for stage in stages if not stage.name.isdigit()]
    plots = []
    for name, part in (("talon open", drawn), ("closing, and play after it", closings)):
        if part:
            plots.append((name, whole(part), whole([stage.cross_corrected() for stage in part])))
    about = log.about
    return reliability_svg(f"{about['rules']}: {len(log.results):,} deals of {about['player']} against itself", plots)
