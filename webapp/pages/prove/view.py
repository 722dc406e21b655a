"""The page of a proof: the verdict on a player, and a game against it on the board.

Its link holds the whole player of tic-tac-toe, whose table of moves people paste.

A code has one square for each position that can arise, in the order of asking: the number of the square among the open
ones. These numbers are the digits of one whole number, each in the base of its position's open squares, the first digit
least. The number is written in base 36. A player as O takes at most 342 characters.
"""

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from string import ascii_lowercase, digits
from typing import Final

from solver.analysis.trial import BotProof, BotVerdict, prove, table
from solver.board.game import Game, parse_game
from solver.board.notation import few_cells, format_cell, format_moves, format_position, quoted
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.errors import BadOption, NoughtsError
from solver.players import Strategy, playing_on
from solver.players.match import results
from solver.search.budget import Budget
from webapp.ui.address import Query, number_of, one_of, with_query
from webapp.ui.board import Mini, mini

WHOLE: Final = Budget(nodes=20_000)
"""The budget of a proof: more positions than 3×3 has. Every proof is whole, however busy the machine."""

_CODE: Final = re.compile(r"[0-9a-z]{1,400}")
_BASE: Final = digits + ascii_lowercase


def code_of(proof: BotProof) -> str:
    """Return the code of a player that has answered every position."""
    number = 0
    for position, decision in [*proof.answers.items()][::-1]:
        open_squares = position.legal_moves
        (cell,) = decision.choices
        number = number * len(open_squares) + open_squares.index(cell)
    text = ""
    while number or not text:
        number, digit = divmod(number, len(_BASE))
        text = _BASE[digit] + text
    return text


def proof_of(code: str, mark: Mark) -> BotProof:
    """Prove the player that a code holds. Raises BadOption for a text that is no code."""
    left = int(code, len(_BASE)) if _CODE.fullmatch(code) else -1

    def answer(position: Position) -> str:
        nonlocal left
        open_squares = position.legal_moves
        left, digit = divmod(left, len(open_squares))
        return format_cell(open_squares[digit], TIC_TAC_TOE)

    proof = prove(answer, mark, TIC_TAC_TOE, budget=WHOLE)
    if left:  # a text that is no code never comes to 0
        raise BadOption(f"{mark.lower()}={quoted(code)} holds no player. Copy the whole link, or prove the bot again.")
    return proof


def read_table(text: str) -> Mapping[str, str]:
    """Return the moves of a pasted table by position: a JSON object, or lines such as `X.O/.X./..O,c2`.

    Raises BadOption.
    """
    if text.lstrip().startswith("{"):
        return _of_json(text)
    moves = {}
    for number, row in enumerate(csv.reader(text.splitlines(), skipinitialspace=True), 1):
        if not row or (number == 1 and row[0].strip().lower() == "position"):
            continue
        if len(row) != 2:
            raise BadOption(f"Line {number} isn't a position and a square, such as X.O/.X./..O,c2.")
        moves[row[0].strip()] = row[1]
    return moves


def _of_json(text: str) -> Mapping[str, str]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadOption(f"That table isn't JSON: {error}.") from error
    moves = found.get("moves", found)
    if not isinstance(moves, dict) or not all(isinstance(each, str | int) for each in moves.values()):
        raise BadOption('Write the table as one JSON object, such as {"X.O/.X./..O": "c2", …}.')
    return {position: str(square) for position, square in moves.items()}


def tabled(moves: tuple[tuple[str, str], ...]) -> tuple[tuple[dict[str, str], str], bool]:
    """Return the codes of a table by mark, or else the reason why it has none. A task of the pool, whose result is new.

    The table plays each mark that it has positions for.
    """
    codes = {}
    try:
        answer = table(dict(moves), TIC_TAC_TOE)
        ahead = {text.upper().count("X") - text.upper().count("O") for text, _ in moves}
        for mark in (mark for number, mark in enumerate(Mark) if number in ahead):
            proof = prove(answer, mark, TIC_TAC_TOE, budget=WHOLE)
            if proof.problem:
                raise BadOption(f"At {format_position(proof.problem.position)}, as {mark}: {proof.problem.message}")
            codes[mark.lower()] = code_of(proof)
    except NoughtsError as error:
        return ({}, str(error)), False
    return (codes, "" if codes else "Paste a function or a table first."), False


