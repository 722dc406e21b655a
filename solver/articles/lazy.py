"""The Haskell article's search as a pipeline of lazy stages: maximum . maximise . fmap static . prune n . generate.

Python's generators stand for Haskell's lists: nothing is worked out before somebody asks for it. All values are X's.
Source: J. Hughes, "Why Functional Programming Matters", 1990, as used in the Haskell article.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, tee
from operator import neg
from typing import Final, Generic, TypeAlias, TypeVar

from solver.articles.lookahead import static_value
from solver.board.position import Position

Seed = TypeVar("Seed")
Label = TypeVar("Label")
Mapped = TypeVar("Mapped")

Lists: TypeAlias = Iterable[Iterable[int]]
Best: TypeAlias = Callable[[Lists], Iterable[int]]
"""A function from the lists of values below each move to the values of the moves."""


@dataclass(frozen=True, slots=True)
class Tree(Generic[Label]):
    """A tree whose label and subtrees are worked out only when they are asked for."""

    label: Callable[[], Label]
    below: Callable[[], Iterator["Tree[Label]"]]


def unfold(following: Callable[[Seed], Iterable[Seed]], seed: Seed) -> Tree[Seed]:
    """Return the tree that grows from a seed; the label of each node is its seed."""
    return Tree(lambda: seed, lambda: (unfold(following, each) for each in following(seed)))


def prune(depth: int, tree: Tree[Label]) -> Tree[Label]:
    """Return the tree without the nodes below a depth."""
    return Tree(tree.label, lambda: (prune(depth - 1, each) for each in (tree.below() if depth else ())))


def fmap(function: Callable[[Label], Mapped], tree: Tree[Label]) -> Tree[Mapped]:
    """Return the tree with the function applied to every label."""
    return Tree(lambda: function(tree.label()), lambda: (fmap(function, each) for each in tree.below()))


def values(tree: Tree[int], mine: Best, other: Best) -> Iterator[int]:
    """Yield the values of the mover's moves, or the label of a leaf.

    `other` turns the other player's choices after each move into the move's value; `mine` does so one ply deeper.
    """
    below = tree.below()
    first = next(below, None)
    if first is None:
        yield tree.label()
    else:
        yield from other(values(each, other, mine) for each in chain([first], below))


def minleq(floor: int, listed: Iterable[int]) -> bool:
    """Return whether some value is no more than the floor; read no farther than that value."""
    return any(value <= floor for value in listed)


def mapmin(lists: Lists) -> Iterator[int]:
    """Yield the least value of each list, but leave a list as soon as it is no better than an earlier one."""
    best: int | None = None
    for listed in lists:
        asked, kept = tee(listed)
        if best is None or not minleq(best, asked):
            best = min(kept)
            yield best


def mapmax(lists: Lists) -> Iterator[int]:
    """Yield the largest value of each list, but leave a list as soon as it is no better than an earlier one."""
    return map(neg, mapmin(map(neg, listed) for listed in lists))


PLAIN: Final = (partial(map, max), partial(map, min))
"""The choices of Max and of Min in minimax, which read every list to its end."""

LEAVING: Final = (mapmax, mapmin)
"""The choices that take the place of those in the article's alpha-beta."""


@dataclass(frozen=True, slots=True)
class Worked:
    """The value that a pipeline finds, the positions that were made, and those that `static_value` was asked about."""

    value: int
    made: tuple[Position, ...]
    valued: tuple[Position, ...]

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of positions made and asked about."""
        return len(self.made), len(self.valued)


def run_pipeline(position: Position, depth: int, choices: tuple[Best, Best] = PLAIN) -> Worked:
    """Run the pipeline for a position in which X moves, and record what is worked out."""
    made, valued = [position], []

    def moves(seed: Position) -> Iterator[Position]:
        for cell in seed.legal_moves:
            made.append(seed.after(cell))
            yield made[-1]

    def static(label: Position) -> int:
        valued.append(label)
        return static_value(label)

    value = max(values(fmap(static, prune(depth, unfold(moves, position))), *choices))
    return Worked(value, tuple(made), tuple(valued))
