"""What holds for all tests."""

import signal

# A shell starts background jobs with Ctrl-C ignored, and the programs under test would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
