"""The README is true: its examples are run, its tables compared with the code."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from solver.notation import parse_position
from solver.predict import predict
from solver.report import predict_report
from solver.strategies import STRATEGIES
from tests.strategies import TIC_TAC_TOE
from webapp.link import Link, read_link

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
EXAMPLES = [block.split("\n", 1) for block in re.findall(r"```console\n\$ (.*?)```", README, re.DOTALL)]


@pytest.mark.parametrize(("command", "printed"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_every_command_prints_what_is_shown(command: str, printed: str, tmp_path: Path) -> None:
    beside_python = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", command],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PATH": beside_python},
    )
    assert done.stdout == printed


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 6


def test_the_object_shown_is_the_one_the_api_answers() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    assert json.loads(block) == predict_report(predict(parse_position("X.O/.X./..O", TIC_TAC_TOE)))


def test_every_opponent_is_listed() -> None:
    table = README[README.index("## Opponents") : README.index("## The JSON API")]
    listed = set(re.findall(r"`([a-z]+(?:-[a-z0-9]+)?)`", table)) & set(STRATEGIES)
    assert listed | {f"alphabeta-{depth}" for depth in range(2, 9)} == set(STRATEGIES)


def test_every_part_of_a_link_is_listed() -> None:
    table = README[README.index("## Links") : README.index("## How the code")]
    listed = set(re.findall(r"`([a-z]+)`", table))
    query = "moves=b2a1&at=1&x=easy&o=easy&show=off&seed=1&score=1-0-0&scheme=patterns&speed=fast&pause=1&hint=1"
    link: Link = read_link("3x3x3", "from=.../.../...&" + query).link
    parts = set(re.findall(r"[?&]([a-z]+)=", link.url())) | {"from"}
    assert len(parts) == 12
    assert parts <= listed


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    makefile = (Path(__file__).parent.parent / "Makefile").read_text(encoding="utf-8")
    for target in ("play", "test", "lint", "bench"):
        assert f"make {target}" in README
        assert f"\n{target}: " in makefile
