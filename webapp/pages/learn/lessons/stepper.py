"""The lesson that steps through minimax, lazy lists and alpha-beta on a small tree."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from solver.articles.listing import code_of, line_of
from solver.articles.telling import Prompt, ask_before, format_value, known, name, side, step_in_words
from solver.articles.tracing import (
    MAX_LEAVES,
    MAX_PLIES,
    Frame,
    Known,
    MoveOrder,
    Reach,
    Search,
    StepKind,
    Trace,
    TreeNode,
    trace,
)
from solver.errors import BadOption
from webapp.pages.learn.content import Shown, lesson_url
from webapp.pages.learn.lesson import Lesson
from webapp.pages.learn.stepping import Attributes, Film, step_address
from webapp.pages.learn.trees import place_nodes
from webapp.pages.play.forms import GAME, GameForm, asked_game, game_parts
from webapp.ui.address import Query, number_of, one_of
from webapp.ui.board import spoken
from webapp.ui.filters import Choice

EXAMPLE: Final = {"from": "O.X/.O./XOX"}
"""The position shown by default: a draw, a cut and a win side by side."""

ORDERS: Final[Mapping[MoveOrder, str]] = MappingProxyType(
    {MoveOrder.FOUND: "as found", MoveOrder.BEST: "best first", MoveOrder.WORST: "worst first"}
)
"""The orders of moves to choose from, with their titles."""


def view(query: Query) -> Shown:
    """Show the search that the query names, at the step that it names. Raises NoughtsError."""
    game = asked_game(query, EXAMPLE)
    plies = number_of(query, "plies", 0, 0, MAX_PLIES) or None
    search = Search(one_of(query, "search", Search, Search.ALPHABETA))
    tried = MoveOrder(one_of(query, "order", MoveOrder, MoveOrder.FOUND))
    traces = {(each, order): trace(game.last, each, plies, order) for each in Search for order in MoveOrder}
    shown = traces[search, tried]
    questions = _questions(shown)
    answers = max((len(asked.answers) for asked in questions.values()), default=0)
    named = game_parts(game) | ({"plies": query["plies"]} if query.get("plies") else {})

    def parts(search: Search, tried: MoveOrder) -> dict[str, str]:
        return named | {"search": str(search), "order": str(tried)}

    def choice(title: str, search: Search, tried: MoveOrder, name: str) -> Choice:
        current = shown.search is search and shown.tried is tried
        return Choice(title, lesson_url("stepper", parts(search, tried)), current, name)

    here, visited = parts(search, tried), {each: _visited_nodes(traces[each, tried]) for each in Search}
    looks = _looks(visited, shown, questions, answers, here)
    film = Film.of(query, looks, here, stops=tuple(questions))
    return {
        "game": GameForm.of(game),
        "trace": shown,
        "film": film,
        "drawing": place_nodes(shown.tree),
        "code": code_of(search),
        "searches": [choice(each.called, each, tried, each) for each in Search],
        "orders": [choice(title, search, each, each) for each, title in ORDERS.items()],
        "counts": {key: each.visited for key, each in traces.items()},
        "answers": answers,
        "verdict": _verdict(query, questions, film.step),
        "max_plies": MAX_PLIES,
        "max_leaves": MAX_LEAVES,
    }


def _questions(shown: Trace) -> dict[int, Prompt]:
    """Return the questions by the step at which they are asked, from 1. Each question is about the next step."""
    asked = ((number, ask_before(shown, number)) for number in range(1, len(shown.frames)))
    return {number: question for number, question in asked if question is not None}


def _verdict(query: Query, questions: Mapping[int, Prompt], step: int) -> str:
    """Return the verdict on the visitor's `guess` about this step. It is empty without a guess."""
    if not query.get("guess"):
        return ""
    question = questions.get(step - 1)
    if question is None:
        raise BadOption(f"There is no question before step {step}.")
    answers = tuple(question.answers.values())
    return answers[number_of(query, "guess", 0, 0, len(answers) - 1)]


def _looks(
    visits: Mapping[Search, frozenset[int]],
    shown: Trace,
    questions: Mapping[int, Prompt],
    answers: int,
    parts: Mapping[str, str],
) -> Iterator[Attributes]:
    """Yield the look of the picture at each step. `answers` is the greatest number of answers to a question."""
    for number, frame in enumerate(shown.frames, start=1):
        yield {
            **dict(_tree_look(shown, frame)),
            **_board_look(shown.tree.nodes[frame.step.node if frame.step.child is None else frame.step.child]),
            **_counts_look(visits, frame.passed, len(shown.tree.nodes)),
            **_code_look(shown, frame),
            **_question_look(questions, answers, parts, number),
            "telling": {"text": step_in_words(shown, frame)},
        }


