"""The addresses under /class: to make and join a class, for its pupils, for its wall, and for their news."""

import csv
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from io import StringIO
from math import ceil
from operator import attrgetter
from random import choice as choose_any
from secrets import choice, token_hex, token_urlsafe
from threading import Lock
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, current_app, g, make_response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from solver.analysis.drills import LISTED
from solver.board.game import Game
from solver.board.notation import parse_cell
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from solver.errors import BadOption, NoughtsError
from webapp.config import AppConfig
from webapp.pages.classes import room as referee
from webapp.pages.classes.question import question_of, task_of, tasks_of
from webapp.pages.classes.room import HOMEWORK, LESSON, WALL, ClassGame, ClassRoom, Mode, Room, game_secret
from webapp.pages.classes.view import NO_RESULTS, TITLES, ClassPage, Results, map_of, pupil_page, wall_page
from webapp.pages.learn.course import UNITS
from webapp.pages.live.game import Full, LiveGame, NoGame, NotNow, TooManyGames, Unreachable, digest
from webapp.pages.live.news import Subscription, event
from webapp.pages.live.routes import LiveDatabase, hand_secret, live_database, name_in
from webapp.pages.live.visitors import SECRET, Networks, cookie_name, networks_of
from webapp.pages.play.game import computer_move
from webapp.pages.play.link import Link
from webapp.pages.play.share import qr_drawn
from webapp.serving.fairness import TokenBuckets, share_of
from webapp.serving.http.answers import ByteCache, set_cookie, wants_fragment
from webapp.serving.http.errors import Busy, Refusal
from webapp.serving.http.log import log
from webapp.ui import previews

if TYPE_CHECKING:
    from webapp.pages.classes.store import ClassStore


class ClassDatabase:
    """The store of classes in the database of live games, and the limit of wrong codes. Any thread may use it."""

    def __init__(self, config: AppConfig, games: LiveDatabase) -> None:
        self._most, self._games = config.live_games, games
        self._lock = Lock()
        self._guesses = TokenBuckets(GUESSES, GUESSED_AT_ONCE, time.monotonic)

    def store(self) -> "ClassStore":
        """Return the store. Raises BadOption for an address that names no database."""
        from webapp.pages.classes.store import ClassStore  # noqa: PLC0415 - SQLAlchemy

        return ClassStore(self._games.store(), self._most)

    def wait(self, visitor: str, was_wrong: bool = False) -> int:
        """Return the seconds until a visitor may try a code; 0 if now. Count a code that `was_wrong`."""
        with self._lock:
            return self._guesses.take(visitor) if was_wrong else self._guesses.wait(visitor)


classes = Blueprint("classes", __name__, url_prefix="/class")

GUESSES: Final = 0.5
"""Wrong codes a second that an address may try on average. A network may try four times as many."""

GUESSED_AT_ONCE: Final = 60
"""Wrong codes that an address may try at once: a class that mistypes."""

TEACHER: Final = "teacher"
"""The name of the cookie with the teacher's secret. Its path is that of the class, as for pupils."""

SHOWS_KEY: Final = "way-back"
"""The name of the cookie that makes the next wall show the teacher's way back, once."""

AGAIN: Final = 2
"""Seconds to wait before another try when the database did not answer."""

KINDS: Final = {f"kind:{kind}": kind.title for kind in LISTED} | {"kind:": "A bit of everything"}
"""The kinds of drills on 3×3 that a class can be asked, by their value in the form."""

LEVELS: Final = {"easy": "Easy", "medium": "Medium", "hard": "Hard", "impossible": "Perfect"}
"""The computer's levels."""


@classes.get("")
def front() -> AnyResponse:
    """Show the forms that make and join a class. With a `code`, lead to its class."""
    if "code" not in request.args:
        return _front()
    try:
        return redirect(_address(referee.read_code(request.args["code"])), 303)
    except NoughtsError as error:
        return _front(problem=str(error), status=400)


@classes.post("")
def make() -> AnyResponse:
    """Make a class whose teacher is the visitor, and lead to its wall. A set's page sends its link as `paste`."""
    form = request.form
    try:
        mode = Mode(form.get("mode", Mode.ASK)) if form.get("mode", Mode.ASK) in tuple(Mode) else None
        if mode is None:
            raise BadOption(f"Choose what the class does: {', '.join(TITLES.values())}.")
        room = _room(mode, form.get("paste") or form.get("ask") or "kind:", form.get("level", "hard"))
    except NoughtsError as error:
        return _front(problem=str(error), status=400)
    return _begin(room)


