"""The exhibit on MENACE, with smaller chests and Q-learning: games one by one, boxes with their beads, and chances."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from typing import Any, ClassVar, Final, NamedTuple

from solver.board.notation import format_cell, format_moves, parse_cell, split_moves
from solver.board.position import Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import STRATEGIES, Strategy, playing_on, strategy_named
from solver.players.learning.boxes import Box, boxes
from solver.players.learning.exam import Odds, exam, holding_from, learning_curve, quick_exam
from solver.players.learning.learners import LEARNERS, MENACE, REWARD, Learner, Memory, rewarded, updated
from solver.players.learning.training import Challenge, TrainingGame, challenge
from webapp.pages.learn.lesson import Lesson
from webapp.ui.address import (
    SEEDED,
    SWITCH,
    Part,
    PartKind,
    Problems,
    Query,
    between,
    chosen,
    read_parts,
    texts_of,
    whole,
)
from webapp.ui.board import Mini, mini, spoken
from webapp.ui.filters import Option, options

WIDTH, HEIGHT, POINTS = 300, 100, 150
"""The size of a graph in its own units, and roughly the number of games that it shows."""


def lid_of(box: Box, memory: Memory) -> Mini:
    """Draw a box with its beads or values in the memory."""
    return lid(box.position, dict(zip(box.squares, memory[box.number - 1], strict=True)))


def lid(position: Position, row: Mapping[Cell, float], drawn: Sequence[Cell] = (), new: Sequence[Cell] = ()) -> Mini:
    """Draw a position with the number of beads, or the value, on each square."""
    texts = {cell: amount(number) for cell, number in row.items()}
    board = mini(position, texts=texts, classes=dict.fromkeys(new, "new") | dict.fromkeys(drawn, "drawn"))
    beads = ", ".join(f"{text} for {format_cell(cell, position.rules)}" for cell, text in texts.items())
    return replace(board, label="; ".join(filter(None, (spoken(position), beads))))


def amount(number: float) -> str:
    """Write a number of beads, or a value to two decimals."""
    return str(number) if isinstance(number, int) else f"{number:.2f}".replace("-", "−")


def areas_of(odds: Sequence[Odds[float]], at: int) -> Mapping[str, str]:
    """Draw the chances after up to `at` games as SVG paths: wins rise from the bottom, losses hang from the top."""
    games = len(odds) - 1
    places = sorted({*range(0, at + 1, max(1, games // POINTS)), at})
    right = round(at / games * WIDTH, 1)

    def area(edge: int, heights: Sequence[float]) -> str:
        line = (f"L{place / games * WIDTH:.1f} {height:.1f}" for place, height in zip(places, heights, strict=True))
        return f"M0 {edge}{''.join(line)}L{right} {edge}Z"

    wins = [HEIGHT * (1 - odds[place].win) for place in places]
    losses = [HEIGHT * odds[place].loss for place in places]
    return {"draw": f"M0 0H{right}V{HEIGHT}H0Z", "win": area(HEIGHT, wins), "loss": area(0, losses)}


MAX_GAMES: Final = 1000
"""The most games that are played while a visitor waits. They take a few seconds."""

GAMES, SEED, OPPONENT = 200, "5", "impossible"
"""The default settings. With this seed the boxes do not run empty."""

LEVELS: Final = (1, 3, 10, 30)
"""The least number of times that a box was opened, for each shade in the picture of the chest."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A picture in the row of a game, with its title above and words below."""

    title: str
    lid: Mini
    words: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A box in the chest.

    `times` is the number of times that it was opened, and `level` is its shade. `now` is true if the last game opened
    it.
    """

    box: Box
    times: int
    level: int
    now: bool
    empty: bool


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A learner with the games that it plays, and its chances before the first game and after each."""

    learner: Learner
    games: tuple[TrainingGame, ...]
    odds: tuple[Odds[float], ...]

    @property
    def holds(self) -> int | None:
        """The number of games after which the learner loses less than one game in ten; None if it never gets there."""
        return holding_from(self.odds)

    @property
    def dry(self) -> int | None:
        """The number of the first game that the learner resigns; None if there is none."""
        return next((game.number for game in self.games if game.resigned), None)

    def memory(self, at: int) -> Memory:
        """Return the learner's memory after its first `at` games."""
        memory = self.learner.start
        for game in self.games[:at]:
            memory = game.taught(memory)
        return memory


class MenaceSettings(NamedTuple):
    """The settings of the page, as its address has them. `replies` are the visitor's moves against the learner."""

    opponent: Strategy = STRATEGIES[OPPONENT]
    games: int = GAMES
    seed: str = SEED
    learner: Learner = MENACE
    at: int = 1
    box: int = 1
    replies: tuple[Cell, ...] = ()
    round: int = 1
    everybody: bool = False
    sheet: bool = False

    @classmethod
    def of(cls, query: Query) -> "MenaceSettings":
        """Parse a query. Raises NoughtsError."""
        problems: Problems = []
        asked = read_parts(PARTS, cls(), query, problems)
        if problems:
            raise problems[0]
        return asked


def _replies(_: str, text: str, __: object) -> tuple[Cell, ...]:
    words = split_moves(text, TIC_TAC_TOE)
    return tuple(parse_cell(word, TIC_TAC_TOE) for word in islice(words, TIC_TAC_TOE.size))


_part = partial(Part[MenaceSettings].of, MenaceSettings)

