"""The addresses under /practise: single drills, today's drill, runs, sets and printed sheets.

The preview of a drill's link shows its task and its board, but not its answer.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from secrets import token_hex
from typing import Final

from flask import Blueprint, Response, current_app, g, make_response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from solver.analysis.drills import Drill, daily
from solver.board.outcome import counted
from solver.board.rules import TIC_TAC_TOE
from solver.errors import BadOption, NoSuchDrill, NoughtsError
from solver.pictures.card import Card
from webapp.pages.practise.daily import latest
from webapp.pages.practise.drill import (
    DrillShown,
    drill_named,
    find_drills,
    judge_answer,
    name_level,
    no_drills,
    set_of,
    show_drill,
)
from webapp.pages.practise.link import SEEDED, DrillLink, read_drill_link
from webapp.pages.practise.view import (
    DrillProblems,
    DrillView,
    SetView,
    TodayView,
    describe_selection,
    drill_view,
    set_view,
    today_view,
)
from webapp.serving.http.answers import show_url, wants_fragment
from webapp.ui import previews
from webapp.ui.board import mini
from webapp.ui.filters import board_title
from webapp.ui.previews import Preview, kept_page

practise = Blueprint("practise", __name__, url_prefix="/practise")

AN_HOUR: Final = 3600
"""Seconds for which the feed may be kept elsewhere."""


def preview(shown: DrillShown) -> Preview:
    """Make the preview of a drill's page. It stays the same after an answer."""
    drill = shown.drill
    title, path = f"{drill.title} · {board_title(drill.position.rules)}", shown.link.anew(right=0, row=0).url()
    return Preview(title, _described(drill), path, _picture(drill))


def preview_of_set(link: DrillLink, drills: tuple[Drill, ...]) -> Preview:
    """Make the preview of a set's page, with the picture of its first drill."""
    path = link.anew(at=0, right=0, row=0).url()
    title = f"{link.seed}: {counted(len(drills), 'drill', 'drills')}"
    return Preview(title, f"Everyone gets the same drills: {describe_selection(link)}.", path, _picture(drills[0]))


def card(drill: Drill) -> Card:
    """Draw the picture of a drill."""
    return Card(
        parts=mini(drill.position).parts(),
        headline=drill.title,
        lines=(drill.task, board_title(drill.position.rules), f"A drill, {name_level(drill)}"),
        description=_described(drill),
    )


def _described(drill: Drill) -> str:
    return f"{drill.task} A drill on {board_title(drill.position.rules)}."


def _picture(drill: Drill) -> str:
    return url_for("practise.pictured", path=drill.id, kind="png")


def today_in_utc() -> date:
    """Return the day of the daily drill, which is the same for everyone."""
    return datetime.now(UTC).date()


@practise.get("")
def front() -> Response:
    """Show the page of today. The address can choose the board and the level of all drills on offer."""
    return _today_page(*read_drill_link("", request.args))


@practise.get("/feed.atom")
def feed() -> Response:
    """List the drills of the last days as an Atom feed, without their answers."""
    drills, site = latest(_today()), g.site
    page = kept_page(
        "feed", (drills[0].day, site), partial(render_template, "practise/feed.atom", drills=drills, site=site)
    )
    return Response(page, mimetype="application/atom+xml", headers={"Cache-Control": f"public, max-age={AN_HOUR}"})


@practise.get("/<path>")
def show(path: str) -> AnyResponse:
    """Show the page that `path` names: `daily`, `run`, `set`, `sheet`, or the drill with this id."""
    link, problems = _asked(path)
    composing = path == "set" and not link.seed
    new = path in SEEDED and not link.seed
    if new:
        link = link.having(seed=token_hex(3))
    try:
        if path == "set" and (composing or not 1 <= link.at <= len(set_of(link))):
            page_preview = None if composing else preview_of_set(link, set_of(link))
            return _answer("practise/_set.html", set_view(link, problems, composing), page_preview=page_preview)
        if new and not wants_fragment() and not problems:
            return redirect(link.url(), 303)
        if path == "sheet":
            page = render_template("practise/sheet.html", view=set_view(link, problems), host=g.site)
            return make_response(page, 400 if problems else 200)
        shown = show_drill(link, _today())
    except NoughtsError as error:
        return _instead(link, (*problems, error))
    try:
        answer = _drill(judge_answer(shown, link), problems)
    except NoughtsError as error:
        answer = _drill(shown, (*problems, error))
    return show_url(answer, link.url()) if new else answer


