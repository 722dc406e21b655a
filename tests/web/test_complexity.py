"""The cost of everything that visitors fill: 512 entries of the worst keys cost at most eight times as much as 64.

The cost of an operation is the number of bytecodes that it executes, comparisons of keys among them.
"""

import asyncio
import pickle
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, count, islice, permutations, product
from types import FrameType
from typing import Any, TypeAlias, cast

import pytest

from solver.board.notation import parse_rules
from solver.board.position import Position
from solver.oracle import DecisionQuestion
from solver.proofs.file import key_of
from solver.proofs.study import study_of
from tests.marked import slow
from webapp.config import GateLimits
from webapp.pages.live.news import Newsroom, Subscription
from webapp.pages.live.store import LiveStore
from webapp.serving.fairness import Usage
from webapp.serving.http.answers import ByteCache
from webapp.serving.pool.asking import answer_question
from webapp.serving.pool.gate import Gate
from webapp.serving.pool.messages import Asker, Done, Length, Task

FEW, MANY = 64, 512
LINEAR = 1.1 * MANY / FEW
"""The factor that is allowed between few and many entries, with something for chance."""


def steps(operation: Callable[[], object]) -> int:
    """Return the number of bytecodes that an operation executes."""
    executed = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal executed
        frame.f_trace_opcodes = True
        executed += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        operation()
    finally:
        sys.settrace(before)
    return executed


def empty_boards() -> Iterator[Position]:
    """Yield empty boards of different games: only their rules tell them apart."""
    for columns, rows, clause in product(range(5, 9), range(5, 9), ("", "-misere", "-wild", "-gravity", "-vanishing")):
        for k in range(2, 9):
            if k <= max(columns, rows):
                position = Position(parse_rules(f"{columns}x{rows}x{k}{clause}"))
                hash(position)  # the hash of the rules is computed once
                yield position


def orders() -> Iterator[Position]:
    """Yield positions of a vanishing game: only the order of their stones tells them apart."""
    rules = parse_rules("8x8x8-vanishing")
    for xs, os in product(permutations((0, 2, 4, 6)), permutations((1, 3, 5, 7))):
        yield Position(rules, 0b1010101, 0b10101010, tuple(chain.from_iterable(zip(xs, os, strict=True))))


def one_board() -> Iterator[Position]:
    """Yield positions of one board."""
    start = Position(parse_rules("8x8x5"))
    return (start.after(first).after(second) for first, second in product(range(32), range(32, 64)))


class Server:
    """A gate whose visitors fill it, and the rounds of the process that runs it."""

    def __init__(self, limits: GateLimits) -> None:
        self.now = 0.0
        self.gate = Gate(limits, lambda _, __: None, lambda: self.now)
        self._numbers = count()

    def asker(self) -> Asker:
        number = next(self._numbers)
        return Asker(1, number, f"client {number}")

    def watch(self, position: Position) -> None:
        self.gate.watch(self.asker(), pickle.dumps(position), in_view=True)

    def ask(self, position: Position) -> None:
        question = DecisionQuestion(position, "alphabeta-9")
        self.gate.ask(self.asker(), Length.LONG, pickle.dumps(Task.of(answer_question, question, long=True)))

    def round(self) -> None:
        """Give work to the processes and take it back, as several times a second."""
        self.gate.tick()
        for process in (1, 2):
            self.gate.next_for(process)
        self.gate.finished(1, Done(b""))
        self.gate.lost(2)


def watched(positions: Iterable[Position]) -> Callable[[], object]:
    """Watch the positions, all open at once, and return what one more visitor and the next round do."""
    *all_but_one, last = positions
    server = Server(GateLimits(positions=MANY, provers=2, threads=MANY))
    for position in all_but_one:
        server.watch(position)

    def more() -> None:
        server.watch(last)
        server.round()

    return more


def remembered(positions: Iterable[Position]) -> Callable[[], object]:
    """Have the positions remembered, and return what one more visitor and the next round do."""
    *all_but_one, last = positions
    server = Server(GateLimits())
    for position in all_but_one:
        server.watch(position)
        server.round()
        server.now += 60

    def more() -> None:
        server.watch(last)
        server.round()

    return more


def asked(positions: Iterable[Position]) -> Callable[[], object]:
    """Have tasks about the positions wait, and return what one more visitor and the next round do."""
    *all_but_one, last = positions
    server = Server(GateLimits(waiting=MANY, threads=MANY))
    for position in all_but_one:
        server.ask(position)

    def more() -> None:
        server.ask(last)
        server.round()

    return more