@classes.get("/<code>")
def show(code: str) -> AnyResponse:
    """Show a class to a pupil: the seat to take, or the question."""
    if code != code.upper():
        return redirect(_address(code.upper()), 303)
    return _pupil(code)


@classes.post("/<code>")
def act(code: str) -> AnyResponse:
    """Take a seat (`do=join`), answer a question (`cell` or `answer`), or go to one's game (`do=play`)."""
    form = request.form
    try:
        if form.get("do") == "join":
            return _join(code)
        found = _find(code)
        seat = digest(code, _secret())
        pupil, room = found.pupil_of(seat), found.room
        if pupil is None:
            raise NotNow("Join the class first.")
        if form.get("do") == "play":
            return _to_game(found, pupil.number)
        at = _number_in(form.get("at", "").partition(".")[0])
        if at is None or at >= len(room.tasks):
            raise BadOption("That form belongs to another question. Open this page again.")
        place = Mark.O if form.get("mark") == Mark.O else Mark.X
        answer = question_of(room.tasks[at]).read(form.get("answer") or form.get("cell") or "", place)
        with _store() as store:
            store.answer(code, seat, at, "" if room.mode is Mode.HOMEWORK else form.get("at", ""), answer)
    except NoughtsError as error:
        return _pupil(code, str(error), 409 if isinstance(error, NotNow) else 400)
    return _pupil(code, at=at) if wants_fragment() else redirect(_address(code, at), 303)


@classes.get("/<code>/wall")
def wall(code: str) -> AnyResponse:
    """Show a class's wall to its teacher. Without the teacher's cookie, ask for the way back."""
    found = _find(code, every=True)
    if not _is_teacher(found):
        return _private(render_template("class/key.html", code=code, problem=""), 403)
    return _wall(found, shows_key=SHOWS_KEY in request.cookies)


@classes.post("/<code>/wall")
def conduct(code: str) -> AnyResponse:
    """Do what the teacher asks for: show more, go on, ask something else, play, end, or delete the class."""
    form, found = request.form, _find(code, every=True)
    asked, point = form.get("do", "more"), form.get("at", "")
    if asked == "back":
        if digest(code, form.get("key", "")) != found.teacher:
            page = render_template("class/key.html", code=code, problem="That isn't the key of this class.")
            return _private(page, 403)
        answer = redirect(_address(code) + WALL, 303)
        _hand(answer, code, TEACHER, form["key"], LESSON)
        return answer
    if not _is_teacher(found):
        raise Refusal(403, "not_your_class", "That's for the teacher", "Only the teacher of this class can do that.")
    try:
        with _store() as store:
            if asked == "delete":
                store.delete(code)
                log("class-deleted")
                return redirect(url_for("classes.front"), 303)
            if asked.startswith("out-"):
                store.show_out(code, _number_in(asked.removeprefix("out-")))
            elif asked == "again":
                return _homework_of_mistakes(found)
            else:
                after = _judge(found, asked, point)  # outside the transaction, since the computer may think
                store.change(code, lambda now: after if now.room == found.room else now.room)
    except NoughtsError as error:
        return _wall(_find(code, every=True), str(error))
    return _wall(_find(code, every=True)) if wants_fragment() else redirect(_address(code) + WALL, 303)


@classes.get("/<code>/news")
@classes.get("/<code>/wall/news", defaults={"of": WALL})
def news(code: str, of: str = "") -> Response:
    """Return the tag of a class's page, as the first event of a stream, or alone with `once` in the query."""
    found = _find(code)
    tag = f"{found.news if of else found.version}."
    if "once" in request.args:
        return Response(tag, mimetype="text/plain", headers={"Cache-Control": "private, no-cache"})
    request.environ.get("noughts.told", {})["stays"] = Subscription(code + of, "", tag, room="class")
    headers = {"Cache-Control": "private, no-store", "X-Accel-Buffering": "no"}
    return Response(event(tag), mimetype="text/event-stream", headers=headers)


