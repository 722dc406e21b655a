"""The lab: several solvers on one position, named by a link, side by side."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from urllib.parse import urlencode

from flask import Blueprint, Response, g, make_response, render_template, request

from solver.board.game import Game
from solver.board.notation import format_cell, format_cells, format_state
from solver.board.outcome import Outcome, counted
from solver.board.rules import Cell, Rules
from solver.errors import NoughtsError
from solver.proofs.prediction import predict
from solver.search.tablebase import has_table
from solver.theory.compare import Comparison, Departure, Heuristic, Search, compared
from solver.theory.replay import Grade
from webapp.gating import known, made_by_the_pool
from webapp.learn.minis import Mini, mini, of_outcomes
from webapp.learn.parts import number_of
from webapp.play import words
from webapp.play.games import GameForm, play_url
from webapp.play.link import DEFAULT_BOARD, read_link

lab = Blueprint("lab", __name__)

MAX_DEPTH, USUAL_DEPTH = 12, 4
"""Plies that alpha-beta looks ahead at most, and on boards that are not looked up if nothing else is asked for."""

MAX_NAMED = 9
"""Squares that are named one by one; more are counted."""


@dataclass(frozen=True, slots=True)
class SolverRow:
    """What a search cost, how deep it looked, and what it lacks."""

    title: str
    nodes: str
    time: str
    depth: str
    note: str


@dataclass(frozen=True, slots=True)
class RuleRow:
    """What a player by rules plays and why, and where that is worse than the best."""

    title: str
    plays: str
    rule: str
    time: str
    departures: tuple[str, ...]
    at_best: str
    """What is said where there are none: that the choice is the best, or that this is not proved."""


@dataclass(frozen=True, slots=True)
class SquareRow:
    """A square with what each search makes of it, text and style class, and how likely each player is to take it."""

    name: str
    outcomes: tuple[tuple[str, str], ...]
    chances: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LabView:
    """One position with all that is compared on it."""

    game: GameForm
    depth: int
    max_depth: int
    position: Mini
    play: str
    title: str
    state: str
    best: str
    boards: tuple[Mini, ...]
    searches: tuple[SolverRow, ...]
    rules: tuple[RuleRow, ...]
    players: tuple[str, ...]
    squares: tuple[SquareRow, ...]


@lab.get("/lab")
@made_by_the_pool
def compare() -> Response:
    """The position of the link; a bad part shows the nearest sensible one and says what was wrong."""
    query = {part: request.args.get(part, "") for part in ("from", "moves")}
    read = read_link(request.args.get("board") or DEFAULT_BOARD, urlencode(query))
    problems = [str(problem) for problem in read.problems]
    game, depth = read.link.game, MAX_DEPTH if has_table(read.link.rules) else USUAL_DEPTH
    try:
        depth = number_of(request.args, "depth", depth, 1, MAX_DEPTH)
    except NoughtsError as error:
        problems.append(str(error))
    depth = min(depth, max(1, game.last.plies_left))
    page = render_template("lab.html", view=_view(game, depth, known([game.last])), problems=problems)
    g.open_to_more = not predict(game.last).complete
    return make_response(page, 400 if problems else 200)


@lru_cache(maxsize=32)
def _view(game: Game, depth: int, proved: tuple[Outcome, ...]) -> LabView:  # noqa: ARG001 - more proved, another view
    """The view is kept with the times that were measured for it, until more is proved of the position."""
    return lab_view(game, depth)


def lab_view(game: Game, depth: int) -> LabView:
    """What the page shows of a game's last position."""
    position = game.last
    found = compared(position, depth) if position.result is None else None
    return LabView(
        game=GameForm.of(game),
        depth=depth,
        max_depth=MAX_DEPTH,
        position=mini(position),
        play=play_url(game),
        title=words.board(position.rules),
        state=format_state(position),
        best=_best(found) if found else "",
        boards=_boards(found) if found else (),
        searches=tuple(_search(title, each) for title, each in _searches(found)) if found else (),
        rules=tuple(_rules(each, found) for each in found.heuristics) if found else (),
        players=tuple(each.strategy.title for each in found.heuristics) if found else (),
        squares=tuple(_square(cell, found) for cell in position.legal_moves) if found else (),
    )


