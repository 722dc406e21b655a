"""The shapes of the API's requests and answers, as JSON schemas by name."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from solver.analysis.drills import DrillKind
from solver.analysis.proving import MOST_ENTRIES, BotVerdict
from solver.atlas.entry import ProvedBy
from solver.board.notation import PLAYABLE_PATTERN
from solver.board.outcome import Grade, Value
from solver.proofs.prediction import ProofState
from solver.reasons import ReasonKind
from webapp.api.call import SQUARE_NAME, Schema, parameters_of
from webapp.api.table import BOARD_PATTERN, LONGEST_MOVE, POSITION_PATTERN
from webapp.config import FrontLimits

MOST_IN_A_BATCH: Final = 100
"""The most positions of a batch."""

MOST_BYTES: Final = FrontLimits().batch_bytes
"""The most bytes of a batch."""


def named(name: str) -> Schema:
    """Return a reference to the schema with this name."""
    return {"$ref": f"#/components/schemas/{name}"}


def _object(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None, about: str = "") -> Schema:
    described = {"description": about} if about else {}
    return described | {
        "type": "object",
        "required": [*required],
        "properties": {**required, **(optional or {})},
    }


def _text(about: str, **more: Any) -> Schema:
    return {"type": "string", "description": about, **more}


def _number(about: str, least: int = 0, **more: Any) -> Schema:
    return {"type": "integer", "minimum": least, "description": about, **more}


def _list(of: Schema, about: str, **more: Any) -> Schema:
    return {"type": "array", "items": of, "description": about, **more}


def _by_square(of: Schema, about: str) -> Schema:
    names = {"type": "string", "pattern": f"^{SQUARE_NAME}$"}
    return {"type": "object", "propertyNames": names, "additionalProperties": of, "description": about}


def _or_nothing(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _nullable(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]}


def _squares(about: str) -> Schema:
    return _list(named("Square"), about)


def _choice(values: Iterable[object], about: str) -> Schema:
    return {"enum": [*values], "description": about}


_RESULT: Final = _choice(("X", "O", "draw", None), "The winner, or draw; null while the game is on.")
_OF_POSITION: Final[dict[str, Schema]] = {
    "board": named("Board"),
    "position": named("Position"),
    "to_move": named("Mark"),
    "result": _RESULT,
}
_OF_WIN: Final[dict[str, Schema]] = {
    "line": _squares("The first winning line; only in a won game."),
    "lines": _list({"type": "array", "items": named("Square")}, "All winning lines."),
}
_OUTCOME: Final[dict[str, Schema]] = {
    "outcome": _choice(Value, "The player to move wins, loses or draws with best play; unknown if that isn't proved."),
    "plies": _nullable(
        _number(
            "Moves of both sides to the end, this one included, if the winner hurries and the loser"
            " delays; null if that isn't proved, and for a draw that has no end."
        )
    ),
}
_LIMITS: Final[dict[str, Schema]] = {
    "plies_at_most": _number("The most plies of a win or a loss, if its exact distance isn't proved."),
    "at_least": {"const": "draw", "description": "Unknown, but no loss."},
    "at_most": {"const": "draw", "description": "Unknown, but no win."},
}
_SAFE: Final[dict[str, Schema]] = {
    "safe_plies": _number(
        "Neither side can force a line within this many plies, that move included. More proving never makes them fewer."
    )
}
_BEST: Final = _squares("The squares proved best, which no other can beat; none if another could be better.")
_COMPLETE: Final[dict[str, Schema]] = {
    "complete": {
        "type": "boolean",
        "description": "False if not every square is proved yet. Squares that `best` leaves out may then be as good.",
    }
}
_PENDING: Final[dict[str, Schema]] = {"pending": named("Pending")}
_START: Final[dict[str, Schema]] = {
    "board": named("Board"),
    "from": named("Position"),
}

SHAPES: Final[Mapping[str, Schema]] = MappingProxyType(
    {
        "Board": _text(
            "Columns x rows x how many in a row win, in space with the layers before the last number; then a surface;"
            " or a shape in place of the row; then holes or drawn lines by their cells. With gravity stones fall; with"
            " misere or notakto, completing a line loses; wild moves place either mark; vanishing stones leave again.",
            pattern=f"^{PLAYABLE_PATTERN}$",
        ),
        "Position": _text(
            "The rows from the top, with / between them: X, O and . for an empty square; in space with | between the"
            " layers, from the bottom up. Who moves follows from the counts.",
            pattern="^[XO.#]{1,8}([/|][XO.#]{1,8}){0,63}$",
        ),
        "Square": _text(
            "A column letter and a row number: a1 is at the bottom left. In wild games X or O stands before it, in"
            " space a dot and the layer after it.",
            pattern=f"^{SQUARE_NAME}$",
        ),
        "Mark": _text("A player; X moves first.", enum=["X", "O"]),
        "Outcome": _object(_OUTCOME, _LIMITS | _SAFE, "The outcome for the player who takes the square."),
        "Pending": _object(
            {
                "state": _choice(
                    ProofState,
                    "The proof of the rest: under way (proving), about to begin (waiting), put off by a busy"
                    " server (busy), out of time for this position (spent), or switched off (off).",
                ),
                "retry_after": _nullable(
                    _number(
                        "Seconds until you should ask again, which keeps the proof going. null if waiting"
                        " doesn't help: `noughts solve` proves it however long it takes.",
                        1,
                    )
                ),
                "url": _text("Where to ask again.", format="uri-reference"),
            },
            about="How to get a fuller answer; only if something isn't proved.",
        ),
        "Prediction": _object(
            _OF_POSITION
            | {
                "squares": _by_square(named("Outcome"), "Every open square; none of a finished game."),
                "best": _BEST,
                **_COMPLETE,
                "nodes": _number("Positions searched for this; 0 if all were looked up."),
            },
            _OF_WIN | _PENDING,
        ),
        "Reason": _object(
            _OUTCOME
            | {
                "kind": _choice(ReasonKind, "The kind of reason, in a word for programs."),
                "reason": _text("Why, in a sentence or two; empty if none passed the check."),
                "refutation": _squares("Best play after the square, as far as we found it quickly."),
                "line_complete": {
                    "type": "boolean",
                    "description": "True if this line goes to the end of the game. False if it is cut short.",
                },
                "verified": {"type": "boolean", "description": "True if there is a reason. It passed the check."},
            },
            _LIMITS,
        ),
        "Explanation": _object(
            _OF_POSITION | {"squares": _by_square(named("Reason"), "The squares you asked about.")} | _COMPLETE,
            _OF_WIN | _PENDING,
        ),
        "Rule": _object(
            {
                "rule": _text("What the rule says."),
                "asked": {"type": "boolean", "description": "True if no earlier rule decided."},
                "decides": {"type": "boolean", "description": "True if this rule decides."},
                "squares": _squares("The squares it names."),
                "lacking": _nullable(_text("Why it names none; null if it names some.")),
            }
        ),
        "Move": _object(
            _OF_POSITION
            | {
                "player": _text("The opponent's name, as you gave it."),
                "move": _or_nothing(named("Square")),
                "reason": _nullable(_text("Why, in words; null if the game is over.")),
                "choices": _by_square(
                    _text("A fraction.", pattern="^(1|[0-9]+/[0-9]+)$"),
                    "Every square it might have played, with the exact probability.",
                ),
            },
            _OF_WIN | {"trace": _list(named("Rule"), "With trace=1: every rule in its order.")},
        ),
        "Value": _object(_OUTCOME, _LIMITS),
        "Turn": _object(
            {
                "ply": _number("Which move of the game it is, from 1.", 1),
                "mover": named("Mark"),
                "move": named("Square"),
                "before": named("Value"),
                "after": named("Value"),
                "best": _BEST,
                **_COMPLETE,
                "mark": _choice(
                    Grade,
                    "How good the move is. slower still wins, but later than it could; sooner loses a lost game sooner"
                    " than it had to; unknown if too little is proved.",
                ),
            },
            about="A move. The position's outcome before it and the played square's after it are both the mover's, in"
            " plies from before the move.",
        ),
        "Review": _object(
            _START
            | {
                "result": _RESULT,
                **_COMPLETE,
                "turning_points": _list(
                    {"type": "integer", "minimum": 1},
                    "The plies of the mistakes: moves that gave a win or a draw away.",
                ),
                "moves": _list(named("Turn"), "Every move."),
            },
            {
                "between": _list(
                    {"type": "integer", "minimum": 1},
                    "Only if a mistake is proved, but not which move it was: the plies of the first and the last of"
                    " that side's moves of which one must be it. Of several such stretches, the last.",
                    minItems=2,
                    maxItems=2,
                )
            },
        ),
        "Drill": _object(
            {
                "id": _text("The board, the position and the kind: /practise/ and this is the drill's page."),
                "kind": _choice(DrillKind, "What to find."),
                "position": named("Position"),
                "to_move": named("Mark"),
                "answers": _squares("The right squares."),
                **_OUTCOME,
                "difficulty": _number("From 1 (easy) to 100.", 1, maximum=100),
            }
        ),
        "Drills": _object(_START | {"drills": _list(named("Drill"), "The drills you asked for.")}),
        "Entry": _object(
            {
                "board": named("Board"),
                "outcome": _choice(
                    Value, "X starts, and wins, loses or draws with best play; unknown if that isn't proved here."
                ),
                "plies": _OUTCOME["plies"],
                "nodes": _nullable(_number("Positions searched for the proof; null if there is none.")),
                "seconds": _nullable(_number("Seconds it took; null if there is no proof.", type="number")),
                "proof": _choice(
                    [*ProvedBy, None],
                    "A search, a pairing of squares, threats alone, the scores of all positions from the ends back,"
                    " or that no line fits; null if there is no proof.",
                ),
                "literature": _or_nothing(
                    _object(
                        {
                            "outcome": _choice(Value, "The published outcome."),
                            "source": _text("Who published it, and where."),
                        }
                    )
                ),
            }
        ),
        "Boards": _object(
            {"boards": _list(named("Entry"), "The board asked for; or all, none with more rows than columns.")}
        ),
        "Error": _object(
            {
                "error": _object(
                    {
                        "code": _text("The kind of error, for programs.", pattern="^[a-z_]+$"),
                        "message": _text("What is wrong and how to fix it, for people."),
                    },
                    {
                        "retry_after": _number("The server is busy: try again after this many seconds.", 1),
                        "request_id": _text("The request's id in the server's log."),
                    },
                )
            }
        ),
        "Batch": {
            "type": "object",
            "required": ["positions"],
            "additionalProperties": False,
            "properties": {
                "positions": _list(
                    {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {
                            each.name: _text(
                                f"As the parameter {each.name}: {each.meaning}. Default: {each.usual}.",
                                maxLength=each.schema["maxLength"],
                                pattern="^[ -~]*$",
                            )
                            for each in parameters_of("predict")
                        },
                    },
                    "The positions, each named as in a GET.",
                    minItems=1,
                    maxItems=MOST_IN_A_BATCH,
                )
            },
        },
        "Predictions": _object(
            {
                "predictions": _list(
                    {"anyOf": [named("Prediction"), named("Error")]},
                    "The answers in the order of the positions: a prediction or an error each.",
                )
            }
        ),
        "Table": {
            "type": "object",
            "required": ["moves"],
            "additionalProperties": False,
            "properties": {
                "board": _text("The board. Default: 3x3x3.", pattern=f"^{BOARD_PATTERN}$"),
                "side": _text("The mark that the bot plays. Default: O.", enum=["X", "O"]),
                "moves": {
                    "type": "object",
                    "maxProperties": MOST_ENTRIES,
                    "propertyNames": {"pattern": f"^{POSITION_PATTERN}$"},
                    "additionalProperties": {"type": "string", "maxLength": LONGEST_MOVE},
                    "description": "Its square in each position. No need for positions that it never meets.",
                },
            },
        },
        "Proof": _object(
            {
                "board": named("Board"),
                "side": named("Mark"),
                "verdict": _choice(
                    BotVerdict,
                    "Nobody beats it (unbeatable), a game does (beaten), there was too much to try (undecided), or a"
                    " move is missing or illegal (broken).",
                ),
                "games": _nullable(_number("All games it can play; null if they weren't counted.")),
                "won": _nullable(_number("Games it wins.")),
                "drawn": _nullable(_number("Games it draws.")),
                "lost": _nullable(_number("Games it loses.")),
                "game": _nullable(_text("A shortest game that it loses, its moves one after the other.")),
                "blame": _or_nothing(
                    _object(
                        {
                            "position": named("Position"),
                            "move": named("Square"),
                            "better": _squares("The squares that would have held."),
                        },
                        about="The move that lost that game; null if perfect play beats this side anyway.",
                    )
                ),
                "slips": _nullable(_number("Positions in which it gives a win away.")),
                "asked": _number("Positions it was asked."),
                "problem": _or_nothing(
                    _object(
                        {
                            "position": named("Position"),
                            "answer": _nullable(_text("Its answer; null if there's none.")),
                            "message": _text("What is wrong with it."),
                        }
                    )
                ),
            }
        ),
    }
)
