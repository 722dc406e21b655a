"""The lesson that puts the opponents on trial: each is proved unbeatable, or refuted by a game."""

from dataclasses import dataclass, replace
from typing import Final

from solver.analysis.trial import Refutation, Trial, trial
from solver.board.notation import parse_rules
from solver.board.position import Mark
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.errors import TooLarge
from solver.players import STRATEGIES, Strategy, playing_on, strategy_named
from solver.search.budget import Budget
from solver.search.tablebase import has_table
from webapp.pages.learn.figures import Figure, kept
from webapp.pages.learn.lesson import Figures, Lesson, Level, settled
from webapp.pages.learn.thumbs import bars
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini
from webapp.ui.choices import Option, board_options, options

TRIED_BOARDS: Final = ("3x3x3", "4x3x3", "4x4x4")
MOST: Final = 50_000
"""The most positions in a trial on a board of more than nine squares."""

EARLY: Final = 8_000
"""The most positions within the first half of the board's plies. A trial with more would probably exceed `MOST`."""

MAX_PROVED_CELLS: Final = 12
"""The most squares of a board on which the perfect opponent is tried, since it proves every position it meets."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A strategy's trial as one mark: its findings, or else the reason why its games were not counted."""

    strategy: Strategy
    mark: Mark
    found: Trial | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class TrialView:
    """The form, the trial asked for, and the trials of every strategy on the same board, as X and as O.

    `boards` are the positions of the game that refutes the strategy. `slip` is a position in which it misses a win.
    """

    strategies: tuple[Option, ...]
    sides: tuple[Option, ...]
    rules_offered: tuple[Option, ...]
    rules: Rules
    tried: Tried
    boards: tuple[Mini, ...]
    slip: Mini | None
    rows: tuple[tuple[Tried, Tried], ...]

    @property
    def complete(self) -> bool:
        """True if the games of every strategy could be counted."""
        return all(tried.found for pair in self.rows for tried in pair)


def view(query: Query) -> TrialView:
    """Show the trial of `strategy` as `side` on `board`. Raises BadOption or UnknownPlayer."""
    board, side = one_of(query, "board", TRIED_BOARDS, TRIED_BOARDS[0]), one_of(query, "side", Mark, "O")
    rules = parse_rules(board)
    strategy = strategy_named(query.get("strategy", "seven-rules"), rules)
    tried = _tried(strategy, Mark(side), rules)
    refutation, slip = (tried.found.refutation, tried.found.slip) if tried.found else (None, None)
    return TrialView(
        strategies=options(
            {each.name: each.title for each in (*STRATEGIES.values(), strategy)},  # the strategy may be a list of rules
            strategy.name,
        ),
        sides=options({mark: mark for mark in Mark}, side),
        rules_offered=board_options(TRIED_BOARDS, board),
        rules=rules,
        tried=tried,
        boards=_boards(refutation) if refutation else (),
        slip=mini(slip.position, texts={slip.cell: "!"}, classes={slip.cell: "new"}) if slip else None,
        rows=tuple((_tried(each, Mark.X, rules), _tried(each, Mark.O, rules)) for each in playing_on(rules)),
    )


def _tried(strategy: Strategy, mark: Mark, rules: Rules) -> Tried:
    """Return a strategy's trial. Keep it only for opponents, because visitors can make too many lists of rules."""
    if STRATEGIES.get(strategy.name) == strategy:
        return kept(opponent_tried, strategy.name, mark, rules)
    return _count(strategy, mark, rules)


def opponent_tried(name: str, mark: Mark, rules: Rules) -> Tried:
    """Try the opponent of this name."""
    return _count(STRATEGIES[name], mark, rules)


def _count(strategy: Strategy, mark: Mark, rules: Rules) -> Tried:
    """Return the trial if it is small enough. The limit is in positions, not seconds, so that every machine agrees."""
    if has_table(rules):
        return Tried(strategy, mark, trial(strategy, mark, rules, Budget()))
    if rules.size > MAX_PROVED_CELLS if strategy.reproducible else not strategy.quick(rules):
        return Tried(
            strategy, mark, problem=f"Not counted here: {strategy.title} searches before every move on {rules}."
        )
    settled = replace(strategy, decide=strategy.reproducible or strategy.decide, settled=True)
    try:
        found = trial(settled, mark, rules, Budget(nodes=MOST), EARLY)
    except TooLarge as error:
        return Tried(strategy, mark, problem=str(error))
    return Tried(strategy, mark, replace(found, strategy=strategy))


def _boards(refutation: Refutation) -> tuple[Mini, ...]:
    return tuple(
        mini(ply.position.after(ply.cell), kind="loss" if number == refutation.erred else "", classes={ply.cell: "new"})
        for number, ply in enumerate(refutation.plies)
    )


def _figures(query: Query) -> Figures:
    rules = parse_rules(one_of(query, "board", TRIED_BOARDS, TRIED_BOARDS[0]))
    each = (Figure(opponent_tried, (strategy.name, mark, rules)) for strategy in playing_on(rules) for mark in Mark)
    return Figures(tuple(each), "trials counted")


LESSON = Lesson(
    name="trial",
    title="Opponents on trial",
    summary="See which opponents can be beaten, how, and which rule was to blame.",
    level=Level.FURTHER,
    minutes=5,
    after=("pyfl",),
    code=(trial,),
    picture=lambda: bars(trial(STRATEGIES["seven-rules"], Mark.O, TIC_TAC_TOE).counts, ("win", "draw", "loss")),
    parts=("strategy", "side", "board"),
    view=settled(view),
    figures=_figures,
)
