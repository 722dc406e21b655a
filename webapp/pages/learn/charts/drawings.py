"""The addresses of the pictures: each as SVG, PNG and PDF and, where it is a graph, as DOT."""

from typing import Final

from flask import Blueprint, Response, abort, request
from werkzeug.wrappers import Response as AnyResponse

from solver.errors import NoughtsError
from solver.pictures.gallery import FORMATS, GALLERY, Picture, picture_named
from webapp.pages.learn.trees import TREE, asked_tree
from webapp.serving.pool.gating import made_by_the_pool

drawings = Blueprint("drawings", __name__, url_prefix="/learn/pictures")

TYPES: Final = {
    "svg": "image/svg+xml",
    "dot": "text/vnd.graphviz",
    "png": "image/png",
    "pdf": "application/pdf",
}


@drawings.get("/<name>.<any(svg, dot, png, pdf):kind>")
def picture(name: str, kind: str) -> AnyResponse | str:
    """A picture; with `download=1` a browser keeps it as a file. One that would be too large is refused at once."""
    if name not in GALLERY and name != TREE:
        abort(404)
    try:
        if name == TREE:
            asked_tree(request.args).check()
    except NoughtsError as error:
        return _refused(error)
    return _drawn(name, kind)


@made_by_the_pool
def _drawn(name: str, kind: str) -> AnyResponse:
    try:
        content = FORMATS[kind](_picture(name))
    except NoughtsError as error:
        return _refused(error)
    if content is None:
        abort(404)
    answer = Response(content, mimetype=TYPES[kind])
    if request.args.get("download") == "1":
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return answer


def _refused(error: NoughtsError) -> Response:
    return Response(f"{error}\n", 400, mimetype="text/plain")


def _picture(name: str) -> Picture:
    return asked_tree(request.args).picture() if name == TREE else picture_named(name)
