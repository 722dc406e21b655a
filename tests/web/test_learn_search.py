"""The lessons on searching: predictions, looking ahead, generic games, and searches step by step."""

import re
from html import unescape
from itertools import cycle

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from solver.articles import lazy
from solver.articles.claims import CLAIMS, haskell
from solver.articles.lookahead import ahead, lazy_visits
from solver.articles.telling import step_in_words
from solver.articles.tracing import MoveOrder, Search
from solver.board.game import parse_game
from solver.board.notation import format_cell, format_outcome, format_position, parse_cell
from solver.board.position import Mark
from solver.players import STRATEGIES
from solver.proofs.predict import predict
from tests.strategies import TIC_TAC_TOE, examples, positions
from tests.web.test_pages import page
from webapp.pages.learn.content import read_content
from webapp.pages.learn.lessons import alphabeta, generic, lazily, pipeline, predictions, search
from webapp.ui.address import Query

ROW = re.compile(r'<tr><th scope="row">(\w\d)</th>(.*?)</tr>', re.DOTALL)
"""A row of a table: the name of a square and the cells."""


def square_rows(client: FlaskClient, moves: str = "") -> dict[str, list[str]]:
    """Return the table of squares: the texts of each row by the square's name."""
    table = client.get(f"/learn/predictions?moves={moves}").text.partition('<table class="squares">')[2]
    rows = ROW.findall(table.partition("</table>")[0])
    cells = {name: re.findall(r"<td.*?</td>", row, re.DOTALL) for name, row in rows}
    return {name: [" ".join(re.sub(r"<.*?>", "", each).split()) for each in cells[name]] for name in cells}


def test_every_open_square_has_a_row_with_its_outcome(client: FlaskClient) -> None:
    expected = predict(parse_game("3x3x3", None, "a1b1").last)
    words = [f"{outcome.letter} {outcome.words(expected.position.mover)}" for outcome in expected.squares.values()]
    assert [cells[0] for cells in square_rows(client, "a1b1").values()] == words


def test_the_squares_that_a_tie_break_takes_are_those_its_player_takes(client: FlaskClient) -> None:
    for moves in ("", "a1b1", "a1b2c3"):
        position = parse_game("3x3x3", None, moves).last
        for cells, cell in zip(square_rows(client, moves).values(), position.legal_moves, strict=True):
            for name in ("opportunities", "paths"):
                taken = cell in STRATEGIES[f"impossible-{name}"].decide(position).choices
                assert taken == (name in cells[-1])


@pytest.mark.parametrize(
    "parts",
    [
        *read_content("predictions")["presets"].values(),
        {"board": "1x1x1"},
        {"board": "8x1x1"},
        {"board": "8x8x5"},
        {"board": "2x2x2", "moves": "a1"},
    ],
)
def test_any_position_answers(client: FlaskClient, parts: dict[str, str]) -> None:
    assert client.get("/learn/predictions", query_string=parts).status_code == 200


def test_both_tie_breaks_win_more_often_than_not(client: FlaskClient) -> None:
    shown = predictions.view({}, predictions.LESSON.tab({})[1].known({}))
    by_opportunities, by_paths = shown.tie_breaks
    assert shown.gains(by_opportunities) == (4, 1)
    assert shown.gains(by_paths) == (4, 1)
    assert "2,653,002 processes" in client.get("/learn/predictions").text


def test_the_squares_to_choose_are_those_that_win_fastest_or_hold_longest() -> None:
    kinds = []
    for question in predictions.LESSON.quizzes["best"]().questions:
        assert question.board
        found = predict(question.board.position)
        kinds.append((found.squares[found.best[0]].value, len(found.best)))
        for cell in found.squares:
            answer = question.judge(format_cell(cell, TIC_TAC_TOE))
            assert answer
            assert answer.right == (cell in found.best)
    assert kinds == [("win", 1), ("draw", 4), ("loss", 1), ("draw", 9)]


def test_the_recorded_answers_came_from_all_squares_in_different_orders(client: FlaskClient) -> None:
    squares = sorted(format_cell(cell, TIC_TAC_TOE) for cell in range(TIC_TAC_TOE.size))
    runs = [order.split(", ") for order in predictions.ARRIVALS]
    assert [sorted(run) for run in runs] == [squares, squares]
    assert runs[0] != runs[1]
    answer = predictions.LESSON.quizzes["scatter"]().questions[0].judge("smallest")
    assert answer
    assert answer.words.startswith("b2 has the fewest moves below it, 55,504.")
    assert "as_completed" in client.get("/learn/predictions").text


def risen(known: int) -> tuple[predictions.Rung, ...]:
    """Return the line after O's mistake, with the outcomes of its last `known` plies."""
    shown = predictions.rising(parse_game("3x3x3", None, "a1b1").last, known)
    assert shown is not None
    return shown.rungs


