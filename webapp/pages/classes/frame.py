"""Questions in a frame of another site: a drill, a set, a unit's questions or a position, one after the other.

The page keeps nothing and sets nothing: the address has the number of the question and the score. Each answer is
reported to the framing page as a message, and stands below as an xAPI statement to copy.
"""

import json
from collections import Counter
from typing import Final

from flask import Blueprint, Response, g, make_response, render_template, request, url_for

from solver.board.position import Mark
from solver.errors import NoughtsError
from webapp.pages.classes.question import ClassQuestion, question_of, tasks_of
from webapp.pages.classes.room import Shows
from webapp.pages.classes.view import show_question
from webapp.ui.address import number_of, with_query

frames = Blueprint("frames", __name__, url_prefix="/embed/ask")

VERB: Final = "http://adlnet.gov/expapi/verbs/answered"
"""The verb of the xAPI statement."""


@frames.get("")
def ask() -> Response:
    """Show a question of those that `paste` names, and the answer in `cell` or `answer`, if any, with its reason."""
    query = request.args
    asked = query.get("paste", "kind:")
    try:
        tasks = tasks_of(asked, query.get("seed", ""))
        at = number_of(query, "at", 0, 0, len(tasks) - 1)
        score = number_of(query, "score", 0, 0, at)
        question = question_of(tasks[at])
        given = query.get("answer") or query.get("cell") or ""
        mine = question.read(given, Mark.O if query.get("mark") == Mark.O else Mark.X) if given else ""
    except NoughtsError as error:
        return make_response(render_template("class/frame.html", problem=str(error), shown=None), 400)
    solved = question.right if mine else frozenset()
    right = mine in solved
    score += right
    report = {"source": "noughts", "type": "answer", "task": tasks[at], "answer": mine, "right": right}
    report |= {"number": at + 1, "of": len(tasks), "score": score}
    kept = {"paste": asked, "seed": query.get("seed")}
    page = render_template(
        "class/frame.html",
        shown=show_question(question, Shows.EXPLAINED if mine else Shows.ASKING, Counter(), mine, not mine),
        right=right if solved else None,
        parts={**kept, "at": at, "score": score},
        next=with_query(url_for("frames.ask"), {**kept, "at": at + 1, "score": score}) if at + 1 < len(tasks) else "",
        report=json.dumps(report) if mine else "",
        statement=_statement(question, tasks[at], mine, right) if mine else "",
        heading=f"{at + 1} of {len(tasks)}",
        problem="",
    )
    return make_response(page)


def _statement(question: ClassQuestion, task: str, answer: str, right: bool) -> str:
    """Return the xAPI statement that somebody answered. Whoever copies it adds the actor."""
    activity = {
        "id": g.site + with_query(url_for("frames.ask"), {"paste": f"/{task}"}),
        "definition": {"name": {"en": question.words}},
    }
    statement = {
        "verb": {"id": VERB, "display": {"en": "answered"}},
        "object": activity,
        "result": {"response": answer, "success": right},
    }
    return json.dumps(statement, indent=1)
