"""Reads the sentences of reasons back and holds each against plain play: minimax, and stones put on the board.

Nothing here knows how a reason was found or checked. What cannot be read is not true.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from solver.board.notation import parse_cell
from solver.board.outcome import DRAWN, LOST, PROVED, WIN, Score, to_parent
from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Rules, cells_of

SQUARE = r"[a-h]\d"
SQUARES = rf"{SQUARE}(?:, {SQUARE})*(?: (?:and|or) {SQUARE})?"
LINE = rf"{SQUARE}–{SQUARE}|{SQUARE}"


def score(position: Position) -> Score:
    """The score of a position for its mover, by minimax."""
    return _score(position.rules, position.own, position.other)


@cache
def _score(rules: Rules, own: Bits, other: Bits) -> Score:
    if any(line & other == line for line in rules.lines):
        return LOST
    empty = list(cells_of(rules.full & ~(own | other)))
    return max((to_parent(_score(rules, other, own | 1 << cell)) for cell in empty), default=DRAWN)


def square(position: Position, cell: Cell) -> Score:
    """The score of an open square for who moves there."""
    return to_parent(score(position.after(cell)))


@dataclass(frozen=True)
class Said:
    """A square of a position, and what was said of it."""

    position: Position
    cell: Cell
    words: dict[str, str]

    @property
    def me(self) -> Mark:
        return self.position.mover

    @property
    def you(self) -> Mark:
        return self.position.mover.other

    @property
    def after(self) -> Position:
        return self.position.after(self.cell)

    @property
    def others(self) -> list[Cell]:
        return [cell for cell in self.position.legal_moves if cell != self.cell]

    def cells(self, name: str) -> list[Cell]:
        return [parse_cell(each, self.position.rules) for each in re.findall(SQUARE, self.words[name])]

    def one(self, name: str) -> Cell:
        (cell,) = self.cells(name)
        return cell

    def mark(self, name: str) -> Mark:
        return Mark(self.words[name])


def threats(position: Position, mark: Mark, *more: Cell) -> set[Cell]:
    """Where a player would complete a line if it had stones on these cells too, and it were its turn."""
    stones = position.stones(mark) | sum(1 << cell for cell in more)
    theirs = position.stones(mark.other)
    return {
        cell
        for cell in cells_of(position.rules.full & ~(stones | theirs))
        if any(line & (stones | 1 << cell) == line for line in position.rules.lines_through[cell])
    }


def named(position: Position, text: str) -> set[Bits]:
    """The lines between the squares of these names."""
    ends = [{parse_cell(each, position.rules) for each in re.findall(SQUARE, part)} for part in re.findall(LINE, text)]
    return {line for line in position.rules.lines if {next(cells_of(line)), line.bit_length() - 1} in ends}


def completed(position: Position, mark: Mark, cell: Cell) -> set[Bits]:
    stones = position.stones(mark) | 1 << cell
    return {line for line in position.rules.lines_through[cell] if line & stones == line}


def fills_line(said: Said) -> bool:
    lines = completed(said.position, said.you, said.one("move"))
    return (
        said.mark("who") is said.you
        and said.one("move") != said.cell
        and named(said.position, said.words["line"]) <= lines
    )


def cannot_block(said: Said) -> bool:
    shown = said.mark("who"), said.mark("blocker"), set(said.cells("targets"))
    return shown == (said.you, said.me, threats(said.position, said.you)) and len(shown[2]) > 1


def completes(said: Said) -> bool:
    return named(said.position, said.words["lines"]) == completed(said.position, said.me, said.cell)


def two_threats(said: Said) -> bool:
    return set(said.cells("targets")) == threats(said.after, said.me) and not threats(said.after, said.you)


def plays(said: Said, position: Position, who: Mark) -> bool:
    """Whether it is this player's turn, and the word for the move is right: a block, or not."""
    blocks = threats(position, who.other) == {said.one("move")}
    return said.mark("who") is who is position.mover and (said.words["how"] == "blocks on") == blocks


def punished_by_two(said: Said) -> bool:
    after = said.after.after(said.one("move"))
    return (
        plays(said, said.after, said.you)
        and set(said.cells("targets")) == threats(after, said.you)
        and not threats(after, said.me)
    )


def forced_and_two(position: Position, said: Said) -> bool:
    """Whether the answer is forced in this position, in which the one who threatens has just moved."""
    who, answer = position.mover.other, said.one("answer")
    if threats(position, who) != {answer} or threats(position, position.mover):
        return False
    after = position.after(answer).after(said.one("last"))
    return threats(after, who) == set(said.cells("targets")) and not threats(after, who.other)


