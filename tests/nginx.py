"""A real nginx, set up by `deploy/nginx.conf`, in front of a server."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.server import wait_for

CONFIGURATION = Path(__file__).parents[1] / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_up(port: int) -> bool:
    """Return whether a process listens at a port."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


@contextmanager
def nginx_before(address: str, folder: Path, port: int, changes: Mapping[str, str], http: str = "") -> Iterator[None]:
    """Run nginx in front of the server at an address until the block ends. Skip the test where there is no nginx.

    `changes` are the places of the file that differ here, such as ports; at `port` it must listen in the end. `http`
    are more lines for its http block.
    """
    if NGINX is None or shutil.which("openssl") is None:
        if os.environ.get("CI"):
            pytest.fail("CI installs nginx")
        pytest.skip("there is no nginx here")
    text = CONFIGURATION.read_text(encoding="utf-8")
    for shown, real in {"/var/log/nginx": f"{folder}", "127.0.0.1:8000": address[7:], **changes}.items():
        assert shown in text
        text = text.replace(shown, real)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"pid {folder}/pid; error_log {folder}/error.log; daemon off; master_process off;"
        f" events {{ worker_connections 16384; }} http {{ access_log off; {temporary} {http} {text} }}"
    )
    process = subprocess.Popen([NGINX, "-c", str(folder / "nginx.conf"), "-p", str(folder)])
    try:
        wait_for(lambda: process.poll() is not None or is_up(port))
        assert process.poll() is None, (folder / "error.log").read_text()
        yield
    finally:
        process.terminate()
        process.wait(60)
