"""The lesson on one clause: the empty board under eight rules, and a game of numbers that is tic-tac-toe."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from solver import predict
from solver.atlas.games import game_named
from solver.board.game import Game, parse_game
from solver.board.notation import format_cell, format_moves, format_particulars, parse_rules
from solver.board.outcome import Value, counted
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell, Rules, cells_of
from solver.proofs.prediction import best_of
from webapp.pages.learn.lesson import Lesson, Level, lesson_url, settled
from webapp.pages.learn.quiz import Asking, Feedback, Question, Quiz
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini, of_outcomes
from webapp.ui.filters import board_size, winning_rule

RULES: Final = (
    "3x3x3",
    "3x3x3-torus",
    "3x3x3-projective",
    "3x3x3-misere",
    "3x3x3-notakto",
    "3x3x3-wild",
    "3x3x3-vanishing",
    "3x3x3-vanishing-strict",
)
"""The eight rules, which differ from the usual one by one clause at most."""

ASKED: Final = (
    "3x3x3",
    "3x3x3-torus",
    "3x3x3-misere",
    "3x3x3-notakto",
    "3x3x3-torus-notakto",
    "3x3x3-wild",
    "3x3x3-vanishing-strict",
    "3x3x3x3",
)
"""The games of the quiz."""

MAGIC: Final = (2, 7, 6, 9, 5, 1, 4, 3, 8)
"""The numbers of a magic square, in reading order: each line adds up to FIFTEEN, and no other three numbers do."""

FIFTEEN: Final = 15

WINNERS: Final = {"first": "Whoever begins", "draw": "Nobody", "second": "Whoever is second"}
"""The answers of the quiz."""

OF_VALUE: Final = {Value.WIN: "first", Value.DRAW: "draw", Value.LOSS: "second"}


@dataclass(frozen=True, slots=True)
class NumberGame:
    """A game of numbers: each number from 1 to 9 with its owner, and the address that takes it, if it can be taken.

    `board` shows the same game as tic-tac-toe, and `squares` has each square's name and address.
    """

    numbers: tuple[tuple[int, str, str | None], ...]
    board: Mini
    squares: tuple[tuple[str, str | None], ...]
    said: str
    over: bool


@dataclass(frozen=True, slots=True)
class ClauseView:
    """The empty board under each rule, and the game of numbers. Each rule has its sentence."""

    rules: tuple[tuple[Mini, str], ...]
    numbers: NumberGame


def view(query: Query) -> ClauseView:
    """Show the eight rules, and the game of numbers after its `moves`. Raises NoughtsError."""
    return ClauseView(tuple(map(_under, RULES)), _numbers(parse_game("3x3x3", None, query.get("moves") or "")))


def _under(name: str) -> tuple[Mini, str]:
    rules = parse_rules(name)
    empty, size = Position(rules), board_size(rules).removeprefix("3×3")
    found = predict(empty)
    caption = f"{WINNERS[OF_VALUE[found.outcome.value]]} wins".replace("Nobody wins", "A draw")
    return of_outcomes(empty, found.by_cell, caption), size.strip().capitalize() or "The usual game"


def _numbers(game: Game) -> NumberGame:
    position = game.last
    over = position.result is not None

    def url(cell: Cell) -> str | None:
        if over or position.mark_at(cell):
            return None
        moves = format_moves(answered(game.play(cell)).moves, TIC_TAC_TOE)
        return lesson_url("clause", {"moves": moves}, "fifteen")

    urls = tuple(map(url, range(TIC_TAC_TOE.size)))
    return NumberGame(
        numbers=tuple((n, position.mark_at(MAGIC.index(n)) or "", urls[MAGIC.index(n)]) for n in range(1, 10)),
        board=mini(
            position,
            texts={cell: str(MAGIC[cell]) for cell in position.legal_moves},
            classes={cell: "played" for line in position.winning_lines for cell in cells_of(line)},
        ),
        squares=tuple((format_cell(cell, TIC_TAC_TOE), each) for cell, each in enumerate(urls)),
        said=_said(position),
        over=over,
    )


def answered(game: Game) -> Game:
    """Return the game with a perfect answer of the player to move, if it is not over."""
    return game if game.last.result else game.play(best_of(predict(game.last).squares)[0])


def _said(position: Position) -> str:
    if position.winning_lines:
        numbers = " + ".join(str(MAGIC[cell]) for cell in cells_of(position.winning_lines[0]))
        return f"{numbers} = {FIFTEEN}: {'you win!' if position.result is Result.X else 'the computer wins.'}"
    if position.result:
        return f"All nine numbers are taken, and nobody has three that make {FIFTEEN}: a draw."
    own = [MAGIC[cell] for cell in cells_of(position.stones(Mark.X))]
    return f"Your numbers: {', '.join(map(str, sorted(own)))}. Take one more." if own else "Take a number."


@cache
def winners() -> Quiz:
    """Return the quiz that asks who wins under some rules."""
    return Quiz(
        title="One clause turned: who wins now?",
        questions=tuple(map(_who_wins, ASKED)),
        closing="One clause decides. Below, the first moves under eight rules.",
    )


def _who_wins(name: str) -> Asking:
    rules = parse_rules(name)
    proved = game_named(name)
    found = proved.outcome if proved.proof else predict(Position(rules)).outcome
    known = OF_VALUE[found.value]
    holds = {
        "first": "No: whoever begins can force a win.",
        "draw": "No: each player can hold a draw.",
        "second": "No: whoever is second can force a win.",
    }[known]
    after = f", in {counted(found.plies, 'move', 'moves')} of both together" if found.plies else ""
    yes = f"Yes! {WINNERS[known]} wins with best play{after if known != 'draw' else ''}."
    return Question(
        words=f"{_rule(rules)} Both play perfectly. Who wins?",
        titles=WINNERS,
        answers={each: Feedback(each == known, yes if each == known else holds) for each in WINNERS},
        board=mini(Position(rules)),
    )


def _rule(rules: Rules) -> str:
    """Say a rule in a sentence or two."""
    return f"{winning_rule(rules).partition(', ')[2].capitalize()}. {format_particulars(rules)}".rstrip()


def _picture() -> Mini:
    """Draw the magic square."""
    return mini(Position(TIC_TAC_TOE), texts={cell: str(number) for cell, number in enumerate(MAGIC)})


LESSON = Lesson(
    name="clause",
    title="One clause",
    summary="Turn one rule of the game, guess who wins now, and see every first move change.",
    level=Level.FURTHER,
    minutes=6,
    after=("michon",),
    code=(Rules.__post_init__, answered),
    picture=_picture,
    parts=("moves",),
    view=settled(view),
    quizzes={"who": winners},
)
