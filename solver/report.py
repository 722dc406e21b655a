"""Reports: answers as plain data, which the JSON API and the option `--json` of the commands print.

Each object of an answer is described once, by a frozen struct: its fields are those of the JSON object, in this order,
and the API's document has their descriptions. A field that is UNSET is left out of the object.

>>> from solver import predict
>>> predict_report(predict("XX./OO./..."))["best"]
['c3']
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Self, TypeAlias

from solver.board.game import Game
from solver.board.notation import (
    COLUMNS,
    PLAYABLE_PATTERN,
    format_cell,
    format_columns,
    format_lines,
    format_moves,
    format_position,
)
from solver.board.outcome import DRAWN, Outcome, Value
from solver.board.position import Mark, Position, Result
from solver.board.rules import MAX_SIDE, Cell, Rules
from solver.errors import BadOption
from solver.proofs.prediction import Prediction, ProofState
from solver.structs import UNSET, Meta, Struct, UnsetType, field, to_builtins

if TYPE_CHECKING:
    from solver.analysis.drills import Drill
    from solver.analysis.review import Review, Turn
    from solver.analysis.trial import BotProof
    from solver.catalogue.entry import Entry
    from solver.catalogue.games import ProvedGame
    from solver.catalogue.shelf import ShelfGame
    from solver.players import Strategy
    from solver.players.decision import Decide
    from solver.proofs.predict import Solution
    from solver.reasons import Reason

Report: TypeAlias = dict[str, Any]
"""An answer as plain data."""

SQUARE_NAME: Final = rf"[XO]?[{COLUMNS}][1-{MAX_SIDE}](?:\.[1-{MAX_SIDE}])?"
"""The pattern of a square in an answer; in wild games a mark stands before it, and in space a layer after it."""


def about(sentence: str, **schema: Any) -> Meta:
    """Describe a field; `schema` is the rest of its JSON schema."""
    return Meta(description=sentence, extra_json_schema=schema)


def choice(values: Iterable[str | None] | str, sentence: str) -> Meta:
    """Describe a field whose value is one of these; a name such as `package.module:Enum` is only loaded for schemas."""
    return about(sentence, enum=values if isinstance(values, str) else [*values])


BoardText: TypeAlias = Annotated[
    str,
    Meta(
        title="Board",
        description="Columns x rows x how many in a row win, in space with the layers before the last number; then a"
        " surface; or a shape in place of the row; then holes or drawn lines by their cells. With gravity stones fall;"
        " with misere or notakto, completing a line loses; wild moves place either mark; vanishing stones leave again.",
        pattern=f"^{PLAYABLE_PATTERN}$",
    ),
]
PositionText: TypeAlias = Annotated[
    str,
    Meta(
        title="Position",
        description="The rows from the top, with / between them: X, O and . for an empty square; in space with |"
        " between the layers, from the bottom up. Who moves follows from the counts.",
        pattern="^[XO.#]{1,8}([/|][XO.#]{1,8}){0,63}$",
    ),
]
SquareText: TypeAlias = Annotated[
    str,
    Meta(
        title="Square",
        description="A column letter and a row number: a1 is at the bottom left. In wild games X or O stands before it,"
        " in space a dot and the layer after it.",
        pattern=f"^{SQUARE_NAME}$",
    ),
]
MarkText: TypeAlias = Annotated[
    str, Meta(title="Mark", description="A player; X moves first.", extra_json_schema={"enum": [*Mark]})
]
SquareTexts: TypeAlias = list[SquareText]
Count: TypeAlias = Annotated[int, Meta(ge=0)]
Positive: TypeAlias = Annotated[int, Meta(ge=1)]
ResultText: TypeAlias = Annotated[
    str | None, choice([*Result, None], "The winner, or draw; null while the game is on.")
]
OutcomeText: TypeAlias = Annotated[
    str, choice(Value, "The player to move wins, loses or draws with best play; unknown if that isn't proved.")
]
Plies: TypeAlias = Annotated[
    Count | None,
    about(
        "Moves of both sides to the end, this one included, if the winner hurries and the loser delays; null if that"
        " isn't proved, and for a draw that has no end."
    ),
]
BestSquares: TypeAlias = Annotated[
    SquareTexts, about("The squares proved best, which no other can beat; none if another could be better.")
]
IsComplete: TypeAlias = Annotated[
    bool, about("False if not every square is proved yet. Squares that `best` leaves out may then be as good.")
]


def plain(answer: object) -> Report:
    """Return a struct or a dataclass as plain data. A fraction becomes a text."""
    report: Report = to_builtins(answer, enc_hook=lambda part: dict(part) if isinstance(part, Mapping) else str(part))
    return report


def _names(cells: Iterable[Cell], rules: Rules) -> list[str]:
    return [format_cell(cell, rules) for cell in cells]


class ErrorDetail(Struct, frozen=True):
    """What is wrong, for a program and for people."""

    code: Annotated[str, Meta(description="The kind of error, for programs.", pattern="^[a-z_]+$")]
    message: Annotated[str, about("What is wrong and how to fix it, for people.")]
    retry_after: Annotated[Positive | UnsetType, about("The server is busy: try again after this many seconds.")] = (
        UNSET
    )
    request_id: Annotated[str | UnsetType, about("The request's id in the server's log.")] = UNSET


class ErrorReport(Struct, frozen=True):
    """The answer to a request that cannot be answered."""

    error: ErrorDetail


def error_report(code: str, message: str) -> Report:
    """Return the object of an error."""
    return plain(ErrorReport(ErrorDetail(code, message)))


class PositionReport(Struct, frozen=True, kw_only=True):
    """A position, and the lines of a win."""

    board: BoardText
    position: PositionText
    to_move: MarkText
    result: ResultText
    line: Annotated[SquareTexts | UnsetType, about("The first winning line; only in a won game.")] = UNSET
    lines: Annotated[list[SquareTexts] | UnsetType, about("All winning lines.")] = UNSET

    @classmethod
    def of(cls, position: Position, **more: Any) -> Self:
        """Describe a position; `more` has the fields that a subclass adds."""
        rules = position.rules
        if lines := format_lines(position.winning_lines, rules):
            more |= {"line": lines[0], "lines": lines}
        text = format_position(position)
        return cls(board=str(rules), position=text, to_move=position.mover, result=position.result, **more)


def position_report(position: Position) -> Report:
    """Return the board, position, player to move and result of a position, and the lines of a win."""
    return plain(PositionReport.of(position))


def start_report(start: Position) -> Report:
    """Return the first fields of a report on several positions: the board, and the position where games start."""
    return {"board": str(start.rules), "from": format_position(start)}


class ValueReport(Struct, frozen=True, kw_only=True):
    """An outcome, or what is proved of it."""

    outcome: OutcomeText
    plies: Plies
    plies_at_most: Annotated[
        Count | UnsetType, about("The most plies of a win or a loss, if its exact distance isn't proved.")
    ] = UNSET
    at_least: Annotated[str | UnsetType, about("Unknown, but no loss.", const="draw")] = UNSET
    at_most: Annotated[str | UnsetType, about("Unknown, but no win.", const="draw")] = UNSET

    @classmethod
    def of(cls, outcome: Outcome, **more: Any) -> Self:
        """Describe an outcome; `more` has the fields that a subclass adds."""
        if outcome.at_most is not None:
            more["plies_at_most"] = outcome.at_most
        if outcome.limits:
            more["at_least" if outcome.bounds.lower == DRAWN else "at_most"] = Value.DRAW
        return cls(outcome=outcome.value, plies=outcome.plies, **more)


def outcome_report(outcome: Outcome) -> Report:
    """Return a value and its plies. Unproved plies are null. A proved bound of the plies or the value then follows."""
    return plain(ValueReport.of(outcome))


class OutcomeReport(ValueReport, frozen=True, kw_only=True):
    """The outcome for the player who takes the square."""

    safe_plies: Annotated[
        Count | UnsetType,
        about(
            "Neither side can force a line within this many plies, that move included. More proving never makes them"
            " fewer."
        ),
    ] = UNSET

    @classmethod
    def of(cls, outcome: Outcome, **more: Any) -> Self:
        """Describe an outcome. An unknown one has `safe_plies`."""
        return super().of(outcome, safe_plies=UNSET if outcome.safe_plies is None else outcome.safe_plies, **more)


class PendingReport(Struct, frozen=True):
    """How to get a fuller answer; only if something isn't proved."""

    state: Annotated[
        str,
        choice(
            ProofState,
            "The proof of the rest: under way (proving), about to begin (waiting), put off by a busy server (busy), out"
            " of time for this position (spent), or switched off (off).",
        ),
    ]
    retry_after: Annotated[
        Positive | None,
        about(
            "Seconds until you should ask again, which keeps the proof going. null if waiting doesn't help: `noughts"
            " solve` proves it however long it takes."
        ),
    ]
    url: Annotated[str, about("Where to ask again.", format="uri-reference")]


