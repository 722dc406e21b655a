"""The command line: predictions, matches and games in the terminal, streams of bytes, and the version."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from solver.board.notation import parse_position
from solver.kernel.engine import KERNEL
from solver.proofs.predict import predict
from solver.report import predict_report
from tests.solver.conftest import Run
from tests.strategies import TIC_TAC_TOE


def test_predict_prints_the_apis_object_as_json(run: Run) -> None:
    _, out, _ = run("predict", "X.O/.X./..O", "--json")
    assert json.loads(out) == predict_report(predict(parse_position("X.O/.X./..O", TIC_TAC_TOE)))


def test_predict_says_how_a_finished_game_ended(run: Run) -> None:
    assert "X has won" in run("predict", "XXX/OO./...")[1]
    assert "a draw" in run("predict", "XOX/XOO/OXX")[1]
    report = json.loads(run("predict", "XXX/OO./...", "--json")[1])
    assert (report["result"], report["line"], report["squares"]) == ("X", ["a3", "b3", "c3"], {})


def test_a_bad_line_of_a_stream_is_answered_in_its_place(run: Run) -> None:
    code, out, err = run("predict", "-", stdin="X.O/.X./..O\nnonsense\n3x3\n.../.../...\n")
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 2
    assert [answers[number]["position"] for number in (0, 3)] == ["X.O/.X./..O", ".../.../..."]
    assert [answers[number]["error"]["code"] for number in (1, 2)] == ["bad_notation", "bad_board"]
    assert err.count("\n") == 1
    assert err.startswith("noughts: line 2:")


def test_match_counts_the_games_and_is_repeated_by_its_seed(run: Run) -> None:
    first, second = (run("match", "easy", "hard", "--games", "40", "--seed", "5", "--json") for _ in range(2))
    assert first == second
    report = json.loads(first[1])
    assert report["x_wins"] + report["o_wins"] + report["draws"] == report["games"] == 40


def test_a_game_is_played_in_the_terminal(run: Run) -> None:
    code, out, _ = run("play", "--o", "human", stdin="a3\nb2\nb3\nb1\nc3\n")
    assert code == 0
    assert out.endswith("X wins.\n")


def test_a_taken_square_is_named_and_asked_for_again(run: Run) -> None:
    code, out, _ = run("play", "--o", "human", stdin="5\n5\nz9\n\nhint\nquit\n")
    assert code == 0
    assert "b2 is taken: X stands there." in out
    assert "“z9” is off the board" in out
    assert "Type a square such as b2" in out
    assert "Best: a3, c3, a1, c1 (draw in 8 plies)." in out
    assert "The moves so far: b2." in out


def test_undo_takes_back_the_reply_too(run: Run) -> None:
    _, out, _ = run("play", "--o", "hard", stdin="undo\na1\nundo\nquit\n")
    assert "There is no move of yours to take back." in out
    assert "The moves so far: none." in out


def test_a_friend_is_a_human_too(run: Run) -> None:
    assert run("play", "--x", "friend", "--o", "friend", stdin="a3\nquit\n")[0] == 0


def test_the_end_of_the_input_ends_the_game(run: Run) -> None:
    assert run("play", stdin="")[0] == 0


def test_computers_play_each_other_in_the_terminal_and_say_why(run: Run) -> None:
    code, out, _ = run("play", "--x", "seven-rules", "--o", "medium", "--seed", "1")
    assert code == 0
    assert "X (Seven rules) plays b2: centre: it is free." in out


@pytest.mark.usefixtures("without_books")
def test_hint_is_honest_where_nothing_is_proved(run: Run) -> None:
    _, out, _ = run("play", "--board", "8x8x5", "--o", "human", stdin="hint\nquit\n")
    assert "The best move is not proved here." in out


def test_the_version_is_printed_with_the_kernel_in_use(run: Run) -> None:
    code, out, _ = run("--version")
    assert code == 0
    assert re.fullmatch(rf"noughts 1\.[\d.]+ \({KERNEL} kernel\)\n", out)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("predict --json > /dev/full", 1),
        ("predict >&-", 0),
        ("predict - <&-", 0),
        ("play <&-", 0),
        ("match easy easy --games 1 --seed \"$(printf '\\377')\"", 0),
        ("printf '\\377\\n' | PYTHONIOENCODING=utf-8:strict noughts predict -", 2),
        ("LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 noughts play --x easy --o easy", 0),
        ("PYTHONIOENCODING=latin-1 noughts play --x pyfl-program --o easy", 0),
    ],
)
def test_odd_streams_and_bytes_never_end_in_a_traceback(command: str, code: int) -> None:
    module = f"{sys.executable} -m solver"
    line = command.replace("noughts", module) if "noughts" in command else f"{module} {command}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=False, timeout=120)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") <= 1


def test_the_module_runs_as_the_command_and_survives_a_closed_pipe() -> None:
    command = f"{sys.executable} -m solver predict - | head -n 1"
    lines = "X.O/.X./..O\n" * 5000
    done = subprocess.run(["sh", "-c", command], input=lines, capture_output=True, text=True, check=False)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "centre.svg"
    command = [sys.executable, "-m", "solver", "picture", "forced-centre", "--output", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, f"noughts: {file}: No such file or directory\n")


def test_a_position_may_be_a_link_moves_or_rows_as_they_were_pasted(run: Run) -> None:
    shown = run("predict", "X.O/.X./..O")[1]
    for pasted in (
        "https://noughts.example/play/3x3x3?from=X.O/.X./..O&show=off",
        "x_o\n_x_\n__o",
        "1. a3 c3 2. b2 c1",
    ):
        assert run("predict", pasted) == (0, shown, "")
    assert run("predict", "--from", "/play/4x3x3?moves=b2", "--json")[1] == run("predict", "4x3x3 b2", "--json")[1]
