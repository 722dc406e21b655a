"""The pages people play on: every answer is a link's game, as a page or as the fragment that htmx swaps in."""

from functools import lru_cache

from flask import Blueprint, Response, make_response, redirect, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from solver.errors import NoughtsError
from solver.notation import parse_cell, parse_rules
from solver.strategies import STRATEGIES
from webapp import boards, htmx, turns
from webapp.link import DEFAULT_BOARD, Link, read_link
from webapp.players import HUMANS
from webapp.view import game_view

pages = Blueprint("pages", __name__)


@pages.get("/")
def start() -> Response:
    """A new game on the usual board."""
    return _page(*_read(DEFAULT_BOARD))


@pages.get("/play/<board>")
def play(board: str) -> Response:
    """The game of a link."""
    return _page(*_read(board))


@pages.post("/play/<board>")
def move(board: str) -> AnyResponse:
    """Plays `cell` in the game of the link, and the computer's reply; or, with `next`, the computer's own move."""
    link, problems = _read(board)
    if problems:
        return _page(link, problems)
    cell, automatic = request.form.get("cell"), request.form.get("next") == "auto"
    try:
        after = turns.computer_move(link) if cell is None else turns.human_move(link, parse_cell(cell, link.rules))
    except NoughtsError as error:
        return _page(link, (error,))
    if not htmx.wants_fragment():
        return redirect(after.url(), 303)
    replied = len(after.game.moves) > link.at + 1
    return htmx.show_url(_page(after, (), replied), after.url(), replace=automatic)


@pages.get("/play")
def settings() -> AnyResponse:
    """The same game with what the settings form chose; another board begins another game."""
    query = request.args.to_dict()
    board = query.get("board") or DEFAULT_BOARD
    if board != query.get("of", board):
        query = {name: value for name, value in query.items() if name not in ("from", "moves", "at")}
    read = read_link(board, query)
    if read.problems:
        return _page(read.link, read.problems)
    if not htmx.wants_fragment():
        return redirect(read.link.url(), 303)
    return htmx.show_url(_page(read.link, ()), read.link.url())


def _read(board: str) -> tuple[Link, tuple[NoughtsError, ...]]:
    read = read_link(board, request.args)
    return read.link, read.problems


def _page(link: Link, problems: tuple[NoughtsError, ...], replied: bool = False) -> Response:
    template = "_swap.html" if htmx.wants_fragment() else "play.html"
    view = game_view(link, problems, replied)
    html = render_template(template, game=view, choices=_choices(view.board, view.x, view.o), host=request.host_url)
    return make_response(html, 400 if problems else 200)


@lru_cache(maxsize=4096)
def _choices(board: str, x: str, o: str) -> Markup:
    """The dropdowns, which are the same for every game with these choices."""
    rules = parse_rules(board)
    groups: dict[str, list[tuple[str, str, str]]] = {
        "People": [(name, title, description) for name, (title, description) in HUMANS.items()]
    }
    for strategy in STRATEGIES.values():
        if strategy.plays_on(rules):
            groups.setdefault(strategy.group, []).append((strategy.name, strategy.title, strategy.description))
    described = [
        (mark, option)
        for mark, name in (("X", x), ("O", o))
        for group in groups.values()
        for option in group
        if option[0] == name
    ]
    return Markup(  # noqa: S704 - a rendered template
        render_template(
            "_choices.html", boards=boards.options(board), groups=groups, board=board, x=x, o=o, described=described
        )
    )
