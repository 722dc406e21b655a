"""The tab that puts the opponents on trial: each is proved unbeatable, or refuted by a game to play."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from solver.analysis.trial import Refutation, Trial, trial
from solver.board.notation import format_cell, parse_position, parse_rules
from solver.board.position import Mark
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.errors import TooLarge
from solver.players import STRATEGIES, Strategy, playing_on, strategy_named
from solver.search.budget import Budget
from webapp.pages.learn.content import Facts, FactsOf, Remark
from webapp.pages.learn.figures import Figure, kept
from webapp.pages.learn.lesson import Figures, Tab
from webapp.pages.play.link import Link
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini
from webapp.ui.filters import Option, board_options, options

TRIED_BOARDS: Final = ("3x3x3", "4x3x3", "4x4x4")
MOST: Final = 50_000
"""The most positions in a trial on a board of more than nine squares."""

EARLY: Final = 8_000
"""The most positions within the first half of the board's plies. A trial with more would probably exceed `MOST`."""

MAX_PROVED_CELLS: Final = 12
"""The most squares of a board on which the perfect opponent is tried, since it proves every position it meets."""

SIDES: Final[Mapping[str, tuple[str, tuple[Mark, ...]]]] = {
    "never": ("Never", ()),
    "x": ("Only as X", (Mark.X,)),
    "o": ("Only as O", (Mark.O,)),
    "both": ("As X and as O", (Mark.X, Mark.O)),
}
"""The answers to the question when an opponent can lose, with their titles and the marks."""


