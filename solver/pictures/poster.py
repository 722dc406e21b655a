"""The map of optimal moves on one page: one player's best reply to every move of the opponent.

Among several best moves the map takes the one that wins most often against an opponent who moves at random. If several
win equally often, it takes the first in reading order.

Boards are nested in the squares of boards. Each board shows the game so far and, in large, the owner's next move. Each
square that is open after this move holds the board after the opponent's move there. If that move fills the board, only
the opponent's stone is drawn.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from solver.board.game import Counts
from solver.board.notation import format_cell
from solver.board.position import Mark, Position, Result
from solver.board.rules import Bits, Cell, Rules
from solver.errors import TooLarge
from solver.pictures import svg
from solver.proofs.predict import predict
from solver.search.fold import fold, itself


@dataclass(frozen=True, slots=True)
class BestReply:
    """The owner's move in `position`, and the rest of the map after each answer of the opponent.

    `reply` is None if it is not the owner's turn: before the opponent's first move, and at the end of a game.
    """

    position: Position
    reply: Cell | None
    answers: Mapping[Cell, "BestReply"]

    @property
    def after(self) -> Position:
        """The position after the reply."""
        return self.position if self.reply is None else self.position.after(self.reply)

    def walk(self) -> Iterator["BestReply"]:
        """Yield this reply and all that follow it."""
        yield self
        for answer in self.answers.values():
            yield from answer.walk()


def map_of_moves(rules: Rules, owner: Mark) -> BestReply:
    """Return the whole map from the empty board. Raise TooLarge for boards without a table of all positions."""
    if not rules.is_small:
        raise TooLarge("A map of all optimal moves is drawn for boards of up to nine squares.")
    return _advice(Position(rules), owner)


def tally(advice: BestReply, owner: Mark) -> Counts:
    """Count the games on a map that its owner wins, draws and loses."""
    return Counts.of((each.after.result for each in advice.walk()), owner)


def _advice(position: Position, owner: Mark) -> BestReply:
    reply = best_reply(position) if position.mover is owner and position.result is None else None
    after = position if reply is None else position.after(reply)
    answers = {cell: _advice(after.after(cell), owner) for cell in after.legal_moves}
    return BestReply(position, reply, MappingProxyType(answers))


def best_reply(position: Position) -> Cell:
    """Return the move that the map shows in an unfinished position."""
    return max(predict(position).best, key=lambda cell: (_chance((position.after(cell), position.mover)), -cell))


def _line(state: tuple[Position, Mark]) -> Iterator[tuple[Position, Mark]]:
    """Yield the position after the map's move if its owner is to move, else the position after each opposing move."""
    position, owner = state
    own = position.mover is owner and position.result is None
    return ((position.after(cell), owner) for cell in ((best_reply(position),) if own else position.legal_moves))


_chance = fold(
    lambda state: Fraction(state[0].result == Result(state[1])),
    lambda _, chances: sum(chances, Fraction()) / len(chances),
    _line,
    itself,
)
"""The chance that a player wins by this map if the opponent plays every open square with the same probability."""


WIDTH, HEIGHT = 1000, 1414
"""The page, in the proportions of A3 and A4."""

MARGIN, TOP = 40, 222
INSET = 0.035
"""The gap between a square's edge and the board inside the square, in units of squares."""

GREY_TINT = "#e3e3e0"


def poster(rules: Rules, owner: Mark) -> str:
    """Return the map for one player as SVG. Raise TooLarge beyond boards of nine squares."""
    advice = map_of_moves(rules, owner)
    side = WIDTH - 2 * MARGIN
    scale = side / max(rules.columns, rules.rows)
    return svg.document(
        WIDTH,
        HEIGHT,
        f"Map of optimal moves for {owner} on {rules}",
        describe(advice, owner),
        _heading(owner),
        svg.placed(
            MARGIN,
            TOP,
            scale,
            svg.tag(
                "rect", width=rules.columns, height=rules.rows, fill=svg.SQUARE, stroke=svg.INK, stroke_width=0.012
            ),
            _board(advice, owner),
            fill="none",
            stroke_linecap="round",
            stroke_linejoin="round",
        ),
        _legend(advice, owner, TOP + scale * rules.rows + 40),
    )


def describe(advice: BestReply, owner: Mark) -> str:
    """Return a description of the map: the owner's first moves, and the number of games won and drawn."""
    rules = advice.position.rules
    cells_by_reply: dict[Cell, list[str]] = {}
    for cell, answer in advice.answers.items():
        if answer.reply is not None:
            cells_by_reply.setdefault(answer.reply, []).append(format_cell(cell, rules))
    groups = sorted(cells_by_reply.items(), key=lambda group: len(group[1]))
    named = [" or ".join(cells) for _, cells in groups[:-1]] + ["every other move" if groups[1:] else "every move"]
    answers = [f"{name} with {format_cell(reply, rules)}" for name, (reply, _) in zip(named, groups, strict=False)]
    if advice.reply is not None:
        first = f"{owner} begins at {format_cell(advice.reply, rules)}"
    else:
        first = f"{owner} answers {', and '.join(answers)}"
    return " ".join((f"{first}.", *_ends(advice, owner)))


