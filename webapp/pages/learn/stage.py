"""The stage of a player on trial: the verdict, and a game to step through, with the trace of the player's decisions."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from solver.analysis.trial import Trial
from solver.articles.rulebooks import sample_game, trials
from solver.board.game import Game, parse_game
from solver.board.notation import few_cells, format_cell, format_cells, format_moves, format_state
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.errors import BadOption
from solver.players import Strategy
from solver.players.decision import Decision, consult
from webapp.pages.play.link import Link
from webapp.ui.address import Query, number_of, one_of
from webapp.ui.board import Board, Mini, Square, mini
from webapp.ui.filters import Choice

PARTS: Final = ("side", "moves", "at")
"""The parts of an address that name a game of the player, and how many moves are made."""

Address: TypeAlias = Callable[..., str]
"""A function that returns the address of the same player with these parts."""


class RuleLine(NamedTuple):
    """A rule of the trace: its title, its fate (`silent`, `decides` or `unasked`), and the reason."""

    title: str
    fate: str
    why: str


TraceOf: TypeAlias = Callable[[Position], Iterable[RuleLine]]
"""A function that returns the trace of the player's decision in a position."""


class Still(NamedTuple):
    """A position of the game as a small board, with its address. `erred` is true if a mistake led to it."""

    board: Mini
    url: str
    current: bool
    erred: bool


@dataclass(frozen=True)
class PlayerStage:
    """A player with its trials as X and as O, and one of its games as `mark` after `at` moves."""

    player: Strategy
    mark: Mark
    trials: tuple[Trial, ...]
    game: Game
    at: int
    address: Address
    trace: TraceOf

    @classmethod
    def of(cls, query: Query, player: Strategy, address: Address, trace: TraceOf | None = None) -> "PlayerStage":
        """Return the game that the query names by PARTS, without moves a shortest lost game, or else some game.

        Without `at`, it begins at the mistake, or before the player's first move. Raises NoughtsError.
        """
        tried = trials(player)
        beaten = [(len(each.refutation.plies), each.mark) for each in tried if each.refutation]
        mark = Mark(one_of(query, "side", Mark, min(beaten)[1] if beaten else Mark.O))
        refutation = next(each.refutation for each in tried if each.mark is mark)
        usual = refutation.game if refutation else sample_game(player, mark)
        game = _read_game(query["moves"], player, mark) if query.get("moves") else usual
        first = refutation.erred if refutation and game == usual else None
        at = number_of(query, "at", int(mark is Mark.O) if first is None else first, 0, len(game.moves))
        return cls(player, mark, tried, game, at, address, trace or trace_rules(player))

    @property
    def unbeatable(self) -> bool:
        """True if the player loses no game on either side."""
        return all(each.unbeatable for each in self.trials)

    @cached_property
    def erred(self) -> int | None:
        """The number of the move that lost the game, from 0; None unless it is the shortest lost game."""
        refutation = next(each.refutation for each in self.trials if each.mark is self.mark)
        return refutation.erred if refutation and refutation.game.moves == self.game.moves else None

    @property
    def sides(self) -> tuple[tuple[Trial, Choice], ...]:
        """The trials with the addresses of their games."""
        return tuple(
            (each, Choice(each.mark, self.address(side=each.mark), each.mark is self.mark)) for each in self.trials
        )

    @property
    def position(self) -> Position:
        """The position shown."""
        return self.game.positions[self.at]

    @cached_property
    def decision(self) -> Decision | None:
        """The player's decision; None if it is not to move."""
        own = self.position.result is None and self.position.mover is self.mark
        return self.player.decide(self.position) if own else None

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The squares that can be played: those of the player's decision, or all open ones."""
        return tuple(sorted(self.decision.choices)) if self.decision else self.position.legal_moves

    @property
    def lines(self) -> tuple[RuleLine, ...]:
        """The trace of the player's decision. Before the opponent's moves, no rule is asked."""
        if self.decision:
            return tuple(self.trace(self.position))
        return tuple(RuleLine(rule.title(self.position), "unasked", "") for rule in self.player.follows)

    @property
    def status(self) -> str:
        """Whose turn it is, and what the player decides."""
        position, decision = self.position, self.decision
        if position.result is not None:
            return format_state(position)
        if decision is None:
            return f"{position.mover} to move, the opponent: press a square."
        why = next((f"“{line.title}” decides" for line in self.lines if line.fate == "decides"), decision.explanation)
        any_of = "any of " if len(self.cells) > 1 else ""
        said = f"{position.mover} to move: {why}, and plays {any_of}{few_cells(self.cells, position.rules)}."
        if self.erred == self.at:
            return f"{said} {format_cell(self.game.moves[self.at], position.rules)} is the mistake."
        return said

    @property
    def board(self) -> Board:
        """The position with the squares that can be played."""
        return Board(self.position, tuple(self._square(cell) for cell in range(TIC_TAC_TOE.size)))

    @property
    def after(self) -> Mapping[str, str]:
        """The address after a move, by the name of the square."""
        return {format_cell(cell, TIC_TAC_TOE): self._after(cell) for cell in self.cells}

    @property
    def on(self) -> str | None:
        """The address of the next position, None at the end."""
        forward = self.game.moves[self.at : self.at + 1] or self.cells[:1]
        return self._after(forward[0]) if forward else None

    @property
    def stills(self) -> Iterator[Still]:
        """All positions of the game."""
        yield Still(mini(self.game.positions[0], "start"), self.showing(0), self.at == 0, False)
        for ply, (cell, before) in enumerate(zip(self.game.moves, self.game.positions, strict=False), start=1):
            caption = f"{before.mover} {format_cell(cell, before.rules)}"
            board = mini(self.game.positions[ply], caption, classes={cell: "new"})
            yield Still(board, self.showing(ply), ply == self.at, ply - 1 == self.erred)

    def showing(self, at: int) -> str:
        """Return the address of the same game at another ply."""
        return self.address(side=self.mark, moves=format_moves(self.game.moves, TIC_TAC_TOE), at=at)

    def _after(self, cell: Cell) -> str:
        """Return the address after a move. A move that isn't the game's next move leads to another game."""
        if self.game.moves[self.at : self.at + 1] == (cell,):
            return self.showing(self.at + 1)
        branch = self.game.upto(self.at).play(cell)
        return self.address(side=self.mark, moves=format_moves(branch.moves, TIC_TAC_TOE), at=self.at + 1)

    def _square(self, cell: Cell) -> Square:
        position = self.position
        name, mark = format_cell(cell, TIC_TAC_TOE), position.mark_at(cell) or ""
        label, classes = "empty", "empty"
        if mark:
            last = " last" if self.game.moves[self.at - 1 : self.at] == (cell,) else ""
            won = " won" if any(line >> cell & 1 for line in position.winning_lines) else ""
            label, classes = mark, f"taken{last}{won}"
        elif cell in self.cells:
            label, classes = ("which the player takes", "named") if self.decision else ("empty", "open")
            if self.erred == self.at and self.game.moves[self.at] == cell:
                label, classes = f"{label}, the mistake", f"{classes} erring"
        return Square(*TIC_TAC_TOE.column_row(cell), mark, classes, name=name, label=f"{name}, {label}")


