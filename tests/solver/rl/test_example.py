"""The learner of the documented example gives nothing away after a while."""

import runpy
import time
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "self_play.py"


@pytest.mark.parametrize("board", ["3x3x3", "3x3x3-misere"])
def test_it_learns_a_small_board_without_a_mistake(board: str) -> None:
    assert runpy.run_path(str(EXAMPLE))["main"](board, steps=800, games=50) == 0


@pytest.mark.slow
def test_it_learns_the_small_sister_of_connect_four_in_a_minute() -> None:
    began = time.process_time()
    assert runpy.run_path(str(EXAMPLE))["main"]() == 0
    assert time.process_time() - began <= 60
