"""The addresses of the lessons. Each page is kept for the next one who asks, until more is proved of what it shows."""

from typing import TypeAlias

from flask import Blueprint, Response, abort, g, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from solver.board.outcome import Outcome
from solver.errors import NoughtsError
from solver.proofs.prediction import predict
from webapp.gating import known, made_by_the_pool
from webapp.kept import kept_page, with_problems
from webapp.learn.claims import CLAIMS_OF, lesson_of
from webapp.learn.lessons import GROUPS, LESSONS, lesson_after

learn = Blueprint("learn", __name__, url_prefix="/learn")
learn.add_app_template_filter(lesson_of)


Asked: TypeAlias = tuple[tuple[str, str], ...]
"""The parts of an address that a lesson reads, by name."""


@learn.get("/")
def contents() -> str:
    """All lessons with what they are about."""
    return render_template("learn/contents.html", lesson_groups=GROUPS)


@learn.get("/<name>")
def lesson(name: str) -> AnyResponse | str:
    """One lesson."""
    if name not in LESSONS:
        abort(404)
    return _lesson(name)


@made_by_the_pool
def _lesson(name: str) -> Response:
    asked = tuple((part, request.args[part]) for part in LESSONS[name].parts if request.args.get(part))
    try:
        shown = tuple(LESSONS[name].shows(dict(asked)))
        answer = make_response(with_problems(_page(name, asked, known(shown)), ()))
        g.open_to_more = not all(predict(position).complete for position in shown)
        return answer
    except NoughtsError as error:
        return make_response(with_problems(_page(name, (), known(LESSONS[name].shows({}))), [str(error)]), 400)


def _page(name: str, asked: Asked, proved: tuple[Outcome, ...]) -> bytes:
    """The lesson's page, which is the same as long as no more is `proved` of the positions that it shows."""
    lesson = LESSONS[name]

    def make() -> str:
        return render_template(
            f"learn/{name}.html",
            lesson=lesson,
            lessons=LESSONS,
            lesson_groups=GROUPS,
            following=lesson_after(name),
            claims=CLAIMS_OF.get(name, ()),
            view=lesson.view(dict(asked)),
        )

    return kept_page(name, (asked, proved), make)
