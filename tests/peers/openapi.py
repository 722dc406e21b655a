"""Schemathesis: it asks a running server all that the description of the API allows, and what it does not."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.server import running_server
from webapp.api.description import DOCUMENT

BUSY_IS_NO_FAULT = """
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 503]
"""
"""Beside other work the server may have too much to do, so 503 is no fault; all other checks are as usual."""


def asked(most: int = 20) -> str:
    """Send up to `most` random requests to each operation; say how many. Raises AssertionError with what is wrong."""
    with tempfile.TemporaryDirectory() as folder, running_server() as address:
        configuration = Path(folder, "schemathesis.toml")
        configuration.write_text(BUSY_IS_NO_FAULT)
        program = [sys.executable, "-m", "schemathesis.cli", "--no-color", "--config-file", str(configuration), "run"]
        options = [f"{address}{DOCUMENT}", "--max-examples", str(most), "--seed", "1"]
        done = subprocess.run([*program, *options], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    counts = re.search(r"\d+ generated, \d+ passed", done.stdout)
    assert counts, f"no requests are counted in {done.stdout!r}"
    return f"requests: {counts[0]}"


CHECKS = {"the OpenAPI document of `noughts serve`": asked}
