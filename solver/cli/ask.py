"""The commands that ask about positions and games: outcomes, reasons, reviews, chances, and solvers side by side."""

from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from os.path import isfile
from typing import TYPE_CHECKING, Any

from solver import oracle
from solver.board.game import Game
from solver.board.notation import few_cells, format_cell, format_cells, format_outcome, format_percent, is_board
from solver.board.outcome import Grade
from solver.board.position import Mark, Position
from solver.board.record import parse_records
from solver.board.rules import Cell, Rules
from solver.cli.command import (
    BOARD_OPTION,
    COLOR,
    JSON,
    OPPONENTS,
    POSITION,
    SHORT,
    Answer,
    answer_positions,
    answering,
    argument,
    budget_argument,
    command,
    game_named,
    in_color,
    on_positions,
    parse_budget,
    read_file,
    shorten,
    within,
)
from solver.cli.output import line_text, position_text, prediction_text, squares_text, table_text
from solver.errors import BadOption
from solver.proofs.prediction import UNPROVED, Prediction
from solver.report import explain_report, outcome_report, predict_report, replay_report, review_report

if TYPE_CHECKING:
    from solver.analysis.review import Review, SideNames, Turn
    from solver.articles.compare import Comparison, Heuristic, SolverRun
    from solver.reasons import Reason


@on_positions(
    "predict",
    "Says soon what perfect play makes of every open square.",
    "noughts predict X.O/.X./..O",
    budget_argument("200ms"),
    COLOR,
    *SHORT,
)
def predict_command(game: Game, options: Namespace) -> Answer:
    """Return the squares of a position, looked up or searched within the budget."""
    prediction = oracle.predict(game.last, budget=parse_budget(options.budget))
    lines = [*prediction_text(prediction, in_color(options)), *squares_text(prediction)]
    return shorten(Answer(predict_report(prediction), lines), prediction, options)


@on_positions(
    "why",
    "Says why each open square of a position, or one of them, wins, draws or loses.",
    "noughts why X.O/.X./..O a2",
    budget_argument("200ms"),
    after=(argument("square", nargs="?", metavar="SQUARE", help="the square that is asked about (all)"),),
)
def why_command(game: Game, options: Namespace) -> Answer:
    """Return the reason for each square that is proved within the budget."""
    position, cell = game.last, None
    if options.square is not None:
        cell = position.move_of(options.square)
        position.play(cell)
    prediction = oracle.predict(position, budget=parse_budget(options.budget))
    reasons = oracle.explain(prediction, prediction.squares if cell is None else (cell,))
    return Answer(explain_report(prediction, reasons), [*position_text(position), *_reasons_text(prediction, reasons)])


def _reasons_text(prediction: Prediction, reasons: "Mapping[Cell, Reason]") -> Iterator[str]:
    position, rules = prediction.position, prediction.position.rules
    for cell, reason in reasons.items():
        yield f"{format_cell(cell, rules)}  {reason.text or reason.outcome.words(position.mover, rules)}"
        if reason.refutation:
            ends = reason.line_complete and not reason.outcome.is_endless
            yield f"    best play: {line_text(reason.refutation, rules, ends)}"
    if not prediction.complete:
        yield UNPROVED


@answering(
    "review",
    "Holds every move of a game against the best one, and says where the game turned.",
    "noughts review c1b2a1b1a3a2c3b3",
    argument("moves", metavar="MOVES|FILE", help="the game's moves, such as b2a1c3, its link, or a file of records"),
    BOARD_OPTION,
    argument("--from", dest="start", metavar="POSITION", help="the position the game began from (the empty board)"),
    argument(
        "--x",
        default="human",
        metavar="PLAYER",
        help="who played X; an opponent's name gives the chances that people had against it (%(default)s)",
    ),
    argument("--o", default="human", metavar="PLAYER", help="who played O (%(default)s)"),
)
def review_command(options: Namespace) -> Iterator[Answer]:
    """Yield the same report as the web API's `review`, of each game if there are several."""
    if not isfile(options.moves):
        yield _review(game_named(options.board, options.start, options.moves), {}, options)
        return
    for number, record in enumerate(parse_records(read_file(options.moves))):
        answer = _review(record.game, record.headers, options)
        yield replace(answer, lines=chain([""] if number else (), answer.lines))


