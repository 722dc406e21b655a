"""A graph of positions as SVG or DOT: small boards, each framed by its kind, and an edge for each move.

Dark edges lead to the child itself, broken red edges to a rotated or reflected image of it. Frames differ in line and
fill too, and captions name results and forks, so nothing is told by colour alone. DOT is the language of Graphviz.

There is one row for each ply, and each board is near its parents and children. The boards of a row are put in an order
in which few moves cross. Rows are sorted by barycentres, down and up in turn (Sugiyama, Tagawa and Toda, "Methods for
Visual Understanding of Hierarchical System Structures", 1981). Neighbours are then swapped while swaps remove crossings
(the transposition of Gansner, Koutsofios, North and Vo, "A Technique for Drawing Directed Graphs", 1993). Every move
leads to the next row, so the dummy nodes of both articles are not needed.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.articles.graph import Edge, Graph, Kind
from solver.board.notation import format_moves, format_position
from solver.board.position import Mark, Position
from solver.errors import TooLarge
from solver.pictures import svg

MAX_BOARDS: Final = 1000
"""The most boards in one picture, since nobody can take in more."""

Rows: TypeAlias = tuple[tuple[int, ...], ...]
"""The numbers of the nodes in each row, from left to right. There is a row for each ply."""

Neighbours: TypeAlias = Sequence[Sequence[int]]
"""The neighbours of each node in the row above, or in the row below."""

SWEEPS: Final = 24
"""The number of times that rows are sorted, as in Gansner et al."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The centre of each board: `x` in units of the smallest distance between neighbours, `y` in plies from the root.

    The leftmost board lies at 0, the rightmost at `width`, the last row at `depth`.
    """

    places: Mapping[Position, tuple[float, int]]
    width: float
    depth: int


def too_many() -> TooLarge:
    """Return the error for more than `MAX_BOARDS` boards."""
    return TooLarge(
        f"That would be more than {MAX_BOARDS:,} boards in one picture, and {MAX_BOARDS:,} are drawn at most."
        " Start later in the game, or look less deep."
    )


def lay_out(graph: Graph) -> Layout:
    """Lay out a graph. Raise TooLarge beyond `MAX_BOARDS` boards."""
    if len(graph.nodes) > MAX_BOARDS:
        raise too_many()
    number = {node: index for index, node in enumerate(graph.nodes)}
    above, below = [list[int]() for _ in number], [list[int]() for _ in number]
    for parent, child in dict.fromkeys((number[edge.parent], number[edge.child]) for edge in graph.edges):
        below[parent].append(child)
        above[child].append(parent)
    plies = {node: graph.root.plies_left - node.plies_left for node in graph.nodes}
    depth = max(plies.values())
    rows = tuple(tuple(number[node] for node in graph.nodes if plies[node] == ply) for ply in range(depth + 1))
    across = _spread(ordered(rows, above, below), above, below)
    left = min(across.values())
    places = {node: (across[index] - left, plies[node]) for node, index in number.items()}
    return Layout(places, max(across.values()) - left, depth)


def apart(wished: Sequence[float]) -> list[float]:
    """Return numbers that are as near as possible to the wished ones, but each at least 1 above the last.

    The sum of the squared differences is the least possible. This is isotonic regression: wishes that are too near to
    each other form a pool, and each pool is centred on the mean of its wishes.
    """
    pools: list[tuple[float, int]] = []  # the place of each pool's first member, and the number of members
    for index, wish in enumerate(wished):
        start, size = wish - index, 1
        while pools and pools[-1][0] > start:
            before, members = pools.pop()
            start, size = (before * members + start * size) / (members + size), members + size
        pools.append((start, size))
    starts = (start for start, size in pools for _ in range(size))
    return [start + index for index, start in enumerate(starts)]


def _spread(rows: Rows, above: Neighbours, below: Neighbours) -> dict[int, float]:
    """Return the horizontal place of each node of rows that are in order.

    First put each row, from the top, as near as possible to the means of its nodes' parents. Then put each row, from
    the bottom, as near as possible to the means of their children, so that parents stand over the middle of children.
    """
    across = dict.fromkeys(rows[0], 0.0)

    def middle(node: int, joined: Sequence[int]) -> float:
        return sum(across[each] for each in joined) / len(joined) if joined else across[node]

    for row, neighbours in (*((row, above) for row in rows), *((row, below) for row in reversed(rows))):
        places = apart([middle(node, neighbours[node]) for node in row])
        across.update(zip(row, places, strict=True))
    return across


def ordered(rows: Rows, above: Neighbours, below: Neighbours) -> Rows:
    """Return the rows in an order in which few edges cross."""
    best, fewest = rows, crossings(rows, below)
    for sweep in range(SWEEPS):
        rows = _sweep(rows[::-1], below)[::-1] if sweep % 2 else _sweep(rows, above)
        if (number := crossings(rows, below)) < fewest:
            best, fewest = rows, number
    return _transpose(best, above, below)


def crossings(rows: Rows, below: Neighbours) -> int:
    """Return the number of pairs of edges that cross."""
    place, total = _places(rows), 0
    for row in rows:
        ends: list[int] = []  # the lower ends of edges that begin further left
        for node in row:
            own = [place[child] for child in below[node]]
            total += sum(len(ends) - bisect_right(ends, end) for end in own)
            for end in own:
                insort(ends, end)
    return total


def _sweep(rows: Rows, before: Neighbours) -> Rows:
    """Sort each row but the first by the mean place of each node's neighbours in the row `before`.

    A node without such neighbours keeps its place.
    """
    swept = [rows[0]]
    for row in rows[1:]:
        place = {node: index for index, node in enumerate(swept[-1])}
        means = {node: sum(place[each] for each in before[node]) / len(before[node]) for node in row if before[node]}
        moving = iter(sorted(means, key=means.__getitem__))
        swept.append(tuple(next(moving) if node in means else node for node in row))
    return tuple(swept)


def _transpose(rows: Rows, above: Neighbours, below: Neighbours) -> Rows:
    """Swap neighbours in a row if that reduces crossings, until no swap helps."""
    moving, place, improved = [list(row) for row in rows], _places(rows), True
    while improved:
        improved = False
        for row in moving:
            ends = [[sorted(place[each] for each in side[node]) for side in (above, below)] for node in row]
            for left in range(len(row) - 1):
                right = left + 1
                if sum(map(_gain, ends[left], ends[right])) > 0:
                    row[left], row[right] = row[right], row[left]
                    ends[left], ends[right] = ends[right], ends[left]
                    improved = True
            place.update((node, index) for index, node in enumerate(row))
    return tuple(map(tuple, moving))


def _gain(left: list[int], right: list[int]) -> int:
    """Return the number of crossings that a swap of two nodes saves; the ends of their edges are sorted."""
    return sum(bisect_left(right, end) for end in left) - sum(bisect_left(left, end) for end in right)


def _places(rows: Rows) -> dict[int, int]:
    """Return the place of each node in its row."""
    return {node: index for row in rows for index, node in enumerate(row)}


@dataclass(frozen=True)
class Drawing:
    """A graph with the texts of its picture.

    `captions` stand below boards, in place of the words for their kind. The moves along `path` are drawn bold. `note`
    explains the captions.
    """

    graph: Graph
    title: str
    description: str
    captions: Mapping[Position, str] = field(default_factory=dict)
    path: tuple[Position, ...] = ()
    note: str = ""

    def caption(self, node: Position) -> str:
        """Return the caption below a board."""
        return self.captions.get(node, kind_words(node, self.graph.nodes[node]))

    @property
    def steps(self) -> frozenset[tuple[Position, Position]]:
        """The moves along the path, each as the positions before and after it."""
        return frozenset(pairwise(self.path))

    @cached_property
    def layout(self) -> Layout:
        """The places of the boards. Raises TooLarge for more boards than a picture may have."""
        return lay_out(self.graph)


@dataclass(frozen=True, slots=True)
class Live:
    """The links of a drawing on a page.

    `link` returns the attributes of a board's link. The board `found` is highlighted, with all moves that lead to it.
    Boards have the ids n0, n1, … in the order of the graph; a `prefix` tells several drawings of a page apart.
    """

    link: Callable[[Position], Mapping[str, str]]
    found: Position | None = None
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Style:
    """The frame of the boards of one kind. Lengths are in squares; `dashes` is SVG's `stroke-dasharray`."""

    colour: str
    fill: str
    width: float
    dashes: str = ""
    double: bool = False


