"""The lesson on the rulebook: what it prints is what is proved."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from solver.analysis.trial import trial
from solver.board.position import Mark
from solver.players import STRATEGIES
from solver.players.lists import RULEBOOK, SHORT_RULEBOOK
from tests.strategies import TIC_TAC_TOE
from webapp.pages.learn.players.rulebook import RulebookView, view


@pytest.fixture(scope="module", name="shown")
def _shown(app: Flask) -> RulebookView:
    with app.test_request_context():
        return view({})


def test_both_rulebooks_are_shown_rule_by_rule_in_their_order(shown: RulebookView) -> None:
    assert [tuple(each.rule.name for each in book.rules) for book in shown.rulebooks] == [RULEBOOK, SHORT_RULEBOOK]


def test_every_rule_is_shown_with_what_goes_wrong_without_it(shown: RulebookView) -> None:
    assert all(each.error is not None for book in shown.rulebooks for each in book.rules)


def test_the_table_of_games_says_who_loses(shown: RulebookView) -> None:
    counts = {(title, tried.mark): tried.counts for title, each in shown.proofs.items() for tried in each.trials}
    assert {who: each.lost for who, each in counts.items() if each.lost} == {("Hard, the seven rules", Mark.O): 144}
    games = {who: (each.won, each.drawn) for who, each in counts.items() if who[0] == "Rulebook"}
    assert games == {("Rulebook", Mark.X): (432, 8), ("Rulebook", Mark.O): (1280, 688)}


def test_the_search_names_the_shortest_lists_and_what_was_tried(shown: RulebookView) -> None:
    unbeatable = [found for aim, _, found in shown.sought if aim == "never loses a game, on either side"]
    assert [found.length for found in unbeatable] == [6, 5, 4, 4, 2]
    assert all(0 < found.examined <= found.shorter for _, _, found in shown.sought)


def test_the_page_links_to_the_games_that_refute_a_shorter_list(client: FlaskClient, shown: RulebookView) -> None:
    text = client.get("/learn/rulebook").text
    refuting = [each.refuting() for book in shown.rulebooks for each in book.rules if each.without.refutation]
    assert refuting
    for parts in refuting:
        url = f"/play/3x3x3?moves={parts['moves']}&x=friend&o=friend"
        assert f'<a href="{url}">{parts["moves"]}</a>'.replace("&", "&amp;") in text
        assert client.get(url).status_code == 200


def test_one_watches_a_player_by_rules_in_a_shortest_game_that_it_loses(app: Flask, client: FlaskClient) -> None:
    with app.test_request_context():
        scene = view({"player": "pyfl-literal", "side": "O"}).scene
    lost = trial(STRATEGIES["pyfl-literal"], Mark.O, TIC_TAC_TOE).refutation
    assert lost is not None
    assert [still.board.position for still in scene.strip] == list(lost.game.positions)
    assert [still.erred for still in scene.strip].index(True) - 1 == lost.erred
    text = client.get("/learn/rulebook?player=pyfl-literal&side=O&at=1").text
    assert "every line holds" not in text  # its first rule decides at once
    assert "Which rule decides?" in text
    assert "“its rule “win X”” decides, and plays b3." in text


def test_what_comes_is_not_shown_before_it_was_asked_for(client: FlaskClient) -> None:
    text = client.get("/learn/rulebook?player=hard&side=O&at=3").text
    assert 'id="still-3"' in text
    assert 'id="still-4"' not in text