class PredictionReport(PositionReport, frozen=True, kw_only=True):
    """Where every open square leads."""

    squares: Annotated[dict[SquareText, OutcomeReport], about("Every open square; none of a finished game.")]
    best: BestSquares
    complete: IsComplete
    nodes: Annotated[Count, about("Positions searched for this; 0 if all were looked up.")]
    pending: PendingReport | UnsetType = UNSET


def predict_report(prediction: Prediction) -> Report:
    """Return the outcome of every open square, the best squares, and the nodes searched."""
    position, rules = prediction.position, prediction.position.rules
    squares = {format_cell(cell, rules): OutcomeReport.of(outcome) for cell, outcome in prediction.squares.items()}
    best, complete, nodes = _names(prediction.best, rules), prediction.complete, prediction.nodes
    return plain(PredictionReport.of(position, squares=squares, best=best, complete=complete, nodes=nodes))


def solve_report(solution: "Solution", seconds: float) -> Report:
    """Return the outcome of a position and of every open square, a line of best play, and the cost of the proofs.

    A finished game is lost for the player who would move, or drawn, in 0 plies. Its `line` is empty, and `lines` are
    the lines of a win.
    """
    report = predict_report(solution.prediction) | plain(OutcomeReport.of(solution.outcome))
    line = _names(solution.line, solution.prediction.position.rules)
    return report | {"line": line, "line_complete": solution.line_complete, "seconds": round(seconds, 3)}