STYLES: Final[Mapping[Kind, Style]] = MappingProxyType(
    {
        Kind.INTERNAL: Style(svg.LINE, svg.SQUARE, 0.05),
        Kind.FORK: Style(svg.INK, "#f4f2e6", 0.2, ".5 .25"),
        Kind.X_WINS: Style(svg.MARKS[Mark.X], svg.TINTS[Mark.X], 0.24),
        Kind.O_WINS: Style(svg.MARKS[Mark.O], svg.TINTS[Mark.O], 0.09, double=True),
        Kind.DRAW: Style(svg.GREY, "#e6e6e3", 0.18, ".01 .33"),
    }
)

BOARD: Final = 42.0
"""The longer side of a board, in the picture's units."""

PITCH: Final = 62.0
"""The least distance of two boards in a row, from centre to centre."""

CAPTION: Final = 11.0
LETTER: Final = 0.58
"""The mean width of a letter, in units of its size; an estimate, since the reader's font is not known."""

ASPECT: Final = 2.4
"""The largest ratio of width to height; rows of wide pictures are moved apart to keep it."""


def svg_of(drawing: Drawing, live: Live | None = None) -> str:
    """Return the picture as SVG, with links if it is `live`. Raise TooLarge for more boards than a picture may have."""
    layout = drawing.layout
    span = layout.width * PITCH
    gap = max(116.0, min(640.0, span / ASPECT / max(layout.depth, 1)))
    # A wide picture has a larger heading, which can be read when the whole picture is in view.
    unit = max(1.0, span / 1300)
    heading, head_width, head_height = _heading(drawing)
    width = max(span + 2 * PITCH, head_width * unit)
    top = head_height * unit + BOARD
    left = (width - span) / 2
    places = {node: (left + x * PITCH, top + y * gap) for node, (x, y) in layout.places.items()}
    return svg.document(
        width,
        top + layout.depth * gap + BOARD + 30,
        drawing.title,
        drawing.description,
        svg.tag("g", heading, transform=f"scale({svg.number(unit)})"),
        _edges(drawing, places, max(1.0, 0.4 * unit), live),
        *(_node(node, drawing, places[node]) for node in drawing.graph.nodes)
        if live is None
        else _links(drawing, live, places),
        role="img" if live is None else "group",
    )


