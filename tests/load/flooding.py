"""Attackers who ask for quick answers as fast as they can."""

from contextlib import closing

from tests.benchmarks.serving import get
from tests.load.attackers import CLOSED, Target, each_again
from tests.load.links import seed

TOGETHER = 16
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
