"""The attacks: each is a function that attacks with a number of clients until it is cancelled."""

import asyncio
import random
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import cycle, product
from typing import Final

from solver.articles.pyfl.player import PLAYER
from solver.players.handbook import MOST_RULES, SLUGS
from tests.benchmarks.serving import get, post_move
from tests.load.attackers import CLOSED, OPEN, Target, asked, each_again, held
from tests.load.links import moves, open_square, play, seed
from tests.load.wire import Connection
from webapp.pages.learn.lessons.program import code_of

# Clients who stall: bodies that never come, headers that never end, answers that nobody reads.

BODY: Final = (
    b"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 99\r\n\r\ncell="
)
HELD: Final[dict[str, tuple[bytes, bytes]]] = {
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b""),
    "bodies": (BODY, b""),
    "bodies after long headers": (BODY.replace(b"\r\n\r\n", b"\r\nX: %s\r\n\r\n" % (b"x" * 72_000)), b""),
    "slow bodies": (BODY, b"b"),
    "chunked bodies": (b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ncell=", b""),
    "slow headers": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"x"),
    "nothing": (b"", b""),
}
"""What clients send at once, and then a byte a second, on connections that they hold."""

LARGE: Final = get("/learn/pictures/distinct.svg")
UNREAD: Final = 8
"""Requests for the large picture on one connection, so that no buffer holds all answers."""

RECEIVE_BUFFER: Final = 4096
AGAIN: Final = 2.0
"""Seconds after which a client comes back that the server has closed."""


async def nothing(_: Target, __: int) -> None:
    """Leave the server alone."""
    await asyncio.Event().wait()


async def hold(name: str, target: Target, clients: int) -> None:
    """Hold connections on which hardly anything comes."""
    begin, trickle = HELD[name]

    async def stay(_: int) -> None:
        connection = await _connected(target)
        if connection is not None:
            with suppress(OSError):
                await connection.send(begin)
            await held(target, connection, 1 if trickle else 0, trickle)

    await each_again(clients, stay, AGAIN)


async def idle_after_a_page(target: Target, clients: int) -> None:
    """Open connections that get a page and then stay."""

    async def stay(_: int) -> None:
        connection = await _connected(target)
        if connection is not None:
            try:
                await connection.send(get("/healthz"))
                target.got[str((await connection.answer()).status)] += 1
            except (OSError, EOFError, ValueError):
                target.got[CLOSED] += 1
                connection.close()
            else:
                await held(target, connection)

    await each_again(clients, stay, AGAIN)


async def unread(target: Target, clients: int) -> None:
    """Ask for large pictures and never read them."""
    await _unread_again(target, clients, LARGE * UNREAD)


async def unread_news(game: str, target: Target, clients: int) -> None:
    """Ask for large pictures and then for the news of a live game, and never read."""
    await _unread_again(target, clients, LARGE * UNREAD + get(f"{game}/news"))


async def _unread_again(target: Target, clients: int, requests: bytes) -> None:
    async def ask(_: int) -> None:
        connection = await _connected(target, RECEIVE_BUFFER)
        if connection is None:
            return
        connection.stop_reading()
        try:
            await connection.send(requests)
            # Nothing is read, so a closed connection shows only in that it takes nothing more.
            while True:
                await asyncio.sleep(1)
                await connection.send(b"\r\n")
        except OSError:
            target.got[CLOSED] += 1
        except asyncio.CancelledError:
            target.got[OPEN] += 1
            raise
        finally:
            connection.close()

    await each_again(clients, ask, AGAIN)


async def _connected(target: Target, receive_buffer: int | None = None) -> Connection | None:
    try:
        return await target.connect(receive_buffer)
    except OSError:
        target.got[CLOSED] += 1
        return None


# Clients who ask for expensive answers. Some of them do not wait.

BOARD = "8x8x5"
STRATEGIES: Final = ("easy", "medium", "hard", "impossible", "rulebook", "alphabeta-2", "alphabeta-4")
DISTINCT: Final = 30
"""The number of trees in turn, each of another position."""

SMALL: Final = ("3x3x3", "3x3x2", "4x2x3", "1x9x3")
LONG: Final = 30
"""Moves of a long game. Few games are won sooner."""

