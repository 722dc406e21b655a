"""The calls of the API, and the batch of many positions. The command line prints the same objects as JSON."""

import json
from functools import partial
from typing import Any, Final, TypeGuard

from solver import oracle
from solver.analysis.drills import BOARDS, drills, having_drills
from solver.analysis.review import review
from solver.atlas.entry import Entry, atlas
from solver.atlas.games import ProvedGame, board_or_game
from solver.board.game import Game, parse_game
from solver.board.notation import format_cell, format_moves, format_position, parse_cell, parse_rules
from solver.board.rules import Cell, Rules
from solver.errors import BadOption, NoughtsError
from solver.oracle import Proving
from solver.players import Strategy, strategy_named
from solver.proofs.predict import predict_together
from solver.proofs.prediction import Prediction, ProofState, ProofStatus
from solver.report import (
    atlas_report,
    drills_report,
    error_report,
    explain_report,
    move_report,
    predict_report,
    review_report,
    trace_report,
)
from webapp.api.call import PREFIX, ApiAnswer, Asked, Call, Freshness, Misfit, Report
from webapp.api.shapes import MOST_IN_A_BATCH
from webapp.serving.pool.asking import pool
from webapp.ui.address import Query, with_query

REVIEW_SECONDS: Final = 4.0
"""The most processor seconds for a review. All positions of the game share them."""

ASK_AGAIN: Final = {ProofState.PROVING: 2, ProofState.WAITING: 2, ProofState.BUSY: 5, ProofState.DONE: 1}
"""Seconds to wait before asking again, by the state of the proof."""


def game_of(asked: Asked) -> Game:
    """Parse the game of a request; its last position is the one in question."""
    return parse_game(asked.board, asked.start or None, asked.moves)


def pending(game: Game, prediction: Prediction, status: ProofStatus | None, name: str, **more: str) -> Report:
    """Return the progress of a proof about a game's last position, and where and when to ask again.

    If all is proved, return an empty report.
    """
    if prediction.complete or status is None:
        return {}
    rules = game.last.rules
    told = {"moves": format_moves(game.moves, rules)} if rules.vanishes else {"from": format_position(game.last)}
    asked = {"board": str(rules)} | told | more
    return {
        "pending": {
            "state": str(status.state),
            "retry_after": ASK_AGAIN.get(status.state),
            "url": with_query(f"{PREFIX}/{name}", asked),
        }
    }


def _keeping(prediction: Prediction) -> Freshness:
    return Freshness.LASTING if prediction.complete else Freshness.CHECKED


@partial(
    Call,
    "predict",
    "Where every square leads",
    "Get the outcome of every open square, with best play.",
    read=game_of,
    shape="Prediction",
    tag="Positions",
    example={"from": "X.O/.X./..O"},
)
def predictions(game: Game) -> ApiAnswer:
    """Return the outcome of every open square."""
    prediction, proof = oracle.prove(game.last, Proving.IN_VIEW, pool())
    return ApiAnswer(predict_report(prediction) | pending(game, prediction, proof, "predict"), _keeping(prediction))


def _game_and_square(asked: Asked) -> tuple[Game, Cell | None]:
    game = game_of(asked)
    if not asked.square:
        return game, None
    cell = parse_cell(asked.square, game.last.rules)
    game.play(cell)
    return game, cell


@partial(
    Call,
    "explain",
    "Why a square wins, draws or loses",
    "Get checked sentences about every open square, or about one.",
    read=_game_and_square,
    shape="Explanation",
    tag="Positions",
    example={"from": "X.O/.X./..O", "square": "a2"},
)
def explanations(question: tuple[Game, Cell | None]) -> ApiAnswer:
    """Return the reasons of all open squares, or of a single square."""
    game, square = question
    position = game.last
    cells = position.legal_moves if square is None else (square,)
    prediction, proof = oracle.prove(position, Proving.IN_VIEW, pool())
    reasons = oracle.explain(prediction, cells, pool=pool())
    named = {} if square is None else {"square": format_cell(square, position.rules)}
    report = explain_report(prediction, reasons) | pending(game, prediction, proof, "explain", **named)
    return ApiAnswer(report, _keeping(prediction))


def _game_and_player(asked: Asked) -> tuple[Asked, Game, Strategy]:
    game = game_of(asked)
    return asked, game, strategy_named(asked.player, game.last.rules)


@partial(
    Call,
    "move",
    "What an opponent plays",
    "Get an opponent's reply, the reason, and the chance of each square it might have played.",
    read=_game_and_player,
    shape="Move",
    tag="Players",
    example={"from": "X.O/.X./..O", "player": "rulebook", "seed": "7"},
)
def moves(question: tuple[Asked, Game, Strategy]) -> ApiAnswer:
    """Return a player's move in the position, with its reason."""
    asked, game, player = question
    traced: dict[str, Any] = trace_report(player, game.last) if asked.trace else {}
    report = move_report(game, oracle.deciding(player, pool()), asked.seed or None, asked.game)
    return ApiAnswer(report | traced, Freshness.LASTING if asked.seed else Freshness.NEVER)


