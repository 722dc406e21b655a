"""The lists of the article on lazy game trees in Haskell, at work on a small tree: which nodes are ever asked for.

`solver.articles.lookahead.lazy_visits` counts them; this is the same, told step by step. What nobody asks for stays a
thunk: a promise to work something out that is never called in. Here a line counts 1 or -1, however late it comes.
"""

from collections.abc import Iterator

from solver.articles.tracing.steps import SearchStep, StepKind, Steps
from solver.articles.tracing.tree import SmallTree
from solver.board.outcome import sign


def lazy_steps(tree: SmallTree) -> Steps:
    """Every node that is asked for, and every list that is read no farther."""
    steps: list[SearchStep] = []

    def values(number: int) -> Iterator[int]:
        """X's values of the moves that are better for the mover than all before, each worked out when asked for."""
        node = tree.nodes[number]
        if not node.children:
            steps.append(SearchStep(StepKind.LEAF, number, sign(node.worth)))
            yield sign(node.worth)
            return
        steps.append(SearchStep(StepKind.ENTER, number))
        best: int | None = None
        for child in node.children:
            found = read(child, number, best)
            if found is not None:
                best = found
                steps.append(SearchStep(StepKind.BETTER, number, best, child))
                yield best

    def read(child: int, parent: int, floor: int | None) -> int | None:
        """A move's value, or None as soon as its list shows that it is no better than an earlier one."""
        mine, below = 1 if tree.nodes[parent].is_max else -1, tree.nodes[child].children
        value: int | None = None
        for value in values(child):
            if floor is not None and mine * value <= mine * floor:
                seen = {step.child for step in steps if step.node == child}
                rest = tuple(each for each in below if each not in seen)
                if rest:
                    steps.append(SearchStep(StepKind.CUT, child, value, None, None, None, rest))
                steps.append(SearchStep(StepKind.NO_BETTER, parent, floor, child))
                return None
        return value

    found = [*values(0)]
    return (*steps, SearchStep(StepKind.END, 0, found[-1]))
