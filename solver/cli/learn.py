"""The commands that teach: drills, openings, tie-breaks, lists of rules, learners, searches at work, and claims."""

import json
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from fractions import Fraction
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from solver import oracle
from solver.board.game import Game
from solver.board.notation import (
    few_cells,
    format_cell,
    format_moves,
    format_percent,
    format_position,
    is_board,
    quoted,
    rounded_share,
)
from solver.board.outcome import PROVED, counted
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell, Rules
from solver.cli.command import (
    BOARD_OPTION,
    JSON,
    Answer,
    Interruptible,
    answering,
    argument,
    command,
    on_boards,
    on_positions,
    rules_named,
    within,
    writable,
)
from solver.cli.output import position_text, progress, table_text
from solver.errors import BadOption
from solver.players import OFFERED, Strategy, playing_on, strategy_named
from solver.report import drills_report, outcome_report, plain, start_report

if TYPE_CHECKING:
    from solver.analysis.drills import Drill
    from solver.articles.graph import Fork
    from solver.articles.openings import Move
    from solver.articles.tiebreaking import MatchUp, Ties, Weighed
    from solver.articles.tracing import Trace, TreeNode
    from solver.board.outcome import Score
    from solver.players.learning.exam import Odds
    from solver.players.learning.learners import Learner, Memory, Row
    from solver.players.learning.training import TrainingGame


_WEIGHED = ("square", "outcome", "opportunities", "won paths", "drawn", "lost", "paths", "taken by")

MAX_GAMES: Final = 100_000
"""The most games that a learner plays, which takes some minutes."""

ROWS, WIDTH = 20, 40
"""The approximate number of rows of the graph, and the number of letters in a row."""

LEAST: Final = 0.001
"""The least chance that is printed as a number."""

WINNERS = {1: "X", 0: "draw", -1: "O"}


@answering(
    "drills",
    "Sets drills: positions with a task, such as the only move that holds, for either side.",
    "noughts drills --kind only-move --seed 1 --count 2 --answers",
    argument(
        "on",
        nargs="?",
        metavar="BOARD|ID",
        help="the board, as with --board, or one drill by its id, such as 3x3x3-X.O_.X._..O-block",
    ),
    BOARD_OPTION,
    argument("--kind", help="win-now, block, fork, stop-fork, only-move, win-in-n or evaluate (all)"),
    argument("--seed", help="shuffles them, the same way each time (from easy to hard)"),
    argument("--count", type=int, metavar="N", help="the most drills to set (all)"),
    argument("--answers", action="store_true", help="print the answers too; JSON has them always"),
    argument(
        "--make",
        metavar="FILE",
        help="set none, but search for positions of this board that make drills, and write them to a file",
    ),
)
def drills_command(options: Namespace) -> Answer:
    """Return the drills of a board, or the drill with an id; with `--make`, write the file of a board's positions."""
    if options.make is not None:
        return _make_drills(options)
    drills = _drills_named(options)
    rules = drills[0].position.rules if drills else rules_named(options)
    return Answer(drills_report(rules, drills), _drills_text(drills, options.answers))


def _drills_named(options: Namespace) -> "Sequence[Drill]":
    from solver.analysis.drills import drill_of, drills, kind_named

    if options.on is None or is_board(options.on):
        kind = None if options.kind is None else kind_named(options.kind)
        return drills(rules_named(options), kind, options.seed, options.count)
    if any(given is not None for given in (options.board, options.kind, options.seed, options.count)):
        raise BadOption("An id names one drill: leave --board, --kind, --seed and --count out.")
    return (drill_of(options.on),)


def _make_drills(options: Namespace) -> Answer:
    from solver.analysis.drills.drill import lines_of_file

    if options.on is options.board is None:
        raise BadOption("Name the board, for example 4x4x4.")
    rules, path = rules_named(options), writable(options.make)
    made = [*lines_of_file(rules)]
    path.write_text("".join(f"{line}\n" for line in made), encoding="ascii")
    number = sum(not line.startswith("#") for line in made)
    report = start_report(Position(rules)) | {"file": str(path), "positions": number}
    return Answer(report, [f"{path}: {counted(number, 'position', 'positions')} of {rules} to make drills of."])


def _drills_text(drills: "Iterable[Drill]", with_answers: bool) -> Iterator[str]:
    for number, drill in enumerate(drills):
        if number:
            yield ""
        yield f"{drill.id}  ({drill.difficulty} of 100)"
        yield from str(drill.position).split("\n")
        yield drill.task
        if with_answers:
            yield f"Answer: {_drill_answer(drill)}"


