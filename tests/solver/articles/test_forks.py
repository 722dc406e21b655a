"""Forks: the article's counts, and what brute force and minimax say of them."""

import json

import pytest
from hypothesis import given

from solver.articles.graph import forks, forks_by_ply, graph_of, is_fork, threats, wins_by_threats
from solver.board.notation import format_cell, parse_position, parse_rules
from solver.board.outcome import WIN
from solver.board.position import Mark, Position
from solver.cli import main
from solver.errors import TooLarge
from tests.solver.articles.printed import FORKS, levels
from tests.strategies import TIC_TAC_TOE, minimax_score, positions, reachable


def winning_squares(position: Position, mark: Mark) -> list[int]:
    """Brute force: the empty cells where one more stone fills a line."""
    held = {cell for cell in range(position.rules.size) if position.mark_at(cell) is mark}
    lines = [{cell for cell in range(position.rules.size) if line >> cell & 1} for line in position.rules.lines]
    empty = [cell for cell in range(position.rules.size) if position.mark_at(cell) is None]
    return [cell for cell in empty if any(line <= held | {cell} for line in lines)]


def brute_force_forks() -> dict[Position, int]:
    """Every forked position of tic-tac-toe, symmetric ones too, with its number of threats."""
    return {
        each: len(winning_squares(each, each.mover.other))
        for each in reachable(TIC_TAC_TOE)
        if not each.result
        and len(winning_squares(each, each.mover.other)) >= 2
        and not winning_squares(each, each.mover)
    }


def test_under_forced_play_there_are_as_many_by_level_as_the_article_prints() -> None:
    printed = {level: counts["fork"] for level, counts in enumerate(levels(FORKS)) if "fork" in counts}
    assert {ply: len(found) for ply, found in forks_by_ply(forks(TIC_TAC_TOE, forced=True)).items()} == printed


def test_in_all_play_they_are_those_that_brute_force_finds_up_to_symmetry() -> None:
    expected = {each.canonical(): threats for each, threats in brute_force_forks().items()}
    found = {fork.position.canonical(): len(fork.threats) for fork in forks(TIC_TAC_TOE)}
    assert found == expected


def test_no_fork_is_listed_twice() -> None:
    found = [fork.position.canonical() for fork in forks(TIC_TAC_TOE)]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("forced", [False, True])
def test_a_fork_wins_in_two_plies_whatever_the_reply(forced: bool) -> None:
    assert all(minimax_score(fork.position) == -(WIN - 2) for fork in forks(TIC_TAC_TOE, forced))


def test_a_position_that_is_lost_in_two_plies_is_a_fork() -> None:
    for each in reachable(TIC_TAC_TOE):
        if not each.result and minimax_score(each) == -(WIN - 2):
            assert wins_by_threats(each)


def test_the_player_who_moved_last_owns_the_fork() -> None:
    for fork in forks(TIC_TAC_TOE):
        assert fork.owner is (Mark.X if fork.ply % 2 else Mark.O)
        assert list(fork.threats) == winning_squares(fork.position, fork.owner)


def test_the_article_counts_no_fork_with_three_threats() -> None:
    three = parse_position("XOO/XX./...", TIC_TAC_TOE)
    assert len(threats(three)) == 3
    assert wins_by_threats(three)
    assert not is_fork(three)


def test_three_threats_need_a_player_who_has_overlooked_one() -> None:
    """Every winning square is tried, else every blocking one, else all."""

    def attentive(position: Position) -> list[int]:
        if position.result:
            return []
        wins, blocks = (winning_squares(position, mark) for mark in (position.mover, position.mover.other))
        return wins or blocks or list(position.legal_moves)

    nodes = graph_of(Position(TIC_TAC_TOE), attentive).nodes
    assert max(len(threats(each)) for each in nodes) == 2


@given(positions())
def test_a_fork_has_two_threats_and_none_for_the_mover(each: Position) -> None:
    own, other = (winning_squares(each, mark) for mark in (each.mover, each.mover.other))
    assert is_fork(each) is (not each.result and len(other) == 2 and not own)
    assert wins_by_threats(each) is (not each.result and len(other) >= 2 and not own)


def test_a_board_with_too_many_positions_is_refused() -> None:
    with pytest.raises(TooLarge, match="up to 12 squares"):
        forks(parse_rules("5x4x4"), forced=True)


@pytest.mark.parametrize("forced", [False, True])
def test_the_command_prints_every_fork_with_its_threats(forced: bool, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["forks", "--json", *(["--forced"] if forced else [])]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["board"], printed["forced"]) == ("3x3x3", forced)
    assert len(printed["forks"]) == len(forks(TIC_TAC_TOE, forced))
    for fork in printed["forks"]:
        position = parse_position(fork["position"], TIC_TAC_TOE)
        assert fork["side"] == str(position.mover.other)
        assert fork["ply"] == 9 - position.plies_left
        squares = winning_squares(position, position.mover.other)
        assert fork["threats"] == [format_cell(cell, TIC_TAC_TOE) for cell in squares]


def test_the_command_lists_the_forks_by_ply(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["forks", "--forced"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("Ply")] == ["Ply 5: 36 of X", "Ply 6: 14 of O", "Ply 7: 9 of X"]
    assert len(lines) == 1 + 3 + 59


def test_the_command_refuses_a_board_that_is_too_large(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["forks", "--board", "4x4x4"]) == 2
    assert "up to 12 squares" in capsys.readouterr().err
