"""A position as learners see it: arrays, numbered actions, and what the oracle knows."""

from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Space
from numpy.typing import NDArray

from solver.board.outcome import Value
from solver.board.position import Mark, Position
from solver.board.rules import LONGEST, Marking, MoveCode, Rules
from solver.proofs.predict import predict

Grid: TypeAlias = NDArray[np.int8]
"""The rows of a board from the top; layers of a board in space follow one another from the bottom."""

Bitboards: TypeAlias = NDArray[np.uint64]
"""Sets of cells, with a bit for each cell."""

Info: TypeAlias = dict[str, Any]

WORTH: Final = {Value.WIN: 1, Value.DRAW: 0, Value.LOSS: -1}


def worth(position: Position, mark: Mark) -> int | None:
    """Return the value of a position for a player: 1, 0 or -1, or None if it is not proved."""
    value = WORTH.get(predict(position).outcome.value)
    return value if value is None or position.mover is mark else -value


def regret(position: Position, move: MoveCode) -> int | None:
    """Return how much of the position's value a legal move gives away, 0 to 2, or None if that is not proved."""
    before, after = worth(position, position.mover), worth(position.after(move), position.mover)
    return None if before is None or after is None else before - after


def reward(position: Position, mark: Mark) -> int:
    """Return what a position is worth to a player by the rules alone: 1 or -1 once somebody has won, else 0."""
    return {mark.value: 1, mark.other.value: -1}.get(position.result or "", 0)


def grid_space(rules: Rules, least: int = -1, planes: tuple[int, ...] = ()) -> "Space[Grid]":
    """Return the space of grids, or of several planes, from `least` to 1, or -k or 0 to k where stones vanish."""
    most = rules.k if rules.vanishes else 1
    grids: Box[Any] = Box(least * most, most, (rules.layers * rules.rows, rules.columns, *planes), np.int8)
    return grids


def places(rules: Rules) -> int:
    """Return the number of places that a player chooses from: the columns where stones fall, else the cells."""
    return rules.columns if rules.falls else rules.size


def action_count(rules: Rules) -> int:
    """Return the number of actions: each place, with either mark where the mover chooses it."""
    return places(rules) * (1 + rules.is_wild)


def actions_of(position: Position) -> dict[int, MoveCode]:
    """Return the moves of a position by their actions, in their order."""
    size, count = position.rules.size, places(position.rules)
    return {move % size % count + count * (move // (2 * size)): move for move in position.legal_moves}


def mask_of(position: Position) -> Grid:
    """Return an array with a 1 for each legal action."""
    mask = np.zeros(action_count(position.rules), np.int8)
    mask[[*actions_of(position)]] = 1
    return mask


def stones_of(position: Position, mark: Mark) -> tuple[Grid, Grid]:
    """Return the grids of a player's stones and of the opponent's; of X and O where marks belong to nobody.

    A stone is a 1. Where stones vanish, it is the number of its owner's moves until it leaves, at first k.
    """
    rules, stones = position.rules, [position.x, position.o]
    grids = as_cells(np.array(stones if mark is Mark.X or not is_owned(rules) else stones[::-1], np.uint64), rules)
    for age, cell in enumerate(reversed(position.ages)):
        grids[:, cell] *= rules.k - age // 2
    own, other = grids.reshape(2, -1, rules.columns)
    return own, other


def as_cells(words: Bitboards, rules: Rules) -> Grid:
    """Return an array with one more axis, in which each word, a set of cells, has a 1 for each of its cells."""
    octets = words.astype("<u8")[..., None].view(np.uint8)
    return np.unpackbits(octets, axis=-1, count=rules.size, bitorder="little").view(np.int8)


def is_owned(rules: Rules) -> bool:
    """Return whether each mark belongs to a player."""
    return not rules.is_wild and rules.marks is not Marking.NOTAKTO


def is_cut_off(position: Position, plies: int) -> bool:
    """Return whether an unfinished game has gone on for too many plies."""
    return plies >= LONGEST and position.result is None