def _drill_answer(drill: "Drill") -> str:
    from solver.analysis.drills import DrillKind

    if drill.kind is DrillKind.EVALUATE:
        return f"{drill.outcome.words(drill.position.mover)}."
    return f"{few_cells(drill.answers, drill.position.rules)}."


@on_boards(
    "forks",
    "Lists every position with two threats at once, up to symmetry.",
    "noughts forks --forced",
    argument("--forced", action="store_true", help="only of play in which both win or block where they can"),
)
def forks_command(rules: Rules, options: Namespace) -> Answer:
    """Return the forks; `ply` is the number of stones, and `side` has made the threats."""
    from solver.articles.graph import forks, forks_by_ply, forks_in_words

    doubles = forks(rules, options.forced)
    lines = [f"{forks_in_words(doubles)} No order of moves, and no turned or mirrored board, counts twice."]
    for ply, group in forks_by_ply(doubles).items():
        lines.append(f"Ply {ply}: {len(group):,} of {group[0].owner}")
        lines += (f"  {format_position(fork.position)}  {' '.join(_threats(fork))}" for fork in group)
    forked = [
        {
            "ply": fork.ply,
            "side": str(fork.owner),
            "position": format_position(fork.position),
            "threats": _threats(fork),
        }
        for fork in doubles
    ]
    return Answer({"forced": options.forced, "forks": forked}, lines)


def _threats(fork: "Fork") -> list[str]:
    return [format_cell(cell, fork.position.rules) for cell in fork.threats]


@on_boards("openings", "Values the first two moves and lists every forced win after them.", "noughts openings")
def openings_command(rules: Rules, _: Namespace) -> Answer:
    """Return the openings; `moves` are the symmetric squares of a move, `ways` the distinct forced wins after it."""
    from solver.articles.openings import openings

    entries, lines = [], []
    for opening in openings(rules):
        replies = [_reply(reply) for reply in opening.replies]
        entries.append({"name": opening.name, **_move(opening.move), "replies": replies})
        distinct = counted(len(opening.replies), "distinct reply", "distinct replies")
        lines.append(f"{opening.name}: {len(opening.losing)} of {distinct} lose")
        for reply in replies:
            outcome = "draw" if reply["outcome"] == "draw" else f"{reply['outcome']} wins"
            ways = ", ".join(way["moves"] for way in reply["ways"])
            first = format_cell(opening.move.cell, rules)
            lines.append(f"  {first} {reply['move']}  {outcome}{': ' if ways else ''}{ways}")
    return Answer({"openings": entries}, lines)


def _move(move: "Move") -> dict[str, Any]:
    rules = move.position.rules
    return {
        "move": format_cell(move.cell, rules),
        "moves": [format_cell(cell, rules) for cell in move.cells],
        "position": format_position(move.position),
        "outcome": WINNERS[move.worth],
    }


def _reply(reply: "Move") -> dict[str, Any]:
    from solver.articles.openings import distinct_ways

    ways = distinct_ways(reply.position) if reply.worth == 1 else ()
    rules = reply.position.rules
    return _move(reply) | {
        "ways": [{"moves": format_moves(way.moves, rules), "fork": format_position(way.fork)} for way in ways]
    }


@answering(
    "draws",
    "Tells the drawn patterns of tic-tac-toe, which of them X can force, and what points for them are worth.",
    "noughts draws --x seven-rules --o seven-rules",
    argument("--x", metavar="PLAYER", help="who plays X, to have the points that two opponents expect (easy)"),
    argument("--o", metavar="PLAYER", help="who plays O there (easy)"),
)
def draws_command(options: Namespace) -> Answer:
    """Return the drawn patterns; points are pairs, X's first."""
    report = start_report(Position(TIC_TAC_TOE)) | _drawn()
    if options.x is not None or options.o is not None:
        report["players"] = {"x": options.x or "easy", "o": options.o or "easy"}
        report["expected"] = _expected_points(**report["players"])
    return Answer(report, _drawn_text(report))


