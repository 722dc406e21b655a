"""A thousand live games, each with two pages that get news of every move, beside innocents who only play."""

import asyncio
import os
import random
import resource
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from statistics import median

from solver.board.notation import format_cell, parse_rules
from solver.board.position import Position
from tests.load import SECONDS, innocents
from tests.load.innocents import P99, Crowd, Innocents, p99
from tests.load.machine import undisturbed
from tests.load.processes import Server, running, watched
from tests.load.wire import Connection, exchange

GAMES = int(os.environ.get("LOAD_GAMES", "1000"))
MOVES = float(os.environ.get("LOAD_MOVES", "50"))
"""Moves a second in all games together: twenty seconds between two moves of a game."""

TOGETHER = 16
"""Requests under way at a time while the games are made."""

RULES = parse_rules("6x6x6")
LATE = 1.0
"""Seconds within which the other side gets the news of a move."""


@dataclass
class Side:
    """One player: the cookie, the last tag of the page, and an event for a new one."""

    cookie: str = ""
    told: bytes = b""
    heard: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Table:
    """A game, its address, and the moves so far."""

    source: str
    path: str = ""
    position: Position = field(default_factory=lambda: Position(RULES))
    sides: tuple[Side, Side] = field(default_factory=lambda: (Side(), Side()))


@dataclass
class Times:
    """The seconds of each kind of step, and the failures."""

    move: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    page: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        parts = []
        for name in ("move", "heard", "page"):
            if times := getattr(self, name):
                figures = (median(times), p99(times), max(times))
                parts.append(f"{name} {len(times)} " + "/".join(f"{1000 * each:.0f}" for each in figures))
        return f"{', '.join(parts)} ms; {len(self.failures)} failed {self.failures[:3]}"


async def ask(port: int, table: Table, line: str, cookie: str = "", body: str = "") -> tuple[int, dict[str, str]]:
    """Return the status and the headers of an answer."""
    form = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n" if body else ""
    seat = f"Cookie: {cookie}\r\n" if cookie else ""
    htmx = "HX-Request: true\r\nHX-Request-Type: partial\r\nAccept-Encoding: gzip\r\n" if cookie else ""
    request = f"{line} HTTP/1.1\r\nHost: localhost\r\n{form}{seat}{htmx}\r\n{body}"
    answer = await exchange(port, request.encode(), table.source)
    return answer.status, answer.headers


async def sit(port: int, table: Table) -> None:
    """Make the game, whose host has a seat, and have the friend join."""
    for side, form in zip(table.sides, (f"board={RULES}", "do=join"), strict=True):
        status, headers = await ask(port, table, f"POST {table.path or '/live'}", body=form)
        assert status == 303, status
        table.path = headers["location"]
        side.cookie = headers["set-cookie"].partition(";")[0]


async def listen(port: int, table: Table, side: Side) -> None:
    """Hold a stream open, and open another one when it ends, as browsers do."""
    while True:
        head = f"GET {table.path}/news HTTP/1.1\r\nHost: localhost\r\nCookie: {side.cookie}\r\n\r\n"
        with suppress(OSError), closing(await Connection.to(port, table.source)) as connection:
            await connection.send(head.encode())
            while data := await connection.receive():
                told = data.rpartition(b"data:")[2]
                if told not in (data, side.told):  # else a breath
                    side.told = told
                    side.heard.set()
        await asyncio.sleep(0.5)


async def move(port: int, table: Table, times: Times) -> None:
    """Make a move, wait for its news at the other side, and ask for the page there."""
    position = table.position
    cell = random.choice(position.legal_moves)
    ply = RULES.size - position.plies_left
    mover, other = (table.sides, table.sides[::-1])[ply % 2]
    other.heard.clear()
    began = time.monotonic()
    try:
        async with asyncio.timeout(10):
            body = f"at=0.{ply}&cell={format_cell(cell, RULES)}"
            status, _ = await ask(port, table, f"POST {table.path}", mover.cookie, body)
            times.move.append(time.monotonic() - began)
            if status != 200:
                times.failures.append(f"move {status}")
                return
            table.position = position.play(cell)
            await other.heard.wait()
            times.heard.append(time.monotonic() - began)
            began = time.monotonic()
            status, _ = await ask(port, table, f"GET {table.path}?seen={ply}", other.cookie)
            times.page.append(time.monotonic() - began)
            if status != 200:
                times.failures.append(f"page {status}")
    except (TimeoutError, OSError, EOFError, ValueError) as error:
        times.failures.append(type(error).__name__)


async def play(server: Server, seconds: float) -> tuple[Times, list[innocents.Record]]:
    sources = [f"127.{1 + number // 250}.{number % 250}.1" for number in range(GAMES // 20 + 1)]
    tables = [Table(source) for source, _ in zip(cycle(sources), range(GAMES), strict=False)]
    room = asyncio.Semaphore(TOGETHER)

    async def seated(table: Table) -> None:
        async with room:
            await sit(server.port, table)

    await asyncio.gather(*map(seated, tables))
    streams = []
    for table in tables:
        streams += [asyncio.create_task(listen(server.port, table, side)) for side in table.sides]
        await asyncio.sleep(0.005)
    times = Times()
    visitors = await asyncio.to_thread(Innocents, Crowd(server.port, seconds))
    began, moves = time.monotonic(), []
    order = cycle(tables)
    for number in range(round(seconds * MOVES)):
        await asyncio.sleep(began + number / MOVES - time.monotonic())
        table = next(order)
        if table.position.result is None:
            moves.append(asyncio.create_task(move(server.port, table, times)))
    await asyncio.gather(*moves)
    records = await asyncio.to_thread(visitors.wait)
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    return times, records


def check(found: tuple[Times, list[innocents.Record]]) -> None:
    """Assert that nothing failed and everything came in time."""
    times, records = found
    assert times.failures == []
    innocents.check(records)
    assert p99(times.move) <= P99
    assert p99(times.page) <= P99
    assert p99(times.heard) <= LATE


def test_a_thousand_live_games_keep_nobody_waiting(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4 * GAMES)), hard))
    folders = count()

    def played() -> tuple[Times, list[innocents.Record]]:
        with running(tmp_path / str(next(folders))) as server:
            server.warm_up()
            with watched(server) as watch:
                spent = server.cpu_seconds()
                times, records = asyncio.run(play(server, SECONDS))
                spent = server.cpu_seconds() - spent
        print(f"\n{GAMES} live games, {MOVES:.0f} moves/s: {times}; {innocents.figures(records)};")
        print(f"peak {watch.peak >> 20} MiB, {spent:.1f} s of CPU")
        return times, records

    check(undisturbed(played, check))
