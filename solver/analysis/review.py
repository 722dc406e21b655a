"""Reviews of games: each move against the best one, the turning point, a graph and a story.

Every outcome is seen by the player who makes the move, and its plies include that move.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count, groupby, pairwise
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from solver.board.game import Game
from solver.board.notation import MAX_NAMED, SaidInNotebooks, capital, format_cell, format_whole_percent, listed_cells
from solver.board.outcome import Bounds, Grade, Outcome, Value, graded, sign
from solver.board.pasted import Given, as_game
from solver.board.position import Mark, Position
from solver.board.rules import Cell
from solver.proofs.predict import predict_together
from solver.proofs.prediction import Prediction
from solver.reasons import Reason, ReasonKind, explain

PredictionOf: TypeAlias = Callable[[Position], Prediction]
"""A function that predicts a position, as far as it is proved."""

ReasonOf: TypeAlias = Callable[[Prediction, Cell], Reason]
"""A function that gives the reason of a square."""

NO_CHANCES: Final[Mapping[Cell, Fraction]] = MappingProxyType({})

ChancesOf: TypeAlias = Callable[[Position], Mapping[Cell, Fraction]]
"""A function that gives the mover's chance of winning after each square; empty if the chances are unknown."""

YOU: Final = "You"

SideNames: TypeAlias = Mapping[Mark, str]
"""The names of the players of X and of O: `YOU`, or a name in the third person."""

MARKS: Final[SideNames] = MappingProxyType({mark: str(mark) for mark in Mark})


@dataclass(frozen=True, slots=True)
class Turn:
    """One move of a game, with the outcomes of all squares that were open.

    `ply` is 1 for the first move of the game, so `game.upto(ply - 1)` leads to the position before the move. `chances`
    are the mover's chances of winning against the opponent by each square; they are empty if unknown. `missed` marks a
    mistake right after a mistake of the opponent's: a chance not taken. `reached` are the bounds that the previous move
    proves for the position; they may be narrower than the bounds that its squares prove.
    """

    ply: int
    prediction: Prediction
    cell: Cell
    chances: Mapping[Cell, Fraction]
    missed: bool = False
    reached: Bounds = field(default_factory=Bounds)

    def __str__(self) -> str:
        rules = self.position.rules
        worse = self.best and self.after.ranks.upper < self.before.ranks.lower  # and not perhaps as good
        better = f", better {listed_cells(self.best, rules)}" if worse else ""
        return f"{self.ply}. {self.mover} {format_cell(self.cell, rules)}: {self.grade.word}{better}"

    @property
    def position(self) -> Position:
        """The position before the move."""
        return self.prediction.position

    @property
    def mover(self) -> Mark:
        """The player who made the move."""
        return self.position.mover

    @property
    def before(self) -> Outcome:
        """The mover's best outcome before the move."""
        outcome = self.prediction.outcome
        if outcome.is_exact:
            return outcome
        bounds = outcome.ranks.narrowed(self.reached)
        return outcome if bounds == outcome.ranks else Outcome.of_bounds(bounds, self.position.plies_to_draw)

    @property
    def after(self) -> Outcome:
        """The mover's outcome after the move."""
        return self.prediction.squares[self.cell]

    @property
    def best(self) -> tuple[Cell, ...]:
        """The squares proved best, as those of its prediction: quickest wins, else draws, else slowest losses."""
        return self.prediction.best

    @property
    def keeping(self) -> tuple[Cell, ...]:
        """The squares that are proved to keep the win, the draw or the loss that the mover had."""
        return self.prediction.of_value(self.before.value)

    @property
    def grade(self) -> Grade:
        """The grade of the move against the best one."""
        return graded(self.before, self.after)

    @property
    def chance_before(self) -> Fraction | None:
        """The mover's chance of winning before the move, by the best square; None if it is unknown."""
        return max(self.chances.values(), default=None)

    @property
    def chance_after(self) -> Fraction | None:
        """The mover's chance of winning after the move; None if it is unknown."""
        return self.chances.get(self.cell)


class HiddenMistake(NamedTuple):
    """Two moves of one side such that a mistake is proved from `first` to `last`, but not which of its moves it was."""

    first: Turn
    last: Turn


@dataclass(frozen=True, slots=True)
class Review(SaidInNotebooks):
    """Every move of a game, and the outcome of its last position for the player who would move there.

    `str` lists the moves with their grades.
    """

    game: Game
    turns: tuple[Turn, ...]
    end: Outcome

    def __str__(self) -> str:
        return "\n".join(map(str, self.turns))

    @property
    def complete(self) -> bool:
        """True if all squares of all positions are proved with their distance."""
        return all(turn.prediction.complete for turn in self.turns)

    @property
    def mistakes(self) -> tuple[Turn, ...]:
        """The moves that gave a win or a draw away."""
        return tuple(turn for turn in self.turns if turn.grade.is_mistake)

    @property
    def turning_point(self) -> Turn | None:
        """The last mistake. It decided the game if every later move is proved."""
        return self.mistakes[-1] if self.mistakes else None

    @property
    def unproved(self) -> tuple[Turn, ...]:
        """The moves that cannot be graded because too little is proved."""
        return tuple(turn for turn in self.turns if turn.grade is Grade.UNKNOWN)

    @property
    def hidden(self) -> HiddenMistake | None:
        """The last stretch that hides a mistake: more was proved before it than after it, but no move is to blame."""
        for start in range(len(self.turns) - 1, -1, -1):
            first = self.turns[start]
            for last in self.turns[start::2]:
                if last.grade.is_mistake:
                    break
                if sign(first.before.ranks.lower) > sign(last.after.ranks.upper):
                    return HiddenMistake(first, last)
        return None

    def mistakes_of(self, mark: Mark) -> tuple[Turn, ...]:
        """Return one side's mistakes."""
        return tuple(turn for turn in self.mistakes if turn.mover is mark)


