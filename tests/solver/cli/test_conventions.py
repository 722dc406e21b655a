"""The conventions of every command: its help, its example, its main argument, streams, JSON, and Ctrl-C."""

import json
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from solver.articles.census import Stage
from solver.articles.claims import CLAIMS
from solver.board.rules import Rules
from solver.cli import COMMANDS as NAMES
from solver.cli import GROUPS, command_named
from solver.cli.command import Command
from tests.marked import sampled, slow
from tests.solver.cli.test_prove_command import MY_BOT
from tests.solver.conftest import Run, on_terminal
from webapp.agents import mcp_command
from webapp.serve import serve_command

ROOT = Path(__file__).parents[3]
FIRST = "X.O/.X./..O"
COMMANDS = tuple(map(command_named, NAMES))
SERVING = (serve_command, mcp_command)
OF_POSITIONS = [each for each in COMMANDS if any("position" in argument.names for argument in each.arguments)]
BEFORE = {"picture": ["tree"]}
"""The arguments that some commands need before a position."""
REQUIRED = {"move": ["rulebook"]}
"""The arguments that some commands need after a position."""
LONG = {"tiebreaks", "parallel"}
"""The commands of positions that take long."""
AFTER = {"check": "certify"}
"""For a command whose example reads a file: the command whose example writes that file."""


def named(command: Command) -> str:
    return command.name


