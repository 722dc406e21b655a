"""The measures of the Scala article's claims, about its player, its published game and its test for a win."""

from types import SimpleNamespace
from typing import Final

from solver.analysis.review import Turn, review
from solver.analysis.trial import trial
from solver.articles.generic import PlainMinimax
from solver.articles.lookahead import ahead
from solver.board.game import Game, parse_game
from solver.board.notation import format_cell, format_cells, format_outcome, parse_rules
from solver.board.outcome import Grade, sign
from solver.board.position import Mark, Position
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


def _games() -> SimpleNamespace:
    counts = {mark: trial(STRATEGIES["minimax"], mark, TIC_TAC_TOE).counts for mark in Mark}
    results = [
        f"as {mark} it wins {count.won:,} games, draws {count.drawn:,} and loses {count.lost:,}"
        for mark, count in counts.items()
    ]
    return SimpleNamespace(unbeaten=not any(count.lost for count in counts.values()), told="; ".join(results))


def _published() -> SimpleNamespace:
    game, minimax = published_game(), PlainMinimax()
    reviewed = review(game)
    turns = [turn for turn in reviewed.turns if turn.mover is Mark.O]
    best = [turn.cell in minimax.best(turn.position) for turn in turns]
    slow = [turn for turn in reviewed.turns if turn.grade is Grade.SLOWER]
    errors = [f"X {_name(turn)} (from a {turn.before.value} to a {turn.after.value})" for turn in reviewed.mistakes]
    missed = [
        f"at ply {turn.ply} it played {_name(turn)}, a win in {turn.after.plies} plies,"
        f" where {format_cells(turn.best, TIC_TAC_TOE)} wins in {turn.before.plies}"
        for turn in slow
    ]
    return SimpleNamespace(
        answers=[format_cell(minimax.last_best(turn.position, SET_ORDER), TIC_TAC_TOE) for turn in turns],
        order=format_cells(SET_ORDER, TIC_TAC_TOE),
        free=", ".join(str(len(minimax.best(turn.position))) for turn in turns),
        result=str(game.last.result),
        given=" and ".join(errors),
        all_best=all(best),
        best=sum(best),
        replies=len(best),
        left=", ".join(f"{_name(turn)} {format_outcome(turn.after)}" for turn in turns),
        quickest=not slow,
        missed="; ".join(missed),
    )


def _name(turn: Turn) -> str:
    return format_cell(turn.cell, TIC_TAC_TOE)


def _tree() -> SimpleNamespace:
    minimax, open_positions = PlainMinimax(), unfinished(TIC_TAC_TOE)
    whole, pruned = minimax.plain(START), alphabeta(START, TIC_TAC_TOE.size)
    return SimpleNamespace(
        needed=sign(pruned.score) != whole.value or pruned.nodes >= whole.nodes,
        visited=whole.nodes == ahead(START, TIC_TAC_TOE.size).size(TIC_TAC_TOE.size),
        whole=whole.nodes,
        pruned=pruned.nodes,
        moves=all(map(minimax.best, open_positions)),
        positions=len(open_positions),
        lost=sum(minimax.plain(position).value == -1 for position in open_positions),
    )


def _lines() -> SimpleNamespace:
    lined = [(position, mark) for position in positions(TIC_TAC_TOE) for mark in Mark if position.lines_of(mark)]
    seen = sum(bool(_lines_from_steps(TIC_TAC_TOE, position.stones(mark))) for position, mark in lined)
    stepped = {rules: _lines_from_steps(rules, rules.full) for rules in map(parse_rules, ("3x3x3", "4x4x3", "5x5x4"))}
    (down, right), (column_down, _) = STEPS["row"], STEPS["column"]
    return SimpleNamespace(
        all_seen=seen == len(lined),
        lined=len(lined),
        seen=seen,
        complete=all(lines == set(rules.lines) for rules, lines in stepped.items()),
        counts=", ".join(f"{len(lines)} on {rules}" for rules, lines in stepped.items()),
        along=down == 0,
        exchanged=column_down == 0 and right == 0,
        down=down,
        right=right,
    )


def published_game() -> Game:
    """Return the game of the article's log."""
    return parse_game(str(TIC_TAC_TOE), None, PUBLISHED)


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
