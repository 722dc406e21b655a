"""Visitors who follow new links and play on from there."""

import asyncio
import random
from contextlib import closing

from tests.benchmarks.serving import get, post_move
from tests.load.attackers import CLOSED, Target, each_again
from tests.load.links import play

PAUSE = 0.02
STAY = 50
"""Seconds between two requests of a visitor, and the requests after which a visitor from another address comes."""


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
                    await asyncio.sleep(PAUSE)
        except (OSError, EOFError, ValueError):
            target.got[CLOSED] += 1

    await each_again(clients, wander)
