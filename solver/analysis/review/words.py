"""A review in words, from its data alone.

The players are called as the caller likes, "You" among them: names of others are third persons.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count, groupby
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.analysis.review.turns import Review, Turn
from solver.board.notation import MAX_NAMED, format_cell, format_whole_percent, listed_cells
from solver.board.outcome import Grade, Value
from solver.board.position import Mark
from solver.reasons import Reason, explain

YOU: Final = "You"

SideNames: TypeAlias = Mapping[Mark, str]
"""What the players of X and of O are called."""

MARKS: Final[SideNames] = MappingProxyType({mark: str(mark) for mark in Mark})


def reason_of_turn(turn: Turn) -> Reason:
    """Why a move is what it is."""
    return explain(turn.position, turn.cell, turn.prediction)


def story(review: Review, names: SideNames = MARKS, why: Callable[[Turn], Reason] = reason_of_turn) -> str:
    """Where the game turned, or that it never did, and what of it is not proved: a few sentences.

    `why` is asked for the reason of the turning point alone.
    """
    turn = review.turning_point
    told = _never_turned(review, names) if turn is None else _turned(review, turn, names, why(turn).discreet)
    return " ".join([*told, *_unproved(review)])


def chances(turn: Turn) -> tuple[str, str] | None:
    """The chances to win before a move and after it, in percent; None where they are not known or look the same."""
    if turn.chance_before is None or turn.chance_after is None:
        return None
    before, after = format_whole_percent(turn.chance_before), format_whole_percent(turn.chance_after)
    return (before, after) if before != after else None


def _turned(review: Review, turn: Turn, names: SideNames, reason: Reason) -> Iterator[str]:
    rules, mover = turn.position.rules, turn.mover
    was, played = _was(names[mover]), format_cell(turn.cell, rules)
    winning = turn.before.value is Value.WIN
    yield f"{names[mover]} {was} {'winning' if winning else 'drawing'} until {played}."
    if turn.missed:
        given = format_cell(review.turns[turn.ply - 2].cell, rules)
        yield f"{given} had just given {_whom(names[mover])} the {'win' if winning else 'draw'}."
    yield f"{_kept(turn)} would have {'kept the win' if winning else 'held the draw'}."
    if turn.grade is Grade.WIN_TO_DRAW:
        yield f"{played} gave {_whom(names[mover.other])} a draw."
        if reason.verified:
            yield reason.sentence
    else:
        yield f"{played} lost because {reason.clause}" if reason.verified else f"{played} lost."
    if fell := chances(turn):
        yield f"Against {_whom(names[mover.other])} the chance of winning fell from {fell[0]} to {fell[1]}."


def _never_turned(review: Review, names: SideNames) -> Iterator[str]:
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
    """The squares that kept what there was; or those that did not, where they are fewer and all of them are proved."""
    rules, squares, keeping = turn.position.rules, turn.prediction.squares, turn.keeping
    others = tuple(cell for cell in squares if cell not in keeping)
    few = len(others) < min(len(keeping), MAX_NAMED + 1)
    if few and all(squares[cell].value is not Value.UNKNOWN for cell in others):
        return f"Anything but {listed_cells(others, rules)}"
    return listed_cells(keeping, rules)


def _was(name: str) -> str:
    return "were" if name == YOU else "was"


def _whom(name: str) -> str:
    """The name as it stands within a sentence."""
    return "you" if name == YOU else name
