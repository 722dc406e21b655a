"""The steps of a search in sentences, and what one may ask before a step is shown."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from solver.articles.tracing.searches import LARGEST, NO_ALPHA, NO_BETA, Frame, Known, Search, StepKind, Trace
from solver.articles.tracing.tree import TreeNode
from solver.board.notation import format_cell, format_cells
from solver.board.outcome import Score, counted
from solver.board.position import Mark, Result


def signed(value: int) -> str:
    """A value with its sign, e.g. "+7" or "−8"."""
    return f"{value:+d}".replace("-", "−") if value else "0"


def written(trace: Trace, score: Score) -> str:
    """A value or a bound as it is written; what no value can reach is infinite."""
    if score in (NO_ALPHA, NO_BETA):
        return "∞" if score > 0 else "−∞"
    return signed(trace.shown(score))


def known(trace: Trace, node: Known) -> str:
    """What is known of a node: its value, or "≥" or "≤" and a bound of it, or "?"."""
    if node.exact:
        return written(trace, node.low)
    if node.low != NO_ALPHA:
        return f"≥ {written(trace, node.low)}"
    return f"≤ {written(trace, node.high)}" if node.high != NO_BETA else "?"


def said(trace: Trace, frame: Frame) -> str:
    """What happens in a step, as a sentence or a few."""
    return " ".join(filter(None, _SAYING[frame.step.kind](trace, frame)))


def name(node: TreeNode) -> str:
    """The move that leads to a node, e.g. "b3"; the root is "the top"."""
    return "the top" if node.cell is None else format_cell(node.cell, node.position.rules)


def side(node: TreeNode) -> str:
    """Who chooses at a node: "Max" for X and "Min" for O."""
    return "Max" if node.is_max else "Min"


def _entered(trace: Trace, frame: Frame) -> Iterator[str]:
    node = trace.tree.nodes[frame.step.node]
    mover, kind = node.position.mover, f"a {side(node)} node"
    takes = f"takes the {'largest' if node.is_max else 'smallest'} value below"
    if node.parent is None:
        yield f"{mover} is to move at the top: {kind}, which {takes}."
    elif node.ply == 1:
        yield f"{mover.other} tries {name(node)}. Then {mover} is to move: {kind}, which {takes}."
    else:
        yield f"{mover.other} tries {name(node)}; then {mover} chooses ({side(node)})."
    match trace.search:
        case Search.ALPHABETA if node.parent is None:
            yield "Nothing is certain yet: α is −∞, β is ∞."
        case Search.ALPHABETA:
            yield f"It takes over {_window(trace, frame.nodes[node.number])}."
        case Search.LAZY if node.ply > 1:
            yield "Its value is asked for."
        case Search.LAZY:
            waiting = "; its other moves stay thunks" if len(node.children) > 1 else ""
            yield f"Its value is asked for, so its first move is worked out{waiting}."


def _ended(trace: Trace, frame: Frame) -> Iterator[str]:
    node = trace.tree.nodes[frame.step.node]
    position = node.position
    played = f"{position.mover.other} tries {name(node)}"
    value = written(trace, frame.nodes[node.number].low)
    match position.result:
        case None:
            yield f"{played}. The look-ahead ends here and nobody has a line: {value}."
        case Result.DRAW:
            yield f"{played}. The board is full, a draw: {value}."
        case winner:
            reckoned = _counted_from_ten(trace, node, winner is Result.X)
            yield f"{played} and has a line at ply {node.ply}: {reckoned}{value}."


def _counted_from_ten(trace: Trace, node: TreeNode, for_x: bool) -> str:
    """How the value of a line comes about, where it has a distance."""
    if trace.search is Search.LAZY:
        return ""
    return f"{LARGEST} − {node.ply} = " if for_x else f"{node.ply} − {LARGEST} = "


def _better(trace: Trace, frame: Frame) -> Iterator[str]:
    step = frame.step
    node = trace.tree.nodes[step.node]
    mover, best = node.position.mover, _best(trace, frame)
    size = f"the {'largest' if node.is_max else 'smallest'} so far"
    if len(node.children) == 1:
        size = "the only move"
    elif step.child == node.children[0]:
        size = "the first value"
    yield f"{_brings(trace, frame)}: {size} for {mover} here."
    if step.alpha is not None and step.beta is not None:
        bound, greek, verb = (step.alpha, "α", "rises") if node.is_max else (step.beta, "β", "falls")
        if bound == step.best:
            yield f"{greek} {verb} to {best}."
        else:
            yield f"{greek} stays {written(trace, bound)}, which {mover} is sure of elsewhere."
    yield from _settled(trace, frame)


def _no_better(trace: Trace, frame: Frame) -> Iterator[str]:
    mover = trace.tree.nodes[frame.step.node].position.mover
    yield f"{_brings(trace, frame)}: no better for {mover} than {_best(trace, frame)}. Nothing changes."
    yield from _settled(trace, frame)


def _cut(trace: Trace, frame: Frame) -> Iterator[str]:
    step = frame.step
    node = trace.tree.nodes[step.node]
    mover, other = node.position.mover, node.position.mover.other
    cells = [cell for each in step.left_out if (cell := trace.tree.nodes[each].cell) is not None]
    rest = format_cells(cells, node.position.rules)
    are, they = ("is", "it stays a thunk") if len(cells) == 1 else ("are", "they stay thunks")
    if trace.search is Search.LAZY:
        yield (
            f"{mover} can have {_best(trace, frame)} here, so {name(node)} is no better for {other} than an"
            f" earlier move. Nobody reads this list any farther: {rest} {are} never asked for, {they}."
        )
        return
    assert step.alpha is not None  # noqa: S101 - only alpha-beta cuts otherwise, and it has a window
    assert step.beta is not None  # noqa: S101 - as above
    has, sure = (step.alpha, step.beta) if node.is_max else (step.beta, step.alpha)
    yield (
        f"{mover} can have {written(trace, has)} here, and {other} is sure of {written(trace, sure)} elsewhere: {other}"
        f" gains nothing by coming here. So {rest} {are} cut: α = {written(trace, step.alpha)} ≥"
        f" β = {written(trace, step.beta)}."
    )


def _over(trace: Trace, frame: Frame) -> Iterator[str]:
    root = trace.tree.root
    value, whole = signed(trace.value), len(trace.tree.nodes)
    best = [child for child in root.children if frame.nodes[child].exact and frame.nodes[child].low == frame.step.best]
    move = f"{root.position.mover} plays {name(trace.tree.nodes[best[0]])}: " if best else ""
    yield f"Done. {move}the top is worth {value}, {meaning(trace)}."
    if frame.visited < whole:
        yield f"{trace.search.called} looked at {frame.visited} of the {counted(whole, 'node', 'nodes')}."
    else:
        yield f"All {counted(whole, 'node', 'nodes')} were looked at."


_SAYING: Final = MappingProxyType(
    {
        StepKind.ENTER: _entered,
        StepKind.LEAF: _ended,
        StepKind.BETTER: _better,
        StepKind.NO_BETTER: _no_better,
        StepKind.CUT: _cut,
        StepKind.END: _over,
    }
)


def meaning(trace: Trace) -> str:
    """What the value of the top says."""
    worth = trace.tree.root.worth
    if worth:
        winner = Mark.X if worth > 0 else Mark.O
        plies = "" if trace.search is Search.LAZY else f" in {counted(LARGEST - abs(trace.value), 'ply', 'plies')}"
        return f"{winner} wins{plies}"
    return "a draw" if trace.tree.depth == trace.tree.root.position.plies_left else "no line within the look-ahead"


def _brings(trace: Trace, frame: Frame) -> str:
    """The move that has just got its value, with what is known of that, e.g. "c2 brings at most −8"."""
    assert frame.step.child is not None  # noqa: S101 - asked only then
    child = trace.tree.nodes[frame.step.child]
    bound = known(trace, frame.nodes[child.number])
    return f"{name(child)} brings {bound.replace('≥', 'at least').replace('≤', 'at most')}"


def _best(trace: Trace, frame: Frame) -> str:
    return "nothing" if frame.step.best is None else written(trace, frame.step.best)


def _window(trace: Trace, node: Known) -> str:
    if node.alpha is None or node.beta is None:
        return ""
    return f"α = {written(trace, node.alpha)} and β = {written(trace, node.beta)}"


def _settled(trace: Trace, frame: Frame) -> Iterator[str]:
    """What the node is worth, where its last move has just been looked at."""
    node = trace.tree.nodes[frame.step.node]
    if frame.step.child == node.children[-1]:
        bound = known(trace, frame.nodes[node.number]).replace("≥", "at least").replace("≤", "at most")
        where = "The top" if node.parent is None else f"The node after {name(node)}"
        yield f"{where} is worth {bound}."


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question before a step: the answers on offer, and for each what is said to it."""

    text: str
    answers: Mapping[str, str]
    right: str