PARTS: Final = (
    _part(
        "opponent", PartKind(lambda _, text, __: strategy_named(text, TIC_TAC_TOE), lambda opponent, _: opponent.name)
    ),
    _part("games", between(1, MAX_GAMES)),
    _part("seed", SEEDED),
    _part(
        "learner",
        PartKind(lambda name, text, _: LEARNERS[chosen(name, text, LEARNERS)], lambda learner, _: learner.name),
    ),
    _part("at", PartKind(lambda name, text, asked: whole(name, text, 0, asked.games))),
    _part("box", PartKind(lambda name, text, asked: whole(name, text, 1, len(asked.learner.start)))),
    _part("moves", PartKind(_replies, lambda replies, _: format_moves(replies, TIC_TAC_TOE)), field="replies"),
    _part("round", between(1, 999)),
    _part(
        "exam", PartKind(lambda name, text, _: bool(chosen(name, text, ("all",))), lambda *_: "all"), field="everybody"
    ),
    _part("sheet", SWITCH),
)
"""All parts of the address. Reading a part may need the parts before it."""


@dataclass(frozen=True, slots=True)
class MenaceView:
    """The page: its settings, the learner's games, the one in view, and the state of the boxes after it."""

    asked: MenaceSettings
    run: TrainingRun
    game: TrainingGame | None
    panels: tuple[Panel, ...]
    areas: Mapping[str, str]
    chest: Mapping[int, tuple[Tile, ...]]
    box: Tile
    lid: Mini
    everybody: tuple[tuple[Strategy, Odds[float]], ...]
    challenge: Challenge
    board: Mini
    sheet: tuple[tuple[Box, Mini], ...]
    opponents: tuple[Option, ...]
    learners: ClassVar[Mapping[str, Learner]] = LEARNERS
    levels: ClassVar[tuple[int, ...]] = LEVELS
    size: ClassVar[tuple[int, int]] = (WIDTH, HEIGHT)

    @property
    def gain(self) -> int:
        """The change in the number of beads, for each bead that was drawn in the game."""
        return REWARD[self.game.result] if self.game else 0

    def parts(self, **changes: Any) -> dict[str, str]:
        """Return the parts of this page's address with some settings changed."""
        return texts_of(PARTS, self.asked._replace(**changes))


def view(query: Query) -> MenaceView:
    """Show the lesson with the settings of a query. Raises NoughtsError."""
    asked = MenaceSettings.of(query)
    learner, opponent = asked.learner, asked.opponent
    run = _train(learner.name, opponent.name, asked.seed, asked.games)
    memory = run.memory(asked.at)
    game = run.games[asked.at - 1] if asked.at else None
    chest = _chest(run, asked.at, memory)
    against = challenge(learner, memory, asked.replies, f"{asked.seed}/{asked.at}/{asked.round}")
    playing = {each.name: each for each in (*playing_on(TIC_TAC_TOE), opponent)}
    return MenaceView(
        asked=asked,
        run=run,
        game=game,
        panels=tuple(_panels(game, learner)) if game else (),
        areas=areas_of(run.odds, asked.at),
        chest={
            turn: tiles for turn in range(1, 5) if (tiles := tuple(each for each in chest if each.box.turn == turn))
        },
        box=chest[asked.box - 1],
        lid=lid_of(chest[asked.box - 1].box, memory),
        everybody=tuple(
            (each, quick_exam(learner, memory, each)) for each in (playing.values() if asked.everybody else ())
        ),
        challenge=against,
        board=lid(against.game.last, {}, new=against.game.moves[-1:]),
        sheet=tuple((tile.box, lid_of(tile.box, memory)) for tile in (chest if asked.sheet else ())),
        opponents=options({name: each.title for name, each in playing.items()}, opponent.name),
    )


@lru_cache(maxsize=6)
def _train(learner: str, opponent: str, seed: str, games: int) -> TrainingRun:
    """Return a learner's games. They are cached, because visitors look at them one by one."""
    learnt = tuple(islice(learning_curve(LEARNERS[learner], strategy_named(opponent, TIC_TAC_TOE), seed), games + 1))
    return TrainingRun(
        LEARNERS[learner],
        tuple(step.game for step in learnt if step.game),
        tuple(step.odds for step in learnt),
    )


def _panels(game: TrainingGame, learner: Learner) -> Iterator[Panel]:
    """Yield a panel for each box that the game opened, and then one for the end of the game."""
    position, replies = Position(TIC_TAC_TOE), dict[Position, Cell]()
    for cell in game.moves:
        position = position.after(cell)
        replies[position] = cell
    for draw in game.draws:
        cell = draw.cell
        row = dict(zip(draw.cells, draw.before, strict=True))
        words = (
            f"{format_cell(cell, TIC_TAC_TOE)}: {amount(draw.before[draw.drawn])} → {amount(draw.after[draw.drawn])}"
        )
        new = [replies[draw.position]] if draw.position in replies else []
        yield Panel(f"Box {draw.box.number}", lid(draw.position, row, [cell], new), words)
    ends = "Box empty" if game.resigned else "The end"
    said = f"{learner.title} resigns" if game.resigned else _ENDS[game.result]
    yield Panel(ends, lid(position, {}, new=game.moves[-1:]), said)


_ENDS: Final = {Result.X: "X wins", Result.DRAW: "a draw", Result.O: "O wins"}


def _chest(shown: TrainingRun, at: int, memory: Memory) -> list[Tile]:
    """Return every box as it is after the first `at` games."""
    times = Counter(draw.box.number for game in shown.games[:at] for draw in game.draws)
    last = {draw.box.number for game in shown.games[max(0, at - 1) : at] for draw in game.draws}
    return [
        Tile(
            box,
            times[box.number],
            sum(times[box.number] >= least for least in LEVELS),
            box.number in last,
            not any(shown.learner.plays(memory[box.number - 1])),
        )
        for box in boxes(shown.learner.chest)
    ]


LESSON = Lesson.of(
    "menace",
    code=(boxes, rewarded, updated, exam),
    parts=("opponent", "games", "seed", "learner", "at", "box", "moves", "round", "exam", "sheet"),
    view=view,
)
