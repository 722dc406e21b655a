"""The board on the page of a game, and the explanation of the square whose line of best play is shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from solver.board.notation import format_cell, format_whole_percent
from solver.board.outcome import Grade, Outcome, Value
from solver.board.position import Mark
from solver.board.rules import Cell, union
from solver.reasons import Reason
from webapp.pages.play import words
from webapp.pages.play.game import Snapshot, computer_to_move
from webapp.pages.play.link import Link
from webapp.ui.board import Board, LineView, Square, board_of, empty, line_view, of_line, taken
from webapp.ui.choices import Choice

NO_STONES: Final[Mapping[Cell, tuple[str, int]]] = MappingProxyType({})

_STEPS: Final = ((1, "near"), (2, "soon"), (4, "later"))
"""The tints of wins and losses, each with its greatest distance in moves; farther ones have the faintest tint."""

_JUDGED: Final = MappingProxyType({Grade.BEST: " right"} | {grade: " wrong" for grade in Grade if grade.is_mistake})
"""The style of a tried square by its grade."""


@dataclass(frozen=True, slots=True)
class Why:
    """The square whose line is shown: its outcome, the reason in `words`, its line, and the `steps` through it."""

    name: str
    outcome: Outcome
    words: str
    line: LineView
    steps: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class PointedAt:
    """The square that the visitor points at, for the part of the page that explains it."""

    link: Link
    why: Why | None
    shows_outcomes: bool = False
    record: None = None
    question: None = None
    lesson: None = None

    @property
    def line(self) -> LineView | None:
        """The line that is drawn over the board."""
        return self.why.line if self.why else None


def board(shown: Snapshot, moved: str, stones: Mapping[Cell, tuple[str, int]] = NO_STONES) -> Board:
    """Return the board of a link. If outcomes are hidden, no square contains any.

    `moved` is "reply" or "move" if a computer has just moved: a reply appears a moment after the person's move.
    `stones` are those of a line of best play, drawn with their numbers on squares that are still open.
    """
    link = shown.link
    rules, position = link.rules, link.position
    playable = position.result is None and not computer_to_move(link)
    won = union(position.winning_lines)
    last = link.game.moves[link.at - 1] if link.at else None

    def square(cell: Cell) -> Square:
        if position.mark_at(cell):
            return taken(position, cell, won, last)
        if cell in stones:
            return of_line(rules, cell, playable, *stones[cell])
        return _open(shown, cell, playable, outcomes=not stones)

    return board_of(position, square, "board" + (f" {moved} {moved}-{link.at // 2 % 2}" if moved else ""))


def why(shown: Snapshot) -> Why | None:
    """Return the square whose line is shown, with the line's first `step` moves; None if no line is shown."""
    link, prediction, moves = shown.link, shown.prediction, shown.now.line
    if link.line is None or not link.shows_outcomes or prediction is None:
        return None
    outcome = prediction.squares[link.line]
    step = min(link.step if link.step is not None else len(moves), len(moves))

    def to(number: int) -> str:
        return link.having(step=number).url()

    return Why(
        name=format_cell(link.line, link.rules),
        outcome=outcome,
        words=_words(shown.reason, outcome, link.position.mover),
        line=line_view(link.position, moves, step, url=to, reason=shown.reason, plies=outcome.plies),
        steps=(
            Choice("Back", to(step - 1) if step > 0 else None, id="line-back"),
            Choice("Forward", to(step + 1) if step < len(moves) else None, id="line-forward"),
            Choice("Close", link.having(line=None, step=None).url(), id="line-close"),
        ),
    )


def _words(reason: Reason | None, outcome: Outcome, mover: Mark) -> str:
    if reason is not None and reason.verified:
        return reason.text
    said = outcome.in_moves(mover)
    return f"{said[:1].upper()}{said[1:]}."  # without a reason, the outcome as far as it is proved


def _open(shown: Snapshot, cell: Cell, playable: bool, outcomes: bool) -> Square:
    """Return an open square, with its outcome if `outcomes` is set; a shown line hides the outcomes."""
    link, prediction = shown.link, shown.prediction
    bare = empty(link.rules, cell, playable)
    label, classes, letter, distance, chance = bare.label, bare.classes, "", "", ""
    if prediction is not None and link.shows_outcomes and outcomes and cell in prediction.squares:
        outcome = prediction.squares[cell]
        with_distance = link.show == "distance"
        label += f", {outcome.would(link.position.mover, with_distance)}"
        classes += f" {outcome.value}{_tint(outcome)}"
        letter = outcome.letter
        distance = _distance(outcome) if with_distance else ""
        if outcome.value is Value.UNKNOWN:
            classes += f" guess-{round(4 * prediction.estimates[cell])}"
        if with_distance and outcome.value is not Value.WIN and cell in shown.chances:
            chance = format_whole_percent(shown.chances[cell])
            label += f", {chance} to win against {words.opponent(link)}"
    if link.hint and cell in shown.hinted:
        label += ", best move"
        classes += " best"
    if cell == link.tried:
        label += ", the square you tried"
        classes += f" tried{_judged(shown)}"
    return Square(bare.x, bare.y, "", classes, letter, distance, chance, bare.name, label, playable)


def _judged(shown: Snapshot) -> str:
    """Return the style of the tried square in a lesson, else none: the coach's question tells its verdict in words."""
    return _JUDGED.get(shown.tried.grade, "") if shown.tried is not None and shown.link.learn else ""


def _tint(outcome: Outcome) -> str:
    if outcome.value not in (Value.WIN, Value.LOSS) or outcome.plies is None:
        return ""
    return next((f" {name}" for moves, name in _STEPS if outcome.plies <= 2 * moves), "")


def _distance(outcome: Outcome) -> str:
    """Return the winner's moves to the end. A draw has no number, since it always fills the board."""
    if outcome.value not in (Value.WIN, Value.LOSS):
        return outcome.number if outcome.value is Value.UNKNOWN else ""
    plies = outcome.plies if outcome.plies is not None else outcome.at_most
    assert plies is not None  # noqa: S101 - a proved value has its distance, or else a limit of it
    return ("≤" if outcome.plies is None else "") + str((plies + 1) // 2)