def _ends(advice: BestReply, owner: Mark) -> tuple[str, str]:
    ends = tally(advice, owner)
    games = f"{ends.games} games on this map"
    counts = f"{owner} wins {ends.won}, {ends.drawn} are drawn and {ends.lost} lost."
    if ends.lost:
        return f"Of the {games}", counts
    return f"Whatever {owner.other} plays, {owner} does not lose: of the {games}", counts


def _board(advice: BestReply, owner: Mark) -> str:
    position, rules = advice.position, advice.position.rules
    after = advice.after
    last = {cell for cell, answer in advice.answers.items() if _fills(answer)}
    parts = [_ground(after, owner, bool(last))]
    if advice.reply is not None:
        column, row = rules.column_row(advice.reply)
        parts.append(svg.tag("rect", x=column, y=row, width=1, height=1, fill=svg.TINTS[owner]))
    parts.append(
        svg.tag("path", d=svg.grid(rules), stroke=svg.INK if position.plies_left > 2 else svg.LINE, stroke_width=0.022)
    )
    parts.append(svg.path(svg.gaps(rules), fill=svg.LINE))
    older = {Mark.X: position.x, Mark.O: position.o}
    for cell in last:
        older[owner.other] |= 1 << cell
    parts.extend(_stones(mark, bits, rules, 0.075) for mark, bits in older.items())
    if advice.reply is not None:
        parts.append(_stones(owner, 1 << advice.reply, rules, 0.16))
    parts.append(svg.path(svg.strikes(after), stroke=svg.INK, stroke_width=0.06))
    parts.extend(_inside(cell, answer, owner) for cell, answer in advice.answers.items() if cell not in last)
    return "".join(parts)


def _ground(after: Position, owner: Mark, drawn: bool) -> str:
    """Return the tint of a finished game: the winner's colour, or grey for a draw."""
    won = after.result == Result(owner)
    if not (won or drawn or after.result is Result.DRAW):
        return ""
    fill = svg.TINTS[owner] if won else GREY_TINT
    return svg.tag("rect", width=after.rules.columns, height=after.rules.rows, fill=fill)


def _inside(cell: Cell, answer: BestReply, owner: Mark) -> str:
    rules = answer.position.rules
    column, row = rules.column_row(cell)
    scale = (1 - 2 * INSET) / max(rules.columns, rules.rows)
    return svg.tag(
        "g",
        _board(answer, owner),
        transform=f"translate({svg.number(column + INSET)} {svg.number(row + INSET)}) scale({scale:.5f})",
    )


def _stones(mark: Mark, cells: Bits, rules: Rules, width: float) -> str:
    steps = svg.crosses(cells, rules) if mark is Mark.X else svg.rings(cells, rules)
    return svg.path(steps, stroke=svg.MARKS[mark], stroke_width=width)


def _heading(owner: Mark) -> str:
    lines = (
        f"You play {owner}. Your next move is the large {owner} on the tinted square.",
        f"Then look for the square where {owner.other} moves: the board inside it is the game after that move,",
        "with your next move large again. Look closer, and go on until the game ends.",
    )
    return svg.text(f"Map of optimal moves for {owner}", MARGIN, 96, 46, font_weight="bold") + "".join(
        svg.text(line, MARGIN, 135 + 26 * row, 19.5, fill=svg.SOFT) for row, line in enumerate(lines)
    )


def _legend(advice: BestReply, owner: Mark, top: float) -> str:
    rules = advice.position.rules
    samples = (
        (_first(advice, lambda each: each.after.result is None and bool(each.position.x)), "your next move"),
        (_first(advice, lambda each: each.after.result == Result(owner)), "you have won"),
        (_first(advice, _shows_draw), "a draw"),
    )
    parts = []
    for place, (sample, words) in enumerate(samples):
        if sample is None:
            continue
        ends = {cell: answer for cell, answer in sample.answers.items() if _fills(answer)}
        parts.append(
            svg.placed(
                MARGIN + 305 * place,
                top,
                75 / rules.rows,
                svg.tag(
                    "rect", width=rules.columns, height=rules.rows, fill=svg.SQUARE, stroke=svg.GREY, stroke_width=0.04
                ),
                _board(BestReply(sample.position, sample.reply, ends), owner),
                fill="none",
                stroke_linecap="round",
            )
        )
        parts.append(svg.text(words, MARGIN + 305 * place + 92, top + 45, 20))
    counts = enumerate(_ends(advice, owner))
    parts.extend(svg.text(line, MARGIN, top + 122 + 26 * row, 19.5, fill=svg.SOFT) for row, line in counts)
    return "".join(parts)


def _first(advice: BestReply, wanted: Callable[[BestReply], bool]) -> BestReply | None:
    return next((each for each in advice.walk() if each.reply is not None and wanted(each)), None)


def _fills(answer: BestReply) -> bool:
    """Return whether the opponent's move fills the board for a draw."""
    return answer.reply is None and answer.after.result is Result.DRAW


def _shows_draw(advice: BestReply) -> bool:
    """Return whether the owner's move, or the only move that is left after it, fills the board for a draw."""
    return advice.after.result is Result.DRAW or (
        len(advice.answers) == 1 and all(map(_fills, advice.answers.values()))
    )
