"""The addresses of the lessons. Each page is made once and kept for the next one who asks."""

from functools import lru_cache

from flask import Blueprint, Response, abort, make_response, render_template, request

from solver.errors import NoughtsError
from webapp.learn.lessons import GROUPS, LESSONS, lesson_after
from webapp.learn.places import CLAIMS_OF

learn = Blueprint("learn", __name__, url_prefix="/learn")


@learn.get("/")
def contents() -> str:
    """All lessons with what they are about."""
    return render_template("learn/contents.html", lesson_groups=GROUPS)


@learn.get("/<name>")
def lesson(name: str) -> Response:
    """One lesson."""
    if name not in LESSONS:
        abort(404)
    asked = tuple((part, request.args[part]) for part in LESSONS[name].parts if request.args.get(part))
    try:
        return make_response(_page(name, asked))
    except NoughtsError as error:
        return make_response(_page(name, (), str(error)), 400)


@lru_cache(maxsize=128)
def _page(name: str, asked: tuple[tuple[str, str], ...], problem: str = "") -> bytes:
    chosen = LESSONS[name]
    return render_template(
        f"learn/{name}.html",
        lesson=chosen,
        lessons=LESSONS,
        lesson_groups=GROUPS,
        following=lesson_after(name),
        claimed=len(CLAIMS_OF.get(name, ())),
        view=chosen.view(dict(asked)),
        problem=problem,
    ).encode()
