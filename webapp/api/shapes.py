"""The shapes of the API's requests and answers, as JSON schemas by name."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from solver.analysis.drills import DrillKind
from solver.atlas.entry import ProvedBy
from solver.board.notation import PLAYABLE_PATTERN
from solver.board.outcome import Grade, Value
from solver.reasons import ReasonKind
from webapp.api.call import SQUARE_NAME, Schema, parameters_of
from webapp.config import FrontLimits
from webapp.serving.pool.messages import ProofState

MOST_IN_A_BATCH: Final = 100
"""The most positions of a batch."""

MOST_BYTES: Final = FrontLimits().batch_bytes
"""The most bytes of a batch."""


def named(name: str) -> Schema:
    """Refer to the schema of a name."""
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


_RESULT: Final = _choice(("X", "O", "draw", None), "Who has won, or draw; null while the game is on.")
_OF_POSITION: Final[dict[str, Schema]] = {
    "board": named("Board"),
    "position": named("Position"),
    "to_move": named("Mark"),
    "result": _RESULT,
}
_OF_WIN: Final[dict[str, Schema]] = {
    "line": _squares("The first line that has won; only of a game that is won."),
    "lines": _list({"type": "array", "items": named("Square")}, "All lines that have won."),
}
_OUTCOME: Final[dict[str, Schema]] = {
    "outcome": _choice(Value, "What perfect play comes to for the player to move; unknown where it is not proved."),
    "plies": _nullable(
        _number(
            "Moves of either side until the game ends, this one included, if the winner hurries and the"
            " loser delays; null where that is not proved."
        )
    ),
}
_LIMITS: Final[dict[str, Schema]] = {
    "plies_at_most": _number("Of a win or a loss whose distance is not proved: no more plies than these."),
    "at_least": {"const": "draw", "description": "It is unknown, but no loss."},
    "at_most": {"const": "draw", "description": "It is unknown, but no win."},
}
_SAFE: Final[dict[str, Schema]] = {
    "safe_plies": _number(
        "Within so many plies, that move included, it is proved that neither side can force a line. More proving never"
        " makes them fewer."
    )
}
_PENDING: Final[dict[str, Schema]] = {"pending": named("Pending")}
_START: Final[dict[str, Schema]] = {
    "board": named("Board"),
    "from": named("Position"),
}

SHAPES: Final[Mapping[str, Schema]] = MappingProxyType(
    {
        "Board": _text("Columns x rows x how many in a row win.", pattern=f"^{PLAYABLE_PATTERN}$"),
        "Position": _text(
            "The rows from the top, with / between them: X, O and . for an empty square. Who moves follows from the"
            " counts.",
            pattern="^[XO.]{1,8}(/[XO.]{1,8}){0,7}$",
        ),
        "Square": _text("A column letter and a row number: a1 is at the bottom left.", pattern=f"^{SQUARE_NAME}$"),
        "Mark": _text("A player; X moves first.", enum=["X", "O"]),
        "Outcome": _object(_OUTCOME, _LIMITS | _SAFE, "What a square comes to for the player who takes it."),
        "Pending": _object(
            {
                "state": _choice(
                    ProofState,
                    "How the proof of the rest gets on: it is under way (proving) or about to begin"
                    " (waiting), the server has no time for it (busy) or has spent what it gives to a position (spent),"
                    " or it proves nothing in the background (off).",
                ),
                "retry_after": _nullable(
                    _number(
                        "After so many seconds more may be known. Asking again keeps the proof going; null"
                        " where waiting does not help: `noughts solve` proves it however long it takes.",
                        1,
                    )
                ),
                "url": _text("Where to ask again.", format="uri-reference"),
            },
            about="Only where not all is proved: how a fuller answer is had.",
        ),
        "Prediction": _object(
            _OF_POSITION
            | {
                "squares": _by_square(named("Outcome"), "Every open square; none of a finished game."),
                "best": _squares("The squares that no other can beat; none where that is not proved."),
                "nodes": _number("Positions that were searched for this; 0 where all was looked up."),
            },
            _OF_WIN | _PENDING,
        ),
        "Reason": _object(
            _OUTCOME
            | {
                "kind": _choice(ReasonKind, "What decides, in a word for programs."),
                "reason": _text("Why, in a sentence or two; empty where none was found that passed the check."),
                "refutation": _squares("Best play after the square, as far as it is soon found."),
                "verified": {"type": "boolean", "description": "Whether there is a reason, each word of it checked."},
            },
            _LIMITS,
        ),
        "Explanation": _object(
            _OF_POSITION | {"squares": _by_square(named("Reason"), "The squares that were asked about.")},
            _OF_WIN | _PENDING,
        ),
        "Rule": _object(
            {
                "rule": _text("What the rule says."),
                "asked": {"type": "boolean", "description": "Whether no rule before it has decided."},
                "decides": {"type": "boolean", "description": "Whether this one does."},
                "squares": _squares("The squares that it names."),
                "lacking": _nullable(_text("Why it names none; null if it names some.")),
            }
        ),
        "Move": _object(
            _OF_POSITION
            | {
                "player": _text("Whose move it is, by the name that the call takes."),
                "move": _or_nothing(named("Square")),
                "reason": _nullable(_text("Why, in words; null if the game is over.")),
                "choices": _by_square(
                    _text("A fraction.", pattern="^(1|[0-9]+/[0-9]+)$"),
                    "Every square that might have been played, with its exact probability.",
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
                "best": _squares("The squares that no other could beat; none where not proved."),
                "mark": _choice(
                    Grade,
                    "The move against the best one. slower keeps the win or the loss, but not the best"
                    " distance; unknown where too little is proved.",
                ),
            },
            about="A move. The position's outcome before it and the played square's after it are both the mover's, in"
            " plies from before the move.",
        ),
        "Review": _object(
            _START
            | {
                "result": _RESULT,
                "turning_points": _list(
                    {"type": "integer", "minimum": 1}, "The plies at which a win or a draw was given away."
                ),
                "moves": _list(named("Turn"), "Every move."),
            }
        ),
        "Drill": _object(
            {
                "id": _text("The board, the position and the kind: /practise/ and this is the drill's page."),
                "kind": _choice(DrillKind, "What is asked for."),
                "position": named("Position"),
                "to_move": named("Mark"),
                "answers": _squares("The right squares."),
                **_OUTCOME,
                "difficulty": _number("From 1, easy, to 100.", 1, maximum=100),
            }
        ),
        "Drills": _object(_START | {"drills": _list(named("Drill"), "Those that were asked for.")}),
        "Entry": _object(
            {
                "board": named("Board"),
                "outcome": _choice(
                    Value, "What perfect play comes to for X, who begins; unknown where it is not proved here."
                ),
                "plies": _OUTCOME["plies"],
                "nodes": _nullable(_number("Positions that the proof took. null where there is no proof.")),
                "seconds": _nullable(_number("Seconds that it took. null where there is no proof.", type="number")),
                "proof": _choice(
                    [*ProvedBy, None], "A search, a pairing of squares, or that no line fits; null where there is none."
                ),
                "literature": _or_nothing(
                    _object(
                        {
                            "outcome": _choice(Value, "What is published of it."),
                            "source": _text("Where."),
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
                        "code": _text("What kind of error it is, for programs.", pattern="^[a-z_]+$"),
                        "message": _text("What is wrong and how to mend it, for people."),
                    },
                    {
                        "retry_after": _number("Of a busy server: after so many seconds it is worth another try.", 1),
                        "request_id": _text("What the server's log calls the request."),
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
                                f"As the parameter {each.name}: {each.meaning}. Left out: {each.usual}.",
                                maxLength=each.schema["maxLength"],
                                pattern="^[ -~]*$",
                            )
                            for each in parameters_of("predict")
                        },
                    },
                    "The positions that are asked about, each as a GET names one.",
                    minItems=1,
                    maxItems=MOST_IN_A_BATCH,
                )
            },
        },
        "Predictions": _object(
            {
                "predictions": _list(
                    {"anyOf": [named("Prediction"), named("Error")]},
                    "For each position, in their order, what a GET answers: a prediction, or an error of its own.",
                )
            }
        ),
    }
)
