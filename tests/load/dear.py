"""Attackers who ask for what costs much to answer, and some of whom do not wait for it."""

import random
from collections.abc import Callable
from typing import Final

from tests.benchmarks.serving import get
from tests.load.attackers import Target, asked, each_again
from tests.load.links import moves, open_square

LARGE = "8x8x5"
STRATEGIES: Final = ("easy", "medium", "hard", "impossible", "rulebook", "alphabeta-2", "alphabeta-4")
DISTINCT = 30
"""Trees that are asked for one after another, each of another position."""

PATIENCE = (0.1, 5.0)
"""Seconds after which clients leave that do not wait: most of them soon."""


def refused_tree() -> str:
    """A picture that is too large to be drawn."""
    return f"/learn/pictures/tree.svg?board={LARGE}&depth=3&children=all&moves={moves(LARGE, 2)}"


def _play_line() -> str:
    played = moves(LARGE)
    return f"/play/{LARGE}?moves={played}&line={open_square(LARGE, played)}"


ROUTES: Final[dict[str, Callable[[], str]]] = {
    "lab": lambda: "/lab",
    "lab of a large board": lambda: f"/lab?board={LARGE}&moves={moves(LARGE)}",
    "trial": lambda: f"/learn/trial?board=4x4x4&strategy={random.choice(STRATEGIES)}&side={random.choice('XO')}",
    "census": lambda: "/learn/census?board=4x3x3",
    "menace": lambda: f"/learn/menace?opponent=twos&games=1000&exam=all&seed={random.random()}",
    "alpha-beta": lambda: f"/api/v1/move?board={LARGE}&player=alphabeta-9&moves={moves(LARGE)}",
    "large board": lambda: f"/play/{LARGE}?moves={moves(LARGE)}",
    "line of a large board": _play_line,
    "explorer": lambda: f"/learn/explorer?board={LARGE}&moves={moves(LARGE)}",
    "search": lambda: f"/learn/search?board=4x4x4&moves={moves('4x4x4', 2)}",
    "generic": lambda: f"/learn/generic?minimax={random.choice(('4x3x3', '4x3x4', '6x2x3'))}",
    "predict": lambda: f"/api/v1/predict?board={LARGE}&moves={moves(LARGE)}",
    "review": lambda: f"/api/v1/review?board={LARGE}&moves={moves(LARGE)}",
    "explain": lambda: f"/api/v1/explain?board={LARGE}&moves={moves(LARGE)}",
    "tree": lambda: f"/learn/pictures/tree.svg?board=8x8x8&depth=3&children=all&moves={moves('8x8x8')}",
}
"""Addresses by what they ask for, most of them another one each time."""


async def refused_trees(target: Target, clients: int) -> None:
    """Asks for pictures that are too large, and leaves early every other time."""
    await each_again(clients, lambda number: _ask(target, refused_tree(), leaves=number % 2 == 0))


async def gzipped_trees(target: Target, clients: int) -> None:
    """Asks for the large trees of thirty positions, as browsers do, which take answers gzipped."""
    left = [moves("8x8x8") for _ in range(DISTINCT)]

    async def ask(_: int) -> None:
        if left:
            path = f"/learn/pictures/tree.dot?board=8x8x8&depth=3&children=all&moves={left.pop()}"
            await asked(target, get(path, **{"Accept-Encoding": "gzip"}))

    await each_again(clients, ask)


async def _ask(target: Target, path: str, leaves: bool = False) -> None:
    await asked(target, get(path), random.uniform(*PATIENCE) if leaves else None)


async def route(name: str, target: Target, clients: int) -> None:
    """Asks for one of the routes again and again."""
    await each_again(clients, lambda _: _ask(target, ROUTES[name]()))


async def all_routes(target: Target, clients: int) -> None:
    """Asks for everything dear, one after another, and leaves early now and then."""
    names = list(ROUTES)
    await each_again(clients, lambda _: _ask(target, ROUTES[random.choice(names)](), leaves=random.random() < 0.25))
