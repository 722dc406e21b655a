"""The calls of the API: those by a GET, and by a POST a batch of positions and the proof of a table of moves.

The command line prints the same objects as JSON.
"""

import re
from functools import partial
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from solver import oracle
from solver.analysis.drills import BOARDS, DrillKind, drills, having_drills
from solver.analysis.review import review
from solver.analysis.trial import MOST_ENTRIES, prove, table
from solver.board.game import Game, parse_game
from solver.board.notation import (
    COLUMNS,
    MAX_BOARD_LENGTH,
    PLAYABLE_PATTERN,
    format_cell,
    format_moves,
    format_position,
    is_board,
    parse_rules,
    quoted,
)
from solver.board.position import Mark
from solver.board.rules import DEFAULT_BOARD, MAX_SIDE, Cell, Rules
from solver.board.shelf import NAME_PATTERN, board_called
from solver.catalogue.entry import Entry, atlas
from solver.catalogue.games import ProvedGame, board_or_game
from solver.errors import BadOption, NoughtsError
from solver.oracle import Proving
from solver.players import STRATEGIES, Strategy, strategy_named
from solver.players.handbook import LIST_END, LIST_PREFIX, MOST_RULES, SLUGS
from solver.proofs.predict import predict_together
from solver.proofs.prediction import Prediction, ProofState, ProofStatus
from solver.report import (
    BoardsReport,
    DrillsReport,
    ExplanationReport,
    MoveReport,
    PendingReport,
    PredictionReport,
    ProofReport,
    Report,
    ReviewReport,
    about,
    atlas_report,
    drills_report,
    error_report,
    explain_report,
    move_report,
    plain,
    predict_report,
    prove_report,
    review_report,
    trace_report,
)
from webapp.api.call import (
    MOST_IN_A_BATCH,
    PREFIX,
    ApiAnswer,
    BodyCall,
    Call,
    Freshness,
    Misfit,
    called,
    named,
    parameter,
    text_like,
)
from webapp.serving.pool.asking import do, pool
from webapp.ui.address import Query, with_query

REVIEW_SECONDS: Final = 4.0
"""The most processor seconds for a review. All positions of the game share them."""

ASK_AGAIN: Final = {ProofState.PROVING: 2, ProofState.WAITING: 2, ProofState.BUSY: 5, ProofState.DONE: 1}
"""Seconds to wait before asking again, by the state of the proof."""

LONGEST_POSITION: Final = 127
"""The most characters of a position: 64 squares and 63 marks between them."""

MOST_DRILLS: Final = 2000
"""The most drills in one answer. No board has this many."""

BOARD: Final = f"(?:{PLAYABLE_PATTERN.replace('x', '[xX]')}|{NAME_PATTERN})"
POSITION: Final = f"[XOxo.#/|]{{1,{LONGEST_POSITION}}}"
"""The patterns of texts in requests."""

_RULE: Final = "|".join((*SLUGS, LIST_END))
_PLAYER: Final = rf"{'|'.join(STRATEGIES)}|{LIST_PREFIX}(?:(?:{_RULE})(?:,(?:{_RULE})){{0,{MOST_RULES}}})?"
_NAMED: Final = rf"[xXoO]?[{COLUMNS}{COLUMNS.upper()}][1-{MAX_SIDE}](?:\.[1-{MAX_SIDE}])?"
_SQUARE: Final = rf"{_NAMED}|[1-{MAX_SIDE}],[1-{MAX_SIDE}]|[1-9]"
_SEED: Final = text_like("[A-Za-z0-9._-]{1,32}", 32)
_BOARD: Final = text_like(BOARD, MAX_BOARD_LENGTH)


class PositionAsked(Struct, frozen=True):
    """A position, or a game that leads to it."""

    board: Annotated[str, parameter("board", **_BOARD)] = DEFAULT_BOARD
    start: Annotated[str, parameter("from", **text_like(f"{POSITION}|{BOARD}", LONGEST_POSITION))] = field(
        name="from", default=""
    )
    moves: Annotated[str, parameter("moves", **text_like(rf" *(?:(?:{_SQUARE}) *){{1,200}}", 400))] = ""

    def game(self) -> Game:
        """Parse the game; its last position is the one in question. Raises BadOption for two boards."""
        if not is_board(self.start):
            return parse_game(self.board, self.start or None, self.moves)
        rules = parse_rules(self.start)
        if self.board != DEFAULT_BOARD and parse_rules(self.board) != rules:
            raise BadOption(f"The position is on {rules}, and board={self.board}. Leave one of them out.")
        return parse_game(rules, None, self.moves)


def pending(game: Game, prediction: Prediction, status: ProofStatus | None, name: str, **more: str) -> Report:
    """Return the progress of a proof about a game's last position, and where and when to ask again.

    If all is proved, return an empty report.
    """
    if prediction.complete or status is None:
        return {}
    rules = game.last.rules
    told = {"moves": format_moves(game.moves, rules)} if rules.vanishes else {"from": format_position(game.last)}
    url = with_query(f"{PREFIX}/{name}", {"board": str(rules)} | told | more)
    return {"pending": plain(PendingReport(status.state, ASK_AGAIN.get(status.state), url))}


