"""Facts on games that differ by one clause, on lines of one's own, and on the game of numbers."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from solver import predict
from solver.atlas.games import game_named
from solver.board.game import parse_game
from solver.board.notation import format_cell, format_particulars, parse_rules
from solver.board.outcome import Outcome, Value, counted
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell, Rules, cells_of
from webapp.pages.learn.content import Facts, FactsOf, Remark, judge_squares
from webapp.ui.board import mini, strike
from webapp.ui.filters import board_title, winning_rule

RULES: Final = (
    "3x3x3",
    "3x3x3-torus",
    "3x3x3-projective",
    "3x3x3-misere",
    "3x3x3-notakto",
    "3x3x3-wild",
    "3x3x3-vanishing",
    "3x3x3-vanishing-strict",
)
"""The eight rules, which differ from the usual one by one clause at most."""

MAGIC: Final = (2, 7, 6, 9, 5, 1, 4, 3, 8)
"""The numbers of a magic square, in reading order: each line adds up to FIFTEEN, and no other three numbers do."""

FIFTEEN: Final = 15

WINNERS: Final = {"first": "Whoever begins", "draw": "Nobody", "second": "Whoever is second"}
"""The answers to the question who wins."""

OF_VALUE: Final = {Value.WIN: "first", Value.DRAW: "draw", Value.LOSS: "second"}


def count_rules() -> Facts:
    """Count who wins under the eight rules."""
    winners = Counter(OF_VALUE[predict(Position(parse_rules(name))).outcome.value] for name in RULES)
    return Facts.of(first=winners["first"], second=winners["second"] or "none", draws=winners["draw"])


def judge_winners(name: str) -> Facts:
    """Judge who wins under a rule."""
    rules, proved = parse_rules(name), game_named(name)
    outcome = proved.outcome if proved.proof else predict(Position(rules)).outcome
    known = OF_VALUE[outcome.value]
    decided = outcome.plies and known != "draw"
    return Facts.of(
        {who: "yes" if who == known else known for who in WINNERS},
        mini(Position(rules)),
        titles=WINNERS,
        rule=f"{winning_rule(rules).partition(', ')[2].capitalize()}. {format_particulars(rules)}".rstrip(),
        winner=WINNERS[known],
        after=f", in {counted(outcome.plies or 0, 'move', 'moves')} of both together" if decided else "",
    )


def draw_mirrored() -> Facts:
    """Draw a misère game in which X takes the centre, and then the square opposite to O's."""
    return Facts.of(board=mini(parse_game("3x3x3-misere", None, "b2a3c1").last))


def judge_safe(moves: str) -> Facts:
    """Judge the squares of a misère game by whether they hold the draw."""
    position = parse_game("3x3x3-misere", None, moves).last
    squares, rules = predict(position).squares, position.rules
    safe = [cell for cell, outcome in squares.items() if outcome.value is not Value.LOSS]

    def judge(cell: Cell) -> Remark:
        after, name = position.after(cell), format_cell(cell, rules)
        if cell in safe:
            return Remark.of("safe", mini(after, classes={cell: "new"}), name=name)
        if after.winning_lines:
            lit = tuple(strike(line, rules) for line in after.winning_lines)
            return Remark.of("line", mini(after), lit, name=name)
        return Remark.of("loses", name=name, other=position.mover.other)

    return judge_squares(position, judge, mover=position.mover)


def judge_fifteen(board: Position) -> Facts:
    """Judge the numbers that the player to move can take, in the game of numbers that a position stands for."""
    own, others = board.stones(board.mover), board.stones(board.mover.other)

    def judge(cell: Cell) -> Remark:
        after = board.after(cell)
        if not after.winning_lines:
            return Remark.of("short", number=MAGIC[cell])
        (line,) = after.winning_lines
        shown = mini(after, texts={each: str(MAGIC[each]) for each in after.legal_moves})
        total = " + ".join(str(MAGIC[each]) for each in cells_of(line))
        return Remark.of("wins", shown, (strike(line, TIC_TAC_TOE),), sum=total)

    return Facts.of(
        {f"take{MAGIC[cell]}": judge(cell) for cell in _by_number(board.legal_moves)},
        titles={f"take{MAGIC[cell]}": str(MAGIC[cell]) for cell in _by_number(board.legal_moves)},
        own=_list_numbers(cells_of(own)),
        others=_list_numbers(cells_of(others)),
    )


def _by_number(cells: Iterable[Cell]) -> list[Cell]:
    return sorted(cells, key=MAGIC.__getitem__)


def _list_numbers(cells: Iterable[Cell]) -> str:
    *most, last = (str(MAGIC[cell]) for cell in _by_number(cells))
    return f"{', '.join(most)} and {last}" if most else last


def judge_who_wins(rules: Rules, outcome: Outcome, right: str, **values: object) -> Facts:
    """Judge whether X wins, nobody or O, where an extra stone never harms. `right` names the words to the truth."""
    known, wrong = "x" if outcome.value is Value.WIN else "draw", {"x": "holds", "draw": "wins", "o": "never"}
    answers = {mark: right if mark == known else says for mark, says in wrong.items()}
    return Facts(answers, mini(Position(rules)), values={"game": board_title(rules), **values})


def judge_line_winners(name: str) -> Facts:
    """Judge who wins a game."""
    game = game_named(name)
    shape, sentence = game.rules.shape, game.rules.surface.sentence
    return judge_who_wins(
        game.rules,
        game.outcome,
        "search" if game.nodes else "pairs",
        wins=f"{shape.words} wins: {shape.drawn}, turned or flipped" if shape else "A full line wins",
        surface=f"{sentence} " if sentence else "",
        words=game.words[0].upper() + game.words[1:],
        proof=counted(game.nodes, "position proves", "positions prove"),
    )


FACTS: Final[FactsOf] = {
    "rules-counted": count_rules,
    "winner": judge_winners,
    "mirrored": draw_mirrored,
    "safe": judge_safe,
    "fifteen": judge_fifteen,
    "line-winner": judge_line_winners,
}
