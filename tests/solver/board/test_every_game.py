"""What holds of every game, whatever its clauses: its name, its symmetries, and its scores by plain minimax."""

import pickle
import re
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.families import Surface
from solver.board.notation import BOARD_PATTERN, MAX_BOARD_LENGTH, PLAYABLE_PATTERN, nearest_rules, parse_rules
from solver.board.outcome import DRAWN, WIN
from solver.board.position import Position
from solver.board.rules import Drop, Goal, Marking, Rules, mapped
from solver.board.symmetries import MOST_IMAGES
from solver.errors import BadRules
from solver.search.budget import UNLIMITED, Meter
from solver.search.exact import at_first, narrowing
from solver.search.minimax import minimax
from solver.search.solver import Solver, principal_variation
from solver.search.tablebase import look_up
from tests.marked import exhaustive, sampled
from tests.strategies import (
    SMALL_BOARDS,
    SMALL_DRAWN,
    SMALL_FAMILIES,
    boards,
    drawn_games,
    examples,
    families,
    positions,
    scores_by_the_rules,
)

LINES = [each for each in (*SMALL_BOARDS, *SMALL_FAMILIES, *SMALL_DRAWN) if len(str(each)) < 45]
CLAUSES = (
    {"goal": Goal.MISERE},
    {"marks": Marking.NOTAKTO},
    {"marks": Marking.WILD},
    {"drop": Drop.GRAVITY},
    {"drop": Drop.GRAVITY, "goal": Goal.MISERE},
    {"drop": Drop.GRAVITY, "marks": Marking.NOTAKTO},
)
FALLING = [rules for rules in SMALL_BOARDS if rules.size <= 9] + [parse_rules("3x3x3-cylinder")]
SPACE = [parse_rules(text) for text in ("2x2x2x2", "2x2x2x1", "2x1x4x3", "1x1x4x3", "2x2x2x2-misere")]
GAMES = [
    *LINES,
    *(replace(rules, **clauses) for clauses in CLAUSES for rules in (FALLING if "drop" in clauses else LINES)),
    *SPACE,
]
"""Games of every kind of clause on boards of up to ten squares."""

WORDS = [
    *(each for each in Surface if each is not Surface.FLAT),
    *("el", "holesa1", Drop.GRAVITY, Goal.MISERE),
    *(each for each in Marking if each is not Marking.OWN),
]


def games_of_two_clauses() -> list[Rules]:
    """Return every game of one clause or two on four small boards."""
    found = dict[Rules, None]()
    for words in (*combinations(WORDS, 1), *combinations(WORDS, 2)):
        for board in ("3x2", "3x2x2", "2x2x2", "3x2x3"):
            with suppress(BadRules):
                found[parse_rules("-".join((board, *words)))] = None
    return list(found)


PAIRS = games_of_two_clauses()
QUICK = [rules for rules in GAMES if rules.squares <= (6 if rules.marks is Marking.WILD else 8)]
NINE = [rules for rules in GAMES if rules.squares == 9 and rules.k == 3 and rules.marks is not Marking.WILD]
LARGER = [
    parse_rules(text)
    for text in (
        *("4x3x3-misere", "4x4x4-misere", "4x4x3-torus-misere", "5x4x4-notakto", "4x3-elly-notakto", "4x4x3-notakto"),
        *("4x4x3-gravity", "5x4x4-gravity", "4x5x4-gravity", "5x5x5-gravity", "7x6x4-gravity", "8x7x5-gravity"),
        *(
            "4x3x3-wild",
            "4x3x4-misere-wild",
            "4x3x3-gravity-wild",
            "4x3x3-holesb2-wild",
            "3x3x3-linesa1b1c1a2b2c2-wild",
        ),
        *("3x3x3x3", "3x3x2x3", "4x2x2x2-misere", "4x4x3-klein", "5x4x4-holesb2c3", "5x5-tippy"),
    )
]


