"""The examples that documents name do what they say; the learner's test stands with its environments."""

import subprocess
import sys
from pathlib import Path

import pytest

from solver.cli import main

GOMOCUP = [sys.executable, str(Path(__file__).parent / "examples" / "gomocup.py")]


def said(*lines: str) -> list[str]:
    """Return what the engine answers to the lines of a manager."""
    done = subprocess.run(GOMOCUP, input="\n".join(lines), capture_output=True, text=True, check=True, timeout=120)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_engine_plays_turn_by_turn_and_ends_when_told() -> None:
    ok, first, second, about, unknown = said(
        "START 5", "INFO timeout_turn 1000", "BEGIN", "TURN 0,1", "ABOUT", "SWAP2BOARD", "END", "BEGIN"
    )
    assert (ok, unknown) == ("OK", "UNKNOWN SWAP2BOARD")
    assert about.startswith('name="Noughts"')
    assert (first, len({first, second, "0,1"})) == ("2,2", 3)


def test_the_engine_completes_its_own_five_before_it_stops_another() -> None:
    ours, theirs = ([f"{column},{row},{side}" for column in range(4)] for row, side in ((0, 1), (2, 2)))
    assert said("START 5", "BOARD", *ours, *theirs, "DONE") == ["OK", "4,0"]


def test_the_engine_refuses_a_board_that_is_too_large() -> None:
    assert said("START 20") == ["ERROR boards of 5 to 8 squares a side only"]


def test_the_command_that_tests_engines_finds_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["prove", "--gomocup", "--board", "5x5x5", "--budget", "200n", "--", *GOMOCUP])
    assert code in {0, 3}, capsys.readouterr().err
