"""What a page shows of proofs that take time: how far they are, and the line of best play behind a square."""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count

from solver.notation import format_cell
from solver.outcome import to_child
from solver.position import Position
from solver.predict import predict
from solver.rules import Cell
from solver.search.table import has_table
from webapp.link import Link
from webapp.provers import Look, Standing
from webapp.sharing import Pool

_WORDS = {
    Standing.WAITING: "The server goes on proving in a moment.",
    Standing.PROVING: "The server goes on proving.",
    Standing.DONE: "",
    Standing.SPENT: "The rest was not proved in two minutes; the server has given it up for now.",
    Standing.BUSY: "The server is busy with other positions and does not take this one on now. Try again later.",
    Standing.OFF: "Nothing goes on in the background on this server.",
}
_polls = count()


@dataclass(frozen=True, slots=True)
class Progress:
    """How many squares are proved of those that are open, what becomes of the others, and where that can be changed."""

    proved: int
    open: int
    words: str
    toggle: str
    toggle_url: str
    url: str
    poll_id: str | None


def settled(link: Link) -> bool:
    """Whether the page of this link will be the same whenever it is asked for."""
    position = link.position
    if has_table(position.rules) or position.result is not None:
        return True
    return predict(position).complete


def follow(link: Link, pool: Pool) -> Progress | None:
    """Has the rest of the position proved in the background, if the page shows it; None where there is no rest."""
    position = link.position
    if settled(link) or not (link.show != "off" or link.hint):
        return None
    if link.prove:
        look = pool.look(position)
    else:
        pool.release(position)
        look = Look(Standing.OFF)
    if look.found:
        from solver.proving import learn  # noqa: PLC0415 - only pages of larger boards come here

        learn(position, look.found)
    prediction = predict(position)
    if prediction.complete:
        return None
    goes_on = look.standing in (Standing.PROVING, Standing.WAITING, Standing.DONE)
    return Progress(
        proved=prediction.proved,
        open=len(prediction.squares),
        words=_words(look) if link.prove else "Proving is stopped.",
        toggle="Stop" if link.prove else "Go on proving",
        toggle_url=replace(link, prove=not link.prove).url(),
        url=link.url(),
        poll_id=f"poll-{next(_polls)}" if goes_on else None,
    )


def _words(look: Look) -> str:
    if look.standing is Standing.WAITING and look.ahead:
        return f"Waiting for {look.ahead} other position{'s' if look.ahead != 1 else ''}."
    return _WORDS[look.standing]


@dataclass(frozen=True, slots=True)
class BestLine:
    """Best play after a square, its first `step` moves shown on the board, and the links to the other steps.

    `stones` are the squares of the moves shown, each with its mark and number.
    """

    words: str
    stones: dict[Cell, tuple[str, int]]
    back: str | None
    forward: str | None
    close: str


def best_line(link: Link) -> BestLine | None:
    """The line that the link shows; None if it shows none."""
    if link.line is None or link.show == "off":
        return None
    position, url = link.position, replace(link, line=None, step=None).url()
    outcome = predict(position).squares[link.line]
    name = format_cell(link.line, link.rules)
    if outcome.plies is None:
        return BestLine(f"The line after {name} is not known: {outcome.words(position.mover)}.", {}, None, None, url)
    moves = _line(position, link.line)
    step = min(link.step if link.step is not None else len(moves), len(moves))
    stones: dict[Cell, tuple[str, int]] = {}
    mark = position.mover
    for number, cell in enumerate(moves[:step], start=1):
        stones[cell] = (str(mark), number)
        mark = mark.other
    whole = len(moves) == outcome.plies
    text = " ".join(format_cell(cell, link.rules) for cell in moves)
    return BestLine(
        words=f"Best play after {name}: {outcome.words(position.mover)}. {text}{'.' if whole else ' …'}"
        f" Shown: {step} of {len(moves)}.",
        stones=stones,
        back=replace(link, step=step - 1).url() if step > 0 else None,
        forward=replace(link, step=step + 1).url() if step < len(moves) else None,
        close=url,
    )


@lru_cache(maxsize=1024)
def _line(position: Position, cell: Cell) -> tuple[Cell, ...]:
    """The square and the best moves after it, as many as half a second finds."""
    from solver.search.budget import Budget, Meter  # noqa: PLC0415
    from solver.search.solver import shared_solver  # noqa: PLC0415
    from solver.search.variation import principal_variation  # noqa: PLC0415

    after, score = position.after(cell), predict(position).squares[cell].ranks.lower
    solver, meter = shared_solver(position.rules), Meter(Budget(seconds=0.3))
    return (cell, *principal_variation(solver, after, to_child(score), meter))