def test_values_rise_along_best_play_each_the_one_below_seen_by_the_other_a_ply_farther() -> None:
    outcomes = [rung.outcome for rung in risen(5) if rung.outcome]
    assert [format_outcome(outcome) for outcome in outcomes] == ["W5", "L4", "W3", "L2", "W1"]
    assert [rung.known for rung in risen(2)] == [False, False, False, True, True, True]


def test_how_far_to_look_is_the_first_depth_at_which_a_value_stays() -> None:
    for question in search.LESSON.quizzes["far"]().questions:
        assert question.board
        position = question.board.position
        (cell,) = (cell for cell, square in enumerate(question.board.squares) if square.letter == "?")
        after = position.after(cell)
        seen = [ahead(after, depth).value(depth) for depth in range(position.plies_left)]
        right = [
            depth for depth in range(1, len(seen) + 1) if (answer := question.judge(f"ply{depth}")) and answer.right
        ]
        settled = len(seen) if not seen[-1] else seen.index(seen[-1]) + 1
        assert right == [settled]


def test_the_hunt_begins_with_the_printed_values() -> None:
    assert {
        haskell.AFTER_CORNER: CLAIMS["haskell.values-after-corner"].published,
        haskell.SECOND: CLAIMS["haskell.values-second-position"].published,
    } == search.PRINTED


def test_one_suspect_alone_explains_each_printed_value() -> None:
    questions = search.LESSON.quizzes["bug"]().questions
    for question, suspect in zip(questions, ("a2", "line8", "other", "a3", "players", "value0"), strict=True):
        attempts = [*question.squares, *question.titles]
        assert [each for each in attempts if (found := question.judge(each)) and found.right] == [suspect]
    assert search.without(0b001_010_100) == haskell.WITHOUT_ANTI_DIAGONAL
    assert search.blind_values(0b001_010_100) == haskell.values_of(haskell.AFTER_CORNER, haskell.WITHOUT_ANTI_DIAGONAL)


def test_after_six_plies_the_program_sees_a_win_that_is_not_there() -> None:
    assert (haskell.reply_chosen_for_x(6), haskell.value_after_centre(6)) == (1, 0)


def test_on_the_second_board_the_only_move_that_holds_blocks_and_forks() -> None:
    after = haskell.SECOND.after(parse_cell("a3", TIC_TAC_TOE))
    assert len(after.threats(Mark.X)) == 2
    assert not after.threats(Mark.O)


@pytest.mark.slow
def test_looking_ahead_shows_every_depth_to_nine_on_the_empty_board() -> None:
    view = search.view({"board": "3x3x3"})
    assert view.film
    assert len(view.film) == 9
    assert (view.visits[-1].depth, view.visits[-1].plain) == (9, 549_946)


def generic_view(query: Query) -> generic.GenericView:
    view = generic.view(query, generic.LESSON.tab(query)[1].known(query))
    assert isinstance(view, generic.GenericView)
    return view


def test_the_depth_is_as_great_as_is_feasible_on_a_large_board() -> None:
    assert search.view({"board": "8x8x5"}).depth == 2


def test_the_tree_is_drawn_to_the_level_asked_for() -> None:
    assert search.view({"from": "XX./.../..O", "tree": "0"}).tree == "XX./.../..O  0"
    assert search.view({"from": "XX./.../..O", "tree": "2"}).tree.count("XX") > 6


@pytest.mark.slow
def test_the_whole_tree_of_a_larger_board_is_counted(client: FlaskClient) -> None:
    text = " ".join(client.get("/learn/generic?minimax=4x3x3").text.split())
    assert "<b>276,911,233</b> nodes before its first move and finds: <b>X wins</b>" in text


def test_the_first_moves_trees_and_the_root_are_the_whole_tree() -> None:
    rows = generic_view({"minimax": "3x3x3"}).first_moves
    nodes = sum(len(cells) * minimax.nodes for cells, _, minimax in rows)
    assert nodes + 1 == 549_946  # "Tic-Tac-Toe Analysis using Clojure", first part


def test_ten_times_as_many_nodes_are_always_as_far_up() -> None:
    chart = search.log_chart({"a": [1, 10, 100], "b": [1000, None, 10]})
    heights = {point.count: point.y for line in chart.lines for point in line.points}
    assert heights == dict(chart.powers)
    steps = [round(heights[10**power] - heights[10 ** (power + 1)], 1) for power in range(3)]
    assert max(steps) - min(steps) < 0.2
    assert [len(line.points) for line in chart.lines] == [3, 2]


def text_of(client: FlaskClient, query: str, name: str, lesson: str = "alphabeta") -> str:
    """Return the text of the element with this id."""
    found = re.search(rf'id="{name}"[^>]*>([^<]*)<', client.get(f"/learn/{lesson}?{query}").text)
    assert found is not None
    return unescape(found[1]).strip()


