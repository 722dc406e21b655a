"""The questions that a class answers: a position of any game, a drill, or an item of a unit.

A question is named by a text, its task, such as `play/3x3x3?moves=b2`, `drill/3x3x3-X.O_.X._..O-block` or
`unit/forks/find-2`. A teacher's choice of what to ask becomes a list of tasks.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from solver import oracle
from solver.analysis.drills import DrillKind, kind_named
from solver.board.game import Game
from solver.board.notation import capital, format_cell, parse_cell, quoted
from solver.board.pasted import read_pasted
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE
from solver.errors import BadOption
from solver.proofs.prediction import Prediction
from webapp.pages.learn.course import PAGES
from webapp.pages.learn.quiz import Question
from webapp.pages.learn.unit import Skill, Unit
from webapp.pages.play.forms import game_url
from webapp.pages.play.link import MAX_LENGTH, read_link
from webapp.pages.practise.drill import drill_named, find_drills, format_answer, moves_offered, set_of
from webapp.pages.practise.link import read_drill_link
from webapp.serving.pool.asking import pool
from webapp.ui.board import Mini
from webapp.ui.filters import reason_or_outcome

MOST_TASKS: Final = 40
"""The most questions of a class: as many as a set of drills has."""

USUAL: Final = 10
"""The number of drills of one kind that a class begins with."""

LONGEST_ANSWER: Final = 16
"""The most characters of an answer."""


@dataclass(frozen=True, eq=False)
class ClassQuestion:
    """A question to a class, and its answers by their spelling in forms.

    An answer in `titles` is a button. If there are no buttons, the answers are squares of the `game`'s last position,
    all of them or only those in `squares`. `feedback` has the words to an item's answers. `solved` are the right
    answers, where they do not follow from the predicted outcomes.
    """

    title: str
    words: str
    game: Game
    picture: Mini | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    squares: Collection[str] = ()
    feedback: Mapping[str, str] = field(default_factory=dict)
    solved: frozenset[str] = frozenset()

    @property
    def position(self) -> Position:
        """The position that is shown."""
        return self.game.last

    @property
    def prediction(self) -> Prediction:
        """The outcomes of the open squares, as far as they are proved by now or soon."""
        return oracle.predict(self.position, pool())

    @property
    def right(self) -> frozenset[str]:
        """The right answers; none where nothing is proved."""
        if self.solved:
            return self.solved
        found = self.prediction
        best = found.squares[found.best[0]] if found.best else None
        proved = found.best if found.complete or (best and best.is_exact) else ()
        return frozenset(format_cell(move, self.position.rules) for move in proved)

    def read(self, text: str, place: Mark = Mark.X) -> str:
        """Return an answer in its usual spelling. Where either mark can be placed, the square gets `place`.

        Raises NoughtsError.
        """
        rules, asked = self.position.rules, text.strip()[:LONGEST_ANSWER]
        if self.titles:
            answer = asked if asked in self.titles else ""
        else:
            cell = rules.with_mark(parse_cell(asked, rules), place is Mark.O)
            answer = format_cell(self.position.landing(cell), rules)
            self.position.play(parse_cell(answer, rules))  # raises IllegalMove
            if self.squares and answer not in self.squares:
                answer = ""
        if not answer:
            raise BadOption(f"{quoted(asked)} isn't an answer here. Press a square or a button.")
        return answer

    def title_of(self, answer: str) -> str:
        """Return an answer in words."""
        return self.titles.get(answer, answer)

    def reasons(self, counts: "Counter[str]") -> list[tuple[str, str]]:
        """Return why the right answer is right, and why the most frequent wrong one is wrong, each with its words."""
        right = self.right
        wrong = next((answer for answer, _ in counts.most_common() if answer not in right), None)
        first = max(sorted(right), key=lambda answer: counts[answer], default=None)
        told = [(answer, self._reason(answer)) for answer in (first, wrong) if answer is not None]
        return [(self.title_of(answer), words) for answer, words in told if words]

    def _reason(self, answer: str) -> str:
        if self.feedback or self.titles:
            return self.feedback.get(answer, "")
        cell = parse_cell(answer, self.position.rules)
        outcome = self.prediction.squares[cell]
        reason = oracle.reason_of(self.prediction, cell, pool()) if outcome.is_exact else None
        return reason_or_outcome(reason, outcome, self.position)


@lru_cache(maxsize=512)
def question_of(task: str) -> ClassQuestion:
    """Return the question that a task names. Raises NoughtsError."""
    kind, _, name = task.partition("/")
    if kind == "drill":
        return _drill(name)
    if kind == "unit":
        return _item(*name.partition("/")[::2])
    board, _, query = name.partition("?")
    game = read_link(board, query).link.game
    result, player = game.last.result, game.last.rules.player
    if result is None:
        return ClassQuestion("Your move", f"{capital(player(game.last.mover))} to move. Where?", game)
    over = "It's a draw." if result is Result.DRAW else f"{capital(player(Mark(result)))} wins."
    return ClassQuestion("The game is over", over, game)


def _drill(name: str) -> ClassQuestion:
    drill = drill_named(name)
    position, titles = drill.position, {}
    if drill.kind is not DrillKind.EVALUATE:
        moves = frozenset(format_cell(move, position.rules) for move in drill.answers)
        return ClassQuestion(drill.title, drill.task, Game.starting(position), solved=moves)
    titles["draw"] = "A draw"
    for mark in Mark:
        for moves_left in moves_offered(drill, mark):
            titles[f"{mark.lower()}{moves_left}"] = f"{mark} wins in {moves_left}"
    answer = format_answer(drill.outcome, position)
    return ClassQuestion(drill.title, drill.task, Game.starting(position), titles=titles, solved=frozenset({answer}))


def _item(unit_name: str, item: str) -> ClassQuestion:
    unit, (skill_name, _, number) = PAGES.get(unit_name), item.rpartition("-")
    if not isinstance(unit, Unit) or skill_name not in unit.asks or not number.isdigit():
        raise BadOption(f"There's no question {quoted(item)} in the unit {quoted(unit_name)}.")
    skill = unit.skill(skill_name)
    asked = skill.items[int(number) - 1]()
    if not _is_for_a_class(asked):
        raise BadOption("That question has a slider, which a class can't answer. Choose another.")
    position = asked.board.position if asked.board else Position(TIC_TAC_TOE)
    return ClassQuestion(
        title=f"{unit.title} · {skill.title}",
        words=asked.words,
        game=Game.starting(position),
        picture=asked.board,
        titles=asked.titles,
        squares=() if asked.titles else tuple(asked.squares),
        feedback={name: answer.words for name, answer in asked.answers.items()},
        solved=frozenset(name for name, answer in asked.answers.items() if answer.right),
    )


def _is_for_a_class(asked: Question) -> bool:
    """Return whether a class can answer an item: by a button, or by an open square of its board."""
    if asked.steps:
        return False
    if asked.titles:
        return asked.titles.keys() == asked.answers.keys()
    board = asked.board
    return board is not None and all(
        board.position.empty >> parse_cell(name, board.position.rules) & 1 for name in asked.squares
    )


def tasks_of_unit(unit: Unit) -> tuple[str, ...]:
    """Return the tasks of a unit: of each skill some items, from simple to hard."""
    tasks = []
    for screen in unit.screens:
        if isinstance(screen, Skill):
            items = [number for number, item in enumerate(screen.items, start=1) if _is_for_a_class(item())]
            tasks += [f"unit/{unit.name}/{screen.name}-{number}" for number in items[:3]]
    return tuple(tasks[:MOST_TASKS])


def tasks_of(asked: str, seed: str) -> tuple[str, ...]:
    """Return the tasks that a teacher's choice names: a kind of drills, a unit, or what was pasted.

    What is pasted is the link of a set or a drill, or a position or game in any form. `seed` chooses among drills.
    Raises NoughtsError.
    """
    word, _, name = asked.partition(":")
    if word == "unit" and isinstance(unit := PAGES.get(name), Unit):
        return tasks_of_unit(unit)
    if word == "kind":
        drills = find_drills(TIC_TAC_TOE, kind_named(name) if name else None, "", seed)[:USUAL]
        return tuple(f"drill/{drill.id}" for drill in sorted(drills, key=lambda drill: drill.difficulty))
    text = asked.strip()
    if not text or len(text) > MAX_LENGTH:
        raise BadOption("Choose what to ask, or paste a link, a position or the moves of a game.")
    address = urlsplit(text)
    if address.path.startswith("/practise/"):
        link, problems = read_drill_link(address.path.removeprefix("/practise/"), dict(parse_qsl(address.query)))
        if problems:
            raise problems[0]
        if link.path == "set":
            return tuple(f"drill/{drill.id}" for drill in set_of(link))
        return (f"drill/{drill_named(link.path).id}",)
    game = read_pasted(text)
    if game.last.result is not None:
        raise BadOption("That game is over, so there's nothing to answer. Choose an earlier position.")
    return (task_of(game),)


def task_of(game: Game) -> str:
    """Return the task that asks for a move in a game, or shows its end."""
    return game_url(game).removeprefix("/")
