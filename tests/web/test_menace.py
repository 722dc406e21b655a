"""The lesson on MENACE: links to games and boxes, a question, a game against it, and boxes to print."""

import re
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from solver.errors import BadOption
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


@pytest.mark.parametrize("learner", ["menace", "mini", "micro"])
@pytest.mark.parametrize(("sheet", "box"), [(None, r'<button name="box"'), (1, r"<li><b>\d+</b>")])
def test_the_chest_and_the_sheet_have_all_boxes(client: FlaskClient, learner: str, sheet: int | None, box: str) -> None:
    boxes = len(LEARNERS[learner].start)
    assert len(re.findall(box, text_of(client, at=0, sheet=sheet, learner=learner))) == boxes


def test_the_page_says_how_few_boxes_learn(client: FlaskClient) -> None:
    assert re.findall(r"The (\d+) boxes of (\S+)</a>", text_of(client)) == [
        ("304", "MENACE"),
        ("17", "Mini-MENACE"),
        ("4", "Micro-MENACE"),
    ]
    assert "Four are the fewest that can still learn never to lose" in text_of(client, learner="micro")


def test_a_learner_sits_the_same_exam_against_everybody(client: FlaskClient) -> None:
    shown = text_of(client, exam="all", at=10, learner="mini")
    assert shown.count('<th scope="row">') == len(view(QUICK)["opponents"])


@pytest.mark.parametrize("learner", LEARNERS)
def test_one_plays_against_it_by_links_that_hold_the_game(client: FlaskClient, learner: str) -> None:
    shown = text_of(client, learner=learner, at=30)
    for _ in range(4):
        free = re.findall(r' id="(place-..)"', shown)
        if not free:
            break
        shown = follow(client, shown, free[-1])
    assert re.search(r"<b> (MENACE|Mini-MENACE|Micro-MENACE|Q-learning) wins\. |<b> You win! |<b> A draw\. ", shown)
    assert "Your turn." in follow(client, shown, "new-duel")


def test_games_are_counted_before_any_is_played() -> None:
    with pytest.raises(BadOption):
        MenaceSettings.of({"games": str(MAX_GAMES + 1)})
    assert MenaceSettings.of({"games": str(MAX_GAMES), "at": str(MAX_GAMES)}).at == MAX_GAMES


def test_an_address_leaves_out_what_is_usual() -> None:
    assert texts_of(PARTS, MenaceSettings.of({})) == {}
    parts = {**QUICK, "learner": "q", "at": "7", "box": "9", "moves": "a1c3", "round": "2"}
    assert texts_of(PARTS, MenaceSettings.of(parts)) == parts
