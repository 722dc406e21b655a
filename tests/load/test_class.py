"""A school behind one address: five classes of sixty pupils answer at once, some stalled or cut off, beside innocents.

Each confirmed answer must be counted once, whatever happened to the others.
"""

import asyncio
import random
import re
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.load import SECONDS, innocents
from tests.load.innocents import Crowd, Innocents
from tests.load.machine import undisturbed
from tests.load.processes import running
from tests.load.wire import Connection, exchange

CLASSES, PUPILS, QUESTIONS = 5, 60, 5
SCHOOL = "127.9.9.1"
LATE = 1.0
"""Seconds within which answers are on the wall, and the reveal is on all pages."""

SPREAD = 2.0
"""Seconds in which all pupils answer."""

TOGETHER = 16
"""Pupils who join at the same moment."""

BROKEN = 0.1
"""The share of answers whose connection is cut before the response, or stalls in the middle of the form."""

SET = "/practise/set?kind=only-move&count=5&seed=load"


@dataclass(eq=False)
class Seat:
    """A page of a class: its address, cookie, the last tag that its stream sent, and an event for a new one."""

    path: str
    cookie: str = ""
    told: bytes = b""
    heard: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Times:
    """The seconds until answers were on the wall and the reveal on all pages, and what failed."""

    counted: list[float] = field(default_factory=list)
    revealed: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


async def ask(port: int, path: str, cookie: str = "", body: str | None = None) -> tuple[int, dict[str, str], str]:
    """Return the status, the headers and the text of an answer."""
    form = "" if body is None else f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
    line = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1"
    request = f"{line}\r\nHost: localhost\r\nCookie: {cookie}\r\n{form}\r\n{body or ''}"
    answer = await exchange(port, request.encode(), SCHOOL)
    return answer.status, answer.headers, answer.body.decode()


