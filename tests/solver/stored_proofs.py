"""Proofs for the tests of the store, and readers of its files."""

import logging
import multiprocessing
import random
import sqlite3
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from solver.board.notation import parse_rules
from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.board.rules import Rules
from solver.proofs.store import Store
from solver.search.exact import at_first

LARGE = parse_rules("8x8x5")
START = Position(LARGE)


def told(position: Position) -> Bounds:
    """Return bounds in place of a proof, different ones for almost every position."""
    canonical = position.canonical()
    return Bounds(-(canonical.x % 9000) - 1, canonical.o % 9000 + 1)


def opened(position: Position) -> dict[Position, Bounds]:
    """Return the positions after one move, one of each orbit, with their bounds before any search."""
    return {after: at_first(after) for after in (position.after(orbit[0]) for orbit in position.orbits())}


def proofs(seed: int, count: int, rules: Rules = LARGE) -> dict[Position, Bounds]:
    """Return proofs of positions of random games."""
    return {position: told(position) for position in islice(walk(random.Random(seed), rules), count)}


def walk(chance: random.Random, rules: Rules) -> Iterator[Position]:
    while True:
        position = Position(rules)
        while position.legal_moves and position.plies_left > rules.size - 10:
            position = position.after(chance.choice(position.legal_moves))
            yield position


@cache
def many() -> dict[Position, Bounds]:
    """Return proofs that fill some dozen pages of a database."""
    return proofs(0, 1000)


def troubles(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the texts of the warnings."""
    assert {(record.name, record.levelno) for record in caplog.records} <= {("noughts", logging.WARNING)}
    return [record.getMessage() for record in caplog.records]


def only_trouble(caplog: pytest.LogCaptureFixture) -> str:
    """Return the text of the only warning."""
    (trouble,) = troubles(caplog)
    return trouble


def kept(path: Path) -> None:
    """Make a cache with the bounds 0 and 5 of the empty board."""
    with Store(path) as store:
        store.keep({START: Bounds(0, 5)})


def rows(path: Path) -> list[tuple[str, int, int, int, int]]:
    """Return everything in a file, which must be sound."""
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return connection.execute("SELECT board, x, o, lower, upper FROM proof").fetchall()
    finally:
        connection.close()


def in_a_fork(action: Callable[[], None]) -> None:
    """Call a function in a forked process, which must succeed."""
    process = multiprocessing.get_context("fork").Process(target=action, daemon=True)
    process.start()
    process.join(60)
    assert process.exitcode == 0
