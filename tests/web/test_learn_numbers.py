"""Numbers to look at: what the drawings of census, crosstable and searches show is what is counted."""

from fractions import Fraction
from html import unescape

import pytest
from flask.testing import FlaskClient

from solver.articles.census import Stage, census
from solver.articles.claims import CLAIMS, Verdict, found
from solver.articles.crosstable import crosstable
from solver.board.notation import format_percent, parse_rules
from solver.board.position import Result
from solver.board.rules import TIC_TAC_TOE
from tests.web.test_pages import page
from webapp.pages.learn.game.census import FLOW_WIDTH, flow
from webapp.pages.learn.lesson import source_of
from webapp.pages.learn.search.search import log_chart

RESULTS = (("X wins", Result.X), ("draw", Result.DRAW), ("O wins", Result.O))


@pytest.mark.parametrize(
    ("share", "said"),
    [
        *((0, "0.0%"), (Fraction(1, 8), "12.5%"), (1, "100.0%")),
        *((0.0004, "0.04%"), (0.00003, "0.003%"), (1e-9, "<0.0001%")),
        *((0.99996, "99.996%"), (1 - 1e-9, "almost 100%")),
    ],
)
def test_a_percentage_is_nothing_or_all_only_where_the_share_is(share: float, said: str) -> None:
    assert format_percent(share) == said


@pytest.mark.parametrize("board", ["3x3x3", "2x2x2", "1x1x1"])
def test_the_flow_loses_at_each_cut_what_the_stages_differ_by(board: str) -> None:
    counted = tuple(census(parse_rules(board), stage) for stage in Stage)
    bands = flow(counted).bands
    assert [band.nodes for band in bands] == [each.nodes for each in counted]
    assert bands[0].nodes - sum(band.lost for band in bands) == counted[-1].nodes
    assert all(0 < band.kept <= FLOW_WIDTH for band in bands)
    assert all((band.kept < FLOW_WIDTH) == (band.lost > 0) for band in bands)


def test_the_census_says_what_each_cut_takes_away(client: FlaskClient) -> None:
    text = client.get("/learn/census").text
    for lost in ("−436,464 (44.2%)", "−544,468 (99.0%)", "−4,713 (86.0%)", "−376 (49.2%)"):
        assert lost in text
    shown = page(client, "/learn/census")
    assert all(link[1:] in shown.elements for link in shown.links if link.startswith("#"))


def test_the_heat_map_has_a_number_a_pair_and_says_the_exact_chances_of_one(client: FlaskClient) -> None:
    table, text = crosstable(TIC_TAC_TOE), client.get("/learn/crosstable?x=hard&o=easy").text
    chances = table.chances["hard", "easy"]
    said = "Hard as X against Easy: " + ", ".join(f"{said} {chances[result]}" for said, result in RESULTS)
    assert text.count("</a></td>") == len(table.players) ** 2
    assert f'aria-live="polite">{said}</p>' in text
    assert f'title="{said}"' in text
    assert client.get("/learn/crosstable?x=nobody").status_code == 400


def test_ten_times_as_many_nodes_are_always_as_far_up() -> None:
    chart = log_chart({"a": [1, 10, 100], "b": [1000, None, 10]})
    heights = {point.count: point.y for line in chart.lines for point in line.points}
    assert heights == dict(chart.powers)
    steps = [round(heights[10**power] - heights[10 ** (power + 1)], 1) for power in range(3)]
    assert max(steps) - min(steps) < 0.2
    assert [len(line.points) for line in chart.lines] == [3, 2]


def test_claims_that_are_not_simply_confirmed_come_first_each_with_a_board_and_its_code(client: FlaskClient) -> None:
    text = client.get("/learn/claims").text
    told, _, confirmed = text.partition("<h2>Confirmed</h2>")
    for name in CLAIMS:
        claimed = found(name)
        story = told.partition(f'id="{name}"')[2].partition("</section>")[0]
        assert bool(story) == (claimed.verdict is not Verdict.CONFIRMED)
        if story:
            assert '<svg class="mini' in story
            assert source_of(claimed.claim.compute).text in unescape(story)
    assert "<details open>" not in confirmed