@classes.get("/<code>/qr.svg")
def qr_code(code: str) -> Response:
    """Draw the QR code of a class's full address."""
    link = g.site + _address(_find(code).code)
    cache: ByteCache = current_app.extensions["cache"]
    return Response(cache.kept(("qr", link), lambda: qr_drawn(link)), mimetype="image/svg+xml")


@classes.get("/<code>/results.csv")
def results(code: str) -> Response:
    """Return the answers of all pupils to their teacher: a row a pupil, a column a question."""
    found = _find(code, every=True)
    if not _is_teacher(found):
        raise Refusal(403, "not_your_class", "That's for the teacher", "Only the teacher of this class can see that.")
    out, questions = StringIO(), [question_of(task) for task in found.room.tasks]
    writer = csv.writer(out)
    writer.writerow(["name", "right", *(f"{at}: {question.title}" for at, question in enumerate(questions, start=1))])
    for pupil in found.present:
        given = [found.answers.get(at, {}).get(pupil.seat, "") for at in range(len(questions))]
        right = sum(answer in question.right for answer, question in zip(given, questions, strict=True))
        name = f"'{pupil.name}" if pupil.name[:1] in "=+-@" else pupil.name  # no formula, in a spreadsheet
        writer.writerow([name, right, *given])
    headers = {"Cache-Control": "private, no-store", "Content-Disposition": f'attachment; filename="class-{code}.csv"'}
    return Response(out.getvalue(), mimetype="text/csv", headers=headers)


def _begin(room: Room) -> AnyResponse:
    """Make a class, and lead its teacher to the wall. Raises Refusal or Busy."""
    secret, kept, is_made, code = token_urlsafe(24), HOMEWORK if room.mode is Mode.HOMEWORK else LESSON, False, ""
    try:
        with _store() as store:
            networks = networks_of(request.remote_addr or "").digests(live_database().store().key())
            while not is_made:
                code = "".join(choice(referee.LETTERS) for _ in range(referee.CODE_LENGTH))
                made = ClassRoom(code, digest(code, secret), token_hex(32), room, time.time() + kept, 1, 1)
                is_made = store.add(made, networks)
    except (TooManyGames, Full):
        log("class-refused", reason="classes at a time")
        message = "There are too many classes right now. Delete one that's over, or try again later."
        raise Refusal(503, "classes_full", "All rooms are taken", message, 60) from None
    log("class-made", mode=str(room.mode))
    answer = redirect(_address(code) + WALL, 303)
    _hand(answer, code, SHOWS_KEY, "1", 60)
    _hand(answer, code, TEACHER, secret, kept)
    return answer


def _room(mode: Mode, asked: str, level: str) -> Room:
    """Return the room that a teacher's form asks for. Raises NoughtsError."""
    if mode is Mode.TOURNAMENT:
        return Room(mode)
    if mode is Mode.COMPUTER:
        if level not in LEVELS:
            raise BadOption(f"Choose a level: {', '.join(LEVELS)}.")
        tasks = ("play/3x3x3",) if asked.startswith(("kind:", "unit:")) else tasks_of(asked, "")
        if not tasks[0].startswith("play/"):
            raise BadOption("Against the computer, choose a board: paste a position, or leave it empty for 3×3.")
        return Room(mode, tasks, level=level)  # who joins has time for the first move
    tasks = tasks_of(asked, token_hex(3))
    for task in tasks:
        question_of(task)  # raises NoughtsError
    return Room(mode, tasks)


def _judge(found: ClassRoom, asked: str, point: str) -> Room:
    """Return the room after the teacher's request. Raises NoughtsError."""
    room = found.room
    if asked == "more":
        return referee.show_more(room, point)
    if asked == "next":
        return referee.go_on(room, point)
    if asked == "end":
        return referee.end(room)
    if asked == "ask":
        tasks = tasks_of(request.form.get("paste") or request.form.get("ask") or "", token_hex(3))
        return referee.ask_next(room, tasks)
    if asked == "play" and room.mode is Mode.COMPUTER:
        return _play(found, point)
    if asked == "round" and room.mode is Mode.TOURNAMENT:
        return referee.start_round(room, _pairings(found)) if point == room.point else room
    raise BadOption("I can't do that. Press one of the buttons.")


