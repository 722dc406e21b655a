"""A Dask cluster on this machine, for the tests and measurements that need one."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.server import wait_for


@contextmanager
def cluster_of_two(folder: Path) -> Iterator[tuple[str, list["subprocess.Popen[bytes]"]]]:
    """Start a scheduler and two workers, each a process; yield the scheduler's address and the workers."""
    from solver.proofs.workers import workers_at  # noqa: PLC0415 - Dask is an optional extra

    file = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": os.environ | {"PYTHONPATH": "."}}
    local = ["--host", "127.0.0.1", "--no-dashboard"]
    with ExitStack() as stack:

        def dask(*arguments: str) -> "subprocess.Popen[bytes]":
            command = [sys.executable, "-m", "dask", *arguments, *local]
            process = stack.enter_context(subprocess.Popen(command, **quiet))  # type: ignore[call-overload]
            stack.callback(process.kill)
            return process  # type: ignore[no-any-return]

        dask("scheduler", "--port", "0", "--scheduler-file", str(file))
        wait_for(file.exists)
        alone = ["--nthreads", "1", "--no-nanny", "--local-directory", str(folder)]
        workers = [dask("worker", "--scheduler-file", str(file), *alone) for _ in range(2)]
        address = json.loads(file.read_text())["address"]
        wait_for(lambda: workers_at(address) == 2)
        yield address, workers
