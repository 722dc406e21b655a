"""`noughts prove`: programs, web services and engines, good and bad, and nothing of them left running."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest

from solver.board.notation import format_cell, parse_position, parse_rules
from solver.proofs.predict import predict
from tests.solver.conftest import Run

README = (Path(__file__).parents[3] / "README.md").read_text()
(MY_BOT,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
"""The bot of the README."""

KEYS = (
    "board side verdict games won drawn lost game blame slips asked problem".split()  # noqa: SIM905 - a list of words
)

TITLED = re.compile(r"^## (.*)\n((?:.+\n)+)", re.MULTILINE)
BOTS = dict(TITLED.findall(Path(__file__).with_name("bots.txt").read_text()))
"""Programs by their titles. That of a bad one ends with the pattern of what is said of it."""

PERFECT, FIRST_FREE, RANDOM, ENGINE = (BOTS[title] for title in ("perfect", "first free", "random", "engine"))
ONE_SLIP = PERFECT.replace("    print(", "    if rows == 'X../.O./..X': print('a1')\n    else: print(")
BAD = {title.partition(": ")[0]: title for title in BOTS if ": " in title}

RUNS = int(os.environ.get("LOAD_BOTS", "1"))
"""The runs of each bad bot: more in `make load`."""

Prove = Callable[..., tuple[int, str, str]]


@pytest.fixture
def token() -> Iterator[str]:
    """Yield a word that every process of a bot has in its command line; at the end none of them is left."""
    word = uuid4().hex
    yield word
    left = [path for path in Path("/proc").glob("[0-9]*/cmdline") if word in text_of(path)]
    assert not left


def text_of(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


@pytest.fixture
def prove(run: Run, token: str) -> Prove:
    """Prove a bot in Python; the first argument is its program, the others are options."""
    return lambda code, *options: run("prove", *options, "--", sys.executable, "-c", f"{code}\n# {token}")


@pytest.mark.parametrize("name", BAD)
def test_a_bad_bot_is_reported_within_its_limits_and_not_left_running(prove: Prove, name: str) -> None:
    program, message = BOTS[BAD[name]], BAD[name].partition(": ")[2]
    limit = "0.3" if "No " in message else "10"  # a busy machine may need seconds to start what ends by itself
    for _ in range(RUNS):
        began = time.monotonic()
        code, out, err = prove(program, "--seconds", limit, "--json")
        assert time.monotonic() - began < 20
        report = json.loads(out)
        assert (code, err, report["verdict"], list(report)) == (2, "", "broken", KEYS)
        assert re.search(message, report["problem"]["message"]), report
        assert report["problem"]["position"].startswith(("X..", ".X.", "..X")) or report["asked"] > 1


def test_an_unbeatable_bot_is_said_to_be_so(prove: Prove) -> None:
    code, out, err = prove(PERFECT)
    first, *lines = out.splitlines()
    assert (code, err) == (0, "")
    assert re.fullmatch(r"Unbeatable as O: [\d,]+ games, none lost\.", first)
    assert "It lets no win slip." in lines
    assert any(re.fullmatch(r"Medium +[\d.]+% +[\d.]+% +0\.0%", line) for line in lines)


def test_the_bot_of_the_readme_is_proved_in_the_words_that_stand_there(prove: Prove) -> None:
    code, out, _ = prove(MY_BOT)
    assert code == 0
    assert f"# {out.splitlines()[0]}\n" in README


def test_a_beatable_bot_is_shown_its_shortest_lost_game_its_mistake_and_what_would_have_held(prove: Prove) -> None:
    code, out, _ = prove(ONE_SLIP)
    first, game, blame, *_ = out.splitlines()
    assert code == 1
    assert re.fullmatch(r"Beaten as O: [\d,]+ of [\d,]+ games lost\.", first)
    assert game == "The shortest game that beats it: a3 b2 c1 a1 c3 b3 c2"
    assert blame == "Its mistake: a1 in X../.O./..X. What holds there: b3, a2, c2 and b1."


def test_the_object_says_the_same(prove: Prove) -> None:
    code, out, _ = prove(ONE_SLIP, "--json")
    report = json.loads(out)
    assert (code, list(report), report["verdict"], report["problem"]) == (1, KEYS, "beaten", None)
    assert report["game"] == "a3b2c1a1c3b3c2"
    assert report["blame"] == {"position": "X../.O./..X", "move": "a1", "better": ["b3", "a2", "c2", "b1"]}
    assert report["games"] == report["won"] + report["drawn"] + report["lost"]


def test_of_both_sides_the_worse_code_counts(prove: Prove) -> None:
    code, out, _ = prove(ONE_SLIP, "--side", "both", "--json")
    report = json.loads(out)
    assert (code, list(report)) == (1, ["X", "O"])
    assert [each["verdict"] for each in report.values()] == ["unbeatable", "beaten"]
    half = "assert mark == 'X'\n    print("
    assert prove(PERFECT.replace("print(", half), "--side", "both")[0] == 2


def test_each_position_is_asked_once(prove: Prove, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    code, out, _ = prove(
        FIRST_FREE.replace("    board,", f"    open({str(asked)!r}, 'a').write(line)\n    board,"), "--json"
    )
    lines = asked.read_text().splitlines()
    assert code == 1
    assert len(lines) == len(set(lines)) == json.loads(out)["asked"]
    assert re.fullmatch(r"3x3x3 ([XO.]{3}/){2}[XO.]{3} O", lines[-1])


@pytest.mark.slow
def test_a_bot_that_draws_by_chance_is_sampled_and_what_follows_is_said_to_be_a_bound(prove: Prove) -> None:
    code, out, _ = prove(RANDOM, "--samples", "4", "--json")
    assert (code, json.loads(out)["verdict"], json.loads(out)["samples"]) == (1, "beaten", 4)
    code, out, _ = prove(PERFECT, "--samples", "2")
    assert code == 3
    assert re.match(
        r"Not beaten as O: [\d,]+ games, none lost\. Each position was asked 2 times\.\nThat is a bound", out
    )


def test_a_large_board_is_left_undecided_with_the_positions_asked(prove: Prove) -> None:
    code, out, _ = prove(FIRST_FREE, "--board", "8x8x8", "--budget", "2000n")
    assert code == 3
    assert re.match(r"Not decided as O: [\d,]+ positions asked, no game lost so far\.", out)


def test_another_small_board_is_proved_too(prove: Prove) -> None:
    code, out, _ = prove(PERFECT, "--board", "4x3x3", "--side", "X", "--json")
    report = json.loads(out)
    assert (code, report["board"], report["verdict"], report["lost"]) == (0, "4x3x3", "unbeatable", 0)


def test_an_engine_speaks_the_protocol_of_gomocup(prove: Prove, refuse: Callable[..., None]) -> None:
    for side in "XO":
        options = ("--gomocup", "--board", "5x5x5", "--side", side, "--budget", "3000n", "--json")
        code, out, _ = prove(ENGINE, *options)
        assert (code, json.loads(out)["verdict"]) == (3, "undecided"), out
    assert prove("print('ERROR')", *options)[0] == 2
    refuse("prove", "--gomocup", "--board", "3x3x3", "--", "engine")


def test_an_engine_answers_in_ascii_digits(prove: Prove) -> None:
    arabic = ENGINE.replace('"%d,%d" % next((x, y)', '"\u0662,%d" % next(y')
    code, out, _ = prove(arabic, "--gomocup", "--board", "5x5x5")
    assert code == 2
    assert "is no square: column,row from 0,0." in out


@contextmanager
def service(status: int = 200, text: str = "", seconds: float = 0, location: str = "") -> Iterator[str]:
    """Yield the address of a service that answers perfectly, or always with the same text, or redirects once."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = {name: each[0] for name, each in parse_qs(urlsplit(self.path).query).items()}
            rules = parse_rules(asked["board"])
            prediction = predict(parse_position(asked["position"], rules))
            assert prediction.position.mover == asked["mark"]
            time.sleep(seconds)
            redirected = location and "again" not in asked
            self.send_response(302 if redirected else status)
            if redirected:
                self.send_header("Location", location if ":" in location else f"{self.path}&{location}")
            self.end_headers()
            self.wfile.write((text or format_cell(prediction.best[0], rules)).encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/move?level=9"
        server.shutdown()


@pytest.fixture
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


@pytest.mark.usefixtures("_no_proxy")
def test_a_web_service_is_asked_by_its_address(run: Run) -> None:
    with service() as url:
        code, out, _ = run("prove", "--url", url)
    assert (code, out.startswith("Unbeatable as O: ")) == (0, True)


@pytest.mark.usefixtures("_no_proxy")
def test_a_web_service_may_redirect_to_itself(run: Run) -> None:
    with service(location="again=1") as url:
        assert run("prove", "--url", url, "--board", "3x2x2", "--side", "X")[0] == 0


@pytest.mark.usefixtures("_no_proxy")
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"status": 500}, "gives no answer: “Internal Server Error”."),
        ({"text": "x" * 100_000}, "isn't a square"),
        ({"seconds": 1.5}, "No answer within 1 s."),
        ({"location": "http://localhost:1/"}, "It redirects to another site: “http://localhost:1/”."),
        ({"location": "ftp://127.0.0.1/"}, "It redirects to another site: “ftp://127.0.0.1/”."),
        ({"location": "file:///etc/passwd"}, "gives no answer"),
    ],
)
def test_a_bad_web_service_is_reported(run: Run, bad: dict[str, Any], message: str) -> None:
    with service(**bad) as url:
        code, out, _ = run("prove", "--url", url, "--seconds", "1")
    assert (code, message in out) == (2, True), out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_the_bot_too(token: str, number: int) -> None:
    bot = [sys.executable, "-c", f"import os, time; input(); os.fork(); time.sleep(60) # {token}"]
    command = [sys.executable, "-m", "solver", "prove", "--seconds", "60", "--", *bot]

    def running() -> int:
        return sum(token in text_of(path) for path in Path("/proc").glob("[0-9]*/cmdline"))

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while running() < 3:  # the command, its bot, and the bot's own child
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(number)
        assert process.wait(20) in (130, 143, -signal.SIGKILL)
    deadline = time.monotonic() + 20
    while running():
        assert time.monotonic() < deadline
        time.sleep(0.05)
