"""The library's questions: they answer what commands print, and take whatever means a position, a board or a player."""

import json
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import solver
from solver import Decision, NoughtsError, Position, Result, Rules
from solver.analysis.trial import asked_as
from tests.solver.conftest import Run
from tests.strategies import TIC_TAC_TOE, reachable


def first_free(position: Position) -> int:
    """Play the first open square in reading order."""
    return position.legal_moves[0]


class Cautious:
    """A player in the style of `STRATEGIES`: it draws among the best squares."""

    name = "cautious"

    def decide(self, position: Position) -> Decision:
        best = solver.predict(position).best
        return Decision(dict.fromkeys(best, Fraction(1, len(best))), "the best")


TABLE = {
    position: solver.format_cell(solver.predict(position).best[0], position.rules)
    for position in reachable(TIC_TAC_TOE)
    if position.result is None
}


@pytest.mark.parametrize(
    ("player", "unbeatable"),
    [
        ("impossible", True),
        ("win, block", False),
        (solver.STRATEGIES["rulebook"], True),
        (first_free, False),
        (lambda position: solver.format_cell(first_free(position), position.rules), False),
        (Cautious(), True),
        (TABLE, True),
        ({asked_as(position): move for position, move in TABLE.items()}, True),
    ],
    ids=["name", "list of rules", "strategy", "function to a cell", "function to a name", "object", "table", "texts"],
)
def test_a_player_of_any_kind_is_proved_unbeatable_or_beaten(player: Any, unbeatable: bool) -> None:
    proof = solver.prove(player)
    assert ([*proof], proof.unbeatable) == (["X", "O"], unbeatable)


def test_a_function_is_a_player_everywhere() -> None:
    assert solver.match(first_free, first_free, games=3) == {Result.X: 3}
    assert solver.match(Cautious(), "impossible", games=2) == {Result.DRAW: 2}
    assert solver.chances("X.O/.X./..O", first_free)[5] == 1
    assert solver.verify(first_free, side="O")["O"].counts == solver.prove(first_free, side="O")["O"].counts


def test_a_function_that_draws_by_chance_draws_anew_each_time() -> None:
    drawn = iter(range(9))
    games = solver.match(lambda _: next(drawn), first_free, "3x3x1", games=9, record=True)
    assert [game.moves for game in games] == [(cell,) for cell in range(9)]


def test_a_player_without_a_legal_move_is_broken_in_a_proof_and_refused_in_a_match() -> None:
    proof = solver.prove(lambda _: "a1", side="X")["X"]
    assert proof.problem is not None
    assert (proof.verdict, proof.problem.message) == ("broken", "a1 is taken: X stands there.")
    with pytest.raises(NoughtsError, match="a1 is taken"):
        solver.match(lambda _: "a1", first_free)


@pytest.mark.parametrize("board", ["connect four", "3x3x3-misere", Rules.from_lines(3, 3, ["a1b1c1"])], ids=str)
def test_a_proof_takes_every_game(board: Any) -> None:
    proof = solver.prove("easy", board, side="X", budget=solver.Budget(nodes=200))["X"]
    assert proof.rules == (board if isinstance(board, Rules) else solver.parse_rules(board))


def test_a_player_may_answer_with_a_column_where_stones_fall() -> None:
    def leftmost(position: Position) -> str:
        return str(1 + min(cell % 3 for cell in position.legal_moves))

    assert solver.prove(leftmost, "3x3x3-gravity", side="X")["X"].verdict == "beaten"


def test_a_verdict_prints_as_the_command_does(run: Run) -> None:
    _, printed, _ = run("verify", "seven-rules", "--side", "O")
    assert f"{solver.verify('seven-rules', side='O')}\n" == printed


def test_the_records_of_a_data_set_are_those_of_the_command(run: Run) -> None:
    _, printed, _ = run("dataset", "3x2x2")
    assert [*solver.dataset("3x2x2")] == [*map(json.loads, printed.splitlines())]
    assert len([*solver.dataset("5x5x4", sample=3, seed="1")]) == 3


def test_the_atlas_answers_for_all_boards_or_for_those_asked_about(run: Run) -> None:
    _, printed, _ = run("atlas")
    assert [f"{entry}" for entry in solver.atlas()] == [line.split()[0] for line in printed.splitlines()[1:]]
    assert [entry.words for entry in solver.atlas("tic-tac-toe", TIC_TAC_TOE)] == ["draw in 9 plies"] * 2


def test_a_certificate_is_checked_as_lines_a_text_or_a_file(tmp_path: Path) -> None:
    lines = [*solver.certify("4x3x3")]
    file = tmp_path / "4x3x3.jsonl"
    file.write_text("\n".join(lines), encoding="ascii")
    verdicts = [solver.check(given) for given in (lines, "\n".join(lines), file)]
    assert all(verdicts)
    assert {str(verdict).partition(" ")[0] for verdict in verdicts} == {"Proved"}


def test_a_certificate_with_a_step_missing_says_which() -> None:
    *lines, _ = solver.certify("4x3x3")
    verdict = solver.check(lines)
    assert not verdict
    assert str(verdict).startswith("Not proved: There is no step for X in ")


