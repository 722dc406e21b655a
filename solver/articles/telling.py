"""Sentences that describe the steps of a search, and questions before some of them, with words from `telling.toml`."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from solver.articles.tracing import (
    LARGEST,
    NO_ALPHA,
    NO_BETA,
    Frame,
    Known,
    Search,
    SearchStep,
    StepKind,
    Trace,
    TreeNode,
)
from solver.board.notation import format_cell, format_cells
from solver.board.outcome import Score, counted, sign
from solver.board.position import Mark

_CONTENT: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
SENTENCES: Final[Mapping[str, str]] = _CONTENT["steps"]
ASKS: Final[Mapping[str, Mapping[str, str]]] = _CONTENT["asks"]


def signed(value: int) -> str:
    """Format a value with its sign, e.g. "+7" or "−8"."""
    return f"{value:+d}".replace("-", "−") if value else "0"


def format_value(trace: Trace, score: Score) -> str:
    """Format a value or a bound as displayed. The bounds of the full window are −∞ and ∞."""
    if score in (NO_ALPHA, NO_BETA):
        return "∞" if score > 0 else "−∞"
    return signed(trace.shown(score))


def known(trace: Trace, node: Known) -> str:
    """Format what is known about a node: its value, a bound with "≥" or "≤", or "?"."""
    if node.exact:
        return format_value(trace, node.low)
    if node.low != NO_ALPHA:
        return f"≥ {format_value(trace, node.low)}"
    return f"≤ {format_value(trace, node.high)}" if node.high != NO_BETA else "?"


def name(node: TreeNode) -> str:
    """Return the name of a node: its last move, e.g. "b3", or "the top" for the root."""
    return "the top" if node.cell is None else format_cell(node.cell, node.position.rules)


def side(node: TreeNode) -> str:
    """Return the side that chooses at a node: "Max" for X, "Min" for O."""
    return "Max" if node.is_max else "Min"


def step_in_words(trace: Trace, frame: Frame) -> str:
    """Describe a step in a few sentences."""
    words = _words(trace, frame)
    return " ".join(SENTENCES[key].format(**words) for key in _sentences(trace, frame))


def _sentences(trace: Trace, frame: Frame) -> Iterator[str]:
    """Yield the keys of the sentences that a step has."""
    step, node = frame.step, trace.tree.nodes[frame.step.node]
    chooser = "max" if node.is_max else "min"
    match kind := trace.kind_of(step):
        case "enter":
            yield f"enter-{('root', 'move', 'reply')[min(node.ply, 2)]}"
            if trace.search is Search.LAZY:
                yield "needed" if node.ply > 1 else "thunks" if len(node.children) > 1 else "thunk"
            elif step.window:
                yield "window" if node.ply else "full-window"
        case "line":
            yield "line-lazy" if trace.search is Search.LAZY else f"line-{chooser}"
        case "better":
            yield "only" if len(node.children) == 1 else "first" if step.child == node.children[0] else "better"
            if step.window:
                bound = step.window[0 if node.is_max else 1]
                yield f"{'moves' if step.best == bound else 'stays'}-{chooser}"
        case "cut":
            yield f"cut-{chooser if step.window else 'lazy'}"
        case "end":
            yield from ("end", "some" if frame.visited < len(trace.tree.nodes) else "all")
        case _:
            yield kind
    if node.children and step.child == node.children[-1]:
        yield "settled"


def _words(trace: Trace, frame: Frame) -> dict[str, object]:
    """Return the figures of a step, for the places in its sentences and questions."""
    step, nodes = frame.step, trace.tree.nodes
    node, at = nodes[step.node], frame.nodes[step.node]
    where = f"the node after {name(node)}" if node.ply else "the top"
    alpha, beta = (format_value(trace, bound) for bound in step.window or (NO_ALPHA, NO_BETA))
    left_out = [cell for number in step.left_out if (cell := nodes[number].cell) is not None]
    bound = "" if step.child is None else known(trace, frame.nodes[step.child])
    best = [child for child in node.children if frame.nodes[child].exact and frame.nodes[child].low == step.best]
    return {
        "mover": node.position.mover,
        "other": node.position.mover.other,
        "name": name(node),
        "where": where,
        "Where": where.capitalize(),
        "side": side(node),
        "extreme": "largest" if node.is_max else "smallest",
        "ply": node.ply,
        "largest": LARGEST,
        "low": format_value(trace, at.low),
        "worth": _spoken(known(trace, at)),
        "best": "" if step.best is None else format_value(trace, step.best),
        "alpha": alpha,
        "beta": beta,
        "child": "" if step.child is None else name(nodes[step.child]),
        "bound": bound,
        "brought": _spoken(bound),
        "rest": format_cells(left_out, node.position.rules),
        "are": "is" if len(left_out) == 1 else "are",
        "stay": "stays a thunk" if len(left_out) == 1 else "stay thunks",
        "move": name(nodes[best[0]]) if best else "",
        "meaning": meaning(trace),
        "search": trace.search.called,
        "visited": frame.visited,
        "nodes": counted(len(nodes), "node", "nodes"),
    }


def _spoken(bound: str) -> str:
    return bound.replace("≥", "at least").replace("≤", "at most")


def meaning(trace: Trace) -> str:
    """Return the meaning of the root's value, e.g. "X wins in 3 plies"."""
    worth = trace.tree.root.worth
    if worth:
        winner = Mark.X if worth > 0 else Mark.O
        plies = "" if trace.search is Search.LAZY else f" in {counted(LARGEST - abs(trace.value), 'ply', 'plies')}"
        return f"{winner} wins{plies}"
    return "a draw" if trace.tree.depth == trace.tree.root.position.plies_left else "no line within the look-ahead"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question before a step. `answers` maps each possible answer to the response to it."""

    text: str
    answers: Mapping[str, str]
    right: str


def ask_before(trace: Trace, number: int) -> Prompt | None:
    """Return the question before step `number`, or None.

    Before the search tries a move, ask for the best one. When the root's last move gets its value, ask for the value
    of the root. Do the same for each child of the root. Another question is whether the remaining moves matter. It is
    asked at the first step that closes a window, and at the first step that leaves a window open.
    """
    frame = trace.frames[number]
    step, node = frame.step, trace.tree.nodes[frame.step.node]
    if number == 1:
        return _ask_for_move(trace)
    if step.child is None:
        return None
    if number in _window_steps(trace):
        is_open = _leaves_open(trace, step)
        return _prompt("open" if is_open else "closed", ("Yes", "No"), "Yes" if is_open else "No", _words(trace, frame))
    if node.ply > 1 or len(node.children) == 1 or step.child != node.children[-1]:
        return None
    return _ask_for_value(trace, frame)


def _ask_for_move(trace: Trace) -> Prompt | None:
    """Return the question for the root's best move, or None if several are best or there is no other."""
    root = trace.tree.root
    moves = [trace.tree.nodes[child] for child in root.children]
    worth = sign if trace.search is Search.LAZY else int
    best = [name(each) for each in moves if worth(each.worth) == worth(root.worth)]
    if len(best) > 1 or len(moves) < 2:
        return None
    return _prompt("move", map(name, moves), best[0], {"mover": root.position.mover, "first": name(moves[0])})


