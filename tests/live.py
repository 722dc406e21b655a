"""Players of live games over HTTP for tests of whole servers. They send a move until it is confirmed."""

import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from http.cookiejar import CookieJar
from threading import Thread

from solver.board.notation import format_cell, parse_cell
from solver.board.position import Position
from solver.board.rules import Rules

LOST = (OSError, HTTPException)
"""The errors of a request to a server that dies meanwhile; an HTTP error is an OSError."""


class Browser:
    """A visitor with cookies. `address` returns the server to ask, which may differ each time."""

    def __init__(self, address: Callable[[], str]) -> None:
        self._address = address
        self._opener = urllib.request.build_opener(_Stay(), urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, **form: str) -> tuple[int, str, str]:
        """Return the status, text and location of an answer. Raises the errors in `LOST`."""
        data = urllib.parse.urlencode(form).encode() if form else None
        try:
            with self._opener.open(f"{self._address()}{path}", data, timeout=20) as answer:
                return answer.status, answer.read().decode(), ""
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode(), error.headers.get("Location", "")

    def insist(self, path: str, **form: str) -> tuple[int, str, str]:
        """Ask again and again until the server has an answer. Raises TimeoutError."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            with suppress(*LOST):
                found = self.ask(path, **form)
                if found[0] < 500:
                    return found
            time.sleep(0.05)  # leaves the processor to others
        raise TimeoutError("No answer comes.")


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follow no redirect."""


class LiveTable:
    """A game with its two players, and the moves that were confirmed."""

    def __init__(self, address: Callable[[], str], rules: Rules) -> None:
        self.rules = rules
        self.players = (Browser(address), Browser(address))
        self.path = self.players[0].insist("/live", board=str(rules))[2]
        assert self.players[1].insist(self.path, do="join")[0] == 303
        self.confirmed: list[str] = []
        self.refused: list[str] = []

    def play(self, choose: Callable[[Position], int]) -> None:
        """Play the game to its end; send each move until it is confirmed."""
        position = Position(self.rules)
        while position.result is None:
            cell = choose(position)
            name = format_cell(cell, self.rules)
            status, text, _ = self.players[len(self.confirmed) % 2].insist(
                self.path, cell=name, at=f"0.{len(self.confirmed)}"
            )
            if status != 303:
                self.refused.append(text)
                return
            self.confirmed.append(name)
            position = position.play(cell)

    def kept(self) -> list[str]:
        """Return the moves that the server has."""
        _, page, _ = self.players[0].insist(self.path)
        return re.findall(r"<li[^>]*>(\w\d)</li>", page)


def played_together(tables: list[LiveTable], choose: Callable[[Position], int]) -> list[Thread]:
    """Start to play all games at once; return their threads."""
    threads = [Thread(target=table.play, args=(choose,)) for table in tables]
    for thread in threads:
        thread.start()
    return threads


def as_confirmed(table: LiveTable) -> bool:
    """Return whether the server has each confirmed move once, and refused none."""
    position = Position(table.rules)
    for name in table.kept():
        position = position.play(parse_cell(name, table.rules))
    return table.refused == [] and table.kept() == table.confirmed and position.result is not None
