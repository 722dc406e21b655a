"""Records of games: headers, moves, comments and the result as text, in the form of PGN, which chess programs use.

The header `Board` names the rules, and `From` the position the game began from; X has the place of White.

>>> record = GameRecord(parse_game("3x3x3", None, "b2b3a1c2c3"), {"X": "Ada"}, {2: "Only corners hold."})
>>> print(record)
[Board "3x3x3"]
[X "Ada"]
[Result "1-0"]
<BLANKLINE>
1. b2 b3 {Only corners hold.} 2. a1 c2 3. c3 1-0
>>> parse_record(str(record)) == record
True

Source: PGN Standard, 1994. Its variations and numbered annotations are read over.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from textwrap import fill
from types import MappingProxyType
from typing import Final

from solver.board.game import Game, game_to, parse_game, read_game
from solver.board.names import parse_rules
from solver.board.notation import format_cell, format_moves, format_position, parse_position, quoted, split_moves
from solver.board.position import Position, Result
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.errors import BadNotation, check_text

RESULTS: Final = MappingProxyType({Result.X: "1-0", Result.O: "0-1", Result.DRAW: "1/2-1/2", None: "*"})
"""The results as records write them; `*` is a game that goes on."""

OWN: Final = frozenset({"Board", "From", "Result"})
"""The headers that follow from the game."""

LINE: Final = 80
"""The most characters of a line of moves, unless a word is longer."""

_NAME: Final = r"[A-Za-z][A-Za-z0-9_]{0,39}"
_TOKEN: Final = re.compile(
    rf"""(?:\[\s*(?P<name>{_NAME})\s+"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
    |\{{(?P<comment>[^}}]*)\}} | ;(?P<rest>[^\n]*)
    |(?P<variation>[()])
    |(?P<result>1-0|0-1|1/2-1/2|\*)(?=[\s\[{{;(]|$)
    |\d{{1,3}}\.+ | \$\d+
    |(?P<moves>[A-Za-z0-9.,]+)[!?]*
    )\s*""",
    re.VERBOSE | re.ASCII,
)


@dataclass(frozen=True)
class GameRecord:
    """A game with headers, such as the players' names, and comments by the number of plies before them.

    `result` is that of the game or, where it was broken off, what the players agreed on. `str` writes the record.
    Raises BadNotation for what no record can hold, and for a result that contradicts the game.

    >>> GameRecord(parse_game("2x2x2", None, "a1"), result=Result.O).result
    <Result.O: 'O'>
    """

    game: Game
    headers: Mapping[str, str] = field(default_factory=dict)
    comments: Mapping[int, str] = field(default_factory=dict)
    result: Result | None = None

    def __post_init__(self) -> None:
        ended = self.game.last.result
        if ended and self.result not in (None, ended):
            raise BadNotation(f"The result is {RESULTS[self.result]}, but the game ended with {RESULTS[ended]}.")
        for name, value in self.headers.items():
            if not re.fullmatch(_NAME, name, re.ASCII) or name in OWN or not value.isprintable():
                raise BadNotation(
                    f"{quoted(name)} with {quoted(value)} is no header: a name of letters and digits, other than"
                    f" {', '.join(sorted(OWN))}, with a value of one line."
                )
        comments = {ply: " ".join(text.split()) for ply, text in sorted(self.comments.items())}
        for ply, text in comments.items():
            if not 0 <= ply <= len(self.game.moves) or "}" in text:
                raise BadNotation(f"{quoted(text)} is no comment: write no }} in it, and a number of plies before it.")
        put = object.__setattr__  # as the constructor of any frozen dataclass does
        put(self, "headers", MappingProxyType(dict(self.headers)))
        put(self, "comments", MappingProxyType({ply: text for ply, text in comments.items() if text}))
        put(self, "result", self.result or ended)

    def __str__(self) -> str:
        start, rules = self.game.positions[0], self.game.last.rules
        began = format_moves(game_to(start).moves, rules) if rules.vanishes else format_position(start)
        tags = {"Board": str(rules)} | ({"From": began} if start.is_begun else {}) | {**self.headers}
        heads = (f'[{name} "{_escaped(value)}"]' for name, value in (tags | {"Result": RESULTS[self.result]}).items())
        moves = fill(" ".join(self._words()), LINE, break_long_words=False, break_on_hyphens=False)
        return "\n".join((*heads, "", moves))

    def _words(self) -> Iterator[str]:
        """Yield the moves with their numbers and comments, and the result."""
        for ply in range(len(self.game.moves) + 1):
            if ply % 2:
                yield f"{ply // 2 + 1}."
            if ply:
                yield format_cell(self.game.moves[ply - 1], self.game.last.rules)
            if ply in self.comments:
                yield f"{{{self.comments[ply]}}}"
        yield RESULTS[self.result]


def parse_record(text: str, rules: Rules = TIC_TAC_TOE) -> GameRecord:
    """Parse the first record of a text, on the board `rules` unless a header names one. Raises NoughtsError.

    >>> parse_record('[Board "connect four"] 1. 4 4 2. 5 {Now 3 and 6 win.} *').game.columns
    '445'
    """
    return next(parse_records(text, rules), None) or GameRecord(Game.starting(Position(rules)))


def parse_records(text: str, rules: Rules = TIC_TAC_TOE) -> Iterator[GameRecord]:
    """Yield each record of a text, as `parse_record` reads it.

    >>> [len(record.game.moves) for record in parse_records("1. b2 a1 * 1. c3 1-0")]
    [2, 1]
    """
    draft = _Draft(rules)
    for token in _tokens(text):
        if draft.ends_before(token):
            yield draft.record()
            draft = _Draft(rules)
        draft.add(token)
    if draft.begun:
        yield draft.record()


def _tokens(text: str) -> Iterator["re.Match[str]"]:
    """Yield the words of records that are outside variations. Raises BadNotation for a character of no word."""
    check_text(text, "a record, from its first header or move on")
    at, depth = len(text) - len(text.lstrip()), 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise BadNotation(f"The record can't be read from {quoted(text[at:])} on.")
        depth += {"(": 1, ")": -1}.get(token["variation"] or "", 0)
        if not depth and not token["variation"]:
            yield token
        at = token.end()


class _Draft:
    """The words of a record that have been read so far."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.tags, self.comments, self.words = rules, dict[str, str](), dict[int, str](), list[str]()
        self.result = ""

    @property
    def begun(self) -> bool:
        """True if a word has been read."""
        return bool(self.tags or self.comments or self.words or self.result)

    def ends_before(self, token: "re.Match[str]") -> bool:
        """Return whether a word belongs to the next record."""
        return bool(self.result or (token["name"] and (self.words or self.comments)))

    def add(self, token: "re.Match[str]") -> None:
        """Add a word. Raises BadNotation for moves that are none."""
        if token["name"]:
            self.tags[token["name"]] = re.sub(r"\\(.)", r"\1", token["value"])
            self.rules = parse_rules(self.tags["Board"]) if "Board" in self.tags else self.rules
        elif token["moves"]:
            self.words += split_moves(token["moves"], self.rules)
        elif said := token["comment"] or token["rest"]:
            self.comments[len(self.words)] = f"{self.comments.get(len(self.words), '')} {said}"
        self.result = token["result"] or ""

    def record(self) -> GameRecord:
        """Return the record. Raises NoughtsError."""
        began, said = self.tags.get("From"), self.result or self.tags.get("Result", "*")
        if self.rules.vanishes:
            start = parse_game(self.rules, None, began or "").last
        else:
            start = parse_position(began, self.rules) if began else Position(self.rules)
        results = [result for result, written in RESULTS.items() if written == said]
        if not results:
            raise BadNotation(f"{quoted(said)} is no result: write {', '.join(RESULTS.values())}.")
        headers = {name: value for name, value in self.tags.items() if name not in OWN}
        return GameRecord(read_game(start, " ".join(self.words)).whole(), headers, self.comments, results[0])


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