def _drawn() -> dict[str, Any]:
    from solver.articles import patterns
    from solver.articles.openings import starts
    from solver.board.game import PATTERNS, Pattern, pattern_of

    boards = [pattern_of(board) for board in patterns.drawn_boards(TIC_TAC_TOE)]
    best = {name: patterns.best_play(position) for name, position in starts().items()}
    return {
        "boards": {str(pattern): boards.count(pattern) for pattern in Pattern},
        "forced": {
            name: {str(pattern): forced for pattern, forced in row.items()}
            for name, row in patterns.forceable().items()
        },
        "scheme": {str(end): points for end, points in PATTERNS.items()},
        "best": {name: {"lead": play.lead, "points": list(play.points)} for name, play in best.items()},
        "fair": patterns.is_fair(),
        "fair_without": [str(pattern) for pattern in patterns.fair_without()],
    }


def _expected_points(x: str, o: str) -> dict[str, str]:
    from solver.articles.patterns import expected_points
    from solver.players import strategy_named

    points = expected_points(strategy_named(x, TIC_TAC_TOE), strategy_named(o, TIC_TAC_TOE))
    return {"x": str(points[0]), "o": str(points[1])}


def _drawn_text(report: dict[str, Any]) -> Iterator[str]:
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
        expected, players = report["expected"], report["players"]
        yield f"{players['x']} as X expects {_both(expected['x'])} points, {players['o']} as O {_both(expected['o'])}"


def _both(points: str) -> str:
    """Return a fraction followed by its rounded decimal value."""
    return f"{points} ({float(Fraction(points)):.2f})"


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
    answer = shortest(aim, sight, within(options.most, 0, 6, "rules in a list"))
    report = start_report(Position(TIC_TAC_TOE)) | {"aim": options.aim, "meaning": str(aim), "sight": sight}
    if answer is None:
        report |= {"length": None, "lists": []}
        most, ahead = counted(options.most, "rule", "rules"), counted(sight, "ply", "plies")
        lines = [f"No list of up to {most} that look {ahead} ahead {aim}."]
    else:
        report |= {"length": answer.length, "lists": [list(names) for names in answer.lists]}
        report |= {"shorter": answer.shorter, "examined": answer.examined}
        lines = [
            f"The shortest lists of rules that look up to {counted(sight, 'ply', 'plies')} ahead, each of which {aim}:",
            *(f"  {', '.join(names)}" for names in answer.lists),
            f"None of the {answer.shorter:,} shorter lists does; {answer.examined:,} beginnings were examined.",
        ]
    return Answer(report, lines)


class _Trained(NamedTuple):
    """A learner after its games, the opponents of its exam, its chances after each game, and its resignations."""

    learner: "Learner"
    memory: "Memory"
    opponents: Mapping[str, Strategy]
    odds: "Sequence[Odds[float]]"
    resigned: int


@on_positions(
    "tiebreaks",
    "Weighs every square by the two tie-breaks of the Erlang article, and says what they add to perfect play.",
    "noughts tiebreaks X../.O./..X",
)
def tiebreaks_command(game: Game, _: Namespace) -> Answer:
    """Weigh the squares. On boards with a table of all positions, also count all ties and compare the tie-breaks."""
    from solver.articles.tiebreaking import match_ups, ties, weighed

    position = game.last
    rules, squares = position.rules, weighed(oracle.predict(position))
    report: dict[str, Any] = {
        "squares": {format_cell(square.cell, rules): _weighed_report(square) for square in squares}
    }
    lines = position_text(position)
    if squares:
        lines += table_text([_WEIGHED, *(_weighed_row(square, position) for square in squares)], words=(0, 1, 7))
    if not rules.is_small:
        return Answer(report | {"ties": None, "matches": None}, lines)
    every, matches = ties(rules), match_ups(rules)
    report |= {"ties": plain(every), "matches": [plain(match) for match in matches]}
    return Answer(report, [*lines, *_ties_text(rules, every, matches)])


def _ties_text(rules: Rules, ties: "Ties", matches: "Sequence[MatchUp]") -> Iterator[str]:
    narrowed = " and ".join(f"{name} in {number:,}" for name, number in ties.narrowed.items())
    yield ""
    yield f"On {rules} {ties.tied:,} of {ties.unfinished:,} positions have several best squares."
    yield f"They are narrowed down by {narrowed}."
    yield ""
    rows = ((match.side, match.opponent, *map(format_percent, match.wins.values())) for match in matches)
    yield from table_text([("wins as", "against", *matches[0].wins), *rows], words=(0, 1))


