"""The shipped certificate of Qubic, four in a row on 4×4×4 in space, and the book of what it proves."""

import gzip
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import parse_position, parse_rules
from solver.board.outcome import DRAWN
from solver.board.position import Mark, Position
from solver.catalogue import check
from solver.catalogue.certify import proofs_by
from solver.catalogue.check import Certificate, ThreatSearch, check_certificate, read_certificate, replies_to
from solver.catalogue.games import game_named
from solver.catalogue.make import prove_game
from solver.cli import main
from solver.proofs.store import shipped_books
from solver.reasons.planning import Effort, OpenLines, sequence
from solver.search.budget import Budget
from solver.search.minimax import minimax
from tests.marked import exhaustive
from tests.strategies import SMALL_BOARDS, SMALL_FAMILIES, drawn_games, examples, minimax_score, positions

SHIPPED = Path(check.__file__).with_name("qubic.jsonl.gz")


def shipped() -> Certificate:
    """Return the certificate."""
    with gzip.open(SHIPPED, "rt", encoding="ascii") as lines:
        return read_certificate(lines)


@pytest.mark.exhaustive
def test_the_certificate_proves_that_x_wins() -> None:
    assert check_certificate(shipped()) == "Proved by 4,573 steps and by threats: on 4x4x4x4 X wins."


@pytest.mark.parametrize("seed", [0, *exhaustive(1, 2, 3)])
def test_x_who_follows_the_certificate_wins_every_game(seed: int) -> None:
    certificate, rng = shipped(), random.Random(seed)
    steps, threats = certificate.steps, certificate.threats
    assert threats is not None
    for _ in range(10):
        position = Position(certificate.rules)
        while position in steps or len(position.threats(Mark.O)) == 1:
            cell = steps[position][0] if position in steps else position.threats(Mark.O)[0]
            after = position.play(cell)
            assert not after.threats(Mark.O)
            blocks = after.threats(Mark.X)
            if after.winning_lines or len(blocks) > 1:
                break
            replies = [after.after(block).canonical() for block in blocks] or replies_to(after)
            told = [reply for reply in replies if reply in steps]
            position = rng.choice(told if told and rng.random() < 0.9 else replies)
        else:
            assert threats.win(position.x, position.o)


def test_the_command_writes_the_shipped_certificate(tmp_path: Path) -> None:
    lines = tmp_path / "qubic.jsonl"
    assert main(["certify", "4x4x4x4", "--output", str(lines)]) == 0
    assert lines.read_bytes() == gzip.decompress(SHIPPED.read_bytes())


def test_a_game_with_a_shipped_certificate_is_proved_by_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[Certificate]()
    monkeypatch.setattr("solver.catalogue.make.check_certificate", read.append)
    game = prove_game(parse_rules("4x4x4x4"), Budget(nodes=0))
    assert [len(certificate.steps) for certificate in read] == [4573]
    assert (game.outcome, game.proof) == (game_named("4x4x4x4").outcome, "threats")


def test_the_book_holds_what_the_certificate_proves() -> None:
    proofs = dict(proofs_by(shipped()))
    some = dict([*proofs.items()][::100])
    assert shipped_books().bounds_of(some) == some


def test_a_book_of_a_certificate_holds_true_bounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines, book = tmp_path / "4x3x3.jsonl", tmp_path / "4x3x3.sqlite"
    assert main(["certify", "4x3x3", "--output", str(lines)]) == 0
    assert main(["check", str(lines), "--book", str(book)]) == 0
    assert "X wins" in capsys.readouterr().out
    assert book.exists()
    for position, bounds in proofs_by(read_certificate(lines.read_text().splitlines())):
        if position.plies_left < 8:
            assert bounds.lower <= minimax(position).score <= bounds.upper


BOARDS = st.sampled_from([*SMALL_BOARDS, *SMALL_FAMILIES, *map(parse_rules, ("4x4x3", "5x4x4", "4x4x4-torus"))])
GAMES = positions(BOARDS | drawn_games(), max_empty=8).filter(lambda position: position.result is None)
LARGER = positions(st.sampled_from([*map(parse_rules, ("5x5x4", "6x6x4", "5x5x4-torus", "4x4x3"))]))


def wins(position: Position) -> bool:
    return ThreatSearch(position.rules).win(position.own, position.other)


@examples(400)
@given(position=GAMES)
def test_who_wins_by_threats_wins(position: Position) -> None:
    if wins(position):
        assert minimax_score(position) > DRAWN


@examples(400)
@given(position=LARGER.filter(lambda position: position.result is None))
def test_the_search_for_plans_finds_the_same_wins(position: Position) -> None:
    plies = position.plies_left
    lines = OpenLines.of(position.rules, position.own, position.other, plies)
    assert wins(position) == (sequence(lines, plies, Effort(1 << 20)) is not None)


@pytest.mark.parametrize(
    ("board", "text", "found"),
    [
        ("3x3x3", "XX./.../OO.", True),  # a line at once
        ("3x3x3", "X../.O./...", False),
        ("3x3x3", "X.O/.O./..X", True),  # the block threatens two lines
        ("3x3x3", "XO./.O./..X", False),  # every block threatens one line, and is blocked in turn
        ("4x4x3", "..../.X../..../...O", True),
    ],
)
def test_a_win_by_threats_is_found(board: str, text: str, found: bool) -> None:
    assert wins(parse_position(text, parse_rules(board))) == found
