"""The lesson on one minimax for every board: the Scala article's game, move by move, and what its search costs."""

from collections.abc import Mapping
from dataclasses import dataclass

from solver.board.game import Game
from solver.board.notation import format_cell, parse_rules
from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import Cell
from solver.errors import BadOption
from solver.proofs.prediction import Prediction, predict
from solver.review.turns import Turn, review
from solver.review.words import story
from solver.theory.claims.claim import ARTICLES
from solver.theory.claims.scala import PUBLISHED
from solver.theory.generic import Plain, PlainMinimax
from webapp.choices import Option, options
from webapp.filters import short
from webapp.learn.lesson import About, Known, Lesson, Level, Query, Track
from webapp.learn.minis import Mini, mini, of_outcomes
from webapp.play import words
from webapp.play.games import GAME, GameForm, asked_game

MAX_CELLS = 12
"""Squares of the largest board whose whole tree is counted while somebody waits."""

SMALL = ("3x3x3", "3x3x2", "4x2x2", "4x3x3", "4x3x4", "5x2x3", "6x2x3")
GRADES = {
    "best": "best",
    "slow": "wins, but later than need be",
    "hasty": "loses sooner than need be",
    "error": "error",
    "unknown": "not proved",
}


@dataclass(frozen=True, slots=True)
class FirstMove:
    """A first move and those that a symmetry turns it into: what it leads to, and minimax on the board after it."""

    cells: tuple[Cell, ...]
    outcome: Outcome
    minimax: Plain


@dataclass(frozen=True, slots=True)
class GenericView:
    """The game that is replayed, where it turned in words, and the tree of a small board.

    `positions` are how many of the tree's nodes differ.
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
    first_moves: tuple[FirstMove, ...]
    grades: Mapping[str, str]


def view(query: Query, known: Known) -> GenericView:
    """The game that is asked for, by default the article's, and the board whose tree is."""
    game = _game(query)
    found = review(game, known.__getitem__)
    start = _start(query)
    small, minimax = str(start.rules), PlainMinimax()
    whole = minimax.plain(start)
    return GenericView(
        game=GameForm.of(game),
        published=not _asks(query),
        turns=found.turns,
        told=story(found),
        boards=(*map(_board, found.turns), mini(game.last, "The end")),
        start=start,
        smalls=options({board: words.board(parse_rules(board)) for board in (*SMALL, small)}, small),
        minimax=whole,
        positions=minimax.positions,
        first_moves=_first_moves(known[start], minimax),
        grades=GRADES,
    )


def _asks(query: Query) -> bool:
    return any(query.get(part) for part in GAME)


def _game(query: Query) -> Game:
    return asked_game(query if _asks(query) else {"moves": PUBLISHED})


def _start(query: Query) -> Position:
    """The empty board whose whole tree is counted."""
    rules = parse_rules(query.get("minimax") or "3x3x3")
    if rules.size > MAX_CELLS:
        raise BadOption(f"The whole tree of {rules} is too large to count here: take a board of at most 12 squares.")
    return Position(rules)


def _board(turn: Turn) -> Mini:
    squares = turn.prediction.squares
    return mini(
        turn.position,
        f"{turn.ply}. {turn.mover} {format_cell(turn.cell, turn.position.rules)}: {GRADES[turn.word]}",
        "loss" if turn.grade.is_mistake else "",
        {cell: short(outcome) for cell, outcome in squares.items()},
        {cell: f"{outcome.value}{' played' if cell == turn.cell else ''}" for cell, outcome in squares.items()},
    )


def _first_moves(known: Prediction, minimax: PlainMinimax) -> tuple[FirstMove, ...]:
    start = known.position
    return tuple(
        FirstMove(orbit, known.squares[orbit[0]], minimax.plain(start.after(orbit[0]))) for orbit in start.orbits()
    )


_SHOWN = Position(parse_rules("4x2x2"))
"""The board in the contents."""

LESSON = Lesson(
    "generic",
    "One minimax for every board",
    "The game of the Scala article with the outcome of every move, and the whole tree of any small board, counted.",
    view,
    (*GAME, "minimax"),
    lambda query: (*_game(query).positions, _start(query)),
    about=About(
        Track.PROGRAMMERS,
        Level.FURTHER,
        minutes=7,
        picture=lambda: of_outcomes(_SHOWN, predict(_SHOWN).squares),
        articles=(ARTICLES["scala"],),
        code=(
            PlainMinimax.best,
            PlainMinimax.last_best,
        ),
    ),
)
