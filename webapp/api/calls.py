"""The calls of the API, each with what it takes and what it answers: the same objects as the command line's."""

from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from solver.analysis.drills import DrillKind, drills
from solver.analysis.review.turns import review
from solver.atlas.boards import atlas, entry_named
from solver.atlas.entry import Entry
from solver.board.game import Game, parse_game
from solver.board.notation import format_cell, format_position, parse_cell, parse_rules
from solver.board.rules import DEFAULT_BOARD, Cell, Rules
from solver.players import Strategy, strategy_named
from solver.proofs.prediction import Prediction, predict
from solver.report import (
    atlas_report,
    drills_report,
    explain_report,
    move_report,
    predict_report,
    review_report,
    trace_report,
)
from solver.search.budget import Budget
from solver.search.tablebase import has_table
from webapp.api import parameters as takes
from webapp.api.call import PREFIX, ApiAnswer, Call, Freshness, Report, call
from webapp.api.parameters import Texts
from webapp.serving.pool.gating import asked_by_pages, reasons_of, watched
from webapp.serving.pool.work import Look, Standing

REVIEW_SECONDS: Final = 4.0
"""Seconds that the positions of a game together may be searched for its review."""

REVIEWED_AT_EASE: Final = 20
"""A game with fewer positions gives each of them no more time than if it had so many."""

ASK_AGAIN: Final = {Standing.PROVING: 2, Standing.WAITING: 2, Standing.BUSY: 5, Standing.DONE: 1}
"""Seconds after which it is worth asking again for what is not proved yet, by how its proof gets on."""

POSITION: Final = (takes.BOARD, takes.FROM, takes.MOVES)


def game_of(texts: Texts) -> Game:
    """The game that a request names; its last position is the one that is asked about."""
    return parse_game(texts.get("board", DEFAULT_BOARD), texts.get("from"), texts.get("moves", ""))


def pending(prediction: Prediction, look: Look, name: str, **more: str) -> Report:
    """Where not all is proved: how the proof gets on, and where to ask again, and when."""
    if prediction.complete:
        return {}
    position = prediction.position
    asked = {"board": str(position.rules), "from": format_position(position)} | more
    return {
        "pending": {
            "state": str(look.standing),
            "retry_after": ASK_AGAIN.get(look.standing),
            "url": f"{PREFIX}/{name}?{urlencode(asked, safe='/')}",
        }
    }


def _keeping(prediction: Prediction) -> Freshness:
    return Freshness.LASTING if prediction.complete else Freshness.CHECKED


@call(
    "predict",
    "What every square is worth",
    "What perfect play makes of every open square of a position.",
    POSITION,
    read=game_of,
    shape="Prediction",
    example={"from": "X.O/.X./..O"},
)
def predictions(game: Game) -> ApiAnswer:
    """The outcome of every open square."""
    prediction, look = watched(game.last)
    return ApiAnswer(predict_report(prediction) | pending(prediction, look, "predict"), _keeping(prediction))


class _Asked(NamedTuple):
    game: Game
    square: Cell | None


def _square_of(texts: Texts) -> _Asked:
    game = game_of(texts)
    if "square" not in texts:
        return _Asked(game, None)
    cell = parse_cell(texts["square"], game.last.rules)
    game.last.play(cell)
    return _Asked(game, cell)


@call(
    "explain",
    "Why a square is what it is",
    "Why an open square of a position, or each of them, wins, draws or loses, in sentences that were checked.",
    (*POSITION, takes.SQUARE),
    read=_square_of,
    shape="Explanation",
    example={"from": "X.O/.X./..O", "square": "a2"},
)
def explanations(asked: _Asked) -> ApiAnswer:
    """Why each open square, or the one that is asked about, is what it is."""
    position, square = asked.game.last, asked.square
    prediction, look = watched(position)
    reasons = reasons_of(prediction, None if square is None else (square,))
    named = {} if square is None else {"square": format_cell(square, position.rules)}
    return ApiAnswer(
        explain_report(position, reasons) | pending(prediction, look, "explain", **named), _keeping(prediction)
    )


