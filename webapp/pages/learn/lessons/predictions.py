"""The lesson on predictions: the outcome of every square, two ways to choose among equals, and parallel evaluation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import ClassVar, Final

from solver.articles.parallel_squares import Processes, by_comprehension, by_map, by_processes, processes_below
from solver.articles.tiebreaking import PLAYERS, TIE_BREAKS, MatchUp, Ties, Weighed, match_ups, ties, weighed
from solver.board.notation import format_cell, format_cells, format_outcome
from solver.board.outcome import Outcome, Value, counted, to_parent
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import STRATEGIES
from solver.players.searching import opportunities
from solver.proofs.predict import predict
from solver.search.minimax import minimax
from solver.search.tablebase import table
from webapp.pages.learn.content import Facts, Remark, judge_squares
from webapp.pages.learn.lesson import Lesson, Predictions, Source, source_of
from webapp.pages.play.forms import GAME, GameForm, asked_game, game_parts
from webapp.ui.address import Query, number_of
from webapp.ui.board import Mini, mini, of_outcomes

ERRED: Final = "a1b1"
"""A move and O's mistake after it: the start of the default line, and the picture in the table of contents."""

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
        spawned=processes_below(position).spawned if position.rules.is_small else None,
        ties=ties(TIC_TAC_TOE),
        matches=match_ups(TIC_TAC_TOE),
        processes=processes_below(Position(TIC_TAC_TOE)),
        positions=len(table(TIC_TAC_TOE)),
    )


def judge_best(position: Position) -> Facts:
    """Judge the squares by whether they are best."""
    mover, prediction = position.mover, predict(position)
    others = len(prediction.best) - 1
    equal = f" {counted(others, 'other square does', 'other squares do')} the same." if others else ""

    def judge(cell: Cell) -> Remark:
        best, outcome = cell in prediction.best, prediction.squares[cell].words(mover, position.rules)
        board = of_outcomes(position, prediction.squares) if best else None
        return Remark.of("best" if best else "worse", board, name=format_cell(cell, position.rules), outcome=outcome)

    return judge_squares(position, judge, mover=mover, equal=equal)


def judge_orders() -> Facts:
    """Judge the order in which processes answer, by recorded runs."""
    first, start = ARRIVALS[0].split(", "), Position(TIC_TAC_TOE)
    moves = {cell: processes_below(start.after(cell)).playing for cell in start.legal_moves}
    small = min(moves, key=moves.__getitem__)
    name = format_cell(small, TIC_TAC_TOE)
    return Facts.of(
        first=first[0],
        small=name,
        moves=moves[small],
        number=first.index(name) + 1,
        runs=ARRIVALS,
    )


def judge_naming() -> Facts:
    """Judge the ways to restore the order of the squares."""
    squares = predict(Position(TIC_TAC_TOE)).squares.values()
    drawn = sum(outcome.value is Value.DRAW for outcome in squares)
    return Facts.of(drawn=drawn)


def count_processes() -> Facts:
    """Count the processes below the empty board."""
    processes = processes_below(Position(TIC_TAC_TOE))
    return Facts.of(truth=processes.spawned, at_once=max(processes.at_once))


def rising(position: Position, known: int) -> Rising | None:
    """Return the line with the outcomes of its last `known` plies; None on boards without a table of outcomes."""
    if not position.rules.is_small or position.result is not None:
        return None
    line = tuple(_best_line(position))
    known = min(known, len(line))
    last = line[-1][0].after(line[-1][1])
    rungs = (_make_rung(each, cell, len(line) - number <= known) for number, (each, cell) in enumerate(line))
    return Rising((*rungs, Rung(None, None, True, mini(last, "The end"))), known)


def _best_line(position: Position) -> Iterator[tuple[Position, Cell]]:
    """Yield the positions of best play, each with the first of its best squares, to the end of the game."""
    while position.result is None:
        cell = predict(position).best[0]
        yield position, cell
        position = position.after(cell)


def _make_rung(position: Position, cell: Cell, known: bool) -> Rung:
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


LESSON = Lesson.of(
    "predictions",
    code=(to_parent, minimax, opportunities),
    parts=(*GAME, "rise"),
    view=view,
    facts={"best": judge_best, "orders": judge_orders, "naming": judge_naming, "processes": count_processes},
    shows=lambda query: (asked_game(query).last,),
)
