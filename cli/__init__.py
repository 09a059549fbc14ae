"""The command line `sixtysix`: it parses words, calls the engine and renders its answers."""

STOPPED = 130
"""Exit status after Ctrl-C."""


def main() -> None:
    """Run the command line and end the process."""
    try:
        from .app import app

        app.main()
    except KeyboardInterrupt:
        pass
    except SystemExit as leaving:
        if leaving.code != STOPPED:
            raise
    _stop_at_once()


def _stop_at_once() -> None:
    """End the process after Ctrl-C without waiting for the engine's threads."""
    import os
    import signal
    import sys
    from contextlib import suppress

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            if stream is sys.stderr and stream.isatty():
                stream.write("\n")  # the terminal has shown ^C
            stream.flush()
    os._exit(STOPPED)
