"""The games page: every game that has a name, with a picture, its rule, who wins, and one press to play it."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from flask import Blueprint, Response, make_response, render_template, request, url_for

from solver.board.game import parse_game
from solver.board.notation import capital, parse_cell, parse_rules, split_moves
from solver.board.position import Position
from solver.board.rules import Rules, cells_of
from solver.board.shelf import LONGEST_NAME, fold, near_names
from solver.catalogue.shelf import ShelfGame, games_matching
from solver.errors import BadRules
from solver.players.levels import LEVELS
from webapp.pages.play import players
from webapp.pages.play.forms import settings_asked
from webapp.pages.play.link import Link
from webapp.ui.board import Mini, mini
from webapp.ui.filters import board_title
from webapp.ui.previews import kept_page, with_settings

games = Blueprint("games", __name__)


class GameCard(NamedTuple):
    """A game on the page. `slug` names it to programs; `who_wins` and `levels` are empty for those that one draws."""

    slug: str
    name: str
    url: str
    rule: str
    picture: Mini
    who_wins: str = ""
    levels: tuple[str, ...] = ()


@games.get("/games")
def shelf() -> Response:
    """Show all games of the shelf, or those that the search `q` finds. Links to play keep the visitor's settings."""
    words = " ".join(request.args.get("q", "")[:LONGEST_NAME].split())
    query = words if fold(words) else ""
    settings = settings_asked(request.args)
    left = _opponent_left(settings)
    page = kept_page("games", (query, left), lambda: _page(query, left))
    return make_response(with_settings(page, _kept(settings, left)))


def _page(query: str, left: str) -> str:
    found = (*map(_card, games_matching(query)), *(card for card in _drawn_cards() if fold(query) in fold(card.name)))
    return render_template(
        "games.html",
        query=query,
        left=left,
        longest=LONGEST_NAME,
        cards=found,
        near=() if found else near_names(query),
        board=None if found else _board(query),
    )


def _card(found: ShelfGame) -> GameCard:
    board, rules = found.game.board, found.rules
    position = parse_game(rules, None, found.game.example).last
    told = {cell: "new" for line in position.winning_lines for cell in cells_of(line)}
    told |= dict.fromkeys(cells_of(position.leaving), "leaves")
    return GameCard(
        board,
        found.game.name,
        Link.starting(rules).url(),
        found.game.rule,
        mini(position, classes=told),
        f"{capital(found.who_wins)}.",
        tuple(map(players.title, found.levels)),
    )


def _drawn_cards() -> Iterator[GameCard]:
    """Yield the cards of the games whose rules the visitor draws, in the lesson about them."""
    lesson = url_for("learn.lesson", name="shapes")
    shape = _marked(parse_rules("5x5x5"), "c4b3c3d3c2")
    yield GameCard("own-shape", "Your own shape", f"{lesson}#draw", "Draw a shape, and see who wins.", shape)
    lines = _marked(parse_rules("4x4x3-holesb2c3"), "a4b4c4")
    yield GameCard("own-lines", "Your own lines", f"{lesson}#holes", "Make holes, or draw what wins.", lines)


def _marked(rules: Rules, names: str) -> Mini:
    """Return an empty board on which the squares with these names stand out."""
    return mini(Position(rules), classes={parse_cell(name, rules): "new" for name in split_moves(names, rules)})


def _board(query: str) -> tuple[str, str] | None:
    """Return the title and the address of the board that a search names in the spelling of links, or None."""
    try:
        rules = parse_rules(query)
    except BadRules:
        return None
    return board_title(rules), Link.starting(rules).url()


def _opponent_left(settings: Mapping[str, str]) -> str:
    """Return the title of an opponent in the settings that does not play every game, or nothing."""
    names = (settings.get(side, "") for side in ("x", "o"))
    return next((players.title(name) for name in names if name and name not in {*players.PEOPLE, *LEVELS}), "")


def _kept(settings: Mapping[str, str], left: str) -> dict[str, str]:
    """Return the settings that links to play keep: no score, and the players only if no opponent is left behind."""
    dropped = {"score", "scheme", "x", "o"} if left else {"score", "scheme"}
    return {name: text for name, text in settings.items() if name not in dropped}
