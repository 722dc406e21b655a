"""The commands that prove: positions, books of openings, the atlas of boards, and certificates that can be checked."""

import sys
import time
from argparse import Namespace
from collections.abc import Generator, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from solver.board.game import Game
from solver.board.notation import quoted
from solver.board.outcome import Bounds, counted
from solver.board.position import Position
from solver.board.rules import Rules, check_lines_win
from solver.cli.command import (
    COLOR,
    UNFINISHED,
    WORKERS,
    Answer,
    Interruptible,
    answering,
    argument,
    budget_argument,
    in_color,
    on_boards,
    on_positions,
    parse_budget,
    pool_of,
    within,
    writable,
)
from solver.cli.output import line_text, prediction_text, progress, squares_text, table_text
from solver.errors import BadOption
from solver.proofs.predict import Solution, predict, solution
from solver.report import atlas_report, predict_report, solve_report, start_report
from solver.search.budget import BudgetExhausted

if TYPE_CHECKING:
    from pathlib import Path

    from solver.atlas.check import Certificate
    from solver.atlas.entry import Entry
    from solver.atlas.games import ProvedGame
    from solver.proofs.workers import Workers


@on_positions(
    "predict",
    "Says soon what perfect play makes of every open square.",
    "noughts predict X.O/.X./..O",
    budget_argument("200ms"),
    COLOR,
)
def predict_command(game: Game, options: Namespace) -> Answer:
    """Return the squares of a position, looked up or searched within the budget."""
    prediction = predict(game.last, parse_budget(options.budget))
    lines = [*prediction_text(prediction, in_color(options)), *squares_text(prediction)]
    return Answer(predict_report(prediction), lines)


@on_positions(
    "solve",
    "Proves the outcome of a position and of every open square, however long it takes.",
    "noughts solve 4x3x3 --moves b2c2",
    budget_argument(""),
    *WORKERS,
    COLOR,
)
def solve_command(game: Game, options: Namespace) -> Answer:
    """Prove the squares of a position one by one; Ctrl-C leaves out the rest."""
    from solver.proofs.study import proving, study_of

    if options.position is options.start is options.board is None:
        raise BadOption("Name what is to be proved: a position or a board, for example 4x3x3.")
    position = game.last
    study, budget, pool = study_of(position), parse_budget(options.budget), pool_of(options)
    search = None
    if pool is not None:
        from solver.proofs.workers import narrowing_by

        search = partial(narrowing_by, pool)
    found, began = None, time.monotonic()
    with Interruptible() as work:
        with closing(proving(position, budget, search=search)) as predictions, progress("squares proved") as show:
            for prediction in predictions:
                show(prediction.proved, len(prediction.squares))
        found = solution(position)
    found = found or Solution(study.prediction(), ())
    report = solve_report(found, time.monotonic() - began)
    return Answer(report, _solved(found, in_color(options)), work.code)


def _solved(found: Solution, in_color: bool) -> list[str]:
    prediction, position = found.prediction, found.prediction.position
    lines = prediction_text(prediction, in_color)
    if position.result is None:
        lines.append(f"Perfect play: {prediction.outcome.words(position.mover, position.rules)}.")
    if found.line:
        ends = found.line_complete and not found.outcome.is_endless
        lines.append(f"Best line: {line_text(found.line, position.rules, ends)}")
    return lines + squares_text(prediction)


@on_boards(
    "book",
    "Proves all positions with few stones and writes them to a file, a book that proofs are looked up in.",
    "noughts book 4x3x3 --stones 1",
    argument("--stones", type=int, required=True, metavar="N", help="how many stones a position may have"),
    argument("--output", metavar="FILE", help="the file to write (BOARD.sqlite in the current folder)"),
    *WORKERS,
)
def book_command(rules: Rules, options: Namespace) -> Answer:
    """Write the book once every opening is proved."""
    from solver.proofs.file import TROUBLE, openings, write_book

    if options.on is options.board is None:
        raise BadOption("Name the board of the book, for example 4x3x3.")
    path = writable(options.output or f"{rules}.sqlite")
    positions, pool = openings(rules, options.stones), pool_of(options)
    found: dict[Position, Bounds] = {}
    with closing(_proofs(positions, pool)) as answers, progress("positions proved") as show:
        for position, bounds in answers:
            found[position] = bounds
            show(len(found), len(positions))
    try:
        write_book(path, found)
    except TROUBLE as error:
        raise OSError(f"{path} cannot be written: {error}") from error
    report = {"file": str(path), "stones": options.stones, "positions": len(found)}
    number, stones = counted(len(found), "position", "positions"), counted(options.stones, "stone", "stones")
    return Answer(report, [f"{path}: {number} of {rules} with up to {stones}."])


