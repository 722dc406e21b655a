"""Facts of questions about learning from matchboxes. The boxes are those of Mini-MENACE, taught by perfect play."""

from functools import cache
from itertools import islice
from typing import Final

from solver.board.notation import format_cell
from solver.board.outcome import DRAWN
from solver.board.position import Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import STRATEGIES
from solver.players.handbook import HANDBOOK, parse_list
from solver.players.learning.boxes import MICRO, Box, Chest, boxes
from solver.players.learning.exam import Learnt, learning_curve
from solver.players.learning.learners import MINI_MENACE, REWARD, Row
from solver.search.tablebase import look_up
from webapp.pages.learn.content import Facts, Remark, judge_squares
from webapp.ui.board import Mini, mini
from webapp.ui.filters import whole_percent

GAMES: Final = 50
"""The number of games after which the unit looks at what the boxes have learnt."""


@cache
def taught() -> tuple[Learnt, ...]:
    """Return Mini-MENACE before its first game against perfect play, and after each of `GAMES` games."""
    return tuple(islice(learning_curve(MINI_MENACE, STRATEGIES["impossible"], "5"), GAMES + 1))


def judge_beads(box: int = 1, games: int = 0) -> Facts:
    """Judge the squares of a box by how many beads they have after some games."""
    opened, row = boxes(MINI_MENACE.chest)[box - 1], taught()[games].memory[box - 1]
    beads = {format_cell(cell, TIC_TAC_TOE): number for cell, number in zip(opened.squares, map(int, row), strict=True)}
    answers: dict[str, Remark | str] = {
        name: Remark.of("most" if number == max(row) else "fewer" if number else "none", name=name, beads=number)
        for name, number in beads.items()
    }
    return Facts.of(answers, draw_box(opened, row), games=games, all=sum(beads.values()))


def draw_box(box: Box, row: Row) -> Mini:
    """Draw a box with the numbers of its beads."""
    return mini(box.position, texts={cell: f"{beads:.0f}" for cell, beads in zip(box.squares, row, strict=True)})


def judge_reward(result: str) -> Facts:
    """Judge how many beads of a colour a box holds after a game with this result."""
    box, row = boxes(MINI_MENACE.chest)[0], MINI_MENACE.start[0]
    changes = {"out": -1, "same": 0, "one": 1, "three": 3}
    answers: dict[str, Remark | str] = {
        name: "right" if change == REWARD[Result(result)] else "wrong" for name, change in changes.items()
    }
    titles = {name: f"{row[0] + change:.0f}" for name, change in changes.items()}
    return Facts.of(
        answers, draw_box(box, row), titles=titles, beads=f"{row[0]:.0f}", change=abs(REWARD[Result(result)])
    )


def judge_survivors(position: Position) -> Facts:
    """Judge the squares of a box by whether their beads outlast games against perfect play."""

    def judge(cell: Cell) -> Remark:
        after, name = position.after(cell), format_cell(cell, TIC_TAC_TOE)
        if look_up(after) <= DRAWN:
            return Remark.of("stays", name=name)
        reply = min(after.legal_moves, key=lambda reply: look_up(after.after(reply)))
        board = mini(after.after(reply), classes={reply: "new"})
        return Remark.of("goes", board, name=name, reply=format_cell(reply, TIC_TAC_TOE))

    return judge_squares(position, judge)


def count_boxes(rules: str) -> Facts:
    """Return how many boxes a machine needs that follows some rules first."""
    return Facts.of(truth=len(boxes(Chest(tuple(HANDBOOK[name] for name in parse_list(rules))))), all=len(boxes()))


def count_hopeless() -> Facts:
    """Return in how many boxes of Mini-MENACE every square loses, and how many boxes the chests have."""
    chest = boxes(MINI_MENACE.chest)
    hopeless = sum(look_up(box.position) > DRAWN for box in chest)
    return Facts.of(all=len(boxes()), mini=len(chest), micro=len(boxes(MICRO)), hopeless=hopeless)


def judge_learning() -> Facts:
    """Judge how often Mini-MENACE loses against perfect play after its games, as it loses so often at first."""
    losses = [learnt.odds.loss for learnt in taught()]
    shares = {"same": losses[0], "half": losses[0] / 2, "less": losses[-1]}
    answers: dict[str, Remark | str] = {name: "right" if name == "less" else "wrong" for name in shares}
    titles = {name: f"about {whole_percent(share)}" for name, share in shares.items()}
    return Facts.of(answers, titles=titles, new=whole_percent(losses[0]), after=whole_percent(losses[-1]), games=GAMES)
