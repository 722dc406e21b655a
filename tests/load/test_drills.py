"""All files of drills are made again, which takes minutes. The usual tests make those of two boards."""

import pytest

from solver.analysis.drills import BOARDS
from solver.analysis.drills.known import DATA
from solver.analysis.drills.make import lines
from solver.board.rules import Rules


@pytest.mark.parametrize("rules", [rules for rules in BOARDS if rules.size > 9], ids=str)
def test_the_shipped_files_are_made_again_to_the_letter(rules: Rules) -> None:
    assert [*lines(rules)] == (DATA / f"{rules}.txt").read_text(encoding="ascii").splitlines()
