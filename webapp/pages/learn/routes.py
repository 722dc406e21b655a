"""The addresses of the lessons. A page is kept for the next request, until more is proved of what it shows."""

from typing import Final, TypeAlias

from flask import Blueprint, Response, abort, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from solver.errors import NoughtsError
from webapp.pages.learn import preview
from webapp.pages.learn.game.claims import CLAIMS_OF, lesson_of
from webapp.pages.learn.lesson import Lesson, Predictions
from webapp.pages.learn.lessons import GROUPS, LESSONS, lesson_after
from webapp.pages.play.games import settings_asked
from webapp.serving.http import htmx
from webapp.serving.pool.gating import made_by_the_pool, prepared
from webapp.serving.pool.work import Progress
from webapp.ui import previews
from webapp.ui.addresses import with_query
from webapp.ui.kept import kept_page, proved_so_far, with_problems, with_settings

learn = Blueprint("learn", __name__, url_prefix="/learn")
learn.add_app_template_filter(lesson_of)


WORKING: Final = "preparing"
"""The part of an address that has a page's figures computed, some at a time."""

AskedParts: TypeAlias = tuple[tuple[str, str], ...]
"""The parts of an address that a lesson reads, by name."""


@learn.get("/")
def contents() -> Response:
    """All lessons with what they are about."""
    page = kept_page("contents", (), lambda: render_template("learn/contents.html", tracks=GROUPS))
    return previews.told(make_response(page), preview.CONTENTS)


@learn.get("/contents.<any(svg, png):kind>")
def contents_pictured(kind: str) -> Response:
    """The picture of the contents."""
    return previews.answer(preview.card_of_contents(LESSONS), kind, settled=True)


@learn.get("/<name>")
def lesson(name: str) -> AnyResponse | str:
    """One lesson. While its figures are computed for the first time, a page that says how far they are.

    Such a page asks for the address again with WORKING in it, which has the next ones computed.
    """
    if name not in LESSONS:
        abort(404)
    lesson, working = LESSONS[name], WORKING in request.args
    progress = prepared(name, _asked(lesson), working) if lesson.figures else None
    told = preview.preview(lesson, dict(_asked(lesson)))
    if progress is not None:
        return previews.told(_preparing(lesson, progress), told)
    if not working:
        return previews.told(make_response(_lesson(name)), told)
    whole = _address(lesson)
    return htmx.go_to(whole) if htmx.wants_fragment() else redirect(whole, 303)


@learn.get("/<name>.<any(svg, png):kind>")
def pictured(name: str, kind: str) -> Response:
    """The picture of a lesson."""
    if name not in LESSONS:
        abort(404)
    return previews.answer(preview.card(LESSONS[name]), kind, settled=True)


def _preparing(lesson: Lesson, progress: Progress) -> Response:
    url = _address(lesson, WORKING)
    template = "learn/_progress.html" if htmx.wants_fragment() else "learn/preparing.html"
    counted = lesson.needs(dict(_asked(lesson))).counted
    page = render_template(template, lesson=lesson, progress=progress, counted=counted, url=url)
    return make_response(page, 202)


def _address(lesson: Lesson, *switches: str) -> str:
    """Return the lesson's address with the parts that it reads, the settings of a game, and these parts switched on.

    Other parts of the request are left out.
    """
    parts = settings_asked(request.args) | dict(_asked(lesson)) | dict.fromkeys(switches, "1")
    return with_query(url_for("learn.lesson", name=lesson.name), parts)


def _asked(lesson: Lesson) -> AskedParts:
    """Return the parts of the query that the lesson reads."""
    return tuple((part, request.args[part]) for part in lesson.parts if request.args.get(part))


@made_by_the_pool
def _lesson(name: str) -> Response:
    lesson = LESSONS[name]
    asked = _asked(lesson)
    try:
        known = lesson.known(dict(asked))
        page, problems = _page(lesson, asked, known), []
        g.open_to_more = not all(prediction.complete for prediction in known.values())
    except NoughtsError as error:
        page, problems = _page(lesson, (), lesson.known({})), [str(error)]
    page = with_problems(with_settings(page, settings_asked(request.args)), problems)
    return make_response(page, 400 if problems else 200)


def _page(lesson: Lesson, asked: AskedParts, known: Predictions) -> bytes:
    """The lesson's page, which is the same as long as no more is known of the positions that it shows."""

    def make() -> str:
        return render_template(
            f"learn/{lesson.name}.html",
            lesson=lesson,
            lessons=LESSONS,
            tracks=GROUPS,
            following=lesson_after(lesson.name),
            claims=CLAIMS_OF.get(lesson.name, ()),
            view=lesson.view(dict(asked), known),
        )

    return kept_page(lesson.name, (asked, proved_so_far(known.values())), make)
