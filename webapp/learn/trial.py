"""The lesson that puts the opponents on trial: proved unbeatable, or refuted by a game."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from solver.board.notation import format_cell, format_moves, parse_rules
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from solver.errors import NoughtsError, TooLarge
from solver.search.budget import Budget, Meter
from solver.search.tablebase import has_table
from solver.strategies import STRATEGIES, Strategy, strategy_named
from solver.theory.trial import FEASIBLE, Refutation, Trial, trial
from webapp.learn.lesson import Lesson, Query
from webapp.learn.minis import Mini, mini
from webapp.learn.parts import Choice, choices, one_of
from webapp.play import words

BOARDS: Final = ("3x3x3", "4x3x3", "4x4x4")
ONE: Final = Budget(nodes=FEASIBLE.nodes, seconds=5)
"""What the trial that a visitor asks for may cost on boards of more than nine squares."""

EACH_NODES: Final = 30_000
EACH_SECONDS: Final = 1.5
ALL_SECONDS: Final = 4
"""What each trial of a summary may cost on boards of more than nine squares, and all of them together."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a game: the board after it, who played where, why, and whether it is the move that loses."""

    board: Mini
    move: str
    reason: str
    errs: bool


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of one trial; `problem` says why nothing did."""

    side: str
    url: str
    problem: str = ""
    unbeatable: bool = False
    won: str = ""
    drawn: str = ""
    lost: str = ""
    slips: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The trial that was asked for, in full."""

    heading: str
    tried: Tried
    games: str = ""
    positions: str = ""
    steps: tuple[Step, ...] = ()
    hopeless: bool = False
    replay: str = ""
    slip: Step | None = None


@dataclass(frozen=True, slots=True)
class TrialView:
    """The form, the trial it asks for, and all trials on its board."""

    strategies: tuple[Choice, ...]
    sides: tuple[Choice, ...]
    boards: tuple[Choice, ...]
    verdict: Verdict
    board: str
    complete: bool
    rows: tuple[tuple[str, Tried, Tried], ...]


def view(query: Query) -> TrialView:
    """The trial of `strategy` as `side` on `board`."""
    board, side = one_of(query, "board", BOARDS, BOARDS[0]), one_of(query, "side", Mark, "O")
    rules = parse_rules(board)
    strategy = strategy_named(query.get("strategy", "hard"), rules)
    rows = _rows(rules)
    return TrialView(
        choices({each.name: each.title for each in STRATEGIES.values()}, strategy.name),
        choices({mark: mark for mark in Mark}, side),
        choices({each: words.board(parse_rules(each)) for each in BOARDS}, board),
        _verdict(strategy, Mark(side), rules),
        words.board(rules),
        not any(tried.problem for _, *pair in rows for tried in pair),
        rows,
    )


@lru_cache(maxsize=128)
def _verdict(strategy: Strategy, mark: Mark, rules: Rules) -> Verdict:
    heading = f"{strategy.title} as {mark} on {words.board(rules)}"
    try:
        found = trial(strategy, mark, rules, FEASIBLE if has_table(rules) else ONE)
    except TooLarge as error:
        return Verdict(heading, _refused(strategy, mark, rules, error))
    refutation, slip = found.refutation, found.slip
    return Verdict(
        heading,
        _counted(found),
        f"{found.counts.games:,}",
        f"{found.positions:,}",
        _steps(refutation) if refutation else (),
        refutation is not None and refutation.erred is None,
        _replay(found, refutation) if refutation else "",
        Step(
            mini(slip.position, texts={slip.cell: "!"}, classes={slip.cell: "new"}),
            f"{mark} {format_cell(slip.cell, rules)}",
            slip.reason,
            errs=True,
        )
        if slip
        else None,
    )


def _steps(refutation: Refutation) -> tuple[Step, ...]:
    return tuple(
        Step(
            mini(
                ply.position.after(ply.cell),
                kind="loss" if number == refutation.erred else "",
                classes={ply.cell: "new"},
            ),
            f"{ply.position.mover} {format_cell(ply.cell, ply.position.rules)}",
            ply.reason,
            number == refutation.erred,
        )
        for number, ply in enumerate(refutation.plies)
    )


def _replay(found: Trial, refutation: Refutation) -> str:
    """The refuting game on the real board, which the visitor has played against the opponent."""
    moves = format_moves(tuple(ply.cell for ply in refutation.plies), found.rules)
    name = found.strategy.name
    players = f"x={name}&o=human" if found.mark is Mark.X else f"o={name}"
    return f"/play/{found.rules}?moves={moves}&{players}"


@lru_cache(maxsize=len(BOARDS))
def _rows(rules: Rules) -> tuple[tuple[str, Tried, Tried], ...]:
    """Every opponent from both sides; on larger boards as far as the seconds reach, the least work first."""
    whole = Meter(Budget(seconds=ALL_SECONDS))

    def tried(strategy: Strategy, mark: Mark) -> Tried:
        part = FEASIBLE if has_table(rules) else Budget(EACH_NODES, min(EACH_SECONDS, whole.seconds_left))
        try:
            found = trial(strategy, mark, rules, part)
        except TooLarge as error:
            return _refused(strategy, mark, rules, error)
        return _counted(found)

    playing = [each for each in STRATEGIES.values() if each.plays_on(rules)]
    first = Position(rules)
    found = {
        strategy.name: (strategy.title, tried(strategy, Mark.X), tried(strategy, Mark.O))
        for strategy in sorted(playing, key=lambda each: len(each.decide(first).choices))
    }
    return tuple(found[each.name] for each in playing)


def _counted(found: Trial) -> Tried:
    counts = found.counts
    return Tried(
        str(found.mark),
        _url(found.strategy, found.mark, found.rules),
        "",
        found.unbeatable,
        *(f"{number:,}" for number in (counts.won, counts.drawn, counts.lost, found.slips)),
    )


def _refused(strategy: Strategy, mark: Mark, rules: Rules, error: NoughtsError) -> Tried:
    return Tried(str(mark), _url(strategy, mark, rules), str(error))


def _url(strategy: Strategy, mark: Mark, rules: Rules) -> str:
    return f"/learn/trial?strategy={strategy.name}&side={mark}&board={rules}"


LESSON = Lesson(
    "trial",
    "Opponents on trial",
    "Which opponents can be beaten, by which game, and which rule was to blame: every line of play counted.",
    view,
    ("strategy", "side", "board"),
)
