"""The oracle: it answers questions about positions, and it alone knows where the answers come from.

A small board has a table, which holds all outcomes. On larger boards outcomes come from the shipped books, from the
store of proofs and from searches of the kernel. A server hands its `Pool` to each question: then this process does only
what is quick, and the pool does the rest. Without a pool, in programs, commands and tests, everything is done in place.

Importing the oracle is cheap: each function loads what answers its question when it is first asked.

>>> from solver import oracle, parse_position
>>> prediction = oracle.predict(parse_position("X.O/.X./..O"))
>>> prediction.best
(5,)
>>> print(oracle.reason_of(prediction, 3))
Loses: O fills c1–c3 with c2.
"""

import copyreg
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol

from solver.board.game import Game
from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.proofs.predict import AT_ONCE, IN_PASSING, known, learn_moves, look_up_in_table, predict_by_few_nodes
from solver.proofs.predict import predict as predict_in_place
from solver.proofs.predict import predict_together as together_in_place
from solver.proofs.prediction import Prediction, ProofState, ProofStatus
from solver.search.budget import Budget

if TYPE_CHECKING:
    from solver.analysis.review import ChancesOf, Review
    from solver.players import Decision, Strategy
    from solver.reasons import Reason

__all__ = [
    "LongQuestion",
    "Pool",
    "Proving",
    "chances",
    "decide",
    "explain",
    "known",
    "predict",
    "predict_together",
    "prove",
    "reason_of",
    "review",
]

LINE: Final = Budget(seconds=0.5)
"""The budget of a line of best play."""

TOGETHER: Final = 8.0
"""Processor seconds that many positions share. They get no more than each would get alone."""

REVIEWED_HERE: Final = 27
"""The most squares of a board of whose games a review searches every position, a few nodes each."""

LATE_POSITIONS: Final = 300
"""The most positions that are visited for chances on a board without a table: enough for six open squares."""


class Proving(StrEnum):
    """The effort of a pool to prove the squares of a position in the background."""

    ASIDE = "aside"
    """It proves for as long as somebody asks. The positions that visitors look at come first."""
    IN_VIEW = "in view"
    """It goes on by itself, since a visitor looks at the position."""
    STOPPED = "stopped"
    """It proves no more."""


class LongQuestion(Hashable, Protocol):
    """A question that can travel to a process of the pool. Equal questions have equal answers."""

    def answer(self) -> tuple[Any, bool]:
        """Return the answer, and whether it will never change."""


class Pool(Hashable, Protocol):
    """The seam to a server's processes, which answer long questions and prove positions in the background.

    `search_nodes` is the most nodes that this process searches itself to predict a position.
    """

    @property
    def search_nodes(self) -> int: ...  # noqa: D102

    def answer(self, question: LongQuestion, long: bool = False) -> Any:
        """Return the answer to a question. A long one gives way to others."""

    def watch(self, position: Position, in_view: bool) -> ProofStatus:
        """Have a position proved in the background, and return the state of its proof."""

    def release(self, position: Position) -> None:
        """End the proof of a position that nobody watches any more."""


def predict(position: Position, pool: Pool | None = None, budget: Budget = AT_ONCE) -> Prediction:
    """Predict a position within a budget. With a pool, this process searches only a few nodes."""
    return predict_in_place(position, budget) if pool is None else predict_by_few_nodes(position, pool.search_nodes)


def predict_together(positions: Iterable[Position], pool: Pool | None = None) -> Mapping[Position, Prediction]:
    """Predict many positions, which share `TOGETHER` seconds. The pool searches all of them at once."""
    every = tuple(dict.fromkeys(positions))
    if pool is None:
        return together_in_place(every, TOGETHER)
    looked_up = {position: found for position in every if (found := look_up_in_table(position, IN_PASSING))}
    searched = tuple(position for position in every if position not in looked_up)
    predictions: tuple[Prediction, ...] = pool.answer(PredictionsQuestion(searched), long=True) if searched else ()
    return looked_up | dict(zip(searched, predictions, strict=True))