def _keeping(complete: bool) -> Freshness:
    return Freshness.LASTING if complete else Freshness.CHECKED


@called(Call, "predict", asked=PositionAsked, read=PositionAsked.game, shape=PredictionReport)
def predictions(game: Game) -> ApiAnswer:
    """Return the outcome of every open square."""
    prediction, proof = oracle.prove(game.last, Proving.IN_VIEW, pool())
    report = predict_report(prediction) | pending(game, prediction, proof, "predict")
    return ApiAnswer(report, _keeping(prediction.complete))


class SquareAsked(PositionAsked, frozen=True):
    """A square of a position."""

    square: Annotated[str, parameter("square", **text_like(_SQUARE, 5))] = ""

    def game_and_cell(self) -> tuple[Game, Cell | None]:
        """Parse the game, and the square if there is one."""
        game = self.game()
        if not self.square:
            return game, None
        cell = game.last.move_of(self.square)
        game.play(cell)
        return game, cell


@called(Call, "explain", asked=SquareAsked, read=SquareAsked.game_and_cell, shape=ExplanationReport)
def explanations(question: tuple[Game, Cell | None]) -> ApiAnswer:
    """Return the reasons of all open squares, or of a single square."""
    game, square = question
    position = game.last
    cells = position.legal_moves if square is None else (square,)
    prediction, proof = oracle.prove(position, Proving.IN_VIEW, pool())
    reasons = oracle.explain(prediction, cells, pool=pool())
    named = {} if square is None else {"square": format_cell(square, position.rules)}
    more = pending(game, prediction, proof, "explain", **named)
    return ApiAnswer(explain_report(prediction, reasons) | more, _keeping(prediction.complete))


class MoveAsked(PositionAsked, frozen=True, kw_only=True):
    """An opponent's move."""

    player: Annotated[str, parameter("player", **text_like(_PLAYER, 400))]
    seed: Annotated[str, parameter("seed", **_SEED)] = ""
    number: Annotated[int, parameter("game", minimum=0, maximum=9_999_999)] = field(name="game", default=0)
    trace: Annotated[str, parameter("trace", enum=["0", "1"])] = "0"

    def with_game_and_player(self) -> tuple["MoveAsked", Game, Strategy]:
        """Parse the game and the opponent."""
        game = self.game()
        return self, game, strategy_named(self.player, game.last.rules)


@called(Call, "move", asked=MoveAsked, read=MoveAsked.with_game_and_player, shape=MoveReport)
def moves(question: tuple[MoveAsked, Game, Strategy]) -> ApiAnswer:
    """Return a player's move in the position, with its reason."""
    asked, game, player = question
    trace: Report = trace_report(player, game.last) if asked.trace == "1" else {}
    seed = asked.seed or None
    decide = partial(oracle.decide, player, seed=seed, pool=pool())
    report = move_report(game, player, seed, asked.number, decide)
    return ApiAnswer(report | trace, Freshness.LASTING if asked.seed else Freshness.NEVER)


@called(
    Call,
    "review",
    asked=PositionAsked,
    read=PositionAsked.game,
    shape=ReviewReport,
    expensive=lambda game: not game.last.rules.is_small,
)
def reviews(game: Game) -> ApiAnswer:
    """Compare every move of a game with the best one. On larger boards, use what the pool can prove in time."""
    reviewed = review(game, predict_together(reversed(game.positions), REVIEW_SECONDS).__getitem__)
    return ApiAnswer(review_report(reviewed), _keeping(reviewed.complete))


class DrillsAsked(Struct, frozen=True):
    """Drills of a board."""

    board: Annotated[str, parameter("drills_board", **_BOARD)] = DEFAULT_BOARD
    kind: Annotated[str, parameter("kind", enum=[*DrillKind])] = ""
    seed: Annotated[str, parameter("drills_seed", **_SEED)] = ""
    count: Annotated[int, parameter("count", minimum=1, maximum=MOST_DRILLS)] = MOST_DRILLS

    def with_rules(self) -> tuple["DrillsAsked", Rules]:
        """Parse the board."""
        return self, having_drills(parse_rules(self.board))


@called(
    Call,
    "drills",
    asked=DrillsAsked,
    read=DrillsAsked.with_rules,
    shape=DrillsReport,
    expensive=lambda question: question[1] not in BOARDS,
)
def exercises(question: tuple[DrillsAsked, Rules]) -> ApiAnswer:
    """Return the drills of a board: all of them, or one kind."""
    asked, rules = question
    kind = DrillKind(asked.kind) if asked.kind else None
    return ApiAnswer(drills_report(rules, drills(rules, kind, asked.seed or None, asked.count)), Freshness.LASTING)