class ReasonReport(ValueReport, frozen=True, kw_only=True):
    """Why a square has its outcome."""

    kind: Annotated[str, choice("solver.reasons:ReasonKind", "The kind of reason, in a word for programs.")]
    reason: Annotated[str, about("Why, in a sentence or two; empty if none passed the check.")]
    refutation: Annotated[SquareTexts, about("Best play after the square, as far as we found it quickly.")]
    line_complete: Annotated[bool, about("True if this line goes to the end of the game. False if it is cut short.")]
    verified: Annotated[bool, about("True if there is a reason. It passed the check.")]


class ExplanationReport(PositionReport, frozen=True, kw_only=True):
    """Why squares win, draw or lose."""

    squares: Annotated[dict[SquareText, ReasonReport], about("The squares you asked about.")]
    complete: IsComplete
    pending: PendingReport | UnsetType = UNSET


def explain_report(prediction: Prediction, reasons: "Mapping[Cell, Reason]") -> Report:
    """Return the outcome of each of these squares, its reason, and best play after it."""
    rules = prediction.position.rules
    squares = {
        format_cell(cell, rules): ReasonReport.of(
            reason.outcome,
            kind=reason.kind,
            reason=reason.sentence,
            refutation=_names(reason.refutation, rules),
            line_complete=reason.line_complete,
            verified=reason.verified,
        )
        for cell, reason in reasons.items()
    }
    return plain(ExplanationReport.of(prediction.position, squares=squares, complete=prediction.complete))


