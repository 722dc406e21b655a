"""The explorer: a position, how it came about, and every move from it with its outcome, each a link one move on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from solver.board.game import Game
from solver.board.notation import format_cell, parse_position, parse_rules
from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell, Rules
from solver.proofs.prediction import best_of, predict
from solver.theory.claims.claim import ARTICLES
from webapp.filters import short
from webapp.learn.lesson import About, Known, Lesson, Level, Query, Track
from webapp.learn.minis import Mini, mini, of_outcomes, spoken
from webapp.learn.trees import CHILDREN, AskedTree, asked_children
from webapp.play.games import GAME, GameForm, asked_game, game_parts, play_url


@dataclass(frozen=True, slots=True)
class ExplorerView:
    """A game, the board it has come to with what every move is worth, and the game and board after each."""

    game: Game
    form: GameForm
    outcome: Outcome
    board: Mini
    children: tuple[tuple[Game, Mini], ...]
    distinct: bool
    boards: tuple[Rules, ...]

    def parts(self, game: Game, distinct: bool) -> dict[str, str]:
        """The parts of an address that lead to a game, with all children or `distinct` ones."""
        return game_parts(game) | ({} if distinct else {"children": CHILDREN[1]})

    def play(self) -> str:
        """The address of the board on which the game goes on."""
        return play_url(self.game)

    def picture(self) -> dict[str, str]:
        """The parts of an address that ask for the picture of the next moves."""
        return AskedTree(self.game, 1, self.distinct).parts()


BOARDS = ("3x3x3", "4x3x3", "4x4x4", "5x4x4")
"""Boards to begin on."""


def view(query: Query, known: Known) -> ExplorerView:
    """The position that a query names, and its children. Raises NoughtsError."""
    game, distinct = asked_game(query), asked_children(query)
    prediction = known[game.last]
    return ExplorerView(
        game=game,
        form=GameForm.of(game),
        outcome=prediction.outcome,
        board=of_outcomes(game.last, prediction.squares),
        children=tuple(_children(game, prediction.squares, distinct)),
        distinct=distinct,
        boards=tuple(map(parse_rules, BOARDS)),
    )


def _children(game: Game, outcomes: Mapping[Cell, Outcome], distinct: bool) -> Iterator[tuple[Game, Mini]]:
    position = game.last
    rules, mover = position.rules, position.mover
    for cells in position.orbits():
        for cell in cells[:1] if distinct else cells:
            outcome, after = outcomes[cell], game.play(cell)
            words = f"{format_cell(cell, rules)}: {short(outcome)}, {outcome.words(mover)}"
            if distinct and len(cells) > 1:
                words += f"; ×{len(cells)} symmetric moves"
            elif cell != cells[0]:
                words += f"; {format_cell(cells[0], rules)} turned or mirrored"
            child = mini(after.last, words, str(outcome.value), classes={cell: "new"})
            yield after, replace(child, label=f"{words}. {spoken(after.last)}")


_SHOWN = parse_position("X../.O./...", TIC_TAC_TOE)
"""The board in the contents."""

LESSON = Lesson(
    "explorer",
    "Explore the tree",
    "Open the game tree board by board from any position, with what perfect play makes of every move.",
    view,
    (*GAME, "children"),
    lambda query: (asked_game(query).last,),
    about=About(
        Track.PLAYERS,
        Level.FIRST,
        minutes=5,
        picture=lambda: of_outcomes(_SHOWN, predict(_SHOWN).squares),
        articles=(ARTICLES["clojure"],),
        code=(
            Position.orbits,
            best_of,
        ),
    ),
)
