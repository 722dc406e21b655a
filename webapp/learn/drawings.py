"""The addresses of the pictures: each as SVG and, where it is a graph, as DOT."""

from typing import Final

from flask import Blueprint, Response, abort, request
from werkzeug.wrappers import Response as AnyResponse

from solver.errors import NoughtsError
from solver.pictures.gallery import GALLERY, Picture, picture_named
from webapp.learn.trees import TREE, asked_tree

drawings = Blueprint("drawings", __name__, url_prefix="/learn/pictures")

TYPES: Final = {"svg": "image/svg+xml", "dot": "text/vnd.graphviz"}


@drawings.get("/<name>.<any(svg, dot):kind>")
def picture(name: str, kind: str) -> AnyResponse:
    """A picture; with `download=1` a browser keeps it as a file."""
    try:
        content = _content(_picture(name), kind)
    except NoughtsError as error:
        return Response(f"{error}\n", 400, mimetype="text/plain")
    if content is None:
        abort(404)
    answer = Response(content, mimetype=TYPES[kind])
    if request.args.get("download") == "1":
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    answer.add_etag()
    return answer.make_conditional(request)


def _picture(name: str) -> Picture:
    if name == TREE:
        return asked_tree(request.args).picture()
    if name not in GALLERY:
        abort(404)
    return picture_named(name)


def _content(picture: Picture, kind: str) -> str | None:
    return picture.svg if kind == "svg" else picture.dot
