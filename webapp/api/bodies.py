"""The calls of the API by a POST: a batch of positions, and the proof of a table of moves."""

import re
from functools import partial
from typing import Annotated, Any, Final, NamedTuple, TypeGuard

from msgspec import Struct

from solver import oracle
from solver.analysis.proving import MOST_ENTRIES, prove, table
from solver.board.game import Game
from solver.board.notation import parse_rules, quoted
from solver.board.position import Mark
from solver.board.rules import COLUMNS, DEFAULT_BOARD, MAX_SIDE, Rules
from solver.board.shelf import board_called
from solver.errors import NoughtsError
from solver.proofs.prediction import ProofState, ProofStatus
from solver.report import ProofReport, Report, about, error_report, plain, predict_report, prove_report
from webapp.api.call import MOST_BYTES, PREFIX, ApiAnswer, BodyCall, Call, Freshness, Misfit, Schema, named
from webapp.api.calls import BOARD, CALLS, POSITION, pending, predictions
from webapp.serving.pool.asking import do, pool
from webapp.ui.address import Query

MOST_IN_A_BATCH: Final = 100
"""The most positions of a batch."""

LONGEST_MOVE: Final = 40
"""The most characters of a move in a table. One that names no open square makes the player broken."""

_LONGEST: Final = {name: schema["maxLength"] for name, schema in predictions.parameters.items()}
"""The most characters of each text that names a position."""


def _schema_of_text(name: str, schema: Schema) -> Schema:
    """Return the schema of a text that names a position; one that is badly written gets an error of its own."""
    told = f"As the parameter {name}: {schema['description'][0].lower()}{schema['description'][1:]}"
    return {"type": "string", "description": told, "maxLength": schema["maxLength"], "pattern": "^[ -~]*$"}


class PredictionsReport(Struct, frozen=True):
    """The answers to a batch."""

    predictions: Annotated[
        Any,
        about(
            "The answers in the order of the positions: a prediction or an error each.",
            type="array",
            items={"anyOf": [named("Prediction"), named("Error")]},
        ),
    ]


def _read_batch(said: Any) -> tuple[Query, ...]:
    if not isinstance(said, dict) or set(said) != {"positions"} or not isinstance(said["positions"], list):
        raise Misfit('Send one object: {"positions": [{"board": "3x3x3", "from": "X.O/.X./..O"}]}.')
    positions = said["positions"]
    if not 1 <= len(positions) <= MOST_IN_A_BATCH:
        raise Misfit(f"A batch has 1 to {MOST_IN_A_BATCH} positions, and this one has {len(positions)}.")
    for number, position in enumerate(positions, 1):
        if not _is_texts(position):
            known = f"it may have {', '.join(_LONGEST)}, and each may be left out"
            raise Misfit(f"Position {number} must be an object of texts; {known}.")
    return tuple(positions)


def _is_texts(said: Any) -> TypeGuard[Query]:
    return isinstance(said, dict) and all(
        isinstance(text, str) and len(text) <= _LONGEST.get(name, -1) and re.fullmatch("[ -~]*", text)
        for name, text in said.items()
    )


@partial(
    BodyCall,
    "predictMany",
    "Many positions at once",
    f"Ask about up to {MOST_IN_A_BATCH} positions in one request. Each gets its own prediction or its own error. They"
    " share a few seconds of search, so a large batch may prove less of each.",
    path=predictions.path,
    read=_read_batch,
    body="Batch",
    schema={
        "type": "object",
        "required": ["positions"],
        "additionalProperties": False,
        "properties": {
            "positions": {
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        name: _schema_of_text(name, schema) for name, schema in predictions.parameters.items()
                    },
                },
                "description": "The positions, each named as in a GET.",
                "minItems": 1,
                "maxItems": MOST_IN_A_BATCH,
            }
        },
    },
    shape=PredictionsReport,
    told="The answers.",
    tag="Positions",
    example={"positions": [{"from": "X.O/.X./..O"}, {"board": "2x2x2"}, {"moves": "b2b2"}]},  # the last gets an error
    too_much=f"A batch is at most {MOST_IN_A_BATCH} positions in {MOST_BYTES:,} bytes; that was more.",
)
def batch(asked: tuple[Query, ...]) -> ApiAnswer:
    """Answer each position as a GET would, or with an error of its own."""
    games = [_game_or_error(texts) for texts in asked]
    known = oracle.predict_many((game.last for game in games if isinstance(game, Game)), pool())
    # A batch starts no proof in the background; a request for a single position does.
    status = ProofStatus(ProofState.OFF if pool() is None else ProofState.WAITING)

    def report(game: Game | NoughtsError) -> Report:
        if isinstance(game, NoughtsError):
            return error_report(game.code, str(game))
        prediction = known[game.last]
        return predict_report(prediction) | pending(game, prediction, status, "predict")

    return ApiAnswer(plain(PredictionsReport([report(game) for game in games])), Freshness.NEVER)