@examples(20)
@given(positions(st.just(TIC_TAC_TOE), max_empty=4), st.sampled_from(Search), st.sampled_from(MoveOrder))
def test_what_the_browser_is_given_comes_to_the_look_of_each_step(position, search, tried) -> None:  # type: ignore[no-untyped-def]
    if position.result is not None:
        return
    shown = alphabeta.view({"from": format_position(position), "search": search, "order": tried})
    look: dict[str, dict[str, str]] = {}
    for change, expected in zip(shown.film.changes, shown.film.looks, strict=True):
        for name, attributes in change.items():
            look.setdefault(name, {}).update(attributes)
        assert look == expected
    assert all(look["asked"]["text"] for look in shown.film.looks)


def test_every_step_has_a_page_of_its_own_that_leads_to_the_next_and_the_last(client: FlaskClient) -> None:
    trace = alphabeta.view({}).trace
    for step in (1, 2, len(trace.frames)):
        assert text_of(client, f"step={step}", "telling") == step_in_words(trace, trace.frames[step - 1])
        found = page(client, f"/learn/alphabeta?step={step}")
        for name, to in (("back", max(1, step - 1)), ("on", min(step + 1, len(trace.frames)))):
            assert f"step={to}" in (found.elements[name]["href"] or "").split("&")


def test_each_position_on_offer_can_be_watched(client: FlaskClient) -> None:
    for parts, each in zip(read_content("alphabeta")["presets"].values(), cycle(Search), strict=False):
        answer = client.get("/learn/alphabeta", query_string={**parts, "search": each})
        assert answer.status_code == 200
        assert "Done." in answer.text


def test_what_nobody_asks_for_stays_a_thunk(client: FlaskClient) -> None:
    text = client.get("/learn/alphabeta?search=lazy&step=19").text
    assert "<code>solver/articles/lookahead.py</code>" in text
    assert len(re.findall(r'is-cut.*?class="value"[^>]*>…<', text, re.DOTALL)) == 2


def test_the_game_s_interface_is_the_code_that_is_installed(client: FlaskClient) -> None:
    text = unescape(client.get("/learn/generic").text)
    for line in (
        "def successors(self)",
        "def end_value(position: Position) -> Plain:",
        "def chosen(_: Position,",
        "def fold(",
    ):
        assert line in text


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
    worked = lazy.run_pipeline(pipeline.SMALL, pipeline.PRUNED)
    assert all(each.result or each.plies_left == pipeline.SMALL.plies_left - pipeline.PRUNED for each in worked.valued)


def test_an_error_that_nobody_asks_for_is_never_met() -> None:
    assert lazy.minleq(1, pipeline.read((0, 2, 3, "undefined")))  # "Alpha-beta search for tic-tac-toe in Haskell"
    with pytest.raises(pipeline.Undefined):
        lazy.minleq(1, pipeline.read((2, 3, "undefined", 0)))
    lists: tuple[pipeline.UndefinedList, ...] = ((0, 0), (-1, "undefined"), (1,))
    assert list(lazy.mapmin(map(pipeline.read, lists))) == [0, 1]


def test_the_lazy_quiz_takes_its_answers_from_the_programs() -> None:
    right = [question.shown.words.partition(".")[0] for question in lazily.LESSON.quizzes["lazy"]().questions]
    assert right == ["True", "An error", "[0, 1]", "8", "5"]


@pytest.mark.parametrize(("step", "valued"), [(2, 0), (3, 0), (4, 8), (5, 8), (6, 8), (7, 5), (8, 7)])
def test_each_stage_of_the_pipeline_values_what_it_looks_at(step: int, valued: int) -> None:
    now = pipeline.view({"step": str(step)}).film.now
    texts = [look["text"] for name, look in now.items() if re.fullmatch(r"v\d+", name)]
    assert sum(text not in ("", "…") for text in texts) == valued


def test_a_person_may_sit_on_either_side_and_what_is_printed_is_shown(client: FlaskClient) -> None:
    log = unescape(client.get("/learn/generic").text).partition("What it prints</p>")[2].partition("</pre>")[0]
    assert "You can't play there." in log
    assert "XOX\nOO.\nXOX\nPlayer 2 wins." in log
    twice = client.get("/learn/generic?pair=program-program").text
    assert "Which row" not in twice.partition("What it prints</p>")[2].partition("</pre>")[0]
    stopped = client.get("/learn/generic?typed=2 2").text.partition("What it prints</p>")[2].partition("</pre>")[0]
    assert stopped.count("Which row") == 2


def test_whoever_types_a_taken_square_moves_again() -> None:
    question = generic.LESSON.quizzes["turn"]().questions[2]
    assert [name for name in question.titles if (answer := question.judge(name)) and answer.right] == ["person"]


def test_the_quiz_asks_for_the_late_win_that_the_program_takes() -> None:
    question = generic.LESSON.quizzes["turn"]().questions[1]
    right = [name for name in question.squares if (answer := question.judge(name)) and answer.right]
    assert right == ["a2"]
