"""Load tests take long and use both cores, so they run only if this folder is named, as by `make load`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.load.processes import Server, running

HERE = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore this folder unless an argument names it or something in it."""
    folder = config.invocation_params.dir
    named = [(folder / argument.partition("::")[0]).resolve() for argument in config.args]
    inside = HERE in (collection_path, *collection_path.parents)
    return True if inside and not any(HERE in (path, *path.parents) for path in named) else None


@pytest.fixture(scope="session")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server that nobody attacks, to compare others with at the same moment."""
    with running(tmp_path_factory.mktemp("idle")) as started:
        started.warm_up()
        yield started


@pytest.fixture
def server(tmp_path: Path, idle: Server) -> Iterator[Server]:
    """Start a warm server with two workers for each attack. Afterwards it must recover, and end when asked."""
    with running(tmp_path) as started:
        started.warm_up()
        yield started
        started.recover(idle)