@pytest.mark.parametrize(
    "rules",
    [*sampled(PAIRS, 8), *sampled(QUICK, 40), *exhaustive(*NINE)],
    ids=str,
)
def test_every_position_of_a_small_board_has_the_score_that_follows_from_the_rules(rules: Rules) -> None:
    known, start = scores_by_the_rules(rules), Position(rules)
    for position, score in known.items():
        assert look_up(position) == score, repr(position)
    if known[start] != DRAWN or not rules.vanishes:
        bounds = {start: at_first(start)}
        bounds |= narrowing(Solver(rules), bounds, Meter(UNLIMITED))
        assert bounds[start].score == known[start]


@examples(150)
@given(positions(st.sampled_from(LARGER), max_empty=6))
def test_the_search_of_a_larger_board_agrees_with_plain_minimax_and_so_does_its_line(position: Position) -> None:
    solver, known = Solver(position.rules, max_entries=1 << 16), {position: at_first(position)}
    known |= narrowing(solver, known, Meter(UNLIMITED))
    score = minimax(position).score
    assert known[position].score == score
    line = principal_variation(solver.decided, position, score, Meter(UNLIMITED))
    for cell in line:
        position = position.play(cell)
    assert position.result is not None
    assert score == DRAWN or len(line) == WIN - abs(score)


def same(one: Rules, other: Rules) -> bool:
    """Return whether two rules are the same game, whatever the order in which its lines are drawn."""
    return str(one) == str(other) and {*one.lines} == {*other.lines} and one.holes == other.holes


def test_a_name_a_repr_and_a_pickle_give_the_same_game() -> None:
    for rules in (*GAMES, *PAIRS, *LARGER):
        assert same(parse_rules(str(rules)), rules)
        assert eval(repr(rules)) == rules == pickle.loads(pickle.dumps(rules))  # noqa: S301, S307 - of our own
    assert {rules for rules in GAMES if rules.is_standard} == {*SMALL_BOARDS}


@given(boards() | families() | drawn_games())
def test_a_game_reads_back_as_written_in_any_order_and_case_if_its_name_fits_a_link(rules: Rules) -> None:
    assert pickle.loads(pickle.dumps(rules)) == rules  # noqa: S301 - just written
    size, *words = str(rules).split("-")
    fits = len(str(rules)) <= MAX_BOARD_LENGTH
    if fits or repr(rules).startswith("Rules("):  # any other repr has the name
        assert same(eval(repr(rules)), rules)  # noqa: S307 - of our own
    if not fits:
        with pytest.raises(BadRules, match="A board's name has at most 59 characters"):
            parse_rules(str(rules))
        return
    assert all(same(parse_rules("-".join((size, *each)).upper()), rules) for each in permutations(words))
    assert same(nearest_rules(str(rules)), rules)
    assert re.fullmatch(BOARD_PATTERN, str(rules))
    assert re.fullmatch(PLAYABLE_PATTERN, str(rules))


@given(boards() | families() | drawn_games() | st.sampled_from([*SPACE, *LARGER]))
def test_symmetries_are_a_group_of_permutations_that_keep_the_lines_and_the_holes(rules: Rules) -> None:
    identity, *_ = symmetries = rules.symmetries
    assert identity == tuple(range(rules.size))
    assert len(symmetries) * -(-rules.size // 8) <= MOST_IMAGES
    for each in symmetries[:: len(symmetries) // 8 + 1]:
        assert {mapped(line, each) for line in rules.lines} == {*rules.lines}
        assert mapped(rules.full, each) == rules.full
        assert tuple(each.index(cell) for cell in range(rules.size)) in symmetries


@given(boards() | families())
def test_a_game_has_each_line_once_and_all_are_of_k_cells(rules: Rules) -> None:
    assert rules.lines or rules.is_standard
    assert len({*rules.lines}) == len(rules.lines)
    assert {line.bit_count() for line in rules.lines} <= {rules.k}
