"""The lessons on the game itself: their pages and pictures show what the solver computes."""

from collections.abc import Iterator
from itertools import chain
from math import factorial

import pytest
from flask.testing import FlaskClient

from solver.articles.census import orders
from solver.articles.graph import wins_by_threats
from solver.articles.openings import forced_wins, forced_wins_tree, tic_tac_toe_openings, worth
from solver.articles.patterns import drawn_boards
from solver.articles.reduced import reduced_tree
from solver.board.notation import format_cell, parse_cell, parse_position
from solver.board.position import Position
from solver.search.minimax import minimax
from tests.strategies import TIC_TAC_TOE
from tests.web.conftest import unit_named
from webapp.pages.learn.facts import openings, tree
from webapp.pages.learn.facts.forks import view_forks
from webapp.pages.learn.quiz import Question


def questions_of(name: str, skill: str) -> list[Question]:
    return [item() for item in unit_named(name).skill(skill).items]


def test_every_losing_reply_is_punished_by_a_threat_a_block_and_a_fork() -> None:
    lost = [reply.position for opening in tic_tac_toe_openings().values() for reply in opening.losing]
    assert len(questions_of("openings", "punish")) == len(lost) == 7
    for question in questions_of("openings", "punish"):
        assert question.board
        position = question.board.position
        lost.remove(position)
        assert set(_right_ways(question)) == {
            tuple(format_cell(cell, TIC_TAC_TOE) for cell in way.moves) for way in forced_wins(position)
        }


def _right_ways(question: Question) -> Iterator[tuple[str, ...]]:
    """Yield every series of right answers to a question and those that follow from it."""
    for square in question.squares:
        answer = question.answers.get(square)
        if answer and answer.right:
            yield from ((square, *rest) for rest in (_right_ways(answer.then) if answer.then else [()]))


@pytest.mark.parametrize("quiz", ["reply", "trap"])
def test_a_square_is_safe_if_it_holds_the_draw(quiz: str) -> None:
    for question in questions_of("openings", quiz):
        if question.titles or not question.board:
            continue
        position = question.board.position
        for square in question.squares:
            after, answer = position.after(parse_cell(square, position.rules)), question.answers.get(square)
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


def test_every_fork_is_drawn_with_its_threats_marked() -> None:
    view = view_forks({})
    for board in chain(*view["two"].values(), *view["more"].values()):
        marked = [number for number, square in enumerate(board.squares) if "threat" in square.classes]
        assert tuple(marked) == board.position.threats()
        assert all(board.squares[number].letter == "!" for number in marked)


@pytest.mark.parametrize(
    ("play", "counts", "more"), [("all", {5: 36, 6: 14, 7: 12}, 10), ("forced", {5: 36, 6: 14, 7: 9}, 0)]
)
def test_forks_are_shown_by_ply(client: FlaskClient, play: str, counts: dict[int, int], more: int) -> None:
    view = view_forks({"play": play})
    assert {ply: len(boards) for ply, boards in view["two"].items()} == counts
    assert sum(map(len, view["more"].values())) == more
    told = client.get(f"/learn/clojure?play={play}").text.partition('<details class="catalogue">')[2]
    assert told.partition("</details>")[0].count("<figure") == sum(counts.values()) + more


def test_every_pattern_is_made_in_the_quiz_by_its_last_stone() -> None:
    questions = questions_of("draws", "last")
    answers = [answer for question in questions for answer in map(question.answers.get, question.squares) if answer]
    drawn = [answer for answer in answers if answer.board and answer.board.position in drawn_boards(TIC_TAC_TOE)]
    assert drawn == [answer for answer in answers if answer.right]
    assert {answer.words.rpartition(" ")[2] for answer in drawn} == {"scorpion.", "arrow.", "island."}


def test_each_board_after_two_moves_merges_into_an_image_of_itself() -> None:
    def position(second: tree.Second) -> Position:
        return Position(TIC_TAC_TOE).after(second.x).after(second.o)

    every, turned, mirrored = tree.draw_merging({})
    assert (every.left, turned.left, mirrored.left) == (72, 24, 12)
    for boards in zip(every.boards, turned.boards, mirrored.boards, strict=True):
        assert len({position(board).canonical() for board in boards}) == 1
    assert "5 replies to a corner, 5 to an edge and 2 to the centre" in mirrored.words
    assert len({board.place for board in every.boards}) == 72


def test_two_boards_are_the_same_if_a_turn_or_a_mirror_makes_one_the_other() -> None:
    judged = []
    for question in questions_of("same", "pairs"):
        assert question.board
        assert question.beside
        answer = question.answers.get("same")
        assert answer
        judged.append(answer.right)
        assert answer.right == (question.board.position.canonical() == question.beside.position.canonical())
        assert not answer.right or answer.board == question.beside
    assert judged.count(True) == judged.count(False)


def test_the_orders_of_moves_are_the_orders_of_each_players_marks() -> None:
    for text in ("XO./..X/...", "XO./.XO/...", "XO./OX./.X."):
        position = parse_position(text)
        assert len(orders(position)) == factorial(position.x.bit_count()) * factorial(position.o.bit_count())
