"""The claims that are not simply confirmed, each with a board that shows what it is about."""

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from solver.articles.claims import Finding
from solver.articles.claims.scala import PUBLISHED
from solver.board.notation import format_cell, parse_cell, parse_position
from solver.board.position import Position
from solver.proofs.prediction import predict
from webapp.pages.learn.source import Source, source_of
from webapp.pages.play.games import GAME, asked_game
from webapp.ui.minis import Mini, mini, of_outcomes

_MOVE: Final = re.compile(r"([XO]) ([a-c][1-3]) in ([XO.]{3}/[XO.]{3}/[XO.]{3})")
"""A move in a position, as explanations write it."""

GAMES: Final = MappingProxyType(
    {
        "clojure.duplication-factor": {"moves": "a3a2b3b2b1c1c3"},
        "clojure.forced-prose": {"from": "X.O/.O./X.X"},
        "clojure.openings-must-draw": {"moves": "a3"},
        "scala.optimal-moves": {"moves": PUBLISHED[:10]},
        "scala.row-and-column": {"from": "XXX/OO./..."},
        "pyfl.plays-the-list": {"moves": "a3b2c1"},
        "pyfl.side-rule": {"moves": "a3b2c1"},
        "pyfl.win-first": {"from": "OO./XX./X.."},
        "pyfl.half-dozen": {"moves": "b2"},
        "pyfl.last-rule": {"moves": "b2"},
        "pyfl.at-random": {"moves": "b2"},
        "haskell.list-functions": {"moves": "b2"},
        "haskell.values-after-corner": {"moves": "a3a1"},
        "haskell.next-position": {"from": "..X/OX./O.."},
        "haskell.static-value-to-blame": {"moves": "b2a2c3a1"},
    }
)
"""Positions that show what claims are about, where neither their explanation nor their page names one."""


@dataclass(frozen=True, slots=True)
class Story:
    """A finding with a board of what it is about, and the code that computes it."""

    finding: Finding
    board: Mini
    code: Source


def story_of(finding: Finding) -> Story:
    """The story of a claim: its board has the move that its explanation names, or else what every square is worth."""
    return Story(finding, _board(finding), source_of(finding.claim.compute))


def _board(finding: Finding) -> Mini:
    if move := _MOVE.search(finding.computation.explanation):
        position = parse_position(move[3])
        cell = parse_cell(move[2], position.rules)
        said = f"{move[1]} on {format_cell(cell, position.rules)}"
        return mini(position, said, texts={cell: "?"}, classes={cell: "loss"})
    position = _position(finding)
    if position.result is not None:
        return mini(position)
    return of_outcomes(position, predict(position).squares, f"{position.mover} to move")


def _position(finding: Finding) -> Position:
    claim = finding.claim
    asked = GAMES.get(claim.id) or {
        name: value for name, value in parse_qsl(urlsplit(claim.page).query) if name in GAME
    }
    return asked_game(asked).last
