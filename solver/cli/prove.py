"""The commands that prove: positions and boards, players from inside and outside, certificates that can be checked."""

import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from solver.board.game import Game
from solver.board.notation import format_cell, format_moves, format_percent, format_position, parse_rules, quoted
from solver.board.outcome import Bounds, counted
from solver.board.position import Mark, Position, Result
from solver.board.rules import DEFAULT_BOARD, Rules
from solver.cli.command import (
    BOARD,
    BOARD_OPTION,
    COLOR,
    SHORT,
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
    rules_named,
    shorten,
    within,
    writable,
)
from solver.cli.output import Show, line_text, prediction_text, progress, squares_text, table_text
from solver.errors import BadOption, TooLarge
from solver.library import marks_of, verdict_words
from solver.players import OFFERED, strategy_named
from solver.players.decision import find_rule
from solver.players.handbook import list_called, slug
from solver.proofs.predict import Solution, solution
from solver.report import atlas_report, prove_report, solve_report, start_report
from solver.search.budget import BudgetExhausted

if TYPE_CHECKING:
    from solver.analysis.trial import BotProof, Ply, Trial
    from solver.catalogue.check import Certificate
    from solver.catalogue.entry import Entry
    from solver.catalogue.games import ProvedGame
    from solver.cli.bots import Bot
    from solver.proofs.workers import Workers
    from solver.search.exact import Narrowing


T = TypeVar("T")

BEATEN: Final = 1

BROKEN: Final = 2
"""The exit codes of `prove` for a player that can be beaten, and for one without a legal answer to a position."""

WORST_FIRST: Final = (BROKEN, BEATEN, UNFINISHED, 0)

MOST_SECONDS: Final = 3600


@on_positions(
    "solve",
    "Proves the outcome of a position and of every open square, however long it takes.",
    "noughts solve 4x3x3 --moves b2c2",
    budget_argument(""),
    argument("--table", action="store_true", help="decide all positions of the game first, in one table, and keep it"),
    *WORKERS,
    COLOR,
    *SHORT,
)
def solve_command(game: Game, options: Namespace) -> Answer:
    """Prove the squares of a position one by one; Ctrl-C leaves out the rest."""
    from solver.proofs.study import proving, study_of
    from solver.proofs.tables import whole_table

    if options.position is options.start is options.board is None:
        raise BadOption("Name what is to be proved: a position or a board, for example 4x3x3.")
    position = game.last
    study, budget, search = study_of(position), parse_budget(options.budget), _search_by(position.rules, options)
    if score_alone := options.score and not (options.best or options.json):
        search = _search_for_score(position, search)
    found, began = None, time.monotonic()
    with Interruptible() as work:
        if options.table:
            whole_table(position.rules)
            study.learn_from_table()
        with closing(proving(position, budget, search=search)) as predictions, progress("squares proved") as show:
            for prediction in predictions:
                show(prediction.proved, len(prediction.squares))
        found = None if score_alone else solution(position)
    found = found or Solution(study.prediction(), ())
    report = solve_report(found, time.monotonic() - began)
    answer = Answer(report, _solution_text(found, in_color(options)), work.code)
    return shorten(answer, found.prediction, options)


def _search_by(rules: Rules, options: Namespace) -> "Narrowing | None":
    """Return the search by the workers that are asked for: threads that share what they prove, or else processes."""
    if (pool := pool_of(options)) is None:
        return None
    from solver.proofs.workers import narrowing_by
    from solver.search.exact import narrowing_together
    from solver.search.solver import shared_solvers

    solvers = () if options.dask else shared_solvers(rules, options.jobs)
    return partial(narrowing_together, solvers) if len(solvers) > 1 else partial(narrowing_by, pool)


def _search_for_score(position: Position, search: "Narrowing | None") -> "Narrowing":
    """Return a search for a position's score alone, which takes a small part of the nodes of all squares."""
    from solver.search.exact import narrowing_score, narrowing_together
    from solver.search.solver import shared_solvers

    solvers = shared_solvers(position.rules)
    return partial(narrowing_score, search or partial(narrowing_together, solvers), solvers[0], position)


