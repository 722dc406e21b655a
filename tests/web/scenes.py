"""Live games as a golden file has them: `live.txt` beside this module has scenes of a host, a friend and a spectator.

A scene has a title and a line for each act; the host is `x`, the friend `o`. Behind a colon stands what follows.
`offer` and `game` begin a game by a form, without the friend and with them. `clock 60` puts the clock forward.
`play a1 b2` makes the moves in turn and tells the marks on the board. Else some of `x,o,watcher` look at their page for
what a selector of `said.py` names, after `+` at an address that goes on so; or they send a form, or `press` the button
with an id, whoever is shown it. After a change of words, `make golden` writes the file again; read what it changed.
"""

import re
import time
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web.said import ABSENT, BETWEEN, Elements
from webapp.app import create_app
from webapp.pages.live.store import LiveStore

FILE = Path(__file__).with_name("live.txt")
MAKERS = cycle(range(256))


class Clock:
    """The time, put forward by `ahead` seconds."""

    ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


def app_with_games(folder: Path, clock: Clock) -> Flask:
    """Return an application whose live games are in a folder of their own."""
    app = create_app()
    app.extensions["live"]._store = LiveStore(folder / "live.sqlite", 1000, clock)
    return app


class Table:
    """A game with its host, a friend, and a spectator; the host has X."""

    def __init__(self, app: Flask, joined: bool = True, **form: str) -> None:
        self.x, self.o, self.watcher = (app.test_client() for _ in range(3))
        maker = {"REMOTE_ADDR": f"198.18.{next(MAKERS)}.1"}  # not too many games from one network
        made = self.x.post("/live", data={"board": "3x3x3", **form}, environ_overrides=maker)
        self.url = made.headers["Location"]
        if joined:
            assert self.o.post(self.url, data={"do": "join"}).status_code == 303
            self.o.delete_cookie("way-back", path=self.url)
        self.x.delete_cookie("way-back", path=self.url)

    def page(self, client: FlaskClient) -> str:
        return client.get(self.url).text

    def at(self, client: FlaskClient) -> str:
        (at,) = set(re.findall(r'name="at" value="([\d.]+)"', self.page(client)))
        return str(at)

    def post(self, client: FlaskClient, **form: str) -> TestResponse:
        return client.post(self.url, data=form)

    def play(self, *cells: str) -> None:
        for cell in cells:
            client = (self.x, self.o)[int(self.at(self.watcher).partition(".")[2]) % 2]
            assert self.post(client, cell=cell, at=self.at(client)).status_code == 303

    def marks(self) -> dict[str, str]:
        return dict(re.findall(r'id="sq-(\w\d)".*?<span class="mark">([XO])', self.page(self.watcher)))


def refusal(answer: TestResponse) -> tuple[int, str]:
    """Return the status of an answer, and why it is a refusal."""
    return answer.status_code, " ".join(Elements(answer.text).texts("#refused"))


def scenes() -> list[str]:
    """Return the scenes of the golden file."""
    return FILE.read_text(encoding="utf-8").strip().split("\n\n")


def press(table: Table, client: FlaskClient, name: str) -> TestResponse:
    """Send the form of a button, whoever is shown it."""
    shown = (Elements(table.page(each)).texts(f"#{name}@value") for each in (table.x, table.o, table.watcher))
    return table.post(client, do=next(values[0] for values in shown if values))


def told(table: Table, who: str, act: str) -> str:
    """Return what one visitor's act comes to: what a page says, or a status with the new address or the refusal."""
    client, url = getattr(table, who), table.url
    if act.startswith("+"):
        more, _, act = act[1:].partition(" ")
        url += more
    first, _, rest = act.partition(" ")
    if first and first != "press" and "=" not in first:
        return BETWEEN.join(Elements(client.get(url).text).texts(act)) or ABSENT
    if not first:
        answer = client.get(url)
    elif first == "press":
        answer = press(table, client, rest)
    else:
        answer = client.post(url, data=dict(part.split("=") for part in act.split(" ")))
    status, reason = refusal(answer)
    return f"{status} {answer.location or reason}".strip()


def played(app: Flask, clock: Clock, scene: str) -> str:
    """Return a scene with what its acts come to now."""
    title, *acts = scene.split("\n")
    table, lines, clock.ahead = Table(app, joined=False), [title], 0.0
    for line in acts:
        act = line.partition(":")[0]
        first, _, rest = act.partition(" ")
        answers: list[str] = []
        if first in ("offer", "game"):
            table = Table(app, first == "game", **dict(part.split("=") for part in rest.split()))
        elif first == "clock":
            clock.ahead = float(rest)
        elif first == "play":
            table.play(*rest.split())
            answers.append(", ".join(map(" ".join, table.marks().items())))
        else:
            answers += (told(table, who, rest) for who in first.split(","))
        said = f"{act}: {BETWEEN.join(answers)}".rstrip() if answers else act
        lines.append(said.replace(table.url, "(game)"))
    return "\n".join(lines)


def main() -> None:
    """Write the golden file again."""
    with TemporaryDirectory() as folder:
        clock = Clock()
        app = app_with_games(Path(folder), clock)
        FILE.write_text("\n\n".join(played(app, clock, scene) for scene in scenes()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
