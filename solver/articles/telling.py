"""Sentences that describe the steps of a search, and questions before some of the steps."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from solver.articles.tracing import LARGEST, NO_ALPHA, NO_BETA, Frame, Known, Search, StepKind, Trace, TreeNode
from solver.board.notation import format_cell, format_cells
from solver.board.outcome import Score, counted, sign
from solver.board.position import Mark, Result


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


def step_in_words(trace: Trace, frame: Frame) -> str:
    """Describe a step in a few sentences."""
    return " ".join(filter(None, _SENTENCES[frame.step.kind](trace, frame)))


def name(node: TreeNode) -> str:
    """Return the name of a node: its last move, e.g. "b3", or "the top" for the root."""
    return "the top" if node.cell is None else format_cell(node.cell, node.position.rules)


def side(node: TreeNode) -> str:
    """Return the side that chooses at a node: "Max" for X, "Min" for O."""
    return "Max" if node.is_max else "Min"


def _tell_entry(trace: Trace, frame: Frame) -> Iterator[str]:
    """Describe a node that is reached."""
    node = trace.tree.nodes[frame.step.node]
    mover = node.position.mover
    takes = f"a {side(node)} node takes the {'largest' if node.is_max else 'smallest'} value below"
    if node.parent is None:
        yield f"{mover} moves at the top: {takes}."
    elif node.ply == 1:
        yield f"{mover.other} tries {name(node)}. Then {mover} moves: {takes}."
    else:
        yield f"{mover.other} tries {name(node)}; then {mover} chooses ({side(node)})."
    match trace.search:
        case Search.ALPHABETA if node.parent is None:
            yield "Nothing is certain yet: α is −∞, β is ∞."
        case Search.ALPHABETA:
            yield f"It takes over {_window(trace, frame.nodes[node.number])}."
        case Search.LAZY if node.ply > 1:
            yield "Now we need its value."
        case Search.LAZY:
            waiting = "; its other moves stay thunks" if len(node.children) > 1 else ""
            yield f"Now we need its value, so we work out its first move{waiting}."


def _tell_leaf(trace: Trace, frame: Frame) -> Iterator[str]:
    """Describe a leaf."""
    node = trace.tree.nodes[frame.step.node]
    position = node.position
    played = f"{position.mover.other} tries {name(node)}"
    value = format_value(trace, frame.nodes[node.number].low)
    match position.result:
        case None:
            yield f"{played}. The look-ahead ends here and nobody has a line: {value}."
        case Result.DRAW:
            yield f"{played}. The board is full, a draw: {value}."
        case winner:
            first, second = (LARGEST, node.ply) if winner is Result.X else (node.ply, LARGEST)
            difference = "" if trace.search is Search.LAZY else f"{first} − {second} = "
            yield f"{played} and has a line at ply {node.ply}: {difference}{value}."


def _tell_better(trace: Trace, frame: Frame) -> Iterator[str]:
    """Describe a move that is better than all earlier moves."""
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
            yield f"{greek} stays {format_value(trace, bound)}, which {mover} is sure of elsewhere."
    yield from _tell_settled(trace, frame)


def _tell_no_better(trace: Trace, frame: Frame) -> Iterator[str]:
    """Describe a move that is no better than an earlier move."""
    mover = trace.tree.nodes[frame.step.node].position.mover
    yield f"{_brings(trace, frame)}: no better for {mover} than {_best(trace, frame)}. Nothing changes."
    yield from _tell_settled(trace, frame)


def _tell_cut(trace: Trace, frame: Frame) -> Iterator[str]:
    """Explain why the remaining moves are skipped."""
    step = frame.step
    node = trace.tree.nodes[step.node]
    mover, other = node.position.mover, node.position.mover.other
    cells = [cell for number in step.left_out if (cell := trace.tree.nodes[number].cell) is not None]
    rest = format_cells(cells, node.position.rules)
    are, stay = ("is", "stays a thunk") if len(cells) == 1 else ("are", "stay thunks")
    if trace.search is Search.LAZY:
        yield (
            f"{mover} can have {_best(trace, frame)} here, so {name(node)} is no better for {other} than an"
            f" earlier move. So we stop reading this list: {rest} {stay}."
        )
        return
    assert step.alpha is not None  # noqa: S101 - only alpha-beta gets here, and it has a window
    assert step.beta is not None  # noqa: S101 - as above
    has, sure = (step.alpha, step.beta) if node.is_max else (step.beta, step.alpha)
    yield (
        f"{mover} can have {format_value(trace, has)} here, and {other} is sure of {format_value(trace, sure)}"
        f" elsewhere: {other} gains nothing by coming here. So {rest} {are} cut: α = {format_value(trace, step.alpha)}"
        f" ≥ β = {format_value(trace, step.beta)}."
    )


def _tell_end(trace: Trace, frame: Frame) -> Iterator[str]:
    """Sum up the search."""
    root = trace.tree.root
    value, whole = signed(trace.value), len(trace.tree.nodes)
    best = [child for child in root.children if frame.nodes[child].exact and frame.nodes[child].low == frame.step.best]
    move = f"{root.position.mover} plays {name(trace.tree.nodes[best[0]])}: " if best else ""
    yield f"Done. {move}the top is worth {value}, {meaning(trace)}."
    if frame.visited < whole:
        yield f"{trace.search.called} looked at {frame.visited} of the {counted(whole, 'node', 'nodes')}."
    else:
        yield f"{trace.search.called} looked at all {counted(whole, 'node', 'nodes')}."


_SENTENCES: Final = MappingProxyType(
    {
        StepKind.ENTER: _tell_entry,
        StepKind.LEAF: _tell_leaf,
        StepKind.BETTER: _tell_better,
        StepKind.NO_BETTER: _tell_no_better,
        StepKind.CUT: _tell_cut,
        StepKind.END: _tell_end,
    }
)


def meaning(trace: Trace) -> str:
    """Return the meaning of the root's value, e.g. "X wins in 3 plies"."""
    worth = trace.tree.root.worth
    if worth:
        winner = Mark.X if worth > 0 else Mark.O
        plies = "" if trace.search is Search.LAZY else f" in {counted(LARGEST - abs(trace.value), 'ply', 'plies')}"
        return f"{winner} wins{plies}"
    return "a draw" if trace.tree.depth == trace.tree.root.position.plies_left else "no line within the look-ahead"


