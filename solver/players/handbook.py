"""The handbook: all the rules of thumb, and the lists that are made of them.

Win, block, fork and the places of the board are from A. Newell and H. A. Simon, "Human Problem Solving", 1972. The
other rules are the seven rules of an article, and patterns that beginners are taught. The places also have a meaning on
boards other than 3×3. The centre is the one to four cells nearest the middle. An edge is a cell nearest the middle of a
side of the board. A corner is threatened if the opponent holds every cell next to it along the sides.

A line links two empty cells if it holds no stone of the opponent and lacks only these two. A stone on one of them
threatens to complete the line on the other. So the threats of a stone are the cells linked to its cell.

The rulebooks can be played on any board. `solver.articles.rulebooks` proves for 3×3 that neither rulebook ever loses,
as X or as O. From any position, the longer rulebook never lets a win slip. The shorter rulebook lets no win slip in its
own games. For each rulebook, no shorter list of the handbook's rules does the same. On every other board of up to nine
cells, the longer rulebook loses only games that are lost from the start, and lets no win slip in its games. On larger
boards it may err.

People write a list as `rules:win,block,centre` or as "win, block, threatened corner". If no rule applies, any square is
played. A list may end with `rest` to say so; `rest` alone is a list without rules.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.board.notation import quoted
from solver.board.outcome import counted
from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Rules, cells_of
from solver.errors import UnknownPlayer
from solver.players.decision import Need, Rule, Squares, Strategy, by_rules

Links: TypeAlias = Mapping[Cell, Bits]
"""The cells that are linked to each cell."""


def links(rules: Rules, own: Bits, other: Bits) -> Links:
    """Return the links of each empty cell by lines that hold no stone of `other` and lack two of `own`."""
    linked: dict[Cell, Bits] = {}
    for line in rules.lines:
        missing = line & ~own
        if not line & other and missing.bit_count() == 2:
            for cell in cells_of(missing):
                linked[cell] = linked.get(cell, 0) | missing & ~(1 << cell)
    return linked


def threats_after(position: Position, mark: Mark) -> dict[Cell, Bits]:
    """Return, for each open cell, the cells where `mark` would threaten to win after playing it."""
    own, other = position.stones(mark), position.stones(mark.other)
    linked, standing = links(position.rules, own, other), position.rules.threats(own, other)
    return {cell: linked.get(cell, 0) | standing & ~(1 << cell) for cell in position.legal_moves}


def forks(position: Position, mark: Mark) -> list[Cell]:
    """Return the open cells where `mark` would threaten to win on two cells or more at once."""
    return [cell for cell, threats in threats_after(position, mark).items() if threats.bit_count() >= 2]


def allows_fork(position: Position, cell: Cell) -> bool:
    """Return whether the opponent could fork right after the mover has played this cell.

    After a single threat the opponent has only one reply. After a double threat no fork comes in time.
    """
    threats = threats_after(position, position.mover)[cell]
    if threats.bit_count() >= 2:
        return False
    after = position.after(cell)
    answers = cells_of(threats) if threats else after.legal_moves
    return not set(answers).isdisjoint(forks(after, after.mover))


def forces_fork(position: Position, cell: Cell) -> bool:
    """Return whether the cell makes a single threat, and the mover can fork in time after the answer."""
    threats = threats_after(position, position.mover)[cell]
    after = position.after(cell)
    if after.result is not None or threats.bit_count() != 1:
        return False
    answered = after.after(threats.bit_length() - 1)
    return answered.result is None and not set(in_time(answered)).isdisjoint(forks(answered, answered.mover))


def forces(position: Position) -> bool:
    """Return whether the mover can win at once, fork, or force a fork, before the opponent wins."""
    if position.result is not None or position.threats(position.mover):
        return position.result is None
    forking = forks(position, position.mover)
    return any(cell in forking or forces_fork(position, cell) for cell in in_time(position))


def in_time(position: Position) -> tuple[Cell, ...]:
    """Return the cells after which the opponent does not win at once: all of them, or only the block."""
    blocks = position.threats()
    return blocks if len(blocks) == 1 else () if blocks else position.legal_moves


def centre(rules: Rules) -> tuple[Cell, ...]:
    """Return the one, two or four cells nearest the middle."""
    return tuple(rules.cell(column, row) for row in _middle(rules.rows) for column in _middle(rules.columns))


def corners(rules: Rules) -> tuple[Cell, ...]:
    """Return the corner cells, each once, in reading order."""
    return _distinct(rules.cell(column, row) for row in (0, rules.rows - 1) for column in (0, rules.columns - 1))


def edges(rules: Rules) -> tuple[Cell, ...]:
    """Return the cells nearest the middle of each side of the board, without the corners."""
    across = [rules.cell(column, row) for row in (0, rules.rows - 1) for column in _middle(rules.columns)]
    along = [rules.cell(column, row) for row in _middle(rules.rows) for column in (0, rules.columns - 1)]
    return tuple(cell for cell in _distinct(sorted(across + along)) if cell not in corners(rules))


def neighbours(rules: Rules, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells that share an edge with this one."""
    column, row = rules.column_row(cell)
    beside = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return tuple(rules.cell(c, r) for c, r in beside if 0 <= c < rules.columns and 0 <= r < rules.rows)