def _proofs(positions: Sequence[Position], pool: "Workers | None") -> Generator[tuple[Position, Bounds], None, None]:
    from solver.proofs.file import proofs_of
    from solver.proofs.workers import narrowing_by
    from solver.search.budget import UNLIMITED, Meter
    from solver.search.exact import at_first

    if pool is None:
        yield from proofs_of(positions)
        return
    known = {position: at_first(position) for position in positions}
    with closing(narrowing_by(pool, known, Meter(UNLIMITED))) as answers:
        for position, bounds in answers:
            if bounds.score is not None:
                yield position, bounds


@answering(
    "atlas",
    "Says who wins on every board up to 8x8, or by other rules, how that is proved, and what is published of it.",
    "noughts atlas 7x4x4 6x5x4 3x3x3-torus",
    argument(
        "boards", nargs="*", metavar="BOARD", help="the boards, as columns x rows x in a row (all of them), or games"
    ),
    argument("--rules", action="store_true", help="the games by other rules in place of the boards"),
    argument(
        "--make",
        metavar="FILE",
        help="print none, but prove the boards and write them to a file; what it has already is not proved again",
    ),
    budget_argument(""),
)
def atlas_command(options: Namespace) -> Answer:
    """Return the entries of the boards, or prove boards and write them to the atlas's file."""
    from solver.atlas.entry import atlas
    from solver.atlas.games import board_or_game, game_named, games

    entries = [*map(board_or_game, options.boards)]
    if not entries:
        entries = [game_named(str(rules)) for rules in games()] if options.rules else [*atlas().values()]
    if options.make is not None:
        return _make_atlas(entries, options)
    return Answer(atlas_report(entries), _atlas_text(entries))


def _make_atlas(entries: "Sequence[Entry | ProvedGame]", options: Namespace) -> Answer:
    from solver.atlas.games import ProvedGame
    from solver.atlas.make import extend_atlas, extend_games

    path, budget = writable(options.make), parse_budget(options.budget)
    by_rules = any(isinstance(each, ProvedGame) for each in entries)
    if by_rules and not all(isinstance(each, ProvedGame) for each in entries):
        raise BadOption("Boards and games have files of their own. Make one after the other.")
    listed = [each if isinstance(each, ProvedGame) or each.rows <= each.columns else each.turned() for each in entries]
    wanted = dict.fromkeys((rules for each in listed if (rules := each.rules)), budget)
    tried: list[Entry | ProvedGame] = []
    try:
        with Interruptible() as work, progress("boards proved") as show:
            for entry in (extend_games if by_rules else extend_atlas)(path, wanted):
                tried.append(entry)
                show(len(tried), len(wanted))
    except ValueError as error:
        raise BadOption(f"{path} is no atlas that could be continued: {error}") from error
    unproved = [str(entry) for entry in tried if entry.proof is None]
    left = f", not proved within the budget: {', '.join(unproved)}" if unproved else ""
    text = f"{path}: {counted(len(tried) - len(unproved), 'more board', 'more boards')} proved{left}."
    report = {"file": str(path)} | atlas_report(tried)
    return Answer(report, [text], work.code or (UNFINISHED if unproved else 0))


def _atlas_text(entries: "Sequence[Entry | ProvedGame]") -> list[str]:
    titles = ("board", "outcome", "proof", "nodes", "seconds", "published")
    return table_text([titles, *map(_row, entries)], words=(0, 1, 2, 5))


def _row(entry: "Entry | ProvedGame") -> tuple[str, ...]:
    cost = (f"{entry.nodes:,}", f"{entry.seconds:.2f}") if entry.proof else ("", "")
    said, differs = entry.published, " (differs)" if entry.differs else ""
    published = f"{said.value}{differs}: {said.source}" if said else ""
    return str(entry), entry.words, entry.proof or "not proved here", *cost, published


