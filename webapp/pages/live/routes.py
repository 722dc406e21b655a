"""The addresses under /live: to make, show and play a game, and to send its news."""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from math import ceil
from pathlib import Path
from secrets import choice, token_urlsafe
from shutil import rmtree
from tempfile import mkdtemp
from threading import Lock
from typing import TYPE_CHECKING, Final
from weakref import finalize

from flask import Blueprint, Response, current_app, g, make_response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from solver.board.game import Game
from solver.board.notation import nearest_rules, parse_cell, parse_rules
from solver.board.position import Mark, Position
from solver.board.rules import DEFAULT_BOARD
from solver.errors import BadOption, IllegalMove, NoughtsError
from webapp.config import AppConfig
from webapp.pages.live.file import FILE, live_file
from webapp.pages.live.game import (
    BOTH,
    NO_WISHES,
    At,
    Full,
    LiveGame,
    Matter,
    NewerGame,
    NoGame,
    NotNow,
    NotYours,
    TooManyGames,
    Unreachable,
    claim_seat,
    confirm_claim,
    decline_wish,
    make_wish,
    play_move,
    read_at,
    reject_claim,
    resign,
    take_seat,
)
from webapp.pages.live.news import Subscription, event
from webapp.pages.live.view import Viewer, live_page, preview_of, settles
from webapp.pages.live.visitors import SECRET, SeatCookies, cookie_name, networks_of, read_seats, sign
from webapp.pages.play.settings import BOARDS, short_title
from webapp.pages.play.share import qr_drawn
from webapp.serving.http.answers import ByteCache, set_cookie, show_url, wants_fragment
from webapp.serving.http.errors import Busy, Refusal
from webapp.serving.http.log import log
from webapp.ui import previews

if TYPE_CHECKING:
    from webapp.pages.live.store import LiveStore, StoredGame


class LiveDatabase:
    """The database of live games that the settings name, or a SQLite file in their `data_folder`."""

    def __init__(self, config: AppConfig) -> None:
        self._config = config
        self._lock = Lock()
        self._store: LiveStore | None = None

    def store(self) -> "LiveStore":
        """Return the store. Raises BadOption for an address that names no database."""
        with self._lock:
            if self._store is None:
                from webapp.pages.live.store import LiveStore  # noqa: PLC0415 - SQLAlchemy

                self._store = LiveStore(self._config.database or self._file(), self._config.live_games)
                finalize(self, self._store.close)
            return self._store

    def trouble(self) -> str:
        """Return the reason why writes fail now, or an empty string."""
        try:
            return self.store().trouble()
        except (NoughtsError, OSError) as error:
            return f"the database of live games cannot be used ({error})"

    def notice(self) -> str:
        """Return a note for operators if the file of games was damaged or removed, or else an empty string."""
        return self._store.notice() if self._store is not None else ""

    def _file(self) -> Path:
        """Return the file of live games. If `data_folder` is "off", the file is temporary."""
        path = live_file(self._config.data_folder)
        if path is None:
            folder = Path(mkdtemp(prefix="noughts-live-"))
            finalize(self, rmtree, folder, ignore_errors=True)
            path = folder / FILE
        return path


def live_database() -> LiveDatabase:
    """Return the database of the application that answers the request."""
    database: LiveDatabase = current_app.extensions["live"]
    return database


live = Blueprint("live", __name__, url_prefix="/live")

KEPT: Final = 30 * 24 * 3600
"""Seconds for which a browser keeps a seat: a game may take days, with a move now and then."""

BEGINS: Final = {"me": "I do", "friend": "My friend", "random": "At random"}
"""The choices of who begins, by their names in the form."""

OFFER: Final = "Play with a friend"
OFFERED: Final = "You each play on your own screen, and see every move at once."
"""The page's text for inviting a friend; link previews show it too."""

LONGEST_NAME: Final = 24
"""The most letters of a player's name."""

WAY_BACK: Final = "way-back"
"""The name of the cookie that makes the next page show the link back to the seat, once."""

SIGN_EVERY: Final = 1.0
"""Seconds after which another view of the page is noted as its player's presence."""

AGAIN: Final = 2
"""Seconds to wait before another try when the database did not answer."""

FULL_FOR: Final = 60
"""Seconds to wait before another try when the server takes no more games."""

