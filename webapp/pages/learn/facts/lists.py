"""Trees, lists and printed values of the Haskell article, and its pipeline stage by stage."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from solver.articles.claims.haskell import AFTER_CORNER, SECOND, WITHOUT_LINES, tree_nodes, values_of
from solver.articles.lazy import LEAVING, fmap, mapmin, minleq, prune, run_pipeline, unfold, values
from solver.articles.listing import listing
from solver.articles.lookahead import ahead, draw_tree, static_value
from solver.articles.telling import name, signed
from solver.articles.tracing import Reach, Search, SmallTree, small_tree, trace
from solver.board.notation import format_position, parse_position
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE
from webapp.pages.learn.content import ARTICLES_FOLDER, Facts, Shown, read_content
from webapp.pages.learn.facts.values import PRINTED
from webapp.pages.learn.stepping import Film
from webapp.pages.learn.trees import place_nodes
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini

SMALL: Final = parse_position("O.X/.O./XOX")
"""The position of the pictures. The counts are of the larger tree AFTER_CORNER."""

PRUNED: Final = 2
"""The depth to which the small tree is pruned."""


HIGH: Final = 42
"""The height of a node in the drawing, which holds a board."""

STAGES: Final = ("generate", f"prune {PRUNED}", "fmap static", "maximise", "maximum")
"""The stages in the order in which they run; Haskell writes them from right to left."""

CODE: Final[tuple[Callable[..., object], ...]] = (unfold, prune, fmap, values, minleq, mapmin)
"""The functions beside the picture."""


@dataclass(frozen=True, slots=True)
class StageLook:
    """A step of the film: its sentence, the stage and the function that are lit, and the text in each node.

    A node without a text is not there. The text BOARD stands for the node's position. `lit` are the highlighted nodes.
    """

    told: str
    stage: int
    code: Callable[..., object] | None
    texts: dict[int, str]
    lit: frozenset[int]


BOARD: Final = " "


def film_pipeline(query: Query) -> Shown:
    """Show the stage that the query names. Raises BadOption."""
    whole = small_tree(SMALL)
    return {
        "film": Film.of(query, (dict(_look(whole, scene)) for scene in scenes()), {}),
        "drawing": place_nodes(whole, HIGH),
        "code": listing(*CODE),
        "stages": STAGES,
    }


@cache
def scenes() -> tuple[StageLook, ...]:
    """Return the stages of the small tree one after the other, and then what was worked out of it."""
    whole, lists = small_tree(SMALL).nodes, trace(SMALL, Search.LAZY, PRUNED)
    kept = [node for node in whole if node.ply <= PRUNED]
    ends = frozenset(node.number for node in kept if node.ply == PRUNED or not node.children)
    static = {node.number: static_value(node.position) for node in kept}
    risen = {node.number: ahead(node.position, PRUNED - node.ply).value(PRUNED - node.ply) for node in kept}
    moves = whole[0].children
    listed = ", ".join(signed(risen[each]) for each in moves)
    finished = {number: signed(value) for number, value in risen.items()}
    plain, leaving = run_pipeline(SMALL, PRUNED), run_pipeline(SMALL, PRUNED, LEAVING)
    skipped = {
        kept[node.number].number
        for node, known in zip(lists.tree.nodes, lists.frames[-1].nodes, strict=True)
        if known.reach is Reach.CUT
    }
    left = next(node for node in kept if skipped & set(node.children))
    looks: tuple[tuple[dict[int, str], frozenset[int]], ...] = (
        ({0: BOARD}, frozenset()),
        ({node.number: BOARD for node in whole}, frozenset()),
        ({node.number: BOARD for node in kept}, frozenset()),
        ({number: signed(value) for number, value in static.items()}, frozenset()),
        (finished | {0: listed}, frozenset()),
        (finished, frozenset({0})),
        ({number: text if number in ends else "…" for number, text in finished.items()}, ends),
        ({**finished, **dict.fromkeys(skipped, "…"), left.number: f"≤ {signed(risen[left.number])}"}, ends - skipped),
    )
    values = {
        "pruned": PRUNED,
        "whole": len(whole),
        "kept": len(kept),
        "listed": listed,
        "top": signed(risen[0]),
        "best": next(name(whole[move]) for move in moves if risen[move] == risen[0]),
        "plain": plain.sizes,
        "sure": signed(max(risen[move] for move in moves if move < left.number)),
        "left": name(left),
        "reply": signed(min(risen[child] for child in left.children)),
        "leaving": leaving.sizes,
    }
    code = {function.__name__: function for function in CODE}
    scenes = read_content("haskell", ARTICLES_FOLDER)["scenes"]
    return tuple(
        StageLook(scene["told"].format(**values), scene["stage"], code.get(scene.get("code")), *look)
        for scene, look in zip(scenes, looks, strict=True)
    )


def _look(whole: SmallTree, scene: StageLook) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the look of the tree, the stages, the code and the sentence in a scene."""
    for node in whole.nodes:
        text = scene.texts.get(node.number, "")
        reach = "cut" if text == "…" and not node.children else "done" if text else "unseen"
        classes = ["node", f"is-{reach}"]
        classes += ["boarded"] * (text == BOARD) + ["now"] * (node.number in scene.lit)
        yield f"n{node.number}", {"class": " ".join(classes)}
        yield f"v{node.number}", {"text": text.strip()}
        if node.parent is not None:
            yield f"e{node.number}", {"class": f"edge is-{reach}"}
    for number in range(len(STAGES)):
        yield f"s{number}", {"class": "on" if number == scene.stage else ""}
    for number, lit in enumerate(_lit(scene.code)):
        yield f"l{number}", {"class": "line on" if lit else "line"}
    yield "telling", {"text": scene.told}