def asked_before(trace: Trace, number: int) -> Prompt | None:
    """The question before step `number`, where there is one: what a node will be worth, or whether the rest matters.

    Prompt of the top and of the nodes just below it, when the last move that is looked at there has its value; and the
    first two times that the window may close.
    """
    frame = trace.frames[number]
    step = frame.step
    if step.child is None:
        return None
    node = trace.tree.nodes[step.node]
    if number in _windows(trace):
        return _whether(trace, number)
    if node.ply > 1 or len(node.children) == 1 or step.child != node.children[-1]:
        return None
    return _worth(trace, frame, node)


def _worth(trace: Trace, frame: Frame, node: TreeNode) -> Prompt | None:
    at = frame.nodes[node.number]
    right = known(trace, at)
    below = [frame.nodes[child] for child in node.children]
    answers = dict.fromkeys(known(trace, each) for each in sorted(below, key=lambda each: (each.low, each.high)))
    offered = [*answers, *([] if right in answers else [right])]
    if len(offered) < 2:
        return None
    kind = "the largest" if node.is_max else "the smallest"
    seen = ", ".join(known(trace, each) for each in below)
    reason = f"{side(node)} takes {kind} of {seen}."
    where = "the top" if node.parent is None else f"the node after {name(node)}"
    verdicts = {each: f"{'Right' if each == right else f'No, {right}'}: {reason}" for each in offered}
    return Prompt(f"What will {where} be worth?", MappingProxyType(verdicts), right)


