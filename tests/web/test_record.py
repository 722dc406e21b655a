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


def test_each_way_to_try_again_names_the_move_that_it_leads_to(client: FlaskClient) -> None:
    names = re.findall(r'aria-label="([^"]*), before ([^"]*)"', fragment(client, f"{WASTED}&review=1"))
    missed = "See what Hard missed"
    assert names == [(missed, "O b3"), ("Try again from there", "X b1"), (missed, "O c1")]


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


def test_a_lost_game_says_where_it_turned_and_what_held(client: FlaskClient) -> None:
    text = fragment(client, LOST)
    assert "a3 was your mistake: b3 would have held the draw." in text
    assert f"It lost because {reason_of(HELD, 'a3').discreet.clause}" in text


def test_a_game_between_two_people_tells_of_them_by_their_marks(client: FlaskClient) -> None:
    assert "c3 was X's mistake" in fragment(client, f"{BETWEEN_FRIENDS}&review=1")


def test_a_game_that_is_on_is_told_only_when_it_is_asked_for(client: FlaskClient) -> None:
    assert 'id="story"' not in fragment(client, BETWEEN_FRIENDS)
    assert 'id="story"' in fragment(client, f"{BETWEEN_FRIENDS}&show=off&review=1")


def test_a_review_of_a_larger_board_proves_what_takes_few_nodes(client: FlaskClient) -> None:
    page = client.get("/play/4x4-tippy?moves=a1a2b1d4b2c3c2&o=friend&review=1").text
    assert "c3 was O&#39;s mistake: c2 would have held the draw." in page
    assert "Too little is proved" not in page


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


def test_a_game_without_mistakes_says_so_and_there_is_nothing_to_learn(client: FlaskClient) -> None:
    shown = fragment(client, "/play/3x3x3?moves=b2a1a3c1b1b3a2c2c3&o=friend")
    assert "nobody gave anything away" in shown
    assert 'id="learn"' not in shown


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


def test_before_one_has_tried_the_page_tells_no_square_and_no_outcome_of_one(client: FlaskClient) -> None:
    text = fragment(client, LEARNING)
    assert "a3 was played here, and gave something away. Find a better square." in text
    assert 'class="future"' not in text
    for name in ("b3", "c3", "a2", "c2", "a3"):
        (classes, label) = re.findall(rf'id="sq-{name}" class="([^"]*)" aria-label="([^"]*)"', text)[0]
        assert classes == "sq"
        assert label.startswith(f"{name}, ")
        assert label.endswith(", empty")
    assert "held" not in text
    assert 'id="story"' not in text
    assert 'class="mistakes"' not in text


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


@pytest.mark.parametrize(
    ("asked", "told"),
    [("a2c3&at=4&learn=1", "No: b2 gives a win away."), ("&show=coach", "Loses:")],
)
def test_why_a_square_loses_is_told_without_the_one_that_would_win(client: FlaskClient, asked: str, told: str) -> None:
    assert said(client, f"/play/3x3x3?moves=a1a3b1b3{asked}&o=friend&tried=b2") == (
        f"{told} {why('OO./.../XX.', 'b2')}"
    )
    assert why("OO./.../XX.", "b2") != reason_of("OO./.../XX.", "b2").sentence


@pytest.mark.parametrize(
    ("square", "verdict"),
    [("b1", "No: b1 gives a win away."), ("a2", "a2 keeps the win too, but there is a better square.")],
)
def test_what_is_not_best_is_told_without_the_square_that_is(client: FlaskClient, square: str, verdict: str) -> None:
    assert said(client, f"{WASTED}&at=4&learn=1&tried={square}") == verdict


@pytest.mark.parametrize(
    ("asked", "told"),
    [("a1b2&at=1&learn=1", "No: b3 gives a draw away.")],
)
def test_a_long_reason_is_begun_and_then_told_whole(client: FlaskClient, asked: str, told: str) -> None:
    url = f"/play/3x3x3?moves=a3{asked}&o=friend&tried=b3"
    reason = reason_of("X../.../...", "b3")
    assert said(client, url) == f"{told} {reason.sentence.partition(';')[0]} …"
    assert f'<p id="more">{reason.text}</p>' in fragment(client, url)


@pytest.mark.usefixtures("without_books")
def test_where_too_little_is_proved_to_judge_a_square_that_is_said() -> None:
    link = link_of("/play/8x8x5?moves=a1&at=0")
    verdict = judge(link.position, parse_cell("b2", link.rules), link.game.moves[0], oracle.known)
    assert judged(verdict, link.rules) == "Too little is proved to judge b2."


def test_a_taken_square_cannot_be_tried(client: FlaskClient) -> None:
    refused = client.post(LEARNING, data={"cell": "b2"})
    assert refused.status_code == 400
    assert "is taken" in refused.text


def test_one_goes_on_to_the_next_mistake_and_after_the_last_to_none(client: FlaskClient) -> None:
    first = page(client, f"{BETWEEN_FRIENDS}&at=3&learn=1").elements
    onward = str(first["next-mistake"]["href"])
    assert (link_of(onward).at, link_of(onward).learn) == (6, True)
    assert "href" not in page(client, onward).elements.get("next-mistake", {})
    assert link_of(str(first["learnt"]["href"])).review


def test_where_no_mistake_was_made_the_page_says_so(client: FlaskClient) -> None:
    assert said(client, f"{LOST}&at=2&learn=1") == "There is no mistake here to learn from."
