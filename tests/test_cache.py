"""Where compiled code is kept: the user's cache, a fallback, and never a place that others can write to."""

import os
import subprocess
import sys

import pytest
from sixtysix.kernel import cache

needs_users = pytest.mark.skipif(not hasattr(os, "getuid"), reason="file owners exist on POSIX systems only")


@pytest.fixture
def chosen(monkeypatch, tmp_path):
    """The directory chosen when the user's cache is at `tmp_path / "home"` and the temporary one at "tmp"."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    return cache.cache_directory.__wrapped__


def test_the_users_cache_comes_first(chosen, tmp_path):
    assert (tmp_path / "home") in chosen().parents


def test_numbas_setting_comes_before_it(chosen, tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    assert (tmp_path / "numba") in chosen().parents


def test_a_place_that_cannot_be_made_is_passed_over(chosen, tmp_path):
    (tmp_path / "home").write_text("a file, not a directory")
    assert (tmp_path / "tmp") in chosen().parents


@needs_users
def test_a_directory_open_to_others_is_not_trusted(chosen, tmp_path):
    directory = chosen()
    (directory / "alphabeta.solve_batch.o").write_bytes(b"planted")
    directory.chmod(0o777)
    assert (tmp_path / "tmp") in chosen().parents


def test_a_filled_cache_is_used_though_an_earlier_place_is_empty(chosen, tmp_path, monkeypatch):
    filled = chosen()
    (filled / "alphabeta.solve_batch.o").write_bytes(b"compiled")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    assert chosen() == filled


def test_the_name_depends_on_the_sources(monkeypatch):
    before = cache._digest()
    monkeypatch.setattr("pathlib.Path.read_bytes", lambda path: b"edited")
    assert cache._digest() != before


def test_a_damaged_file_is_compiled_again():
    code = (
        "from sixtysix.kernel import cache, native, perft\n"
        "from pathlib import Path\n"
        "path = native._path(perft.perft)\n"
        "perft.perft.ready()\n"
        "path.write_bytes(b'nonsense')\n"
        "assert native._cached(perft.perft) is None\n"
        "perft.perft._native = None\n"
        "perft.perft.ready()\n"
        "assert native._cached(perft.perft) is not None\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
