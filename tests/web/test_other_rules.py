"""Pages of larger boards and of games by other rules."""

import random
import re
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from solver import Position
from solver.board.names import parse_rules
from solver.board.notation import parse_cell
from solver.catalogue.entry import atlas, without_search
from solver.players import playing_on
from tests.strategies import TIC_TAC_TOE
from webapp.pages.play.game import snapshot
from webapp.pages.play.link import MOST_MOVES, Link, read_link


def test_every_board_on_which_a_line_fits_is_a_link_that_says_what_is_known(client: FlaskClient) -> None:
    text = client.get("/learn/boards").text
    links = dict(re.findall(r'<a href="/play/(\w+)" aria-label="([^"]*)">', text))
    assert set(links) == {str(entry) for entry in atlas().values() if entry.rules}
    assert links["6x5x4"] == "6×5, 4 in a row: X wins in 6 moves (11 plies), proved by search"
    assert links["5x5x5"] == "5×5, 5 in a row: draw in 25 plies, proved by pairing its squares"
    assert links["8x8x5"] == "8×8, 5 in a row: draw in 64 plies, proved by search"
    assert "All these boards are proved here." in text
    assert "not proved here" not in text.casefold()


def test_what_is_not_proved_looks_otherwise_and_says_so(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {**atlas(), (8, 8, 5): without_search(8, 8, 5)}
    monkeypatch.setattr("webapp.pages.learn.lessons.boards.atlas", lambda: known)
    text = client.get("/learn/boards?board=7x6x3").text  # which nobody else asks for: what was shown is kept
    (square,) = re.findall(r'href="/play/8x8x5".*?</a>', text, re.DOTALL)
    assert "square unproved" in square
    assert ">?</text>" in square
    said = text.partition("Not proved here:")[2].partition("</p>")[0]
    assert "8×8, five in a row" in said
    assert "Hsu et al." in said


def test_the_largest_boards_are_answered_from_their_books(client: FlaskClient) -> None:
    for board, size in (("8x7x5", 56), ("8x8x5", 64)):
        text = client.get(f"/play/{board}?show=distance").text
        assert len(re.findall(r'aria-label="[a-h]\d, empty, X would draw"', text)) == size


def test_the_chance_of_winning_against_the_computer_is_exact() -> None:
    shown = snapshot(read_link("3x3x3", "chances=1&o=seven-rules").link)
    assert shown.chances[parse_cell("b2", TIC_TAC_TOE)] == Fraction(1)


def test_what_is_not_proved_is_drawn_as_a_guess_and_said_to_be_open(client: FlaskClient) -> None:
    shown = snapshot(read_link("8x8x5", "").link)
    assert shown.prediction is not None
    assert {f"guess-{round(4 * share)}" for share in shown.prediction.estimates.values()} == set(
        re.findall(r"guess-\d", client.get("/play/8x8x5").text)
    )


def test_guesses_are_hidden_with_the_outcomes(client: FlaskClient) -> None:
    assert "guess-" not in client.get("/play/8x8x5?show=off").text


@pytest.mark.parametrize("board", ["4x4x3", "8x8x5"])
def test_the_coach_lets_pass_what_is_not_proved_to_give_something_away(client: FlaskClient, board: str) -> None:
    link = f"/play/{board}?o=friend&show=coach"
    assert "tried" not in str(client.post(link, data={"cell": "a1"}).location)


def test_the_coach_asks_on_a_larger_board_too(client: FlaskClient) -> None:
    link = "/play/4x4x4?from=XXX./OO../O.../....&o=friend&show=coach"
    asked = client.post(link, data={"cell": "a1"})
    assert str(asked.location).endswith("tried=a1")
    assert "a1 gives your" in client.get(str(asked.location)).text
    assert "gave a win away" in client.get(client.post(link, data={"cell": "a1", "sure": "1"}).location).text


def test_a_square_that_can_be_taken_again_has_its_outcome_in_the_picture_too(client: FlaskClient) -> None:
    assert client.get("/play/3x3x3-vanishing.svg?moves=b2a1c1a3b3c3&o=friend").text.count(">D</text>") == 5


@pytest.mark.parametrize(
    ("moves", "hint", "labels"),
    [
        ("b2a1c1a3", "", []),
        ("b2a1c1a3b3", "X's b2 leaves with X's next move.", ["b2, centre, X, leaves after that"]),
        (
            "b2a1c1a3b3c3",
            "X's b2 leaves next, then O's a1.",
            ["b2, centre, X, leaves next, or take its square again", "a1, bottom left, O, leaves after that"],
        ),
        ("b2a1c1a3b3c3a2", "O's a1 leaves next, then X's c1.", ["a1, bottom left, O, leaves next"]),
        ("a1a2b1b2c1", "", []),
    ],
)
@pytest.mark.parametrize("page", ["play", "embed"])
def test_a_hint_and_the_squares_say_whose_stones_leave_next(
    client: FlaskClient, page: str, moves: str, hint: str, labels: list[str]
) -> None:
    text = unescape(client.get(f"/{page}/3x3x3-vanishing?o=friend&show=off&moves={moves}").text)
    assert f'<p id="leaving" class="soft">{hint}</p>' in text
    assert text.count(", leaves ") == (2 if len(moves) > 10 else 1 if hint else 0)
    for label in labels:
        assert f'aria-label="{label}' in text


@pytest.mark.parametrize(
    ("board", "asks"),
    [
        ("3x3x3-wild", "Can you find it?"),
        ("3x3x3-torus", "Any square does it."),
        ("4x3x3", "10 of 12 squares do it."),
    ],
)
def test_a_win_is_to_be_found_only_where_few_squares_win(client: FlaskClient, board: str, asks: str) -> None:
    assert f"can force a win from here. {asks}" in client.get(f"/play/{board}?o=friend&show=distance").text


def test_a_long_vanishing_game_forgets_its_first_moves() -> None:
    link, position, rng = Link.starting(parse_rules("3x3x3-vanishing")), Position("3x3x3-vanishing"), random.Random(7)
    for _ in range(300):
        move = rng.choice([each for each in position.legal_moves if position.after(each).result is None])
        link, position = link.playing(move), position.play(move)
        assert link.position == position
        assert len(link.game.moves) <= MOST_MOVES
        assert not read_link("3x3x3-vanishing", link.url().partition("?")[2]).problems


def test_the_api_answers_for_boards_in_space(client: FlaskClient) -> None:
    at = ".../.../...|.../.X./...|.../.../O.."
    space: Any = client.get(f"/api/v1/predict?board=3x3x3x3&from={at}").json
    assert space["position"] == at
    assert {each["outcome"] for each in space["squares"].values()} <= {"win", "unknown"}


def test_copies_stand_beyond_edges_that_meet(client: FlaskClient) -> None:
    assert client.get("/play/3x3x3-torus").text.count("<rect x=") == 16
    assert client.get("/play/3x3x3-cylinder").text.count("<rect x=") == 6
    assert 'class="echoes"' not in client.get("/play/3x3x3").text


@pytest.mark.parametrize("rules", ["3x3x3-torus", "7x6x4-gravity", "3x3x3x3", "3x3x3-vanishing"])
def test_only_boards_by_other_rules_load_their_style(client: FlaskClient, rules: str) -> None:
    assert [client.get(f"/play/{board}").text.count("/kinds.css") for board in (rules, "3x3x3", "7x6x4")] == [1, 0, 0]


@pytest.mark.parametrize("path", ["play/3x3x3x3.svg?moves=b2.2", "play/3x3x3-wild.png?moves=Xb2", "embed/4x4x4x4"])
def test_pictures_and_frames_take_these_boards(client: FlaskClient, path: str) -> None:
    assert client.get(f"/{path}").status_code == 200


def test_a_picture_in_space_has_slanted_layers_and_a_single_stroke_through_them(client: FlaskClient) -> None:
    drawn = client.get("/play/3x3x3x3.svg?moves=a1.1b1.1a2.2b2.1a3.3&o=friend&show=off").text
    assert drawn.count("matrix(1 0 -0.3 0.46 ") == 27
    assert len(re.findall(r'<path d="M[\d. L]+" stroke="#0b7a75" stroke-width="11.1"', drawn)) == 1


@pytest.mark.parametrize(
    ("game", "asks"),
    [
        ("3x3x3?moves=b2a1", "Point at a square to see why."),
        ("3x3x3-misere?moves=b2a1", "Point at a square to see why."),
        ("3x3x3?moves=b2a1&show=off", ""),
        ("8x8x5?moves=d4a1&prove=0", ""),
    ],
)
def test_pointing_at_squares_is_offered_where_they_tell_something(client: FlaskClient, game: str, asks: str) -> None:
    shown = re.findall(r'<span class="if-mouse scripted">(Point at a square[^<]*)', client.get(f"/play/{game}").text)
    assert shown == ([asks] if asks else [])


def test_the_levels_and_searches_play_where_rules_of_thumb_do_not_hold() -> None:
    kinds = {each.kind for each in playing_on(parse_rules("3x3x3-misere"))}
    assert kinds == {"level", "perfect", "search"}


def test_columns_and_records_of_connect_four_are_pasted_and_linked(client: FlaskClient) -> None:
    squares = "moves=d1d2e1c1"
    for pasted in ("4453", '[Board "connect four"] 1. 4 4 {the middle} 2. 5 3 *', "https://c4.example/?pos=4453"):
        answer = client.get("/play", query_string={"game": "7x6x4-gravity", "paste": pasted})
        assert answer.headers["Location"].startswith(f"/play/7x6x4-gravity?{squares}")
    linked = client.get("/play/7x6x4-gravity?moves=4453")
    assert linked.status_code == 200
    assert squares in linked.text


def test_a_game_is_opened_and_pasted_by_its_name(client: FlaskClient) -> None:
    assert 'href="http://localhost/play/7x6x4-gravity"' in client.get("/play/connect-four").text
    pasted = client.get("/play", query_string={"paste": "Qubic a1.1"})
    assert pasted.headers["Location"] == "/play/4x4x4x4?moves=a1.1&as=guest"


@pytest.mark.parametrize("end", ["png", "svg"])
def test_a_picture_leaves_the_holes_out(client: FlaskClient, end: str) -> None:
    with_hole, whole = (client.get(f"/play/{board}.{end}") for board in ("3x3x3-holesb2", "3x3x3"))
    assert with_hole.status_code == whole.status_code
    assert with_hole.data != whole.data
