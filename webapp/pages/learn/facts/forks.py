"""Facts on lines, threats and forks: make one, find one, stop one; and every forked position of tic-tac-toe by ply."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from solver import predict
from solver.articles.graph import FORK, Fork, forks, forks_by_ply, forks_in_words, wins_by_threats
from solver.board.notation import format_cell, listed_cells
from solver.board.outcome import Value
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.search.tablebase import unfinished
from webapp.pages.learn.content import Facts, Remark, judge_squares
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, Strike, mini, spoken, strike
from webapp.ui.filters import options

name_of: Final = partial(format_cell, rules=TIC_TAC_TOE)
names_of: Final = partial(listed_cells, rules=TIC_TAC_TOE)

PLAY: Final = {"all": "any play", "forced": "play where both win and block when they can"}
"""The two sets of positions to choose from, with their titles."""


def view_forks(query: Query) -> Mapping[str, Any]:
    """Show the forks of all play, or of forced play, by ply: those with two threats, and those with more.

    The article's definition leaves the latter out. Raises BadOption.
    """
    play = one_of(query, "play", PLAY, "all")
    forked = forks(TIC_TAC_TOE, forced=play == "forced")

    def boards(fits: Callable[[int], bool]) -> Mapping[int, tuple[Mini, ...]]:
        groups = forks_by_ply(tuple(fork for fork in forked if fits(len(fork.threats))))
        return {ply: tuple(map(_board, group)) for ply, group in groups.items()}

    plays, said = options(PLAY, play), forks_in_words(forked)
    return {"plays": plays, "said": said, "two": boards(FORK.__eq__), "more": boards(FORK.__lt__)}


def judge_forks(position: Position) -> Facts:
    """Judge the squares by whether the mover makes a fork there."""
    squares = forking(position)

    def judge(cell: Cell) -> Remark:
        after, name = position.after(cell), name_of(cell)
        made = after.threats()
        if cell in squares:
            others = [other for other in squares if other != cell]
            more = f" {names_of(others)} {'forks' if len(others) == 1 else 'fork'} too." if others else ""
            return Remark.of(
                "fork", draw_threats(after), threatened_lines(after), name=name, two=names_of(made), more=more
            )
        if first := after.threats(after.mover):
            return Remark.of("forgets", name=name, other=after.mover, wins=names_of(first))
        return Remark.of("one", name=name, threat=name_of(made[0])) if made else Remark.of("none", name=name)

    return judge_squares(position, judge, mover=position.mover)


def judge_stops(position: Position) -> Facts:
    """Judge the squares by whether they stop a fork."""
    other, squares = position.mover.other, predict(position).squares

    def judge(cell: Cell) -> Remark:
        after, name = position.after(cell), name_of(cell)
        if squares[cell].value is Value.LOSS:
            fork = forking(after)[0]
            forked = after.after(fork)
            lit, two = threatened_lines(forked), names_of(forked.threats())
            return Remark.of("lets", draw_threats(forked), lit, name=name, fork=name_of(fork), two=two)
        if not after.threats():
            return Remark.of("taken", mini(after, classes={cell: "new"}), name=name)
        (block,) = after.threats()
        return Remark.of("threatens", draw_threats(after), threatened_lines(after), name=name, block=name_of(block))

    return judge_squares(position, judge, mover=position.mover, other=other)


def forking(position: Position) -> tuple[Cell, ...]:
    """Return the squares where the mover makes a fork."""
    return tuple(cell for cell in position.legal_moves if wins_by_threats(position.after(cell)))


def draw_threats(position: Position) -> Mini:
    """Draw a position with the threats of the player who moved last."""
    marks = position.threats()
    return mini(position, texts=dict.fromkeys(marks, "!"), classes=dict.fromkeys(marks, "threat"))


def threatened_lines(position: Position) -> tuple[Strike, ...]:
    """Return the lines that the player who moved last threatens to complete."""
    owner = position.mover.other
    filled = (position.stones(owner) | 1 << cell for cell in position.threats())
    return tuple(
        strike(line, position.rules)
        for stones in filled
        for line in position.rules.lines
        if line & ~stones == 0 and line & ~position.stones(owner)
    )


def _board(fork: Fork) -> Mini:
    """Draw the position of a fork with its threats marked."""
    return replace(
        draw_threats(fork.position), label=f"{spoken(fork.position)}: {fork.owner} threatens {names_of(fork.threats)}"
    )


def judge_threats(position: Position) -> Facts:
    """Judge the squares by whether the mover threatens a line there, while the other player threatens none."""

    def judge(cell: Cell) -> Remark:
        after, name = position.after(cell), name_of(cell)
        made = after.threats()
        if not made:
            return Remark.of("none", name=name)
        several = "them both" if len(made) > 1 else "it"
        drawn, lit = draw_threats(after), threatened_lines(after)
        return Remark.of("threat", drawn, lit, name=name, made=names_of(made), several=several, other=after.mover)

    return judge_squares(position, judge, mover=position.mover)


def count_forks() -> Facts:
    """Count the positions in which the mover has a fork, and those with more than one."""
    counts = [len(forking(position)) for position in unfinished(TIC_TAC_TOE)]
    return Facts.of(forked=sum(map(bool, counts)), several=sum(count > 1 for count in counts))


def judge_wins(position: Position) -> Facts:
    """Judge the squares by whether they complete a line of the mover. A block of the other player's is told apart."""
    wins, blocks = position.threats(position.mover), position.threats()

    def judge(cell: Cell) -> Remark:
        after, name = position.after(cell), name_of(cell)
        if cell in wins:
            rest = [other for other in wins if other != cell]
            more = f" {names_of(rest)} {'wins' if len(rest) == 1 else 'win'} too." if rest else ""
            return Remark.of("wins", mini(after, classes={cell: "new"}), name=name, more=more)
        return Remark.of("blocks" if cell in blocks else "misses", name=name)

    return judge_squares(position, judge, mover=position.mover, other=position.mover.other, win=names_of(wins))


def judge_blocks(position: Position) -> Facts:
    """Judge the squares by whether they block the other player's only threat."""
    (block,) = position.threats()

    def judge(cell: Cell) -> Remark:
        after, name = position.after(cell), name_of(cell)
        if cell == block:
            return Remark.of("blocks", mini(after, classes={cell: "new"}), name=name)
        lost = after.after(block)
        return Remark.of("lets", mini(lost, classes={block: "new"}), name=name, block=name_of(block))

    return judge_squares(position, judge, mover=position.mover, other=position.mover.other)


def count_wins() -> Facts:
    """Count the lines, the positions with a winning move, and those of them in which the other player threatens too."""
    ways = [position for position in unfinished(TIC_TAC_TOE) if position.threats(position.mover)]
    both = sum(bool(position.threats()) for position in ways)
    return Facts.of(lines=len(TIC_TAC_TOE.lines), wins=len(ways), both=both)
