"""Attackers who ask for expensive answers. Some of them do not wait."""

import asyncio
import random
from collections.abc import Callable
from itertools import cycle, product
from typing import Final

from solver.players.lists import MOST_RULES, SLUGS
from tests.benchmarks.serving import get
from tests.load.attackers import Target, asked, each_again
from tests.load.links import moves, open_square

LARGE = "8x8x5"
STRATEGIES: Final = ("easy", "medium", "hard", "impossible", "rulebook", "alphabeta-2", "alphabeta-4")
DISTINCT = 30
"""The number of trees in turn, each of another position."""

SMALL: Final = ("3x3x3", "3x3x2", "4x2x3", "1x9x3")
LONG = 30
"""Moves of a long game. Few games are won sooner."""

PATIENCE = (0.1, 5.0)
"""Seconds after which impatient clients leave, most of them soon."""


def refused_tree() -> str:
    """Return the address of a picture that is too large."""
    return f"/learn/pictures/tree.svg?board={LARGE}&depth=3&children=all&moves={moves(LARGE, 2)}"


def _line(page: str, count: int = 6) -> str:
    played = moves(LARGE, count)
    return f"/{page}/{LARGE}?moves={played}&line={open_square(LARGE, played)}"


def _list() -> str:
    """Return the address of a game against a new list of rules."""
    board, rules = random.choice(SMALL), random.sample(tuple(SLUGS), MOST_RULES)
    return f"/play/{board}?{random.choice('xo')}=rules:{','.join(rules)}"


ROUTES: Final[dict[str, Callable[[], str]]] = {
    "lab": lambda: "/lab",
    "lab of a large board": lambda: f"/lab?board={LARGE}&moves={moves(LARGE)}",
    "trial": lambda: f"/learn/trial?board=4x4x4&strategy={random.choice(STRATEGIES)}&side={random.choice('XO')}",
    "census": lambda: "/learn/census?board=4x3x3",
    "menace": lambda: f"/learn/menace?opponent=twos&games=1000&exam=all&seed={random.random()}",
    "alpha-beta": lambda: f"/api/v1/move?board={LARGE}&player=alphabeta-9&moves={moves(LARGE)}",
    "large board": lambda: f"/play/{LARGE}?moves={moves(LARGE)}",
    "line of a large board": lambda: _line("play"),
    "reason on a large board": lambda: f"{_line('why', LONG)}&review=1",
    "review of a large board": lambda: f"/play/{LARGE}?moves={moves(LARGE, LONG)}&review=1&prove=0",
    "game to judge on a large board": lambda: f"/play/{LARGE}?moves={moves(LARGE, LONG)}&review=1",
    "game to judge by another rule": lambda: f"/play/4x4x3-misere?moves={moves('4x4x3-misere', 6)}&review=1",
    "picture of a large board": lambda: f"/play/{LARGE}.png?moves={moves(LARGE, LONG)}",
    "list of rules": _list,
    "explorer": lambda: f"/learn/explorer?board={LARGE}&moves={moves(LARGE)}",
    "search": lambda: f"/learn/search?board=4x4x4&moves={moves('4x4x4', 2)}",
    "generic": lambda: f"/learn/generic?minimax={random.choice(('4x3x3', '4x3x4', '6x2x3'))}",
    "predict": lambda: f"/api/v1/predict?board={LARGE}&moves={moves(LARGE)}",
    "review": lambda: f"/api/v1/review?board={LARGE}&moves={moves(LARGE)}",
    "explain": lambda: f"/api/v1/explain?board={LARGE}&moves={moves(LARGE)}",
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
