"""The pages people play on: every answer is a link's game, as a page or as the fragment that htmx swaps in."""

from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, Response, make_response, redirect, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from solver.errors import NoughtsError
from solver.notation import nearest_rules, parse_cell, parse_rules
from solver.strategies import STRATEGIES
from webapp import boards, htmx, players, turns
from webapp.link import DEFAULT_BOARD, MAX_LENGTH, Link, ReadLink, read_link
from webapp.view import game_view

pages = Blueprint("pages", __name__)


@pages.get("/")
def start() -> Response:
    """A new game on the usual board."""
    return _link_page(DEFAULT_BOARD, "")


@pages.get("/play/<board>")
def play(board: str) -> Response:
    """The game of a link."""
    return _link_page(board, _query())


@pages.post("/play/<board>")
def move(board: str) -> AnyResponse:
    """Plays `cell` in the game of the link, and the computer's reply; or, with `next`, the computer's own move."""
    read = read_link(board, _query())
    if read.problems:
        return _page(read)
    link, form = read.link, _form()
    try:
        if "next" in form:
            after = turns.computer_move(link)
        else:
            after = turns.human_move(link, parse_cell(form.get("cell", ""), link.rules))
    except NoughtsError as error:
        return _page(ReadLink(link, (error,)))
    replied = len(after.game.moves) > link.at + 1
    return _shown(after, replied, in_place=form.get("next") == "auto")


@pages.get("/play")
def settings() -> AnyResponse:
    """The same game with what the settings form chose; another board begins another game."""
    query = request.args.to_dict()
    board = query.pop("board", "") or DEFAULT_BOARD
    notes: tuple[str, ...] = ()
    before = query.pop("of", board)
    if nearest_rules(board) != nearest_rules(before):
        query["score"] = str(read_link(before, urlencode(query)).link.score)
        query = {part: value for part, value in query.items() if part not in ("from", "moves", "at")}
        query, notes = _with_players_of(board, query)
    read = read_link(board, urlencode(query))
    if read.problems:
        return _page(read)
    answer = _shown(read.link)
    if notes and htmx.wants_fragment():
        answer.set_data(_html(read.link, notes, "_swap.html", _host()))
    return answer


def _with_players_of(board: str, query: dict[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The query without opponents that cannot play the board one has changed to, and a note about each."""
    rules = nearest_rules(board)
    absent = {
        part: strategy
        for part in ("x", "o")
        if (strategy := players.computer(query.get(part, ""))) and not strategy.plays_on(rules)
    }
    notes = tuple(f"{strategy.title} does not play this board; choose another." for strategy in absent.values())
    return {part: value for part, value in query.items() if part not in absent}, tuple(dict.fromkeys(notes))


def _shown(link: Link, replied: bool = False, in_place: bool = False) -> AnyResponse:
    """Brings the browser to a link: htmx by its fragment and the address bar, a plain form by a redirect."""
    url = link.url()
    if not htmx.wants_fragment():
        return redirect(url, 303)
    path, _, query = url.partition("?")
    answer = make_response(_rendered(path.removeprefix("/play/"), query, True, _host(), replied))
    return htmx.show_url(answer, url, in_place)


def _form() -> Mapping[str, str]:
    """The posted fields. The usual encoding is read directly: it is the hottest request, and a third of its time."""
    if request.mimetype == "application/x-www-form-urlencoded":
        return dict(reversed(parse_qsl(request.get_data(as_text=True))))
    return request.form


def _query() -> str:
    return request.query_string.decode("ascii", "replace")


def _link_page(board: str, query: str) -> Response:
    if len(board) + len(query) > MAX_LENGTH:
        return _page(read_link(board, query))
    return make_response(_rendered(board, query, htmx.wants_fragment(), _host(), replied=False))


@lru_cache(maxsize=2048)
def _rendered(board: str, query: str, fragment: bool, host: str, replied: bool) -> tuple[bytes, int]:
    """A link's page and its status. They depend on nothing but these, so that popular links are rendered once."""
    return _render(read_link(board, query), fragment, host, replied)


def _page(read: ReadLink) -> Response:
    """The page of a link that something is wrong with; going back from it leads to where one was before."""
    fragment = htmx.wants_fragment()
    answer = make_response(_render(read, fragment, _host()))
    return htmx.show_url(answer, read.link.url(), replace=True) if fragment else answer


def _render(read: ReadLink, fragment: bool, host: str, replied: bool = False) -> tuple[bytes, int]:
    messages = tuple(str(problem) for problem in read.problems)
    html = _html(read.link, messages, "_swap.html" if fragment else "play.html", host, replied)
    return html, 400 if messages else 200


def _html(link: Link, messages: tuple[str, ...], template: str, host: str, replied: bool = False) -> bytes:
    view = game_view(link, messages, replied)
    choices = _choices(str(link.rules), link.x, link.o)
    return render_template(template, game=view, choices=choices, host=host).encode()


@lru_cache(maxsize=4096)
def _choices(board: str, x: str, o: str) -> Markup:
    """The dropdowns, which are the same for every game with these choices."""
    rules = parse_rules(board)
    groups: dict[str, list[tuple[str, str, str]]] = {
        "People": [(name, title, description) for name, (title, description) in players.HUMANS.items()]
    }
    for strategy in STRATEGIES.values():
        if strategy.plays_on(rules):
            groups.setdefault(strategy.group, []).append((strategy.name, strategy.title, strategy.description))
    titled = {name: (title, description) for group in groups.values() for name, title, description in group}
    computers = dict.fromkeys(name for name in (x, o) if name not in players.HUMANS)
    described = [titled[name] for name in computers]
    return Markup(  # noqa: S704 - a rendered template
        render_template(
            "_choices.html", boards=boards.options(board), groups=groups, board=board, x=x, o=o, described=described
        )
    )


def _host() -> str:
    """What links to show in full begin with."""
    return f"{request.scheme}://{request.host}"
