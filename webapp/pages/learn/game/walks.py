"""The lesson on two ways to count the game tree: a pure walk, and one that changes a shared table."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from textwrap import dedent

from solver.articles.census import Stage, census, orders
from solver.articles.walks import NodeKind, pure, run, run_pure, run_shared, shared
from solver.board.notation import parse_position
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE
from webapp.pages.learn.lesson import Lesson, Level, settled, source_of
from webapp.pages.learn.quiz import Feedback, Guess, Question, Quiz
from webapp.pages.learn.thumbs import lines
from webapp.ui.address import Query
from webapp.ui.board import mini

SUBTREE = "XO./..X/..."
"""A position that two games reach. Both walks count its tree while a visitor waits, without remembering anything."""


@dataclass(frozen=True, slots=True)
class WalksView:
    """The code of each walk, and the nodes that both count at each ply while they remember positions."""

    pure: str
    shared: str
    plies: tuple[tuple[int, int], ...]


def view(_: Query) -> WalksView:
    """Show the lesson. It reads nothing from the query."""
    counted = tuple(_by_ply(run(Position(TIC_TAC_TOE), remember=True)[0]) for run in (run_pure, run_shared))
    return WalksView(_body(pure), _body(shared), tuple(zip(*counted, strict=True)))


def _body(function: Callable[..., object]) -> str:
    """Return the code of a function without its signature and its docstring of one line."""
    return dedent(source_of(function).text.rpartition('"""\n')[2])


def _by_ply(nodes: Counter[NodeKind]) -> list[int]:
    return [sum(count for (at, _), count in nodes.items() if at == ply) for ply in range(TIC_TAC_TOE.size + 1)]


@cache
def remembering() -> Quiz:
    """Return the quiz on what the two walks count if they remember positions."""
    empty, below = Position(TIC_TAC_TOE), parse_position(SUBTREE, TIC_TAC_TOE)
    (small, _), (smaller, _) = run_pure(below), run_shared(below)
    (nodes, steps), (missed, _) = run_pure(empty, remember=True), run_shared(empty, remember=True)
    whole, kept = census(TIC_TAC_TOE, Stage.WON_CUT).nodes, census(TIC_TAC_TOE, Stage.DUPLICATES).nodes
    again = f"The walk comes to this board {len(orders(below))} times"

    def counted(words: str, count: int, because: str, hints: Mapping[int, str]) -> Question:
        titles = {"whole": (whole, "nodes, as before"), "kept": (kept, "nodes"), "none": (0, "nodes")}
        return Question(
            words=words,
            answers={
                name: Feedback(True, f"Yes: {count:,}. {because}") if each == count else Feedback(False, hints[each])
                for name, (each, _) in titles.items()
            },
            titles={name: f"{each:,} {unit}" for name, (each, unit) in titles.items()},
            board=mini(below),
        )

    same = f"Both count {small.total():,} nodes from this board on, the same at each ply."
    return Quiz(
        title="Which walk can remember?",
        questions=(
            Question(
                words="Do both walks count the same from this board on?",
                answers={
                    "yes": Feedback(small == smaller, f"Yes! {same}"),
                    "no": Feedback(small != smaller, "Each adds 1 for a board, then walks on. What could one miss?"),
                },
                titles={"yes": "Yes", "no": "No"},
                board=mini(below),
            ),
            counted(
                "Let the pure walk remember what it returned for each board. What does it count now?",
                nodes.total(),
                "The same board returns the same nodes, looked up or walked.",
                {
                    kept: f"{again}. Each time it gets {small.total():,} nodes back. Does it add them only once?",
                    0: "Even a finished game returns 1 node. Where would it go?",
                },
            ),
            Guess(
                words=f"Without remembering it took {whole:,} steps. How many does it take now?",
                truth=steps,
                because="That's one for each different board.",
            ),
            counted(
                "Let the walk with the table remember too. What does it count?",
                missed.total(),
                "A board that it remembers isn't counted again.",
                {
                    whole: f"{again}, and walks on only once. How often does it write in the table?",
                    0: f"{again}. What does it write the first time?",
                },
            ),
        ),
        closing="What returns its result can be looked up. What changes a table has to be done again.",
    )


LESSON = Lesson(
    name="walks",
    title="Two ways to count a tree",
    summary="Add up what the children return, or write in a shared table. Only one of them can remember.",
    level=Level.FURTHER,
    minutes=4,
    after=("clojure",),
    code=(pure, shared, run),
    picture=lambda: lines(("return a + b", "table[n] += 1")),
    view=settled(view),
    quizzes={"remember": remembering},
)