def forces_two(said: Said) -> bool:
    return said.mark("who") is said.you and forced_and_two(said.after, said)


def punished_by_force(said: Said) -> bool:
    return (
        plays(said, said.after, said.you)
        and said.mark("me") is said.me
        and forced_and_two(said.after.after(said.one("move")), said)
    )


def prepared(position: Position, said: Said) -> bool:
    """What the player who has just moved prepares in this position, and that it wins whatever the other does."""
    who, prepared, replies, moves = position.mover.other, said.one("next"), said.cells("replies"), said.cells("moves")
    ways = {
        reply: [each for each in moves if each != reply and square(position.after(reply), each) >= PROVED]
        for reply in replies
    }
    return (
        said.mark("defender") is position.mover
        and said.mark("winner") is who
        and not threats(position, who)
        and threats(position, who, prepared) == set(said.cells("targets"))
        and all(ways.values())
        and {move for some in ways.values() for move in some} >= set(moves)
        and all(
            square(position.after(reply), prepared) >= PROVED for reply in position.legal_moves if reply not in replies
        )
    )


def prepares(said: Said) -> bool:
    return prepared(said.after, said)


def punished_by_preparing(said: Said) -> bool:
    return plays(said, said.after, said.you) and prepared(said.after.after(said.one("move")), said)


def would_win(said: Said) -> bool:
    """Whether the loser would win if it moved again; that the other is faster is its loss."""
    mine, theirs = said.after.stones(said.me) | 1 << said.one("first"), said.after.stones(said.you)
    won = _score(said.position.rules, theirs, mine) <= -PROVED
    return said.mark("loser") is said.me and said.mark("faster") is said.you and won


def example(said: Said) -> bool:
    other = Said(said.position, said.one("other"), said.words)
    return other.cell != said.cell and is_true(other.position, other.cell, said.words["rest"] + ".")


def only(said: Said) -> bool:
    return bool(said.others) and all(square(said.position, each) <= -PROVED for each in said.others)


def blocks(said: Said) -> bool:
    return named(said.position, said.words["lines"]) == completed(said.position, said.you, said.cell)


def gains_time(said: Said) -> bool:
    answer, fork = said.one("answer"), said.one("fork")
    return (
        said.mark("you") is said.you
        and threats(said.after, said.me) == {answer}
        and not threats(said.after, said.you)
        and fork != answer
        and threats(said.after, said.you, fork) == set(said.cells("targets"))
    )


def takes_fork(said: Said) -> bool:
    return said.mark("you") is said.you and threats(said.position, said.you, said.cell) == set(said.cells("targets"))


def many_pairs(said: Said) -> bool:
    return (said.mark("you"), said.mark("me")) == (said.you, said.me) and score(said.after) <= DRAWN


def pairs(said: Said) -> bool:
    """Whether each line that the opponent could still complete holds a pair."""
    if (said.mark("you"), said.mark("me")) != (said.you, said.me):
        return False
    cells = said.cells("pairs")
    both = [1 << one | 1 << other for one, other in zip(cells[::2], cells[1::2], strict=True)]
    mine = said.after.stones(said.me)
    return len(set(cells)) == len(cells) and all(
        any(line & pair == pair for pair in both) for line in said.position.rules.lines if not line & mine
    )


def no_line_left(said: Said) -> bool:
    x, o = said.after.x, said.after.o
    return all(line & x and line & o for line in said.position.rules.lines)


def harmless(said: Said) -> bool:
    mine = said.after.stones(said.me)
    return (said.mark("you"), said.mark("me")) == (said.you, said.me) and all(
        line & mine for line in said.position.rules.lines
    )


def wins_missed(said: Said) -> bool:
    wins = {each for each in said.position.legal_moves if square(said.position, each) >= PROVED}
    return set(said.cells("squares")) == wins and said.cell not in wins


def choice(said: Said) -> bool:
    replies = {each: square(said.after, each) for each in said.after.legal_moves}
    draws = {each for each, value in replies.items() if value == DRAWN}
    losses = {each for each, value in replies.items() if value <= -PROVED}
    if (said.mark("you"), said.mark("me")) != (said.you, said.me) or draws | losses != set(replies):
        return False
    return (draws if said.words["how"] == "has to reply" else losses) == set(said.cells("squares"))


def any_reply_draws(said: Said) -> bool:
    return said.mark("you") is said.you and all(square(said.after, each) == DRAWN for each in said.after.legal_moves)


def slower(said: Said) -> bool:
    best = square(said.position, said.one("best"))
    moves = 1 if said.words["when"] == "at once" else int(said.words["when"].removeprefix("in "))
    return best == score(said.position) > square(said.position, said.cell) >= PROVED and (WIN - best + 1) // 2 == moves


