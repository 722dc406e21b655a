"""The documents: their examples are run, and their tables and figures are compared with the code."""

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from solver.analysis.trial import MOST_ENTRIES
from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import finding_report
from solver.articles.figures import finding_of
from solver.board.notation import parse_cell, parse_position
from solver.cli import COMMANDS, main
from solver.cli.bots import MEMORY
from solver.oracle import TOGETHER
from solver.players import STRATEGIES
from solver.players.handbook import MOST_RULES
from solver.proofs.predict import predict
from solver.reasons import ReasonKind, explain
from solver.report import explain_report, predict_report
from solver.search.solver import MAX_THREADS
from tests.strategies import TIC_TAC_TOE
from webapp.api.call import MOST_BYTES, MOST_IN_A_BATCH
from webapp.api.calls import CALLS
from webapp.config import AppConfig, FrontLimits, ServerLimits
from webapp.pages.learn.lessons import LESSONS
from webapp.pages.learn.lessons.menace import MAX_GAMES
from webapp.pages.live.database import DEADLINE
from webapp.pages.live.game import LIFETIME
from webapp.pages.live.news import POLL_EVERY
from webapp.pages.live.store import AWAY, IDLE
from webapp.pages.live.visitors import PER_ADDRESS, SPAN, WIDER
from webapp.pages.play.link import PARTS
from webapp.pages.practise.link import IN_A_ROW
from webapp.pages.practise.link import PARTS as DRILL_PARTS

ROOT = Path(__file__).parent.parent
FOLDERS = (".", "solver/cli", "solver/docs", "solver/players", "solver/articles/claims", "webapp", "deploy")
DOCUMENTS = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for folder in FOLDERS
    for path in sorted((ROOT / folder).glob("*.md"))
}
README = DOCUMENTS["README.md"]
COMMAND_LINE = DOCUMENTS["solver/cli/README.md"]
FINDINGS = DOCUMENTS["solver/articles/claims/README.md"]
WEB = DOCUMENTS["webapp/README.md"]
EXAMPLES = dict(
    block.split("\n", 1)
    for text in DOCUMENTS.values()
    for block in re.findall(r"```console\n\$ (.*?)```", text, re.DOTALL)
)