def _game_or_error(texts: Query) -> Game | NoughtsError:
    try:
        return predictions.question_by(texts)
    except NoughtsError as error:
        return error


class MoveTable(NamedTuple):
    """A table of moves for one side."""

    rules: Rules
    mark: Mark
    moves: tuple[tuple[str, str], ...]


_TABLE_POSITION: Final = rf"(?:{POSITION}|-|(?:[{COLUMNS}][1-{MAX_SIDE}](?:\.[1-{MAX_SIDE}])?){{1,16}})"
"""The pattern of a position in a table: its rows, or the moves that lead to it."""


def _read_table(said: Any) -> MoveTable:
    if not isinstance(said, dict) or not {"moves"} <= said.keys() <= {"board", "side", "moves"}:
        raise Misfit('Send one object: {"board": "3x3x3", "side": "O", "moves": {"X.O/.X./..O": "c2"}}.')
    board, side, moves = said.get("board", DEFAULT_BOARD), said.get("side", "O"), said["moves"]
    if not isinstance(board, str) or not (board_called(board) or re.fullmatch(BOARD, board)):
        raise Misfit(f"board must be columns x rows x how many in a row win, such as {DEFAULT_BOARD}.")
    if side not in ("X", "O"):
        raise Misfit("side must be X or O.")
    if not isinstance(moves, dict) or not len(moves) <= MOST_ENTRIES:
        raise Misfit(f"moves must be an object of up to {MOST_ENTRIES:,} positions, each with a square.")
    for text, move in moves.items():
        if not re.fullmatch(_TABLE_POSITION, text) or not isinstance(move, str) or len(move) > LONGEST_MOVE:
            raise Misfit(f'{quoted(text)} isn\'t a position with its move, such as "X.O/.X./..O": "c2".')
    rules = parse_rules(board)
    table(moves, rules)
    return MoveTable(rules, Mark(side), tuple(moves.items()))


@partial(
    BodyCall,
    "prove",
    "Is your bot unbeatable?",
    "Send its move in every position it can meet. You get a proof that nobody beats it, or the shortest game that"
    " does.",
    path=f"{PREFIX}/prove",
    read=_read_table,
    body="Table",
    schema={
        "type": "object",
        "required": ["moves"],
        "additionalProperties": False,
        "properties": {
            "board": {"type": "string", "description": "The board. Default: 3x3x3.", "pattern": f"^{BOARD}$"},
            "side": {"type": "string", "description": "The mark that the bot plays. Default: O.", "enum": ["X", "O"]},
            "moves": {
                "type": "object",
                "maxProperties": MOST_ENTRIES,
                "propertyNames": {"pattern": f"^{_TABLE_POSITION}$"},
                "additionalProperties": {"type": "string", "maxLength": LONGEST_MOVE},
                "description": "Its square in each position. No need for positions that it never meets.",
            },
        },
    },
    shape=ProofReport,
    told="The verdict.",
    tag="Players",
    example={"board": "2x2x2", "side": "X", "moves": {"../..": "a1", "../XO": "a2", "O./X.": "b1", ".O/X.": "a2"}},
    too_much=f"A table is at most {MOST_BYTES:,} bytes; that was more.",
    refused=(409,),
)
def verdicts(asked: MoveTable) -> ApiAnswer:
    """Return the verdict on a table of moves."""
    return ApiAnswer(do(prove_table, *asked, long=not asked.rules.is_small), Freshness.NEVER)


def prove_table(rules: Rules, mark: Mark, moves: tuple[tuple[str, str], ...]) -> tuple[Report, bool]:
    """Try a table of moves against every line of play: a task of the pool, whose result is new."""
    return prove_report(prove(table(dict(moves), rules), mark, rules)), False


OPERATIONS: Final[tuple[Call[Any, Any] | BodyCall[Any], ...]] = (predictions, batch, *CALLS[1:], verdicts)
"""All that can be asked, in the order in which it is described."""