def _brings(trace: Trace, frame: Frame) -> str:
    """Describe the move whose value has just been found, e.g. "c2 brings at most −8"."""
    assert frame.step.child is not None  # noqa: S101 - a step with a new value has a child
    bound = known(trace, frame.nodes[frame.step.child])
    return f"{name(trace.tree.nodes[frame.step.child])} brings {bound.replace('≥', 'at least').replace('≤', 'at most')}"


def _best(trace: Trace, frame: Frame) -> str:
    return "nothing" if frame.step.best is None else format_value(trace, frame.step.best)


def _window(trace: Trace, node: Known) -> str:
    if node.alpha is None or node.beta is None:
        return ""
    return f"α = {format_value(trace, node.alpha)} and β = {format_value(trace, node.beta)}"


def _tell_settled(trace: Trace, frame: Frame) -> Iterator[str]:
    """State the value of a node once its last move has been searched."""
    node = trace.tree.nodes[frame.step.node]
    if frame.step.child == node.children[-1]:
        bound = known(trace, frame.nodes[node.number]).replace("≥", "at least").replace("≤", "at most")
        where = "The top" if node.parent is None else f"The node after {name(node)}"
        yield f"{where} is worth {bound}."


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
    step = frame.step
    if number == 1:
        return _ask_for_move(trace)
    if step.child is None:
        return None
    node = trace.tree.nodes[step.node]
    if number in _window_steps(trace):
        return _ask_for_rest(trace, frame, node)
    if node.ply > 1 or len(node.children) == 1 or step.child != node.children[-1]:
        return None
    return _ask_for_value(trace, frame, node)


