"""The lesson on the streams of the PyFL article: values that are worked out only when something asks for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

from solver.articles.streams import RULES, Demand, answering, fby, make_move, move, pair, program, run
from solver.articles.tracing.listing import Listing, listing
from solver.board.notation import parse_position
from solver.board.rules import TIC_TAC_TOE
from webapp.pages.learn.lesson import Lesson, Level, lesson_url, settled
from webapp.pages.learn.quiz import Feedback, Question, Quiz
from webapp.pages.learn.search.stepping import Attributes, Film, step_controls
from webapp.pages.learn.thumbs import lines
from webapp.ui.address import Query, number_of, one_of
from webapp.ui.board import mini
from webapp.ui.choices import Choice

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
    step = number_of(query, "step", 1, 1, len(steps))
    parts = {name: value for name, value in (("order", order), ("typed", typed)) if query.get(name)}
    return LazilyView(
        Film(_looks(steps, parts), step, parts),
        tuple(Choice(title, _url(order=each, typed=typed), each == order) for each, title in ORDERS.items()),
        tuple(
            Choice(f"X takes {squares[0]}, then {squares[1]}", _url(order=order, typed=each), each == typed)
            for each, squares in TYPED.items()
        ),
    )


def _url(**parts: str) -> str:
    return lesson_url("lazily", parts, "stage")


def _looks(steps: tuple[Demand, ...], parts: Mapping[str, str]) -> tuple[Attributes, ...]:
    """Return the look of the table after each step."""
    cells = {f"{name}-{time}": {"class": "unasked", "text": "·"} for name in STREAMS for time in TIMES}
    looks = []
    for number, step in enumerate(steps, start=1):
        here = f"{step.name}-{step.time}"
        kind = "error" if step.error else "pending" if step.value is None else "known"
        cells = cells | {here: {"class": kind, "text": "error" if step.error else step.value or "?"}}
        now = {here: {**cells[here], "class": f"{kind} now"}, "telling": {"text": _told(step)}}
        looks.append({**cells, **now, **step_controls(parts, number, len(steps))})
    return tuple(looks)


def _told(step: Demand) -> str:
    here = f"{step.name} at time {step.time}"
    if step.error:
        return f"{here} is an error: {step.error}. The program stops."
    if step.value is None:
        return f"{step.by[0]} at time {step.by[1]} needs {here}." if step.by else f"The loop asks for {here}."
    return f"{here} is known{'' if step.name == 'board' else f': {step.value}'}. Nobody works it out again."


@cache
def asking() -> Quiz:
    """Return the quiz about what is asked for."""
    return Quiz(
        title="Who asks for it?",
        questions=(_error(), _unasked(), _boards(), _player()),
        closing="Now watch the program ask.",
    )


def _error() -> Question:
    """Ask whether a definition that is an error stops the program."""
    lazy, eager = run((1, 2)), run((1, 2), eager=True)
    asked = any(step.name == "WinX" and step.time == 1 for step in lazy)
    stops = bool(lazy[-1].error)
    told = f"A language that works out everything at once stops: {eager[-1].error}."
    nobody = "Nobody asks for WinX at time 1" if not asked else "WinX is asked for"
    return Question(
        words="A program says: if X can win, take the first of X's winning squares. X has none yet, and the first of"
        " nothing is an error. Does the program stop?",
        answers={
            "yes": Feedback(stops, "Who asks for a winning square when X can't win?"),
            "no": Feedback(not stops, f"Yes! {nobody}: the error never happens. {told}"),
        },
        titles={"yes": "It stops", "no": "It plays on"},
    )


def _unasked() -> Question:
    """Ask which stream isn't asked for at O's first move."""
    steps = {step.name: step.value for step in run((1, 2)) if step.time == 2 and step.value}
    offered = ("HasWinX", "HasWinO", "WinO", "CenterFree", "Center")

    def answer(name: str) -> Feedback:
        if name not in steps:
            return Feedback(True, f"Yes! The condition before {name} is false, so nobody asks for it.")
        return Feedback(False, f"{name} is asked for: it's {steps[name]}. Which condition is false?")

    conditions = ", ".join(f"if {condition} then {square}" for condition, square in RULES)
    return Question(
        words=f"X has taken a corner. O's move: {conditions}, else Corner. HasWin means a line is nearly full. Which"
        " of these does nobody ask for?",
        answers={name: answer(name) for name in offered},
        titles={name: name for name in offered},
    )


def _boards() -> Question:
    """Ask how many boards pass on the question for a square."""
    numbers = answering((1, 5, 2), 1)
    told = f"board {', board '.join(map(str, numbers))}"
    board = mini(parse_position("XX./.O./...", TIC_TAC_TOE))

    def answer(count: int) -> Feedback:
        if count == len(numbers):
            return Feedback(True, f"Yes! Asked are {told}: the last one knows, since 1 was its move.")
        if count < len(numbers):
            return Feedback(False, f"More: board {numbers[count - 1]} doesn't know square 1, so it asks on.")
        return Feedback(False, "Fewer: the board whose own move was 1 asks nobody.")

    return Question(
        words="Squares count from 1 at the top left to 9. The moves are 1, 5, 2. Each board knows only its own move and"
        " asks the board before it about the rest. Board 4 is asked about 1. How many boards are asked, with it?",
        answers={str(count): answer(count) for count in (1, 2, 3, 4)},
        titles={str(count): str(count) for count in (1, 2, 3, 4)},
        board=board,
    )


def _player() -> Question:
    """Ask for a value of a stream."""
    time = 5
    value = next(step.value for step in run((1, 2, 7)) if (step.name, step.time) == ("player", time) and step.value)
    return Question(
        words="“a fby b” is a first, and then what b was at the time before. player = X fby opponent(player). Who is"
        f" the player at time {time}?",
        answers={
            mark: Feedback(True, "Yes! X at time 1, then they alternate.")
            if mark == value
            else Feedback(False, "At time 2 it's the opponent of X. Go on from there.")
            for mark in "XO"
        },
        titles={mark: mark for mark in "XO"},
    )


LESSON = Lesson(
    name="lazily",
    title="Only what is asked for",
    summary="A program whose errors never happen, because nobody asks for them.",
    level=Level.DEEP,
    minutes=4,
    after=("pyfl",),
    code=(run, program),
    picture=lambda: lines(("X", "fby", "O", "…")),
    parts=("order", "typed", "step"),
    view=settled(view),
    quizzes={"asking": asking},
)