@on_boards(
    "certify",
    "Writes a certificate of a board's outcome: what its strategies play, for `noughts check` to verify.",
    "noughts certify 4x4x4",
    argument("--output", metavar="FILE", help="the file to write (BOARD.jsonl in the current folder)"),
    argument("--limit", type=int, default=50, metavar="MB", help="how many megabytes it may have (%(default)s)"),
    budget_argument(""),
)
def certify_command(rules: Rules, options: Namespace) -> Answer:
    """Write the certificate. Its file appears only once it is complete; `file` is null if the proof is given up."""
    from solver.atlas.certify import certificate
    from solver.atlas.entry import entry_of
    from solver.atlas.games import game_named

    if options.on is options.board is None:
        raise BadOption("Name the board of the certificate, for example 4x4x4.")
    check_lines_win(rules, "A certificate")
    budget = parse_budget(options.budget)
    entry = entry_of(rules.columns, rules.rows, rules.k) if rules.is_standard else game_named(str(rules))
    if entry.proof is None:
        raise BadOption(f"{entry} is not proved here, so it cannot be certified.")
    path = writable(options.output or f"{entry}.jsonl")
    most = within(options.limit, 1, 1_000_000, "megabytes") * 1_000_000
    beside = path.with_name(f"{path.name}.new")
    lines, size, spent = 0, 0, ""
    try:
        with beside.open("w", encoding="ascii") as file, progress("steps written") as show:
            for line in certificate(rules, entry.outcome, entry.pairs, budget):
                size += file.write(f"{line}\n")
                lines += 1
                show(lines, None)
                if size > most:
                    spent = f"larger than {most // 1_000_000} MB"
                    break
        if not spent:
            beside.replace(path)
    except BudgetExhausted:
        spent = "not done within the budget"
    finally:
        beside.unlink(missing_ok=True)
    if spent:
        given_up = f"the certificate of {rules} is {spent}; after {counted(lines, 'line', 'lines')} it was given up."
        print(f"noughts: {given_up}", file=sys.stderr)
        return Answer({"file": None, "lines": lines, "bytes": size}, (), UNFINISHED)
    report = {"file": str(path), "lines": lines, "bytes": size}
    return Answer(report, [f"{path}: the certificate of {rules}, {counted(lines, 'line', 'lines')}, {size:,} bytes."])


@answering(
    "check",
    "Verifies a certificate by the rules of the game alone.",
    "noughts check 4x4x4.jsonl",
    argument("file", metavar="FILE", help="what `noughts certify` has written, or any other program"),
    argument("--book", metavar="BOOK", help="write what a certificate of a win proves of its positions to a book"),
    argument("--limit", type=int, default=50, metavar="MB", help="how many megabytes it may have (%(default)s)"),
    argument("--seconds", type=int, default=3600, metavar="S", help="how long the check may take (%(default)s)"),
)
def check_command(options: Namespace) -> Answer:
    """Exit with 0 if the file proves its claim, with 1 if it doesn't, with 2 if it is broken or over its bounds."""
    import time
    from pathlib import Path

    from solver.atlas.check import Flaw, checked, read_certificate
    from solver.atlas.unpack import read_lines

    path = Path(options.file)
    most = within(options.limit, 1, 1_000_000, "megabytes") * 1_000_000
    deadline = time.monotonic() + within(options.seconds, 1, 1_000_000, "seconds")
    if "\0" in options.file or not path.is_file():
        raise BadOption(f"There is no file {quoted(options.file, 200)}.")
    certificate = read_certificate(read_lines(path, most, deadline))
    certificate.deadline = deadline
    try:
        verdict, code = checked(certificate), 0
    except Flaw as flaw:
        verdict, code = f"Not proved: {flaw}", 1
    if options.book and not code:
        _write_proofs(writable(options.book), certificate)
    found = {"file": options.file, "proved": not code, "verdict": verdict}
    return Answer(start_report(Position(certificate.rules)) | found, [verdict], code)


def _write_proofs(path: "Path", certificate: "Certificate") -> None:
    from solver.atlas.certify import proofs_by
    from solver.proofs.file import write_book

    if not certificate.wins:
        raise BadOption("Only a certificate of a win proves its positions won.")
    write_book(path, dict(proofs_by(certificate)))
