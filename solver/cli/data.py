"""The commands that give data and pictures: positions with outcomes, game trees, the crosstable, and timings."""

import csv
import json
import sys
from argparse import Namespace
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from fractions import Fraction
from hashlib import sha256
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import solver
from solver.board.game import Game, read_game
from solver.board.notation import format_fraction, format_percent, format_position, parse_rules, quoted
from solver.board.outcome import counted
from solver.board.position import Result
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.cli.command import (
    BOARD,
    MAX_JOBS,
    SEED,
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
from solver.cli.output import progress, table_text
from solver.errors import BadOption
from solver.players import STRATEGIES

if TYPE_CHECKING:
    from solver.articles.census import Census
    from solver.players.levels import Measured


FORMATS: Final = ("jsonl", "csv", "parquet")

GROUP: Final = 50_000
"""The rows of a group of a Parquet file, which are in memory together."""


@command(
    "dataset",
    "Writes the positions of a board with their outcomes and best squares, one a line, as data.",
    "noughts dataset 3x3x3 --format csv",
    *BOARD,
    argument("--sample", type=int, metavar="N", help="take N different positions of random games (all positions)"),
    SEED,
    argument(
        "--format", choices=FORMATS, default="jsonl", help="JSON lines, CSV with titles, or Parquet (%(default)s)"
    ),
    argument(
        "--output", metavar="FILE", help="where to write it (standard output; Parquet is no text and needs a file)"
    ),
    argument("--card", metavar="FILE", help="write a Markdown file that says what the data are and how they were made"),
    budget_argument("20000n"),
)
def dataset_command(options: Namespace) -> int:
    """Print each position as soon as it is searched. The budget is for one position."""
    from solver.library import dataset

    rules, sample = rules_named(options), options.sample
    records = dataset(rules, sample, options.seed, parse_budget(options.budget))
    card, output = (writable(name) if name else None for name in (options.card, options.output))
    if options.format == "parquet" and output is None:
        raise BadOption("Parquet is no text. Say where to write it: --output FILE.")
    digest, outcomes = sha256(), Counter[str]()

    def rows() -> Iterator[dict[str, Any]]:
        with progress("positions") as show:
            for row in records:
                outcomes[row["outcome"]] += 1
                show(outcomes.total(), sample)
                yield row

    if output is not None and options.format == "parquet":
        _write_parquet(output, rows())
        digest.update(output.read_bytes())
    else:
        with nullcontext(sys.stdout) if output is None else output.open("w", encoding="utf-8", newline="\n") as file:
            for line in _lines(rows(), options.format):
                print(line, file=file)
                digest.update(f"{line}\n".encode())
            file.flush()
    if card is not None:
        card.write_text(_card(rules, options, outcomes, digest.hexdigest()), encoding="utf-8")
    if sample is not None and outcomes.total() < sample:
        print(f"noughts: only {outcomes.total():,} different positions of {rules} were found.", file=sys.stderr)
        return UNFINISHED
    return 0


def _write_parquet(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    """Write rows as a Parquet file, in groups."""
    import pyarrow
    from pyarrow import parquet

    from solver.analysis.dataset import COLUMNS

    kinds = {"plies": pyarrow.int16(), "best": pyarrow.list_(pyarrow.string()), "complete": pyarrow.bool_()}
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in COLUMNS])
    with parquet.ParquetWriter(path, schema) as writer:
        while group := list(islice(rows, GROUP)):
            writer.write_table(pyarrow.Table.from_pylist(group, schema))


def _lines(rows: Iterator[dict[str, Any]], kind: str) -> Iterator[str]:
    """Yield the lines of rows as JSON or CSV."""
    from solver.analysis.dataset import COLUMNS

    if kind == "jsonl":
        yield from map(json.dumps, rows)
        return
    yield _csv_line({name: name for name in COLUMNS})
    yield from map(_csv_line, rows)


def _csv_line(row: dict[str, Any]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="").writerow(map(_field, row.values()))
    return line.getvalue()


def _field(value: object) -> object:
    """Return a value as CSV writes it: words side by side, and true and false as in JSON."""
    match value:
        case list():
            return " ".join(value)
        case bool():
            return json.dumps(value)
        case _:
            return value


def _card(rules: Rules, options: Namespace, outcomes: Counter[str], digest: str) -> str:
    """Return the card as Markdown."""
    from solver.analysis.dataset import COLUMNS

    where = f" --output {options.output}" if options.format == "parquet" else ""
    chosen, again = "Every position that games on this board reach, those with fewer stones first.", ""
    if options.sample is not None:
        again = f" --sample {options.sample}" + (f" --seed {options.seed}" if options.seed is not None else "")
        chosen = "A sample of different positions: each ends a random number of random moves from the empty board."
    counts = ", ".join(f"{outcome} {number:,}" for outcome, number in sorted(outcomes.items()))
    return "\n".join(
        (
            f"# Positions of {rules} with their outcomes",
            "",
            f"{chosen} {outcomes.total():,} positions: {counts}.",
            "",
            "Every outcome is proved; what could not be proved within the budget of one position is `unknown`, and"
            " `complete` is false.",
            "",
            *(f"- `{name}`: {meaning}" for name, meaning in COLUMNS.items()),
            "",
            f"Made by Noughts {solver.__version__}:",
            "",
            f"    noughts dataset {rules}{again} --format {options.format}{where} --budget {options.budget}",
            "",
            f"SHA-256 of the data: `{digest}`",
            "",
        )
    )


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
        "path": [[format_position(choice) for choice in best] for best in best_path(root, options.distinct).values()],
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
        pictures = {name: picture_named(name) for name in GALLERY}
        report = [{"name": name, "title": each.title, "boards": each.boards} for name, each in pictures.items()]
        rows = [(name, each.title, str(each.boards)) for name, each in pictures.items()]
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
        path.write_text(crosstable(rules).strengths_file(), encoding="utf-8")
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
        | dict(zip(("x_points", "o_points"), map(str, table.points.get((x, o), ())), strict=False))
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


