"""An arena's results on disk: written while it runs, and read to go on where it ended."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from .duel import Contest, Game, Round
from .echo import quoted

SAVE_SECONDS = 1.0  # between two savings, at least
SAVE_SHARE = 20  # and that many times what a saving takes


class RunFileError(ValueError):
    """A file that cannot be read or written, or that holds something else."""


class RunFile:
    """A JSON file with a contest's settings, its summary and all its rounds."""

    def __init__(self, path: Path, contest: Contest) -> None:
        """Read what the file holds of this contest, if it is there.

        Raises RunFileError if it holds another contest or anything else.
        """
        self.path = path
        self._settings = _settings_of(contest)
        self._due = monotonic() + SAVE_SECONDS
        self.rounds: dict[int, Round] = {played.number: played for played in self._read()}

    def _read(self) -> Iterable[Round]:
        text = read_text(self.path)
        if text is None:
            return []
        try:
            document = json.loads(text)
            found = {key: document[key] for key in self._settings}
            rounds = [_round_of(entry) for entry in document["rounds"]]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise RunFileError(f"{quoted(str(self.path))} holds no results of an arena: name another file") from None
        check_settings(self.path, found, self._settings)
        return rounds

    def save_if_due(self, summary: Mapping[str, Any]) -> None:
        """Save unless that was done a moment ago. Raises RunFileError."""
        if monotonic() >= self._due:
            self.save(summary)

    def save(self, summary: Mapping[str, Any]) -> None:
        """Write the summary and all rounds, so that the file is whole at any moment. Raises RunFileError."""
        start = monotonic()
        rounds = [_json_of(self.rounds[number]) for number in sorted(self.rounds)]
        write_json(self.path, {**self._settings, "summary": summary, "rounds": rounds})
        self._due = monotonic() + max(SAVE_SECONDS, SAVE_SHARE * (monotonic() - start))


def read_text(path: Path) -> str | None:
    """Return what a file holds, None if it is not there. Raises RunFileError."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise RunFileError(f"cannot read {quoted(str(path))}: {_reason(error)}") from None


def write_json(path: Path, document: Mapping[str, Any], indent: int | None = None) -> None:
    """Write an object so that the file is whole at any moment. Raises RunFileError."""
    scratch = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with scratch.open("w", encoding="utf-8") as stream:
            json.dump(document, stream, indent=indent)
            stream.write("\n")
        os.replace(scratch, path)
    except OSError as error:
        scratch.unlink(missing_ok=True)
        raise RunFileError(f"cannot write {quoted(str(path))}: {_reason(error)}") from None


def check_settings(path: Path, found: Mapping[str, Any], due: Mapping[str, Any]) -> None:
    """Raise RunFileError if a file's results were made with other settings than are due."""
    for key, value in due.items():
        if found[key] != value:
            shown = f"{key} is {quoted(str(found[key]))}, not {quoted(str(value))}"
            raise RunFileError(f"{quoted(str(path))} holds another run ({shown}): name another file")


def _settings_of(contest: Contest) -> dict[str, Any]:
    """What must be the same for results to belong together; players with every option written out."""
    from . import __version__

    a, b = contest.players()
    return {
        "version": __version__,
        "a": a.text,
        "b": b.text,
        "rules": contest.rules.text,
        "seed": contest.seed,
        "match": contest.match,
    }


def _json_of(played: Round) -> dict[str, Any]:
    return {
        "number": played.number,
        "a_first": [game.to_json() for game in played.a_first],
        "b_first": [game.to_json() for game in played.b_first],
    }


def _round_of(entry: Any) -> Round:
    """Return the round of a JSON object. Raises KeyError, TypeError or ValueError if it is none."""
    a_first, b_first = (tuple(Game.from_json(game) for game in entry[key]) for key in ("a_first", "b_first"))
    if not isinstance(entry["number"], int) or not a_first or not b_first:
        raise ValueError("no round")
    return Round(entry["number"], a_first, b_first)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
