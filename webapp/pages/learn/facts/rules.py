"""Facts on players by rules: which rule decides, where a list fails, and what a PyFL program finds in a position."""

from collections.abc import Mapping
from math import perm
from typing import Final

from solver.analysis.trial import Trial, wins
from solver.articles.rulebooks import player_by_classes, trials
from solver.board.notation import few_cells, format_cell, parse_position
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import STRATEGIES
from solver.players.decision import Consulted, consult
from solver.players.handbook import HANDBOOK, SEVEN_RULES, SHORT_RULEBOOK, parse_list, player_of, slug
from solver.proofs.predict import predict
from webapp.pages.learn.content import Facts, Remark, judge_squares
from webapp.pages.learn.stage import draw_deciding, now_you
from webapp.ui.board import mini

SIDES: Final[Mapping[str, tuple[str, tuple[Mark, ...]]]] = {
    "never": ("Never", ()),
    "x": ("Only as X", (Mark.X,)),
    "o": ("Only as O", (Mark.O,)),
    "both": ("As X and as O", (Mark.X, Mark.O)),
}
"""The answers to the question when an opponent can lose, with their titles and the marks."""

START: Final = mini(Position(TIC_TAC_TOE))
"""The board beside questions about whole games until feedback shows another."""


def judge_deciding(position: Position) -> Facts:
    """Judge which of the seven rules decides in a position."""
    consulted = consult(STRATEGIES["seven-rules"].follows, position)

    def judge(rule: Consulted) -> Remark:
        name, cells = rule.rule.name, few_cells(rule.cells, TIC_TAC_TOE)
        if rule.decides:
            return Remark.of("decides", draw_deciding(position, rule.cells), name=name, cells=cells)
        return Remark.of("later" if rule.cells else "silent", name=name, cells=cells, lacking=rule.lacking)

    return Facts.of(
        {slug(rule.rule.name): judge(rule) for rule in consulted},
        mini(position),
        titles={slug(rule.rule.name): f"{place}. {rule.rule.name}" for place, rule in enumerate(consulted, 1)},
        mover=position.mover,
    )


def judge_erring(rules: str, board: str) -> Facts:
    """Judge which of the squares that a list of rules names loses."""
    position, cells, words = _deciding(rules, board)

    def judge(cell: Cell) -> Remark:
        if not wins(position.after(cell)):
            return Remark.of("holds", name=format_cell(cell, TIC_TAC_TOE))
        return _show_reply("loses", position, cell)

    answers = {format_cell(cell, TIC_TAC_TOE): judge(cell) for cell in cells}
    return Facts(answers, draw_deciding(position, cells), values=words)


def judge_holding(rules: str, board: str) -> Facts:
    """Judge which square holds the draw where each square that a list of rules names loses."""
    position, _, words = _deciding(rules, board)

    def judge(cell: Cell) -> Remark:
        if wins(position.after(cell)):
            return _show_reply("loses", position, cell)
        return Remark.of(
            "holds", mini(position.after(cell), classes={cell: "new"}), name=format_cell(cell, TIC_TAC_TOE)
        )

    return judge_squares(position, judge, mover=position.mover, **words)


def _deciding(rules: str, board: str) -> tuple[Position, tuple[Cell, ...], dict[str, str]]:
    """Return a position, the squares of the rule that decides there, and the values of words about it."""
    position = parse_position(board, TIC_TAC_TOE)
    consulted = consult(player_of(parse_list(rules)).follows, position)
    rule, cells = next((each.rule, each.cells) for each in consulted if each.decides)
    return position, cells, {"rules": rules, "rule": rule.name, "cells": few_cells(cells, TIC_TAC_TOE)}


def _show_reply(says: str, position: Position, cell: Cell) -> Remark:
    """Return a remark on a square that loses, with the reply that wins."""
    after = position.after(cell)
    reply = predict(after).best[0]
    board = mini(after.after(reply), classes={cell: "loss", reply: "new"})
    name, answer = (format_cell(each, TIC_TAC_TOE) for each in (cell, reply))
    return Remark.of(says, board, name=name, other=after.mover, reply=answer)


def judge_lists(lists: list[str]) -> Facts:
    """Judge which of these lists of rules never loses."""
    titles = {str(place): names for place, names in enumerate(lists)}
    return Facts.of({place: _judge_list(names) for place, names in titles.items()}, START, titles=titles)


def _judge_list(names: str) -> Remark:
    tried = trials(player_by_classes(tuple(names.split(", "))))
    lost = next((each for each in tried if not each.unbeatable), None)
    if lost:
        return show_loss("loses", lost, mark=lost.mark, lost=lost.counts.lost, games=lost.counts.games)
    return Remark.of("never", games=" and ".join(f"{each.counts.games:,} games as {each.mark}" for each in tried))


def count_games(rules: str = ", ".join(SEVEN_RULES)) -> Facts:
    """Count the games that a list of rules plays as O, and those that it loses."""
    _, as_o = trials(player_by_classes(parse_list(rules)))
    return Facts.of(truth=as_o.counts.games, rules=rules, games=as_o.counts.games, lost=as_o.counts.lost)


def count_lists(sight: int) -> Facts:
    """Count the lists that are shorter than the shortest one, with rules that look ahead so many plies."""
    library = sum(rule.sight <= sight for rule in HANDBOOK.values())
    return Facts.of(truth=sum(perm(library, length) for length in range(len(SHORT_RULEBOOK))), library=library)


def judge_sides(rules: str) -> Facts:
    """Judge on which sides a list of rules can lose."""
    tried = {each.mark: each for each in trials(player_by_classes(parse_list(rules)))}
    losing = tuple(mark for mark, each in tried.items() if not each.unbeatable)

    def judge(marks: tuple[Mark, ...]) -> Remark:
        if marks != losing:
            wrong = next(mark for mark in Mark if (mark in marks) != (mark in losing))
            return Remark.of("no", lost=_tell_lost(tried[wrong]))
        lost = " and ".join(map(_tell_lost, tried.values()))
        return show_loss("loses", tried[losing[-1]], lost=lost) if losing else Remark.of("never", lost=lost)

    return Facts.of(
        {side: judge(marks) for side, (_, marks) in SIDES.items()},
        START,
        titles={side: title for side, (title, _) in SIDES.items()},
        rules=rules,
    )


def show_loss(says: str, tried: Trial, **values: object) -> Remark:
    """Return a remark with the mistake in the game that refutes a player, and the link to win the game."""
    assert tried.refutation is not None  # noqa: S101 - only of a player that can be beaten there is a remark like this
    assert tried.refutation.erred is not None  # noqa: S101 - no player has lost 3×3 from the start
    ply = tried.refutation.plies[tried.refutation.erred]
    board = mini(ply.position.after(ply.cell), classes={ply.cell: "loss"})
    mistake = format_cell(ply.cell, TIC_TAC_TOE)
    return Remark(says, board, links={"Now you: beat it": now_you(tried)}, values={**values, "mistake": mistake})


def _tell_lost(tried: Trial) -> str:
    """Return how many games a player loses, e.g. "144 of 1,704 games as O"."""
    lost = f"{tried.counts.lost:,}" if tried.counts.lost else "none"
    return f"{lost} of {tried.counts.games:,} games as {tried.mark}"
