"""The commands about opponents: trials, the crosstable, chances, tie-breaks, lists of rules, and learners."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from solver.board.game import Game
from solver.board.notation import format_cell, format_moves, format_percent, format_position, quoted, rounded_share
from solver.board.outcome import counted
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell, Rules
from solver.cli.command import (
    BOARD,
    JSON,
    UNFINISHED,
    Answer,
    Interruptible,
    answering,
    argument,
    budget_argument,
    command,
    on_boards,
    on_positions,
    parse_budget,
    rules_named,
    within,
    writable,
)
from solver.cli.output import Show, position_text, progress, table_text
from solver.errors import BadOption, TooLarge
from solver.players import OFFERED, Decision, Strategy, playing_on, strategy_named
from solver.players.decision import find_rule
from solver.players.lists import list_called, slug
from solver.report import outcome_report, start_report

if TYPE_CHECKING:
    from solver.analysis.trial import Ply, Trial
    from solver.articles.tiebreaking import MatchUp, Ties, Weighed
    from solver.players.learning.exam import Odds
    from solver.players.learning.learners import Learner, Memory, Row
    from solver.players.learning.training import TrainingGame

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
    """Yield an answer for each side, and stop when the budget runs out."""
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
    decided = count(1)

    def decide(position: Position) -> Decision:
        show(next(decided), None)
        return strategy.decide(position)

    return replace(strategy, decide=decide)


def _trial_report(tried: "Trial") -> dict[str, Any]:
    """Return a trial as plain data. `positions` counts those in which the strategy had to decide."""
    refutation, strategy = tried.refutation, tried.strategy
    return start_report(Position(tried.rules)) | {
        "strategy": strategy.name,
        "rules": [slug(rule.name) for rule in strategy.follows[:-1]] if list_called(strategy.name) else None,
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


def _erring_rule(tried: "Trial") -> str | None:
    """Return the name of the rule behind the erring move; None if no move erred or the player has no rules."""
    refutation = tried.refutation
    if refutation is None or refutation.erred is None or not tried.strategy.follows:
        return None
    position = refutation.plies[refutation.erred].position
    return find_rule(tried.strategy.follows, position)[0].title(position)


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
    yield f"{counted(counts.games, 'game', 'games')}: {counts.won:,} won, {counts.drawn:,} drawn, {counts.lost:,} lost."
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
    points = table.points if rules == TIC_TAC_TOE else {}  # the scheme for patterns is only for 3×3
    pairs = [
        {
            "x": x,
            "o": o,
            "x_wins": str(found[Result.X]),
            "o_wins": str(found[Result.O]),
            "draw": str(found[Result.DRAW]),
        }
        | dict(zip(("x_points", "o_points"), map(str, points.get((x, o), ())), strict=False))
        for (x, o), found in table.chances.items()
    ]
    strengths = {player.name: table.strength(player.name) for player in table.players}
    strongest_first = sorted(strengths.items(), key=lambda item: -item[1])
    rows = [
        ("opponent", "expected score", "exactly (a win counts 1, a draw 1/2; against a fixed panel, from both sides)"),
        *((name, f"{float(strength):.2%}", str(strength)) for name, strength in strongest_first),
    ]
    report = {"pairs": pairs, "strengths": {name: str(strength) for name, strength in strengths.items()}}
    return Answer(report, table_text(rows, words=(0, 2)))


@on_positions(
    "chances",
    "Gives the exact chance of winning that each square leaves against an opponent whose decisions are known.",
    "noughts chances X../.O./... --against medium",
    argument("--against", default="hard", metavar="PLAYER", help=f"who plays the other mark: {OFFERED} (%(default)s)"),
)
def chances_command(game: Game, options: Namespace) -> Answer:
    """Return the squares with their chances. On larger boards only late positions can be answered."""
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
    if not rules.is_small:
        return Answer(report | {"ties": None, "matches": None}, lines)
    ties_found, matches = ties(rules), match_ups(rules)
    return Answer(report | _ties_report(ties_found, matches), [*lines, *_ties_text(rules, ties_found, matches)])


def _ties_report(ties_found: "Ties", matches: "Sequence[MatchUp]") -> dict[str, Any]:
    """Return all ties of a board, and the games between the tie-breaks and the opponents, as plain data."""
    return {
        "ties": {"unfinished": ties_found.unfinished, "tied": ties_found.tied, "narrowed": dict(ties_found.narrowed)},
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


def _ties_text(rules: Rules, ties: "Ties", matches: "Sequence[MatchUp]") -> Iterator[str]:
    narrowed = " and ".join(f"{name} in {number:,}" for name, number in ties.narrowed.items())
    yield ""
    yield f"On {rules} {ties.tied:,} of {ties.unfinished:,} positions have several best squares."
    yield f"They are narrowed down by {narrowed}."
    yield ""
    rows = ((match.mark, match.opponent, *map(format_percent, match.wins.values())) for match in matches)
    yield from table_text([("wins as", "against", *matches[0].wins), *rows], words=(0, 1))


_WEIGHED = ("square", "outcome", "opportunities", "won paths", "drawn", "lost", "paths", "taken by")


def _weighed_report(square: "Weighed") -> dict[str, Any]:
    """Return a square with both weights, which are null on boards without a table of all positions."""
    offered, paths = square.opportunities, square.paths
    return outcome_report(square.outcome) | {
        "opportunities": offered and {"winning": offered.winning, "losing": offered.losing, "value": offered.value},
        "paths": paths and {"won": paths.won, "drawn": paths.drawn, "lost": paths.lost, "value": str(paths.value)},
        "players": list(square.players),
    }


def _weighed_row(square: "Weighed", position: Position) -> tuple[str, ...]:
    offered, paths = square.opportunities, square.paths
    return (
        format_cell(square.cell, position.rules),
        square.outcome.words(position.mover, position.rules),
        f"{offered.value:+d}" if offered else "-",
        *((f"{paths.won:,}", f"{paths.drawn:,}", f"{paths.lost:,}") if paths else ("-", "-", "-")),
        f"{float(paths.value):+.3f}" if paths else "-",
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
        most, ahead = counted(options.most, "rule", "rules"), counted(sight, "ply", "plies")
        lines = [f"No list of up to {most} that look {ahead} ahead {aim}."]
    else:
        report |= {"length": found.length, "lists": [list(names) for names in found.lists]}
        report |= {"shorter": found.shorter, "examined": found.examined}
        lines = [
            f"The shortest lists of rules that look up to {counted(sight, 'ply', 'plies')} ahead, each of which {aim}:",
            *(f"  {', '.join(names)}" for names in found.lists),
            f"None of the {found.shorter:,} shorter lists does; {found.examined:,} beginnings were examined.",
        ]
    return Answer(report, lines)


MAX_GAMES: Final = 100_000
"""The most games that a learner plays, which takes some minutes."""

ROWS, WIDTH = 20, 40
"""The approximate number of rows of the graph, and the number of letters in a row."""

LEAST: Final = 0.001
"""The least chance that is printed as a number."""


class _Trained(NamedTuple):
    """A learner after its games, the opponents of its exam, its chances after each game, and its resignations."""

    learner: "Learner"
    memory: "Memory"
    opponents: Mapping[str, Strategy]
    odds: "Sequence[Odds[float]]"
    resigned: int


@command(
    "menace",
    "Lets Michie's matchboxes, or Q-learning, learn by games against an opponent; with exact chances after each game.",
    "noughts menace --opponent hard --games 60 --seed 1",
    argument("--opponent", default="hard", metavar="PLAYER", help=f"who plays O: {OFFERED} (%(default)s)"),
    argument("--games", type=int, default=200, metavar="N", help="how many games (%(default)s)"),
    argument("--seed", default="1", help="fixes every random choice, the same on every machine (%(default)s)"),
    argument("--learner", default="menace", metavar="NAME", help="who learns, as X: menace or q (%(default)s)"),
    JSON,
)
def menace_command(options: Namespace) -> int:
    """Print a graph and an exam against all opponents; as JSON, an object for each game and one for the exam."""
    from solver.players.learning.exam import learning_curve
    from solver.players.learning.learners import learner_named

    learner, opponent = learner_named(options.learner), strategy_named(options.opponent, TIC_TAC_TOE)
    number = within(options.games, 0, MAX_GAMES, "games")
    asked = {"learner": learner.name, "opponent": opponent.name, "seed": options.seed}
    about = start_report(Position(TIC_TAC_TOE)) | asked
    odds, memory, resigned = list["Odds[float]"](), learner.start, 0
    with Interruptible() as work, progress("games played") as show:
        for done, learnt in enumerate(islice(learning_curve(learner, opponent, options.seed), number + 1)):
            game, memory, chances = learnt
            odds.append(chances)
            resigned += game is not None and game.resigned
            if options.json:
                report = about | {"games": done} | _game_report(game) | {"chances": chances._asdict()}
                Answer(report, ()).show(as_json=True)
            show(done, number)
    opponents = {each.name: each for each in (*playing_on(TIC_TAC_TOE), opponent)}
    trained = _Trained(learner, memory, opponents, odds, resigned)
    played = counted(len(odds) - 1, "game", "games")
    head = f"{learner.title} learns as X against {opponent.title}, seed {options.seed}: {played}."
    exam = about | _exam_report(trained) if options.json else {}
    return Answer(exam, chain([head], _exam_text(trained)), work.code).show(options.json)


def _exam_report(trained: _Trained) -> dict[str, Any]:
    """Return the result of learning as plain data: the exact chances against each opponent."""
    from solver.players.learning.exam import exam, holding_from

    learner, memory, opponents, odds, resigned = trained
    exact = {name: exam(learner, memory, each)._asdict() for name, each in opponents.items()}
    exams = {name: {part: str(chance) for part, chance in found.items()} for name, found in exact.items()}
    return {"games": len(odds) - 1, "resigned": resigned, "holds_from": holding_from(odds), "exam": exams}


def _exam_text(trained: _Trained) -> Iterator[str]:
    """Return the result of learning in lines, after a graph of the chances from game to game."""
    from solver.players.learning.exam import HOLDS, holding_from, quick_exam

    learner, memory, opponents, odds, resigned = trained
    holds = holding_from(odds)
    yield from _graph(odds)
    if resigned:
        yield f"It resigned {resigned} of them, since the box to open was empty."
    if holds is not None:
        yield f"After {counted(holds, 'game', 'games')}, and from then on, it loses less than {HOLDS:.0%} of its games."
    yield ""
    yield f"The exam after {counted(len(odds) - 1, 'game', 'games')}, against everybody:"
    rows = ((name, *map(_percent, quick_exam(learner, memory, each))) for name, each in opponents.items())
    yield from table_text([("opponent", "wins", "draws", "loses"), *rows], words=(0,))


def _game_report(game: "TrainingGame | None") -> dict[str, Any]:
    """Return a game as plain data; an empty object before the first game.

    A box names its squares as they lie on the box; `played` is the square of the game, which may be turned.
    """
    if game is None:
        return {}
    return {
        "moves": format_moves(game.moves, TIC_TAC_TOE),
        "result": str(game.result),
        "resigned": game.resigned,
        "boxes": [
            {
                "box": draw.box.number,
                "position": format_position(draw.box.position),
                "square": format_cell(draw.box.squares[draw.drawn], TIC_TAC_TOE),
                "played": format_cell(draw.cell, TIC_TAC_TOE),
                "before": _row_report(draw.box.squares, draw.before),
                "after": _row_report(draw.box.squares, draw.after),
            }
            for draw in game.draws
        ],
    }


def _row_report(cells: Sequence[Cell], row: "Row") -> dict[str, float]:
    return {format_cell(cell, TIC_TAC_TOE): number for cell, number in zip(cells, row, strict=True)}


def _graph(odds: "Sequence[Odds[float]]") -> Iterator[str]:
    """Return the chances after some of the games, with bars: W for wins, - for draws, L for losses."""
    step = max(1, (len(odds) - 1) // ROWS)
    shown = sorted({*range(0, len(odds), step), len(odds) - 1})
    rows = ((str(games), *map(_percent, odds[games]), _bar(odds[games])) for games in shown)
    yield from table_text([("games", "wins", "draws", "loses", "W wins, - draws, L loses"), *rows], words=(4,))


def _bar(odds: "Odds[float]") -> str:
    wins, holds = round(odds.win * WIDTH), round((odds.win + odds.draw) * WIDTH)
    return "W" * wins + "-" * (holds - wins) + "L" * (WIDTH - holds)


def _percent(chance: float) -> str:
    """Return a chance in percent. Only exact chances of 0 and 1 are shown as 0% and 100%."""
    share = rounded_share(chance)
    if 0 < share < LEAST:
        return f"<{LEAST:.1%}"
    return f">{1 - LEAST:.1%}" if 1 - LEAST < share < 1 else f"{float(share):.1%}"