def review(game: Given, prediction_of: PredictionOf | None = None, chances_of: ChancesOf | None = None) -> Review:
    """Review every move of a game by the prediction of the position before it.

    The game can be a text: moves, with a board or a position before them, or a link. If no predictions are given,
    `predict_together` makes them. Raises NoughtsError for a text that isn't a game.

    >>> print(review("b2 b3 a1 c2"))
    1. X b2: best
    2. O b3: mistake, better a3, c3, a1 and c1
    3. X a1: best
    4. O c2: lost sooner, better c3

    A proof of a position also proves the move that led there, and vice versa. On larger boards more is proved for
    late positions than for early ones. So the proofs are carried from the end of the game to its beginning, and back.
    """
    game = as_game(game)
    prediction_of = prediction_of or predict_together(reversed(game.positions)).__getitem__
    end = outcome = prediction_of(game.last).outcome
    turns: list[Turn] = []
    for ply in range(len(game.moves), 0, -1):
        position, cell = game.positions[ply - 1], game.moves[ply - 1]
        prediction = _knowing(prediction_of(position), cell, outcome)
        turns.append(Turn(ply, prediction, cell, chances_of(position) if chances_of else NO_CHANCES))
        outcome = prediction.outcome
    return Review(game, _onward(turns[::-1]), end)


def _knowing(prediction: Prediction, cell: Cell, reached: Outcome) -> Prediction:
    """Return the prediction with one square narrowed by `reached`, the outcome of the position after it."""
    position = prediction.position
    if prediction.squares[cell].is_exact:
        return prediction
    bounds = prediction.squares[cell].ranks.narrowed(reached.ranks.to_parent())
    if bounds == prediction.squares[cell].ranks:
        return prediction
    outcome = Outcome.of_bounds(bounds, position.plies_to_draw)
    alike = next(orbit for orbit in position.orbits() if cell in orbit)
    return replace(prediction, squares=MappingProxyType({**prediction.squares, **dict.fromkeys(alike, outcome)}))


def _onward(turns: list[Turn]) -> tuple[Turn, ...]:
    """Return the turns, with `reached` and `missed` set from the turn before."""
    turns = [*turns[:1], *(replace(turn, reached=last.after.ranks.to_child()) for last, turn in pairwise(turns))]
    missed = (turn.grade.is_mistake and last.grade.is_mistake for last, turn in pairwise(turns))
    return *turns[:1], *(replace(turn, missed=was_missed) for turn, was_missed in zip(turns[1:], missed, strict=True))


@dataclass(frozen=True, slots=True)
class GraphPoint:
    """The position after `ply` moves: its outcome for X, counted from there, and its height in the graph."""

    ply: int
    outcome: Outcome
    height: float | None


def graph(review: Review) -> tuple[GraphPoint, ...]:
    """Return a point for each position of a game, the first and the last included."""
    outcomes = (*(turn.before for turn in review.turns), review.end)
    seen = (
        outcome if position.mover is Mark.X else outcome.seen_by_the_other()
        for position, outcome in zip(review.game.positions, outcomes, strict=True)
    )
    size = review.game.last.rules.squares
    return tuple(GraphPoint(ply, outcome, height(outcome, size)) for ply, outcome in enumerate(seen))


def height(outcome: Outcome, size: int) -> float | None:
    """Return the height of an outcome on a board of `size` cells, from 1 for a game won down to -1 for a game lost.

    A draw is 0. A win to come is at least 0.5; the quicker it is, the higher. A win without a proved distance counts as
    the slowest that it can be. Return None if nothing is proved.
    """
    if outcome.value is Value.UNKNOWN:
        return None
    if outcome.value is Value.DRAW:
        return 0.0
    plies = outcome.plies if outcome.plies is not None else outcome.at_most
    assert plies is not None  # noqa: S101 - a win or a loss has its distance, or a limit of it
    distance = 1 - plies / (2 * size)
    return distance if outcome.value is Value.WIN else -distance


def reason_at_once(prediction: Prediction, cell: Cell) -> Reason:
    """Return the reason why a square wins, draws or loses, computed in this process."""
    return explain(prediction.position, cell, prediction)


