"""Why a square is what it is, as a page shows it: the reason, best play after it, and both drawn on the board."""

from dataclasses import dataclass
from typing import Any, Final

from solver.board.notation import format_cell
from solver.board.outcome import Outcome
from solver.board.position import Mark
from solver.board.rules import Cell, Rules
from solver.proofs.prediction import Prediction
from solver.reasons import Reason
from webapp.pages.play.link import Link
from webapp.pages.play.squares import Strike, strike
from webapp.ui.choices import Choice

POINTED_AT: Final = 3
"""Stones of a line that are drawn while one only points at its square: the rest would hide the board."""


@dataclass(frozen=True, slots=True)
class Ghost:
    """A stone of a line of best play, drawn faintly with its number: the middle of its square, squares one wide."""

    x: float
    y: float
    mark: str
    number: int


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line that a reason speaks of, and whose it is; or, of nobody's, a pair of squares."""

    strike: Strike
    mark: str


def why(
    link: Link, prediction: Prediction | None, moves: tuple[Cell, ...], reason: Reason | None
) -> dict[str, Any] | None:
    """The square whose line is shown: the reason for it, the line's first `step` moves, and the links to the others."""
    if link.line is None or not link.shows_outcomes or prediction is None:
        return None
    outcome, mover = prediction.squares[link.line], link.position.mover
    step = min(link.step if link.step is not None else len(moves), len(moves))
    stones = stones_of(moves[:step], mover)
    return {
        "name": format_cell(link.line, link.rules),
        "outcome": outcome,
        "words": _words(reason, outcome, mover),
        "now": shown_now(stones, moves, step, link.rules),
        "moves": [
            Choice(
                f"{(mover, mover.other)[ply % 2]} {format_cell(cell, link.rules)}",
                link.having(step=ply + 1).url(),
                ply + 1 == step,
                f"line-{ply + 1}",
            )
            for ply, cell in enumerate(moves)
        ],
        "whole": len(moves) == outcome.plies,
        "stones": stones,
        "ghosts": [_ghost(cell, *stone, link.rules) for cell, stone in list(stones.items())[:POINTED_AT]],
        "rules": link.rules,
        "strokes": strokes(reason, link.rules),
        "steps": [
            Choice("Back", link.having(step=step - 1).url() if step > 0 else None, id="line-back"),
            Choice("Forward", link.having(step=step + 1).url() if step < len(moves) else None, id="line-forward"),
            Choice("Close", link.having(line=None, step=None).url(), id="line-close"),
        ],
    }


def _words(reason: Reason | None, outcome: Outcome, mover: Mark) -> str:
    if reason is not None and reason.verified:
        return reason.text
    said = outcome.in_moves(mover)
    return f"{said[:1].upper()}{said[1:]}."  # as much as is proved, where no reason is


def stones_of(moves: tuple[Cell, ...], mover: Mark) -> dict[Cell, tuple[str, int]]:
    """Whose stones these moves put where, each with its number; the mover begins."""
    return {cell: (str((mover, mover.other)[ply % 2]), ply + 1) for ply, cell in enumerate(moves)}


def shown_now(stones: dict[Cell, tuple[str, int]], moves: tuple[Cell, ...], step: int, rules: Rules) -> str:
    """How much of a line is shown, in words for screen readers."""
    last = f", {stones[moves[step - 1]][0]} {format_cell(moves[step - 1], rules)}" if step else ""
    return f"Shown: {step} of {len(moves)}{last}." if moves else ""


def _ghost(cell: Cell, mark: str, number: int, rules: Rules) -> Ghost:
    column, row = rules.column_row(cell)
    return Ghost(column + 0.5, row + 0.5, mark, number)


def strokes(reason: Reason | None, rules: Rules) -> list[Stroke]:
    """The lines and pairs that a reason speaks of, to be drawn over the board."""
    if reason is None:
        return []
    lines = [Stroke(strike(line, rules), str(mark)) for mark, line in reason.lines]
    return lines + [Stroke(strike(1 << one | 1 << other, rules), "") for one, other in reason.pairs]