def _solution_text(solution: Solution, in_color: bool) -> list[str]:
    prediction, position = solution.prediction, solution.prediction.position
    lines = prediction_text(prediction, in_color)
    if position.result is None:
        lines.append(f"Perfect play: {prediction.outcome.words(position.mover, position.rules)}.")
    if solution.line:
        ends = solution.line_complete and not solution.outcome.is_endless
        lines.append(f"Best line: {line_text(solution.line, position.rules, ends)}")
    return lines + squares_text(prediction)


@answering(
    "prove",
    "Proves that your own program is unbeatable, or finds the shortest game that beats it. Exits with 1 if it can be"
    " beaten, 3 if that is not decided, 2 if it breaks.",
    "noughts prove --side both -- python3 mybot.py",
    argument(
        "program",
        nargs="*",
        metavar="COMMAND",
        help="the program and its arguments, after --; it reads one line a position, such as `3x3x3 X.O/.X./..O X`"
        " (board, rows, the mark it plays), and answers one line, a square; the end of its input is the end",
    ),
    argument(
        "--side",
        choices=("X", "O", "both"),
        default="O",
        help="the mark that it plays (%(default)s); of both, the worse exit code counts: 2, then 1, then 3, then 0",
    ),
    BOARD_OPTION,
    argument("--samples", type=int, default=0, metavar="N", help="ask each position N times, if it draws by chance"),
    argument("--seconds", type=float, default=5.0, metavar="S", help="seconds for each answer (%(default)s)"),
    argument("--url", help="ask a web service: GET URL?board=3x3x3&position=X.O/.X./..O&mark=X answers a square"),
    argument("--gomocup", action="store_true", help="the program is an engine that speaks the protocol of Gomocup"),
    budget_argument("10m,200000n"),
)
def prove_command(options: Namespace) -> Answer:
    """Prove one side or both, each with a program of its own."""
    rules = parse_rules(DEFAULT_BOARD if options.board is None else options.board)
    if options.gomocup and not rules.is_standard:
        raise BadOption(f"The protocol of Gomocup knows rows on flat boards only, not {rules}.")
    proofs = {mark: _prove_side(mark, rules, options) for mark in marks_of(options.side)}
    reports: dict[str, Any] = {str(mark): prove_report(proof) for mark, proof in proofs.items()}
    code = min(map(_code, proofs.values()), key=WORST_FIRST.index)
    lines = [line for proof in proofs.values() for line in (*verdict_words(proof), *_chances(proof))]
    return Answer(reports if options.side == "both" else reports[options.side], lines, code)


def _prove_side(mark: Mark, rules: Rules, options: Namespace) -> "BotProof":
    from solver.analysis.trial import prove

    samples, budget = within(options.samples, 0, 10_000, "samples"), parse_budget(options.budget)
    with _bot(rules, options) as answer, progress("positions asked") as show:
        return prove(_counting(answer, show), mark, rules, samples, budget)


def _counting(ask: Callable[[Position], T], show: Show) -> Callable[[Position], T]:
    """Return the function with a progress display that counts how often it is asked."""
    asked = count(1)

    def counted(position: Position) -> T:
        show(next(asked), None)
        return ask(position)

    return counted


def _bot(rules: Rules, options: Namespace) -> "Bot":
    if os.name != "posix":
        raise BadOption("Programs are proved on Linux and macOS only.")
    from solver.cli.bots import Gomocup, Program, Service

    if not 0 < options.seconds <= MOST_SECONDS:
        raise BadOption(f"An answer can take up to {MOST_SECONDS:,} seconds, not {options.seconds:g}.")
    if (options.url is None) == (not options.program):
        raise BadOption("Name your program after --, or give its --url, but not both.")
    if options.url is not None:
        if options.gomocup:
            raise BadOption("An engine for --gomocup is a program, and has no --url.")
        return Service(options.url, options.seconds)
    return (Gomocup if options.gomocup else Program)(options.program, options.seconds, rules)