@pytest.mark.parametrize(("command", "printed"), EXAMPLES.items(), ids=list(EXAMPLES))
def test_every_command_prints_what_is_shown(
    command: str, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *arguments = shlex.split(command)
    if name == "noughts" and not {"&&", "|", ">"} & {*arguments}:
        monkeypatch.chdir(tmp_path)
        main(arguments)
        assert capsys.readouterr().out == printed
        return
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


def test_no_example_is_missed() -> None:
    assert len(EXAMPLES) == 26


def test_the_examples_of_the_library_run() -> None:
    assert doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8") == (0, 8)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_to_a_file_of_the_project_leads_to_one(name: str) -> None:
    for address, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", DOCUMENTS[name]):
        target = (ROOT / name).parent / address if address else ROOT / name
        assert target.is_file(), address
        if anchor:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {heading.lower().replace(" ", "-") for heading in headings}, anchor


def test_the_objects_shown_are_the_answers_of_the_api() -> None:
    predicted, explained = map(json.loads, re.findall(r"```json\n(.*?)```", WEB, re.DOTALL))
    assert predicted == predict_report(predict(parse_position("X.O/.X./..O", TIC_TAC_TOE)))
    position, cell = parse_position("X../.../...", TIC_TAC_TOE), parse_cell("b3", TIC_TAC_TOE)
    assert explained == explain_report(predict(position), {cell: explain(position, cell)})


def test_every_call_of_the_api_is_listed_with_its_parameters() -> None:
    section = WEB.partition("## The JSON API")[2]
    assert re.findall(r"^- (`[a-z]+` \(.*)$", section, re.MULTILINE) == [
        f"`{call.name}` ({', '.join(f'`{name}`' for name in call.parameters)}): {call.purpose}" for call in CALLS
    ]
    assert TOGETHER == 8
    for said in (f"up to {MOST_IN_A_BATCH} positions", "share eight seconds", f"no more than {MOST_BYTES >> 10} KiB"):
        assert said in section


def test_every_kind_of_reason_is_listed() -> None:
    assert {kind for kind in ReasonKind if f"`{kind}`" not in WEB} == set()


def test_every_opponent_is_listed() -> None:
    table = DOCUMENTS["solver/players/README.md"]
    listed = set(re.findall(r"`([a-z]+(?:-[a-z0-9]+)?)`", table)) & set(STRATEGIES)
    assert listed | {f"alphabeta-{depth}" for depth in range(2, 9)} == set(STRATEGIES)


def test_every_part_of_a_link_is_listed_in_order_with_its_default() -> None:
    usual = dict(re.findall(r"^\| `(\w+)` \| .+ \| (.+) \|$", WEB, re.MULTILINE))
    assert [*usual] == [part.name for part in PARTS]
    named = {part.name: f"`{part.default}`" for part in PARTS if isinstance(part.default, str)}
    assert {name: text for name, text in usual.items() if name in named} == named
    switched = {part.name: "on" if part.default else "off" for part in PARTS if isinstance(part.default, bool)}
    assert {name: text for name, text in usual.items() if name in switched} == switched | {"as": "the player"}


def test_every_part_of_a_drills_link_is_listed() -> None:
    section = WEB.partition("## Practise")[2].partition("\n## ")[0]
    assert re.findall(r"^- `(\w+)`: ", section, re.MULTILINE) == [part.name for part in DRILL_PARTS]


def test_every_command_and_every_lesson_is_named() -> None:
    for name in COMMANDS:
        assert f"`{name}`" in COMMAND_LINE or f"noughts {name}" in COMMAND_LINE, name
    table = COMMAND_LINE[COMMAND_LINE.index("| command | prints |") : COMMAND_LINE.index("A tree, for example")]
    assert set(re.findall(r"`([a-z-]+)`", table)) >= set(LESSONS)


CITED = re.findall(
    r"([^`]*?)\(((?:`[a-z]+\.[a-z0-9.-]+`(?:, )?)+)\)", re.sub(r"```.*?```", "", FINDINGS, flags=re.DOTALL)
)
"""Each passage of the findings with the claims that it ends with in brackets."""


@pytest.mark.parametrize(("passage", "cited"), CITED, ids=[cited for _, cited in CITED])
def test_every_figure_of_the_findings_is_computed_by_the_claims_it_cites(passage: str, cited: str) -> None:
    findings = [finding_report(finding_of(name)) for name in re.findall(r"`(.*?)`", cited)]
    computed = json.dumps(findings, ensure_ascii=False).replace(",", "")
    for figure in re.findall(r"(?<![a-z\d])\d[\d,]*(?:–\d+)?", passage):
        assert re.search(rf"(?<!\d){figure.replace(',', '')}(?!\d)", computed), figure


def test_the_claims_are_counted_by_their_verdicts() -> None:
    told = [str(finding_of(name).verdict) for name in CLAIMS]
    confirmed, explained, refuted = (told.count(verdict) for verdict in ("confirmed", "explained", "refuted"))
    lists = re.search(
        r"lists\s+(\d+) claims, of which (\d+) are confirmed, (\d+) explained .*?and (\d+) refuted", FINDINGS, re.S
    )
    assert lists is not None
    assert [int(figure) for figure in lists.groups()] == [len(told), confirmed, explained, refuted]
    assert len(told) == len(CLAIMS)
    assert f"of {len(CLAIMS)} claims {confirmed} confirmed, {explained} explained, {refuted} refuted" in README


def test_the_readme_begins_with_a_small_picture_of_the_page() -> None:
    picture = ROOT / re.findall(r"!\[[^]]+\]\((.*)\)", README.partition("## ")[0])[0]
    assert 10_000 < picture.stat().st_size < 40_000


def test_the_commands_of_make_are_its_targets() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("play", "test", "test-all", "lint", "golden", "bench", "load", "picture", "lock", "audit"):
        assert f"make {target}" in README + DOCUMENTS["CONTRIBUTING.md"]
        assert f"\n{target}: " in makefile


def test_the_limits_of_the_server_are_those_of_the_code() -> None:
    text = " ".join(DOCUMENTS["deploy/README.md"].split())
    front, limits = FrontLimits(), ServerLimits()
    gate = limits.gate
    words: dict[float, str] = {2: "two", 5: "five", 6: "six", 8: "eight", 10: "ten", 15: "fifteen", 20: "twenty"}
    words |= {3.5: "three and a half", 60: "a minute", 120: "two minutes"}
    for said in (
        f"each have {words[int(front.head)]} seconds to arrive",
        f"waits for its next request {words[int(front.head)]}",
        f"an answer {words[int(front.unread)]} to be read",
        f"takes {front.connections:,} connections",
        f"{front.arriving_bytes >> 20}M together",
        f"{front.streams:,} connections, {front.streams_per_client} of one address",
        f"--live-games {AppConfig().live_games}",
        f"for {words[int(gate.long)]} at most",
        f"{words[gate.per_client]} tasks there and {words[gate.positions_per_client]} positions",
        f"no sign of life for {words[int(limits.silence)]} seconds",
        f"at most {gate.positions} at a time and each for {words[int(gate.seconds)]} at most",
        f"--cache {AppConfig().cache_bytes >> 20}M",
        f"--memory {limits.memory >> 20}M",
        f"{front.rate:.0f} requests a second on average and {front.burst:,} at once",
        f"may finish for up to {front.drain:.0f} seconds",
        f"deleted {LIFETIME / 3600:.0f} hours after its last move",
        f"{PER_ADDRESS} games in ten minutes, a /56 {WIDER[56]} and a /48 {WIDER[48]}",
        f"does not answer within {words[int(DEADLINE)]} seconds",
        f"without a sign of life for {words[AWAY]} seconds counts as away",
    ):
        assert said in text, said
    assert front.head == front.body
    assert (SPAN, IDLE) == (600, 3600)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("README.md", f"may use {MEMORY >> 30} GB of memory"),
        ("README.md", f"Walk away for up to {LIFETIME / 3600:.0f} hours"),
        ("ARCHITECTURE.md", {0.2: "at most five times a second"}[POLL_EVERY]),
        ("solver/cli/README.md", {4: "in up to four threads"}[MAX_THREADS]),
        ("solver/players/README.md", f"A list has up to {MOST_RULES} rules"),
        ("webapp/README.md", f"how many games it plays, up to {MAX_GAMES:,}"),
        ("webapp/README.md", f"more than about {FrontLimits().url:,} characters"),
        ("webapp/README.md", {5: "five right answers in a row open the next"}[IN_A_ROW]),
        ("webapp/README.md", f"up to {MOST_ENTRIES:,} positions"),
        ("webapp/README.md", f"ends {LIFETIME / 3600:.0f} hours after its last move"),
        ("webapp/README.md", f"may make {PER_ADDRESS} games in ten minutes (429)"),
    ],
)
def test_a_limit_in_a_document_is_that_of_the_code(name: str, said: str) -> None:
    assert said in " ".join(DOCUMENTS[name].split())
