"""The lesson on looking ahead: what a search of a few plies sees, what it costs, and the bugs of a published one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from solver.articles.claims.haskell import (
    AFTER_CORNER,
    CENTRE,
    SECOND,
    WITHOUT_ANTI_DIAGONAL,
    swapped_values,
    values_of,
)
from solver.articles.lookahead import (
    MAX_DRAWN,
    MAX_VISITS,
    Visits,
    check_depth,
    draw_tree,
    estimate,
    feasible_depth,
    move_values,
    replies,
    settled_at,
    static_value,
    visits,
)
from solver.board.notation import format_cells, format_line, parse_cell, parse_position
from solver.board.outcome import PROVED, counted, sign
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Bits, Cell, Rules
from solver.search.fold import fold, itself
from webapp.pages.learn.content import Facts, Remark
from webapp.pages.learn.facts.forks import name_of
from webapp.pages.learn.lesson import Lesson
from webapp.pages.learn.stepping import Attributes, Film
from webapp.pages.play.forms import GAME, GameForm, asked_game
from webapp.ui.address import Query, number_of
from webapp.ui.board import Mini, mini, strike
from webapp.ui.filters import signed

PRINTED: Final = {AFTER_CORNER: [1, 1, 0, 0, 0, 0, 1], SECOND: [1, 1, 0, 1, 1]}
"""The values of X's moves that the Haskell article prints, by position."""

MAX_DEPTH = 9
EXAMPLE = {"from": "X../.../O.."}
"""The position shown by default. In this position from the Haskell article, the depth of the search matters."""


@dataclass(frozen=True, slots=True)
class SearchView:
    """A position with X's value of every move at each depth, and the cost of finding these values.

    `film` shows one depth a step; it is None at the end of a game.
    `estimates` are the values of a search that also counts two in a row at its horizon.
    """

    game: GameForm
    position: Mini
    depth: int
    levels: int
    moves: Mapping[Cell, tuple[int, ...]]
    estimates: Mapping[Cell, tuple[int, ...]]
    film: Film | None
    visits: tuple[Visits, ...]
    tree: str
    max_depth: ClassVar[int] = MAX_DEPTH
    max_visits: ClassVar[int] = MAX_VISITS
    max_drawn: ClassVar[int] = MAX_DRAWN

    def kind(self, value: int, depth: int) -> str:
        """Return the style of a value. Zero is a draw only if the search reaches the full board."""
        return _kind(value, depth >= self.position.position.plies_left)

    def line(self, estimate: int) -> int:
        """Return 1 if the search behind an estimate saw a line of X, -1 for a line of O, and 0 if it saw none."""
        return sign(estimate) if abs(estimate) >= PROVED else 0

    @property
    def favourites(self) -> tuple[Cell, ...]:
        """The mover's best squares by the estimates at depth 1."""
        choose = max if self.position.position.mover is Mark.X else min
        best = choose(values[0] for values in self.estimates.values())
        return tuple(cell for cell, values in self.estimates.items() if values[0] == best)

    def settled(self, values: tuple[int, ...]) -> str:
        """Return the depth from which a move's value is certain, in words."""
        depth = settled_at(values, self.position.position.plies_left)
        if depth is None:
            return f"not within {len(values)}"
        return f"{depth}{' (the full board)' if not values[-1] else ''}"


def view(query: Query) -> SearchView:
    """Show the position that the query names. The default depth is the greatest feasible depth."""
    game = asked_game(query, EXAMPLE)
    position = game.last
    most = min(MAX_DEPTH, feasible_depth(position))
    depth = check_depth(position, number_of(query, "depth", most, 1, MAX_DEPTH)) if position.legal_moves else 0
    levels = number_of(query, "tree", 1, 0, 3)
    values = move_values(position, depth)
    counts = visits(position, depth) if depth else ()
    first = max(1, depth) if query.get("depth") else 1
    asked = {name: query[name] for name in (*GAME, "depth", "tree") if query.get(name)}
    return SearchView(
        game=GameForm.of(game),
        position=mini(position),
        depth=depth,
        levels=levels,
        moves=values,
        estimates=move_values(position, depth, estimate),
        film=Film.of(query, _looks(position, values, counts), asked, first=first) or None,
        visits=counts,
        tree="\n".join(draw_tree(position, levels)),
    )


