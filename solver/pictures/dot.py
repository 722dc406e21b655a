"""The same graphs as DOT, the language of Graphviz, which other programs draw."""

from solver.articles.graph import Edge, Kind
from solver.board.notation import format_moves, format_position
from solver.board.position import Position
from solver.pictures.drawing import STYLES, Drawing, caption
from solver.pictures.svg import INK, RED


def dot(drawing: Drawing) -> str:
    """A drawing as DOT: a node each position, an edge each pair of them, labelled with the moves."""
    names = {node: f"n{index}" for index, node in enumerate(drawing.graph.nodes)}
    steps = set(zip(drawing.path, drawing.path[1:], strict=False))
    lines = [
        f"digraph {_quoted(drawing.title)} {{",
        '  graph [rankdir="TB", ranksep="1.2"];',
        '  node [shape="box", style="filled", fontname="monospace"];',
        *(_node(names[node], node, kind, drawing) for node, kind in drawing.graph.nodes.items()),
        *(_edge(edge, names, (edge.parent, edge.child) in steps) for edge in drawing.graph.edges),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _node(name: str, node: Position, kind: Kind, drawing: Drawing) -> str:
    look = STYLES[kind]
    below = caption(node, kind, drawing)
    dashed = {Kind.FORK: "filled,dashed", Kind.DRAW: "filled,dotted"}.get(kind, "filled")
    return "  {} [{}];".format(
        name,
        _attributes(
            label=format_position(node).replace("/", "\n") + (f"\n{below}" if below else ""),
            color=look.colour,
            fillcolor=look.fill,
            style=dashed,
            penwidth="1" if kind is Kind.INTERNAL else "3",
            peripheries="2" if look.double else "1",
        ),
    )


def _edge(edge: Edge, names: dict[Position, str], bold: bool) -> str:
    attributes = _attributes(
        label=format_moves(edge.moves, edge.parent.rules),
        color=RED if edge.turned else INK,
        style="dashed" if edge.turned else "solid",
        penwidth="4" if bold else "1",
    )
    return f"  {names[edge.parent]} -> {names[edge.child]} [{attributes}];"


def _attributes(**values: str) -> str:
    return ", ".join(f"{name}={_quoted(value)}" for name, value in values.items())


def _quoted(text: str) -> str:
    """A text as DOT quotes it: line ends as \\n, which centres each line."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