def _play(found: ClassRoom, point: str) -> Room:
    """Return the room after the square that most pupils pressed, and the computer's reply.

    Of squares pressed as often, one is drawn by lot. Raises BadOption if nobody has pressed one.
    """
    room = found.room
    if room.point != point or room.is_over:
        return room
    counts, game = found.counts(room.at), question_of(room.task).game
    if not counts:
        raise BadOption("Nobody has pressed a square yet.")
    most = max(counts.values())
    chosen = choose_any([answer for answer, number in counts.items() if number == most])
    game = game.play(parse_cell(chosen, game.last.rules))
    if game.last.result is None:
        x, o = (room.level, "friend") if game.last.mover is Mark.X else ("friend", room.level)
        game = computer_move(Link(game, len(game.moves), x=x, o=o, tell=False)).game
    return referee.play_on(room, task_of(game), game.last.result is not None, time.time() + referee.IN_SIGHT)


def _pairings(found: ClassRoom) -> list[ClassGame]:
    """Return the next round of a tournament, for which live games are made. Raises BadOption without two pupils."""
    room, numbers = found.room, [pupil.number for pupil in found.present]
    if len(numbers) < 2:
        raise BadOption("A tournament needs two pupils or more.")
    round_number, pairings, store = len(room.rounds), [], live_database().store()
    names = {pupil.number: pupil.name for pupil in found.present}
    # A class has a share of its own in live games: each round counts as an address, and four of them as a network.
    networks = Networks(f"{found.code}/{round_number}", f"{found.code}/{round_number // 2}", found.code)
    for players in referee.pair_anew(room, numbers):
        name = token_urlsafe(16)
        x_seat, o_seat = (digest(name, game_secret(found.key, number, name)) for number in players)
        host, guest = (names[number] for number in players)
        begun = Game.starting(Position(TIC_TAC_TOE))
        game = LiveGame(name, begun, Mark.X, time.time(), x_seat, o_seat, host=host, guest=guest)
        try:
            store.add(game, networks)
        except TooManyGames as error:
            raise BadOption(f"That's a lot of rounds. Start the next one in {ceil(error.seconds / 60)} min.") from None
        pairings.append(ClassGame(name, *players))
    return pairings


def _to_game(found: ClassRoom, number: int) -> AnyResponse:
    """Lead a pupil to the own game of this round, with its seat."""
    games = found.room.rounds[-1] if found.room.rounds else ()
    name = next((each.game for each in games if number in (each.x, each.o)), None)
    if name is None:
        raise NotNow("You rest in this round. Look at the table meanwhile.")
    answer = redirect(url_for("live.show", name=name, of=found.code), 303)
    hand_secret(answer, name, game_secret(found.key, number, name), round(LESSON))
    return answer


def _homework_of_mistakes(found: ClassRoom) -> AnyResponse:
    """Make homework of the questions that went wrong, and lead to its wall. Raises BadOption if none did."""
    tasks = tuple(found.room.tasks[row.number] for row in sorted(map_of(found), key=attrgetter("number")) if row.times)
    if not tasks:
        raise BadOption("Nothing went wrong, so there's nothing to practise.")
    return _begin(Room(Mode.HOMEWORK, tasks))


def _results(found: ClassRoom) -> Results:
    """Return the results of a tournament's games. Games that are gone have none."""
    return live_database().store().results([pairing.game for games in found.room.rounds for pairing in games])


def _join(code: str) -> AnyResponse:
    """Give the visitor a seat, whose secret the form has, so that a form sent twice takes one seat."""
    secret = request.form.get("seat", "")
    if not SECRET.fullmatch(secret):
        raise BadOption("Open this page again, and then join.")
    found = _find(code)
    with _store() as store:
        store.join(code, digest(code, secret), name_in(request.form))
    log("class-joined")
    answer = redirect(_address(code), 303)
    _hand(answer, code, cookie_name(request.scheme == "https"), secret, found.ends - time.time())
    _note_member(code, secret)
    return answer


def _pupil(code: str, problem: str = "", status: int = 200, at: int | None = None) -> Response:
    """Show a class to a pupil, or to a visitor who may join."""
    found = _find(code)
    pupil = found.pupil_of(digest(code, _secret()))
    if pupil is None:
        taken = {each.name for each in found.present}
        free = [animal for animal in referee.ANIMALS if animal not in taken]
        page = render_template(
            "class/join.html",
            found=found,
            title=TITLES[found.room.mode],
            animals=free,
            mine=choose_any(free or [""]),
            seat=token_urlsafe(24),
            longest_name=referee.LONGEST_NAME,
            problem=problem,
        )
        return _private(page, status)
    results = _results(found) if found.room.mode is Mode.TOURNAMENT else NO_RESULTS
    at = _number_in(request.args.get("at", "")) if at is None else at
    view = replace(pupil_page(found, pupil, at, time.time(), results), problem=problem)
    return _page("class/_pupil.html", view, found.version, status)


