"""The claims of the Scala article, about its player, its published game and its test for a win."""

from collections import Counter
from functools import cache, partial
from typing import Final

from solver.analysis.review import Turn, review
from solver.articles.claims.claim import Computation, claim
from solver.articles.generic import PlainMinimax
from solver.board.game import Game, parse_game
from solver.board.notation import format_cell, format_cells, format_outcome, parse_rules
from solver.board.outcome import Grade, sign
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Bits, Rules, union
from solver.players import STRATEGIES
from solver.search.alphabeta import alphabeta
from solver.search.tablebase import positions, unfinished

START: Final = Position(TIC_TAC_TOE)

PUBLISHED: Final = "c1b2a1b1a3a2c3b3"
"""The moves of the game in the article's log; the program plays O."""

SET_ORDER: Final = (6, 0, 7, 2, 4, 8, 5, 1, 3)
"""The order in which Scala 2.8 to 2.12 iterates over the article's set of squares. The set is a hash trie."""

STEPS: Final = {"leftDiagonal": (1, 1), "rightDiagonal": (-1, 1), "row": (1, 0), "column": (0, 1)}
"""A step in each of the article's four directions: the rows down and the columns to the right."""

generic_claim = partial(claim, page="generic")
"""A decorator for claims about the generic player, which has a lesson."""


@claim("scala.unbeatable", "The minimax player cannot be beaten.", page="trial?strategy=minimax")
def _unbeatable() -> Computation:
    counts = {mark: games(mark) for mark in Mark}
    lost = sum(count[Result(mark.other)] for mark, count in counts.items())
    shown = "; ".join(
        f"as {mark} it wins {count[Result(mark)]:,} games, draws {count[Result.DRAW]:,}"
        f" and loses {count[Result(mark.other)]:,}"
        for mark, count in counts.items()
    )
    return Computation(
        lost == 0,
        f"Every one of its best squares at each of its turns against every move of the opponent: {shown}. So no order"
        " of the set can make it lose.",
    )


@generic_claim(
    "scala.published-game",
    "In the logged game it answers c1, a1, a3 and c3 with b2, b1, a2 and b3.",
    ["b2", "b1", "a2", "b3"],
)
def _published_game() -> Computation:
    minimax, turns = PlainMinimax(), _turns_of_program()
    free = [len(minimax.best(turn.position)) for turn in turns]
    return Computation(
        [format_cell(minimax.last_best(turn.position, SET_ORDER), TIC_TAC_TOE) for turn in turns],
        "The fold keeps the last of the best squares, so the order of Scala's set decides. Up to Scala 2.12 that set"
        f" lists {format_cells(SET_ORDER, TIC_TAC_TOE)}, which gives these replies. The numbers of best squares to"
        f" choose from were {', '.join(map(str, free))}.",
    )


@generic_claim("scala.published-result", "Player two, the program, wins that game.", "O")
def _published_result() -> Computation:
    game = published_game()
    given = " and ".join(
        f"X {format_cell(turn.cell, TIC_TAC_TOE)} (from a {turn.before.value} to a {turn.after.value})"
        for turn in review(game).mistakes
    )
    return Computation(
        str(game.last.result), f"O completes the middle column. What decided the game was the error {given}."
    )


@generic_claim("scala.best-replies", "Each of its replies there has the best value.")
def _best_replies() -> Computation:
    minimax, turns = PlainMinimax(), _turns_of_program()
    best = [turn.cell in minimax.best(turn.position) for turn in turns]
    left = ", ".join(f"{format_cell(turn.cell, TIC_TAC_TOE)} {format_outcome(turn.after)}" for turn in turns)
    return Computation(
        all(best), f"{sum(best)} of its {len(best)} replies are worth the most there is for O: {left} plies."
    )


