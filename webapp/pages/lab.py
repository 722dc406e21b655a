"""The lab: several solvers side by side on the position of a link."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar
from urllib.parse import urlencode

from flask import Blueprint, Response, g, make_response, render_template, request

from solver.articles.compare import (
    MAX_DEPTH,
    Comparison,
    Departure,
    Heuristic,
    SolverRun,
    compare_solvers,
    default_depth,
)
from solver.board.game import Game
from solver.board.outcome import Grade
from solver.board.rules import DEFAULT_BOARD, Cell
from solver.errors import NoughtsError
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from webapp.pages.play import preview
from webapp.pages.play.forms import GAME, GameForm, asked_game, game_url, settings_asked
from webapp.pages.play.link import Link, read_link
from webapp.serving.pool.asking import made_by_the_pool
from webapp.ui import previews
from webapp.ui.address import number_of
from webapp.ui.board import Mini, mini, of_outcomes
from webapp.ui.filters import board_title, winning_rule
from webapp.ui.previews import Preview, kept_page, proved_so_far, with_problems, with_settings

lab = Blueprint("lab", __name__)


@dataclass(frozen=True, slots=True)
class LabView:
    """A position with the solvers and players compared on it. `comparison` is None if the game is over."""

    game: Game
    form: GameForm
    depth: int
    comparison: Comparison | None
    max_depth: ClassVar[int] = MAX_DEPTH
    costs: ClassVar[Mapping[Grade, str]] = {
        Grade.SLOWER: "later than need be",
        Grade.SOONER: "sooner than need be",
    }
    """The words for a move that keeps the outcome but is not the best."""

    @property
    def position(self) -> Mini:
        """The small board of the position."""
        return mini(self.game.last)

    @property
    def searches(self) -> dict[str, SolverRun]:
        """The searches by title."""
        if self.comparison is None:
            return {}
        alphabeta = f"Alpha-beta {self.comparison.alphabeta.depth}"
        return {
            "Minimax": self.comparison.minimax,
            alphabeta: self.comparison.alphabeta,
            "Exact": self.comparison.exact,
        }

    def play(self) -> str:
        """Return the address to play on from the position."""
        return game_url(self.game)

    def boards(self) -> Iterator[Mini]:
        """Draw the outcomes that each search found, and the squares that each player by rules may choose."""
        position = self.game.last
        for title, search in self.searches.items():
            if search.outcomes is None:
                yield mini(position, f"{title}: not run")
            else:
                yield of_outcomes(position, search.outcomes, title)
        for player in self.comparison.heuristics if self.comparison else ():
            choices = player.decision.choices
            classes = {cell: "erred" if self.errs(player, cell) else "new" for cell in choices}
            kind = "erred" if "erred" in classes.values() else ""
            yield mini(position, player.strategy.title, kind, dict.fromkeys(choices, "●"), classes)

    def departures(self, player: Heuristic) -> Iterator[tuple[Departure, ...]]:
        """Return the squares where a player is not the best, grouped by how bad they are."""
        grouped = groupby(
            player.departures, key=lambda departure: (departure.grade.word, departure.outcome.ranks.lower)
        )
        return (tuple(alike) for _, alike in grouped)

    def errs(self, player: Heuristic, cell: Cell) -> bool:
        """Return whether a square that a player may choose gives a win or a draw away."""
        return any(departure.cell == cell and departure.grade.is_mistake for departure in player.departures)

    def is_best(self, player: Heuristic) -> bool:
        """Return whether every square that a player may choose is proved to be the best."""
        return self.comparison is not None and player.decision.choices.keys() <= set(self.comparison.prediction.best)


@lab.get("/lab")
def compare() -> Response:
    """Compare the solvers on the position of the link."""
    page = make_response(_comparison_page())  # first, because it refuses addresses that are too long
    return previews.with_preview(page, _preview())


@made_by_the_pool
def _comparison_page() -> Response:
    """Return the page. If a part of the address is bad, return the nearest sensible page with the problems.

    The page is kept with its measured times until more is proved of the position.
    """
    game, problems = _read_game()
    depth = default_depth(game.last.rules)
    try:
        depth = number_of(request.args, "depth", depth, 1, MAX_DEPTH)
    except NoughtsError as error:
        problems.append(str(error))
    depth = min(depth, max(1, game.last.plies_left))
    prediction, asks = predict(game.last), not any(request.args.get(part) for part in GAME)
    key = (*GameForm.of(game).parts().values(), depth, asks, proved_so_far([prediction]))
    page = kept_page("lab", key, lambda: render_template("lab.html", view=lab_view(game, depth, prediction), asks=asks))
    page = with_problems(with_settings(page, settings_asked(request.args)), problems)
    g.open_to_more = not prediction.complete
    return make_response(page, 400 if problems else 200)


def _preview() -> Preview:
    """Return the preview of the page, with the picture of the game's link."""
    game, _ = _read_game()
    rules = game.last.rules
    return replace(
        preview.preview(Link(game, len(game.moves)), None),
        title=f"Solvers on one position · {board_title(rules)}",
        description="Minimax, alpha-beta, the exact solver and the players by rules side by side, and what each costs. "
        f"{winning_rule(rules)}. {preview.headline(game.last)}.",
        path=GameForm.of(game).lab,
    )


def _read_game() -> tuple[Game, list[str]]:
    """Return the game of the address and the problems. For a bad address, return the nearest sensible game."""
    query = {part: request.args.get(part, "") for part in GAME}
    try:
        return asked_game(query, {"moves": "a2c1"}), []  # one square wins, and most players by rules miss it
    except NoughtsError as error:
        read = read_link(query.pop("board") or DEFAULT_BOARD, urlencode(query))
        return read.link.game, [str(error)]


def lab_view(game: Game, depth: int, prediction: Prediction) -> LabView:
    """Return the view of a game's last position, given its prediction."""
    return LabView(
        game, GameForm.of(game), depth, compare_solvers(prediction, depth) if game.last.result is None else None
    )
