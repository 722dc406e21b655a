"""The pages people play on. Every response is a link's game, as a page or as the fragment that htmx swaps in.

Frames on other sites show the same games. They have their own `Venue`, which fits a game into a frame.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import parse_qsl, urlencode
from zlib import crc32

from flask import Blueprint, Response, current_app, g, make_response, redirect, request, url_for
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as AnyResponse

from solver.analysis.review import Review
from solver.board.families import Surface
from solver.board.names import HOLES, LINES
from solver.board.notation import parse_rules
from solver.board.pasted import read_pasted
from solver.board.position import Mark
from solver.board.rules import DEFAULT_BOARD, MoveCode, Rules
from solver.errors import NoughtsError
from webapp.pages.play import players, preview
from webapp.pages.play.forms import GAME, GameForm
from webapp.pages.play.game import Snapshot, computer_move, explanation, gives_away, human_move, snapshot
from webapp.pages.play.link import GAMES, GUEST, MAX_LENGTH, OF_GAME, PARTS, PLAY, Link, ReadLink, read_link
from webapp.pages.play.preview import described_at
from webapp.pages.play.settings import MORE, choices, modes, opponents, settings
from webapp.pages.play.story import StoryView
from webapp.pages.play.view import PointedAt, game_view, why
from webapp.pages.practise.daily import daily_drill
from webapp.serving.http.answers import (
    DIGEST_BYTES,
    ByteCache,
    DigestedResponse,
    digest_of,
    lead_to,
    show_url,
    wants_fragment,
)
from webapp.ui import previews
from webapp.ui.address import with_query

pages = Blueprint("pages", __name__)

Said: TypeAlias = tuple[NoughtsError | str, ...]
"""The mistakes in a link, and notes on it."""


PLAYED: Final = "played"
"""The cookie with the last game that was finished in this browser."""

REMEMBERED: Final = 24 * 60 * 60
"""The seconds for which that cookie lasts."""


class Venue(NamedTuple):
    """A place to play: the page itself, or the frames of other sites. `path` is the path of its addresses.

    `draw` makes the page or, for htmx, its fragment; its third argument is `moved`, as for `board` in `view.py`. If
    `replaces` is true, a move replaces the present entry of the browser's history; otherwise it adds an entry.
    """

    path: str
    draw: Callable[[Snapshot, bool, str, Said], bytes]
    replaces: bool = False

    def read(self, board: str) -> ReadLink:
        """Read the requested link. Frames show no reviews."""
        read = read_link(board, _query())
        return read._replace(link=read.link.having(review=False)) if self.replaces else read


@pages.get("/")
def start() -> Response:
    """Show a new game on the usual board, and the level of today's drill."""
    level = daily_drill(current_app.extensions["today"]()).level
    front = PAGE._replace(draw=partial(_render, level=level))
    return _page(front, Link.starting(parse_rules(DEFAULT_BOARD)), f"/ {level}", wants_fragment())


@pages.get("/play/<board>")
def play(board: str) -> Response:
    """Show the game of a link."""
    return shown_at(PAGE, board)


@pages.get("/play/<board>.<any(svg, png):kind>")
def pictured(board: str, kind: str) -> Response:
    """Draw the picture of a link, for its preview."""
    read = asked(board)
    if read.problems:
        return previews.refused(read.problems[0])
    prediction = preview.known(read.link)
    return previews.answer(preview.card(read.link, prediction), kind, prediction is None or prediction.complete)


@pages.get("/why/<board>")
def explained(board: str) -> Response:
    """Explain the square that the visitor points at: the link's `line`."""
    read = asked(board)
    if read.problems:
        return _refuse(PAGE, read.link, read.problems)
    game = PointedAt(read.link, why(explanation(read.link)))
    return make_response(_html("_why.html", game=game, pointed=True))


