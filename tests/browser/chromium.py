"""A Chromium for Playwright: from the PATH, else Debian's package if root, else Playwright's own download."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

PACKAGES = ("chromium-headless-shell", "chromium")
"""Debian's packages. The first has no window, is cheaper to run, and is not in every release."""

NAMES = (*PACKAGES, "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = (
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Options that keep Chromium from requests of its own."""

LOCK = Path(tempfile.gettempdir()) / f"noughts-chromium-{os.getuid()}.lock"
"""A file that is locked while a process looks for Chromium, so that no other finds half of one or installs a second."""


class NoBrowser(Exception):
    """No Chromium was found and none could be installed."""


@cache
def chromium() -> str | None:
    """Return the path of a Chromium, which is installed if need be; None stands for Playwright's download.

    Raises NoBrowser with a line on what was tried.
    """
    with _alone():
        if found := on_the_path():
            return found
        if os.geteuid() == 0 and shutil.which("apt-get"):
            succeeds(["apt-get", "update", "-qq"])
            install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "fonts-dejavu-core"]
            for package in PACKAGES:
                if succeeds([*install, package]) and (found := on_the_path()):
                    return found
        if succeeds([sys.executable, "-m", "playwright", "install", "chromium"]):
            return None
    raise NoBrowser(
        "The browser tests need Chromium: none is on the PATH, and neither Debian's package nor Playwright's download"
        " could be installed. Install Chromium and run the tests again."
    )


def options() -> list[str]:
    """Return Chromium's command-line options. Root cannot run it in its sandbox."""
    return [*OPTIONS, "--no-sandbox"] if os.geteuid() == 0 else [*OPTIONS]


def on_the_path(which: Callable[[str], str | None] = shutil.which) -> str | None:
    """Return the first Chromium on the PATH."""
    return next((path for name in NAMES if (path := which(name))), None)


def succeeds(command: Sequence[str]) -> bool:
    """Run a command silently and return whether it succeeded."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0


@contextmanager
def _alone() -> Iterator[None]:
    """Lock out other processes, such as other test workers."""
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
