"""The lesson on MENACE: links to games and boxes, a question, a game against it, and boxes to print."""

import re
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from solver.errors import TooLarge
from solver.players.learning.boxes import boxes
from solver.players.learning.learners import LEARNERS
from webapp.pages.learn.lessons.menace import MAX_GAMES, PARTS, MenaceSettings, view
from webapp.ui.address import texts_of

QUICK = {"opponent": "seven-rules", "games": "30", "seed": "1"}


def text_of(client: FlaskClient, **parts: Any) -> str:
    answer = client.get("/learn/menace", query_string=QUICK | parts)
    assert answer.status_code == 200
    return " ".join(unescape(answer.text).split())


def follow(client: FlaskClient, text: str, name: str) -> str:
    found = re.search(rf'<a[^>]* id="{name}"[^>]*href="([^"]*)"', text)
    assert found is not None, name
    return " ".join(unescape(client.get(found[1]).text).split())


def test_one_goes_through_the_games_by_links_from_before_the_first_to_the_last(client: FlaskClient) -> None:
    text = text_of(client, at=0)
    assert "New boxes: four beads of each colour for the first move" in text
    text = follow(client, text, "on")
    assert "Game 1 of 30: a draw" in text
    assert "<b>Box 1</b>" in text
    assert "b3: 4 → 5" in text
    assert "Game 1 of 30" in follow(client, follow(client, text, "on"), "back")
    assert 'id="on" data-step rel="nofollow" aria-disabled="true"' in text_of(client, at=30)


def test_the_graph_ends_where_one_is_until_one_has_answered_the_question(client: FlaskClient) -> None:
    text = text_of(client, at=5, games=60)
    assert "After how many games will most lose less than one game in ten to Seven rules?" in text
    assert "Luck decides" not in text
    assert view(QUICK | {"at": "5"}).revealed is False
    answered = follow(client, text, "guess-100")
    assert "This one has seed 1. After 36 games MENACE loses less than one game in ten." in answered
    assert "2 get there within 30 games, 18 after 31 to 100, and none not even after 100. Luck decides." in answered
    assert "<b>No.</b>" in follow(client, text, "guess-30")


def test_the_chest_shows_every_box_and_how_often_it_was_opened(client: FlaskClient) -> None:
    text = text_of(client, at=30, box=304)
    assert len(re.findall(r'<button name="box"', text)) == len(boxes())
    assert 'aria-label="Box 1, opened 30 times"' in text
    assert "<h3>Box 304</h3>" in text


@pytest.mark.slow
def test_both_learners_sit_the_same_exam_against_everybody(client: FlaskClient) -> None:
    assert text_of(client, exam="all", at=10).count('<svg class="bar"') == 2 * len(view(QUICK).opponents)


def test_the_games_of_either_learner_are_shown(client: FlaskClient) -> None:
    assert re.search(r"<h3[^>]*>Q-learning ", text_of(client))
    text = text_of(client, learner="q", at=30)
    assert "one time in ten" in text


@pytest.mark.parametrize("learner", LEARNERS)
def test_one_plays_against_it_by_links_that_hold_the_game(client: FlaskClient, learner: str) -> None:
    shown = text_of(client, learner=learner, at=30)
    for _ in range(4):
        free = re.findall(r' id="(place-..)"', shown)
        if not free:
            break
        shown = follow(client, shown, free[-1])
    assert re.search(r"<b> (MENACE|Q-learning) wins\. |<b> You win! |<b> A draw\. ", shown)
    assert "Your turn." in follow(client, shown, "new-duel")


def test_games_are_counted_before_any_is_played() -> None:
    with pytest.raises(TooLarge):
        MenaceSettings.of({"games": str(MAX_GAMES + 1)})
    assert MenaceSettings.of({"games": str(MAX_GAMES), "at": str(MAX_GAMES)}).at == MAX_GAMES


def test_an_address_leaves_out_what_is_usual() -> None:
    assert texts_of(PARTS, MenaceSettings.of({})) == {}
    parts = {**QUICK, "learner": "q", "at": "7", "guess": "never", "box": "9", "moves": "a1c3", "round": "2"}
    assert texts_of(PARTS, MenaceSettings.of(parts)) == parts


def test_a_list_of_rules_may_be_the_opponent(client: FlaskClient) -> None:
    assert "rules:win,block" in text_of(client, opponent="rules:win,block", games=3)


def test_the_sheet_has_all_boxes_with_their_beads(client: FlaskClient) -> None:
    text = text_of(client, sheet=1, at=0)
    assert len(re.findall(r"<li><b>\d+</b>", text)) == len(boxes())
    assert 'aria-label="empty board; 4 for a3, 4 for b3, 4 for b2"' in text
    assert "The 304 boxes of MENACE, new." in text_of(client, sheet=1, at=0, learner="q")
