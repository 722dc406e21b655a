"""Facts on who wins: under rules that differ by a clause, by pairs or a certificate, and where nobody knows."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from solver import predict
from solver.board.game import parse_game
from solver.board.notation import format_cell, format_particulars, parse_cell, parse_position, parse_rules
from solver.board.outcome import Outcome, Value, counted
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell, Rules, cells_of
from solver.catalogue.certify import certificate
from solver.catalogue.entry import entry_named
from solver.catalogue.games import game_named, proved_games
from webapp.pages.learn.content import Facts, Remark, judge_squares
from webapp.ui.board import NOTHING, Mini, mini, strike
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

WINNERS: Final = {"first": "The first player", "draw": "Nobody", "second": "The second player"}
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
        after=f", by move {outcome.plies}" if decided else "",
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
        numbers = {each: str(number) for each, number in enumerate(MAGIC)}
        shown = mini(Position(TIC_TAC_TOE), texts=numbers, classes=dict.fromkeys(cells_of(own | 1 << cell), "new"))
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
    marked = dict.fromkeys(cells_of(rules.lines[0]), "new") if rules.shape else {}
    return Facts(answers, mini(Position(rules), classes=marked), values={"game": board_title(rules), **values})


def judge_line_winners(name: str) -> Facts:
    """Judge who wins a game."""
    game = game_named(name)
    sentence = game.rules.surface.sentence
    return judge_who_wins(
        game.rules,
        game.outcome,
        "search" if game.nodes else "pairs",
        wins="The marked squares win, turned or flipped" if game.rules.shape else "A full line wins",
        surface=f"{sentence} " if sentence else "",
        words=game.words[0].upper() + game.words[1:],
        proof=counted(game.nodes, "position proves", "positions prove"),
    )


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
    rules = parse_rules(PAIRED)
    return Facts.of(board=_number(Position(rules)), lines=len(rules.lines))


def judge_pair(board: str, move: str) -> Facts:
    """Judge O's answers to a move of X on a board whose squares are paired."""
    rules = parse_rules(board)
    taken = parse_cell(move, rules)
    position = Position(rules).after(taken)
    (partner,) = (sum(pair) - taken for pair in _pairs(rules) if taken in pair)

    def judge(cell: Cell) -> Remark:
        after, name = position.after(cell), format_cell(cell, rules)
        return Remark.of("pair", _number(after, {cell: "new"}), name=name) if cell == partner else Remark("other")

    number = 1 + next(at for at, pair in enumerate(_pairs(rules)) if taken in pair)
    facts = judge_squares(position, judge, move=move, number=number)
    return Facts(facts.answers, _number(position), values=facts.values)


def _pairs(rules: Rules) -> tuple[tuple[Cell, ...], ...]:
    return tuple(entry_named(str(rules)).pairs if rules.shape is None else game_named(str(rules)).pairs)


def _number(position: Position, classes: Mapping[Cell, str] = NOTHING) -> Mini:
    pairs = enumerate(_pairs(position.rules), start=1)
    texts = {cell: str(number) for number, pair in pairs for cell in pair if not position.mark_at(cell)}
    return mini(position, texts=texts, classes=classes)


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