def _ask_for_move(trace: Trace) -> Prompt | None:
    """Return the question for the root's best move, or None if several are best or there is no other."""
    root = trace.tree.root
    moves = [trace.tree.nodes[child] for child in root.children]
    worth = sign if trace.search is Search.LAZY else int
    best = [name(each) for each in moves if worth(each.worth) == worth(root.worth)]
    if len(best) > 1 or len(moves) < 2:
        return None
    first = f"the search finds out. It tries {name(moves[0])} first."
    verdicts = {name(each): f"{'Right' if name(each) in best else 'Not quite'}. Watch how {first}" for each in moves}
    return Prompt(f"Which move is best for {root.position.mover}?", MappingProxyType(verdicts), *best)


def _ask_for_value(trace: Trace, frame: Frame, node: TreeNode) -> Prompt | None:
    """Return a question for the value of a node, or None if all its children have the same value."""
    at = frame.nodes[node.number]
    right = known(trace, at)
    below = [frame.nodes[child] for child in node.children]
    in_order = (known(trace, each) for each in sorted(below, key=lambda each: (each.low, each.high)))
    offered = dict.fromkeys([*in_order, right])
    if len(offered) < 2:
        return None
    kind = "the largest" if node.is_max else "the smallest"
    seen = ", ".join(known(trace, each) for each in below)
    reason = f"{side(node)} takes {kind} of {seen}."
    where = "the top" if node.parent is None else f"the node after {name(node)}"
    verdicts = {each: f"{'Right' if each == right else f'No, {right}'}: {reason}" for each in offered}
    return Prompt(f"What will {where} be worth?", MappingProxyType(verdicts), right)


def _window_steps(trace: Trace) -> tuple[int, ...]:
    """Return the first step that closes a window, and the first step that leaves a finite window open."""
    if trace.search is not Search.ALPHABETA:
        return ()
    closing = next((number for number, frame in enumerate(trace.frames[1:]) if frame.step.kind is StepKind.CUT), None)
    leaving = next((number for number, frame in enumerate(trace.frames) if _stays_open(trace, frame)), None)
    return tuple(number for number in (closing, leaving) if number is not None)


def _stays_open(trace: Trace, frame: Frame) -> bool:
    """Return whether moves remain and the window is finite and open."""
    step = frame.step
    if step.child is None or step.alpha is None or step.beta is None:
        return False
    moves_remain = step.child != trace.tree.nodes[step.node].children[-1]
    return moves_remain and NO_ALPHA < step.alpha < step.beta < NO_BETA


def _ask_for_rest(trace: Trace, frame: Frame, node: TreeNode) -> Prompt:
    """Return the question whether the remaining moves of a node are worth searching."""
    step = frame.step
    assert step.child is not None  # noqa: S101 - `ask_before` asks nothing without a child
    assert step.alpha is not None  # noqa: S101 - only alpha-beta is asked about
    assert step.beta is not None  # noqa: S101 - as above
    mover, other = node.position.mover, node.position.mover.other
    child = trace.tree.nodes[step.child]
    value = known(trace, frame.nodes[child.number])
    text = f"{name(child)} has {value}. Are {mover}'s other moves here worth a look?"
    bounds = f"α = {format_value(trace, step.alpha)}, β = {format_value(trace, step.beta)}"
    if step.alpha >= step.beta:
        right = "No"
        reason = (
            f"{other} is sure of something at least as good elsewhere ({bounds}), and gains nothing by coming here."
        )
    else:
        right = "Yes"
        reason = f"the window is still open ({bounds}): a value between the two would matter."
    verdicts = {answer: f"{'Right' if answer == right else 'Not quite'}: {reason}" for answer in ("Yes", "No")}
    return Prompt(text, MappingProxyType(verdicts), right)