def _links(drawing: Drawing, live: Live, places: Mapping[Position, tuple[float, float]]) -> Iterator[str]:
    """Yield each board as a link, with a frame behind it that marks the selected board."""
    above = drawing.graph.ancestors(live.found) if live.found else frozenset()
    for index, node in enumerate(drawing.graph.nodes):
        x, y = places[node]
        side = BOARD + 14
        sign = svg.tag(
            "rect", x=x - side / 2, y=y - side / 2, width=side, height=side, rx=7, fill="none", class_="sign"
        )
        words = {"node": True, "above": node in above or node == live.found, "found": node == live.found}
        yield svg.tag(
            "a",
            svg.tag("g", sign, _node(node, drawing, places[node]), **({"id": "found"} if node == live.found else {})),
            id=f"{live.prefix}n{index}",
            class_=" ".join(word for word, holds in words.items() if holds),
            **live.link(node),
        )


def kind_words(position: Position, kind: Kind) -> str:
    """Return the words of a board's caption for its kind."""
    return {Kind.INTERNAL: "", Kind.FORK: f"{position.mover.other} forks"}.get(kind, kind.value)


def _node(node: Position, drawing: Drawing, place: tuple[float, float]) -> str:
    below = drawing.caption(node)
    scale = _scale(node)
    x, y = place
    left, top = x - node.rules.columns * scale / 2, y - node.rules.rows * scale / 2
    parts = [
        svg.tag("title", format_position(node) + (f", {below}" if below else "")),
        svg.placed(left, top, scale, framed_board(node, drawing.graph.nodes[node])),
    ]
    if below:
        at = y + node.rules.rows * scale / 2 + CAPTION + 2.5
        parts.append(
            svg.text(
                below, x, at, CAPTION, text_anchor="middle", stroke=svg.PAPER, stroke_width=3, paint_order="stroke"
            )
        )
    return svg.tag("g", *parts)


