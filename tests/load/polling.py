"""Pages of live games that ask for news again and again."""

from tests.benchmarks.serving import get
from tests.load.attackers import Target, asked, each_again


async def news(game: str, target: Target, clients: int) -> None:
    """Ask for the tag of a game, once a second each."""
    await each_again(clients, lambda _: _ask(target, game), pause=1.0)


async def _ask(target: Target, game: str) -> None:
    await asked(target, get(f"{game}/news?once=1"), patience=10)
