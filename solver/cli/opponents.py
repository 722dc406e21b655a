"""The commands about opponents: trials, the crosstable, chances, tie-breaks, and the shortest lists of rules."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from solver.board.game import Game
from solver.board.notation import format_cell, format_moves, format_percent, format_position, quoted
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.cli.command import (
    BOARD,
    UNFINISHED,
    Answer,
    answering,
    argument,
    budget_argument,
    on_boards,
    on_positions,
    parse_budget,
    rules_named,
    within,
    writable,
)
from solver.cli.output import Show, position_text, progress, table_text
from solver.errors import BadOption, TooLarge
from solver.players import OFFERED, Decision, Strategy, strategy_named
from solver.players.decision import deciding
from solver.players.lists import list_called, slug
from solver.report import outcome_report, start_report
from solver.search.tablebase import has_table

if TYPE_CHECKING:
    from solver.analysis.trial import Ply, Trial
    from solver.articles.crosstable import Crosstable
    from solver.articles.tiebreaking import MatchUp, Ties, Weighed

BEATEN: Final = 1
"""The exit code of `verify` for an opponent that can be beaten."""


@answering(
    "verify",
    "Tries an opponent against every line of play. Exits with 1 if it can be beaten, 3 if the budget runs out before.",
    "noughts verify short-rulebook",
    argument("strategy", metavar="PLAYER", help=f"one of {OFFERED}"),
    argument("--side", choices=("X", "O", "both"), default="both", help="the mark that it plays (%(default)s)"),
    *BOARD,
    budget_argument("60s,100000n"),
)
def verify_command(options: Namespace) -> Iterator[Answer]:
    """Yield an answer for each side, and stop where the budget runs out."""
    from solver.analysis.trial import trial

    rules, budget = rules_named(options), parse_budget(options.budget)
    strategy = strategy_named(options.strategy, rules)
    idea = [strategy.idea] if list_called(strategy.name) else []
    for mark in Mark if options.side == "both" else (Mark(options.side),):
        try:
            with progress("positions decided") as show:
                tried = replace(trial(_with_progress(strategy, show), mark, rules, budget), strategy=strategy)
        except TooLarge as error:
            print(f"noughts: {error} A larger --budget goes farther.", file=sys.stderr)
            yield Answer({}, (), UNFINISHED)
            return
        yield Answer(_trial_report(tried), [*idea, *_trial_text(tried)], 0 if tried.unbeatable else BEATEN)
        idea = []


def _with_progress(strategy: Strategy, show: Show) -> Strategy:
    """Return the strategy with a progress display that counts the positions it has decided."""
    decided = 0

    def decide(position: Position) -> Decision:
        nonlocal decided
        decided += 1
        show(decided, None)
        return strategy.decide(position)

    return replace(strategy, decide=decide)


def _trial_report(tried: "Trial") -> dict[str, Any]:
    """Return a trial as plain data. `positions` counts those in which the strategy had to decide."""
    refutation = tried.refutation
    return start_report(Position(tried.rules)) | {
        "strategy": tried.strategy.name,
        "rules": _slugs(tried.strategy),
        "side": str(tried.mark),
        "unbeatable": tried.unbeatable,
        **tried.counts._asdict(),
        "positions": tried.positions,
        "refutation": refutation
        and {
            "moves": format_moves(tuple(ply.cell for ply in refutation.plies), tried.rules),
            "plies": [_ply_report(ply) for ply in refutation.plies],
            "erred": None if refutation.erred is None else _ply_report(refutation.plies[refutation.erred]),
            "rule": _erring_rule(tried),
        },
        "slips": tried.slips,
        "slip": tried.slip and _ply_report(tried.slip),
    }


def _slugs(strategy: Strategy) -> list[str] | None:
    """Return the slugs of a list's rules, without the closing `REST`; None for an opponent without a list."""
    if list_called(strategy.name) is None:
        return None
    return [slug(rule.name) for rule in strategy.follows[:-1]]


def _erring_rule(tried: "Trial") -> str | None:
    """Return the name of the rule behind the move that erred; None if no move did, or if it came from no rule."""
    refutation = tried.refutation
    if refutation is None or refutation.erred is None or not tried.strategy.follows:
        return None
    position = refutation.plies[refutation.erred].position
    return deciding(tried.strategy.follows, position)[0].title(position)


def _ply_report(ply: "Ply") -> dict[str, str | None]:
    return {
        "position": format_position(ply.position),
        "mark": str(ply.position.mover),
        "square": format_cell(ply.cell, ply.position.rules),
        "reason": ply.reason or None,
    }