PATH: Final = "/prove"

Codes = Mapping[Mark, str]
"""The codes of a player by its mark."""


@dataclass(frozen=True, slots=True)
class ProofView:
    """The verdict on a player by mark, and a game against it after its first `at` moves.

    `mark` is the player's in that game. The game shows the move to blame if it is the shortest lost game.
    """

    codes: Codes
    proofs: Mapping[Mark, BotProof]
    mark: Mark
    game: Game
    at: int

    @property
    def proof(self) -> BotProof:
        """The proof with the mark that is shown."""
        return self.proofs[self.mark]

    @property
    def unbeatable(self) -> bool:
        """True if the player loses with none of its marks."""
        return not self._beaten

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.game.positions[self.at]

    @property
    def losing(self) -> bool:
        """True if the game is the shortest that the player loses."""
        return self.proof.game is not None and self.game.moves == self.proof.game.moves

    @property
    def erring(self) -> Cell | None:
        """The move to blame, where it comes next."""
        blame = self.proof.blame
        return blame.cell if blame and self.losing and self.position == blame.position else None

    @property
    def better(self) -> tuple[Cell, ...]:
        """The squares that would have held, where the move to blame comes next."""
        return self.proof.blame.better if self.proof.blame and self.erring is not None else ()

    @property
    def verdict(self) -> str:
        """The verdict in a sentence."""
        if self._beaten:
            return f"Not yet: it can be beaten as {' and as '.join(self._beaten)}."
        return f"Yes! Nobody can beat it{'' if len(self.proofs) == len(Mark) else f' as {self.mark}'}."

    @property
    def badge(self) -> str:
        """The words of the badge."""
        if self.unbeatable:
            return f"proved unbeatable as {' and '.join(self.proofs)}"
        return f"can be beaten as {' and '.join(self._beaten)}"

    @property
    def status(self) -> str:
        """Whose turn it is, or how the game ended."""
        result, rules = self.position.result, TIC_TAC_TOE
        if result is not None:
            return {Result(self.mark): "Your bot wins.", Result.DRAW: "A draw."}.get(result, "The bot is beaten!")
        if self.erring is not None:
            held = few_cells(self.better, rules)
            return f"{self.mark} plays {format_cell(self.erring, rules)} here: the mistake. {held} would have held."
        if self.position.mover is self.mark:
            return f"{self.mark} to move: the bot."
        return f"You're {self.position.mover}. Press a square."

    @property
    def on(self) -> str | None:
        """The address of the next position of the game, None at its end."""
        return self.showing(self.at + 1) if self.at < len(self.game.moves) else None

    @property
    def stills(self) -> Iterator[tuple[Mini, str, bool, bool]]:
        """Each position as a small board: its address, whether it is shown, and whether a mistake led to it."""
        for ply, position in enumerate(self.game.positions):
            caption, before = "start", self.game.positions[max(0, ply - 1)]
            if ply:
                caption = f"{before.mover} {format_cell(self.game.moves[ply - 1], TIC_TAC_TOE)}"
            blame = self.proof.blame
            erred = bool(ply and self.losing and blame and before == blame.position)
            yield mini(position, caption), self.showing(ply), ply == self.at, erred

    @property
    def squares(self) -> Iterator[tuple[str, str, str, str | None]]:
        """Each square from the top left: its name, its mark, its style, and the address after the visitor's move."""
        won = {cell for line in self.position.winning_lines for cell in range(9) if line >> cell & 1}
        for cell in range(TIC_TAC_TOE.size):
            mark, url = self.position.mark_at(cell), None
            style = ("taken won" if cell in won else "taken") if mark else "empty"
            if not mark and self.position.result is None and self.position.mover is not self.mark:
                style, url = "open", self.url(self._after(cell))
            style = "erring" if cell == self.erring else "named" if cell in self.better else style
            yield format_cell(cell, TIC_TAC_TOE), mark or "", style, url

    def showing(self, at: int) -> str:
        """Return the address of the same game at another ply."""
        return self.url(self.game, at)

    def url(self, game: Game | None = None, at: int | None = None, mark: Mark | None = None) -> str:
        """Return the address of the proof, or of a game against the player."""
        moves = None if game is None else format_moves(game.moves, TIC_TAC_TOE)
        side = mark or (self.mark if game is not None else None)
        return with_query(PATH, {**coded(self.codes), "side": side, "moves": moves, "at": at}, "stage" if side else "")

    def play(self) -> str:
        """Return the address of a new game against the player."""
        return self.url(begun(self.proof))

    @property
    def _beaten(self) -> tuple[Mark, ...]:
        return tuple(mark for mark, each in self.proofs.items() if each.verdict is not BotVerdict.UNBEATABLE)

    def _after(self, cell: Cell) -> Game:
        if self.game.moves[self.at : self.at + 1] == (cell,):
            return answered(self.proof, self.game.upto(self.at + 1))
        return answered(self.proof, self.game.upto(self.at).play(cell))


