"""The zone of an answer: more stones of its loser elsewhere change nothing, by a search that tries all moves."""

import random
from collections.abc import Iterator
from dataclasses import astuple
from functools import cache
from itertools import islice
from typing import NamedTuple

import pytest

from solver.board.notation import parse_position, parse_rules
from solver.board.rules import Bits, Rules, cells_of
from solver.kernel.engine import interpreted
from solver.kernel.transpositions import TranspositionTable
from solver.search.exact import prove_moves
from solver.search.solver import ALL, Techniques
from tests.marked import exhaustive, slow
from tests.solver.search.test_maker_breaker import BOARDS
from tests.strategies import EACH_LEFT_OUT

MAX_EMPTY = 9


class Question(NamedTuple):
    """A question about an attack. Each player can have any number of stones."""

    rules: Rules
    attacker: Bits
    defender: Bits
    attacking: bool
    plies: int

    @property
    def empty(self) -> Bits:
        return self.rules.full & ~(self.attacker | self.defender)

    def has_line(self, stones: Bits) -> bool:
        return any(line & stones == line for line in self.rules.lines)


@cache
def plain_answer(question: Question) -> bool:
    """Return the answer by trying all moves."""
    rules, attacker, defender, attacking, plies = question
    if not plies or not question.empty:
        return False
    for move in (1 << cell for cell in cells_of(question.empty)):
        if attacking:
            after = Question(rules, attacker | move, defender, False, plies - 1)
            won = question.has_line(after.attacker) or plain_answer(after)
        else:
            after = Question(rules, attacker, defender | move, True, plies - 1)
            won = not question.has_line(after.defender) and plain_answer(after)
        if won == attacking:
            return won
    return not attacking


def questions(seed: int) -> Iterator[Question]:
    """Yield random questions, in which nobody has a line yet."""
    rng = random.Random(seed)
    while True:
        rules = rng.choice(BOARDS)
        empty = rng.randint(2, min(MAX_EMPTY, rules.size))
        share, stones = rng.random(), [0, 0]
        for cell in rng.sample(range(rules.size), rules.size - empty):
            stones[rng.random() < share] |= 1 << cell
        attacker, defender = stones
        question = Question(rules, attacker, defender, rng.random() < 0.5, rng.randint(1, empty))
        if not (question.has_line(attacker) or question.has_line(defender)):
            yield question


def assert_zone_holds(question: Question, techniques: Techniques) -> None:
    """Check an answer, and that it stays when the loser gets all squares outside the zone."""
    prover = interpreted().Prover(question.rules, astuple(techniques), TranspositionTable(1 << 10))
    for _ in range(2):  # the second time it may be remembered
        answer = prover.wins(*question[1:])
        assert answer == plain_answer(question)
        assert_nothing_changes(question, answer, question.empty & ~prover.zone)


def assert_nothing_changes(question: Question, answer: bool, outside: Bits) -> None:
    """Check that the answer stays when the loser gets these squares, unless that makes a line at once.

    If the loser is to move, the squares must not make a line.
    """
    if answer:
        loser = question.defender | outside
        more = question._replace(defender=loser)
    else:
        loser = question.attacker | outside
        more = question._replace(attacker=loser)
    if question.has_line(loser):
        assert answer == question.attacking
    else:
        assert plain_answer(more) == answer


@pytest.mark.parametrize("count", [15, *slow(100), *exhaustive(4000)])
@pytest.mark.parametrize("techniques", [ALL, *EACH_LEFT_OUT], ids=str)
def test_stones_of_the_loser_outside_the_zone_change_no_answer(techniques: Techniques, count: int) -> None:
    for question in islice(questions(seed=0), count):
        assert_zone_holds(question, techniques)


@pytest.mark.parametrize(
    ("board", "position", "attacking", "plies", "techniques"),
    [
        ("5x2x3", ".O.../....O", True, 8, Techniques(pairings=False)),
        ("5x2x3", "...O./....O", True, 8, Techniques(pairings=False)),
        ("4x3x3", "..O./O.../...O", True, 8, Techniques(pairings=False)),
        ("5x2x3", "...X./.X...", False, 7, Techniques(threats=False)),
        ("4x3x3", "..../XX../.O..", False, 7, ALL),
        ("5x5x5", "OXOOO/X..X./..OXO/O.XO./X.OOO", True, 8, ALL),
        ("4x4x4", ".XO./XXO./X.../.X..", False, 8, Techniques(forks=False)),
        ("4x4x4", "XOX./XX.X/..../..X.", False, 9, Techniques(forks=False, pairings=False, dominance=False)),
    ],
)
def test_a_zone_holds_where_it_is_easily_drawn_too_small(
    board: str, position: str, attacking: bool, plies: int, techniques: Techniques
) -> None:
    rules, text = parse_rules(board), position.replace("/", "")
    attacker, defender = (sum(1 << cell for cell, mark in enumerate(text) if mark == owner) for owner in "XO")
    assert_zone_holds(Question(rules, attacker, defender, attacking, plies), techniques)


def test_zones_save_nodes() -> None:
    position = parse_position("...O../...X../..XX../.X..../....../.OO...", parse_rules("6x6x5"))
    zones, none = (
        prove_moves(position, position.legal_moves, techniques=Techniques(zones=zones)) for zones in (True, False)
    )
    assert zones.scores == none.scores
    assert 10 * zones.nodes < 9 * none.nodes