class TurnReport(Struct, frozen=True):
    """A move.

    The position's outcome before it and the played square's after it are both the mover's, in plies from before the
    move.
    """

    ply: Annotated[Positive, about("Which move of the game it is, from 1.")]
    mover: MarkText
    move: SquareText
    before: ValueReport
    after: ValueReport
    best: BestSquares
    complete: IsComplete
    mark: Annotated[
        str,
        choice(
            "solver.board.outcome:Grade",
            "How good the move is. slower still wins, but later than it could; sooner loses a lost game sooner than it"
            " had to; unknown if too little is proved.",
        ),
    ]


class ReviewReport(Struct, frozen=True, kw_only=True):
    """A game, each of its moves compared with the best one."""

    board: BoardText
    start: PositionText = field(name="from")
    result: ResultText
    complete: IsComplete
    columns: Annotated[str | UnsetType, about("Only where stones fall: the moves as columns, 1 at the left.")] = UNSET
    turning_points: Annotated[list[Positive], about("The plies of the mistakes: moves that gave a win or a draw away.")]
    between: Annotated[
        list[Positive] | UnsetType,
        about(
            "Only if a mistake is proved, but not which move it was: the plies of the first and the last of that side's"
            " moves of which one must be it. Of several such stretches, the last.",
            minItems=2,
            maxItems=2,
        ),
    ] = UNSET
    moves: Annotated[list[TurnReport], about("Every move.")]


def review_report(review: "Review") -> Report:
    """Return a game's start and result, the plies of its mistakes, and each move compared with the best one.

    Chances of winning against the opponent follow a move if they are known.
    """
    start, hidden = review.game.positions[0], review.hidden
    answer = ReviewReport(
        board=str(start.rules),
        start=format_position(start),
        result=review.game.last.result,
        complete=review.complete,
        columns=review.game.columns if start.rules.falls else UNSET,
        turning_points=[turn.ply for turn in review.mistakes],
        between=[hidden.first.ply, hidden.last.ply] if hidden else UNSET,
        moves=[_turn_report(turn) for turn in review.turns],
    )
    report = plain(answer)
    for move, turn in zip(report["moves"], review.turns, strict=True):
        if turn.chances:
            move |= {"chance_before": str(turn.chance_before), "chance_after": str(turn.chance_after)}
    return report


def _turn_report(turn: "Turn") -> TurnReport:
    rules, before, after = turn.position.rules, ValueReport.of(turn.before), ValueReport.of(turn.after)
    move, best, complete = format_cell(turn.cell, rules), _names(turn.best, rules), turn.prediction.complete
    return TurnReport(turn.ply, turn.mover, move, before, after, best, complete, turn.grade)


def replay_report(review: "Review") -> Report:
    """Return a game's start, and each move with its grade in words and the best squares."""
    report = review_report(review)
    moves = [
        {"player": move["mover"]}
        | {name: move[name] for name in ("move", "before", "after")}
        | {"grade": turn.grade.word, "best": move["best"], "complete": move["complete"]}
        for move, turn in zip(report["moves"], review.turns, strict=True)
    ]
    return {"from": report["from"], "complete": report["complete"], "moves": moves}


class DrillReport(Struct, frozen=True):
    """A position with a task."""

    id: Annotated[str, about("The board, the position and the kind: /practise/ and this is the drill's page.")]
    kind: Annotated[str, choice("solver.analysis.drills:DrillKind", "What to find.")]
    position: PositionText
    to_move: MarkText
    answers: Annotated[SquareTexts, about("The right squares.")]
    outcome: OutcomeText
    plies: Plies
    difficulty: Annotated[int, Meta(ge=1, le=100, description="From 1 (easy) to 100.")]


class DrillsReport(Struct, frozen=True):
    """Drills of a board."""

    board: BoardText
    start: PositionText = field(name="from")
    drills: Annotated[list[DrillReport], about("The drills you asked for.")]


def drills_report(rules: Rules, drills: "Sequence[Drill]") -> Report:
    """Return the drills of a board with their answers; `outcome` and `plies` are the position's, for its mover."""
    reports = [
        DrillReport(
            drill.id,
            drill.kind,
            format_position(drill.position),
            drill.position.mover,
            _names(drill.answers, rules),
            drill.outcome.value,
            drill.outcome.plies,
            drill.difficulty,
        )
        for drill in drills
    ]
    return plain(DrillsReport(str(rules), format_position(Position(rules)), reports))