def _ask_for_value(trace: Trace, frame: Frame) -> Prompt | None:
    """Return a question for the value of a node, or None if all its children have the same value."""
    node = trace.tree.nodes[frame.step.node]
    right = known(trace, frame.nodes[node.number])
    below = [frame.nodes[child] for child in node.children]
    offered = [known(trace, each) for each in sorted(below, key=lambda each: (each.low, each.high))]
    if {*offered} == {right}:
        return None
    seen = ", ".join(known(trace, each) for each in below)
    return _prompt("value", [*offered, right], right, _words(trace, frame) | {"seen": seen})


def _prompt(key: str, offered: Iterable[str], right: str, words: Mapping[str, object]) -> Prompt:
    """Return a question with a response to each answer that is offered."""
    ask = ASKS[key]
    verdicts = {each: "Right" if each == right else ask["wrong"].format(right=right) for each in offered}
    answers = {each: ask["response"].format(**words, verdict=verdict) for each, verdict in verdicts.items()}
    return Prompt(ask["text"].format(**words), MappingProxyType(answers), right)


def _window_steps(trace: Trace) -> tuple[int, ...]:
    """Return the first step that closes a window, and the first step that leaves a finite window open."""
    closing = (number for number, frame in enumerate(trace.frames[1:]) if frame.step.kind is StepKind.CUT)
    leaving = (number for number, frame in enumerate(trace.frames) if _leaves_open(trace, frame.step))
    steps = (next(closing, None), next(leaving, None)) if trace.search is Search.ALPHABETA else ()
    return tuple(number for number in steps if number is not None)


def _leaves_open(trace: Trace, step: SearchStep) -> bool:
    """Return whether moves remain and the window is finite and open."""
    if step.child is None or not step.window or step.child == trace.tree.nodes[step.node].children[-1]:
        return False
    alpha, beta = step.window
    return NO_ALPHA < alpha < beta < NO_BETA
