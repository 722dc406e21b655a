"""The lessons on openings, the reduced tree and drawn patterns: they show what the solver computes."""

import re

from flask.testing import FlaskClient

from solver.articles.crosstable import crosstable
from solver.articles.patterns import Pattern
from solver.board.rules import TIC_TAC_TOE
from webapp.pages.learn.game import draws, openings, reduced


def test_openings_draws_every_way_with_its_threat_its_block_and_its_fork(client: FlaskClient) -> None:
    view = openings.view({})
    for punishment in view.punishments:
        for boards in punishment.ways.values():
            assert [board.caption.split(maxsplit=1)[1] for board in boards] == ["threatens", "must block", "fork"]
            threatened = [sum(square.classes == "threat" for square in board.squares) for board in boards]
            assert threatened[0] == 1
            assert threatened[2] == 2
    text = client.get("/learn/openings").text
    assert len(re.findall(r'class="mini fork"', text)) == 22
    assert "O then has 12 distinct replies. 7 of them lose" in " ".join(text.split())
    assert "22 ways that are not images of each other" in text


def test_openings_tells_each_rule_of_thumb_with_its_verdict(client: FlaskClient) -> None:
    text = client.get("/learn/openings").text
    assert text.count('<b class="verdict confirmed">holds</b>') == len(openings.view({}).thumbs) == 5


def test_the_reduced_tree_shows_each_node_of_the_branch_once(client: FlaskClient) -> None:
    for name, nodes in (("corner", 28), ("edge", 95), ("centre", 16)):
        text = client.get(f"/learn/reduced?opening={name}").text
        assert re.findall(r'id="n(\d+)"', text) == [str(number) for number in range(1, nodes + 1)]


def test_links_to_a_position_shown_before_lead_to_it(client: FlaskClient) -> None:
    text = client.get("/learn/reduced?opening=edge").text
    links = re.findall(r'href="#(n\d+)"', text)
    assert links
    assert all(text.index(f'id="{link}"') < text.index(f'href="#{link}"') for link in links)


def test_the_way_of_averaging_changes_scores_and_best_path(client: FlaskClient) -> None:
    for count, score, choices in (("all", "501/560", 4), ("distinct", "1013/1200", 0)):
        view = reduced.view({"count": count})
        assert str(view.tree.score) == score
        assert len(view.choices) == choices
        assert score in client.get(f"/learn/reduced?count={count}").text


def test_every_inner_node_has_a_best_child() -> None:
    def check(node: reduced.Node) -> None:
        assert not node.children or any(child.best for child in node.children)
        assert all(child.only == (len(node.children) == 1) for child in node.children)
        for child in node.children:
            check(child)

    check(reduced.view({"opening": "edge"}).tree)


def test_draws_shows_all_boards_and_the_articles_table(client: FlaskClient) -> None:
    view = draws.view({})
    assert [len(boards) for boards in view.patterns.values()] == [8, 4, 4]
    assert [tuple(forced.values()) for forced in view.forceable.values()] == [
        (True, True, True),
        (False, True, False),
        (False, False, True),
        (True, False, False),
    ]
    assert client.get("/learn/draws").text.count("<b>Yes</b>") == 6


def test_draws_gives_the_exact_points_of_two_strategies(client: FlaskClient) -> None:
    text = client.get("/learn/draws?x=medium&o=medium").text
    assert "679/648 = 1.048" in text
    assert "28807/22680 = 1.270" in text


def test_draws_says_who_is_ahead_by_best_play(client: FlaskClient) -> None:
    view = draws.view({})
    assert (view.lead, view.through, view.mended) == (1, ("edge",), (Pattern.SCORPION,))
    text = " ".join(client.get("/learn/draws").text.split())
    assert "(X by 1). The opening that does it is the edge. It would be fair if the scorpion gave no point." in text


def test_drawn_patterns_lead_to_the_exact_points_of_all_pairs(client: FlaskClient) -> None:
    assert 'href="/learn/crosstable?show=points"' in client.get("/learn/draws").text
    x, o = (f"{each.numerator}/{each.denominator}" for each in crosstable(TIC_TAC_TOE).points["easy", "hard"])
    text = client.get("/learn/crosstable?show=points").text
    assert x in text
    assert o in text
