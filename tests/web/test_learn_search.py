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
from solver.articles.tracing.searches import Search
from solver.articles.tracing.tree import MoveOrder
from solver.articles.tracing.words import step_in_words
from solver.board.game import parse_game
from solver.board.notation import format_cell, format_outcome, format_position, parse_cell, parse_position
from solver.board.position import Mark
from solver.players import STRATEGIES
from solver.proofs.predict import predict
from tests.solver.reasons.sayings import reason_of
from tests.strategies import TIC_TAC_TOE, examples, positions
from tests.web.test_pages import page
from webapp.pages.learn.search import alphabeta, generic, hunt, pipeline, predictions, search
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


def test_the_empty_board_shows_the_worth_of_its_squares(client: FlaskClient) -> None:
    shown = square_rows(client)
    won, _, lost, value = shown["b2"][4:8]
    assert (won, lost, value) == ("15,648", "5,616", "+100.500")
    assert shown["a1"][1:4] == ["7", "0", "+7"]


def test_a_larger_board_has_outcomes_and_no_tie_breaks(client: FlaskClient) -> None:
    text = client.get("/learn/predictions?board=4x3x3").text
    assert "X wins in 4 moves (7 plies)" in text
    assert "on boards of up to nine squares" in text


def test_a_finished_game_has_nothing_to_predict(client: FlaskClient) -> None:
    assert "X has won." in client.get("/learn/predictions?from=XXX/OO./...").text
    assert "The game is over: a draw." in client.get("/learn/predictions?from=XOX/XOO/OXX").text


@pytest.mark.parametrize(
    "parts",
    [
        *predictions.EXAMPLES.values(),
        {"board": "1x1x1"},
        {"board": "8x1x1"},
        {"board": "8x8x5"},
        {"board": "2x2x2", "moves": "a1"},
    ],
)
def test_any_position_answers(client: FlaskClient, parts: dict[str, str]) -> None:
    assert client.get("/learn/predictions", query_string=parts).status_code == 200


def test_both_tie_breaks_win_more_often_than_not(client: FlaskClient) -> None:
    shown = predictions.view({}, predictions.LESSON.known({}))
    by_opportunities, by_paths = shown.tie_breaks
    assert shown.gains(by_opportunities) == (4, 1)
    assert shown.gains(by_paths) == (4, 1)
    assert "2,653,002 processes" in client.get("/learn/predictions").text


def test_the_squares_to_choose_are_those_that_win_fastest_or_hold_longest() -> None:
    kinds = []
    for text, question in zip(predictions.TO_CHOOSE, predictions.choosing().questions, strict=True):
        found = predict(parse_position(text, TIC_TAC_TOE))
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
    answer = predictions.scattering().questions[0].judge("smallest")
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


def test_one_steps_up_and_down_and_is_asked_first(client: FlaskClient) -> None:
    text = client.get("/learn/predictions?moves=a1b1&rise=2").text
    assert "L2</b>" in text.partition('id="rising"')[2]
    assert "What is X's move c3 worth, one ply above?" in text
    for step in (1, 3):
        assert f"/learn/predictions?moves=a1b1&amp;rise={step}#rise" in text
    assert "the prediction for the position" in client.get("/learn/predictions?moves=a1b1&rise=9").text
    assert 'id="rising"' not in client.get("/learn/predictions?board=4x3x3").text


@pytest.mark.parametrize("step", [1, 5, 6])
def test_the_slider_says_what_each_depth_sees_first(client: FlaskClient, step: int) -> None:
    told = {
        1: "1 ply: it sees nothing new.",
        5: "5 plies: after b3, c3, c1 it sees that X wins.",
        6: "6 plies: after a2 it sees that O wins.",
    }
    assert text_of(client, f"step={step}", "telling", "search").startswith(told[step])


def test_an_address_with_a_depth_begins_there(client: FlaskClient) -> None:
    assert text_of(client, "depth=4", "count", "search") == "4 of 4"
    assert text_of(client, "from=..X/OX./O..", "count", "search") == "1 of 5"


def test_how_far_to_look_is_the_first_depth_at_which_a_value_stays() -> None:
    for question in search.seeing().questions:
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
    } == hunt.PRINTED


def test_one_suspect_alone_explains_each_printed_value() -> None:
    for question, suspect in zip(
        hunt.hunting().questions, ("a2", "line8", "other", "a3", "players", "value0"), strict=True
    ):
        attempts = [*question.squares, *question.titles]
        assert [each for each in attempts if (found := question.judge(each)) and found.right] == [suspect]
    assert hunt.without(0b001_010_100) == haskell.WITHOUT_ANTI_DIAGONAL
    assert hunt.blind_values(0b001_010_100) == haskell.values_of(haskell.AFTER_CORNER, haskell.WITHOUT_ANTI_DIAGONAL)


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
    view = generic.LESSON.view(query, generic.LESSON.known(query))
    assert isinstance(view, generic.GenericView)
    return view


