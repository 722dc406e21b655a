"""Every opponent against every other, and what tie-breaks gain: chances against games enumerated one by one."""

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from solver import players
from solver.articles.crosstable import PANEL, Crosstable, crosstable
from solver.articles.patterns import expected_points
from solver.articles.tiebreaking import TIE_BREAKS, match_ups, ties, weighed
from solver.board.notation import parse_rules
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules
from solver.cli import main
from solver.players import STRATEGIES, STRENGTHS
from solver.players.match import spread
from solver.proofs.predict import predict
from tests.strategies import TIC_TAC_TOE, reachable


@pytest.fixture(scope="module")
def table() -> Crosstable:
    return crosstable(TIC_TAC_TOE)


@pytest.mark.parametrize("name", ["easy", "hard", "pyfl-program", "alphabeta-3"])
def test_the_chances_of_a_pair_are_those_of_its_endings(name: str, table: Crosstable) -> None:
    ends = spread(Position(TIC_TAC_TOE), STRATEGIES[name], STRATEGIES["medium"])
    for result in Result:
        assert table.chances[name, "medium"][result] == sum(ends[each] for each in ends if each.result is result)


def test_a_new_opponent_changes_no_other_strength(table: Crosstable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.articles.crosstable.PANEL", PANEL[1:])  # as if the first opponent were a new one
    before = replace(table, players=table.players[1:])
    assert [before.strength(name) for name in PANEL[1:]] == [table.strength(name) for name in PANEL[1:]]


def test_the_shipped_strengths_are_those_that_the_command_makes(tmp_path: Path) -> None:
    made = tmp_path / "strengths.toml"
    assert main(["crosstable", "--make", str(made)]) == 0
    assert made.read_bytes() == Path(players.__file__).with_name("strengths.toml").read_bytes()
    assert {name: each.strength for name, each in STRATEGIES.items()} == STRENGTHS


def test_the_table_of_opponents_tells_their_strengths() -> None:
    table = Path(players.__file__).with_name("README.md").read_text(encoding="utf-8")
    told = {name: int(percent) for name, percent in re.findall(r"^\| `([^`]+)` \| (\d+)% \|", table, re.MULTILINE)}
    assert told == {name: each for name, each in STRENGTHS.items() if "alphabeta" not in name}
    ahead = [each for name, each in STRENGTHS.items() if "alphabeta" in name]
    assert f"| `alphabeta-1` … `alphabeta-9` | {ahead[0]}% … {ahead[-1]}% |" in table


def test_the_command_prints_chances_and_points_as_fractions(reported: Callable[..., Any], table: Crosstable) -> None:
    printed = reported("crosstable")
    pairs = {(pair["x"], pair["o"]): pair for pair in printed["pairs"]}
    told = {names: [Fraction(pair[end]) for end in ("x_wins", "o_wins", "draw")] for names, pair in pairs.items()}
    assert told == {names: [chances[end] for end in Result] for names, chances in table.chances.items()}
    points = {names: (Fraction(pair["x_points"]), Fraction(pair["o_points"])) for names, pair in pairs.items()}
    assert points == {names: table.points[names] for names in table.chances}
    assert {name: Fraction(text) for name, text in printed["strengths"].items()} == {
        name: table.strength(name) for name in STRATEGIES
    }


@pytest.mark.parametrize("name", ["easy", "impossible", "pyfl-program"])
def test_the_points_of_a_pair_are_those_its_endings_are_paid(name: str, table: Crosstable) -> None:
    pair = STRATEGIES[name], STRATEGIES["hard"]
    assert table.points[name, "hard"] == expected_points(*pair)


TINY = parse_rules("3x2x2")


def chance_of_winning(position: Position, players: dict[Mark, str], mark: Mark) -> Fraction:
    if position.result is not None:
        return Fraction(position.result == str(mark))
    choices = STRATEGIES[players[position.mover]].decide(position).choices
    parts = (chance * chance_of_winning(position.play(cell), players, mark) for cell, chance in choices.items())
    return sum(parts, Fraction(0))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [TIC_TAC_TOE, TINY], ids=str)
def test_the_chances_are_those_of_all_games_one_by_one(rules: Rules) -> None:
    for match in match_ups(rules):
        for name in TIE_BREAKS:
            players = {match.side: name, match.side.other: match.opponent}
            assert match.wins[name] == chance_of_winning(Position(rules), players, match.side)


def test_ties_are_the_positions_with_several_best_squares() -> None:
    unfinished = [position for position in reachable(TIC_TAC_TOE) if position.result is None]
    tied = [position for position in unfinished if len(predict(position).best) > 1]
    found = ties(TIC_TAC_TOE)
    assert (found.unfinished, found.tied) == (len(unfinished), len(tied)) == (4520, 1378)
    for name in TIE_BREAKS:
        narrowed = [p for p in tied if len(STRATEGIES[name].decide(p).choices) < len(predict(p).best)]
        assert found.narrowed[name] == len(narrowed) > 0


def test_a_larger_board_is_weighed_by_outcomes_alone() -> None:
    squares = weighed(predict(Position(parse_rules("4x3x3"))))
    assert all(square.paths is None and square.opportunities is None and not square.players for square in squares)


def test_a_finished_game_has_no_squares_to_weigh() -> None:
    assert weighed(predict(Position(TINY, x=0b000011, o=0b001000))) == ()
