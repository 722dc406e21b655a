"""`noughts verify`: an opponent against every line of play: proved unbeatable, or refuted by a game."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from solver.board.notation import format_cell, format_moves, format_position, parse_rules
from solver.board.position import Mark
from solver.cli.options import add_board, add_budget, add_json, parse_budget
from solver.errors import TooLarge
from solver.strategies import STRATEGIES, strategy_named

if TYPE_CHECKING:
    from solver.theory.trial import Ply, Trial

SIDES = ("X", "O", "both")


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("verify", help="try an opponent against every line of play")
    command.add_argument("strategy", metavar="STRATEGY", help=f"one of {', '.join(STRATEGIES)}")
    command.add_argument("--side", choices=SIDES, default="both", help="the mark that it plays (%(default)s)")
    add_board(command)
    add_budget(command, "60s,100000n")
    add_json(command)
    command.set_defaults(run=_verify)


def _verify(options: argparse.Namespace) -> int:
    from solver.theory.trial import trial  # noqa: PLC0415 - the theory, for those who ask for it

    rules, budget = parse_rules(options.board), parse_budget(options.budget)
    strategy = strategy_named(options.strategy, rules)
    for mark in Mark if options.side == "both" else (Mark(options.side),):
        try:
            tried = trial(strategy, mark, rules, budget)
        except TooLarge as error:
            raise TooLarge(f"{error} A larger --budget goes farther.") from error
        print(json.dumps(_report(tried), ensure_ascii=False) if options.json else "\n".join(_text(tried)), flush=True)
    return 0


def _report(tried: "Trial") -> dict[str, Any]:
    """A trial as plain data. Games are whole games; `positions` are those in which the strategy had to decide."""
    refutation = tried.refutation
    return {
        "board": str(tried.rules),
        "strategy": tried.strategy.name,
        "side": str(tried.mark),
        "unbeatable": tried.unbeatable,
        **tried.counts.report(),
        "positions": tried.positions,
        "refutation": refutation
        and {
            "moves": format_moves(tuple(ply.cell for ply in refutation.plies), tried.rules),
            "plies": [_ply(ply) for ply in refutation.plies],
            "erred": None if refutation.erred is None else _ply(refutation.plies[refutation.erred]),
        },
        "slips": tried.slips,
        "slip": tried.slip and _ply(tried.slip),
    }


def _ply(ply: "Ply") -> dict[str, str | None]:
    return {
        "position": format_position(ply.position),
        "mark": str(ply.position.mover),
        "square": format_cell(ply.cell, ply.position.rules),
        "reason": ply.reason or None,
    }


def _text(tried: "Trial") -> list[str]:
    """A trial in words."""
    counts, rules = tried.counts, tried.rules
    verdict = "unbeatable" if tried.unbeatable else "can be beaten"
    lines = [
        f"{tried.strategy.title} as {tried.mark} on {rules}: {verdict}.",
        f"{counts.games:,} games: {counts.won:,} won, {counts.drawn:,} drawn, {counts.lost:,} lost.",
    ]
    if tried.refutation:
        lines.append("A shortest game that it loses:")
        for number, ply in enumerate(tried.refutation.plies):
            erred = "  <- the move that loses" if number == tried.refutation.erred else ""
            move = f"  {ply.position.mover} {format_cell(ply.cell, rules)}  {ply.reason}".rstrip()
            lines.append(move + erred)
        if tried.refutation.erred is None:
            lines.append(f"No move of it erred: perfect play beats {tried.mark} from the start.")
    if tried.slip:
        slip = tried.slip
        lines.append(
            f"It may let a win slip, in {tried.slips:,} of {tried.positions:,} positions:"
            f" in {format_position(slip.position)} by {format_cell(slip.cell, rules)} ({slip.reason})."
        )
    else:
        lines.append(f"It lets no win slip, in any of {tried.positions:,} positions.")
    return lines
