"""The addresses of the lessons. Each page is kept for the next one who asks, until more is proved of what it shows."""

from functools import lru_cache
from typing import TypeAlias

from flask import Blueprint, Response, abort, make_response, render_template, request

from solver.errors import NoughtsError
from solver.outcome import Outcome
from webapp.learn.lessons import GROUPS, LESSONS, lesson_after
from webapp.learn.places import CLAIMS_OF
from webapp.proofs import known

learn = Blueprint("learn", __name__, url_prefix="/learn")


Asked: TypeAlias = tuple[tuple[str, str], ...]
"""The parts of an address that a lesson reads, by name."""


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
        return make_response(_page(name, asked, known(LESSONS[name].shows(dict(asked)))))
    except NoughtsError as error:
        usual = _view(name, (), known(LESSONS[name].shows({})))
        return make_response(_render(name, usual, str(error)), 400)


@lru_cache(maxsize=128)
def _page(name: str, asked: Asked, proved: tuple[Outcome, ...]) -> bytes:
    return _render(name, _view(name, asked, proved)).encode()


@lru_cache(maxsize=128)
def _view(name: str, asked: Asked, proved: tuple[Outcome, ...]) -> object:  # noqa: ARG001 - more proved, another view
    return LESSONS[name].view(dict(asked))


def _render(name: str, view: object, problem: str = "") -> str:
    return render_template(
        f"learn/{name}.html",
        lesson=LESSONS[name],
        lessons=LESSONS,
        lesson_groups=GROUPS,
        following=lesson_after(name),
        claimed=len(CLAIMS_OF.get(name, ())),
        view=view,
        problem=problem,
    )