@generic_claim("scala.optimal-moves", "Each of them is optimal: no other move is better.")
def _quickest() -> Computation:
    slow = [turn for turn in review(published_game()).turns if turn.grade is Grade.SLOWER]
    missed = "; ".join(
        f"at ply {turn.ply} it played"
        f" {format_cell(turn.cell, TIC_TAC_TOE)}, a win in {turn.after.plies} plies, where"
        f" {format_cells(turn.best, TIC_TAC_TOE)} wins in {turn.before.plies}"
        for turn in slow
    )
    minimax = PlainMinimax()
    return Computation(
        not slow,
        f"None has a better value, so in the article's own terms each is optimal. But its values don't count moves:"
        f" {missed}. It still wins, but later.",
        deviating=all(turn.cell in minimax.best(turn.position) for turn in _turns_of_program()),
    )


@generic_claim(
    "scala.whole-tree",
    "To choose the best move, look at all moves and all replies, to the end of the game.",
)
def _whole_tree() -> Computation:
    whole, pruned = PlainMinimax().plain(START), alphabeta(START, TIC_TAC_TOE.size)
    return Computation(
        sign(pruned.score) != whole.value or pruned.nodes >= whole.nodes,
        f"That is the principle of minimax, and this program follows it: {whole.nodes:,} nodes from the empty board."
        f" Fewer are enough: alpha-beta finds the same value with {pruned.nodes:,}.",
        deviating=whole.nodes == _nodes_from(START),
    )


@claim("scala.finds-a-move", "In every unfinished position it finds a move.")
def _finds_a_move() -> Computation:
    minimax = PlainMinimax()
    open_positions = unfinished(TIC_TAC_TOE)
    lost = sum(minimax.plain(position).value == -1 for position in open_positions)
    return Computation(
        all(minimax.best(position) for position in open_positions),
        f"It takes a square as good as the worst value too. Of the {len(open_positions):,} unfinished positions"
        f" {lost:,} are lost whatever is played; with “better than” for “at least as good as” it would have no move"
        " there.",
    )


@claim(
    "scala.first-cell",
    "Whoever has won holds a topmost, leftmost, top-left or bottom-left cell from which a whole line runs.",
)
def _first_cell() -> Computation:
    lined = [(position, mark) for position in positions(TIC_TAC_TOE) for mark in Mark if position.lines_of(mark)]
    seen = sum(bool(_lines_from_steps(TIC_TAC_TOE, position.stones(mark))) for position, mark in lined)
    return Computation(
        seen == len(lined),
        f"In all {len(lined):,} positions with a line a cell is found from which one of the four directions stays on"
        f" the winner's stones: {seen:,}.",
    )


@generic_claim("scala.four-directions", "Its four directions give all lines, for any board and length.")
def _directions() -> Computation:
    boards = [parse_rules(text) for text in ("3x3x3", "4x4x3", "5x5x4")]
    found = {str(rules): len(_lines_from_steps(rules, rules.full)) for rules in boards}
    listed = ", ".join(f"{number} on {board}" for board, number in found.items())
    return Computation(
        all(_lines_from_steps(rules, rules.full) == set(rules.lines) for rules in boards),
        f"They give every winning line and no other: {listed}.",
    )


@claim("scala.row-and-column", "Its direction “row” runs along a row, “column” along a column.")
def _row_names() -> Computation:
    down, right = STEPS["row"]
    return Computation(
        down == 0,
        f"These are names in the program, not statements: “row” counts rows, so it steps {down} down and {right} to the"
        " right, along a column. Exchange the two names and they fit. The program tries both directions, so that"
        " changes nothing.",
        deviating=STEPS["column"][0] == 0 and STEPS["row"][1] == 0,
    )


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
    found = set[Bits]()
    for cell in range(rules.size):
        column, row = rules.column_row(cell)
        for down, right in STEPS.values():
            places = [(column + right * step, row + down * step) for step in range(rules.k)]
            if all(0 <= c < rules.columns and 0 <= r < rules.rows for c, r in places):
                line = union(1 << rules.cell(c, r) for c, r in places)
                if line & stones == line:
                    found.add(line)
    return found
