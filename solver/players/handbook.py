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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
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


_I_HOLD_CENTRE = Need(lambda p: _holds_centre(p, p.mover), "{me} does not hold the centre")
_YOU_HOLD_CENTRE = Need(lambda p: _holds_centre(p, p.mover.other), "{you} does not hold the centre")
_YOU_LACK_CENTRE = Need(lambda p: not _holds_centre(p, p.mover.other), "{you} holds the centre")
_YOU_HOLD_DIAGONAL = Need(_you_hold_a_diagonal, "{you} holds no two opposite corners")
_YOU_CAN_FORK = Need(_spoil, "{you} could not fork next")
_I_CAN_THREATEN = Need(_threat, "no square makes a threat")

_NO_CORNER, _NO_EDGE = "no corner is free", "no edge is free"
_FORKED_AFTER_THREAT = "after every threat {you} could fork"

_ALL = (
    Rule("win", "complete a line", lambda p: p.threats(p.mover), "{me} completes a line nowhere"),
    Rule(
        "block",
        "stop the opponent from completing a line",
        lambda p: p.threats(),
        "{you} completes a line nowhere",
    ),
    Rule("centre", "take the centre", _open_cells(centre), "the centre is not free"),
    Rule("corner", "take a corner", _open_corners, _NO_CORNER),
    Rule("edge", "take an edge", _open_edges, _NO_EDGE),
    Rule(
        "opposite corner",
        "take the corner opposite the opponent's",
        _where(_across_from_you, _open_corners),
        "no free corner is opposite a corner of {you}",
    ),
    Rule(
        "own diagonal",
        "take the corner opposite your own",
        _where(lambda p, cell: opposite(p, cell) is p.mover, _open_corners),
        "no free corner is opposite a corner of {me}",
    ),
    Rule(
        "threatened corner",
        "take a corner between two stones of the opponent",
        threatened_corners,
        "no free corner has {you} on both sides",
    ),
    Rule(
        "near corner",
        "take a corner next to the opponent",
        _where(beside, _open_corners),
        "no free corner is beside {you}",
    ),
    Rule(
        "free corner",
        "take a corner with no stone next to it",
        _where(_alone, _open_corners),
        "no free corner is without a stone beside it",
    ),
    Rule(
        "corner, centre lost",
        "take a corner if the opponent has the centre",
        _open_corners,
        _NO_CORNER,
        (_YOU_HOLD_CENTRE,),
    ),
    Rule(
        "edge, centre held",
        "take an edge if you have the centre",
        _open_edges,
        _NO_EDGE,
        (_I_HOLD_CENTRE,),
    ),
    Rule(
        "edge, centre not lost",
        "take an edge unless the opponent has the centre",
        _open_edges,
        _NO_EDGE,
        (_YOU_LACK_CENTRE,),
    ),
    Rule(
        "opposite edge",
        "take the edge opposite the opponent's",
        _where(_across_from_you, _open_edges),
        "no free edge is opposite an edge of {you}",
    ),
    Rule(
        "quiet edge",
        "take an edge not next to the opponent",
        _where(_unless(beside), _open_edges),
        "no free edge is without {you} beside it",
    ),
    Rule(
        "diagonal trap",
        "take an edge if the opponent has two opposite corners",
        _open_edges,
        _NO_EDGE,
        (_YOU_HOLD_DIAGONAL,),
    ),
    Rule(
        "across",
        "take the square opposite a stone of the opponent",
        _where(_across_from_you),
        "no free square is opposite a stone of {you}",
    ),
    Rule("beside", "take a square next to the opponent", _where(beside), "no free square is beside {you}"),
    Rule(
        "apart",
        "take a square not next to the opponent",
        _where(_unless(beside)),
        "every free square is beside {you}",
    ),
    Rule(
        "own lines",
        "take the square on the most lines without the opponent",
        _on_most_lines(lambda _, other: other),
    ),
    Rule(
        "live lines",
        "take the square on the most lines without both marks",
        _on_most_lines(lambda own, other: own and other),
    ),
    Rule("threat", "make a threat", _threat, _I_CAN_THREATEN.otherwise, sight=1),
    Rule(
        "fork", "make two threats at once", lambda p: forks(p, p.mover), "no square makes two threats at once", sight=1
    ),
    Rule("spoil", "take a square where the opponent could fork", _spoil, _YOU_CAN_FORK.otherwise, sight=1),
    Rule(
        "spoil the one",
        "take the only square where the opponent could fork",
        _only_fork,
        "{you} could fork on more than one square",
        (_YOU_CAN_FORK,),
        sight=1,
    ),
    Rule(
        "safe threat",
        "make a threat whose block is no fork",
        _where(_unless(allows_fork), _threat),
        _FORKED_AFTER_THREAT,
        (_I_CAN_THREATEN,),
        sight=2,
    ),
    Rule(
        "distract",
        "if the opponent could fork next, make a threat whose block is no fork",
        _where(_unless(allows_fork), _threat),
        _FORKED_AFTER_THREAT,
        (_YOU_CAN_FORK, _I_CAN_THREATEN),
        sight=2,
    ),
    Rule(
        "guard",
        "if the opponent could fork next, take a square that prevents it",
        _where(_unless(allows_fork)),
        "after every square {you} could fork",
        (_YOU_CAN_FORK,),
        sight=2,
    ),
    Rule(
        "force a fork",
        "make a threat whose block leaves you a fork",
        _where(forces_fork),
        "no threat leaves {me} a fork after its block",
        sight=3,
    ),
    Rule(
        "leave nothing",
        "leave the opponent no win, no fork and no way to force one",
        _where(lambda p, cell: not forces(p.after(cell))),
        "after every square {you} could win, fork or force a fork",
        sight=4,
    ),
)

_BY_LINES: Final = frozenset(
    [
        "win",
        "block",
        "own lines",
        "live lines",
        "threat",
        "fork",
        "spoil",
        "spoil the one",
        "safe threat",
        "distract",
        "guard",
        "force a fork",
        "leave nothing",
    ]
)
"""The rules that look at lines only, and so fit any lines."""

HANDBOOK: Final = MappingProxyType({rule.name: replace(rule, by_place=rule.name not in _BY_LINES) for rule in _ALL})
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

PROSE_RULES: Final = (
    replace(HANDBOOK["win"], words="it completes a line"),
    replace(HANDBOOK["block"], words="the opponent would win there"),
    replace(HANDBOOK["centre"], words="it is free"),
    replace(HANDBOOK["threatened corner"], words="the opponent stands on both sides of it"),
    replace(HANDBOOK["edge"], words="one is free"),
    replace(HANDBOOK["corner"], words="one is free"),
    replace(REST, words="no other rule applies"),
)
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
