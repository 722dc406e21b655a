"""The pictures: every position and move of a graph is drawn once, no two boards overlap, and the text is sound."""

import re
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.graph import Graph, Kind, forced_moves, graph_of
from solver.articles.reduced import best_path, reduced_tree, scores
from solver.board.game import parse_game
from solver.board.notation import format_position, parse_position, parse_rules
from solver.board.position import Position
from solver.board.rules import Rules, bits_of
from solver.cli import main
from solver.errors import TooLarge
from solver.pictures.card import FRAME, picture
from solver.pictures.drawing import (
    BOARD,
    MAX_BOARDS,
    PITCH,
    STYLES,
    Drawing,
    Neighbours,
    Rows,
    apart,
    crossings,
    dot_of,
    lay_out,
    ordered,
    svg_of,
)
from solver.pictures.gallery import GALLERY, Picture, check_size, picture_named, tree_picture
from solver.pictures.places import across, extent, layout_of, strokes
from tests.strategies import TIC_TAC_TOE, examples, positions

SVG = "{http://www.w3.org/2000/svg}"
EMPTY = Position(TIC_TAC_TOE)
CENTRE = EMPTY.play(4)
LIGHT = [name for name in GALLERY if not name.startswith("distinct")]
FORCED = {"": 389, "-corner": 307, "-edge": 331, "-centre": 72}


def parsed(svg: str) -> Any:
    return ElementTree.fromstring(svg)  # noqa: S314 - our own text


def boards(svg: str) -> dict[str, str]:
    """Return the caption of every board by its position, read from the titles; each position occurs once."""
    titles = [group.findtext(f"{SVG}title") for group in parsed(svg).iter(f"{SVG}g")]
    found = [title.partition(", ") for title in titles if title]
    assert len({position for position, *_ in found}) == len(found)
    return {position: caption for position, _, caption in found}


def curves(svg: str) -> Counter[str]:
    """Return the number of curves of each colour."""
    return Counter(
        group.get("stroke") for group in parsed(svg).iter(f"{SVG}g") for path in group if "C" in path.get("d", "")
    )


@pytest.mark.parametrize(("end", "count"), FORCED.items())
def test_the_forced_trees_show_every_position_of_their_graph(end: str, count: int) -> None:
    root = {"": EMPTY, "-corner": EMPTY.play(0), "-edge": EMPTY.play(1), "-centre": CENTRE}[end]
    picture = picture_named(f"forced{end}")
    assert set(boards(picture.svg)) == {format_position(node) for node in graph_of(root, forced_moves).nodes}
    assert picture.boards == len(boards(picture.svg)) == count


def test_every_move_is_a_curve_red_where_a_symmetry_is_applied() -> None:
    graph = graph_of(CENTRE, forced_moves)
    moves = Counter(edge.turned for edge in graph.edges for _ in edge.moves)
    assert sorted(curves(svg_of(Drawing(graph, "t", "d"))).values()) == sorted(moves.values())
    red = [group for group in parsed(svg_of(Drawing(graph, "t", "d"))).iter(f"{SVG}g") if group.get("stroke-dasharray")]
    assert [len(group) for group in red if len(group) > 1] == [moves[True]]  # and never by colour alone


@pytest.mark.parametrize("name", LIGHT)
def test_a_picture_has_no_styles_and_a_title_and_a_description_for_screen_readers(name: str) -> None:
    picture = picture_named(name)
    svg = parsed(picture.svg)
    for element in svg.iter():
        assert element.tag != f"{SVG}style"
        assert not {"style", "class"} & set(element.attrib)
    assert svg.findtext(f"{SVG}title").startswith(picture.title)
    assert svg.findtext(f"{SVG}desc") == picture.description


def overlapping(graph: Graph) -> list[tuple[float, float]]:
    rows: dict[int, list[float]] = {}
    for x, y in lay_out(graph).places.values():
        rows.setdefault(y, []).append(x)
    return [pair for row in rows.values() for pair in pairwise(sorted(row)) if pair[1] - pair[0] < 1 - 1e-9]


@pytest.mark.parametrize("root", [EMPTY, EMPTY.play(0), EMPTY.play(1), CENTRE], ids=list(FORCED))
def test_no_two_boards_of_the_forced_trees_overlap(root: Position) -> None:
    assert PITCH > BOARD  # boards one unit apart do not touch
    assert overlapping(graph_of(root, forced_moves)) == []


@given(positions(st.just(TIC_TAC_TOE), max_empty=6), st.booleans())
def test_no_two_boards_overlap(position: Position, symmetric: bool) -> None:
    assert overlapping(graph_of(position, symmetric=symmetric)) == []


