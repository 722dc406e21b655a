"""The lesson on predictions: the outcome of every square, two ways to choose among equals, and parallel evaluation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import ClassVar, Final

from solver import oracle
from solver.analysis.drills import DrillKind
from solver.articles.parallel_squares import Processes, by_comprehension, by_map, by_processes, processes_below
from solver.articles.tiebreaking import PLAYERS, TIE_BREAKS, MatchUp, Ties, Weighed, match_ups, ties, weighed
from solver.board.notation import format_cell, format_cells, format_outcome, parse_position
from solver.board.outcome import Outcome, Value, counted, to_parent
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import STRATEGIES
from solver.players.tiebreaks import opportunities
from solver.proofs.predict import predict
from solver.search.minimax import minimax
from solver.search.tablebase import table
from webapp.pages.learn.lesson import Lesson, Level, Predictions, Source, source_of
from webapp.pages.learn.quiz import Feedback, Guess, Question, Quiz
from webapp.pages.learn.thumbs import predicted_board
from webapp.pages.play.forms import GAME, GameForm, asked_game, game_parts
from webapp.ui.address import Query, number_of
from webapp.ui.board import Mini, mini, of_outcomes

ERRED: Final = "a1b1"
"""A move and O's mistake after it: the start of the default line, and the picture in the table of contents."""

EXAMPLES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "the empty board": {},
        "X on an edge": {"moves": "b1"},
        "X in the centre": {"moves": "b2"},
        "X in two corners": {"moves": "a1b2c3"},
        "O has erred": {"moves": ERRED},
        "four squares in a row, two win": {"board": "4x2x2"},
        "a larger board": {"board": "4x3x3"},
    }
)
"""Positions to choose from, as parts of an address, by title."""


TO_CHOOSE: Final = ("X.X/.O./O..", "X../.O./..X", "XO./.../X..", ".../.../...")
"""Positions to choose a square in: the quickest win, a draw, the slowest loss, and a tie of all squares."""

ARRIVALS: Final = ("a2, a3, c3, b2, a1, b1, b3, c2, c1", "a3, c2, a1, c1, b2, b1, b3, a2, c3")
"""The order in which the answers came in two runs of `tests/benchmarks/scattering.py`, on a machine with two cores."""

WAYS: Final = {"A comprehension": by_comprehension, "A map": by_map, "A process for each square": by_processes}
"""The three ways to evaluate all squares, with their titles."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A position of the line, and the best square that the line takes there.

    `outcome` is the mover's outcome on this square. `cell` and `outcome` are None at the end of the line. The board
    shows the outcomes of all squares if `known` is true.
    """

    cell: Cell | None
    outcome: Outcome | None
    known: bool
    board: Mini


@dataclass(frozen=True, slots=True)
class Rising:
    """A line of best play. Its outcomes appear from its end upwards, and a win becomes a loss one ply above.

    The last `known` boards show their outcomes.
    """

    rungs: tuple[Rung, ...]
    known: int

    @property
    def steps(self) -> int:
        """The number of steps, which is the number of moves."""
        return len(self.rungs) - 1

    @property
    def here(self) -> Rung | None:
        """The position that got its outcomes last, or None while only the end of the game is known."""
        return self.rungs[-1 - self.known] if self.known else None

    @property
    def below(self) -> Rung:
        """The position after `here`, or else the end of the game."""
        return self.rungs[-self.known] if self.known else self.rungs[-1]


