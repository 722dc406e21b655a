"""The review of a game as a story: where it opens, what it asks and tells, and that it tells nothing of it before."""

import re
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from solver import Position, Prediction, oracle
from solver.analysis.drills import drill_of
from solver.board.notation import format_cell, parse_cell
from solver.proofs.predict import predict
from tests.strategies import TIC_TAC_TOE, examples
from tests.web.conftest import HTMX
from tests.web.test_hidden import check_hidden, fragment, games
from tests.web.test_pages import page
from webapp.pages.play.game import snapshot
from webapp.pages.play.link import SHOWS, Link, read_link
from webapp.pages.play.routes import PLAYED
from webapp.pages.play.story import StoryView

LOST = "/play/3x3x3?moves=c1b2a1b1a3a2c3b3"
"""X gives the draw away by a3, against Hard, and O wins. Only b3 held."""

WON = "/play/3x3x3?moves=a1b3b2a3c3"
"""Hard loses by b3; X takes the win, and Hard loses sooner by a3."""

WASTED = "/play/3x3x3?moves=b2c2a3b3b1c1c3a1a2"
"""Hard gives X a win by c2, and X gives it away by b1: a draw."""

PEACEFUL = "/play/3x3x3?moves=b2a1a3c1b1b3a2c2c3"

BETWEEN_FRIENDS = "/play/3x3x3?moves=b2a1b1a2a3c1c3&o=friend"
"""O gives the draw away by a2; X wins too slowly by a3, and gives the win away by c3."""


def link_of(url: str) -> Link:
    board, _, query = url.removeprefix("/play/").partition("?")
    return read_link(board, query).link


def told(url: str) -> StoryView:
    """Return the view of a review, where it opens if the address names no position."""
    shown = snapshot(link_of(f"{url}&review=1"))
    assert shown.review is not None
    story = StoryView(shown.link, shown.review)
    return story if "&at=" in url else StoryView(shown.link.showing(story.opening), shown.review)


# Where it opens, and the way through.


@pytest.mark.parametrize(
    ("game", "at", "heading"),
    [
        (LOST, 4, "You lost here. Find better."),
        (f"{LOST}&as=guest", 4, "X lost here. Find better."),
        (f"{LOST}&x=hard&o=hard", 4, "Hard (X) lost here. Find better."),
        (WON, 2, "Hard took b3."),
        (f"{WON}&o=friend", 1, "O lost here. Find better."),
        (WASTED, 4, "You had a win here. Find it."),
        (PEACEFUL, 9, "You took c3."),
        (BETWEEN_FRIENDS, 6, "X had a win here. Find it."),
        ("/play/3x3x3?moves=b2b1&x=hard&o=human", 1, "You gave the draw away here. Find better."),
    ],
)
def test_a_review_opens_where_the_game_turned(game: str, at: int, heading: str) -> None:
    shown = told(game)
    assert (shown.link.at, shown.heading) == (at, heading)


def test_a_link_without_a_position_opens_there_and_those_of_its_page_name_theirs(client: FlaskClient) -> None:
    elements = page(client, f"{BETWEEN_FRIENDS}&review=1").elements
    assert [link_of(str(elements[name]["href"])).at for name in ("back", "forth")] == [5, 7]
    assert all(link_of(str(elements[f"move-{ply}"]["href"])).at == ply for ply in range(8))


@pytest.mark.parametrize(("at", "ends"), [(0, "back"), (7, "forth")])
def test_at_the_ends_of_the_game_one_link_leads_nowhere(client: FlaskClient, at: int, ends: str) -> None:
    elements = page(client, f"{BETWEEN_FRIENDS}&at={at}&review=1").elements
    assert [name for name in ("back", "forth") if elements[name].get("aria-disabled")] == [ends]


def test_the_old_address_of_a_lesson_leads_to_the_same_question(client: FlaskClient) -> None:
    old, new = (client.get(f"{LOST}&at=4&{part}=1", headers=HTMX).text for part in ("learn", "review"))
    assert old == new


def test_a_frame_shows_a_board_to_play_on_and_no_review(client: FlaskClient) -> None:
    text = client.get("/embed/3x3x3?moves=b2a1&o=friend&review=1").text
    assert 'name="cell"' in text
    assert client.post("/embed/3x3x3?moves=b2a1&o=friend&review=1", data={"cell": "c3"}).location == (
        "/embed/3x3x3?moves=b2a1c3&o=friend"
    )


# It asks before it tells.


