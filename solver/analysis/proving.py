"""Proofs of players from outside, such as a program or a table of moves.

A proof asks the player for its square in every position that can arise, and tries its answers against every line of
play.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias, TypeVar

from solver.analysis.trial import Counts, Ply, Refutation, Side, wins
from solver.board.game import Game
from solver.board.notation import format_moves, format_position, parse_cell, quoted, split_moves
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import BadNotation, NoughtsError, TooLarge
from solver.players import playing_on
from solver.players.decision import Decision, Strategy
from solver.players.match import results
from solver.search.budget import Budget, BudgetExhausted, Meter
from solver.search.fold import reached

T = TypeVar("T")

MOST_ENTRIES: Final = 5478
"""The most entries of a table of moves: the positions of 3×3."""

ASKED: Final = Budget(nodes=20_000)
"""The budget of a table's proof in positions reached. 3×3 has 5,478 positions."""

JUDGED: Final = Budget(seconds=3.0)
"""The processor time of the search for the move to blame and the wins let slip, on boards without a table."""


class BotVerdict(StrEnum):
    """The result of a proof."""

    UNBEATABLE = "unbeatable"
    BEATEN = "beaten"
    UNDECIDED = "undecided"
    """No game is lost, but the budget ran out, or the player draws by chance and was only sampled."""
    BROKEN = "broken"
    """The player gave no legal answer to a position."""


class NoAnswer(Exception):
    """The player has no answer; the message says why, in a sentence. `answer` is what it said instead, if anything."""

    def __init__(self, message: str, answer: str | None = None) -> None:
        super().__init__(message)
        self.answer = answer


Answerer: TypeAlias = Callable[[Position], str]
"""A function that returns the name of the square a player takes in a position. Raises NoAnswer."""


class Problem(NamedTuple):
    """A position without a legal answer. `answer` is the player's text, None if there was none."""

    position: Position
    answer: str | None
    message: str


class Blame(NamedTuple):
    """The move that lost a game, and the squares that would have held: at least a draw with perfect play."""

    position: Position
    cell: Cell
    better: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class BotProof:
    """The verdict on a player, and all its answers in the order of asking.

    `counts` is None if not all games were played, and `slips` also if the search for them took too long. `game` is a
    shortest lost game. `blame` is None if there is no lost game, or no move of it erred. `samples` is the number of
    times that each position was asked, 0 for a player that does not draw by chance.
    """

    mark: Mark
    rules: Rules
    verdict: BotVerdict
    answers: Mapping[Position, Decision]
    samples: int
    problem: Problem | None
    counts: Counts | None
    game: Game | None
    blame: Blame | None
    slips: int | None
    slip: Ply | None

    @property
    def asked(self) -> int:
        """The number of positions that the player was asked."""
        return len(self.answers) + (self.problem is not None)

    @property
    def strategy(self) -> Strategy:
        """The player as it has answered. Elsewhere its decision has no squares."""
        return _player(lambda position: self.answers.get(position, _OPEN))


def prove(answer: Answerer, mark: Mark, rules: Rules, samples: int = 0, budget: Budget = ASKED) -> BotProof:
    """Prove that a player is unbeatable with a mark, or find a shortest game that it loses.

    Asks each position once, ply by ply and in reading order of the moves; or `samples` times, for a player that draws
    by chance. The budget limits the positions that are reached, and the seconds that the player takes for its answers.
    """
    answers: dict[Position, Decision] = {}
    side = Side(_player(lambda position: answers.get(position, _OPEN)), mark, rules)
    meter, complete, problem = Meter(replace(budget, floor=0)), True, None  # a player can take long for each position

    def following(position: Position) -> Iterable[Position]:
        nonlocal complete, problem
        if not position.legal_moves:
            return ()
        if problem is not None or meter.exhausted:
            complete = False
            return ()
        began = time.monotonic()
        try:
            if position.mover is mark:
                answers[position] = _decision(answer, position, samples)
        except _Broken as broken:
            problem = broken.problem
        moves = side.moves(position)
        meter.count(len(moves), time.monotonic() - began)
        return map(position.after, moves)

    play = reached(Position(rules), following)
    complete = complete and problem is None
    counts, lost = (None, side.shortest_loss(play)) if rules.vanishes else side.count(play)
    if problem is not None:
        verdict, lost = BotVerdict.BROKEN, ()
    elif lost:
        verdict = BotVerdict.BEATEN
    else:
        verdict = BotVerdict.UNBEATABLE if complete and not samples else BotVerdict.UNDECIDED
    judged = Meter(JUDGED)
    slips = _within(lambda: side.slips(play, judged)) if complete else None
    return BotProof(
        mark,
        rules,
        verdict,
        MappingProxyType(answers),
        samples,
        problem,
        counts if complete else None,
        Refutation(lost, None).game if lost else None,
        _within(lambda: _blame(side, lost, judged)),
        None if slips is None else len(slips),
        side.slip(slips[0]) if slips else None,
    )


