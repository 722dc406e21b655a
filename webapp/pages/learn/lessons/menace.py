"""The exhibit on MENACE, with smaller chests and Q-learning: games one by one, boxes with their beads, and chances."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial, reduce
from itertools import islice
from typing import Any, Final, NamedTuple

from solver.board.notation import format_cell, format_moves, parse_cell, split_moves
from solver.board.position import Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import STRATEGIES, Strategy, playing_on, strategy_named
from solver.players.learning.boxes import Box, boxes
from solver.players.learning.exam import Odds, holding_from, learning_curve, quick_exam
from solver.players.learning.learners import LEARNERS, MENACE, REWARD, Learner, Memory
from solver.players.learning.training import TrainingGame, challenge
from webapp.pages.learn.content import Shown
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
from webapp.ui.filters import options

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


class Tile(NamedTuple):
    """A box in the chest: how often it was opened, its shade, and whether the last game opened it and it is empty."""

    box: Box
    times: int
    level: int
    now: bool
    empty: bool


class TrainingRun(NamedTuple):
    """The games that a learner plays, and its chances before the first game and after each."""

    games: tuple[TrainingGame, ...]
    odds: tuple[Odds[float], ...]


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


def view(query: Query) -> Shown:
    """Show the settings of a query, the learner's games, the one in view, and its boxes after it. Raises NoughtsError.

    `holds` is the number of games after which it loses less than one game in ten, and `dry` the first that it resigns;
    None if there is none. `gain` is the change in the number of beads, for each bead that was drawn in the game.
    """
    asked = MenaceSettings.of(query)
    learner, opponent, at = asked.learner, asked.opponent, asked.at
    run = _train(learner.name, opponent.name, asked.seed, asked.games)
    memory = reduce(lambda known, game: game.taught(known), run.games[:at], learner.start)
    game = run.games[at - 1] if at else None
    chest = _chest(learner, run.games[:at], memory)
    against = challenge(learner, memory, asked.replies, f"{asked.seed}/{at}/{asked.round}")
    playing = {each.name: each for each in (*playing_on(TIC_TAC_TOE), opponent)}
    turns = {turn: [each for each in chest if each.box.turn == turn] for turn in range(1, 5)}

    def parts(**changes: Any) -> dict[str, str]:
        """Return the parts of this page's address with some settings changed."""
        return texts_of(PARTS, asked._replace(**changes))

    return {
        "asked": asked,
        "parts": parts,
        "odds": run.odds,
        "holds": holding_from(run.odds),
        "dry": next((each.number for each in run.games if each.resigned), None),
        "game": game,
        "gain": REWARD[game.result] if game else 0,
        "panels": list(_panels(game, learner)) if game else [],
        "areas": areas_of(run.odds, at),
        "chest": {turn: tiles for turn, tiles in turns.items() if tiles},
        "box": chest[asked.box - 1],
        "lid": lid_of(chest[asked.box - 1].box, memory),
        "everybody": {
            each: quick_exam(learner, memory, each) for each in (playing.values() if asked.everybody else ())
        },
        "challenge": against,
        "board": lid(against.game.last, {}, new=against.game.moves[-1:]),
        "sheet": [(tile.box, lid_of(tile.box, memory)) for tile in (chest if asked.sheet else ())],
        "opponents": options({name: each.title for name, each in playing.items()}, opponent.name),
        "learners": LEARNERS,
        "levels": LEVELS,
        "size": (WIDTH, HEIGHT),
    }


@lru_cache(maxsize=6)
def _train(learner: str, opponent: str, seed: str, games: int) -> TrainingRun:
    """Return a learner's games. They are cached, because visitors look at them one by one."""
    learnt = tuple(islice(learning_curve(LEARNERS[learner], strategy_named(opponent, TIC_TAC_TOE), seed), games + 1))
    return TrainingRun(tuple(step.game for step in learnt if step.game), tuple(step.odds for step in learnt))


def _panels(game: TrainingGame, learner: Learner) -> Iterator[tuple[str, Mini, str]]:
    """Yield the title, the lid and words for each box that the game opened, and then for the end of the game."""
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
        yield f"Box {draw.box.number}", lid(draw.position, row, [cell], new), words
    ends = "Box empty" if game.resigned else "The end"
    said = f"{learner.title} resigns" if game.resigned else _ENDS[game.result]
    yield ends, lid(position, {}, new=game.moves[-1:]), said


_ENDS: Final = {Result.X: "X wins", Result.DRAW: "a draw", Result.O: "O wins"}


def _chest(learner: Learner, games: Sequence[TrainingGame], memory: Memory) -> list[Tile]:
    """Return every box as it is after some games."""
    times = Counter(draw.box.number for game in games for draw in game.draws)
    last = {draw.box.number for game in games[-1:] for draw in game.draws}

    def tile(box: Box) -> Tile:
        opened, empty = times[box.number], not any(learner.plays(memory[box.number - 1]))
        return Tile(box, opened, sum(opened >= least for least in LEVELS), box.number in last, empty)

    return list(map(tile, boxes(learner.chest)))


LESSON = Lesson.of("menace", parts=tuple(part.name for part in PARTS), view=view)
