"""The commands on game trees and their pictures, and the command that checks the claims of the articles."""

import json
from argparse import Namespace
from base64 import b64encode
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.board.game import Game, read_game
from solver.board.notation import format_cell, format_fraction, format_moves, format_position, quoted
from solver.board.outcome import counted
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.cli.command import Answer, Interruptible, answering, argument, on_boards, on_positions
from solver.cli.output import table_text
from solver.errors import BadOption
from solver.report import start_report

if TYPE_CHECKING:
    from solver.articles.census import Census
    from solver.articles.graph import Fork
    from solver.articles.openings import Move

WINNERS = {1: "X", 0: "draw", -1: "O"}


@on_boards(
    "census",
    "Counts the nodes of the game tree by ply, at five stages of cutting what repeats.",
    "noughts census --stage forced",
    argument(
        "--stage",
        dest="stages",
        action="append",
        metavar="STAGE",
        help="upper-bound, won-cut, duplicates, symmetry or forced; may be given several times (all)",
    ),
)
def census_command(rules: Rules, options: Namespace) -> Answer:
    """Return the counted stages; Ctrl-C leaves out the rest."""
    from solver.articles.census import Stage, census, census_report

    stages = {str(stage): stage for stage in Stage}
    names = options.stages or stages
    for name in names:
        if name not in stages:
            raise BadOption(f"There is no stage {quoted(name)}. The stages are {', '.join(stages)}.")
    done: list[Census] = []
    with Interruptible() as work:
        for name in names:
            done.append(census(rules, stages[name]))  # noqa: PERF401 - an interrupt keeps the earlier ones
    tables = "\n\n".join(map(_table, done))
    return Answer({"stages": [*map(census_report, done)]}, tables.splitlines(), work.code)


def _table(stage: "Census") -> str:
    """Return the text of one stage: its number of nodes, its meaning, and a line for each ply."""
    from solver.articles.census import census_table

    titles, rows = census_table(stage)
    heading = f"{stage.stage} on {stage.rules}: {counted(stage.nodes, 'node', 'nodes')}. {stage.stage.meaning}"
    return "\n".join((heading, *table_text((titles, *rows))))


