"""The pages of a class, for a pupil and for the wall: the values that their templates render."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.board.notation import parse_cell
from solver.board.position import Result
from solver.board.rules import Cell
from webapp.pages.classes.question import ClassQuestion, question_of
from webapp.pages.classes.room import ClassRoom, Mode, Pupil, Shows, Standing, table
from webapp.pages.play.game import snapshot
from webapp.pages.play.link import Link
from webapp.pages.play.view import board
from webapp.ui.board import Board, Mini, Square, mini

Results: TypeAlias = Mapping[str, Result | None]
"""The results of a tournament's games by name; None for a game that goes on."""

NO_RESULTS: Final[Results] = MappingProxyType({})

HEATS: Final = 4
"""The steps of colour of a heat map."""

TITLES: Final[Mapping[Mode, str]] = {
    Mode.ASK: "Ask the class",
    Mode.COMPUTER: "The class against the computer",
    Mode.TOURNAMENT: "A tournament",
    Mode.HOMEWORK: "Homework",
}


@dataclass(frozen=True, slots=True)
class Bar:
    """An answer that pupils gave: their number, its share of the most frequent one, and whether it is right."""

    title: str
    number: int
    share: float
    is_right: bool | None


@dataclass(frozen=True, slots=True)
class QuestionShown:
    """A question with its board, as far as its answers are shown.

    `bars` are the answers of all, and `mine` is the viewer's own. `reasons` are the answers that are explained, each
    with its words.
    """

    question: ClassQuestion
    board: Board | None
    picture: Mini | None
    stage: Shows
    bars: tuple[Bar, ...]
    mine: str
    reasons: tuple[tuple[str, str], ...]

    @property
    def mine_is_right(self) -> bool | None:
        """Whether the viewer's answer is right; None if that is not shown, or not known."""
        right = self.question.right if self.stage >= Shows.COLOURED and self.mine else None
        return self.mine in right if right else None


@dataclass(frozen=True, slots=True)
class MapRow:
    """A question in the map of what went wrong.

    `right` of the `given` first answers were right. `wrong` is the most frequent wrong answer, with its `times`.
    """

    number: int
    question: ClassQuestion
    board: Mini
    right: int
    given: int
    wrong: str
    times: int


@dataclass(frozen=True, slots=True)
class ClassPage:
    """The page of a class for one viewer: a pupil, or the teacher before the wall, where `pupil` is None.

    `at` is the number of the question shown. On the wall, `answered` is the number of pupils who answered it. `seconds`
    are left for a move against the computer. `key` is the teacher's secret, if it is to be shown once. `pairs` are the
    games of the present round: two names and the score, "" while the game goes on. `game` is the pupil's own opponent
    and score, "" for one who rests; it is None before the first round. `right` is the number of right answers, once all
    homework is done.
    """

    found: ClassRoom
    pupil: Pupil | None
    at: int
    shown: QuestionShown | None
    answered: int = 0
    seconds: int = 0
    problem: str = ""
    key: str = ""
    map: tuple[MapRow, ...] = ()
    table: tuple[tuple[str, Standing], ...] = ()
    pairs: tuple[tuple[str, str, str], ...] = ()
    game: tuple[str, str] | None = None
    right: int | None = None

    @property
    def title(self) -> str:
        """The heading of the page."""
        return TITLES[self.found.room.mode]

    @property
    def is_last(self) -> bool:
        """True at the last question."""
        return self.at + 1 >= len(self.found.room.tasks)


def show_question(
    question: ClassQuestion, stage: Shows, counts: "Counter[str]", mine: str = "", is_open: bool = False
) -> QuestionShown:
    """Return a question as it is shown at a stage. `is_open` lets the viewer answer it."""
    right = question.right if stage >= Shows.COLOURED else frozenset()
    most = max(counts.values(), default=0)
    bars = [
        Bar(question.title_of(answer), number, number / most, answer in right if right else None)
        for answer, number in counts.most_common()
    ]
    as_picture = bool(question.titles) and question.picture is not None
    return QuestionShown(
        question=question,
        board=None if as_picture else _board(question, stage, counts, mine, is_open and not question.titles),
        picture=question.picture if as_picture else None,
        stage=stage,
        bars=tuple(bars) if stage >= Shows.COUNTED else (),
        mine=mine,
        reasons=tuple(question.reasons(counts)) if stage >= Shows.EXPLAINED else (),
    )


def _board(question: ClassQuestion, stage: Shows, counts: "Counter[str]", mine: str, is_open: bool) -> Board:
    """Return the board: a heat map once answers are counted, the outcomes once they are coloured."""
    coloured = stage >= Shows.COLOURED and not question.titles
    game = question.game
    link = Link(game, len(game.moves), x="friend", o="friend", show="distance" if coloured else "off", tell=False)
    drawn, pressed = board(snapshot(link), "", asks=is_open), _pressed(question, counts)
    own = _pressed(question, Counter([mine] if mine else []))

    def answered(cell: Cell, square: Square) -> Square:
        label, classes = square.label, square.classes
        number = pressed[cell] if stage >= Shows.COUNTED else 0
        if number:
            label += f", {number} pressed it"
            classes += "" if coloured else f" heat-{_heat(number, pressed)}"
        if own[cell]:
            label, classes = f"{label}, your answer", f"{classes} tried"
        is_offered = not question.squares or square.name in question.squares
        return square._replace(label=label, classes=classes, chance=str(number or ""), open=square.open and is_offered)

    return replace(drawn, squares=tuple(answered(cell, square) for cell, square in enumerate(drawn.squares)))