class BoardAsked(Struct, frozen=True):
    """A board, or all."""

    board: Annotated[str, parameter("boards_board", **_BOARD)] = ""

    def entry(self) -> Entry | ProvedGame | None:
        """Look the board up, if there is one."""
        return board_or_game(self.board) if self.board else None


@called(Call, "boards", asked=BoardAsked, read=BoardAsked.entry, shape=BoardsReport)
def boards(entry: Entry | ProvedGame | None) -> ApiAnswer:
    """Return the proved and published results for every board, or for one."""
    return ApiAnswer(atlas_report([entry] if entry else atlas().values()), Freshness.LASTING)


CALLS: Final[tuple[Call[Any, Any], ...]] = (predictions, explanations, moves, reviews, exercises, boards)
"""Every call by a GET, in the order in which they are described."""


LONGEST_MOVE: Final = 40
"""The most characters of a move in a table. One that names no open square makes the player broken."""

BatchText: TypeAlias = Annotated[str, Meta(pattern="^[ -~]*$", max_length=400)]


class BatchPosition(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position, named as in a GET. One that is badly written gets an error of its own."""

    board: BatchText = ""
    start: BatchText = field(name="from", default="")
    moves: BatchText = ""


class BatchAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Positions, each named as in a GET."""

    positions: Annotated[
        list[BatchPosition], Meta(description="The positions.", min_length=1, max_length=MOST_IN_A_BATCH)
    ]

    def texts(self) -> tuple[Query, ...]:
        """Return the texts of each position as the query of a GET."""
        return tuple(map(plain, self.positions))


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


@called(
    BodyCall, "predictMany", path=predictions.path, asked=BatchAsked, read=BatchAsked.texts, shape=PredictionsReport
)
def batch(asked: tuple[Query, ...]) -> ApiAnswer:
    """Answer each position as a GET would, or with an error of its own."""
    games = [_game_or_error(texts) for texts in asked]
    known = oracle.predict_together((game.last for game in games if isinstance(game, Game)), pool())
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
        game: Game = predictions.question_by(texts)
    except NoughtsError as error:
        return error
    return game


_TABLE_POSITION: Final = rf"(?:{POSITION}|-|(?:[{COLUMNS}][1-{MAX_SIDE}](?:\.[1-{MAX_SIDE}])?){{1,16}})"
"""The pattern of a position in a table: its rows, or the moves that lead to it."""


class TableAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of moves for one side."""

    moves: Annotated[
        dict[
            Annotated[str, Meta(extra_json_schema={"pattern": f"^{_TABLE_POSITION}$"})],
            Annotated[str, Meta(extra_json_schema={"maxLength": LONGEST_MOVE})],
        ],
        Meta(
            description="Its square in each position. No need for positions that it never meets.",
            max_length=MOST_ENTRIES,
        ),
    ]
    board: Annotated[str, about(f"The board. Default: {DEFAULT_BOARD}.", pattern=f"^{BOARD}$")] = DEFAULT_BOARD
    side: Annotated[Literal["X", "O"], Meta(description="The mark that the bot plays. Default: O.")] = "O"

    def table(self) -> tuple[Rules, Mark, tuple[tuple[str, str], ...]]:
        """Parse the board and the mark, and check the moves. Raises Misfit or NoughtsError."""
        if not (board_called(self.board) or re.fullmatch(BOARD, self.board)):
            raise Misfit(f"board must be columns x rows x how many in a row win, such as {DEFAULT_BOARD}.")
        for text, move in self.moves.items():
            if not re.fullmatch(_TABLE_POSITION, text) or len(move) > LONGEST_MOVE:
                raise Misfit(f'{quoted(text)} isn\'t a position with its move, such as "X.O/.X./..O": "c2".')
        rules = parse_rules(self.board)
        table(self.moves, rules)
        return rules, Mark(self.side), tuple(self.moves.items())


@called(
    BodyCall,
    "prove",
    path=f"{PREFIX}/prove",
    asked=TableAsked,
    read=TableAsked.table,
    shape=ProofReport,
    refused=(409,),
)
def verdicts(asked: tuple[Rules, Mark, tuple[tuple[str, str], ...]]) -> ApiAnswer:
    """Return the verdict on a table of moves."""
    return ApiAnswer(do(prove_table, *asked, long=not asked[0].is_small), Freshness.NEVER)


def prove_table(rules: Rules, mark: Mark, moves: tuple[tuple[str, str], ...]) -> tuple[Report, bool]:
    """Try a table of moves against every line of play: a task of the pool, whose result is new."""
    return prove_report(prove(table(dict(moves), rules), mark, rules)), False


OPERATIONS: Final[tuple[Call[Any, Any] | BodyCall[Any, Any], ...]] = (predictions, batch, *CALLS[1:], verdicts)
"""All that can be asked, in the order in which it is described."""