@on_boards(
    "forks",
    "Lists every position with two threats at once, up to symmetry.",
    "noughts forks --forced",
    argument("--forced", action="store_true", help="only of play in which both win or block where they can"),
)
def forks_command(rules: Rules, options: Namespace) -> Answer:
    """Return the forks; `ply` is the number of stones, and `side` has made the threats."""
    from solver.articles.graph import forks, forks_by_ply, forks_in_words

    found = forks(rules, options.forced)
    lines = [f"{forks_in_words(found)} No order of moves, and no turned or mirrored board, counts twice."]
    for ply, group in forks_by_ply(found).items():
        lines.append(f"Ply {ply}: {len(group):,} of {group[0].owner}")
        lines += (f"  {format_position(fork.position)}  {' '.join(_threats(fork))}" for fork in group)
    forked = [
        {
            "ply": fork.ply,
            "side": str(fork.owner),
            "position": format_position(fork.position),
            "threats": _threats(fork),
        }
        for fork in found
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


@on_positions(
    "reduced",
    "Gives the reduced game tree of the Clojure article, cut at what is decided, with the score of every node.",
    "noughts reduced --moves b3",
    argument("--distinct", action="store_true", help="average over distinct moves instead of over all"),
)
def reduced_command(game: Game, options: Namespace) -> Answer:
    """Return the reduced tree; `children` are numbers of nodes, each with the number of moves that lead there."""
    from solver.articles.reduced import best_path, reduced_tree, scores, weights_of

    root = game.last
    tree, values = reduced_tree(root), scores(root, options.distinct)
    numbers = {position: number for number, position in enumerate(tree.nodes)}
    report = {
        "nodes": len(tree.nodes),
        "average": "distinct moves" if options.distinct else "all moves",
        "score": str(values[root]),
        "path": [[format_position(choice) for choice in step.best] for step in best_path(root, options.distinct)],
        "tree": [
            {
                "position": format_position(position),
                "score": str(values[position]),
                "children": [
                    {"node": numbers[child], "moves": moves} for child, moves in weights_of(tree, position).items()
                ],
            }
            for position in tree.nodes
        ],
    }
    return Answer(report, _reduced_text(report))


def _reduced_text(report: dict[str, Any]) -> Iterator[str]:
    """Yield the best path and then the tree, indented. A position's replies are shown only at its first occurrence."""
    nodes = counted(report["nodes"], "node", "nodes")
    yield f"{nodes}, score {_score(report['score'])} (average over {report['average']})."
    for step in report["path"]:
        yield f"best: {' or '.join(step)}"
    seen: set[int] = set()

    def lines(number: int, depth: int) -> Iterator[str]:
        node = report["tree"][number]
        again = number in seen and node["children"]
        yield f"{'  ' * depth}{node['position']}  {_score(node['score'])}{'  (as above)' if again else ''}"
        if number not in seen:
            seen.add(number)
            for child in node["children"]:
                yield from lines(child["node"], depth + 1)

    yield from lines(0, 0)


def _score(text: str) -> str:
    return format_fraction(Fraction(text))


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
        report["expected"] = _expected(**report["players"])
    return Answer(report, _drawn_text(report))


def _drawn() -> dict[str, Any]:
    from solver.articles import patterns
    from solver.articles.openings import starts
    from solver.board.points import PATTERNS, Pattern, pattern_of

    boards = [pattern_of(board) for board in patterns.drawn_boards(TIC_TAC_TOE)]
    best = {name: patterns.best_play(position) for name, position in starts().items()}
    return {
        "boards": {str(pattern): boards.count(pattern) for pattern in Pattern},
        "forced": {
            name: {str(pattern): forced for pattern, forced in row.items()}
            for name, row in patterns.forceable().items()
        },
        "scheme": {str(end): points for end, points in PATTERNS.items()},
        "best": {name: {"lead": found.lead, "points": list(found.points)} for name, found in best.items()},
        "fair": patterns.is_fair(),
        "fair_without": [str(pattern) for pattern in patterns.fair_without()],
    }


def _expected(x: str, o: str) -> dict[str, str]:
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


@on_positions(
    "tree",
    "Draws the game tree below a position as text, pruned to a depth, with X's value of each node.",
    "noughts tree XX./.../..O --depth 1",
    argument("--depth", type=int, default=1, metavar="PLIES", help="the tree's depth (%(default)s)"),
)
def tree_command(game: Game, options: Namespace) -> Answer:
    """Return the tree, each position with its replies below it."""
    from solver.articles.lookahead import draw_tree, tree_report

    return Answer(tree_report(game.last, options.depth), draw_tree(game.last, options.depth))


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


@on_positions(
    "picture",
    "Draws the game tree, or the map of optimal moves, as SVG, DOT, PNG or PDF.",
    "noughts picture tree X.O/.X./..O --format dot",
    argument("name", nargs="?", help="a picture, or tree for the next moves of a position (list them all)"),
    argument(
        "--format", choices=("svg", "dot", "png", "pdf"), default="svg", help="%(default)s if nothing else is said"
    ),
    argument("--output", type=Path, metavar="FILE", help="where to write it (SVG and DOT: standard output)"),
    argument("--depth", type=int, metavar="PLIES", help="of tree: how deep (1)"),
    argument(
        "--open", action="append", default=[], metavar="MOVES", help="of tree: a branch that goes on, by its moves"
    ),
    argument("--distinct", action="store_true", help="of tree: symmetric positions as one"),
)
def picture_command(game: Game, options: Namespace) -> Answer:
    """Draw one picture, or list all pictures."""
    from solver.pictures.gallery import FORMATS, GALLERY, picture_named, tree_picture

    if options.name != "tree" and (asked := [part for part, given in _tree_arguments(options).items() if given]):
        raise BadOption(f"Only `noughts picture tree` takes {' and '.join(asked)}: the other pictures are of 3x3x3.")
    if options.name is None:
        found = {name: picture_named(name) for name in GALLERY}
        report = [{"name": name, "title": each.title, "boards": each.boards} for name, each in found.items()]
        rows = [(name, each.title, str(each.boards)) for name, each in found.items()]
        titles, tree = ("picture", "shows", "boards"), ("tree", "The next moves of any position", "")
        return Answer({"pictures": report}, table_text([titles, *rows, tree], words=(0, 1)))
    if options.name == "tree":
        opened = frozenset(read_game(game.last, moves).whole().last for moves in options.open)
        picture = tree_picture(game.last, 1 if options.depth is None else options.depth, options.distinct, opened)
    else:
        picture = picture_named(options.name)
    content = FORMATS[options.format](picture)
    if content is None:
        raise BadOption(f"{picture.title} is no graph, so there is no DOT of it. Ask for --format svg.")
    words = {"title": picture.title, "description": picture.description, "boards": picture.boards}
    if options.output is not None and not options.json:
        options.output.write_bytes(content.encode() if isinstance(content, str) else content)
        return Answer({}, ())
    text = content if isinstance(content, str) else b64encode(content).decode()
    if isinstance(content, bytes) and not options.json:
        raise BadOption(f"{options.format.upper()} is no text. Say where to write it: --output FILE.")
    return Answer({**words, options.format: text}, [text.removesuffix("\n")])


def _tree_arguments(options: Namespace) -> dict[str, bool]:
    """Return the arguments that only a tree takes, each with True if it is given."""
    return {
        "a position": options.position is not None,
        "--board": options.board not in (None, "3x3x3"),
        "--from": bool(options.start),
        "--moves": bool(options.moves),
        "--depth": options.depth is not None,
        "--distinct": options.distinct,
        "--open": bool(options.open),
    }
