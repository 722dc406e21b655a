"""What a page shows of proofs that take time: how far they are, and the line of best play behind a square."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from secrets import token_hex

from solver.board.notation import format_cell
from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import Cell
from solver.proofs.prediction import predict
from solver.search.tablebase import has_table
from webapp.gating import line_of, looked_at
from webapp.play import players
from webapp.play.link import Link
from webapp.server.work import Look, Standing

_WORDS = {
    Standing.WAITING: "The server goes on proving in a moment.",
    Standing.PROVING: "The server goes on proving.",
    Standing.DONE: "",
    Standing.SPENT: "The rest was not proved in two minutes; the server has given it up for now.",
    Standing.BUSY: "The server is busy with other positions and does not take this one on now. Try again later.",
    Standing.OFF: "Nothing goes on in the background on this server.",
}

_AGAIN = {Standing.WAITING: 800, Standing.PROVING: 800, Standing.DONE: 800, Standing.BUSY: 5000}
"""Milliseconds after which a page asks again."""


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
    """A name of its own for each answer: htmx then takes the element for a new one, which asks again."""
    poll_delay: int


def settled(link: Link) -> bool:
    """Whether the page of this link will be the same whenever it is asked for."""
    if has_table(link.rules):
        return True
    if link.line is not None or not predict(link.position).complete:
        return False
    if link.at == 0:
        return True
    before = link.game.positions[link.at - 1]
    mover = players.computer(link.player(before.mover))
    return mover is None or mover.settled or predict(before).complete


def known(positions: Iterable[Position]) -> tuple[Outcome, ...]:
    """What is proved of positions by now, as far as that can change: pages that show it are kept by it."""
    open_to_more = (position for position in positions if not has_table(position.rules))
    return tuple(outcome for position in open_to_more for outcome in predict(position).squares.values())


def follow(link: Link) -> Progress | None:
    """Has the rest of the position proved in the background, if the page shows it; None where there is no rest."""
    position = link.position
    if predict(position).complete or not (link.show != "off" or link.hint):
        return None
    look = looked_at(position, link.prove)
    prediction = predict(position)
    if prediction.complete:
        return None
    return Progress(
        proved=prediction.proved,
        open=len(prediction.squares),
        words=_words(look) if link.prove else "Proving is stopped.",
        toggle="Stop" if link.prove else "Go on proving",
        toggle_url=replace(link, prove=not link.prove).url(),
        url=link.url(),
        poll_id=f"poll-{token_hex(4)}" if look.standing in _AGAIN else None,
        poll_delay=_AGAIN.get(look.standing, 0),
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
    now: str
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
        return BestLine(
            f"The line after {name} is not known: {outcome.words(position.mover)}.", "", {}, None, None, url
        )
    moves = line_of(position, link.line, outcome)
    step = min(link.step if link.step is not None else len(moves), len(moves))
    marks = (str(position.mover), str(position.mover.other))
    stones = {cell: (marks[number % 2], number + 1) for number, cell in enumerate(moves[:step])}
    whole = len(moves) == outcome.plies
    last = f", {marks[(step - 1) % 2]} {format_cell(moves[step - 1], link.rules)}" if step else ""
    text = " ".join(format_cell(cell, link.rules) for cell in moves)
    return BestLine(
        words=f"Best play after {name}: {outcome.words(position.mover)}. {text}{'.' if whole else ' …'}",
        now=f"Shown: {step} of {len(moves)}{last}.",
        stones=stones,
        back=replace(link, step=step - 1).url() if step > 0 else None,
        forward=replace(link, step=step + 1).url() if step < len(moves) else None,
        close=url,
    )
