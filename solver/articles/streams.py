"""The PyFL article's program as streams: equations that are worked out on demand, each value at most once.

The first value of a stream belongs to time 1. X's squares are typed in, and O follows rules of the article. Where the
article draws a square at random, the first one is taken. Squares are numbered from 1 to 9 in reading order.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

BoardFunction: TypeAlias = Callable[[int], str]
"""A board as a function from a square to its mark, or to "." for an open square."""

Ask: TypeAlias = Callable[[str, int], Any]
"""A function that returns the value of a stream at a time."""

Equation: TypeAlias = Callable[[Ask, int], Any]
"""The right side of an equation: a function that asks for the values it needs, and returns the value at a time."""

CELLS: Final = range(1, 10)
LINES: Final = ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))

RULES: Final = (("HasWinX", "WinX"), ("HasWinO", "WinO"), ("CenterFree", "Center"), ("FreeSide", "Side"))
"""O's rules, each a condition and the square to take. If no condition is true, O takes a corner."""

ERRORS: Final = (IndexError, ValueError)
"""The errors of the program: the first element of an empty list, and a stone on a stone."""


def fby(first: Any, rest: Equation) -> Equation:
    """Return the equation of a stream: `first`, followed by `rest` as it is at the time before."""
    return lambda ask, time: first if time == 1 else rest(ask, time - 1)


def starting_board(_: int) -> str:
    """Return the mark on a square of the empty board."""
    return "."


def make_move(player: str, cell: int, board: BoardFunction) -> BoardFunction:
    """Return the board after a move. It knows its own square, and asks the old board about the others."""
    if board(cell) != ".":
        raise ValueError(f"overplay {player}{cell}")
    return lambda c: player if c == cell else board(c)


def opponent(player: str) -> str:
    """Return the other player."""
    return "O" if player == "X" else "X"


def pair(found: Callable[[BoardFunction], list[int]]) -> tuple[Equation, Equation]:
    """Return the equations of a rule: whether it finds a square, and the first one. The second may be an error."""
    return (lambda ask, time: found(ask("board", time)) != []), (lambda ask, time: found(ask("board", time))[0])


def winning(player: str) -> Callable[[BoardFunction], list[int]]:
    """Return a function that finds the squares where a player completes a line."""

    def found(board: BoardFunction) -> list[int]:
        lines = ([cell for cell in line if board(cell) != player] for line in LINES)
        return [left[0] for left in lines if len(left) == 1 and board(left[0]) == "."]

    return found


def free(cells: Sequence[int]) -> Callable[[BoardFunction], list[int]]:
    """Return a function that finds the open squares among some."""
    return lambda board: [cell for cell in cells if board(cell) == "."]


def move(typed: Sequence[int]) -> Equation:
    """Return the equation of the move. X's squares are typed in; O asks for one condition after the other."""

    def equation(ask: Ask, time: int) -> Any:
        if ask("player", time) == "X":
            return typed[time // 2]
        for condition, square in RULES:
            if ask(condition, time):
                return ask(square, time)
        return ask("Corner", time)

    return equation


def program(typed: Sequence[int]) -> Mapping[str, Equation]:
    """Return the equation of each stream."""
    rules = (winning("X"), winning("O"), free([5]), free([2, 4, 6, 8]))
    return {
        "player": fby("X", lambda ask, time: opponent(ask("player", time))),
        "board": fby(
            starting_board, lambda ask, time: make_move(ask("player", time), ask("move", time), ask("board", time))
        ),
        "move": move(typed),
        **{
            name: equation
            for names, found in zip(RULES, rules, strict=True)
            for name, equation in zip(names, pair(found), strict=True)
        },
        "Corner": pair(free([1, 3, 7, 9]))[1],
    }


@dataclass(frozen=True, slots=True)
class Demand:
    """A step of a run: a stream is asked for its value at a time, or has it, or fails with an error.

    `by` is the stream that asks, with its time; None if the loop asks.
    """

    name: str
    time: int
    value: str | None = None
    error: str = ""
    by: tuple[str, int] | None = None


def run(typed: Sequence[int], *, eager: bool = False) -> tuple[Demand, ...]:
    """Run the program until O has answered each of X's squares, and return the steps.

    A lazy run asks for the boards alone. An eager run asks for every stream at each time.
    """
    equations, known, steps, asking = (
        program(typed),
        dict[tuple[str, int], Any](),
        list[Demand](),
        list[tuple[str, int]](),
    )

    def ask(name: str, time: int) -> Any:
        here = name, time
        if here not in known:
            steps.append(Demand(*here, by=asking[-1] if asking else None))
            asking.append(here)
            known[here] = equations[name](ask, time)
            steps.append(Demand(*here, _written(known[here])))
            asking.pop()
        return known[here]

    try:
        for time in range(1, 2 * len(typed) + 2):
            for name in equations if eager else ["board"]:
                ask(name, time)
    except ERRORS as error:
        steps.append(Demand(*asking[-1], error=str(error)))
    return tuple(steps)


def answering(moves: Sequence[int], cell: int) -> tuple[int, ...]:
    """Return the numbers of the boards that are asked for the mark on a square. X moves first."""
    asked: list[int] = []

    def numbered(number: int, board: BoardFunction) -> BoardFunction:
        def noting(c: int) -> str:
            asked.append(number)
            return board(c)

        return noting

    board, player = numbered(1, starting_board), "X"
    for number, made in enumerate(moves, start=2):
        board, player = numbered(number, make_move(player, made, board)), opponent(player)
    asked.clear()
    board(cell)
    return tuple(asked)


def _written(value: Any) -> str:
    """Write a value: a board as its rows, everything else as Python does."""
    if not callable(value):
        return str(value)
    return "\n".join("".join(map(value, CELLS[start : start + 3])) for start in (0, 3, 6))