def _windows(trace: Trace) -> tuple[int, ...]:
    """The first step that closes a window, and the first that leaves one open although both bounds are certain."""
    if trace.search is not Search.ALPHABETA:
        return ()
    closing = next((number for number, frame in enumerate(trace.frames[1:]) if frame.step.kind is StepKind.CUT), None)
    leaving = next((number for number, frame in enumerate(trace.frames) if _stays_open(trace, frame)), None)
    return tuple(number for number in (closing, leaving) if number is not None)


def _stays_open(trace: Trace, frame: Frame) -> bool:
    step = frame.step
    if step.child is None or step.alpha is None or step.beta is None or step.alpha >= step.beta:
        return False
    unseen = step.child != trace.tree.nodes[step.node].children[-1]
    return unseen and step.alpha != NO_ALPHA and step.beta != NO_BETA


def _whether(trace: Trace, number: int) -> Prompt:
    frame = trace.frames[number]
    step = frame.step
    node = trace.tree.nodes[step.node]
    assert step.child is not None  # noqa: S101 - the window changes when a move has its value
    assert step.alpha is not None  # noqa: S101 - only alpha-beta is asked about
    assert step.beta is not None  # noqa: S101 - as above
    mover, other = node.position.mover, node.position.mover.other
    child = trace.tree.nodes[step.child]
    value = known(trace, frame.nodes[child.number])
    text = f"{name(child)} has {value}. Is the rest of {mover}'s moves here worth looking at?"
    bounds = f"α = {written(trace, step.alpha)}, β = {written(trace, step.beta)}"
    if step.alpha >= step.beta:
        right = "No"
        reason = (
            f"{other} is sure of something at least as good elsewhere ({bounds}), and gains nothing by coming here."
        )
    else:
        right = "Yes"
        reason = f"the window is still open ({bounds}): a value between the two would matter."
    verdicts = {each: f"{'Right' if each == right else 'Not so'}: {reason}" for each in ("Yes", "No")}
    return Prompt(text, MappingProxyType(verdicts), right)
