"""The record of a game beside its board: the moves, the graph, the story, the mistakes, and learning from them."""

from fractions import Fraction

import pytest
from flask.testing import FlaskClient

from solver import Position, Prediction, oracle
from solver.analysis.review import Review, judge, story
from solver.board.notation import parse_cell
from solver.board.position import Mark
from tests.strategies import TIC_TAC_TOE
from tests.web.test_pages import page
from webapp.pages.play.game import places, plays_by_itself, snapshot
from webapp.pages.play.link import Link, read_link
from webapp.pages.play.record import LEVEL, REACH, WIDTH, Record, own_mistakes, record
from webapp.pages.play.words import judged

LOST = "/play/3x3x3?moves=c1b2a1b1a3a2c3b3"
"""X gives the draw away by a3, against Hard, and O wins."""


BETWEEN_FRIENDS = "/play/3x3x3?moves=b2a1b1a2a3c1c3&o=friend"
"""O gives the draw away by a2; X wins too slowly by a3, and gives the win away by c3."""

LOST_TO_EASY = f"{LOST}&o=easy"
WASTED = "/play/3x3x3?moves=c3b3b2a3b1c1c2a1a2"
"""X gives a win away by b1, and Hard at once the draw by c1."""


def recorded(link: Link) -> Record:
    return record(snapshot(link), places(link))


def link_of(url: str) -> Link:
    board, _, query = url.removeprefix("/play/").partition("?")
    return read_link(board, query).link


def reviewed(url: str) -> Review:
    found = snapshot(link_of(url)).review
    assert found is not None
    return found


# The moves.


def test_a_game_without_colours_and_review_has_moves_without_grades(client: FlaskClient) -> None:
    for show in ("off", "coach"):
        moves = recorded(link_of(f"{BETWEEN_FRIENDS}&show={show}")).moves
        assert {(each.worth, each.mistake) for each in moves} == {("", False)}
    assert "move-1" in page(client, f"{BETWEEN_FRIENDS}&show=off").elements


def test_every_move_and_the_start_lead_to_their_position(client: FlaskClient) -> None:
    elements = page(client, BETWEEN_FRIENDS).elements
    for ply in range(8):
        at = link_of(str(elements[f"move-{ply}"]["href"])).at
        assert at == ply
    assert elements["move-7"]["aria-current"] == "step"


# The graph.


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
    link = link_of("/play/8x8x5?moves=a1h8&review=1")
    assert recorded(link).graph == ()
    assert story(reviewed("/play/8x8x5?moves=a1h8&review=1")).startswith("No mistake is proved.")


# Where the game turned.


def test_a_review_of_a_large_board_searches_nothing_where_proving_is_stopped(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Position] = []

    def predict(position: Position, _: object) -> Prediction:
        asked.append(position)
        return oracle.known(position)

    monkeypatch.setattr("solver.oracle.predict", predict)
    url = "/play/6x6x5?moves=a1b2c3&o=friend&review=1&prove=0"
    assert client.get(url).status_code == 200
    assert asked == [link_of(url).position]


@pytest.mark.parametrize(
    ("game", "title", "ply", "hint"),
    [
        (LOST, "Try again from there", 4, False),
        ("/play/3x3x3?moves=b2b3a1c2c3", "See what Hard missed", 1, True),
        (WASTED, "Try again before b1", 4, False),
        (f"{WASTED}&x=easy", "See what Hard missed", 5, True),
        (f"{WASTED}&o=friend", "Try again from there", 5, False),
    ],
)
def test_the_way_back_leads_to_before_ones_own_mistake_or_shows_what_a_computer_missed(
    game: str, title: str, ply: int, hint: bool
) -> None:
    again = recorded(link_of(game)).again
    assert again is not None
    link = link_of(again.url or "")
    assert (again.title, link.at, link.hint) == (title, ply, hint)
    assert not plays_by_itself(link)


def test_a_chance_that_stayed_the_same_is_not_spoken_of() -> None:
    (turn,) = reviewed(LOST_TO_EASY).mistakes_of(Mark.X)
    assert turn.chance_before == turn.chance_after == Fraction(1, 2)
    (mistake,) = recorded(link_of(f"{LOST_TO_EASY}&review=1")).mistakes
    assert mistake.chances is None


def test_chances_are_told_of_a_persons_moves_alone() -> None:
    assert [bool(turn.chances) for turn in reviewed(WASTED).turns] == [True, False] * 4 + [True]
    assert not any(turn.chances for turn in reviewed(f"{WASTED}&o=friend").turns)


@pytest.mark.parametrize(
    ("players", "own"),
    [
        ("", "c3"),
        ("x=hard&o=human", "a2"),
        ("o=friend", "a2c3"),
        ("x=friend&o=human", "a2c3"),
        ("x=easy&o=easy", ""),
    ],
)
def test_ones_own_mistakes_are_ones_marks_all_between_people_and_none_between_computers(players: str, own: str) -> None:
    link = link_of(f"/play/3x3x3?moves=b2a1b1a2a3c1c3&{players}&review=1")
    found = snapshot(link).review
    assert found is not None
    cells = [turn.cell for turn in own_mistakes(link, found)]
    assert cells == [parse_cell(own[at : at + 2], TIC_TAC_TOE) for at in range(0, len(own), 2)]


# Learning from mistakes.


@pytest.mark.usefixtures("without_books")
def test_where_too_little_is_proved_to_judge_a_square_that_is_said() -> None:
    link = link_of("/play/8x8x5?moves=a1&at=0")
    verdict = judge(link.position, parse_cell("b2", link.rules), link.game.moves[0], oracle.known)
    assert judged(verdict, link.rules) == "Too little is proved to judge b2."


def test_one_goes_on_to_the_next_mistake_and_after_the_last_to_none(client: FlaskClient) -> None:
    first = page(client, f"{BETWEEN_FRIENDS}&at=3&learn=1").elements
    onward = str(first["next-mistake"]["href"])
    assert (link_of(onward).at, link_of(onward).learn) == (6, True)
    assert "href" not in page(client, onward).elements.get("next-mistake", {})
    assert link_of(str(first["learnt"]["href"])).review
