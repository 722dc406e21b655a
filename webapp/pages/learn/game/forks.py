"""The lesson on forks: make one, find some, stop some; then every forked position of tic-tac-toe by ply."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Final

from solver import predict
from solver.analysis.drills import DrillKind
from solver.articles.graph import FORK, Fork, forks, forks_by_ply, forks_in_words, wins_by_threats
from solver.board.notation import format_cell, listed_cells, parse_position
from solver.board.outcome import Value
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from webapp.pages.learn.lesson import Lesson, Level, settled
from webapp.pages.learn.quiz import Feedback, Question, Quiz, on_board
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, Strike, mini, spoken, strike
from webapp.ui.choices import Option, options

TO_FORK: Final = (
    "XO./.X./..O",
    "X.O/..X/.O.",
    "XO./..X/O..",
    ".X./OX./.O.",
    "XOO/..X/...",
    "XO./..X/..O",
    "X.O/..X/..O",
    "OXO/X../...",
    ".X./OOX/...",
    "XXO/..X/..O",
)
"""Positions in which nobody has a threat and the mover has a fork: first those with two forks, then those with one."""

TO_STOP: Final = ("X../.O./..X", "X.O/..X/...", "OX./.X./.O.", ".X./.X./.O.", "X../.OX/..O", "XO./O.X/.X.")
"""Positions in which nobody has a threat, some squares let the opponent fork, and all others hold the draw."""

name_of: Final = partial(format_cell, rules=TIC_TAC_TOE)
names_of: Final = partial(listed_cells, rules=TIC_TAC_TOE)

PLAY: Final = {"all": "any play", "forced": "play where both win and block when they can"}
"""The two sets of positions to choose from, with their titles."""


@dataclass(frozen=True, slots=True)
class ForksView:
    """The forked positions by ply.

    `two` have two threats. `more` have three, which the article's definition leaves out.
    """

    plays: tuple[Option, ...]
    said: str
    two: Mapping[int, tuple[Mini, ...]]
    more: Mapping[int, tuple[Mini, ...]]


def view(query: Query) -> ForksView:
    """Show the forks of all play, or of forced play. Raises BadOption."""
    play = one_of(query, "play", PLAY, "all")
    found = forks(TIC_TAC_TOE, forced=play == "forced")
    two = tuple(fork for fork in found if len(fork.threats) == FORK)
    more = tuple(fork for fork in found if len(fork.threats) > FORK)
    return ForksView(options(PLAY, play), forks_in_words(found), _boards(two), _boards(more))


@cache
def finding() -> Quiz:
    """Return the quiz that asks for a fork in ten positions."""
    return Quiz(
        title="Find the fork",
        questions=tuple(to_fork(parse_position(text, TIC_TAC_TOE)) for text in TO_FORK),
        closing="Now stop the other player's forks.",
    )


@cache
def stopping() -> Quiz:
    """Return the quiz that asks how to stop a fork."""
    return Quiz(
        title="Stop the fork",
        questions=tuple(_to_stop(parse_position(text, TIC_TAC_TOE)) for text in TO_STOP),
        closing="Take the fork's square, or make a threat that leaves no time for it.",
    )


def forking(position: Position) -> tuple[Cell, ...]:
    """Return the squares where the mover makes a fork."""
    return tuple(cell for cell in position.legal_moves if wins_by_threats(position.after(cell)))


def to_fork(position: Position) -> Question:
    """Ask where the mover makes a fork."""
    squares = forking(position)

    def answer(cell: Cell) -> Feedback:
        after, name = position.after(cell), name_of(cell)
        if cell in squares:
            others = [other for other in squares if other != cell]
            more = f" {names_of(others)} {'forks' if len(others) == 1 else 'fork'} too." if others else ""
            said = f"Yes! {name} threatens {names_of(after.threats())} at once, and one move can't block both.{more}"
            return Feedback(True, said, threatened(after), threatened_lines(after))
        if first := after.threats(after.mover):
            return Feedback(
                False, f"{name} forgets that {after.mover} wins with {names_of(first)}. Try another square."
            )
        made = after.threats()
        said = (
            f"{name} threatens only {name_of(made[0])}: one block stops it." if made else f"{name} threatens nothing."
        )
        return Feedback(False, f"{said} Try another square.")

    return on_board(f"Where does {position.mover} make two threats with one move?", position, answer)


def _to_stop(position: Position) -> Question:
    mover, squares = position.mover, predict(position).squares

    def answer(cell: Cell) -> Feedback:
        after, name = position.after(cell), name_of(cell)
        if squares[cell].value is Value.LOSS:
            fork = forking(after)[0]
            forked = after.after(fork)
            said = f"{name} lets {mover.other} fork with {name_of(fork)}. Then {names_of(forked.threats())} both win."
            return Feedback(False, f"{said} Try another square.", threatened(forked), threatened_lines(forked))
        if not after.threats():
            return Feedback(
                True, f"Yes: with {name} taken, {mover.other} has no fork.", mini(after, classes={cell: "new"})
            )
        (block,) = after.threats()
        said = f"Yes: {name} threatens {name_of(block)}. {mover.other} has to block there, and that makes no fork."
        return Feedback(True, said, threatened(after), threatened_lines(after))

    return on_board(f"{mover} to move. {mover.other} wants to fork. Where does {mover} stop it?", position, answer)


def threatened(position: Position) -> Mini:
    """Draw a position with the threats of the player who moved last."""
    marks = position.threats()
    return mini(position, texts=dict.fromkeys(marks, "!"), classes=dict.fromkeys(marks, "threat"))


def threatened_lines(position: Position) -> tuple[Strike, ...]:
    """Return the lines that the player who moved last threatens to complete."""
    owner = position.mover.other
    filled = (position.stones(owner) | 1 << cell for cell in position.threats())
    return tuple(
        strike(line, position.rules)
        for stones in filled
        for line in position.rules.lines
        if line & ~stones == 0 and line & ~position.stones(owner)
    )


def _boards(found: tuple[Fork, ...]) -> Mapping[int, tuple[Mini, ...]]:
    return {ply: tuple(map(_board, group)) for ply, group in forks_by_ply(found).items()}


def _board(fork: Fork) -> Mini:
    """Draw the position of a fork with its threats marked."""
    return replace(
        threatened(fork.position), label=f"{spoken(fork.position)}: {fork.owner} threatens {names_of(fork.threats)}"
    )


LESSON = Lesson(
    name="forks",
    title="Forks",
    summary="Two threats with one move: make one, find one, stop one.",
    level=Level.FIRST,
    minutes=5,
    after=("clojure",),
    code=(wins_by_threats, forks),
    picture=lambda: _board(forks(TIC_TAC_TOE, forced=True)[0]),
    parts=("play",),
    view=settled(view),
    quizzes={"find": finding, "stop": stopping},
    drills=(DrillKind.FORK, DrillKind.STOP_FORK),
)