@pages.get("/play/<board>/settings")
def setup(board: str) -> Response:
    """Show a link's settings, as a page or in the play page's panel. Replace bad parts of the link by defaults."""
    query, fragment = _query(), wants_fragment()
    read = read_link(board, query)

    def drawn() -> bytes:
        part = _html("_settings.html", settings=settings(read.link), fragment=fragment)
        page = part if fragment else _html("settings.html", url=read.link.url(), problems=read.problems, part=part)
        return digest_of(body := page.encode()) + body

    if read.problems:
        return make_response(drawn()[DIGEST_BYTES:], 400)
    cache: ByteCache = current_app.extensions["cache"]
    return _digested(cache.kept(("settings", f"{board}?{query}", fragment), drawn))


@pages.post("/play/<board>")
def move(board: str) -> AnyResponse:
    """Play in the game of the link."""
    return moved_at(PAGE, board)


def moved_at(venue: Venue, board: str) -> AnyResponse:
    """Play `cell` and the computer's reply. If the form has `next`, play a computer's move instead."""
    read = venue.read(board)
    if read.problems:
        return _refuse(venue, read.link, read.problems)
    link, form = read.link, _form()
    if link.rules.is_wild and form.get("mark") in set(Mark):
        link = link.having(place=Mark(form["mark"]))
    try:
        if "next" in form:
            after = computer_move(link)
        else:
            after = _moved(link, link.move_to(link.position.move_of(form.get("cell", ""))), "sure" in form)
    except NoughtsError as error:
        return _refuse(venue, link, (error,))
    url, moves = after.url(venue.path), len(after.game.moves) - link.at if after.tried is None else 0
    if not wants_fragment():
        return _remembering(redirect(url, 303), after, moves)
    how = "reply" if moves > 1 else "move" if "next" in form else "own" if moves else ""
    replaces = venue.replaces or form.get("next") == "auto" or not moves
    return _remembering(show_url(_page(venue, after, url, True, how), url, replaces), after, moves)


def _remembering(answer: AnyResponse, link: Link, moves: int) -> AnyResponse:
    """Set the cookie that names a finished game as played in this browser, if a move has finished it."""
    if moves and link.game.last.result is not None:
        answer.set_cookie(PLAYED, _of_game(link), max_age=REMEMBERED, path="/", httponly=True, samesite="Lax")
    return answer


def _moved(link: Link, cell: MoveCode, sure: bool) -> Link:
    """Return the link after a person's move. If the move is a mistake, the coach asks first.

    In a review, the square is tried and not played.
    """
    cell = link.position.landing(cell)
    if link.review:
        link.playing(cell)  # raises IllegalMove
        return link.having(tried=cell, hint=False)
    if link.show == "coach" and not sure and gives_away(link, cell):
        return link.having(tried=cell)
    return human_move(link, cell)


@pages.get("/play")
def choose() -> AnyResponse:
    """Show the game with the chosen settings. A new board starts a new game, and new players start a new series.

    In the query, `game` is the link so far, by default a new game. `opponent` and `mark` choose the opponent and the
    visitor's mark. `columns`, `rows`, `layers` and `k` choose a board, `surface`, `shape`, `drop`, `lines` and `marks`
    its rules; the `board` MORE leads to the page of all games. `paste` is a game that the visitor pasted. Any part of a
    link can also be chosen by its name.
    """
    chosen = request.args.to_dict()
    name, _, parts = chosen.pop("game", DEFAULT_BOARD).partition("?")
    was, text = read_link(name, parts).link, chosen.pop("paste", "")
    if chosen.get("board") == MORE:
        carried, usual = was.settings(), Link.starting(was.rules).settings()
        return lead_to(with_query(url_for("games.shelf"), carried if carried != usual else {}))
    try:
        pasted = GameForm.of(read_pasted(text, was.rules)).parts() if text else {}
        board = pasted.get("board") or _board(chosen) or str(was.rules)
        rules = parse_rules(board)
    except NoughtsError as error:
        return _refuse(PAGE, was, (error,))
    query = dict(reversed(parse_qsl(parts[:MAX_LENGTH]))) | _seats(chosen, was) | chosen
    notes: tuple[str, ...] = ()
    if pasted or rules != was.rules:
        query["score"] = str(was.score) if was.scheme == GAMES else ""  # points do not carry over to another board
        gone = {part.name for part in PARTS if OF_GAME in part.belongs}
        query = {part: value for part, value in query.items() if part not in gone}
        query, notes = _without_absent(rules, query)
    query |= {part: pasted[part] for part in GAME[1:] if part in pasted} | ({"as": GUEST} if pasted else {})
    read = read_link(board, urlencode(query))
    if read.problems:
        return _refuse(PAGE, read.link, read.problems)
    link = read.link.having(x=was.x, o=was.o).seating(read.link.x, read.link.o)
    fragment, url = wants_fragment(), link.url()
    if not fragment and not notes:
        return redirect(url, 303)
    return show_url(make_response(_render(snapshot(link), fragment, problems=notes)), url)


