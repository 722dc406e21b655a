"""The lesson on predictions: every square's outcome, two ways to choose among equals, and whether processes pay."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from solver.board.notation import format_cell, format_cells, format_state
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE
from solver.search.tablebase import has_table, table
from solver.strategies import STRATEGIES
from solver.theory.spawning import Processes, processes_below
from solver.theory.tiebreaking import PLAYERS, TIE_BREAKS, Ties, Weighed, match_ups, ties, weighed
from webapp.learn.lesson import Lesson, Query
from webapp.learn.minis import Mini, mini, of_outcomes
from webapp.play.games import GAME, GameForm, asked_game

EXAMPLES: Final = {
    "the empty board": "",
    "X on an edge": "moves=b1",
    "X in the centre": "moves=b2",
    "X in two corners": "moves=a1b2c3",
    "O has erred": "moves=a1b1",
    "four squares in a row, two win": "board=4x2x2",
    "a larger board": "board=4x3x3",
}


@dataclass(frozen=True, slots=True)
class SquareRow:
    """A square of the table: numbers as text, empty where the board is too large for tie-breaks."""

    name: str
    kind: str
    outcome: str
    letting_win: str
    letting_lose: str
    opportunities: str
    won: str
    drawn: str
    lost: str
    paths: str
    taken_by: str


@dataclass(frozen=True, slots=True)
class MatchRow:
    """How often each of the perfect players wins as one mark against an opponent: percent, and the exact fraction."""

    opponent: str
    mark: str
    wins: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """What a tie-break adds: positions in which it narrows down the best squares, and match-ups won more or less."""

    title: str
    narrowed: int
    more_often: int
    less_often: int


@dataclass(frozen=True, slots=True)
class PredictionsView:
    """A position square by square, what tie-breaks add, and the processes of the parallel evaluation."""

    game: GameForm
    mover: str
    over: str
    boards: tuple[Mini, ...]
    rows: tuple[SquareRow, ...]
    has_tie_breaks: bool
    examples: tuple[tuple[str, str], ...]
    ties: Ties
    tie_breaks: tuple[TieBreak, ...]
    titles: tuple[str, ...]
    matches: tuple[MatchRow, ...]
    processes: Processes
    processes_here: int | None
    table_size: int


def view(query: Query) -> PredictionsView:
    """The position that the query asks for, and what is the same for all."""
    game = asked_game(query)
    position, known = game.last, has_table(game.last.rules)
    squares = weighed(position)
    return PredictionsView(
        GameForm.of(game),
        str(position.mover),
        format_state(position) if position.result else "",
        _boards(position, squares),
        tuple(_row(position, square) for square in squares),
        known,
        tuple((name, f"/learn/predictions{'?' if parts else ''}{parts}") for name, parts in EXAMPLES.items()),
        ties(TIC_TAC_TOE),
        tuple(map(_tie_break, TIE_BREAKS)),
        tuple(STRATEGIES[name].title for name in PLAYERS),
        tuple(
            MatchRow(
                STRATEGIES[match.opponent].title,
                str(match.mark),
                tuple((f"{float(match.wins[name]):.1%}", str(match.wins[name])) for name in PLAYERS),
            )
            for match in match_ups(TIC_TAC_TOE)
        ),
        processes_below(Position(TIC_TAC_TOE)),
        processes_below(position).spawned if known else None,
        len(table(TIC_TAC_TOE)),
    )


def _boards(position: Position, squares: tuple[Weighed, ...]) -> tuple[Mini, ...]:
    outcomes = of_outcomes(position, {square.cell: square.outcome for square in squares}, "Outcomes")
    if not squares or squares[0].paths is None:
        return (outcomes,)
    opportunities = {square.cell: f"{square.opportunities.value:+d}" for square in squares if square.opportunities}
    paths = {square.cell: _short(square.paths.value) for square in squares if square.paths}
    by_opportunities, by_paths = (
        dict.fromkeys((square.cell for square in squares if name in square.players), "new") for name in TIE_BREAKS
    )
    names = [format_cells(cells, position.rules) for cells in (by_opportunities, by_paths)]
    return (
        outcomes,
        mini(
            position,
            f"Opportunities: {format_cells(by_opportunities, position.rules)}",
            "",
            opportunities,
            by_opportunities,
        ),
        mini(position, f"Paths: {names[1]}", "", paths, by_paths),
    )


def _row(position: Position, square: Weighed) -> SquareRow:
    offered, counted = square.opportunities, square.paths
    return SquareRow(
        format_cell(square.cell, position.rules),
        str(square.outcome.value),
        square.outcome.words(position.mover),
        str(offered.winning) if offered else "",
        str(offered.losing) if offered else "",
        f"{offered.value:+d}" if offered else "",
        f"{counted.won:,}" if counted else "",
        f"{counted.drawn:,}" if counted else "",
        f"{counted.lost:,}" if counted else "",
        f"{float(counted.value):+.3f}" if counted else "",
        _taken_by(square),
    )


def _taken_by(square: Weighed) -> str:
    """Which tie-breaks take a square that is as good as any; nothing for one that is not."""
    by = [name.removeprefix("impossible-") for name in TIE_BREAKS if name in square.players]
    return " and ".join(by) if by or not square.players else "neither"


def _tie_break(name: str) -> TieBreak:
    alone, wins = PLAYERS[0], [match.wins for match in match_ups(TIC_TAC_TOE)]
    return TieBreak(
        STRATEGIES[name].title,
        ties(TIC_TAC_TOE).narrowed[name],
        sum(chance[name] > chance[alone] for chance in wins),
        sum(chance[name] < chance[alone] for chance in wins),
    )


def _short(value: Fraction) -> str:
    """A weight in a few letters."""
    return f"{float(value):+.0f}" if abs(value) >= 10 else f"{float(value):+.1f}"


LESSON = Lesson(
    "predictions",
    "Predictions and ties",
    "What every square of a position is worth, two ideas for choosing among equals, and whether more processes help.",
    view,
    GAME,
    lambda query: (asked_game(query).last,),
)
