"""The explorer: a board to step through a game, and beside it a tree of moves with branches to open."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from solver.board.game import Game
from solver.board.notation import format_cell, format_moves, parse_rules
from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from webapp.pages.learn.content import Shown
from webapp.pages.learn.lesson import Lesson, Predictions
from webapp.pages.learn.trees import CHILDREN, OPENED, SEPARATOR, AskedTree, read_children, read_open, toggle_branch
from webapp.pages.play.forms import GAME, GameForm, asked_game, game_parts, game_url
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini, of_outcomes

OPENED_LARGE: Final = 6
"""The most open branches on a board without a table of outcomes, where each branch costs a short search."""

PICTURED: Final = 16
"""The most squares of a board in the tree. Larger boards are not drawn, because they would be too small to read."""

EXPLORED_BOARDS: Final = ("3x3x3", "4x3x3", "4x4x4", "5x4x4")
"""The boards to start on."""


@dataclass(frozen=True, slots=True)
class TreeMove:
    """A move in the tree.

    `game` is the game after the move, and `outcome` is the outcome for the player who makes it. If the branch is
    `open`, `children` are the moves below. `toggled` are the open branches after a click on this one. It is None if a
    click does nothing: the game is over, too many branches are open, or the branch leads to the position shown and so
    stays open.
    """

    game: Game
    outcome: Outcome | None
    words: str
    board: Mini | None
    here: bool
    open: bool
    toggled: tuple[str, ...] | None
    children: tuple["TreeMove", ...]


def view(query: Query, known: Predictions) -> Shown:
    """Show the position that a query names, the outcomes of its moves, and the game's tree. Raises NoughtsError.

    `steps` maps each arrow key to its words and to the game that it leads to.
    """
    game, distinct = asked_game(query), read_children(query)
    opened = _read_opened(query, game)
    tree = _tree(game, opened, distinct, known)

    def parts(shown: Game, distinct: bool, others: Iterable[str] | None = None) -> dict[str, str]:
        """Return the parts of the explorer's address for a game. By default the open branches stay as they are."""
        kept = SEPARATOR.join(opened if others is None else others)
        return game_parts(shown) | ({} if distinct else {"children": CHILDREN[1]}) | ({"open": kept} if kept else {})

    return {
        "game": game,
        "form": GameForm.of(game),
        "prediction": known[game.last],
        "board": of_outcomes(game.last, known[game.last].squares),
        "tree": tree,
        "steps": dict(_steps(game, tree)),
        "distinct": distinct,
        "hides": any(len(position.orbits()) < len(position.legal_moves) for position in game.positions),
        "boards": list(map(parse_rules, EXPLORED_BOARDS)),
        "parts": parts,
        "play": game_url(game),
        "replay": game_url(game.upto(max(0, len(game.moves) - 1))),
        "picture": AskedTree(game, 1, distinct).parts(),
    }


def _read_opened(query: Query, game: Game) -> dict[str, Game]:
    """Return the open branches of a query by their moves from the game's start. Raises NoughtsError."""
    return read_open(query, game.positions[0], _most_open(game.last.rules))


def _most_open(rules: Rules) -> int:
    return OPENED if rules.is_small else OPENED_LARGE


def _list_shown(query: Query) -> Iterator[Position]:
    """Return the positions whose moves are shown with their outcomes."""
    game = asked_game(query)
    opened = [each.last for each in _read_opened(query, game).values() if each.last.result is None]
    return iter(dict.fromkeys((*(game.positions if game.last.rules.is_small else game.positions[-1:]), *opened)))


def _tree(whole: Game, opened: Mapping[str, Game], distinct: bool, known: Predictions) -> tuple[TreeMove, ...]:
    """Return the tree. It shows the moves along a game and the moves below each open branch."""

    def below(at: Game) -> tuple[TreeMove, ...]:
        """Return the branches of a game's next moves in reading order.

        If `distinct` is set, only one of several symmetric moves is shown: the move that was made, or else the first.
        """
        on_way = at.moves == whole.moves[: len(at.moves)]
        taken = whole.moves[len(at.moves)] if on_way and len(at.moves) < len(whole.moves) else None
        prediction = known.get(at.last)
        if prediction is None:  # a larger board: show only the move that was made
            return () if taken is None else (branch(at, taken, None, 1),)
        alike: dict[Cell, int] = {}
        for cells in at.last.orbits():
            shown = cells if not distinct else (taken,) if taken in cells else cells[:1]
            alike |= dict.fromkeys((cell for cell in shown if cell is not None), len(cells))
        return tuple(branch(at, cell, prediction.squares[cell], alike[cell]) for cell in sorted(alike))

    def branch(at: Game, cell: Cell, outcome: Outcome | None, alike: int) -> TreeMove:
        """Return the branch of one move; `alike` counts the moves symmetric to it, itself included."""
        game, rules = at.play(cell), at.last.rules
        key = format_moves(game.moves, rules)
        on_way = game.moves == whole.moves[: len(game.moves)]
        opens = game.last.result is None and (on_way or key in opened)
        more = key in opened or len(opened) < _most_open(rules)
        words = format_cell(cell, rules) + (f": {outcome.words(at.last.mover, rules)}" if outcome else "")
        return TreeMove(
            game=game,
            outcome=outcome,
            words=words + (f"; one of {alike}, turned or mirrored" if distinct and alike > 1 else ""),
            board=mini(game.last, classes={cell: "new"}) if rules.size <= PICTURED else None,
            here=game.moves == whole.moves,
            open=opens,
            toggled=toggle_branch(opened, key) if more and not on_way and game.last.result is None else None,
            children=below(game) if opens else (),
        )

    return below(whole.upto(0))


def _steps(game: Game, children: tuple[TreeMove, ...]) -> Iterator[tuple[str, tuple[str, Game]]]:
    """Yield each arrow key with its words and its game. Right leads to a child, left to the parent."""
    level: tuple[TreeMove, ...] = ()
    for ply in range(1, len(game.moves) + 1):
        level, children = children, next(each.children for each in children if each.game.moves == game.moves[:ply])
    if game.moves:
        yield "ArrowLeft", ("One move back", game.upto(len(game.moves) - 1))
        at = [each.game.moves for each in level].index(game.moves)
        if at > 0:
            yield "ArrowUp", ("The move above", level[at - 1].game)
        if at + 1 < len(level):
            yield "ArrowDown", ("The move below", level[at + 1].game)
    if children:
        yield "ArrowRight", ("The first move from here", children[0].game)


LESSON = Lesson.of("explorer", parts=(*GAME, "children", "open"), view=view, shows=_list_shown)