def _board(chosen: dict[str, str]) -> str:
    """Remove the board from the choices, given by name or by its sides and rules. Return its name; "" for none."""
    board = chosen.pop("board", "")
    columns, rows, layers, k = (chosen.pop(side, "").strip() for side in ("columns", "rows", "layers", "k"))
    surface, shape, *others = (chosen.pop(each, "").strip() for each in ("surface", "shape", "drop", "lines", "marks"))
    cells = {word: "".join(chosen.pop(f"cells-{word}", "").split()) for word in (HOLES, LINES)}
    if not (columns or rows or k):
        return board
    space = () if layers in {"", "1"} else (layers,)
    size = "x".join(side or "?" for side in ((columns, rows, *space) if shape else (columns, rows, *space, k)))
    named = (word + names for word, names in cells.items() if names)
    return "-".join(filter(None, (size, surface if surface != Surface.FLAT else "", shape, *named, *others)))


def _seats(chosen: dict[str, str], was: Link) -> dict[str, str]:
    """Remove the opponent and the visitor's mark from the choices, and return the players of X and O."""
    opponent, mark = chosen.pop("opponent", ""), chosen.pop("mark", "")
    if not (opponent or mark):
        return {}
    x, o = players.seated(opponent or players.opponent(was.x, was.o), mark or players.own(was.x, was.o), was.x)
    return {"x": x, "o": o}