def all_lose(said: Said) -> bool:
    mine = square(said.position, said.cell)
    lost = all(square(said.position, each) <= -PROVED for each in said.position.legal_moves)
    return lost and (mine == score(said.position)) == said.words["rest"].startswith(", and none")


_WHO = r"(?P<who>[XO]) (?P<how>plays|blocks on) (?P<move>[a-h]\d)"
_BLOW = rf"; then (?P<last>{SQUARE}) threatens (?P<targets>{SQUARES}) at once"
_PREPARES = (
    rf"prepares (?P<next>{SQUARE}), which would threaten (?P<targets>{SQUARES}) at once\. (?P<defender>[XO]) can"
    rf" prevent that on (?P<replies>{SQUARES}), but then (?P<winner>[XO]) wins by (?P<moves>{SQUARES})"
)
_LINES = rf"(?P<lines>(?:{LINE})(?:(?:, | and )(?:{LINE}))*)"
_PAIRS = rf"(?P<pairs>{SQUARE} with {SQUARE}(?:, {SQUARE} with {SQUARE})*)"
_NO_LINE = r"(?:it )?(?P<you>[XO]) gets no line: (?P<me>[XO]) answers"

SAYINGS: dict[str, Callable[[Said], bool]] = {
    rf"completes {_LINES}": completes,
    rf"threatens (?P<targets>{SQUARES}) at once": two_threats,
    rf"threatens (?P<answer>{SQUARE}), so (?P<who>[XO]) must answer there{_BLOW}": forces_two,
    _PREPARES: prepares,
    rf"slower than (?P<best>{SQUARE}), which wins (?P<when>at once|in \d+)": slower,
    rf"(?P<who>[XO]) plays (?P<move>{SQUARE}) and (?P<line>{LINE}) is full": fills_line,
    rf"(?P<who>[XO]) threatens (?P<targets>{SQUARES}), and (?P<blocker>[XO]) can block only one of them": cannot_block,
    rf"{_WHO}, threatening (?P<targets>{SQUARES}) at once": punished_by_two,
    rf"{_WHO} and (?P<me>[XO]) must answer (?P<answer>{SQUARE}){_BLOW}": punished_by_force,
    rf"{_WHO} and {_PREPARES}": punished_by_preparing,
    rf"(?P<loser>[XO]) would win by (?P<first>{SQUARE}) next, but (?P<faster>[XO]) is faster": would_win,
    r"every square loses(?P<rest>, and none holds out longer|)": all_lose,
    r"the only square that holds": only,
    rf"after (?P<other>{SQUARE}), for one, (?P<rest>[^.]*)": example,
    rf"(?:it )?blocks {_LINES}": blocks,
    rf"(?:it )?threatens (?P<answer>{SQUARE}), so (?P<you>[XO]) must answer there and cannot play (?P<fork>{SQUARE}),"
    rf" which would threaten (?P<targets>{SQUARES}) at once": gains_time,
    rf"(?:it )?takes the square from which (?P<you>[XO]) would threaten (?P<targets>{SQUARES}) at once": takes_fork,
    rf"{_NO_LINE} {_PAIRS}, and the other way round": pairs,
    rf"{_NO_LINE} each square of \d+ pairs with the other one": many_pairs,
    r"fills the board, and nobody has a line": lambda said: not said.others and no_line_left(said),
    r"leaves nobody a line: each holds both marks": no_line_left,
    r"(?P<you>[XO]) can get no line any more: (?P<me>[XO]) stands on each": harmless,
    rf"misses the win by (?P<squares>{SQUARES})": wins_missed,
    rf"(?P<you>[XO]) (?P<how>has to reply) (?P<squares>{SQUARES}); after any other square (?P<me>[XO]) wins": choice,
    rf"(?P<you>[XO]) (?P<how>may reply anywhere but on) (?P<squares>{SQUARES}), where (?P<me>[XO]) wins": choice,
    r"whatever (?P<you>[XO]) replies, it stays a draw": any_reply_draws,
}
"""What can be said, and what that means."""


def is_true(position: Position, cell: Cell, text: str) -> bool:
    """Whether all that is said of a square can be read and is true. Several sayings follow each other."""
    said = text if text[:1] in "XO" else text[:1].lower() + text[1:]
    for saying, holds in SAYINGS.items():
        if match := re.match(rf"{saying}(?:\.$|\. |; |: )", said):
            rest = said[match.end() :]
            return holds(Said(position, cell, match.groupdict())) and (not rest or is_true(position, cell, rest))
    return False