@partial(
    Call,
    "review",
    "Where a game turned",
    "Compare every move of a game with the best one, and find the mistakes.",
    read=game_of,
    shape="Review",
    tag="Games",
    example={"moves": "b2a2c1a3a1"},
    expensive=lambda game: not oracle.knows(game.last.rules),
)
def reviews(game: Game) -> ApiAnswer:
    """Compare every move of a game with the best one. On larger boards, use what the pool can prove in time."""
    found = review(game, predict_together(reversed(game.positions), REVIEW_SECONDS).__getitem__)
    return ApiAnswer(review_report(found), Freshness.LASTING if found.complete else Freshness.CHECKED)


@partial(
    Call,
    "drills",
    "Drills",
    "Get drills with their answers, from easy to hard or shuffled by a seed. A drill's page is /practise/ and its id.",
    read=lambda asked: (asked, having_drills(parse_rules(asked.board))),
    shape="Drills",
    tag="Drills",
    example={"kind": "only-move", "seed": "1", "count": "2"},
    expensive=lambda question: question[1] not in BOARDS,
)
def drilled(question: tuple[Asked, Rules]) -> ApiAnswer:
    """Return the drills of a board: all of them, or one kind."""
    asked, rules = question
    found = drills(rules, asked.kind, asked.seed or None, asked.most)
    return ApiAnswer(drills_report(rules, found), Freshness.LASTING)


@partial(
    Call,
    "boards",
    "Who wins on every board",
    "Get what we proved and what others published about every board up to 8x8, or about one.",
    read=lambda asked: board_or_game(asked.listed) if asked.listed else None,
    shape="Boards",
    tag="Boards",
    example={"board": "7x4x4"},
)
def boards(entry: Entry | ProvedGame | None) -> ApiAnswer:
    """Return the proved and published results for every board, or for one."""
    return ApiAnswer(atlas_report([entry] if entry else atlas().values()), Freshness.LASTING)


CALLS: Final[tuple[Call[Any], ...]] = (predictions, explanations, moves, reviews, drilled, boards)
"""Every call, in the order in which they are described."""


_KNOWN: Final = {each.name: each.schema["maxLength"] for each in predictions.parameters}
"""The most characters of each parameter that describes a position, by the name of the parameter."""


def read_batch(body: bytes) -> tuple[Query, ...]:
    """Parse the body of a batch into the parameters of each position. Raises Misfit."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise _misfit("The body isn't JSON.") from None
    if not isinstance(said, dict) or set(said) != {"positions"} or not isinstance(said["positions"], list):
        raise _misfit('Send one object: {"positions": [{"board": "3x3x3", "from": "X.O/.X./..O"}]}.')
    positions = said["positions"]
    if not 1 <= len(positions) <= MOST_IN_A_BATCH:
        raise _misfit(f"A batch has 1 to {MOST_IN_A_BATCH} positions, and this one has {len(positions)}.")
    for number, each in enumerate(positions, 1):
        if not _is_texts(each):
            raise _misfit(
                f"Position {number} must be an object of texts; it may have {', '.join(_KNOWN)}, and each may be"
                " left out."
            )
    return tuple(positions)


def answer_batch(asked: tuple[Query, ...]) -> Report:
    """Answer each position as a GET would, or with an error of its own."""
    games = [_game_of(texts) for texts in asked]
    found = oracle.predict_many((game.last for game in games if isinstance(game, Game)), pool())
    # A batch starts no proof in the background; a request for a single position does.
    status = ProofStatus(ProofState.OFF if pool() is None else ProofState.WAITING)

    def report(game: Game | NoughtsError) -> Report:
        if isinstance(game, NoughtsError):
            return error_report(game.code, str(game))
        prediction = found[game.last]
        return predict_report(prediction) | pending(game, prediction, status, predictions.name)

    return {"predictions": [report(game) for game in games]}


def _game_of(texts: Query) -> Game | NoughtsError:
    try:
        return predictions.asked_by(texts)
    except Misfit as misfit:
        return misfit.error
    except NoughtsError as error:
        return error


def _is_texts(said: Any) -> TypeGuard[Query]:
    return isinstance(said, dict) and all(
        name in _KNOWN
        and isinstance(text, str)
        and len(text) <= _KNOWN[name]
        and text.isascii()
        and (text.isprintable() or not text)
        for name, text in said.items()
    )


def _misfit(sentence: str) -> Misfit:
    return Misfit(BadOption(sentence))
