"""The lesson on one minimax for every board: the Scala article's game, move by move, and the cost of its search."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from solver.analysis.review import Turn, review, story
from solver.articles.claims.scala import PUBLISHED
from solver.articles.generic import Plain, PlainMinimax, Run, attempts, chosen, end_value, run_in_words
from solver.articles.tracing.listing import Listing, listing
from solver.board.game import Game
from solver.board.notation import format_cell, format_outcome, parse_rules
from solver.board.outcome import Outcome
from solver.board.position import Mark, Position
from solver.board.rules import Cell, Rules
from solver.errors import BadOption
from solver.search.fold import fold
from webapp.pages.learn.lesson import Lesson, Level, Predictions
from webapp.pages.learn.search.stepping import Film, step_controls
from webapp.pages.learn.thumbs import predicted_board
from webapp.pages.play.forms import GAME, GameForm, asked_game, game_parts
from webapp.ui.address import Query, number_of
from webapp.ui.board import Mini, mini
from webapp.ui.choices import Option, board_options

MAX_CELLS = 12
"""The size of the largest board whose whole tree is counted while a visitor waits, in squares."""

INTERFACE: Final = (
    ("The moves: what positions come next? None, once the game is over.", listing(Position.successors)),
    ("The end: what is a finished game worth to the player whose turn it would be?", listing(end_value)),
    (
        "The choice: what is a position worth, if you know what its moves are worth to the other player?",
        listing(chosen),
    ),
)
"""The questions that minimax asks about a game, each with the code that answers it for our game."""

WITHOUT_THE_GAME: Final = listing(fold)
"""The rest of minimax, which knows nothing about the game."""

CHECKING: Final = (listing(Rules.run), listing(attempts))
"""The code that looks for a line."""

SMALL = ("3x3x3", "3x3x2", "4x2x2", "4x3x3", "4x3x4", "5x2x3", "6x2x3")
GRADES = {
    "best": "best",
    "slow": "wins slower than it could",
    "hasty": "loses faster than it must",
    "mistake": "mistake",
    "unknown": "not proved",
}


@dataclass(frozen=True, slots=True)
class GenericView:
    """The replayed game, its story in words, and the tree of a small board.

    `positions` counts the different positions among the tree's nodes. Each row of `first_moves` has symmetric first
    moves, their outcome, and the result of minimax after one of them. `film` shows the search for a line of `checked`
    at the end of the game. It is None if the board is empty.
    """

    game: GameForm
    published: bool
    turns: tuple[Turn, ...]
    told: str
    boards: tuple[Mini, ...]
    start: Position
    smalls: tuple[Option, ...]
    minimax: Plain
    positions: int
    first_moves: tuple[tuple[tuple[Cell, ...], Outcome, Plain], ...]
    end: Position
    checked: Mark
    film: Film | None
    grades: ClassVar[Mapping[str, str]] = GRADES
    interface: ClassVar[tuple[tuple[str, Listing], ...]] = INTERFACE
    without_the_game: ClassVar[Listing] = WITHOUT_THE_GAME
    checking: ClassVar[tuple[Listing, ...]] = CHECKING


def view(query: Query, known: Predictions) -> GenericView:
    """Show the game asked for, by default the article's, and the tree of the board asked for."""
    game, start, minimax = _game(query), _start(query), PlainMinimax()
    small, whole = str(start.rules), minimax.plain(start)
    found, checked = review(game, known.__getitem__), game.last.mover.other
    asks = any(query.get(part) for part in GAME)
    parts = (game_parts(game) if asks else {}) | ({"minimax": small} if query.get("minimax") else {})
    return GenericView(
        game=GameForm.of(game),
        published=not asks,
        turns=found.turns,
        told=story(found),
        boards=(*map(_board, found.turns), mini(game.last, "The end")),
        start=start,
        smalls=board_options(SMALL, small),
        minimax=whole,
        positions=minimax.positions,
        first_moves=tuple(
            (cells, known[start].squares[cells[0]], minimax.plain(start.after(cells[0]))) for cells in start.orbits()
        ),
        end=game.last,
        checked=checked,
        film=_film(query, game.last, checked, parts),
    )


def _film(query: Query, end: Position, mark: Mark, parts: Mapping[str, str]) -> Film | None:
    """Return the film of the search for a line of `mark`, one attempt per step; None if there is no stone yet."""
    runs = tuple(attempts(end, mark))
    step = number_of(query, "step", 1, 1, max(1, len(runs)))
    looks = tuple(
        {
            **{f"c{cell}": {"class": _cell_class(end, run, cell)} for cell in range(end.rules.size)},
            "telling": {"text": run_in_words(run, end, mark)},
            **step_controls(parts, number, len(runs)),
        }
        for number, run in enumerate(runs, start=1)
    )
    return Film(looks, step, parts) if looks else None


def _cell_class(end: Position, run: Run, cell: Cell) -> str:
    """Return the style of a cell in an attempt to find a line.

    The style is `whole` in a full line, `met` in a part of a line, `against` on the square that ends the attempt, and
    `aside` everywhere else.
    """
    mark = (end.mark_at(cell) or "open").lower()
    if cell in run.stones:
        return f"{mark} {'whole' if run.is_line else 'met'}"
    return f"{mark} {'against' if cell == run.stopped_by else 'aside'}"


def _game(query: Query) -> Game:
    return asked_game(query, {"moves": PUBLISHED})


def _start(query: Query) -> Position:
    """Return the empty board whose whole tree is counted."""
    rules = parse_rules(query.get("minimax") or "3x3x3")
    if rules.size > MAX_CELLS:
        raise BadOption(f"The whole tree of {rules} is too large to count here. Try a board of up to 12 squares.")
    return Position(rules)


def _board(turn: Turn) -> Mini:
    squares = turn.prediction.squares
    return mini(
        turn.position,
        f"{turn.ply}. {turn.mover} {format_cell(turn.cell, turn.position.rules)}: {GRADES[turn.word]}",
        "loss" if turn.grade.is_mistake else "",
        {cell: format_outcome(outcome) for cell, outcome in squares.items()},
        {cell: f"{outcome.value}{' played' if cell == turn.cell else ''}" for cell, outcome in squares.items()},
    )


LESSON = Lesson(
    name="generic",
    title="One minimax for every board",
    summary="Replay the game of the Scala article, and count the whole tree of any small board.",
    level=Level.FURTHER,
    minutes=7,
    after=("scala",),
    code=(fold, PlainMinimax.best, PlainMinimax.last_best),
    picture=lambda: predicted_board(Position(parse_rules("4x2x2"))),
    parts=(*GAME, "minimax", "step"),
    view=view,
    shows=lambda query: (*_game(query).positions, _start(query)),
)
