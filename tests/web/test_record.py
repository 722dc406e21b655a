"""The record of a game beside its board: the moves, the graph, the story, the mistakes, and learning from them."""

import re
from fractions import Fraction
from html import unescape

import pytest
from flask.testing import FlaskClient

from solver import Position, Prediction, oracle
from solver.analysis.review import Review, judge, story
from solver.board.notation import parse_cell
from solver.board.position import Mark
from tests.solver.reasons.sayings import reason_of
from tests.strategies import TIC_TAC_TOE
from tests.web.conftest import HTMX
from tests.web.test_pages import page
from webapp.pages.play.game import places, plays_by_itself, snapshot
from webapp.pages.play.link import Link, read_link
from webapp.pages.play.record import LEVEL, REACH, WIDTH, Record, own_mistakes, record
from webapp.pages.play.words import judged

LOST = "/play/3x3x3?moves=c1b2a1b1a3a2c3b3"
"""X gives the draw away by a3, against Hard, and O wins."""

HELD = ".../.O./XOX"
"""The position before X gives the draw away."""

BETWEEN_FRIENDS = "/play/3x3x3?moves=b2a1b1a2a3c1c3&o=friend"
"""O gives the draw away by a2; X wins too slowly by a3, and gives the win away by c3."""

LOST_TO_EASY = f"{LOST}&o=easy"
WASTED = "/play/3x3x3?moves=c3b3b2a3b1c1c2a1a2"
"""X gives a win away by b1, and Hard at once the draw by c1."""

STEPS = {
    **dict.fromkeys(("b2", "a1", "b1"), "best"),
    "a2": "loses a draw",
    "a3": "slower",
    "c1": "best",
    "c3": "wastes a win",
}
"""The moves between friends with what each was worth."""


def recorded(link: Link) -> Record:
    return record(snapshot(link), places(link))


def why(position: str, square: str) -> str:
    return reason_of(position, square).discreet.sentence


def link_of(url: str) -> Link:
    board, _, query = url.removeprefix("/play/").partition("?")
    return read_link(board, query).link


def reviewed(url: str) -> Review:
    found = snapshot(link_of(url)).review
    assert found is not None
    return found


def fragment(client: FlaskClient, url: str) -> str:
    answer = client.get(url, headers=HTMX)
    assert answer.status_code == 200
    return unescape(answer.text)


def said(client: FlaskClient, url: str) -> str:
    found = re.search(r'<p id="said">(.*?)</p>', fragment(client, url), re.DOTALL)
    assert found is not None
    return found[1]


# The moves.


def test_every_move_of_a_reviewed_game_says_what_it_was_worth(client: FlaskClient) -> None:
    moves = recorded(link_of(f"{BETWEEN_FRIENDS}&review=1")).moves
    assert {each.choice.title: each.worth for each in moves} == STEPS
    in_sight = re.findall(
        r'id="move-\d"[^>]*>(\w\d) <small>(.*?)</small>', fragment(client, f"{BETWEEN_FRIENDS}&review=1")
    )
    assert dict(in_sight) == STEPS


def test_a_mistake_right_after_the_opponents_is_a_chance_missed(client: FlaskClient) -> None:
    mistakes = recorded(link_of(f"{WASTED}&review=1")).mistakes
    assert [(each.name, each.missed) for each in mistakes] == [("O b3", False), ("X b1", False), ("O c1", True)]
    assert fragment(client, f"{WASTED}&review=1").count("a chance missed") == 1


def test_a_game_is_told_move_by_move_only_when_its_review_is_asked_for(client: FlaskClient) -> None:
    text = fragment(client, WASTED)
    assert 'id="story"' in text
    assert "a chance missed" not in text
    assert not any(each.worth for each in recorded(link_of(WASTED)).moves)


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


def test_a_game_that_is_on_is_told_only_when_it_is_asked_for(client: FlaskClient) -> None:
    assert 'id="story"' not in fragment(client, BETWEEN_FRIENDS)
    assert 'id="story"' in fragment(client, f"{BETWEEN_FRIENDS}&show=off&review=1")


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


def test_every_mistake_says_what_was_had_and_left_and_leads_to_before_it() -> None:
    mistakes = recorded(link_of(f"{BETWEEN_FRIENDS}&review=1")).mistakes
    assert [(each.name, each.before, each.after) for each in mistakes] == [
        ("O a2", "a draw", "a loss in 1"),
        ("X c3", "a win in 1", "a draw"),
    ]
    again = [link_of(each.again.url or "") for each in mistakes]
    assert [link.at for link in again] == [3, 6]
    assert not any(link.review or link.learn for link in again)
    assert all(len(link.game.moves) == 7 for link in again)


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


def test_a_mistake_tells_the_chance_that_it_gave_up_against_this_opponent() -> None:
    mistakes = recorded(link_of(f"{WASTED}&review=1")).mistakes
    assert [(each.name, each.chances) for each in mistakes] == [
        ("O b3", None),
        ("X b1", ("100%", "19%")),
        ("O c1", None),
    ]


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


LEARNING = f"{LOST}&at=4&learn=1"


def test_a_finished_game_offers_to_learn_from_the_first_of_ones_own_mistakes(client: FlaskClient) -> None:
    assert page(client, LOST).elements["learn"]["href"] == LEARNING.replace("&learn", "&as=guest&learn")
    friends = page(client, f"{BETWEEN_FRIENDS}&review=1").elements["learn"]["href"]
    assert friends == "/play/3x3x3?moves=b2a1b1a2a3c1c3&at=3&o=friend&learn=1"


@pytest.mark.parametrize(
    ("url", "square", "style", "verdict"),
    [
        (LEARNING, "b3", "right", f"Yes: b3 holds the draw. {why(HELD, 'b3')}"),
        (LEARNING, "c2", "wrong", f"No: c2 gives a draw away. {why(HELD, 'c2')}"),
        (f"{WASTED}&at=4&learn=1", "a1", "right", f"Yes: a1 keeps the win. {why('OOX/.X./...', 'a1')}"),
    ],
)
def test_the_square_that_is_tried_is_judged_with_the_reason_and_not_played(
    client: FlaskClient, url: str, square: str, style: str, verdict: str
) -> None:
    tried = client.post(url, data={"cell": square})
    assert (tried.status_code, tried.location) == (303, f"{url}&tried={square}")
    assert said(client, tried.location) == verdict
    assert page(client, tried.location).elements[f"sq-{square}"]["class"] == f"sq tried {style}"


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
