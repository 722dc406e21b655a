"""The lessons on the size of the tree and on forks."""

import re
from itertools import chain

import pytest
from flask.testing import FlaskClient

from solver.articles.census import Stage
from solver.articles.graph import threats
from webapp.pages.learn.game import census, forks


def test_the_census_shows_each_stage_with_its_nodes(client: FlaskClient) -> None:
    text = client.get("/learn/census").text
    for nodes in ("986,410", "549,946", "5,478", "765", "389", "6,046"):
        assert f">{nodes}<" in text or f" {nodes} " in text
    assert all(f'id="{stage}"' in text for stage in Stage)


def test_the_census_has_a_row_a_ply_and_one_of_sums(client: FlaskClient) -> None:
    text = client.get("/learn/census").text
    rows = re.findall(r'<th scope="row" class="number">(\w+)</th>', text)
    assert rows == [*map(str, range(10)), "all"] * len(Stage)


@pytest.mark.slow
def test_the_census_counts_another_board(client: FlaskClient) -> None:
    text = client.get("/learn/census?board=4x3x3").text
    assert '<option value="4x3x3" selected>4×3, three in a row</option>' in text
    assert "276,911,233" in text


@pytest.mark.parametrize(("board", "said"), [("4x4x4", "up to 12 squares"), ("x", "is no board")])
def test_the_census_refuses_what_it_cannot_count(client: FlaskClient, board: str, said: str) -> None:
    answer = client.get("/learn/census", query_string={"board": board})
    assert answer.status_code == 400
    assert said in answer.text
    assert "986,410" in answer.text


def test_the_bars_of_the_chart_are_as_long_as_the_numbers_have_digits() -> None:
    chart = census.view({}).chart
    found = {bar.nodes: bar.width for bar in chart.bars}
    assert len(chart.bars) == 10 * len(Stage)
    assert found[1] > 0
    ten_times = found[504] - found[1], found[72] - found[9]
    assert ten_times[0] > ten_times[1] > 0
    widths = [found[nodes] for nodes in sorted(found)]
    assert widths == sorted(widths)
    assert max(found.values()) == census.LENGTH


def test_the_bars_of_a_ply_shrink_from_stage_to_stage() -> None:
    bars = census.view({}).chart.bars
    for start in range(0, len(bars), len(Stage)):
        widths = [bar.width for bar in bars[start : start + len(Stage)]]
        assert widths == sorted(widths, reverse=True)


def test_every_fork_is_drawn_with_its_threats_marked() -> None:
    view = forks.view({})
    for board in chain(*view.two.values(), *view.more.values()):
        marked = [number for number, square in enumerate(board.squares) if "threat" in square.classes]
        assert tuple(marked) == threats(board.position)
        assert all(board.squares[number].letter == "!" for number in marked)


@pytest.mark.parametrize(
    ("play", "counts", "more"), [("all", {5: 36, 6: 14, 7: 12}, 10), ("forced", {5: 36, 6: 14, 7: 9}, 0)]
)
def test_forks_are_shown_by_ply(client: FlaskClient, play: str, counts: dict[int, int], more: int) -> None:
    view = forks.view({"play": play})
    assert {ply: len(boards) for ply, boards in view.two.items()} == counts
    assert sum(map(len, view.more.values())) == more
    text = client.get(f"/learn/forks?play={play}").text
    assert text.count("<figure") == sum(counts.values()) + more
    for ply, found in counts.items():
        owner, mover = ("X", "O") if ply % 2 else ("O", "X")
        assert f"Ply {ply}: {found} forks of {owner}, {mover} to move" in text