def draw_deciding(position: Position, cells: tuple[Cell, ...]) -> Mini:
    """Draw a board on which a rule decides, with dots on the squares that it names."""
    return mini(position, f"{position.mover} to move", "", dict.fromkeys(cells, "●"), dict.fromkeys(cells, "new"))


def now_you(lost: Trial) -> str:
    """Return the link to the game that refutes a player, after its mistake. The visitor moves next, without hints."""
    refutation = lost.refutation
    assert refutation is not None  # noqa: S101 - only a player that can be beaten has the link
    made = 0 if refutation.erred is None else refutation.erred + 1
    link = link_against(lost.strategy, lost.mark)
    return link.having(game=refutation.game.upto(made), at=made, show="off").url()


def link_against(player: Strategy, mark: Mark) -> Link:
    """Return the link to a game against a player with this mark."""
    seats = {"x": player.name, "o": "human"} if mark is Mark.X else {"o": player.name}
    return Link.starting(TIC_TAC_TOE).having(**seats)


def trace_rules(player: Strategy) -> TraceOf:
    """Return the trace of a player by rules. Other players have no lines."""

    def trace(position: Position) -> Iterator[RuleLine]:
        for each in consult(player.follows, position):
            title = each.rule.title(position)
            if each.decides:
                yield RuleLine(title, "decides", f"decides: {few_cells(each.cells, position.rules)}")
            else:
                yield RuleLine(title, *(("silent", each.lacking) if each.asked else ("unasked", "not asked")))

    return trace


def _read_game(text: str, player: Strategy, mark: Mark) -> Game:
    """Return the game of these moves. Raises NoughtsError, for example if the player would not play them."""
    game = parse_game("3x3x3", None, text)
    for position, cell in zip(game.positions, game.moves, strict=False):
        if position.mover is mark and cell not in player.decide(position).choices:
            would = format_cells(sorted(player.decide(position).choices), position.rules)
            raise BadOption(
                f"{player.title} would not play {format_cell(cell, position.rules)} there as {mark}, but {would}."
            )
    return game