def _review(game: Game, headers: Mapping[str, str], options: Namespace) -> Answer:
    """Review a game, with a person's chances if they can be computed, and with the names that a record gives."""
    from solver.analysis.chances import chances_between
    from solver.players import player_named

    x, o = (player_named(name, game.last.rules) for name in (options.x, options.o))
    review = oracle.review(game, chances_between(x, o))
    titles = {mark: player.title if player else headers.get(mark) for mark, player in zip(Mark, (x, o), strict=True)}
    named = {mark: game.last.rules.player(mark) for mark in Mark}
    names = {mark: f"{named[mark]} ({title})" if title else named[mark] for mark, title in titles.items()}
    return Answer(review_report(review), _review_text(review, names))


def _review_text(review: "Review", names: "SideNames") -> Iterator[str]:
    from solver.analysis.review import story

    if review.turns:
        chances = any(turn.chances for turn in review.turns)
        titles = ("ply", "move", "mark", "left", "could have", "best", *(("chance", "could be") if chances else ()))
        yield from table_text([titles, *(_row(turn, chances) for turn in review.turns)], words=range(1, 8))
        yield ""
    yield story(review, names)
    if not review.complete:
        yield UNPROVED


def _row(turn: "Turn", with_chances: bool) -> tuple[str, ...]:
    chances = (str(turn.chance_after), str(turn.chance_before)) if turn.chances else ("-", "-")
    best = few_cells(turn.best, turn.position.rules) or "not proved"
    grade = f"{turn.grade}{', missed' if turn.missed else ''}"
    return *_columns(turn, grade), best, *(chances if with_chances else ())


def _columns(turn: "Turn", grade: str) -> tuple[str, ...]:
    """Return a row of texts: ply, move, grade, the outcome after the move, and the best outcome before it."""
    mover, rules = turn.mover, turn.position.rules
    move = f"{mover} {format_cell(turn.cell, rules)}"
    return str(turn.ply), move, grade, turn.after.words(mover, rules), turn.before.words(mover, rules)


@command(
    "replay",
    "Goes through a game with the outcome of each move and what would have been better.",
    "noughts replay --moves c1b2a1b1a3a2c3b3",
    *POSITION,
    JSON,
)
def replay_command(options: Namespace) -> int:
    """Print each move of a game with its grade; the moves may also be the first argument."""
    given = options.position or ""
    if any(map(str.isdigit, given)) and not is_board(given):  # a position has no digits
        if options.moves:
            raise BadOption("Give the moves once: as an argument or with --moves.")
        options = Namespace(**vars(options) | {"position": None, "moves": given})
    return answer_positions(_replay, options)


def _replay(game: Game, _: Namespace) -> Answer:
    if not game.moves:
        raise BadOption("Give the moves of the game, for example --moves b2a1c3.")
    review = oracle.review(game)
    rows: list[tuple[str, ...]] = [("ply", "move", "grade", "left", "could have", "better")]
    for turn in review.turns:
        best = ", ".join(format_cell(cell, game.last.rules) for cell in turn.best) or "not proved"
        rows.append((*_columns(turn, turn.grade.word), "" if turn.grade is Grade.BEST else best))
    return Answer(replay_report(review), table_text(rows, words=(1, 2, 3, 4, 5)))


@on_positions(
    "chances",
    "Gives the exact chance of winning that each square leaves against an opponent whose decisions are known.",
    "noughts chances X../.O./... --against medium",
    argument(
        "--against", default="hard", metavar="PLAYER", help=f"who plays the other mark: {OPPONENTS} (%(default)s)"
    ),
)
def chances_command(game: Game, options: Namespace) -> Answer:
    """Return the squares with their chances. On larger boards only late positions can be answered."""
    from solver.players import strategy_named

    position = game.last
    opponent = strategy_named(options.against, position.rules)
    answer = oracle.chances(position, opponent, strict=True)
    chances = {format_cell(cell, position.rules): chance for cell, chance in answer.items()}
    report = {"against": opponent.name, "chances": {name: str(chance) for name, chance in chances.items()}}
    lines = position_text(position)
    if chances:
        lines.append(f"How likely {position.mover} is to win against {opponent.title} by best play:")
        rows = ((name, str(chance), format_percent(chance)) for name, chance in chances.items())
        lines += table_text([("square", "chance", "about"), *rows], words=(0,))
    return Answer(report, lines)


