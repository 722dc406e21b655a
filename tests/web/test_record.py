"""The record of a game beside its board: the moves and the graph."""

import pytest
from flask.testing import FlaskClient

from tests.web.test_pages import page
from tests.web.test_story import BETWEEN_FRIENDS, LOST, PEACEFUL, link_of
from webapp.pages.play.game import places, snapshot
from webapp.pages.play.link import Link
from webapp.pages.play.record import LEVEL, REACH, WIDTH, Record, record
from webapp.pages.play.view import game_view


def recorded(link: Link) -> Record:
    return record(link, snapshot(link).review, places(link))


# The moves.


def test_a_game_has_moves_without_grades(client: FlaskClient) -> None:
    for show in ("off", "coach", "distance"):
        moves = recorded(link_of(f"{BETWEEN_FRIENDS}&show={show}")).moves
        assert {(each.worth, each.mistake) for each in moves} == {("", False)}
    assert "move-1" in page(client, f"{BETWEEN_FRIENDS}&show=off").elements


def test_every_move_and_the_start_lead_to_their_position(client: FlaskClient) -> None:
    elements = page(client, BETWEEN_FRIENDS).elements
    for ply in range(8):
        at = link_of(str(elements[f"move-{ply}"]["href"])).at
        assert at == ply
    assert elements["move-7"]["aria-current"] == "step"


def test_others_finished_game_has_nothing_to_undo(client: FlaskClient) -> None:
    assert "undo-game" not in page(client, LOST).elements  # opened by its link
    assert [choice.id for choice in game_view(snapshot(link_of(LOST)), (), "").record_steps] == ["undo-game", "redo"]


# The graph.


@pytest.mark.parametrize(
    ("game", "is_drawn"),
    [
        (f"{LOST}&show=off", False),
        (f"{LOST}&show=off&at=2", False),
        (f"{LOST}&show=distance", True),  # the squares have shown the mistake
        (f"{LOST}&show=off&x=hard&o=human", True),  # it was Hard's
        (f"{PEACEFUL}&show=off", True),
    ],
)
def test_no_graph_says_where_the_mistake_was_that_a_review_asks_about(game: str, is_drawn: bool) -> None:
    assert bool(game_view(snapshot(link_of(game)), (), "").record.graph) == is_drawn


def test_the_graph_has_a_point_for_every_position_from_left_to_right_within_the_picture() -> None:
    (dots,) = recorded(link_of(LOST)).graph
    assert len(dots) == 9
    assert [dot.x for dot in dots] == sorted(dot.x for dot in dots)
    assert all(0 < dot.x < WIDTH and LEVEL - REACH <= dot.y <= LEVEL + REACH for dot in dots)


def test_draws_are_in_the_middle_wins_of_x_above_and_of_o_below() -> None:
    (dots,) = recorded(link_of(LOST)).graph
    assert {dot.y for dot in dots[:5]} == {LEVEL}
    assert all(dot.y > LEVEL for dot in dots[5:])
    assert dots[8].y == LEVEL + REACH
    (dots,) = recorded(link_of(BETWEEN_FRIENDS)).graph
    assert all(dot.y < LEVEL for dot in dots[4:7])


def test_the_graph_marks_mistakes_and_the_position_shown() -> None:
    (dots,) = recorded(link_of(BETWEEN_FRIENDS + "&at=5")).graph
    assert [ply for ply, dot in enumerate(dots) if dot.mistake] == [4, 7]
    assert [ply for ply, dot in enumerate(dots) if dot.choice.current] == [5]


def test_every_point_of_the_graph_says_what_the_game_came_to() -> None:
    (dots,) = recorded(link_of(LOST)).graph
    titles = [dot.choice.title for dot in dots]
    assert (titles[0], titles[5], titles[8]) == ("a draw", "O wins in 1 move", "Hard wins")


@pytest.mark.usefixtures("without_books")
def test_the_graph_breaks_where_nothing_is_proved() -> None:
    assert recorded(link_of("/play/8x8x5?moves=a1h8&review=1")).graph == ()
