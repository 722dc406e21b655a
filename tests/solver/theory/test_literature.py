"""What the dropdown says of boards, recomputed."""

import pytest

from solver.board.notation import parse_rules
from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import Rules
from solver.search.engine import KERNEL
from solver.search.exact import proved_score
from solver.theory.literature import KNOWN, known_value

NOT_PROVED_HERE = parse_rules("8x8x5")
"""Its proof took its authors 17.4 hours."""

SLOW = {parse_rules("7x7x5")} if KERNEL == "interpreted" else set()


@pytest.mark.slow
@pytest.mark.parametrize("rules", [rules for rules in KNOWN if rules != NOT_PROVED_HERE and rules not in SLOW], ids=str)
def test_what_is_known_of_a_board_is_what_the_solver_proves(rules: Rules) -> None:
    score = proved_score(Position(rules)).score
    assert score is not None
    assert KNOWN[rules] == Outcome.of_score(score, rules.size)


@pytest.mark.parametrize(
    ("board", "words"), [("5x5x4", "draw"), ("6x5x4", "X wins in 6 moves"), ("8x8x5", "draw"), ("7x2x3", "")]
)
def test_what_is_known_is_said_in_words(board: str, words: str) -> None:
    assert known_value(parse_rules(board)) == words