@given(positions(st.just(parse_rules("4x3x3")), max_empty=5))
def test_a_board_lies_in_the_row_of_its_ply(position: Position) -> None:
    layout = lay_out(graph_of(position))
    for node, (x, y) in layout.places.items():
        assert y == position.plies_left - node.plies_left
        assert 0 <= x <= layout.width


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=8))
def test_boards_are_moved_apart_by_no_more_than_is_needed(wished: list[float]) -> None:
    placed = apart(wished)
    assert all(after - before >= 1 - 1e-9 for before, after in pairwise(placed))
    # At the optimum of least squares, moving any run of boards, where there is room, makes the sum no smaller.
    total = sum((x - wish) ** 2 for x, wish in zip(placed, wished, strict=True))
    for first in range(len(placed)):
        for last in range(first, len(placed)):
            for step in (-0.01, 0.01):
                moved = [x + step if first <= index <= last else x for index, x in enumerate(placed)]
                if all(after - before >= 1 for before, after in pairwise(moved)):
                    assert sum((x - wish) ** 2 for x, wish in zip(moved, wished, strict=True)) >= total - 1e-9


def test_boards_that_have_room_stay_where_the_layout_puts_them() -> None:
    assert apart([0.0, 2.0, 2.5, 9.0]) == pytest.approx([0.0, 1.75, 2.75, 9.0])


def test_a_picture_of_a_single_board() -> None:
    won = parse_position("XXX/OO./...", TIC_TAC_TOE)
    assert boards(tree_picture(won, 1).svg) == {"XXX/OO./...": "X wins"}


NODE = re.compile(r'  (n\d+) \[label="((?:[^"\\]|\\.)*)"(?:, \w+="[^"]*")*\];')
EDGE = re.compile(r'  (n\d+) -> (n\d+) \[label="([a-z0-9]+)", color="(#\w+)", style="(solid|dashed)", penwidth="\d"\];')


@pytest.mark.parametrize("root", [EMPTY, CENTRE], ids=["whole", "centre"])
def test_the_dot_text_has_every_node_and_every_edge_and_nothing_else(root: Position) -> None:
    graph = graph_of(root, forced_moves)
    head, *lines, end = dot_of(Drawing(graph, 'of "t"', "d")).splitlines()
    assert (head, end) == (r'digraph "of \"t\"" {', "}")
    assert [line.split()[0] for line in lines[:2]] == ["graph", "node"]
    nodes = [match for line in lines[2:] if (match := NODE.fullmatch(line))]
    edges = [match for line in lines[2:] if (match := EDGE.fullmatch(line))]
    assert len(nodes) + len(edges) == len(lines) - 2
    named = {match[1]: "/".join(match[2].split(r"\n")[:3]) for match in nodes}
    assert sorted(named.values()) == sorted(map(format_position, graph.nodes))
    drawn_edges = Counter((named[edge[1]], named[edge[2]], edge[5] == "dashed") for edge in edges)
    assert drawn_edges == Counter(
        (format_position(edge.parent), format_position(edge.child), edge.turned) for edge in graph.edges
    )


@pytest.mark.parametrize("distinct", [False, True])
def test_the_reduced_tree_carries_the_score_of_every_board_that_is_not_decided(distinct: bool) -> None:
    root = EMPTY.play(0)
    shown = boards(picture_named("reduced-distinct-corner" if distinct else "reduced-corner").svg)
    assert shown["X../.../..."] == ("+0.84" if distinct else "+0.89")  # the Clojure article, part 2, "Scoring"
    values, tree = scores(root, distinct), reduced_tree(root)
    for node in tree.nodes:
        caption = shown[format_position(node)].replace("−", "-")
        if tree.edges_from[node]:
            assert float(caption) == pytest.approx(float(values[node]), abs=0.005)
        else:
            assert caption == {1: "X wins", 0: "draw", -1: "O wins"}[int(values[node])]


def test_the_best_path_of_the_reduced_tree_is_drawn_bold() -> None:
    root = EMPTY.play(0)
    tree, steps = reduced_tree(root), best_path(root)
    path = [*steps, [*steps.values()][-1][0]]
    on_path = [edge for edge in tree.edges if (edge.parent, edge.child) in set(pairwise(path))]
    bold = [
        curve
        for group in parsed(picture_named("reduced-corner").svg).iter(f"{SVG}g")
        if group.get("stroke-width") == "3.5"
        for curve in group
    ]
    assert len(bold) == sum(len(edge.moves) for edge in on_path)


