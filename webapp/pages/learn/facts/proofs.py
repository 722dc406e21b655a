"""Facts on proofs: who wins on which board, pairs of squares, the answers of a certificate, and what nobody knows."""

from typing import Final

from solver import predict
from solver.atlas.certify import certificate
from solver.atlas.entry import entry_named
from solver.atlas.games import game_named, proved_games
from solver.board.notation import format_cell, parse_cell, parse_position, parse_rules
from solver.board.outcome import Value, counted
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from webapp.pages.learn.content import Facts, FactsOf, Remark, judge_squares
from webapp.pages.learn.facts.clause import judge_who_wins
from webapp.ui.board import Mini, mini
from webapp.ui.filters import board_title

PAIRED: Final = "5x5x5"
"""A board whose pairs prove the draw."""

CERTIFIED: Final = "4x3x3"
"""A board whose certificate is short."""


def judge_board(name: str) -> Facts:
    """Judge who wins on a board."""
    entry = entry_named(name)
    words, positions = entry.words[0].upper() + entry.words[1:], counted(entry.nodes, "position", "positions")
    return judge_who_wins(parse_rules(name), entry.outcome, "yes", words=words, positions=positions)


def draw_pairs() -> Facts:
    """Draw the pairs of a board, each as a number that two squares share, and count its lines."""
    return Facts.of(
        board=_number(Position(parse_rules(PAIRED))),
        pairs=len(entry_named(PAIRED).pairs),
        lines=len(parse_rules(PAIRED).lines),
    )


def judge_pair(board: str, move: str) -> Facts:
    """Judge O's answers to a move of X on a board whose squares are paired."""
    rules = parse_rules(board)
    taken = parse_cell(move, rules)
    position = Position(rules).after(taken)
    (partner,) = (sum(pair) - taken for pair in _pairs(rules) if taken in pair)

    def judge(cell: Cell) -> Remark:
        after, name = position.after(cell), format_cell(cell, rules)
        return Remark.of("pair", mini(after, classes={cell: "new"}), name=name) if cell == partner else Remark("other")

    number = 1 + next(at for at, pair in enumerate(_pairs(rules)) if taken in pair)
    facts = judge_squares(position, judge, move=move, number=number)
    return Facts(facts.answers, _number(position), values=facts.values)


def _pairs(rules: Rules) -> tuple[tuple[Cell, ...], ...]:
    return tuple(entry_named(str(rules)).pairs if rules.shape is None else game_named(str(rules)).pairs)


def _number(position: Position) -> Mini:
    pairs = enumerate(_pairs(position.rules), start=1)
    texts = {cell: str(number) for number, pair in pairs for cell in pair if not position.mark_at(cell)}
    return mini(position, texts=texts)


def judge_gap(board: str) -> Facts:
    """Judge X's answers in a certificate by whether they keep the win within the plies that it promises."""
    position = parse_position(board, parse_rules(CERTIFIED))
    promised = (entry_named(CERTIFIED).outcome.plies or 0) - (position.x | position.o).bit_count()
    squares, rules = predict(position).squares, position.rules

    def judge(cell: Cell) -> Remark:
        outcome, name = squares[cell], format_cell(cell, rules)
        if outcome.value is not Value.WIN:
            return Remark.of("gives", name=name)
        keeps = outcome.plies is not None and outcome.plies <= promised
        return Remark.of("keeps" if keeps else "late", mini(position.after(cell), classes={cell: "new"}), name=name)

    return judge_squares(position, judge, plies=counted(promised, "ply", "plies"))


def count_certificate() -> Facts:
    """Count the answers in a short certificate, the games by other rules, and those that nobody has judged."""
    rules = parse_rules(CERTIFIED)
    replies = sum(1 for _ in certificate(rules, entry_named(CERTIFIED).outcome)) - 1
    unknown = sum(game.proof is None for game in proved_games().values())
    return Facts.of(replies=replies, games=len(proved_games()), unknown=unknown)


def judge_unknown(names: list[str]) -> Facts:
    """Judge which of some games nobody has judged."""
    games = {name: game_named(name) for name in names}

    def judge(name: str) -> Remark:
        board, words = mini(Position(games[name].rules)), games[name].words
        return Remark.of("known" if games[name].proof else "unknown", board, words=words[0].upper() + words[1:])

    titles = {name: board_title(game.rules) for name, game in games.items()}
    return Facts.of({name: judge(name) for name in names}, titles=titles)


FACTS: Final[FactsOf] = {
    "board-winner": judge_board,
    "paired": draw_pairs,
    "pair": judge_pair,
    "gap": judge_gap,
    "certificate-counted": count_certificate,
    "unknown": judge_unknown,
}
