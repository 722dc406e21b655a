"""The lesson on the rulebook: what it prints is what is proved."""

import pytest
from flask.testing import FlaskClient

from solver.strategies.lists import RULEBOOK, SHORT_RULEBOOK
from webapp.learn.rulebook import RulebookView, view


@pytest.fixture(scope="module", name="shown")
def _shown() -> RulebookView:
    return view({})


def test_both_rulebooks_are_shown_rule_by_rule_in_their_order(shown: RulebookView) -> None:
    assert [tuple(row.name for row in each.rows) for each in shown.lists] == [RULEBOOK, SHORT_RULEBOOK]


def test_every_rule_is_shown_with_what_goes_wrong_without_it(shown: RulebookView) -> None:
    assert all(row.error is not None for each in shown.lists for row in each.rows)


def test_the_table_of_games_says_who_loses(shown: RulebookView) -> None:
    lost = {(row.title, row.mark): row.lost for row in shown.sides if row.lost}
    assert lost == {("Hard, the seven rules", "O"): 144}
    games = {(row.title, row.mark): (row.won, row.drawn) for row in shown.sides if row.title == "Rulebook"}
    assert games == {("Rulebook", "X"): (432, 8), ("Rulebook", "O"): (1280, 688)}


def test_the_search_names_the_shortest_lists_and_what_was_tried(shown: RulebookView) -> None:
    unbeatable = [row for row in shown.sought if row.aim == "never loses a game, on either side"]
    assert [row.length for row in unbeatable] == [6, 5, 4, 4, 2]
    assert all(0 < row.examined <= row.shorter for row in shown.sought)


def test_the_page_links_to_the_games_that_refute_a_shorter_list(client: FlaskClient, shown: RulebookView) -> None:
    text = client.get("/learn/rulebook").text
    for each in shown.lists:
        for row in each.rows:
            if row.moves:
                assert row.url.replace("&", "&amp;") in text
                assert client.get(row.url).status_code == 200