def _trial_text(tried: "Trial") -> Iterator[str]:
    counts, rules = tried.counts, tried.rules
    verdict = "unbeatable" if tried.unbeatable else "can be beaten"
    yield f"{tried.strategy.title} as {tried.mark} on {rules}: {verdict}."
    yield f"{counts.games:,} games: {counts.won:,} won, {counts.drawn:,} drawn, {counts.lost:,} lost."
    if tried.refutation:
        yield "A shortest game that it loses:"
        for number, ply in enumerate(tried.refutation.plies):
            erred = "  <- the move that loses" if number == tried.refutation.erred else ""
            yield f"  {ply.position.mover} {format_cell(ply.cell, rules)}  {ply.reason}".rstrip() + erred
        if tried.refutation.erred is None:
            yield f"No move of it erred: perfect play beats {tried.mark} from the start."
    if tried.slip is None:
        yield f"It lets no win slip, in any of {tried.positions:,} positions."
    else:
        slip = tried.slip
        yield (
            f"It may let a win slip, in {tried.slips:,} of {tried.positions:,} positions:"
            f" in {format_position(slip.position)} by {format_cell(slip.cell, rules)} ({slip.reason})."
        )


@on_boards(
    "crosstable",
    "Gives the exact chances of every opponent against every other.",
    "noughts crosstable 2x2x2",
    argument("--make", metavar="FILE", help="print none, but measure all on 3x3x3 and write their strengths to a file"),
)
def crosstable_command(rules: Rules, options: Namespace) -> Answer:
    """Return the chances of each pair, and the opponents by their strength."""
    from solver.articles.crosstable import crosstable

    if options.make is not None:
        if rules != TIC_TAC_TOE:
            raise BadOption("Strengths are measured on 3x3x3 only: leave --board out.")
        path = writable(options.make)
        path.write_text(crosstable(rules).strengths_module(), encoding="utf-8")
        return Answer({"file": str(path)}, [f"{path}: the strengths of all opponents."])
    table = crosstable(rules)
    pairs = [
        {
            "x": x,
            "o": o,
            "x_wins": str(chances[Result.X]),
            "o_wins": str(chances[Result.O]),
            "draw": str(chances[Result.DRAW]),
        }
        | _points(table, (x, o))
        for (x, o), chances in table.chances.items()
    ]
    strengths = {player.name: table.strength(player.name) for player in table.players}
    strongest_first = sorted(strengths.items(), key=lambda item: -item[1])
    rows = [
        ("opponent", "expected score", "exactly (a win counts 1, a draw 1/2; against a fixed panel, from both sides)"),
        *((name, f"{float(strength):.2%}", str(strength)) for name, strength in strongest_first),
    ]
    report = {"pairs": pairs, "strengths": {name: str(strength) for name, strength in strengths.items()}}
    return Answer(report, table_text(rows, words=(0, 2)))


def _points(table: "Crosstable", pair: tuple[str, str]) -> dict[str, str]:
    """Return a pair's expected points in the game with paid patterns; empty on boards other than 3x3x3."""
    if table.rules != TIC_TAC_TOE:
        return {}
    x, o = table.points[pair]
    return {"x_points": str(x), "o_points": str(o)}


@on_positions(
    "chances",
    "Gives the exact chance of winning that each square leaves against an opponent whose decisions are known.",
    "noughts chances X../.O./... --against medium",
    argument("--against", default="hard", metavar="PLAYER", help=f"who plays the other mark: {OFFERED} (%(default)s)"),
)
def chances_command(game: Game, options: Namespace) -> Answer:
    """Return the squares with their chances; on larger boards only for late positions."""
    from solver.analysis.chances import chances

    position = game.last
    opponent = strategy_named(options.against, position.rules)
    found = {format_cell(cell, position.rules): chance for cell, chance in chances(position, opponent).items()}
    report = {"against": opponent.name, "chances": {name: str(chance) for name, chance in found.items()}}
    lines = position_text(position)
    if found:
        lines.append(f"How likely {position.mover} is to win against {opponent.title} by best play:")
        rows = ((name, str(chance), format_percent(chance)) for name, chance in found.items())
        lines += table_text([("square", "chance", "about"), *rows], words=(0,))
    return Answer(report, lines)


@on_positions(
    "tiebreaks",
    "Weighs every square by the two tie-breaks of the Erlang article, and says what they add to perfect play.",
    "noughts tiebreaks X../.O./..X",
)
def tiebreaks_command(game: Game, _: Namespace) -> Answer:
    """Weigh the squares. On boards with a table of all positions, also count all ties and compare the tie-breaks."""
    from solver.articles.tiebreaking import match_ups, ties, weighed
    from solver.proofs.predict import predict

    position = game.last
    rules, squares = position.rules, weighed(predict(position))
    report: dict[str, Any] = {"squares": {format_cell(each.cell, rules): _weighed_report(each) for each in squares}}
    lines = position_text(position)
    if squares:
        lines += table_text([_WEIGHED, *(_weighed_row(each, position) for each in squares)], words=(0, 1, 7))
    if not has_table(rules):
        return Answer(report | {"ties": None, "matches": None}, lines)
    counted, matches = ties(rules), match_ups(rules)
    return Answer(report | _ties_report(counted, matches), [*lines, *_ties_text(rules, counted, matches)])