def map_of(found: ClassRoom) -> tuple[MapRow, ...]:
    """Return the map of what went wrong: the questions that somebody answered, those with most mistakes first."""
    rows = []
    for at, task in enumerate(found.room.tasks):
        counts, question = found.counts(at), question_of(task)
        right = question.right
        if counts and right:
            wrong = [(answer, number) for answer, number in counts.most_common() if answer not in right]
            answer, times = wrong[0] if wrong else ("", 0)
            good, given = sum(counts[each] for each in right), sum(counts.values())
            row = MapRow(at, question, _heat_map(question, counts), good, given, question.title_of(answer), times)
            rows.append(row)
    return tuple(sorted(rows, key=lambda row: (row.right / row.given, row.number)))


def _heat_map(question: ClassQuestion, counts: "Counter[str]") -> Mini:
    """Return a small board with the number of pupils who pressed each square."""
    if question.titles:
        return question.picture or mini(question.position)
    pressed = _pressed(question, counts)
    texts = {cell: str(number) for cell, number in pressed.items()}
    classes = {cell: f"heat-{_heat(number, pressed)}" for cell, number in pressed.items()}
    return mini(question.position, texts=texts, classes=classes)


def _pressed(question: ClassQuestion, counts: "Counter[str]") -> "Counter[Cell]":
    """Return how many pupils pressed each square, with whichever mark; nothing where the answers are buttons."""
    rules, pressed = question.position.rules, Counter[Cell]()
    for answer, number in counts.items() if not question.titles else ():
        pressed[parse_cell(answer, rules) % rules.size] += number
    return pressed


def _heat(number: int, pressed: "Counter[Cell]") -> int:
    """Return the step of colour of a number of pupils, from 1 to `HEATS`, which is the most pressed square's."""
    return -(-HEATS * number // max(pressed.values()))


def pupil_page(found: ClassRoom, pupil: Pupil, at: int | None, now: float, results: Results = NO_RESULTS) -> ClassPage:
    """Return a class's page for a pupil.

    Where each pupil goes at an own pace, `at` is the question shown, by default the first one without an answer.
    """
    room = found.room
    if room.mode is Mode.TOURNAMENT:
        return _tournament_page(found, pupil, results)
    own_pace = room.mode is Mode.HOMEWORK
    answers = [found.answers.get(number, {}).get(pupil.seat, "") for number in range(len(room.tasks))]
    is_done = own_pace and "" not in answers
    if not own_pace:
        at = room.at
    elif at is None:
        at = 0 if is_done else answers.index("")
    at = min(at, len(room.tasks) - 1)
    mine = answers[at]
    if own_pace:
        stage, counts, is_open = Shows.EXPLAINED if mine else Shows.ASKING, Counter([mine] if mine else []), not mine
    else:
        stage, counts, is_open = room.stage, found.counts(at), room.takes_answers and not mine
    shown = show_question(question_of(room.tasks[at]), stage, counts, mine, is_open)
    right = None
    if is_done:
        right = sum(answer in question_of(task).right for task, answer in zip(room.tasks, answers, strict=True))
    return ClassPage(found, pupil, at, shown, seconds=_seconds(found, now), right=right)


def wall_page(found: ClassRoom, now: float, results: Results = NO_RESULTS) -> ClassPage:
    """Return a class's page for its teacher."""
    room = found.room
    if room.mode is Mode.TOURNAMENT:
        return _tournament_page(found, None, results)
    is_homework, counts = room.mode is Mode.HOMEWORK, found.counts(room.at)
    return ClassPage(
        found=found,
        pupil=None,
        at=room.at,
        shown=None if is_homework else show_question(question_of(room.task), room.stage, counts),
        answered=counts.total(),
        seconds=_seconds(found, now),
        map=map_of(found) if room.is_over or is_homework else (),
    )


def _seconds(found: ClassRoom, now: float) -> int:
    """Return the seconds that are left for a move against the computer, at least 1 while there is a limit."""
    return max(1, ceil(found.room.until - now)) if found.room.until and not found.room.is_over else 0


def _tournament_page(found: ClassRoom, pupil: Pupil | None, results: Results) -> ClassPage:
    room, names = found.room, {each.number: each.name for each in found.pupils}
    pairs, own = [], ("", "")
    for pairing in room.rounds[-1] if room.rounds else ():
        result = results.get(pairing.game)
        pairs.append((names[pairing.x], names[pairing.o], _score(result)))
        if pupil is not None and pupil.number in (pairing.x, pairing.o):
            other = pairing.o if pupil.number == pairing.x else pairing.x
            own = names[other], _score(result)
    standings = table(room, results, [each.number for each in found.present])
    return ClassPage(
        found=found,
        pupil=pupil,
        at=len(room.rounds),
        shown=None,
        table=tuple((names[row.number], row) for row in standings),
        pairs=tuple(pairs),
        game=own if pupil is not None and room.rounds else None,
    )


def _score(result: Result | None) -> str:
    """Return the result of a game between two names; "" while it goes on."""
    return {None: "", Result.X: "1 – 0", Result.O: "0 – 1", Result.DRAW: "½ – ½"}[result]