@given(positions(st.just(TIC_TAC_TOE)), st.sampled_from([1, 2]))
def test_the_tree_of_a_position_shows_every_position_of_the_next_plies(position: Position, depth: int) -> None:
    layer, expected = {position}, {position}
    for _ in range(depth):
        layer = {node.play(cell) for node in layer for cell in node.legal_moves}
        expected |= layer
    assert set(boards(tree_picture(position, depth).svg)) == set(map(format_position, expected))


def test_a_tree_goes_on_below_the_boards_that_are_opened_and_nowhere_else() -> None:
    shut = EMPTY.play(8).play(7)  # not in the picture, since its parent is not opened
    opened = frozenset({CENTRE, CENTRE.play(1), shut})
    shown = set(boards(tree_picture(EMPTY, 1, opened=opened).svg))
    after_centre = {CENTRE.play(cell) for cell in CENTRE.legal_moves}
    after_edge = {CENTRE.play(1).play(cell) for cell in CENTRE.play(1).legal_moves}
    layers = {EMPTY} | {EMPTY.play(cell) for cell in range(9)} | after_centre | after_edge
    assert shown == set(map(format_position, layers))


def test_opening_a_board_opens_its_images_where_symmetric_boards_are_one() -> None:
    assert len(boards(tree_picture(EMPTY, 1, True, frozenset({EMPTY.play(8)})).svg)) == 1 + 3 + 5  # after a corner


@examples(20)
@given(positions(st.just(TIC_TAC_TOE), max_empty=6))
def test_a_graph_knows_the_way_to_each_node_and_what_leads_to_it(position: Position) -> None:
    graph = graph_of(position)
    for node, moves in graph.ways.items():
        at, passed = position, set()
        for move in moves:
            passed.add(at)
            at = at.play(move)
        assert at == node
        assert passed <= graph.ancestors(node)
        assert {graph.find(node.transformed(each)) for each in node.rules.symmetries} == {node}
    assert set(graph.ways) == set(graph.nodes)


def test_distinct_moves_are_drawn_once() -> None:
    assert len(boards(tree_picture(EMPTY, 1, distinct=True).svg)) == 1 + 3
    assert len(boards(tree_picture(EMPTY, 2, distinct=True).svg)) == 1 + 3 + 12  # openings and replies, both articles


@pytest.fixture
def moves_made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows by each cell played on any position."""
    made, after = list[int](), Position.after

    def noted(position: Position, cell: int) -> Position:
        made.append(cell)
        return after(position, cell)

    monkeypatch.setattr(Position, "after", noted)
    return made


@pytest.mark.parametrize("distinct", [False, True])
def test_a_tree_that_must_be_too_large_is_refused_before_any_play(moves_made: list[int], distinct: bool) -> None:
    with pytest.raises(TooLarge, match=f"{MAX_BOARDS:,} are drawn"):
        tree_picture(Position(Rules(8, 8, 5)), 3, distinct)
    assert moves_made == []


def test_a_tree_that_turns_out_too_large_is_refused_at_once(moves_made: list[int]) -> None:
    with_a_threat = parse_position(
        "XX....../......../......../......../......../......../......../......OO", Rules(8, 8, 3)
    )
    check_size(with_a_threat, 3, False)
    with pytest.raises(TooLarge, match=f"{MAX_BOARDS:,} are drawn"):
        tree_picture(with_a_threat, 3)
    assert len(moves_made) < 2 * MAX_BOARDS


def test_too_many_boards_are_not_laid_out() -> None:
    with pytest.raises(TooLarge, match=f"{MAX_BOARDS:,} are drawn"):
        lay_out(graph_of(EMPTY, symmetric=False))


def test_a_larger_board_without_a_table_names_no_winner() -> None:
    assert set(boards(tree_picture(Position(parse_rules("4x4x4")), 1).svg).values()) == {""}


def test_the_frames_differ_in_more_than_colour() -> None:
    assert len({(look.width, look.dashes, look.double) for look in STYLES.values()}) == len(Kind)


def test_the_command_writes_a_picture_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "centre.dot"
    assert main(["picture", "forced-centre", "--format", "dot", "--output", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == picture_named("forced-centre").dot
    assert capsys.readouterr().out == ""


OPENED = frozenset({EMPTY.play(4), EMPTY.play(4).play(1), EMPTY.play(0)})


@st.composite
def layered(draw: st.DrawFn) -> tuple[Rows, Neighbours, Neighbours]:
    """Draw rows of nodes, with any edges from a row to the next."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    starts = [sum(sizes[:index]) for index in range(len(sizes) + 1)]
    rows = tuple(tuple(range(*pair)) for pair in pairwise(starts))
    below: list[list[int]] = [[] for _ in range(starts[-1])]
    above: list[list[int]] = [[] for _ in range(starts[-1])]
    for upper, lower in pairwise(rows):
        for node in upper:
            for child in sorted(draw(st.sets(st.sampled_from(lower)))):
                below[node].append(child)
                above[child].append(node)
    return rows, above, below