def _tree_look(shown: Trace, frame: Frame) -> Iterator[tuple[str, Mapping[str, str]]]:
    best = _best_line(shown, frame)
    for node, at in zip(shown.tree.nodes, frame.nodes, strict=True):
        now = "now" if node.number == frame.step.node else ""
        whose = ("for-x" if at.low > 0 else "for-o" if at.low < 0 else "") if at.exact else ""
        kind = f"{side(node).lower() if node.children else 'leaf'} is-{at.reach} {whose} {now}"
        yield f"n{node.number}", {"class": " ".join(["node", *kind.split()])}
        yield f"v{node.number}", {"text": _label(shown, at)}
        if node.children:
            for place, greek in enumerate("αβ"):
                bound = f"{greek} {format_value(shown, at.window[place])}" if at.window else ""
                yield f"{'ab'[place]}{node.number}", {"text": bound}
        if node.parent is not None:
            yield f"e{node.number}", {"class": f"edge is-{at.reach}{' best' if node.number in best else ''}"}


def _label(shown: Trace, at: Known) -> str:
    """Return the text in a node: a lazy list that is not evaluated shows "…", and a cut node shows "·"."""
    if at.reach in (Reach.UNSEEN, Reach.CUT):
        return "…" if shown.search is Search.LAZY else "·" if at.reach is Reach.CUT else ""
    return known(shown, at)


def _best_line(shown: Trace, frame: Frame) -> set[int]:
    """Return the nodes on the line of best play. Before the last step there are none."""
    line: set[int] = set()
    if frame.step.kind is not StepKind.END:
        return line
    node = shown.tree.root
    while following := [
        child
        for child in node.children
        if frame.nodes[child].reach is Reach.DONE
        and frame.nodes[child].exact
        and frame.nodes[child].low == frame.step.best
    ]:
        line.add(following[0])
        node = shown.tree.nodes[following[0]]
    return line


def _board_look(node: TreeNode) -> Attributes:
    position = node.position
    marks = ((cell, position.mark_at(cell)) for cell in range(position.rules.size))
    classes = {
        f"c{cell}": {"class": f"{(mark or 'open').lower()}{' new' if cell == node.cell else ''}"}
        for cell, mark in marks
    }
    return {
        **classes,
        "where": {"text": "The top" if node.cell is None else f"After {name(node)}"},
        "stones": {"aria-label": spoken(position)},
    }


def _counts_look(visits: Mapping[Search, frozenset[int]], passed: int, whole: int) -> Attributes:
    """Return the look of the bars. A bar counts the nodes that a search visits in the finished part of the tree."""
    counts = {search: sum(number < passed for number in nodes) for search, nodes in visits.items()}
    return {f"bar-{search}": {"width": f"{100 * count / whole:.1f}"} for search, count in counts.items()} | {
        f"count-{search}": {"text": str(count)} for search, count in counts.items()
    }


def _visited_nodes(trace: Trace) -> frozenset[int]:
    last = trace.frames[-1].nodes
    return frozenset(number for number, at in enumerate(last) if at.reach not in (Reach.UNSEEN, Reach.CUT))


def _code_look(shown: Trace, frame: Frame) -> Attributes:
    current = line_of(shown, frame)
    return {
        f"l{number}": {"class": "line on" if number == current else "line"}
        for number in range(len(code_of(shown.search).lines))
    }


def _question_look(questions: Mapping[int, Prompt], answers: int, parts: Mapping[str, str], step: int) -> Attributes:
    """Return the look of the question at a step and of its answers; buttons without an answer are hidden."""
    question = questions.get(step)
    later = next((number for number in questions if number > step), None)
    resting = f"The next question comes at step {later}." if later else "No more questions. Try another order of moves."
    look: dict[str, Mapping[str, str]] = {"asked": {"text": question.text if question else resting}}
    offered = [*question.answers.items()] if question else []
    for number, (title, verdict) in enumerate((*offered, *[("", "")] * (answers - len(offered)))):
        look[f"answer{number}"] = {
            "class": "btn" if title else "btn away",
            "text": title,
            "data-verdict": verdict,
            "href": step_address(parts, step + 1, guess=str(number)) if title else "?",
        }
    return look


LESSON = Lesson.of("stepper", parts=(*GAME, "plies", "search", "order", "step", "guess"), view=view)
