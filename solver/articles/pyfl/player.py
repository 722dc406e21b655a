"""Players of tic-tac-toe that are PyFL programs: a `while` with the streams `board` and `player`, and O's `move`.

A player is asked for its move in any position: at the time that the stones tell, the board and the player are given,
and the move is demanded. The cells are numbered from 1 to 9 in reading order. For X the marks change places.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from solver.articles.pyfl.running import (
    MAX_STEPS,
    NATIVE,
    Datum,
    Demand,
    Note,
    ProgramRun,
    Scope,
    expect,
    native,
    write,
)
from solver.articles.pyfl.syntax import BadProgram, Expression, fail, parse_program
from solver.board.notation import format_position
from solver.board.position import Position
from solver.board.rules import Cell
from solver.players.decision import Decision, Strategy

PLAYER: Final = Path(__file__).with_name("player.pyfl").read_text(encoding="utf-8")
"""The article's program in words of our own."""

ALL_STEPS: Final = 1_500_000
"""The most steps of all decisions of a player."""


class AskedCondition(NamedTuple):
    """A condition of a program's `move` in a position: its words, whether it is true, and the operators that ran.

    `true` is None if the program does not come to it.
    """

    words: str
    true: bool | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ProgramPlayer:
    """The player that a program is: the program, its loop, and the loop's move."""

    program: Expression
    loop: Expression
    move: Expression

    @classmethod
    def of(cls, text: str) -> "ProgramPlayer | None":
        """Return the player, None if the program has no loop with a move. Raises BadProgram."""
        program = parse_program(text)
        for _, _, loop, _ in program.definitions:
            bodies = {definition.name: definition.body for definition in loop.definitions}
            if loop.kind == "while" and bodies.keys() >= {"board", "player", "move"}:
                return cls(program, loop, bodies["move"])
        return None

    def open(self, run: ProgramRun) -> Scope:
        """Return the scope of the loop at time 1."""
        return Scope(run, {**NATIVE}).open(self.program.definitions).open(self.loop.definitions, 1)

    def strategy(self) -> Strategy:
        """Return the player as an opponent, with ALL_STEPS for its decisions. These raise BadProgram."""
        left = ALL_STEPS

        @cache
        def decide(position: Position) -> Decision:
            nonlocal left
            decision, run = self.decide(position)
            left -= MAX_STEPS - run.steps
            return decision if left > 0 else fail(self.move.line, "all moves together take too many steps.")

        idea = "It does what its program says."
        return Strategy("pyfl", "Your program", idea, "rules", "rules", decide, symmetric=lambda _: False)

    def decide(self, position: Position) -> tuple[Decision, ProgramRun]:
        """Return the decision for every element that may be drawn at random, after its run. Raises BadProgram."""
        scope, said, cells = self._at(position), "", list[Cell]()
        for value in scope.run.outcomes(lambda: scope.ask("move", self.move.line)):
            if type(value) is not int or value - 1 not in position.legal_moves:
                fail(self.move.line, f"{write(value)[:40]} is no open cell in {format_position(position)}.")
            cells.append(value - 1)
            said = said or "".join(scope.run.said).strip()
            scope.run.said.clear()
        choices = {cell: Fraction(cells.count(cell), len(cells)) for cell in sorted({*cells})}
        return Decision(MappingProxyType(choices), said or "it is the program's move"), scope.run

    def ask(self, position: Position) -> tuple[AskedCondition, ...]:
        """Return all conditions of the program's `move`, asked in order until one is true. Raises BadProgram."""
        scope, node = self._at(position), self.move
        run = scope.run
        while node.kind == "where":
            scope, node = scope.open(node.definitions), node.parts[0]
        parts = node.parts if node.kind == "if" else (node,)
        asked: list[AskedCondition] = []
        decided = False
        conditions, results = (*parts[:-1:2], None), (*parts[1::2], parts[-1])
        for words, condition, result in zip(node.words or ("move",), conditions, results, strict=True):
            true, run.notes = None, []
            if not decided:
                true = condition is None or expect(bool, run.evaluate(condition, scope), condition.line)
            if true:
                decided = True
                run.evaluate(result, scope)
            asked.append(AskedCondition(words, true, tuple(run.notes)))
        return tuple(asked)

    def _at(self, position: Position) -> Scope:
        """Return the scope of the loop in a position, in a new run."""
        signs = {None: ".", position.mover: "O", position.mover.other: "X"}
        marks = [signs[position.mark_at(cell)] for cell in range(9)]

        def mark_on(_: ProgramRun, line: int, cell: int) -> Datum:
            return marks[cell - 1] if 1 <= cell <= 9 else fail(line, f"there's no cell {cell}.")

        given: dict[str, Datum] = {"board": native(int, mark_on), "player": "O"}
        scope = self.open(ProgramRun(once=True))
        scope.values.update(given)
        for _ in range(9 - position.plies_left):
            scope = scope.go_on(self.loop, given)
        return scope


def ask_streams(inputs: Sequence[int], names: Iterable[str] = ()) -> tuple[tuple[Demand, ...], str]:
    """Return what the article's program asks for while X types these cells and O answers, and the error that ends it.

    At each time the loop asks for all streams, and for these names. Without an error the text is empty.
    """
    player = ProgramPlayer.of(PLAYER)
    assert player is not None  # noqa: S101 - the article's program plays
    run = ProgramRun(inputs=iter(inputs))
    scope = player.open(run)
    try:
        for _ in range(2 * len(inputs)):
            for name in names:
                scope.ask(name, player.move.line)
            scope = scope.go_on(player.loop)
    except BadProgram as error:
        return tuple(run.demands), str(error)
    return tuple(run.demands), ""