@practise.get("/<path>.<any(svg, png):kind>")
def pictured(path: str, kind: str) -> Response:
    """Draw a drill without its answer."""
    try:
        drill = drill_named(path)
        return previews.answer(card(drill), kind, settled=drill.prediction.complete)
    except NoughtsError as error:
        return previews.refused(error, 404 if isinstance(error, NoSuchDrill) else 400)


@practise.post("/<path>")
def judge(path: str) -> AnyResponse:
    """Judge an answer to the drill of a link: a square (`cell`), or the winner and the number of moves (`says`)."""
    link, problems = _asked(path)
    try:
        before = show_drill(link, _today())
    except NoughtsError as error:
        return _instead(link, (*problems, error))
    given = (request.form.get("cell") or request.form.get("says") or "").strip().lower()
    try:
        if not given:
            raise BadOption("Choose a square or a button first.")
        after = judge_answer(before, before.link.having(tried=given))
    except NoughtsError as error:
        return _drill(before, (*problems, error))
    if after.judgement and after.verdict == "wrong":
        lost = after.link.lost + (0 if after.link.missed else after.judgement.lost)
        after = replace(after, link=after.link.having(missed=True, lost=lost))
    if problems:
        return _drill(after, problems)
    if not wants_fragment():
        return redirect(after.link.url(), 303)
    return show_url(_drill(after, ()), after.link.url())


def _asked(path: str) -> tuple[DrillLink, DrillProblems]:
    """Parse an address. A link to the daily drill gets today's date, so that it shows the same drill tomorrow."""
    link, problems = read_drill_link(path, request.args)
    return (link.having(day=_today()) if path == "daily" and link.day is None else link), problems


def _today_page(link: DrillLink, problems: DrillProblems, status: int = 0) -> Response:
    """Show the page of today. If a board has no drills at the level, or none at all, offer all levels, or 3×3."""
    if not find_drills(link.rules, None, link.level):
        instead = link.having(level="") if link.level else link.having(rules=TIC_TAC_TOE)
        return _today_page(instead, (*problems, no_drills(link)), status)
    drill = daily(_today())
    description = f"Five minutes a day, from your first win to the hardest blocks. {drill.task}"
    front_preview = Preview("Practise", description, url_for("practise.front"), _picture(drill))
    return _answer("practise/_today.html", today_view(link, problems, _today()), status, front_preview)


def _instead(link: DrillLink, problems: DrillProblems) -> Response:
    """Answer an address that leads to no drill. Show the form for a set, or the page of today."""
    if link.path in ("set", "sheet"):
        return _answer("practise/_set.html", set_view(link, problems, composing=True))
    status = 400 if link.path in ("daily", "run") else 404
    return _today_page(DrillLink(rules=link.rules, level=link.level), problems, status)


def _drill(shown: DrillShown, problems: DrillProblems) -> Response:
    """Show a drill."""
    return _answer("practise/_drill.html", drill_view(shown, problems), page_preview=preview(shown))


def _answer(
    template: str, view: DrillView | SetView | TodayView, status: int = 0, page_preview: Preview | None = None
) -> Response:
    """Render the page. If htmx asks, render only the part of the page that is swapped in."""
    part = Markup(render_template(template, view=view, host=g.site))  # noqa: S704 - from a template
    if wants_fragment():
        page: str = Markup("<title>{}</title>\n{}").format(view.title, part)
    else:
        head = previews.tags(page_preview) if page_preview else ""
        page = render_template("practise/page.html", title=view.title, part=part, preview=head)
    return make_response(page, status or (400 if view.problems else 200))


def _today() -> date:
    today: Callable[[], date] = current_app.extensions["today"]
    return today()
