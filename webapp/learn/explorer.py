"""The explorer: a position, how it came about, and every move from it with its outcome, each a link one move on."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from solver.board.game import Game
from solver.board.notation import format_cell, format_state, parse_rules
from solver.board.outcome import Outcome, counted
from solver.board.position import Mark, Position
from solver.board.rules import Cell
from solver.proofs.prediction import predict
from webapp.learn.lesson import Lesson, Query
from webapp.learn.minis import Mini, mini, of_outcomes, spoken
from webapp.learn.trees import CHILDREN, AskedTree, asked_children
from webapp.play import words
from webapp.play.games import GAME, GameForm, asked_game, game_query, play_url

PAGE = "/learn/explorer"


@dataclass(frozen=True, slots=True)
class Crumb:
    """A step on the way to the position: the move in words, and the explorer's address after it."""

    words: str
    url: str
    here: bool


@dataclass(frozen=True, slots=True)
class ExplorerView:
    """What the page shows. `summary` says what the position is worth; `other` is the page with the other children."""

    crumbs: tuple[Crumb, ...]
    board: Mini
    summary: str
    children: tuple[Mini, ...]
    heading: str
    distinct: bool
    other: str
    play: str
    picture: str
    asked: GameForm
    boards: tuple[tuple[str, str], ...]


BOARDS = ("3x3x3", "4x3x3", "4x4x4", "5x4x4")
"""Boards to begin on."""


def view(query: Query) -> ExplorerView:
    """The position that a query names, and its children. Raises NoughtsError."""
    game, distinct = asked_game(query), asked_children(query)
    position = game.last
    prediction = predict(position)
    children = tuple(_children(game, dict(prediction.squares), distinct))
    moves = len(position.legal_moves)
    return ExplorerView(
        tuple(_crumbs(game, distinct)),
        replace(of_outcomes(position, prediction.squares), url=play_url(game)),
        _summary(position, prediction.outcome),
        children,
        _heading(position.mover, len(children), moves),
        distinct,
        _url(game, not distinct),
        play_url(game),
        f"/learn/pictures?{AskedTree(game, 1, distinct).query()}#tree",
        GameForm.of(game),
        tuple(
            (words.board(parse_rules(board)), PAGE + (f"?board={board}" if board != BOARDS[0] else ""))
            for board in BOARDS
        ),
    )


def _summary(position: Position, outcome: Outcome) -> str:
    best = "" if position.result else f" With best play: {outcome.words(position.mover)}."
    return format_state(position) + best


def _heading(mover: Mark, shown: int, moves: int) -> str:
    if not moves:
        return ""
    return f"{counted(moves, 'move', 'moves')} of {mover}" + (f", {shown} of them distinct" if shown < moves else "")


def _children(game: Game, outcomes: dict[Cell, Outcome], distinct: bool) -> Iterator[Mini]:
    position = game.last
    rules, mover = position.rules, position.mover
    for cells in position.orbits():
        for cell in cells[:1] if distinct else cells:
            name, outcome = format_cell(cell, rules), outcomes[cell]
            words = f"{name}: {outcome.letter}{outcome.number}, {outcome.words(mover)}"
            if distinct and len(cells) > 1:
                words += f"; ×{len(cells)} symmetric moves"
            elif cell != cells[0]:
                words += f"; {format_cell(cells[0], rules)} turned or mirrored"
            after = game.play(cell)
            child = mini(after.last, words, str(outcome.value), classes={cell: "new"})
            label = f"{words}. {spoken(after.last)}"
            yield replace(child, label=label, url=_url(after, distinct))


def _crumbs(game: Game, distinct: bool) -> Iterator[Crumb]:
    start = game.positions[0]
    for ply in range(len(game.moves) + 1):
        words = f"{game.positions[ply - 1].mover} {format_cell(game.moves[ply - 1], start.rules)}" if ply else "Start"
        yield Crumb(words, _url(game.upto(ply), distinct), ply == len(game.moves))


def _url(game: Game, distinct: bool) -> str:
    query = game_query(game, children="" if distinct else CHILDREN[1])
    return PAGE + (f"?{query}" if query else "")


LESSON = Lesson(
    "explorer",
    "Explore the tree",
    "Open the game tree board by board from any position, with what perfect play makes of every move.",
    view,
    (*GAME, "children"),
    lambda query: (asked_game(query).last,),
)
