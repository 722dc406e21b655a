"""The claims of "Unbeatable? Tictactoe in PyFL" (B. Wadge), against a transcription of its program and all games."""

from collections.abc import Callable

import pytest

from solver.articles.claims import CLAIMS, finding_of
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell
from solver.players import STRATEGIES
from tests.solver.players.test_strategies import CORNERS, LINES, UNFINISHED, as_printed
from tests.strategies import TIC_TAC_TOE

Choices = Callable[[Position], set[Cell]]


def cells(position: Position) -> dict[int, str]:
    return {cell + 1: str(position.mark_at(cell) or ".") for cell in range(9)}


def prose(position: Position) -> set[Cell]:
    return set(STRATEGIES["seven-rules"].decide(position).choices)


def printed(position: Position) -> set[Cell]:
    return {cell - 1 for cell in as_printed(cells(position), str(position.mover), str(position.mover.other))}


def cut_short(position: Position) -> set[Cell]:
    """Play by the appendix with `WinFor` cut off by its semicolon: a line passes if the opponent has no stone on it."""
    board, me, you = cells(position), str(position.mover), str(position.mover.other)
    for enemy in (me, you):
        for line in LINES:
            if enemy not in [board[c] for c in line] and "." in [board[c] for c in line]:
                return {next(c for c in line if board[c] == ".") - 1}
    return printed(position)


def listed(choices: Choices, mark: Mark, position: Position) -> dict[str, int]:
    """Count the results of all games of a player, one by one."""
    if position.result is not None:
        ends = {"won": Result(mark), "drawn": Result.DRAW, "lost": Result(mark.other)}
        return {name: int(position.result is result) for name, result in ends.items()}
    total = {"won": 0, "drawn": 0, "lost": 0}
    for cell in choices(position) if position.mover is mark else position.legal_moves:
        for name, games in listed(choices, mark, position.play(cell)).items():
            total[name] += games
    return total


@pytest.mark.parametrize(("name", "choices"), [("pyfl.unbeatable-prose", prose), ("pyfl.unbeatable-program", printed)])
def test_the_counts_are_those_of_all_games_gone_through(name: str, choices: Choices) -> None:
    assert finding_of(name).computation.computed == listed(choices, Mark.O, Position(TIC_TAC_TOE))


@pytest.mark.parametrize(
    ("name", "choices", "mark"),
    [
        ("pyfl.unbeatable-prose", prose, Mark.X),
        ("pyfl.unbeatable-program", printed, Mark.X),
        ("pyfl.unbeatable-program", cut_short, Mark.O),
    ],
)
def test_trials_of_our_own_are_told_as_ours(name: str, choices: Choices, mark: Mark) -> None:
    counts = listed(choices, mark, Position(TIC_TAC_TOE))
    ours = explanation(name).partition("of which the article says nothing")[2]
    assert f"loses {counts['lost']} of {sum(counts.values())} games as {mark}" in ours


def explanation(name: str) -> str:
    return finding_of(name).computation.explanation


def met_as_o(choices: Choices) -> set[Position]:
    """Return the positions in which O has to decide."""
    seen: set[Position] = set()
    waiting = [Position(TIC_TAC_TOE)]
    while waiting:
        position = waiting.pop()
        if position not in seen and position.result is None:
            seen.add(position)
            ours = position.mover is Mark.O
            waiting += (position.play(cell) for cell in (choices(position) if ours else position.legal_moves))
    return {position for position in seen if position.mover is Mark.O}


def test_the_program_misses_wins_that_the_list_takes_first() -> None:
    at_hand = [each for each in met_as_o(printed) if each.threats(Mark.O)]
    missed = [each for each in at_hand if each.play(next(iter(printed(each)))).result is not Result.O]
    assert f"in {len(missed)} of the {len(at_hand)} positions" in explanation("pyfl.win-first")


def test_the_program_leaves_sides_that_the_list_takes() -> None:
    sides = {1, 3, 5, 7}
    left = [
        each
        for each in met_as_o(printed)
        if each.mark_at(4)
        and each.empty & sum(1 << side for side in sides)
        and not (each.threats(Mark.O) or each.threats(Mark.X))
        and not printed(each) <= sides
        and not any(cells(each)[corner] == "." and cells(each)[a] == cells(each)[b] == "X" for corner, a, b in CORNERS)
    ]
    assert f"In {len(left)} of its positions" in explanation("pyfl.side-rule")


def test_the_program_departs_from_the_list() -> None:
    positions = [each for each in UNFINISHED if each.mover is Mark.O]
    apart = [each for each in positions if not printed(each) <= prose(each)]
    assert f"In {len(apart)} of the {len(positions):,} positions" in explanation("pyfl.plays-the-list")


def test_each_refutation_names_a_lost_game_and_the_move_that_loses() -> None:
    for name in (name for name in CLAIMS if name.startswith("pyfl.unbeatable")):
        assert "A shortest one is" in explanation(name)
        assert "The mistake is" in explanation(name)
