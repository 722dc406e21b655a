"""The addresses under /prove: the form, the proof of a link, its badge, and the worker that runs pasted code.

Pasted code never reaches the server. A worker of the visitor's browser runs it, and the link holds its answers.
"""

from pathlib import Path
from typing import Final

from flask import Blueprint, Response, current_app, g, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from solver.errors import NoughtsError
from webapp.config import FrontLimits
from webapp.pages.prove.view import PATH, ProofView, chances, coded, codes_of, read_table, tabled, view
from webapp.serving.http.security import PROVER
from webapp.serving.pool.asking import do, made_by_the_pool
from webapp.ui import previews
from webapp.ui.address import with_query
from webapp.ui.previews import A_DAY, FOR_ANY_SITE, kept_page

proving = Blueprint("proving", __name__)

BADGE: Final = f"{PATH}/badge.svg"
SITE: Final = b"<!-- site -->"
"""The placeholder for the scheme and host in the texts to copy."""

EXAMPLES: Final = {
    "minimax": "Minimax",
    "rules": "The article's rules",
    "careful": "Win, block, centre, corner",
    "first": "First free square",
    "forks": "Forks too",
}
"""The examples to begin with. Each is a file in the folder `bots` of the static files."""


@proving.get(PATH)
def ask() -> Response:
    """Show the form, with an example if the address names one; or the proof of the player that the address holds."""
    if codes_of(request.args):
        page = make_response(_proof())
        if not g.get("for_others", False):  # the process that asks for the page knows its own name
            page.set_data(page.get_data().replace(SITE, g.site.encode()))
        return page
    name = request.args.get("example", "")
    return _form(_example(name) if name in EXAMPLES else "")


@proving.post(PATH)
def prove_table() -> AnyResponse:
    """Prove a pasted table of moves: lead to the link that holds it, or show it again with its problem."""
    request.max_content_length = FrontLimits().batch_bytes
    text = request.form.get("bot", "")
    try:
        moves = tuple(read_table(text).items())
    except NoughtsError as error:
        return _form(text, str(error))
    codes, problem = do(tabled, moves)
    return _form(text, problem) if problem else redirect(with_query(PATH, codes), 303)


@proving.get(BADGE)
def badge() -> Response:
    """Return the badge of the player that the address holds. Any site may show it."""
    drawn = make_response(_badge())
    drawn.headers.extend(FOR_ANY_SITE)
    return drawn


@proving.get(PROVER)
def worker() -> Response:
    """Return the script that runs pasted code in a worker of the browser."""
    return current_app.send_static_file("prover.js")


@made_by_the_pool
def _proof() -> Response:
    try:
        shown = view(request.args)
    except NoughtsError as error:
        return _form("", str(error))
    query = with_query("", coded(shown.codes))
    return make_response(
        kept_page(
            "prove",
            shown.showing(shown.at),
            lambda: render_template(
                "prove/proof.html",
                view=shown,
                chances=chances(shown.proof),
                badge=BADGE + query,
                width=_width(shown),
                link=PATH + query,
            ),
        )
    )


@made_by_the_pool
def _badge() -> Response:
    try:
        shown = view(request.args)
    except NoughtsError as error:
        return previews.refused(error)
    drawn = render_template("prove/badge.svg", view=shown, width=_width(shown))
    return Response(drawn, mimetype="image/svg+xml", headers={"Cache-Control": f"public, max-age={A_DAY}"})


def _width(shown: ProofView) -> int:
    """Return the width of the badge in pixels."""
    return 73 + round(6.4 * len(shown.badge))


def _form(text: str, problem: str = "") -> Response:
    page = render_template("prove/form.html", text=text, problem=problem, examples=EXAMPLES)
    return make_response(page, 400 if problem else 200)


def _example(name: str) -> str:
    return Path(str(current_app.static_folder), "bots", f"{name}.js").read_text(encoding="utf-8")