def coded(codes: Codes) -> dict[str, str]:
    """Return the query of a player's codes."""
    return {mark.lower(): code for mark, code in codes.items()}


def codes_of(query: Query) -> Codes:
    """Return the codes that a query holds."""
    return {mark: code for mark in Mark if (code := query.get(mark.lower()))}


@lru_cache(maxsize=64)
def proved(code: str, mark: Mark) -> BotProof:
    """Prove the player of a code, and remember it for the next step of the game. Raises BadOption."""
    return proof_of(code, mark)


def view(query: Query) -> ProofView:
    """Show the proof of the codes `x` and `o`, and the game with `side`, `moves` and ply `at`. Raises NoughtsError."""
    codes = codes_of(query)
    if not codes:
        raise BadOption("Give the codes of a player: x=…, o=… or both.")
    proofs = {mark: proved(code, mark) for mark, code in codes.items()}
    beaten = [mark for mark, each in proofs.items() if each.game]
    mark = Mark(one_of(query, "side", codes, (beaten or [*codes])[-1]))
    proof = proofs[mark]
    moves, at = query.get("moves"), None
    if moves is not None:
        game = _checked(proof, parse_game("3x3x3", None, moves))
    elif proof.game is not None:
        game = proof.game
        at = game.positions.index(proof.blame.position) if proof.blame else 0
    else:
        game = begun(proof)
    return ProofView(
        codes, proofs, mark, game, number_of(query, "at", len(game.moves) if at is None else at, 0, len(game.moves))
    )


def begun(proof: BotProof) -> Game:
    """Return a new game, in which the visitor moves next."""
    return answered(proof, Game.starting(Position(TIC_TAC_TOE)))


def answered(proof: BotProof, game: Game) -> Game:
    """Return the game with the player's answer, if it is the player's turn."""
    choices = proof.answers.get(game.last)
    return game.play(next(iter(choices.choices))) if choices else game


def _checked(proof: BotProof, game: Game) -> Game:
    for position, cell in zip(game.positions, game.moves, strict=False):
        if position.mover is proof.mark and cell not in proof.answers[position].choices:
            raise BadOption(f"The bot would not play {format_cell(cell, TIC_TAC_TOE)} there. Begin a new game.")
    return game


def chances(proof: BotProof) -> Iterator[tuple[Strategy, Mapping[Result, Fraction]]]:
    """Yield every opponent with the exact chances of each result of a game against the player."""
    for opponent in playing_on(TIC_TAC_TOE):
        x, o = (proof.strategy, opponent) if proof.mark is Mark.X else (opponent, proof.strategy)
        yield opponent, results(TIC_TAC_TOE, x, o)
