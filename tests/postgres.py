"""A cluster of a real PostgreSQL, by the programs of Debian's package."""

import getpass
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import psutil

PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), default=None)


class PostgreSQL:
    """A cluster in a folder, on a port of this machine. Its programs refuse to run as root."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.user = "postgres" if os.getuid() == 0 else getpass.getuser()
        self.url = f"postgresql+psycopg://{self.user}@127.0.0.1:{port}/postgres"

    def run(self, program: str, *options: str) -> None:
        assert PROGRAMS is not None
        command = [str(PROGRAMS / program), *options]
        if os.getuid() == 0:
            command = ["setpriv", "--reuid", self.user, "--regid", self.user, "--clear-groups", *command]
        log = subprocess.DEVNULL
        subprocess.run(command, check=True, stdout=log, stderr=log, cwd=self.folder, timeout=120)

    def make(self) -> None:
        self.run("initdb", "-D", "data", "-A", "trust", "-E", "UTF8", "--no-sync")

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        self.run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def stop(self, how: str = "fast") -> None:
        self.run("pg_ctl", "-D", "data", "-w", "-m", how, "stop")

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Suspend all processes within the block; the system still accepts connections and bytes for them."""
        first = psutil.Process(int((self.folder / "data" / "postmaster.pid").read_text().split()[0]))
        first.suspend()  # first, so that it starts no others
        stopped = [first, *first.children()]
        for process in stopped:
            process.suspend()
        try:
            yield
        finally:
            for process in stopped:
                process.resume()


@contextmanager
def postgresql() -> Iterator[PostgreSQL]:
    """Run a cluster for as long as the block lasts."""
    folder = Path(mkdtemp(prefix="noughts-postgresql-"))  # pytest's own folders are closed to other users
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    cluster = PostgreSQL(folder, port)
    if os.getuid() == 0:
        shutil.chown(folder, cluster.user)
    cluster.make()
    cluster.start()
    try:
        yield cluster
    finally:
        cluster.stop("immediate")
        shutil.rmtree(folder)
