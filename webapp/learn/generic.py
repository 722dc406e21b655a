"""The lesson on one minimax for every board: the Scala article's game, move by move, and what its search costs."""

from dataclasses import dataclass

from solver.board.game import Game
from solver.board.notation import format_cell, format_cells, parse_rules
from solver.board.outcome import Outcome
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from solver.errors import BadOption
from solver.proofs.prediction import predict
from solver.theory.claims.scala import PUBLISHED
from solver.theory.generic import PlainMinimax
from solver.theory.replay import Grade, Turn, replayed
from webapp.learn.lesson import Lesson, Query
from webapp.learn.minis import Mini, mini
from webapp.learn.parts import Choice, choices
from webapp.play import words
from webapp.play.games import GAME, GameForm, asked_game

MAX_CELLS = 12
"""Squares of the largest board whose whole tree is counted while somebody waits."""

SMALL = ("3x3x3", "3x3x2", "4x2x2", "4x3x3", "4x3x4", "5x2x3", "6x2x3")
GRADES = {
    Grade.BEST: "best",
    Grade.SLOW: "wins, but later than need be",
    Grade.HASTY: "loses sooner than need be",
    Grade.ERROR: "error",
    Grade.UNKNOWN: "not proved",
}


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One move: what the mover could have had, what the move left, and what a player with distance would play."""

    number: int
    mover: str
    move: str
    before: str
    after: str
    grade: str
    best: str
    error: bool


@dataclass(frozen=True, slots=True)
class FirstMoveRow:
    """A first move and those that a symmetry turns it into: what minimax says of it, and the nodes of its tree."""

    names: str
    value: str
    outcome: str
    nodes: str


@dataclass(frozen=True, slots=True)
class GenericView:
    """The game that is replayed, and the tree of a small board."""

    game: GameForm
    published: bool
    turns: tuple[TurnRow, ...]
    boards: tuple[Mini, ...]
    late: tuple[str, ...]
    small: str
    small_title: str
    smalls: tuple[Choice, ...]
    first_moves: tuple[FirstMoveRow, ...]
    value: str
    nodes: str
    positions: str


def view(query: Query) -> GenericView:
    """The game that is asked for, by default the article's, and the board whose tree is."""
    game = _game(query)
    turns = replayed(game)
    small = _small(query.get("minimax") or "3x3x3")
    minimax = PlainMinimax()
    whole = minimax.plain(Position(small))
    return GenericView(
        game=GameForm.of(game),
        published=not _asks(query),
        turns=tuple(_row(number, turn) for number, turn in enumerate(turns, start=1)),
        boards=(*(_board(number, turn) for number, turn in enumerate(turns, start=1)), mini(game.last, "The end")),
        late=tuple(_late(number, turn) for number, turn in enumerate(turns, start=1) if turn.grade is Grade.SLOW),
        small=str(small),
        small_title=words.board(small),
        smalls=choices({board: words.board(parse_rules(board)) for board in (*SMALL, str(small))}, str(small)),
        first_moves=_first_moves(small, minimax),
        value=_value(whole.value, Mark.X),
        nodes=f"{whole.nodes:,}",
        positions=f"{minimax.positions:,}",
    )


def _asks(query: Query) -> bool:
    return any(query.get(part) for part in GAME)


def _game(query: Query) -> Game:
    return asked_game(query if _asks(query) else {"moves": PUBLISHED})


def _small(text: str) -> Rules:
    rules = parse_rules(text)
    if rules.size > MAX_CELLS:
        raise BadOption(f"The whole tree of {rules} is too large to count here: take a board of at most 12 squares.")
    return rules


def _row(number: int, turn: Turn) -> TurnRow:
    rules, mover = turn.position.rules, turn.position.mover
    return TurnRow(
        number,
        str(mover),
        format_cell(turn.cell, rules),
        _words(turn.before, mover),
        _words(turn.after, mover),
        GRADES[turn.grade],
        format_cells(turn.best, rules) or "not proved",
        turn.grade is Grade.ERROR,
    )


def _late(number: int, turn: Turn) -> str:
    return (
        f"At ply {number} {turn.position.mover} could win in {turn.before.plies} and takes a win in {turn.after.plies}:"
        " without distance both count 1."
    )


def _board(number: int, turn: Turn) -> Mini:
    squares = turn.prediction.squares
    return mini(
        turn.position,
        f"{number}. {turn.position.mover} {format_cell(turn.cell, turn.position.rules)}: {GRADES[turn.grade]}",
        "loss" if turn.grade is Grade.ERROR else "",
        {cell: f"{outcome.letter}{outcome.number}" for cell, outcome in squares.items()},
        {cell: f"{outcome.value}{' played' if cell == turn.cell else ''}" for cell, outcome in squares.items()},
    )


def _words(outcome: Outcome, mover: Mark) -> str:
    return f"{outcome.letter}{outcome.number}, {outcome.words(mover)}"


def _first_moves(rules: Rules, minimax: PlainMinimax) -> tuple[FirstMoveRow, ...]:
    start = Position(rules)
    outcomes = predict(start).squares
    rows = []
    for orbit in start.orbits():
        plain = minimax.plain(start.after(orbit[0]))
        rows.append(
            FirstMoveRow(
                format_cells(orbit, rules),
                _value(plain.value, Mark.O),
                outcomes[orbit[0]].words(Mark.X),
                f"{plain.nodes:,}",
            )
        )
    return tuple(rows)


def _value(value: int, mover: Mark) -> str:
    """What minimax without distance says of a position, seen by its mover."""
    return "draw" if value == 0 else f"{mover if value > 0 else mover.other} wins"


LESSON = Lesson(
    "generic",
    "One minimax for every board",
    "The game of the Scala article with the outcome of every move, and the whole tree of any small board, counted.",
    view,
    (*GAME, "minimax"),
    lambda query: _game(query).positions[:-1],
)
