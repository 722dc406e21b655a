"""The Clojure article's graph, forks, first moves and forced wins, by plain minimax and brute force."""

from collections.abc import Iterator

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from solver.articles.graph import (
    Graph,
    every_move,
    fewest_boards,
    forced_moves,
    forks,
    graph_of,
    is_fork,
    wins_by_threats,
)
from solver.articles.openings import (
    Opening,
    forced_wins,
    openings,
    winning_moves,
    worth,
)
from solver.board.notation import parse_position
from solver.board.outcome import sign
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from solver.errors import TooLarge
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, boards, minimax_score, positions, reachable

EMPTY = Position(TIC_TAC_TOE)


def winning_squares(position: Position, mark: Mark) -> list[int]:
    """Find the empty cells where one more stone fills a line, by brute force."""
    held = {cell for cell in range(position.rules.size) if position.mark_at(cell) is mark}
    lines = [{cell for cell in range(position.rules.size) if line >> cell & 1} for line in position.rules.lines]
    empty = [cell for cell in range(position.rules.size) if position.mark_at(cell) is None]
    return [cell for cell in empty if any(line <= held | {cell} for line in lines)]


def test_without_symmetry_the_nodes_are_the_reachable_positions() -> None:
    assert set(graph_of(EMPTY, symmetric=False).nodes) == set(reachable(TIC_TAC_TOE))


def test_nodes_come_depth_first_each_with_its_first_visitor_before_it() -> None:
    graph = graph_of(EMPTY)
    order = {node: number for number, node in enumerate(graph.nodes)}
    first_parents = {edge.child: edge.parent for edge in reversed(graph.edges) if not edge.turned}
    assert set(first_parents) == set(graph.nodes) - {EMPTY}
    assert all(order[parent] < order[child] for child, parent in first_parents.items())
    texts = ["X../.../...", "XO./.../...", "XOX/.../...", "XOX/O../..."]
    assert list(graph.nodes)[1:5] == [parse_position(text) for text in texts]


def test_the_edges_of_a_node_hold_each_of_its_moves_once() -> None:
    graph = graph_of(EMPTY)
    for node in graph.nodes:
        moves = [move for edge in graph.edges_from[node] for move in edge.moves]
        assert sorted(moves) == list(node.legal_moves)


def test_a_plain_edge_is_one_move_to_the_child_itself_and_a_turned_one_leads_to_images() -> None:
    for edge in graph_of(EMPTY).edges:
        for move in edge.moves:
            after = edge.parent.play(move)
            assert (after != edge.child) is edge.turned
            assert after.canonical() == edge.child.canonical()
        assert edge.turned or len(edge.moves) == 1


def test_the_empty_board_has_three_children_each_by_a_plain_edge_and_two_also_by_a_turned_one() -> None:
    graph = graph_of(EMPTY)
    corner, edge, centre = graph.children(EMPTY)
    assert [corner, edge, centre] == [EMPTY.play(0), EMPTY.play(1), EMPTY.play(4)]
    moves = [(each.child, each.moves, each.turned) for each in graph.edges_from[EMPTY]]
    assert moves == [
        (corner, (0,), False),
        (edge, (1,), False),
        (corner, (2, 6, 8), True),
        (edge, (3, 5, 7), True),
        (centre, (4,), False),
    ]


def test_a_node_where_the_walk_stops_is_a_leaf() -> None:
    graph = graph_of(EMPTY, stop=lambda each: each.plies_left <= 7)
    assert len(graph.nodes) == 1 + 3 + 12
    assert all(not graph.children(each) for each in graph.nodes if each.plies_left == 7)


def test_more_nodes_than_the_limit_are_refused() -> None:
    assert len(graph_of(EMPTY, limit=765).nodes) == 765
    with pytest.raises(TooLarge, match="764 positions"):
        graph_of(EMPTY, limit=764)


def cut(root: Position, depth: int, distinct: bool) -> Graph:
    """Return the graph of every move from a position, `depth` plies deep."""
    last = root.plies_left - depth
    return graph_of(root, every_move, lambda each: each.plies_left <= last, distinct)


@given(positions(st.sampled_from(SMALL_BOARDS) | boards(max_side=4)), st.integers(0, 3), st.booleans())
def test_a_graph_has_no_fewer_boards_than_are_counted_at_once(root: Position, depth: int, distinct: bool) -> None:
    assert fewest_boards(root, depth, distinct) <= len(cut(root, depth, distinct).nodes)


@given(boards(max_side=5), st.integers(0, 2))
def test_where_no_game_can_end_so_soon_the_boards_counted_at_once_are_all(rules: Rules, depth: int) -> None:
    assume(rules.k >= 2)
    assert fewest_boards(Position(rules), depth, False) == len(cut(Position(rules), depth, False).nodes)