PATIENCE: Final = (0.1, 5.0)
"""Seconds after which impatient clients leave, most of them soon."""


def refused_tree() -> str:
    """Return the address of a picture that is too large."""
    return f"/learn/pictures/tree.svg?board={BOARD}&depth=3&children=all&moves={moves(BOARD, 2)}"


def _line(page: str, count: int = 6) -> str:
    played = moves(BOARD, count)
    return f"/{page}/{BOARD}?moves={played}&line={open_square(BOARD, played)}"


SLOW: Final = PLAYER.replace("move = if", "move = if waste(rows) < 0 then 0") + (
    "waste(l) = sumfor a in cells all sumfor b in cells all sumfor c in cells all hd(hd(l)) end end end;"
)
"""A program that takes almost all of its steps before each move."""


def _list() -> str:
    """Return the address of a game against a new list of rules."""
    board, rules = random.choice(SMALL), random.sample(tuple(SLUGS), MOST_RULES)
    return f"/play/{board}?{random.choice('xo')}=rules:{','.join(rules)}"


ROUTES: Final[dict[str, Callable[[], str]]] = {
    "lab": lambda: "/lab",
    "lab of a large board": lambda: f"/lab?board={BOARD}&moves={moves(BOARD)}",
    "program": lambda: f"/learn/pyfl-program?code={code_of(f'{SLOW} // {random.random()}')}",
    "census": lambda: "/learn/clojure?board=4x3x3",
    "menace": lambda: f"/learn/menace?opponent=twos&games=1000&exam=all&seed={random.random()}",
    "alpha-beta": lambda: f"/api/v1/move?board={BOARD}&player=alphabeta-9&moves={moves(BOARD)}",
    "large board": lambda: f"/play/{BOARD}?moves={moves(BOARD)}",
    "line of a large board": lambda: _line("play"),
    "reason on a large board": lambda: f"{_line('why', LONG)}&review=1",
    "review of a large board": lambda: f"/play/{BOARD}?moves={moves(BOARD, LONG)}&review=1&prove=0",
    "game to judge on a large board": lambda: f"/play/{BOARD}?moves={moves(BOARD, LONG)}&review=1",
    "game to judge by another rule": lambda: f"/play/4x4x3-misere?moves={moves('4x4x3-misere', 6)}&review=1",
    "picture of a large board": lambda: f"/play/{BOARD}.png?moves={moves(BOARD, LONG)}",
    "list of rules": _list,
    "explorer": lambda: f"/learn/explorer?board={BOARD}&moves={moves(BOARD)}",
    "search": lambda: f"/learn/search?board=4x4x4&moves={moves('4x4x4', 2)}",
    "predict": lambda: f"/api/v1/predict?board={BOARD}&moves={moves(BOARD)}",
    "review": lambda: f"/api/v1/review?board={BOARD}&moves={moves(BOARD)}",
    "explain": lambda: f"/api/v1/explain?board={BOARD}&moves={moves(BOARD)}",
    "tree": lambda: f"/learn/pictures/tree.svg?board=8x8x8&depth=3&children=all&moves={moves('8x8x8')}",
}
"""Functions that return an address of each kind, mostly another one each time."""


async def refused_trees(target: Target, clients: int) -> None:
    """Ask for pictures that are too large, and leave early every other time."""
    await each_again(clients, lambda number: _ask(target, refused_tree(), leaves=number % 2 == 0))


async def gzipped_trees(target: Target, clients: int) -> None:
    """Ask for the large trees of thirty positions in gzip, as browsers do."""
    left = [moves("8x8x8") for _ in range(DISTINCT)]

    async def ask(_: int) -> None:
        if left:
            path = f"/learn/pictures/tree.dot?board=8x8x8&depth=3&children=all&moves={left.pop()}"
            await asked(target, get(path, **{"Accept-Encoding": "gzip"}))

    await each_again(clients, ask)


async def _ask(target: Target, path: str, leaves: bool = False) -> None:
    await asked(target, get(path), random.uniform(*PATIENCE) if leaves else None)