@pytest.mark.parametrize("arguments", [(), ("help",), ("--help",)])
def test_without_a_command_there_is_help(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    assert out.startswith("Tic-tac-toe and its bigger relatives")
    for each in (*COMMANDS, *SERVING):
        assert f"\n    {each.name}" in out
        assert each.summary[:30] in out
    assert re.findall(r"^(\w+):$", out, re.MULTILINE) == ["options", *GROUPS, "help"]
    assert out.index("\nserve:") < out.index("\n    serve ") < out.index("\ndata:")


COMPLETED = {"noughts pre": "predict", "noughts predict --bu": "--budget", "noughts completion ba": "bash"}


@pytest.mark.parametrize("line", sampled(COMPLETED, 3))
def test_a_shell_completes_commands_options_and_choices(tmp_path: Path, line: str) -> None:
    (tmp_path / "noughts").write_text(f'#!/bin/sh\nexec {sys.executable} -m solver "$@"\n')
    (tmp_path / "noughts").chmod(0o755)
    words = line.split()
    script = f"""
        eval "$({tmp_path}/noughts completion bash)"
        COMP_LINE={shlex.quote(line)} COMP_POINT={len(line)} COMP_TYPE=9
        COMP_WORDS=({shlex.join(words)}) COMP_CWORD={len(words) - 1}
        $(complete -p noughts | sed 's/.*-F \\([^ ]*\\).*/\\1/') noughts
        echo "${{COMPREPLY[@]}}"
    """
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", script], env=path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [COMPLETED[line]]


def test_the_manual_page_has_every_command_and_argument(run: Run) -> None:
    code, page, err = run("man")
    assert (code, err) == (0, "")
    for each in (*COMMANDS, *SERVING):
        assert f"\n.SS {each.name}\n" in page
        for argument in each.arguments:
            assert argument.names[-1].replace("-", r"\-") in page or argument.settings.get("metavar", "") in page


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff here")
def test_the_manual_page_is_set_without_a_warning(run: Run) -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww"], input=run("man")[1], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "NOUGHTS(1)" in done.stdout


@pytest.mark.parametrize("command", [*COMMANDS, *SERVING], ids=named)
def test_help_begins_with_what_a_command_does_and_ends_with_an_example(run: Run, command: Command) -> None:
    code, out, _ = run(command.name, "--help")
    assert code == 0
    assert out.startswith(f"{command.summary}\n")
    assert out.endswith(f"example:\n  {command.example}\n")
    assert command.example.startswith(f"noughts {command.name}")
    assert run("help", command.name) == (0, out, "")


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=named)
def test_the_example_runs(run: Run, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mybot.py").write_text(MY_BOT)
    if command.name in AFTER:
        run(*shlex.split(command_named(AFTER[command.name]).example)[1:])
    code, out, err = run(*shlex.split(command.example)[1:])
    assert (code, err) == (0, "")
    assert out


def test_the_example_of_the_server_runs() -> None:
    arguments = [part.replace("8080", "0") for part in shlex.split(serve_command.example)[1:]]
    with subprocess.Popen(
        [sys.executable, "-m", "solver", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Noughts is at http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        process.wait(timeout=120)


def test_the_commands_of_positions_are_known() -> None:
    names = "play predict solve why move replay compare tiebreaks reduced trace tree lookahead parallel picture chances"
    assert {each.name for each in OF_POSITIONS} == set(names.split())


@pytest.mark.parametrize(
    "command",
    [slow(each)[0] if each.name in LONG else each for each in OF_POSITIONS if each.name != "play"],
    ids=named,
)
def test_a_position_is_an_argument_an_option_or_a_line(run: Run, command: Command, steady: Callable[..., Any]) -> None:
    after = REQUIRED.get(command.name, [])
    more = ["--moves", "c2"]
    name = [command.name, *BEFORE.get(command.name, [])]
    by_argument = steady(run(*name, FIRST, *after, *more, "--json"))
    assert by_argument["board"] == "3x3x3"
    assert by_argument["position"] == "X.O/.XX/..O"
    assert steady(run(*name, "--from", FIRST, "--board", "3x3x3", *after, *more, "--json")) == by_argument
    assert steady(run(*name, "3x3x3", *after, "--from", FIRST, *more, "--json")) == by_argument
    assert steady(run(*name, "-", *after, *more, stdin=f"\n# the first\n{FIRST}\n")) == by_argument
    assert run(*name, FIRST, *after, "--from", FIRST)[0] == 2


def piped(line: str) -> tuple[int, str]:
    """Run a line of a shell, in which `noughts` is this program; return its exit code and output."""
    script = f'noughts() {{ {sys.executable} -m solver "$@"; }}\n{line}'
    done = subprocess.run(
        ["bash", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        (f"echo {FIRST} | noughts predict --board 3x3x3", [FIRST]),
        (f"noughts predict < <(echo {FIRST})", [FIRST]),
        (f"noughts predict <<< {FIRST}", [FIRST]),
        (": | noughts predict", []),
        ("noughts predict < /dev/null", []),
        ("noughts predict <&-", []),
    ],
)
def test_what_is_piped_or_redirected_from_a_file_is_read_and_nothing_means_the_empty_board(
    run: Run, line: str, asked: list[str]
) -> None:
    assert piped(line) == (0, run("predict", *asked, *(["--json"] if asked else []))[1])


def test_a_position_that_is_named_leaves_the_pipe_alone(run: Run) -> None:
    line = f"{{ noughts predict {FIRST}; noughts predict --moves b2; noughts predict 3x3x3; cat; }} <<< left"
    named = (run("predict", *each)[1] for each in ([FIRST], ["--moves", "b2"], ["3x3x3"]))
    assert piped(line) == (0, "".join(named) + "left\n")


def test_a_socket_is_not_read() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:  # nothing is ever written, so reading would take for ever
        done = subprocess.run(
            [sys.executable, "-m", "solver", "predict"],
            stdin=theirs.fileno(),
            stdout=subprocess.PIPE,
            check=True,
            timeout=60,
        )
    assert done.stdout.startswith(b"...\n")


@pytest.mark.parametrize(
    ("variables", "option", "colored"),
    [
        ({"NO_COLOR": "", "TERM": "xterm"}, "auto", True),
        ({"NO_COLOR": "1", "TERM": "xterm"}, "auto", False),
        ({"NO_COLOR": "", "TERM": "dumb"}, "auto", False),
        ({"NO_COLOR": "1", "TERM": "dumb"}, "always", True),
        ({"NO_COLOR": "", "TERM": "xterm"}, "never", False),
    ],
)
def test_a_terminal_gets_colours_unless_it_is_told_otherwise(
    run: Run, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], option: str, colored: bool
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in run("predict", FIRST, "--color", option)[1]) == colored
    assert "\x1b[" not in run("predict", FIRST, "--json")[1]


@pytest.fixture
def steady() -> Callable[..., Any]:
    """Return a function that reads the object printed, without its measurements."""

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: strip(part) for name, part in value.items() if name not in MEASURED}
        return [strip(part) for part in value] if isinstance(value, list) else value

    def read(printed: tuple[int, str, str]) -> Any:
        code, out, err = printed
        assert (code, err) == (0, "")
        return strip(json.loads(out))

    return read


MEASURED = {"seconds", "starting", "speedup", "speedup_with_start", "pays", "nodes"}


@pytest.mark.parametrize("board", ["4x3x3", "4X3X3"])
def test_a_board_stands_for_its_empty_position(run: Run, board: str) -> None:
    report = json.loads(run("predict", board, "--json")[1])
    assert (report["board"], report["position"]) == ("4x3x3", "..../..../....")
    assert json.loads(run("predict", "--board", board, "--json")[1])["position"] == report["position"]
    assert json.loads(run("predict", "-", stdin=f"{board}\n")[1])["position"] == report["position"]


REFUSED = """
    predict --board; predict --color blue; solve 3x3x3 --budget -1s; solve 3x3x3 --jobs two; match easy; review; verify
    match easy easy --games many; drills --count few; book 4x4x4; book 4x4x4 --stones few; prove --side Z -- bot
    prove --samples ٣ -- bot; prove --samples 1_0 -- bot; prove --seconds ٣ -- bot; serve --host 999.1.1.1
"""


@pytest.mark.parametrize("line", ["predict a 'x\ny'", *re.split(r";|\n", REFUSED.strip())])
def test_what_the_parser_or_the_system_refuses_gets_one_line_and_the_exit_code_2(
    refuse: Callable[..., None], line: str
) -> None:
    """The words differ from one Python or system to another; those that are our own are in `tests/golden`."""
    refuse(*shlex.split(line))


@pytest.mark.parametrize("name", ["census", "forks", "openings", "crosstable"])
def test_a_board_is_an_argument_or_an_option(run: Run, name: str) -> None:
    by_argument = run(name, "2x2x2", "--json")
    assert by_argument == run(name, "--board", "2x2x2", "--json")
    report = json.loads(by_argument[1])
    assert (by_argument[0], report["board"], report["from"]) == (0, "2x2x2", "../..")


def interrupt() -> NoReturn:
    raise KeyboardInterrupt


def test_an_interrupt_prints_the_games_played_so_far(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.players.match import match_games  # noqa: PLC0415 - the function that is replaced below

    def three(*arguments: Any) -> Iterator[Any]:
        for _, game in zip(range(3), match_games(*arguments), strict=False):
            yield game
        interrupt()

    monkeypatch.setattr("solver.cli.play.match_games", three)
    code, out, err = run("match", "impossible", "impossible")
    assert (code, err) == (130, "")
    assert out == "X (Perfect) won 0, O (Perfect) won 0, drawn 3, of 3 on 3x3x3.\n"
    assert json.loads(run("match", "impossible", "impossible", "--json")[1])["games"] == 3


def test_an_interrupt_prints_the_stages_counted_so_far(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.articles.census import census  # noqa: PLC0415 - the function that is replaced below

    def count(rules: Rules, stage: Stage) -> Any:
        return interrupt() if stage is Stage.SYMMETRY else census(rules, stage)

    monkeypatch.setattr("solver.articles.census.census", count)
    code, out, err = run("census", "2x2x2", "--json")
    assert (code, err) == (130, "")
    counted = [Stage.UPPER_BOUND, Stage.WON_CUT, Stage.DUPLICATES]
    assert [stage["stage"] for stage in json.loads(out)["stages"]] == counted
    assert "duplicates on 2x2x2" in run("census", "2x2x2")[1]


def test_an_interrupt_prints_the_claims_computed_so_far(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.articles.claims.claim import examine as really  # noqa: PLC0415 - the function that is replaced below

    first, second, *_ = CLAIMS.values()

    def examine(claim: Any) -> Any:
        return interrupt() if claim is second else really(claim)

    monkeypatch.setattr("solver.articles.claims.claim.examine", examine)
    code, out, _ = run("claims", "--json")
    assert (code, [json.loads(line)["id"] for line in out.splitlines()]) == (130, [first.id])


def test_verify_shows_its_progress_only_on_a_terminal(run: Run) -> None:
    out, shown = on_terminal("verify", "seven-rules", "--side", "O")
    assert out.startswith("Seven rules as O on 3x3x3: can be beaten.\n")
    assert "\r1 position decided\r" in shown
    assert shown.endswith(" \r")
    assert run("verify", "seven-rules", "--side", "O") == (1, out, "")


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("move medium --moves b2a1 --seed 7 --game 2", "move?moves=b2a1&player=medium&seed=7&game=2"),
        ("why 3x3x3 a1 --moves b2", "explain?moves=b2&square=a1"),
    ],
)
def test_a_command_prints_the_apis_object(reported: Callable[..., Any], line: str, call: str) -> None:
    from webapp.app import create_app  # noqa: PLC0415 - the server, for this test alone

    assert reported(*line.split()) == create_app().test_client().get(f"/api/v1/{call}").get_json()


def test_compare_says_what_the_lab_shows(run: Run) -> None:
    report = json.loads(run("compare", "X../.O./..X", "--json")[1])
    assert report["best"] == ["b3", "a2", "c2", "b1"]
    assert {search["squares"]["c3"]["outcome"] for search in report["searches"].values()} == {"loss"}
    assert report["players"]["seven-rules"]["choices"] == dict.fromkeys(report["best"], "1/4")
    after_centre = json.loads(run("compare", ".../.X./...", "--json")[1])["players"]
    grades = {each["square"]: each["grade"] for each in after_centre["seven-rules"]["departures"]}
    assert grades == dict.fromkeys(["b3", "a2", "c2", "b1"], "mistake")
    assert after_centre["rulebook"]["departures"] == []
    assert "Best: b3, a2, c2, b1 (draw in 6 plies).\n" in run("compare", "X../.O./..X")[1]
    large = json.loads(run("compare", "5x4x4", "--depth", "1", "--json")[1])
    assert (large["searches"]["minimax"]["squares"], large["searches"]["alphabeta"]["depth"]) == (None, 1)
