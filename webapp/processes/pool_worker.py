"""A process of the pool: does what it is told over the wire, one piece of work after the other."""

import gc
import os
import pickle
import signal
from contextlib import suppress
from functools import lru_cache
from typing import Final

from solver.board.rules import Rules
from solver.processes import live_no_longer_than, resident_bytes
from solver.search.budget import Budget
from solver.search.exact import at_first
from solver.search.solver import Solver, shared_solver, shared_solvers
from webapp.serving.http.log import LOGGER, LogOptions, start_log
from webapp.serving.pool.wire import Tie, WaitingWire
from webapp.serving.pool.work import ProvingTurn, Task

POLITENESS: Final = 2
"""How far the pool stands back behind the processes that answer people."""

PROVER_ENTRIES: Final = 1 << 20
"""Positions that a prover remembers of a board; it remembers one board at a time."""


STUDIES: Final = 256
"""Positions of which the process knows what is proved of their squares without asking the store."""


LARGE: Final = 144 << 20
"""Bytes from which on the process lets go of what it can find again."""


class Cancelled(BaseException):
    """Nobody waits for the work at hand any more."""


def run(tie: Tie, log_options: LogOptions, number: int) -> None:
    """Works until the other end of the wire is gone."""
    live_no_longer_than(tie.lifeline, tie.at_the_end)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    start_log(log_options, f"pool-{number}")
    cancelling = _Cancelling()
    signal.signal(signal.SIGUSR1, cancelling.heard)
    from solver.proofs.study import forget_beyond  # noqa: PLC0415 - the kernel and the store
    from webapp.processes.tasks import warm_up  # noqa: PLC0415 - the application, which takes a while

    warm_up()
    with suppress(OSError):
        os.nice(POLITENESS)
    wire = WaitingWire(tie.end)
    wire.send(("ready", resident_bytes()))
    with suppress(EOFError, OSError):
        while True:
            work = wire.receive()
            wire.send(_done(work, cancelling))
            forget_beyond(STUDIES if resident_bytes() < LARGE else 0)
            if resident_bytes() > LARGE:
                _let_go()


class _Cancelling:
    """Turns the signal into an exception, but only within the work it was meant for."""

    def __init__(self) -> None:
        self.possible = False

    def heard(self, *_: object) -> None:
        if self.possible:
            self.possible = False
            raise Cancelled


def _done(work: Task | ProvingTurn, cancelling: _Cancelling) -> tuple[object, ...]:
    try:
        try:
            cancelling.possible = True
            if isinstance(work, ProvingTurn):
                return "turned", _turn(work), resident_bytes()
            from webapp.processes.tasks import TASKS  # noqa: PLC0415 - likewise

            result, lasting = TASKS[work.name](*work.arguments)
            return "done", pickle.dumps(result), lasting, resident_bytes()
        finally:
            cancelling.possible = False
    except Cancelled:
        from solver.proofs.study import study_of  # noqa: PLC0415 - likewise

        study_of.cache_clear()  # a search that was cut off looks as if it had been made
        return "failed", "cancelled", resident_bytes()
    except Exception as error:
        LOGGER.exception("A task has failed")
        return "failed", repr(error), resident_bytes()


def _turn(turn: ProvingTurn) -> bool:
    """Proves for a while, and keeps what is found in the store, where pages read it. Returns whether all is kept."""
    from solver.proofs.store import default_store  # noqa: PLC0415 - likewise
    from solver.proofs.study import proving, study_of  # noqa: PLC0415 - likewise

    position = turn.position
    for _ in proving(position, Budget(seconds=turn.seconds), _solver(position.rules)):
        pass
    study = study_of(position)
    found = {after: bounds for after, bounds in study.bounds.items() if bounds != at_first(after)}
    default_store().make_room()
    default_store().keep(found)
    return study.complete and default_store().bounds_of(found) == found


def _let_go() -> None:
    """Gives back what solvers of other boards have remembered: they are let go of, but hang together in circles."""
    shared_solver.cache_clear()
    shared_solvers.cache_clear()
    _solver.cache_clear()
    gc.collect()


@lru_cache(maxsize=1)
def _solver(rules: Rules) -> Solver:
    return Solver(rules, max_entries=PROVER_ENTRIES)
