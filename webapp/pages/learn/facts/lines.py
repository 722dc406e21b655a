"""Facts on lines and threats: complete your own line, or block the other player's."""

from typing import Final

from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.search.tablebase import unfinished
from webapp.pages.learn.content import Facts, FactsOf, Remark, judge_squares
from webapp.pages.learn.facts.forks import name_of, names_of
from webapp.ui.board import mini


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


FACTS: Final[FactsOf] = {"win": judge_wins, "block": judge_blocks, "wins-counted": count_wins}