def prove(position: Position, proving: Proving, pool: Pool | None = None) -> tuple[Prediction, ProofStatus | None]:
    """Predict a position, and have the pool prove the rest. Return the prediction and the state of the proof.

    The state is None if nothing is left to prove.
    """
    prediction = predict(position, pool)
    if prediction.complete:
        return prediction, None
    if pool is None:
        return prediction, ProofStatus(ProofState.OFF)
    if proving is Proving.STOPPED:
        pool.release(position)
        return prediction, ProofStatus(ProofState.OFF)
    status = pool.watch(position, proving is Proving.IN_VIEW)
    prediction = learn_moves(position, status.proved)
    return prediction, None if prediction.complete else status


def explain(
    prediction: Prediction, cells: Iterable[Cell], line: Cell | None = None, pool: Pool | None = None
) -> "Mapping[Cell, Reason]":
    """Return the reasons for the predicted outcomes of open squares.

    The refutation in the reason of `line` goes on to the end of the game, as far as the budget `LINE` reaches.
    """
    asked, squares = tuple(dict.fromkeys(cells)), prediction.squares
    is_quick = prediction.position.rules.is_small or (
        line is None and all(squares[cell].value is Value.UNKNOWN for cell in asked)
    )
    if pool is None or is_quick:
        return _explain(prediction, asked, line)
    question = ReasonsQuestion(prediction.position, tuple(squares.items()), asked, line)
    reasons: Mapping[Cell, Reason] = pool.answer(question, long=len(asked) > 1)
    return reasons


def reason_of(prediction: Prediction, cell: Cell, pool: Pool | None = None) -> "Reason":
    """Return the reason for the predicted outcome of an open square."""
    return explain(prediction, (cell,), pool=pool)[cell]


def review(
    game: Game, chances_of: "ChancesOf | None" = None, pool: Pool | None = None, searches: bool = True
) -> "Review":
    """Review a game by what is proved.

    If it `searches`, each position is predicted; with a pool, only on boards of up to 27 squares.
    """
    from solver.analysis.review import review as review_by

    if not searches or (pool is not None and game.last.rules.size > REVIEWED_HERE):
        return review_by(game, known, chances_of)
    return review_by(game, None if pool is None else partial(predict, pool=pool), chances_of)


def decide(strategy: "Strategy", position: Position, seed: str | None, pool: Pool | None = None) -> "Decision":
    """Return an opponent's decision. With a seed, it is the same on every machine.

    The pool makes decisions that take a search. Before a decision that depends on proofs, it proves for a moment.
    """
    is_seeded = seed is not None and strategy.reproducible is not None
    if pool is not None and not strategy.quick(position.rules):
        if strategy.settled or is_seeded:
            decision: Decision = _remember_answer(pool, DecisionQuestion(position, strategy.name, is_seeded))
            return decision
        prove(position, Proving.ASIDE, pool)
    return _decide(strategy, position, is_seeded)


def chances(
    position: Position, opponent: "Strategy", pool: Pool | None = None, strict: bool = False
) -> Mapping[Cell, Fraction]:
    """Return the mover's chance of winning against an opponent by each open square; see `solver.analysis.chances`.

    The chances never change. There are none for a finished game, or if a chance is inexact or too expensive. On boards
    without a table, chances are too expensive with more than six open squares or against an opponent that searches. A
    `strict` question costs what it takes in this process, and raises BadOption or TooLarge where there is no answer.
    """
    if strict:
        return _chances(position, opponent)
    if not _is_counted(position, opponent):
        return MappingProxyType({})
    # Chances on 3×3 are quick, since they are soon remembered for every opponent of the registry. There are too many
    # other boards and lists of rules to remember.
    is_quick = position.rules == TIC_TAC_TOE and opponent.name in _remembering()
    if pool is None or is_quick:
        return _chances(position, opponent)
    answer: Mapping[Cell, Fraction] = _remember_answer(pool, ChancesQuestion(position, opponent.name))
    return answer


