"""`noughts draws`: the patterns of drawn boards, which of them X can force, and what points for them are worth."""

import argparse
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from solver.board.rules import TIC_TAC_TOE
from solver.cli.options import add_json


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("draws", help="drawn patterns of tic-tac-toe, and what points for them are worth")
    command.add_argument(
        "--x", metavar="PLAYER", help="who plays X, to have the points that two opponents expect (easy)"
    )
    command.add_argument("--o", metavar="PLAYER", help="who plays O there (easy)")
    add_json(command)
    command.set_defaults(run=_draws)


def _draws(options: argparse.Namespace) -> int:
    report = _report()
    if options.x is not None or options.o is not None:
        report["players"] = {"x": options.x or "easy", "o": options.o or "easy"}
        report["expected"] = _expected(**report["players"])
    print(json.dumps(report) if options.json else "\n".join(_text(report)))
    return 0


def _report() -> dict[str, Any]:
    """The patterns as plain data; points are pairs, X's first."""
    from solver.theory import scoring  # noqa: PLC0415 - the theory, for those who ask for it
    from solver.theory.drawn import Pattern, drawn_boards, pattern_of  # noqa: PLC0415 - likewise
    from solver.theory.openings import starts  # noqa: PLC0415 - likewise

    boards = [pattern_of(board) for board in drawn_boards(TIC_TAC_TOE)]
    scheme = {"X": scoring.PATTERNS.x_wins, "O": scoring.PATTERNS.o_wins}
    best = {name: scoring.best_play(position) for name, position in starts().items()}
    return {
        "boards": {str(pattern): boards.count(pattern) for pattern in Pattern},
        "forced": {
            name: {str(pattern): forced for pattern, forced in row.items()} for name, row in scoring.forceable().items()
        },
        "scheme": scheme | {str(pattern): scoring.PATTERNS.of_pattern(pattern) for pattern in Pattern},
        "best": {name: {"lead": found.lead, "points": list(found.points)} for name, found in best.items()},
        "fair": scoring.is_fair(),
        "fair_without": [str(pattern) for pattern in scoring.fair_without()],
    }


def _expected(x: str, o: str) -> dict[str, str]:
    from solver.strategies import strategy_named  # noqa: PLC0415 - the opponents, for those who ask for them
    from solver.theory.scoring import expected_points  # noqa: PLC0415 - likewise

    points = expected_points(strategy_named(x, TIC_TAC_TOE), strategy_named(o, TIC_TAC_TOE))
    return {"x": str(points[0]), "o": str(points[1])}


def _text(report: dict[str, Any]) -> Iterator[str]:
    yield "Drawn boards: " + ", ".join(f"{count} {pattern}" for pattern, count in report["boards"].items())
    yield "X can force:"
    for name, row in report["forced"].items():
        yield f"  {name:<8}" + (", ".join(pattern for pattern, forced in row.items() if forced) or "none")
    yield "Points (X-O): " + ", ".join(f"{end} {x}-{o}" for end, (x, o) in report["scheme"].items())
    yield "Best play gives:"
    for name, best in report["best"].items():
        yield f"  {name:<8}" + " or ".join(f"{x}-{o}" for x, o in best["points"])
    yield "Fair." if report["fair"] else "Not fair; fair without points for: " + ", ".join(report["fair_without"])
    if "expected" in report:
        expected = report["expected"]
        players = report["players"]
        yield f"{players['x']} as X expects {_both(expected['x'])} points, {players['o']} as O {_both(expected['o'])}"


def _both(points: str) -> str:
    """A fraction as it is, and rounded."""
    return f"{points} ({float(Fraction(points)):.2f})"
