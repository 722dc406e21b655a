"""The addresses under /live: to make, show and play a game, and to send its news."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from math import ceil
from secrets import choice, token_urlsafe
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from solver.board.game import Game
from solver.board.notation import nearest_rules, parse_cell, parse_rules
from solver.board.position import Mark, Position
from solver.board.rules import DEFAULT_BOARD
from solver.errors import BadOption, IllegalMove, NoughtsError
from webapp.pages.live.access import live_database
from webapp.pages.live.game import (
    BOTH,
    NO_WISHES,
    At,
    Full,
    LiveGame,
    Matter,
    NoGame,
    NotNow,
    NotYours,
    TooManyGames,
    Unreachable,
    declined,
    played,
    read_at,
    resigned,
    seated,
    wished,
)
from webapp.pages.live.news import Subscription, event
from webapp.pages.live.view import Viewer, live_page, preview_of, settles
from webapp.pages.live.visitors import SeatCookies, cookie_name, networks_of, read_seats, signed
from webapp.pages.play.settings import BOARDS, short_title
from webapp.serving.http import htmx
from webapp.serving.http.cache import ByteCache
from webapp.serving.http.errors import Busy, Refusal
from webapp.serving.http.log import log
from webapp.serving.http.security import site_shown
from webapp.ui import previews

if TYPE_CHECKING:
    from webapp.pages.live.store import Found, LiveStore

live = Blueprint("live", __name__, url_prefix="/live")

KEPT: Final = 30 * 24 * 3600
"""Seconds for which a browser keeps a seat: a game may take days, with a move now and then."""

FIRST: Final = {"first": "Whoever sits down first", "second": "Whoever sits down second", "lot": "By lot"}
"""The choices of who begins, by their names in the form."""

OFFER: Final = "Play with a friend elsewhere"
OFFERED: Final = "Each at a screen of your own: a move shows on the other side at once."
"""The page's text for inviting a friend; link previews show it too."""

SIGN_EVERY: Final = 4.0
"""Seconds after which another view of the page counts as a new sign of life of its player."""

AGAIN: Final = 2
"""Seconds to wait before another try when the database did not answer."""

FULL_FOR: Final = 60
"""Seconds to wait before another try when there are as many games as the server takes."""

_NAME: Final = re.compile(r"[\w-]{22}", re.ASCII)

_STATUS: Final = {NotYours: 403, NotNow: 409, IllegalMove: 409}
"""The status of a refusal, by its error; 400 for all others."""


@live.get("")
def offer() -> Response:
    """Show the form that makes a game for a friend elsewhere."""
    return _offer(request.args.get("board", DEFAULT_BOARD))


@live.post("")
def make() -> AnyResponse:
    """Make a game, and redirect to it."""
    form = request.form
    board, begins = form.get("board") or DEFAULT_BOARD, form.get("begins", "first")
    try:
        rules = parse_rules(board)
        if begins not in FIRST:
            raise BadOption(f"Who begins is one of {', '.join(FIRST)}.")
    except NoughtsError as error:
        return _offer(board, str(error))
    first = {"first": Mark.X, "second": Mark.O}.get(begins) or choice(list(Mark))
    wishes = {**NO_WISHES, Matter.COLOURS: BOTH} if form.get("colours") else NO_WISHES
    game = LiveGame(token_urlsafe(16), Game.starting(Position(rules)), first, time.time(), wishes=wishes)
    try:
        with _store() as store:
            gone = store.add(game, networks_of(request.remote_addr or ""))
    except TooManyGames as error:
        log("live-refused", reason="one network's games")
        minutes = ceil(error.seconds / 60)
        wait = "a minute" if minutes == 1 else f"{minutes} minutes"
        message = f"You have made many games just now. Make more in {wait}."
        raise Refusal(429, "too_many_games", "Those were many games", message, error.seconds) from None
    except Full:
        log("live-refused", reason="games at a time")
        raise Refusal(
            503,
            "live_games_full",
            "All tables are taken",
            "As many live games are going on as this server takes. Try again later, or play on one device.",
            FULL_FOR,
        ) from None
    if gone:
        log("live-made-room", games=gone)
    log("live-made", game=_short(game.id), board=str(rules))
    return redirect(url_for("live.show", name=game.id), 303)


