"""The shipped certificate of Qubic, four in a row on 4×4×4 in space, and the book of what it proves."""

import gzip
from pathlib import Path

import pytest

from solver.atlas import check
from solver.atlas.certify import proofs_by
from solver.atlas.check import checked, read_certificate
from solver.atlas.games import game_named
from solver.board.outcome import Value
from solver.cli import main
from solver.proofs.store import shipped_books
from solver.search.minimax import minimax

SHIPPED = Path(check.__file__).with_name("qubic.jsonl.gz")


@pytest.mark.slow
def test_the_certificate_proves_that_x_wins() -> None:
    with gzip.open(SHIPPED, "rt", encoding="ascii") as lines:
        assert checked(read_certificate(lines)) == "Proved by 4,573 steps and by threats: on 4x4x4x4 X wins."


def test_the_atlas_says_so_too() -> None:
    game = game_named("4x4x4x4")
    assert (game.outcome.value, game.outcome.plies, game.proof) == (Value.WIN, None, "threats")
    assert game.words == "X wins in at most 32 moves (63 plies)"


def test_the_book_holds_what_the_certificate_proves() -> None:
    with gzip.open(SHIPPED, "rt", encoding="ascii") as lines:
        proofs = dict(proofs_by(read_certificate(lines)))
    some = dict([*proofs.items()][::100])
    assert shipped_books().bounds_of(some) == some


def test_a_book_of_a_certificate_holds_true_bounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines, book = tmp_path / "4x3x3.jsonl", tmp_path / "4x3x3.sqlite"
    assert main(["certify", "4x3x3", "--output", str(lines)]) == 0
    assert main(["check", str(lines), "--book", str(book)]) == 0
    assert "X wins" in capsys.readouterr().out
    assert book.exists()
    for position, bounds in proofs_by(read_certificate(lines.read_text().splitlines())):
        if position.plies_left < 10:
            assert bounds.lower <= minimax(position).score <= bounds.upper
