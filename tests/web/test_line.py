"""The line to the gate, and the threads of a page process that may wait for it. The tests are the gate."""

import asyncio
import pickle
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from solver.board.notation import parse_rules
from solver.board.position import Position
from solver.proofs.prediction import ProofState, ProofStatus
from tests.in_thread import run_apart
from webapp.serving.http.errors import Busy
from webapp.serving.pool.line import Line
from webapp.serving.pool.messages import Length, Task, Wire

THREADS = 4
"""Threads that may wait for tasks; one of them may wait for a first turn."""

ENOUGH = 40
"""Requests that make a client heavy: they count four seconds of use."""

POSITION = Position(parse_rules("8x8x5"))


class Post:
    """A line and the gate's end of its wire."""

    def __init__(self, line: Line, gate: Wire) -> None:
        self._line, self.gate = line, gate

    def run(self, name: str, client: str) -> "asyncio.Task[Any]":
        """Ask for a task in a thread of its own."""
        return asyncio.create_task(asyncio.to_thread(self._line.run, Task(Length.SHORT, name), client, bool))

    def watch(self, position: Position, client: str) -> "asyncio.Task[ProofStatus]":
        """Watch a position in a thread of its own."""
        return asyncio.create_task(asyncio.to_thread(self._line.watch, position, client, True))


def posted(scenario: Callable[[Post], Coroutine[Any, Any, None]], folder: Path) -> None:
    """Play a scenario with a line of its own."""

    async def play() -> None:
        came: asyncio.Queue[Wire] = asyncio.Queue()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await came.put(Wire(reader, writer))

        async with await asyncio.start_unix_server(connected, folder / "gate"):
            line = Line(folder / "gate", 7, THREADS, search_nodes=0)
            listening = asyncio.create_task(line.listen())
            gate = await came.get()
            assert await gate.receive() == ("page", 7)
            await asyncio.wait_for(scenario(Post(line, gate)), 20)
            listening.cancel()
            await asyncio.wait([listening])
            gate.close()

    run_apart(play())


def test_a_light_client_takes_the_place_of_the_newest_thread_of_a_heavy_one(tmp_path: Path) -> None:
    async def scenario(post: Post) -> None:
        greedy, numbers = [], []
        for name in range(THREADS):
            greedy.append(post.run(str(name), "greedy"))
            numbers.append((await post.gate.receive())[1])
        for _ in range(ENOUGH):
            with pytest.raises(Busy):
                await post.run("more", "greedy")
        modest = post.run("modest's", "modest")
        messages = sorted([await post.gate.receive(), await post.gate.receive()], key=lambda message: str(message[0]))
        assert [message[0] for message in messages] == ["ask", "drop"]
        assert messages[1][1] == numbers[-1]
        with pytest.raises(Busy):
            await greedy[-1]
        for number in (*numbers[:-1], messages[0][1]):
            post.gate.send((number, "Done", [pickle.dumps("made")]))
        assert await asyncio.gather(modest, *greedy[:-1]) == ["made"] * THREADS

    posted(scenario, tmp_path)


def test_a_heavy_client_is_refused_where_threads_of_light_ones_wait(tmp_path: Path) -> None:
    async def scenario(post: Post) -> None:
        waiting = [post.run(str(name), f"client {name}") for name in range(THREADS)]
        numbers = [(await post.gate.receive())[1] for _ in waiting]
        for _ in range(2):
            with pytest.raises(Busy):
                await post.run("greedy's", "client 0")
        for number in numbers:
            post.gate.send((number, "Done", [pickle.dumps("made")]))
        assert await asyncio.gather(*waiting) == ["made"] * THREADS

    posted(scenario, tmp_path)


def test_a_light_client_waits_for_its_first_turn_in_the_place_of_a_heavy_one(tmp_path: Path) -> None:
    async def scenario(post: Post) -> None:
        greedy = post.watch(POSITION, "greedy")
        assert (await post.gate.receive())[4]
        for _ in range(ENOUGH):
            more = post.watch(POSITION.after(1), "greedy")
            _, number, *_, waits, _ = await post.gate.receive()
            assert not waits
            post.gate.send((number, "ProofStatus", ["proving", 0, ()]))
            await more
        modest = post.watch(POSITION.after(0), "modest")
        messages = sorted([await post.gate.receive(), await post.gate.receive()], key=lambda message: str(message[0]))
        assert [message[0] for message in messages] == ["drop", "watch"]
        assert messages[1][4]
        assert await greedy == ProofStatus(ProofState.WAITING)
        post.gate.send((messages[1][1], "ProofStatus", ["proving", 0, ()]))
        assert await modest == ProofStatus(ProofState.PROVING)

    posted(scenario, tmp_path)
