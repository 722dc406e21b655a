"""What holds for every test: it leaves its user's proofs alone, and is never failed for being slow."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from solver.proofs.store import default_store, shipped_books
from solver.proofs.study import study_of

LESSONS = re.compile(
    r"web/test_(compression|kept|lab|learn|pages|pictures|workshop)"
    r"|theory/test_(claims|crosstable|rulebooks|workshop)|tests/test_documents"
)
"""The files with tests of pages or claims that take long to compute."""

os.environ["NOUGHTS_CACHE"] = "off"  # those about the store name folders of their own
settings.register_profile("many", deadline=None)
settings.register_profile("few", deadline=None, max_examples=25)
settings.load_profile("few")  # `make test-all` asks for many
# A shell's background job ignores interrupts, and so would every process that a test starts to interrupt it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def without_books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No book is shipped, so that of the empty board and the first moves of 8x8x5 nothing is known either."""

    def forget() -> None:
        for remembered in (default_store, shipped_books, study_of):
            remembered.cache_clear()

    monkeypatch.setattr("solver.proofs.store.BOOKS", tmp_path / "no books")
    forget()
    yield
    forget()


class ByNeeds(LoadFileScheduling):  # type: ignore[misc]  # xdist tells no types
    """Gives each file of tests to one worker, and all about lessons or claims to the same, which computes them once."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return "lessons" if LESSONS.search(file) else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    """As `--dist loadfile` says, but by needs."""
    return ByNeeds(config, log) if config.getoption("dist") == "loadfile" else None