UPDATED_IN: Final = 60
"""Seconds to wait before another try when a newer version of the server made the game."""

_NAME: Final = re.compile(r"[\w-]{22}", re.ASCII)
_LINK_BACK: Final = re.compile(rf"({_NAME.pattern})({SECRET.pattern})", re.ASCII)
"""The last part of a link back to a seat: game and secret in one word. Logs have only the word's beginning."""

_STATUS: Final[Mapping[type[NoughtsError], int]] = {NotYours: 403, NotNow: 409, IllegalMove: 409}
"""The status of a refusal, by its error; 400 for all others."""


@live.get("")
def offer() -> Response:
    """Show the form that invites a friend."""
    return _offer(request.args.get("board", DEFAULT_BOARD))


@live.post("")
def make() -> AnyResponse:
    """Make a game in which the visitor has a seat, and redirect to it."""
    form = request.form
    board, begins = form.get("board") or DEFAULT_BOARD, form.get("begins", "me")
    try:
        rules = parse_rules(board)
        if begins not in BEGINS:
            raise BadOption(f"Choose who begins: {', '.join(BEGINS)}.")
    except NoughtsError as error:
        return _offer(board, str(error))
    first = {"me": Mark.X, "friend": Mark.O}.get(begins) or choice(list(Mark))
    wishes = {**NO_WISHES, Matter.COLOURS: BOTH} if form.get("colours") else NO_WISHES
    now, secret, networks = time.time(), token_urlsafe(24), networks_of(request.remote_addr or "")
    game = LiveGame(token_urlsafe(16), Game.starting(Position(rules)), first, now, wishes=wishes, host=name_in(form))
    try:
        with _store() as store:
            gone = store.add(game, networks)
            store.change(game.id, lambda made: take_seat(made, secret, now), networks)
    except TooManyGames as error:
        log("live-refused", reason="one network's games")
        minutes = ceil(error.seconds / 60)
        wait = "a minute" if minutes == 1 else f"{minutes} minutes"
        raise Refusal.called("too_many_games", error.seconds, wait=wait) from None
    except Full:
        log("live-refused", reason="games at a time")
        raise Refusal.called("live_games_full", FULL_FOR) from None
    if gone:
        log("live-made-room", games=gone)
    log("live-made", game=_short(game.id), board=str(rules))
    answer = redirect(_address(game.id), 303)
    _promise_way_back(answer, game.id)
    hand_secret(answer, game.id, secret, KEPT)
    return answer


@live.get("/<name>")
def show(name: str) -> Response:
    """Show the present state of a game, or the page of a link back to a seat."""
    if back := _LINK_BACK.fullmatch(name):
        return _back(*back.groups())
    text = request.args.get("seen", "")
    seen = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None
    return _page(name, _seats(name), seen=seen, way_back=WAY_BACK in request.cookies and seen is None)


@live.post("/<name>")
def act(name: str) -> AnyResponse:
    """Carry out a form's request: `cell` is a move, `do` anything else."""
    form, seats = request.form, _seats(name)
    asked = form.get("do") or "move"
    takes_seat = asked in ("join", "back") or asked.startswith("claim-")
    mine = replace(seats, own=seats.own or token_urlsafe(24)) if takes_seat else seats
    if asked == "back":
        mine = SeatCookies(form.get("key", ""))
    try:
        at = read_at(form["at"]) if form.get("at") else None
        after = _do(name, mine, asked, at)
    except NoughtsError as error:
        log("live-refused", game=_short(name), reason=error.code)
        return _page(name, seats, refused=error)
    if takes_seat:
        mine = replace(mine, own=mine.secret_in(after))
    answer: AnyResponse
    way_back = asked in ("join", "keep")
    shown = _address(name, "hint" in request.args, "still" in request.args)
    if wants_fragment():
        page = _page(name, mine, seen=at.ply if at else None, way_back=way_back)
        answer = show_url(page, shown, replace=True)
    else:
        answer = redirect(shown, 303)
    if way_back and not wants_fragment():
        _promise_way_back(answer, name)
    if takes_seat:
        hand_secret(answer, name, mine.own, KEPT)
    return answer