EMPTY_BOARDS: Final = tuple(
    f"/play/{columns}x{rows}x{k}{drop}{goal}{marks}"
    for columns, rows in product(range(5, 9), repeat=2)
    for drop, goal, marks in product(("", "-gravity"), ("", "-misere"), ("", "-wild", "-vanishing"))
    for k in range(3, max(columns, rows) + 1)
    if not (drop and marks == "-vanishing")
)[:700]
"""The addresses of 700 games that are not soon proved, before their first move."""

A_SECOND: Final = 6
"""The empty boards that are asked for in a second."""


async def empty_boards(target: Target, _: int) -> None:
    """Ask for one empty board after the other, at a leisurely pace."""
    async with asyncio.TaskGroup() as group:
        for path in cycle(EMPTY_BOARDS):
            group.create_task(asked(target, get(path), patience=20))
            await asyncio.sleep(1 / A_SECOND)


async def route(name: str, target: Target, clients: int) -> None:
    """Ask for one of the routes again and again."""
    await each_again(clients, lambda _: _ask(target, ROUTES[name]()))


async def all_routes(target: Target, clients: int) -> None:
    """Ask for everything expensive in turn, and leave early now and then."""
    names = list(ROUTES)
    await each_again(clients, lambda _: _ask(target, ROUTES[random.choice(names)](), leaves=random.random() < 0.25))


# Clients who keep the gate full of work.

EXPENSIVE: Final = (
    *("alpha-beta", "explorer", "lab of a large board", "large board", "line of a large board"),
    *("menace", "predict", "review", "search"),
)
"""The routes of `ROUTES` that need new work of the gate."""


async def tasks(target: Target, clients: int) -> None:
    """Ask for new expensive work again and again."""

    async def ask(_: int) -> None:
        await asked(target, get(ROUTES[random.choice(EXPENSIVE)]()))

    await each_again(clients, ask)


async def one_task(target: Target, clients: int) -> None:
    """Ask for the same work with all clients at once, and then for other work."""
    path = ""

    async def ask(number: int) -> None:
        nonlocal path
        if number == 0 or not path:
            path = ROUTES["alpha-beta"]()
        await asked(target, get(path))

    await each_again(clients, ask)


# Clients who ask for quick answers as fast as they can, or for new ones all the time.

TOGETHER: Final = 16
"""Requests of a pipeline that are sent at once."""


async def pages(target: Target, clients: int) -> None:
    """Ask for new pages, each as soon as the last has come."""
    await _asked_again(target, clients, 1)


async def pipelines(target: Target, clients: int) -> None:
    """Ask for new pages, many at once on each connection."""
    await _asked_again(target, clients, TOGETHER)


async def _asked_again(target: Target, clients: int, together: int) -> None:
    async def ask(_: int) -> None:
        try:
            with closing(await target.connect()) as connection:
                while True:
                    await connection.send(b"".join(get(f"/play/3x3x3?moves=b2&seed={seed()}") for _ in range(together)))
                    for _ in range(together):
                        answer = await connection.answer()
                        target.got[str(answer.status)] += 1
                        if answer.closes:
                            return
        except (OSError, EOFError, ValueError):
            target.got[CLOSED] += 1

    await each_again(clients, ask, pause=0.01)


STEP: Final = 0.02
STAY: Final = 50
"""Seconds between two requests of a client, and the requests after which a visitor from another address comes."""


async def links(target: Target, clients: int) -> None:
    """Ask for pages and moves of every board, none of them twice."""

    async def wander(_: int) -> None:
        try:
            with closing(await target.connect()) as connection:
                for _ in range(STAY):
                    link, cell = play()
                    await connection.send(get(link) if random.random() < 0.7 else post_move(link, cell))
                    answer = await connection.answer()
                    target.got[str(answer.status)] += 1
                    if answer.closes:
                        break
                    await asyncio.sleep(STEP)
        except (OSError, EOFError, ValueError):
            target.got[CLOSED] += 1

    await each_again(clients, wander)


async def news(game: str, target: Target, clients: int) -> None:
    """Ask for the tag of a live game, once a second each."""
    await each_again(clients, lambda _: asked(target, get(f"{game}/news?once=1"), patience=10), pause=1.0)