def match(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, text[:300]
    return found[1]


async def listen(port: int, seat: Seat) -> None:
    """Hold a stream of news open, and open another one when it ends."""
    while True:
        head = f"GET {seat.path}/news HTTP/1.1\r\nHost: localhost\r\nCookie: {seat.cookie}\r\n\r\n"
        with suppress(OSError), closing(await Connection.to(port, SCHOOL)) as connection:
            await connection.send(head.encode())
            while data := await connection.receive():
                told = data.rpartition(b"data:")[2]
                if told not in (data, seat.told):
                    seat.told = told
                    seat.heard.set()
        await asyncio.sleep(0.5)


async def opened(port: int) -> Seat:
    """Make a class; return its teacher's seat."""
    asked = SET.replace("&", "%26")
    status, headers, page = await ask(port, "/class", body=f"mode=ask&paste={asked}")
    assert status == 303, page
    return Seat(headers["location"], headers["set-cookie"].partition(";")[0])


async def joined(port: int, path: str) -> Seat:
    """Take a pupil's seat."""
    status, _, page = await ask(port, path)
    assert status == 200, status
    secret = match(r'name="seat" value="([^"]+)"', page)
    status, headers, _ = await ask(port, path, body=f"do=join&seat={secret}")
    assert status == 303, status
    return Seat(path, headers["set-cookie"].partition(";")[0])


async def broken(port: int, seat: Seat, body: str) -> None:
    """Send an answer and leave before the response, or stop in the middle of the form."""
    form = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
    request = f"POST {seat.path} HTTP/1.1\r\nHost: localhost\r\nCookie: {seat.cookie}\r\n{form}\r\n{body}".encode()
    with suppress(OSError), closing(await Connection.to(port, SCHOOL)) as connection:
        await connection.send(request[: random.choice((len(request), -3))])


async def question(port: int, teacher: Seat, pupils: list[Seat], number: int, times: Times) -> None:
    """Ask one question of a class: everyone answers, and the teacher reveals."""
    confirmed: dict[Seat, str] = {}
    point = f"{number}.0.0"
    _, _, page = await ask(port, pupils[0].path, pupils[0].cookie)
    squares = re.findall(r'name="cell" value="(\w\d)"', page)
    chosen = {pupil: random.choice(squares) for pupil in pupils}

    async def answer(pupil: Seat, square: str) -> None:
        await asyncio.sleep(random.random() * SPREAD)
        body = f"at={point}&cell={square}"
        if random.random() < BROKEN:
            await broken(port, pupil, body)
            return
        status, _, _ = await ask(port, pupil.path, pupil.cookie, body)
        if status in (200, 303):
            confirmed[pupil] = square
        else:
            times.failures.append(f"answer {status}")

    await asyncio.gather(*(answer(*each) for each in chosen.items()))
    answered = time.monotonic()
    while True:
        _, _, wall = await ask(port, teacher.path, teacher.cookie)
        counted = int(match(r'id="answered">(\d+)<', wall))
        if counted >= len(confirmed) or time.monotonic() - answered > 10:
            break
    times.counted.append(time.monotonic() - answered)
    if not len(confirmed) <= counted <= len(pupils):
        times.failures.append(f"{len(confirmed)} confirmed, {counted} counted")
    for pupil in pupils:
        pupil.heard.clear()
    began = time.monotonic()
    await ask(port, teacher.path, teacher.cookie, f"do=more&at={point}")

    async def see(pupil: Seat) -> None:
        await pupil.heard.wait()
        status, _, page = await ask(port, pupil.path, pupil.cookie)
        if status != 200 or "pressed it" not in page:
            times.failures.append(f"reveal {status}")
        times.revealed.append(time.monotonic() - began)

    async with asyncio.timeout(20):
        await asyncio.gather(*map(see, pupils))
    _, _, wall = await ask(port, teacher.path, teacher.cookie)
    shown = {square: int(count) for square, count in re.findall(r'"(\w\d), [^"]*?(\d+) pressed it', wall)}
    for square in set(confirmed.values()):
        least = sum(each == square for each in confirmed.values())
        if not least <= shown.get(square, 0) <= sum(each == square for each in chosen.values()):
            times.failures.append(f"{square}: {least} confirmed, {shown.get(square, 0)} shown")
    await ask(port, teacher.path, teacher.cookie, f"do=next&at={number}.1.0")


async def lesson(port: int, teacher: Seat, pupils: list[Seat], times: Times) -> None:
    """Ask all questions of a class."""
    for number in range(QUESTIONS):
        await question(port, teacher, pupils, number, times)


async def school(port: int) -> tuple[Times, list[innocents.Record]]:
    times, streams, classes, room = Times(), [], [], asyncio.Semaphore(TOGETHER)

    async def seated(path: str) -> Seat:
        async with room:
            return await joined(port, path)

    for _ in range(CLASSES):
        teacher = await opened(port)
        path = teacher.path.removesuffix("/wall")
        pupils = list(await asyncio.gather(*(seated(path) for _ in range(PUPILS))))
        streams += [asyncio.create_task(listen(port, seat)) for seat in (teacher, *pupils)]
        classes.append((teacher, pupils))
    for teacher, pupils in classes:
        await asyncio.gather(*(seat.heard.wait() for seat in (teacher, *pupils)))
    visitors = await asyncio.to_thread(Innocents, Crowd(port, SECONDS))
    await asyncio.gather(*(lesson(port, *each, times) for each in classes))
    records = await asyncio.to_thread(visitors.wait)
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    return times, records


def check(found: tuple[Times, list[innocents.Record]]) -> None:
    """Assert that nothing was lost or refused, and everything came in time."""
    times, records = found
    assert times.failures == []
    innocents.check(records)
    assert max(times.counted) <= LATE
    assert sorted(times.revealed)[round(0.99 * len(times.revealed)) - 1] <= LATE


def test_three_hundred_pupils_of_one_address_lose_no_answer(tmp_path: Path) -> None:
    rounds = iter(range(100))

    def taught() -> tuple[Times, list[innocents.Record]]:
        with running(tmp_path / str(next(rounds))) as server:
            server.warm_up()
            times, records = asyncio.run(school(server.port))
        print(f"\n{CLASSES * PUPILS} pupils: on the wall after {max(times.counted):.2f} s, revealed to all after")
        print(f"{max(times.revealed):.2f} s, {times.failures[:3]}; {innocents.figures(records)}")
        return times, records

    check(undisturbed(taught, check))
