"""Waiting for the engine: the notice of the first compilation, a progress bar, and Ctrl-C at any moment."""

import sys
import threading
from collections.abc import Callable
from functools import cache
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

if TYPE_CHECKING:
    from rich.progress import Progress

TICK = 0.1
"""Seconds between two looks at the work."""

PATIENCE = 1.0
"""Seconds of work before a progress bar appears."""

T = TypeVar("T")

Report = Callable[[float], None]
"""Takes the fraction done, 0 to 1."""


def run(work: Callable[[Report], T], label: str) -> T:
    """Run a piece of work of the engine and return its result, or raise what it raises."""
    return run_listening(lambda report, _: work(report), label, _ignore)


def run_listening(work: Callable[[Report, Callable[[Any], None]], T], label: str, show: Callable[[Any], None]) -> T:
    """Run a piece of work that yields items on its way; `show` prints each, with no progress bar in its way.

    The work runs on a thread of its own: the kernel is deaf to Ctrl-C, the main thread is not.
    """
    _announce_compilation()
    task = _Task(work)
    with Bar(label) as bar:
        while not task.done.wait(TICK):
            task.pass_items(show, bar)
            bar.update(task.fraction)
        task.pass_items(show, bar)
    return task.result()


class _Task(Generic[T]):
    """A piece of work on a thread of its own."""

    def __init__(self, work: Callable[[Report, Callable[[Any], None]], T]) -> None:
        self.done = threading.Event()
        self.fraction = 0.0
        self._items: SimpleQueue[Any] = SimpleQueue()
        self._results: list[T] = []
        self._error: BaseException | None = None
        threading.Thread(target=self._work, args=(work,), daemon=True).start()

    def _work(self, work: Callable[[Report, Callable[[Any], None]], T]) -> None:
        try:
            self._results.append(work(self._report, self._items.put))
        except BaseException as error:
            self._error = error
        finally:
            self.done.set()

    def _report(self, fraction: float) -> None:
        self.fraction = fraction

    def pass_items(self, show: Callable[[Any], None], bar: "Bar") -> None:
        """Show the items that have come since the last time."""
        while True:
            try:
                item = self._items.get_nowait()
            except Empty:
                return
            bar.hide()
            show(item)

    def result(self) -> T:
        """Return the result of the work that is done, or raise its error."""
        if self._error is not None:
            raise self._error
        return self._results[0]


class Bar:
    """A progress bar on standard error: on terminals only, after a second, and gone when the work is done."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._start = monotonic()
        self._wanted = sys.stderr is not None and sys.stderr.isatty()
        self._bar: Progress | None = None

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        self.hide()

    def update(self, fraction: float) -> None:
        """Show how much is done; nothing known yet is shown as movement."""
        if not self._wanted or monotonic() - self._start < PATIENCE:
            return
        if self._bar is None:
            self._bar = self._new_bar()
            self._bar.start()
        total = 1.0 if fraction > 0.0 else None
        self._bar.update(self._bar.task_ids[0], completed=fraction, total=total, refresh=True)

    def hide(self) -> None:
        """Take the bar off the screen."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _new_bar(self) -> "Progress":
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
        )
        bar.add_task(self._label, total=None)
        return bar


def _ignore(_: object) -> None:
    """Take no notice of an item."""


@cache
def _announce_compilation() -> None:
    """Say once why the first run is slow."""
    from sixtysix import kernel_ready

    if not kernel_ready():
        click.echo("compiling the search kernel (first run only, up to a minute) ...", err=True)
