"""The lesson on one minimax for every board: the Scala article's game, move by move, and the cost of its search."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, Final

from solver import predict
from solver.analysis.review import Turn, review, story
from solver.articles.claims.scala import PUBLISHED, SET_ORDER
from solver.articles.generic import (
    Plain,
    PlainMinimax,
    Run,
    attempts,
    chosen,
    end_value,
    person,
    play,
    program,
    run_in_words,
)
from solver.articles.listing import Listing, listing
from solver.board.game import Game, parse_game
from solver.board.notation import format_cell, format_cells, format_outcome, parse_rules
from solver.board.outcome import Outcome, Value
from solver.board.position import Mark, Position
from solver.board.rules import Cell, Rules, check_lines_win
from solver.errors import BadOption
from solver.search.fold import fold
from webapp.pages.learn.content import Facts, Remark, judge_squares, read_content
from webapp.pages.learn.lesson import Lesson, Predictions
from webapp.pages.learn.stepping import Film
from webapp.pages.play.forms import GAME, GameForm, asked_game, game_parts
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini
from webapp.ui.filters import Option, board_options, options

MAX_CELLS = 12
"""The size of the largest board whose whole tree is counted while a visitor waits, in squares."""

_ANSWERS: Final[tuple[Callable[..., object], ...]] = (Position.successors, end_value, chosen)

INTERFACE: Final = tuple(zip(read_content("generic")["interface"], map(listing, _ANSWERS), strict=True))
"""The questions that minimax asks about a game, each with the code that answers it for our game."""

WITHOUT_THE_GAME: Final = listing(fold)
"""The rest of minimax, which knows nothing about the game."""

CHECKING: Final = (listing(Rules.run), listing(attempts))
"""The code that looks for a line."""

DRIVER: Final = listing(play, person, program)
"""The code that lets players take turns, and the two players."""

PAIRS: Final[Mapping[str, str]] = read_content("generic")["pairs"]
"""The pairs of players on offer, with their titles."""

TYPED: Final = "3 3, 3 3, 3 1, 1 1, 1 3"
"""The rows and columns that the article's person types, and one that is taken."""

MOST_TYPED: Final = 120
"""The most characters that a visitor types."""

SMALL = ("3x3x3", "3x3x2", "4x2x2", "4x3x3", "4x3x4", "5x2x3", "6x2x3")
GRADES: Final[Mapping[str, str]] = read_content("generic")["grades"]
"""The grades of moves in words."""


@dataclass(frozen=True, slots=True)
class GenericView:
    """The replayed game, its story in words, and the tree of a small board.

    `positions` counts the different positions among the tree's nodes. Each row of `first_moves` has symmetric first
    moves, their outcome, and the result of minimax after one of them. `film` shows the search for a line of `checked`
    at the end of the game. It is None if the board is empty. `log` is what a pair of players prints when persons type
    `typed`.
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
    pairs: tuple[Option, ...]
    typed: str
    log: str
    driver: ClassVar[Listing] = DRIVER
    interface: ClassVar[tuple[tuple[str, Listing], ...]] = INTERFACE
    without_the_game: ClassVar[Listing] = WITHOUT_THE_GAME
    checking: ClassVar[tuple[Listing, ...]] = CHECKING


def view(query: Query, known: Predictions) -> GenericView:
    """Show the game asked for, by default the article's, and the tree of the board asked for."""
    game, start, minimax = _game(query), _start(query), PlainMinimax()
    small, whole = str(start.rules), minimax.plain(start)
    pair, typed = one_of(query, "pair", PAIRS, "person-program"), _read_typed(query)
    reviewed, checked = review(game, known.__getitem__), game.last.mover.other
    asks = any(query.get(part) for part in GAME)
    parts = (game_parts(game) if asks else {}) | ({"minimax": small} if query.get("minimax") else {})
    return GenericView(
        game=GameForm.of(game),
        published=not asks,
        turns=reviewed.turns,
        told=story(reviewed),
        boards=(*map(_board, reviewed.turns), mini(game.last, "The end")),
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
        pairs=options(PAIRS, pair),
        typed=typed,
        log="\n".join(log_of(pair, typed)),
    )