class EntryReport(Struct, frozen=True):
    """Who wins on a board."""

    board: BoardText
    outcome: Annotated[
        str, choice(Value, "X starts, and wins, loses or draws with best play; unknown if that isn't proved here.")
    ]
    plies: Plies
    nodes: Annotated[Count | None, about("Positions searched for the proof; null if there is none.")]
    seconds: Annotated[Annotated[float, Meta(ge=0)] | None, about("Seconds it took; null if there is no proof.")]
    proof: Annotated[
        str | None,
        choice(
            "solver.catalogue.entry:ProvedBy",
            "A search, a pairing of squares, threats alone, the scores of all positions from the ends back, or that no"
            " line fits; null if there is no proof.",
        ),
    ]
    literature: "LiteratureReport | None"


class LiteratureReport(Struct, frozen=True):
    """A published outcome."""

    outcome: Annotated[str, choice(Value, "The published outcome.")]
    source: Annotated[str, about("Who published it, and where.")]


class BoardsReport(Struct, frozen=True):
    """Who wins on boards."""

    boards: Annotated[list[EntryReport], about("The board asked for; or all, none with more rows than columns.")]


def atlas_report(entries: "Iterable[Entry | ProvedGame]") -> Report:
    """Return the outcome of each board with its proof and cost, and the published outcome."""
    return plain(BoardsReport([_entry_report(entry) for entry in entries]))


def _entry_report(entry: "Entry | ProvedGame") -> EntryReport:
    said, outcome, proof = entry.published, entry.outcome, entry.proof
    nodes, seconds = (entry.nodes, round(entry.seconds, 3)) if proof else (None, None)
    literature = LiteratureReport(said.value, said.source) if said else None
    return EntryReport(str(entry), outcome.value, outcome.plies, nodes, seconds, proof, literature)


class GameReport(Struct, frozen=True):
    """A game that has a name."""

    name: str
    board: BoardText
    rule: Annotated[str, about("Its rule in one line.")]
    outcome: Annotated[str, choice(Value, "Whoever begins wins, loses or draws with best play, or unknown.")]
    plies: Plies
    levels: Annotated[list[str], about("The levels that play it, the weakest first.")]


class GamesReport(Struct, frozen=True):
    """The games that have names."""

    games: list[GameReport]


def games_report(games: "Iterable[ShelfGame]") -> Report:
    """Return the games with names: each one's board, rule, outcome for whoever begins, and levels."""
    return plain(
        GamesReport(
            [GameReport(*each.game[:3], each.outcome.value, each.outcome.plies, [*each.levels]) for each in games]
        )
    )


class BlameReport(Struct, frozen=True):
    """The move that lost that game; null if perfect play beats this side anyway."""

    position: PositionText
    move: SquareText
    better: Annotated[SquareTexts, about("The squares that would have held.")]


class ProblemReport(Struct, frozen=True):
    """A position without a legal answer."""

    position: PositionText
    answer: Annotated[str | None, about("Its answer; null if there's none.")]
    message: Annotated[str, about("What is wrong with it.")]


class ProofReport(Struct, frozen=True, kw_only=True):
    """The verdict on a player."""

    board: BoardText
    side: MarkText
    verdict: Annotated[
        str,
        choice(
            "solver.analysis.trial:BotVerdict",
            "Nobody beats it (unbeatable), a game does (beaten), there was too much to try (undecided), or a move is"
            " missing or illegal (broken).",
        ),
    ]
    games: Annotated[Count | None, about("All games it can play; null if they weren't counted.")]
    won: Annotated[Count | None, about("Games it wins.")]
    drawn: Annotated[Count | None, about("Games it draws.")]
    lost: Annotated[Count | None, about("Games it loses.")]
    game: Annotated[str | None, about("A shortest game that it loses, its moves one after the other.")]
    blame: BlameReport | None
    slips: Annotated[Count | None, about("Positions in which it gives a win away.")]
    asked: Annotated[Count, about("Positions it was asked.")]
    problem: ProblemReport | None


