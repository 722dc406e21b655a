"""Settings of all tests: they leave the user's proofs alone, and none fails for being slow."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from solver.proofs.store import default_store, shipped_books
from solver.proofs.study import study_of

os.environ["NOUGHTS_CACHE"] = "off"  # tests of the store name folders of their own
for name, most in {"few": 15, "some": 50, "many": 100}.items():
    settings.register_profile(name, deadline=None, max_examples=most)
settings.load_profile("few")  # `make test-all` asks for some, `make exhaustive` for many
# A shell's background job ignores interrupts, and so would every process that a test starts to interrupt it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def without_books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide the shipped books, so that nothing is known of the first moves of 8x8x5."""

    def forget() -> None:
        for remembered in (default_store, shipped_books, study_of):
            remembered.cache_clear()

    monkeypatch.setattr("solver.proofs.store.BOOKS", tmp_path / "no books")
    forget()
    yield
    forget()


def pytest_collection_finish() -> None:
    """Spare the garbage collector what lives until the end: thousands of tests, and the modules they import."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