def crossings_of_pairs(rows: Rows, below: Neighbours) -> int:
    """Count the crossings by looking at each pair of edges."""
    total = 0
    for upper, lower in pairwise(rows):
        edges = [(upper.index(node), lower.index(child)) for node in upper for child in below[node]]
        total += sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(edges, 2))
    return total


def crossings_drawn(graph: Graph) -> int:
    """Count the pairs of moves that cross in a picture."""
    places = lay_out(graph).places
    moves = {(edge.parent, edge.child) for edge in graph.edges}
    ends = [(places[parent], places[child][0]) for parent, child in moves]
    return sum(
        left[0][1] == right[0][1] and (left[0][0] - right[0][0]) * (left[1] - right[1]) < 0
        for left, right in combinations(ends, 2)
    )


@given(layered())
def test_crossings_agree_with_a_count_over_all_pairs_of_edges(graph: tuple[Rows, Neighbours, Neighbours]) -> None:
    rows, _, below = graph
    assert crossings(rows, below) == crossings_of_pairs(rows, below)


@given(layered())
def test_every_node_stays_in_its_row(graph: tuple[Rows, Neighbours, Neighbours]) -> None:
    assert [tuple(sorted(row)) for row in ordered(*graph)] == list(graph[0])


@given(layered())
def test_no_more_edges_cross_than_before(graph: tuple[Rows, Neighbours, Neighbours]) -> None:
    rows, _, below = graph
    assert crossings(ordered(*graph), below) <= crossings(rows, below)


@given(layered())
def test_no_swap_of_two_neighbours_saves_a_crossing(graph: tuple[Rows, Neighbours, Neighbours]) -> None:
    rows, below = ordered(*graph), graph[2]
    for index, row in enumerate(rows):
        for left in range(len(row) - 1):
            swapped = (*row[:left], row[left + 1], row[left], *row[left + 2 :])
            assert crossings((*rows[:index], swapped, *rows[index + 1 :]), below) >= crossings(rows, below)


def drawn(picture: Picture) -> Drawing:
    """Return the drawing of a picture that is a graph."""
    assert picture.drawing
    return picture.drawing


@pytest.mark.parametrize("opened", [frozenset[Position](), OPENED], ids=["shut", "opened"])
def test_no_moves_of_a_tree_cross(opened: frozenset[Position]) -> None:
    assert crossings_drawn(drawn(tree_picture(EMPTY, 1, opened=opened)).graph) == 0


@pytest.mark.parametrize(("name", "most"), [("forced-centre", 55), ("wins", 15), ("reduced", 224), ("forced", 3740)])
def test_few_moves_of_a_picture_cross(name: str, most: int) -> None:
    assert crossings_drawn(drawn(picture_named(name)).graph) <= most


def test_the_first_moves_stand_in_reading_order() -> None:
    places = drawn(tree_picture(EMPTY, 2)).layout.places
    across = [places[EMPTY.play(cell)][0] for cell in range(9)]
    assert across == sorted(across)


def test_a_board_is_centred_over_its_children_where_there_is_room() -> None:
    drawing = drawn(tree_picture(EMPTY, 2))
    places = drawing.layout.places
    for parent in drawing.graph.children(EMPTY):
        children = [places[child][0] for child in drawing.graph.children(parent)]
        assert places[parent][0] == pytest.approx(sum(children) / len(children))


CUBE, QUBIC = parse_rules("3x3x3x3"), parse_rules("4x4x4x4")


def test_layers_stand_side_by_side_in_pictures() -> None:
    assert (extent(CUBE), across(CUBE)) == ((11, 3), 3)
    assert (extent(QUBIC), across(QUBIC)) == ((9, 9), 2)
    assert [row[3] for row in layout_of(CUBE)] == [None] * 3
    cells = [cell for row in layout_of(QUBIC) for cell in row if cell is not None]
    assert sorted(cells) == list(range(64))


def test_stones_that_fall_lie_in_the_holes_of_a_frame() -> None:
    falling, free = (picture(parse_game(f"4x4x4{drop}", None, "a1b1")) for drop in ("-gravity", ""))
    assert (falling.count(FRAME), free.count(FRAME)) == (1, 0)
    assert (falling.count("<rect"), falling.count("<circle")) == (2, 4 * 4 + 2)  # the ring of the last move, and O


def test_a_line_is_drawn_from_cell_to_cell() -> None:
    line = bits_of((0, 13, 26))
    assert strokes(line, CUBE) == ((0, 13), (13, 26))