@on_positions(
    "compare",
    "Sets several solvers and the players by rules on one position, with what each finds and what it costs.",
    "noughts compare X../.O./..X",
    argument(
        "--depth",
        type=int,
        metavar="PLIES",
        help="how far alpha-beta looks ahead, 1 to 12 (to the end on boards of up to nine squares, else 4)",
    ),
)
def compare_command(game: Game, options: Namespace) -> Answer:
    """Return the searches with each square's outcome, and the players with their choices."""
    from solver.articles.compare import MAX_DEPTH, compare_solvers, default_depth

    position = game.last
    if position.result is not None:
        raise BadOption("The game is over; name a position with open squares.")
    depth = default_depth(position.rules) if options.depth is None else options.depth
    comparison = compare_solvers(oracle.predict(position), within(depth, 1, MAX_DEPTH, "plies of look-ahead"))
    report = {
        "best": [format_cell(cell, position.rules) for cell in comparison.prediction.best],
        "searches": {name: _search_report(search, comparison) for name, search in _searches(comparison).items()},
        "players": {player.strategy.name: _player_report(player, comparison) for player in comparison.heuristics},
    }
    return Answer(report, _comparison_text(comparison))


def _searches(comparison: "Comparison") -> dict[str, "SolverRun"]:
    return {"minimax": comparison.minimax, "alphabeta": comparison.alphabeta, "exact": comparison.exact}


def _search_report(search: "SolverRun", comparison: "Comparison") -> dict[str, Any]:
    """Return a search as plain data.

    `squares` is null if the search was not run. `depth` is null if the search goes to the end of the game.
    """
    rules = comparison.prediction.position.rules
    return {
        "squares": search.outcomes
        and {format_cell(cell, rules): outcome_report(outcome) for cell, outcome in search.outcomes.items()},
        **{part: getattr(search, part) for part in ("nodes", "seconds", "depth", "short", "one_window")},
    }


def _one_window(search: "SolverRun") -> str:
    """Return the cost of finding only the best square, in words; empty if that is no cheaper."""
    if search.one_window in (None, search.nodes):
        return ""
    return f"a full window for each square; one over all, for the best alone: {search.one_window:,}"


def _player_report(player: "Heuristic", comparison: "Comparison") -> dict[str, Any]:
    """Return a rule-based player as plain data; its departures are the inferior squares that it may choose."""
    rules = comparison.prediction.position.rules
    return {
        "choices": {format_cell(cell, rules): str(chance) for cell, chance in player.decision.choices.items()},
        "reason": player.decision.reason,
        "seconds": player.seconds,
        "departures": [
            {
                "square": format_cell(departure.cell, rules),
                "grade": departure.grade.word,
                **outcome_report(departure.outcome),
            }
            for departure in player.departures
        ],
    }


def _comparison_text(comparison: "Comparison") -> Iterator[str]:
    prediction = comparison.prediction
    position = prediction.position
    yield from position_text(position)
    best = (
        f"{format_cells(prediction.best, position.rules)} ({prediction.outcome.words(position.mover, position.rules)})"
    )
    yield f"Best: {best if prediction.best else 'not proved'}."
    for rows, words in (
        (_search_rows(comparison), (0, 4)),
        (_player_rows(comparison, position.rules), (0, 2, 3, 4)),
        (_square_rows(comparison, position), (0,)),
    ):
        yield ""
        yield from table_text([*rows], words=words)


def _search_rows(comparison: "Comparison") -> Iterator[tuple[str, ...]]:
    yield "search", "nodes", "seconds", "plies", "remarks"
    for name, search in _searches(comparison).items():
        yield (
            name,
            "-" if search.nodes is None else f"{search.nodes:,}",
            f"{search.seconds:.4f}",
            "all" if search.depth is None else str(search.depth),
            "; ".join(filter(None, (search.short, _one_window(search)))),
        )


def _player_rows(comparison: "Comparison", rules: Rules) -> Iterator[tuple[str, ...]]:
    yield "player", "seconds", "plays", "instead of the best", "rule"
    for player in comparison.heuristics:
        yield (
            player.strategy.name,
            f"{player.seconds:.4f}",
            format_cells(player.decision.choices, rules),
            ", ".join(f"{format_cell(other.cell, rules)} ({other.grade.word})" for other in player.departures) or "-",
            player.decision.reason,
        )


def _square_rows(comparison: "Comparison", position: Position) -> Iterator[tuple[str, ...]]:
    searches = _searches(comparison)
    yield "square", *searches, *(player.strategy.name for player in comparison.heuristics)
    for cell in position.legal_moves:
        outcomes = [search.outcomes.get(cell) if search.outcomes else None for search in searches.values()]
        yield (
            format_cell(cell, position.rules),
            *("-" if outcome is None else format_outcome(outcome) for outcome in outcomes),
            *(str(player.decision.choices.get(cell, "-")) for player in comparison.heuristics),
        )
