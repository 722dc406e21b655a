"""Reports: answers as plain data, which both the JSON API and the option `--json` of the commands print."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from solver.board.game import Game
from solver.board.notation import format_cell, format_lines, format_moves, format_position
from solver.board.outcome import DRAWN, Outcome, Value
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from solver.errors import BadOption
from solver.proofs.prediction import Prediction

if TYPE_CHECKING:
    from solver.analysis.drills import Drill
    from solver.analysis.proving import BotProof
    from solver.analysis.review import Review, Turn
    from solver.atlas.entry import Entry
    from solver.atlas.games import ProvedGame
    from solver.players import Strategy
    from solver.proofs.predict import Solution
    from solver.reasons import Reason


def error_report(code: str, message: str) -> dict[str, Any]:
    """Return the object of an error."""
    return {"error": {"code": code, "message": message}}


def installed_version() -> str:
    """Return the installed version, "" for a checkout that is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - only the version needs it

    try:
        return version("noughts")
    except PackageNotFoundError:
        return ""


def position_report(position: Position) -> dict[str, Any]:
    """Return the board, position, player to move and result of a position, and the lines of a win."""
    report: dict[str, Any] = {
        "board": str(position.rules),
        "position": format_position(position),
        "to_move": str(position.mover),
        "result": position.result and str(position.result),
    }
    if lines := format_lines(position.winning_lines, position.rules):
        report |= {"line": lines[0], "lines": lines}
    return report


def start_report(start: Position) -> dict[str, Any]:
    """Return the first fields of a report on several positions: the board, and the position where games start."""
    return {"board": str(start.rules), "from": format_position(start)}


def outcome_report(outcome: Outcome) -> dict[str, Any]:
    """Return a value and its plies. Unproved plies are null. A proved bound of the plies or the value then follows."""
    report: dict[str, Any] = {"outcome": str(outcome.value), "plies": outcome.plies}
    if outcome.at_most is not None:
        report["plies_at_most"] = outcome.at_most
    if outcome.limits:
        report["at_least" if outcome.bounds.lower == DRAWN else "at_most"] = str(Value.DRAW)
    return report


