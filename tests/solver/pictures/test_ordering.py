"""The places of boards, squares and lines in pictures: few edges cross."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.graph import Graph
from solver.board.notation import parse_rules
from solver.board.position import Position
from solver.board.rules import bits_of
from solver.pictures.drawing import Drawing
from solver.pictures.gallery import Picture, picture_named, tree_picture
from solver.pictures.layout import Neighbours, Rows, crossings, lay_out, ordered
from solver.pictures.places import across, extent, layout_of, strokes
from tests.strategies import TIC_TAC_TOE

EMPTY = Position(TIC_TAC_TOE)
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


def test_a_line_is_drawn_from_cell_to_cell() -> None:
    line = bits_of((0, 13, 26))
    assert strokes(line, CUBE) == ((0, 13), (13, 26))
