"""Commands on wild and vanishing games and on boards in space: they take them, or refuse them in one sentence."""

import json
import re

import pytest

from solver.analysis.dataset import every_position
from solver.analysis.proving import BotVerdict, asked_as, prove, table
from solver.board.names import format_cell, parse_rules
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from solver.errors import BadNotation
from solver.proofs.predict import predict
from solver.search.budget import Budget
from tests.solver.conftest import Run
from tests.strategies import reachable

VANISHING, STRICT, WILD = (parse_rules(f"3x3x3-{marks}") for marks in ("vanishing", "vanishing-strict", "wild"))


def best(position: Position) -> str:
    return format_cell(predict(position).best[0], position.rules)


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "mark"), [(VANISHING, Mark.O), (STRICT, Mark.X)], ids=str)
def test_a_perfect_player_of_a_game_without_end_is_unbeatable(rules: Rules, mark: Mark) -> None:
    proof = prove(best, mark, rules, budget=Budget(nodes=200_000))
    assert (proof.verdict, proof.counts, proof.slips) == (BotVerdict.UNBEATABLE, None, 0)


def test_a_beaten_player_of_a_game_without_end_gets_a_shortest_lost_game() -> None:
    def first(position: Position) -> str:
        return format_cell(position.legal_moves[0], position.rules)

    proof = prove(first, Mark.O, VANISHING)
    assert proof.verdict is BotVerdict.BEATEN
    assert proof.game
    assert len(proof.game.moves) == 5
    assert proof.game.last.result == "X"


def test_a_player_of_a_vanishing_game_is_asked_by_moves() -> None:
    position = Position(VANISHING)
    assert asked_as(position) == "-"
    for cell in ("b2", "a1", "a3", "c1", "b1", "b3", "c3"):
        position = position.play(cell)
    assert asked_as(position) == "a1a3c1b1b3c3"
    assert table({"-": "b2", "a1a3c1b1b3c3": "b2"}, VANISHING)(position) == "b2"
    with pytest.raises(BadNotation):
        table({"X../.../...": "b2"}, VANISHING)


def test_a_player_of_a_wild_game_answers_with_its_mark() -> None:
    assert prove(best, Mark.X, WILD).verdict is BotVerdict.UNBEATABLE
    broken = prove(lambda _: "b2", Mark.X, WILD)
    assert broken.problem
    assert "Say which one: Xb2 or Ob2" in broken.problem.message


def test_a_data_set_of_a_wild_game_has_every_marking() -> None:
    rules = parse_rules("2x2x2-wild")
    assert {*every_position(rules)} == {*reachable(rules)}


def test_a_vanishing_game_has_no_data_set(run: Run) -> None:
    code, _, error = run("dataset", "3x3x3-vanishing")
    assert code == 2
    assert "Rows don't show which stone on 3x3x3-vanishing is the oldest" in error


def test_a_match_without_end_is_broken_off(run: Run) -> None:
    code, printed, _ = run("match", "impossible", "impossible", "--board", "3x3x3-vanishing", "--games", "1")
    assert code == 0
    assert "drawn 1" in printed


@pytest.mark.parametrize("command", ["openings", "crosstable", "forks", "certify"])
@pytest.mark.parametrize("board", ["3x3x3-wild", "3x3x3-vanishing"])
def test_other_commands_refuse_in_one_sentence(run: Run, command: str, board: str) -> None:
    code, _, error = run(command, board)
    assert code == 2
    assert error.count("\n") == 1
    assert board in error


def test_answers_name_marks_and_layers(run: Run) -> None:
    _, wild, _ = run("predict", "--board", "3x3x3-wild", "Xb2Oa1", "--json")
    assert json.loads(wild)["best"] == ["Oc3"]
    _, space, _ = run("why", "--board", "3x3x3x3", "--moves", "b2.2", "--json")
    assert len(json.loads(space)["squares"]) == 26
    _, review, _ = run("review", "b2a1c3", "--board", "3x3x3-vanishing", "--json")
    assert [turn["after"] for turn in json.loads(review)["moves"]] == [{"outcome": "draw", "plies": None}] * 3


def test_layers_are_drawn_one_below_the_other(run: Run) -> None:
    _, printed, _ = run("predict", "--board", "2x2x2x2", "a1.1")
    assert printed.startswith("..\nX.\n\n..\n..\nO to move.")


def test_perfect_plays_where_hard_does_not(run: Run) -> None:
    code, printed, _ = run("play", "--board", "3x3x3-wild", "--x", "easy", "--seed", "1")
    assert code == 0
    assert "O (Perfect) plays" in printed


def test_a_position_says_which_stone_leaves_with_the_next_move(run: Run) -> None:
    printed = run("predict", "3x3x3-vanishing", "--moves", "b2a1c3a3b1b3")[1]
    assert printed.splitlines()[3] == "X to move; its stone on b2 leaves."
    assert run("predict", "3x3x3-vanishing", "--moves", "b2a1c3a3b1")[1].splitlines()[3] == "O to move."
    played = run("play", "--board", "3x3x3-vanishing", "--x", "easy", "--o", "easy", "--seed", "3")[1]
    assert re.search(r"X to move; its stone on .. leaves\.\nX \(Easy\) plays", played)