def proof_report(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome. An unknown one has `safe_plies`: the plies within which nobody can force a win."""
    safe = {} if outcome.safe_plies is None else {"safe_plies": outcome.safe_plies}
    return outcome_report(outcome) | safe


def predict_report(prediction: Prediction) -> dict[str, Any]:
    """Return the outcome of every open square, the best squares, and the nodes searched.

    `best` holds the squares proved best. Where `complete` is false, others may be as good.
    """
    rules = prediction.position.rules
    squares = {format_cell(cell, rules): proof_report(outcome) for cell, outcome in prediction.squares.items()}
    best = [format_cell(cell, rules) for cell in prediction.best]
    found = {"squares": squares, "best": best, "complete": prediction.complete, "nodes": prediction.nodes}
    return position_report(prediction.position) | found


def explain_report(prediction: Prediction, reasons: "Mapping[Cell, Reason]") -> dict[str, Any]:
    """Return the outcome of each of these squares, its reason ("" if none passed the check), and best play after it.

    `complete` tells if every square of the position is proved, and `line_complete` if best play is told to its end.
    """
    rules = prediction.position.rules
    squares = {
        format_cell(cell, rules): outcome_report(reason.outcome)
        | {
            "kind": str(reason.kind),
            "reason": reason.sentence,
            "refutation": [format_cell(each, rules) for each in reason.refutation],
            "line_complete": reason.line_complete,
            "verified": reason.verified,
        }
        for cell, reason in reasons.items()
    }
    return position_report(prediction.position) | {"squares": squares, "complete": prediction.complete}


def solve_report(found: "Solution", seconds: float) -> dict[str, Any]:
    """Return the outcome of a position and of every open square, a line of best play, and the cost of the proofs.

    A finished game is lost for the player who would move, or drawn, in 0 plies. Its `line` is empty, and `lines` are
    the lines of a win.
    """
    report = predict_report(found.prediction) | proof_report(found.outcome)
    line = [format_cell(cell, found.prediction.position.rules) for cell in found.line]
    return report | {"line": line, "line_complete": found.line_complete, "seconds": round(seconds, 3)}


def review_report(review: "Review") -> dict[str, Any]:
    """Return a game's start and result, the plies of its mistakes, and each move compared with the best one.

    Outcomes and chances are those of the move's player, and plies include that move. Chances of winning against the
    opponent are left out if they are unknown. `between` is only there if a mistake is hidden: its first and last ply.
    """
    result = review.game.last.result
    return start_report(review.game.positions[0]) | {
        "result": result and str(result),
        "complete": review.complete,
        "turning_points": [turn.ply for turn in review.mistakes],
        **({"between": [hidden.first.ply, hidden.last.ply]} if (hidden := review.hidden) else {}),
        "moves": [_turn_report(turn) for turn in review.turns],
    }


def replay_report(review: "Review") -> dict[str, Any]:
    """Return a game's start, and each move with its grade in words and the best squares."""
    moves = [
        {"player": str(turn.mover)} | _played_report(turn) | {"grade": turn.grade.word} | _best_report(turn)
        for turn in review.turns
    ]
    return {"from": format_position(review.game.positions[0]), "complete": review.complete, "moves": moves}


def _turn_report(turn: "Turn") -> dict[str, Any]:
    return {
        "ply": turn.ply,
        "mover": str(turn.mover),
        **_played_report(turn),
        **_best_report(turn),
        "mark": str(turn.grade),
        **({"chance_before": str(turn.chance_before), "chance_after": str(turn.chance_after)} if turn.chances else {}),
    }


def _played_report(turn: "Turn") -> dict[str, Any]:
    return {
        "move": format_cell(turn.cell, turn.position.rules),
        "before": outcome_report(turn.before),
        "after": outcome_report(turn.after),
    }


def _best_report(turn: "Turn") -> dict[str, Any]:
    best = [format_cell(cell, turn.position.rules) for cell in turn.best]
    return {"best": best, "complete": turn.prediction.complete}


def drills_report(rules: Rules, drills: "Sequence[Drill]") -> dict[str, Any]:
    """Return the drills of a board with their answers; `outcome` and `plies` are the position's, for its mover."""
    return start_report(Position(rules)) | {"drills": [_drill_report(drill) for drill in drills]}


def _drill_report(drill: "Drill") -> dict[str, Any]:
    position = drill.position
    return {
        "id": drill.id,
        "kind": str(drill.kind),
        "position": format_position(position),
        "to_move": str(position.mover),
        "answers": [format_cell(cell, position.rules) for cell in drill.answers],
        **outcome_report(drill.outcome),
        "difficulty": drill.difficulty,
    }


def atlas_report(entries: "Iterable[Entry | ProvedGame]") -> dict[str, Any]:
    """Return the outcome of each board with its proof and cost, and the published outcome.

    Without a proof, the outcome is `unknown`.
    """
    return {"boards": [_entry_report(entry) for entry in entries]}


def _entry_report(entry: "Entry | ProvedGame") -> dict[str, Any]:
    said = entry.published
    return {
        "board": str(entry),
        "outcome": str(entry.outcome.value),
        "plies": entry.outcome.plies,
        "nodes": entry.nodes if entry.proof else None,
        "seconds": round(entry.seconds, 3) if entry.proof else None,
        "proof": entry.proof and str(entry.proof),
        "literature": said and {"outcome": str(said.value), "source": said.source},
    }


def prove_report(proof: "BotProof") -> dict[str, Any]:
    """Return the verdict on a player with its reasons: the counts of games, a shortest lost game, or the problem.

    `games`, `won`, `drawn`, `lost` and `slips` are null if they were not counted. `samples` is only there if the player
    was asked several times.
    """
    from solver.analysis.proving import asked_as  # noqa: PLC0415 - only this report needs it

    rules, counts, game, blame, problem = proof.rules, proof.counts, proof.game, proof.blame, proof.problem
    return {
        "board": str(rules),
        "side": str(proof.mark),
        "verdict": str(proof.verdict),
        "games": counts and counts.games,
        **(counts._asdict() if counts else dict.fromkeys(("won", "drawn", "lost"))),
        "game": game and format_moves(game.moves, rules),
        "blame": blame
        and {
            "position": asked_as(blame.position),
            "move": format_cell(blame.cell, rules),
            "better": [format_cell(cell, rules) for cell in blame.better],
        },
        "slips": proof.slips,
        "asked": proof.asked,
        "problem": problem and problem._asdict() | {"position": asked_as(problem.position)},
        **({"samples": proof.samples} if proof.samples else {}),
    }


def move_report(game: Game, player: "Strategy", seed: str | None, number: int) -> dict[str, Any]:
    """Return a player's move in the last position of `game`: the square, the reason, and every possible choice.

    `number` is the number of earlier games in the series. It fixes the choice together with `seed`. In a finished game
    there is no move: `move` and `reason` are null.
    """
    from solver.players.match import choose, decide, seeded  # noqa: PLC0415 - only this report needs opponents

    position = game.last
    report = position_report(position) | {"player": player.name}
    if position.result is not None:
        return report | {"move": None, "reason": None, "choices": {}}
    decision = decide(player, position, seed)
    cell = choose(decision, seeded(seed, number, len(game.moves)))
    choices = {format_cell(each, position.rules): str(chance) for each, chance in decision.choices.items()}
    return report | {"move": format_cell(cell, position.rules), "reason": decision.explanation, "choices": choices}


def trace_report(player: "Strategy", position: Position) -> dict[str, Any]:
    """Return every rule of a player in a position: its squares or why it has none, and which rule decides.

    The trace of a finished game is empty. Raises BadOption for a player that does not go by a list of rules.
    """
    from solver.players.decision import consult  # noqa: PLC0415 - only this report needs opponents

    if not player.follows:
        raise BadOption(f"{player.title} does not go by a list of rules, so there is nothing to trace.")
    consulted = consult(player.follows, position) if position.result is None else ()
    return {
        "trace": [
            {
                "rule": each.rule.title(position),
                "asked": each.asked,
                "decides": each.decides,
                "squares": [format_cell(cell, position.rules) for cell in each.cells],
                "lacking": each.lacking or None,
            }
            for each in consulted
        ]
    }