def _lit(function: Callable[..., object] | None) -> Iterator[bool]:
    """Yield for each line of the code whether it belongs to a function; an empty line parts two functions."""
    for number, each in enumerate(CODE):
        yield from [False] * (number > 0)
        yield from [each is function] * len(listing(each).lines)


AN_ERROR: Final = "an error"

UndefinedList: TypeAlias = Sequence[int | str]
"""A list of numbers as content files have it; a text in it stands for a value that there is none of."""


def _format_list(listed: UndefinedList) -> str:
    return f"[{', '.join(map(str, listed))}]"


def _judge_titles(titles: Sequence[str], right: str, board: Position | None = None, **values: object) -> Facts:
    """Judge answers by their titles, of which one is right. The remark on an answer is its name or "yes"."""
    named = {f"answer{number}": title for number, title in enumerate(titles)}
    answers = {name: "yes" if title == right else name for name, title in named.items()}
    return Facts(answers, mini(board) if board else None, titles=named, values={**values, "right": right})


def judge_reading(floor: int, listed: UndefinedList) -> Facts:
    """Judge what `minleq` makes of a list."""
    met = next(value for value in listed if isinstance(value, str) or value <= floor)
    reason = (
        "Undefined comes before an answer." if isinstance(met, str) else f"{met} is enough. Nobody looks at undefined."
    )
    right = result_of(lambda: minleq(floor, read(listed)))
    return _judge_titles(("True", "False", AN_ERROR), right, floor=floor, listed=_format_list(listed), reason=reason)


def judge_dropping(lists: Sequence[UndefinedList]) -> Facts:
    """Judge what `mapmin` makes of lists."""
    right = result_of(lambda: list(mapmin(map(read, lists))))
    return _judge_titles(("[0, -1, 1]", "[0, 1]", AN_ERROR), right, lists=f"[{', '.join(map(_format_list, lists))}]")


def judge_making() -> Facts:
    """Judge how many positions are made if one ply is kept."""
    whole, made = ahead(AFTER_CORNER, AFTER_CORNER.plies_left).nodes[-1], len(run_pipeline(AFTER_CORNER, 1).made)
    return _judge_titles(("1", str(made), f"{whole:,}"), str(made), AFTER_CORNER, whole=whole, moves=made - 1)


def judge_asking() -> Facts:
    """Judge how many positions are looked at if all of them are made."""
    worked = run_pipeline(SMALL, PRUNED)
    made, valued = str(len(worked.made)), str(len(worked.valued))
    return _judge_titles(("1", valued, made), valued, SMALL, made=made)


class Undefined(Exception):
    """A value was asked for that there is none of."""


def read(listed: UndefinedList) -> Iterator[int]:
    """Yield the numbers of a list. Raises Undefined when something else is asked for."""
    for value in listed:
        if isinstance(value, str):
            raise Undefined
        yield value


def result_of(program: Callable[[], object]) -> str:
    """Run a program and return its result as Haskell prints it, or AN_ERROR."""
    try:
        return str(program())
    except Undefined:
        return AN_ERROR


def compare_pipelines() -> Facts:
    """Compare what both pipelines work out in a larger tree."""
    plies = AFTER_CORNER.plies_left
    plain, leaving = run_pipeline(AFTER_CORNER, plies), run_pipeline(AFTER_CORNER, plies, LEAVING)
    return Facts.of(plies=plies, plain=plain.sizes, leaving=leaving.sizes, value=signed(plain.value))


def count_pruned() -> Facts:
    """Count the tree after X in the centre, as it is and if play goes on after a win."""
    pruned, naive = tree_nodes(TIC_TAC_TOE), tree_nodes(WITHOUT_LINES)
    return Facts.of(pruned=pruned, naive=naive, more=round(100 * naive / pruned - 100))


def print_state(query: Query) -> Shown:
    """Print a position as the article does, in three rows and in one line."""
    position = parse_position(query["position"])
    rows = format_position(position).split("/")
    return {"board": mini(position), "rows": "\n".join(rows), "line": "".join(rows)}


def print_tree(query: Query) -> str:
    """Print the tree of a position to one level."""
    return "\n".join(draw_tree(parse_position(query["position"]), 1))


def print_moves(query: Query) -> tuple[Mini, ...]:
    """Print the moves of a position by their numbers, with the value that the article prints and the right one."""
    position = {"corner": AFTER_CORNER, "second": SECOND}[query["position"]]
    moves, boards = zip(position.legal_moves, PRINTED[position], values_of(position), strict=True), []
    for number, (cell, said, right) in enumerate(moves):
        caption = f"{number}: {signed(said)}" + (f", really {signed(right)}" if said != right else "")
        boards.append(mini(position.after(cell), caption, "erred" if said != right else "", classes={cell: "new"}))
    return tuple(boards)
