"""A hundred thousand malformed requests: none gets an error of the server's own."""

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from itertools import cycle
from threading import Thread
from typing import Self

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.load import FUZZ
from tests.load.attackers import CLOSED, LEFT, SOURCES
from tests.load.fuzz import Request, bytes_on_the_wire, faults, requests
from tests.load.processes import Server
from tests.load.wire import Answer, Connection

TOGETHER = 25
"""Requests of one example, so that the generator's own work is a small part."""

LANES = 32
AHEAD = 400
RAW = FUZZ // 10
"""Connections at once, requests made ahead, and messages of bare bytes, each on a connection of its own."""

PATIENCE = 1.0
SILENCE = 0.25
"""Seconds to wait for the answer to a request, and to bare bytes."""


class Fuzzer:
    """A thread that sends requests and collects the faults of the answers."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.got: Counter[str] = Counter()
        self.wrong: list[tuple[list[str], bytes]] = []
        self._waiting: asyncio.Queue[Request | bytes | None] = asyncio.Queue(AHEAD)
        self._addresses = cycle(SOURCES["many addresses"])
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_until_complete, args=(self._send_all(),))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.feed([None] * LANES)
        self._thread.join()
        self._loop.close()

    def feed(self, batch: Sequence[Request | bytes | None]) -> None:
        """Hand on requests or bare bytes as soon as those before are on their way; None ends a lane."""

        async def put() -> None:
            for each in batch:
                await self._waiting.put(each)

        asyncio.run_coroutine_threadsafe(put(), self._loop).result()

    async def _send_all(self) -> None:
        await asyncio.gather(*(self._lane() for _ in range(LANES)))
        await asyncio.sleep(0)  # the loop lets go of the sockets in its next round

    async def _lane(self) -> None:
        kept = None
        while (each := await self._waiting.get()) is not None:
            if isinstance(each, bytes):
                await self._throw(each)
            else:
                kept = await self._send(each, kept)
        if kept is not None:
            kept.close()

    async def _send(self, request: Request, connection: Connection | None) -> Connection | None:
        """Send a request, on the connection if it is still open; return the connection for the next one."""
        try:
            async with asyncio.timeout(PATIENCE):
                if connection is None or connection.ended:
                    connection = await self._connect()
                await connection.send(request.data)
                answer = await connection.answer(request.headless)
        except (OSError, EOFError, ValueError) as error:
            # A TimeoutError is an OSError too.
            self.got[LEFT if isinstance(error, TimeoutError) else CLOSED] += 1
        else:
            self._look_at(answer, request.data)
            if not answer.closes:
                return connection
        if connection is not None:
            connection.close()
        return None

    async def _throw(self, data: bytes) -> None:
        """Send bytes on a fresh connection, and read all answers."""
        answers = 0
        try:
            async with asyncio.timeout(SILENCE):
                with closing(await self._connect()) as connection:
                    await connection.send(data)
                    while True:
                        self._look_at(await connection.answer(data.startswith(b"HEAD")), data)
                        answers += 1
        except (OSError, EOFError, ValueError) as error:
            if not answers:
                self.got["silence" if isinstance(error, TimeoutError) else CLOSED] += 1

    async def _connect(self) -> Connection:
        return await Connection.to(self.port, next(self._addresses))

    def _look_at(self, answer: Answer, data: bytes) -> None:
        self.got[str(answer.status)] += 1
        if found := faults(answer):
            self.wrong.append((found, data[:300]))


def check(fuzzer: Fuzzer, kind: str, sent: int) -> None:
    """Print the counts, and assert that nothing was wrong."""
    print(f"\n{sent} {kind}: {', '.join(f'{status} x{count}' for status, count in sorted(fuzzer.got.items()))}")
    kinds = Counter(re.sub(r"\s+", " ", each) for found, _ in fuzzer.wrong for each in found)
    assert not fuzzer.wrong, f"{dict(kinds)}, e.g. {fuzzer.wrong[:5]}"


everything = settings(database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize(
    ("kind", "made", "number"), [("requests", requests(), FUZZ - RAW), ("raw messages", bytes_on_the_wire(), RAW)]
)
def test_nothing_is_answered_with_an_error_of_the_server_or_with_what_it_held(
    server: Server, kind: str, made: SearchStrategy[Request | bytes], number: int
) -> None:
    count = max(1, number // TOGETHER)
    with Fuzzer(server.port) as fuzzer:

        @settings(everything, max_examples=count)
        @given(st.lists(made, min_size=TOGETHER, max_size=TOGETHER))
        def feed(batch: list[Request | bytes]) -> None:
            fuzzer.feed(batch)

        feed()
    check(fuzzer, kind, count * TOGETHER)