class _Move(NamedTuple):
    game: Game
    player: Strategy
    seed: str | None
    number: int
    traced: bool


def _move_of(texts: Texts) -> _Move:
    game = game_of(texts)
    player = strategy_named(texts["player"], game.last.rules)
    return _Move(game, player, texts.get("seed"), takes.whole(texts.get("game", "0")), texts.get("trace") == "1")


@call(
    "move",
    "What an opponent plays",
    "The reply of an opponent in a position, with its reason and the chance of each square that it might have played.",
    (*POSITION, takes.PLAYER, takes.SEED, takes.GAME, takes.TRACE),
    read=_move_of,
    shape="Move",
    example={"from": "X.O/.X./..O", "player": "rulebook", "seed": "7"},
)
def moves(asked: _Move) -> ApiAnswer:
    """A player's move in the position, with its reason."""
    player = asked.player
    traced: dict[str, Any] = trace_report(player, asked.game.last) if asked.traced else {}
    report = move_report(asked.game, asked_by_pages(player.name) or player, asked.seed, asked.number)
    return ApiAnswer(report | traced, Freshness.LASTING if asked.seed else Freshness.NEVER)


@call(
    "review",
    "Where a game turned",
    "Every move of a game against the best one, and the moves that gave a win or a draw away.",
    POSITION,
    read=game_of,
    shape="Review",
    example={"moves": "b2a2c1a3a1"},
    dear=lambda game: not has_table(game.last.rules),
)
def reviews(game: Game) -> ApiAnswer:
    """Every move of a game against the best one; on larger boards the pool sees what can be proved of them in time."""
    budget = Budget(seconds=REVIEW_SECONDS / max(REVIEWED_AT_EASE, len(game.positions)))
    found = review(game, lambda position: predict(position, budget))
    complete = all(turn.prediction.complete for turn in found.turns)
    return ApiAnswer(review_report(found), Freshness.LASTING if complete else Freshness.CHECKED)


class _Drills(NamedTuple):
    rules: Rules
    kind: DrillKind | None
    seed: str | None
    most: int | None


def _drills_of(texts: Texts) -> _Drills:
    kind, count = texts.get("kind"), texts.get("count")
    rules = parse_rules(texts.get("board", DEFAULT_BOARD))
    return _Drills(rules, DrillKind(kind) if kind else None, texts.get("seed"), takes.whole(count) if count else None)


@call(
    "drills",
    "Positions with a task",
    "Drills with their answers, from easy to hard or chosen by a seed; /practise/ and an id is a drill's page.",
    (takes.DRILLED, takes.KIND, takes.SHUFFLED, takes.COUNT),
    read=_drills_of,
    shape="Drills",
    example={"kind": "only-move", "seed": "1", "count": "2"},
)
def drilled(asked: _Drills) -> ApiAnswer:
    """The drills of a board, or those of a kind."""
    found = drills(asked.rules, asked.kind, asked.seed, asked.most)
    return ApiAnswer(drills_report(asked.rules, found), Freshness.LASTING)


@call(
    "boards",
    "Who wins on every board",
    "What is proved of every board up to 8x8, or of one, and what that took; and what is published of it.",
    (takes.LISTED,),
    read=lambda texts: entry_named(texts["board"]) if "board" in texts else None,
    shape="Boards",
    example={"board": "7x4x4"},
)
def boards(asked: Entry | None) -> ApiAnswer:
    """What is proved and what is published of every board, or of one."""
    return ApiAnswer(atlas_report([asked] if asked else atlas().values()), Freshness.LASTING)


CALLS: Final[tuple[Call[Any], ...]] = (predictions, explanations, moves, reviews, drilled, boards)
"""Every call, in the order in which they are described."""