def test_rules_come_from_lines_and_shapes_that_one_draws() -> None:
    rules = Rules.from_lines(3, 3, ["a1b1c1", ("a1", "b2", "c3"), (6, 3, 0)])
    assert rules == solver.parse_rules("3x3x3-linesa1b1c1a1b2c3a1a2a3")
    assert Rules.from_shape(5, 5, ["b1", "b2", "c2", "c3"]) == Rules.from_shape(5, 5, "tippy")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Rules.from_lines(3, 3, []), "Draw a line at least"),
        (lambda: Rules.from_lines(3, 3, ["a1b1d1"]), "d1 isn't a square of a 3×3 board"),
        (lambda: Rules.from_lines(3, 3, ["a1b1c1", "a1b2"]), "The drawn line a1b2 has 2 different squares, not 3."),
        (lambda: Rules.from_shape(8, 8, "a1h8"), "These squares are no shape that can win"),
    ],
)
def test_what_makes_no_rules_is_refused_with_the_reason(make: Callable[[], Rules], said: str) -> None:
    with pytest.raises(NoughtsError) as refused:
        make()
    assert said in str(refused.value)


@pytest.mark.parametrize("given", [Position("4x3x3"), Rules(4, 3, 3), "4x3x3", "4x3x3 ............"], ids=repr)
def test_questions_take_a_position_rules_or_text(given: Any) -> None:
    assert solver.solve(given).outcome.plies == 7
    assert solver.predict(given).position == Position("4x3x3")
    assert solver.explain(given, "b2").verified


WRONG: tuple[Any, ...] = (5, None, 1.5, object(), ["b2"], b"b2")
ASKED: dict[str, Callable[[Any], Any]] = {
    "atlas": solver.atlas,
    "certify": solver.certify,
    "chances": lambda wrong: solver.chances(wrong, "easy"),
    "chances against": lambda wrong: solver.chances("XX./OO./...", wrong),
    "dataset": solver.dataset,
    "drills": solver.drills,
    "drills of a kind": lambda wrong: wrong is None or solver.drills("3x3x3", wrong),
    "explain": lambda wrong: solver.explain(wrong, "a1"),
    "explain a square": lambda wrong: wrong == 5 or solver.explain("3x3x3", wrong),
    "format_cell": lambda wrong: wrong == 5 or solver.format_cell(wrong, "3x3x3"),
    "format_columns": lambda wrong: solver.format_columns(wrong, "connect four"),
    "format_moves": lambda wrong: solver.format_moves(wrong, "3x3x3"),
    "format_position": solver.format_position,
    "match": lambda wrong: solver.match(wrong, "easy"),
    "match on": lambda wrong: solver.match("easy", "easy", wrong),
    "match of": lambda wrong: wrong == 5 or solver.match("easy", "easy", games=wrong),
    "parse_cell": lambda wrong: solver.parse_cell(wrong, "3x3x3"),
    "parse_game": lambda wrong: solver.parse_game(wrong, None, ""),
    "parse_game's moves": lambda wrong: solver.parse_game("3x3x3", None, wrong),
    "parse_position": solver.parse_position,
    "parse_record": solver.parse_record,
    "parse_rules": solver.parse_rules,
    "picture": solver.picture,
    "play": lambda wrong: wrong == 5 or Position("3x3x3").play(wrong),
    "Position": Position,
    "predict": solver.predict,
    "prove": solver.prove,
    "prove on": lambda wrong: solver.prove("easy", wrong),
    "prove a side": lambda wrong: solver.prove("easy", side=wrong),
    "review": solver.review,
    "solve": solver.solve,
    "tree": solver.tree,
    "verify": solver.verify,
}


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: type(wrong).__name__)
@pytest.mark.parametrize("asked", ASKED)
def test_any_other_value_is_refused_in_words(asked: str, wrong: Any) -> None:
    with suppress(NoughtsError):
        assert ASKED[asked](wrong) is True  # it is one of the values that the function takes


@pytest.mark.parametrize(
    "value",
    [
        solver.review("b2 b3"),
        solver.explain("X.O/.X./..O", "a2"),
        solver.drills("3x3x3", "block")[0],
        solver.prove(first_free, side="X"),
        solver.verify("win, block", side="O"),
        solver.check(['{"board": "3x3x3", "outcome": "draw"}']),
    ],
    ids=lambda value: type(value).__name__,
)
def test_notebooks_show_what_is_said_in_words(value: Any) -> None:
    assert value._repr_html_().startswith("<pre>")
    assert str(value).split("\n")[0].split("<")[0] in value._repr_html_()


def test_a_tree_is_a_picture() -> None:
    assert solver.tree("X.O/.X./..O")._repr_svg_().startswith("<svg")
    assert (solver.tree("3x3x3", distinct=True).dot or "").startswith("digraph")


def test_a_prompt_shows_values_in_few_words() -> None:
    values = (solver.tree("X.O/.X./..O"), solver.prove("easy", side="X"), solver.check(solver.certify("4x4x4")))
    assert all(len(repr(value)) < 500 for value in values)
