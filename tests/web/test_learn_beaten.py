"""The first lesson: one plays against the best answers, and the picture has every game against them."""

import re

import pytest
from flask.testing import FlaskClient

from solver.board.notation import format_moves
from solver.board.position import Mark
from solver.board.rules import TIC_TAC_TOE
from solver.pictures.poster import BestReply
from tests.web.test_pages import page
from webapp.pages.learn.game.beaten import BeatenView, answers, view


@pytest.mark.parametrize("holds", Mark)
def test_the_picture_has_a_column_for_every_game_and_none_that_is_lost(holds: Mark) -> None:
    shown = view({"holds": holds})
    columns = {style: path.count("M") for style, path in shown.games.boxes.items() if style != "open"}
    assert columns == {"win": shown.every.won, "draw": shown.every.drawn}
    assert (shown.every.lost, shown.other.lost) == (0, 0)


def test_the_games_that_are_left_are_those_after_the_moves_played() -> None:
    def left(moves: str) -> int:
        return view({"moves": moves}).left.games

    assert left("") == sum(left(cell) for cell in view({}).open)
    assert left("a3") == sum(left(moves) for moves in view({"moves": "a3"}).open.values())


def test_one_plays_a_game_square_by_square_and_never_wins(client: FlaskClient) -> None:
    def played(advice: BestReply, moves: tuple[int, ...]) -> BeatenView:
        cell = next(iter(advice.answers), None)
        if cell is None:
            return view({"moves": format_moves(moves, TIC_TAC_TOE)})
        return played(advice.answers[cell], (*moves, cell))

    over = played(answers(Mark.O), ())
    assert over.position.result in ("O", "draw")
    assert over.open == {}
    links = page(client, "/learn/beaten").links
    assert {f"/learn/beaten?moves={name}" for name in view({}).open} <= set(links)
    assert '<p class="said" role="status">\n<b>' in client.get(f"/learn/beaten?moves={over.moves}").text


def test_what_one_thinks_is_asked_before_the_picture_is_shown(client: FlaskClient) -> None:
    assert "every-game" not in client.get("/learn/beaten").text
    for guess, said in (("yes", "There is none:"), ("no", "That is right:")):
        text = client.get(f"/learn/beaten?guess={guess}").text
        assert said in text
        assert re.search(r'aria-label="All \d+ games: \d+ won, \d+ drawn and 0 lost by O"', text)


@pytest.mark.parametrize("query", ["moves=a3a3", "moves=z9", "holds=Z", "guess=maybe"])
def test_what_is_no_game_is_refused(client: FlaskClient, query: str) -> None:
    assert client.get(f"/learn/beaten?{query}").status_code == 400