def test_symmetric_boards_are_counted_by_the_largest_classes_there_can_be() -> None:
    assert fewest_boards(Position(Rules(8, 8, 5)), 2, True) == 1 + 64 // 8 + 64 * 63 // 8


@given(positions())
def test_a_forced_move_is_the_first_win_else_the_first_block_else_any(each: Position) -> None:
    if each.result:
        assert forced_moves(each) == ()
        return
    wins, blocks = (winning_squares(each, mark) for mark in (each.mover, each.mover.other))
    expected = wins[:1] or blocks[:1] or [cell for cell in range(each.rules.size) if each.mark_at(cell) is None]
    assert list(forced_moves(each)) == expected


def test_in_all_play_they_are_those_that_brute_force_finds_up_to_symmetry() -> None:
    squares = {each.canonical(): winning_squares(each, each.mover.other) for each in reachable(TIC_TAC_TOE)}
    expected = {
        each: len(found)
        for each, found in squares.items()
        if not each.result and len(found) >= 2 and not winning_squares(each, each.mover)
    }
    assert {fork.position.canonical(): len(fork.threats) for fork in forks(TIC_TAC_TOE)} == expected
    assert len(forks(TIC_TAC_TOE)) == len(expected)


def test_the_player_who_moved_last_owns_the_fork() -> None:
    for fork in forks(TIC_TAC_TOE):
        assert fork.owner is (Mark.X if fork.ply % 2 else Mark.O)
        assert list(fork.threats) == winning_squares(fork.position, fork.owner)


@example(parse_position("XOO/XX./..."))  # with three threats
@given(positions())
def test_a_fork_has_two_threats_and_none_for_the_mover(each: Position) -> None:
    own, other = (winning_squares(each, mark) for mark in (each.mover, each.mover.other))
    assert is_fork(each) is (not each.result and len(other) == 2 and not own)
    assert wins_by_threats(each) is (not each.result and len(other) >= 2 and not own)


LOST = [reply.position for opening in openings(TIC_TAC_TOE) for reply in opening.losing]


def oracle(at: Position) -> int:
    own = sign(minimax_score(at))
    return own if at.mover is Mark.X else -own


@pytest.mark.parametrize("opening", openings(TIC_TAC_TOE), ids=lambda opening: opening.name)
def test_replies_are_worth_what_plain_minimax_finds(opening: Opening) -> None:
    cells = [cell for reply in opening.replies for cell in reply.cells]
    assert sorted(cells) == list(opening.position.legal_moves)
    for reply in opening.replies:
        assert {oracle(opening.position.after(cell)) for cell in reply.cells} == {reply.worth}


@given(positions(st.just(TIC_TAC_TOE), max_empty=6))
def test_worth_is_what_plain_minimax_finds(at: Position) -> None:
    assert worth(at) == oracle(at)


def brute_force(at: Position) -> Iterator[tuple[int, ...]]:
    """Yield every sequence of X threat, O block, X fork, found from the lines alone."""
    lines = at.rules.lines

    def wins(stones: int, taken: int) -> set[int]:
        return {c for c in range(9) if not taken >> c & 1 and any((stones | 1 << c) & line == line for line in lines)}

    for first in range(9):
        for second in range(9):
            for third in range(9):
                stones = [1 << first, 1 << second, 1 << third]
                taken = at.x | at.o
                if len({first, second, third}) < 3 or any(stone & taken for stone in stones):
                    continue
                x, o = at.x | stones[0], at.o | stones[1]
                if wins(x, x | at.o) != {second} or wins(at.o, x | at.o):
                    continue
                x |= stones[2]
                if len(wins(x, x | o)) > 1 and not wins(o, x | o):
                    yield first, second, third


@pytest.mark.parametrize("lost", LOST, ids=str)
def test_the_forced_wins_are_all_that_brute_force_finds(lost: Position) -> None:
    assert [way.moves for way in forced_wins(lost)] == sorted(brute_force(lost))


@pytest.mark.parametrize("lost", LOST, ids=str)
def test_every_winning_move_after_a_losing_reply_is_a_threat(lost: Position) -> None:
    assert set(winning_moves(lost)) == {way.moves[0] for way in forced_wins(lost)}
    assert all(lost.after(cell).threats(Mark.X) for cell in winning_moves(lost))


def test_o_forces_forks_too() -> None:
    (way,) = (way for way in forced_wins(parse_position("X../XOX/..O")) if len(way.moves) == 1)
    assert len(way.fork.threats(Mark.O)) == 2


def test_a_move_that_leaves_the_opponent_a_win_is_no_way() -> None:
    assert forced_wins(parse_position("XO./.../...").after(4).after(8).after(2)) == ()


def test_larger_boards_have_ways_too() -> None:
    lost = parse_position("..../.XO./....", Rules(4, 3, 3))
    assert all(len(way.fork.threats(Mark.X)) > 1 for way in forced_wins(lost))
    assert forced_wins(lost)
