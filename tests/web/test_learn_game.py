"""The lessons on the game itself: their pages and pictures show what the solver computes."""

import re
from collections.abc import Iterator
from itertools import chain
from math import factorial

import pytest
from flask.testing import FlaskClient

from solver.articles.census import Stage, orders
from solver.articles.census import census as census_of
from solver.articles.graph import wins_by_threats
from solver.articles.openings import forced_wins, forced_wins_tree, tic_tac_toe_openings, worth
from solver.articles.patterns import drawn_boards, fillings, lines_held
from solver.articles.reduced import best_replies, is_settled, reduced_tree, scores
from solver.board.game import Pattern
from solver.board.notation import format_cell, format_moves, parse_cell, parse_position, parse_rules
from solver.board.position import Mark, Position
from solver.pictures.poster import BestReply
from solver.search.minimax import minimax
from tests.strategies import TIC_TAC_TOE
from tests.web.test_pages import page
from webapp.pages.learn.lessons import beaten, census, draws, forks, openings, reduced, same
from webapp.pages.learn.quiz import Asking


@pytest.mark.parametrize("holds", Mark)
def test_the_picture_has_a_column_for_every_game_and_none_that_is_lost(holds: Mark) -> None:
    shown = beaten.view({"holds": holds})
    columns = {style: path.count("M") for style, path in shown.games.boxes.items() if style != "open"}
    assert columns == {"win": shown.every.won, "draw": shown.every.drawn}
    assert (shown.every.lost, shown.other.lost) == (0, 0)


def test_the_games_that_are_left_are_those_after_the_moves_played() -> None:
    def left(moves: str) -> int:
        return beaten.view({"moves": moves}).left.games

    assert left("") == sum(left(cell) for cell in beaten.view({}).open)
    assert left("a3") == sum(left(moves) for moves in beaten.view({"moves": "a3"}).open.values())


@pytest.mark.parametrize("moves", ["", "b2", "b2a1"])
def test_the_games_that_are_left_are_lit_in_the_picture(client: FlaskClient, moves: str) -> None:
    shown = beaten.view({"moves": moves, "guess": "no"})
    share = (shown.games.right - shown.games.left) / shown.games.width
    assert share == pytest.approx(shown.left.games / shown.every.games, abs=1e-4)
    text = client.get(f"/learn/beaten?guess=no&moves={moves}").text
    assert re.findall(r'<li class="now">X: (..)</li>', text) == list(shown.played)
    assert (f"{shown.left.games} games ▾" in text or f"▾ {shown.left.games} games" in text) == bool(moves)


def test_one_plays_a_game_square_by_square_and_never_wins(client: FlaskClient) -> None:
    def played(advice: BestReply, moves: tuple[int, ...]) -> beaten.BeatenView:
        cell = next(iter(advice.answers), None)
        if cell is None:
            return beaten.view({"moves": format_moves(moves, TIC_TAC_TOE)})
        return played(advice.answers[cell], (*moves, cell))

    over = played(beaten.answers(Mark.O), ())
    assert over.board.position.result in ("O", "draw")
    assert over.open == {}
    links = page(client, "/learn/beaten").links
    assert {f"/learn/beaten?moves={name}" for name in beaten.view({}).open} <= set(links)
    assert '<p class="said" role="status">\n<b>' in client.get(f"/learn/beaten?moves={over.moves}").text


def test_every_losing_reply_is_punished_by_a_threat_a_block_and_a_fork() -> None:
    lost = [reply.position for opening in tic_tac_toe_openings().values() for reply in opening.losing]
    assert len(openings.LESSON.quizzes["punish"]().questions) == len(lost) == 7
    for position, question in zip(lost, openings.LESSON.quizzes["punish"]().questions, strict=True):
        assert set(_right_ways(question)) == {
            tuple(format_cell(cell, TIC_TAC_TOE) for cell in way.moves) for way in forced_wins(position)
        }


def _right_ways(question: Asking) -> Iterator[tuple[str, ...]]:
    """Yield every series of right answers to a question and those that follow from it."""
    for square in question.squares:
        answer = question.judge(square)
        if answer and answer.right:
            yield from ((square, *rest) for rest in (_right_ways(answer.then) if answer.then else [()]))


@pytest.mark.parametrize("quiz", ["reply", "trap"])
def test_a_square_is_safe_if_it_holds_the_draw(quiz: str) -> None:
    for question in openings.LESSON.quizzes[quiz]().questions:
        if question.titles or not question.board:
            continue
        position = question.board.position
        for square in question.squares:
            after, answer = position.after(parse_cell(square, position.rules)), question.judge(square)
            assert answer
            assert answer.right == (minimax(after).score == 0)
            assert answer.right or (answer.board and wins_by_threats(answer.board.position))


def test_the_opposite_corner_risks_nothing_and_the_opposite_edge_does() -> None:
    def ends(name: str) -> set[int]:
        tree = reduced_tree(parse_position(openings.TRAPS[name], TIC_TAC_TOE))
        return {worth(node) for node in tree.nodes if not tree.children(node)}

    assert ends("opposite corner") == {0, 1}
    assert ends("opposite edge") == {-1, 0, 1}


