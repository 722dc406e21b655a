"""Live games on servers whose processes die and restart: no confirmed move is lost or made twice."""

import os
import random
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psutil
import pytest

from solver.board.notation import parse_rules
from solver.board.position import Position
from tests.live import LiveTable, as_confirmed, played_together
from tests.server import wait_for
from tests.web.test_watcher import served

TABLES = 4


def anything(position: Position) -> int:
    return random.choice(position.legal_moves)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))
    return tmp_path


def tables(address: Callable[[], str]) -> list[LiveTable]:
    return [LiveTable(address, parse_rules("4x4x4")) for _ in range(TABLES)]


def is_played(tables: list[LiveTable], moves: int) -> bool:
    """Return whether this number of moves is confirmed in all games together."""
    return sum(len(table.confirmed) for table in tables) >= moves


@pytest.mark.slow
def test_processes_that_are_killed_again_and_again_lose_no_move_and_make_none_twice(folder: Path) -> None:
    with served(folder, "--workers", "2", "--provers", "0") as server:
        playing = tables(lambda: server.address)
        threads = played_together(playing, anything)
        for number in range(3):
            wait_for(partial(is_played, playing, 2 * TABLES * (number + 1)))
            for pid in server.children("page"):
                os.kill(pid, signal.SIGKILL)
        for thread in threads:
            thread.join()
        assert all(map(as_confirmed, playing))
        assert len(server.events("process-ended")) >= 3


@pytest.mark.slow
def test_a_server_that_is_killed_finds_its_games_again(folder: Path) -> None:
    with served(folder, "--provers", "0") as first:
        address = first.address
        playing = tables(lambda: address)
        threads = played_together(playing, anything)
        wait_for(partial(is_played, playing, 2 * TABLES))
        everyone = first.children("page")
        first.process.kill()
        wait_for(lambda: not any(map(psutil.pid_exists, everyone)))
    with served(folder, "--provers", "0") as second:
        address = second.address
        for thread in threads:
            thread.join()
        assert all(map(as_confirmed, playing))