def _best(found: Comparison) -> str:
    prediction, position = found.prediction, found.prediction.position
    if not prediction.best:
        return "What is best here is not proved."
    cells = _named(prediction.best, position.rules)
    return f"Best for {position.mover}: {cells} ({prediction.squares[prediction.best[0]].words(position.mover)})."


def _searches(found: Comparison) -> tuple[tuple[str, Search], ...]:
    deep = f"Alpha-beta {found.alphabeta.depth}"
    return (("Minimax", found.minimax), (deep, found.alphabeta), ("Exact", found.exact))


def _boards(found: Comparison) -> tuple[Mini, ...]:
    position = found.prediction.position
    searched = (
        of_outcomes(position, each.outcomes, title)
        if each.outcomes is not None
        else mini(position, f"{title}: not run")
        for title, each in _searches(found)
    )
    chosen = (
        mini(
            position,
            each.strategy.title,
            "loss" if any(departure.grade is Grade.ERROR for departure in each.departures) else "",
            dict.fromkeys(each.decision.choices, "●"),
            {cell: "loss" if _is_error(cell, each) else "new" for cell in each.decision.choices},
        )
        for each in found.heuristics
    )
    return (*searched, *chosen)


def _is_error(cell: Cell, player: Heuristic) -> bool:
    return any(departure.cell == cell and departure.grade is Grade.ERROR for departure in player.departures)


def _search(title: str, search: Search) -> SolverRow:
    depth = "to the end" if search.depth is None else counted(search.depth, "ply", "plies")
    ran = search.outcomes is not None
    nodes = "" if search.nodes is None or not ran else f"{search.nodes:,}"
    return SolverRow(title, nodes, _time(search.seconds) if ran else "", depth if ran else "", search.short)


def _rules(player: Heuristic, found: Comparison) -> RuleRow:
    rules = found.prediction.position.rules
    plays = _named(player.decision.choices, rules)
    return RuleRow(
        player.strategy.title,
        plays,
        player.decision.reason,
        _time(player.seconds),
        tuple(_departures(list(alike), found) for _, alike in groupby(player.departures, key=_worth)),
        "nowhere" if player.decision.choices.keys() <= set(found.prediction.best) else "not proved",
    )


def _worth(departure: Departure) -> tuple[str, int]:
    return departure.grade, departure.outcome.ranks.lower


def _departures(alike: list[Departure], found: Comparison) -> str:
    """E.g. "a2, c2 (1/4 each): X wins in 1 move (2 plies), gives the draw away; best: draw in 5 plies"."""
    rules, mover, best = found.prediction.position.rules, found.prediction.position.mover, found.prediction.outcome
    cells = _named([each.cell for each in alike], rules)
    chance = "" if alike[0].chance == 1 else f" ({alike[0].chance}{' each' if len(alike) > 1 else ''})"
    cost = {
        Grade.ERROR: f"gives the {best.value} away",
        Grade.SLOW: "later than need be",
        Grade.HASTY: "sooner than need be",
    }[alike[0].grade]
    return f"{cells}{chance}: {alike[0].outcome.words(mover)}, {cost}; best: {best.words(mover)}"


def _named(cells: Collection[Cell], rules: Rules) -> str:
    if len(cells) > MAX_NAMED:
        return f"{len(cells)} squares"
    return format_cells(cells, rules)


def _square(cell: Cell, found: Comparison) -> SquareRow:
    return SquareRow(
        format_cell(cell, found.prediction.position.rules),
        tuple(_shown(each.outcomes, cell) for _, each in _searches(found)),
        tuple(
            (str(each.decision.choices[cell]), "loss" if _is_error(cell, each) else "")
            if cell in each.decision.choices
            else ("", "")
            for each in found.heuristics
        ),
    )


def _shown(outcomes: Mapping[Cell, Outcome] | None, cell: Cell) -> tuple[str, str]:
    if outcomes is None or cell not in outcomes:
        return "", ""
    outcome = outcomes[cell]
    return f"{outcome.letter}{outcome.number}", str(outcome.value)


def _time(seconds: float) -> str:
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