def answered(positions: Iterable[Position]) -> Callable[[], object]:
    """Keep the results of tasks about the positions, and return what one more visitor does."""
    *all_but_one, last = positions
    server = Server(GateLimits())
    for position in all_but_one:
        server.ask(position)
        server.gate.next_for(1)
        server.gate.finished(1, Done(b"result"), lasting=True)
    return lambda: server.ask(last)


def cached(positions: Iterable[Position]) -> Callable[[], object]:
    """Keep pages by position, and return what one more page does."""
    *all_but_one, last = positions
    cache = ByteCache(1 << 24)
    for position in all_but_one:
        cache.put(position, b"page")
    return lambda: cache.kept(last, bytes)


def studied(positions: Iterable[Position]) -> Callable[[], object]:
    """Return what the look-ups of the studies and the keys of proofs do, for all positions in their caches."""
    each = tuple(positions)
    for position in each:
        study_of(position), key_of(position)

    def look_up() -> None:
        for position in each:
            again = Position(position.rules, position.x, position.o, position.ages)
            study_of(again), key_of(again)

    return look_up


FILLED = (watched, remembered, asked, answered, cached, studied)
KEYS = (empty_boards, orders, one_board)
Keys: TypeAlias = Callable[[], Iterator[Position]]
Fill: TypeAlias = Callable[[Iterable[Position]], Callable[[], object]]


def cost(fill: Fill, keys: Keys, number: int) -> int:
    return steps(fill(islice(keys(), number)))


@pytest.mark.parametrize("keys", [*KEYS[:1], *slow(*KEYS[1:])])
@pytest.mark.parametrize("fill", FILLED)
def test_many_positions_cost_in_proportion_to_a_few(fill: Fill, keys: Keys) -> None:
    assert cost(fill, keys, MANY) <= LINEAR * cost(fill, keys, FEW)


def test_remembered_positions_cost_the_next_visitor_nothing() -> None:
    assert cost(remembered, empty_boards, MANY) <= 1.1 * cost(remembered, empty_boards, FEW)


@pytest.mark.parametrize("fill", FILLED)
def test_positions_of_many_boards_cost_the_same_as_positions_of_one(fill: Fill) -> None:
    assert cost(fill, empty_boards, 120) <= 2 * cost(fill, one_board, 120)


def test_many_clients_cost_in_proportion_to_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_more(clients: int) -> int:
        monkeypatch.setattr("webapp.serving.fairness.REMEMBERED", clients)
        usage = Usage(lambda: 0.0)
        for client in range(clients):
            usage.charge(str(client))
        return steps(lambda: usage.charge("one more"))

    assert one_more(MANY) <= LINEAR * one_more(FEW)


def test_many_waiting_threads_cost_in_proportion_to_a_few() -> None:
    def one_more(threads: int) -> int:
        server = Server(GateLimits(waiting=MANY + 1, threads=threads))
        for position in islice(one_board(), threads):
            server.ask(position)
        return steps(lambda: server.ask(Position("8x8x5")))

    assert one_more(MANY) <= LINEAR * one_more(FEW)


class Unchanged:
    """A store of live games in which nothing happens."""

    def last_change(self) -> int:
        return 0

    def changes(self, last: int, joined: Collection[str]) -> tuple[int, dict[str, tuple[int, str, str]]]:
        return last, dict.fromkeys(joined, (1, "", ""))

    def beat(self, seats: Collection[str], left: Mapping[str, float]) -> None:
        pass

    def all_here(self) -> dict[str, Collection[str]]:
        return {}

    def sweep(self) -> int:
        return 0


class Silent:
    """A listener who hears everything."""

    def send(self, data: bytes) -> None:
        pass

    def end(self) -> None:
        pass


@pytest.mark.parametrize("games", [1, None], ids=["one game", "a game each"])
def test_many_listeners_of_live_games_cost_in_proportion_to_a_few(games: int | None) -> None:
    def a_poll(listeners: int) -> int:
        newsroom = Newsroom(lambda: cast("LiveStore", Unchanged()), time.monotonic)
        for number in range(listeners):
            newsroom.join(Subscription(f"game {number % (games or listeners)}", f"seat {number}", "0."), Silent())
        with ThreadPoolExecutor(1) as thread:  # The browser tests leave an event loop running in theirs.
            return thread.submit(steps, lambda: asyncio.run(newsroom.poll())).result()

    assert a_poll(MANY) <= LINEAR * a_poll(FEW)
