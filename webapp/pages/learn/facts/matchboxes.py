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
from solver.players.learning.boxes import Chest, boxes
from solver.players.learning.exam import Learnt, learning_curve
from solver.players.learning.learners import MINI_MENACE, REWARD
from solver.search.tablebase import look_up
from webapp.pages.learn.content import Facts, FactsOf, Remark, judge_squares
from webapp.ui.board import mini
from webapp.ui.filters import whole_percent

GAMES: Final = 50
"""The number of games after which the unit looks at what the boxes have learnt."""


@cache
def taught() -> tuple[Learnt, ...]:
    """Return Mini-MENACE before its first game against perfect play, and after each of `GAMES` games."""
    return tuple(islice(learning_curve(MINI_MENACE, STRATEGIES["impossible"], "5"), GAMES + 1))


def judge_beads(box: int, games: int) -> Facts:
    """Judge the squares of a box by how many beads they have after some games."""
    opened, row = boxes(MINI_MENACE.chest)[box - 1], taught()[games].memory[box - 1]
    texts = {cell: str(beads) for cell, beads in zip(opened.squares, row, strict=True)}
    answers: dict[str, Remark | str] = {
        format_cell(cell, TIC_TAC_TOE): Remark.of(
            "most" if beads == max(row) else "fewer", name=format_cell(cell, TIC_TAC_TOE), beads=beads, all=sum(row)
        )
        for cell, beads in zip(opened.squares, row, strict=True)
    }
    return Facts.of(answers, mini(opened.position, texts=texts), games=games)


def judge_reward(result: str) -> Facts:
    """Judge how many beads of a colour a box holds after a game with this result."""
    beads = MINI_MENACE.start[0][0]
    changes = {"out": -1, "same": 0, "one": 1, "three": 3}
    answers: dict[str, Remark | str] = {
        name: "right" if change == REWARD[Result(result)] else "wrong" for name, change in changes.items()
    }
    titles = {name: str(beads + change) for name, change in changes.items()}
    return Facts.of(answers, titles=titles, beads=beads, change=abs(REWARD[Result(result)]))


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
    return Facts.of(truth=len(boxes(Chest(tuple(HANDBOOK[name] for name in parse_list(rules))))))


def judge_learning() -> Facts:
    """Judge how often Mini-MENACE loses against perfect play after its games, as it loses so often at first."""
    losses = [learnt.odds.loss for learnt in taught()]
    shares = {"same": losses[0], "half": losses[0] / 2, "less": losses[-1]}
    answers: dict[str, Remark | str] = {name: "right" if name == "less" else "wrong" for name in shares}
    titles = {name: f"about {whole_percent(share)}" for name, share in shares.items()}
    return Facts.of(answers, titles=titles, new=whole_percent(losses[0]), after=whole_percent(losses[-1]), games=GAMES)


MATCHBOX_FACTS: Final[FactsOf] = {
    "beads": judge_beads,
    "reward": judge_reward,
    "survivors": judge_survivors,
    "boxes": count_boxes,
    "learning": judge_learning,
}