def prove_report(proof: "BotProof") -> Report:
    """Return the verdict on a player with its reasons; `samples` follows if the player was asked several times."""
    from solver.analysis.trial import asked_as  # noqa: PLC0415 - only this report needs it

    rules, counts, game, blame, problem = proof.rules, proof.counts, proof.game, proof.blame, proof.problem
    answer = ProofReport(
        board=str(rules),
        side=proof.mark,
        verdict=proof.verdict,
        games=counts and counts.games,
        won=counts and counts.won,
        drawn=counts and counts.drawn,
        lost=counts and counts.lost,
        game=format_moves(game.moves, rules) if game else None,
        blame=blame
        and BlameReport(asked_as(blame.position), format_cell(blame.cell, rules), _names(blame.better, rules)),
        slips=proof.slips,
        asked=proof.asked,
        problem=problem and ProblemReport(asked_as(problem.position), problem.answer, problem.message),
    )
    return plain(answer) | ({"samples": proof.samples} if proof.samples else {})


class RuleReport(Struct, frozen=True):
    """A rule of a player by rules, in a position."""

    rule: Annotated[str, about("What the rule says.")]
    asked: Annotated[bool, about("True if no earlier rule decided.")]
    decides: Annotated[bool, about("True if this rule decides.")]
    squares: Annotated[SquareTexts, about("The squares it names.")]
    lacking: Annotated[str | None, about("Why it names none; null if it names some.")]


class MoveReport(PositionReport, frozen=True, kw_only=True):
    """An opponent's move."""

    player: Annotated[str, about("The opponent's name, as you gave it.")]
    move: SquareText | None
    column: Annotated[Positive | UnsetType, about("Only where stones fall: the column of the move, 1 at the left.")] = (
        UNSET
    )
    reason: Annotated[str | None, about("Why, in words; null if the game is over.")]
    choices: Annotated[
        dict[SquareText, Annotated[str, Meta(description="A fraction.", pattern="^(1|[0-9]+/[0-9]+)$")]],
        about("Every square it might have played, with the exact probability."),
    ]
    trace: Annotated[list[RuleReport] | UnsetType, about("With trace=1: every rule in its order.")] = UNSET


def move_report(
    game: Game,
    player: "Strategy",
    seed: str | None,
    number: int,
    decide: "Decide | None" = None,
) -> Report:
    """Return a player's move in the last position of `game`: the square, the reason, and every possible choice.

    `number` is the number of earlier games in the series. It fixes the choice together with `seed`. If the player's
    decision is not made in place, `decide` makes it. In a finished game there is no move.
    """
    from solver.players.decision import choose, generator_for  # noqa: PLC0415 - only this report needs opponents

    position = game.last
    if position.result is not None:
        return plain(MoveReport.of(position, player=player.name, move=None, reason=None, choices={}))
    decision = (decide or player.decider(seed))(position)
    cell = choose(decision, generator_for(seed, number, len(game.moves)))
    played = {
        "move": format_cell(cell, position.rules),
        "column": int(format_columns((cell,), position.rules)) if position.rules.falls else UNSET,
        "choices": {format_cell(cell, position.rules): str(chance) for cell, chance in decision.choices.items()},
    }
    return plain(MoveReport.of(position, player=player.name, reason=decision.explanation, **played))


def trace_report(player: "Strategy", position: Position) -> Report:
    """Return every rule of a player in a position: its squares or why it has none, and which rule decides.

    The trace of a finished game is empty. Raises BadOption for a player that does not go by a list of rules.
    """
    from solver.players.decision import consult  # noqa: PLC0415 - only this report needs opponents

    if not player.follows:
        raise BadOption(f"{player.title} does not go by a list of rules, so there is nothing to trace.")
    consulted = consult(player.follows, position) if position.result is None else ()
    rules = [
        RuleReport(
            step.rule.title(position),
            step.asked,
            step.decides,
            _names(step.cells, position.rules),
            step.lacking or None,
        )
        for step in consulted
    ]
    return {"trace": [plain(rule) for rule in rules]}