def results_against(proof: BotProof) -> Mapping[str, Mapping[Result, Fraction]]:
    """Return the probability of each result against every opponent, by its title, but for those that differ in depth.

    There are none on boards without a table of all positions, or if not all games were played.
    """
    if proof.counts is None or not proof.rules.is_small:
        return {}
    own, opponents = proof.strategy, [player for player in playing_on(proof.rules) if player.depth is None]
    pairs = {other.title: (own, other) if proof.mark is Mark.X else (other, own) for other in opponents}
    return {title: results(proof.rules, *pair) for title, pair in pairs.items()}


def table(moves: Mapping[str, str], rules: Rules) -> Answerer:
    """Return the player that looks its moves up by the text of the position, as `asked_as` writes it.

    Raises TooLarge for a table with too many entries, and BadNotation if a position does not have the squares of the
    board. No other position is checked: those that no game reaches are never looked up.
    """
    if len(moves) > MOST_ENTRIES:
        raise TooLarge(f"A table has at most {MOST_ENTRIES:,} entries, and this one has {len(moves):,}.")
    known = {_squares(text): move for text, move in moves.items()}
    for text in moves:
        if rules.vanishes:
            tuple(split_moves(text.removeprefix(NO_MOVES), rules))  # raises BadNotation
        elif len(_squares(text)) != rules.size or not _SQUARES.issuperset(text):
            raise BadNotation(f"{quoted(text)} isn't a position on {rules}. Write its rows from the top down.")

    def answer(position: Position) -> str:
        move = known.get(_squares(asked_as(position)))
        if move is None:
            raise NoAnswer("The table has no move for this position.")
        return move

    return answer


NO_MOVES: Final = "-"
"""The text for the empty board where stones vanish."""

_SQUARES: Final = frozenset("XxOo.#/|")


def asked_as(position: Position) -> str:
    """Write a position for a player that is asked for its move: its rows or, where stones vanish, its moves.

    The moves are those of the stones on the board, the oldest first; `-` if there are none. The last one is the
    opponent's.
    """
    if position.rules.vanishes:
        return format_moves(position.ages, position.rules) or NO_MOVES
    return format_position(position)


def _squares(text: str) -> str:
    return text.replace("/", "").replace("|", "").upper()


class _Broken(Exception):
    """A position without a legal answer."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


_OPEN: Final = Decision(MappingProxyType({}), "")
"""The decision in a position that was not asked."""


def _player(decide: Callable[[Position], Decision]) -> Strategy:
    return Strategy("prove", "Your player", "", "", "search", decide, symmetric=lambda _: False)


def _decision(answer: Answerer, position: Position, samples: int) -> Decision:
    """Ask for a position. Its squares get the shares of the samples in which the player took them. Raises _Broken."""
    drawn = Counter(_cell(answer, position) for _ in range(max(1, samples)))
    return Decision(MappingProxyType({cell: Fraction(number, drawn.total()) for cell, number in drawn.items()}), "")


def _cell(answer: Answerer, position: Position) -> Cell:
    text = None
    try:
        text = answer(position)
        cell = parse_cell(text, position.rules)
        position.play(cell)
    except NoAnswer as error:
        raise _Broken(Problem(position, error.answer, str(error))) from error
    except NoughtsError as error:
        raise _Broken(Problem(position, text, str(error))) from error
    return cell


def _within(judge: Callable[[], T]) -> T | None:
    """Return a judgement, None if it is not found in time."""
    try:
        return judge()
    except BudgetExhausted:
        return None


def _blame(side: Side, lost: tuple[Ply, ...], meter: Meter) -> Blame | None:
    """Return the last error of a lost game with the moves that hold, None if there is none."""
    error = side.last_error(lost, meter)
    if error is None:
        return None
    position, played = lost[error].position, lost[error].cell
    better = tuple(cell for cell in position.legal_moves if not wins(position.after(cell), meter))
    return Blame(position, played, better)