def _ties_report(counted: "Ties", matches: "Sequence[MatchUp]") -> dict[str, Any]:
    """Return all ties of a board, and the games between the tie-breaks and the opponents, as plain data."""
    return {
        "ties": {"unfinished": counted.unfinished, "tied": counted.tied, "narrowed": dict(counted.narrowed)},
        "matches": [
            {
                "opponent": match.opponent,
                "side": str(match.mark),
                "wins": {name: str(chance) for name, chance in match.wins.items()},
                "draws": {name: str(chance) for name, chance in match.draws.items()},
            }
            for match in matches
        ],
    }


def _ties_text(rules: Rules, counted: "Ties", matches: "Sequence[MatchUp]") -> Iterator[str]:
    narrowed = " and ".join(f"{name} in {number:,}" for name, number in counted.narrowed.items())
    yield ""
    yield f"On {rules} {counted.tied:,} of {counted.unfinished:,} positions have several best squares."
    yield f"They are narrowed down by {narrowed}."
    yield ""
    rows = ((match.mark, match.opponent, *map(format_percent, match.wins.values())) for match in matches)
    yield from table_text([("wins as", "against", *matches[0].wins), *rows], words=(0, 1))


_WEIGHED = ("square", "outcome", "opportunities", "won paths", "drawn", "lost", "paths", "taken by")


def _weighed_report(square: "Weighed") -> dict[str, Any]:
    """Return a square with both weights, which are null on boards without a table of all positions."""
    offered, counted = square.opportunities, square.paths
    return outcome_report(square.outcome) | {
        "opportunities": offered and {"winning": offered.winning, "losing": offered.losing, "value": offered.value},
        "paths": counted
        and {"won": counted.won, "drawn": counted.drawn, "lost": counted.lost, "value": str(counted.value)},
        "players": list(square.players),
    }


def _weighed_row(square: "Weighed", position: Position) -> tuple[str, ...]:
    offered, counted = square.opportunities, square.paths
    return (
        format_cell(square.cell, position.rules),
        square.outcome.words(position.mover),
        f"{offered.value:+d}" if offered else "-",
        *((f"{counted.won:,}", f"{counted.drawn:,}", f"{counted.lost:,}") if counted else ("-", "-", "-")),
        f"{float(counted.value):+.3f}" if counted else "-",
        ", ".join(square.players) or "-",
    )


@answering(
    "rulebooks",
    "Finds the shortest lists of rules of thumb that reach an aim on 3x3x3, by examining all.",
    "noughts rulebooks --aim unbeatable --sight 3",
    argument(
        "--aim",
        default="unbeatable",
        help="what is asked of a list: unbeatable, keeps-wins, keeps-every-win, sound or perfect (%(default)s)",
    ),
    argument("--sight", type=int, default=4, metavar="PLIES", help="how far its rules may look, 0 to 4 (%(default)s)"),
    argument("--most", type=int, default=6, metavar="N", help="how many rules it may have, 0 to 6 (%(default)s)"),
)
def rulebooks_command(options: Namespace) -> Answer:
    """Return the shortest lists, and the number of lists examined to find them."""
    from solver.articles.rulebooks import Aim, shortest

    aims = {aim.name.lower().replace("_", "-"): aim for aim in Aim}
    if options.aim not in aims:
        raise BadOption(f"There is no aim {quoted(options.aim)}. The aims are {', '.join(aims)}.")
    aim, sight = aims[options.aim], within(options.sight, 0, 4, "plies of sight")
    found = shortest(aim, sight, within(options.most, 0, 6, "rules in a list"))
    report = start_report(Position(TIC_TAC_TOE)) | {"aim": options.aim, "meaning": str(aim), "sight": sight}
    if found is None:
        report |= {"length": None, "lists": []}
        lines = [f"No list of up to {options.most} rules that look {sight} plies ahead {aim}."]
    else:
        report |= {"length": found.length, "lists": [list(names) for names in found.lists]}
        report |= {"shorter": found.shorter, "examined": found.examined}
        lines = [
            f"The shortest lists of rules that look up to {sight} plies ahead, each of which {aim}:",
            *(f"  {', '.join(names)}" for names in found.lists),
            f"None of the {found.shorter:,} shorter lists does; {found.examined:,} beginnings were examined.",
        ]
    return Answer(report, lines)
