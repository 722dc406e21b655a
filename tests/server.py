"""A real server in a process of its own, as `noughts serve` starts it."""

import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def running_server(
    *options: str, command: tuple[str, ...] = (sys.executable, "-m", "solver"), wait: bool = True
) -> Iterator[str]:
    """Serves on a free port for as long as the block lasts; gives the address, without a slash at its end.

    Waits until it answers, if that is not said to be needless. At the end it has to stop when asked.
    """
    process = subprocess.Popen(
        [*command, "serve", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = re.search(r"http://\S+(?=/)", line)
        assert match, f"the server did not start: {line!r}"
        if wait:
            wait_until_it_answers(match.group())
        yield match.group()
    finally:
        process.terminate()
        process.communicate(timeout=60)


def wait_until_it_answers(address: str, path: str = "/healthz") -> None:
    """Waits for the first worker. Raises TimeoutError after two minutes."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{address}{path}", timeout=30):
                return
        except OSError:  # refused, or taken by nobody yet
            time.sleep(0.05)
    raise TimeoutError(f"{address} does not answer")
