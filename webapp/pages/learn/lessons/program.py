"""The page on which visitors edit the PyFL article's program: it is proved or beaten, and traced in a game.

The link holds the whole program, compressed against the article's, so that an edit makes it little longer.
"""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Final

from solver.articles.pyfl.player import PLAYER, ProgramPlayer
from solver.articles.pyfl.running import ProgramRun, run_program, write
from solver.articles.pyfl.syntax import MAX_BYTES, BadProgram, parse_program
from solver.board.position import Position
from solver.errors import BadOption
from webapp.pages.learn.content import lesson_url
from webapp.pages.learn.facts.pyfl import PROGRAM, PROGRAMS, Expressions, player_of, view_operators
from webapp.pages.learn.lesson import Lesson
from webapp.pages.learn.stage import PARTS, PlayerStage, RuleLine
from webapp.serving.pool.asking import MAX_QUERY
from webapp.ui.address import Query
from webapp.ui.filters import Choice

LONGEST: Final = MAX_QUERY - 100
"""The most characters of a program's address. Those of its games are a little longer."""

_DICTIONARY: Final = PLAYER.encode()


@dataclass(frozen=True, slots=True)
class ProgramView:
    """A program with links to others, and what came of it.

    A program that plays has a `stage`; another one has the `value` of its result and what it has `said`. A program that
    goes wrong has a `problem` instead.
    """

    text: str
    presets: tuple[Choice, ...]
    language: Expressions
    problem: str = ""
    stage: PlayerStage | None = None
    value: str = ""
    said: str = ""
    most: ClassVar[int] = MAX_BYTES

    @property
    def line(self) -> str:
        """The line of the program that the problem is about, if it names one."""
        number = self.problem.removeprefix("Line ").partition(":")[0]
        return self.text.split("\n")[int(number) - 1].strip() if number.isdigit() else ""


def view(query: Query) -> ProgramView:
    """Show the program of the query's `code`, or else the article's, in a game that the query names."""
    text = program_of(query["code"]) if query.get("code") else PROGRAMS["The article's program"]
    presets = tuple(Choice(title, url_of(each), each == text) for title, each in PROGRAMS.items())
    shown = ProgramView(text, presets, view_operators({}))
    try:
        played = player_of(text)
        if played is None:
            run = ProgramRun()
            value = write(run_program(parse_program(text), run))
            return replace(shown, value=value, said="".join(run.said))
        player, strategy = played
        return replace(shown, stage=PlayerStage.of(query, strategy, partial(url_of, text), partial(_trace, player)))
    except BadProgram as error:
        return replace(shown, problem=str(error))


def refuse(text: str) -> ProgramView:
    """Return the view of a program that fits in no link."""
    presets = tuple(Choice(title, url_of(each)) for title, each in PROGRAMS.items())
    return ProgramView(text, presets, view_operators({}), "This is too long for a link. Make the program shorter.")


def url_of(text: str, **parts: object) -> str:
    """Return the address of the page with a program and other parts."""
    return lesson_url(PROGRAM, {"code": code_of(text), **parts}, "stage" if parts else "")


def code_of(text: str) -> str:
    """Return the code of a program in links."""
    packer = zlib.compressobj(9, wbits=-15, zdict=_DICTIONARY)
    packed = packer.compress(text.encode(errors="replace")) + packer.flush()
    return urlsafe_b64encode(packed).decode().rstrip("=")


def program_of(code: str) -> str:
    """Return the program of a code. Raises BadOption."""
    unpacker = zlib.decompressobj(wbits=-15, zdict=_DICTIONARY)
    try:
        return unpacker.decompress(urlsafe_b64decode(f"{code}==="), MAX_BYTES + 1).decode()
    except (ValueError, zlib.error) as error:
        raise BadOption("This link is broken. Copy the whole link, or start with the article's program.") from error


def _trace(player: ProgramPlayer, position: Position) -> Iterator[RuleLine]:
    for words, true, notes in player.ask(position):
        fate = "unasked" if true is None else "decides" if true else "silent"
        why = ", ".join(f"{note.words} = {write(note.value)}" for note in notes)
        yield RuleLine(words, fate, why or ("not asked" if true is None else write(true)))


LESSON = Lesson.of(PROGRAM, parts=("code", *PARTS), view=view)