@dataclass(frozen=True, slots=True)
class PredictionsView:
    """A position with its squares, the choices of the tie-breaks, and the processes of the parallel evaluation.

    `rising` is a line of best play, and `parts` name its start in an address. `spawned` is the number of processes
    below the position. On boards without tie-breaks, `rising` and `spawned` are None.
    """

    game: GameForm
    position: Position
    boards: tuple[Mini, ...]
    squares: tuple[Weighed, ...]
    rising: Rising | None
    parts: Mapping[str, str]
    spawned: int | None
    ties: Ties
    matches: tuple[MatchUp, ...]
    processes: Processes
    positions: int
    ways: ClassVar[Mapping[str, Source]] = MappingProxyType({title: source_of(way) for title, way in WAYS.items()})
    examples: ClassVar[Mapping[str, Mapping[str, str]]] = EXAMPLES
    players: ClassVar[tuple[str, ...]] = PLAYERS
    tie_breaks: ClassVar[tuple[str, ...]] = TIE_BREAKS

    def title(self, name: str) -> str:
        """Return an opponent's title."""
        return STRATEGIES[name].title

    def taken_by(self, square: Weighed) -> str:
        """Return the names of the tie-breaks that choose this best square. Return "" if the square isn't best."""
        by = [name.removeprefix("impossible-") for name in TIE_BREAKS if name in square.players]
        return " and ".join(by) if by or not square.players else "neither"

    def gains(self, name: str) -> tuple[int, int]:
        """Compare a tie-break with play without one.

        Return the number of match-ups that it wins more often, and the number of match-ups that it wins less often.
        """
        wins = [(match.wins[name], match.wins[PLAYERS[0]]) for match in self.matches]
        return sum(own > alone for own, alone in wins), sum(own < alone for own, alone in wins)


def view(query: Query, known: Predictions) -> PredictionsView:
    """Show the position that the query asks for, with the figures that all positions share."""
    game = asked_game(query)
    position = game.last
    squares = weighed(known[position])
    shown = asked_game(query, {"moves": ERRED})
    return PredictionsView(
        game=GameForm.of(game),
        position=position,
        boards=tuple(_boards(position, squares)),
        squares=squares,
        rising=rising(shown.last, number_of(query, "rise", 0, 0, TIC_TAC_TOE.size)),
        parts=game_parts(shown),
        spawned=processes_below(position).spawned if oracle.knows(position.rules) else None,
        ties=ties(TIC_TAC_TOE),
        matches=match_ups(TIC_TAC_TOE),
        processes=processes_below(Position(TIC_TAC_TOE)),
        positions=len(table(TIC_TAC_TOE)),
    )


@cache
def choosing() -> Quiz:
    """Return the quiz that asks for the best square."""
    return Quiz(
        title="Choose a square",
        questions=tuple(_best(parse_position(text, TIC_TAC_TOE)) for text in TO_CHOOSE),
        closing="Win quickly, lose slowly. Among equals you are free to choose.",
    )


def _best(position: Position) -> Question:
    mover, found = position.mover, predict(position)
    others = len(found.best) - 1
    equal = f" {counted(others, 'other square does', 'other squares do')} the same." if others else ""

    def answer(cell: Cell, outcome: Outcome) -> Feedback:
        said = f"{format_cell(cell, position.rules)}: {outcome.words(mover, position.rules)}."
        if cell in found.best:
            return Feedback(True, f"Yes! {said}{equal}", of_outcomes(position, found.squares))
        return Feedback(False, f"{said} There's better.")

    return Question(
        words=f"{mover} to move. Which square is best?",
        answers={format_cell(cell, position.rules): answer(cell, each) for cell, each in found.squares.items()},
        board=mini(position),
    )


@cache
def scattering() -> Quiz:
    """Return the quiz on a process for each square."""
    return Quiz(
        title="In what order do they answer?",
        questions=(_order(), _names(), _processes()),
        closing="Below are the three ways to write it.",
    )


def _order() -> Question:
    """Ask for the order of the answers; the feedback is from recorded runs."""
    first = ARRIVALS[0].split(", ")
    start = Position(TIC_TAC_TOE)
    moves = {cell: processes_below(start.after(cell)).playing for cell in start.legal_moves}
    small = min(moves, key=moves.__getitem__)
    name = format_cell(small, TIC_TAC_TOE)
    return Question(
        words="Nine processes evaluate the nine squares of the empty board. In what order do their answers come?",
        answers={
            "started": Feedback(False, f"None waits for another. On our machine {first[0]} answered first."),
            "smallest": Feedback(
                False,
                f"{name} has the fewest moves below it, {moves[small]:,}. On our machine it was number"
                f" {first.index(name) + 1}.",
            ),
            "any": Feedback(True, f"Yes! One run gave {ARRIVALS[0]}, and the next {ARRIVALS[1]}."),
        },
        titles={
            "started": "As they were started",
            "smallest": "The smallest tree first",
            "any": "In another order each time",
        },
    )