def _code(proof: "BotProof") -> int:
    return {"unbeatable": 0, "beaten": BEATEN, "broken": BROKEN, "undecided": UNFINISHED}[proof.verdict]


def _chances(proof: "BotProof") -> Iterator[str]:
    from solver.analysis.trial import results_against

    ends = (Result(proof.mark), Result.DRAW, Result(proof.mark.other))
    if found := results_against(proof):
        rows = ((title, *(format_percent(chances[end]) for end in ends)) for title, chances in found.items())
        yield from table_text([("chances against", "wins", "draws", "loses"), *rows], words=(0,))


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
    for mark in marks_of(options.side):
        try:
            with progress("positions decided") as show:
                shown = replace(strategy, decide=_counting(strategy.decide, show))
                tried = replace(trial(shown, mark, rules, budget), strategy=strategy)
        except TooLarge as error:
            print(f"noughts: {error} A larger --budget goes farther.", file=sys.stderr)
            yield Answer({}, (), UNFINISHED)
            return
        yield Answer(_trial_report(tried), [*idea, *verdict_words(tried)], 0 if tried.unbeatable else BEATEN)
        idea = []


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
    from solver.catalogue.entry import atlas
    from solver.catalogue.games import board_or_game, game_named, games

    entries = [*map(board_or_game, options.boards)]
    if not entries:
        entries = [game_named(str(rules)) for rules in games()] if options.rules else [*atlas().values()]
    if options.make is not None:
        return _make_atlas(entries, options)
    return Answer(atlas_report(entries), _atlas_text(entries))


def _make_atlas(entries: "Sequence[Entry | ProvedGame]", options: Namespace) -> Answer:
    from solver.catalogue.games import ProvedGame
    from solver.catalogue.make import extend_atlas, extend_games

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
    except (ValueError, KeyError) as error:
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
    from solver.catalogue.questions import certify

    if options.on is options.board is None:
        raise BadOption("Name the board of the certificate, for example 4x4x4.")
    written = certify(rules, parse_budget(options.budget))
    path = writable(options.output or f"{rules}.jsonl")
    most = within(options.limit, 1, 1_000_000, "megabytes") * 1_000_000
    beside = path.with_name(f"{path.name}.new")
    lines, size, spent = 0, 0, ""
    try:
        with beside.open("w", encoding="ascii") as file, progress("steps written") as show:
            for line in written:
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
    from solver.catalogue.questions import check

    path = Path(options.file)
    most = within(options.limit, 1, 1_000_000, "megabytes") * 1_000_000
    if "\0" in options.file or not path.is_file():
        raise BadOption(f"There is no file {quoted(options.file, 200)}.")
    checked = check(path, most, within(options.seconds, 1, 1_000_000, "seconds"))
    if options.book and checked:
        _write_proofs(writable(options.book), checked.certificate)
    report = {"file": options.file, "proved": checked.proved, "verdict": str(checked)}
    return Answer(start_report(Position(checked.certificate.rules)) | report, [str(checked)], 0 if checked else 1)


def _write_proofs(path: "Path", certificate: "Certificate") -> None:
    from solver.catalogue.certify import proofs_by
    from solver.proofs.file import write_book

    if not certificate.wins:
        raise BadOption("Only a certificate of a win proves its positions won.")
    write_book(path, dict(proofs_by(certificate)))


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
    proofs: dict[Position, Bounds] = {}
    with closing(_proofs(positions, pool)) as answers, progress("positions proved") as show:
        for position, bounds in answers:
            proofs[position] = bounds
            show(len(proofs), len(positions))
    try:
        write_book(path, proofs)
    except TROUBLE as error:
        raise OSError(f"{path} cannot be written: {error}") from error
    report = {"file": str(path), "stones": options.stones, "positions": len(proofs)}
    number, stones = counted(len(proofs), "position", "positions"), counted(options.stones, "stone", "stones")
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
