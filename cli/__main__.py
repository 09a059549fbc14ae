"""`python -m sixtysix.cli`: the command line without its entry point."""

from . import main

main()
