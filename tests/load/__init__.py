"""Load tests: a real server under attack from outside, over loopback only. `make load` runs them."""

import os
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent.parent

SECONDS: Final = float(os.environ.get("LOAD_SECONDS", "20"))
"""Seconds that each attack lasts."""

SOAK: Final = float(os.environ.get("LOAD_SOAK", "600"))
"""Seconds of the test with links that are never repeated."""

KILLS: Final = int(os.environ.get("LOAD_KILLS", "300"))
"""The number of proving commands that are killed."""

FUZZ: Final = int(os.environ.get("LOAD_FUZZ", "100000"))
"""The number of malformed requests."""
