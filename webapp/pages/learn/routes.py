"""The addresses of the lessons and of their pictures.

A page is kept for later requests until more is proved about the positions that it shows.
"""

from dataclasses import replace
from functools import partial
from typing import Final

from flask import Blueprint, Response, abort, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from solver.board.outcome import counted
from solver.errors import NoughtsError
from solver.pictures.card import Card
from solver.pictures.gallery import FORMATS, GALLERY, picture_named
from webapp.config import FrontLimits
from webapp.pages.learn.article import ARTICLE_PAGES, PART
from webapp.pages.learn.content import Shown, figure_named, lesson_url, read_content
from webapp.pages.learn.course import EVERY_PAGE, LIBRARY, UNITS, lesson_on, page_after
from webapp.pages.learn.facts.pyfl import PROGRAM
from webapp.pages.learn.lesson import MOVED_LESSONS, CoursePage, source_of
from webapp.pages.learn.lessons import program
from webapp.pages.learn.trees import TREE, read_tree
from webapp.pages.learn.unit import Unit
from webapp.pages.play.forms import settings_asked
from webapp.serving.http.answers import MOVED
from webapp.serving.pool.asking import made_by_the_pool
from webapp.ui import previews
from webapp.ui.address import Query
from webapp.ui.previews import Preview, kept_page, proved_so_far, with_problems, with_settings

learn = Blueprint("learn", __name__, url_prefix="/learn")
learn.add_app_template_filter(lesson_on)
learn.add_app_template_filter(source_of, "source")
learn.add_app_template_filter(page_after)
learn.add_app_template_global(figure_named)
learn.add_app_template_global(partial(read_content, "terms"), "terms")


TYPES: Final = {"svg": "image/svg+xml", "dot": "text/vnd.graphviz", "png": "image/png", "pdf": "application/pdf"}
"""The media types of drawings, by the ending of their addresses."""

CONTENTS: Final = Preview(
    title="How this game works",
    description="A path of twelve units, and a library. The solver computes every figure.",
    path="/learn/",
    picture="/learn/contents.png",
)
"""The preview of the contents."""


@learn.get("/")
def contents() -> Response:
    """Show the units of the course, and the library."""
    page = kept_page(
        "contents",
        (),
        lambda: render_template("learn/contents.html", units=UNITS, library=LIBRARY, articles=ARTICLE_PAGES),
    )
    return previews.with_preview(make_response(page), CONTENTS)


@learn.get("/contents.<any(svg, png):kind>")
def contents_pictured(kind: str) -> Response:
    """Draw the picture for the preview of the contents: the board of one lesson."""
    card = replace(
        _card(EVERY_PAGE["openings"]),
        headline=CONTENTS.title,
        lines=(f"{len(UNITS)} units of about five minutes, and a library",),
        description=CONTENTS.description,
    )
    return previews.answer(card, kind, settled=True)


@learn.get("/<name>")
def lesson(name: str) -> AnyResponse | str:
    """Show a unit, an article or a lesson."""
    if name not in EVERY_PAGE or any(part in request.args for part in MOVED_LESSONS.get(name, {}).get("parts", ())):
        return _moved(name)
    page = EVERY_PAGE[name]
    url = lesson_url(name, {} if isinstance(page, Unit) else page.asked(request.args))
    preview = Preview(page.title, page.summary, url, url_for("learn.pictured", name=name, kind="png"))
    return previews.with_preview(make_response(_page(name)), preview)


@made_by_the_pool
def _page(name: str) -> Response:
    page, problems = EVERY_PAGE[name], list[str]()
    try:
        made = _kept(page, page.asked(request.args))
    except NoughtsError as error:
        made, problems = _kept(page, {}), [str(error)]
    made = with_problems(with_settings(made, settings_asked(request.args)), problems)
    return make_response(made, 400 if problems else 200)


def _kept(page: CoursePage, asked: Query) -> bytes:
    """Return a page, which is kept until more is proved about the positions that it shows. Raises NoughtsError."""
    known = page.known(asked)
    g.open_to_more = not all(prediction.complete for prediction in known.values())
    return kept_page(
        page.name, (asked, proved_so_far(known.values())), lambda: _render(page, asked, *page.show(asked, known))
    )


def _render(page: CoursePage, asked: Query, template: str, shown: Shown) -> str:
    all_pages = {"units": UNITS, "library": LIBRARY, "articles": ARTICLE_PAGES, "pages": EVERY_PAGE}
    return render_template(template, lesson=page, content=page.content, asked=asked, **all_pages, **shown)


@learn.post(f"/{PROGRAM}")
def edit_program() -> AnyResponse:
    """Lead to the link that holds the edited program, or show the program again if it fits in no link."""
    request.max_content_length = FrontLimits().batch_bytes
    text = request.form.get("program", "").replace("\r", "").strip()
    if len(url := program.url_of(text)) > program.LONGEST:
        page, shown = EVERY_PAGE[PROGRAM], {"view": program.refuse(text)}
        return make_response(_render(page, {}, f"learn/{PROGRAM}.html", shown), 400)
    return redirect(f"{url}#verdict", 303)


@learn.get("/<name>.<any(svg, png):kind>")
def pictured(name: str, kind: str) -> AnyResponse:
    """Draw the picture for the preview of a lesson."""
    if name in MOVED_LESSONS:
        return redirect(url_for("learn.pictured", name=MOVED_LESSONS[name]["to"], kind=kind), MOVED)
    if name not in EVERY_PAGE:
        abort(404)
    return previews.answer(_card(EVERY_PAGE[name]), kind, settled=True)


@learn.get("/pictures/<name>.<any(svg, dot, png, pdf):kind>")
def drawing(name: str, kind: str) -> AnyResponse | str:
    """Draw a picture of the gallery, or the tree that the query asks for.

    With `download=1`, the browser saves it as a file. A tree that would be too large is refused at once.
    """
    if name not in GALLERY and name != TREE:
        abort(404)
    try:
        if name == TREE:
            read_tree(request.args).check()
    except NoughtsError as error:
        return previews.refused(error)
    return _drawing(name, kind)


@made_by_the_pool
def _drawing(name: str, kind: str) -> AnyResponse:
    try:
        picture = read_tree(request.args).picture() if name == TREE else picture_named(name)
        content = FORMATS[kind](picture)
    except NoughtsError as error:
        return previews.refused(error)
    if content is None:
        abort(404)
    answer = Response(content, mimetype=TYPES[kind])
    if request.args.get("download") == "1":
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return answer


def _moved(name: str) -> AnyResponse:
    """Redirect the address of a lesson that has become a part of another one."""
    if name not in MOVED_LESSONS:
        abort(404)
    moved = MOVED_LESSONS[name]
    parts = ({PART: moved[PART]} if PART in moved else {}) | request.args.to_dict()
    return redirect(lesson_url(moved["to"], parts, moved.get("anchor", "")), MOVED)


def _card(page: CoursePage) -> Card:
    return Card(
        parts=page.picture.parts(),
        headline=page.title,
        lines=(f"A page of {counted(page.minutes, 'minute', 'minutes')}",),
        description=page.summary,
    )
