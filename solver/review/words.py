"""What a review says in words, from its data alone.

The players are called as the caller likes, "You" among them: names of others are third persons.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count, groupby
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.board.grade import Grade
from solver.board.notation import MAX_NAMED, few_cells, format_cell, format_cells
from solver.board.outcome import Value
from solver.board.position import Mark
from solver.board.rules import Cell, Rules
from solver.explain import Reason, explain
from solver.review.turns import Review, Turn

YOU: Final = "You"

Names: TypeAlias = Mapping[Mark, str]
"""What the players of X and of O are called."""

MARKS: Final[Names] = MappingProxyType({mark: str(mark) for mark in Mark})


def reason_of(turn: Turn) -> Reason:
    """Why a move is what it is."""
    return explain(turn.position, turn.cell, turn.prediction)


def story(review: Review, names: Names = MARKS, why: Callable[[Turn], Reason] = reason_of) -> str:
    """Where the game turned, or that it never did, and what of it is not proved: a few sentences.

    `why` is asked for the reason of the turning point alone.
    """
    turn = review.turning_point
    told = _never_turned(review, names) if turn is None else _turned(review, turn, names, why(turn))
    return " ".join([*told, *_unproved(review)])


def _turned(review: Review, turn: Turn, names: Names, reason: Reason) -> Iterator[str]:
    rules, mover = turn.position.rules, turn.mover
    was, played = _was(names[mover]), format_cell(turn.cell, rules)
    winning = turn.before.value is Value.WIN
    yield f"{names[mover]} {was} {'winning' if winning else 'drawing'} until {played}."
    if turn.missed:
        given = format_cell(review.turns[turn.ply - 2].cell, rules)
        yield f"{given} had just given {_whom(names[mover])} the {'win' if winning else 'draw'}."
    if not (winning and reason.verified):  # which names the wins that were missed
        yield f"{_kept(turn)} {'kept the win' if winning else 'held'}."
    if turn.grade is Grade.WIN_TO_DRAW:
        yield f"{played} gave {_whom(names[mover.other])} a draw."
        if reason.verified:
            yield reason.sentence
    else:
        yield f"{played} lost because {reason.clause}" if reason.verified else f"{played} lost."
    if turn.chances and turn.chance_after != turn.chance_before:
        fell = f"from {turn.chance_before} to {turn.chance_after}"
        yield f"Against {_whom(names[mover.other])} the chance of winning fell {fell}."


def _never_turned(review: Review, names: Names) -> Iterator[str]:
    if not review.turns:
        yield "No move was played."
    elif review.unproved:
        yield "No mistake is proved."
    else:
        first = review.turns[0]
        if first.before.value is Value.DRAW:
            yield "It was a draw from the start, and nobody gave anything away."
        else:
            winner = names[first.mover if first.before.value is Value.WIN else first.mover.other]
            yield f"{winner} {_was(winner)} winning from the start and never gave the win away."


def _unproved(review: Review) -> Iterator[str]:
    plies = [turn.ply for turn in review.unproved]
    if plies:
        noun = "move" if len(plies) == 1 else "moves"
        yield f"Too little is proved to judge {noun} {', '.join(_ranges(plies))}."


def _ranges(numbers: Iterable[int]) -> Iterator[str]:
    """Ascending numbers, those in a row together: 1–4, 7."""
    counter = count()
    for _, group in groupby(numbers, key=lambda number: number - next(counter)):
        first, *rest = group
        yield f"{first}–{rest[-1]}" if rest else f"{first}"


def _kept(turn: Turn) -> str:
    """The squares that kept what there was, or those that did not, whichever are fewer."""
    rules, keeping = turn.position.rules, turn.keeping
    others = tuple(cell for cell in turn.prediction.squares if cell not in keeping)
    if len(others) < len(keeping):
        return f"Anything but {_cells(others, rules)}"
    return _cells(keeping, rules)


def _cells(cells: tuple[Cell, ...], rules: Rules) -> str:
    """Squares as the subject of a sentence."""
    if len(cells) > MAX_NAMED:
        return few_cells(cells, rules)
    *others, last = cells
    return f"{format_cells(others, rules)} and {format_cell(last, rules)}" if others else format_cell(last, rules)


def _was(name: str) -> str:
    return "were" if name == YOU else "was"


def _whom(name: str) -> str:
    """The name as it stands within a sentence."""
    return "you" if name == YOU else name
