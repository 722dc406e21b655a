"""Facts on openings: safe replies, punished ones, and the traps that come later."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from solver import predict
from solver.articles.openings import distinct_ways, forced_wins, place_name, tic_tac_toe_openings
from solver.board.notation import parse_position
from solver.board.outcome import Value
from solver.board.position import Position
from solver.board.rules import Cell
from webapp.pages.learn.content import UNITS_FOLDER, Facts, Remark, judge_squares, read_content
from webapp.pages.learn.facts.forks import draw_threats, judge_forks, name_of, names_of, threatened_lines
from webapp.ui.board import mini

TRAPS: Final[Mapping[str, str]] = read_content("openings", UNITS_FOLDER)["traps"]
"""The traps that X sets after a good reply, with O to move, by the name of the square that X took."""

_WHERE = {"corner": "in a corner", "edge": "on an edge", "centre": "in the centre"}


def judge_holds(position: Position) -> Facts:
    """Judge the squares by whether they hold the draw."""
    other, squares = position.mover.other, predict(position).squares
    safe = [cell for cell in squares if cell not in _losing(position)]
    values = {cell: str(outcome.value) for cell, outcome in squares.items()}
    signs = mini(position, texts={cell: value[0].upper() for cell, value in values.items()}, classes=values)

    def judge(cell: Cell) -> Remark:
        after, name = position.after(cell), name_of(cell)
        if cell not in safe:
            way = forced_wins(after)[0]
            *forcing, fork = map(name_of, way.moves)
            first = "threatens with {}, you block on {}, and {} ".format(*forcing, other) if forcing else ""
            return Remark.of(
                "loses", draw_threats(way.fork), threatened_lines(way.fork), name=name, threat=first, fork=fork
            )
        rest, losing = [held for held in safe if held != cell], () if after.threats() else _losing(after)
        more = f"So {'does' if len(rest) == 1 else 'do'} {names_of(rest)}" if rest else "Every other square loses"
        loses = "loses" if len(losing) == 1 else "lose"
        trap = f" And it's a trap: {names_of(losing)} {loses} for {other}." if losing else ""
        return Remark.of("holds", signs, name=name, more=more, trap=trap)

    return judge_squares(position, judge, other=other)


def judge_replies(name: str) -> Facts:
    """Judge the replies to an opening."""
    facts = judge_holds(tic_tac_toe_openings()[name].position)
    return replace(facts, values={**facts.values, "where": _WHERE[name]})


def _losing(position: Position) -> tuple[Cell, ...]:
    """Return the squares that lose."""
    return tuple(cell for cell, outcome in predict(position).squares.items() if outcome.value is Value.LOSS)


def judge_hiding(position: Position) -> Facts:
    """Judge which of the traps is hidden in a position by turning or mirroring it."""
    traps = {name: parse_position(text) for name, text in TRAPS.items()}
    answers = {
        name.replace(" ", "-"): Remark.of("same", mini(trap), name=name)
        if trap.canonical() == position.canonical()
        else "different"
        for name, trap in traps.items()
    }
    return Facts.of(answers, mini(position), titles={name.replace(" ", "-"): f"The {name}" for name in traps})


def judge_threats(place: str) -> Facts:
    """Judge the threats after a losing reply by whether they lead to a fork. The block and the fork follow.

    `place` names the opening and the place of the reply, e.g. "corner: opposite corner".
    """
    opening = tic_tac_toe_openings()[place.partition(": ")[0]]
    places = {place_name(reply.cell, opening.move.cell): reply.position for reply in opening.losing}
    position = places[place.partition(": ")[2]]
    winning = {way.moves[0] for way in forced_wins(position)}

    def judge(cell: Cell) -> Remark:
        after, name = position.after(cell), name_of(cell)
        made = names_of(after.threats()) if after.threats() else ""
        if cell in winning:
            lit, then = threatened_lines(after), _judge_blocks(after)
            return Remark.of("threat", draw_threats(after), lit, then=then, name=name, made=made)
        return Remark.of("blocked" if made else "none", name=name, made=made)

    return judge_squares(position, judge, where=_WHERE[opening.name], place=place.partition(": ")[2])


def _judge_blocks(position: Position) -> Facts:
    """Judge the squares by whether they block X's threat."""
    (block,) = position.threats()

    def judge(cell: Cell) -> Remark:
        if cell != block:
            return Remark.of("lets", draw_threats(position), threatened_lines(position), name=name_of(cell))
        after = position.after(cell)
        return Remark.of("blocks", mini(after, classes={cell: "new"}), then=judge_forks(after))

    return judge_squares(position, judge, block=name_of(block))


def count_replies() -> Facts:
    """Count the distinct replies to the three openings, those that lose, and the distinct ways to punish them."""
    openings = tic_tac_toe_openings().values()
    losing = [reply for opening in openings for reply in opening.losing]
    ways = sum(len(distinct_ways(reply.position)) for reply in losing)
    return Facts.of(replies=sum(len(opening.replies) for opening in openings), losing=len(losing), ways=ways)
