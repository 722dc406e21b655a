"""Minimax as a player, its game and its search for a line, as in the Scala article."""

import re
from contextlib import suppress
from typing import Final

from markupsafe import Markup

from solver import predict
from solver.analysis.review import Turn, review
from solver.articles.claims.scala import SET_ORDER, published_game
from solver.articles.generic import PlainMinimax, Run, attempts, person, play, program, run_in_words
from solver.board.notation import format_cell, format_cells, parse_position
from solver.board.position import Position
from solver.board.rules import cells_of
from solver.errors import BadOption
from solver.pictures.gallery import tree_picture
from webapp.pages.learn.content import Facts, Shown
from webapp.pages.learn.facts.predictions import draw_played
from webapp.pages.learn.stepping import Film
from webapp.pages.learn.trees import link_boards
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini
from webapp.ui.filters import options

PAIRS: Final = {
    "person-program": "a person, the program",
    "person-person": "two persons",
    "program-program": "the program, twice",
}
"""The pairs of players on offer, with their titles."""

TYPED: Final = "3 3, 3 3, 3 1, 1 1, 1 3"
"""The rows and columns that the article's person types, and one that is taken."""

MOST_TYPED: Final = 120
"""The most characters that a visitor types."""

GRADES: Final = {"best": "best", "slower": "slower win", "lost sooner": "quicker loss", "mistake": "mistake"}
"""The grades of moves in words."""


def draw_minimax_tree(_: Query) -> Markup:
    """Draw the end of a game as a tree whose boards say who wins."""
    picture = tree_picture(parse_position("O.X/.O./XOX"), 3)
    return link_boards(picture, "minimax")


def list_sets(_: Query) -> tuple[Mini, dict[str, str]]:
    """Draw a position, and list the squares of X, of O and of neither."""
    position = published_game().positions[5]
    x, o, free = (
        format_cells(cells, position.rules)
        for cells in (cells_of(position.x), cells_of(position.o), position.legal_moves)
    )
    return mini(position), {"Player one": x, "Player two": o, "Available": free, "Player one's turn": "no"}


def run_driver(query: Query) -> Shown:
    """Let the players of a query take turns. Raises BadOption."""
    pair, typed = one_of(query, "pair", PAIRS, "person-program"), query.get("typed") or TYPED
    if len(typed) > MOST_TYPED or not all(re.fullmatch(r"\d \d", each.strip(), re.ASCII) for each in typed.split(",")):
        raise BadOption(f"Type rows and columns such as {TYPED}, up to {MOST_TYPED} characters.")
    return {"pairs": options(PAIRS, pair), "typed": typed, "log": "\n".join(log_of(pair, typed))}


def log_of(pair: str, typed: str) -> list[str]:
    """Return what a pair of players prints. Where the persons' input ends, so does the log."""
    lines: list[str] = []
    given = iter([each.strip() for each in typed.split(",")])
    movers = {"person": person(given, lines.append), "program": program(SET_ORDER)}
    one, two = pair.split("-")
    with suppress(StopIteration):
        play(movers[one], movers[two], lines.append)
    return lines


def draw_logged_game(_: Query) -> tuple[Mini, ...]:
    """Draw the article's game move by move, with the outcome of every square and a grade for each move."""
    game = published_game()
    return (*map(_draw_graded, review(game).turns), mini(game.last, "The end"))


def _draw_graded(turn: Turn) -> Mini:
    said = f"{turn.ply}. {turn.mover} {format_cell(turn.cell, turn.position.rules)}: {GRADES[turn.grade.word]}"
    return draw_played(turn.prediction, turn.cell, said, "loss" if turn.grade.is_mistake else "")


def film_runs(query: Query) -> Shown:
    """Show the attempts to find the winner's line at the end of the article's game. Raises BadOption."""
    end = published_game().last
    mark = end.mover.other
    looks = (
        {
            **{f"c{cell}": {"class": _cell_class(end, run, cell)} for cell in range(end.rules.size)},
            "telling": {"text": run_in_words(run, end, mark)},
        }
        for run in attempts(end, mark)
    )
    return {"end": end, "mark": mark, "film": Film.of(query, looks, {})}


def _cell_class(end: Position, run: Run, cell: int) -> str:
    """Return the style of a cell: in a full line, in a part of one, the square that ends the attempt, or neither."""
    mark = (end.mark_at(cell) or "open").lower()
    if cell in run.stones:
        return f"{mark} {'whole' if run.is_line else 'met'}"
    return f"{mark} {'against' if cell == run.stopped_by else 'aside'}"


def judge_turns() -> Facts:
    """Judge whose turn it is after a move that is impossible."""
    log = log_of("person-program", "3 3, 3 3, 3 1")
    again = log[log.index("You can't play there.") + 1]
    right, wrong = ("program", "person") if again.startswith("Player") else ("person", "program")
    return Facts.of({right: "yes", wrong: "no"}, mini(published_game().positions[2]), again=again)


def find_late_win() -> Facts:
    """Find the move of the program that wins later than it could, and the squares that win at once."""
    game = published_game()
    position, cell = game.positions[5], game.moves[5]
    assert cell in PlainMinimax().best(position)  # noqa: S101 - so the program may take it
    plies = predict(position).squares[cell].plies
    now = format_cells(position.threats(position.mover), position.rules)
    return Facts.of(board=mini(position), now=now, taken=format_cell(cell, position.rules), plies=plies)