def log_of(pair: str, typed: str) -> list[str]:
    """Return what a pair of players prints. Where the persons' input ends, so does the log."""
    lines: list[str] = []
    given = iter([each.strip() for each in typed.split(",")])
    movers = {"person": person(given, lines.append), "program": program(SET_ORDER)}
    one, two = pair.split("-")
    with suppress(StopIteration):
        play(movers[one], movers[two], lines.append)
    return lines


def _read_typed(query: Query) -> str:
    typed = query.get("typed") or TYPED
    if len(typed) > MOST_TYPED or not all(re.fullmatch(r"\d \d", each.strip(), re.ASCII) for each in typed.split(",")):
        raise BadOption(f"Type rows and columns such as {TYPED}, up to {MOST_TYPED} characters.")
    return typed


def judge_draws() -> Facts:
    """Judge the squares where the article's game was still a draw, which its person missed."""
    game = parse_game("3x3x3", None, PUBLISHED)
    position, squares = game.positions[4], predict(game.positions[4]).squares

    def judge(cell: Cell) -> Remark:
        name, board = format_cell(cell, position.rules), mini(position.after(cell), classes={cell: "new"})
        draws, outcome = squares[cell].value is Value.DRAW, squares[cell].words(position.mover)
        return Remark.of("draws" if draws else "loses", board, name=name, outcome=outcome)

    missed = format_cell(game.moves[4], position.rules)
    return judge_squares(position, judge, mover=position.mover, other=position.mover.other, missed=missed)


def judge_wins() -> Facts:
    """Judge which square minimax without distance likes as much as the one that wins at once."""
    position = parse_game("3x3x3", None, PUBLISHED).positions[5]
    best, now = PlainMinimax().best(position), position.threats(position.mover)
    known, names = predict(position).squares, format_cells(now, position.rules)

    def judge(cell: Cell) -> Remark:
        outcome, name = known[cell], format_cell(cell, position.rules)
        return Remark.of("wins" if cell in best else "less", name=name, plies=outcome.plies, value=outcome.value)

    answers = {format_cell(cell, position.rules): judge(cell) for cell in position.legal_moves if cell not in now}
    return Facts.of(answers, mini(position), mover=position.mover, names=names)


def judge_turns() -> Facts:
    """Judge whose turn it is after a move that is impossible."""
    log = log_of("person-program", "3 3, 3 3, 3 1")
    again = log[log.index("You can't play there.") + 1]
    right, wrong = ("program", "person") if again.startswith("Player") else ("person", "program")
    board = mini(parse_game("3x3x3", None, PUBLISHED).positions[2])
    return Facts.of({right: "yes", wrong: "no"}, board, again=again)


def _film(query: Query, end: Position, mark: Mark, parts: Mapping[str, str]) -> Film | None:
    """Return the film of the search for a line of `mark`, one attempt per step; None if there is no stone yet."""
    looks = (
        {
            **{f"c{cell}": {"class": _cell_class(end, run, cell)} for cell in range(end.rules.size)},
            "telling": {"text": run_in_words(run, end, mark)},
        }
        for run in attempts(end, mark)
    )
    return Film.of(query, looks, parts) or None


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
    check_lines_win(rules, "This page")
    if rules.size > MAX_CELLS:
        raise BadOption(f"The whole tree of {rules} is too large to count here. Try a board of up to 12 squares.")
    return Position(rules)


def _board(turn: Turn) -> Mini:
    squares = turn.prediction.squares
    return mini(
        turn.position,
        f"{turn.ply}. {turn.mover} {format_cell(turn.cell, turn.position.rules)}: {GRADES[turn.grade.word]}",
        "loss" if turn.grade.is_mistake else "",
        {cell: format_outcome(outcome) for cell, outcome in squares.items()},
        {cell: f"{outcome.value}{' played' if cell == turn.cell else ''}" for cell, outcome in squares.items()},
    )


LESSON = Lesson.of(
    "generic",
    code=(fold, PlainMinimax.best, PlainMinimax.last_best),
    parts=(*GAME, "minimax", "step", "pair", "typed"),
    facts={"draws": judge_draws, "wins": judge_wins, "turns": judge_turns},
    view=view,
    shows=lambda query: (*_game(query).positions, _start(query)),
)