def _without_absent(rules: Rules, query: dict[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the query without opponents that cannot play the new board, and a note about each."""
    absent = {
        part: strategy
        for part in ("x", "o")
        if (strategy := players.computer(query.get(part, ""))) and not strategy.plays_on(rules)
    }
    notes = dict.fromkeys(
        f"{players.title(each.name)} does not play this board; choose another." for each in absent.values()
    )
    return {part: value for part, value in query.items() if part not in absent}, tuple(notes)


def _form() -> Mapping[str, str]:
    """Return the posted fields. If a name occurs twice, its first field counts.

    The usual encoding is parsed directly: moves are the most frequent requests, and Flask's general parser is slower.
    """
    if request.mimetype == "application/x-www-form-urlencoded":
        return dict(reversed(parse_qsl(request.get_data(as_text=True))))
    return request.form


def _query() -> str:
    return request.query_string.decode("ascii", "replace")


def asked(board: str) -> ReadLink:
    """Read the requested link."""
    return read_link(board, _query())


def shown_at(venue: Venue, board: str) -> Response:
    """Show the game of the requested link."""
    return _shown(venue, venue.read(board), f"{board}?{_query()}")


def _shown(venue: Venue, read: ReadLink, text: str) -> Response:
    if read.problems:
        return _refuse(venue, read.link, read.problems)
    fragment, link = wants_fragment(), read.link
    if fragment or not _is_strange(link):
        return _page(venue, link, text, fragment)
    answer = _page(venue, link.having(guest=True), f"{text}&as={GUEST}", fragment)
    answer.vary.add("Cookie")
    return answer


def _is_strange(link: Link) -> bool:
    """Return whether the game is finished and this browser's cookie does not name it as played."""
    return link.game.last.result is not None and request.cookies.get(PLAYED) != _of_game(link)


def _of_game(link: Link) -> str:
    """Return a short text that identifies a game in the cookie `PLAYED`."""
    return f"{crc32(GameForm.of(link.game).lab.encode()):08x}"


def _refuse(venue: Venue, link: Link, problems: tuple[NoughtsError, ...]) -> Response:
    """Show the nearest sensible game with the mistakes in the link. Going back leads to the page before the request."""
    answer = make_response(venue.draw(snapshot(link), wants_fragment(), "", problems), 400)
    return show_url(answer, link.url(venue.path), replace=True)


def _page(venue: Venue, link: Link, text: str, fragment: bool, moved: str = "") -> Response:
    """Return a link's page, with the proofs so far. A final page is cached under its `text`."""
    cache: ByteCache = current_app.extensions["cache"]
    key = (venue.path, text, fragment, g.site, moved)
    kept = cache.get(key)
    if kept is None:
        shown = snapshot(link)
        if shown.review is not None and link.review and "at" not in request.args:
            shown = replace(shown, link=link.showing(StoryView(link, shown.review).opening))
        body = venue.draw(shown, fragment, moved, ())
        if not shown.settled:
            return make_response(body)
        kept = digest_of(body) + body
        cache.put(key, kept)
    return _digested(kept)


def _digested(kept: bytes) -> Response:
    """Return the response of a cached page, which begins with its digest."""
    return DigestedResponse(kept[DIGEST_BYTES:], kept[:DIGEST_BYTES])


def _render(shown: Snapshot, fragment: bool, moved: str = "", problems: Said = (), level: str = "") -> bytes:
    """Render the page or its fragment. The game is rendered first, because each template around a block copies it.

    The page has a link to today's drill if its `level` is given.
    """
    if shown.link.review and shown.review is not None:
        return _tell(shown, shown.review, fragment, problems)
    link, view = shown.link, game_view(shown, problems, moved)
    known = shown.prediction if link.shows_outcomes else None
    chosen = _choices(str(link.rules), link.x, link.o, link.show, link.shows_outcomes)
    against = _opponents(link.x, link.o)
    game = _html("_game.html", game=view, choices=chosen, opponents=against, fragment=fragment)
    if fragment:
        return game.encode()
    start, head, middle, end = _around(link.rules.endless, level)
    tags = previews.tags(preview.preview(link, known), described_at(link, g.site))
    return "".join((start, escape(view.title), head, tags, middle, game, end)).encode()


@lru_cache(maxsize=8)
def _around(endless: bool, level: str) -> tuple[str, ...]:
    """Return what all pages have around their title, their preview and their game."""
    cut = Markup("<!-- cut -->")
    return tuple(_html("play.html", endless=endless, level=level, title=cut, preview=cut, game=cut).split(cut))


def _tell(shown: Snapshot, review: Review, fragment: bool, problems: Said) -> bytes:
    """Render a review, or its fragment."""
    told = StoryView(shown.link, review, shown.judging, problems)
    part = _html("_story.html", story=told, fragment=fragment)
    if fragment:
        return part.encode()
    whole = shown.link.showing(len(shown.link.game.moves))
    tags = previews.tags(replace(preview.preview(whole, None), path=whole.having(guest=False).review_url()))
    return _html("story.html", story=told, part=part, preview=tags, endless=shown.link.rules.endless).encode()


PAGE: Final = Venue(PLAY, _render)
"""The pages of games."""


def _html(template: str, **values: object) -> Markup:
    return Markup(current_app.jinja_env.get_template(template).render(values))  # noqa: S704 - from a template


@lru_cache(maxsize=256)
def _choices(board: str, x: str, o: str, show: str, outcomes: bool) -> Markup:
    """Return the choices beside the board as HTML. Few of the link's parts decide on them."""
    return _html("_choices.html", choices=choices(board, x, o), modes=modes(show, outcomes))


@lru_cache(maxsize=256)
def _opponents(x: str, o: str) -> Markup:
    """Return the opponent's dropdown as HTML."""
    return _html("_level.html", options=opponents(x, o))