TRAP: Final = mini(parse_position("X../.O./..X", TIC_TAC_TOE))
"""The board beside questions about opponents until feedback shows another: a corner loses for O, an edge doesn't."""


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

    `boards` are the positions of the game that refutes the strategy, and `now_you` is the link to win it. `slip` is a
    position in which the strategy misses a win.
    """

    strategies: tuple[Option, ...]
    sides: tuple[Option, ...]
    rules_offered: tuple[Option, ...]
    rules: Rules
    tried: Tried
    boards: tuple[Mini, ...]
    now_you: str
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
    tried = _try(strategy, Mark(side), rules)
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
        now_you=now_you(tried.found) if tried.found and refutation else "",
        slip=mini(slip.position, texts={slip.cell: "!"}, classes={slip.cell: "new"}) if slip else None,
        rows=tuple((_try(each, Mark.X, rules), _try(each, Mark.O, rules)) for each in playing_on(rules)),
    )


def judge_sides(name: str) -> Facts:
    """Judge on which sides an opponent can lose."""
    trials = {mark: try_on_3x3(name, mark) for mark in Mark}
    losing = tuple(mark for mark, trial in trials.items() if not trial.unbeatable)

    def judge(marks: tuple[Mark, ...]) -> Remark:
        if marks != losing:
            wrong = next(mark for mark in Mark if (mark in marks) != (mark in losing))
            return Remark.of("no", lost=_tell_lost(trials[wrong]))
        lost = " and ".join(map(_tell_lost, trials.values()))
        return show_loss("loses", trials[losing[-1]], lost=lost) if losing else Remark.of("never", lost=lost)

    return Facts.of(
        {side: judge(marks) for side, (_, marks) in SIDES.items()},
        TRAP,
        titles={side: title for side, (title, _) in SIDES.items()},
        title=STRATEGIES[name].title,
        idea=STRATEGIES[name].idea,
    )


def count_lost(name: str, mark: str) -> Facts:
    """Count the games that an opponent loses on a side."""
    trial = try_on_3x3(name, Mark(mark))
    return Facts.of(truth=trial.counts.lost, mark=mark, title=trial.strategy.title, counts=trial.counts)


def judge_depths(depths: list[int]) -> Facts:
    """Judge which of these look-aheads of alpha-beta is the least that is never beaten."""
    trials = {depth: tuple(try_on_3x3(f"alphabeta-{depth}", mark) for mark in Mark) for depth in depths}
    least = min(depth for depth, pair in trials.items() if all(trial.unbeatable for trial in pair))

    def judge(depth: int) -> Remark:
        lost = next((trial for trial in trials[depth] if not trial.unbeatable), None)
        if depth < least and lost:
            return show_loss("loses", lost, depth=depth, lost=_tell_lost(lost))
        return Remark.of("least" if depth == least else "enough")

    return Facts.of(
        {str(depth): judge(depth) for depth in depths},
        TRAP,
        titles={str(depth): f"{depth} moves" for depth in depths},
        least=least,
    )


def show_loss(says: str, trial: Trial, **values: object) -> Remark:
    """Return a remark with the mistake in the game that refutes a strategy, and the link to win the game."""
    assert trial.refutation is not None  # noqa: S101 - only of a strategy that can be beaten there is a remark like this
    assert trial.refutation.erred is not None  # noqa: S101 - no opponent has lost 3×3 from the start
    ply = trial.refutation.plies[trial.refutation.erred]
    board = mini(ply.position.after(ply.cell), classes={ply.cell: "loss"})
    mistake = format_cell(ply.cell, trial.rules)
    return Remark(says, board, links={"Now you: beat it": now_you(trial)}, values={**values, "mistake": mistake})


def now_you(tried: Trial) -> str:
    """Return the link to the game that refutes a strategy, after its mistake. The visitor moves next, without hints."""
    refutation = tried.refutation
    assert refutation is not None  # noqa: S101 - only a strategy that can be beaten has the link
    made = 0 if refutation.erred is None else refutation.erred + 1
    seats = {"x": tried.strategy.name, "o": "human"} if tried.mark is Mark.X else {"o": tried.strategy.name}
    return Link.starting(tried.rules).having(game=refutation.game.upto(made), at=made, show="off", **seats).url()


def try_on_3x3(name: str, mark: Mark) -> Trial:
    """Return the trial of an opponent on 3×3."""
    found = kept(try_opponent, name, mark, TIC_TAC_TOE).found
    assert found is not None  # noqa: S101 - every trial on 3×3 is small
    return found


def _tell_lost(tried: Trial) -> str:
    """Return how many games a strategy loses, e.g. "144 of 1,704 games as O"."""
    lost = f"{tried.counts.lost:,}" if tried.counts.lost else "none"
    return f"{lost} of {tried.counts.games:,} games as {tried.mark}"


def _try(strategy: Strategy, mark: Mark, rules: Rules) -> Tried:
    """Return a strategy's trial. Keep it only for opponents, because visitors can make too many lists of rules."""
    if STRATEGIES.get(strategy.name) == strategy:
        return kept(try_opponent, strategy.name, mark, rules)
    return _count(strategy, mark, rules)


def try_opponent(name: str, mark: Mark, rules: Rules) -> Tried:
    """Try the opponent of this name."""
    return _count(STRATEGIES[name], mark, rules)


def _count(strategy: Strategy, mark: Mark, rules: Rules) -> Tried:
    """Return the trial if it is small enough. The limit is in positions, not seconds, so that every machine agrees."""
    if rules.is_small:
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
        mini(
            ply.position.after(ply.cell), kind="erred" if number == refutation.erred else "", classes={ply.cell: "new"}
        )
        for number, ply in enumerate(refutation.plies)
    )


def _figures(query: Query) -> Figures:
    rules = parse_rules(one_of(query, "board", TRIED_BOARDS, TRIED_BOARDS[0]))
    each = (Figure(try_opponent, (strategy.name, mark, rules)) for strategy in playing_on(rules) for mark in Mark)
    return Figures(tuple(each), "trials counted")


TRIAL_TAB: Final = Tab(view=view, parts=("strategy", "side", "board"), figures=_figures)
TRIAL_FACTS: Final[FactsOf] = {"sides": judge_sides, "lost": count_lost, "depths": judge_depths}