def test_the_diagram_of_forced_wins_has_every_fork_that_can_be_forced_and_nothing_else() -> None:
    for opening in tic_tac_toe_openings().values():
        graph = forced_wins_tree(opening.position)
        ends = {node.canonical() for node in graph.nodes if not graph.children(node)}
        assert ends == {way.fork.canonical() for reply in opening.losing for way in forced_wins(reply.position)}
        assert all(map(wins_by_threats, ends))
        replies = {node.canonical() for node in graph.children(opening.position)}
        assert replies == {reply.position.canonical() for reply in opening.losing}


def test_a_sign_says_what_minimax_says() -> None:
    stops = openings.jungle().stops
    assert len(stops) == 1 + 3 + 2 * 3
    assert {stop.kind for stop in stops if stop.end} == {"win", "draw", "loss"}
    first, *behind = stops
    forks = [stop for stop in behind if not stop.end]
    ends = [stop for stop in behind if stop.end]
    for index, fork in enumerate(forks):
        assert fork.value == min(end.value for end in ends[2 * index : 2 * index + 2])
    assert first.value == max(fork.value for fork in forks)
    score = minimax(parse_position(openings.jungle().text, TIC_TAC_TOE)).score
    assert first.value == (score > 0) - (score < 0)  # X is to move


def test_every_fork_is_drawn_with_its_threats_marked() -> None:
    view = forks.view({})
    for board in chain(*view.two.values(), *view.more.values()):
        marked = [number for number, square in enumerate(board.squares) if "threat" in square.classes]
        assert tuple(marked) == board.position.threats()
        assert all(board.squares[number].letter == "!" for number in marked)


@pytest.mark.parametrize(
    ("play", "counts", "more"), [("all", {5: 36, 6: 14, 7: 12}, 10), ("forced", {5: 36, 6: 14, 7: 9}, 0)]
)
def test_forks_are_shown_by_ply(client: FlaskClient, play: str, counts: dict[int, int], more: int) -> None:
    view = forks.view({"play": play})
    assert {ply: len(boards) for ply, boards in view.two.items()} == counts
    assert sum(map(len, view.more.values())) == more
    assert client.get(f"/learn/forks?play={play}").text.count("<figure") == sum(counts.values()) + more


def test_draws_shows_all_boards_the_table_and_who_is_ahead() -> None:
    view = draws.view({})
    assert [len(boards) for boards in view.patterns.values()] == [8, 4, 4]
    assert [tuple(forced.values()) for forced in view.forceable.values()] == [
        (True, True, True),
        (False, True, False),
        (False, False, True),
        (True, False, False),
    ]
    assert (view.lead, view.through, view.mended) == (1, ("edge",), (Pattern.SCORPION,))


def test_every_pattern_is_made_in_the_quiz_by_its_last_stone() -> None:
    questions = [question for question in draws.LESSON.quizzes["draw"]().questions if "last stone" in question.words]
    answers = [answer for question in questions for answer in map(question.judge, question.squares) if answer]
    drawn = [answer for answer in answers if answer.board and answer.board.position in drawn_boards(TIC_TAC_TOE)]
    assert drawn == [answer for answer in answers if answer.right]
    assert [answer.words.rpartition(" ")[2] for answer in drawn] == ["scorpion.", "arrow.", "island."]


@pytest.mark.slow
def test_full_boards_are_sorted_out_to_the_drawn_ones(client: FlaskClient) -> None:
    cases = fillings()
    assert sum(each.boards for each in cases) == 126
    assert sum(each.drawn for each in cases) == len(drawn_boards(TIC_TAC_TOE)) == 16
    for each in cases:
        assert each.drawn <= each.blocked <= each.boards
        assert (lines_held(each.example.o) == 8) == (each.blocked > 0)
        assert (each.example in drawn_boards(TIC_TAC_TOE)) == (each.drawn > 0)
    text = client.get("/learn/draws").text
    assert "Why there are 16" in text
    assert f"{sum(each.blocked for each in cases)} of them they stop all eight lines" in text.replace("\n", " ")


@pytest.mark.slow
def test_the_census_counts_another_board(client: FlaskClient) -> None:
    text = client.get("/learn/census?board=4x3x3").text
    assert '<option value="4x3x3" selected>4×3, three in a row</option>' in text
    assert "276,911,233" in text


@pytest.mark.parametrize("board", ["3x3x3", "2x2x2", "1x1x1"])
def test_the_flow_loses_at_each_cut_what_the_stages_differ_by(board: str) -> None:
    counted = tuple(census_of(parse_rules(board), stage) for stage in Stage)
    bands = list(census.flow(counted))
    assert [band.nodes for band in bands] == [each.nodes for each in counted]
    assert bands[0].nodes - sum(band.lost for band in bands) == counted[-1].nodes
    assert all(0 < band.kept <= census.FLOW_WIDTH for band in bands)
    assert all((band.kept < census.FLOW_WIDTH) == (band.lost > 0) for band in bands)