def _looks(
    position: Position, values: Mapping[Cell, tuple[int, ...]], counts: Sequence[Visits]
) -> Iterator[Attributes]:
    """Yield the look of the board at each depth: the value of every move, and in words which ones are new."""
    for depth, count in enumerate(counts, start=1):
        whole = depth == position.plies_left
        look: dict[str, Mapping[str, str]] = {}
        for cell in range(position.rules.size):
            value = values[cell][depth - 1] if cell in values else None
            kind = "" if value is None else _kind(value, whole)
            look[f"c{cell}"] = {"class": f"{(position.mark_at(cell) or 'open').lower()} {kind}".strip()}
            look[f"v{cell}"] = {"text": "" if value is None else signed(value)}
        yield look | {"telling": {"text": _tell(position, values, count, whole)}}


def _tell(position: Position, values: Mapping[Cell, tuple[int, ...]], count: Visits, whole: bool) -> str:
    """Say what the search sees at a depth that it did not see one ply earlier."""
    depth = count.depth
    news = []
    for mark, value in ((Mark.X, 1), (Mark.O, -1)):
        cells = [cell for cell, seen in values.items() if settled_at(seen, depth) == depth and seen[depth - 1] == value]
        if cells:
            news.append(f"after {format_cells(cells, position.rules)} it sees that {mark} wins")
    seen = " and ".join(news) or "it sees nothing new"
    end = "This is the whole game: 0 is a draw." if whole else "0 means: nobody wins yet."
    return f"{counted(depth, 'ply', 'plies')}: {seen}. {end} Minimax looks at {count.plain:,} positions."


def judge_depths(board: str, cell: str) -> Facts:
    """Judge the depths at which a move gets its final value."""
    position = parse_position(board)
    plies, move = position.plies_left, parse_cell(cell, position.rules)
    values = move_values(position, plies)
    least, final = settled_at(values[move], plies), values[move][-1]
    what, aim, reason = {
        1: ("wins", "see it", "X can force a line by then"),
        -1: ("loses", "see it", "O can force a line by then"),
        0: ("draws", "be sure", "that's the whole game"),
    }[final]

    def judge(depth: int) -> Remark:
        seen = _draw_values(position, [value[depth - 1] for value in values.values()], whole=depth == plies)
        says = "least" if depth == least else "enough" if least is not None and depth > least else "short"
        return Remark.of(says, seen, look=counted(depth, "ply", "plies"))

    depths = range(1, plies + 1)
    return Facts.of(
        {f"ply{depth}": judge(depth) for depth in depths},
        mini(position, texts={move: "?"}, classes={move: "new"}),
        titles={f"ply{depth}": str(depth) for depth in depths},
        name=cell,
        what=what,
        aim=aim,
        reason=reason,
        final=signed(final),
    )


def _draw_values(position: Position, values: Sequence[int], whole: bool = False) -> Mini:
    """Draw a position with X's value of each move; `whole` is true if the values are of the whole game."""
    at = dict(zip(position.legal_moves, values, strict=True))
    return mini(
        position,
        texts={cell: signed(value) for cell, value in at.items()},
        classes={cell: _kind(value, whole) for cell, value in at.items()},
    )


# The quiz that hunts the bugs of the Haskell article's program by the values that it printed tries each suspect: the
# feedback to an answer says what the program would then have printed.


def without(line: Bits) -> Rules:
    """Return 3×3 without one line."""
    return Rules(3, 3, 3, tuple(other for other in TIC_TAC_TOE.lines if other != line))


def blind_values(line: Bits) -> list[int]:
    """Return X's values of the moves on the first board, with the whole game ahead and without one line."""
    value = fold(
        static_value,
        lambda at, below: max(below) if at.mover is Mark.X else min(below),
        Position.successors,
        itself,
    )
    return [value(after) for after in replace(AFTER_CORNER, rules=without(line)).successors()]


