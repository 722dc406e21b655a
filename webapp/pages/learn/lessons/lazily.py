"""The lesson on the streams of the PyFL article: values that are worked out only when something asks for them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from solver.articles.listing import Listing, listing
from solver.articles.streams import RULES, Demand, answering, fby, make_move, move, pair, program, run
from solver.board.notation import parse_position
from solver.board.rules import TIC_TAC_TOE
from webapp.pages.learn.content import Facts, Remark
from webapp.pages.learn.lesson import Lesson, lesson_url
from webapp.pages.learn.stepping import Attributes, Film
from webapp.ui.address import Query, one_of
from webapp.ui.board import mini
from webapp.ui.filters import Choice

TYPED: Final[Mapping[str, tuple[int, ...]]] = {"1.2": (1, 2), "1.9": (1, 9), "1.5": (1, 5)}
"""X's squares in the games on offer, by their spelling in addresses."""

ORDERS: Final = {"lazy": "only what is asked for", "eager": "everything at once"}
"""The two ways to run the program, with their titles."""

TIMES: Final = range(1, 6)
STREAMS: Final = tuple(program((1, 2)))


@dataclass(frozen=True, slots=True)
class LazilyView:
    """A run of the program, step by step, with links to other runs, and the code that runs."""

    film: Film
    orders: tuple[Choice, ...]
    games: tuple[Choice, ...]
    streams: ClassVar[tuple[str, ...]] = STREAMS
    times: ClassVar[range] = TIMES
    code: ClassVar[Listing] = listing(fby, make_move, pair, move)


def view(query: Query) -> LazilyView:
    """Show the run of the game `typed` in the way `order`, at a `step`. Raises BadOption."""
    typed, order = one_of(query, "typed", TYPED, "1.2"), one_of(query, "order", ORDERS, "lazy")
    steps = run(TYPED[typed], eager=order == "eager")
    parts = {name: value for name, value in (("order", order), ("typed", typed)) if query.get(name)}
    return LazilyView(
        Film.of(query, _looks(steps), parts),
        tuple(Choice(title, _url(order=each, typed=typed), each == order) for each, title in ORDERS.items()),
        tuple(
            Choice(f"X takes {squares[0]}, then {squares[1]}", _url(order=order, typed=each), each == typed)
            for each, squares in TYPED.items()
        ),
    )


def _url(**parts: str) -> str:
    return lesson_url("lazily", parts, "stage")


def _looks(steps: tuple[Demand, ...]) -> Iterator[Attributes]:
    """Yield the look of the table after each step."""
    cells = {f"{name}-{time}": {"class": "unasked", "text": "·"} for name in STREAMS for time in TIMES}
    for step in steps:
        here = f"{step.name}-{step.time}"
        kind = "error" if step.error else "pending" if step.value is None else "known"
        cells = cells | {here: {"class": kind, "text": "error" if step.error else step.value or "?"}}
        now = {here: {**cells[here], "class": f"{kind} now"}, "telling": {"text": _tell(step)}}
        yield {**cells, **now}


def _tell(step: Demand) -> str:
    here = f"{step.name} at time {step.time}"
    if step.error:
        return f"{here} is an error: {step.error}. The program stops."
    if step.value is None:
        return f"{step.by[0]} at time {step.by[1]} needs {here}." if step.by else f"The loop asks for {here}."
    return f"{here} is known{'' if step.name == 'board' else f': {step.value}'}. Nobody works it out again."


def judge_error() -> Facts:
    """Judge whether a definition that is an error stops the program."""
    lazy, eager = run((1, 2)), run((1, 2), eager=True)
    stops = bool(lazy[-1].error)
    asked = stops or any(step.name == "WinX" and step.time == 1 for step in lazy)
    answers = {"yes": "stops" if stops else "who", "no": "asked" if asked else "nobody"}
    return Facts.of(answers, error=eager[-1].error)


def judge_unasked(offered: list[str]) -> Facts:
    """Judge which stream isn't asked for at O's first move."""
    steps = {step.name: step.value for step in run((1, 2)) if step.time == 2 and step.value}
    answers = {
        name: Remark.of("asked" if name in steps else "unasked", name=name, value=steps.get(name)) for name in offered
    }
    conditions = ", ".join(f"if {condition} then {square}" for condition, square in RULES)
    return Facts.of(answers, titles={name: name for name in offered}, conditions=conditions)


def judge_boards() -> Facts:
    """Judge how many boards pass on the question for a square."""
    numbers = answering((1, 5, 2), 1)

    def judge(count: int) -> Remark:
        if count >= len(numbers):
            return Remark.of("yes" if count == len(numbers) else "fewer")
        return Remark.of("more", after=numbers[count - 1])

    answers = {str(count): judge(count) for count in (1, 2, 3, 4)}
    return Facts.of(
        answers,
        mini(parse_position("XX./.O./...", TIC_TAC_TOE)),
        titles={count: count for count in answers},
        boards=f"board {', board '.join(map(str, numbers))}",
    )


def judge_players(time: int) -> Facts:
    """Judge whose move it is at a time."""
    steps = run((1, 2, 7))
    player = next(step.value for step in steps if (step.name, step.time) == ("player", time) and step.value)
    return Facts.of({mark: "yes" if mark == player else "no" for mark in "XO"}, time=time)


LESSON = Lesson.of(
    "lazily",
    code=(run, program),
    parts=("order", "typed", "step"),
    view=view,
    facts={
        "error": judge_error,
        "unasked": judge_unasked,
        "boards": judge_boards,
        "players": judge_players,
    },
)
