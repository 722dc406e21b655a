"""Facts on equal boards: the same board by another order of moves, or turned or mirrored."""

from math import factorial
from typing import Final

from solver.articles.census import SYMMETRY_NAMES, orders
from solver.board.notation import parse_position
from solver.board.outcome import counted
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from solver.players.handbook import corners, edges
from solver.search.tablebase import positions
from webapp.pages.learn.content import Facts, Remark
from webapp.ui.board import mini

KINDS: Final = {"corner": corners(TIC_TAC_TOE), "edge": edges(TIC_TAC_TOE)}
"""The squares of each kind."""


def judge_pairs(pair: str) -> Facts:
    """Judge whether two boards are the same when one is turned or mirrored."""
    one, other = map(parse_position, pair.split(" "))
    name = turning(one, other)
    if name is None:
        hint, reason = _unlike(one, other)
        answers = {"same": Remark.of("unlike", hint=hint), "not": Remark.of("differ", reason=reason)}
    else:
        kind = "mirror" if name.startswith("mirrored") else "turn"
        answers = {
            "same": Remark.of("turned", mini(other), way=name.capitalize()),
            "not": Remark.of("alike", kind=kind),
        }
    return Facts.of(answers, mini(one), beside=mini(other))


def judge_images(position: Position) -> Facts:
    """Judge the number of different boards that turning and mirroring makes of one."""
    ways, images = len(SYMMETRY_NAMES), position.images()
    kept = [name for symmetry, name in SYMMETRY_NAMES.items() if position.transformed(symmetry) == position]
    return _judge_numbers(
        position,
        images,
        reason={ways: "All eight differ.", 1: "All eight look the same."}.get(
            images, f"The eight ways give {images} boards, each {ways // images} times."
        ),
        many="There are only eight ways." if images == ways else f"{kept[-1].capitalize()}, it's the same board.",
    )


def judge_orders(position: Position) -> Facts:
    """Judge the number of orders of moves that lead to a board."""
    x, o = (position.stones(mark).bit_count() for mark in Mark)
    ways = factorial(x), factorial(o)
    return _judge_numbers(
        position,
        len(orders(position)),
        x=counted(x, "mark", "marks"),
        o=counted(o, "mark", "marks"),
        x_orders=counted(ways[0], "order", "orders"),
        ways=ways,
    )


def _judge_numbers(position: Position, right: int, **values: object) -> Facts:
    """Judge the numbers to choose from: all others are too few or too many."""
    answers = {
        str(number): Remark.of("yes" if number == right else "few" if number < right else "many", number=number)
        for number in (1, 2, 4, 8, 12)
    }
    return Facts(answers, mini(position), titles={number: number for number in answers}, values=values)


def turning(one: Position, other: Position) -> str | None:
    """Return the name of a symmetry that turns one position into the other, or None if there is none."""
    fits = (name for symmetry, name in SYMMETRY_NAMES.items() if one.transformed(symmetry) == other)
    return next(fits, None)


def _unlike(one: Position, other: Position) -> tuple[str, str]:
    """Return a hint why no symmetry makes two positions equal, and the reason."""
    for mark in Mark:
        for name, cells in KINDS.items():
            left, right = (sum(each.mark_at(cell) is mark for cell in cells) for each in (one, other))
            if left != right:
                said = f"{mark} has {counted(left, name, name + 's')} on the left and {right} on the right."
                return f"Count {mark}'s {name}s.", said
    return "Which marks stand side by side?", "None of the eight ways to turn and mirror the left board fits."


def count_boards() -> Facts:
    """Count the positions of the game, and the boards that are left if turned and mirrored ones are one."""
    every = tuple(positions(TIC_TAC_TOE))
    return Facts.of(positions=len(every), boards=len({position.canonical() for position in every}))
