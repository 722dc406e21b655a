"""The lab: several solvers side by side on the position of a link."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType
from typing import ClassVar, Final
from urllib.parse import urlencode

from flask import Blueprint, Response, g, make_response, render_template, request

from solver.articles.compare import MAX_DEPTH, Comparison, Departure, Heuristic, SolverRun, compared, default_depth
from solver.board.game import Game
from solver.board.position import Position
from solver.board.rules import DEFAULT_BOARD, Cell
from solver.errors import NoughtsError
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from webapp.pages.play import preview
from webapp.pages.play.forms import GAME, GameForm, asked_game, game_url, settings_asked
from webapp.pages.play.link import Link, read_link
from webapp.serving.pool.gating import made_by_the_pool
from webapp.ui import previews
from webapp.ui.address import number_of
from webapp.ui.board import Mini, mini, of_outcomes
from webapp.ui.filters import board_title, winning_rule
from webapp.ui.kept import kept_page, proved_so_far, with_problems, with_settings
from webapp.ui.previews import Preview

lab = Blueprint("lab", __name__)

COSTS: Final[Mapping[str, str]] = MappingProxyType({"slow": "later than need be", "hasty": "sooner than need be"})
"""The words for a move that keeps the outcome but is not the best."""


@dataclass(frozen=True, slots=True)
class LabView:
    """A position with everything that is compared on it.

    `searches` are by title. Where the game is over, `found` is None and nothing is compared.
    """

    game: Game
    form: GameForm
    depth: int
    position: Mini
    found: Comparison | None
    searches: Mapping[str, SolverRun]
    boards: tuple[Mini, ...]
    max_depth: ClassVar[int] = MAX_DEPTH
    costs: ClassVar[Mapping[str, str]] = COSTS

    def play(self) -> str:
        """Return the address to play on from the position."""
        return game_url(self.game)

    def departures(self, player: Heuristic) -> Iterator[tuple[Departure, ...]]:
        """Return the squares where a player is not the best, grouped by how bad they are."""
        return (tuple(alike) for _, alike in groupby(player.departures, key=_badness))

    def errs(self, player: Heuristic, cell: Cell) -> bool:
        """Return whether a square that a player may choose gives a win or a draw away."""
        return _errs(player, cell)

    def is_best(self, player: Heuristic) -> bool:
        """Return whether every square that a player may choose is proved to be the best."""
        return self.found is not None and player.decision.choices.keys() <= set(self.found.prediction.best)


@lab.get("/lab")
def compare() -> Response:
    """Compare the solvers on the position of the link."""
    page = make_response(_compared())  # first, since it refuses addresses that are too long
    return previews.with_preview(page, _preview())


@made_by_the_pool
def _compared() -> Response:
    """Return the page. If a part of the address is bad, return the nearest sensible page with the problems."""
    game, problems = _asked()
    depth = default_depth(game.last.rules)
    try:
        depth = number_of(request.args, "depth", depth, 1, MAX_DEPTH)
    except NoughtsError as error:
        problems.append(str(error))
    depth = min(depth, max(1, game.last.plies_left))
    prediction = predict(game.last)
    page = with_problems(with_settings(_page(game, depth, prediction), settings_asked(request.args)), problems)
    g.open_to_more = not prediction.complete
    return make_response(page, 400 if problems else 200)


def _preview() -> Preview:
    """Return the preview of the page, with the picture of the game's link."""
    game, _ = _asked()
    rules = game.last.rules
    return replace(
        preview.preview(Link(game, len(game.moves)), None),
        title=f"Solvers on one position · {board_title(rules)}",
        description="Minimax, alpha-beta, the exact solver and the players by rules side by side, and what each costs. "
        f"{winning_rule(rules)}. {preview.headline(game.last)}.",
        path=GameForm.of(game).lab,
    )


def _asked() -> tuple[Game, list[str]]:
    """Return the game of the address and the problems; a bad address has the same game as a bad link."""
    query = {part: request.args.get(part, "") for part in GAME}
    try:
        return asked_game(query), []
    except NoughtsError as error:
        read = read_link(query.pop("board") or DEFAULT_BOARD, urlencode(query))
        return read.link.game, [str(error)]


def _page(game: Game, depth: int, prediction: Prediction) -> bytes:
    """Return the page, which is kept with its measured times until more is proved of the position."""
    shown = (*GameForm.of(game).parts().values(), depth, proved_so_far([prediction]))
    return kept_page("lab", shown, lambda: render_template("lab.html", view=lab_view(game, depth, prediction)))


def lab_view(game: Game, depth: int, prediction: Prediction) -> LabView:
    """Return the view of a game's last position, given its prediction."""
    position = game.last
    found = compared(prediction, depth) if position.result is None else None
    searches = _searches(found) if found else {}
    boards = (*_searched(position, searches), *_chosen(found)) if found else ()
    return LabView(game, GameForm.of(game), depth, mini(position), found, searches, boards)


def _searches(found: Comparison) -> Mapping[str, SolverRun]:
    return {"Minimax": found.minimax, f"Alpha-beta {found.alphabeta.depth}": found.alphabeta, "Exact": found.exact}


def _searched(position: Position, searches: Mapping[str, SolverRun]) -> Iterator[Mini]:
    for title, search in searches.items():
        if search.outcomes is None:
            yield mini(position, f"{title}: not run")
        else:
            yield of_outcomes(position, search.outcomes, title)


def _chosen(found: Comparison) -> Iterator[Mini]:
    for player in found.heuristics:
        choices = player.decision.choices
        classes = {cell: "loss" if _errs(player, cell) else "new" for cell in choices}
        kind = "loss" if "loss" in classes.values() else ""
        yield mini(found.prediction.position, player.strategy.title, kind, dict.fromkeys(choices, "●"), classes)


def _errs(player: Heuristic, cell: Cell) -> bool:
    return any(departure.cell == cell and departure.grade.is_mistake for departure in player.departures)


def _badness(departure: Departure) -> tuple[str, int]:
    return departure.word, departure.outcome.ranks.lower
