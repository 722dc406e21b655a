"""`python -m solver`: the same command line as `noughts`."""

import sys

from solver.cli import main

sys.exit(main())
