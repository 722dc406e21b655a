"""What lessons step through: two orders of a board, its images, why sixteen boards are drawn, signs in the jungle."""

import pytest
from flask.testing import FlaskClient

from solver.articles.graph import wins_by_threats
from solver.articles.openings import forced_wins, forced_wins_tree, tic_tac_toe_openings
from solver.articles.patterns import drawn_boards, fillings, lines_held
from solver.board.notation import parse_position
from solver.search.minimax import minimax
from tests.strategies import TIC_TAC_TOE
from webapp.pages.learn.game import same
from webapp.pages.learn.game.openings import PLIES, jungle


def test_two_orders_come_to_one_board() -> None:
    one, other = same.view({}).ways.values()
    assert one[-1].position == other[-1].position
    assert [each.position for each in one[1:-1]] != [each.position for each in other[1:-1]]


def test_each_image_has_its_stones_where_its_numbers_have_gone() -> None:
    view = same.view({"from": "X../.O./..X"})
    for image in view.images:
        for cell, (x, y, mark) in enumerate(image.squares):
            assert TIC_TAC_TOE.cell(x, y) == image.symmetry[cell]
            assert image.position.mark_at(image.symmetry[cell]) == mark == view.position.mark_at(cell)
    assert sum(not image.same for image in view.images) == view.distinct == 2
    assert any(image.chosen for image in view.images)


@pytest.mark.slow
def test_full_boards_are_sorted_out_to_the_drawn_ones(client: FlaskClient) -> None:
    cases = fillings()
    assert sum(each.boards for each in cases) == 126
    assert sum(each.drawn for each in cases) == len(drawn_boards(TIC_TAC_TOE)) == 16
    for each in cases:
        assert each.drawn <= each.blocked <= each.boards
        assert (lines_held(each.example.o) == 8) == (each.blocked > 0)
        assert (each.example in drawn_boards(TIC_TAC_TOE)) == (each.drawn > 0)
    text = client.get("/learn/draws").text
    assert "Why there are 16" in text
    assert f"{sum(each.blocked for each in cases)} of them O stands on all eight lines" in text.replace("\n", " ")


def test_the_diagram_of_forced_wins_has_every_fork_that_can_be_forced_and_nothing_else() -> None:
    for opening in tic_tac_toe_openings().values():
        graph = forced_wins_tree(opening.position)
        ends = {node.canonical() for node in graph.nodes if not graph.children(node)}
        assert ends == {way.fork.canonical() for reply in opening.losing for way in forced_wins(reply.position)}
        assert all(map(wins_by_threats, ends))
        replies = {node.canonical() for node in graph.children(opening.position)}
        assert replies == {reply.position.canonical() for reply in opening.losing}


def test_a_sign_says_what_minimax_says() -> None:
    stops = jungle().stops
    assert len(stops) == 1 + PLIES + 2 * PLIES
    assert {stop.kind for stop in stops if stop.end} == {"win", "draw", "loss"}
    first, *behind = stops
    forks = [stop for stop in behind if not stop.end]
    ends = [stop for stop in behind if stop.end]
    for index, fork in enumerate(forks):
        assert fork.value == min(end.value for end in ends[2 * index : 2 * index + 2])
    assert first.value == max(fork.value for fork in forks)
    score = minimax(parse_position(jungle().text, TIC_TAC_TOE)).score
    assert first.value == (score > 0) - (score < 0)  # X is to move
