"""The pages people play on: every answer is a link's game, as a page or as the fragment that htmx swaps in."""

from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, Response, current_app, make_response, redirect, request
from jinja2 import Template
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from solver.board.notation import nearest_rules, parse_cell
from solver.errors import NoughtsError
from webapp import htmx
from webapp.cache import ByteCache
from webapp.compression import DIGEST_BYTES, DigestedResponse, digest_of
from webapp.play import players, turns
from webapp.play.link import DEFAULT_BOARD, PARTS, Link, read_link
from webapp.play.schemes import GAMES
from webapp.play.settings import settings
from webapp.play.snapshot import Snapshot, snapshot
from webapp.play.squares import Square
from webapp.play.view import game_context
from webapp.security import Hosts, asked_now

pages = Blueprint("pages", __name__)


@pages.get("/")
def start() -> Response:
    """A new game on the usual board."""
    return _read_and_show(DEFAULT_BOARD, "")


@pages.get("/play/<board>")
def play(board: str) -> Response:
    """The game of a link."""
    return _read_and_show(board, _query())


@pages.post("/play/<board>")
def move(board: str) -> AnyResponse:
    """Plays `cell` in the game of the link, and the computer's reply; or, with `next`, the computer's own move."""
    read = read_link(board, _query())
    if read.problems:
        return _refuse(read.link, read.problems)
    link, form = read.link, _form()
    try:
        if "next" in form:
            after = turns.computer_move(link)
        else:
            after = turns.human_move(link, parse_cell(form.get("cell", ""), link.rules))
    except NoughtsError as error:
        return _refuse(link, (error,))
    if not htmx.wants_fragment():
        return redirect(after.url(), 303)
    replied, url = len(after.game.moves) > link.at + 1, after.url()
    return htmx.show_url(_page(after, url, True, replied), url, replace=form.get("next") == "auto")


@pages.get("/play")
def choose() -> AnyResponse:
    """The same game with what the settings form chose; another board begins another game."""
    query = request.args.to_dict()
    board = query.pop("board", "") or query.get("of") or DEFAULT_BOARD
    sides = tuple(query.pop(side, "").strip() for side in ("columns", "rows", "k"))
    if any(sides):
        board = "x".join(side or "?" for side in sides)
    before = query.pop("of", board)
    notes: tuple[str, ...] = ()
    if nearest_rules(board) != nearest_rules(before):
        link = read_link(before, urlencode(query)).link
        query["score"] = str(link.score) if link.scheme == GAMES else ""  # points are no games, and end with the board
        gone = {part.name for part in PARTS if part.of_the_game}
        query = {part: value for part, value in query.items() if part not in gone}
        query, notes = _without_absent(board, query)
    read = read_link(board, urlencode(query))
    if read.problems:
        return _refuse(read.link, read.problems)
    fragment, url = htmx.wants_fragment(), read.link.url()
    if not fragment and not notes:
        return redirect(url, 303)
    return htmx.show_url(make_response(_render(snapshot(read.link), fragment, problems=notes)), url)


def _without_absent(board: str, query: dict[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The query without opponents that cannot play the board one has changed to, and a note about each."""
    rules = nearest_rules(board)
    absent = {
        part: strategy
        for part in ("x", "o")
        if (strategy := players.computer(query.get(part, ""))) and not strategy.plays_on(rules)
    }
    notes = dict.fromkeys(f"{strategy.title} does not play this board; choose another." for strategy in absent.values())
    return {part: value for part, value in query.items() if part not in absent}, tuple(notes)


def _form() -> Mapping[str, str]:
    """The posted fields, the first of each name.

    The usual encoding is read directly: moves are what is most asked for, and Flask's general reader is slower.
    """
    if request.mimetype == "application/x-www-form-urlencoded":
        return dict(reversed(parse_qsl(request.get_data(as_text=True))))
    return request.form


def _query() -> str:
    return request.query_string.decode("ascii", "replace")


def _host() -> str:
    """What links to show in full begin with; nothing under a name that may not be the server's own."""
    hosts: Hosts = current_app.extensions["hosts"]
    asked = asked_now()
    return f"{asked.scheme}://{asked.host}" if hosts.shows(asked.host, asked.scheme) else ""


def _read_and_show(board: str, query: str) -> Response:
    read = read_link(board, query)
    if read.problems:
        return _refuse(read.link, read.problems)
    return _page(read.link, f"{board}?{query}", htmx.wants_fragment())


def _refuse(link: Link, problems: tuple[NoughtsError, ...]) -> Response:
    """The nearest sensible game with what is wrong. Going back from it leads to where one was before."""
    answer = make_response(_render(snapshot(link), htmx.wants_fragment(), problems=problems), 400)
    return htmx.show_url(answer, link.url(), replace=True)


def _page(link: Link, text: str, fragment: bool, replied: bool = False) -> Response:
    """A link's page; where proofs go on, as far as they have come. One that stays the same is kept by its `text`."""
    cache: ByteCache = current_app.extensions["cache"]
    key = ("page", text, fragment, _host(), replied)
    kept = cache.get(key)
    if kept is None:
        shown = snapshot(link)
        body = _render(shown, fragment, replied)
        if not shown.settled:
            return make_response(body)
        kept = digest_of(body) + body
        cache.put(key, kept)
    return DigestedResponse(kept[DIGEST_BYTES:], kept[:DIGEST_BYTES])


def _render(
    shown: Snapshot, fragment: bool, replied: bool = False, problems: tuple[NoughtsError | str, ...] = ()
) -> bytes:
    """The page or its fragment. The game is rendered by itself: text goes through every template around it."""
    context = game_context(shown, problems, replied)
    link = shown.link
    game = _template("_game.html").render(
        context, choices=_choices(str(link.rules), link.x, link.o), host=_host(), square=_square
    )
    game = Markup(game)  # noqa: S704 - from a template
    if fragment:
        return Markup("<title>{}</title>\n{}").format(context["title"], game).encode()
    return _template("play.html").render(title=context["title"], game=game).encode()


def _template(name: str) -> Template:
    return current_app.jinja_env.get_template(name)


@lru_cache(maxsize=64)
def _choices(board: str, x: str, o: str) -> Markup:
    """The dropdowns as HTML, which are the same for every game with these choices."""
    return Markup(_template("_choices.html").render(settings=settings(board, x, o)))  # noqa: S704 - from a template


@lru_cache(maxsize=4096)
def _square(square: Square) -> Markup:
    """A square as HTML, which is the same wherever it looks the same."""
    return Markup(_template("_square.html").render(square=square))  # noqa: S704 - from a template
