"""The page of games of one's own: the empty board under eight rules, shapes and lines that one draws, and numbers."""

from dataclasses import dataclass

from solver import predict
from solver.board.families import lines_of, shape_of
from solver.board.game import Game, parse_game
from solver.board.notation import format_cell, format_moves, parse_rules
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell, Rules, cells_of
from solver.proofs.prediction import best_of
from webapp.pages.learn.content import lesson_url
from webapp.pages.learn.facts.proofs import FIFTEEN, MAGIC, OF_VALUE, RULES, WINNERS
from webapp.pages.learn.lesson import Lesson, Predictions
from webapp.pages.learn.lessons.paper import ShapesView, Spot, list_drawn, view_drawn
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini, of_outcomes
from webapp.ui.filters import board_size


@dataclass(frozen=True, slots=True)
class NumberGame:
    """A game of numbers: each number from 1 to 9 with its owner, and the address that takes it, if it can be taken.

    `board` shows the same game as tic-tac-toe, and `squares` are its squares.
    """

    numbers: tuple[tuple[int, str, str | None], ...]
    board: Mini
    squares: tuple[Spot, ...]
    said: str
    over: bool


@dataclass(frozen=True, slots=True)
class ClauseView:
    """The empty board under each rule with its sentence, the game of numbers, and lines of one's own."""

    rules: tuple[tuple[Mini, str], ...]
    numbers: NumberGame
    shapes: ShapesView


def view(query: Query, known: Predictions) -> ClauseView:
    """Show the eight rules, the game of numbers after its `moves`, and what is drawn. Raises NoughtsError."""
    numbers = _numbers(parse_game("3x3x3", None, query.get("moves") or ""))
    return ClauseView(tuple(map(_show_rule, RULES)), numbers, view_drawn(query, known))


def _show_rule(name: str) -> tuple[Mini, str]:
    rules = parse_rules(name)
    empty, size = Position(rules), board_size(rules).removeprefix("3×3")
    prediction = predict(empty)
    caption = f"{WINNERS[OF_VALUE[prediction.outcome.value]]} wins".replace("Nobody wins", "A draw")
    return of_outcomes(empty, prediction.by_cell, caption), size.strip().capitalize() or "The usual game"


def _numbers(game: Game) -> NumberGame:
    position = game.last
    over = position.result is not None

    def url(cell: Cell) -> str | None:
        if over or position.mark_at(cell):
            return None
        moves = format_moves(answer_perfectly(game.play(cell)).moves, TIC_TAC_TOE)
        return lesson_url("shapes", {"moves": moves}, "fifteen")

    urls = tuple(map(url, range(TIC_TAC_TOE.size)))
    return NumberGame(
        numbers=tuple((n, position.mark_at(MAGIC.index(n)) or "", urls[MAGIC.index(n)]) for n in range(1, 10)),
        board=mini(
            position,
            texts={cell: str(MAGIC[cell]) for cell in position.legal_moves},
            classes={cell: "played" for line in position.winning_lines for cell in cells_of(line)},
        ),
        squares=tuple(Spot(format_cell(cell, TIC_TAC_TOE), each) for cell, each in enumerate(urls)),
        said=_tell(position),
        over=over,
    )


def answer_perfectly(game: Game) -> Game:
    """Return the game with a perfect answer of the player to move, if it is not over."""
    return game if game.last.result else game.play(best_of(predict(game.last).squares)[0])


def _tell(position: Position) -> str:
    if position.winning_lines:
        numbers = " + ".join(str(MAGIC[cell]) for cell in cells_of(position.winning_lines[0]))
        return f"{numbers} = {FIFTEEN}: {'you win!' if position.result is Result.X else 'the computer wins.'}"
    if position.result:
        return f"All nine numbers are taken, and nobody has three that make {FIFTEEN}: a draw."
    own = [MAGIC[cell] for cell in cells_of(position.stones(Mark.X))]
    return f"Your numbers: {', '.join(map(str, sorted(own)))}. Take one more." if own else "Take a number."


LESSON = Lesson.of(
    "shapes",
    code=(Rules.__post_init__, answer_perfectly, shape_of, lines_of),
    parts=("moves", "shape", "surface", "board", "make", "picked"),
    view=view,
    shows=list_drawn,
)
