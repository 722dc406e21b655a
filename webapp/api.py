"""The JSON API: the same objects as the command line's."""

from typing import Any, Final

from flask import Blueprint, Response, g, make_response, request
from werkzeug.wrappers import Response as AnyResponse

from solver.atlas.boards import atlas
from solver.board.game import Game, parse_game
from solver.board.notation import parse_cell, quoted
from solver.errors import BadOption, NoughtsError
from solver.proofs.prediction import predict
from solver.report import (
    atlas_report,
    error_report,
    explain_report,
    move_report,
    predict_report,
    review_report,
    trace_report,
)
from solver.review.turns import review
from solver.search.budget import Budget
from solver.search.tablebase import has_table
from solver.strategies import OFFERED, strategy_named
from webapp.gating import asked_by_pages, made_by_the_pool, proved, reasons_of
from webapp.play.link import DEFAULT_BOARD, checked_seed

api = Blueprint("api", __name__)

REVIEW_SECONDS: Final = 4.0
"""Seconds that the positions of a game together may be searched for its review."""

REVIEWED_AT_EASE: Final = 20
"""A game with fewer positions gives each of them no more time than if it had so many."""


@api.get("/api/v1/predict")
def predictions() -> dict[str, Any]:
    """The outcome of every open square."""
    return predict_report(proved(_game().last))


@api.get("/api/v1/boards")
def boards() -> dict[str, Any]:
    """What is proved and what is published of every board."""
    return atlas_report(atlas().values())


@api.get("/api/v1/review")
def looked_back_on() -> AnyResponse | str:
    """Every move of a game against the best one; on larger boards the pool sees what can be proved of them in time."""
    game = _game()
    return _review(game) if has_table(game.last.rules) else _pooled_review(game)


@made_by_the_pool
def _pooled_review(game: Game) -> Response:
    return _review(game)


def _review(game: Game) -> Response:
    budget = Budget(seconds=REVIEW_SECONDS / max(REVIEWED_AT_EASE, len(game.positions)))
    found = review(game, lambda position: predict(position, budget))
    g.open_to_more = not all(turn.prediction.complete for turn in found.turns)
    return make_response(review_report(found))


@api.get("/api/v1/explain")
def explanations() -> dict[str, Any]:
    """Why each open square, or the one that is asked about, is what it is."""
    position, square = _game().last, request.args.get("square")
    cells = None
    if square:
        cells = (parse_cell(square, position.rules),)
        position.play(*cells)
    return explain_report(position, reasons_of(proved(position), cells))


@api.get("/api/v1/move")
def move() -> dict[str, Any]:
    """A player's move in the position, with its reason."""
    game = _game()
    name = request.args.get("player", "")
    if not name:
        raise BadOption(f"Say whose move you want: player= one of {OFFERED}.")
    player = strategy_named(name, game.last.rules)
    seed = checked_seed(request.args.get("seed"))
    traced = trace_report(player, game.last) if request.args.get("trace") == "1" else {}
    return move_report(game, asked_by_pages(player.name) or player, seed, _game_number()) | traced


@api.errorhandler(NoughtsError)
def bad_input(error: NoughtsError) -> tuple[dict[str, Any], int]:
    """What was wrong with the request, as JSON."""
    return error_report(error.code, str(error)), 400


def _game_number() -> int:
    """How many games of a series came before this one: a seed gives each its own chances."""
    text = request.args.get("game") or "0"
    if text.isascii() and text.isdigit() and len(text) < 8:
        return int(text)
    raise BadOption(f"game={quoted(text)} is no number of games before this one.")


def _game() -> Game:
    query = request.args
    return parse_game(query.get("board") or DEFAULT_BOARD, query.get("from") or None, query.get("moves", ""))
