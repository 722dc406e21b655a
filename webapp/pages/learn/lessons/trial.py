"""The tab that puts the opponents on trial: each is proved unbeatable, or refuted by a game to play."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from solver.analysis.trial import Refutation, Trial
from solver.articles.figures import tried
from solver.articles.trials import TRIED_BOARDS, Tried
from solver.board.notation import format_cell, parse_position, parse_rules
from solver.board.position import Mark
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.players import STRATEGIES, playing_on, strategy_named
from webapp.pages.learn.content import Facts, FactsOf, Remark
from webapp.pages.learn.lesson import Tab
from webapp.pages.play.link import Link
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini
from webapp.ui.filters import Option, board_options, options

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
        return all(each.found for pair in self.rows for each in pair)


def view(query: Query) -> TrialView:
    """Show the trial of `strategy` as `side` on `board`. Raises BadOption or UnknownPlayer."""
    board, side = one_of(query, "board", TRIED_BOARDS, TRIED_BOARDS[0]), one_of(query, "side", Mark, "O")
    rules = parse_rules(board)
    strategy = strategy_named(query.get("strategy", "seven-rules"), rules)
    own = tried(strategy, Mark(side), rules)
    refutation, slip = (own.found.refutation, own.found.slip) if own.found else (None, None)
    return TrialView(
        strategies=options(
            {each.name: each.title for each in (*STRATEGIES.values(), strategy)},  # the strategy may be a list of rules
            strategy.name,
        ),
        sides=options({mark: mark for mark in Mark}, side),
        rules_offered=board_options(TRIED_BOARDS, board),
        rules=rules,
        tried=own,
        boards=_boards(refutation) if refutation else (),
        now_you=now_you(own.found) if own.found and refutation else "",
        slip=mini(slip.position, texts={slip.cell: "!"}, classes={slip.cell: "new"}) if slip else None,
        rows=tuple((tried(each, Mark.X, rules), tried(each, Mark.O, rules)) for each in playing_on(rules)),
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
    found = tried(STRATEGIES[name], mark, TIC_TAC_TOE).found
    assert found is not None  # noqa: S101 - every trial on 3×3 is small
    return found


def _tell_lost(tried: Trial) -> str:
    """Return how many games a strategy loses, e.g. "144 of 1,704 games as O"."""
    lost = f"{tried.counts.lost:,}" if tried.counts.lost else "none"
    return f"{lost} of {tried.counts.games:,} games as {tried.mark}"


def _boards(refutation: Refutation) -> tuple[Mini, ...]:
    return tuple(
        mini(
            ply.position.after(ply.cell), kind="erred" if number == refutation.erred else "", classes={ply.cell: "new"}
        )
        for number, ply in enumerate(refutation.plies)
    )


TRIAL_TAB: Final = Tab(view=view, parts=("strategy", "side", "board"))
TRIAL_FACTS: Final[FactsOf] = {"sides": judge_sides, "lost": count_lost, "depths": judge_depths}
