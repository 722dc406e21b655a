"""The checks of the Scala article's claims, about its player, its published game and its test for a win."""

from collections import Counter
from functools import cache
from typing import Final

from solver.analysis.review import Turn, review
from solver.articles.claims.claim import Evidence
from solver.articles.generic import PlainMinimax
from solver.board.game import Game, parse_game
from solver.board.notation import format_cell, format_cells, format_outcome, parse_rules
from solver.board.outcome import Grade, sign
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Bits, Rules, union
from solver.players import STRATEGIES
from solver.search.minimax import alphabeta
from solver.search.tablebase import positions, unfinished

START: Final = Position(TIC_TAC_TOE)

PUBLISHED: Final = "c1b2a1b1a3a2c3b3"
"""The moves of the game in the article's log; the program plays O."""

SET_ORDER: Final = (6, 0, 7, 2, 4, 8, 5, 1, 3)
"""The order in which Scala 2.8 to 2.12 iterates over the article's set of squares. The set is a hash trie."""

STEPS: Final = {"leftDiagonal": (1, 1), "rightDiagonal": (-1, 1), "row": (1, 0), "column": (0, 1)}
"""A step in each of the article's four directions: the rows down and the columns to the right."""


def _unbeatable() -> Evidence:
    counts = {mark: games(mark) for mark in Mark}
    lost = sum(count[Result(mark.other)] for mark, count in counts.items())
    results = "; ".join(
        f"as {mark} it wins {count[Result(mark)]:,} games, draws {count[Result.DRAW]:,}"
        f" and loses {count[Result(mark.other)]:,}"
        for mark, count in counts.items()
    )
    return Evidence.of(lost == 0, results=results)


def _published_game() -> Evidence:
    minimax, turns = PlainMinimax(), _turns_of_program()
    free = [len(minimax.best(turn.position)) for turn in turns]
    return Evidence.of(
        [format_cell(minimax.last_best(turn.position, SET_ORDER), TIC_TAC_TOE) for turn in turns],
        order=format_cells(SET_ORDER, TIC_TAC_TOE),
        free=", ".join(map(str, free)),
    )


def _published_result() -> Evidence:
    game = published_game()
    given = " and ".join(
        f"X {format_cell(turn.cell, TIC_TAC_TOE)} (from a {turn.before.value} to a {turn.after.value})"
        for turn in review(game).mistakes
    )
    return Evidence.of(str(game.last.result), given=given)


def _best_replies() -> Evidence:
    minimax, turns = PlainMinimax(), _turns_of_program()
    best = [turn.cell in minimax.best(turn.position) for turn in turns]
    left = ", ".join(f"{format_cell(turn.cell, TIC_TAC_TOE)} {format_outcome(turn.after)}" for turn in turns)
    return Evidence.of(all(best), best=sum(best), replies=len(best), left=left)


def _optimal_moves() -> Evidence:
    slow = [turn for turn in review(published_game()).turns if turn.grade is Grade.SLOWER]
    missed = "; ".join(
        f"at ply {turn.ply} it played"
        f" {format_cell(turn.cell, TIC_TAC_TOE)}, a win in {turn.after.plies} plies, where"
        f" {format_cells(turn.best, TIC_TAC_TOE)} wins in {turn.before.plies}"
        for turn in slow
    )
    minimax = PlainMinimax()
    by_value = all(turn.cell in minimax.best(turn.position) for turn in _turns_of_program())
    return Evidence.of(not slow, deviating=by_value, missed=missed)


def _whole_tree() -> Evidence:
    whole, pruned = PlainMinimax().plain(START), alphabeta(START, TIC_TAC_TOE.size)
    needed = sign(pruned.score) != whole.value or pruned.nodes >= whole.nodes
    return Evidence.of(needed, deviating=whole.nodes == _nodes_from(START), whole=whole.nodes, pruned=pruned.nodes)


def _finds_a_move() -> Evidence:
    minimax, positions = PlainMinimax(), unfinished(TIC_TAC_TOE)
    lost = sum(minimax.plain(position).value == -1 for position in positions)
    return Evidence.of(all(map(minimax.best, positions)), positions=len(positions), lost=lost)


def _first_cell() -> Evidence:
    lined = [(position, mark) for position in positions(TIC_TAC_TOE) for mark in Mark if position.lines_of(mark)]
    seen = sum(bool(_lines_from_steps(TIC_TAC_TOE, position.stones(mark))) for position, mark in lined)
    return Evidence.of(seen == len(lined), lined=len(lined), seen=seen)


def _four_directions() -> Evidence:
    boards = [parse_rules(text) for text in ("3x3x3", "4x4x3", "5x5x4")]
    lines = {rules: _lines_from_steps(rules, rules.full) for rules in boards}
    counts = ", ".join(f"{len(stepped)} on {rules}" for rules, stepped in lines.items())
    return Evidence.of(all(stepped == set(rules.lines) for rules, stepped in lines.items()), counts=counts)


def _row_and_column() -> Evidence:
    (down, right), (column_down, _) = STEPS["row"], STEPS["column"]
    return Evidence.of(down == 0, deviating=column_down == 0 and right == 0, down=down, right=right)


def published_game() -> Game:
    """Return the game of the article's log."""
    return parse_game(str(TIC_TAC_TOE), None, PUBLISHED)


@cache
def _nodes_from(position: Position) -> int:
    """Count the nodes of the game tree below a position, and the position itself."""
    return 1 + sum(map(_nodes_from, position.successors()))


def _turns_of_program() -> list[Turn]:
    """Return the program's turns in the published game, with their review."""
    return [turn for turn in review(published_game()).turns if turn.mover is Mark.O]


def games(mark: Mark, start: Position = START) -> Counter[Result]:
    """Count the results of all games that plain minimax can play as `mark`.

    Minimax takes any of its best squares, and the opponent takes any square.
    """
    decide, known = STRATEGIES["minimax"].decide, dict[Position, Counter[Result]]()

    def below(position: Position) -> Counter[Result]:
        if position.result is not None:
            return Counter([position.result])
        if position not in known:
            cells = decide(position).choices if position.mover is mark else position.legal_moves
            known[position] = sum((below(position.after(cell)) for cell in cells), Counter())
        return known[position]

    return below(start)


def _lines_from_steps(rules: Rules, stones: Bits) -> set[Bits]:
    """Return the lines that these stones fill, found by steps in the four directions from every cell."""
    lines = set[Bits]()
    for cell in range(rules.size):
        column, row = rules.column_row(cell)
        for down, right in STEPS.values():
            places = [(column + right * step, row + down * step) for step in range(rules.k)]
            if all(0 <= c < rules.columns and 0 <= r < rules.rows for c, r in places):
                line = union(1 << rules.cell(c, r) for c, r in places)
                if line & stones == line:
                    lines.add(line)
    return lines
