"""Finds why a square wins or loses: by which plan the one player or the other forces a line."""

from solver.board.outcome import Value
from solver.board.position import Position
from solver.board.rules import Cell, cells_of
from solver.reasons.check import OutcomesOf
from solver.reasons.grounds import AllLose, Completes, Elsewhere, GivesWinAway, Ground, Loses, Slower, Unblocked, Wins
from solver.reasons.open_lines import OpenLines
from solver.reasons.plan import length
from solver.reasons.planning import Planner
from solver.reasons.sequences import Effort, sequence

RACE = 200
"""Steps that the search may take for how the loser would win if it had the time."""


def why_it_wins(position: Position, cell: Cell, known: OutcomesOf, planner: Planner) -> tuple[Ground, ...]:
    """The lines that the square completes, or the mover's plan, and whether another square is quicker; else nothing."""
    rules, squares = position.rules, known(position)
    outcome = squares[cell]
    if lines := tuple(line for line in rules.lines_through[cell] if line & (position.own | 1 << cell) == line):
        return (Completes(lines),)
    plan = planner.plan(position, outcome.plies or outcome.at_most or 1, cell)
    if plan is None:
        return ()
    wins = {other: each.plies for other, each in squares.items() if each.value is Value.WIN}
    best = min(wins, key=lambda other: wins[other] or 0)
    plies = wins[best]
    return (Wins(plan), Slower(best, plies)) if plies and outcome.plies and plies < outcome.plies else (Wins(plan),)


def why_it_loses(position: Position, cell: Cell, known: OutcomesOf, planner: Planner) -> tuple[Ground, ...]:
    """The line that the square leaves to the opponent, or the opponent's plan after it; else nothing."""
    rules, squares, after = position.rules, known(position), position.after(cell)
    outcome = squares[cell]
    winning = tuple(other for other, each in squares.items() if each.value is Value.WIN)
    missed = (GivesWinAway(winning),) if winning else ()
    if threats := rules.completing(after.own, after.other):
        move = threats.bit_length() - 1
        line = next(line for line in rules.lines_through[move] if line & (after.own | 1 << move) == line)
        return Unblocked(move, line, tuple(cells_of(rules.completing(position.other, position.own)))), *missed
    plan = planner.plan(after, (outcome.plies or outcome.at_most or 1) - 1)
    if plan is None:
        drawing = tuple(other for other, each in squares.items() if each.value is Value.DRAW)
        return missed or ((Elsewhere(drawing),) if drawing else ())
    mine = rules.completing(after.other, after.own)
    plies = length(plan)
    race = None if mine else sequence(OpenLines.of(rules, after.other, after.own, plies), plies, Effort(RACE))
    loses = Loses(plan, mine == 1 << plan.move, race)
    losses = [each.plies for each in squares.values() if each.value is Value.LOSS and each.plies]
    if len(losses) < len(squares) or len(losses) < 2 or outcome.plies is None:
        return loses, *missed
    return loses, AllLose(longest=outcome.plies == max(losses))
