"""The pages of the articles: every idea and claim is in its place, and questions are judged by the programs."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from solver.articles import lazy
from solver.articles.census import Stage, census
from solver.articles.claims import CLAIMS
from solver.articles.graph import is_fork
from solver.articles.lookahead import ahead, lazy_visits
from solver.articles.openings import tic_tac_toe_openings, worth
from solver.articles.reduced import best_replies, is_settled, reduced_tree, scores
from solver.board.notation import format_cell, parse_position, parse_rules
from solver.board.outcome import sign
from solver.board.position import Mark
from solver.search.minimax import minimax
from tests.strategies import TIC_TAC_TOE, examples, positions
from tests.web.said import Elements
from tests.web.test_pages import page
from webapp.app import create_app
from webapp.pages.learn.article import ARTICLE_PAGES, PLACES
from webapp.pages.learn.content import ContentTable, figure_named, make_items, read_content
from webapp.pages.learn.facts import jungle, lists, players, predictions, strategy, tree

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"
IDEAS = tomllib.loads((ROOT / "solver" / "articles" / "ideas.toml").read_text("utf-8"))["ideas"]
SECTIONS = [
    (name, entry, f"/learn/{name}" + (f"?part={entry['part']}" if entry.get("part", 1) > 1 else ""))
    for name, article in ARTICLE_PAGES.items()
    for entry in article.content["sections"]
]


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app().test_client()


@cache
def elements(client: FlaskClient, path: str) -> Elements:
    answer = client.get(path)
    assert answer.status_code == 200
    return Elements(answer.text)


@pytest.mark.parametrize("idea", IDEAS, ids=lambda idea: idea["idea"])
def test_each_idea_is_shown_where_the_table_says(client: FlaskClient, idea: dict[str, str]) -> None:
    path, _, anchor = idea["where"].partition("#")
    (section,) = elements(client, path).select(f"#{anchor}")
    assert idea["shows"] in section.text


@pytest.mark.parametrize(
    ("name", "entry", "path"), SECTIONS, ids=lambda part: part["id"] if isinstance(part, dict) else ""
)
def test_each_section_has_an_idea_of_the_table(name: str, entry: ContentTable, path: str) -> None:
    assert any(each["where"] == f"{path}#{entry['id']}" and each["article"] == name for each in IDEAS)


def test_each_claim_stands_in_one_place_with_its_verdict(client: FlaskClient) -> None:
    placed = [f"{name}.{end}" for name, entry, _ in SECTIONS for end in entry.get("claims", ())]
    assert sorted(placed) == sorted(name for name, claim in CLAIMS.items() if claim.article.key in ARTICLE_PAGES)
    for name, place in PLACES.items():
        path, _, anchor = place.partition("#")
        shown = elements(client, path)
        assert shown.select(f"#{anchor} .verdict")
        assert shown.select(f"#{name}")


def test_every_figure_of_an_article_is_named_and_every_named_one_has_a_template() -> None:
    named = {
        each if isinstance(each, str) else each["figure"]
        for _, entry, _ in SECTIONS
        for each in entry.get("figures", ())
    }
    figures = read_content("figures")
    assert named <= figures.keys()
    assert all((TEMPLATES / figure_named(name).template).exists() for name in figures)


@pytest.mark.parametrize("name", ARTICLE_PAGES)
def test_an_article_names_its_source_and_leads_to_the_others_and_to_exhibits(client: FlaskClient, name: str) -> None:
    article = ARTICLE_PAGES[name].article
    text = client.get(f"/learn/{name}").text
    assert f"by {article.author}" in text
    links = set(page(client, f"/learn/{name}").links)
    others = {*ARTICLE_PAGES, "explorer", "pictures", "poster", "crosstable", "boards", "claims"} - {name}
    assert {f"/learn/{other}" for other in others} <= links


@pytest.mark.parametrize("address", ["erlang?moves=a1a1", "erlang?board=4x4x4", "erlang?moves=hello"])
def test_below_a_mistake_in_an_address_stands_the_article(client: FlaskClient, address: str) -> None:
    answer = client.get(f"/learn/{address}")
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert '<ol class="slots">' in answer.text


def test_the_list_of_nine_has_the_outcomes_of_open_squares_and_collides_on_others() -> None:
    slots = predictions.list_answers({"moves": "a1b1"})["slots"]
    assert [text for _, text, *_ in slots] == ["W5", "D7", "D7", "W5", "W5", "D7", "collide", "collide", "D7"]


def test_values_rise_along_best_play_each_the_one_below_seen_by_the_other_a_ply_farther() -> None:
    captions = [board.caption.partition(": ")[2] for board in predictions.draw_rising({})]
    assert captions == ["W5", "L4", "W3", "L2", "W1", ""]


def test_the_recorded_answers_came_from_all_squares_in_different_orders() -> None:
    squares = sorted(format_cell(cell, TIC_TAC_TOE) for cell in range(TIC_TAC_TOE.size))
    first, second = (order.split(", ") for order in predictions.ARRIVALS)
    assert sorted(first) == sorted(second) == squares
    assert first != second
    assert (predictions.judge_orders().values["small"], predictions.judge_orders().values["moves"]) == ("b2", 55_504)


def test_each_idea_for_ties_wins_more_often_than_not() -> None:
    values = predictions.count_ties().values
    assert (values["more"], values["less"]) == ([4, 4], [1, 1])


@pytest.mark.slow
def test_links_lead_on_to_pages_that_answer(client: FlaskClient) -> None:
    links = {url for _, entry, _ in SECTIONS for url in entry.get("links", {}).values()}
    for url in sorted(links):
        answer = client.get(url, follow_redirects=True)
        assert answer.status_code == 200, url
        _, _, anchor = url.partition("#")
        assert not anchor or f'id="{anchor}"' in answer.text, url


def test_each_picture_of_an_article_can_be_looked_at_closer(client: FlaskClient) -> None:
    pages = (page(client, address) for address in dict.fromkeys(address for *_, address in SECTIONS))
    pictures = {link for each in pages for link in each.links if link.startswith("/learn/pictures?show=")}
    assert len(pictures) > 5
    for link in pictures:
        assert client.get(link).status_code == 200, link


def test_an_address_changes_only_what_it_names(client: FlaskClient) -> None:
    assert client.get("/learn/clojure?moves=b2&step=3").data == client.get("/learn/clojure").data
    assert client.get("/learn/scala?pair=nobody").status_code == 400
    assert client.get("/learn/clojure?part=3").status_code == 400


def test_every_exercise_has_a_right_answer_and_words_on_each() -> None:
    for name, entry, _ in SECTIONS:
        for question in (make() for each in entry.get("questions", ()) for make in make_items(name, each)):
            assert question.shown.words.endswith((".", "!", "?")), question.words
            said = [question.answers.get(answer) for answer in question.titles]
            assert all(answer and answer.words.endswith((".", "!", "?")) for answer in said), question.words
            assert question.steps or any(answer and answer.right for answer in said)


def test_a_sign_of_the_jungle_says_what_minimax_says() -> None:
    first, *behind = jungle.draw_jungle({}).stops
    forks, ends = ([stop for stop in behind if stop.end is over] for over in (False, True))
    assert (len(forks), {stop.kind for stop in ends}) == (3, {"win", "draw", "loss"})
    for index, fork in enumerate(forks):
        assert fork.value == min(end.value for end in ends[2 * index : 2 * index + 2])
    assert first.value == max(fork.value for fork in forks)
    assert first.value == sign(minimax(parse_position(jungle.draw_jungle({}).text)).score)  # X is to move


@pytest.mark.parametrize("board", ["3x3x3", "2x2x2", "1x1x1"])
def test_the_flow_loses_at_each_cut_what_the_stages_differ_by(board: str) -> None:
    counted = tuple(census(parse_rules(board), stage) for stage in Stage)
    bands = tree.draw_flow({"board": board})["bands"]
    assert [band.nodes for band in bands] == [each.nodes for each in counted]
    assert bands[0].nodes - sum(band.lost for band in bands) == counted[-1].nodes
    assert all(0 < band.kept <= tree.FLOW_WIDTH for band in bands)
    assert all((band.kept < tree.FLOW_WIDTH) == (band.lost > 0) for band in bands)


@pytest.mark.slow
def test_the_tree_of_another_board_is_counted(client: FlaskClient) -> None:
    text = client.get("/learn/clojure?board=4x3x3").text
    assert '<option value="4x3x3" selected>4×3, three in a row</option>' in text
    assert "276,911,233" in text
    assert client.get("/learn/clojure?board=4x4x4").status_code == 400


def test_only_the_pure_walk_can_remember() -> None:
    pure, shared = (tree.judge_remembering(walk).values["nodes"] for walk in ("pure", "shared"))
    assert (pure, shared) == (549_946, 5_478)


def test_two_orders_come_to_one_board_and_a_board_has_seven_other_images() -> None:
    one, other = tree.draw_orders({})
    assert one[-1].position == other[-1].position
    assert [each.position for each in one[1:-1]] != [each.position for each in other[1:-1]]
    assert len({board.position for board in tree.draw_images({})}) == 8


def test_the_forks_that_are_drawn_have_two_threats_each() -> None:
    for board in tree.draw_forks({}):
        assert is_fork(board.position)
        assert [square.letter for square in board.squares].count("!") == 2


def test_the_drawn_boards_and_what_x_can_force_are_the_articles() -> None:
    assert [len(boards) for boards in tree.draw_patterns({}).values()] == [8, 4, 4]
    assert [tuple(forced.values()) for _, forced in strategy.list_forceable({}).values()] == [
        (True, True, True),
        (False, True, False),
        (False, False, True),
        (True, False, False),
    ]
    scheme = strategy.weigh_scheme().values
    assert (scheme["lead"], scheme["through"], scheme["mended"]) == (1, "edge", "scorpion")


def test_the_picture_has_a_column_for_every_game_and_none_that_is_lost() -> None:
    shown = strategy.draw_games({})
    columns = {style: path.count("M") for style, path in shown["boxes"].items() if style != "open"}
    assert columns == {"win": shown["counts"].won, "draw": shown["counts"].drawn}
    assert shown["counts"].lost == 0


@pytest.mark.parametrize(("count", "choices"), [("all", 4), ("distinct", 0)])
def test_the_way_of_averaging_changes_the_best_path(count: str, choices: int) -> None:
    shown = strategy.draw_path({"opening": "corner", "count": count})
    root = tic_tac_toe_openings()["corner"].position
    assert shown["path"][0].position == root
    assert shown["path"][1].position in best_replies(reduced_tree(root), scores(root, count == "distinct"), root)
    assert len(shown["choices"]) == choices


@pytest.mark.parametrize("text", ["XO./.../...", "X../.O./X..", "X../.O./..X", "X../.O./.X.", "O../.X./.X."])
def test_the_question_stops_where_the_reduced_tree_does(text: str) -> None:
    position = parse_position(text)
    (right,) = (name for name, says in strategy.judge_stops(position).answers.items() if says == name)
    assert (right != "trap") == is_settled(position)
    assert (right == "win") == (worth(position) > 0)


def test_a_person_may_sit_on_either_side_and_what_is_printed_is_shown() -> None:
    log = players.run_driver({})["log"]
    assert "You can't play there." in log
    assert "XOX\nOO.\nXOX\nPlayer 2 wins." in log
    assert "Which row" not in players.run_driver({"pair": "program-program"})["log"]
    assert players.run_driver({"typed": "2 2"})["log"].count("Which row") == 2
    assert players.judge_turns().answers == {"person": "yes", "program": "no"}


def test_the_program_takes_a_win_later_than_it_could() -> None:
    assert players.find_late_win().values == {"now": "b3", "taken": "a2", "plies": 3}


@examples(20)
@given(positions(st.just(TIC_TAC_TOE), max_empty=6), st.integers(1, 6))
def test_both_pipelines_find_the_value_and_leave_what_lazy_lists_leave(position, depth) -> None:  # type: ignore[no-untyped-def]
    if position.result is not None or position.mover is Mark.O:
        return
    whole = ahead(position, depth)
    plain, leaving = (lazy.run_pipeline(position, depth, choices) for choices in (lazy.PLAIN, lazy.LEAVING))
    assert plain.value == leaving.value == whole.value(depth)
    assert len(plain.made) == whole.size(depth)
    assert len(leaving.made) == lazy_visits(position, depth)


def test_static_is_never_asked_about_a_position_with_moves_in_the_tree() -> None:
    worked = lazy.run_pipeline(lists.SMALL, lists.PRUNED)
    assert all(each.result or each.plies_left == lists.SMALL.plies_left - lists.PRUNED for each in worked.valued)


def test_an_error_that_nobody_asks_for_is_never_met() -> None:
    assert lazy.minleq(1, lists.read((0, 2, 3, "undefined")))  # "Alpha-beta search for tic-tac-toe in Haskell"
    with pytest.raises(lists.Undefined):
        lazy.minleq(1, lists.read((2, 3, "undefined", 0)))
    listed: tuple[lists.UndefinedList, ...] = ((0, 0), (-1, "undefined"), (1,))
    assert list(lazy.mapmin(map(lists.read, listed))) == [0, 1]


@pytest.mark.parametrize(("step", "valued"), [(2, 0), (3, 0), (4, 8), (5, 8), (6, 8), (7, 5), (8, 7)])
def test_each_stage_of_the_pipeline_values_what_it_looks_at(step: int, valued: int) -> None:
    now = lists.film_pipeline({"step": str(step)})["film"].now
    texts = [look["text"] for name, look in now.items() if re.fullmatch(r"v\d+", name)]
    assert sum(text not in ("", "…") for text in texts) == valued


@pytest.mark.parametrize(("position", "wrong"), [("corner", 1), ("second", 4)])
def test_the_printed_moves_show_the_articles_values_and_the_right_ones(position: str, wrong: int) -> None:
    boards = lists.print_moves({"position": position})
    assert sum("really" in board.caption for board in boards) == wrong
    assert [board.caption.partition(": ")[0] for board in boards] == [str(number) for number in range(len(boards))]