@live.get("/<name>/qr.svg")
def qr_code(name: str) -> Response:
    """Draw the QR code of a game's full address. There is none if the server does not know its own name."""
    if not _NAME.fullmatch(name) or not g.site:
        raise Refusal.called("no_game")
    link = g.site + _address(name)
    cache: ByteCache = current_app.extensions["cache"]
    return Response(cache.kept(("qr", link), lambda: qr_drawn(link)), mimetype="image/svg+xml")


@live.get("/<name>/news")
def news(name: str) -> Response:
    """Return the game's tag as the first event of a stream, which our own server keeps open for more.

    With `once` in the query, return the tag alone. A page in a hidden tab adds `hidden`; its player counts as away.
    """
    stays = "once" not in request.args and request.environ.get("noughts.newsroom", False)
    keeps_sign = not stays and "hidden" not in request.args  # the newsroom notes the presence of its listeners
    stored, secret = _find(name, _seats(name), keeps_sign)
    if "once" in request.args:
        answer = Response(stored.tag, mimetype="text/plain")
        answer.set_etag(stored.tag)
        answer.headers["Cache-Control"] = "private, no-cache"
        answer.make_conditional(request.environ)
        return answer
    answer = Response(event(stored.tag), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "private, no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    side = stored.live.side_of(secret)
    seat = stored.live.seat(side) if side is not None else ""
    request.environ.get("noughts.told", {})["stays"] = Subscription(name, seat, stored.tag)
    return answer


def _do(name: str, seats: SeatCookies, asked: str, at: At | None) -> LiveGame:
    """Have the referee judge a request; return the game after it. Raises NoughtsError."""

    def judge(game: LiveGame) -> LiveGame:
        secret = seats.secret_in(game)
        if asked == "move":
            cell, is_o = parse_cell(request.form.get("cell", ""), game.rules), request.form.get("mark") == Mark.O
            return play_move(game, secret, at, game.rules.with_mark(cell, is_o), time.time())
        if asked == "join":
            return take_seat(game, secret, time.time(), name_in(request.form))
        if asked in ("back", "keep"):
            if game.side_of(secret) is None:
                raise NotYours("That seat isn't yours any more.")
            return game
        if asked in ("claim-X", "claim-O"):
            return claim_seat(game, secret, Mark(asked[-1]))
        if asked.startswith("seat-"):
            return confirm_claim(game, secret, asked.removeprefix("seat-"))
        if asked.startswith("no-seat-"):
            return reject_claim(game, secret, asked.removeprefix("no-seat-"))
        if asked == "resign":
            return resign(game, secret, at)
        for matter in Matter:
            if asked == matter:
                return make_wish(game, secret, at, matter, time.time())
            if asked == f"no-{matter}":
                return decline_wish(game, secret, at, matter)
        raise BadOption("I can't do that. Press a square or a button.")

    with _store() as store:
        if asked.startswith("claim-") and asked[-1] in store.find(name).here:
            raise NotNow(f"{asked[-1]} is here right now.")
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
        raise Refusal.called("no_game") from None
    except NewerGame:
        raise Refusal.called("newer_game", UPDATED_IN) from None
    except Unreachable:
        raise Busy(AGAIN) from None


def _find(name: str, seats: SeatCookies, keeps_sign: bool = True) -> "tuple[StoredGame, str]":
    """Return a game and its viewer's secret, "" without one. If `keeps_sign` is set, note a player's presence."""
    with _store() as store:
        stored = store.find(name)
    secret = seats.secret_in(stored.live)
    side = stored.live.side_of(secret)
    if side is not None and stored.seen[side] < stored.now - SIGN_EVERY:
        if keeps_sign:
            with suppress(Unreachable):  # the page can be shown without it
                store.beat([stored.live.seat(side)])
        stored = replace(stored, seen={**stored.seen, side: stored.now})
    return stored, secret


def _page(
    name: str,
    seats: SeatCookies,
    seen: int | None = None,
    refused: NoughtsError | None = None,
    way_back: bool = False,
) -> Response:
    """Return the page of a game or, for htmx, the part that is swapped in.

    The body is cached until the game changes. A player with a cookie of an earlier version gets a new cookie. A visitor
    who may join gets a secret in advance. Pressing "Join" again after a lost answer then takes no second seat.
    `way_back` shows a player the link back to the seat.
    """
    stored, secret = _find(name, seats, keeps_sign=request.method == "POST" or "seen" not in request.args)
    game, fragment = stored.live, wants_fragment()
    side = game.side_of(secret)
    seen = None if seen is None else min(seen, len(game.game.moves))
    link_back = _address(name + secret) if way_back and side is not None else ""
    viewer = Viewer(side, "hint" in request.args, str(refused or ""), game.is_claimed_by(secret), link_back, seen)
    still, of = "still" in request.args, request.args.get("of", "")[:5]  # the class that the page leads back to
    cache: ByteCache = current_app.extensions["cache"]
    key = ("live", name, stored.tag, str(side), repr(viewer), fragment, still, of, g.site)
    render = partial(_render, stored, viewer, fragment, still, of)
    is_kept = settles(game) and not refused and not link_back
    status = _STATUS.get(type(refused), 400) if refused else 200
    answer = make_response(cache.kept(key, render) if is_kept else render(), status)
    answer.headers["Cache-Control"] = "private, no-store" if link_back else "private, no-cache"
    if link_back and WAY_BACK in request.cookies:
        answer.delete_cookie(WAY_BACK, path=_address(name))
    if side is not None and secret != seats.own:
        hand_secret(answer, name, secret, KEPT)
    elif side is None and game.free and not seats.own:
        hand_secret(answer, name, token_urlsafe(24))
    return answer


def _render(stored: "StoredGame", viewer: Viewer, fragment: bool, still: bool, of: str) -> bytes:
    game, place = live_page(stored.live, stored.here, viewer), partial(_address, stored.live.id)
    part = Markup(  # noqa: S704 - from a template
        render_template(
            "live/_game.html",
            game=game,
            url=place(),
            qr=url_for("live.qr_code", name=stored.live.id),
            place=place,
            tag=stored.tag,
            host=g.site,
            still=still,
            longest_name=LONGEST_NAME,
        )
    )
    if fragment:
        return Markup("<title>{}</title>\n{}").format(game.title, part).encode()
    return render_template(
        "live/page.html",
        title=game.title,
        part=part,
        refresh=game.waits and not still,
        of=of,
        preview=previews.tags(preview_of(stored.live, place())),
        endless=stored.live.rules.endless,
    ).encode()


def _back(name: str, secret: str) -> Response:
    """Show the page of a link back to a seat. Only its button takes the seat: messengers open links to preview them."""
    stored, _ = _find(name, SeatCookies(), keeps_sign=False)
    side = stored.live.side_of(secret)
    if side is None:
        raise Refusal.called("not_your_seat")
    page = render_template("live/back.html", url=_address(name), side=side, key=secret)
    answer = make_response(page)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _address(name: str, hint: bool = False, still: bool = False) -> str:
    """Return the address of a game, with or without the best squares and automatic refreshing."""
    return url_for("live.show", name=name, hint="1" if hint else None, still="1" if still else None)


def name_in(form: Mapping[str, str]) -> str:
    """Return the player's name in a form, without what cannot be printed."""
    return "".join(filter(str.isprintable, " ".join(form.get("name", "").split())))[:LONGEST_NAME].strip()


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
        begins=BEGINS,
        longest_name=LONGEST_NAME,
        problem=problem,
        preview=previews.tags(told),
    )
    return make_response(page, 400 if problem else 200)


def _seats(name: str) -> SeatCookies:
    """Return the seats in the visitor's cookies for a game. Raises Refusal for a name that no game can have."""
    if not _NAME.fullmatch(name):
        raise Refusal.called("no_game")
    return read_seats(request.cookies, name, _key(), request.scheme == "https")


def _key() -> bytes:
    with _store() as store:
        return store.key()


def hand_secret(answer: AnyResponse, name: str, secret: str, seconds: int | None = None) -> None:
    """Set the cookie with a secret for a game. It lasts for `seconds`, or until the browser is closed."""
    set_cookie(answer, cookie_name(request.scheme == "https"), sign(secret, name, _key()), seconds, _address(name))


def _promise_way_back(answer: AnyResponse, name: str) -> None:
    """Have the next page of a game show its player the link back to the seat."""
    set_cookie(answer, WAY_BACK, "1", 60, _address(name))


def _short(name: str) -> str:
    """Return a game's name for the log: enough to tell it from others, too little to open it."""
    return name[:6]