@answering(
    "levels",
    "Says what Easy, Medium, Hard and Perfect are worth in the games that have names.",
    "noughts levels misère",
    argument("games", nargs="*", metavar="GAME", help="games by their names or boards (all that have names)"),
    argument(
        "--make",
        metavar="FILE",
        help="print none, but measure the games and write them to a file; what it has already is not measured again",
    ),
)
def levels_command(options: Namespace) -> Answer:
    """Return the measures of games: on small boards the chance of beating each level, on others their matches."""
    from solver.board.shelf import SHELF
    from solver.players.levels import Measured, measured_games

    boards = [str(parse_rules(name)) for name in options.games or (game.board for game in SHELF)]
    if options.make is not None:
        return _make_levels(boards, writable(options.make))
    measures = [measured_games().get(board, Measured(board)) for board in boards]
    report = {"games": [_measured_report(measured) for measured in measures]}
    return Answer(report, chain.from_iterable(map(_measured_text, measures)))


def _make_levels(boards: "Sequence[str]", path: "Path") -> Answer:
    from solver.analysis.levels import measure
    from solver.players.levels import format_measured, parse_measured

    try:
        has = parse_measured(path.read_text(encoding="ascii").splitlines()) if path.exists() else {}
    except (ValueError, TypeError) as error:
        raise BadOption(f"{path} has no measures that could be continued: {error}") from error
    lacking = [board for board in dict.fromkeys(boards) if board not in has]
    made = 0
    with Interruptible() as work, progress("games measured") as show, path.open("a", encoding="ascii") as file:
        for made, board in enumerate(lacking, start=1):
            file.write(format_measured(measure(parse_rules(board))) + "\n")
            file.flush()
            show(made, len(lacking))
    text = f"{path}: {counted(made, 'more game', 'more games')} measured."
    return Answer({"file": str(path), "games": lacking[:made]}, [text], work.code)


def _measured_report(measured: "Measured") -> dict[str, Any]:
    scores = {pair: score._asdict() for pair, score in measured.scores.items()}
    return {
        "game": measured.game,
        "rates": {level: dict(zip("XO", rates, strict=True)) for level, rates in measured.rates.items()},
        "beaten": {level: dict(chances) for level, chances in measured.beaten.items()},
        "scores": scores,
    }


def _measured_text(measured: "Measured") -> Iterator[str]:
    yield f"{measured.game}:" if measured.beaten or measured.scores else f"{measured.game}: not measured."
    for level, chances in measured.beaten.items():
        by = ", ".join(f"as {mark} with {format_percent(Fraction(chance))}" for mark, chance in chances.items())
        errs = "".join(f"; errs {x} of its moves as X, {o} as O" for x, o in filter(None, [measured.rates.get(level)]))
        yield f"  {STRATEGIES[level].title}: the best player beats it {by}{errs}"
    for level, (x, o) in measured.rates.items() if measured.scores else ():
        yield f"  {STRATEGIES[level].title} errs {x} of its moves as X, {o} as O"
    for pair, score in measured.scores.items():
        stronger, weaker = (STRATEGIES[level].title for level in pair.split())
        yield f"  {stronger} against {weaker}: {score.won} won, {score.drawn} drawn, {score.lost} lost"


@on_positions(
    "parallel",
    "Times the evaluation of all squares, one after another and by several processes at once.",
    "noughts parallel X.O/.X./... --jobs 2",
    argument("--jobs", type=int, default=2, metavar="N", help="the number of processes (%(default)s)"),
)
def parallel_command(game: Game, options: Namespace) -> Answer:
    """Return both times, and whether several processes are faster."""
    from solver.articles.parallel_squares import compare

    position, jobs = game.last, within(options.jobs, 1, MAX_JOBS, "jobs")
    if position.result is not None:
        raise BadOption("The game is over; name a position with open squares.")
    comparison = compare(position, jobs)
    serial, parallel = comparison.serial, comparison.parallel
    report = {
        "squares": len(position.legal_moves),
        "jobs": jobs,
        "serial": {"nodes": serial.nodes, "seconds": serial.seconds},
        "parallel": {"nodes": parallel.nodes, "seconds": parallel.seconds},
        "starting": comparison.starting,
        "speedup": comparison.speedup,
        "speedup_with_start": comparison.speedup_with_start,
        "pays": comparison.pays,
    }
    lines = [
        f"{counted(len(position.legal_moves), 'square', 'squares')} of {position.rules}",
        f"one after another: {counted(serial.nodes, 'node', 'nodes')}, {serial.seconds:.2f} s",
        f"{counted(jobs, 'process', 'processes')}: {counted(parallel.nodes, 'node', 'nodes')},"
        f" {parallel.seconds:.2f} s, {comparison.speedup:.2f} times as fast",
        f"starting them: {comparison.starting:.2f} s; with that {comparison.speedup_with_start:.2f} times as fast",
        "So it pays here." if comparison.pays else "So it does not pay here.",
    ]
    return Answer(report, lines)