def value_rows(client: FlaskClient, query: str) -> dict[str, list[tuple[str, str]]]:
    """Return the table of values: the style and the text of each cell, by move."""
    text = client.get(f"/learn/search?{query}").text.partition("What if two in a row")[0]
    return {name: re.findall(r'<td class="(?:number value )?(\w*)">(.*?)</td>', row) for name, row in ROW.findall(text)}


def test_a_value_is_shown_from_where_it_is_certain(client: FlaskClient) -> None:
    found = {name: [text for _, text in cells] for name, cells in value_rows(client, "from=X../.../O..").items()}
    assert found["b3"] == ["0", "0", "0", "0", "+1", "+1", "+1", "5"]
    assert found["a2"][-3:-1] == ["−1", "−1"]
    assert found["b2"][-1] == "7 (the full board)"


def test_only_at_the_full_board_is_a_nought_a_draw(client: FlaskClient) -> None:
    short, whole = (value_rows(client, f"moves=a3a1&depth={depth}") for depth in (6, 7))
    assert short["b2"][-2] == ("", "0")
    assert whole["b2"][-2] == ("draw", "0")
    assert "not within 6" in {cells[-1][1] for cells in short.values()}


def test_the_depth_is_as_great_as_is_feasible_on_a_large_board() -> None:
    assert search.view({"board": "8x8x5"}).depth == 2


def test_a_finished_game_has_no_look_ahead(client: FlaskClient) -> None:
    answer = client.get("/learn/search?moves=a3a2b3b2c3")
    assert answer.status_code == 200
    assert "X has won" in answer.text
    assert "What each ply costs" not in answer.text


def test_the_tree_is_drawn_to_the_level_asked_for() -> None:
    assert search.view({"from": "XX./.../..O", "tree": "0"}).tree == "XX./.../..O  0"
    assert search.view({"from": "XX./.../..O", "tree": "2"}).tree.count("XX") > 6


def test_the_published_game_shows_the_error_and_the_late_win(client: FlaskClient) -> None:
    # the game of "Minimax-based AI for the Tic-Tac-Toe game in Scala"
    text = client.get("/learn/generic").text
    assert [board.caption for board in generic_view({}).boards[4:6]] == [
        "5. X a3: mistake",
        "6. O a2: wins slower than it could",
    ]
    late = "At ply 6 O could win in 1 and takes a win in 3: without distance both count 1."
    assert re.findall(r"At ply .*? count 1\.", " ".join(text.split())) == [late]
    told = f"b3 would have held the draw. It lost because {reason_of('.../.O./XOX', 'a3').discreet.clause}"
    assert f"<p>a3 was X&#39;s mistake: {told}</p>" in text
    assert len(generic_view({}).boards) == 9


def test_any_game_can_be_replayed(client: FlaskClient) -> None:
    text = client.get("/learn/generic?board=4x3x3&moves=b2c2").text
    assert "1. X b2: " in text
    assert "At ply 6" not in text
    assert re.search(r'name="moves" value="b2c2"', text)


@pytest.mark.parametrize(
    ("board", "nodes", "value"),
    [
        ("3x3x3", "549,946", "draw"),
        pytest.param("4x3x3", "276,911,233", "X wins", marks=pytest.mark.slow),
        ("1x1x1", "2", "X wins"),
    ],
)
def test_the_whole_tree_of_a_small_board_is_counted(client: FlaskClient, board: str, nodes: str, value: str) -> None:
    text = " ".join(client.get(f"/learn/generic?minimax={board}").text.split())
    assert f"<b>{nodes}</b> nodes before its first move and finds: <b>{value}</b>" in text


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


def test_a_node_that_is_cut_is_grey_and_the_sentence_says_why(client: FlaskClient) -> None:
    text = client.get("/learn/alphabeta?step=15").text
    assert text_of(client, "step=15", "telling").endswith("So c2 is cut: α = 0 ≥ β = −8.")
    assert len(re.findall(r'class="node \w+ is-cut', text)) == 2
    assert 'class="line on">                break' in text


def test_all_three_searches_are_counted_side_by_side(client: FlaskClient) -> None:
    counts = {each: int(text_of(client, "step=19", f"count-{each}")) for each in Search}
    assert counts == {Search.MINIMAX: 11, Search.LAZY: 9, Search.ALPHABETA: 9}
    assert int(text_of(client, "order=best&step=1", "count-alphabeta")) == 1