def _middle(length: int) -> tuple[int, ...]:
    return _distinct(((length - 1) // 2, length // 2))


def _distinct(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers))


def opposite(position: Position, cell: Cell) -> Mark | None:
    """Return the mark on the cell across the middle of the board."""
    return position.mark_at(position.rules.size - 1 - cell)


def _across_from_you(position: Position, cell: Cell) -> bool:
    return opposite(position, cell) is position.mover.other


def beside(position: Position, cell: Cell) -> bool:
    """Return whether a stone of the opponent shares an edge with the cell."""
    return any(position.mark_at(each) is position.mover.other for each in neighbours(position.rules, cell))


def _surrounded(position: Position, cell: Cell) -> bool:
    """Return whether the opponent holds every neighbour of the cell."""
    around = [position.mark_at(each) for each in neighbours(position.rules, cell)]
    return bool(around) and all(mark is position.mover.other for mark in around)


def _alone(position: Position, cell: Cell) -> bool:
    return all(position.mark_at(each) is None for each in neighbours(position.rules, cell))


def _open_cells(cells: Callable[[Rules], Iterable[Cell]]) -> Squares:
    """Return a function that takes a position and returns the open squares among these cells."""
    return lambda position: [cell for cell in cells(position.rules) if position.empty >> cell & 1]


_open_corners, _open_edges = _open_cells(corners), _open_cells(edges)


def _where(holds: Callable[[Position, Cell], object], squares: Squares = lambda p: p.legal_moves) -> Squares:
    """Return a function that takes a position and returns the squares for which a condition holds.

    The function chooses among `squares`, by default all open squares.
    """
    return lambda position: [cell for cell in squares(position) if holds(position, cell)]


def _unless(holds: Callable[[Position, Cell], object]) -> Callable[[Position, Cell], object]:
    return lambda position, cell: not holds(position, cell)


threatened_corners: Final = _where(_surrounded, _open_corners)
"""A function that takes a position and returns the open corners whose neighbours are all the opponent's."""


def _spoil(position: Position) -> list[Cell]:
    return forks(position, position.mover.other)


def _only_fork(position: Position) -> list[Cell]:
    found = _spoil(position)
    return found if len(found) == 1 else []


def _threat(position: Position) -> list[Cell]:
    return [cell for cell, threats in threats_after(position, position.mover).items() if threats]


def _holds_centre(position: Position, mark: Mark) -> bool:
    return any(position.mark_at(cell) is mark for cell in centre(position.rules))


def _you_hold_a_diagonal(position: Position) -> bool:
    you = position.mover.other
    held = [cell for cell in corners(position.rules) if position.mark_at(cell) is you]
    return any(opposite(position, cell) is you for cell in held)


def _on_most_lines(spoilt_by: Callable[[Bits, Bits], object]) -> Squares:
    """Return a function that takes a position and returns the open squares on the most lines.

    A line counts unless `spoilt_by` is true for the mover's and the opponent's stones on the line.
    """

    def squares(position: Position) -> list[Cell]:
        lines = position.rules.lines_through
        counts = {
            cell: sum(not spoilt_by(line & position.own, line & position.other) for line in lines[cell])
            for cell in position.legal_moves
        }
        return [cell for cell in counts if counts[cell] == max(counts.values())]

    return squares


_NEEDS: Final[Mapping[str, Callable[[Position], object]]] = {
    "my centre": lambda p: _holds_centre(p, p.mover),
    "your centre": lambda p: _holds_centre(p, p.mover.other),
    "no centre of yours": lambda p: not _holds_centre(p, p.mover.other),
    "your diagonal": _you_hold_a_diagonal,
    "your fork": _spoil,
    "my threat": _threat,
}
_safe_threats = _where(_unless(allows_fork), _threat)
_SQUARES: Final[Mapping[str, Squares]] = {
    "win": lambda p: p.threats(p.mover),
    "block": lambda p: p.threats(),
    "centre": _open_cells(centre),
    "corner": _open_corners,
    "edge": _open_edges,
    "opposite corner": _where(_across_from_you, _open_corners),
    "own diagonal": _where(lambda p, cell: opposite(p, cell) is p.mover, _open_corners),
    "threatened corner": threatened_corners,
    "near corner": _where(beside, _open_corners),
    "free corner": _where(_alone, _open_corners),
    "corner, centre lost": _open_corners,
    "edge, centre held": _open_edges,
    "edge, centre not lost": _open_edges,
    "opposite edge": _where(_across_from_you, _open_edges),
    "quiet edge": _where(_unless(beside), _open_edges),
    "diagonal trap": _open_edges,
    "across": _where(_across_from_you),
    "beside": _where(beside),
    "apart": _where(_unless(beside)),
    "own lines": _on_most_lines(lambda _, other: other),
    "live lines": _on_most_lines(lambda own, other: own and other),
    "threat": _threat,
    "fork": lambda p: forks(p, p.mover),
    "spoil": _spoil,
    "spoil the one": _only_fork,
    "safe threat": _safe_threats,
    "distract": _safe_threats,
    "guard": _where(_unless(allows_fork)),
    "force a fork": _where(forces_fork),
    "leave nothing": _where(lambda p, cell: not forces(p.after(cell))),
}
"""What the needs of rules test, and the squares that each rule names, by their names in `handbook.toml`."""


WRITTEN: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""The words of all rules."""


def _rules() -> Iterator[tuple[str, Rule]]:
    """Yield the rules of `handbook.toml` by their names."""
    for name, rule in WRITTEN["rules"].items():
        needs = tuple(Need(_NEEDS[need], WRITTEN["needs"][need]) for need in rule.pop("needs", ()))
        yield name, Rule(name, squares=_SQUARES[name], needs=needs, **rule)


HANDBOOK: Final = MappingProxyType(dict(_rules()))
"""Every rule by its name, sorted by `sight`."""

REST: Final = Rule("the rest", "no rule applies, so any open square will do", lambda p: p.legal_moves)
"""The rule that ends every list."""


def listed(names: Iterable[str]) -> tuple[Rule, ...]:
    """Return the rules of these names, followed by `REST`."""
    return (*(HANDBOOK[name] for name in names), REST)


LIST_PREFIX: Final = "rules:"
"""The prefix of the name of a player that follows a list."""

LIST_END: Final = "rest"
"""The last rule of every list: any open square."""

MOST_RULES: Final = 12
"""The most rules of a list that people write."""

PROSE_RULES: Final = tuple(replace(HANDBOOK.get(name, REST), words=words) for name, words in WRITTEN["prose"].items())
"""The seven rules in the prose of "Unbeatable? Tictactoe in PyFL" (B. Wadge). Here both marks can use them."""

SEVEN_RULES: Final = tuple(rule.name for rule in PROSE_RULES[:-1])
"""The seven rules by their names in the handbook. The seventh, any square, is left out, since it ends every list."""

RULEBOOK: Final = ("win", "block", "fork", "force a fork", "guard", "live lines")
SHORT_RULEBOOK: Final = ("win", "block", "guard", "live lines")


def slug(name: str) -> str:
    """Return a rule's name as lists spell it, e.g. "corner-centre-lost". Older lists call an edge a side."""
    return "-".join("edge" if word == "side" else word for word in re.findall(r"[a-z]+", name.lower()))


SLUGS: Final = MappingProxyType({slug(name): name for name in HANDBOOK})
"""The names of the handbook's rules by their spelling in lists."""


def is_list(text: str) -> bool:
    """Return whether a text means a list of rules rather than the name of an opponent."""
    return text.strip().lower().startswith(LIST_PREFIX) or "," in text or slug(text) in (LIST_END, *SLUGS)


def parse_list(text: str) -> tuple[str, ...]:
    """Return the names of a list's rules, in order. Raise UnknownPlayer, which suggests a similar name."""
    written = text.strip()
    written = written[len(LIST_PREFIX) :] if written.lower().startswith(LIST_PREFIX) else written
    found: list[str] = []
    for part in filter(None, map(str.strip, written.split(","))):
        if found and f"{found[-1]}-{slug(part)}" in SLUGS:  # some rules have a comma in their names
            found[-1] += f"-{slug(part)}"
        else:
            found.append(slug(part) or part)
    if found and found[-1] in (LIST_END, f"the-{LIST_END}"):
        found.pop()
    if len(found) > MOST_RULES:
        raise UnknownPlayer(f"A list has up to {counted(MOST_RULES, 'rule', 'rules')}, and this one has {len(found)}.")
    for place, each in enumerate(found):
        if each not in SLUGS:
            raise UnknownPlayer(_no_rule(each))
        if each in found[:place]:
            raise UnknownPlayer(f"The rule {quoted(SLUGS[each])} is in the list twice; the second would never decide.")
    return tuple(SLUGS[each] for each in found)


def _no_rule(text: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only this mistake needs it

    near = get_close_matches(text, SLUGS, n=1, cutoff=0.5)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"There is no rule {quoted(text)}.{meant} The rules are {', '.join(SLUGS)}; {LIST_END} may end the list."


def format_list(names: Sequence[str]) -> str:
    """Return the text of a list without its prefix, e.g. "win,block"; it is "rest" for a list without rules."""
    return ",".join(map(slug, names)) or LIST_END


@lru_cache(maxsize=256)
def player_of(names: tuple[str, ...]) -> Strategy:
    """Return the player that follows the handbook's rules of these names."""
    rules = listed(names)
    searches = any(rule.sight > 3 for rule in rules)
    return by_rules(
        f"{LIST_PREFIX}{format_list(names)}",
        f"List of {counted(len(names), 'rule', 'rules')}",
        f"Follows your rules in order: {', '.join((*names, 'any square'))}.",
        "Your own",
        rules,
        quick=lambda board: board.is_small or not searches,
    )


def list_called(name: str) -> Strategy | None:
    """Return the player of a list by its name in links; None for any other name, and for a list with a mistake."""
    if not name.startswith(LIST_PREFIX):
        return None
    try:
        return player_of(parse_list(name))
    except UnknownPlayer:
        return None