def framed_board(position: Position, kind: Kind) -> str:
    """Return a small board in units of squares, framed by its kind."""
    rules, look = position.rules, STYLES[kind]
    columns, rows = float(rules.columns), float(rules.rows)
    dashes: dict[str, str] = {"stroke_dasharray": look.dashes, "stroke_linecap": "round"} if look.dashes else {}
    outline: dict[str, str | float] = {"stroke": look.colour, "stroke_width": look.width, **dashes}
    frame = svg.tag("rect", width=columns, height=rows, fill=look.fill, **outline)
    if look.double:
        size = {"x": -0.2, "y": -0.2, "width": columns + 0.4, "height": rows + 0.4}
        frame += svg.tag("rect", **size, fill="none", stroke=look.colour, stroke_width=0.09)
    stones = {svg.MARKS[Mark.X]: svg.crosses(position.x, rules), svg.MARKS[Mark.O]: svg.rings(position.o, rules)}
    return "".join(
        (
            frame,
            svg.path(svg.grid(rules), fill="none", stroke=svg.LINE, stroke_width=0.035),
            svg.path(svg.gaps(rules), fill=svg.LINE),
            *(
                svg.path(steps, fill="none", stroke=colour, stroke_width=0.12, stroke_linecap="round")
                for colour, steps in stones.items()
            ),
            svg.path(svg.strikes(position), stroke=look.colour, stroke_width=0.14, stroke_linecap="round"),
        )
    )


def _scale(position: Position) -> float:
    return BOARD / max(position.rules.columns, position.rules.rows)


def _edges(drawing: Drawing, places: Mapping[Position, tuple[float, float]], width: float, live: Live | None) -> str:
    """Return all moves as curves, from back to front: plain moves, moves to a turned board, bold moves."""
    graph, steps = drawing.graph, drawing.steps
    names = {node: str(index) for index, node in enumerate(graph.nodes)} if live else {}
    lit = graph.ancestors(live.found) | {live.found} if live and live.found else frozenset()
    curves: dict[tuple[bool, bool], list[str]] = {}
    for pair in dict.fromkeys((edge.parent, edge.child) for edge in graph.edges):
        parent, child = pair
        leads = {"data_from": names[parent], "data_to": names[child]} if live else {}
        if lit.issuperset(pair):
            leads["class_"] = "above"
        below = CAPTION + 5 if drawing.caption(parent) else 0
        sorts = [edge.turned for edge in graph.edges_from[parent] if edge.child == child for _ in edge.moves]
        for index, turned in enumerate(sorts):
            aside = (index - (len(sorts) - 1) / 2) * 4 * width
            curve = svg.tag("path", d=_curve(pair, places, aside, below), **leads)
            curves.setdefault((pair in steps, turned), []).append(curve)
    return "".join(
        svg.tag(
            "g",
            *curves[bold, turned],
            fill="none",
            stroke=svg.RED if turned else svg.INK,
            stroke_width=width * (3.5 if bold else 1),
            stroke_opacity=1 if bold else 0.8,
            **({"stroke_dasharray": f"{svg.number(5 * width)} {svg.number(3 * width)}"} if turned else {}),
        )
        for bold, turned in sorted(curves)
    )


def _curve(
    pair: tuple[Position, Position], places: Mapping[Position, tuple[float, float]], aside: float, below: float
) -> str:
    """Return the path from `below` the parent to above the child; `aside` keeps parallel moves apart."""
    (x1, y1), (x2, y2) = (places[node] for node in pair)
    half, other_half = (_scale(node) * node.rules.rows / 2 for node in pair)
    start, end = y1 + half + 2 + below, y2 - other_half - 4
    bend = (end - start) * 0.42
    x1, x2 = x1 + aside, x2 + aside
    return (
        f"M{svg.number(x1)} {svg.number(start)}C{svg.number(x1)} {svg.number(start + bend)}"
        f" {svg.number(x2)} {svg.number(end - bend)} {svg.number(x2)} {svg.number(end)}"
    )


