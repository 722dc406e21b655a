"""`python -m solver`: the same command line as `noughts`."""

import sys

from solver.cli import main

if __name__ == "__main__":  # not in child processes, which import it under another name
    sys.exit(main())