def _names() -> Question:
    """Ask how the order of the squares is restored."""
    drawn = sum(outcome.value is Value.DRAW for outcome in predict(Position(TIC_TAC_TOE)).squares.values())
    return Question(
        words="The result must list the squares in order. How does the parent restore it?",
        answers={
            "wait": Feedback(False, "Then only one process works at a time."),
            "sort": Feedback(False, f"Here {drawn} outcomes are draws. Sorting can't tell whose they are."),
            "name": Feedback(
                True,
                "Yes! The article's parent takes the first square's message, then the second's, and so on. Ours takes"
                " messages as they come, then lists them by square.",
            ),
        },
        titles={
            "wait": "It starts one at a time",
            "sort": "It sorts the outcomes",
            "name": "Each message names its square",
        },
    )


def _processes() -> Guess:
    found = processes_below(Position(TIC_TAC_TOE))
    return Guess(
        words="Every unfinished board starts nine processes, taken squares included. How many in all?",
        truth=found.spawned,
        because=f"If all work in step, up to {max(found.at_once):,} run at the same time.",
        steps=70,
    )


def rising(position: Position, known: int) -> Rising | None:
    """Return the line with the outcomes of its last `known` plies; None on boards without a table of outcomes."""
    if not oracle.knows(position.rules) or position.result is not None:
        return None
    line = tuple(_best_line(position))
    known = min(known, len(line))
    last = line[-1][0].after(line[-1][1])
    rungs = (_rung(each, cell, len(line) - number <= known) for number, (each, cell) in enumerate(line))
    return Rising((*rungs, Rung(None, None, True, mini(last, "The end"))), known)


def _best_line(position: Position) -> Iterator[tuple[Position, Cell]]:
    """Yield the positions of best play, each with the first of its best squares, to the end of the game."""
    while position.result is None:
        cell = predict(position).best[0]
        yield position, cell
        position = position.after(cell)


def _rung(position: Position, cell: Cell, known: bool) -> Rung:
    squares = predict(position).squares
    outcome = squares[cell]
    texts = {each: format_outcome(worth) if known else "?" for each, worth in squares.items()}
    classes = {each: str(worth.value) if known else "" for each, worth in squares.items()}
    classes[cell] += " played"
    caption = f"{position.mover} {format_cell(cell, position.rules)}: {format_outcome(outcome) if known else '?'}"
    return Rung(cell, outcome, known, mini(position, caption, texts=texts, classes=classes))


def _boards(position: Position, squares: tuple[Weighed, ...]) -> Iterator[Mini]:
    """Yield a board of the outcomes, and a board of weights for each tie-break. The squares it chooses are marked."""
    yield of_outcomes(position, {square.cell: square.outcome for square in squares}, "Outcomes")
    opportunities = {square.cell: f"{square.opportunities.value:+d}" for square in squares if square.opportunities}
    paths = {square.cell: _short(square.paths.value) for square in squares if square.paths}
    for title, name, values in zip(("Opportunities", "Paths"), TIE_BREAKS, (opportunities, paths), strict=True):
        if values:
            taken = [square.cell for square in squares if name in square.players]
            caption = f"{title}: {format_cells(taken, position.rules)}"
            yield mini(position, caption, texts=values, classes=dict.fromkeys(taken, "new"))


def _short(value: Fraction) -> str:
    """Return a weight with at most one decimal."""
    return f"{float(value):+.0f}" if abs(value) >= 10 else f"{float(value):+.1f}"


LESSON = Lesson(
    name="predictions",
    title="Predictions and ties",
    summary="See where every square leads, how to choose among equals, and if more processes help.",
    level=Level.FIRST,
    minutes=8,
    after=("erlang",),
    code=(to_parent, minimax, opportunities),
    picture=lambda: predicted_board(asked_game({"moves": ERRED}).last),
    parts=(*GAME, "rise"),
    view=view,
    quizzes={"best": choosing, "scatter": scattering},
    drills=(DrillKind.EVALUATE,),
    shows=lambda query: (asked_game(query).last,),
)
