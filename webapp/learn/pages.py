"""The addresses of the lessons. A page is kept for the next request, until more is proved of what it shows."""

from typing import TypeAlias

from flask import Blueprint, Response, abort, g, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from solver.errors import NoughtsError
from webapp.gating import made_by_the_pool
from webapp.kept import kept_page, proved_so_far, with_problems, with_settings
from webapp.learn.claims import CLAIMS_OF, lesson_of
from webapp.learn.lesson import Known, Lesson
from webapp.learn.lessons import GROUPS, LESSONS, lesson_after
from webapp.play.games import settings_asked

learn = Blueprint("learn", __name__, url_prefix="/learn")
learn.add_app_template_filter(lesson_of)


Asked: TypeAlias = tuple[tuple[str, str], ...]
"""The parts of an address that a lesson reads, by name."""


@learn.get("/")
def contents() -> Response:
    """All lessons with what they are about."""
    return make_response(kept_page("contents", (), lambda: render_template("learn/contents.html", tracks=GROUPS)))


@learn.get("/<name>")
def lesson(name: str) -> AnyResponse | str:
    """One lesson."""
    if name not in LESSONS:
        abort(404)
    return _lesson(name)


@made_by_the_pool
def _lesson(name: str) -> Response:
    lesson = LESSONS[name]
    asked = tuple((part, request.args[part]) for part in lesson.parts if request.args.get(part))
    try:
        known = lesson.known(dict(asked))
        page, problems = _page(lesson, asked, known), []
        g.open_to_more = not all(prediction.complete for prediction in known.values())
    except NoughtsError as error:
        page, problems = _page(lesson, (), lesson.known({})), [str(error)]
    page = with_problems(with_settings(page, settings_asked(request.args)), problems)
    return make_response(page, 400 if problems else 200)


def _page(lesson: Lesson, asked: Asked, known: Known) -> bytes:
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
