"""The lesson on looking ahead: what a search of a few plies sees, what it costs, and the bugs of a published one."""

from collections.abc import Iterator, Mapping, Sequence

from solver.articles.lookahead import (
    MAX_DRAWN,
    MAX_VISITS,
    Visits,
    check_depth,
    draw_tree,
    estimate,
    feasible_depth,
    move_values,
    settled_at,
    visits,
)
from solver.board.notation import format_cells
from solver.board.outcome import PROVED, counted, sign
from solver.board.position import Mark, Position
from solver.board.rules import Cell
from webapp.pages.learn.content import Shown
from webapp.pages.learn.facts.values import kind_of
from webapp.pages.learn.lesson import Lesson
from webapp.pages.learn.stepping import Attributes, Film
from webapp.pages.play.forms import GAME, GameForm, asked_game
from webapp.ui.address import Query, number_of
from webapp.ui.board import mini
from webapp.ui.filters import signed

MAX_DEPTH = 9
EXAMPLE = {"from": "X../.../O.."}
"""The position shown by default. In this position from the Haskell article, the depth of the search matters."""


def view(query: Query) -> Shown:
    """Show the position that the query names, and X's value of every move at each depth.

    The default depth is the greatest feasible one. `film` shows a depth a step; it is None at the end of a game.
    `estimates` are the values of a search that also counts two in a row at its horizon, and `favourites` the mover's
    best squares by those at depth 1.
    """
    game = asked_game(query, EXAMPLE)
    position = game.last
    most = min(MAX_DEPTH, feasible_depth(position))
    depth = check_depth(position, number_of(query, "depth", most, 1, MAX_DEPTH)) if position.legal_moves else 0
    levels = number_of(query, "tree", 1, 0, 3)
    values, estimates = move_values(position, depth), move_values(position, depth, estimate)
    counts = visits(position, depth) if depth else ()
    first = max(1, depth) if query.get("depth") else 1
    asked = {name: query[name] for name in (*GAME, "depth", "tree") if query.get(name)}

    def tell(seen: tuple[int, ...]) -> tuple[list[tuple[int, str]], str]:
        """Return a move's value at each depth with its style, and the depth from which it is certain."""
        least = settled_at(seen, position.plies_left)
        certain = f"{least}{'' if seen[-1] else ' (the full board)'}" if least else f"not within {len(seen)}"
        return [(value, kind_of(value, ply >= position.plies_left)) for ply, value in enumerate(seen, 1)], certain

    best = (max if position.mover is Mark.X else min)([seen[0] for seen in estimates.values()], default=0)
    return {
        "game": GameForm.of(game),
        "position": mini(position),
        "depth": depth,
        "levels": levels,
        "moves": {cell: tell(seen) for cell, seen in values.items()},
        "estimates": {cell: [(value, _line_in(value)) for value in seen] for cell, seen in estimates.items()},
        "favourites": [cell for cell, seen in estimates.items() if seen[0] == best],
        "film": Film.of(query, _looks(position, values, counts), asked, first=first) or None,
        "visits": counts,
        "tree": "\n".join(draw_tree(position, levels)),
        "max_visits": MAX_VISITS,
        "max_drawn": MAX_DRAWN,
    }


def _line_in(estimate: int) -> int:
    """Return 1 if the search behind an estimate saw a line of X, -1 for a line of O, and 0 if it saw none."""
    return sign(estimate) if abs(estimate) >= PROVED else 0


def _looks(
    position: Position, values: Mapping[Cell, tuple[int, ...]], counts: Sequence[Visits]
) -> Iterator[Attributes]:
    """Yield the look of the board at each depth: the value of every move, and in words which ones are new."""
    for depth, count in enumerate(counts, start=1):
        whole = depth == position.plies_left
        look: dict[str, Mapping[str, str]] = {}
        for cell in range(position.rules.size):
            value = values[cell][depth - 1] if cell in values else None
            kind = "" if value is None else kind_of(value, whole)
            look[f"c{cell}"] = {"class": f"{(position.mark_at(cell) or 'open').lower()} {kind}".strip()}
            look[f"v{cell}"] = {"text": "" if value is None else signed(value)}
        yield look | {"telling": {"text": _tell(position, values, count, whole)}}


def _tell(position: Position, values: Mapping[Cell, tuple[int, ...]], count: Visits, whole: bool) -> str:
    """Say what the search sees at a depth that it did not see one ply earlier."""
    depth = count.depth
    news = []
    for mark, value in ((Mark.X, 1), (Mark.O, -1)):
        cells = [cell for cell, seen in values.items() if settled_at(seen, depth) == depth and seen[depth - 1] == value]
        if cells:
            news.append(f"after {format_cells(cells, position.rules)} it sees that {mark} wins")
    seen = " and ".join(news) or "it sees nothing new"
    end = "This is the whole game: 0 is a draw." if whole else "0 means: nobody wins yet."
    return f"{counted(depth, 'ply', 'plies')}: {seen}. {end} Minimax looks at {count.plain:,} positions."


LESSON = Lesson.of("search", parts=(*GAME, "depth", "tree", "step"), view=view)