def test_only_the_pure_walk_can_remember() -> None:
    table = census.view_walks().plies
    cut, distinct = (census_of(TIC_TAC_TOE, stage) for stage in (Stage.WON_CUT, Stage.DUPLICATES))
    assert [pure for pure, _ in table] == [tally.total for tally in cut.plies]
    assert [shared for _, shared in table] == [tally.total for tally in distinct.plies]


def test_the_two_walks_are_shown_without_signature_and_docstring() -> None:
    shown = census.view_walks()
    assert shown.pure.startswith("nodes = ")
    assert shown.shared.startswith("table[")


def test_the_census_says_what_each_cut_takes_away(client: FlaskClient) -> None:
    text = client.get("/learn/census").text
    for lost in ("−436,464 (44.2%)", "−544,468 (99.0%)", "−4,713 (86.0%)", "−376 (49.2%)"):
        assert lost in text
    shown = page(client, "/learn/census")
    assert all(link[1:] in shown.elements for link in shown.links if link.startswith("#"))


def test_each_board_after_two_moves_merges_into_an_image_of_itself() -> None:
    def position(second: census.Second) -> Position:
        return Position(TIC_TAC_TOE).after(second.x).after(second.o)

    every, turned, mirrored = census.merging()
    assert (every.left, turned.left, mirrored.left) == (72, 24, 12)
    for boards in zip(every.boards, turned.boards, mirrored.boards, strict=True):
        assert len({position(board).canonical() for board in boards}) == 1
    assert "5 replies to a corner, 5 to an edge and 2 to the centre" in mirrored.words
    assert len({board.place for board in every.boards}) == 72


def test_two_orders_come_to_one_board() -> None:
    one, other = same.view({}).ways.values()
    assert one[-1].position == other[-1].position
    assert [each.position for each in one[1:-1]] != [each.position for each in other[1:-1]]


def test_each_image_has_its_stones_where_its_numbers_have_gone() -> None:
    view = same.view({"from": "X../.O./..X"})
    for image in view.images:
        for cell, to in enumerate(image.symmetry):
            assert image.position.mark_at(to) == view.position.mark_at(cell)
    assert sum(not image.same for image in view.images) == view.distinct == 2
    assert any(image.chosen for image in view.images)


def test_two_boards_are_the_same_if_a_turn_or_a_mirror_makes_one_the_other() -> None:
    judged = []
    for question in same.LESSON.quizzes["pairs"]().questions:
        assert question.board
        assert question.beside
        answer = question.judge("same")
        assert answer
        judged.append(answer.right)
        assert answer.right == (question.board.position.canonical() == question.beside.position.canonical())
        assert not answer.right or answer.board == question.beside
    assert judged.count(True) == judged.count(False)


def test_the_orders_of_moves_are_the_orders_of_each_players_marks() -> None:
    for text in ("XO./..X/...", "XO./.XO/...", "XO./OX./.X."):
        position = parse_position(text)
        assert len(orders(position)) == factorial(position.x.bit_count()) * factorial(position.o.bit_count())


def test_the_reduced_tree_shows_each_node_of_the_branch_once(client: FlaskClient) -> None:
    for name, nodes in (("corner", 28), ("edge", 95), ("centre", 16)):
        text = client.get(f"/learn/reduced?opening={name}").text
        assert re.findall(r'id="n(\d+)"', text) == [str(number) for number in range(1, nodes + 1)]
        links = re.findall(r'href="#(n\d+)"', text)  # to positions that were shown before
        assert links or name != "edge"
        assert all(text.index(f'id="{link}"') < text.index(f'href="#{link}"') for link in links)


def test_the_way_of_averaging_changes_scores_and_best_path() -> None:
    for count, score, choices in (("all", "501/560", 4), ("distinct", "1013/1200", 0)):
        view = reduced.view({"count": count})
        assert str(view.tree.score) == score
        assert len(view.choices) == choices


@pytest.mark.parametrize("opening", ["corner", "edge", "centre"])
def test_the_best_path_begins_with_the_opening_that_is_shown(opening: str) -> None:
    first, reply, *_ = reduced.view({"opening": opening}).path
    root = tic_tac_toe_openings()[opening].position
    assert first.position == root
    assert reply.position in best_replies(reduced_tree(root), scores(root), root)


def test_the_quiz_stops_where_the_reduced_tree_does() -> None:
    answers = []
    for question in reduced.LESSON.quizzes["stop"]().questions:
        assert question.board
        position = question.board.position
        (right,) = (name for name in question.titles if (said := question.judge(name)) and said.right)
        assert (right != "trap") == is_settled(position)
        assert (right == "win") == (worth(position) > 0)
        assert (right == "trap") == bool(question.shown.board and wins_by_threats(question.shown.board.position))
        answers.append(right)
    assert set(answers) == {"win", "draw", "trap"}


def test_every_inner_node_has_a_best_child() -> None:
    def check(node: reduced.Node) -> None:
        assert not node.children or any(child.best for child in node.children)
        assert all(child.only == (len(node.children) == 1) for child in node.children)
        for child in node.children:
            check(child)

    check(reduced.view({"opening": "edge"}).tree)