@dataclass(frozen=True, slots=True)
class PredictionsQuestion:
    """Asks for the predictions of positions that share `TOGETHER` seconds."""

    positions: tuple[Position, ...]

    def answer(self) -> tuple[tuple[Prediction, ...], bool]:
        """Return the predictions, and whether all are complete."""
        predicted = together_in_place(self.positions, TOGETHER)
        predictions = tuple(predicted[position] for position in self.positions)
        return predictions, all(prediction.complete for prediction in predictions)


@dataclass(frozen=True, slots=True)
class ReasonsQuestion:
    """Asks for the reasons of squares with these known outcomes; see `explain`."""

    position: Position
    known: tuple[tuple[Cell, Outcome], ...]
    cells: tuple[Cell, ...]
    line: Cell | None = None

    def answer(self) -> "tuple[Mapping[Cell, Reason], bool]":
        """Return the reasons, and whether the line is whole."""
        squares = dict(self.known)
        reasons = _explain(Prediction(self.position, MappingProxyType(squares), 0), self.cells, self.line)
        is_whole = self.line is None or 1 + len(reasons[self.line].refutation) == squares[self.line].plies
        return reasons, is_whole


@dataclass(frozen=True, slots=True)
class ChancesQuestion:
    """Asks for the mover's chances of winning against the opponent of this name; see `chances`."""

    position: Position
    opponent: str

    def answer(self) -> tuple[Mapping[Cell, Fraction], bool]:
        """Return the chances, which never change."""
        from solver.players import strategy_named

        return _chances(self.position, strategy_named(self.opponent, self.position.rules)), True


@dataclass(frozen=True, slots=True)
class DecisionQuestion:
    """Asks for the decision of the opponent of this name. A `seeded` one is the same on every machine."""

    position: Position
    player: str
    seeded: bool = False

    def answer(self) -> "tuple[Decision, bool]":
        """Return the decision, which never changes."""
        from solver.players import strategy_named

        return _decide(strategy_named(self.player, self.position.rules), self.position, self.seeded), True


@lru_cache(maxsize=1024)
def _remember_answer(pool: Pool, question: LongQuestion) -> Any:
    """Return the pool's answer to a question whose answer never changes, and remember it."""
    return pool.answer(question)


def _explain(prediction: Prediction, cells: Iterable[Cell], line: Cell | None) -> "dict[Cell, Reason]":
    from solver.reasons import explain as explain_in_place

    position = prediction.position
    return {cell: explain_in_place(position, cell, prediction, LINE if cell == line else None) for cell in cells}


def _decide(strategy: "Strategy", position: Position, is_seeded: bool) -> "Decision":
    """Return a decision made in this process, which remembers those of the opponents of the registry."""
    return _remembering().get(strategy.name, strategy).decider("" if is_seeded else None)(position)


@lru_cache(maxsize=1024)
def _chances(position: Position, opponent: "Strategy") -> Mapping[Cell, Fraction]:
    from solver.analysis.chances import chances as count_chances

    return count_chances(position, opponent)


def _is_counted(position: Position, opponent: "Strategy") -> bool:
    """Return whether the chances against an opponent are exact and cheap enough."""
    from solver.analysis.chances import MAX_POSITIONS, is_certain, positions_below

    rules = position.rules
    if position.result is not None or not opponent.plays_on(rules):
        return False
    if not is_certain(opponent, rules):
        return False
    if rules.is_small:
        return positions_below(position) <= MAX_POSITIONS
    return opponent.quick(rules) and positions_below(position) <= LATE_POSITIONS


@cache
def _remembering() -> "Mapping[str, Strategy]":
    """Return the opponents of the registry, with a cache of decisions each.

    Lists of rules have none, since they are unlimited.
    """
    from solver.players import STRATEGIES

    return {name: strategy.remembering() for name, strategy in STRATEGIES.items()}


def _read_only(items: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(items)


# Answers travel between processes, and most of them hold read-only mappings.
copyreg.pickle(MappingProxyType, lambda view: (_read_only, (dict(view),)))