@live.get("/<name>")
def show(name: str) -> Response:
    """Show the present state of a game."""
    text = request.args.get("seen", "")
    seen = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None
    return _page(name, _seats(name), seen=seen)


@live.post("/<name>")
def act(name: str) -> AnyResponse:
    """Carry out a form's request: `cell` is a move, `do` anything else."""
    form, seats = request.form, _seats(name)
    asked = form.get("do") or "move"
    mine = replace(seats, own=seats.own or token_urlsafe(24)) if asked == "sit" else seats
    try:
        at = read_at(form["at"]) if form.get("at") else None
        after = _do(name, mine, asked, at)
    except NoughtsError as error:
        status = _STATUS.get(type(error), 400)
        log("live-refused", game=_short(name), reason=error.code)
        return _page(name, seats, status=status, problem=str(error))
    if asked == "sit":
        mine = replace(mine, own=mine.secret_in(after))
    answer: AnyResponse
    shown = _address(name, "hint" in request.args, "still" in request.args)
    if htmx.wants_fragment():
        answer = htmx.show_url(_page(name, mine, seen=at.ply if at else None), shown, replace=True)
    else:
        answer = redirect(shown, 303)
    if asked == "sit":
        _hand(answer, name, mine.own, KEPT)
    return answer


@live.get("/<name>/news")
def news(name: str) -> Response:
    """Return the game's tag as the first event of a stream, which our own server keeps open for more.

    With `once` in the query, return the tag alone.
    """
    stays = "once" not in request.args and "noughts.newsroom" in request.environ
    found, secret = _found(name, _seats(name), keeps_sign=not stays)  # the newsroom notes the signs of its listeners
    if "once" in request.args:
        answer = Response(found.tag, mimetype="text/plain")
        answer.set_etag(found.tag)
        answer.headers["Cache-Control"] = "private, no-cache"
        answer.make_conditional(request.environ)
        return answer
    answer = Response(event(found.tag), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "private, no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    side = found.live.side_of(secret)
    seat = found.live.seat(side) if side is not None else ""
    request.environ["noughts.stays"] = Subscription(name, seat, found.tag)
    return answer


def _do(name: str, seats: SeatCookies, asked: str, at: At | None) -> LiveGame:
    """Have the referee judge a request; return the game after it. Raises NoughtsError."""

    def judge(game: LiveGame) -> LiveGame:
        secret = seats.secret_in(game)
        if asked == "move":
            cell = parse_cell(request.form.get("cell", ""), game.rules)
            return played(game, secret, at, cell, time.time())
        if asked == "sit":
            return seated(game, secret, time.time())
        if asked == "resign":
            return resigned(game, secret, at)
        for matter in Matter:
            if asked == matter:
                return wished(game, secret, at, matter, time.time())
            if asked == f"no-{matter}":
                return declined(game, secret, at, matter)
        raise BadOption("That cannot be done here. Press a square or a button.")

    with _store() as store:
        after = store.change(name, judge, networks_of(request.remote_addr or ""))
    if after.result is not None and asked in ("move", "resign", "draw"):
        log("live-over", game=_short(name), result=str(after.result), moves=len(after.game.moves))
    return after


@contextmanager
def _store() -> "Iterator[LiveStore]":
    """Lend the store of games, and turn its errors into answers. Raises Refusal or Busy."""
    try:
        yield live_database().store()
    except NoGame:
        raise _no_game() from None
    except Unreachable:
        raise Busy(AGAIN) from None


def _found(name: str, seats: SeatCookies, keeps_sign: bool = True) -> "tuple[Found, str]":
    """Return the game of an address and the secret of its viewer's seat, "" without one. Note a player's presence."""
    with _store() as store:
        found = store.find(name)
    secret = seats.secret_in(found.live)
    side = found.live.side_of(secret)
    if side is not None and found.seen[side] < found.now - SIGN_EVERY:
        if keeps_sign:
            with suppress(Unreachable):  # the page can be shown without it
                store.beat([found.live.seat(side)])
        found = replace(found, seen={**found.seen, side: found.now})
    return found, secret


def _page(name: str, seats: SeatCookies, seen: int | None = None, status: int = 200, problem: str = "") -> Response:
    """Return the page of a game or, for htmx, the part that is swapped in; the body is cached until the game changes.

    A player with an earlier version's cookie gets a new one. A visitor who may sit down gets a secret in advance,
    so that pressing "Sit down" twice, after a lost answer, takes one seat.
    """
    found, secret = _found(name, seats)
    game, fragment = found.live, htmx.wants_fragment()
    side = game.side_of(secret)
    seen = None if seen is None else min(seen, len(game.game.moves))
    viewer = Viewer(side, "hint" in request.args, problem, seen)
    still = "still" in request.args
    cache: ByteCache = current_app.extensions["cache"]
    key = ("live", name, found.tag, str(side), repr(viewer), fragment, still, site_shown())
    render = partial(_render, found, viewer, fragment, still)
    answer = make_response(cache.kept(key, render) if settles(game) and not problem else render(), status)
    answer.headers["Cache-Control"] = "private, no-cache"
    if side is not None and secret != seats.own:
        _hand(answer, name, secret, KEPT)
    elif side is None and game.free and not seats.own:
        _hand(answer, name, token_urlsafe(24))
    return answer


def _render(found: "Found", viewer: Viewer, fragment: bool, still: bool) -> bytes:
    game, place = live_page(found.live, found.here, viewer), partial(_address, found.live.id)
    part = Markup(  # noqa: S704 - from a template
        render_template(
            "live/_game.html",
            game=game,
            url=place(),
            place=place,
            tag=found.tag,
            host=site_shown(),
            still=still,
        )
    )
    if fragment:
        return Markup("<title>{}</title>\n{}").format(game.title, part).encode()
    told = previews.tags(preview_of(found.live, place()))
    refresh = game.waits and not still
    return render_template("live/page.html", title=game.title, part=part, refresh=refresh, preview=told).encode()


def _address(name: str, hint: bool = False, still: bool = False) -> str:
    """Return the address of a game, with or without the best squares and automatic refreshing."""
    return url_for("live.show", name=name, hint="1" if hint else None, still="1" if still else None)


def _offer(board: str, problem: str = "") -> Response:
    rules = nearest_rules(board)
    names = BOARDS if str(rules) in BOARDS else (str(rules), *BOARDS)
    boards = [(name, short_title(parse_rules(name)), name == str(rules)) for name in names]
    path = url_for("live.offer", board=None if str(rules) == DEFAULT_BOARD else str(rules))
    told = previews.Preview(OFFER, OFFERED, path, f"/play/{rules}.png?o=friend&show=off")
    page = render_template(
        "live/offer.html",
        title=OFFER,
        offered=OFFERED,
        boards=boards,
        begins=FIRST,
        problem=problem,
        preview=previews.tags(told),
    )
    return make_response(page, 400 if problem else 200)


def _seats(name: str) -> SeatCookies:
    """Return the seats in the visitor's cookies for a game. Raises Refusal for a name that no game can have."""
    if not _NAME.fullmatch(name):
        raise _no_game()
    return read_seats(request.cookies, name, _key(), request.scheme == "https")


def _key() -> bytes:
    with _store() as store:
        return store.key()


def _hand(answer: AnyResponse, name: str, secret: str, seconds: int | None = None) -> None:
    """Have the browser keep a secret for the addresses of a game: for `seconds`, or until it is closed.

    No page and no script can read it.
    """
    https = request.scheme == "https"
    answer.set_cookie(
        cookie_name(https),
        signed(secret, name, _key()),
        max_age=seconds,
        path=url_for("live.show", name=name),
        secure=https,
        httponly=True,
        samesite="Lax",
    )


def _short(name: str) -> str:
    """Return a game's name for the log: enough to tell it from others, too little to open it."""
    return name[:6]


def _no_game() -> Refusal:
    return Refusal(
        404,
        "no_game",
        "No such game",
        "There is no live game at this address. A game ends 24 hours after its last move.",
    )