def _weighed_report(square: "Weighed") -> dict[str, Any]:
    """Return a square with both weights, which are null on boards without a table of all positions."""
    offered, paths = square.opportunities, square.paths
    return outcome_report(square.outcome) | {
        "opportunities": offered and plain(offered) | {"value": offered.value},
        "paths": paths and plain(paths),
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


@command(
    "menace",
    "Lets Michie's matchboxes, or Q-learning, learn by games against an opponent; with exact chances after each game.",
    "noughts menace --opponent hard --games 60 --seed 1",
    argument("--opponent", default="hard", metavar="PLAYER", help=f"who plays O: {OFFERED} (%(default)s)"),
    argument("--games", type=int, default=200, metavar="N", help="how many games (%(default)s)"),
    argument("--seed", default="1", help="fixes every random choice, the same on every machine (%(default)s)"),
    argument(
        "--learner", default="menace", metavar="NAME", help="who learns, as X: menace, mini, micro or q (%(default)s)"
    ),
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
    opponents = {strategy.name: strategy for strategy in (*playing_on(TIC_TAC_TOE), opponent)}
    trained = _Trained(learner, memory, opponents, odds, resigned)
    played = counted(len(odds) - 1, "game", "games")
    head = f"{learner.title} learns as X against {opponent.title}, seed {options.seed}: {played}."
    exam = about | _exam_report(trained) if options.json else {}
    return Answer(exam, chain([head], _exam_text(trained)), work.code).show(options.json)


def _exam_report(trained: _Trained) -> dict[str, Any]:
    """Return the result of learning as plain data: the exact chances against each opponent."""
    from solver.players.learning.exam import exam, holding_from

    learner, memory, opponents, odds, resigned = trained
    exact = {name: exam(learner, memory, strategy)._asdict() for name, strategy in opponents.items()}
    exams = {name: {part: str(chance) for part, chance in chances.items()} for name, chances in exact.items()}
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
    rows = ((name, *map(_percent, quick_exam(learner, memory, strategy))) for name, strategy in opponents.items())
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
    sampled = sorted({*range(0, len(odds), step), len(odds) - 1})
    rows = ((str(games), *map(_percent, odds[games]), _bar(odds[games])) for games in sampled)
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


@on_positions(
    "lookahead",
    "Says what looking some plies ahead makes of every move, and how many nodes searches visit for it.",
    "noughts lookahead X../.../O..",
    argument("--depth", type=int, metavar="PLIES", help="the greatest look-ahead (as deep as is feasible, at most 9)"),
)
def lookahead_command(game: Game, options: Namespace) -> Answer:
    """Return the value of each move at each depth, and the nodes visited for it.

    Values are X's. The `estimates` also give points for two in a row, and 10,000 for a line.
    """
    from solver.articles.lookahead import estimate, feasible_depth, move_values, settled_at, visits

    position = game.last
    if options.depth is not None and options.depth < 1:
        raise BadOption(f"A look-ahead has at least 1 ply, not {options.depth}.")
    depth = min(9, feasible_depth(position)) if options.depth is None else options.depth
    estimates = move_values(position, depth, estimate)
    moves = {
        format_cell(cell, position.rules): {
            "values": list(seen),
            "settled_at": settled_at(seen, position.plies_left),
            "estimates": list(estimates[cell]),
        }
        for cell, seen in move_values(position, depth).items()
    }
    names = ("depth", "minimax", "lazy", "without_distance", "alphabeta")
    nodes = [dict(zip(names, astuple(row), strict=True)) for row in visits(position, depth)]
    return Answer({"moves": moves, "nodes": nodes}, _lookahead_text(moves, nodes))


def _lookahead_text(moves: dict[str, dict[str, Any]], nodes: list[dict[str, int | None]]) -> Iterator[str]:
    plies = [str(row["depth"]) for row in nodes]
    yield from table_text(
        [
            ("X's value at", *plies, "certain from"),
            *((name, *map(str, move["values"]), str(move["settled_at"] or "-")) for name, move in moves.items()),
        ],
        words=(0,),
    )
    yield ""
    yield from table_text(
        [
            ("with two in a row", *plies),
            *((name, *map(_format_estimate, move["estimates"])) for name, move in moves.items()),
        ],
        words=(0,),
    )
    yield ""
    titles = ("plies", "minimax", "lazy lists", "without distance", "alpha-beta")
    yield from table_text([titles, *(tuple(map(_count, row.values())) for row in nodes)])


def _format_estimate(value: int) -> str:
    """Return an estimate, or the winner if a line is within sight."""
    return ("X wins" if value > 0 else "O wins") if abs(value) >= PROVED else f"{value:+d}" if value else "0"


def _count(nodes: int | None) -> str:
    return "too many" if nodes is None else f"{nodes:,}"


@on_positions(
    "trace",
    "Watches minimax, lazy lists or alpha-beta at work, step by step, on a tree of a few plies.",
    "noughts trace O.X/.O./XOX --order best",
    argument(
        "--search", choices=("minimax", "lazy", "alphabeta"), default="alphabeta", help="which search (%(default)s)"
    ),
    argument(
        "--order", choices=("found", "best", "worst"), default="found", help="which moves are tried first (%(default)s)"
    ),
    argument("--plies", type=int, metavar="PLIES", help="the tree's depth, 1 to 4 (as deep as can be drawn)"),
)
def trace_command(game: Game, options: Namespace) -> Answer:
    """Return the steps of a search.

    Values and windows are X's. If X wins, the value is 10 minus the plies to the win. If O wins, it is negative. Lazy
    lists use only 1 and -1.
    """
    from solver.articles.tracing import MoveOrder, Search, trace, visited

    steps = trace(game.last, Search(options.search), options.plies, MoveOrder(options.order))
    counts = [
        {"search": str(search), "order": str(tried), "nodes": nodes}
        for (search, tried), nodes in visited(game.last, options.plies).items()
    ]
    report = {
        "search": options.search,
        "order": options.order,
        "plies": steps.tree.depth,
        "value": steps.value,
        "nodes": steps.visited,
        "tree": [_node_report(steps, node) for node in steps.tree.nodes],
        "steps": list(_step_reports(steps)),
        "counts": counts,
    }
    return Answer(report, _trace_text(steps, counts))


def _node_report(trace: "Trace", node: "TreeNode") -> dict[str, Any]:
    return {
        "position": format_position(node.position),
        "move": None if node.cell is None else format_cell(node.cell, node.position.rules),
        "value": trace.shown(node.worth) if trace.search != "lazy" else (node.worth > 0) - (node.worth < 0),
        "children": list(node.children),
    }


def _step_reports(trace: "Trace") -> Iterator[dict[str, Any]]:
    from solver.articles.telling import step_in_words

    for frame in trace.frames:
        step = frame.step
        alpha, beta = step.window or (None, None)
        yield {
            "kind": str(step.kind),
            "node": step.node,
            "child": step.child,
            "best": _shown_value(trace, step.best),
            "alpha": _shown_value(trace, alpha),
            "beta": _shown_value(trace, beta),
            "left_out": list(step.left_out),
            "visited": frame.visited,
            "said": step_in_words(trace, frame),
        }


def _shown_value(trace: "Trace", score: "Score | None") -> int | None:
    """Return a value as the tree shows it; null for a bound that no value can reach."""
    from solver.articles.tracing import NO_ALPHA, NO_BETA

    return None if score in (None, NO_ALPHA, NO_BETA) else trace.shown(score)


def _trace_text(trace: "Trace", counts: list[dict[str, Any]]) -> Iterator[str]:
    from solver.articles.telling import step_in_words

    for number, frame in enumerate(trace.frames, start=1):
        indent = "  " * trace.tree.nodes[frame.step.node].ply
        yield f"{number:>3}  {indent}{step_in_words(trace, frame)}"
    yield ""
    rows = {search: [*group] for search, group in groupby(counts, key=itemgetter("search"))}
    titles = ("nodes", *dict.fromkeys(count["order"] for count in counts))
    yield from table_text(
        [titles, *((search, *(str(count["nodes"]) for count in row)) for search, row in rows.items())], words=(0,)
    )


@answering(
    "claims",
    "Checks what the five articles claim, by computing it.",
    "noughts claims clojure.draw scala.unbeatable",
    argument("names", metavar="CLAIM", nargs="*", help="a claim such as clojure.draw, or an article (all)"),
)
def claims_command(options: Namespace) -> Iterator[Answer]:
    """Yield each finding as soon as it is computed, so that Ctrl-C leaves the earlier ones."""
    from solver.articles.claims import claims_named
    from solver.articles.claims.claim import examine, finding_report

    for claim in claims_named(options.names):
        finding = examine(claim)
        lines = [f"{claim.id}: {finding.verdict}", f"  {claim.sentence}"]
        if claim.published is not True:
            lines.append(f"  published {json.dumps(claim.published, ensure_ascii=False)}")
        lines.append(f"  computed {json.dumps(finding.computation.computed, ensure_ascii=False)}")
        yield Answer(finding_report(finding), [*lines, f"  {finding.computation.explanation}"])