def judge_printed() -> Facts:
    """Judge which of the values printed for the first board are wrong."""
    printed, right = PRINTED[AFTER_CORNER], values_of(AFTER_CORNER)

    def judge(number: int, cell: Cell) -> Remark:
        wrong, value = printed[number] != right[number], right[number]
        board = _draw_values(AFTER_CORNER, right) if wrong else None
        words = {1: "X can force a line", 0: "nobody can force a line", -1: "O can force a line"}[value]
        return Remark.of(
            "wrong" if wrong else "as-printed", board, name=name_of(cell), words=words, value=signed(value)
        )

    answers = {name_of(cell): judge(number, cell) for number, cell in enumerate(AFTER_CORNER.legal_moves)}
    return Facts.of(answers, _draw_values(AFTER_CORNER, printed))


def judge_lines() -> Facts:
    """Judge which line the program misses."""
    lines = {f"line{number}": line for number, line in enumerate(TIC_TAC_TOE.lines, start=1)}

    def judge(line: Bits) -> Remark:
        values = blind_values(line)
        board, lit = _draw_values(AFTER_CORNER, values), (strike(line, TIC_TAC_TOE),)
        says = "line" if values == PRINTED[AFTER_CORNER] else "other"
        return Remark.of(says, board, lit, name=format_line(line, TIC_TAC_TOE), values=_format_values(values))

    titles = {name: format_line(line, TIC_TAC_TOE) for name, line in lines.items()}
    answers = {name: judge(line) for name, line in lines.items()}
    return Facts.of(answers, _draw_values(AFTER_CORNER, PRINTED[AFTER_CORNER]), titles=titles)


def judge_second() -> Facts:
    """Judge which of the values printed for the second board are right."""
    printed, right = PRINTED[SECOND], values_of(SECOND)

    def judge(number: int, cell: Cell) -> Remark:
        if printed[number] == right[number]:
            return Remark.of("right", _draw_values(SECOND, right), name=name_of(cell))
        return Remark.of("lost", name=name_of(cell), value=signed(right[number]), printed=signed(printed[number]))

    answers = {name_of(cell): judge(number, cell) for number, cell in enumerate(SECOND.legal_moves)}
    return Facts.of(answers, _draw_values(SECOND, printed))


def judge_suspects(titles: dict[str, str]) -> Facts:
    """Judge which suspect explains the values printed for the second board."""
    suspects = {
        "line": values_of(SECOND, WITHOUT_ANTI_DIAGONAL),
        "depth": [seen[1] for seen in move_values(SECOND, 2).values()],
        "two": values_of(SECOND),
        "players": swapped_values(TIC_TAC_TOE),
    }

    def judge(name: str) -> Remark:
        values = suspects[name]
        says = "players" if values == PRINTED[SECOND] else "other"
        return Remark.of(says, _draw_values(SECOND, values), name=titles[name], values=_format_values(values))

    return Facts.of({name: judge(name) for name in titles}, _draw_values(SECOND, PRINTED[SECOND]), titles=titles)


def judge_early_win() -> Facts:
    """Judge the value of the board in which the program sees a win six plies ahead."""
    answers = {f"value{value}": Remark.of("other" if value else "draw", value=signed(value)) for value in (1, 0, -1)}
    return Facts.of(answers, mini(CENTRE))


def _format_values(values: Sequence[int]) -> str:
    return ", ".join(map(signed, values))


def _kind(value: int, whole: bool) -> str:
    return {1: "win", -1: "loss"}.get(value, "draw" if whole else "")


LESSON = Lesson.of(
    "search",
    code=(static_value, replies, move_values),
    parts=(*GAME, "depth", "tree", "step"),
    view=view,
    facts={
        "depths": judge_depths,
        "printed": judge_printed,
        "lines": judge_lines,
        "second": judge_second,
        "suspects": judge_suspects,
        "early": judge_early_win,
    },
)
