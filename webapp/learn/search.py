"""The lesson on searching: the tree pruned to a depth, what it is worth at each, and what a search visits of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from solver.board.notation import format_cell, format_state
from solver.board.outcome import counted
from solver.board.position import Position
from solver.board.rules import Cell
from solver.theory.lookahead import MAX_VISITS, checked_depth, feasible_depth, move_values, settled_at, visits
from solver.theory.tree_text import MAX_DRAWN, drawn_tree
from webapp.learn.lesson import Lesson, Query
from webapp.learn.minis import Mini, mini
from webapp.learn.parts import number_of
from webapp.play import words
from webapp.play.games import GAME, GameForm, asked_game

MAX_DEPTH = 9
EXAMPLE = {"from": "X../.../O.."}
"""What is shown when nothing is asked for: a position of the Haskell article, where the depth matters."""

PRESETS = (
    ("The empty board", "?board=3x3x3"),
    ("X in the centre", "?moves=b2"),
    ("X a3, O a1", "?from=X../.../O.."),
    ("The article's second position", "?from=..X/OX./O.."),
    ("The article's tree of six", "?from=XX./.../..O"),
    ("4×3, three in a row", "?board=4x3x3"),
    ("4×4, four in a row", "?board=4x4x4"),
)


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A move with its value at each look-ahead, each with a style class, and from where it is certain."""

    name: str
    values: tuple[tuple[str, str], ...]
    settled: str


@dataclass(frozen=True, slots=True)
class CountRow:
    """The nodes of the searches at one look-ahead, and alpha-beta's share of the whole tree."""

    depth: int
    plain: str
    lazy: str
    alphabeta: str
    share: str


@dataclass(frozen=True, slots=True)
class SearchView:
    """A position with what looking ahead makes of it."""

    game: GameForm
    depth: int
    max_depth: int
    levels: int
    presets: tuple[tuple[str, str], ...]
    position: Mini
    title: str
    state: str
    boards: tuple[Mini, ...]
    rows: tuple[MoveRow, ...]
    deepest: str
    counts: tuple[CountRow, ...]
    max_visits: str
    tree: str
    max_drawn: str
    replies: tuple[Mini, ...]


def view(query: Query) -> SearchView:
    """The position that is asked for, as deep as is asked for or feasible."""
    game = asked_game(query if any(query.get(part) for part in GAME) else EXAMPLE)
    position = game.last
    most = min(MAX_DEPTH, feasible_depth(position))
    depth = checked_depth(position, number_of(query, "depth", most, 1, MAX_DEPTH)) if position.legal_moves else 0
    levels = number_of(query, "tree", 1, 0, 3)
    values = move_values(position, depth)
    return SearchView(
        game=GameForm.of(game),
        depth=depth,
        max_depth=MAX_DEPTH,
        levels=levels,
        presets=tuple((title, f"/learn/search{part}") for title, part in PRESETS),
        position=mini(position),
        title=words.board(position.rules),
        state=format_state(position),
        boards=tuple(_board(position, values, plies) for plies in range(1, depth + 1)),
        rows=tuple(_row(position, cell, values[cell]) for cell in values),
        deepest=_deepest(position, depth),
        counts=tuple(
            CountRow(
                row.depth,
                f"{row.plain:,}",
                _count(row.lazy),
                _count(row.alphabeta),
                f"{100 * row.alphabeta / row.plain:.1f}%" if row.alphabeta else "",
            )
            for row in (visits(position, depth) if depth else ())
        ),
        max_visits=f"{MAX_VISITS:,}",
        tree="\n".join(drawn_tree(position, levels)),
        max_drawn=f"{MAX_DRAWN:,}",
        replies=tuple(_reply(position, cell, values[cell][-1]) for cell in values),
    )


def _deepest(position: Position, depth: int) -> str:
    if depth == position.plies_left:
        return "The last column looks at the whole rest of the game: there 0 is a draw."
    plies = f"{position.plies_left} plies"
    return f"The rest of the game has up to {plies}, so 0 still only means that no win is seen within {depth}."


def _board(position: Position, values: Mapping[Cell, tuple[int, ...]], depth: int) -> Mini:
    at = {cell: each[depth - 1] for cell, each in values.items()}
    whole = depth >= position.plies_left
    return mini(
        position,
        counted(depth, "ply", "plies"),
        texts={cell: _signed(value) for cell, value in at.items()},
        classes={cell: _class(value, whole) for cell, value in at.items()},
    )


def _row(position: Position, cell: Cell, values: tuple[int, ...]) -> MoveRow:
    settled = settled_at(values, position.plies_left)
    shown = tuple(
        (_signed(value), _class(value, depth >= position.plies_left)) for depth, value in enumerate(values, start=1)
    )
    name = format_cell(cell, position.rules)
    if settled is None:
        return MoveRow(name, shown, f"not within {len(values)}")
    return MoveRow(name, shown, f"{settled}{' (the full board)' if not values[-1] else ''}")


def _reply(position: Position, cell: Cell, value: int) -> Mini:
    after = position.after(cell)
    kind = {1: "win", -1: "loss"}.get(value, "")
    return mini(after, f"{format_cell(cell, position.rules)}: {_signed(value)}", kind, classes={cell: "new"})


def _signed(value: int) -> str:
    return {1: "+1", -1: "−1"}.get(value, "0")


def _class(value: int, whole: bool) -> str:
    return {1: "win", -1: "loss"}.get(value, "draw" if whole else "")


def _count(nodes: int | None) -> str:
    return "too many" if nodes is None else f"{nodes:,}"


LESSON = Lesson(
    "search",
    "Looking ahead",
    "What a game tree pruned to a few plies is worth, move by move and depth by depth, and what alpha-beta saves.",
    view,
    (*GAME, "depth", "tree"),
)