def story(
    review: Review,
    names: SideNames = MARKS,
    why: Callable[[Turn], Reason] = lambda turn: reason_at_once(turn.prediction, turn.cell),
) -> str:
    """Tell where the game turned, or that it never did, and which moves are not proved. `why` explains a mistake."""
    turn, hidden = review.turning_point, review.hidden
    told = [tell_hidden(hidden, names)] if hidden else []
    if turn is not None:
        told += _tell_turning_point(review, turn, names, why(turn).discreet)
    elif hidden is None:
        told += _tell_no_mistake(review, names)
    return " ".join([*told, *_tell_unproved(review)])


def chances_in_percent(turn: Turn) -> tuple[str, str] | None:
    """Return the chances of winning before and after a move in percent; None if they are unknown or equal."""
    if turn.chance_before is None or turn.chance_after is None:
        return None
    before, after = format_whole_percent(turn.chance_before), format_whole_percent(turn.chance_after)
    return (before, after) if before != after else None


def _tell_turning_point(review: Review, turn: Turn, names: SideNames, reason: Reason) -> Iterator[str]:
    rules, mover = turn.position.rules, turn.mover
    yield f"{format_cell(turn.cell, rules)} was {_whose(names[mover])} mistake: {would_have_kept(turn)}."
    if turn.grade is Grade.WIN_TO_DRAW:
        yield f"It gave {_whom(names[mover.other])} a draw."
        if reason.verified:
            yield reason.sentence
    else:
        yield consequence(reason)
    if turn.missed:
        given = format_cell(review.turns[turn.ply - 2].cell, rules)
        yield f"{given} had just given {_whom(names[mover])} the {turn.before.value}."
    if fell := chances_in_percent(turn):
        yield f"Against {_whom(names[mover.other])} the chance of winning fell from {fell[0]} to {fell[1]}."


def would_have_kept(turn: Turn) -> str:
    """Name the squares that would have kept what a mistake gave away, e.g. "a3 and c2 would have held the draw"."""
    return (
        f"{_keeping_squares(turn)} would have {'kept the win' if turn.before.value is Value.WIN else 'held the draw'}"
    )


def consequence(reason: Reason, cell: str = "It") -> str:
    """Say that a square lost, and why if the reason is verified."""
    return f"{cell} lost because {_afterwards(reason)}" if reason.verified else f"{cell} lost."


def tell_hidden(hidden: HiddenMistake, names: SideNames) -> str:
    """Say what a side lost, and between which of its moves."""
    first, last = hidden
    lost = {Value.WIN: "the win", Value.DRAW: "the draw"}.get(first.before.value, "at least a draw")
    when = f"between moves {first.ply} and {last.ply}" if first.ply < last.ply else f"with move {last.ply}"
    return f"{capital(names[first.mover])} lost {lost} {when}."


def _afterwards(reason: Reason) -> str:
    """Return the clause of a reason, told after the move. Threats that stood before it may be blocked by then."""
    if reason.kind is not ReasonKind.CANNOT_BLOCK_BOTH:
        return reason.clause
    return reason.clause.replace(" threatens ", " had threatened ", 1).replace(" can block ", " could block ", 1)


def _tell_no_mistake(review: Review, names: SideNames) -> Iterator[str]:
    if not review.turns:
        yield "No move was played."
    elif review.unproved:
        yield "No mistake is proved."
    else:
        first = review.turns[0]
        if first.before.value is Value.DRAW:
            yield "It was a draw from the start, and nobody gave anything away."
        else:
            winner = names[first.mover if first.before.value is Value.WIN else first.mover.other]
            yield f"{capital(winner)} {_was(winner)} winning from the start and never gave the win away."


def _tell_unproved(review: Review) -> Iterator[str]:
    plies = [turn.ply for turn in review.unproved]
    if plies:
        noun = "move" if len(plies) == 1 else "moves"
        yield f"Too little is proved to judge {noun} {', '.join(_ranges(plies))}."


def _ranges(numbers: Iterable[int]) -> Iterator[str]:
    """Yield ascending numbers with runs of them joined: 1–4, 7."""
    counter = count()
    for _, group in groupby(numbers, key=lambda number: number - next(counter)):
        first, *rest = group
        yield f"{first}–{rest[-1]}" if rest else f"{first}"


def _keeping_squares(turn: Turn) -> str:
    """Name the squares that kept the outcome.

    If fewer squares lost it, and all of these are proved, name them as the squares to avoid.
    """
    rules, squares, keeping = turn.position.rules, turn.prediction.squares, turn.keeping
    others = tuple(cell for cell in squares if cell not in keeping)
    few = len(others) < min(len(keeping), MAX_NAMED + 1)
    if few and all(squares[cell].value is not Value.UNKNOWN for cell in others):
        return f"anything but {listed_cells(others, rules)}"
    return listed_cells(keeping, rules)


def _was(name: str) -> str:
    return "were" if name == YOU else "was"


def _whose(name: str) -> str:
    return "your" if name == YOU else f"{name}'s"


def _whom(name: str) -> str:
    """Return a name as it reads within a sentence."""
    return "you" if name == YOU else name
