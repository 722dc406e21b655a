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


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Start a warm server with two workers for each attack."""
    with running(tmp_path) as started:
        started.warm_up()
        yield started
