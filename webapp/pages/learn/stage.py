"""The stage of a player by rules: a game to step through, with the trace of the rules at each of the player's turns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from solver.analysis.trial import Refutation
from solver.articles.rulebooks import sample_game
from solver.board.game import Game, parse_game
from solver.board.notation import few_cells, format_cell, format_cells, format_moves, format_state
from solver.board.position import Mark, Position
from solver.board.rules import Cell
from solver.errors import BadOption
from solver.players import Strategy
from solver.players.decision import Consulted, consult
from webapp.ui.address import Query, number_of
from webapp.ui.board import Board, Mini, Square, mini


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule of the trace: its title, its fate (`silent`, `decides` or `unasked`), and the reason."""

    title: str
    fate: str
    why: str


@dataclass(frozen=True, slots=True)
class Still:
    """A position of the game as a small board, with its address. `erred` is true if a mistake led to it."""

    board: Mini
    url: str
    current: bool
    erred: bool


@dataclass(frozen=True, slots=True)
class SceneView:
    """The view of a scene: its position, the trace of the rules, and all positions of the game.

    `after` maps the name of each square to the address after a move there. `status` says whose turn it is and what the
    rules decide. `decides` is true if it is the player's turn; otherwise `lines` give no reasons. `on` is the address
    of the next position, or None if there is none.
    """

    scene: "Scene"
    board: Board
    after: Mapping[str, str]
    status: str
    decides: bool
    lines: tuple[RuleLine, ...]
    strip: tuple[Still, ...]
    on: str | None


Address: TypeAlias = Callable[..., str]
"""A function that returns a scene's address. It takes the game's `moves` and the number of moves made, `at`."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A game of a player by rules, shown after its first `at` moves.

    The player has `mark`. `erred` is the number of the move that lost the game, if there is one. `address` makes the
    links to other games and plies.
    """

    player: Strategy
    mark: Mark
    game: Game
    at: int
    erred: int | None
    address: Address

    @property
    def position(self) -> Position:
        """The position shown."""
        return self.game.positions[self.at]

    @property
    def next(self) -> Cell | None:
        """The game's next move, None at its end."""
        return self.game.moves[self.at] if self.at < len(self.game.moves) else None

    def showing(self, at: int) -> str:
        """Return the address of the same game at another ply."""
        return self.address(moves=format_moves(self.game.moves, self.position.rules), at=at)

    def after(self, cell: Cell) -> str:
        """Return the address after a move. A move that isn't the game's next move leads to another game."""
        if cell == self.next:
            return self.showing(self.at + 1)
        branch = self.game.upto(self.at).play(cell)
        return self.address(moves=format_moves(branch.moves, self.position.rules), at=self.at + 1)


def read_scene(  # noqa: PLR0913 - the parts of a scene
    query: Query,
    player: Strategy,
    mark: Mark,
    refuted: Refutation | None,
    address: Address,
    *,
    opens_at_mistake: bool = False,
) -> Scene:
    """Return the scene that the query names by `moves` and `at`.

    Without `moves`, show the game that refutes the player, or a sample game if there is none. Without `at`, show the
    position before the player's first move. If `opens_at_mistake` is set, show the player's mistake instead, if there
    is one. Raises NoughtsError.
    """
    usual = refuted.game if refuted else sample_game(player, mark)
    game = _read_game(query, player, mark, usual)
    erred = refuted.erred if refuted and game.moves == usual.moves else None
    start = erred if opens_at_mistake and erred is not None else int(mark is Mark.O)
    return Scene(player, mark, game, number_of(query, "at", start, 0, len(game.moves)), erred, address)


def draw_deciding(position: Position, cells: tuple[Cell, ...]) -> Mini:
    """Draw a board on which a rule decides, with dots on the squares that it names."""
    return mini(position, f"{position.mover} to move", "", dict.fromkeys(cells, "●"), dict.fromkeys(cells, "new"))


