"""The lesson on all boards: who wins on each up to 8×8, how that is proved, and what its first moves are worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from solver.atlas.boards import atlas, entry_named
from solver.atlas.check import checked
from solver.atlas.entry import Entry, ProvedBy
from solver.atlas.make import OPPONENTS, never_a_line, proved
from solver.board.notation import few_cells
from solver.board.outcome import Outcome, Value
from solver.board.position import Mark, Position
from solver.board.rules import MAX_SIDE, Rules
from solver.errors import BadOption
from solver.strategies import STRATEGIES
from solver.theory.claims.claim import Article
from webapp.choices import Option
from webapp.filters import short
from webapp.learn.lesson import About, Lesson, Level, Query, Track
from webapp.learn.minis import Mini, mini
from webapp.learn.thumbs import Sketch, squares

SHOWN: Final = "6x5x4"
"""The board whose first moves the page shows if no other is asked for: X wins, but only just."""

ORDER: Final = (*range(3, MAX_SIDE + 1), 1, 2)
"""The numbers in a row in the order of their grids: those that are no game to play come last."""

STYLES: Final[Mapping[ProvedBy | None, str]] = {
    ProvedBy.SEARCH: "draw",
    ProvedBy.PAIRING: "draw paired",
    ProvedBy.NO_LINE: "no-line",
    None: "unproved",
}
"""The style of a board that X does not win."""

HOW: Final[Mapping[ProvedBy | None, str]] = {
    ProvedBy.SEARCH: "proved by search",
    ProvedBy.PAIRING: "proved by a pairing of its squares",
    ProvedBy.NO_LINE: "no line fits",
    None: "not proved here",
}
"""How an outcome is proved, in words."""


@dataclass(frozen=True, slots=True)
class GridCell:
    """A board in a grid: its place, what stands in it, its style, what is read out of it, and whether it is a link."""

    entry: Entry
    x: int
    y: int
    text: str
    style: str
    label: str

    @property
    def outcome(self) -> str:
        """The outcome in words."""
        return self.entry.outcome.words(Mark.X) if self.entry.proof else "unknown"


@dataclass(frozen=True, slots=True)
class BoardGrid:
    """The boards of one `k`: columns from the left, rows from below."""

    k: int
    cells: tuple[GridCell, ...]

    @property
    def won(self) -> int:
        """How many of them X wins."""
        return sum(cell.entry.outcome.value is Value.WIN for cell in self.cells)


@dataclass(frozen=True, slots=True)
class FirstMoves:
    """A board and what its first moves are worth; `facts` say it in words, `paired` is a pairing drawn on it."""

    entry: Entry
    rules: Rules
    board: Mini
    paired: Mini | None
    facts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BoardsView:
    """The whole lesson: the grids, a board with its first moves, and all that one may choose for it."""

    grids: tuple[BoardGrid, ...]
    looked: FirstMoves
    options: tuple[Option, ...]
    unproved: tuple[Entry, ...]
    differing: tuple[Entry, ...]

    @property
    def rows(self) -> tuple[GridCell, ...]:
        """The boards of the table: those on which a line of three or more fits, from short lines on."""
        return tuple(cell for grid in self.grids if grid.k > 2 for cell in grid.cells if cell.entry.rules)


def view(query: Query) -> BoardsView:
    """The lesson, with the first moves of the board asked for. Raises NoughtsError."""
    looked = entry_named(query.get("board") or SHOWN)
    entries = [*atlas().values()]
    return BoardsView(
        grids=tuple(map(_grid, ORDER)),
        looked=_first_moves(looked),
        options=tuple(
            Option(str(each), f"{each.columns}×{each.rows} · {each.k}", str(each) == str(looked))
            for each in sorted(entries, key=lambda each: (each.k, each.columns, each.rows))
            if each.rules and each.k > 2
        ),
        unproved=tuple(each for each in entries if each.proof is None),
        differing=tuple(each for each in entries if each.differs),
    )


def _grid(k: int) -> BoardGrid:
    return BoardGrid(k, tuple(_cell(entry) for entry in atlas().values() if entry.k == k))


def _cell(entry: Entry) -> GridCell:
    won = entry.outcome.value is Value.WIN
    text = "–" if entry.proof is ProvedBy.NO_LINE else _in_square(entry.outcome)
    return GridCell(
        entry,
        entry.columns - 1,
        MAX_SIDE - entry.rows,
        text + ("≠" if entry.differs else ""),
        "win" if won else STYLES[entry.proof],
        f"{entry.columns}×{entry.rows}, {entry.k} in a row: {_outcome(entry)}",
    )


def _in_square(outcome: Outcome) -> str:
    """An outcome as a square shows it; a draw without its plies, which are those of a full board."""
    return outcome.letter if outcome.value is Value.DRAW else short(outcome)


def _outcome(entry: Entry) -> str:
    """What is known of a board in a few words."""
    said = entry.published
    if entry.proof is None:
        return f"{HOW[None]}{f'; published: {said.value}' if said else ''}"
    differs = f"; published otherwise: {said.value}" if said and entry.differs else ""
    return f"{entry.outcome.words(Mark.X)}, {HOW[entry.proof]}{differs}"


def _first_moves(entry: Entry) -> FirstMoves:
    rules = entry.rules
    if rules is None:
        raise BadOption(f"No line fits on {entry}, so that no first move matters there. Choose another board.")
    empty = Position(rules)
    numbers = {cell: str(number) for number, pair in enumerate(entry.pairs, 1) for cell in pair}
    return FirstMoves(
        entry=entry,
        rules=rules,
        board=mini(
            empty,
            texts={cell: _in_square(outcome) for cell, outcome in entry.openings.items()},
            classes={cell: str(outcome.value) for cell, outcome in entry.openings.items()},
        ),
        paired=mini(empty, texts=numbers) if entry.pairs else None,
        facts=dict(_facts(entry, rules)),
    )


def _facts(entry: Entry, rules: Rules) -> list[tuple[str, str]]:
    """What is to be said of the first moves, by what it is about."""
    facts = [("Who wins", _outcome(entry))]
    if entry.openings:
        facts.append(("Keep it so", f"{len(entry.keeping)} of {rules.size} first moves"))
    if entry.longest_wins:
        plies = entry.openings[entry.longest_wins[0]].plies
        facts.append(("The longest win", f"{plies} plies, by {few_cells(entry.longest_wins, rules)}"))
    if entry.outcome.value is Value.WIN:
        facts.append(("Fair first moves", few_cells(entry.fair, rules) if entry.fair else "none: each wins or loses"))
    for name in OPPONENTS:
        if hardest := entry.hardest_to_hold(name):
            chance = entry.chances[name][hardest[0]]
            title = STRATEGIES[name].title
            facts.append((f"Hardest for {title}", f"{few_cells(hardest, rules)}: X can win {chance:.0%} of such games"))
    if entry.published:
        facts.append(("Published", f"{entry.published.value}: {entry.published.source}"))
    return facts


def _picture() -> Sketch:
    """Four in a row, in the contents: a square a board."""
    return squares(
        [
            [
                ("win" if atlas()[c, r, 4].outcome.value is Value.WIN else "draw", 0.8) if r <= c else ("draw", 0.0)
                for c in range(1, MAX_SIDE + 1)
            ]
            for r in range(MAX_SIDE, 0, -1)
        ]
    )


LESSON = Lesson.settled(
    "boards",
    "Every board up to 8×8",
    "Who wins with how many in a row, on boards of every size; and how one can be sure.",
    view,
    ("board",),
    about=About(
        Track.PLAYERS,
        Level.FURTHER,
        minutes=5,
        picture=_picture,
        articles=(
            Article(
                "hsu",
                "On solving the 7,7,5-game and the 8,8,5-game",
                "Wei-Yuan Hsu and others",
                "https://doi.org/10.1016/j.tcs.2020.02.023",
            ),
            Article(
                "uiterwijk",
                "Set Matching: An Enhancement of the Hales-Jewett Pairing Strategy",
                "Jos Uiterwijk",
                "https://arxiv.org/abs/1703.10678",
            ),
        ),
        code=(proved, never_a_line, checked),
    ),
)
