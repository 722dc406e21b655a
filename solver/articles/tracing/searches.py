"""The three searches that can be watched, on the tree of any position that is small enough."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Final

from solver.articles.tracing.frames import Frame, frames
from solver.articles.tracing.lazy import lazy_steps
from solver.articles.tracing.steps import Steps, alphabeta_steps, minimax_steps
from solver.articles.tracing.tree import MoveOrder, SmallTree, small_tree
from solver.board.outcome import WIN, Score
from solver.board.position import Position

LARGEST: Final = 10
"""What a line counts, less the plies from the root to it, where a trace is shown."""


class Search(StrEnum):
    """A search that can be watched."""

    MINIMAX = "minimax"
    LAZY = "lazy"
    ALPHABETA = "alphabeta"

    @property
    def called(self) -> str:
        """What people call it."""
        return {"minimax": "Minimax", "lazy": "Lazy lists", "alphabeta": "Alpha-beta"}[self.value]


STEPS: Final[Mapping[Search, Callable[[SmallTree], Steps]]] = MappingProxyType(
    {Search.MINIMAX: minimax_steps, Search.LAZY: lazy_steps, Search.ALPHABETA: alphabeta_steps}
)


@dataclass(frozen=True)
class Trace:
    """A search of a tree, step by step."""

    search: Search
    tried: MoveOrder
    tree: SmallTree
    frames: tuple[Frame, ...]

    @property
    def visited(self) -> int:
        """The nodes that it visits in all."""
        return self.frames[-1].visited

    @cached_property
    def value(self) -> int:
        """X's value of the root, as it is shown."""
        best = self.frames[-1].step.best
        assert best is not None  # noqa: S101 - at the end the root has its value
        return self.shown(best)

    def shown(self, score: Score) -> int:
        """A value as it is written: 10 less the plies from the root to a line, negative for O's; of lists, just 1."""
        if self.search is Search.LAZY or not score:
            return score
        return score - WIN + LARGEST if score > 0 else score + WIN - LARGEST


def trace(
    position: Position, search: Search = Search.ALPHABETA, depth: int | None = None, tried: MoveOrder = MoveOrder.FOUND
) -> Trace:
    """The search of the tree below a position, by default as deep as can be drawn. Raises BadOption if too wide."""
    tree = small_tree(position, depth, tried)
    return Trace(search, tried, tree, frames(tree, STEPS[search](tree)))


def visited(position: Position, depth: int | None = None) -> Mapping[tuple[Search, MoveOrder], int]:
    """The nodes that each search visits of the same tree, in each order of moves."""
    return {(search, tried): trace(position, search, depth, tried).visited for search in Search for tried in MoveOrder}