def view_scene(scene: Scene) -> SceneView:
    """Return the view of a scene."""
    position = scene.position
    own = position.result is None and position.mover is scene.mark
    consulted = consult(scene.player.follows, position) if own else ()
    waiting = tuple(RuleLine(rule.title(position), "unasked", "") for rule in scene.player.follows)
    decided = next((each for each in consulted if each.decides), None)
    open_to = decided.cells if decided else position.legal_moves
    forward = scene.next if scene.next is not None else next(iter(open_to), None)
    return SceneView(
        scene=scene,
        board=Board(position, tuple(_square(scene, cell, open_to, decided) for cell in range(position.rules.size))),
        after={format_cell(cell, position.rules): scene.after(cell) for cell in open_to},
        status=_status(scene, decided),
        decides=own,
        lines=tuple(_line(each, position) for each in consulted) or waiting,
        strip=tuple(_still(scene, ply) for ply in range(len(scene.game.positions))),
        on=None if forward is None else scene.after(forward),
    )


def _read_game(query: Query, player: Strategy, mark: Mark, usual: Game) -> Game:
    """Return the game that the query names by `moves`, or else `usual`.

    Raises NoughtsError, for example if the player would not play these moves.
    """
    text = query.get("moves")
    if not text:
        return usual
    game = parse_game("3x3x3", None, text)
    for position, cell in zip(game.positions, game.moves, strict=False):
        if position.mover is mark and cell not in player.decide(position).choices:
            would = format_cells(sorted(player.decide(position).choices), position.rules)
            raise BadOption(
                f"{player.title} would not play {format_cell(cell, position.rules)} there as {mark}, but {would}."
            )
    return game


def _still(scene: Scene, ply: int) -> Still:
    game, board = scene.game, mini(scene.game.positions[0], "start")
    if ply:
        cell, before = game.moves[ply - 1], game.positions[ply - 1]
        caption = f"{before.mover} {format_cell(cell, before.rules)}"
        board = mini(game.positions[ply], caption, classes={cell: "new"})
    return Still(board, scene.showing(ply), ply == scene.at, scene.erred is not None and ply == scene.erred + 1)


def _square(scene: Scene, cell: Cell, open_to: tuple[Cell, ...], decided: Consulted | None) -> Square:
    position = scene.position
    name, mark = format_cell(cell, position.rules), position.mark_at(cell) or ""
    label, classes = "empty", "empty"
    if mark:
        last = " last" if scene.at and scene.game.moves[scene.at - 1] == cell else ""
        won = " won" if any(line >> cell & 1 for line in position.winning_lines) else ""
        label, classes = mark, f"taken{last}{won}"
    elif cell in open_to:
        label, classes = ("which the rule names", "named") if decided else ("empty", "open")
        if scene.erred == scene.at and scene.next == cell:
            label, classes = f"{label}, the mistake", f"{classes} erring"
    return Square(*position.rules.column_row(cell), mark, classes, name=name, label=f"{name}, {label}")


def _status(scene: Scene, decided: Consulted | None) -> str:
    position = scene.position
    if position.result is not None:
        return format_state(position)
    if decided is None:
        return f"{position.mover} to move, the opponent: press a square."
    cells = few_cells(decided.cells, position.rules)
    several = "any of " if len(decided.cells) > 1 else ""
    said = f"{position.mover} to move: “{decided.rule.title(position)}” decides, and plays {several}{cells}."
    if scene.erred == scene.at and scene.next is not None:
        return f"{said} {format_cell(scene.next, position.rules)} is the mistake."
    return said


def _line(each: Consulted, position: Position) -> RuleLine:
    title = each.rule.title(position)
    if each.decides:
        return RuleLine(title, "decides", f"decides: {few_cells(each.cells, position.rules)}")
    return RuleLine(title, "silent", each.lacking) if each.asked else RuleLine(title, "unasked", "not asked")
