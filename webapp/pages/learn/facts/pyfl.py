"""Facts and figures of the PyFL article: what its operators are worth, and which stream asks for which."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.articles.figures import figures
from solver.articles.pyfl.player import PLAYER, ProgramPlayer, ask_streams
from solver.articles.pyfl.running import Demand, ProgramRun, run_program, write
from solver.articles.pyfl.syntax import parse_program
from solver.articles.rulebooks import MAX_KEPT
from solver.players import Strategy
from webapp.pages.learn.content import ContentTable, Facts, Remark, Shown, lesson_url, read_content
from webapp.pages.learn.stepping import Attributes, Film
from webapp.ui.address import Query, one_of
from webapp.ui.filters import Choice

PROGRAM: Final = "pyfl-program"
"""The end of the address of the page on which the program is edited, and the name of its content."""

TYPED: Final[Mapping[str, tuple[int, ...]]] = {"1.2": (1, 2), "1.9": (1, 9)}
"""X's cells in the games on offer, by their spelling in addresses."""

ORDERS: Final = {"lazy": "only what is asked for", "eager": "everything at once"}
"""The two ways to run the program, with their titles."""

STREAMS: Final = ("player", "board", "move", "xThreatens", "xWins", "oThreatens", "oWins", "sideOpen", "side")
"""The streams in the table."""

TIMES: Final = range(1, 6)

Expressions: TypeAlias = tuple[tuple[str, str, str], ...]
"""Expressions of the language: what they do, the expressions, and their values."""


def _text_of(entry: ContentTable) -> str:
    text: str = entry.get("text", PLAYER)
    for old, new in entry.get("edits", ()):
        text = text.replace(old, new)
    return text.strip()


PROGRAMS: Final[Mapping[str, str]] = MappingProxyType(
    {entry["title"]: _text_of(entry) for entry in read_content(PROGRAM)["programs"]}
)
"""Programs to start from, by title. The first is the article's."""


@lru_cache(maxsize=MAX_KEPT)
def player_of(text: str) -> tuple[ProgramPlayer, Strategy] | None:
    """Return the player of a program, and the same as an opponent. Raises BadProgram."""
    player = ProgramPlayer.of(text)
    return None if player is None else (player, player.strategy())


def view_streams(query: Query) -> Shown:
    """Show the run of the game `typed` in the way `order`, at a `step`. Raises BadOption."""
    typed, order = one_of(query, "typed", TYPED, "1.2"), one_of(query, "order", ORDERS, "lazy")
    demands, error = ask_streams(TYPED[typed], STREAMS if order == "eager" else ())
    parts = {name: value for name, value in (("order", order), ("typed", typed)) if query.get(name)}
    return {
        "film": Film.of(query, _looks(demands, error), parts),
        "orders": [Choice(title, _url(order=each, typed=typed), each == order) for each, title in ORDERS.items()],
        "games": [
            Choice(f"X takes {first}, then {then}", _url(order=order, typed=each), each == typed)
            for each, (first, then) in TYPED.items()
        ],
        "streams": STREAMS,
        "times": TIMES,
    }


def _url(**parts: str) -> str:
    return lesson_url("pyfl", parts, "loop")


def _looks(demands: tuple[Demand, ...], error: str) -> Iterator[Attributes]:
    """Yield the look of the table after each step."""
    cells = {f"{name}-{time}": {"class": "unasked", "text": "·"} for name in STREAMS for time in TIMES}
    steps = [each for each in demands if f"{each.name}-{each.time}" in cells]
    for number, step in enumerate(steps, start=1):
        here, fails = f"{step.name}-{step.time}", bool(error) and number == len(steps)
        kind = "error" if fails else "pending" if step.value is None else "known"
        text = "error" if fails else "?" if step.value is None else write(step.value).removeprefix("a ")
        cells = cells | {here: {"class": kind, "text": text}}
        now = {here: {**cells[here], "class": f"{kind} now"}, "telling": {"text": _tell(step, error if fails else "")}}
        yield {**cells, **now}


def _tell(step: Demand, error: str) -> str:
    here = f"{step.name} at time {step.time}"
    if error:
        return f"{here} is an error. {error} The program stops."
    if step.value is not None:
        return f"{here} is known: {write(step.value)}. Nobody works it out again."
    return f"{step.by.name} at time {step.by.time} needs {here}." if step.by else f"The loop asks for {here}."


def work_out(expression: str) -> str:
    """Return the value of an expression."""
    return write(run_program(parse_program(f"result = {expression};"), ProgramRun()))


def view_operators(_: Query) -> Expressions:
    """Show examples of the language."""
    examples = read_content(PROGRAM)["examples"]
    return tuple((words, expression, work_out(expression)) for words, expression in examples)


def show_program(_: Query) -> str:
    """Show the article's program."""
    return PLAYER


def judge_error() -> Facts:
    """Judge whether a definition that is an error stops the program."""
    demands, stops = ask_streams((1, 2))
    _, error = ask_streams((1, 2), STREAMS)
    asked = any((each.name, each.time) == ("xWins", 1) for each in demands)
    return Facts.of({"yes": "stops" if stops else "who", "no": "asked" if stops or asked else "nobody"}, error=error)


def judge_unasked(offered: list[str]) -> Facts:
    """Judge which stream isn't asked for at O's first move."""
    values = {
        each.name: write(each.value) for each in ask_streams((1, 2))[0] if each.time == 2 and each.value is not None
    }
    answers = {
        name: Remark.of("asked" if name in values else "unasked", name=name, value=values.get(name)) for name in offered
    }
    return Facts.of(answers, titles={name: name for name in offered})


def judge_players(time: int) -> Facts:
    """Judge whose move it is at a time."""
    player = next(
        each.value for each in ask_streams((1, 2, 7))[0] if (each.name, each.time) == ("player", time) and each.value
    )
    return Facts.of({mark: "yes" if mark == player else "no" for mark in "XO"}, time=time)


def judge_value(expression: str, offered: list[str]) -> Facts:
    """Judge what an expression is worth."""
    value = work_out(expression)
    answers = {str(place): "yes" if each == value else "no" for place, each in enumerate(offered)}
    titles = {str(place): each for place, each in enumerate(offered)}
    return Facts.of(answers, titles=titles, expression=expression, value=value)


def judge_programs(edits: dict[str, str]) -> Facts:
    """Judge which edit of the article's program makes it unbeatable. The edits are programs by their titles."""
    answers, titles = {}, {}
    for place, (title, name) in enumerate(edits.items()):
        as_x, as_o = figures().programs[name]
        says = "loses" if as_x or as_o else "never"
        answers[str(place)] = Remark.of(says, lost=as_o or as_x, mark="O" if as_o else "X")
        titles[str(place)] = title
    return Facts.of(answers, titles=titles)