def test_an_answer_is_judged_where_something_is_asked(client: FlaskClient) -> None:
    assert text_of(client, "step=13", "asked") == "b3 has −8. Are O's other moves here worth a look?"
    href = page(client, "/learn/alphabeta?step=13").elements["answer1"]["href"]
    assert href is not None
    assert text_of(client, href.removeprefix("?"), "verdict").startswith("Right: X is sure of something")
    assert text_of(client, "step=14&guess=0", "verdict").startswith("Not quite: X is sure of something")


def test_each_position_on_offer_can_be_watched(client: FlaskClient) -> None:
    for parts, each in zip(alphabeta.PRESETS.values(), cycle(Search), strict=False):
        answer = client.get("/learn/alphabeta", query_string={**parts, "search": each})
        assert answer.status_code == 200
        assert "Done." in answer.text


def test_what_nobody_asks_for_stays_a_thunk(client: FlaskClient) -> None:
    text = client.get("/learn/alphabeta?search=lazy&step=19").text
    assert "<code>solver/articles/lookahead.py</code>" in text
    assert len(re.findall(r'is-cut.*?class="value"[^>]*>…<', text, re.DOTALL)) == 2


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("step=1", "From b3 to the right: b3, then c3 is X's."),
        ("step=5", "From b3 down: b3, b2, b1. That is 3 in a row: O has a line."),
        ("board=4x2x2&moves=d1a1&step=2", "From a1 down: a1, then the board ends."),
        ("board=4x2x2&moves=d1a1&step=1", "From a1 to the right: a1, then b1 is empty."),
    ],
)
def test_a_line_is_looked_for_from_each_stone_on_any_board(client: FlaskClient, query: str, told: str) -> None:
    assert text_of(client, query, "telling", "generic") == told


def test_a_board_without_stones_has_nothing_to_walk_from(client: FlaskClient) -> None:
    text = client.get("/learn/generic?board=3x3x2").text
    assert "There's no stone yet" in text
    assert 'id="film"' not in text


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
    plain, leaving = (lazy.worked_out(position, depth, choices) for choices in (lazy.PLAIN, lazy.LEAVING))
    assert plain.value == leaving.value == whole.value(depth)
    assert len(plain.made) == whole.size(depth)
    assert len(leaving.made) == lazy_visits(position, depth)


def test_static_is_never_asked_about_a_position_with_moves_in_the_tree() -> None:
    worked = lazy.worked_out(pipeline.SMALL, pipeline.PRUNED)
    assert all(each.result or each.plies_left == pipeline.SMALL.plies_left - pipeline.PRUNED for each in worked.valued)


def test_an_error_that_nobody_asks_for_is_never_met() -> None:
    assert lazy.minleq(1, pipeline.read((0, 2, 3, None)))  # "Alpha-beta search for tic-tac-toe in Haskell"
    with pytest.raises(pipeline.Undefined):
        lazy.minleq(1, pipeline.read((2, 3, None, 0)))
    assert list(lazy.mapmin(map(pipeline.read, ((0, 0), (-1, None), (1,))))) == [0, 1]


def test_the_lazy_quiz_takes_its_answers_from_the_programs() -> None:
    right = [question.shown.words.partition(".")[0] for question in pipeline.laziness().questions]
    assert right == ["True", "An error", "[0, 1]", "8", "5"]


@pytest.mark.parametrize(
    ("step", "valued", "told"),
    [
        (2, 0, "That's 11 positions, if anyone asked for all of them."),
        (3, 0, "prune 2 keeps 2 plies: 8 of the 11 positions."),
        (4, 8, "fmap static puts a number in place of each position"),
        (5, 8, "[0, −1, +1]"),
        (6, 8, "maximum takes the largest: +1. X plays c2."),
        (7, 5, "8 of 11 positions get made. static looks at the 5 ends."),
        (8, 7, "7 positions get made, 4 looked at."),
    ],
)
def test_each_stage_of_the_pipeline_is_drawn_and_told(client: FlaskClient, step: int, valued: int, told: str) -> None:
    assert told in text_of(client, f"step={step}", "telling", "pipeline")
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
    question = generic.deciding().questions[2]
    assert [name for name in question.titles if (answer := question.judge(name)) and answer.right] == ["person"]


def test_the_quiz_asks_for_the_late_win_that_the_program_takes() -> None:
    question = generic.deciding().questions[1]
    right = [name for name in question.squares if (answer := question.judge(name)) and answer.right]
    assert right == ["a2"]
