"""The README is true: its examples are run, its tables compared with the code."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from solver.board.notation import parse_position
from solver.cli import COMMANDS
from solver.proofs.prediction import predict
from solver.report import predict_report
from solver.strategies import STRATEGIES
from solver.theory.claims import CLAIMS, Verdict, finding_report
from tests.findings import found
from tests.strategies import TIC_TAC_TOE
from webapp.cache import DEFAULT_BYTES
from webapp.learn.lessons import LESSONS
from webapp.play.link import Link
from webapp.server.limits import FrontLimits, ServerLimits

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
    assert len(EXAMPLES) == 9


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
    parts = set(Link.starting(TIC_TAC_TOE).parts())
    assert len(parts) == 15
    assert parts <= listed


def test_every_command_and_every_lesson_is_named() -> None:
    for command in COMMANDS:
        assert f"`{command.name}`" in README or f"noughts {command.name}" in README, command.name
    table = README[README.index("| command | prints |") : README.index("A tree, for example")]
    assert set(re.findall(r"`([a-z]+)`", table)) >= set(LESSONS)


FINDINGS = README[README.index("## What we found in the articles") : README.index("## The JSON API")]
CITED = re.findall(
    r"([^`]*?)\(((?:`[a-z]+\.[a-z0-9.-]+`(?:, )?)+)\)", re.sub(r"```.*?```", "", FINDINGS, flags=re.DOTALL)
)
"""Each passage of the findings with the claims that it ends with in brackets."""


@pytest.mark.parametrize(("passage", "cited"), CITED, ids=[cited for _, cited in CITED])
def test_every_figure_of_the_findings_is_computed_by_the_claims_it_cites(passage: str, cited: str) -> None:
    findings = [finding_report(found(name)) for name in re.findall(r"`(.*?)`", cited)]
    computed = json.dumps(findings, ensure_ascii=False).replace(",", "")
    for figure in re.findall(r"(?<![a-z\d])\d[\d,]*(?:–\d+)?", passage):
        assert re.search(rf"(?<!\d){figure.replace(',', '')}(?!\d)", computed), figure


def test_the_claims_are_counted_by_their_verdicts() -> None:
    verdicts = Counter(found(name).verdict for name in CLAIMS)
    lists = re.search(
        r"lists\s+(\d+) claims, of which (\d+) are confirmed, (\d+) explained .*?and (\d+) refuted", FINDINGS, re.S
    )
    assert lists is not None
    counts = [verdicts[verdict] for verdict in (Verdict.CONFIRMED, Verdict.EXPLAINED, Verdict.REFUTED)]
    assert [int(figure) for figure in lists.groups()] == [sum(counts), *counts]


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    makefile = (Path(__file__).parent.parent / "Makefile").read_text(encoding="utf-8")
    for target in ("play", "test", "lint", "bench", "load", "lock", "audit"):
        assert f"make {target}" in README
        assert f"\n{target}: " in makefile


def test_the_limits_of_the_server_are_those_of_the_code() -> None:
    text = " ".join(README[README.index("## For the public") : README.index("## Licence")].split())
    front, limits = FrontLimits(), ServerLimits()
    gate = limits.gate
    words = {
        5: "five",
        6: "six",
        8: "eight",
        10: "ten",
        15: "fifteen",
        20: "twenty",
        60: "a minute",
        120: "two minutes",
    }
    for said in (
        f"each have {words[int(front.head)]} seconds to arrive",
        f"waits for its next request {words[int(front.idle)]}",
        f"an answer {words[int(front.unread)]} to be read",
        f"{front.connections:,} connections, {front.per_client} of one address",
        f"for {words[int(gate.long)]} at most",
        f"{words[gate.per_client]} tasks there and {words[gate.positions_per_client]} positions",
        f"no sign of life for {words[int(limits.silence)]} seconds",
        f"at most {gate.positions} at a time and each for {words[int(gate.seconds)]} at most",
        f"--cache {DEFAULT_BYTES >> 20}M",
        f"--memory {limits.memory >> 20}M",
    ):
        assert said in text, said
    assert front.head == front.body == front.first