def _wall(found: ClassRoom, problem: str = "", shows_key: bool = False) -> Response:
    results = _results(found) if found.room.mode is Mode.TOURNAMENT else NO_RESULTS
    key = request.cookies.get(TEACHER, "") if shows_key else ""
    view = replace(wall_page(found, time.time(), results), problem=problem, key=key)
    answer = _page("class/_wall.html", view, found.news, 409 if problem else 200)
    if shows_key:
        answer.delete_cookie(SHOWS_KEY, path=_address(found.code))
    return answer


def _page(template: str, view: ClassPage, version: int, status: int) -> Response:
    """Render a page, or for htmx the part that is swapped in."""
    part = Markup(  # noqa: S704 - from a template
        render_template(
            template,
            view=view,
            tag=f"{version}.",
            url=_address(view.found.code),
            host=g.site,
        )
    )
    if wants_fragment():
        return _private(Markup("<title>{} · Noughts</title>\n{}").format(view.title, part), status)
    return _private(render_template("class/page.html", title=view.title, part=part, wall=view.pupil is None), status)


def _private(page: str, status: int = 200) -> Response:
    answer = make_response(page, status)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _front(problem: str = "", status: int = 200) -> Response:
    told = previews.Preview("A class", "Show a position, and let the whole class answer.", "/class", "/play/3x3x3.png")
    page = render_template(
        "class/front.html",
        titles=TITLES,
        kinds=KINDS,
        units=UNITS,
        levels=LEVELS,
        chosen=request.values,
        problem=problem,
        preview=previews.tags(told),
    )
    return make_response(page, status)


@contextmanager
def _store() -> "Iterator[ClassStore]":
    """Lend the store of classes, and turn its errors into answers. Raises Refusal or Busy."""
    database: ClassDatabase = current_app.extensions["classes"]
    try:
        yield database.store()
    except NoGame:
        raise _no_class() from None
    except Unreachable:
        raise Busy(AGAIN) from None


def _find(code: str, every: bool = False) -> ClassRoom:
    """Return a class. Whoever has no seat in it learns nothing after too many wrong codes. Raises Refusal or Busy."""
    database: ClassDatabase = current_app.extensions["classes"]
    visitor, secret, found = share_of(request.remote_addr or ""), _secret(), None
    with suppress(BadOption), _store() as store, suppress(NoGame):
        found = store.find(referee.read_code(code), every)
    if found is not None and secret and found.pupil_of(digest(code, secret)) is not None:
        _note_member(code, secret)
        return found
    if found is not None and _is_teacher(found):
        return found
    if wait := database.wait(visitor):
        message = "That's a lot of wrong codes. Wait a moment, and look at the wall again."
        raise Refusal(429, "too_many_codes", "Which code?", message, wait)
    if found is None:
        database.wait(visitor, was_wrong=True)
        raise _no_class()
    return found


def _note_member(code: str, secret: str) -> None:
    """Tell the server that the holder of this secret is counted with the class."""
    request.environ.get("noughts.told", {})["member"] = (secret, f"class/{code}")


def _secret() -> str:
    """Return the secret of the pupil's seat, or "" without one."""
    secret = request.cookies.get(cookie_name(request.scheme == "https"), "")
    return secret if SECRET.fullmatch(secret) else ""


def _is_teacher(found: ClassRoom) -> bool:
    return digest(found.code, request.cookies.get(TEACHER, "")) == found.teacher


def _hand(answer: AnyResponse, code: str, name: str, secret: str, seconds: float) -> None:
    """Set a cookie for the addresses of the class."""
    set_cookie(answer, name, secret, round(seconds), _address(code))


def _address(code: str, at: int | None = None) -> str:
    return url_for("classes.show", code=code, at=at)


def _number_in(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None


def _no_class() -> Refusal:
    return Refusal(404, "no_class", "No such class", "There's no class with this code. Look at the wall again.")
