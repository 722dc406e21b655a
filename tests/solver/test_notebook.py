"""Values in a notebook, which a real kernel runs."""

import pytest

from solver.pictures.svg import LOSS, WIN

nbclient, written = pytest.importorskip("nbclient"), pytest.importorskip("nbformat.v4")
pytest.importorskip("ipykernel")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # what Jupyter warns of is its own

CELLS = (
    "from solver import Position, parse_game, predict, solve\npredict('4x3x3')",
    "Position('3x3x3').play('b2')",
    "parse_game('3x3x3', None, 'b2b3a1c2c3')",
    "solve('X.O/.X./..O')",
    "predict('X.O/.X./..O').outcome",
)


def test_a_notebook_shows_boards_and_words() -> None:
    notebook = written.new_notebook(cells=[written.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    *pictures, words = [cell.outputs[0].data for cell in notebook.cells]
    assert all(picture["image/svg+xml"].startswith("<svg") for picture in pictures)
    assert WIN in pictures[0]["image/svg+xml"]
    assert LOSS in pictures[3]["image/svg+xml"]
    assert (set(words), words["text/plain"]) == ({"text/plain"}, "Outcome(Value.DRAW, 5)")