@examples(60)
@given(
    moves=games(),
    show=st.sampled_from(SHOWS),
    players=st.sampled_from(["", "&o=friend", "&x=easy&o=human", "&x=easy&o=hard", "&as=guest"]),
)
def test_the_page_of_a_question_holds_nothing_of_its_answer(app: Flask, moves: str, show: str, players: str) -> None:
    for at in range(len(moves) // 2):
        url = f"/play/3x3x3?moves={moves}&at={at}{players}&show={show}"
        asked = told(url).asked
        if asked is None:
            continue
        wrong = [cell for cell in asked.prediction.squares if cell not in asked.keeping]
        for tried in ("", *(f"&tried={format_cell(cell, TIC_TAC_TOE)}" for cell in wrong)):
            text = fragment(app, f"{url}{tried}&review=1")
            if not tried:
                check_hidden(text.partition('<section id="record"')[0])
            page = app.test_client().get(f"{url}{tried}&review=1").text
            around = re.sub(
                r'(?s) (?:href|action|content|class)="[^"]*"|<form id="board-form".*?</form>', "", unescape(page)
            )
            around = around.partition('<section id="record"')[0]
            named = {format_cell(cell, TIC_TAC_TOE) for cell in asked.keeping}
            assert not named & set(re.findall(r"\b[abc][123]\b", around))
            for part in ("practise/", "data-tone", "line-now", "<small>", "best", 'class="plain bad"'):
                assert part not in text.replace("/practise/daily", "")
            assert "<line" not in text


def test_answers_are_judged_in_place(client: FlaskClient) -> None:
    answer = client.post(f"{LOST}&at=4&review=1", data={"cell": "c2"})
    assert answer.location == f"{LOST}&at=4&review=1&tried=c2"
    assert not answer.headers.getlist("Set-Cookie")
    assert client.post(f"{LOST}&at=4&review=1", data={"cell": "b2"}).status_code == 400


@pytest.mark.parametrize("found", ["tried=b3", "hint=1"])
def test_after_the_answer_better_squares_are_marked_and_the_refutation_is_drawn(found: str) -> None:
    shown = told(f"{LOST}&at=4&{found}")
    assert shown.drawn is not None
    assert shown.drawn.stones == {
        parse_cell("a3", TIC_TAC_TOE): ("X", 1),
        parse_cell("b3", TIC_TAC_TOE): ("O", 2),
    }
    assert (shown.tone, shown.drawn.now) == ("loss", "On the board: X a3, O b3.")
    assert [square.name for square in shown.board.squares if "best" in square.classes.split()] == ["b3"]
    (stroke,) = shown.drawn.strokes
    assert (stroke.mark, stroke.strike.x1, stroke.strike.x2) == ("O", 1.5, 1.5)
    assert [move.worth for move in shown.record.moves][4] == "loses a draw"


def test_the_refutation_is_best_play_and_no_longer_than_can_be_seen() -> None:
    shown = told("/play/3x3x3?moves=b2b1&x=hard&o=human&at=1&hint=1")
    assert shown.drawn is not None
    position = link_of("/play/3x3x3?moves=b2").position
    turn = parse_cell("b1", TIC_TAC_TOE)
    reason = oracle.explain(predict(position), (turn,), line=turn)[turn]
    assert [cell for cell, _ in shown.drawn.stones.items()] == [turn, *reason.refutation]


# What else it shows.


def test_a_winner_sees_the_opponents_mistake_and_how_it_was_punished() -> None:
    shown = told(WON)
    assert shown.drawn is not None
    assert (shown.told, shown.tone) == ("It gave the draw away: here is how you took it.", "win")
    assert shown.drawn.now == "On the board: X b2, O a3, X c3."


def test_a_punishment_ends_before_what_the_story_asks() -> None:
    shown = told("/play/3x3x3?moves=b2b3a1c3c1b1a3&at=2")
    assert shown.drawn is not None
    assert (shown.told, shown.drawn.now) == ("It gave the draw away: you win in 3.", "On the board: X a1, O c3.")


def test_every_mistake_that_is_asked_about_leads_to_the_next() -> None:
    for at, leads in ((0, 3), (3, None), (4, 6), (6, None)):
        steps = {choice.id: choice for choice in told(f"{BETWEEN_FRIENDS}&at={at}").steps}
        there = steps.get("next-mistake")
        assert (link_of(str(there.url)).at if there else None) == leads
    steps = {choice.id: choice for choice in told(f"{BETWEEN_FRIENDS}&at=3&hint=1").steps}
    assert link_of(str(steps["next-mistake"].url)).at == 6


@pytest.mark.usefixtures("without_books")
def test_where_too_little_is_proved_it_says_so_and_asks_nothing(client: FlaskClient) -> None:
    for at in range(3):
        assert not told(f"/play/8x8x5?moves=a1h8&o=friend&at={at}").asks
    sentences = [told(f"/play/8x8x5?moves=a1h8&o=friend&at={at}").told for at in range(3)]
    assert sentences == [
        "Who wins is not proved.",
        "Too little is proved to judge this move.",
        "No mistake is proved. Too little is proved to judge moves 1–2.",
    ]
    assert "0 of 2 moves judged" in client.get("/play/8x8x5?moves=a1h8&o=friend&review=1&prove=0").text


def test_a_review_of_a_large_board_searches_nothing_where_proving_is_stopped(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Position] = []

    def predict(position: Position, _: object) -> Prediction:
        asked.append(position)
        return oracle.known(position)

    monkeypatch.setattr("solver.oracle.predict", predict)
    assert client.get("/play/6x6x5?moves=a1b2c3&o=friend&review=1&prove=0").status_code == 200
    assert asked == []


# Its end: a drill of one's own mistake.


@examples(40)
@given(moves=games())
def test_a_drill_of_each_mistake_asks_for_what_the_story_asks_for(moves: str) -> None:
    url = f"/play/3x3x3?moves={moves}&o=friend"
    for at in range(len(moves) // 2):
        shown = told(f"{url}&at={at}&hint=1")
        if shown.asked is not None:
            assert shown.drill is not None
            assert drill_of(shown.drill.id) == shown.drill
            assert shown.drill.position == shown.asked.position
            assert set(shown.drill.answers) == set(shown.asked.keeping)


def test_the_story_ends_with_the_drill_of_the_last_mistake(client: FlaskClient) -> None:
    link = page(client, f"{LOST}&at=8&review=1").elements["practise"]
    assert link["href"] == "/practise/3x3x3-..._.O._XOX-keep"
    assert link["data-title"] == "Keep the draw at move 5 · 3×3, three in a row"
    text = client.get(str(link["href"])).text
    assert "You&#39;re X: keep the draw." in text
    assert client.post(str(link["href"]), data={"cell": "b3"}).location == f"{link['href']}?tried=b3"


@pytest.mark.parametrize(
    ("link", "drill", "square", "says"),
    [
        ("3x3x3-misere?moves=a1b2a3c1c3b3c2&at=2", "3x3x3-misere-..._.O._X..-keep", "a3", "three in a row loses"),
        ("4x4x4-gravity?moves=a1b1b2b3&at=2", "4x4x4-gravity-...._...._...._XO..-keep", "b4", "Stones fall."),
        ("3x3x3-wild?moves=Xb1Xb2Xa1Oa2Oc3Xb3&at=3", "3x3x3-wild-..._.X._XX.-keep", "c3", "Place O"),
        ("3x3x3-vanishing?moves=a2c3b2b1a1&at=3", "3x3x3-vanishing-a2c3b2-keep", "c2", "your oldest leaves"),
        (
            "3x3x3-vanishing?moves=a2c3b2b1a1a3b3c1b2a2c2b1a1c1b3c3a2b1a3b2c2b3&at=19",
            "3x3x3-vanishing-a3c1b3c3a2b1a3-keep",
            "c1",
            "O&#39;s c1 leaves next",
        ),
        ("5x4x4?moves=c3e1d1e4d2c1b2e3a1e2&at=7", "5x4x4-....O_..X.._.X.X._..OXO-keep", "e2", "5×4, four in a row"),
    ],
)
def test_a_mistake_makes_a_drill_in_other_games_too(
    client: FlaskClient, link: str, drill: str, square: str, says: str
) -> None:
    offered = page(client, f"/play/{link}&o=friend&review=1&hint=1").elements["practise"]["href"]
    assert offered == f"/practise/{drill}"
    assert says in client.get(str(offered)).text
    answer = client.post(str(offered), data={"cell": square}).location
    judged = page(client, answer)
    assert "data-verdict" in judged.elements["game"]
    assert client.get(str(judged.elements["new"]["href"])).status_code == 200


def test_a_finished_game_that_is_opened_elsewhere_stays_that_of_others(client: FlaskClient) -> None:
    assert client.get(f"{LOST}&review=1").vary.as_set() >= {"cookie"}
    client.post(f"{LOST}&at=4&review=1&as=guest", data={"cell": "b3"})
    assert client.get_cookie(PLAYED) is None
