"""The lessons on opponents: everyone against everyone."""

from flask.testing import FlaskClient

from solver.articles.crosstable import crosstable
from solver.articles.figures import crosstable_of_3x3
from solver.board.notation import format_percent
from solver.board.position import Result
from tests.strategies import TIC_TAC_TOE
from webapp.pages.learn.lessons.crosstable import alike

RESULTS = (("X wins", Result.X), ("draw", Result.DRAW), ("O wins", Result.O))


def test_everyone_meets_everyone_in_percent_and_in_fractions(client: FlaskClient) -> None:
    table = crosstable(TIC_TAC_TOE)
    text = client.get("/learn/crosstable?show=fractions").text
    assert text.count("<i>draw</i>") == len(alike(crosstable_of_3x3())) ** 2
    assert f"<i>X</i> {table.chances['easy', 'easy'][Result.X]}<" in text
    assert f"{float(table.strength('hard')):.1%}".removesuffix("%") in client.get("/learn/crosstable").text


def test_the_heat_map_has_a_number_a_pair_and_says_the_chances_of_one(client: FlaskClient) -> None:
    table, text = crosstable(TIC_TAC_TOE), client.get("/learn/crosstable?x=hard&o=easy").text
    chances = table.chances["hard", "easy"]
    ends = (f"{said} {format_percent(chances[result])}" for said, result in RESULTS)
    said = f"Hard as X against Easy: {', '.join(ends)}"
    assert text.count("</a></td>") == len(alike(crosstable_of_3x3())) ** 2
    assert f'aria-live="polite">{said}</p>' in text
    assert f'title="{said}"' in text
    assert client.get("/learn/crosstable?x=nobody").status_code == 400


def test_opponents_with_the_same_figures_are_one(client: FlaskClient) -> None:
    titles = [each.title for each in alike(crosstable_of_3x3()) if len(each.members) > 1]
    assert titles == ["Perfect, Plain minimax, Alpha-beta 6 to 9", "Rulebook, Short rulebook"]
    text = client.get("/learn/crosstable").text
    assert all(f'<tr><th scope="row">{title}</th>' in text for title in titles)
    table = crosstable(TIC_TAC_TOE)
    for each in alike(crosstable_of_3x3()):
        for other in each.members:
            assert table.strength(other.name) == table.strength(each.name)


def test_the_points_of_a_pair_are_shown_as_fractions(client: FlaskClient) -> None:
    text = client.get("/learn/crosstable?show=points").text
    for x, o in (crosstable(TIC_TAC_TOE).points["easy", other] for other in ("easy", "hard")):
        assert f"<i>X</i> {x} (" in text
        assert f"<i>O</i> {o} (" in text