def _heading(drawing: Drawing) -> tuple[str, float, float]:
    """Return the title and the key, with their width and height."""
    graph, x = drawing.graph, 20.0
    parts = [svg.text(drawing.title, x, 34, 24, font_weight="bold")]
    for kind in (Kind.X_WINS, Kind.O_WINS, Kind.DRAW, Kind.FORK):
        sample = next((node for node in graph.nodes if graph.nodes[node] is kind), None)
        if sample is None:
            continue
        scale = 30 / max(sample.rules.columns, sample.rules.rows)
        parts.append(svg.placed(x + 4, 54, scale, framed_board(sample, kind)))
        label = "a fork" if kind is Kind.FORK else kind.value
        parts.append(svg.text(label, x + 44, 74, 14))
        x += 64 + LETTER * 14 * len(label)
    turns = {edge.turned for edge in graph.edges}
    for label, colour, thickness, dashes, drawn in (
        ("a move", svg.INK, 2, "", False in turns),
        ("a move, then turned or mirrored", svg.RED, 2, "5 3", True in turns),
        ("best play by the numbers", svg.INK, 5, "", bool(drawing.path)),
    ):
        if drawn:
            broken = {"stroke_dasharray": dashes} if dashes else {}
            stroke = svg.tag("path", d=f"M{svg.number(x)} 69h34", stroke=colour, stroke_width=thickness, **broken)
            parts += [stroke, svg.text(label, x + 42, 74, 14)]
            x += 62 + LETTER * 14 * len(label)
    if drawing.note:
        parts.append(svg.text(drawing.note, 20, 112, 14, fill=svg.SOFT))
    width = max(x, 40 + LETTER * 1.12 * 24 * len(drawing.title), 40 + LETTER * 14 * len(drawing.note))
    return "".join(parts), width, 128 if drawing.note else 100


def dot_of(drawing: Drawing) -> str:
    """Return a drawing as DOT: a node for each position, an edge for each pair of them, labelled with the moves."""
    names = {node: f"n{index}" for index, node in enumerate(drawing.graph.nodes)}
    steps = drawing.steps
    lines = [
        f"digraph {_dot_quote(drawing.title)} {{",
        '  graph [rankdir="TB", ranksep="1.2"];',
        '  node [shape="box", style="filled", fontname="monospace"];',
        *(_dot_node(name, node, drawing) for node, name in names.items()),
        *(_dot_edge(edge, names, (edge.parent, edge.child) in steps) for edge in drawing.graph.edges),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _dot_node(name: str, node: Position, drawing: Drawing) -> str:
    kind, below = drawing.graph.nodes[node], drawing.caption(node)
    look = STYLES[kind]
    attributes = _dot_attributes(
        label=format_position(node).replace("/", "\n") + (f"\n{below}" if below else ""),
        color=look.colour,
        fillcolor=look.fill,
        style={Kind.FORK: "filled,dashed", Kind.DRAW: "filled,dotted"}.get(kind, "filled"),
        penwidth="1" if kind is Kind.INTERNAL else "3",
        peripheries="2" if look.double else "1",
    )
    return f"  {name} [{attributes}];"


def _dot_edge(edge: Edge, names: dict[Position, str], bold: bool) -> str:
    attributes = _dot_attributes(
        label=format_moves(edge.moves, edge.parent.rules),
        color=svg.RED if edge.turned else svg.INK,
        style="dashed" if edge.turned else "solid",
        penwidth="4" if bold else "1",
    )
    return f"  {names[edge.parent]} -> {names[edge.child]} [{attributes}];"


def _dot_attributes(**values: str) -> str:
    return ", ".join(f"{name}={_dot_quote(value)}" for name, value in values.items())


def _dot_quote(text: str) -> str:
    r"""Return a text as DOT quotes it. A line end becomes \n, which centres each line."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
